"""Evidence: claims, the engines that verify them, and the audit that reports what was found.

>>> from dualgap.proofs_checks import audit
>>> audit(["aspdc.a6"], size="quick", entropy=1)["verdict"]
'pass'
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualgap.proofs_checks.auditing.audit import audit
    from dualgap.proofs_checks.claims.context import Context, NoDual
    from dualgap.proofs_checks.claims.extra import Extra
    from dualgap.proofs_checks.claims.instance import Instance, Q, Qs, SystemInstance, register_instance
    from dualgap.proofs_checks.claims.origins import OURS
    from dualgap.proofs_checks.claims.papers import Item, register_paper
    from dualgap.proofs_checks.claims.plugins import load_plugins
    from dualgap.proofs_checks.claims.registry import Hypothesis, claim
    from dualgap.proofs_checks.claims.relations import Eq, Le, Lt
    from dualgap.proofs_checks.engines.certificate import certificate
    from dualgap.proofs_checks.engines.drawn import check_draw
    from dualgap.proofs_checks.evidence.levels import (
        all_of,
        altered,
        enclosed,
        exact,
        fails_for,
        fails_on,
        fails_somewhere,
        golden,
        holds_on,
    )
    from dualgap.proofs_checks.evidence.mutants import register_mutant
    from dualgap.proofs_checks.properties.agreement import check_bits, check_lazy
    from dualgap.proofs_checks.strategies.instances import any_of, instances, systems
    from dualgap.proofs_checks.strategies.public import runs

__all__ = ["audit", "certificate", "check_bits", "check_draw", "check_lazy", "load_plugins"]
__all__ += [
    "OURS", "Context", "Eq", "Extra", "Hypothesis", "Instance", "Item", "Le", "Lt", "NoDual", "Q", "Qs", "SystemInstance", "all_of", "altered",
    "any_of", "claim", "enclosed", "exact", "fails_for", "fails_on", "fails_somewhere", "golden", "holds_on", "instances", "register_instance",
    "register_mutant", "register_paper", "runs", "systems",
]  # fmt: skip


_HOME = {"audit": "auditing.audit", "certificate": "engines.certificate", "check_bits": "properties.agreement", "check_draw": "engines.drawn", "check_lazy": "properties.agreement",
    "load_plugins": "claims.plugins"}  # fmt: skip
_OF_AUTHORS = {  # what a claim in somebody's own package is made of, by its home
    "claims.context": ("Context", "NoDual"), "claims.extra": ("Extra",),
    "claims.instance": ("Instance", "Q", "Qs", "SystemInstance", "register_instance"), "claims.origins": ("OURS",),
    "claims.papers": ("Item", "register_paper"), "claims.registry": ("Hypothesis", "claim"), "claims.relations": ("Eq", "Le", "Lt"),
    "evidence.levels": ("all_of", "altered", "enclosed", "exact", "fails_for", "fails_on", "fails_somewhere", "golden", "holds_on"),
    "evidence.mutants": ("register_mutant",), "strategies.instances": ("any_of", "instances", "systems"), "strategies.public": ("runs",),
}  # fmt: skip
_HOME |= {name: home for home, names in _OF_AUTHORS.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a verb when it is asked for: the light commands need neither."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
