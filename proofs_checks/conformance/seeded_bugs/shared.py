"""Implementations with a seeded bug each, of the data, the formulas and the memory that all methods share; see
``catalogue``.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance.independent.losses import Vector, within
from dualgap.proofs_checks.conformance.independent.methods import Problem, State
from dualgap.proofs_checks.conformance.independent.registry import Independent

SeededBugs = list[tuple[str, type[Independent]]]
SEEDED_BUGS: SeededBugs = []


def registering(bugs: SeededBugs) -> Callable[[str], Any]:
    """A decorator that puts an implementation with the bug of a name into the list."""

    def fault(flag: str) -> Any:
        def register(cls: type[Independent]) -> type[Independent]:
            bugs.append((flag, cls))
            return cls

        return register

    return fault


fault = registering(SEEDED_BUGS)


# -- data --------------------------------------------------------------------------------------------------------------


@fault("off-by-one-index")
class _CountsFromOne(Independent):
    def index(self, p: Problem, i: int) -> int:
        return (i - 1) % int(p["n"])


@fault("off-by-one-index")
class _OneTooFar(Independent):
    def index(self, p: Problem, i: int) -> int:
        return (i + 1) % int(p["n"])


@fault("label-dropped")
class _NoLabel(Independent):
    def label(self, loss: str, y: Fraction) -> Fraction:
        return Fraction(0) if loss in ("squared", "absolute") else Fraction(1)

    def domain(self, loss: str, y: Fraction) -> tuple[Fraction | None, Fraction | None]:
        return super().domain(loss, self.label(loss, y))

    def best(self, loss: str, gamma: Fraction, z: Vector, alpha: Vector, target: Any, q: Fraction) -> Vector:
        nothing = [Fraction(0)] * len(z) if loss == "ball-huber" else 0
        return super().best(loss, gamma, z, alpha, nothing, q)


@fault("columns-ignored")
class _FirstColumns(Independent):
    def column(self, p: Problem, i: int, k: int) -> int:
        return int(k - p["starts"][i])


@fault("skipped-zero-row")
class _SkipsZeroRows(Independent):
    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        return super().replaced(p, alpha, {i: a for i, a in new.items() if p["starts"][i] < p["starts"][i + 1]})


# -- formulas ----------------------------------------------------------------------------------------------------------


@fault("lost-one-over-n")
class _NoMean(Independent):
    def mean(self, p: Problem, total: Fraction) -> Fraction:
        return total

    def batch(self, A: list[int]) -> int:
        return 1


@fault("lost-one-over-n")
class _NoMeanInUpdate(Independent):
    def shift(self, p: Problem, change: Fraction) -> Fraction:
        return -change / Fraction(p["lam"])


@fault("lost-one-over-n")
class _NoMeanInDamping(Independent):
    def damping(self, method: str, p: Problem, x: Vector) -> Fraction:
        return super().damping(method, p, x) * int(p["n"])


@fault("sign-of-alpha")
class _UpdateOtherWay(Independent):
    def shift(self, p: Problem, change: Fraction) -> Fraction:
        return -super().shift(p, change)

    def u(self, p: Problem, alpha: Vector) -> Vector:
        return [-u_j for u_j in super().u(p, alpha)]

    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        return -super().share(p, change, m, weight)


@fault("sign-of-alpha")
class _MinusDerivative(Independent):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return -super().dual_step(loss, gamma, z, alpha, y, q)


@fault("sign-of-alpha")
class _PapersAlpha(Independent):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return -super().dual_step(loss, gamma, z, -alpha, y, q)


@fault("stale-w-bar")
class _KeepsWBar(Independent):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return list(before["w_bar"])


@fault("stale-w-bar")
class _ReadsW(Independent):
    def extrapolated(self, state: State) -> Vector:
        return list(state["w"])


@fault("stale-w-bar")
class _ExtrapolatesOldW(Independent):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return list(before["w"])


@fault("no-extrapolation")
class _NoExtrapolation(Independent):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return w


@fault("wrong-clip")
class _NoClip(Independent):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a

    def into_ball(self, point: Vector) -> Vector:
        return point

    def onto_simplex(self, point: Vector) -> Vector:
        return point


@fault("wrong-clip")
class _ClipsBothSides(Independent):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a if loss == "squared" else within((Fraction(-1), Fraction(1)), a)


@fault("wrong-clip")
class _ClipsAlphaFromZero(Independent):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a if loss == "squared" else within((Fraction(0), Fraction(1)), a)


@fault("wrong-clip")
class _ClipsAtOneToo(Independent):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return (
            within((min(-y, Fraction(0)), max(-y, Fraction(0))), a)
            if loss == "squared-hinge"
            else super().limited(loss, a, y)
        )


@fault("gamma-ignored")
class _GammaOne(Independent):
    def constant(self, loss: str, gamma: Fraction) -> Fraction:
        return Fraction(1) if loss not in ("hinge", "absolute", "logistic", "softmax") else gamma


@fault("threshold-missing")
class _NoThreshold(Independent):
    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        return super().minimizer(lam, Fraction(0), u)


@fault("threshold-missing")
class _ThresholdUnscaled(Independent):
    def point(self, p: Problem, v: Vector) -> Vector:
        return self.minimizer(Fraction(1), p["l1"], [-v_j for v_j in v])

    def proxed(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> Vector:
        return super().proxed(lam, l1 / tau, w, tau)


@fault("prox-unscaled")
class _ProxUnscaled(Independent):
    def proxed(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> Vector:
        return super().proxed(Fraction(0), l1, w, tau)


@fault("delta-ignored")
class _NoDelta(Independent):
    def perturbed(self, p: Problem, delta: Fraction, z: Fraction, alpha: Fraction, k: int, q: Fraction) -> Fraction:
        return super().perturbed(p, Fraction(0), z, alpha, k, q)


@fault("direction-over-n")
class _AlongNewU(Independent):
    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        return self.mean(p, change)


@fault("weight-ignored")
class _NoWeight(Independent):
    def weight(self, parameters: dict[str, Any], k: int) -> Fraction:
        return Fraction(1)


@fault("damping-ignored")
class _NoDamping(Independent):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return super().dual_step(loss, gamma, z, alpha, y, Fraction(0))


@fault("early-count")
class _CountsPastRounds(Independent):
    def rounds(self, t: int) -> int:
        return t


# -- memory and certificate --------------------------------------------------------------------------------------------


@fault("alpha-not-written")
class _ForgetsAlpha(Independent):
    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        return list(alpha)


@fault("absolute-gap")
class _AbsoluteGap(Independent):
    def call_gap(self, primal: Fraction, dual: Fraction) -> dict[str, Any]:
        return {"gap": abs(primal - dual)}
