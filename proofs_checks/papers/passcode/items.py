"""The PASSCoDe part of the slides: their statements, in their order, and those of the conference paper that we check.

A place is the title of a slide; the slides have no numbers. We had no copy of the conference paper: the list has only
the statements that claims are about, as they are known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Assessment, Item, listed, register_paper

PAPER = register_paper(
    "passcode",
    "the last part, on PASSCoDe, of the slides on SDCA, Liu, 2017",
    "docs/sdca.md",
    listed(__file__),
    assessment=Assessment(
        tested="The problem that PASSCoDe solves, its steps, and its three ways of writing to memory.",
        good="The steps are correct for one and for several threads.",
        repaired=(
            "The rate for PASSCoDe-Atomic depends on constants that the slides do not define. One reading of it"
            " is false even without delay, which we do not count as an error; a repaired form holds."
        ),
        untested="The paper that the slides summarise, of which we had no copy, and the speed-up on several threads.",
    ),
)
NO_ERROR = "a verdict on it is none on the slides or the paper"
RESTATED = f"we had no copy of the conference paper: restated, and not compared with its print; {NO_ERROR}"
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
