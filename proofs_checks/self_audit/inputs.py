"""Certificates and readers of the fast package on cases whose answers are known: bounds, targets, files that were
changed.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dualgap.fast import Certificate, solve
from dualgap.fast.problem.certificate import certified
from dualgap.proofs_checks.self_audit.saying import differs
from dualgap.proofs_checks.strategies.hostile_pairs import RATIONAL, exact_gap, floats, hostile
from dualgap.reference import L2, Hinge, Problem, SmoothedHinge, Squared

OPPOSITE = Problem([[1e16], [1.0], [1e16]], [1, 1, -1], Hinge(), L2(1e-3))  # P - D = 55.6 at w = 0, alpha = (-1, -1, 1)
LOST = Problem([[1e16], *[[1.0]] * 100, [1e16]], [1.0] * 101 + [-1.0], Hinge(), L2(1.0))  # 100 ones lost in u


def bounds() -> Iterator[str]:
    """Bounds that are too small on pairs that are hard, or useless on one that is easy."""
    rng = random.Random(0)
    for _ in range(400):
        instance = hostile(rng.choice, RATIONAL)
        try:
            with np.errstate(all="ignore"):  # numpy's numbers warn in a world without compiled code
                problem, w, alpha = floats(instance)
                found = [Certificate(problem, w, alpha, compensated).gap_bound for compensated in (False, True)]
        except (OverflowError, ValueError):
            continue
        gap = exact_gap(instance)
        for sums, bound in zip(("plain", "compensated"), found):
            yield from differs(
                f"a bound in {sums} sums: below the gap", bound < np.inf and Fraction(bound) < gap, False
            )
    for problem, count, least in ((OPPOSITE, 3, 55), (LOST, 102, Fraction(1, 3))):
        alpha = [-1.0] * (count - 1) + [1.0]
        yield from differs(
            "a bound where entries are lost: too small", Certificate(problem, [0.0], alpha).gap_bound < least, False
        )
    easy = Certificate(Problem([[1.0], [0.5]], [1, -1], SmoothedHinge(), L2(1.0)), [0.25], [-0.5, 0.25])
    yield from differs(
        "a bound on an easy pair: more than a millionth above the gap", easy.gap_bound > easy.gap * (1 + 1e-6), False
    )


def convergence() -> Iterator[str]:
    """Return the planted bugs in the test of convergence and in its sums."""
    result = solve(OPPOSITE, "sdca", alpha=[-1.0, -1.0, 1.0], tol=1e-9)
    yield from differs("rows that cancel: called converged", result.status == "converged", False)
    equal = Problem([[1e8], [1e8]], [1, -1], Hinge(), L2(1.0))
    found = certified(equal, [0.0], [-1.0, 1.0], 1e-20, 0.0)
    yield from differs(
        "a compensated certificate that meets the request: made", found.compensated and found.meets(1e-20, 0.0), True
    )
    at = Certificate(Problem([[1.0], [0.0]], [1.0, 1.0], Squared(), L2(1)), [3.0], [0.0, 0.0])
    yield from differs("a relative target", at.target(0.0, 0.5), 0.5 * at.primal)
