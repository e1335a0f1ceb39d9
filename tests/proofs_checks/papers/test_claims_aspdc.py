"""What ASPDC's paper lists and the library refuses, and the engines of its claims."""

from support import refuses

from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.papers.aspdc import instances, lemma_2_betting
from dualgap.reference import ElasticNet, HypothesisViolated, Regularizer, method


def test_pure_l1_and_hinge_are_refused_on_entry() -> None:
    refuses(ValueError, "pure l1", Regularizer, 0, 1)
    refuses(ValueError, "lam must be > 0", ElasticNet, 0, 1)
    problem = instances.ONE_SAMPLE.but(loss="hinge").problem()
    refuses(HypothesisViolated, "gamma = 0", lambda: method("aspdc").require(problem))


def test_the_betting_test_refutes_a_bound_that_is_too_strong() -> None:
    """A rate of 4/n per step is more than the method has; Lemma 2's own 1/(2n) is not refuted on the same runs."""
    assert lemma_2_betting.bets(Run(), "control", 40, lambda p: (2 * p.n, 4 / p.n), 4, method("aspdc")).rejects(1e-9)
    assert not lemma_2_betting.bets(Run(), "control", 40, lemma_2_betting.paper_bound, 4, method("aspdc")).rejects(0.5)
