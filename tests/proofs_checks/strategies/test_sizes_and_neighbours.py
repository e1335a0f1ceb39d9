"""Shapes and sizes of drawn instances, neighbours of a known one, and own kinds of instances in files."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from dualgap.proofs_checks import Instance, Q, Qs, SystemInstance, instances, near, systems
from dualgap.proofs_checks.claims.instance import INSTANCES, Given, read_instance, register_instance
from dualgap.proofs_checks.claims.run import draw_instances

FREE = ("free", "unit", "equal")
KNOWN = SystemInstance(rows=(Qs(1, 2), Qs(3, 5)), b=Qs(3, 8), start=Qs(0, 7), method="kaczmarz")


@pytest.mark.parametrize(
    ("strategy", "shapes"),
    [
        (systems(method="kaczmarz", min_n=3, kinds=FREE), {(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3)}),
        (systems(method="kaczmarz", min_d=2, kinds=FREE), {(2, 2), (3, 2), (3, 3), (4, 2), (4, 3)}),
        (systems(method="kaczmarz", square=True), {(1, 1), (2, 2), (3, 3)}),
        (systems(method="kaczmarz", square=True, min_n=3), {(3, 3)}),
        (systems(method="kaczmarz", max_n=2, min_n=2, max_d=2, min_d=2), {(2, 2)}),
        (instances(method="sdca", min_n=3, max_n=3, min_d=2, max_d=2, kinds=("free",)), {(3, 2)}),
    ],
)
def test_exactly_these_shapes_are_drawn(strategy, shapes):
    assert {(len(made.rows), len(made.rows[0])) for made in draw_instances(strategy, 300, 1)} == shapes


def test_coordinates_are_those_that_are_given():
    drawn = draw_instances(systems(method="kaczmarz", kinds=("free",), coordinates=Qs(2, 3)), 100, 1)
    spoilt = {Q(0), *(x * y for x in Qs(2, 3) for y in Qs(1, 100, "1/1000000"))}
    assert {x for made in drawn for row in made.rows for x in row} <= spoilt
    assert {x for made in drawn for x in made.start} == {Q(2), Q(3)}


def test_neighbours_differ_in_a_few_numbers_of_the_fields():
    drawn = draw_instances(near(KNOWN, fields=("rows",), changes=2), 300, 1)
    away = [sum(a != b for one, other in zip(made.rows, KNOWN.rows) for a, b in zip(one, other)) for made in drawn]
    assert set(away) == {0, 1, 2} and all(made.but(rows=KNOWN.rows) == KNOWN for made in drawn)
    rows = {row for made in drawn for row in made.rows}
    assert {Qs(0, 2), Qs(2, 2), Qs(-1, 2), Qs(100, 2), Qs("9/10", 2)} <= rows
    known = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))
    assert {made.lam for made in draw_instances(near(known, fields=("lam",), changes=1), 300, 1)} > {Q(1, 2), Q(1)}


def test_fields_that_no_instance_has_are_refused():
    with pytest.raises(ValueError, match="none of them"):
        draw_instances(near(KNOWN, fields=("pieces",)), 1, 1)


@dataclass(frozen=True)
class Pieces(Given):
    name: ClassVar[str] = "test-pieces"
    pieces: tuple[Any, ...]
    title: str = ""
    size: Q = Q(1)
    method: str = "sdca"


def test_own_fields_survive_a_file(monkeypatch):
    if "test-pieces" not in INSTANCES:
        register_instance(Pieces)
    made = Pieces(pieces=(Qs(1, "1/2"), Qs(3)), title="a kink", size=Q(2, 3))
    assert read_instance(made.to_json()) == made
    with pytest.raises(ValueError, match="size must not be list"):
        read_instance({**made.to_json(), "size": ["1"]})
    with pytest.raises(ValueError, match="pieces must not be str"):
        read_instance({**made.to_json(), "pieces": "1"})
