"""ASDCA: its lines, P(w^(t)) - P* <= xi_t after every outer call, and its two stopping rules.

eta is the square root of mu/rho = 1/(2 R^2/(lam gamma n) - 1): exact where R^2/(lam gamma n) = (m^2 + 1)/2 with m
rational.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from fractions import Fraction
from itertools import cycle, islice
from typing import Any, NamedTuple, cast

from hypothesis.strategies import SearchStrategy

from dualgap.extras.baselines.asdca.reference import ASDCA
from dualgap.extras.baselines.items import PAPER, RESTATED
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import altered, exact, fails_for, golden
from dualgap.proofs_checks.evidence.mutants import mutant
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR, each, minus, square
from dualgap.proofs_checks.strategies.instances import any_of, instances
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

SMOOTH = "phi_i (1/gamma)-smooth, L2 or elastic net, lam < R^2/(n gamma); any path"
MOST_STEPS = 60  # inner steps per row before a run is given up
# one of two rows drawn again and again, and 0 nearly right on it: the inner steps move w by little
UNSEEN = EQUAL_PAIR.but(
    y=Qs("1/100", 1), lam=Q(1, 5), method="asdca", path=(0,) * 40, extra=further(calls=14, ratio=Q(2))
)
FOURFOLD = UNSEEN.but(lam=Q(4, 13), path=(), extra=further(calls=14, ratio=Q(4)))
EVERY_LINE = tuple(f"baselines.asdca-{name}" for name in ("momentum-from-y", "inner-cap", "absolute-gap", "kappa-of-r"))


def outer(K: tuple[Fraction, ...], **fields: object) -> SearchStrategy[Instance]:
    """Starts of ASDCA with R^2/(lam gamma n) in K and an accuracy."""
    return instances(
        K=K, max_n=3, max_d=2, max_path=3, method="asdca", extra=any_of(calls=(5,), ratio=Qs(2, 10, 1000)), **fields
    )


# m = 2, 3, 5, 9: R^2/(lam gamma n) = 5/2, 5, 13, 41; L2 or elastic net.
conditions = Pool("baselines.conditions", outer, Qs("5/2", 5, 13, 41), l1=Qs(0, 0, "1/10"))
# m = 3/2, 2: few calls until xi_t says something.
mild = Pool("baselines.mild", outer, Qs("13/8", "5/2"), l1=Qs(0, 0, "1/10"))


# -- runs --------------------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """The arguments and the result of call t."""

    t: int
    y_before: Vector
    w_before: Vector
    xi_before: Fraction
    state: Any  # after it


def algorithm(c: Context) -> ASDCA:
    """The context's method, which must be ASDCA (or a mistaken one)."""
    return cast(ASDCA, c.method)


def calls(c: Context, most: int) -> Iterator[Call]:
    """The outer calls of the method's own run, at most ``most``; indices: the path, then all rows, repeated."""
    method, state = algorithm(c), c.start
    for index in islice(cycle((*c.instance.path, *range(c.n))), MOST_STEPS * c.n):
        after = method.step(c.problem, state, index)
        if after.t > state.t:
            yield Call(after.t, state.y_t, state.w_t, state.xi, after)
        state = after
        if state.t > most or state.rule:
            return


def excess(c: Context, w: Vector) -> Number:
    """P(w) - P*."""
    return c.problem.P(w) - c.D_star


# R = 2
TWO = Instance(rows=(Qs(2),), y=Qs(1), alpha=Qs(0), lam=Q(4, 5), method="asdca", extra=further(calls=3, ratio=Q(2)))
NET = TWO.but(rows=(Qs(1),), y=Qs(-1), lam=Q(2, 5), l1=Q(1, 10))


# -- lines 4 to 7 ------------------------------------------------------------------------------------------------------


@claim(
    "baselines.asdca.algorithm",
    "ASDCA lines 4 to 8: call t returns w = w(alpha) of P~_t with P~_t - D~_t = eps_t <= accuracy, starting at the"
    " alpha of the last; y^(t) = w^(t) + beta (w^(t) - w^(t-1)); xi_t = (1 - eta/2) xi_{t-1}; the second rule's bound"
    " is made of the true eps_t",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, procedure", note=RESTATED),
    evidence=[exact(conditions, 0.2), golden(TWO, NET, UNSEEN, detail="one with a row never drawn")],
    control=fails_for("baselines.asdca-momentum-from-y", conditions, count=10),
    kills=EVERY_LINE,
)
def lines(c: Context) -> Iterable[Relation]:
    problem, lam, R2 = c.problem, c.problem.regularizer.lam, c.R2
    if R2 == 0:
        return
    kappa = R2 / (c.gamma * c.n) - lam
    ratio = 2 * R2 / (c.gamma * lam * c.n)  # 1 + rho/mu
    eta = algorithm(c).constants(problem).eta
    for call in calls(c, c.instance.extra.calls):
        inner, after, beta = problem.centred(kappa, call.y_before), call.state, (1 - eta) / (1 + eta)
        yield from each(Eq, after.w_t, inner.w(after.alpha_t), f"w^({call.t}) = w(alpha; y)")
        gap = inner.P(after.w_t) - inner.D(after.alpha_t)
        yield Le(gap, eta / (2 * ratio) * call.xi_before, f"line 5: eps_{call.t}", trivial=call.xi_before)
        for y_j, w_j, b_j in zip(after.y_t, after.w_t, call.w_before):
            yield Eq(y_j, w_j + beta * (w_j - b_j), f"line 6: y^({call.t})")
        yield Eq(after.xi, (1 - eta / 2) * call.xi_before, f"line 7: xi_{call.t}")
        yield Eq(
            after.bound,
            ratio * gap + (ratio - 1) * kappa / 2 * square(minus(after.w_t, call.y_before)),
            f"line 8: bound_{call.t}",
        )


# -- the guarantees ----------------------------------------------------------------------------------------------------


@claim(
    "baselines.asdca.guarantee",
    "ASDCA: P(w^(t)) - P* <= xi_t = (1 - eta/2)^{t-1} (1 + 1/eta^2)(P(w^(1)) - D(alpha^(1))) after every outer call;"
    " and, which is line 8's second rule, P(w^(t)) - P* <= (1 + rho/mu) eps_t + (rho kappa/(2 mu)) ||w^(t) -"
    " y^(t-1)||^2",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, guarantee", "ASDCA, stopping rules", note=RESTATED),
    evidence=[exact(mild, 0.1), exact(conditions, 0.2), golden(UNSEEN, detail="a row never drawn")],
    control=altered(
        "inner calls of n steps, whatever their gap",
        lambda c: guarantee(Context(c.instance, mutant("baselines.asdca-inner-cap", c.instance))),
        UNSEEN,
    ),
    kills=("baselines.asdca-inner-cap",),
)
def guarantee(c: Context) -> Iterable[Relation]:
    """P(w^(t)) - P* against xi_t, which says nothing until it is below P(w^(1)) - P*, and the second rule's bound."""
    if c.R2 > 0:
        start = excess(c, c.start.w_t)
        for call in calls(c, 14):
            for part in ("xi", "bound"):
                at = f"P(w^({call.t})) - P* <= {part}_{call.t}"
                yield Le(excess(c, call.state.w_t), getattr(call.state, part), at, trivial=start)


@claim(
    "baselines.asdca.rule-1",
    "ASDCA line 8, first rule: t >= 1 + (2/eta) ln(xi_1/epsilon) makes xi_t <= epsilon, and fires exactly then; when"
    " either rule has fired, P(w^(t)) - P* <= epsilon, and the run has ended",
    hypotheses=SMOOTH,
    origin=PAPER.reading("ASDCA, stopping rules", note=RESTATED),
    evidence=[exact(mild, 0.1), golden(FOURFOLD, detail="xi_1 = 4 epsilon")],
    control=fails_for("baselines.asdca-first-rule", mild, "ln(xi_1/epsilon)/(2 eta)"),
    kills=("baselines.asdca-first-rule",),
)
def rule_1(c: Context) -> Iterable[Relation]:
    eta, ratio, xi = algorithm(c).constants(c.problem).eta, c.given.ratio, c.start.xi
    needed = next(count for count in range(1000) if algorithm(c).promised(eta, ratio, count))
    yield Le((1 - eta / 2) ** needed * ratio, 1, f"xi_t <= epsilon at t = {1 + needed}")
    if xi > 0:
        stopping = copy(algorithm(c))
        stopping.epsilon = xi / ratio
        made = list(calls(Context(c.instance, stopping), 40))
        for call in made:
            fires = f"t = {call.t}: the first rule fires exactly from t = {1 + needed} on"
            yield Eq(int(call.state.rule == 1), int(call.t - 1 >= needed), fires)
        for call in (call for call in made if call.state.rule):
            at = f"rule {call.state.rule} at t = {call.t}: P - P* <= epsilon"
            yield Le(excess(c, call.state.w_t), stopping.epsilon, at)
            yield Eq(stopping.step(c.problem, call.state, 0).gaps, call.state.gaps, "nothing is done any more")
