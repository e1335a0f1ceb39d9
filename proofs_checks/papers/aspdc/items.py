"""The statements of the ASPDC paper, in its order: Algorithms 1 to 3, their statements, its experiments.

Displays without a number are counted where the text refers to them: (5) to (8) are the four lines of "Equation (5)",
(A6) to (A17) are fixed by references, (A1) to (A5) by their order. Minus signs, relations, roots, gradients and
fraction bars are lost in our copy; plus signs and brackets stand.
"""

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.papers import Assessment, listed, register_paper

LOST = f"minus signs, relations, gradients and fraction bars are lost {origins.RESTORED} from the proof around them"
UNITS = "the paper has R = 1 (Assumption 3); x/R, Rw and lam/R^2 instead of x, w and lam bring one to the other"

PAPER = register_paper(
    "aspdc",
    "*ASPDC: Accelerated SPDC Regularized Empirical Risk Minimization for Ill-Conditioned Problems in Large-Scale "
    "Machine Learning*: Liang, Cai, Wu, Shang, Cheng, Li, Electronics 11(15), 2382, 2022",
    "docs/aspdc.md",
    listed(__file__),
    assessment=Assessment(
        tested=(
            "The lemmas, Theorem 1, each displayed step of the proofs, the cost of a step, the condition"
            " number, and the outer loop of ASPDC-i."
        ),
        good=(
            "Lemma 2 and Theorem 1 are correct. Coq has checked both for every number of rows, columns and"
            " steps. The condition of Lemma 2 can even be relaxed: lambda may be almost four times smaller."
        ),
        repaired=(
            "Lemma 2 holds with the sharp constant (1 - K)/n, K = R^2/(lambda n gamma). Algorithm 3, which the"
            " paper does not prove, has a convergence proof here. The paper calls ASPDC-i accelerated, but states no"
            " accelerated rate. The outer loop is the proximal point method; its number of epochs grows like"
            " kappa/lambda."
        ),
        untested="The results on covtype, and the timings of the companion code.",
    ),
)
