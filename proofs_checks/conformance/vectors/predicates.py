"""Level L3: what must be true of the states that a port returns, judged in exact arithmetic."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.relations import Eq, Le
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import problem_of
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference, answered
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.schema import integers
from dualgap.proofs_checks.conformance.vectors.theorem_checks import (
    Asked,
    Judged,
    bound,
    expected_contraction,
    regret,
    regret_identity,
)

ROOM = Fraction(1, 2**20)  # far above what the roundings of a few steps make of it


def false_predicate(case: Case, result: Json) -> Difference | None:
    """The first relation of the case's predicate that is false of the states in ``result``, or None.

    Parameters
    ----------
    case : a vector of level L3. Equations are for class E: the states carry no rounding. An inequality of class R holds
        with room to spare, so that no rounding can turn it.
    result : {"states": [...]}, the numbers as bits.
    """
    assert case.predicate is not None
    try:
        found = _answered(case, result)
        if len(found) != len(case.request["choices"]):
            raise ValueError(f"{len(found)} states came back, {len(case.request['choices'])} are due")
        judged = [(step, relation, relation.holds()) for step, relation in relations_of(case, found)]
    # e.g. alpha outside the domain
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return Difference("", None, None, None, f"{case.predicate} cannot be judged: {type(error).__name__}: {error}")
    for step, relation, holds in judged:
        if not holds:
            return Difference("", step, None, None, f"{case.predicate} is false: {relation}")
    return None


def spacious(case: Case, result: Json) -> bool:
    """Whether the predicate is true, and in class R with so much room that no rounding can turn it."""
    found = _answered(case, result)
    relations = [relation for _, relation in relations_of(case, found)]
    roomy = case.tolerance_class == "E" or all(
        r.sign == "<=" and r.left + ROOM * (1 + abs(r.right)) <= r.right for r in relations
    )
    return roomy and bool(relations) and all(relation.holds() for relation in relations)


def relations_of(case: Case, states: list[Json]) -> Iterable[Judged]:
    """Relations of the case's predicate, each with the number of its state. Raises ValueError for a new one."""
    assert case.predicate is not None
    if case.predicate not in PREDICATES:
        raise ValueError(f"unknown predicate {case.predicate!r}")
    given = case.request
    problem = problem_of(hex_floats.rationals(given["problem"]))
    parameters, before = (hex_floats.rationals(given[name]) for name in ("parameters", "state"))
    return PREDICATES[case.predicate](Asked(case.method, problem, parameters, before, given["choices"]), states)


def _consistent(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    for step, state in enumerate(states):
        for got, expected, text in ROWS[asked.method].invariant(asked.problem, asked.parameters, state):
            yield step, Eq(got, expected, text)


def _ascent(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    before = asked.problem.D(asked.before["alpha"])
    for step, state in enumerate(states):
        yield step, Le(before, asked.problem.D(state["alpha"]), "D(alpha) <= D(alpha+)")


def _expected_ascent(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    method, problem, alpha = asked.method, asked.problem, asked.before["alpha"]
    scale = problem.scale * problem.gamma  # lam n gamma
    s = 1 - problem.R2 / scale if method == "aspdc" else scale / (problem.R2 + scale)
    increase = sum((problem.D(state["alpha"]) for state in states), problem.zero) / problem.n - problem.D(alpha)
    gap = problem.P(problem.w(alpha)) - problem.D(alpha)
    source = "ASPDC, Lemma 2, sharp" if method == "aspdc" else "SDCA, Theorem 2"
    yield None, Le(s / problem.n * gap, increase, f"(s/n) gap <= E[D(alpha+)] - D(alpha), s = {s} ({source})")


def _answered(case: Case, result: Json) -> list[Json]:
    """The states of an answer."""
    counts = integers(ROWS[case.method])
    return [exact(state, counts) for state in result["states"]]


def exact(value: object, counts: frozenset[str], name: str = "") -> Any:
    """A JSON value with every number as the Fraction that its bits are; integers stay where the name is in ``counts``.

    Raises ValueError or OverflowError for what is no finite number, or is not written as one.
    """
    if isinstance(value, dict):
        return {key: exact(item, counts, key) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item, counts, name) for item in value]
    return value if name in counts and type(value) is int else Fraction(answered(value))


PREDICATES: dict[str, Callable[[Asked, list[Json]], Iterable[Judged]]] = {
    "consistent": _consistent,
    "ascent": _ascent,
    "expected-ascent": _expected_ascent,
    "expected-contraction": expected_contraction,
    "regret": regret,
    "regret-identity": regret_identity,
    "bound": bound,
}
