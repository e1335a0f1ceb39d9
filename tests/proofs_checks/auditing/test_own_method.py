"""A user's own method in an audit: claims that can be run are run, the others are listed with the reason, and a method
that breaks is an ERROR.
"""

import functools
from fractions import Fraction
from types import SimpleNamespace

import pytest
from support import refuses

from dualgap.proofs_checks import audit
from dualgap.proofs_checks.auditing import own_method
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.result import AuditReport
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import exact
from dualgap.proofs_checks.report.summary import sentences
from dualgap.proofs_checks.strategies.instances import instances
from dualgap.reference import method
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.base import DualState

ONE = [Instance(rows=(Qs(1, 0), Qs("1/2", 1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(2), path=(0, 1))]


def audited(names, solver):
    return audit(names, size="quick", entropy=1, method=solver)


def of_claim(check, solver, expected="HOLDS"):
    """What ``evidence`` says of a claim that is drawn on squared losses."""
    claim = Claim("own.claim", "", check, expected, "", (exact(squares),), None, OURS)
    return own_method.evidence(claim, Run(size="quick", entropy=1, method=solver))


def squares():
    return instances(losses=("squared",), max_path=1)


def asks_for_xi(c):
    yield Le(0, c.state.xi, "xi")


def test_the_built_in_aspdc_passes_and_what_needs_another_method_is_listed_with_what_is_missing():
    names = ["aspdc.a6", "aspdc.algorithm-2", "aspdc.algorithm-3.theorem-a", "aspdc.a17.below-2"]
    report = audited(names, method("aspdc"))
    assert report["verdict"] == "pass"
    assert [(row["id"], row["status"]) for row in report["claims"]] == [("aspdc.a6", "HOLDS")]
    assert {row["id"]: row["reason"] for row in report["not_run"]} == {
        "aspdc.algorithm-2": "needs state.xi",
        "aspdc.algorithm-3.theorem-a": "needs state.w_tilde",
        "aspdc.a17.below-2": "is REFUTED: about the printed method",
    }
    told = dict(sentences(AuditReport.from_json(report)))["Not run"]
    assert told.startswith("3 of 4 claims: ")
    assert "needs state.xi (1)" in told
    assert "dualgap.reference.AuditedMethod" in told
    assert report["draw"] == {"how": "exactly", "differences": []}


def test_a_method_that_can_run_nothing_does_not_pass():
    report = audited(["aspdc.a17.below-2", "aspdc.algorithm-2"], method("aspdc"))
    assert (report["verdict"], report["claims"], len(report["not_run"])) == ("fail", [], 2)


class Record:
    """ASPDC in plain Python: no base class, and a dict for a state."""

    name = "record"

    def init(self, problem, alpha):
        return {"alpha": list(alpha), "v": problem.v(alpha)}

    def choices(self, problem, state):
        return [(i, Fraction(1, problem.n)) for i in range(problem.n)]

    def step(self, problem, state, i):
        alpha = list(state["alpha"])
        alpha[i] = problem.loss.derivative(problem.inner(i, state["v"]), problem.y[i])
        return {"alpha": alpha, "v": problem.v(alpha)}

    def view(self, problem, state):
        return problem.w_of(state["v"]), list(state["alpha"])


def test_a_plain_object_with_a_dict_for_a_state_runs_what_asks_for_its_view_alone():
    report = audited(["aspdc.a17", "aspdc.lemma-2"], Record())
    assert [(row["id"], row["status"]) for row in report["claims"]] == [("aspdc.a17", "HOLDS")]
    assert report["not_run"] == [{"id": "aspdc.lemma-2", "reason": "needs state.key()"}]
    assert "its states key()" in dict(sentences(AuditReport.from_json(report)))["Not run"]
    assert report["draw"]["how"] == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [({}, "dict has none of them"), (SimpleNamespace(init=len, step=len, view=len), "SimpleNamespace has no choices")],
)
def test_what_is_no_method_is_refused_in_one_line(given, words):
    with pytest.raises(
        ValueError, match=rf"method must be an object with init, choices, step and view \({words}\); see"
    ) as refusal:
        audited(["aspdc.a6"], given)
    assert "\n" not in str(refusal.value)


class Primal(ASPDC):
    """ASPDC that keeps its alpha for itself."""

    def view(self, problem, state):
        return problem.w_of(state.v), None


def test_claims_about_a_dual_are_not_asked_of_a_method_without_one():
    report = audited(["aspdc.a17"], Primal())
    assert report["not_run"] == [{"id": "aspdc.a17", "reason": "needs a dual: view gives (w, None)"}]


class OfItself(ASPDC):
    def step(self, problem, state, choice):
        return self.forgotten


class OfItsState(ASPDC):
    def step(self, problem, state, choice):
        return state.xi


class InAHelper(ASPDC):
    def view(self, problem, state):
        return helper(state)


def helper(state):
    return state.xi


class Lazily(ASPDC):
    def choices(self, problem, state):
        return ((state.xi, Fraction(1)) for _ in range(1))


class OwnState(DualState):
    __slots__ = ("xi",)


class Unset(ASPDC):
    """Its state declares xi and never has it."""

    def init(self, problem, alpha=None):
        state = OwnState.__new__(OwnState)
        state.v, state.alpha = problem.v(alpha), list(alpha)
        return state

    def step(self, problem, state, choice):
        return state


class Broken(DualState):
    @property
    def xi(self):
        return self.nothing


class ByAProperty(ASPDC):
    def init(self, problem, alpha=None):
        return Broken(v=problem.v(alpha), alpha=list(alpha))


def borrowed(of):
    """An object that is made of functions and bound methods of another one."""
    return SimpleNamespace(init=of.init, choices=of.choices, view=of.view, step=functools.partial(of.step))


def every(c):
    """Uses all functions of the method, and then xi."""
    yield Le(0, len(c.successors), "choices")
    yield from asks_for_xi(c)


BREAK = [OfItself(), OfItsState(), InAHelper(), Lazily(), Unset(), ByAProperty(), borrowed(OfItsState())]


@pytest.mark.parametrize("solver", BREAK, ids=lambda solver: type(solver).__name__)
def test_an_attribute_that_the_method_itself_looks_for_in_vain_is_an_error(solver):
    with pytest.raises(AttributeError):
        of_claim(every, solver)


def test_control_the_same_claim_cannot_be_asked_of_the_right_method():
    for right in (ASPDC(), borrowed(ASPDC())):
        refuses(own_method.Lacks, "^needs state.xi$", of_claim, every, right)


def test_in_the_report_it_is_an_error_and_the_audit_fails():
    report = audited(["aspdc.a17"], OfItsState())
    assert report["verdict"] == "fail" and report["not_run"] == []
    assert [row["status"] for row in report["claims"]] == ["ERROR"] and "AttributeError" in report["claims"][0]["error"]


def test_a_relation_that_is_false_is_not_hidden_behind_an_attribute_that_is_missing():
    def false_on_one_row(c):
        if c.n == 1:
            yield Le(1, 0, "false")
        else:
            yield from asks_for_xi(c)

    refuses(RuntimeError, "on one instance it is false", lambda: of_claim(false_on_one_row, ASPDC()))


def test_nor_is_another_exception():
    def breaks_on_one_row(c):
        if c.n == 1:
            raise KeyError("a mistake of the check")
        yield from asks_for_xi(c)

    with pytest.raises(KeyError):
        of_claim(breaks_on_one_row, ASPDC())


class Weighted(ASPDC):
    """Norm-weighted choices; ``draw`` is inherited, and uniform."""

    def choices(self, problem, state):
        total = sum(map(Fraction, problem.norms2))
        return (
            [(i, Fraction(norm2) / total) for i, norm2 in enumerate(problem.norms2)]
            if total
            else super().choices(problem, state)
        )


def test_norm_weighted_choices_over_an_inherited_uniform_draw_do_not_pass():
    report = audited(["aspdc.a6"], Weighted())
    assert report["verdict"] == "fail" and [row["as_expected"] for row in report["claims"]] == [True]
    assert all(
        "is drawn with probability" in words and "choices says" in words for words in report["draw"]["differences"]
    )


def test_problems_of_ones_own_say_why_refuted_claims_are_left_out():
    report = audit(
        ["aspdc.a17.below-2", "sdca.dual-monotone"], size="quick", entropy=1, problems=[ONE[0].but(method="sdca")]
    )
    assert [row["id"] for row in report["claims"]] == ["sdca.dual-monotone"]
    assert report["not_run"][0]["id"] == "aspdc.a17.below-2"
