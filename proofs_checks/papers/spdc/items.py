"""SPDC: the paper's statements, item by item, in its order, and why some have neither claim nor code nor experiment.

Every displayed formula and the numbers (5), (6), (11), (12), (24), (25), (41) to (43), (63) to (68) are missing in our
copy; it has the words and the references to formulas. A formula is restored from the proofs, which need it line by
line.
"""

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.papers import Assessment, listed, register_paper

RESTORED = f"The formula is missing {origins.RESTORED}: it is the one that makes the paper's proof complete."
RESTORED_29 = (
    f"{RESTORED} In theta R_bar has no factor 2, as (57) and (60) allow, and because only R_bar^2/(lam gamma) is the"
    " average condition number that the best mix compares with n; with a 2 it would be a weaker theorem."
)

PAPER = register_paper(
    "spdc",
    "*Stochastic Primal-Dual Coordinate Method for Regularized Empirical Risk Minimization*: Zhang, Xiao,"
    " arXiv:1409.3257, JMLR 18, 2017",
    "docs/spdc.md",
    listed(__file__),
    assessment=Assessment(
        tested=(
            "Every algorithm, lemma, corollary and theorem, and each inequality between Theorem 1 and the end"
            " of its proof."
        ),
        good=(
            "We found no error in the theorems and their proofs. Theorem 1 is proved in Coq for every strongly convex"
            " penalty, with one row per step and with mini-batches."
        ),
        repaired="R can replace 2R in the rate, and this constant is tight.",
        untested=(
            "Figures 2 and 3 on the paper's own data sets. (21), Table 1 and Corollary 3 are tested with one column"
            " only. Most formulas are missing from"
            " our copy; these verdicts concern the formulas that we restored."
        ),
    ),
)
