"""The conference paper that the slides restate. It was not at hand: only what the claims are about is listed, as it is
known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Item, register_paper

RESTATED = (
    "the conference paper was not at hand: restated, and held against no print; neither it nor the slides are accused"
)
UNDEFINED = (
    "the slides define none of kappa, L_max, M, R_min and tau. Read as in the conference paper, restated from general"
    " knowledge: M = max_i max_S ||sum_{t in S} Xbar_{:,t} x_it||, Xbar with rows x_i/||x_i||^2; R_min = min ||x_i||"
    " where max ||x_i|| = 1; L_max a Lipschitz constant of the gradient of D; kappa that of the error bound between ||a"
    " - a*|| and ||T(a) - a||; tau the delay"
)

ICML = register_paper(
    "passcode-icml",
    "*PASSCoDe: Parallel ASynchronous Stochastic dual Co-ordinate Descent*, Hsieh, Yu, Dhillon, ICML 2015",
    "docs/sdca.md",
    (
        Item("PASSCoDe-Lock", "section 3: Lock is serialisable"),
        Item("PASSCoDe-Wild", "section 3: Wild", code=("reference/methods/passcode.py", "fast/methods/passcode.py")),
        Item("Backward error", "section 4: backward error of Wild"),
    ),
)
