"""Named mistakes that real implementations of PGS make, as methods: Figure 1 with one line wrong."""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector


class PGSMutant(PGS):
    """Figure 1, its lines open to change."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        keep, A_t = self.split(choice)
        self.record(state, keep)
        sub_t = self.subgradient(problem, A_t, self.point(state))
        state.acc = self.accumulate(state.acc, sub_t)
        state.t += 1
        state.w = self.played(problem, state.acc, state.t)

    def point(self, state: Any) -> Vector:
        """Where line 6 takes the subgradient."""
        w: Vector = state.w
        return w

    def accumulate(self, acc: Vector, sub_t: Vector) -> Vector:
        """Line 7."""
        return [acc_j - sub_j for acc_j, sub_j in zip(acc, sub_t)]

    def played(self, problem: Problem, acc: Vector, t: int) -> Vector:
        """Line 8."""
        return problem.regularizer.gradient_conjugate([acc_j / self.divisor(problem, t) for acc_j in acc])

    def divisor(self, problem: Problem, t: int) -> Any:
        """Of line 8, over sigma."""
        return problem.zero + t + 1


class DivisorT(PGSMutant):
    """Line 8: t sigma, as in Pegasos."""

    def divisor(self, problem: Problem, t: int) -> Any:
        return problem.zero + t


class DivisorTPlus2(PGSMutant):
    """Line 8: (t+2) sigma."""

    def divisor(self, problem: Problem, t: int) -> Any:
        return problem.zero + t + 2


class ConstantDivisor(PGSMutant):
    """Line 8: 2 sigma in every round."""

    def divisor(self, problem: Problem, t: int) -> Any:
        return problem.zero + 2


class LostSigma(PGSMutant):
    """Line 8: t + 1 without sigma."""

    def divisor(self, problem: Problem, t: int) -> Any:
        return (problem.zero + t + 1) / problem.regularizer.lam


class Sign(PGSMutant):
    """Line 7: + lambda_t."""

    def accumulate(self, acc: Vector, sub_t: Vector) -> Vector:
        return [acc_j + sub_j for acc_j, sub_j in zip(acc, sub_t)]


class SumForMean(PGSMutant):
    """Line 5: without 1/|A_t|."""

    def subgradient(self, problem: Problem, A_t: Any, w: Vector) -> Vector:
        return [sub_j * len(A_t) for sub_j in super().subgradient(problem, A_t, w)]


class StaleSubgradient(PGSMutant):
    """Line 6: at w_{t-2}."""

    def init(self, problem: Problem, alpha: Vector | None = None) -> Any:
        state = super().init(problem, alpha)
        kind: Any = type("StaleState", (type(state),), {"__slots__": ("before",)})
        return kind(**state.fields(), before=list(state.w))

    def point(self, state: Any) -> Vector:
        before: Vector = state.before
        state.before = list(state.w)
        return before


class ClipByQNorm(PGSMutant):
    """Figure 2, line 6, as printed: the radius over ||w||_q. Where that is not rational, Figure 2: a kill must be no accident."""

    def played(self, problem: Problem, acc: Vector, t: int) -> Vector:
        g: Any = problem.regularizer
        w = super().played(problem, acc, t)
        if g.family == "quadratic" or g.ball is None or not g.point([acc_j / (t + 1) for acc_j in acc]).clipped:
            return w
        try:
            return [w_j * g.ball / g.dual_norm(w) for w_j in w]
        except ValueError:
            return w


MUTANTS = {
    "pgs.divisor-t": DivisorT, "pgs.divisor-t+2": DivisorTPlus2, "pgs.constant-divisor": ConstantDivisor, "pgs.lost-sigma": LostSigma,
    "pgs.sign": Sign, "pgs.sum-for-mean": SumForMean, "pgs.stale-subgradient": StaleSubgradient, "pgs.clip-by-q-norm": ClipByQNorm,
}  # fmt: skip
