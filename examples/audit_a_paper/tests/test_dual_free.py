"""A step by hand, bit-identity, the draws, the audit, the counterexample, and a solution with its certificate."""

from fractions import Fraction

from dual_free.compiled import FastDualFree
from dual_free.method import DualFree

from dualgap.fast import solve
from dualgap.proofs_checks import audit, check_bits, check_draw
from dualgap.proofs_checks.auditing.counterexamples import replay
from dualgap.proofs_checks.strategies.public import runs
from dualgap.reference import L2, Problem, SmoothedHinge, Squared, method

PROBLEM = Problem([[1.0, 0.5], [0.0, 2.0], [-1.0, 0.25]], [1.0, -1.0, 1.0], SmoothedHinge(), L2(0.1))


def test_one_step_by_hand():
    problem = Problem([[1]], [3], Squared(), L2(1), number=Fraction)  # eta = 1/2, phi' = -3
    assert method("dual-free").view(problem, method("dual-free").run(problem, [0])) == (
        [Fraction(3, 2)],
        [Fraction(-3, 2)],
    )


def test_the_compiled_method_has_the_bits_of_the_reference_and_draws_what_choices_says():
    check_bits(FastDualFree, DualFree, runs("dual-free", ["squared", "smoothed-hinge", "squared-hinge"]), examples=40)
    assert check_draw(DualFree(), PROBLEM) == "exactly"


def test_the_audit_passes_and_its_counterexample_replays(tmp_path):
    report = audit(["dual-free"], size="quick", entropy=1, out=tmp_path)
    assert report["verdict"] == "pass", [
        (row["id"], row["status"], row["control"], row["killed"], row["error"]) for row in report["claims"]
    ]
    found = replay(tmp_path / "counterexample-dual-free.twice-the-rate.json")
    assert found.first_false is not None and found.same_as_file


def test_it_solves_with_a_certificate():
    assert solve(PROBLEM, "dual-free", mode="unchecked", tol=1e-9).status == "converged"
