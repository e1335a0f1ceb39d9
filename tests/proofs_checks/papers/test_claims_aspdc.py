"""What ASPDC's paper lists and the library refuses, and the engines of its claims."""

from support import refuses

from dualgap.proofs_checks.papers.aspdc import instances
from dualgap.reference import ElasticNet, HypothesisViolated, Regularizer, method


def test_pure_l1_and_hinge_are_refused_on_entry() -> None:
    refuses(ValueError, "pure l1", Regularizer, 0, 1)
    refuses(ValueError, "lam must be > 0", ElasticNet, 0, 1)
    problem = instances.ONE_SAMPLE.but(loss="hinge").problem()
    refuses(HypothesisViolated, "gamma = 0", lambda: method("aspdc").require(problem))
