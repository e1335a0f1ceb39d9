"""Implementations with a seeded bug each, of what single methods do; see ``catalogue``."""

from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance.independent.losses import Vector
from dualgap.proofs_checks.conformance.independent.methods import Problem, State
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.seeded_bugs.shared import SeededBugs, registering

SEEDED_BUGS: SeededBugs = []
fault = registering(SEEDED_BUGS)


# -- ASPDC-i -----------------------------------------------------------------------------------------------------------


@fault("centre-ignored")
class _NoCentre(Independent):
    def seen_centre(self, centre: Vector) -> Vector:
        return [Fraction(0)] * len(centre)


@fault("momentum-ignored")
class _NoMomentum(Independent):
    def beta(self, p: Problem, kappa: Fraction) -> Fraction:
        return Fraction(0)


@fault("inner-test-skipped")
class _NoTestAtTheStart(Independent):
    def ended_calls(self, p: Problem, kappa: Fraction, state: State) -> State:
        return state if state["steps"] == 0 else super().ended_calls(p, kappa, state)


@fault("inner-test-skipped")
class _TestsTheWholeProblem(Independent):
    def inner_gap(self, p: Problem, kappa: Fraction, centre: Vector, w: Vector, alpha: Vector) -> Fraction | None:
        return super().inner_gap(p, Fraction(0), centre, w, alpha)


@fault("xi-not-shrunk")
class _KeepsXi(Independent):
    def decay(self, eta: Fraction) -> Fraction:
        return Fraction(1)


# -- AdaSPDC, PDCP, PGS, Pegasos ---------------------------------------------------------------------------------------


@fault("own-norm-only")
class _FirstNorm(Independent):
    def sampled(self, R: Vector, S: list[int]) -> Vector:
        return [R[S[0]]]


@fault("q-without-n")
class _NoRows(Independent):
    def rows_over(self, p: Problem) -> int:
        return 1


@fault("projection-left-out")
class _NoProjection(Independent):
    def projected(self, p: Problem, w: Vector) -> Vector:
        return w

    def length(self, lam: Fraction, p: Fraction, ball: Fraction | None, u: Vector) -> Fraction:
        return super().length(lam, p, None, u)


@fault("euclidean-norm")
class _Euclidean(Independent):
    def pnorm_value(self, lam: Fraction, p: Fraction, w: Vector, ball: Fraction | None = None) -> dict[str, Any]:
        return super().pnorm_value(lam, Fraction(2), w, ball)

    def pnorm_conjugate(self, lam: Fraction, p: Fraction, u: Vector, ball: Fraction | None = None) -> dict[str, Any]:
        return super().pnorm_conjugate(lam, Fraction(2), u, ball)

    def shortest(self, lam: Fraction, p: Fraction, ball: Fraction | None, u: Vector) -> Vector:
        return super().shortest(lam, Fraction(2), ball, u)


@fault("late-step")
class _NextStep(Independent):
    def step_count(self, t: int) -> int:
        return t + 1


# -- the methods that others are compared with -------------------------------------------------------------------------


@fault("old-gradient-kept")
class _AddsUpGradients(Independent):
    def leaving(self, state: State, i: int) -> Fraction:
        return Fraction(0)


@fault("rows-not-counted")
class _DividesByAllRows(Independent):
    def divisor(self, seen: list[int]) -> int:
        return len(seen)


@fault("no-control-variate")
class _NoVariate(Independent):
    def remembered(self, p: Problem, i: int, w_tilde: Vector) -> Fraction:
        return Fraction(0)

    def variate(self, snapshot: Vector) -> Vector:
        return [Fraction(0)] * len(snapshot)


@fault("every-trial-accepted")
class _AcceptsEverything(Independent):
    def accepted(self, p: Problem, L: Fraction, subgradient: Vector, back: Vector) -> bool:
        return True


@fault("momentum-ignored")
class _NoAcceleration(Independent):
    def accelerated_beta(self, ratio: Fraction) -> Fraction:
        return Fraction(0)


@fault("entry-unscaled")
class _NoColumns(Independent):
    def columns_over(self, p: Problem) -> int:
        return 1


@fault("new-w-in-the-dual-step")
class _GaussSeidel(Independent):
    def seen_by_alpha(self, old: Fraction, new: Fraction) -> Fraction:
        return new


@fault("nothing-left-out")
class _ShrinksNothing(Independent):
    def stays(self, moved: bool, slope: Fraction, threshold: Fraction) -> bool:
        return True


# -- what is remembered ------------------------------------------------------------------------------------------------


@fault("average-shifted")
class _AddsOneStateLess(Independent):
    def standing(self, T0: int, since: int, end: int) -> int:
        return super().standing(T0, since, end - 1)


@fault("average-shifted")
class _KeepsTheStateAfter(Independent):
    def kept(self, before: State, after: State) -> Vector:
        return list(after["alpha"])


@fault("sees-everything")
class _SeesEverything(Independent):
    def is_seen(self, visible: int, place: int) -> bool:
        return True


@fault("sees-nothing")
class _SeesNothing(Independent):
    def memory(self, method: str, state: State, worker: int, visible: int) -> Vector:
        return list(state["v"])


@fault("lost-write-lands")
class _LosesNothing(Independent):
    def is_lost(self, lost: int, place: int) -> bool:
        return False


# -- CoCoA+ ------------------------------------------------------------------------------------------------------------


@fault("own-change-once")
class _NoSigma(Independent):
    def seen_share(self, sigma: Fraction) -> Fraction:
        return Fraction(1)


@fault("aggregation-ignored")
class _Adds(Independent):
    def aggregated(self, parameters: State, change: Fraction) -> Fraction:
        return change
