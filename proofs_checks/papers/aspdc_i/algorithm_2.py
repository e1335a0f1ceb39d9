"""ASPDC-i, section 5, (12) and Algorithm 2: its lines, that its inner calls end, and what kappa and the constant of
(12) do.

    (12)    f~_s(w, alpha) = f(w, alpha) + (kappa/2)||w||^2 - kappa w^T w~_s
    line 1  kappa = 4R^2/(n gamma) - lam, eta = lam/(lam + 2 kappa), xi_1 = (1 + 1/eta)(P(w~_1) - D(alpha~_1))
    line 4  ASPDC on f~_s until P~ - D~ <= eta xi_s/(2(1 + 1/eta))           line 5  xi_{s+1} = (1 - eta/2) xi_s
    line 7  S >= 1 + (2/eta) ln(xi_1/epsilon)

The method's own runs of the outer loop are written down call by call.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice, pairwise
from math import ceil
from typing import Any, cast

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact
from dualgap.proofs_checks.papers.aspdc.items import PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc_i.instances import algorithm_2
from dualgap.proofs_checks.papers.aspdc_i.mutants import rejects
from dualgap.proofs_checks.papers.aspdc_i.setting import ETA, HYPOTHESES, gap_of, same, tolerance
from dualgap.reference.methods.aspdc_i import ASPDCi, ProximalPointState
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.problem import Problem, Vector

MOST_STEPS = 100  # inner steps per row before a run is given up
MOST_EPOCHS = 10_000  # the counterexamples need 648


def algorithm(c: Context) -> ASPDCi:
    """The context's method, which must be Algorithm 2 (or a mistaken one)."""
    return cast(ASPDCi, c.method)


@dataclass(frozen=True)
class Moment:
    """An inner state of epoch s: centre w~_s, bound xi_s, dual point alpha; ``w`` is w~_{s+1} where the call ended."""

    s: int
    centre: Vector
    xi: Fraction
    alpha: Vector
    w: Vector


class OuterRun:
    """The method's own run from w~_1 = 0 to its last epoch (``ASPDCi.stopped``); indices: the path, then all rows,
    repeated.

    Attributes
    ----------
    ended : the inner calls that ended, in order.
    waiting : the states at which a stopping test did not stop.
    last : (s, w~_s, xi_s) at the end.
    complete : whether the last epoch was reached within MOST_STEPS steps per row.
    """

    def __init__(self, c: Context) -> None:
        self.ended: list[Moment] = []
        self.waiting: list[Moment] = []
        spy = self._recording(c.method)
        state = spy.init(c.problem, [c.q(a) for a in c.instance.alpha])
        self.xi_1 = state.xi
        for index in islice(cycle((*c.instance.path, *range(c.n))), MOST_STEPS * c.n):
            if spy.stopped(c.problem, state):
                break
            spy.advance(c.problem, state, index)
        self.last, self.complete = (state.epoch, list(state.w_tilde), state.xi), spy.stopped(c.problem, state)

    def visited(self) -> Iterator[tuple[int, Vector, Fraction]]:
        """(s, w~_s, xi_s) for s = 1, 2, ..."""
        for moment in self.ended:
            yield moment.s, moment.centre, moment.xi
        yield self.last

    def _recording(self, original: Any) -> ASPDCi:
        """The same method; its moves and its waits are written down here."""
        ended, waiting = self.ended, self.waiting

        class Recording(type(original)):  # type: ignore[misc]
            def move_centre(self, problem: Problem, state: ProximalPointState) -> None:
                s, centre, xi = state.epoch, list(state.w_tilde), state.xi
                super().move_centre(problem, state)
                ended.append(Moment(s, centre, xi, list(state.alpha_tilde), list(state.w_tilde)))

            def finish_inner_calls(self, problem: Problem, state: ProximalPointState) -> None:
                super().finish_inner_calls(problem, state)
                stuck = bool(ended) and ended[-1].w == ended[-1].centre
                if not stuck and not self.stopped(problem, state):
                    w = self.inner_problem(problem, state).w_of(state.v)
                    waiting.append(Moment(state.epoch, list(state.w_tilde), state.xi, list(state.alpha), w))

        recording: ASPDCi = copy(original)
        recording.__class__ = Recording
        return recording


def promised(eta: Fraction, xi_1: Fraction, epsilon: Fraction) -> int:
    """The smallest integer S >= 1 + (2/eta) ln(xi_1/epsilon), decided in intervals.

    Raises ArithmeticError where they do not decide it, or where S is beyond ``MOST_EPOCHS``.
    """
    bound = 1 + (2 / Interval(eta)) * Interval(xi_1 / epsilon).log()
    low, high = ceil(Fraction(bound.low)), ceil(Fraction(bound.high))
    if low != high:
        raise ArithmeticError(f"1 + (2/eta) ln(xi_1/epsilon) is too close to the integer {low} to be rounded")
    if low > MOST_EPOCHS:
        raise ArithmeticError(
            f"the theorem promises epsilon after {low:.1e} epochs; exact arithmetic is for at most {MOST_EPOCHS}"
        )
    return max(1, low)


# -- the lines ---------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.algorithm-2",
    "Algorithm 2: kappa = max(0, 4R^2/(n gamma) - lam), eta = lam/(lam + 2 kappa); line 1 sets xi_1 = (1 +"
    " 1/eta)(P(w~_1) - D(alpha~_1)); line 4 starts the inner call at alpha~_s and w = (kappa w~_s - X^T"
    " alpha~_s/n)/(lam + kappa) and returns as soon as P~ - D~ <= eta xi_s/(2(1 + 1/eta)) at a test, before the first"
    " step (zero steps are legal) and after every n; line 5 sets xi_{s+1} = (1 - eta/2) xi_s",
    hypotheses=HYPOTHESES,
    evidence=[exact(algorithm_2, 0.3)],
    control=all_of(rejects("original-stop"), rejects("uncentred-stop"), rejects("loose-stop")),
    origin=PAPER.reading(
        "Algorithm 2",
        "(12)",
        "smallest kappa",
        note=f"{ETA}; that the test is made every n steps, and max(0, .), is ours; {UNITS}",
    ),
)
def lines_of_algorithm_2(c: Context) -> Iterable[Relation]:
    method, problem, run = c.method, c.problem, OuterRun(c)
    kappa, eta = c.q(c.instance.options["kappa"]), algorithm(c).eta_of(c.problem)
    start, lam = [c.q(a) for a in c.instance.alpha], problem.regularizer.lam
    yield Eq(1 + ASPDCi().kappa_of(problem), 1 + max(Q(0), 4 * c.R2 / (c.n * c.gamma) - lam), "kappa")
    yield Eq(eta, lam / (lam + 2 * kappa), "eta")
    yield Eq(run.xi_1, (1 + 1 / eta) * gap_of(problem, [problem.zero] * problem.d, start), "line 1: xi_1")
    for moment in run.ended:
        inner = problem.centred(kappa, moment.centre)
        yield from same(moment.w, inner.w(moment.alpha), "line 4: w~_{s+1} = w(alpha~_{s+1}; w~_s)")
        yield Le(
            gap_of(inner, moment.w, moment.alpha), tolerance(eta, moment.xi), f"line 4: inner gap of epoch {moment.s}"
        )
    for before, after in pairwise(run.visited()):
        yield Eq(after[2], (1 - eta / 2) * before[2], "line 5: xi_{s+1} = (1 - eta/2) xi_s")
    for moment in run.waiting:
        inner = problem.centred(kappa, moment.centre)
        yield from same(moment.w, inner.w(moment.alpha), "line 4: w = w(alpha; w~_s)")
        yield Lt(
            tolerance(eta, moment.xi),
            gap_of(inner, moment.w, moment.alpha),
            f"epoch {moment.s} goes on: its gap is too large",
        )
    if type(method) is ASPDCi and not run.complete:
        raise RuntimeError(f"the inner calls did not end: {len(run.ended)} of them did")
