"""Instances of a system of equations and methods without a dual: they have no alpha and no lambda, and using them gives
a clear error.
"""

from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks import Context, NoDual, Q, Qs, SystemInstance, check_bits, systems
from dualgap.proofs_checks.claims.instance import Instance, read_instance
from dualgap.proofs_checks.engines.optimum import exact_solution
from dualgap.proofs_checks.properties.runs import Failed
from dualgap.reference import LinearSystem, Method, State

SYSTEM = SystemInstance(
    rows=(Qs(1, 0), Qs(1, 1), Qs(0, 2)), b=Qs(1, 0, -2), start=Qs(0, "1/2"), method="towards", path=(2,)
)


class X(State):
    __slots__ = ("x",)


class Towards(Method):
    """A step onto one hyperplane."""

    name = "towards"

    def init(self, problem, x=None):
        return X(x=[problem.zero] * problem.d if x is None else list(x))

    def advance(self, problem, state, choice):
        row = problem.rows[choice]
        c = (problem.dot(row, state.x) - problem.y[choice]) / problem.norms2[choice]
        for j, a in row:
            state.x[j] = state.x[j] - c * a

    def view(self, problem, state):
        return list(state.x), None


class Compiled(Towards):
    """The verbs of a compiled method in Python."""

    def advance(self, problem, state, choices):
        for choice in choices:
            super().advance(problem, state, choice)


class Twice(Compiled):
    def advance(self, problem, state, choices):
        super().advance(problem, state, choices)
        state.x = [x + x * 2.0**-52 for x in state.x]


def test_a_context_of_a_system_has_what_needs_no_dual():
    c = Context(SYSTEM, Towards())
    assert c.solution == list(Qs(1, -1))
    assert c.iterate == list(Qs(0, -1)) and c.n == 3 and c.R2 == 4
    assert [s.w for s in c.successors][0] == list(Qs(1, -1))
    assert c.expected(1, lambda x, alpha: x[0])[0] == 0


@pytest.mark.parametrize("name", ["alpha", "increases", "delta"])
def test_what_follows_from_alpha_says_that_there_is_no_dual(name):
    refuses((NoDual, AttributeError), "no dual", lambda: getattr(Context(SYSTEM, Towards()), name))
    refuses(NoDual, "method towards has no dual", lambda: Context(SYSTEM, Towards()).successors[0].alpha)


@pytest.mark.parametrize("name", ["gamma", "mu", "K", "P", "D", "gap", "w", "best", "optimum"])
def test_what_needs_a_loss_says_that_a_system_has_none(name):
    with pytest.raises(AttributeError, match="a system of equations has no loss, no regularizer and no dual"):
        getattr(Context(SYSTEM, Towards()), name)


def test_a_file_of_a_system_names_its_kind_and_has_no_lambda_and_no_alpha():
    record = SYSTEM.to_json()
    assert record["kind"] == "linear-system" and not {"lam", "alpha", "loss"} & set(record)
    assert read_instance(record) == SYSTEM
    ridge = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))
    assert "kind" not in ridge.to_json() and read_instance(ridge.to_json()) == ridge


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "nothing"}, "unknown kind of instance 'nothing'"),
        ({"lam": "1"}, "no field 'lam'"),
        ({"b": 3}, "b must not be int"),
    ],
)
def test_a_file_of_another_kind_or_with_other_fields_is_refused(change, words):
    refuses(ValueError, words, lambda: read_instance({**SYSTEM.to_json(), **change}))


@pytest.mark.parametrize(
    ("rows", "b", "words"),
    [(((1, 1), (2, 2)), (1, 2), "more than one"), (((1,), (1,)), (1, 2), "no solution: .* -?1/2")],
)
def test_a_system_without_one_solution_is_refused(rows, b, words):
    refuses(ValueError, words, lambda: exact_solution(LinearSystem(rows, b, number=Fraction)))


def test_check_bits_on_one_run_and_on_a_strategy():
    for runs in (SYSTEM, systems(method="towards")):
        check_bits(Compiled(), Towards(), runs)
        with pytest.raises(Failed, match="bits"):
            check_bits(Twice(), Towards(), runs.but(path=(0,)) if runs is SYSTEM else runs)
