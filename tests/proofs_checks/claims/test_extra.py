"""The further numbers of an instance: read as what they were declared, refused as anything else, and spelled in a file by name alone."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extra, Extras, Horizon, Point, Start, Weight
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.reference import Interval

ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))


@dataclass(frozen=True)
class Word(Extra):
    from_: str
    rest: Fraction | None = None


def test_records_side_by_side_are_read_each_as_its_own():
    extra = Weight(Q(1, 2)) | Point(Qs(1, 2)) | Word("a")
    assert (extra[Weight].q, extra[Point].w, extra[Word]) == (Q(1, 2), Qs(1, 2), Word("a"))
    assert Word in extra and Horizon not in extra and extra[Start] == Start(Qs(1, 2), None)
    assert list(extra.plain()) == ["q", "w", "from"]  # no underscore, and nothing for what is None


def test_what_is_later_takes_the_place_of_what_was_there_and_but_changes_only_what_is_there():
    extra = Weight(Q(1, 2)) | Point(Qs(1)) | Weight(Q(1, 3))
    assert extra.plain() == {"q": Q(1, 3), "w": Qs(1)} and extra == extra.but() == Point(Qs(1)) | Weight(Q(1, 3))
    assert extra.but(w=Qs(2))[Point].w == Qs(2) and extra[Point].w == Qs(1)
    with pytest.raises(ValueError, match="no extra number 'horizon'"):
        extra.but(horizon=3)


@pytest.mark.parametrize(("data", "kind", "words"), [
    ({}, Weight, "lack 'q', which Weight has"), ({"q": "1/2"}, Horizon, "lack 'horizon'"), ({"horizon": "5"}, Horizon, "'horizon' of the instance must be int"),
    ({"from": 3}, Word, "'from' of the instance must be str"),
])  # fmt: skip
def test_a_file_that_holds_something_else_is_refused_when_it_is_read_as_that(data, kind, words):
    instance = Instance.from_json({**ONE.to_json(), "extra": data})
    with pytest.raises(ValueError, match=words):
        instance.extra[kind]
    with pytest.raises(ValueError, match=words):
        Context(instance).extra(kind)


def test_a_dictionary_is_no_record():
    with pytest.raises(TypeError, match=r"a record, such as Weight\(q\).*got dict"):
        Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra={"q": Q(1, 2)})  # type: ignore[arg-type]


def test_a_context_has_its_rationals_in_its_own_number_and_counts_as_they_are():
    c = Context(ONE.but(extra=Weight(Q(1, 3)) | Horizon(7) | Point(Qs("1/3"))), number=Interval)
    assert type(c.extra(Weight).q) is Interval and type(c.extra(Point).w[0]) is Interval
    assert c.extra(Horizon).horizon == 7 and type(c.extra(Horizon).horizon) is int
    assert c.instance.extra[Weight].q == Q(1, 3)


def test_a_file_comes_back_with_the_order_of_its_names():
    instance = ONE.but(extra=Horizon(3) | Weight(Q(1, 2)) | Start(Qs(1), Qs(2)))
    again = Instance.from_json(instance.to_json())
    assert again == instance and list(again.extra.plain()) == ["horizon", "q", "w", "before"]
    assert isinstance(again.extra, Extras) and again.to_json() == instance.to_json()
