"""Level L3: what must be true of the states that a port returns, judged in exact arithmetic."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance.bits import decode
from dualgap.proofs_checks.conformance.judging import Difference, answered
from dualgap.proofs_checks.conformance.vectors import Case
from dualgap.proofs_checks.relations import Eq, Le, Relation
from dualgap.reference import LOSSES, Problem, Regularizer
from dualgap.reference.problem import Vector

DUAL_METHODS = ("aspdc", "sdca")


def false_predicate(case: Case, result: dict[str, Any]) -> Difference | None:
    """The first relation of the case's predicate that is false of the states in ``result``, or None.

    Parameters
    ----------
    case : a vector of level L3, class E: the states carry no rounding, so neither do the relations.
    result : {"states": [...]}, the numbers as bits.
    """
    assert case.predicate is not None
    given = case.request
    problem, before = problem_of(given["problem"]), exact_state(given["state"])
    try:
        states = [exact_state(state) for state in result["states"]]
        if len(states) != len(given["choices"]):
            raise ValueError(f"{len(states)} states came back, {len(given['choices'])} are due")
        relations = list(relations_of(case.predicate, case.method, problem, before, states))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:  # e.g. alpha outside the domain
        return Difference("", None, None, None, f"{case.predicate} cannot be judged: {type(error).__name__}: {error}")
    for step, relation in relations:
        if not relation.holds():
            return Difference("", step, None, None, f"{case.predicate} is false: {relation}")
    return None


def relations_of(
    predicate: str, method: str, problem: Problem, before: dict[str, Vector], states: list[dict[str, Vector]]
) -> Iterable[tuple[int | None, Relation]]:
    """The relations of a predicate, each with the number of the state that it speaks of. Raises ValueError for a new one."""
    if predicate == "consistent":
        return _consistent(method, problem, states)
    if predicate == "ascent":
        return _ascent(problem, before["alpha"], states)
    if predicate == "expected-ascent":
        return _expected_ascent(method, problem, before["alpha"], states)
    raise ValueError(f"unknown predicate {predicate!r}")


def _consistent(method: str, problem: Problem, states: list[dict[str, Vector]]) -> Iterator[tuple[int, Relation]]:
    for step, state in enumerate(states):
        minus_u = problem.minus_u(state["alpha"])
        name, due = ("v", problem.v(state["alpha"])) if method in DUAL_METHODS else ("u", [-u_j for u_j in minus_u])
        formula = "-X^T alpha/(lam n)" if name == "v" else "X^T alpha/n"
        problem.require_lengths(w=state[name])
        for j, (got, there) in enumerate(zip(state[name], due)):
            yield step, Eq(got, there, f"{name}[{j}] = ({formula})[{j}]")


def _ascent(problem: Problem, alpha: Vector, states: list[dict[str, Vector]]) -> Iterator[tuple[int, Relation]]:
    before = problem.D(alpha)
    for step, state in enumerate(states):
        yield step, Le(before, problem.D(state["alpha"]), "D(alpha) <= D(alpha+)")


def _expected_ascent(
    method: str, problem: Problem, alpha: Vector, states: list[dict[str, Vector]]
) -> Iterator[tuple[None, Relation]]:
    scale = problem.scale * problem.gamma  # lam n gamma
    s = 1 - problem.R2 / scale if method == "aspdc" else scale / (problem.R2 + scale)
    increase = sum((problem.D(state["alpha"]) for state in states), problem.zero) / problem.n - problem.D(alpha)
    gap = problem.P(problem.w(alpha)) - problem.D(alpha)
    source = "ASPDC, Lemma 2, sharp" if method == "aspdc" else "SDCA, Theorem 2"
    yield None, Le(s / problem.n * gap, increase, f"(s/n) gap <= E[D(alpha+)] - D(alpha), s = {s} ({source})")


def problem_of(given: dict[str, Any]) -> Problem:
    """The problem of a request, in Fractions."""
    values, starts = [exact(x) for x in given["values"]], given["starts"]
    rows = [list(zip(given["columns"][a:b], values[a:b])) for a, b in zip(starts, starts[1:])]
    kind = LOSSES[given["loss"]]
    loss = kind(exact(given["gamma"])) if kind.adjustable else kind()
    regularizer = Regularizer(exact(given["lam"]), exact(given["l1"]))
    return Problem(rows, [exact(y) for y in given["y"]], loss, regularizer, number=Fraction, d=given["d"])


def exact_state(state: dict[str, Any]) -> dict[str, Vector]:
    """The vectors of a state as Fractions. Raises ValueError or OverflowError for what is no finite number."""
    return {name: [Fraction(answered(x)) for x in field] for name, field in state.items() if isinstance(field, list)}


def exact(text: str) -> Fraction:
    """The rational that a number's bits are."""
    return Fraction(decode(text))
