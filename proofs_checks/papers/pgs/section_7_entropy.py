"""PGS, section VII: the entropy sum_j w_j log w_j instead of the p-norm, on the simplex with ||.||_1 and ||.||_inf.

There r(w) = sum_j w_j log w_j + log d, so that min r = r(w_0) = 0 at the uniform w_0; r*(theta) = log((1/d) sum_j
e^theta_j), and its gradient is proportional to e^theta.
"""

from dualgap.proofs_checks.papers.pgs.instances import *
from dualgap.proofs_checks.papers.pgs.regret_terms import losses_of, subgradient


def entropy(w: Given) -> Number:
    """sum_j |w_j| log |w_j|."""
    return sum((abs(w_j) * Interval(abs(w_j)).log() for w_j in w if isinstance(w_j, Interval) or w_j), Q(0))


# -- strong convexity --------------------------------------------------------------------------------------------------


@st.composite
def pairs(draw: DrawFn) -> Instance:
    """Two different points u and v of the simplex of R^2 to R^4."""
    d = draw(st.integers(2, 4))

    def point() -> tuple[Q, ...]:
        parts = draw(st.lists(st.integers(0, 12), min_size=d, max_size=d).filter(any))
        return tuple(Q(part, sum(parts)) for part in parts)

    u, v = point(), point()
    return norm_instance(Q(2), None, further(u=u, v=v if v != u else (*u[1:], u[0])))


NEAR = norm_instance(Q(2), None, further(u=Qs("51/100", "49/100"), v=Qs("49/100", "51/100")))


@claim(
    "pgs.entropy",
    "Section VII, the substitute for the 1-norm: sum_j w_j log w_j is 1-strongly convex for ||.||_1 on the simplex",
    hypotheses="w >= 0, sum_j w_j = 1",
    origin=PAPER.reading(
        "Entropy", note="the paper names no domain; we read it as the simplex, as in the works that it cites"
    ),
    evidence=[enclosed(pairs, 0.5), golden(NEAR, detail="near the middle", level="ENCLOSED")],
    control=false_with("modulus 101/100", NEAR, modulus=Q(101, 100)),
    proof="The Hessian is diag(1/w_j), and sum_j h_j^2/w_j >= (sum_j |h_j|)^2/sum_j w_j by Cauchy and Schwarz.",
)
def simplex_lines(c: Context, modulus: Q = Q(1)) -> Iterable[Relation]:
    """Definition 2 for the norm ||.||_1 with that modulus, at 1/2 and at 1/10."""
    u, v = c.instance.extra.u, c.instance.extra.v
    if u == v:
        return
    size = sum((abs(a - b) for a, b in zip(u, v)), Q(0))
    for mu in Qs("1/2", "1/10"):
        between = [mu * a + (1 - mu) * b for a, b in zip(u, v)]
        least = mu * entropy(u) + (1 - mu) * entropy(v) - modulus * mu * (1 - mu) / 2 * size * size
        yield Le(entropy(between), least, f"mu = {mu}")


ACROSS = norm_instance(Q(2), None, further(u=Qs("1/10"), v=Qs("-1/10")))


@refuted(
    "pgs.entropy.signed",
    "Section VII, the substitute for the 1-norm: sum_j |w_j| log |w_j| is convex on R^d",
    hypotheses="w of any sign",
    origin=PAPER.reading(
        "Entropy", note="the paper names no domain; we read S = R^d because of the bars around w_j. See pgs.entropy"
    ),
    evidence=[golden(ACROSS, detail="w = 1/10 and -1/10: -(log 10)/10 at both, 0 between them", level="ENCLOSED")],
    control=holds_on(norm_instance(Q(2), None, further(u=Qs(1), v=Qs(3))), text="w = 1 and 3"),
    proof="t log t falls from 0 to its minimum at 1/e.",
)
def entropy_signed(c: Context) -> Iterable[Relation]:
    u, v = c.instance.extra.u, c.instance.extra.v
    yield Le(entropy([(a + b) / 2 for a, b in zip(u, v)]), (entropy(u) + entropy(v)) / 2, "half way")


# -- the solver with it ------------------------------------------------------------------------------------------------


# Hinge and absolute loss, whose subgradients stay rational.
entropic_runs = Pool("pgs.entropic_runs", plain_run, losses=("hinge", "absolute"), max_path=4)


@claim(
    "pgs.entropy.regret",
    "Section VII, Lemma 1 for the entropy: Figure 1 with r(w) = sum_j w_j log w_j + log d on the simplex, from the"
    " uniform w_0, has R_lin <= (1/2) sum_t ||lambda_t||_inf^2/(t sigma)",
    hypotheses="any $A_t$; every path; $d > 1$",
    origin=PAPER.ours("Entropy", "Lemma 1"),
    evidence=[enclosed(entropic_runs, 0.5), golden(HINGE_RUN, HINGE_PAIRS, level="ENCLOSED")],
    control=false_with(
        "a tenth of it",
        HINGE_RUN.but(path=HINGE_RUN.path[:1], rows=(Qs("1/10", "-1/10"), Qs(0, 0), Qs(0, 0))),
        divisor=10,
    ),
    proof=(
        "As for the p-norm: r is 1-strongly convex for ||.||_1 with min r = r(w_0) = 0, and ||.||_inf is the dual norm."
    ),
)
def regret_lines(c: Context, divisor: int = 1) -> Iterable[Relation]:
    """R_lin of Figure 1 with this r against 1/divisor of (1/2) sum_t max_j lambda_tj^2/(t sigma)."""
    problem, sigma, T = losses_of(c.instance), c.instance.lam, len(c.instance.path)
    w: Vector = [Q(1, problem.d)] * problem.d
    acc, played, bound = [Q(0)] * problem.d, Q(0), Q(0)
    for t, A_t in enumerate(c.instance.path, 1):
        sub = subgradient(problem, A_t, w)
        played += dot(sub, w) + (sigma * (entropy(w) + Interval(problem.d).log()) if t > 1 else 0)
        bound += max(abs(s) for s in sub) ** 2 / (2 * t * sigma)
        acc = plus(acc, -1, sub)
        powers = [Interval(v / ((t + 1) * sigma)).exp() for v in acc]
        w = [v / sum(powers, Q(0)) for v in powers]  # grad r*
    if bound and problem.d > 1:
        conjugate = Interval(sum((Interval(v / (T * sigma)).exp() for v in acc), Q(0)) / problem.d).log()
        yield Le(played + T * sigma * conjugate, bound / divisor, "R_lin <= (1/2) sum_t ||lambda_t||_inf^2/(t sigma)")
