"""The statements of the theorems about a path and about all branches, from the states alone and in exact arithmetic:
predicates of level L3.

Unlike the invariants and the ascent of D (``predicates``), these need the optimum or every step of a path.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import dot
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.reference import Problem
from dualgap.reference.problem.problem import Vector

Judged = tuple[int | None, Relation]  # the state that it speaks of, or all


class Asked(NamedTuple):
    """What the states answer, in exact arithmetic."""

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
    """For L2 the linear regret is Lemma 1's bound less sum_{t<T} sigma ||w_t||^2/(2t), exactly."""
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
