"""E gap_t and E D_t for any t, exactly, by second moments (``affine``): squared loss with L2, where a step is affine in
alpha, and gap and D are quadratic in it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.engines.affine import Moments, Step, quadratic
from dualgap.proofs_checks.engines.integers import quotient
from dualgap.reference import Method, Problem


def along(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[Moments]:
    """The second moments of alpha_t for t = 0, 1, 2, ... from a start alpha, shape (n,).

    Raises ValueError when the step is not affine in alpha (other losses, or l1 > 0).
    """

    step, moments = Step.of_alpha(method, problem), Moments.at(alpha)
    while True:
        yield moments
        moments = moments.after(step)


def second_moments(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[list[list[Fraction]]]:
    """E[z z^T], z = (alpha, 1), shape (n+1, n+1), for t = 0, 1, 2, ... from a start alpha, shape (n,)."""
    for found in along(method, problem, alpha):
        yield [[quotient(value, found.divisor) for value in row] for row in found.table]


def expected_gaps(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[Fraction]:
    """E gap_t for t = 0, 1, 2, ... from a start alpha, shape (n,)."""
    form = quadratic(lambda z: problem.gap(problem.w(z), z), problem.n)
    return (found.expect(form) for found in along(method, problem, alpha))


def expected_duals(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[Fraction]:
    """E D_t for t = 0, 1, 2, ... from a start alpha, shape (n,)."""
    form = quadratic(problem.D, problem.n)
    return (found.expect(form) for found in along(method, problem, alpha))
