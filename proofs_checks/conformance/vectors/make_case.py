"""Make a case from a request: the reference's result, confirmed by the independent implementation, its class and its
flags."""

import struct
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.exact import arithmetic, computing_registered
from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.error_bounds.expected import Expected
from dualgap.proofs_checks.conformance.error_bounds.number import RunningError, Trace
from dualgap.proofs_checks.conformance.independent.aspdc_i import NonTerminating
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue
from dualgap.proofs_checks.conformance.seeded_bugs.flags import WAYS
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import nearest

MARGIN = Fraction(1, 2**20)  # of every branch in classes R and T
WIDEST = Fraction(1, 2**32)  # a tolerance, relatively: a known bug makes 2^-30
SMALLEST = Fraction(1, 2**1022)  # that is not subnormal
KNOWN = Fraction(1, 10**25)  # to which the two implementations agree where exp and log are in it


class Disagreement(ValueError):
    """The two implementations differ: the vector must not ship."""


@dataclass(frozen=True)
class ExpectedResult:
    """The expected result for a request as in a vector file, its class, the values, and the branches that were met."""

    due: Json
    tolerance_class: str
    traced: Json
    trace: Trace


@computing_registered()
def make_case(
    call: str, request: Json, independent: type[Independent] | None = Independent, relative: bool = False
) -> ExpectedResult | None:
    """The due result of a request with bare numbers; None if a branch is too near to its boundary, where another
    subgradient is as right, where the rounding errors are too large, or where the result is no double.

    independent : the other implementation; None if the agreement was tested once and for all.
    relative : whether a branch is near in parts of the numbers compared, which are then far from 1.

    Raises Disagreement: ``losses``, the other implementation, gives another result.
    """
    measured = Expected()
    try:
        traced = measured.answer(call, request)
    except ZeroDivisionError:  # also a root of what cancels
        return None
    if measured.trace.ambiguous:
        return None
    logistic = "logistic" in (request.get("loss"), request.get("problem", {}).get("loss"))
    p = request.get("problem", request).get("p")  # of a p-norm
    powers = (p is not None and hex_floats.decode(p) != 2) or request.get("loss") == "softmax"
    known = logistic or powers or p is not None or measured.trace.irrational
    try:
        if independent is not None:
            require_agreement(call, request, traced, independent, KNOWN if known else Fraction(0))
    except NonTerminating:
        return None
    everywhere, near = measured.trace.exact, measured.trace.relative if relative else measured.trace.nearest
    if not everywhere and near is not None and near < MARGIN:
        return None
    # a root is rounded, also for p = 2
    exact = everywhere and p is None and all(number.exact for number in numbers(traced))
    if not exact and any(number.tolerance > WIDEST * (1 + abs(number.value)) for number in numbers(traced)):
        return None
    tolerance_class = "E" if exact else "T" if logistic or powers else "R"
    return ExpectedResult(spelled(traced, tolerance_class), tolerance_class, traced, measured.trace)


def by_definition(call: str, request: Json) -> ExpectedResult | None:
    """A result of class E that bounds of relative errors do not reach: phi* next to its domain, which is infinite, and
    subnormal numbers. None for any other, and where a number is no double.

    Raises Disagreement: the two implementations do not give exactly the same.
    """
    traced = Expected().answer(call, request)
    require_agreement(call, request, traced, Independent, Fraction(0))
    values = [x.value for x in numbers(traced)]
    beyond = any(x is None for _, x in leaves(traced)) or any(0 < abs(x) < SMALLEST for x in values)
    if not beyond or any(Fraction(nearest(x)) != x for x in values):
        return None

    def one(x: Any) -> Any:
        if x is None:
            return f"{hex_floats.INFINITY} inf"
        return hex_floats.spell_given(nearest(x.value)) if isinstance(x, RunningError) else x

    return ExpectedResult(each(traced, one), "E", {}, Trace())


def require_agreement(
    call: str, request: Json, traced: object, independent: type[Independent], allowed: Fraction
) -> None:
    """Raise Disagreement unless the independent implementation gives the same, exactly or up to ``allowed``."""
    other = independent().answer(call, request, arithmetic())
    for (place, one), (_, two) in zip(leaves(traced), leaves(other), strict=True):
        value = one.value if isinstance(one, RunningError) else one
        if value is None or two is None:
            agreed = value is two
        else:
            agreed = abs(value - two) <= allowed * (1 + abs(two))
        if not agreed:
            raise Disagreement(
                f"{place.lstrip('.')} is {value} by the reference and {two} by the independent implementation in the"
                f" call {call} of {request.get('method', request.get('loss', ''))}"
            )


def leaves(value: object, place: str = "") -> list[tuple[str, Number]]:
    """The numbers of a result with their places, in the order of their sorted names."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key], f"{place}.{key}")]
    if isinstance(value, list):
        return [leaf for k, item in enumerate(value) for leaf in leaves(item, f"{place}[{k}]")]
    return [(place, value)]


def numbers(value: object) -> list[RunningError]:
    """The real and finite ones among them."""
    return [leaf for _, leaf in leaves(value) if isinstance(leaf, RunningError)]


def spelled(value: object, tolerance_class: str) -> Any:
    """A traced result in the form of a vector file."""

    def one(x: object) -> Any:
        if x is None:
            return f"{hex_floats.INFINITY} inf"
        return hex_floats.spell_due(x.value, allowed(x, tolerance_class)) if isinstance(x, RunningError) else x

    return each(value, one)


def allowed(number: RunningError, tolerance_class: str) -> Fraction | None:
    """The tolerance of a due number: none in class E. Its rounding is added if the exact value is not written."""
    if tolerance_class == "E":
        return None
    written = len(str(number.value)) <= hex_floats.LONGEST_EXACT
    return number.tolerance + (0 if written else abs(Fraction(nearest(number.value)) - number.value))


def flags(call: str, request: Json, result: ExpectedResult) -> list[str]:
    """The known bugs that the case shows."""
    found = {flag for flag, _ in catalogue.answers(call, request)}
    for number in numbers(result.traced):
        narrowed = _single(nearest(number.value))
        if narrowed is None or abs(narrowed - number.value) > max(
            2 * number.tolerance, Fraction(1, 2**45) * (1 + abs(number.value))
        ):
            found.add("single-precision")
    return [flag for flag in WAYS if flag in found]


def _single(value: float) -> Fraction | None:
    """The nearest number of 32 bits; None beyond them."""
    try:
        return Fraction(struct.unpack(">f", struct.pack(">f", value))[0])
    except OverflowError:
        return None
