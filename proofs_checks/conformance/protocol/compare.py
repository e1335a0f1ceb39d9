"""Judge an answer: class E by value, R and T within the tolerance of the vector."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol import hex_floats


@dataclass(frozen=True)
class Difference:
    """The first place where an answer is wrong.

    Attributes
    ----------
    place : such as "alpha[1]"; empty if the answer as a whole is meant.
    step : of a trajectory, or number of a branch, from 0; None elsewhere.
    got : the double that came, or None where none came.
    due : what was due, or None where the answer has no such place, or a predicate is false.
    text : in words.
    """

    place: str
    step: int | None
    got: float | None
    due: hex_floats.Reading | None
    text: str

    @property
    def ulps(self) -> int | None:
        """Doubles from got to due; None if one of them is not finite or not there."""
        if self.got is None or self.due is None or not (math.isfinite(self.got) and math.isfinite(self.due.nearest)):
            return None
        return hex_floats.ulps(self.got, self.due.nearest)


def answered(value: object) -> float:
    """A number of an answer: exactly 16 hexadecimal digits. Raises ValueError for anything else."""
    if not (isinstance(value, str) and len(value) == 16):
        raise ValueError(f"a number is 16 hexadecimal digits, lower case (got {value!r})")
    return hex_floats.decode(value)


def admits(expected: hex_floats.Reading, got: float) -> bool:
    """Return whether ``got`` is right; the sign of a zero is not judged, and NaN never is right."""
    if expected.exact is None:
        return got == expected.nearest
    return math.isfinite(got) and abs(Fraction(got) - expected.exact) <= expected.tolerance


def compare(expected: Json, result: Json) -> Difference | None:
    """The first difference between a result and what is expected, states in their order; None when there is none."""
    if "states" in expected:
        return _compare_states(expected["states"], result.get("states"))
    if "state" in expected:
        return next(_differences(expected["state"], result.get("state"), "", None), None)
    return next(_differences(expected, result, "", None), None)


def _compare_states(expected: list[object], got: object) -> Difference | None:
    if not isinstance(got, list) or len(got) != len(expected):
        what = f"{len(got)} states" if isinstance(got, list) else "no list of states"
        return Difference("states", None, None, None, f"{what} came back, {len(expected)} are due")
    for step, (state, there) in enumerate(zip(expected, got)):
        if (found := next(_differences(state, there, "", step), None)) is not None:
            return found
    return None


def _differences(expected: Any, got: Any, place: str, step: int | None) -> Iterator[Difference]:
    """Every difference, in the order of ``due``. Further members of a result are ignored."""
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            yield Difference(
                place, step, None, None, f"an object with {', '.join(expected)} is due (got {_short(got)})"
            )
            return
        for name, value in expected.items():
            if name not in got:
                yield Difference(name, step, None, None, f"{name} is missing")
            else:
                yield from _differences(value, got[name], name, step)
    elif isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            yield Difference(place, step, None, None, f"{place} must have {len(expected)} entries (got {_short(got)})")
            return
        for k, (value, there) in enumerate(zip(expected, got)):
            yield from _differences(value, there, f"{place}[{k}]", step)
    elif isinstance(expected, int):
        if got != expected or not isinstance(got, int) or isinstance(got, bool):
            yield Difference(place, step, None, None, f"{place} must be the integer {expected} (got {_short(got)})")
    elif not (isinstance(got, str) and _agree(expected, got)):
        yield _wrong_number(hex_floats.read(expected), got, place, step)


@lru_cache(maxsize=1 << 16)  # most numbers of a run are those of the run before it
def _agree(expected: str, got: str) -> bool:
    """Return whether an answer is a number, and the one that is due."""
    try:
        return admits(hex_floats.read(expected), answered(got))
    except ValueError:
        return False


def _wrong_number(expected: hex_floats.Reading, got: object, place: str, step: int | None) -> Difference:
    try:
        value = answered(got)
    except ValueError as error:
        return Difference(place, step, None, expected, f"{place}: {error}")
    return Difference(place, step, value, expected, f"{place} = {value!r}, due {expected.nearest!r}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
