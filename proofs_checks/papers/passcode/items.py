"""The PASSCoDe part of the slides: their statements, in their order, and those of the conference paper that we check.

A place is the title of a slide; the slides have no numbers. We had no copy of the conference paper: the list has only
the statements that claims are about, as they are known from elsewhere.
"""

from dualgap.proofs_checks.claims.papers import Assessment, Item, register_paper

METHOD, THREADS = ("reference/methods/passcode.py",), ("fast/methods/passcode.py",)
DATA = (
    "the slides show curves and say nothing of them; version 0.1.0 ran sets that stand in for theirs"
    " (docs/experiments/passcode-speedup.md)"
)
ITEMS = (
    Item("Prime Problem", "Asynchronous SDCA, Prime Problem", r"P(w) := \frac{1}{2} \|w\|^2", METHOD),
    Item("Dual Problem", "Asynchronous SDCA, Dual Problem", r"D(\alpha) := \frac{1}{2} \left\| \sum_{i=1}^n", METHOD),
    Item(
        "Algorithm 2",
        "Figure 6, Algorithm 2",
        "Each thread repeatedly performs the following updates",
        (*METHOD, *THREADS),
    ),
    Item("Lock, step 1.5", "PASSCoDe-Lock", "Step 1.5: lock variables in", (*METHOD, *THREADS)),
    Item("Lock, inconsistent read", "PASSCoDe-Lock, last line", "May equal to inconsistent read"),
    Item("Atomic, step 3", "PASSCode-Atomic", "step 3: For each", (*METHOD, *THREADS)),
    Item(
        "condition 1",
        "Linear Convergence Rate of PASSCoDe-Atomic, Theorem",
        r"\left(6\tau(\tau+1)^2 eM\right) / \sqrt{n} \leq 1",
    ),
    Item(
        "condition 2",
        "Linear Convergence Rate of PASSCoDe-Atomic, Theorem",
        r"1 \geq \frac{2L_{\max}}{R_{\min}^2} \left(1 +",
    ),
    Item(
        "Theorem",
        "Linear Convergence Rate of PASSCoDe-Atomic, Theorem",
        "has a global linear convergence rate in expectation",
    ),
    Item("Figure 7", "Convergence and Efficiency", "Figure 7: Convergence and Efficiency for news20, covtype, rcv1"),
    Item("Figure 8", "Figures 2 to 4 of the paper, shown as Figure 8", "Figure 8: Speedup for news20, covtype, rcv1"),
)
WHY = {
    "Lock, inconsistent read": (
        "not a sentence: of Lock it would be false (under the locks a read is consistent), of reads without them true"
    ),
    **dict.fromkeys(("Figure 7", "Figure 8"), DATA),
}
PAPER = register_paper(
    "passcode",
    "the last part, on PASSCoDe, of the slides on SDCA, Liu, 2017",
    "docs/sdca.md",
    ITEMS,
    WHY,
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
        Item("PASSCoDe-Wild", "section 3: Wild", code=(*METHOD, *THREADS)),
        Item("Backward error", "section 4: backward error of Wild"),
    ),
)
