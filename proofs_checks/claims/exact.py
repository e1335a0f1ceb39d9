"""The number type of exact contexts: ``fractions.Fraction``, or gmpy2's ``mpq``, which has the same values and is many
times faster.

A context's ``number`` says Fraction in either case, "exact"; its ``arithmetic`` is the type that is in force here. Both
give the same rationals, of the same spelling and hash. Two things differ. ``float`` of an mpq may miss the nearest
double by one, so reports take ``nearest``. And a float that meets a Fraction makes a float of it; one that meets an mpq
makes a number of 53 bits, so inside ``computing_in("mpq")`` gmpy2 raises where that would round, and ``require_exact``
refuses what is left of it.
"""

import importlib
import importlib.util
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction

from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.engines.purity import inexact_part
from dualgap.reference.methods.registry import METHODS
from dualgap.reference.problem.losses import LOSSES

NAMES = ("fraction", "mpq")

_arithmetic: ContextVar[type[Fraction]] = ContextVar("_arithmetic", default=Fraction)


def arithmetic() -> type[Fraction]:
    """The type in force: Fraction outside of ``computing_in``."""
    return _arithmetic.get()


def chosen(name: str | None = None) -> str:
    """The name, or for None the fastest of NAMES installed. Raises ValueError for an unknown or missing one."""
    installed = importlib.util.find_spec("gmpy2") is not None
    if name is None:
        return "mpq" if installed else "fraction"
    if name not in NAMES:
        raise ValueError(f"exact must be one of {', '.join(NAMES)} (got {name!r})")
    if name == "mpq" and not installed:
        raise ValueError(
            "exact = 'mpq' needs gmpy2, which is not installed: pip install 'dualgap[cli]', or use 'fraction'"
        )
    return name


@contextmanager
def computing_as(kind: type[Fraction]) -> Iterator[None]:
    """Exact contexts that are made inside compute in a type that replaces Fraction."""
    token = _arithmetic.set(kind)
    try:
        yield
    finally:
        _arithmetic.reset(token)


@contextmanager
def computing_in(name: str | None = None) -> Iterator[None]:
    """Exact contexts that are made inside compute in "fraction" or "mpq"; None for the fastest installed.

    >>> with computing_in("fraction"):
    ...     arithmetic()
    <class 'fractions.Fraction'>
    """
    if chosen(name) == "fraction":
        with computing_as(Fraction):
            yield
        return
    gmpy2 = importlib.import_module("gmpy2")
    traps = {f"trap_{name}": True for name in ("inexact", "overflow", "underflow", "invalid", "divzero")}
    with computing_as(gmpy2.mpq), gmpy2.context(**traps):
        yield


@contextmanager
def computing_registered() -> Iterator[None]:
    """Code that runs all registered methods and losses computes in the fastest rationals inside; in Fractions if one of
    them is another package's, which may call Fraction(x) on an mpq.
    """
    with computing_in("fraction" if METHODS.foreign() or LOSSES.foreign() else None):
        yield


def rounded(error: BaseException) -> bool:
    """Return whether it is gmpy2's word that a float met an mpq, and the result was not exact."""
    return type(error).__module__ == "gmpy2" and type(error).__name__ == "InexactResultError"


def require_exact(relations: Iterable[Relation], foreign: bool, number: object = Fraction) -> None:
    """Raise TypeError if a side is the result of a float and an mpq or, in a third-party check, a float of any kind. An
    infinite float is exact, and so is the Decimal that an end of an interval is."""
    for relation in relations:
        for side in (relation.left, relation.right, relation.trivial):
            an_end = number is not Fraction and isinstance(side, Decimal)
            if type(side).__name__ == "mpfr" or (foreign and not an_end and inexact_part(side) is not None):
                raise TypeError(
                    f"{relation.label}: a float met an exact number (got {side!r}); write a rational, such as Q(1, 2)"
                )
