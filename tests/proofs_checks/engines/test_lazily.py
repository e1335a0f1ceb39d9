"""What is made when first asked for is made once, and is what functools makes of it."""

import functools

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.engines.lazily import cached_property


class Counted:
    made = 0

    @cached_property
    def value(self) -> int:
        """A number."""
        self.made += 1
        return self.made

    @cached_property
    def broken(self) -> int:
        self.made += 1
        raise ValueError("broken")


def test_a_value_is_made_once_for_each_object_and_can_be_forgotten() -> None:
    one, other = Counted(), Counted()
    assert (one.value, one.value, other.value, vars(one)["value"]) == (1, 1, 1, 1)
    del one.value
    assert (
        one.value == 2
        and isinstance(vars(Counted)["value"], functools.cached_property)
        and Counted.value.__doc__ == "A number."
    )


def test_what_raises_is_tried_again() -> None:
    one = Counted()
    for k in (1, 2):
        try:
            _ = one.broken
        except ValueError:
            assert one.made == k and "broken" not in vars(one)


def test_contexts_use_it() -> None:
    assert type(vars(Context)["successors"]) is cached_property
