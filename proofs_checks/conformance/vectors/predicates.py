"""Level L3: what must be true of the states that a port returns, judged in exact arithmetic.

Invariants, the ascent of D, and what theorems say of all branches of a step and of a path.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import dot
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import problem_of
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference, answered
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.schema import integers
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.reference import Problem
from dualgap.reference.problem.problem import Vector

Judged = tuple[int | None, Relation]  # the state that it speaks of, or all


class Asked(NamedTuple):
    """The values of the states, in exact arithmetic."""

    method: str
    problem: Problem
    parameters: Json
    before: Json
    choices: list[Any]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return [x - y for x, y in zip(a, b, strict=True)]


# -- PGS: Lemma 1 ------------------------------------------------------------------------------------------------------


class Play:
    """A path of PGS from its start: the points played, and a subgradient of every round at them."""

    def __init__(self, asked: Asked, states: list[Json]) -> None:
        self.problem, self.rounds = asked.problem, asked.choices
        self.sigma = asked.problem.regularizer.lam
        self.w = [asked.before["w"], *(state["w"] for state in states)]
        self.sub = [self.subgradient(A, w) for A, w in zip(self.rounds, self.w)]
        self.bound = sum((dot(s, s) / (t * self.sigma) for t, s in enumerate(self.sub, 1)), Fraction(0)) / 2

    def subgradient(self, A: list[int], w: Vector) -> Vector:
        """(1/k) sum_A phi_i'(x_i^T w) x_i."""
        found = [Fraction(0)] * self.problem.d
        for i in A:
            slope = self.problem.loss.derivative(self.problem.dot(self.problem.rows[i], w), self.problem.y[i]) / len(A)
            for j, x in self.problem.rows[i]:
                found[j] += slope * x
        return found

    def cost(self, A: list[int], w: Vector) -> Fraction:
        """c_t(w) = g(w) + (1/k) sum_A phi_i(x_i^T w)."""
        p = self.problem
        values = [p.loss.value(p.dot(p.rows[i], w), p.y[i]) for i in A]
        total: Fraction = sum(values, Fraction(0)) / len(A) + p.regularizer.value(w)
        return total


def regret(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    """Lemma 1 against w = 0 and against every point played."""
    play = Play(asked, states)
    paid = sum((play.cost(A, w) for A, w in zip(play.rounds, play.w)), Fraction(0))
    for t, u in enumerate(play.w):
        saved = paid - sum((play.cost(A, u) for A in play.rounds), Fraction(0))
        yield (
            None,
            Le(
                saved,
                play.bound,
                f"sum_t c_t(w_t-1) - c_t(w_{t}) <= (1/2) sum_t ||lambda_t||^2/(t sigma) (PGS, Lemma 1)",
            ),
        )


def regret_identity(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    """Check that for L2 the linear regret is Lemma 1's bound minus sum_{t<T} sigma ||w_t||^2/(2t), exactly."""
    play, T = Play(asked, states), len(states)
    total = [sum(column, Fraction(0)) for column in zip(*play.sub)]
    least = -dot(total, total) / (2 * T * play.sigma)  # min over w of T sigma r(w) + (lambda_1 + .. + lambda_T)^T w
    paid = sum((dot(s, w) + play.sigma * dot(w, w) / 2 for s, w in zip(play.sub, play.w)), Fraction(0))
    spare = sum((play.sigma * dot(w, w) / (2 * t) for t, w in enumerate(play.w[1:T], 1)), Fraction(0))
    yield (
        None,
        Eq(
            paid - least,
            play.bound - spare,
            "R_lin = (1/2) sum_t ||lambda_t||^2/(t sigma) - sum_{t<T} sigma ||w_t||^2/(2t)",
        ),
    )


# -- SPDC: one step of Theorem 1 ---------------------------------------------------------------------------------------


def expected_contraction(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    """The mean of Delta~ over all branches is at most theta Delta~, by Theorem 1's proof.

    Delta~ = (1/(2 tau) + lam/2)||w - w*||^2 + (1/(4 sigma) + gamma/2)||alpha - alpha*||^2/m + f(w, alpha*) - f* +
             (n/m)(f* - f(w*, alpha))
             + ||w - w^-||^2/(4 tau) + ||alpha - alpha*||^2/(4 sigma m) + (1/n)(alpha - alpha*)^T X (w - w^-), w^- the w
             before.
    """
    problem, choices = asked.problem, asked.choices
    tau, sigma, theta = (asked.parameters[name] for name in ("tau", "sigma", "theta"))
    best = exact_optimum(problem)
    w_best, m = problem.w(best), 1 if isinstance(choices[0], int) else len(choices[0])
    value = problem.f(w_best, best)

    def potential(w: Vector, step: Vector, alpha: Vector) -> Any:
        to_w, to_alpha = minus(w, w_best), minus(alpha, best)
        far_w, far_alpha = dot(to_w, to_w), dot(to_alpha, to_alpha) / m
        moved = dot([problem.dot(row, step) for row in problem.rows], to_alpha) / problem.n
        lam, gamma = problem.regularizer.lam, problem.gamma
        total = (1 / (2 * tau) + lam / 2) * far_w + (1 / (4 * sigma) + gamma / 2) * far_alpha
        total += problem.f(w, best) - value + Fraction(problem.n, m) * (value - problem.f(w_best, alpha))
        return total + dot(step, step) / (4 * tau) + far_alpha / (4 * sigma) + moved

    before = asked.before
    now = potential(before["w"], [x / theta for x in minus(before["w_bar"], before["w"])], before["alpha"])
    after = [potential(state["w"], minus(state["w"], before["w"]), state["alpha"]) for state in states]
    yield (
        None,
        Le(sum(after, Fraction(0)) / len(after), theta * now, "E Delta~+ <= theta Delta~ (SPDC, Theorem 1, (55))"),
    )


# -- bounds on P - P* that a state carries -----------------------------------------------------------------------------


def bound(asked: Asked, states: list[Json]) -> Iterator[Judged]:
    """P - P* is at most what the state says."""
    problem = asked.problem
    w_best = problem.w(exact_optimum(problem))
    least = problem.P(w_best)
    for step, state in enumerate(states):
        for point, most, text in ROWS[asked.method].bounds(problem, state, w_best):
            yield step, Le(problem.P(point) - least, most, text)


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
    """Return whether the predicate is true, and in class R with so much room that no rounding can turn it."""
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
