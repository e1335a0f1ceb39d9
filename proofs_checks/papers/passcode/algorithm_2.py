"""PASSCoDe, slides "Prime Problem", "Dual Problem" and Algorithm 2 with its variants Lock and Atomic; Wild and its
backward error.

P_PC(w) = (1/2)||w||^2 + sum l_i(x_i^T w)        D_PC(a) = (1/2)||sum a_i x_i||^2 + sum l_i*(-a_i)
step 1.5 (Lock)  all w_t, t in N_i, locked
step 2  a_i <- argmin of D_PC over coordinate i        step 3  w <- w + Delta a_i x_i
Wild solves P_eps(w) = (1/2)||w + epsilon||^2 + sum l_i(x_i^T w), epsilon = sum a_i x_i - w-hat:
||w-hat - w*||^2 + ||w-bar - w*||^2 <= ||epsilon||^2
"""

from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, fails_on, false_with, golden
from dualgap.proofs_checks.papers.passcode.instances import LOST_WRITE, PAIR, delayed, locked, scalings, undelayed, wild
from dualgap.proofs_checks.papers.passcode.items import ICML, PAPER, RESTATED
from dualgap.proofs_checks.papers.passcode.setting import (
    CONVEX,
    C,
    combine,
    conjugate,
    conjugates,
    losses,
    paper_dual,
    young,
)
from dualgap.proofs_checks.papers.vocabulary import each, implemented, minus, square
from dualgap.reference import Regularizer, method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector


@claim(
    "passcode.scaling",
    r"Prime Problem, Dual Problem and step 2: with $C = 1/(\lambda n)$, $l = C \varphi$ and $a = -\alpha/(\lambda n)$,"
    r" $w = \sum a_i x_i$ is $w(\alpha)$, $l^*(u) = C \varphi^*(u/C)$, $P_{\mathrm{PC}} = P/\lambda$ at every $w$,"
    r" $D_{\mathrm{PC}} = -D/\lambda$, $P_{\mathrm{PC}} + D_{\mathrm{PC}} = \mathrm{gap}/\lambda \ge 0$; and step 2"
    r" minimises $D_{\mathrm{PC}}$ over its coordinate",
    hypotheses=CONVEX,
    origin=PAPER.printed(
        "Prime Problem",
        "Dual Problem",
        "Algorithm 2",
        note="C, which carries the problem over to this library's, is ours; alpha in R^d is a misprint for R^n",
    ),
    evidence=[exact(scalings)],
    control=altered(
        "C = 1/lam",
        lambda c: [Eq(c.n * losses(c, w := list(c.given.w)) + square(w) / 2, c.problem.P(w) / c.mu, "")],
        PAIR,
    ),
)
def scaling(c: Context) -> Iterable[Relation]:
    problem, w = c.problem, list(c.given.w)
    a = paper_dual(c, c.alpha)
    yield from each(Eq, combine(problem, a), c.w, "w = sum a_i x_i = w(alpha)")
    for i, (row, y) in enumerate(zip(problem.rows, problem.y)):
        z = problem.dot(row, w)
        slope = C(c) * problem.loss.derivative(z, y)
        due = slope * z - C(c) * problem.loss.value(z, y)
        yield Eq(conjugate(c, i, slope), due, f"l_{i}*(u) = C phi*(u/C), attained at z")
    P_paper = square(w) / 2 + losses(c, w)
    D_paper = square(combine(problem, a)) / 2 + conjugates(c, a)
    yield Eq(P_paper, problem.P(w) / c.mu, "P_PC = P/lam")
    yield Eq(D_paper, -c.D / c.mu, "D_PC = -D/lam")
    yield Eq(P_paper + D_paper, (problem.P(w) - c.D) / c.mu, "P_PC + D_PC = (P - D)/lam")
    yield Le(0, P_paper + D_paper, "weak duality", trivial=P_paper + D_paper + 1)
    for successor in c.successors:
        i = successor.choice
        a_i = paper_dual(c, successor.alpha)[i]
        z = problem.dot(problem.rows[i], combine(problem, paper_dual(c, successor.alpha)))
        yield Eq(young(c, i, z, a_i), 0, f"step 2, i = {i}: -a_i is a subgradient of l_i at the new z")


def indices(c: Context) -> list[int]:
    """The rows that the instance's path visits, in order."""
    path: tuple[int | tuple[int, ...], ...] = c.instance.path
    return [choice if isinstance(choice, int) else choice[1] for choice in path]


@claim(
    "passcode.lock.serialisable",
    "Lock for every tau, and Atomic and Wild (nothing lost) for tau = 0: the run is the sequential one, SDCA's, on the"
    " same indices",
    hypotheses=f"{CONVEX}; Lock: all of $N_i$ locked from the read to the last write",
    evidence=[exact(locked), exact(undelayed)],
    control=fails_on(PAIR, text="Atomic at tau = 1, whose reads are not locked, and a write not yet visible"),
    origin=ICML.reading("PASSCoDe-Lock", note=RESTATED),
    proof=(
        "A holder of all locks of N_i reads only components whose writers have released them, so no write to N_i is in"
        " flight; at tau = 0 none is."
    ),
)
def lock_serialisable(c: Context) -> Iterable[Relation]:
    sdca = method("sdca")
    expected = sdca.run(c.problem, indices(c), sdca.init(c.problem, list(c.start.alpha)))
    yield from each(Eq, (*c.view[0], *c.alpha), (*expected.v, *expected.alpha), "(w, alpha) is SDCA's")


@claim(
    "passcode.invariant",
    "Lock and Atomic: w = sum a_i x_i exactly once no write is in flight, for every tau, order and visibility",
    hypotheses=rf"{CONVEX}; $\alpha_i$ is written by one worker at a time",
    evidence=[exact(delayed), exact(locked)],
    control=fails_on(LOST_WRITE, text="Wild with one lost component write"),
    origin=PAPER.ours("Lock, step 1.5", "Atomic, step 3"),
    proof=(
        "Each step adds to alpha_i the Delta whose multiple of x_i it writes; addition does not care about order, and"
        " nothing is lost."
    ),
)
def invariant(c: Context) -> Iterable[Relation]:
    yield from each(Eq, c.view[0], c.w, "w = w(alpha) once quiescent")


# worker 0 steps; two writes of worker 1 and one of its own are in flight
OVERLAP = PAIR.but(rows=(Qs(1, 2), Qs(3, 1)), options={"threads": 2, "delay": 2}, extra=Extras())


@implemented(
    "passcode.atomic.visibility",
    "The code: the reference's worker reads the shared memory, all of its own writes in flight, and any subset of the"
    " others' component writes; every subset by exactly one mask",
    hypotheses=rf"{CONVEX}; any workers, $\tau$ up to 3",
    evidence=[golden(OVERLAP), exact(delayed, 0.1)],
    control=false_with("its own writes unseen", OVERLAP, own=False),
)
def reads(c: Context, own: bool = True) -> Iterable[Relation]:
    """Every new alpha_i that a worker can reach, mask by mask, against the subsets of the others' component writes."""
    state, loss = c.state, c.problem.loss
    reached: dict[tuple[int, int], list[Number]] = {}
    for (worker, i, *_), after in ((s.choice, s.alpha) for s in c.successors):
        reached.setdefault((worker, i), []).append(after[i])
    for (worker, i), found in reached.items():
        mine = [write for owner, writes in state.pending if own and owner == worker for write in writes]
        others = [write for owner, writes in state.pending if owner != worker for write in writes]
        expected = []
        for seen in range(2 ** len(others)):
            w = list(state.v)
            for j, amount in (*mine, *(write for k, write in enumerate(others) if seen >> k & 1)):
                w[j] = w[j] - amount
            z = c.problem.dot(c.problem.rows[i], w)
            expected.append(loss.dual_step(z, state.alpha[i], c.problem.y[i], c.problem.norms2[i] / c.problem.scale))
        yield Eq(len(found), len(expected), f"worker {worker}, row {i}: as many masks as subsets")
        label = f"worker {worker}, row {i}: the values that are read, over all masks"
        yield from each(Eq, sorted(found), sorted(expected), label)


def loss_of_writes(c: Context) -> tuple[Vector, Vector, Vector]:
    """(w_hat, w_bar, epsilon): what the threads maintained, sum a_i x_i, and their difference w_bar - w_hat."""
    w_hat = c.view[0]
    return w_hat, c.w, minus(c.w, w_hat)


def perturbed(c: Context, epsilon: Vector) -> Problem:
    """P with (lam/2)||w + epsilon||^2 for its regularizer, up to a constant: half is a proximal term at -2 epsilon."""
    half = c.mu / 2
    return c.problem.with_regularizer(Regularizer(half)).centred(half, [-2 * e for e in epsilon])


def certificate(c: Context) -> Number:
    """sum_i [l_i(x_i^T w_hat) + l_i*(-a_i) + a_i x_i^T w_hat], what can be computed from (alpha, w_hat) alone."""
    w_hat, a = c.view[0], paper_dual(c, c.alpha)
    return sum((young(c, i, c.problem.dot(row, w_hat), a[i]) for i, row in enumerate(c.problem.rows)), Q(0))


def certified(c: Context) -> Iterable[Relation]:
    """At any (alpha, w_hat), converged or not: the gap of the perturbed problem, and what it says of w*."""
    w_hat, w_bar, epsilon = loss_of_writes(c)
    a = paper_dual(c, c.alpha)
    P_eps = square([w + e for w, e in zip(w_hat, epsilon)]) / 2 + losses(c, w_hat)
    D_eps = square(w_bar) / 2 - sum((e * w for e, w in zip(epsilon, w_bar)), Q(0)) + conjugates(c, a)
    value = certificate(c)
    yield Eq(P_eps + D_eps, value, "W1: the perturbed gap")
    yield Le(0, value, "W1: nonnegative", trivial=value + 1)
    distance, size = square(minus(w_hat, c.problem.w(c.optimum))), square(epsilon)
    excess = distance - size - 2 * value  # sqrt(distance) <= sqrt(size) + sqrt(2 value), squared twice
    yield Le(max(excess, Q(0)) ** 2, 8 * size * value, "W2: ||w-hat - w*|| <= ||eps|| + sqrt(2 certificate)")


@claim(
    "passcode.wild.backward-error",
    "Wild: once no write is lost any more, each clean step is SDCA's on the problem with ||w + epsilon||^2/2, epsilon"
    " frozen; its optimum is the one fixed point w-hat of the clean steps, and there ||w-hat - w*||^2 + ||w-bar -"
    " w*||^2 <= ||epsilon||^2; before that, P_eps(w-hat) + D_eps(a) = sum [l_i(z_i) + l_i*(-a_i) + a_i z_i] >= 0 is"
    " the gap of that problem, and ||w-hat - w*|| <= ||epsilon|| + sqrt(2 gap)",
    hypotheses="smooth loss with a rational optimum, L2, lam > 0; any writes lost before",
    evidence=[exact(wild), golden(LOST_WRITE, detail="w* = (1/4, -3/4), 9/64 <= 1/4")],
    control=all_of(
        altered(
            "w-hat solves the original problem",
            lambda c: each(Eq, perturbed(c, loss_of_writes(c)[2]).w(c.alpha), c.problem.w(c.optimum), ""),
            LOST_WRITE,
        ),
        altered(
            "the certificate read as a gap of the original problem",
            lambda c: [Eq((c.problem.P(c.view[0]) - c.D) / c.mu, certificate(c), "")],
            LOST_WRITE,
        ),
    ),
    origin=ICML.reading(
        "Backward error",
        "PASSCoDe-Wild",
        note=f"{RESTATED}; the step-by-step form, the sum of squares and the gap are ours",
    ),
    proof=(
        "A clean step adds the same Delta a_i x_i to w-hat and w-bar, so epsilon stays, and the step reads w-hat ="
        " w-bar - epsilon, the perturbed problem's own w(alpha). Fixed points: -a_i in dl_i(x_i^T w-hat) for all i, the"
        " optimality condition. prox is firmly nonexpansive: ||w-hat - w*||^2 <= -eps (w-hat - w*), and w-bar - w* ="
        " (w-hat - w*) + eps. At any (alpha, w-hat): ||w-hat + eps||^2/2 + ||w-bar||^2/2 - eps w-bar = w-bar w-hat ="
        " sum a_i z_i; P_eps is 1-strongly convex, so ||w-hat - w_eps||^2 is at most twice the gap; w_eps = prox(-eps),"
        " w* = prox(0) of sum l_i."
    ),
)
def wild_backward_error(c: Context) -> Iterable[Relation]:
    yield from certified(c)
    epsilon = loss_of_writes(c)[2]
    problem, sdca = perturbed(c, epsilon), method("sdca")
    state, expected = quiescent(c, c.view[0], c.alpha), sdca.init(problem, c.alpha)
    for i in [*range(c.n), 0]:
        state, expected = c.method.step(c.problem, state, i), sdca.step(problem, expected, i)
        landed, alpha = c.method.view(c.problem, state)
        label = f"a clean step on row {i} is SDCA's on the perturbed problem"
        yield from each(Eq, (*landed, *alpha), (*expected.v, *expected.alpha), label)
    alpha = exact_optimum(problem)
    w_hat, w_bar, w_star = problem.w(alpha), c.problem.w(alpha), c.problem.w(c.optimum)
    for i in range(c.n):
        after = c.method.view(c.problem, c.method.step(c.problem, quiescent(c, w_hat, alpha), i))
        yield from each(Eq, after[0], w_hat, f"row {i} does not change the perturbed optimum")
    yield Le(square(minus(w_hat, w_star)) + square(minus(w_bar, w_star)), square(epsilon), "W2 at the fixed point")
    for name, found in (("w_star", w_star), ("w_hat", w_hat), ("w_bar", w_bar)):
        yield from each(Eq, found, c.given.get(name, ()), f"{name} of the worked example")


def quiescent(c: Context, w: Vector, alpha: Vector) -> Any:
    """A state with nothing in flight, shared memory w and dual alpha."""
    state = c.state.copy()
    state.v, state.alpha, state.pending = list(w), list(alpha), []
    return state
