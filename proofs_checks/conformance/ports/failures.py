"""One failure, as data and in words: its place, the number, the expected number, the state and the formula."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import formula
from dualgap.proofs_checks.conformance.ports.fuzz import FRESH, Drawn
from dualgap.proofs_checks.conformance.ports.outcomes import Outcome
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.report.terminal import printable

WIDTH = 110
LONGEST = 2000  # characters of one row: an answer may have millions
STEPPING = ("step", "trajectory", "branches")


def to_json(outcome: Outcome) -> Json:
    """The failure as data."""
    case, difference = outcome.case, outcome.difference
    got, due = (difference.got, difference.due) if difference else (None, None)
    exact = None if due is None or due.exact is None else str(due.exact)
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
        "choice": _choice(outcome),
        "got": None if got is None else _number(got),
        "due": None if due is None else _number(due.nearest) | {"exact": exact, "tolerance": str(due.tolerance)},
        "ulps": difference.ulps if difference else None,
        "formula": formula(case.call, case.method),
        "hint": outcome.hint,
        "causes": [],  # leaves in the next minor version
        "flags": list(case.flags),
    }


def _number(value: float) -> Json:
    return {"bits": hex_floats.encode(value), "decimal": repr(value)}


def _choice(outcome: Outcome) -> object:
    """The choice of the step that is wrong, or None."""
    given, difference = outcome.case.given, outcome.difference
    if "choice" in given:
        return given["choice"]
    return given["choices"][difference.step] if difference is not None and difference.step is not None else None


def describe(outcome: Outcome) -> str:
    """The failure as it is printed."""
    case, difference = outcome.case, outcome.difference
    subject = case.call if case.call.endswith(case.method) or case.level == "L0" else f"{case.call} of {case.method}"
    rows = [(outcome.kind, outcome.reason)] if difference is None else [("at", _where(outcome)), *_got_and_due(outcome)]
    if case.call in STEPPING:
        rows.append(("before", _written(_before(outcome))))
    elif case.level == "L0":
        rows.append(("given", _written({name: value for name, value in case.given.items() if name != "problem"})))
    rows += [("formula", formula(case.call, case.method)), ("hint", outcome.hint)]
    return _page(f"{case.id} ({case.level}, {subject}, class {case.tolerance_class})", rows)


def describe_drawn(drawn: Drawn, entropy: int) -> str:
    """A wrong answer on a drawn problem, with the smallest request that shows it."""
    title = f"{FRESH}, {drawn.method}, on a drawn problem (shrunk; entropy {entropy}; --json has the request)"
    return _page(title, [("false", drawn.text), ("on", _written(drawn.on)), ("hint", drawn.hint)])


def _page(title: str, rows: list[tuple[str, str]]) -> str:
    """A title, and a filled paragraph for each row that says something."""
    texts = [f"  {name:<8} {printable(text[:LONGEST])}" for name, text in rows if text or name != "hint"]
    return "\n".join(
        [title, *(textwrap.fill(t, WIDTH, subsequent_indent=" " * 11, break_on_hyphens=False) for t in texts)]
    )


def _where(outcome: Outcome) -> str:
    """Place, step and drawn index."""
    difference, choice = outcome.difference, _choice(outcome)
    assert difference is not None
    kind = "branch" if outcome.case.call == "branches" else "step"
    step = "" if difference.step is None else f"{kind} {difference.step} (the first that is wrong)"
    parts = [difference.place, step, "" if choice is None else f"choice {choice}"]
    return ", ".join(filter(None, parts)) or "the answer as a whole"


def _got_and_due(outcome: Outcome) -> list[tuple[str, str]]:
    difference = outcome.difference
    assert difference is not None
    got, due, ulps = difference.got, difference.due, difference.ulps
    if got is None or due is None:
        return [("wrong", difference.text)]
    exact = "" if due.exact is None or len(str(due.exact)) > hex_floats.LONGEST_EXACT else f" = {due.exact}"
    allowed = f", tolerance {float(due.tolerance):.2g}" if due.tolerance else ""
    distance = "" if ulps is None else f", {ulps if ulps < 10**6 else f'{ulps:.1e}'} ulps away"
    return [
        ("got", f"{got!r} ({hex_floats.encode(got)}){distance}"),
        ("due", f"{due.nearest!r} ({hex_floats.encode(due.nearest)}){exact}{allowed}"),
    ]


def _before(outcome: Outcome) -> Json:
    """The state before the wrong step: the given one, or the one that the port itself returned before."""
    case, difference = outcome.case, outcome.difference
    if case.call == "trajectory" and difference is not None and difference.step and outcome.result is not None:
        return dict(outcome.result["states"][difference.step - 1])
    return dict(case.given["state"])


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(_written(item) for item in value)})"
    if isinstance(value, dict):
        parts = ((name, _written(item), isinstance(item, dict)) for name, item in value.items())
        return ", ".join(f"{name} = ({text})" if nested else f"{name} = {text}" for name, text, nested in parts)
    return repr(hex_floats.decode(value)) if hex_floats.is_number(value) else str(value)


def across_methods(failures: Sequence[Outcome]) -> list[Outcome]:
    """The first failure of every method, then the second of every method, and so on."""
    by_method: dict[str, list[Outcome]] = {}
    for outcome in failures:
        by_method.setdefault(outcome.case.method, []).append(outcome)
    return [outcome for rank in zip_longest(*by_method.values()) for outcome in rank if outcome is not None]
