"""Hints about a wrong number: it is -1, n, 1/n, lam, ... times the right one, unchanged, finite instead of infinite, or
in single precision. docs/ports.md lists the usual mistakes by symptom."""

import math

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference

NEAR = 2.0**-30  # relatively: far above the roundings of one step
SINGLE = (2.0**-27, 2.0**-20)  # of the value: what rounding to 24 bits, once or a few times, does


def hint(given: Json, difference: Difference) -> str:
    """Return the relation of the number to the expected one, or of its change to the expected change; "" if there is no
    simple one.

    given : the request, bare or with readings.

    >>> from fractions import Fraction
    >>> due = hex_floats.read(hex_floats.spell_due(Fraction(3, 2), None))
    >>> hint({}, Difference("value", None, -1.5, due, ""))
    'the number is -1 times what is due'
    """
    if difference.got is None or difference.due is None:
        return ""
    got, due = difference.got, difference.due.nearest
    if not (math.isfinite(got) and math.isfinite(due)):
        if math.isnan(got):
            return "the number is not a number: 0/0, or infinity minus infinity, on the way"
        if math.isfinite(got):
            return "the number is finite and infinity is due: outside a domain"
        if math.isfinite(due):
            return "the number is infinite and a finite one is due: an overflow, or a domain that is too small"
        return "the number is -1 times what is due"
    before = _before(given, difference.place)
    if before is not None and got == before != due:
        return "the number is not changed"
    factors = _factors(given)
    for subject, one, two in (
        ("number", got, due),
        *((("change", got - before, due - before),) if before is not None else ()),
    ):
        for name, factor in factors:
            if two and abs(one - factor * two) <= NEAR * abs(factor * two):
                return f"the {subject} is {name} times {'what is due' if subject == 'number' else 'the change due'}"
    if due and SINGLE[0] <= abs(got - due) / abs(due) <= SINGLE[1]:
        return "the error is about 2^-24 of the value: single precision somewhere on the way"
    return ""


def _before(given: Json, place: str) -> float | None:
    """The number of the given state at a place such as "alpha[1]"."""
    name, _, index = place.removesuffix("]").partition("[")
    values = given.get("state", {}).get(name)
    try:
        text = values[int(index)] if index else values
        return hex_floats.decode(text) if isinstance(text, str) else None
    except (IndexError, KeyError, TypeError, ValueError):
        return None


def _factors(given: Json) -> list[tuple[str, float]]:
    """Names and values, those of one value together: where n = 2, "2 or n"."""
    problem, choice = given.get("problem", {}), given.get("choice")
    counts: list[tuple[str, float]] = [(name, float(problem[name])) for name in ("n", "d") if name in problem]
    if isinstance(choice, list) and choice:
        counts.append(("m", float(len(choice))))
    for name in ("lam", "gamma", "q", "tau", "sigma", "theta"):
        text = problem.get(name, given.get("parameters", {}).get(name, given.get(name)))
        if isinstance(text, str) and hex_floats.decode(text):
            counts.append((name, hex_floats.decode(text)))
    pairs = [("-1", -1.0), ("2", 2.0), ("1/2", 0.5)]
    for name, value in counts:
        pairs += [(name, value), (f"1/{name}", 1 / value)]
    found: dict[float, list[str]] = {}
    for name, value in pairs:
        if value not in (0.0, 1.0):
            found.setdefault(value, []).append(name)
    return [("0", 0.0), *((" or ".join(names), value) for value, names in found.items())]
