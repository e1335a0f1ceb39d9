"""The shared vocabulary of claim files: ``from dualgap.proofs_checks.papers.vocabulary import *``.

A name is here if at least three claim files use it, always with the same meaning.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import cycle, islice, product
from math import log10
from typing import Any, NamedTuple, cast

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import Blocks, Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.judge import judge, violates
from dualgap.proofs_checks.claims.origins import IMPLEMENTATION
from dualgap.proofs_checks.claims.papers import Item, register_paper
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import REFUTED, Claim, Control, Evidence, Hypothesis, Source, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.engines.optimum import exact_optimum, solve_linear
from dualgap.proofs_checks.engines.paths import distributions, expectations
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import (
    all_of,
    altered,
    enclosed,
    exact,
    examine,
    fails_for,
    fails_on,
    false_with,
    golden,
    holds_on,
)
from dualgap.proofs_checks.evidence.mutants import mutant
from dualgap.proofs_checks.evidence.trajectories import Enumerated, expected_duals, expected_gaps
from dualgap.proofs_checks.strategies.instances import (
    COORDINATES,
    GAMMAS,
    K_ANY,
    RATIONAL,
    RATIONAL_SMOOTH,
    among,
    any_of,
    on_sphere,
    one_step_any,
    vectors,
)
from dualgap.reference import HypothesisViolated, Regularizer, as_compiled, method
from dualgap.reference.methods.adaspdc import AdaSPDC
from dualgap.reference.methods.aspdc_i import ASPDCiFixed, ProximalPointState
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.methods.pgs import PGS
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC, NonUniformSPDC
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import nearest, to_fraction
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import soft

refuted = partial(claim, expected=REFUTED)  # a statement of which the evidence is a counterexample
slip = partial(refuted, gravity="slip")  # a printed one, false by a slip
implemented = partial(claim, origin=IMPLEMENTATION)  # a statement on the code alone
LONE_ROW = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))  # one row (1), y = 1, squared loss, from alpha = 0
EQUAL_PAIR = LONE_ROW.but(rows=(Qs(1), Qs(1)), y=Qs(1, -1), alpha=Qs(0, 0))
MIXED_ROWS = LONE_ROW.but(rows=(Qs(1, 0), Qs(1, 1), Qs(0, -1)), y=Qs(1, -1, 1), alpha=Qs(0, 0, 0), lam=Q(1, 3))


def dot(a: Iterable[Number], b: Iterable[Number]) -> Number:
    """<a, b>, in the numbers of the entries."""
    products = [a_j * b_j for a_j, b_j in zip(a, b)]
    return sum(products[1:], products[0]) if products else Q(0)


def square(v: Iterable[Number]) -> Number:
    """||v||^2."""
    entries = list(v)
    return dot(entries, entries)


def minus(a: Iterable[Number], b: Iterable[Number]) -> Vector:
    """a - b."""
    return [a_j - b_j for a_j, b_j in zip(a, b)]


def plus(a: Iterable[Number], factor: Number, b: Iterable[Number]) -> Vector:
    """a + factor b."""
    return [a_j + factor * b_j for a_j, b_j in zip(a, b)]


def numbers_alone(**numbers: object) -> Instance:
    """An instance that only carries these numbers."""
    return LONE_ROW.but(extra=further(**numbers))


def each(
    relation: Callable[[Number, Number, str], Relation], left: Iterable[Number], right: Iterable[Number], label: str
) -> Iterator[Relation]:
    """The relation of each entry of ``left`` to that of ``right``; # in the label is the number of the entry."""
    return (relation(a, b, label.replace("#", str(k))) for k, (a, b) in enumerate(zip(left, right)))


def names(prefix: str, words: str) -> tuple[str, ...]:
    """The words, each behind the prefix and a dot: ids of planted bugs.

    >>> names("spdc", "no-prox wrong-u0")
    ('spdc.no-prox', 'spdc.wrong-u0')
    """
    return tuple(f"{prefix}.{word}" for word in words.split())
