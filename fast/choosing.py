"""What ``solve(method="auto")`` runs: a method, its options and an order, with the reason in one sentence."""

from typing import Any, NamedTuple

from dualgap.fast.matrix import arrays
from dualgap.reference.block import BlockProblem
from dualgap.reference.problem import Problem


class Choice(NamedTuple):
    """A method for ``solve``, its options, the order of its draws, and why."""

    method: str
    options: dict[str, Any]
    order: str
    reason: str


def choose(problem: Problem) -> Choice:
    """aspdc inside the paper's condition lam >= 4R^2/(n gamma), else sdca; for blocks adaspdc-r."""
    if isinstance(problem, BlockProblem):
        return Choice("adaspdc-r", {}, "uniform", "block duals: the repaired AdaSPDC converges on all of them")
    R2, mu = arrays(problem).R2, problem.regularizer.modulus
    if problem.gamma > 0 and mu >= 4 * R2 / (problem.n * problem.gamma):
        return Choice("aspdc", {}, "uniform", "lam >= 4R^2/(n gamma): the cheapest step converges")
    return Choice("sdca", {}, "uniform", "SDCA converges for every lam")
