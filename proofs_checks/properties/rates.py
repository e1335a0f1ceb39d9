"""Theorems on rates for one problem and one start: a quantity, and its bound after t steps."""

from collections.abc import Callable, Mapping
from math import ceil, log
from typing import Any, NamedTuple

from dualgap.reference import Problem
from dualgap.reference.numbers.arithmetic import Number, convert
from dualgap.reference.problem.problem import Vector

Pair = tuple[Vector, Vector]  # w, shape (d,), and alpha, shape (n,)


class Rate(NamedTuple):
    """A theorem on a rate for one problem and one start: E quantity(w, alpha) <= bound(t) after t steps.

    Attributes
    ----------
    quantity : of what the method returns.
    bound : of t; of s - 1 in epoch s where the theorem counts epochs.
    steps : how many steps a float run makes.
    by_epoch : whether the theorem counts epochs, which differ between paths; it then holds on every path.
    """

    quantity: Callable[[Vector, Vector], Number]
    bound: Callable[[int], Number]
    steps: int
    by_epoch: bool = False

    def bound_at(self, t: int, state: Any, faster: int = 1) -> Number:
        """The bound after t steps, at a state; ``faster``: after this many times as many steps or epochs."""
        return self.bound(faster * (state.epoch - 1 if self.by_epoch else t))


def geometric(
    quantity: Callable[[Vector, Vector], Number], C: Number, theta: Number, start: Pair, every: int = 1
) -> Rate:
    """C theta^t, or C theta^s after s = t/``every`` epochs; float runs go to where it is a hundredth of the start."""
    reach = log(100 * C / first) / -log(theta) if 0 < theta < 1 and (first := quantity(*start)) else 1
    return Rate(quantity, lambda t: C * theta ** (t // every), every * ceil(reach))


def weights(problem: Problem, m: int, sigma: Vector) -> Pair:
    """(1/(4 sigma_i) + gamma)/m on the left side, (1/(2 sigma_i) + gamma)/m on the right."""
    left, right = ([(1 / (share * s) + problem.gamma) / m for s in sigma] for share in (4, 2))
    return left, right


def distance(problem: Problem, start: Pair, best: Pair, tau: Number, weights: Pair, theta: Number) -> Rate:
    """(1/(2 tau) + lam) ||w - w*||^2 + sum_i weight_i (alpha_i - alpha*_i)^2, with the weights of either side."""

    def measured(weight: Vector, w: Vector, alpha: Vector) -> Number:
        far = [share * (a - b) * (a - b) for share, a, b in zip(weight, alpha, best[1])]
        return sum(far, (1 / (2 * tau) + problem.regularizer.modulus) * square_distance(w, best[0]))

    return geometric(lambda w, alpha: measured(weights[0], w, alpha), measured(weights[1], *start), theta, start)


def square_distance(u: Vector, v: Vector) -> Number:
    """||u - v||^2."""
    return sum(((a - b) * (a - b) for a, b in zip(u, v)), 0 * u[0])


def kappa_of(problem: Problem, options: Mapping[str, Any]) -> Number:
    """The proximal weight of ASPDC-i: 4R^2/(n gamma) - lam unless it is given."""
    return convert(
        options.get("kappa", 4 * problem.R2 / (problem.n * problem.gamma) - problem.regularizer.lam), problem.number
    )
