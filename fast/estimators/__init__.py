"""The name that the estimators had before they moved to extras: imports and old pickles find them under it until the
next version. Nothing else lives here.

May import: reference.
"""

import importlib
import sys
import warnings
from typing import Any

from dualgap.reference.problem.registry import EXTRAS

warnings.warn(
    f"{__name__} is {EXTRAS}.estimators now; the old name goes with the next version", DeprecationWarning, stacklevel=2
)
for part in ("", ".base", ".classifier", ".regressor"):
    sys.modules[f"{__name__}{part}"] = importlib.import_module(f"{EXTRAS}.estimators{part}")


def __getattr__(name: str) -> Any:
    """Return an attribute of the module that replaces this one; for type checkers."""
    return getattr(sys.modules[__name__], name)
