"""One failure in words: where, what was got and what is expected, from which state, by which formula, and a hint."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import formula
from dualgap.proofs_checks.conformance.ports.fuzz import Drawn
from dualgap.proofs_checks.conformance.ports.outcomes import Outcome
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.report.terminal import printable

WIDTH = 110
LONGEST = 2000  # characters of one row: an answer may have millions
STEPPING = ("step", "trajectory", "branches")


def describe(outcome: Outcome) -> str:
    """The failure as it is printed."""
    case, difference = outcome.case, outcome.difference
    subject = case.call if case.call.endswith(case.method) or case.level == "L0" else f"{case.call} of {case.method}"
    lines = [f"{case.id} ({case.level}, {subject}, class {case.tolerance_class})"]
    rows: list[tuple[str, str]] = []
    if difference is None:
        rows.append((outcome.kind, outcome.reason))
    else:
        rows += [("at", _where(outcome)), *_got_and_due(outcome)]
    if case.call in STEPPING:
        rows.append(("before", _written(_before(outcome))))
    elif case.level == "L0":
        rows.append(("given", _written({name: value for name, value in case.given.items() if name != "problem"})))
    rows.append(("formula", formula(case.call, case.method)))
    rows += [("hint", outcome.hint)] if outcome.hint else []
    return "\n".join([*lines, *(_filled(name, text) for name, text in rows)])


def _where(outcome: Outcome) -> str:
    """Place, step and drawn index."""
    difference = outcome.difference
    assert difference is not None
    parts = [difference.place] if difference.place else []
    if difference.step is not None:
        parts.append(
            f"{'branch' if outcome.case.call == 'branches' else 'step'} {difference.step} (the first that is wrong)"
        )
    if (choice := drawn_choice(outcome)) is not None:
        parts.append(f"choice {choice}")
    return ", ".join(parts) or "the answer as a whole"


def drawn_choice(outcome: Outcome) -> object:
    """The choice of the step that is wrong, or None."""
    given, difference = outcome.case.given, outcome.difference
    if "choice" in given:
        return given["choice"]
    return given["choices"][difference.step] if difference is not None and difference.step is not None else None


def _got_and_due(outcome: Outcome) -> list[tuple[str, str]]:
    difference = outcome.difference
    assert difference is not None
    if difference.got is None or difference.due is None:
        return [("wrong", difference.text)]
    expected = difference.due
    exact = (
        "" if expected.exact is None or len(str(expected.exact)) > hex_floats.LONGEST_EXACT else f" = {expected.exact}"
    )
    allowed = f", tolerance {float(expected.tolerance):.2g}" if expected.tolerance else ""
    ulps = difference.ulps
    distance = "" if ulps is None else f", {ulps if ulps < 10**6 else f'{ulps:.1e}'} ulps away"
    return [
        ("got", f"{difference.got!r} ({hex_floats.encode(difference.got)}){distance}"),
        ("due", f"{expected.nearest!r} ({hex_floats.encode(expected.nearest)}){exact}{allowed}"),
    ]


def _before(outcome: Outcome) -> Json:
    """The state before the wrong step: the given one, or the one that the port itself returned before."""
    case, difference = outcome.case, outcome.difference
    if case.call == "trajectory" and difference is not None and difference.step and outcome.result is not None:
        return dict(outcome.result["states"][difference.step - 1])
    return dict(case.given["state"])


def describe_drawn(drawn: Drawn, entropy: int) -> str:
    """A wrong answer on a drawn problem, with the smallest request that shows it."""
    rows = [("false", drawn.text), ("on", _written(drawn.on)), *([("hint", drawn.hint)] if drawn.hint else [])]
    lines = [f"{drawn.check}, {drawn.method}, on a drawn problem (shrunk; entropy {entropy}; --json has the request)"]
    return "\n".join([*lines, *(_filled(name, text) for name, text in rows)])


def _filled(name: str, text: str) -> str:
    return textwrap.fill(
        f"  {name:<8} {printable(text[:LONGEST])}", WIDTH, subsequent_indent=" " * 11, break_on_hyphens=False
    )


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(_written(item) for item in value)})"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_inside(item)}" for name, item in value.items())
    return repr(hex_floats.decode(value)) if hex_floats.is_number(value) else str(value)


def _inside(value: object) -> str:
    return f"({_written(value)})" if isinstance(value, dict) else _written(value)


def to_json(outcome: Outcome) -> Json:
    """The failure as data."""
    case, difference = outcome.case, outcome.difference
    return {
        "id": case.id,
        "level": case.level,
        "call": case.call,
        "method": case.method,
        "class": case.tolerance_class,
        "kind": outcome.kind,
        "reason": outcome.reason,
        "place": difference.place if difference else "",
        "step": difference.step if difference else None,
        "choice": drawn_choice(outcome),
        "got": None if difference is None or difference.got is None else _number(difference.got),
        "due": (
            None if difference is None or difference.due is None else _number(difference.due.nearest, difference.due)
        ),
        "ulps": difference.ulps if difference else None,
        "formula": formula(case.call, case.method),
        "hint": outcome.hint,
        "flags": list(case.flags),
    }


def _number(value: float, expected: hex_floats.Reading | None = None) -> Json:
    found: Json = {"bits": hex_floats.encode(value), "decimal": repr(value)}
    if expected is not None:
        found |= {
            "exact": None if expected.exact is None else str(expected.exact),
            "tolerance": str(expected.tolerance),
        }
    return found


def across_methods(failures: Sequence[Outcome]) -> list[Outcome]:
    """The first failure of every method, then the second of every method, and so on."""
    by_method: dict[str, list[Outcome]] = {}
    for outcome in failures:
        by_method.setdefault(outcome.case.method, []).append(outcome)
    return [outcome for rank in zip_longest(*by_method.values()) for outcome in rank if outcome is not None]
