"""SPDC, what its theorems need and what might go wrong: the steps, theta and the start, one by one.

Each mistake, which the paper does not make, is REFUTED by an exact instance, in arithmetic that ``replay`` repeats,
beside what does hold. The instances have condition number far above n: on well-conditioned data most of these mistakes
go unnoticed.
"""

from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Expected, saddle_of_squared
from dualgap.proofs_checks.papers.spdc.strategies import batches_anywhere, begun
from dualgap.proofs_checks.papers.spdc.variants import certificate_pivots
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector

SETTING = r"squared loss, $\gamma = 1$, $y = 0$, L2, $d = 1$"


def column(norms: Iterable[Any], lam: Any, method: str = "spdc", **options: Any) -> Instance:
    """Rows of one entry each, y = 0, gamma = 1, w^0 = 1 and alpha^0 = 0: the saddle point is 0."""
    rows = tuple(Qs(norm) for norm in norms)
    return Instance(
        rows=rows,
        y=(Q(0),) * len(rows),
        alpha=(Q(0),) * len(rows),
        lam=Q(lam),
        gamma=Q(1),
        method=method,
        options=options,
        extra=further(w=Qs(1)),
    )


# -- where mistakes show -----------------------------------------------------------------------------------------------

ILL_CONDITIONED = (
    column((1, 1), "1/20000"),
    column((1, 1, 1), "1/15000", "spdc-minibatch", m=2),
    column((1, 1, 1, 30), "1/40000", "spdc-nonuniform", mix="4/5"),
    column((1, 1, 1, 3), "1/40000", "spdc-nonuniform", mix="4/5"),
)


@claim(
    "spdc.growth",
    "(55), and its counterpart for Algorithm 3, where mistakes show: "
    r"$\mathbb{E}[\tilde{\Delta}^+ \vert \mathrm{past}] \le \theta \tilde{\Delta}$ at every state, on fixed problems"
    r" with condition number "
    "far above $n$",
    hypotheses=(
        f"{SETTING}; (16) or (29); $n = 2$, $m = 1$; $n = 3$, $m = 2$; Algorithm 3 with norms 1, 1, 1, 30 and 1, 1,"
        " 1, 3"
    ),
    origin=PAPER.printed("(55)", "extrapolation", note=RESTORED),
    evidence=[golden(*ILL_CONDITIONED, detail="all states, by the pivots of a matrix")],
    control=fails_on(column((1, 1), "1/50", theta="1/2"), text="theta = 1/2 instead of 17/20"),
    kills=[
        "spdc.lambda-gamma-swapped",
        "spdc.never-last",
        "spdc.no-extrapolation",
        "spdc.overwritten-alpha",
        "spdc.scaled-step",
        "spdc.shared-batch-order",
        "spdc.sigma-unscaled",
        "spdc.stale-w_bar",
        "spdc.steps-1/R",
        "spdc.weight-1/n",
        "spdc.weight-one",
        "spdc.wrong-u0",
    ],
)
def growth(c: Context) -> Iterable[Relation]:
    found = certificate_pivots(c)
    for k, pivot in enumerate(found, 1):
        yield Le(0, pivot, f"pivot {k} of theta Q - E T'QT")
    yield Eq(len(found), 2 * c.problem.d + c.n, "number of pivots")


# -- Theorem 1, as its variants would have it --------------------------------------------------------------------------


def square(a: Vector, b: Vector) -> Number:
    """||a - b||^2."""
    return sum(((s - t) ** 2 for s, t in zip(a, b)), Q(0))


def theorem_1(c: Context) -> Iterable[Relation]:
    """E Delta^t <= theta^t (Delta^0 + ||alpha^0 - alpha*||^2/(4 m sigma)) for t = 1 .. extra "t", exactly; (15) as
    printed.
    """
    problem, m = c.problem, c.instance.options.get("m", 1)
    method: Any = c.method
    star, p = saddle_of_squared(problem), method.parameters(problem)
    w_star = problem.w(star)
    best = problem.f(w_star, star)

    def delta(w: Vector, alpha: Vector) -> Number:
        gaps = problem.f(w, star) - best + Q(c.n, m) * (best - problem.f(w_star, alpha))
        return (
            (1 / (2 * p.tau) + c.mu / 2) * square(w, w_star)
            + (1 / (4 * p.sigma) + c.gamma / 2) * square(alpha, star) / m
            + gaps
        )

    along = Expected(begun(c)).along(
        c.instance.extra.t, [delta, lambda w, alpha: square(alpha, star) / (4 * m * p.sigma)]
    )
    start = along[0][0] + along[0][1]
    for t, (value, _) in enumerate(along[1:], 1):
        yield Le(value, p.theta**t * start, f"E Delta^{t} <= theta^{t} C", trivial=start)


def to(instance: Instance, t: int, more: Extras | None = None) -> Instance:
    """The instance with a horizon."""
    return instance.but(extra=instance.extra | further(t=t) | (more or Extras()))


ONE_OVER_R = to(column((1, 1), "1/20000", tau="100", sigma="1/100", theta="201/202"), 3)
ONE_OVER_2R = to(column((1, 1), "1/20000", tau="50", sigma="1/200", theta="201/202"), 3)


@claim(
    "spdc.steps.one-over-r",
    "(16) with 1/R in the place of 1/(2R), theta with R: Theorem 1 holds",
    origin=PAPER.inference("(16)", note="Not the paper, whose steps have 1/(2R): a factor 2 that is easily lost."),
    hypotheses=f"{SETTING}",
    expected="REFUTED",
    evidence=[
        golden(ONE_OVER_R, detail="n = 2, x = (1; 1), lam = 1/20000: at t = 3; it diverges, see the repaired form"),
        formal("spdc_inverse_R_diverges", refutes=True),
    ],
    control=holds_on(ONE_OVER_2R, text="1/(2R), with the same theta"),
    proof="The proof needs tau sigma <= 1/(4R^2) to absorb both cross terms of (53).",
)
def steps_one_over_R(c: Context) -> Iterable[Relation]:
    yield from theorem_1(c)


ONE_STEP = {"1/R": Q(40000, 412130601), "1/(2R)": Q(3648160000, 6496521201)}
FAR = to(ONE_OVER_2R, 200, further(E_w2=ONE_STEP["1/(2R)"]))


@claim(
    "spdc.steps.one-over-r.repaired",
    "(16), the steps: from the same start E w_t^2 falls below 2e-6 within 200 steps with 1/(2R), and grows beyond 10^25"
    " with 1/R, which validation refuses; the first steps are 3648160000/6496521201 and 40000/412130601 exactly",
    origin=PAPER.ours("(16)"),
    hypotheses=rf"{SETTING}; $n = 2$, $x = (1; 1)$, $\lambda = 1/20000$, $w^0 = 1$, $\alpha^0 = 0$, $\theta = 201/202$",
    evidence=[golden(FAR, detail="t <= 200, by exact second moments")],
    control=altered("the bound for 1/R", lambda c: [Le(mean_squares(c, 60)[60], Q(1), "")], ONE_OVER_R),
    proof="E[s s^T] obeys a linear recursion, as a step is linear in the state s.",
)
def steps_repaired(c: Context) -> Iterable[Relation]:
    values = mean_squares(c, c.instance.extra.t)
    yield Eq(values[1], c.given.E_w2, "E w_1^2 with 1/(2R)")
    yield Lt(values[-1], Q(2, 10**6), f"E w_{len(values) - 1}^2 with 1/(2R)")
    wide = Context(ONE_OVER_R)
    values = mean_squares(wide, c.instance.extra.t)
    yield Eq(values[1], ONE_STEP["1/R"], "E w_1^2 with 1/R")
    yield Lt(Q(10**25), values[-1], f"E w_{len(values) - 1}^2 with 1/R")
    yield Eq(int(refused(wide)), 1, "validation refuses tau sigma > 1/(4R^2)")


def mean_squares(c: Context, horizon: int) -> list[Number]:
    """[E ||w^t||^2 for t = 0 .. horizon], the saddle point being 0."""
    zero = [Q(0)] * c.problem.d
    return [values[0] for values in Expected(begun(c)).along(horizon, [lambda w, alpha: square(w, zero)])]


def refused(c: Context) -> bool:
    """Whether the method's validation refuses the problem."""
    try:
        c.method.require(c.problem)
    except HypothesisViolated:
        return True
    return False


HALF = to(column((1,), 1, theta="1/3"), 1)


@claim(
    "spdc.theorem-1.half",
    "Theorem 1 with R/2 in the place of 2R in theta, as extrapolation and as rate",
    origin=PAPER.inference(
        "Theorem 1",
        "(16)",
        note="Nobody says it, the paper has 2R: a reader of the sharp form may ask whether still less will do.",
    ),
    hypotheses=rf"{SETTING}; $\tau$, $\sigma$ as in (16)",
    expected="REFUTED",
    evidence=[golden(HALF, detail="n = 1, x = 1, lam = 1, w^0 = 1, alpha^0 = 0, theta = 1/3: at t = 1")],
    control=holds_on(
        HALF.but(options={"theta": "sharp"}), HALF.but(options={}), text="R (the sharp form) and 2R (the paper's)"
    ),
    proof=(
        "With R it does hold, spdc.theorem-1.sharp, and that is tight; so the printed 2R is on the safe side by a"
        " factor 2."
    ),
)
def theorem_1_half(c: Context) -> Iterable[Relation]:
    yield from theorem_1(c)


# -- the start ---------------------------------------------------------------------------------------------------------

ELSEWHERE = Instance(  # without u^0 = X^T alpha^0/n the limit is 9/13
    rows=(Qs(3), Qs(4)),
    y=Qs(1, 2),
    alpha=Qs(1, 1),
    lam=Q(1, 2),
    gamma=Q(1),
    method="spdc",
    options={"R": "4", "tau": "1/8", "sigma": "1/8"},
    extra=further(w=Qs(0), u=Qs(0)),
)


def drift(c: Context, state: Any) -> Vector:
    """u - X^T alpha/n."""
    return [u_j + v_j for u_j, v_j in zip(state.u, c.problem.minus_u(state.alpha))]


def limit(c: Context, offset: Vector) -> tuple[Any, Vector]:
    """The fixed point with u = X^T alpha/n + offset, the saddle point of g(w) + offset^T w, and its w."""
    dense = [dict(row).get(0, Q(0)) for row in c.problem.rows]
    slope = sum((x * x for x in dense), Q(0)) / (c.n * c.gamma)
    shift = sum((x * y for x, y in zip(dense, c.problem.y)), Q(0)) / (c.n * c.gamma)
    w = [(shift - offset[0]) / (c.mu + slope)]
    state = c.method.init(c.problem)
    state.w, state.w_bar = list(w), list(w)
    state.alpha = [c.problem.loss.derivative(c.problem.dot(row, w), y) for row, y in zip(c.problem.rows, c.problem.y)]
    state.u = [offset_j - v_j for offset_j, v_j in zip(offset, c.problem.minus_u(state.alpha))]
    return state, w


@claim(
    "spdc.initialisation.u0",
    "Algorithm 1, whose input is w^0 and alpha^0: with any u^0 the iterates can only come to rest at w*",
    hypotheses="squared loss, L2, d = 1",
    origin=PAPER.inference(
        "Algorithm 1",
        "initialization",
        note="Not the paper, which fixes u^0 in its line Initialize: only who leaves that line out.",
    ),
    expected="REFUTED",
    evidence=[
        golden(
            ELSEWHERE,
            detail="x = (3; 4), y = (1, 2), lam = 1/2, alpha^0 = (1, 1), u^0 = 0: the limit is 9/13, w* = 11/26",
        )
    ],
    control=holds_on(ELSEWHERE.but(extra=further(w=Qs(0), u=Qs("7/2"))), text="u^0 = X^T alpha^0/n = 7/2"),
    proof="u - X^T alpha/n never changes, so the method solves the problem with (u^0 - X^T alpha^0/n)^T w added to g.",
)
def initialisation(c: Context) -> Iterable[Relation]:
    state = begun(c).start.copy()
    state.u = list(c.given.u)
    offset = drift(c, state)
    resting, w = limit(c, offset)
    for i in range(c.n):
        for before, after in zip(resting.key(), c.method.step(c.problem, resting, i).key()):
            yield Eq(int(before == after), 1, f"a state with the same u - X^T alpha/n, which row {i} leaves as it is")
    yield Eq(w[0], c.problem.w(saddle_of_squared(c.problem))[0], "it lies at w*")


@claim(
    "spdc.initialisation.u0.repaired",
    "Algorithms 1 to 3: u^t - X^T alpha^t/n = u^0 - X^T alpha^0/n for every t, so that u^0 = X^T alpha^0/n is part of"
    " the algorithm",
    origin=PAPER.ours("initialization"),
    hypotheses="any smooth loss, L2 or elastic net, any u^0",
    evidence=[exact(batches_anywhere)],
    control=altered(
        "u^t = X^T alpha^t/n from any u^0", lambda c: [Eq(drift(c, shifted_start(c))[0], 0, "")], ELSEWHERE
    ),
    kills=["spdc.u-scaled-increment", "spdc.overwritten-alpha"],
    proof="(9) adds to u what X^T alpha/n gains.",
)
def initialisation_repaired(c: Context) -> Iterable[Relation]:
    state = shifted_start(c)
    expected = drift(c, state)
    for choice, _ in c.method.choices(c.problem, state):
        after = c.method.step(c.problem, state, choice)
        for left, right in zip(drift(c, after), expected):
            yield Eq(left, right, f"u - X^T alpha/n after {choice}")


def shifted_start(c: Context) -> Any:
    """The instance's start with 1 added to every u_j."""
    state = begun(c).start.copy()
    state.u = [u_j + 1 for u_j in state.u]
    return state


OUTSIDE = Instance(
    rows=(Qs(1), Qs(1)),
    y=Qs(1, 1),
    alpha=Qs(0, 2),
    lam=Q(1, 2),
    loss="smoothed-hinge",
    gamma=Q(1),
    method="spdc",
    extra=further(w=Qs(0), t=5),
)


@claim(
    "spdc.theorem-1.domain",
    "Theorem 1 and Corollary 2 for every alpha^0: E[P(w^t) - D(alpha^t)] is finite",
    hypotheses="smooth loss whose phi* has a bounded domain",
    origin=PAPER.inference(
        "Theorem 1",
        "Corollary 2",
        note=(
            "Not the paper, which nowhere says that its right side is finite: outside the domain it is infinite, and"
            " the theorem true and empty."
        ),
    ),
    expected="REFUTED",
    evidence=[golden(OUTSIDE, detail="n = 2, smoothed hinge, y = 1, alpha^0 = (0, 2): infinite for t = 0 .. 5")],
    control=holds_on(OUTSIDE.but(alpha=Qs(0, -1)), text="alpha^0 = (0, -1), in the domain"),
    proof=(
        "A row is not drawn in t steps with probability (1 - 1/n)^t > 0, and then its D is -infinity, and so is"
        " Delta^0. Theorem 2 and the distance form spdc.theorem-1d need nothing of alpha^0."
    ),
)
def theorem_1_domain(c: Context) -> Iterable[Relation]:
    layers = distributions(c.method, c.problem, begun(c).start)
    for t, layer in zip(range(c.instance.extra.t + 1), layers):
        chance = sum((p for p, state in layer if outside(c, state.alpha)), Q(0))
        yield Le(chance, Q(0), f"probability that D(alpha^{t}) is -infinity", trivial=Q(1))


def outside(c: Context, alpha: Vector) -> bool:
    """Whether D is -infinity there."""
    return not all(c.problem.loss.in_domain(a, y) for a, y in zip(alpha, c.problem.y))
