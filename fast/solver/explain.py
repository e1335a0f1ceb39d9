"""Explain the choice of ``solve(method="auto")``: the methods that it considered, their estimates, and what ran."""

import math

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.solver.auto import condition, estimates, newton_of, plan
from dualgap.fast.solver.backends import special_kernels
from dualgap.fast.solver.memory import fits
from dualgap.fast.solver.result import Result
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem

CONSIDERED = ("newton", "l1-newton", "proximal-newton", "lbfgs", "sdca", "sdca-shrinking", "asdca", "spdc", "afg")


def explain(problem: Problem, result: Result | None = None, alone: bool = False) -> list[str]:
    """Return what ``auto`` considers for a problem, with estimates, its choice and, given the result, what it changed.

    alone: whether the first choice runs to the end, as it does with options of the method, with given choices, with
    threads and in another mode than "paper".

    The lines depend only on the problem and the result, never on the clock.

    >>> from dualgap.reference import L2, Logistic, Problem
    >>> for line in explain(Problem([[1.0], [1.0]], [1, -1], Logistic(), L2(0.5)))[-2:]:
    ...     print(line)
    first: newton, to the end
    because R^2/(mu n gamma) = 0.25 and the rows are many: Newton's method is expected to take the time of 1.8 passes, \
coordinate methods 9.8
    """
    lines = [f"{problem.loss.name}, {problem.regularizer!r}: {problem.n} rows, {problem.d} columns"]
    quadratic = problem.regularizer.family == "quadratic" and not isinstance(problem, BlockProblem)
    elsewhere = problem.rows_elsewhere or isinstance(problem.X, MappedRows)
    if quadratic and not elsewhere:
        lines[0] += f", {arrays(problem).nnz} stored numbers, R^2/(mu n gamma) = {condition(problem):.3g}"
        lines[0] += " with gamma = 1" if problem.gamma == 0 else ""
        lines += considered(problem)
    turns = [(plan(problem)[0][0], math.inf)] if alone else plan(problem)
    for k, (choice, passes) in enumerate(turns):
        turn = "to the end" if passes == math.inf else f"for {passes:.0f} passes, or longer if it is about to end"
        lines.append(f"{'then' if k else 'first'}: {choice.method}, {turn}")
        if not k:
            lines.append(f"because {choice.reason}")
    if result is not None:
        lines.append(f"ran: {result.method} at the end, {result.epochs} passes, {result.status}")
        _, changed, change = result.reason.partition("; after ")
        lines.append(f"changed: after {change}" if changed else "changed: nothing")
    return lines


def considered(problem: Problem) -> list[str]:
    """Return a line for each method: its estimate, or why it is not for the problem."""
    known = special_kernels(type(problem)) or kernels()
    free, second = isinstance(problem, InterceptProblem), newton_of(problem)
    costs = estimates(problem) if second and problem.n > problem.d and not free else {}
    lines = []
    for name in CONSIDERED:
        if name not in known:
            continue
        try:
            known[name]().require(problem, "paper")
        except ValueError as error:
            lines.append(f"{name}: no, {str(error).partition('. ')[0].removeprefix(f'method {name} ')}")
            continue
        cost = costs.get(name.removesuffix("-shrinking"))
        told = "possible" if cost is None else f"estimate {cost:.3g} passes of SDCA to a relative gap of 1e-6"
        lines.append(f"{name}: {told if fits(problem, name) else 'no, it does not fit into memory'}")
    return lines
