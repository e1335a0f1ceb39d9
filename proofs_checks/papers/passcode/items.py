"""The PASSCoDe part of the slides: what they state, in their order. A place is the title of a slide; the slides have no
numbers.
"""

from dualgap.proofs_checks.claims.papers import Item, register_paper

METHOD, THREADS = "reference/methods/passcode.py", "fast/methods/passcode.py"
DATA = "the slides show curves and say nothing of them; their data are not shipped, stand-ins were run"

PAPER = register_paper(
    "passcode",
    "the last part of the slides on SDCA, Liu, 2017",
    "docs/sdca.md",
    (
        Item("Prime Problem", "Asynchronous SDCA, Prime Problem", r"P(w) := \frac{1}{2} \|w\|^2", (METHOD,)),
        Item(
            "Dual Problem",
            "Asynchronous SDCA, Dual Problem",
            r"D(\alpha) := \frac{1}{2} \left\| \sum_{i=1}^n",
            (METHOD,),
        ),
        Item(
            "Algorithm 2",
            "Figure 6, Algorithm 2",
            "Each thread repeatedly performs the following updates",
            (METHOD, THREADS),
        ),
        Item("Lock, step 1.5", "PASSCoDe-Lock", "Step 1.5: lock variables in", (METHOD, THREADS)),
        Item(
            "Lock, inconsistent read",
            "PASSCoDe-Lock, last line",
            "May equal to inconsistent read",
            why=(
                "not a sentence: of Lock it would be false (under the locks a read is consistent), of reads without"
                " them true"
            ),
        ),
        Item("Atomic, step 3", "PASSCode-Atomic", "step 3: For each", (METHOD, THREADS)),
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
        Item(
            "Figure 7",
            "Convergence and Efficiency",
            "Figure 7: Convergence and Efficiency for news20, covtype, rcv1",
            experiments=("passcode-speedup",),
            why=DATA,
        ),
        Item(
            "Figure 8",
            "Figures 2 to 4 of the paper, shown as Figure 8",
            "Figure 8: Speedup for news20, covtype, rcv1",
            experiments=("passcode-speedup",),
            why=DATA,
        ),
    ),
)
