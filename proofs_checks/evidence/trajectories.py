"""Exact expectations along whole trajectories, by whichever engine reaches further, and their level of evidence."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.registry import Claim, Evidence
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines import moments
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.levels import Exact
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.numbers.arithmetic import Number

NODES = 400  # of one path tree: a few 0.01 s in Fractions
NODES_OF_INTERVALS = 200


def expected_gaps(c: Context, horizon: int) -> list[Number]:
    """[E gap_t for t = 0, 1, ...] up to ``horizon``, or as far as the path tree stays below NODES states.

    Second moments need v = v(alpha) after every step, which a mutant may break: only ASPDC and SDCA themselves are read
    that way.
    """
    if by_moments(c):
        return list(islice(moments.expected_gaps(c.method, c.problem, c.alpha), horizon + 1))
    return along_paths(c, horizon, lambda alpha: c.problem.gap(c.problem.w(alpha), alpha))


def expected_duals(c: Context, horizon: int) -> list[Number]:
    """[E D_t for t = 0, 1, ...], like ``expected_gaps``."""
    if by_moments(c):
        return list(islice(moments.expected_duals(c.method, c.problem, c.alpha), horizon + 1))
    return along_paths(c, horizon, c.problem.D)


def by_moments(c: Context) -> bool:
    """Return whether the step is affine in alpha and alpha is the whole state; in intervals that cannot be seen."""
    return (
        type(c.method) in (ASPDC, SDCA) and c.number is Fraction and c.instance.loss == "squared" and c.instance.l1 == 0
    )


def along_paths(c: Context, horizon: int, observable: Callable[[Any], Number]) -> list[Number]:
    """[E observable(alpha_t)], equal states merged, until the next layer could pass NODES states in total."""
    values, visited, most = [], 0, NODES if c.number is Fraction else NODES_OF_INTERVALS
    for layer in distributions(c.method, c.problem, c.state):
        total = c.problem.zero
        for probability, state in layer:
            total = total + probability * observable(c.method.view(c.problem, state)[1])
        values.append(total)
        visited += len(layer)
        if len(values) > horizon or visited + c.n * len(layer) > most:
            return values
    raise AssertionError("unreachable: the layers never end")


def start_of_meaning(constant: float, rate: float) -> int:
    """The first t with constant (1 - rate)^t < 1: earlier a bound on a decreasing quantity says nothing."""
    return 0 if rate >= 1 else math.floor(math.log(constant) / -math.log1p(-rate)) + 1


@dataclass(frozen=True)
class Enumerated(Exact):
    """ENUMERATED: the check on drawn instances, in Fractions, with expectations over all paths of a trajectory."""

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        evidence = super().__call__(claim, run)
        evidence.level, evidence.detail = (
            "ENUMERATED",
            f"{evidence.instances - evidence.vacuous} past the vacuous start",
        )
        return evidence
