"""ASPDC-i, section 5, (12), Algorithm 2 and Theorem 2: P(w~_s) - P* <= xi_s after every epoch, on every path, so
<= epsilon at S >= 1 + (2/eta) ln(xi_1/epsilon).

    (12)    f~_s(w, alpha) = f(w, alpha) + (kappa/2)||w||^2 - kappa w^T w~_s
    line 1  kappa = 4R^2/(n gamma) - lam, eta = lam/(lam + 2 kappa), xi_1 = (1 + 1/eta)(P(w~_1) - D(alpha~_1))
    line 4  ASPDC on f~_s until P~ - D~ <= eta xi_s/(2(1 + 1/eta))           line 5  xi_{s+1} = (1 - eta/2) xi_s
    line 7  S >= 1 + (2/eta) ln(xi_1/epsilon)

The paper's eta reads "lambda lambda + 2 kappa", its fraction bar (and perhaps a root) lost; its proof is not in the
appendix in our copy.

- eta = lam/(lam + 2 kappa), read with xi_1 = (1 + 1/eta) gap_1: true, and taken for Theorem 2; PROOF below is ours.
- eta = sqrt(lam/(lam + 2 kappa)), the value in the companion code, without momentum: false.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice, pairwise
from math import ceil
from typing import Any, cast

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.papers.aspdc.items import PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc_i.instances import LITERAL, LITERAL_UNIT, ONE_ROW, algorithm_2
from dualgap.proofs_checks.papers.aspdc_i.mutants import rejects
from dualgap.proofs_checks.papers.aspdc_i.setting import ETA, HYPOTHESES, gap_of, prox, same, tolerance
from dualgap.proofs_checks.papers.vocabulary import refuted
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

    Raises ArithmeticError if they do not decide it, or where S is beyond ``MOST_EPOCHS``.
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


PROOF = (
    "M(v) = min_w P(w) + (kappa/2)||w - v||^2. Try w = (1 - t) v + t w*, t = lam/(lam + kappa): strong convexity and"
    " (kappa/2) t^2 ||v - w*||^2 cancel, so M(v) - P* <= chi (P(v) - P*), chi = kappa/(lam + kappa). An inner call"
    " returns P~(w~_{s+1}) <= M(w~_s) + eps_in, so Delta_s = P(w~_s) - P* obeys Delta_{s+1} <= chi Delta_s + eps_in."
    " With eps_in = eta xi_s/(2(1 + 1/eta)) and 1 - chi = 2 eta/(1 + eta), chi xi_s + eps_in <= (1 - eta/2) xi_s is eta"
    " <= 3/2. Start: Delta_1 <= gap_1 <= xi_1."
)


@claim(
    "aspdc.theorem-2",
    "Theorem 2 (ASPDC-i) with eta = lam/(lam + 2 kappa): P(w~_S) - P* <= epsilon at the last epoch of line 7, S >= 1 +"
    " (2/eta) ln(xi_1/epsilon), through P(w~_s) - P* <= xi_s after every epoch, on every path",
    hypotheses=HYPOTHESES,
    evidence=[exact(algorithm_2, 0.3), formal("theorem_2")],
    control=all_of(fails_on(LITERAL, LITERAL_UNIT, text="the root of eta"), rejects("early-S")),
    origin=PAPER.reading("Theorem 2", note=ETA),
    proof=PROOF,
)
def theorem_2(c: Context) -> Iterable[Relation]:
    """The steps of the proof on the method's run, then what they lead to."""
    yield from steps_of_proof(c)
    yield from excess_below_xi(c)


def steps_of_proof(c: Context) -> Iterable[Relation]:
    """Check the steps of PROOF for the first four epochs, and xi_S at the S of the theorem."""
    problem, P_star, run = c.problem, c.D_star, OuterRun(c)
    eta, kappa = algorithm(c).eta_of(problem), algorithm(c).kappa_of(problem)
    chi = kappa / (problem.regularizer.lam + kappa)
    for moment in run.ended[:4]:
        s, eps_in, excess = moment.s, tolerance(eta, moment.xi), problem.P(moment.centre) - P_star
        M = prox(problem, kappa, moment.centre).M
        yield Le(M - P_star, chi * excess, f"s = {s}: M(w~_s) - P* <= chi Delta_s")
        yield Le(problem.P(moment.w) - P_star, chi * excess + eps_in, f"s = {s}: Delta_{{s+1}} <= chi Delta_s + eps_in")
        yield Le(chi * moment.xi + eps_in, (1 - eta / 2) * moment.xi, f"s = {s}: chi xi_s + eps_in <= (1 - eta/2) xi_s")
    if run.xi_1 > 0:
        S = promised(eta, run.xi_1, run.xi_1 / 100)
        yield Le(run.xi_1 * (1 - eta / 2) ** (S - 1), run.xi_1 / 100, f"xi_S <= xi_1/100 at S = {S}")


def excess_below_xi(c: Context) -> Iterable[Relation]:
    """P(w~_s) - P* <= xi_s on the method's run; line 7 at the end."""
    problem, eta, run = c.problem, algorithm(c).eta_of(c.problem), OuterRun(c)
    excess, since = problem.P([problem.zero] * problem.d) - c.D_star, c.instance.extra.get("since", 1)
    for s, w, xi in run.visited():
        if s >= since:
            yield Le(problem.P(w) - c.D_star, xi, f"P(w~_{s}) - P* <= xi_{s}", trivial=excess)
    if algorithm(c).stop == "S" and run.complete:
        epsilon, (S, w, _) = c.q(c.instance.options["epsilon"]), run.last
        if run.xi_1 > 0:
            yield Eq(
                S, promised(eta, run.xi_1, epsilon), "line 7: S is the smallest integer >= 1 + (2/eta) ln(xi_1/epsilon)"
            )
        yield Le(problem.P(w) - c.D_star, epsilon, "P(w~_S) - P* <= epsilon")


# -- with the root -----------------------------------------------------------------------------------------------------


@refuted(
    "aspdc.theorem-2.root",
    "Theorem 2 (ASPDC-i) read with eta = sqrt(lam/(lam + 2 kappa)): P(w~_s) - P* <= xi_s for every s, hence P(w~_S) -"
    " P* <= epsilon for S >= 1 + (2/eta) ln(xi_1/epsilon)",
    hypotheses=f"{HYPOTHESES}; the root as in the companion code, no momentum",
    evidence=[
        golden(
            LITERAL,
            LITERAL_UNIT,
            detail=(
                "n = 1, x = 1/20, eta = 1/20 and its n = 2, R = 1 form: false from s = 380 on, with ASPDC and its own"
                " inner tolerance"
            ),
        ),
        formal("theorem_2_root_false", refutes=True),
    ],
    control=holds_on(
        LITERAL.but(lam=Q(8, 5), options={**LITERAL.options, "kappa": Q(12, 5)}, extra=Extras()),
        text="eta = 1/2 on the same row: the statement is true there",
    ),
    origin=PAPER.reading(
        "Theorem 2",
        "Algorithm 2",
        note=(
            "the radical is lost in print, if there is one; the companion code computes this root. It is not counted"
            " as an error: without the root, which fits its xi_1, the theorem is true (aspdc.theorem-2)"
        ),
    ),
    proof=(
        "The exact prox contracts P - P* on a direction of data curvature h only by (kappa/(kappa + lam + h))^2, about "
        "1 - 2 lam/kappa, while xi_s falls by 1 - eta/2, about 1 - sqrt(lam/(8 kappa)): too fast for small lam/kappa."
    ),
)
def root(c: Context) -> Iterable[Relation]:
    yield from excess_below_xi(c)


# -- remarks -----------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.theorem-2.not-accelerated",
    "ASPDC-i without momentum is not accelerated: on a direction of data curvature h even exact inner solves multiply P"
    " - P* by (kappa/(kappa + lam + h))^2 >= 1 - 2(lam + h)/(kappa + lam + h), so epochs grow like kappa/lam, not like"
    " its root",
    origin=PAPER.ours("Theorem 2", "abstract"),
    hypotheses="n = 1, squared loss, h = x^2/gamma; exact inner solves are a legal run of Algorithm 2",
    evidence=[
        golden(
            *(
                ONE_ROW.but(rows=((x,),), lam=lam, options={"kappa": 4 - lam})
                for x in Qs("1/20", "1/1000", 1)
                for lam in Qs("1/10", "1/1000", 1)
            ),
            detail="three x, three lam, kappa = 4 - lam",
        )
    ],
    control=false_with(
        "the accelerated rate 1 - sqrt(eta)", ONE_ROW.but(options={"kappa": Q(1596, 401)}), accelerated=True
    ),
)
def contraction(c: Context, accelerated: bool = False) -> Iterable[Relation]:
    """Check one exact outer step from 0; with ``accelerated`` the rate is 1 - sqrt(eta)."""
    problem, kappa, zero = c.problem, algorithm(c).kappa_of(c.problem), [c.problem.zero]
    lam, h = problem.regularizer.lam, problem.R2 / problem.gamma
    ratio = (problem.P(prox(problem, kappa, zero).p) - c.D_star) / (problem.P(zero) - c.D_star)
    if accelerated:
        root = ASPDCi(kappa=kappa, eta="root").eta_of(problem)
        yield Le(ratio, 1 - root, "P - P* falls by 1 - sqrt(eta)")
        return
    yield Eq(ratio, (kappa / (kappa + lam + h)) ** 2, "(kappa/(kappa + lam + h))^2")
    yield Le(1 - 2 * (lam + h) / (kappa + lam + h), ratio, "at least 1 - 2(lam + h)/(kappa + lam + h)")
