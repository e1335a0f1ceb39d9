"""AdaSPDC, what the paper says around its theorem: rates compared with SPDC's, sampling, smoothing, zero norms,
constants, tables.
"""

from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.proof import contraction_line
from dualgap.proofs_checks.papers.adaspdc.steps import G1
from dualgap.proofs_checks.papers.adaspdc.strategies import published
from dualgap.proofs_checks.papers.adaspdc.terms import terms
from dualgap.proofs_checks.papers.adaspdc.theorem_1 import CE_1, EQUAL, STRONG, MeanSquares
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Expected
from dualgap.proofs_checks.papers.spdc.strategies import begun
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import L2, Problem, SmoothedHinge
from dualgap.reference.methods.adaspdc import AdaSPDCR
from dualgap.reference.methods.sampling import batches
from dualgap.reference.problem.losses import Hinge

# -- sharper than SPDC -------------------------------------------------------------------------------------------------


def theta_of_spdc(c: Context) -> Number:
    """1 - 1/(n/m + 2Rk)."""
    t = terms(c)
    return 1 - 1 / (t.c.q(t.n) / t.m + 2 * max(t.R) * t.n / (t.m * t.gamma * t.c_of_10))


@claim(
    "adaspdc.sharper-rate",
    "Sections 3.2 and 5, AdaSPDC's sharper linear rate, read as: the error of (16) falls at least like SPDC's theta^T,"
    " theta = 1 - 1/(n/m + 2Rk)",
    hypotheses=r"$\varphi_i^*$ $\gamma$-strongly convex, $g$ $\lambda$-strongly convex",
    origin=PAPER.reading(
        "Sharper rate",
        "Decay factor",
        note=(
            "a rate read as a bound of the error in the norm of (16), the one in which the paper states rates; sections"
            " 1 and 3.2 say 'potentially', section 5 'holds'. That theta^t is smaller than SPDC's theta is right:"
            " adaspdc.decay-factor"
        ),
    ),
    expected="REFUTED",
    evidence=[
        golden(CE_1, STRONG[1], STRONG[2], detail="the counterexamples to Theorem 1, without 1/(2 tau) on the left")
    ],
    control=holds_on(EQUAL, text="two equal norms"),
    proof="theta^t <= theta of SPDC is true on every path, see the repaired form, but prod theta^t bounds nothing.",
)
def sharper_rate(c: Context) -> Iterable[Relation]:
    run, T = MeanSquares(c), c.instance.extra.T
    theta = theta_of_spdc(c)
    yield Lt(theta, 1, "SPDC's theta")
    yield Le(
        run.left("dropped"),
        theta**T * run.right("one", T),
        f"T = {T}: the error without 1/(2 tau) <= theta^T times its start",
    )


@claim(
    "adaspdc.sharper-rate.repaired",
    "Section 3.2, what there is of the sharper rate: theta^t = 1 - 1/(n/m + R^t k) <= 1 - 1/(n/m + 2Rk), SPDC's theta,"
    " on every path; as a rate only R = max_i R_i is proved",
    hypotheses="(15), SPDC (16)",
    origin=PAPER.ours("Sharper rate"),
    evidence=[exact(published, 0.3)],
    control=false_with("twice theta^t", G1, factor=Q(2)),
)
def paths(c: Context, factor: Number = 1) -> Iterable[Relation]:
    """theta^t of every sample, times factor, against SPDC's."""
    t = terms(c)
    for s in t.c.successors:
        yield Le(factor * t.tau_theta(s.choice)[1], theta_of_spdc(c), f"theta^t for S = {s.choice}")


# -- sampling ----------------------------------------------------------------------------------------------------------


def mean_theta(c: Context, sampling: str) -> Number:
    """E theta^t under a sampling."""
    t = terms(c)
    return sum((p * t.tau_theta(S)[1] for S, p in batches(sampling, t.n, t.m)), Q(0))


FOUR = Instance(
    rows=(Qs(2), Qs(2), Qs(1), Qs(1)),
    y=Qs(0, 0, 0, 0),
    alpha=Qs(0, 0, 0, 0),
    lam=Q(1, 2),
    gamma=Q(1),
    method="adaspdc",
    options={"m": 2},
)


@claim(
    "adaspdc.sampling",
    "Algorithm 1, line 4, one might think: P(i in S) = m/n says how R^t, tau^t and theta^t are distributed",
    hypotheses="m < n",
    origin=PAPER.inference(
        "Algorithm 1, line 4",
        note="the paper gives P(i in S) alone and draws nothing from it about R^t, tau^t and theta^t",
    ),
    expected="REFUTED",
    evidence=[golden(FOUR, detail="norms 2, 2, 1, 1, m = 2: subsets, and one row of each half")],
    control=holds_on(FOUR.but(rows=(Qs(2),) * 4), text="equal norms"),
    proof="R^t = 2 always where one row of each half is drawn, and 1 with probability 1/6 for subsets.",
)
def sampling(c: Context) -> Iterable[Relation]:
    for name in ("subset", "partition"):
        for i in range(c.n):
            chance = sum((p for S, p in batches(name, c.n, 2) if i in S), Q(0))
            yield Eq(chance, Q(2, c.n), f"{name}: P({i} in S) = m/n")
    yield Eq(mean_theta(c, "subset"), mean_theta(c, "partition"), "E theta^t")


# -- smoothing ---------------------------------------------------------------------------------------------------------


CORNER = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(-1), lam=Q(1), loss="smoothed-hinge", gamma=Q(1))


@claim(
    "adaspdc.perturbation",
    "Section 1, one might think: the small strongly convex perturbation leaves the solution where it is",
    hypotheses="hinge + (eps/2) y^2 = smoothed hinge with gamma = eps",
    origin=PAPER.inference(
        "Perturbation",
        note=(
            "the paper says that the perturbed problem satisfies the assumption, not that its solution is that of the"
            " problem as it was"
        ),
    ),
    expected="REFUTED",
    evidence=[golden(CORNER, detail="n = 1, x = b = 1, lam = 1, eps = 1: w* is 1 and 1/2")],
    control=holds_on(CORNER.but(lam=Q(2), gamma=Q(1, 2)), text="lam = 2, eps = 1/2: both 1/2"),
)
def perturbation(c: Context) -> Iterable[Relation]:
    hinge = Problem(c.instance.rows, c.instance.y, Hinge(), L2(c.instance.lam), number=Fraction)
    w = hinge.w(list(c.instance.alpha))
    yield Eq(hinge.P(w), hinge.D(list(c.instance.alpha)), "alpha = -1 solves the hinge problem")
    yield Eq(c.problem.w(c.optimum)[0], w[0], "w* with and without the perturbation")


@claim(
    "adaspdc.perturbation.repaired",
    "Section 1, what the perturbation does: it moves the objective by at most eps/2, 0 <= phi - phi_eps <= eps/2 for"
    " the hinge",
    hypotheses="gamma = eps",
    origin=PAPER.ours("Perturbation"),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("eps/4", CORNER.but(alpha=Qs(0)), share=Q(1, 2)),
    proof="phi_eps = max_a a z - phi*(a) - (eps/2) a^2 with |a| <= 1.",
)
def bias(c: Context, share: Number = 1) -> Iterable[Relation]:
    """0 <= phi - phi_eps <= share eps/2 for the hinge, point by point and of P*."""
    hinge, eps = Hinge(), c.instance.gamma or Q(1)
    smooth = SmoothedHinge(eps)
    for i, z in enumerate(c.z):
        y = 1 if c.problem.y[i] > 0 else -1
        difference = hinge.value(z, Q(y)) - smooth.value(z, Q(y))
        yield Le(Q(0), difference, f"phi_eps <= phi at z = {z}")
        yield Le(difference, share * eps / 2, f"phi - phi_eps <= eps/2 at z = {z}")


# -- zero norms --------------------------------------------------------------------------------------------------------


WITH_ZERO = G1.but(rows=(Qs(3, 4), Qs(0, 0), Qs(0, 2)))


@claim(
    "adaspdc.zero-norm",
    "(10), one might think: the steps are defined for any data",
    hypotheses="A_i may be 0",
    origin=PAPER.inference(
        "(10)", note="the paper does not speak of blocks that are zero, nor does it promise steps for them"
    ),
    expected="REFUTED",
    evidence=[golden(WITH_ZERO, detail="a row of norm 0, which validation refuses")],
    control=holds_on(G1, text="no such row"),
)
def zero_norm(c: Context) -> Iterable[Relation]:
    refused = 0
    try:
        c.method.require(c.problem)
    except HypothesisViolated:
        refused = 1
    yield Eq(
        refused,
        int(any(norm2 == 0 for norm2 in c.problem.norms2)),
        "validation refuses exactly the problems with a norm 0",
    )
    for i, norm2 in enumerate(c.problem.norms2):
        yield Lt(Q(0), norm2, f"R_{i}^2, by which (10) divides")


@claim(
    "adaspdc.zero-norm.repaired",
    "(10), repaired: with R_i below R/1000 counted as R/1000 the step in V holds for zero blocks, too; where all are"
    " zero the two separate minimisers are given",
    origin=PAPER.ours("(10)"),
    hypotheses="adaspdc-r",
    evidence=[
        golden(
            *(WITH_ZERO.but(method="adaspdc-r", options={"preset": p}, alpha=Qs(0, a, 1)) for p in "ab" for a in (0, 5))
        )
    ],
    control=altered(
        "99/100 of the right side",
        lambda c: contraction_line(c, Q(1, 2)),
        WITH_ZERO.but(method="adaspdc-r", options={"preset": "a"}, y=Qs(0, 0, 0), alpha=Qs(0, 5, 0)),
    ),
)
def decoupled(c: Context) -> Iterable[Relation]:
    """The repaired method with a zero row: its products and its step in V; with zero rows only: the solution at
    once.
    """
    t = terms(c)
    tau, _ = t.tau_theta()
    for i, (sigma, norm2) in enumerate(zip(t.sigma, t.problem.norms2)):
        yield Lt(4 * tau * sigma * norm2, Q(1001, 1000), f"4 tau sigma_{i} R_{i}^2 <= 1")
    yield from contraction_line(c)
    nothing = Problem([[Q(0)]] * 2, [Q(1), Q(-2)], t.problem.loss, t.problem.regularizer, number=Fraction)
    w, alpha = AdaSPDCR().view(nothing, AdaSPDCR().run(nothing, [[0], [1]]))
    yield Eq(nothing.P(w), nothing.D(alpha), "zero rows only: P(w) = D(alpha) from the start")


# -- constants of the experiments --------------------------------------------------------------------------------------


def gradient_lipschitz(c: Context, squared: bool) -> Iterable[Relation]:
    """||grad phi_i(a_i^T x) - grad phi_i(a_i^T x')|| <= L ||x - x'|| with L = ||a_i||^2/gamma, or ||a_i||/gamma; both
    sides squared.
    """
    loss, w = c.problem.loss, c.w
    for i, (row, y, norm2) in enumerate(zip(c.problem.rows, c.problem.y, c.problem.norms2)):
        dense = dict(row)
        for step in (Q(1, 100), Q(-2)):
            other = [w_j + step * dense.get(j, Q(0)) for j, w_j in enumerate(w)]
            change = loss.derivative(c.problem.dot(row, other), y) - loss.derivative(c.z[i], y)
            constant = (norm2 if squared else 1) * norm2 / c.gamma**2
            yield Le(change * change * norm2, constant * step * step * norm2, f"row {i}, step {step}")


SAG = Instance(rows=(Qs(3, 4),), y=Qs(1), alpha=Qs("-1/4"), lam=Q(25, 2), loss="smoothed-hinge", gamma=Q(1))


@claim(
    "adaspdc.sag-constants",
    "Section 4.2, L = max ||a_i|| for the smooth hinge, read as the Lipschitz constant of the gradient of"
    " phi_i(a_i^T x)",
    hypotheses=r"$\gamma = 1$",
    origin=PAPER.reading(
        "SAG, its L",
        note=(
            "L as SAG needs it, of the gradient; the paper says 'Lipschitz constant of phi_i(a_i^T x)', which for the"
            " smooth hinge is right of the function itself: adaspdc.sag-constants.function"
        ),
    ),
    expected="REFUTED",
    evidence=[golden(SAG, detail="a = (3, 4): it is 25, not 5")],
    control=holds_on(SAG.but(rows=(Qs("3/5", "4/5"),)), text="||a|| = 1"),
)
def sag_constants(c: Context) -> Iterable[Relation]:
    yield from gradient_lipschitz(c, False)


@claim(
    "adaspdc.sag-constants.repaired",
    "Section 4.2, repaired: the constant is ||a_i||^2/gamma (gamma = 4 for logistic)",
    hypotheses=r"$\varphi_i$ $(1/\gamma)$-smooth",
    origin=PAPER.ours("SAG, its L"),
    evidence=[exact(one_step_any, 0.3), golden(SAG)],
    control=altered("||a_i||/gamma", lambda c: gradient_lipschitz(c, False), SAG),
    proof="The Hessian is phi_i'' a_i a_i^T.",
)
def sag_constants_repaired(c: Context) -> Iterable[Relation]:
    yield from gradient_lipschitz(c, True)


TABLE = G1.but(extra=further(printed=Qs(20242, 47236), covtype=Qs(581012, 54), rcv1=Qs(20242, 47236)))


def table(c: Context, name: str) -> Iterable[Relation]:
    """The sizes printed for covertype against those of a set."""
    for value, expected, what in zip(c.given.printed, getattr(c.given, name), ("samples", "features")):
        yield Eq(value, expected, f"{what} printed for covertype and those of {name}")


@claim(
    "adaspdc.table-1",
    "Table 1: covertype has 20,242 samples and 47,236 features",
    hypotheses="covertype: 581,012 samples, 54 features (LIBSVM's list; SPDC's Table of data sets)",
    origin=PAPER.printed("Table 1"),
    expected="REFUTED",
    evidence=[golden(TABLE, detail="by transcription")],
    control=holds_on(TABLE.but(extra=TABLE.extra.but(covtype=Qs(20242, 47236))), text="RCV1's sizes"),
    assumes=[Hypothesis("covertype is the set of that name of the LIBSVM collection", "section 4.2")],
)
def table_1(c: Context) -> Iterable[Relation]:
    yield from table(c, "covtype")


@claim(
    "adaspdc.table-1.repaired",
    "Table 1, repaired: these are the sizes of RCV1 as SPDC's paper lists it",
    hypotheses="RCV1: 20,242 samples, 47,236 features",
    origin=PAPER.ours("Table 1"),
    evidence=[golden(TABLE, detail="by transcription")],
    control=altered("covertype's", lambda c: table(c, "covtype"), TABLE),
)
def table_1_repaired(c: Context) -> Iterable[Relation]:
    yield from table(c, "rcv1")


# -- the mix of non-uniform SPDC ---------------------------------------------------------------------------------------


NON_UNIFORM = Instance(
    rows=(Qs(3), Qs(1)),
    y=Qs(0, 0),
    alpha=Qs(0, 0),
    lam=Q(1, 50),
    gamma=Q(1),
    method="spdc-nonuniform",
    options={"mix": Q(1, 2)},
    extra=further(w=Qs(1), T=60),
)


def after_T(c: Context, mix: Fraction) -> Number:
    """E||w^T - w*||^2 of non-uniform SPDC with that mix."""
    other = Context(c.instance.but(options={"mix": mix}), method("spdc-nonuniform", mix=mix))
    return Expected(begun(other)).along(c.instance.extra.T, [lambda w, a: sum((x * x for x in w), Q(0))])[-1][0]


@claim(
    "adaspdc.mix-of-spdc",
    "Figures 1 to 3, which leave out the mixing weight of non-uniform SPDC; one might think: it changes the result by"
    " less than 10 times",
    hypotheses="squared loss, b = 0, norms 3 and 1, lam = 1/50, w^0 = 1",
    origin=PAPER.inference(
        "Figure 1",
        "Figure 2",
        "Figure 3",
        note="the paper leaves the mixing weight of non-uniform SPDC out and says nothing of its effect",
    ),
    expected="REFUTED",
    evidence=[golden(NON_UNIFORM, detail="mix 1/20 and 1/2, E||w^T - w*||^2 at T = 60, by exact moments")],
    control=holds_on(NON_UNIFORM.but(extra=NON_UNIFORM.extra.but(T=2)), text="T = 2"),
)
def mix_of_spdc(c: Context) -> Iterable[Relation]:
    slow, fast = after_T(c, Q(1, 20)), after_T(c, Q(1, 2))
    yield Le(fast, 10 * slow, "E||w^T - w*||^2: mix 1/2 against 10 times mix 1/20")
    yield Le(slow, 10 * fast, "E||w^T - w*||^2: mix 1/20 against 10 times mix 1/2")
