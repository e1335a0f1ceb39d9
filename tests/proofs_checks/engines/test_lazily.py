"""A lazy value is computed once, on first use, and equals the one of functools."""

import functools

from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.engines.lazily import cached_property


class Counted:
    made = 0

    @cached_property
    def value(self) -> int:
        """A number, which cannot be made at first."""
        self.made += 1
        if self.made == 1:
            raise ValueError("broken")
        return self.made


def test_a_value_is_made_once_for_each_object_what_raises_is_tried_again_and_it_can_be_forgotten() -> None:
    one, other = Counted(), Counted()
    for counted in (one, other):
        refuses(ValueError, "broken", lambda counted=counted: counted.value)
        assert "value" not in vars(counted)
    assert (one.value, one.value, other.value, vars(one)["value"]) == (2, 2, 2, 2)
    del one.value
    assert one.value == 3 and isinstance(vars(Counted)["value"], functools.cached_property)
    assert Counted.value.__doc__ == "A number, which cannot be made at first."


def test_contexts_use_it() -> None:
    assert type(vars(Context)["successors"]) is cached_property
