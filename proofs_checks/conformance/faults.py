"""Known bugs, each as an implementation that has it: the second one with one small method wrong.

They say which case shows which bug (a flag), and name the cause of a failure: the bug whose result is the one that came.
A bug that is made in several ways has several implementations.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance import bits
from dualgap.proofs_checks.conformance.second import Vector, within
from dualgap.proofs_checks.conformance.second_methods import Problem, Second, State
from dualgap.proofs_checks.conformance.vectors import Flag

FLAGS = {
    "off-by-one-index": Flag("an index is counted from 1", "data", "another row is drawn; the theorems hold for none"),
    "label-dropped": Flag("the label is not multiplied in, or not subtracted", "data", "every row is trained towards +1, or towards 0"),
    "columns-ignored": Flag("the entries of a sparse row are taken for its first columns", "data", "wrong wherever a row does not begin with column 0, or is not sorted"),
    "skipped-zero-row": Flag("a row without entries is passed over", "data", "its alpha never reaches phi'(0): the gap stays away from 0"),
    "lost-one-over-n": Flag("a factor 1/n is lost", "formula", "w is n times too long: the iterates diverge, or solve another lambda"),
    "sign-of-alpha": Flag("alpha has the sign of SDCA's papers in some formula, not in all", "formula", "D is another function; the gap does not close"),
    "stale-w-bar": Flag("w_bar is not renewed, or w is read in its place", "formula", "no contraction is proved; for large steps it diverges"),
    "no-extrapolation": Flag("w_bar = w: theta is 0", "formula", "Theorem 1 does not hold; the rate is lost"),
    "wrong-clip": Flag("alpha is limited to another interval than the domain of phi*, or not at all", "formula", "D is -infinity: no certificate"),
    "gamma-ignored": Flag("gamma is taken as 1", "formula", "another loss is minimised"),
    "threshold-missing": Flag("the soft threshold is left out, or is l1 where it is l1/lam or tau l1", "formula", "the elastic net is solved as something else"),
    "prox-unscaled": Flag("the prox is the soft threshold alone, without 1 + tau lam", "formula", "lam ||w||^2/2 is not minimised"),
    "delta-ignored": Flag("the perturbation delta of a loss that is not smooth is left out", "formula", "Theorem 1 has no gamma to stand on"),
    "direction-over-n": Flag("w moves along the new u", "formula", "the change of alpha counts 1/n of what it must: the rate is lost"),
    "weight-ignored": Flag("p_k n is left out of the non-uniform step", "formula", "the step is biased towards long rows"),
    "damping-ignored": Flag("(q/2)(a - alpha)^2 is left out of the dual step", "formula", "SDCA becomes ASPDC and can cycle for small lambda"),
    "early-count": Flag("the regularizer of the round to come is not counted", "formula", "Lemma 1 of PGS does not hold"),
    "alpha-not-written": Flag("the new alpha_i is used and not stored", "memory", "w and alpha drift apart: no certificate"),
    "single-precision": Flag("numbers pass through 32 bits", "numbers", "about 7 digits are left of 16"),
    "absolute-gap": Flag("a gap is returned without its sign", "certificate", "a gap below zero, which proves an error, cannot be seen"),
}  # fmt: skip

FAULTS: list[tuple[str, type[Second]]] = []
APART = Fraction(1, 2**30)  # a result nearer than this, relatively, does not count as another one


def fault(flag: str) -> Any:
    """Register an implementation with the bug of that name."""

    def register(cls: type[Second]) -> type[Second]:
        FAULTS.append((flag, cls))
        return cls

    return register


def answers(call: str, given: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(flag, result) of every faulty implementation that answers this request otherwise than it should.

    given : as it goes through the pipe; the results are in the same form. A flag may come more than once.

    >>> request = {"loss": "squared", "gamma": "3ff0000000000000", "z": "3ff0000000000000", "y": "3ff0000000000000"}
    >>> list(answers("loss.derivative", request))
    [('label-dropped', {'value': '3ff0000000000000'})]
    """
    exact = bits.rationals(given)
    right, used = watched(call, exact)
    for flag, cls in FAULTS:
        if not used.isdisjoint(vars(cls)):
            wrong = cls().exactly(call, exact)
            if differs(wrong, right):
                yield flag, spelled(wrong)


def shown(call: str, given: dict[str, Any]) -> list[str]:
    """The flags of a request, without ``single-precision``, in the order of ``FLAGS``."""
    if call == "trajectory":
        found = set(_shown_on_the_way(bits.rationals(given)))
    else:
        found = {flag for flag, _ in answers(call, given)}
    return [flag for flag in FLAGS if flag in found]


def _shown_on_the_way(exact: dict[str, Any]) -> Iterator[str]:
    """The flags of a trajectory; a faulty run goes no further than its first wrong state."""
    fixed = {name: value for name, value in exact.items() if name != "choices"}
    right, used = watched("trajectory", exact)
    for flag, cls in FAULTS:
        if not used.isdisjoint(vars(cls)):
            for before, choice, after in zip([exact["state"], *right["states"]], exact["choices"], right["states"]):
                if differs(cls().step(**{**fixed, "state": before}, choice=choice), after):  # so far the run was right
                    yield flag
                    break


def watched(call: str, exact: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """The right result, and the names of the methods that it took: a fault in any other does not show."""
    used: set[str] = set()

    class Watched(Second):
        def __getattribute__(self, name: str) -> Any:
            used.add(name)
            return super().__getattribute__(name)

    return Watched().exactly(call, exact), used - {"__class__"}


def differs(a: Any, b: Any) -> bool:
    """Whether two results in Fractions are apart by more than any rounding."""
    if isinstance(a, dict):
        return any(differs(item, b[key]) for key, item in a.items())
    if isinstance(a, list):
        return any(differs(x, y) for x, y in zip(a, b))
    if a is None or b is None:
        return a is not b
    return bool(abs(a - b) > APART * (1 + abs(b)))


def spelled(value: Any) -> Any:
    """A result in Fractions as it would come through the pipe."""
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spelled(item) for item in value]
    if value is None:
        return bits.INFINITY
    return value if isinstance(value, int) else bits.encode(float(value))


# -- data -----------------------------------------------------------------------------------------------------------------


@fault("off-by-one-index")
class _CountsFromOne(Second):
    def index(self, p: Problem, i: int) -> int:
        return (i - 1) % int(p["n"])


@fault("off-by-one-index")
class _OneTooFar(Second):
    def index(self, p: Problem, i: int) -> int:
        return (i + 1) % int(p["n"])


@fault("label-dropped")
class _NoLabel(Second):
    def label(self, loss: str, y: Fraction) -> Fraction:
        return Fraction(0) if loss in ("squared", "absolute") else Fraction(1)

    def domain(self, loss: str, y: Fraction) -> tuple[Fraction | None, Fraction | None]:
        return super().domain(loss, self.label(loss, y))


@fault("columns-ignored")
class _FirstColumns(Second):
    def column(self, p: Problem, i: int, k: int) -> int:
        return int(k - p["starts"][i])


@fault("skipped-zero-row")
class _SkipsZeroRows(Second):
    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        return super().replaced(p, alpha, {i: a for i, a in new.items() if p["starts"][i] < p["starts"][i + 1]})


# -- formulas -------------------------------------------------------------------------------------------------------------


@fault("lost-one-over-n")
class _NoMean(Second):
    def mean(self, p: Problem, total: Fraction) -> Fraction:
        return total

    def batch(self, A: list[int]) -> int:
        return 1


@fault("lost-one-over-n")
class _NoMeanInUpdate(Second):
    def shift(self, p: Problem, change: Fraction) -> Fraction:
        return -change / Fraction(p["lam"])


@fault("lost-one-over-n")
class _NoMeanInDamping(Second):
    def damping(self, method: str, p: Problem, x: Vector) -> Fraction:
        return super().damping(method, p, x) * int(p["n"])


@fault("sign-of-alpha")
class _UpdateOtherWay(Second):
    def shift(self, p: Problem, change: Fraction) -> Fraction:
        return -super().shift(p, change)

    def u(self, p: Problem, alpha: Vector) -> Vector:
        return [-u_j for u_j in super().u(p, alpha)]

    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        return -super().share(p, change, m, weight)


@fault("sign-of-alpha")
class _MinusDerivative(Second):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return -super().dual_step(loss, gamma, z, alpha, y, q)


@fault("sign-of-alpha")
class _PapersAlpha(Second):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return -super().dual_step(loss, gamma, z, -alpha, y, q)


@fault("stale-w-bar")
class _KeepsWBar(Second):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return list(before["w_bar"])


@fault("stale-w-bar")
class _ReadsW(Second):
    def extrapolated(self, state: State) -> Vector:
        return list(state["w"])


@fault("stale-w-bar")
class _ExtrapolatesOldW(Second):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return list(before["w"])


@fault("no-extrapolation")
class _NoExtrapolation(Second):
    def extrapolation(self, theta: Fraction, w: Vector, before: State) -> Vector:
        return w


@fault("wrong-clip")
class _NoClip(Second):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a


@fault("wrong-clip")
class _ClipsBothSides(Second):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a if loss == "squared" else within((Fraction(-1), Fraction(1)), a)


@fault("wrong-clip")
class _ClipsAlphaFromZero(Second):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return a if loss == "squared" else within((Fraction(0), Fraction(1)), a)


@fault("wrong-clip")
class _ClipsAtOneToo(Second):
    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        return within((min(-y, Fraction(0)), max(-y, Fraction(0))), a) if loss == "squared-hinge" else super().limited(loss, a, y)


@fault("gamma-ignored")
class _GammaOne(Second):
    def constant(self, loss: str, gamma: Fraction) -> Fraction:
        return Fraction(1) if loss in ("squared", "smoothed-hinge", "squared-hinge") else gamma


@fault("threshold-missing")
class _NoThreshold(Second):
    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        return super().minimizer(lam, Fraction(0), u)


@fault("threshold-missing")
class _ThresholdUnscaled(Second):
    def point(self, p: Problem, v: Vector) -> Vector:
        return self.minimizer(Fraction(1), p["l1"], [-v_j for v_j in v])

    def proxed(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> Vector:
        return super().proxed(lam, l1 / tau, w, tau)


@fault("prox-unscaled")
class _ProxUnscaled(Second):
    def proxed(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> Vector:
        return super().proxed(Fraction(0), l1, w, tau)


@fault("delta-ignored")
class _NoDelta(Second):
    def perturbed(self, p: Problem, delta: Fraction, z: Fraction, alpha: Fraction, k: int, q: Fraction) -> Fraction:
        return super().perturbed(p, Fraction(0), z, alpha, k, q)


@fault("direction-over-n")
class _AlongNewU(Second):
    def share(self, p: Problem, change: Fraction, m: int, weight: Fraction) -> Fraction:
        return self.mean(p, change)


@fault("weight-ignored")
class _NoWeight(Second):
    def weight(self, parameters: dict[str, Any], k: int) -> Fraction:
        return Fraction(1)


@fault("damping-ignored")
class _NoDamping(Second):
    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        return super().dual_step(loss, gamma, z, alpha, y, Fraction(0))


@fault("early-count")
class _CountsPastRounds(Second):
    def rounds(self, t: int) -> int:
        return t


# -- memory and certificate -----------------------------------------------------------------------------------------------


@fault("alpha-not-written")
class _ForgetsAlpha(Second):
    def replaced(self, p: Problem, alpha: Vector, new: dict[int, Fraction]) -> Vector:
        return list(alpha)


@fault("absolute-gap")
class _AbsoluteGap(Second):
    def call_gap(self, primal: Fraction, dual: Fraction) -> dict[str, Any]:
        return {"gap": abs(primal - dual)}
