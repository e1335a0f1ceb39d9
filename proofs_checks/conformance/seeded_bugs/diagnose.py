"""Why a wrong answer is wrong: every known bug is run on the request, and the one that gives the same answer is
named.
"""

import json
import math
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache

from dualgap.proofs_checks.claims.exact import computing_registered
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.compare import answered
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue

NEAR = 2.0**-36  # of the largest number: far above the roundings of a few steps, far below what a bug makes (2^-30)
NEAR_32 = 2.0**-18  # the same where numbers have 24 bits
UNFINISHED = 2.0**-4  # the same of a root after one or two steps of an iteration that converges quadratically
ROOTS = ("loss.dual_step", "step", "branches", "trajectory", "last")  # the calls that compute the root of an iteration
SINGLE, COMMA, DIGITS, EARLY = "single-precision", "decimal-comma", "few-digits", "newton-stopped-early"
TEXTS = range(6, 17)  # digits of a decimal text from which a double cannot always be read back
LEAST = 2  # wrong answers that a bug must explain
MOST = 40  # right answers that a bug is tried on


def causes(call: str, given: Json, result: Json | None, expected: Json | None = None) -> tuple[str, ...]:
    """The flags of the bugs that give ``result``, each once; () where no known bug does, or the request makes no sense.

    Parameters
    ----------
    call, given, result : as they went through the pipe.
    due : the right result, where it is known, to tell 32-bit numbers from numbers that happen to be short.

    >>> given = {"primal": "0000000000000000", "dual": "3ff0000000000000"}
    >>> causes("gap", given, {"gap": "3ff0000000000000"})
    ('absolute-gap',)
    """
    try:
        got = dict(numbers(result))
    except ValueError:  # something is no number at all
        return ()
    try:
        answers = _answers(call, json.dumps(given), tuple(catalogue.candidates()))
        found = {flag: None for flag, answer in answers if same(got, answer, NEAR)}
    # no method has an answer to it
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return ()
    if expected is not None and not found:
        found = dict.fromkeys(_written(call, given, got, dict(numbers(expected))))
    return tuple(found)


@lru_cache(maxsize=1 << 12)  # the same for every port
@computing_registered()
def _answers(call: str, given: str, bugs: catalogue.Bugs) -> list[tuple[str, dict[str, float]]]:
    """The numbers that every bug answers to a request, which is given as its text."""
    return [
        (flag, dict(numbers(answer))) for flag, answer in catalogue.answers(call, json.loads(given), least=0, bugs=bugs)
    ]


@computing_registered()
def confirmed(flag: str, explained: int, right: Sequence[tuple[str, Json]]) -> bool:
    """Whether a bug that explains so many wrong answers shows in fewer of the requests that were answered rightly.

    A bug predicts which requests it spoils. One that explains a single wrong answer, or should have spoiled as many
    that are right, explains it by chance. A bug with several ways is confirmed if one of them is.

    right : calls and requests that were answered rightly, of the methods with the wrong answers.
    """
    if explained < LEAST:
        return False
    sample = right[:: -(-len(right) // MOST) or 1]
    ways = [cls for name, cls in catalogue.candidates() if name == flag]
    spoiled = (sum(any(catalogue.answers(*request, least=0, bugs=[(flag, cls)])) for request in sample) for cls in ways)
    return not ways or any(count * len(right) < explained * len(sample) or not count for count in spoiled)


def same(got: dict[str, float], there: dict[str, float], near: float) -> bool:
    """Whether two answers have the same numbers, up to ``near`` times the largest of them."""
    if set(got) != set(there):
        return False
    largest = max((abs(value) for value in there.values() if math.isfinite(value)), default=0.0)
    return all(value == there[place] or abs(value - there[place]) <= near * largest for place, value in got.items())


def _written(call: str, given: Json, got: dict[str, float], expected: dict[str, float]) -> Iterator[str]:
    """Why an answer is not the expected one although every number of it can be computed from that one: it has 24 bits,
    passed through a decimal text, or is the root of an iteration that stopped early.
    """
    if got == expected or set(got) != set(expected):
        return
    finite = {place: value for place, value in got.items() if math.isfinite(value)}
    if any(got[place] != expected[place] for place in set(got) - set(finite)):
        return
    changed = [value for place, value in finite.items() if value != expected[place]]
    if all(_narrowed(value) == value for value in finite.values()) and same(got, expected, NEAR_32):
        yield SINGLE
    elif any(changed) and _cut(finite, expected):
        yield COMMA
    elif any(
        all(value == float(f"{expected[place]:.{digits}g}") for place, value in finite.items()) for digits in TEXTS
    ):
        yield DIGITS
    elif call in ROOTS and given.get("problem", given).get("loss") == "logistic" and same(got, expected, UNFINISHED):
        yield EARLY


def ends_at_the_point(result: Json | None, expected: Json) -> bool:
    """Whether each number of a result is what is read of the expected one if its text ends at the decimal point.

    >>> quarter, zero = {"gap": "3fd0000000000000"}, {"gap": "0000000000000000"}
    >>> ends_at_the_point(zero, quarter), ends_at_the_point(quarter, quarter)
    (True, False)
    """
    got, due = dict(numbers(result)), dict(numbers(expected))
    return set(got) == set(due) and all(map(math.isfinite, due.values())) and _cut(got, due)


def _cut(got: dict[str, float], expected: dict[str, float]) -> bool:
    return all(value == float(repr(expected[place]).partition(".")[0]) for place, value in got.items())


def _narrowed(value: float) -> float:
    try:
        nearest: float = struct.unpack(">f", struct.pack(">f", value))[0]
    except OverflowError:
        return math.inf
    return nearest


def numbers(value: object, place: str = "") -> Iterator[tuple[str, float]]:
    """Place and value of every number of a result. Raises ValueError for what is none."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from numbers(item, f"{place}.{name}")
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from numbers(item, f"{place}[{k}]")
    else:
        yield place, float(value) if isinstance(value, int) else answered(value)
