"""One case in words: its input, the expected result with its tolerance, and the bugs that it catches."""

from collections.abc import Mapping
from typing import Any

from dualgap.proofs_checks.conformance.methods.registry import ROWS, formula
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs.planting import Flag
from dualgap.proofs_checks.conformance.vectors.load import TITLES, Case

CLASSES = {
    "E": "E, exact: every intermediate result is a double with bits to spare; the answer is the number itself",
    "R": (
        "R, rounded: the due number is exact; +- is 2 c 2^-53 M, c the roundings on the way, M the formula in"
        " magnitudes"
    ),
    "T": "T, transcendental: as R, exp and log counted as 16 roundings",
}


def explained(case: Case, flags: Mapping[str, Flag]) -> list[tuple[str, str]]:
    """Name and text of every line."""
    pairs = [
        ("case", case.id),
        ("level", f"{case.level}, {TITLES[case.level]}"),
        ("call", f"{case.call} ({case.source})"),
        ("formula", formula(case.call, case.method)),
        ("class", CLASSES[case.tolerance_class]),
    ]
    for name, value in case.given.items():
        pairs += _lines(name, value, given=True)
    for name, value in ({"predicate": case.predicate} if case.due is None else case.due).items():
        pairs += _lines(f"due {name}", value, given=False)
    return pairs + [(f"catches {name}", f"{flags[name].bug}: {flags[name].effect}") for name in case.flags]


def _lines(name: str, value: object, given: bool) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in _lines(f"{name}.{key}", item, given)]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [pair for k, item in enumerate(value) for pair in _lines(f"{name}[{k}]", item, given)]
    return [(name, _text(value, given))]


def _text(value: Any, given: bool) -> str:
    """A number without its bits where it is given, with them where it is due."""
    if isinstance(value, list):
        return f"({', '.join(_text(item, given) for item in value)})"
    return value[17:] if given and hex_floats.is_number(value) else str(value)


def undescribed(text: str) -> list[tuple[str, str, str, str]]:
    """Name, state, start and step of every method with vectors that a text does not name between backticks.

    >>> text = " ".join(f"`{name}`" for name in ROWS if name != "svrg")
    >>> undescribed(text)[0][:2]
    ('`svrg`', 'w, w_tilde, mu_tilde, t, s, kept')
    """
    return [
        (f"`{name}`", ", ".join(row.kind.names()), row.start, row.formula)
        for name, row in ROWS.items()
        if f"`{name}`" not in text
    ]
