"""The further numbers of an instance: read as what they were declared, refused as anything else, and spelled in a file
by name alone.
"""

from dataclasses import dataclass
from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extra, Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.reference import Interval

ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))


@dataclass(frozen=True)
class Word(Extra):
    from_: str
    rest: Fraction | None = None
    often: int = 1


def test_records_side_by_side_are_read_each_as_its_own():
    extra = further(q=Q(1, 2)) | further(w=Qs(1, 2)) | Word("a")
    assert (extra.q, extra.w, extra[Word]) == (Q(1, 2), Qs(1, 2), Word("a"))
    assert Word in extra and not extra.has("horizon") and extra.get("horizon", 3) == 3 and extra.from_ == "a"
    assert list(extra.plain()) == ["q", "w", "from", "often"]  # no underscore, and nothing for what is None


def test_what_is_later_takes_the_place_of_what_was_there_and_but_changes_only_what_is_there():
    extra = further(q=Q(1, 2)) | further(w=Qs(1)) | further(q=Q(1, 3))
    assert extra.plain() == {"q": Q(1, 3), "w": Qs(1)} and extra == extra.but() == further(w=Qs(1)) | further(q=Q(1, 3))
    assert extra.but(w=Qs(2)).w == Qs(2) and extra.w == Qs(1)
    refuses(ValueError, "no extra number 'horizon'", extra.but, horizon=3)


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        ({}, Word, "lack 'from', which Word has"),
        ({"from": "a", "often": "5"}, Word, "'often' of the instance must be int"),
        ({"from": 3}, Word, "'from' of the instance must be str"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_when_it_is_read_as_that(data, kind, words):
    instance = Instance.from_json({**ONE.to_json(), "extra": data})
    refuses(ValueError, words, lambda: instance.extra[kind])
    refuses(ValueError, words, lambda: Context(instance).extra(kind))


def test_a_dictionary_is_no_record():
    with pytest.raises(TypeError, match="by further.*got dict"):
        Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra={"q": Q(1, 2)})  # type: ignore[arg-type]


def test_a_context_has_its_rationals_in_its_own_number_and_counts_as_they_are():
    c = Context(ONE.but(extra=further(q=Q(1, 3)) | further(horizon=7) | further(w=Qs("1/3"))), number=Interval)
    assert type(c.given.q) is Interval and type(c.given.w[0]) is Interval
    assert c.given.horizon == 7 and type(c.given.horizon) is int
    assert c.instance.extra.q == Q(1, 3)


def test_a_file_comes_back_with_the_order_of_its_names():
    instance = ONE.but(extra=further(horizon=3) | further(q=Q(1, 2)) | further(w=Qs(1), before=Qs(2)))
    again = Instance.from_json(instance.to_json())
    assert again == instance and list(again.extra.plain()) == ["horizon", "q", "w", "before"]
    assert isinstance(again.extra, Extras) and again.to_json() == instance.to_json()


def test_a_number_that_is_missing_is_named():
    refuses(ValueError, "lack 'horizon'.*it holds: q", lambda: Context(ONE.but(extra=further(q=Q(1)))).given.horizon)
