"""SPDC, Algorithm 3, the rates: Theorem 2, the same for any probabilities, and the mix that makes its theta smallest.

As in ``spdc_rates``: exact for all states or all t where steps are linear, over all paths elsewhere; the constants are
stated here once more, from the paper.
"""

from dualgap.proofs_checks.papers.spdc import strategies
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED_29
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import (
    Array,
    Steps,
    cross,
    diagonal,
    is_linear,
    lower_certificate,
    semidefinite_pivots,
)
from dualgap.proofs_checks.papers.spdc.rates import ASSUMED, G1
from dualgap.proofs_checks.papers.spdc.rates_distance import ANYWHERE, in_distance
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.spdc import Parameters
from dualgap.reference.problem.problem import Vector


class Constants(NamedTuple):
    """Probabilities p_k, steps and rate."""

    p: list[Fraction]
    tau: Fraction
    sigma: Fraction
    theta: Fraction


def norms(c: Context) -> tuple[list[Fraction], Fraction]:
    """||x_i|| and their mean R_bar."""
    every = [sqrt(norm2) for norm2 in c.problem.norms2]
    return every, sum(every, Q(0)) / c.n


def brackets(c: Context, mix: Fraction) -> tuple[Fraction, Fraction]:
    """n/(1 - mix) and (R_bar/mix) sqrt(n/(lam gamma)): theta of (29) is 1 - 1/(their sum)."""
    return c.n / (1 - mix), norms(c)[1] / mix * sqrt(c.n / (c.mu * c.gamma))


def constants(c: Context) -> Constants:
    """(28) and (29) for the instance's mix."""
    mix, (every, mean) = Q(c.instance.options["mix"]), norms(c)
    tau = mix / (2 * mean) * sqrt(c.gamma / (c.n * c.mu))
    sigma = mix / (2 * mean) * sqrt(c.n * c.mu / c.gamma)
    p = [((1 - mix) + mix * norm / mean) / c.n for norm in every]
    return Constants(p, tau, sigma, 1 - 1 / sum(brackets(c, mix), Q(0)))


class GivenSteps(NonUniformSPDC):
    """Algorithm 3 with constants of one's own."""

    def __init__(self, given: Constants) -> None:
        super().__init__()
        self.given = given

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        p, tau, sigma, theta = self.given
        return Parameters(tau, sigma, theta, [p_k * problem.n for p_k in p])


# -- Theorem 2 ---------------------------------------------------------------------------------------------------------


def lyapunov(c: Context, k: Constants) -> tuple[Array, Array]:
    """The left side of Theorem 2, with gamma/(p_i n) for gamma/n, and Psi of its proof, as forms in (w - w*, w - w^-,
    alpha - alpha*).
    """
    p, on_w, on_alpha = c.problem, 1 / (2 * k.tau) + c.mu, [c.gamma / (p_i * c.n) for p_i in k.p]
    left = diagonal(p, on_w, Q(0), [1 / (4 * k.sigma) + a for a in on_alpha])
    psi = diagonal(p, on_w, 1 / (4 * k.tau), [1 / (2 * k.sigma) + a for a in on_alpha])
    return left, psi + cross(p)


def one_step(c: Context, k: Constants) -> Iterable[Relation]:
    """E Psi+ <= theta Psi on all states, and the left side of Theorem 2 is at most Psi."""
    steps, (left, psi), size = Steps(c), lyapunov(c, k), 2 * c.problem.d + c.n
    yield Eq(int(steps.on_states(k.theta)[1]), 1, "a step keeps w_bar = w + theta (w - w^-) and u = X^T alpha/n")
    yield Eq(semidefinite_pivots(psi - left), size, "the distances are at most Psi everywhere: pivots >= 0")
    yield Eq(
        semidefinite_pivots(steps.excess(psi, k.theta, k.theta)), size, "E Psi+ <= theta Psi everywhere: pivots >= 0"
    )


def along_runs(c: Context, k: Constants, right: Vector) -> Iterable[Relation]:
    """Theorem 2 with gamma/(p_i n) on the left, and on the right what ``right`` says."""
    left = [1 / (4 * k.sigma) + c.gamma / (p_i * c.n) for p_i in k.p]
    yield from in_distance(c, k.theta, 1 / (2 * k.tau) + c.mu, left, [1 / (2 * k.sigma) + r for r in right])


def hurried(c: Context, share_1: Number, share_2: Number) -> tuple[Context, Constants]:
    """Algorithm 3 with other shares of the two terms of theta."""
    first, second = brackets(c, Q(c.instance.options["mix"]))
    k = constants(c)._replace(theta=1 - 1 / (share_1 * first + share_2 * second))
    return Context(c.instance, GivenSteps(k)), k


def hurried_step(c: Context, share_1: Number, share_2: Number) -> Iterable[Relation]:
    """``one_step`` of that."""
    yield from one_step(*hurried(c, share_1, share_2))


def hurried_runs(c: Context, share_1: Number, share_2: Number) -> Iterable[Relation]:
    """``along_runs`` of that."""
    changed, k = hurried(c, share_1, share_2)
    yield from along_runs(changed, k, [c.gamma / (p_i * c.n) for p_i in k.p])


def rows_on_a_line(lam: Fraction, mix: Fraction, *rows: int, extra: Extras | None = None) -> Instance:
    """Rows (x) with y = 0 and gamma = 1 from w^0 = 1 and alpha^0 = 1."""
    n = len(rows)
    return Instance(
        rows=tuple(Qs(x) for x in rows),
        y=Qs(0) * n,
        alpha=Qs(1) * n,
        lam=lam,
        method="spdc-nonuniform",
        options={"mix": mix},
        extra=further(w=Qs(1)) | (extra or Extras()),
    )


HALF = Q(1, 2)
G4 = G1.but(rows=(Qs(3, 4), Qs(1, 0), Qs(0, 0)), method="spdc-nonuniform", options={"mix": HALF})
EQUAL_ROWS = rows_on_a_line(Q(1, 200), HALF, 1, 1, extra=further(horizon=150))
HARD = tuple(rows_on_a_line(Q(1, 90000), Q(4, 5), 1, 1, 1, last) for last in (3, 30))
ZERO_ROW = rows_on_a_line(Q(50), HALF, 1, 0)
OUTSIDE = G4.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1), l1=Q(1, 10), alpha=Qs(3, -4, 2))


def runs_weighted() -> SearchStrategy[Instance]:
    """Starts of runs from any alpha^0 where kappa_bar is at most 100 n: the bounds say something soon."""
    return strategies.nonuniform_instances(
        max_n=3, max_d=2, max_path=0, free=False, anywhere=True, ratios=(*strategies.WELL, Q(1, 10))
    )


def hard_weighted() -> SearchStrategy[Instance]:
    """One row larger than the others, kappa_bar large: where a wrong weight shows."""
    return st.sampled_from(HARD)


@claim(
    "spdc.theorem-2.all-states",
    r"Theorem 2, after (62): $\mathbb{E}[\Psi^{t+1} \vert \mathrm{past}] \le \theta \Psi^t$, $\theta$ of (29), and the"
    r" left side of Theorem 2 "
    r"is at most $\Psi$, for all states at once",
    hypotheses=(
        r"squared loss, L2; $p$, $\tau$ and $\sigma$ as in (28), (29); every state with $\bar{w} = w + \theta (w -"
        r" w^{-})$ and "
        r"$u = X^T \alpha/n$"
    ),
    origin=PAPER.printed("Theorem 2", "after (62)", note=RESTORED_29),
    evidence=[exact(hard_weighted), exact(strategies.nonuniform_squared, 0.3), golden(G4, ZERO_ROW)],
    control=all_of(
        altered("half of the second term of theta", lambda c: hurried_step(c, Q(1), HALF), EQUAL_ROWS, *HARD),
        altered(
            "n in the place of n/(1 - mix) in theta",
            lambda c: hurried_step(c, 1 - Q(c.instance.options["mix"]), Q(1)),
            ZERO_ROW,
        ),
    ),
    kills=["spdc.sigma-unscaled", "spdc.weight-one", "spdc.weight-1/n", "spdc.steps-1/R", "spdc.lambda-gamma-swapped"],
)
def theorem_2_all_states(c: Context) -> Iterable[Relation]:
    yield from one_step(c, constants(c))


@claim(
    "spdc.theorem-2",
    r"Theorem 2: $(1/(2 \tau) + \lambda) \mathbb{E}\Vert w^t - w^*\Vert^2 +$ "
    r"$(1/(4 \sigma) + \gamma/n) \mathbb{E}\Vert \alpha^t - \alpha^*\Vert^2 \le$ "
    r"$\theta^t [(1/(2 \tau) + \lambda) \Vert w^0 - w^*\Vert^2 + (1/(2 \sigma) + \gamma/(1 - \mathrm{mix})) \Vert"
    r" \alpha^0 - \alpha^*\Vert^2]$, "
    r"and so with $\gamma/(p_i n)$ for each $i$ on both sides",
    hypotheses=rf"{ASSUMED}; $p$ as in (28), $\tau$ and $\sigma$ as in (29); {ANYWHERE}",
    origin=PAPER.printed("Theorem 2", "(28)", "(29)", note=f"{RESTORED_29} The second form is ours."),
    evidence=[
        Enumerated(runs_weighted, 0.15),
        golden(
            G4,
            ZERO_ROW,
            EQUAL_ROWS,
            OUTSIDE,
            level="ENUMERATED",
            detail="G4, a zero row, equal rows to t = 150, outside the domain",
        ),
    ],
    control=all_of(
        altered("half of the second term of theta", lambda c: hurried_runs(c, Q(1), HALF), EQUAL_ROWS),
        altered(
            "n in the place of n/(1 - mix) in theta",
            lambda c: hurried_runs(c, 1 - Q(c.instance.options["mix"]), Q(1)),
            ZERO_ROW,
        ),
    ),
    proof="The second form is the printed proof with 1/p_i kept, and gives the first, as 1 <= 1/p_i <= n/(1 - mix).",
)
def theorem_2(c: Context) -> Iterable[Relation]:
    k, n = constants(c), c.n
    yield from along_runs(c, k, [c.gamma / (p_i * n) for p_i in k.p])
    left = [1 / (4 * k.sigma) + c.gamma / n] * n
    right = [1 / (2 * k.sigma) + c.gamma / (1 - Q(c.instance.options["mix"]))] * n
    yield from in_distance(c, k.theta, 1 / (2 * k.tau) + c.mu, left, right)


@claim(
    "spdc.theorem-2.tight",
    "Theorem 2, its theta: the mean-square contraction factor of Algorithm 3 lies in [1 - share (1 - theta), theta],"
    " share -> 1 for equal rows as lam -> 0 and for a zero row as lam -> infinity: neither term of theta can be"
    " smaller",
    origin=PAPER.ours("Theorem 2", "(29)"),
    hypotheses="squared loss, L2; rows (1), (1) and (1), (0), mix = 1/2; share = 101/100 or 1001/1000",
    evidence=[
        golden(
            rows_on_a_line(Q(1, 20000), HALF, 1, 1, extra=further(share=Q(101, 100))),
            rows_on_a_line(Q(5000), HALF, 1, 0, extra=further(share=Q(101, 100))),
            rows_on_a_line(Q(1, 2000000), HALF, 1, 1, extra=further(share=Q(1001, 1000))),
            rows_on_a_line(Q(500000), HALF, 1, 0, extra=further(share=Q(1001, 1000))),
        )
    ],
    control=altered(
        "share = 1",
        lambda c: growth(c, Q(1)),
        rows_on_a_line(Q(1, 20000), HALF, 1, 1),
        rows_on_a_line(Q(5000), HALF, 1, 0),
    ),
    proof="As for spdc.theorem-1.sharp.tight.",
)
def theorem_2_tight(c: Context) -> Iterable[Relation]:
    yield from one_step(c, constants(c))
    yield from growth(c, Q(c.instance.extra.share))


def growth(c: Context, share: Fraction) -> Iterable[Relation]:
    """The mean square can shrink no faster than by 1 - share (1 - theta) a step."""
    theta = constants(c).theta
    M, excess = lower_certificate(Steps(c), theta, 1 - share * (1 - theta))
    yield Eq(semidefinite_pivots(M), len(M), "M is semidefinite")
    yield Eq(semidefinite_pivots(excess), len(M), f"Phi(M) - r M is semidefinite, 1 - r = {share} (1 - theta)")


# -- any probabilities -------------------------------------------------------------------------------------------------


@st.composite
def given_probabilities(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """Algorithm 3 with probabilities that have nothing to do with the norms, and tau longer or shorter than
    balanced.
    """
    instance = draw(base)
    parts = [draw(st.sampled_from((1, 1, 2, 5, 50))) for _ in instance.rows]
    longer = draw(st.sampled_from(Qs(1, 1, "1/3", 10)))
    return instance.but(extra=instance.extra | further(p=tuple(Q(part, sum(parts)) for part in parts), longer=longer))


# Squared loss, L2.
squared_given = Pool("spdc.squared_given", given_probabilities, strategies.nonuniform_squared())
# Starts of runs, any alpha^0.
runs_given = Pool("spdc.runs_given", given_probabilities, runs_weighted())


def given(c: Context) -> tuple[Context, Constants]:
    """Algorithm 3 with the instance's own probabilities: B = max ||x_i||/(n p_i), tau sigma = 1/(4 B^2)."""
    n, p = c.n, list(c.given.p)
    B = max(norm / (n * p_i) for norm, p_i in zip(norms(c)[0], p))
    tau = c.given.longer * sqrt(c.gamma / (n * c.mu)) / (2 * B)
    sigma = 1 / (4 * B * B * tau)
    theta = max(1 / (1 + 2 * c.mu * tau), *(1 - 1 / (1 / p_i + n / (2 * sigma * c.gamma)) for p_i in p))
    k = Constants(p, tau, sigma, theta)
    return Context(c.instance, GivenSteps(k)), k


@claim(
    "spdc.theorem-2.any-p",
    "Theorem 2 for any p > 0: with tau sigma <= 1/(4 B^2), B = max ||x_i||/(n p_i), and theta = max{1/(1 + 2 lam tau),"
    " max_i [1 - 1/(1/p_i + n/(2 sigma gamma))]} it holds with gamma/(p_i n) for each i on both sides",
    origin=PAPER.ours("Theorem 2", "(29)"),
    hypotheses=rf"{ASSUMED}; any $p > 0$, $\sum p_i = 1$; {ANYWHERE}",
    evidence=[exact(squared_given, 0.2), Enumerated(runs_given, 0.1)],
    control=altered(
        "B halved",
        lambda c: one_step(*unbounded(c)),
        EQUAL_ROWS.but(lam=Q(1, 20000), extra=further(p=(HALF, HALF), longer=Q(1))),
    ),
    proof=(
        "The proof of Theorem 2 uses of p that ||x_k||/(p_k n) <= B, that ||X||^2/n^2 <= sum ||x_i||^2/n^2 <= B^2 sum"
        " p_i^2 <= B^2, and 1/p_i in the contraction of coordinate i."
    ),
)
def theorem_2_any_p(c: Context) -> Iterable[Relation]:
    changed, k = given(c)
    if is_linear(changed):
        yield from one_step(changed, k)
    if not c.instance.path and not c.given.has("before"):  # w_bar^0 = w^0
        yield from along_runs(changed, k, [c.gamma / (p_i * c.n) for p_i in k.p])


def unbounded(c: Context) -> tuple[Context, Constants]:
    """The same with steps twice as long."""
    _, k = given(c)
    longer = k._replace(tau=2 * k.tau, sigma=2 * k.sigma)
    return Context(c.instance, GivenSteps(longer)), longer


# -- the mix -----------------------------------------------------------------------------------------------------------


@st.composite
def fourth_powers(draw: DrawFn, /) -> Instance:
    """n lam gamma/R_bar^2 = q^4: the best mix 1/(1 + q) is rational. Norms all equal half of the time, another mix to
    compare.
    """
    instance = draw(strategies.nonuniform_instances(max_d=2, max_path=0, anywhere=True))
    if draw(st.booleans()):
        instance = instance.but(rows=tuple((Q(2),) for _ in instance.rows), extra=Extras())
    q, c = draw(st.sampled_from(Qs(1, "1/2", "2/3", 3, "1/10"))), Context(instance)
    return instance.but(lam=q**4 * norms(c)[1] ** 2 / (c.n * c.gamma))


@claim(
    "spdc.theorem-2.mix",
    r"Theorem 2, (29): $\theta$ is smallest at $\mathrm{mix} = 1/(1 + (n/\bar{\kappa})^{1/4})$, $\bar{\kappa} ="
    r" \bar{R}^2/(\lambda \gamma)$, "
    r"where it is $1 - 1/(n (1 + (\bar{\kappa}/n)^{1/4})^2)$; $\mathrm{mix} = 1/2$ exactly for $n = \bar{\kappa}$; with"
    r" equal norms "
    r"$1/(1 - \theta)$ is then more than, and at most twice, the $n + R \sqrt{n/(\lambda \gamma)}$ of uniform sampling",
    hypotheses=r"$\sum \Vert x_i\Vert > 0$",
    origin=PAPER.printed(
        "best mix", "mix and conditioning", "(29)", note=f"{RESTORED_29} What it says of equal norms is ours."
    ),
    evidence=[exact(fourth_powers), golden(G4.but(lam=Q(1, 12)))],
    control=altered(
        "1/(1 + (n/kappa_bar)^(1/2))",
        lambda c: best_mix(c, lambda q: 1 / (1 + q * q)),
        G4.but(lam=Q(1, 12)),
        G4.but(lam=Q(4, 3 * 16)),
    ),
    proof=(
        "a/(1 - mix) + b/mix >= (sqrt a + sqrt b)^2 (Cauchy), with equality at mix = sqrt b/(sqrt a + sqrt b); a = n, b"
        " = R_bar sqrt(n/(lam gamma)). (1 + r)^2/(1 + r^2) lies in (1, 2] for r > 0."
    ),
)
def theorem_2_mix(c: Context) -> Iterable[Relation]:
    yield from best_mix(c, lambda q: 1 / (1 + q))


def best_mix(c: Context, guess: Callable[[Fraction], Fraction]) -> Iterable[Relation]:
    """The chain for a guess of the best mix as a function of q = (n/kappa_bar)^(1/4)."""
    n, (every, mean) = c.n, norms(c)
    kappa_bar = mean * mean / (c.mu * c.gamma)
    q = sqrt(sqrt(n / kappa_bar))
    best, other = guess(q), Q(c.instance.options["mix"])
    least = sum(brackets(c, best), Q(0))
    yield Le(least, sum(brackets(c, other), Q(0)), f"1/(1 - theta) at mix = {best} and {other}")
    yield Eq(least, n * (1 + 1 / q) ** 2, "its value")
    yield Eq(int(best == HALF), int(n == kappa_bar), "1/2 exactly for n = kappa_bar")
    if len(set(every)) == 1:
        uniform = n + mean * sqrt(n / (c.mu * c.gamma))
        yield Lt(uniform, least, "equal norms: worse than uniform sampling")
        yield Le(least, 2 * uniform, "equal norms: at most twice")
    by_default: Any = NonUniformSPDC().parameters(c.problem)
    yield Eq(by_default.theta, 1 - 1 / least, "the method's default")
    half = c.problem.with_regularizer(Regularizer(c.mu / 2, c.instance.l1)).centred(
        c.mu / 2, [c.problem.zero] * c.problem.d
    )
    centred: Any = NonUniformSPDC().parameters(half)
    yield Eq(centred.theta, by_default.theta, "the same modulus, half of it that of a proximal term")
