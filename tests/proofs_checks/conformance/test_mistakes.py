"""Bugs planted into the independent implementation, one at a time, are caught; wrong ports: test_altered_ports.py."""

import math
from fractions import Fraction

import pytest
from wrong_ports import CASES, Inside

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.hints import hint
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference
from dualgap.proofs_checks.conformance.seeded_bugs.catalogue import seeded_bugs
from dualgap.proofs_checks.conformance.seeded_bugs.planting import planted

MOST = 90  # cases run for one planted bug, spread over those with its flag
AT_THRESHOLD = (  # wrong by 1e-12, outside on both sides and inside
    "Formulas.minimizer: if positive > 0 -> if -u_j > l1 + 1e-12",
    "Formulas.minimizer: if negative < 0 -> if u_j > l1 + 1e-12",
    "Formulas.minimizer: if positive > 0 -> if -u_j > l1 - 1e-12",
)


def with_edit(edit):
    return Inside(planted("a mistake", [edit]))


def first_failure(port, cases):
    return next((o for case in cases if (o := judge(case, port.run(case.call, case.request))).status == FAILED), None)


@pytest.mark.parametrize(("flag", "kind"), seeded_bugs(), ids=str)
def test_vectors_with_its_flag_show_a_known_bug(flag, kind):
    cases = [case for case in CASES if flag in case.flags]
    assert first_failure(Inside(kind), cases[:: -(-len(cases) // MOST)]) is not None


@pytest.mark.parametrize("method", [row.name for row in FIRST_ROWS])
def test_every_method_of_the_elastic_net_has_steps_on_both_sides_of_the_threshold(method):
    cases = [c for c in CASES if c.call == "step" and c.given["method"] == method and c.tolerance_class == "E"]
    for edit in AT_THRESHOLD:
        assert first_failure(with_edit(edit), cases) is not None, edit


def due(value):
    return hex_floats.read(hex_floats.spell_due(Fraction(value), None))


@pytest.mark.parametrize(
    "got, words",
    [
        (-0.75, "the number is -1 times"),
        (3.0, "the number is n times"),
        (0.1875, "the number is 1/n times"),
        (1.5, "the number is 2 times"),
        (0.0, "the number is 0 times"),
        (7.5, "the number is 1/lam times"),
        (0.5, "the number is not changed"),
        (0.75 * (1 + 2.0**-24), "single precision"),
        (math.inf, "infinite and a finite one is due"),
        (math.nan, "not a number"),
        (0.7321, ""),
    ],
)
def test_a_wrong_number_is_compared_with_the_right_one(got, words):
    v = [hex_floats.encode(0.0), hex_floats.encode(0.5)]
    given = {"problem": {"n": 4, "d": 3, "lam": hex_floats.encode(0.1)}, "state": {"v": v}, "choice": 1}
    said = hint(given, Difference("v[1]", None, got, due(0.75), ""))
    assert (words in said) if words else said == ""


def test_a_wrong_change_is_seen_where_the_number_says_nothing():
    problem = {"n": 4, "d": 3, "lam": hex_floats.encode(0.1)}
    given = {"problem": problem, "state": {"v": [hex_floats.encode(10.0)]}, "choice": 0}
    assert hint(given, Difference("v[0]", None, 14.0, due(11.0), "")) == "the change is n times the change due"


def test_the_report_counts_what_wrong_numbers_are():
    """v moves by twice what is due, and the ratio of the changes says it."""
    steps = [case for case in CASES if case.call == "step" and case.given["method"] in ("aspdc", "sdca")]
    report = with_edit("Problems.shift: -self.mean -> -2 * self.mean").judged(steps)
    doubled = sum(count for text, count in report.hints() if text.startswith("the change is 2 "))
    assert len(report.failures()) > 20 and 2 * doubled > len(report.failures())
