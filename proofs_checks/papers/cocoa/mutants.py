"""Mistakes that an implementation of CoCoA+ could make: the method with one line wrong each."""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.cocoa import CoCoA, Constants
from dualgap.reference.problem.problem import Vector


class NoSpread(CoCoA):
    """The local steps know nothing of the other workers: sigma' is 1 there."""

    def solve_locally(self, problem: Problem, local: Number, v: Vector, alpha: Vector, rows: list[int]) -> None:
        start, spread = list(v), self.constants(problem).spread
        super().solve_locally(problem, problem.scale, v, alpha, rows)
        v[:] = [a + spread * (b - a) for a, b in zip(start, v)]


class NoSpreadInQ(CoCoA):
    """sigma' in what a worker sees, and not in q."""

    def solve_locally(self, problem: Problem, local: Number, v: Vector, alpha: Vector, rows: list[int]) -> None:
        for i in rows:
            z, q = problem.inner(i, v), problem.norms2[i] / problem.scale
            alpha_i = problem.loss.dual_step(z, alpha[i], problem.y[i], q)
            c = (alpha_i - alpha[i]) / local
            alpha[i] = alpha_i
            for j, x in problem.rows[i]:
                v[j] = v[j] - c * x


class AlphaNotScaled(CoCoA):
    """w moves by gamma times the workers' changes, alpha by all of them."""

    def aggregated(self, constants: Constants, old: Number, new: Number) -> Number:
        return new


class SharedState(CoCoA):
    """A worker goes on from the v of the worker before it."""

    def advance(self, problem: Problem, state: DualState, choice: Any) -> None:
        constants, alpha, total = self.constants(problem), list(state.alpha), [problem.zero] * problem.d
        v_k = list(state.v)
        for part in self.ranges(problem):
            self.solve_locally(problem, problem.scale / constants.spread, v_k, alpha, [i for i in choice if i in part])
            total = [t + v for t, v in zip(total, v_k)]
        state.alpha = [self.aggregated(constants, *pair) for pair in zip(state.alpha, alpha)]
        state.v = [self.combined(problem, constants, *pair) for pair in zip(state.v, total)]


class LostWorker(CoCoA):
    """The last worker's v is left out of the sum, and its alpha is kept."""

    def combined(self, problem: Problem, constants: Constants, v_j: Number, total_j: Number) -> Number:
        return super().combined(problem, constants, v_j, total_j * (self.K - 1) / self.K + v_j / self.K)


MUTANTS = {
    "cocoa.no-spread": NoSpread, "cocoa.no-spread-in-q": NoSpreadInQ, "cocoa.alpha-not-scaled": AlphaNotScaled,
    "cocoa.shared-state": SharedState, "cocoa.lost-worker": LostWorker,
}  # fmt: skip
