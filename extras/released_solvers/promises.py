"""The documented meaning of "converged" for released solvers, as inequalities that exact arithmetic decides.

A claim is a left side, enclosed by two numbers, and its stated upper bound. It is

    false      if the lower end exceeds the bound by more than the allowed roundings,
    true       if the upper end does not,
    undecided  otherwise.

Nothing of ours is in it: neither a tolerance nor a norm that the solver's documentation does not name. Allowed are
2^-40 of the claim's own scale (P(0), or the derivative at 0): the solver computes in doubles, and lam = 1/(C n) is one.
A bound of P(w) - min P has as lower end P(w) - P(w') for a witness w', which is below it whatever made w', and as upper
end P(w) - D(alpha').
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from dualgap.reference import LOSSES, Interval, Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import decide

ROUNDING = Fraction(1, 2**40)


class Held(NamedTuple):
    """low <= left side <= high; the stated bound is ``allowed``, with ``slack`` for roundings."""

    low: Number
    high: Number
    allowed: Number
    slack: Number

    def verdict(self) -> str:
        """ "false", "true" or "undecided". Raises Undecided where intervals are too wide."""
        limit = self.allowed + self.slack
        return "false" if self.low > limit else "true" if self.high <= limit else "undecided"


class Case(NamedTuple):
    """One answer: problem, exact or in intervals, w, tolerance, what the solver says, and a witness (w', alpha')."""

    problem: Problem
    w: list[Number]
    tol: Fraction
    says: Mapping[str, Fraction]
    witness: tuple[list[Number], list[Number]]

    def at_zero(self) -> Number:
        """P(0)."""
        return self.problem.P([self.problem.zero] * self.problem.d)

    def gap(self, allowed: Number) -> Held:
        """P(w) - min P <= allowed."""
        primal, (best, alpha) = self.problem.P(self.w), self.witness
        return Held(primal - self.problem.P(best), primal - self.problem.D(alpha), allowed, ROUNDING * self.at_zero())

    def slope(self, w: list[Number]) -> list[Number]:
        """(1/n) sum_i phi_i'(x_i^T w) x_i + lam w, shape (d,), for a loss with a derivative."""
        problem = self.problem
        total = [problem.regularizer.lam * w_j for w_j in w]
        for row, y in zip(problem.rows, problem.y):
            derivative = problem.loss.derivative(problem.dot(row, w), y)
            for j, x in row:
                total[j] = total[j] + derivative * x / problem.n
        return total

    def least_slope(self) -> list[Number]:
        """The element of the subdifferential of P at w that is nearest to 0, in absolute values."""
        l1, found = self.problem.regularizer.l1, []
        for w_j, slope in zip(self.w, self.slope(self.w)):
            if l1 != 0 and w_j == 0:
                found.append(max(abs(slope) - l1, self.problem.zero))
            else:
                found.append(abs(slope + (l1 if w_j > 0 else -l1 if w_j < 0 else 0)))
        return found

    def sized(self, left: Number, allowed: Number) -> Held:
        """A claim about derivatives, of the scale of the largest at 0."""
        scale = max(abs(s) for s in self.slope([self.problem.zero] * self.problem.d))
        return Held(left, left, allowed, ROUNDING * scale)


def _relative_slope(c: Case) -> Held:
    """Compare squares, so that no root is taken; the 1/n of P cancels."""
    left, first = (sum(s * s for s in c.slope(w)) for w in (c.w, [c.problem.zero] * c.problem.d))
    fewer = min(sum(1 for y in c.problem.y if y > 0), sum(1 for y in c.problem.y if y < 0))
    return Held(left, left, (c.tol * fewer / c.problem.n) ** 2 * first, ROUNDING**2 * first)


def _residual(c: Case) -> Held:
    """n gradient of P is the residual of (X^T X + alpha I) w = X^T y; squares."""
    n, first = c.problem.n, sum(s * s for s in c.slope([c.problem.zero] * c.problem.d))
    left = n * n * sum(s * s for s in c.slope(c.w))
    return Held(left, left, c.tol**2 * max(Fraction(1), n * n * first), ROUNDING**2 * n * n * first)


class Claim(NamedTuple):
    """A guarantee in words, and its check on an answer."""

    words: str
    held: Callable[[Case], Held]


CLAIMS: dict[str, Claim] = {
    "gap of targets": Claim(
        "P(w) - min P <= tol ||y||^2/n", lambda c: c.gap(c.tol * sum(y * y for y in c.problem.y) / c.problem.n)
    ),
    "gap": Claim("P(w) - min P <= tol", lambda c: c.gap(c.tol)),
    "half gap": Claim("P(w) - min P <= 2 tol, half of P being its objective", lambda c: c.gap(2 * c.tol)),
    "relative gap": Claim("P(w) - min P <= tol P(w)", lambda c: c.gap(c.tol * c.problem.P(c.w))),
    "printed gap": Claim("P(w) - min P <= dual_gap_", lambda c: c.gap(c.says["dual_gap_"])),
    "printed sign": Claim(
        "0 <= dual_gap_", lambda c: Held(-c.says["dual_gap_"], -c.says["dual_gap_"], c.problem.zero, c.problem.zero)
    ),
    "verbose gap": Claim("P(w) - min P <= the last gap printed", lambda c: c.gap(c.says["gap"])),
    "violation": Claim(
        "largest violation of the dual's optimality <= tol, from which follows P(w) - min P <= tol",
        lambda c: c.gap(c.tol),
    ),
    "squared violation": Claim(
        "largest violation of the dual's optimality <= tol, from which follows P(w) - min P <= tol^2",
        lambda c: c.gap(c.tol**2),
    ),
    "slope": Claim("max_j |dP/dw_j| <= tol", lambda c: c.sized(max(c.least_slope()), c.tol)),
    "sum of slopes": Claim("sum_j |smallest subgradient_j| <= tol", lambda c: c.sized(sum(c.least_slope()), c.tol)),
    "relative slope": Claim("||f'(w)|| <= tol min(pos, neg)/n ||f'(0)||", _relative_slope),
    "residual": Claim("||(X^T X + a I) w - X^T y|| <= tol max(1, ||X^T y||)", _residual),
}


def judged(held: Callable[[Case], Held], case_in: Callable[[type], Case], loss: str) -> tuple[Held | None, str]:
    """The two sides and the verdict: in Fractions, or for exp and log in intervals of up to 160 digits."""
    if LOSSES[loss].rational:
        found = held(case_in(Fraction))
        return found, found.verdict()

    def question() -> tuple[Held, str]:
        enclosed = held(case_in(Interval))
        return enclosed, enclosed.verdict()

    return decide(question)[0] or (None, "undecided")
