"""The results of checks: relations that keep both sides, so that a failure can be shown."""

import math
from dataclasses import dataclass

from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import nearest

MOST_BITS = 14_000  # Python writes integers of up to 4300 digits, which are 14,284 bits


@dataclass(frozen=True, slots=True)
class Relation:
    """``left sign right`` with the label of the line it stands for; ``Le``, ``Lt`` and ``Eq`` make one. Both sides are
    numbers of the context.

    ``trivial`` is what the right side must stay below to say anything at all: a bound on a decreasing
    quantity that exceeds the quantity's start is vacuous.
    """

    label: str
    left: Number
    sign: str  # "<=", "<" or "=="
    right: Number
    trivial: Number | None = None

    def holds(self) -> bool:
        """Return whether the relation is true. Raises Undecided when intervals cannot tell."""
        if self.sign == "==":
            return bool(self.left == self.right)
        return bool(self.left < self.right) if self.sign == "<" else bool(self.left <= self.right)

    def vacuous(self) -> bool:
        """Return whether it would hold whatever the method did: 0 against 0, or a bound no better than the trivial
        one."""
        if self.trivial is not None:
            return not bool(self.right < self.trivial)
        return _is_zero(self.left) and _is_zero(self.right)

    def tightness(self) -> float | None:
        """left/right of an inequality with a positive right side: 1 is equality; None if it means nothing."""
        if self.sign == "==" or not (_is_exact(self.left) and _is_exact(self.right)) or not self.right > 0:
            return None
        return nearest(self.left / self.right)

    def excess(self) -> float | None:
        """(left - right)/(|left| + |right|), from -1 to 1 and > 0 where an inequality is false; of an equation its
        absolute value. None where the relation says nothing.
        """
        if not (_is_exact(self.left) and _is_exact(self.right)) or self.vacuous() or self.left == 0 == self.right:
            return None
        difference = self.left - self.right
        found = float(difference / (abs(self.left) + abs(self.right))) if difference else 0.0
        if not math.isfinite(found):
            return None
        return abs(found) if self.sign == "==" else found

    def __str__(self) -> str:
        return f"{self.label}: {show(self.left)} {self.sign} {show(self.right)}"


def Le(left: Number, right: Number, label: str, trivial: Number | None = None) -> Relation:
    """left <= right.

    Parameters
    ----------
    left, right : numbers of one kind.
    label : of the line of the proof, such as "(A17)".
    trivial : what the right side must stay below to say anything; None if there is no such number.
    """
    return Relation(label, left, "<=", right, trivial)


def Lt(left: Number, right: Number, label: str) -> Relation:
    """left < right.

    Parameters
    ----------
    left, right : numbers of one kind.
    label : of the line of the proof, such as "(A17)".
    """
    return Relation(label, left, "<", right)


def Eq(left: Number, right: Number, label: str) -> Relation:
    """left == right.

    Parameters
    ----------
    left, right : numbers of one kind.
    label : of the line of the proof, such as "(A17)".
    """
    return Relation(label, left, "==", right)


def show(value: object) -> str:
    """A rational as p/q when short, else with its decimal; one of more digits than Python writes by its length."""
    if bits(value) > MOST_BITS:
        return f"a rational of {bits(value)} bits{_about(value)}"
    text = str(value)
    return text if len(text) <= 24 else f"{text[:60]}{'...' if len(text) > 60 else ''}{_about(value)}"


def _about(value: object) -> str:
    """Its decimal; nothing if it has none, or one beyond the floats."""
    try:
        return f" (~{nearest(value):.10g})"
    except (TypeError, OverflowError):
        return ""


def bits(value: Number) -> int:
    """The length of the larger of a rational's two integers; 0 for other numbers."""
    parts = [getattr(value, name, 0) for name in ("numerator", "denominator")]
    return max((int(part).bit_length() for part in parts if not callable(part)), default=0)


def _is_exact(value: Number) -> bool:
    return hasattr(value, "numerator") or isinstance(value, float)


def _is_zero(value: Number) -> bool:
    if _is_exact(value):
        return bool(value == 0)
    if hasattr(value, "low"):  # an interval: the point 0, not one that merely holds it
        return bool(value.low == 0 == value.high)
    return False


def Same(left: Number, right: Number, label: str) -> Relation:
    """Equality of rationals; of intervals, that they meet, as two enclosures of one number must."""
    if hasattr(left, "low"):
        return Le(0, min(left.high, right.high) - max(left.low, right.low), f"{label} (enclosures meet)", trivial=1)
    return Eq(left, right, label)
