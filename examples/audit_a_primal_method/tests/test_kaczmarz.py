"""A step by hand, bit-identity, the draws, the audit and its counterexample."""

from fractions import Fraction

from kaczmarz.claims import problems
from kaczmarz.compiled import FastKaczmarz
from kaczmarz.method import Kaczmarz, UniformKaczmarz

from dualgap.proofs_checks import audit, check_bits, check_draw
from dualgap.proofs_checks.auditing.counterexamples import replay
from dualgap.reference import LinearSystem


def test_one_step_by_hand():
    system = LinearSystem([[3, 4], [0, 1]], [5, 2], number=Fraction)
    assert Kaczmarz().run(system, [0]).x == [Fraction(3, 5), Fraction(4, 5)]


def test_the_compiled_method_has_the_bits_of_the_reference_and_draws_what_choices_says():
    check_bits(FastKaczmarz, Kaczmarz, problems())
    for method in (Kaczmarz(), UniformKaczmarz()):
        assert check_draw(method, LinearSystem([[3.0, 4.0], [0.0, 1.0]], [5.0, 2.0])) == "exactly"


def test_the_audit_passes_and_its_counterexample_replays(tmp_path):
    report = audit(["kaczmarz"], size="quick", entropy=1, out=tmp_path)
    assert report["verdict"] == "pass", [
        (row["id"], row["status"], row["control"], row["killed"], row["error"]) for row in report["claims"]
    ]
    found = replay(tmp_path / "counterexample-kaczmarz.uniform.json")
    assert found.first_false is not None and found.same_as_file
