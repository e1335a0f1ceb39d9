"""Evidence: claims, the engines that verify them, and the audit that reports what was found.

>>> from dualgap.proofs_checks import audit
>>> audit(["aspdc.a6"], size="quick", entropy=1)["verdict"]
'pass'
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualgap.proofs_checks.auditing.audit import audit
    from dualgap.proofs_checks.auditing.counterexamples import replay
    from dualgap.proofs_checks.claims.context import Context, NoDual
    from dualgap.proofs_checks.claims.extra import Extra, further
    from dualgap.proofs_checks.claims.instance import (
        Instance,
        NumbersInstance,
        Q,
        Qs,
        SystemInstance,
        register_instance,
    )
    from dualgap.proofs_checks.claims.long_run import approaches, contracts, converges, diverges, settles
    from dualgap.proofs_checks.claims.origins import OURS
    from dualgap.proofs_checks.claims.papers import Item, register_paper
    from dualgap.proofs_checks.claims.plugins import load_plugins
    from dualgap.proofs_checks.claims.registry import Hypothesis, claim
    from dualgap.proofs_checks.claims.relations import Eq, Le, Lt
    from dualgap.proofs_checks.conformance.independent.registry import (
        register_independent_loss,
        register_independent_method,
    )
    from dualgap.proofs_checks.conformance.methods.registry import register_vectors
    from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks, solver_checks
    from dualgap.proofs_checks.engines.between import array, largest, norm, root
    from dualgap.proofs_checks.engines.certificate import certificate
    from dualgap.proofs_checks.engines.drawn import check_draw
    from dualgap.proofs_checks.engines.pieces import by_pieces
    from dualgap.proofs_checks.engines.spectra import (
        characteristic,
        cycle,
        determinant,
        radius_beside,
        rank,
        step_matrices,
        trace,
    )
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
    from dualgap.proofs_checks.experiments import Experiment, register_experiment
    from dualgap.proofs_checks.properties.agreement import check_bits, check_lazy
    from dualgap.proofs_checks.strategies.instances import K_ANY, any_of, instances, numbers, systems
    from dualgap.proofs_checks.strategies.matrices import matrices
    from dualgap.proofs_checks.strategies.near import near
    from dualgap.proofs_checks.strategies.public import runs

__all__ = [
    "all_of",
    "altered",
    "any_of",
    "approaches",
    "array",
    "audit",
    "by_pieces",
    "certificate",
    "characteristic",
    "check_bits",
    "check_draw",
    "check_lazy",
    "claim",
    "Context",
    "contracts",
    "converges",
    "cycle",
    "determinant",
    "diverges",
    "enclosed",
    "Eq",
    "exact",
    "Experiment",
    "Extra",
    "fails_for",
    "fails_on",
    "fails_somewhere",
    "further",
    "golden",
    "holds_on",
    "Hypothesis",
    "Instance",
    "instances",
    "Item",
    "K_ANY",
    "largest",
    "Le",
    "load_plugins",
    "Lt",
    "matrices",
    "near",
    "NoDual",
    "norm",
    "numbers",
    "NumbersInstance",
    "OURS",
    "parametrize_with_checks",
    "Q",
    "Qs",
    "radius_beside",
    "rank",
    "register_experiment",
    "register_independent_loss",
    "register_independent_method",
    "register_instance",
    "register_mutant",
    "register_paper",
    "register_vectors",
    "replay",
    "root",
    "runs",
    "settles",
    "solver_checks",
    "step_matrices",
    "SystemInstance",
    "systems",
    "trace",
]


_HOME = {"audit": "auditing.audit", "certificate": "engines.certificate", "load_plugins": "claims.plugins"}

_OF_PACKAGES = {  # for packages with their own claims
    "auditing.counterexamples": "replay",
    "claims.context": "Context NoDual",
    "claims.extra": "Extra further",
    "claims.instance": "Instance NumbersInstance Q Qs SystemInstance register_instance",
    "claims.long_run": "approaches contracts converges diverges settles",
    "claims.origins": "OURS",
    "claims.papers": "Item register_paper",
    "claims.registry": "Hypothesis claim",
    "claims.relations": "Eq Le Lt",
    "conformance.independent.registry": "register_independent_loss register_independent_method",
    "conformance.methods.registry": "register_vectors",
    "conformance.solvers.checks": "parametrize_with_checks solver_checks",
    "evidence.levels": "all_of altered enclosed exact fails_for fails_on fails_somewhere golden holds_on",
    "evidence.mutants": "register_mutant",
    "experiments": "Experiment register_experiment",
    "engines.between": "array largest norm root",
    "engines.drawn": "check_draw",
    "engines.pieces": "by_pieces",
    "engines.spectra": "characteristic cycle determinant radius_beside rank step_matrices trace",
    "properties.agreement": "check_bits check_lazy",
    "strategies.instances": "K_ANY any_of instances numbers systems",
    "strategies.matrices": "matrices",
    "strategies.near": "near",
    "strategies.public": "runs",
}
_HOME |= {name: home for home, names in _OF_PACKAGES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a public function on first use: the light commands need none."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
