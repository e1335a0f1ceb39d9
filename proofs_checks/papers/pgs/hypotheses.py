"""What PGS assumes for its statements, each with the place that says so; a counterexample is held against them."""

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.registry import Hypothesis
from dualgap.proofs_checks.papers.pgs.strategies import LIPSCHITZ


def uniform(c: Context) -> bool:
    """Every set of k rows is drawn with one probability, whatever was drawn before."""
    chances = [p for _, p in c.method.choices(c.problem, c.method.init(c.problem))]
    return len(set(chances)) == 1 and sum(chances) == 1


P_RANGE = Hypothesis("p in (1, 2]", "section I, (3)", lambda c: 1 < (c.instance.p or 2) <= 2)
SIGMA = Hypothesis("sigma > 0", "section I, (1)", lambda c: c.instance.lam > 0)
SETTING = (
    P_RANGE,
    SIGMA,
    Hypothesis("the loss is convex and L-Lipschitz in w", "section III.A", lambda c: c.instance.loss in LIPSCHITZ),
)
FIGURE_1 = Hypothesis(
    "w_t is made by Figure 1 from w_0 = 0",
    "section III.A",
    lambda c: c.instance.method == "pgs" and c.instance.options.get("output") == "last",
)
UNIFORM = Hypothesis("A_t is chosen uniformly and independently", "section III.A; section VI.A", uniform)
