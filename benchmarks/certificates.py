"""Certificates against exact arithmetic: how many are false.

    python benchmarks/certificates.py [N] [--seed S] [--kind KIND]

N hostile pairs (``dualgap.proofs_checks.strategies.hostile_pairs``; default 20,000). Of every five pairs one is as
drawn, one has weights for its rows, from 2^-500 to 2^500, one has subnormal rows, lam or alpha and a gamma between
1e-300 and 1e300, one is certified after its rows were changed in place: there a refusal is right, and so is a bound for
the rows as they are. The last one has weights and a free intercept: there the judge makes the feasible alpha' in
rationals, from each alpha+ that the certificate tried, and a bound below all of these gaps, or without any, is false.
By weak duality each of these gaps is at least P(w, b) - min P.

For each the certificate in plain sums, the one in compensated sums, and the one of ``dualgap.certify``, which is given
alpha or makes its own, at once or with some improvement, and any intercept: against P(w) - D(alpha) in rationals, or,
for the logistic loss, the lower end of an enclosure in decimal intervals. A bound below it is false and makes the exit
status 1. ``gap`` alone, as computed, is counted too: it is no bound.
"""

import argparse
import math
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dualgap.extras.baselines.compiled_gradients import slopes
from dualgap.fast import Certificate
from dualgap.fast.certify.certify import of_problem
from dualgap.fast.methods.pgs import dual
from dualgap.fast.problem import intercept as made
from dualgap.fast.problem.intercept import InterceptObjective, share
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.strategies.hostile_pairs import hostile
from dualgap.reference import LOSSES, InterceptProblem, Interval, Problem, WeightedProblem
from dualgap.reference.numbers.arithmetic import NumberType, convert
from dualgap.reference.numbers.interval import Undecided, digits

NAMES = ("gap", "plain", "compensated", "thin")
WEIGHTS = (1.0, 3.0, 1 / 3, 2.0**-40, 2.0**53 - 1, 2.0**-300, 2.0**-500, 2.0**500)
SUBNORMAL = (5e-324, 1e-320, 2.0**-1040, 2.0**-1022, 1e-300)
GAMMAS = (1.0, 1e-300, 1e-30, 1e-10, 1e300)


class Pair(NamedTuple):
    """A problem over float, the same in another number, a pair, and what the problem goes through before it is
    certified.
    """

    problem: Problem
    over: Callable[[NumberType], Problem]
    w: list[float]
    alpha: list[float]
    change: Callable[[], None] = lambda: None
    tried: list[list[float]] | None = None  # alpha+ of a free intercept


def as_drawn(rng: random.Random, instance: Instance) -> Pair:
    return Pair(instance.problem(float), instance.problem, *numbers(instance))


def weighted(rng: random.Random, instance: Instance) -> Pair:
    """The same rows with weights; w is w(alpha) again where it was."""
    plain, weights, (w, alpha) = (
        instance.problem(float),
        [rng.choice(WEIGHTS) for _ in instance.rows],
        numbers(instance),
    )

    def over(number: NumberType) -> Problem:
        return WeightedProblem(instance.rows, instance.y, plain.loss, plain.regularizer, weights, number=number)

    problem = WeightedProblem(
        [[float(x) for x in row] for row in instance.rows], plain.y, plain.loss, plain.regularizer, weights
    )
    found = problem.w(alpha) if any(w) and rng.random() < 0.5 else w
    return Pair(problem, over, found if all(map(math.isfinite, found)) else w, alpha)


def subnormal(rng: random.Random, instance: Instance) -> Pair:
    """Rows, alpha or lam next to or among the subnormal numbers, and any gamma."""
    small = instance
    if rng.random() < 0.7:
        small = small.but(
            rows=tuple(
                Qs(*(min(abs(float(x)), 1e10) * rng.choice((-1, 1)) * rng.choice(SUBNORMAL) for x in row))
                for row in small.rows
            )
        )
    if rng.random() < 0.5:
        small = small.but(alpha=Qs(*(float(a) * 2.0**-1030 if abs(a) <= 1 else 0.0 for a in small.alpha)))
    if rng.random() < 0.5:
        small = small.but(lam=Fraction(rng.choice(SUBNORMAL)))
    if small.gamma is not None:
        small = small.but(gamma=Fraction(rng.choice(GAMMAS)))
    if rng.random() < 0.5:
        w = small.problem(float).w([float(a) for a in small.alpha])
        small = small.but(extra=further(w=Qs(*(w if all(map(math.isfinite, w)) else [0.0] * len(w)))))
    return as_drawn(rng, small)


def changed(rng: random.Random, instance: Instance) -> Pair:
    """Rows in an array, which a method and a certificate have read before they change."""
    plain, X = instance.problem(float), np.array([[float(x) for x in row] for row in instance.rows])
    problem = Problem(X, plain.y, plain.loss, plain.regularizer)
    w, alpha = numbers(instance)
    alpha = dual(problem, np.array(w)).tolist() if rng.random() < 0.7 else alpha
    Certificate(problem, w, alpha)

    def change() -> None:
        if rng.random() < 0.5:
            X[...] *= rng.choice((5.0, -1.0, 0.5))
        else:
            X[rng.randrange(X.shape[0]), rng.randrange(X.shape[1])] += rng.choice((1.0, -3.0))

    return Pair(
        problem,
        lambda number: Problem(X.tolist(), plain.y, plain.loss, plain.regularizer, number=number),
        w,
        alpha,
        change,
    )


def intercept(rng: random.Random, instance: Instance) -> Pair:
    """Weights and a free intercept; of one class the first row becomes another one, with alpha 0."""
    plain, (w, alpha), y = instance.problem(float), numbers(instance), list(instance.y)
    weights = [rng.choice(WEIGHTS) for _ in y] if rng.random() < 0.5 else [1.0] * len(y)
    if plain.loss.margin and len(set(y)) == 1:
        y[0], alpha[0] = -y[0], 0.0

    def over(number: NumberType) -> InterceptProblem:
        return InterceptProblem(instance.rows, y, plain.loss, plain.regularizer, weights, number=number)

    tried: list[list[float]] = []
    rows = [[float(x) for x in row] for row in instance.rows]
    problem = InterceptProblem(rows, [float(y_i) for y_i in y], plain.loss, plain.regularizer, weights)
    if rng.random() < 0.5:
        objective = InterceptObjective(problem)
        found = slopes(objective, objective.z(np.array(w)))
        alpha = found.tolist() if np.isfinite(found).all() else alpha
    return Pair(problem, over, w, alpha, tried=tried)


def recording(tried: list[list[float]]) -> Callable[..., Any]:
    """``share``, with every alpha+ kept."""

    def recorded(*given: Any) -> Any:
        found = share(*given)
        if found is not None:
            tried.append(found[0].tolist())
        return found

    return recorded


def feasible(pair: Pair) -> list[list[Fraction]]:
    """alpha' of every alpha+ with a sum of the other sign, in rationals."""
    weights = [Fraction(s) for s in pair.problem.weights]  # type: ignore[attr-defined]
    at = [Fraction(a) for a in pair.alpha]
    here = sum((s * a for s, a in zip(weights, at)), Fraction(0))
    found = [at] if here == 0 else []
    for other in pair.tried or []:
        beyond = [Fraction(a) for a in other]
        there = sum((s * a for s, a in zip(weights, beyond)), Fraction(0))
        if here * there < 0:
            t = abs(here) / (abs(here) + abs(there))
            found.append([(1 - t) * a + t * b for a, b in zip(at, beyond)])
    return found


Kind = Callable[[random.Random, Instance], Pair]
KINDS = (as_drawn, weighted, subnormal, changed, intercept)


def numbers(instance: Instance) -> tuple[list[float], list[float]]:
    """w and alpha."""
    return [float(w_j) for w_j in instance.extra.w], [float(a) for a in instance.alpha]


def exact_gap_of_intercept(pair: Pair, b: float) -> Fraction:
    """``exact_gap`` at the least of the feasible alpha'."""
    rational = pair.problem.loss.rational
    number: NumberType = Fraction if rational else Interval
    with digits(60):
        problem: Any = pair.over(number)
        P = problem.P([number(x) for x in pair.w], b)
        gaps = [P - WeightedProblem.D(problem, [convert(a, number) for a in alpha]) for alpha in feasible(pair)]
    return min(gap if rational else Fraction(gap.low) for gap in gaps)


def exact_gap(pair: Pair) -> Fraction:
    """P(w) - D(alpha), or a number that it is not below."""
    rational = pair.problem.loss.rational
    number: NumberType = Fraction if rational else Interval
    with digits(60):
        problem = pair.over(number)
        gap = problem.P([number(x) for x in pair.w]) - problem.D([number(x) for x in pair.alpha])
    return gap if rational else Fraction(gap.low)


def thin(pair: Pair, rng: random.Random) -> tuple[float, Pair, float | None]:
    """The bound of ``certify``, the pair with the dual points that it uses, and the intercept."""
    b = rng.choice((0.0, rng.gauss(0, 1), rng.gauss(0, 1) * 10.0 ** rng.randrange(-20, 20)))
    alpha, seconds = rng.choice((pair.alpha, None)), rng.choice((0.0, 0.002))
    found = of_problem(pair.problem, pair.w, alpha, b if pair.tried is not None else None, seconds)
    assert found is not None
    alpha, *others = (point.tolist() for point in found.points)
    return found.gap_bound, pair._replace(alpha=alpha, tried=others if pair.tried is not None else None), b


class Tally:
    """What was found."""

    def __init__(self) -> None:
        # by kind of pair: certified, refused, and so on, and false bounds by name
        self.counts: Counter[tuple[str, str]] = Counter()

    def certify(self, kind: Kind, rng: random.Random, instance: Instance) -> None:
        """One pair."""
        try:
            pair = kind(rng, instance)
            pair.change()
            self.certify_thin(kind, pair, random.Random(repr(pair.w)))
            if pair.tried is not None:
                made.share = recording(pair.tried)
            found = [Certificate(pair.problem, pair.w, pair.alpha, compensated) for compensated in (False, True)]
        except (OverflowError, ValueError, RuntimeError):  # beyond the range, or changed
            self.counts[kind.__name__, "refused"] += 1
            return
        try:
            if pair.tried is None:
                low = exact_gap(pair)
            elif feasible(pair) and found[0].intercept is not None:
                low = exact_gap_of_intercept(pair, found[0].intercept)
            else:
                self.counts[kind.__name__, "no alpha+"] += 1
                for name, one in zip(NAMES[1:], found):  # a bound without a feasible alpha' has no proof
                    self.counts[kind.__name__, f"{name} false"] += math.isfinite(one.gap_bound)
                return
        except (OverflowError, Undecided):  # exp of more than a decimal exponent can say
            self.counts[kind.__name__, "beyond the enclosure"] += 1
            return
        self.counts[kind.__name__, "certified"] += 1
        self.counts[kind.__name__, "no bound"] += not math.isfinite(found[1].gap_bound)
        for name, bound in zip(NAMES, (found[0].gap, found[0].gap_bound, found[1].gap_bound)):
            if math.isfinite(bound):
                self.counts[kind.__name__, f"{name} false"] += Fraction(bound) < low
                if Fraction(bound) < low and name != "gap":
                    print(
                        f"FALSE {kind.__name__} {name}: {bound!r} < {float(low)!r}: w {pair.w}, alpha {pair.alpha},"
                        f" {instance.to_json()}"
                    )

    def certify_thin(self, kind: Kind, pair: Pair, rng: random.Random) -> None:
        """The bound of ``certify`` against the exact gap at its dual points."""
        name = kind.__name__
        try:
            bound, pair, b = thin(pair, rng)
        except ValueError:  # a row is beyond the range
            self.counts[name, "thin refused"] += 1
            return
        if not math.isfinite(bound):
            self.counts[name, "thin no bound"] += 1
            return
        try:
            if pair.tried is None:
                low = exact_gap(pair)
            else:
                low = exact_gap_of_intercept(pair, b) if feasible(pair) else Fraction(bound) + 1
        except (OverflowError, Undecided):
            return
        self.counts[name, "thin certified"] += 1
        self.counts[name, "thin false"] += Fraction(bound) < low
        if Fraction(bound) < low:
            print(f"FALSE {name} thin: {bound!r} < {float(low)!r}: b {b}, {pair}")

    def false(self) -> int:
        """The bounds that are false."""
        return sum(self.counts[kind.__name__, f"{name} false"] for kind in KINDS for name in NAMES[1:])


def judged(N: int, seed: int, kind: str | None = None) -> Tally:
    """N hostile pairs, of that kind or of all in turn."""
    rng, tally = random.Random(seed), Tally()
    warnings.simplefilter("ignore", RuntimeWarning)
    kinds = [one for one in KINDS if kind in (None, one.__name__)]
    for number in range(N):
        tally.certify(kinds[number % len(kinds)], rng, hostile(rng.choice, tuple(LOSSES), 5))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("N", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=[kind.__name__ for kind in KINDS], help="of all pairs (default: all in turn)")
    given = parser.parse_args()
    tally = judged(given.N, given.seed, given.kind)
    for kind in (kind.__name__ for kind in KINDS):
        print(
            f"{kind:10} "
            + ", ".join(f"{count} {what}" for (of, what), count in sorted(tally.counts.items()) if of == kind)
        )
    print(f"{given.N} pairs, {tally.false()} false bounds")
    return int(tally.false() > 0)


if __name__ == "__main__":
    sys.exit(main())
