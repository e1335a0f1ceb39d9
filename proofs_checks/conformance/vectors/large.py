"""Cases too large for a file: thousands of rows, a row of ten thousand entries, a line of a megabyte. They are made
for each run, always the same.

What a port reads four entries at a time, or into an array of fixed length, is right in every small case.
"""

from collections.abc import Iterable, Iterator

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, LARGE, Draw
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case

TRIES = 4


def large_cases(methods: Iterable[str], independent: type[Independent] | None = None) -> Iterator[Case]:
    """A step of each method on each large problem, and two certificates, checked by ``independent`` if given."""
    for shape in LARGE:
        for method in methods:
            yield from _step(ROWS[method], shape, independent)
        yield from _certificate(shape, independent)


def _step(row: MethodSpec, shape: str, independent: type[Independent] | None) -> Iterator[Case]:
    """One step; on the row with the most entries, where the method lets one choose."""
    loss = next((loss for loss in row.losses if "E" in row.classes(loss)), row.losses[0])
    draw = Draw(f"large {row.name} {shape}")
    for _ in range(TRIES):
        p = row.problem(draw, DYADIC, loss, row.nets[-1], shape)
        given = row.request(draw, DYADIC, p, 1)
        result = make_case("step", hex_floats.plain(given), independent)
        if result is not None:
            yield _case(f"{row.name}.step", "L1", "step", given, result, row.source)
            return


def _certificate(shape: str, independent: type[Independent] | None) -> Iterator[Case]:
    """P, D and the gap."""
    draw = Draw(f"large certificate {shape}")
    p = random_data.problem(draw, DYADIC, "smoothed-hinge", True, shape)
    w = random_data.vector([draw.pick(DYADIC.coordinates) for _ in range(p["d"])])
    given = {"problem": p, "w": w, "alpha": random_data.vector(random_data.alpha(draw, DYADIC, p))}
    result = make_case("certificate", hex_floats.plain(given), independent)
    if result is not None:
        yield _case(
            "certificates.certificate", "L3", "certificate", given, result, "ASPDC, Lemma 1 and the gap identity"
        )


def _case(stem: str, level: str, call: str, given: Json, result: ExpectedResult, source: str) -> Case:
    name = f"{stem}.large.{result.tolerance_class.lower()}.n{given['problem']['n']}"
    return Case(name, level, call, result.tolerance_class, (), given, result.due, None, source)
