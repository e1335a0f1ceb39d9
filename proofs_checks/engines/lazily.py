"""``cached_property`` as Python has it from 3.12 on; before, every first look took a lock: 3 % of a one-step
expectation of few rows.
"""

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """A method's result, computed on first use."""

        def __get__(self, instance: object, owner: object = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


__all__ = ["cached_property"]
