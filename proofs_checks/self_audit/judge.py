"""Answers of a port that are right or wrong beforehand, and what the judge of the vectors says of them."""

import hashlib
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol import compare as judging
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.self_audit.saying import differs, refuses

THIRD = hex_floats.spell_due(Fraction(1, 3), Fraction(1, 10**15))
ONE, ZERO, INFINITE = (
    hex_floats.spell_due(Fraction(1)),
    hex_floats.spell_due(Fraction(0)),
    hex_floats.spell_given(math.inf),
)
STATE = {"alpha": [ONE, THIRD], "v": [ZERO], "t": 1}
DUE: Json = {"states": [STATE, {**STATE, "t": 2}, {**STATE, "t": 3}]}


def answer(**changed: object) -> Json:
    """Three right states; in the last of them some fields changed."""
    states: list[Json] = [hex_floats.plain(dict(state)) for state in DUE["states"]]
    states[-1] |= changed
    return {"states": states}


def near(value: float) -> str:
    """Its bits."""
    return hex_floats.encode(value)


A_THIRD, UP = float(Fraction(1, 3)), math.nextafter(1.0, 2.0)
RESULTS: tuple[tuple[str, Any, bool], ...] = (  # what came, and whether it is right
    ("all right", answer(), True),
    ("a further member", answer(more=1), True),
    ("within the tolerance", answer(alpha=[near(1.0), near(A_THIRD + 9e-16)]), True),
    ("beyond the tolerance, above", answer(alpha=[near(1.0), near(A_THIRD + 1.1e-15)]), False),
    ("beyond the tolerance, below", answer(alpha=[near(1.0), near(A_THIRD - 1.1e-15)]), False),
    ("one ulp off where nothing is rounded", answer(alpha=[near(UP), near(A_THIRD)]), False),
    ("minus zero for zero", answer(v=[near(-0.0)]), True),
    ("a denormal for zero", answer(v=[near(5e-324)]), False),
    ("NaN", answer(v=[near(math.nan)]), False),
    ("infinity", answer(alpha=[near(1.0), near(math.inf)]), False),
    ("an entry less", answer(alpha=[near(1.0)]), False),
    ("an entry more", answer(v=[near(0.0), near(0.0)]), False),
    ("another integer", answer(t=4), False),
    ("a truth value for an integer", answer(t=True), False),
    ("an integer as a number", answer(t=near(3.0)), False),
    ("capital letters", answer(alpha=["3FF0000000000000", near(A_THIRD)]), False),
    ("a decimal", answer(alpha=[1.0, near(A_THIRD)]), False),
    ("more than 16 digits", answer(alpha=[f"{near(1.0)} 1.0", near(A_THIRD)]), False),
    (
        "a field missing",
        {
            "states": [
                hex_floats.plain(dict(STATE)),
                hex_floats.plain(dict(STATE)),
                {"alpha": [near(1.0), near(A_THIRD)], "t": 3},
            ]
        },
        False,
    ),
    ("the last state missing", {"states": answer()["states"][:-1]}, False),
    ("all states missing", {"states": []}, False),
    ("a state too many", {"states": [*answer()["states"], *answer()["states"][-1:]]}, False),
    ("no states", {}, False),
    (
        "the first state with a truth value for 1",
        {"states": [{**hex_floats.plain(STATE), "t": True}, *answer()["states"][1:]]},
        False,
    ),
    (
        "the first state wrong, the last one right",
        {"states": [hex_floats.plain({**STATE, "t": 5}), *answer()["states"][1:]]},
        False,
    ),
)


def answers() -> Iterator[str]:
    """Trajectories, single states and bare results: which are accepted."""
    for name, result, right in RESULTS:
        yield from differs(f"a trajectory, {name}: accepted", judging.compare(DUE, result) is None, right)
    last: Json = DUE["states"][-1]
    for name, result, right in RESULTS:
        for state in (
            result.get("states", [])[-1:]
            if len(result.get("states", [])) == 3 and not name.startswith("the first")
            else []
        ):
            yield from differs(
                f"a state, {name}: accepted", judging.compare({"state": last}, {"state": state}) is None, right
            )
            yield from differs(f"a result, {name}: accepted", judging.compare(last, state) is None, right)
    for came, right in ((math.inf, True), (1e308, False), (-math.inf, False), (math.nan, False)):
        yield from differs(
            f"{came} for infinity: accepted", judging.compare({"value": INFINITE}, {"value": near(came)}) is None, right
        )


FILE, WRITTEN = "steps.json", b'{"a": 1}'


def seals() -> Iterator[str]:
    """A vector file of which one bit was changed, with or without a new seal; a file too many, and one too few."""
    for name, change, expected in (
        ("as it was written", {}, True),
        ("a bit changed", {FILE: b'{"a": 2}'}, False),
        ("a file too many", {"more.json": b"{}"}, False),
        ("a file too few", {FILE: None}, False),
        (
            "the manifest changed",
            {vectors.MANIFEST: manifest_of({FILE: WRITTEN}).replace(b'"cases": 0', b'"cases": 1')},
            False,
        ),
    ):
        with temporary_folder() as folder:
            for file, raw in {FILE: WRITTEN, vectors.MANIFEST: manifest_of({FILE: WRITTEN}), **change}.items():
                if raw is not None:
                    (folder / file).write_bytes(raw)
            yield from differs(f"vectors, {name}: read", not refuses(lambda: vectors.contents(folder)), expected)  # noqa: B023


def manifest_of(files: dict[str, bytes]) -> bytes:
    """The manifest of these files, sealed."""
    return vectors.sealed(
        {name: {"sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw), "cases": 0} for name, raw in files.items()}
    )
