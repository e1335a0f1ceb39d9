"""ASPDC, Lemma 2 for n = 10 to 20 and every loss over long horizons: a betting test, which may refute it and proves
nothing.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import Any

from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence, Source
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.evalues import EProcess
from dualgap.proofs_checks.evidence.mutants import mutant_class
from dualgap.proofs_checks.evidence.trajectories import start_of_meaning
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import LOSSES, Method, Regularizer, method
from dualgap.reference.problem.problem import Problem


def float_problem(random: Random, number: int, inverse_K: float) -> tuple[Problem, list[float]]:
    """A float problem of 10 to 20 rows on the unit sphere with lam n gamma/R^2 = inverse_K, and a start."""
    kind = LOSSES[strategies.SMOOTH[number % len(strategies.SMOOTH)]]
    n, d = random.randint(10, 20), random.randint(2, 6)
    loss = kind(random.choice((1, Q(1, 2)))) if kind.adjustable else kind()
    y = [random.choice((-1.0, 1.0)) for _ in range(n)]
    rows = []
    for y_i in y:  # y_i (e_1 + noise): the kinks of the hinge losses are crossed
        row = [y_i * ((j == 0) + random.gauss(0, 0.5)) for j in range(d)]
        norm = math.sqrt(math.fsum(x * x for x in row))
        rows.append([x / norm for x in row])
    alpha = [-y_i * random.random() for y_i in y]
    return Problem(rows, y, loss, Regularizer(inverse_K / (n * float(loss.gamma)))), alpha


Bound = Callable[[Problem], tuple[float, float]]


def paper_bound(problem: Problem) -> tuple[float, float]:
    """(2n, 1/(2n)): constant and rate of Lemma 2."""
    return 2 * problem.n, 1 / (2 * problem.n)


def sharp_bound(problem: Problem) -> tuple[float, float]:
    """(1 + nK, s/n)."""
    return 1 + problem.n * problem.K_max, (1 - problem.K_max) / problem.n


def bets(run: Run, name: str, seeds: int, bound: Bound, inverse_K: float, solver: Method[Any]) -> EProcess:
    """The e-process of X = gap_T/(constant (1 - rate)^T gap_0) over independent problems and runs.

    T is three times the vacuous start, so the bound is about constant^-2 gap_0 > 1e-4 gap_0, far above the rounding of
    a gap that is computed as a sum of nonnegative terms. K has a relative error of a few 1e-16, which changes
    the bound by less than a relative 1e-12 over T < 1000 steps.
    """
    random, process = run.random(name), EProcess()
    for number in range(seeds):
        problem, alpha = float_problem(random, number, inverse_K)
        constant, rate = bound(problem)
        T = 3 * start_of_meaning(constant, rate)
        end = solver.run(problem, [random.randrange(problem.n) for _ in range(T)], solver.init(problem, alpha))
        alpha_T = solver.view(problem, end)[1]
        try:
            gap = problem.gap(problem.w(alpha_T), alpha_T)
        except ValueError:  # a mutant left the domain: its D is -infinity
            gap = math.inf
        start = problem.gap(problem.w(alpha), alpha)
        process.observe(gap / (constant * (1 - rate) ** T * start))
    return process


def not_refuted(bound: Bound, inverse_K: float) -> Source:
    """NOT-REFUTED: ``bets`` on the method itself."""

    @statistical
    def source(claim: Claim, run: Run) -> Evidence:
        delta = run.delta()
        process = bets(run, claim.id, run.count(0.5), bound, inverse_K, method("aspdc"))
        return Evidence(
            "NOT-REFUTED",
            instances=len(process.log_path) - 1,
            violations=int(process.rejects(delta)),
            detail=f"n = 10..20, delta = {delta:.1e}",
            series={"e-process": process.plotted(delta)},
        )

    return source


def beyond_and_bets(instances: Iterable[Instance], text: str, bound: Bound, inverse_K: float) -> Control:
    """Exact instances beyond the boundary fail, and the betting test refutes a mutant at the smallest delta in use."""

    def caught(claim: Claim, run: Run) -> bool:
        process = bets(run, f"{claim.id} control", 10, bound, inverse_K, mutant_class("aspdc.sign-flip")())
        tried = [i for i in instances if run.number is Fraction or len(i.rows) == 1]  # intervals do not merge paths
        return all(violates(claim, i, number=run.number) for i in tried) and process.rejects(1e-12)

    return Control(f"{text}; the e-process refutes the mutant sign-flip within 10 seeds", caught)
