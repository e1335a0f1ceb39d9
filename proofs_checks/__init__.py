"""Evidence: claims, the engines that verify them, and the audit that reports what was found.

>>> from dualgap.proofs_checks import audit
>>> audit(["aspdc.a6"], size="quick", entropy=1)["verdict"]
'pass'
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualgap.proofs_checks.auditing.audit import audit
    from dualgap.proofs_checks.claims.plugins import load_plugins
    from dualgap.proofs_checks.engines.certificate import certificate

__all__ = ["audit", "certificate", "load_plugins"]


_HOME = {"audit": "auditing.audit", "certificate": "engines.certificate", "load_plugins": "claims.plugins"}


def __getattr__(name: str) -> Any:
    """Import a verb when it is asked for: the light commands need neither."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
