"""CoCoA+ on one machine, compiled: the counterpart of ``dualgap.extras.cocoa.reference``, same rounds, bit-identical
results.

A worker's local steps are the kernel of SDCA with mu n/sigma' instead of mu n. Threads share the workers among
them; the sum over the workers is made in their order, so that the bits do not depend on how many threads there are.
Over processes and machines: ``dualgap.extras.cocoa.cluster``.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from dualgap.extras.cocoa.compiled_kernels import add, aggregate, combine_workers, local_solution
from dualgap.extras.cocoa.reference import CoCoA
from dualgap.fast.methods.base import FastDualMethod
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.sdca import sdca_steps
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.objective import Objective
from dualgap.reference.problem.problem import Problem

if TYPE_CHECKING:
    from dualgap.extras.cocoa.cluster.run import PartitionedResult


@register_compiled_method
class FastCoCoA(FastDualMethod):
    """Algorithm 1 of both papers, on this machine.

    Parameters
    ----------
    threads : >= 1, that share the workers among them; the bits do not depend on it.
    options : those of the reference.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> FastCoCoA(parts=2).run(problem, [[0, 1]]).alpha.tolist()
    [-1.0, 1.0]
    """

    name = "cocoa"
    kernel = sdca_steps

    def __init__(self, threads: int = 1, **options: object) -> None:
        if not (isinstance(threads, int) and threads >= 1):
            raise ValueError(f"threads must be an integer >= 1 (got {threads!r})")
        super().__init__(**options)
        self.threads = threads

    @staticmethod
    def solve_partitions(*given: Any) -> "PartitionedResult":
        """``solve`` for rows in partitions, see ``cluster.run``."""
        from dualgap.extras.cocoa.cluster.run import solve_partitions

        return solve_partitions(*given)

    def steps(self, problem: Problem, state: object, choices: Array) -> None:
        with ThreadPoolExecutor(self.threads) as pool:
            for rows in choices:
                self.round(problem, state, rows, map if self.threads == 1 else pool.map)

    def round(self, problem: Problem, state: Any, rows: Array, over: Callable[..., Iterable[Array]]) -> None:
        """Run one round; ``over`` runs the workers and keeps their order."""
        reference: CoCoA = self.reference  # type: ignore[assignment]
        objective, constants = Objective(problem), reference.constants(problem)
        moved, total = state.alpha.copy(), np.zeros(problem.d)
        parts = [rows[(rows >= part.start) & (rows < part.stop)] for part in reference.ranges(problem)]
        # CoCoA+ lines 3, 4
        for v_k in over(
            lambda own: local_solution(objective, constants.spread, state.v, moved, own, problem.scale), parts
        ):
            add(total, v_k)
        aggregate(state.alpha, moved, constants.weight)  # CoCoA+ line 5
        combine_workers(state.v, total, constants.rest, constants.divisor)  # CoCoA+ line 8
