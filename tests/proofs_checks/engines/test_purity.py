"""A method that is no exact function of its state is an error, never a verdict; every built-in method is one."""

import random
import re
from fractions import Fraction
from functools import partial

import pytest
from support import refuses

from dualgap.proofs_checks import audit, check_draw
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.engines import purity
from dualgap.proofs_checks.engines.paths import expectations, weighed
from dualgap.proofs_checks.properties.runs import begun, exact_problem, float_problem
from dualgap.proofs_checks.strategies import public
from dualgap.reference import L2, LOSSES, Problem, Squared, State, all_methods, lazy_forms
from dualgap.reference.methods.sdca import SDCA

PROBLEM = Problem([[1.0], [2.0], [4.0]], [1.0, 0.0, 1.0], Squared(), L2(1))
CLAIM = "sdca.dual-monotone"


class Table(State):
    __slots__ = ("alpha", "g", "v")


class Shallow(Table):
    """Its copy has its own lists, and shares the lists in them."""

    __slots__ = ()

    def copy(self):
        return self.with_fields({k: list(v) if isinstance(v := getattr(self, k), list) else v for k in self.names()})


class WithTable(SDCA):
    """SDCA that counts its steps in a list of lists."""

    name, kind = "with-table", Table

    def init(self, problem, alpha=None):
        state = super().init(problem, alpha)
        return self.kind(v=state.v, alpha=state.alpha, g=[[problem.zero] * problem.d for _ in range(problem.n)])

    def advance(self, problem, state, choice):
        super().advance(problem, state, choice)
        state.g[choice][0] = state.g[choice][0] + 1


class InPlace(WithTable):
    kind = Shallow


class Drawn(SDCA):
    def advance(self, problem, state, choice):
        super().advance(problem, state, random.randrange(problem.n))


class Counted(SDCA):
    """Every fifth step does nothing, whatever the state."""

    def __init__(self):
        self.steps = 0

    def advance(self, problem, state, choice):
        self.steps += 1
        if self.steps % 5:
            super().advance(problem, state, choice)


class FloatChances(SDCA):
    def choices(self, problem, state):
        return [(i, 1 / problem.n) for i in range(problem.n)]


class HalfChances(SDCA):
    def choices(self, problem, state):
        return [(i, Fraction(1, 2 * problem.n)) for i in range(problem.n)]


class FloatSteps(SDCA):
    def advance(self, problem, state, choice):
        super().advance(problem, state, choice)
        state.alpha[choice] = state.alpha[choice] * 0.5


class ViewsInPlace(SDCA):
    def view(self, problem, state):
        state.alpha.append(problem.zero)
        return super().view(problem, state)


class Forgets(SDCA):
    """Its first state is another one at each call."""

    started = 0

    def init(self, problem, alpha=None):
        state, Forgets.started = super().init(problem, alpha), Forgets.started + 1
        state.v[0] = state.v[0] + Forgets.started
        return state


IMPURE = {  # method: what is said of it
    InPlace: r"step changes the state that it is given .*g\[\d\]\[0\] was 0(\.0)? and is then 1",
    Drawn: r"step gives two answers to one question|the same walk from equal states ends elsewhere",
    Counted: r"step gives two answers to one question|the same walk from equal states ends elsewhere",
    FloatChances: r"choices.*choice 0 has the probability (0\.\d+|1\.0), of type float",
    HalfChances: r"probabilities >= 0 whose sum is 1 \(got the sum 1/2\)",
    FloatSteps: r"step computes in floats .*choice \d: alpha\[\d\] = ",
    ViewsInPlace: r"view changes the state that it is given .*alpha\[\d\] was None",
    Forgets: r"init gives two answers to one question",
}


@pytest.mark.parametrize("kind", IMPURE)
def test_an_audit_calls_it_an_error_and_names_verb_step_and_field(kind):
    (row,) = audit([CLAIM], size="quick", entropy=1, method=kind())["claims"]
    assert row["status"] == "ERROR" and row["evidence"] == [] and row["counterexample"] is None
    assert re.search(IMPURE[kind], row["error"].partition("\n")[0]), row["error"]


@pytest.mark.parametrize("kind", [kind for kind in IMPURE if kind is not FloatSteps])  # a solver may step in floats
def test_what_it_draws_is_not_held_against_its_choices(kind):
    refuses(purity.Impure, IMPURE[kind], lambda: check_draw(kind(), PROBLEM))


@pytest.mark.parametrize("kind", [WithTable, SDCA])
def test_control_a_pure_method_holds_with_a_table_of_lists_too(kind):
    (row,) = audit([CLAIM], size="quick", entropy=1, method=kind())["claims"]
    assert row["status"] == "HOLDS" and check_draw(kind(), PROBLEM) == "exactly"


def test_a_refutation_that_an_impure_step_makes_is_neither_written_nor_replayed(tmp_path, monkeypatch):
    claim = all_claims()[CLAIM]
    (instance,) = draw_instances(claim.evidence[0].strategy(), 1, 1)
    refuses(purity.Impure, IMPURE[InPlace], lambda: counterexamples.write(tmp_path, claim, instance, InPlace()))
    with monkeypatch.context() as unchecked:
        unchecked.setattr(counterexamples, "require_pure", lambda context: None)
        file = counterexamples.write(tmp_path, claim, instance, InPlace())
    refuses(ValueError, IMPURE[InPlace], counterexamples.replay, file)
    assert CLAIMS[CLAIM] is claim


def test_the_expectations_themselves_refuse_floats_and_wrong_sums():
    exact = Problem([[1], [2]], [1, 0], Squared(), L2(1), number=Fraction)
    for method, said in ((FloatChances(), "a float"), (HalfChances(), "have the sum 1/2")):
        with pytest.raises(purity.Impure, match=said):
            expectations(method, exact, method.init(exact), 2, lambda state: state.v[0])
    assert [p for _, p in weighed(PROBLEM, [(0, 0.5), (1, 0.5)])] == [0.5, 0.5]  # over floats they may be floats


METHODS = {**all_methods(), **{f"{name}, lazy": kind for name, kind in lazy_forms().items()}}


TAKES_ROOTS = r"^sqrt\(.*\) is not rational|on floats \(got number=Fraction\)"
# of what is drawn here: exact only on problems made for them
ROOTS = ("adaspdc", "adaspdc-r", "lbfgs", "pdcp", "spdc", "spdc-nonuniform")


@pytest.mark.parametrize("name", METHODS)
def test_every_built_in_method_is_pure(name):
    walked = {float: 0, Fraction: 0}
    for run in draw_instances(public.runs(METHODS[name].name, max_n=3, max_steps=4), 8, 1):
        method = METHODS[name](**run.options)
        for problem in (float_problem(run), *([exact_problem(run)] if LOSSES[run.loss].rational else [])):
            asked = purity._Asked(method, problem)
            try:
                walk = asked.walk(asked.answers("init", "", partial(begun, method, problem, run)), list(run.path), 2)
                asked.repeated(walk)
            except (TypeError, ValueError) as error:
                assert problem.number is Fraction and re.search(TAKES_ROOTS, str(error)), error
                continue
            walked[problem.number] += len(walk) - 1
    assert walked[float] >= 8 and (walked[Fraction] >= 2 or method.name in ROOTS), walked


def test_copies_and_keys_of_a_state_go_to_the_last_level():
    state = Table(v=[1], alpha=[], g=[[[1], [2]], [[3]]])
    copied = state.copy()
    copied.g[0][1][0] = 5
    assert (
        state.g == [[[1], [2]], [[3]]] and hash(state.key()) != hash(copied.key()) and state.key() == state.copy().key()
    )
