"""PGS, the code: the lazy form equals the dense one exactly, the compiled one bit for bit; samplers, cancellation."""

from dualgap.proofs_checks.papers.aspdc.implementation import bits, comparable, fields_agree, float_problems
from dualgap.proofs_checks.papers.pgs.instances import *
from dualgap.proofs_checks.papers.spdc.implementation import Law, bets, drawn_as, stream
from dualgap.reference.methods.lazy.pgs import LazyPGS, LazyPGSState
from dualgap.reference.problem.pnorm import PNorm


@st.composite
def with_output(
    draw: DrawFn, /, base: SearchStrategy[Instance], outputs: Sequence[str] = ("last", "average", "random")
) -> Instance:
    """The instance with an output; for a random one every choice begins with whether to keep, the first one keeps."""
    instance, output = draw(base), draw(among(outputs))
    if output == "average" and instance.l1:  # has no lazy form
        output = "random"
    keeps = [1, *(draw(st.integers(0, 1)) for _ in instance.path[1:])]
    path = tuple((keep, *A) for keep, A in zip(keeps, instance.path)) if output == "random" else instance.path
    return instance.but(options={**instance.options, "output": output}, path=path)


# All outputs, L2 and p = 2, elastic net.
lazy_runs = Pool("pgs.lazy_runs", with_output, plain_run(l1=Qs(0, 0, "1/10"), max_path=8))
# All outputs, any p with a whole 1/(p-1), R^d or a ball, all numbers rational.
lazy_rays = Pool(
    "pgs.lazy_rays",
    with_output,
    ray_run(max_path=8).filter(lambda i: i.p is not None and (1 / (i.p - 1)).denominator == 1),
)


def parity_runs() -> SearchStrategy[Instance]:
    """All losses, all outputs, any p, R^d or a ball, elastic net: for floats."""
    base = plain_run(losses=(*DRAWN_LOSSES, "logistic"), max_n=5, max_d=4, max_path=12, l1=Qs(0, 0, 0, "1/10"))
    drawn = st.tuples(base, st.sampled_from(EXPONENTS), st.sampled_from(BALLS))
    return with_output(drawn.map(lambda t: t[0] if t[0].l1 else t[0].but(p=t[1], ball=t[2])))


UNIT = Q(1, 2**53)


# -- lazy = dense ------------------------------------------------------------------------------------------------------


class Late(LazyPGS):
    """c_t for the divisor t sigma."""

    def rescale(self, problem: Problem, state: LazyPGSState) -> None:
        state.t -= 1
        super().rescale(problem, state)
        state.t += 1


@implemented(
    "pgs.code.lazy",
    "The code: after every round the lazy form, which keeps sum |acc_j|^q and changes one term of it at a time, has the"
    " output of Figure 1 exactly",
    hypotheses=r"any rational loss; $\mathbb{R}^d$, ball, elastic net; $k \ge 1$; outputs last, average, random",
    evidence=[
        exact(lazy_runs),
        exact(lazy_rays),
        golden(HINGE_RUN, HINGE_PAIRS, RAY_RUN, RAY_ON_BALL, detail="p = 2, k = 1 and 2; p = 3/2, R^d and a ball"),
    ],
    control=false_with("a lazy form with the divisor t sigma", HINGE_RUN, RAY_RUN, form=Late),
    kills=EVERY_MUTANT,
)
def lazy_equals_dense(c: Context, form: type[LazyPGS] = LazyPGS) -> Iterable[Relation]:
    lazy = form(**c.instance.options)
    dense, state = c.method.init(c.problem), lazy.init(c.problem)
    for t, choice in enumerate(c.instance.path, 1):
        dense, state = c.method.step(c.problem, dense, choice), lazy.step(c.problem, state, choice)
        w, due = lazy.view(c.problem, state)[0], c.method.view(c.problem, dense)[0]
        yield from each(Eq, w, due, f"round {t}: w, lazy = dense")


# -- bits --------------------------------------------------------------------------------------------------------------


class Nudged(LazyPGS):
    """c_t off by its last bit."""

    def rescale(self, problem: Problem, state: LazyPGSState) -> None:
        super().rescale(problem, state)
        state.c = math.nextafter(state.c, 1.0)


def bit_relations(c: Context, reference: Any) -> Iterable[Relation]:
    """Every field of the state after every round and after all in one call, for dense and for sparse storage."""
    import numpy as np

    from dualgap.fast import kernels

    path = np.array(c.instance.path, dtype=np.int64)
    for storage, problem in float_problems(c):
        quick = kernels()["pgs"](**c.instance.options)
        state, fast_state = reference.init(problem), quick.init(problem)
        at_once = quick.run(problem, path)
        for t, choice in enumerate(c.instance.path, 1):
            reference.advance(problem, state, choice)
            quick.advance(problem, fast_state, path[t - 1 : t])
            yield from fields_agree(state, fast_state, f"{storage}, round {t}")
        yield from fields_agree(state, at_once, f"{storage}, {len(path)} rounds in one call")
        found, due = quick.view(problem, at_once)[0].tolist(), reference.view(problem, state)[0]
        yield from each(Eq, map(bits, found), map(bits, due), f"{storage}: output, bits")


THIRDS = run_of(
    (Qs("1/3", 0, "1/7"), Qs(0, "-2/3", "3/11"), Qs("5/7", "1/9", 0)), Qs(1, -1, 1), "1231322", Q(3, 7), p=Q(9, 5)
)
ON_BALL = THIRDS.but(ball=Q(1, 3), options={"k": 1, "output": "average"})
NET = THIRDS.but(p=None, l1=Q(1, 20))
KEPT = THIRDS.but(p=Q(101, 100), options={"k": 2, "output": "random"}, path=((1, 0, 1), (0, 1, 2), (1, 0, 2)))


@implemented(
    "pgs.code.parity",
    "The code: on one choice sequence the compiled kernels are bit-identical to the lazy reference, in every field of"
    " the state after every round, for dense and for sparse storage",
    hypotheses=(
        "float64; compiled code fuses no product with a sum, and libm's pow gives Python's bits (both probed at"
        " start-up); without the latter p = 2 alone"
    ),
    evidence=[exact(parity_runs), golden(THIRDS, ON_BALL, NET, KEPT, detail="p = 9/5, ball, elastic net, random")],
    control=Control(
        "a reference whose c_t is off by its last bit must be noticed",
        lambda claim, run: any(not r.holds() for r in bit_relations(Context(THIRDS), Nudged(**THIRDS.options))),
    ),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable(*(("pow",) if c.instance.p not in (None, 2) else ())):
        yield from bit_relations(c, as_compiled("pgs", **c.instance.options))


# -- the samplers ------------------------------------------------------------------------------------------------------

CASES = (("subset", 5, 2), ("replacement", 3, 2), ("subset", 4, 1))
ROUNDS = 4


def drawn_batches(case: tuple[str, int, int]) -> Law:
    """The batches of a sampling, as the method draws them."""
    sampling, n, k = case
    pgs, problem = PGS(k, "last", sampling), blank(n)

    def draw(seed: int, epoch: int) -> list[object]:
        drawn = pgs.draw(problem, "uniform", seed % 2**62, epoch).tolist()
        return [tuple(sorted(A)) if sampling == "subset" else tuple(A) for A in drawn]

    return f"{sampling} {k} of {n}", dict(batches(sampling, n, k)), draw


def draw_kept(seed: int, epoch: int) -> list[object]:
    """Which of w_0 .. w_3 a run of four rounds keeps; a separate run for every draw."""
    keeps = PGS(1, "random").draw(blank(ROUNDS), "uniform", seed % 2**62 + epoch, 0)[:, 0].tolist()
    return [max(t for t, keep in enumerate(keeps) if keep)]


def laws() -> list[Law]:
    """The batches of both samplings, and which iterate is kept."""
    return [*map(drawn_batches, CASES), ("kept of w_0 .. w_3", dict.fromkeys(range(ROUNDS), Q(1, ROUNDS)), draw_kept)]


def blank(n: int) -> Problem:
    """n rows, hinge."""
    return Instance(rows=(Qs(1),) * n, y=Qs(1) * n, alpha=Qs(0) * n, lam=Q(1), loss="hinge").problem(float)


def wrong_law_is_rejected(claim: Claim, run: Run) -> bool:
    """An output that keeps w_{t-1} with probability 1/2 must be rejected as uniform, at a tenth of delta_total."""
    import numpy as np

    def halves(seed: int, epoch: int) -> list[object]:
        keeps = np.random.default_rng([seed, epoch]).integers(2, size=ROUNDS).tolist()
        return [max(t for t, keep in enumerate([1, *keeps[1:]]) if keep)]

    return stream(laws()[-1][1], halves, run.seed(claim.id), 2000).rejects(run.delta_total / 10)


@implemented(
    "pgs.code.sampler",
    "Figure 1, lines 4 and 9, the sampling in the code: batches are uniform and each row is expected k/n times in one;"
    " a pass is a function of (seed, pass); w_i is kept with probability 1/T; the drawn streams are not distinguishable"
    " from those laws",
    hypotheses="numpy's default generator; k-subsets and k draws with repetition",
    evidence=[golden(*(numbers_alone(law=k) for k in range(len(CASES) + 1)), detail="400 passes"), bets(laws)],
    control=Control("an output that keeps w_{t-1} with probability 1/2 must be rejected", wrong_law_is_rejected),
)
def sampler(c: Context) -> Iterable[Relation]:
    k = c.instance.extra.law
    name, law, _ = laws()[k]
    yield Eq(len(set(law.values())), 1, f"{name}: the probabilities are equal")
    sampling, n, m = CASES[k] if k < len(CASES) else ("subset", 0, 0)
    yield from drawn_as(laws()[k], n, m, distinct=sampling == "subset")


# -- floats ------------------------------------------------------------------------------------------------------------


class Unguarded(LazyPGS):
    """s is never recomputed."""

    def safeguard(self, problem: Problem, state: LazyPGSState) -> None:
        """Nothing."""


def cancelling(p: str, big: float, small: float) -> Instance:
    """acc goes from (0, 0) through (big, small) to (0, small), all doubles."""
    rows = (Qs(Q(big), Q(small)), Qs(Q(big), 0))
    return run_of(rows, Qs(1, -1), "12", p=Q(p))


CANCELLING = tuple(
    cancelling(p, *sizes)
    for p in ("3/2", "5/4", "7/4")
    for sizes in ((1e8, 1e-3), (1e4, 1.0), (1.0, 1e-9), (1e100, 1e-100))
)


@implemented(
    "pgs.code.safeguard",
    "The code: where the running sum of |acc_j|^q cancels, acc = (big, small) then (0, small), both lazy forms have w_2"
    " = (0, (p-1) small/(3 sigma)) to 4 units in the last place",
    hypotheses="p = 3/2, 5/4, 7/4; big/small up to 10^200; w_1 finite",
    evidence=[golden(*CANCELLING, detail="reference and compiled, at float states", level="EXACT AT FLOAT STATES")],
    control=false_with("without recomputing the sum", CANCELLING[0], form=Unguarded),
    proof=(
        "With the sum recomputed s = 1 and bent = (0, 1) exactly, and c = (p-1) (M/(3 sigma)) rounds twice, with 1^x"
        " = 1; the product with bent is exact."
    ),
)
def safeguard(c: Context, form: type[LazyPGS] = LazyPGS) -> Iterable[Relation]:
    """w_2 of each form, against Corollary 3 for the one entry that is left."""
    from dualgap.fast import kernels

    problem, small = c.instance.problem(float), c.instance.rows[0][1]
    expected = (Setting(c.instance).p - 1) * small / (3 * c.instance.lam)
    for name, run in (("reference", form(output="last")), ("compiled", kernels()["pgs"](output="last"))):
        w = run.view(problem, run.run(problem, [[0], [1]]))[0]
        yield Eq(int(math.isfinite(w[1])), 1, f"{name}: finite")
        yield Eq(Q(float(w[0])), 0, f"{name}: w_0")
        if math.isfinite(w[1]):
            yield Le(abs(Q(float(w[1])) - expected), 4 * UNIT * expected, f"{name}: w_1")


FLAT = norm_instance(Q(3, 2), None, further(theta=Qs(3, 1)))


@implemented(
    "pgs.code.gradient",
    "The code, grad g* in floats: ||w - grad r*_S(theta)||_p <= 2^-52 (4/(p-1) + 4d + 40) ||grad r*_S(theta)||_p, and w"
    " lies in the ball within 8d units",
    hypotheses="p, B and theta as rounded to doubles",
    evidence=[enclosed(norms)],
    control=false_with("p off by 10^-9 must be noticed", FLAT, shift=Q(1, 10**9)),
    proof=(
        "With e = 1/(p-1): rounding v_j/M moves bent_j by e units and s^(1/p) by no more than e; rounding e itself"
        " moves bent_j by |e ln u_j| units, whose p-norm is below d/e; the powers, d additions and last products are"
        " the rest. Twice for the second order."
    ),
)
def gradient_error(c: Context, shift: Q = Q(0)) -> Iterable[Relation]:
    """The float gradient against the enclosure for p + shift."""
    i = c.instance
    p, ball = Q(float(i.p or 2)), None if i.ball is None else Q(float(i.ball))
    theta, d = [float(x) for x in i.extra.theta], len(i.extra.theta)
    g = PNorm(1, p, ball).over(float)
    w = [Q(w_j) for w_j in g.gradient_conjugate(theta)]
    expected = r_gradient([Q(x) for x in theta], p + shift, ball)
    if any(theta):
        error, size = norm(plus(w, -1, expected), p), norm(expected, p)
        yield Le(error, 2 * UNIT * (4 / (p - 1) + 4 * d + 40) * size, "||w - grad r*_S||_p")
        if ball is not None:
            yield Le(norm(w, p), ball * (1 + 8 * d * UNIT), "||w||_p <= B (1 + 8 d 2^-53)")
