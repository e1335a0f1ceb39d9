"""``dualgap.certify``: bound P(w) - min P for the w of any solver, without compiled code.

>>> from dualgap import certify
>>> certify([[1.0, 0.0], [0.0, 1.0]], [1, -1], [0.2, -0.2], loss="smoothed-hinge", lam=2.0).gap_bound < 1e-28
True

This module is the function of that name as well: ``dualgap`` has no attributes but modules (setup.py says why). Type
checkers know ``from dualgap.certify import certify``.
"""

import sys
from types import ModuleType
from typing import Any

from dualgap.fast.certify.certify import Certified, certify

__all__ = ["Certified", "certify"]


class _Called(ModuleType):
    """A module that is called as ``certify``."""

    def __call__(self, *given: Any, **options: Any) -> Certified:
        return certify(*given, **options)


sys.modules[__name__].__class__ = _Called
