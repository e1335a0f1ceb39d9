"""The same numbers at the speed of memory: compiled counterparts of the reference's methods, ``solve``, certificates,
data.

>>> from dualgap.fast import solve
>>> from dualgap.reference import L2, Problem, SmoothedHinge
>>> result = solve(Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0)), method="sdca", tol=1e-9)
>>> result.status, [round(w_j, 6) for w_j in result.w.tolist()]
('converged', [0.2, -0.2])
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualgap.fast.compiler.kernel import kernel
    from dualgap.fast.data.generators import register_generator
    from dualgap.fast.methods.base import FastDualMethod, FastMethod, FastState
    from dualgap.fast.methods.registry import kernels, register_compiled_method
    from dualgap.fast.problem.certificate import Certificate
    from dualgap.fast.problem.check_compiled_loss import check_compiled_loss
    from dualgap.fast.problem.multinomial import MultinomialProblem
    from dualgap.fast.problem.registered_losses import CompiledLoss, register_compiled_loss
    from dualgap.fast.solver.cross_validation import CrossValidation, cross_validate
    from dualgap.fast.solver.groups import Save, Stop
    from dualgap.fast.solver.result import Result
    from dualgap.fast.solver.solve import solve, solve_partitions
    from dualgap.fast.solver.sweep import sweep
    from dualgap.fast.solver.warm_up import warm_up

__all__ = [
    "Certificate",
    "CompiledLoss",
    "CrossValidation",
    "FastDualMethod",
    "FastMethod",
    "FastState",
    "MultinomialProblem",
    "Result",
    "Save",
    "Stop",
    "check_compiled_loss",
    "cross_validate",
    "kernel",
    "kernels",
    "register_compiled_loss",
    "register_compiled_method",
    "register_generator",
    "solve",
    "solve_partitions",
    "sweep",
    "warm_up",
]

_HOME = {
    "Certificate": "problem.certificate",
    "Result": "solver.result",
    "kernels": "methods.registry",
    "check_compiled_loss": "problem.check_compiled_loss",
    "CrossValidation": "solver.cross_validation",
    "cross_validate": "solver.cross_validation",
    "Save": "solver.groups",
    "Stop": "solver.groups",
    "solve": "solver.solve",
    "solve_partitions": "solver.solve",
    "sweep": "solver.sweep",
    "warm_up": "solver.warm_up",
    "CompiledLoss": "problem.registered_losses",
    "FastDualMethod": "methods.base",
    "FastMethod": "methods.base",
    "FastState": "methods.base",
    "MultinomialProblem": "problem.multinomial",
    "kernel": "compiler.kernel",
    "register_compiled_loss": "problem.registered_losses",
    "register_compiled_method": "methods.registry",
    "register_generator": "data.generators",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that reading data does not load the compiler."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
