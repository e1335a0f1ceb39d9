"""AFG: the certificate A_k F(x_k) <= min psi_k after every iteration, and the rates that follow from it.

psi_k is put together here from the method's x_i and A_i alone: its gradients, its weights and its minimizer are not the
method's. Exact where the root of line 2 is rational (the first iteration, and a second one of lam = L/6); elsewhere
enclosed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from hypothesis.strategies import DrawFn

from dualgap.extras.baselines.afg.reference import AFG, AFGState
from dualgap.extras.baselines.items import PAPER, RESTATED
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.evidence.levels import all_of, altered, enclosed, exact, fails_for, false_with, golden
from dualgap.proofs_checks.evidence.mutants import mutant
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, each, minus, square
from dualgap.proofs_checks.strategies.instances import any_of, instances
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Vector

SMOOTH = "phi_i (1/gamma)-smooth, g mu-strongly convex, L_f an upper bound of lambda_max(X^T X)/(n gamma)"
ONE = Q(1)
RATIOS = Qs(1, "1/4", "1/40", 2)  # R^2/(lam gamma n)
# where f is linear, line 6 is an equality: undecided
CURVED = ("squared", "squared", "squared", "squared-hinge", "smoothed-hinge")


@st.composite
def searches(draw: DrawFn, /, iterations: int, factors: Sequence[Fraction], **fields: object) -> Instance:
    """Problems, their first L a factor of R^2/(n gamma): 3/7, since L = L_f makes line 6 an equality for a parabola."""
    instance = draw(instances(K=RATIOS, max_path=0, method="afg", extra=any_of(iterations=(iterations,)), **fields))
    down, factor, least = draw(st.sampled_from((2, 2, 1, Q(3, 2)))), draw(st.sampled_from(factors)), lowest(instance)
    return instance.but(alpha=(), options={"down": down, "L_0": factor * least} if least else {"down": down})


def lowest(instance: Instance) -> Fraction:
    """R^2/(n gamma) <= L_f."""
    problem = instance.problem()
    least: Fraction = problem.R2 / (problem.n * problem.gamma)
    return least


SMALL: dict[str, object] = {"l1": Qs(0, 0, "1/10"), "losses": CURVED, "max_n": 3, "max_d": 2}
# One iteration, exactly, and seven iterations; any first L. Nine iterations from L_0 <= R^2/(n gamma) <= L_f.
first_iterations = Pool(
    "baselines.first_iterations", searches, 1, Qs(1, "3/7", "3/70", "300/7"), l1=Qs(0, 0, "1/10", 1)
)
some_iterations = Pool("baselines.some_iterations", searches, 7, Qs("3/7", "3/70", "300/7"), **SMALL)
from_below = Pool("baselines.from_below", searches, 9, Qs("6/7", "3/7", "3/70"), **SMALL)


# -- runs --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Iteration:
    """x_k, A_k, the L that was accepted, and psi_k: constant + s^T w + A_k Psi(w) + (1/2)||w||^2."""

    k: int
    x: Vector
    A: Number
    L: Number
    s: Vector
    constant: Number

    def least(self, c: Context) -> Number:
        """min psi_k."""
        g = c.problem.regularizer
        v = g.prox([-s_j for s_j in self.s], self.A)
        linear = sum((v_j * v_j / 2 + s_j * v_j for v_j, s_j in zip(v, self.s)), c.problem.zero)
        return self.constant + linear + self.A * g.value(v)


def gradient(c: Context, w: Vector) -> Vector:
    """grad f(w) = (1/n) sum_i phi_i'(x_i^T w) x_i, by its definition."""
    total = [c.problem.zero] * c.problem.d
    for row, y in zip(c.problem.rows, c.problem.y):
        slope = c.problem.loss.derivative(c.problem.dot(row, w), y) / c.n
        for j, x in row:
            total[j] = total[j] + slope * x
    return total


def algorithm(c: Context) -> AFG:
    """The context's method, which must be AFG (or a mistaken one)."""
    return cast(AFG, c.method)


def trials(c: Context) -> Iterator[tuple[AFGState, AFGState]]:
    """The states before and after every trial, until the iterations of the instance are made."""
    before = algorithm(c).init(c.problem)
    while before.k < c.instance.extra.iterations:
        after = algorithm(c).step(c.problem, before, 0)
        yield before, after
        before = after


def run(c: Context) -> Iterator[Iteration]:
    """The iterations, psi_k from the definition."""
    problem = c.problem
    s, constant = [problem.zero] * problem.d, problem.zero
    for before, after in trials(c):
        if after.k > before.k:
            a, x = after.A - before.A, after.x
            z, h = [problem.dot(row, x) for row in problem.rows], gradient(c, x)
            values = [problem.loss.value(z_i, y) for z_i, y in zip(z, problem.y)]
            s = [s_j + a * h_j for s_j, h_j in zip(s, h)]
            constant = constant + a * (c.mean(values) - dot(h, x))
            yield Iteration(after.k, x, after.A, before.L, list(s), constant)


# -- the certificate ---------------------------------------------------------------------------------------------------

# smoothed hinge far from its kinks: f is linear, and the first iteration uses up all of the weight
LINEAR = LONE_ROW.but(
    alpha=(),
    lam=Q(1, 1000),
    loss="smoothed-hinge",
    gamma=Q(1, 2),
    method="afg",
    options={"L_0": Q(20)},
    extra=further(iterations=1),
)
ILL_CONDITIONED = Instance(  # two equal rows: the curvature is R^2/gamma, twice what one row can tell
    rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=(), lam=Q(1, 10), method="afg", extra=further(iterations=1)
)
TWO = Instance(  # u(u + 4) = (8/3)^2 for u = 1 + 2 lam/L = 4/3: a second root that is rational
    rows=(Qs(1, 0), Qs(0, "1/2")),
    y=Qs(1, -1),
    alpha=(),
    lam=Q(1, 6),
    method="afg",
    options={"L_0": Q(1), "down": 1},
    extra=further(iterations=2),
)


# L_f = 1/2 <= L = 3/5 < R^2/gamma = 1: line 6 is true there, and no cap decides
BETWEEN = ILL_CONDITIONED.but(rows=(Qs(1, 0), Qs(0, "1/2")), y=Qs(1, -1), lam=Q(1, 6), options={"L_0": Q(3, 5)})


def acceptable(c: Context, before: AFGState) -> bool:
    """Return whether line 6 is true for a trial from this state, by lines 2 to 5 written out."""
    g, A, L = c.problem.regularizer, before.A, before.L
    b = (1 + g.modulus * A) / L
    a = b + sqrt(b * b + 2 * b * A)
    v = g.prox([-s_j for s_j in before.s], A)
    y = [(A * x_j + a * v_j) / (A + a) for x_j, v_j in zip(before.x, v)]
    at_y = gradient(c, y)
    T = g.prox([y_j - h_j / L for y_j, h_j in zip(y, at_y)], 1 / L)
    p = [L * (y_j - T_j) + h_T - h_y for y_j, T_j, h_T, h_y in zip(y, T, gradient(c, T), at_y)]
    return bool(dot(p, minus(y, T)) >= square(p) / L) or bool(L >= algorithm(c).most(c.problem))


@claim(
    "baselines.afg.lines",
    "AFG lines 2 to 7: a^2/(A + a) = 2(1 + mu A)/L; a trial is accepted where p^T (y - T) >= ||p||^2/L, p = L(y - T) +"
    " grad f(T) - grad f(y), or L >= L_f; s is the sum of the a_i grad f(x_i); L is raised by up after a trial that is"
    " refused, lowered by down after one that is accepted",
    hypotheses=SMOOTH,
    origin=PAPER.reading("AFG, (4.9)", note=RESTATED),
    evidence=[
        exact(first_iterations, 0.3),
        golden(TWO, BETWEEN, detail="two iterations; L_f <= L < the cap"),
        enclosed(some_iterations, 0.1),
    ],
    control=fails_for("baselines.afg-gradient-at-y", first_iterations),
    kills=("baselines.afg-twice-the-weight", "baselines.afg-gradient-at-y"),
)
def lines(c: Context) -> Iterable[Relation]:
    mu, method = c.problem.regularizer.modulus, algorithm(c)
    for before, after in trials(c):
        accepted = after.k > before.k
        yield Same(after.L, before.L / c.q(method.down) if accepted else before.L * c.q(method.up), "L")
        yield Eq(int(accepted), int(acceptable(c, before)), f"line 6, trial {after.trials}")
        if accepted:
            a = after.A - before.A
            yield Same(a * a * before.L, 2 * (1 + mu * before.A) * after.A, f"line 2, a_{after.k}")
    for at, after in zip(run(c), (after for before, after in trials(c) if after.k > before.k)):
        yield from each(Same, after.s, at.s, f"line 7, s_{at.k}")


# -- rates -------------------------------------------------------------------------------------------------------------


@claim(
    "baselines.afg.rate",
    "AFG: A_k F(x_k) <= min_w psi_k(w), psi_k(w) = (1/2)||w - x_0||^2 + sum_i a_i [f(x_i) + grad f(x_i)^T (w - x_i)] +"
    " A_k Psi(w), after every iteration; so F(x_k) - F* <= ||x_0 - w*||^2/(2 A_k), for L_0 <= L_f at most (up L_f/4)"
    " ||x_0 - w*||^2 (1 + sqrt(mu/(2 up L_f)))^{-2(k-1)}, and (ours) at most up L_f ||x_0 - w*||^2/(k + 1)^2",
    hypotheses=SMOOTH,
    origin=PAPER.reading("AFG, rate", note=f"{RESTATED}; the last of the bounds is ours"),
    evidence=[
        exact(first_iterations, 0.5),
        golden(LINEAR, ILL_CONDITIONED, TWO, detail="equality except for lam; the cap decides; two iterations"),
        enclosed(some_iterations, 0.15),
        enclosed(from_below, 0.15),
    ],
    control=all_of(
        false_with("a twentieth of the bound", TWO, factor=Q(1, 20)),
        altered(
            "a^2/(A + a) = 4(1 + mu A)/L",
            lambda c: bounds(Context(c.instance, mutant("baselines.afg-twice-the-weight", c.instance), c.number)),
            TWO,
        ),
    ),
    kills=("baselines.afg-twice-the-weight", "baselines.afg-low-cap"),
    proof=(
        "psi_k is (1 + mu A)-strongly convex with minimum >= A F(x_k), and p in dF(T): min psi_{k+1} >= min_w A [F(T) +"
        " p^T (x_k - T)] + ((1 + mu A)/2)||w - v||^2 + a [F(T) + p^T (w - T)] = (A + a)[F(T) + p^T (y - T) - ||p||^2/L]"
        " by lines 2 and 3, and line 6 says that this is >= (A + a) F(T). For L >= L_f line 6 is true: with delta = y -"
        " T it says delta^T (grad f(y) - grad f(T)) >= ||grad f(y) - grad f(T)||^2/L. The rates: min psi_k <= psi_k(w*)"
        " <= ||w*||^2/2 + A_k F*, and with A+ = A + a: 2(1 + mu A) A+/L = a^2 <= 4 A+ (sqrt(A+) - sqrt(A))^2, so that"
        " sqrt(A+) >= sqrt(A) + sqrt((1 + mu A)/(2L)), where L <= up L_f, and A_1 = 2/L."
    ),
)
def bounds(c: Context, factor: Fraction = ONE) -> Iterable[Relation]:
    """A_k F(x_k) against min psi_k, and F(x_k) - F* against the bounds that follow, times factor."""
    known = Context(c.instance)
    w_star = [c.q(w_j) for w_j in known.problem.w(known.optimum)]
    distance2, F_star, zero = square(w_star), c.q(known.D_star), [c.problem.zero] * c.problem.d
    L_f, up, mu, start = c.R2 / c.gamma, c.q(algorithm(c).up), c.problem.regularizer.modulus, c.problem.P(zero) - F_star
    if c.problem.d == 1:  # lambda_max(X^T X)/(n gamma)
        L_f = sum(c.problem.norms2, c.problem.zero) / (c.n * c.gamma)
    L_0 = cast(Fraction | None, algorithm(c).L_0)
    below, grown = c.number is not Q and (L_0 is None or L_0 <= lowest(c.instance)), c.q(1)
    for at in run(c):
        value = c.problem.P(at.x)
        yield Le(at.A * value, at.least(c), f"A_{at.k} F(x_{at.k}) <= min psi_{at.k}")
        if not any(known.problem.w(known.optimum)) or c.R2 == 0:
            continue
        limits = {f"||w*||^2/(2 A_{at.k})": c.q(factor) * distance2 / (2 * at.A)}
        if below:
            yield Le(at.L, up * L_f, f"the accepted L of iteration {at.k} <= up L_f")
            yield Le(2 * grown / (up * L_f), at.A, f"A_{at.k} >= (2/(up L_f)) (1 + sqrt(mu/(2 up L_f)))^{2 * at.k - 2}")
            limits["the linear rate"] = up * L_f / 4 * distance2 / grown
            limits["up L_f ||w*||^2/(k + 1)^2"] = up * L_f * distance2 / (at.k + 1) ** 2
            rate = 1 + sqrt(mu / (2 * up * L_f))
            grown = grown * rate * rate
        for words, limit in limits.items():
            yield Le(value - F_star, limit, f"F(x_{at.k}) - F* <= {words}", trivial=start)
