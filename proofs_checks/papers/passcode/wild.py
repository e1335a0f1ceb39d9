"""PASSCoDe-Wild and its backward error: the perturbed problem that it solves, with epsilon = sum a_i x_i - w-hat.

P_eps(w) = (1/2)||w + epsilon||^2 + sum l_i(x_i^T w)        ||w-hat - w*||^2 + ||w-bar - w*||^2 <= ||epsilon||^2
"""

from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, golden
from dualgap.proofs_checks.papers.passcode.instances import LOST_WRITE, wild
from dualgap.proofs_checks.papers.passcode.items import ICML, RESTATED
from dualgap.proofs_checks.papers.passcode.setting import conjugates, losses, paper_dual, young
from dualgap.proofs_checks.papers.vocabulary import each, minus, square
from dualgap.reference import Regularizer, method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector


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
