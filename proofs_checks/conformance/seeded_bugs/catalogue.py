"""Seeded bugs, each as an implementation that has it: the independent one with one small method wrong.

Their classes are in ``shared`` and ``methods``. They say which case shows which bug (a flag), and name the cause of a
failure: the bug whose result is the one that came. A bug that is made in several ways has several implementations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance.independent.dual import NonTerminating
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs.methods import SEEDED_BUGS as MORE
from dualgap.proofs_checks.conformance.seeded_bugs.shared import SEEDED_BUGS as BEFORE


@dataclass(frozen=True)
class Flag:
    """A known bug: what is wrong in the code, its class, and what it does to a result."""

    bug: str
    kind: str
    effect: str


FLAGS = {
    "off-by-one-index": Flag("an index is counted from 1", "data", "another row is drawn; the theorems hold for none"),
    "label-dropped": Flag(
        "the label is not multiplied in, or not subtracted", "data", "every row is trained towards +1, or towards 0"
    ),
    "columns-ignored": Flag(
        "the entries of a sparse row are taken for its first columns",
        "data",
        "wrong wherever a row does not begin with column 0, or is not sorted",
    ),
    "skipped-zero-row": Flag(
        "a row without entries is passed over", "data", "its alpha never reaches phi'(0): the gap stays away from 0"
    ),
    "lost-one-over-n": Flag(
        "a factor 1/n is lost", "formula", "w is n times too long: the iterates diverge, or solve another lambda"
    ),
    "sign-of-alpha": Flag(
        "alpha has the sign of SDCA's papers in some formula, not in all",
        "formula",
        "D is another function; the gap does not close",
    ),
    "stale-w-bar": Flag(
        "w_bar is not renewed, or w is read in its place",
        "formula",
        "no contraction is proved; for large steps it diverges",
    ),
    "no-extrapolation": Flag("w_bar = w: theta is 0", "formula", "Theorem 1 does not hold; the rate is lost"),
    "wrong-clip": Flag(
        "alpha is limited to another interval than the domain of phi*, or not at all",
        "formula",
        "D is -infinity: no certificate",
    ),
    "gamma-ignored": Flag("gamma is taken as 1", "formula", "another loss is minimised"),
    "threshold-missing": Flag(
        "the soft threshold is left out, or is l1 where it is l1/lam or tau l1",
        "formula",
        "the elastic net is solved as something else",
    ),
    "prox-unscaled": Flag(
        "the prox is the soft threshold alone, without 1 + tau lam", "formula", "lam ||w||^2/2 is not minimised"
    ),
    "delta-ignored": Flag(
        "the perturbation delta of a loss that is not smooth is left out",
        "formula",
        "Theorem 1 has no gamma to stand on",
    ),
    "direction-over-n": Flag(
        "w moves along the new u", "formula", "the change of alpha counts 1/n of what it must: the rate is lost"
    ),
    "weight-ignored": Flag(
        "p_k n is left out of the non-uniform step", "formula", "the step is biased towards long rows"
    ),
    "damping-ignored": Flag(
        "(q/2)(a - alpha)^2 is left out of the dual step",
        "formula",
        "SDCA becomes ASPDC and can cycle for small lambda",
    ),
    "early-count": Flag(
        "the regularizer of the round to come is not counted", "formula", "Lemma 1 of PGS does not hold"
    ),
    "centre-ignored": Flag(
        "kappa times the centre is left out of v",
        "formula",
        "the inner problem is f with a larger lambda: the outer loop is lost",
    ),
    "momentum-ignored": Flag(
        "the centre is the last point, without momentum", "formula", "another method: Algorithm 3"
    ),
    "inner-test-skipped": Flag(
        "inner calls are not tested before their first step, or tested on f itself",
        "formula",
        "Theorem 2 does not hold",
    ),
    "xi-not-shrunk": Flag(
        "xi keeps its value when the centre moves", "formula", "the bound says nothing: inner calls stop far too early"
    ),
    "own-norm-only": Flag(
        "the primal step has the norm of one row, not the largest of the sample",
        "formula",
        "tau sigma exceeds what the proof admits: it can diverge",
    ),
    "q-without-n": Flag(
        "the dual step of a batch has q = 1/sigma, not n/sigma", "formula", "the dual step is n times too long"
    ),
    "projection-left-out": Flag(
        "the iterate is not brought back to the ball", "formula", "the regret bound has another constant, or none"
    ),
    "euclidean-norm": Flag("the p-norm is taken for p = 2", "formula", "another problem is solved"),
    "late-step": Flag("the step length is that of the round before or after", "formula", "the rate is lost"),
    "every-trial-accepted": Flag(
        "the test of the line search is left out", "formula", "A_k F(x_k) <= min psi_k does not hold: no rate"
    ),
    "entry-unscaled": Flag(
        "d is left out of z = d x_ij w_j", "formula", "the mean step vanishes elsewhere: another problem is solved"
    ),
    "new-w-in-the-dual-step": Flag(
        "the dual step sees the w_j of the same step", "formula", "the mean step does not vanish at the saddle point"
    ),
    "no-control-variate": Flag(
        "the gradient at the snapshot is not subtracted",
        "formula",
        "the estimate is biased: another point is approached",
    ),
    "old-gradient-kept": Flag(
        "the row's old gradient is not taken off the table",
        "memory",
        "the sum of the table is no sum of gradients: it diverges",
    ),
    "rows-not-counted": Flag("the table is divided by n, not by the rows seen", "formula", "early steps are too short"),
    "nothing-left-out": Flag(
        "rows are not left out of the next pass", "memory", "the method is SDCA over permutations"
    ),
    "average-shifted": Flag(
        "the state after a step is kept or added up, not the one before",
        "memory",
        "another candidate: the theorem's average is not the output",
    ),
    "sees-everything": Flag(
        "a worker reads all writes in flight", "memory", "no interleaving is simulated: PASSCoDe-Atomic behaves as Lock"
    ),
    "sees-nothing": Flag(
        "a worker does not read its own writes, or those it must see",
        "memory",
        "coherent memory is not like this: delays are overstated",
    ),
    "lost-write-lands": Flag("a write that is lost lands all the same", "memory", "PASSCoDe-Wild behaves as Atomic"),
    "own-change-once": Flag(
        "a worker sees its own change of v once, not sigma times",
        "formula",
        "the workers together move too far: it can diverge",
    ),
    "aggregation-ignored": Flag(
        "the workers' changes are added where they must be scaled", "formula", "they move too far: it can diverge"
    ),
    "alpha-not-written": Flag(
        "the new alpha_i is used and not stored", "memory", "w and alpha drift apart: no certificate"
    ),
    "single-precision": Flag("numbers pass through 32 bits", "numbers", "about 7 digits are left of 16"),
    "absolute-gap": Flag(
        "a gap is returned without its sign", "certificate", "a gap below zero, which proves an error, cannot be seen"
    ),
}

SEEDED_BUGS: list[tuple[str, type[Independent]]] = [*BEFORE, *MORE]
APART = Fraction(1, 2**30)  # a result nearer than this, relatively, does not count as another one


def answers(call: str, given: dict[str, Any], least: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """(flag, result) of every implementation with a seeded bug that answers this request otherwise than it should.

    given : as it goes through the pipe; the results are in the same form. A flag may come more than once.
    least : numbers smaller than this count as this where results are compared; 0 compares small numbers in parts of
        themselves.

    >>> request = {"loss": "squared", "gamma": "3ff0000000000000", "z": "3ff0000000000000", "y": "3ff0000000000000"}
    >>> list(answers("loss.derivative", request))
    [('label-dropped', {'value': '3ff0000000000000'})]
    """
    exact = hex_floats.rationals(given)
    right, used = watched(call, exact)
    for flag, cls in SEEDED_BUGS:
        if not used.isdisjoint(vars(cls)):
            try:
                wrong = cls().exactly(call, exact)
            except NonTerminating:  # no answer to compare with
                continue
            if differs(wrong, right, least):
                yield flag, spelled(wrong)


def shown(call: str, given: dict[str, Any]) -> list[str]:
    """The flags of a request, without ``single-precision``, in the order of ``FLAGS``."""
    if call == "trajectory":
        found = set(_shown_on_the_way(hex_floats.rationals(given)))
    else:
        found = {flag for flag, _ in answers(call, given)}
    return [flag for flag in FLAGS if flag in found]


def _shown_on_the_way(exact: dict[str, Any]) -> Iterator[str]:
    """The flags of a trajectory; a run with a seeded bug goes no further than its first wrong state."""
    fixed = {name: value for name, value in exact.items() if name != "choices"}
    right, used = watched("trajectory", exact)
    for flag, cls in SEEDED_BUGS:
        if not used.isdisjoint(vars(cls)):
            for before, choice, after in zip([exact["state"], *right["states"]], exact["choices"], right["states"]):
                if differs(_step(cls, fixed, before, choice), after):  # so far the run was right
                    yield flag
                    break


def _step(cls: type[Independent], fixed: dict[str, Any], before: Any, choice: Any) -> Any:
    """One step of an implementation with a seeded bug; None where it does not end."""
    try:
        return cls().step(**{**fixed, "state": before}, choice=choice)
    except NonTerminating:
        return None


def watched(call: str, exact: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """The right result, and the names of the methods that it took: a fault in any other does not show."""
    used: set[str] = set()

    class Watched(Independent):
        def __getattribute__(self, name: str) -> Any:
            used.add(name)
            return super().__getattribute__(name)

    return Watched().exactly(call, exact), used - {"__class__"}


def differs(a: Any, b: Any, least: int = 1) -> bool:
    """Whether two results in Fractions are apart by more than any rounding."""
    if isinstance(a, dict):
        return any(differs(item, b[key], least) for key, item in a.items())
    if isinstance(a, list):
        return len(a) != len(b) or any(differs(x, y, least) for x, y in zip(a, b))
    if a is None or b is None:
        return a is not b
    return bool(abs(a - b) > APART * (least + abs(b)))


def spelled(value: Any) -> Any:
    """A result in Fractions as it would come through the pipe."""
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spelled(item) for item in value]
    if value is None:
        return hex_floats.INFINITY
    return value if isinstance(value, int) else hex_floats.encode(float(value))
