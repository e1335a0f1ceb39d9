"""AdaSPDC and PDCP, the code: compiled equals lazy equals dense, the samples, a run on data, and divergence that is
noticed.
"""

from math import nextafter

from dualgap.proofs_checks.papers.adaspdc.instances import UNEQUAL_ROWS, instances
from dualgap.proofs_checks.papers.adaspdc.section_2_pdcp import pdcp_instances
from dualgap.proofs_checks.papers.adaspdc.setting import equal
from dualgap.proofs_checks.papers.aspdc.implementation import bit_relations, comparable, notices
from dualgap.proofs_checks.papers.aspdc.real_data import skipped_without_sklearn
from dualgap.proofs_checks.papers.spdc.implementation import (
    SMALL,
    Law,
    batch_law,
    bets,
    drawn_as,
    on_data,
    run_on_data,
    stale_is_noticed,
    stream,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import SMOOTH
from dualgap.reference import L2, Squared
from dualgap.reference.methods.sampling import draw_batches

NAMES = ("adaspdc", "adaspdc-r")

# -- lazy = dense, exactly ---------------------------------------------------------------------------------------------


def with_a_path(instance: Instance) -> Instance:
    """The instance, its path at least three steps long."""
    if instance.path:
        return instance
    return instance.but(path=(instance.reference_method().choices(instance.problem(float), None)[0][0],) * 3)


def lazy_runs() -> SearchStrategy[Instance]:
    """Both methods, up to 10 steps from w^0 with w_bar^0 = w^0."""
    kinds = [instances(method=name, max_d=4, max_path=10, free=False) for name in NAMES]
    return st.one_of(*kinds).map(with_a_path)


SPARSE = UNEQUAL_ROWS.but(
    rows=(Qs(3, 4, 0), Qs(0, 1, 0), Qs(0, 0, 2)),
    l1=Q(1, 10),
    path=((0,), (1,), (1,), (2,), (0,), (2,), (1,)),
    extra=further(w=Qs(1, -1, 0)),
)


@implemented(
    "adaspdc.code.lazy",
    "The code: after every step the lazy form has the w and alpha of the dense one, exactly, under a tau^t that"
    " varies, too",
    hypotheses="any smooth rational loss, L2 or elastic net, rows, w_bar^0 = w^0",
    evidence=[
        exact(lazy_runs, 0.5),
        golden(SPARSE, SPARSE.but(method="adaspdc-r"), detail="elastic net, columns left alone for several steps"),
    ],
    control=false_with("the lazy form of the repaired method", SPARSE, name="adaspdc-r"),
    kills=["adaspdc.no-extrapolation", "adaspdc.published-tau", "adaspdc.r-scaled-1/m"],
)
def code_lazy(c: Context, name: str = "") -> Iterable[Relation]:
    """w and alpha of the context's method and of its lazy form, or of that of ``name``, after each step."""
    method: Any = c.method
    lazy: Any = as_compiled(name) if name else as_compiled(c.instance.method, **c.instance.options)
    alpha, w = list(c.instance.alpha), list(c.instance.extra.w)
    dense, state = method.init(c.problem, alpha, w), lazy.init(c.problem, alpha, w)
    for t, choice in enumerate(c.instance.path, 1):
        dense, state = method.step(c.problem, dense, choice), lazy.step(c.problem, state, choice)
        for part, values, due in zip(("w", "alpha"), lazy.view(c.problem, state), method.view(c.problem, dense)):
            yield from equal(values, due, f"{part} after step {t}, lazy = dense")


# -- bits --------------------------------------------------------------------------------------------------------------


def in_floats(instance: Instance) -> Instance:
    """The instance with the norms that floats give, and a path."""
    options = {name: value for name, value in instance.options.items() if name != "norms"}
    return with_a_path(instance.but(options=options))


def parities() -> SearchStrategy[Instance]:
    """Both methods, every smooth loss, up to 12 steps, at least three."""
    kinds = [instances(method=name, losses=SMOOTH, max_n=5, max_d=4, max_path=12, free=False) for name in NAMES]
    return st.one_of(*kinds).map(in_floats)


def nudged(instance: Instance) -> Any:
    """The lazy form whose sigma is off by its last bit."""
    base: Any = type(as_compiled(instance.method, **instance.options))

    def sigma(self: object, parameters: object, i: int) -> float:
        return nextafter(base.sigma(self, parameters, i), 1e9)

    return type("Nudged", (base,), {"sigma": sigma})(**instance.options)


THIRDS = UNEQUAL_ROWS.but(
    rows=(Qs("1/3", 0, "1/7"), Qs(0, "-2/3", "3/11"), Qs("5/7", "1/9", 0)),
    alpha=Qs(0, "1/3", "-1/7"),
    lam=Q(3, 7),
    l1=Q(1, 10),
    path=((0,), (1,), (2,), (1,), (0,), (2,), (2,), (1,)),
)
PAIRS = THIRDS.but(options={"m": 2}, path=((0, 1), (1, 2), (2, 0), (1, 2), (1, 0)))
GOLDENS = (
    THIRDS,
    THIRDS.but(method="adaspdc-r"),
    PAIRS,
    PAIRS.but(method="adaspdc-r", options={"m": 2, "preset": "b"}),
)


def pdcp_parities() -> SearchStrategy[Instance]:
    """PDCP with its linear schedule, every smooth loss, at least three steps."""
    return pdcp_instances(losses=SMOOTH, free=False).map(lambda i: i.but(path=(0,) * (3 + len(i.path))))


BATCH = THIRDS.but(method="pdcp", options={"norm": Q(2), "mu": Q(1, 3)}, path=(0,) * 6)


@implemented(
    "pdcp.code.parity",
    "The code: the compiled PDCP is bit-identical to the reference, in every field of the state after every step, for"
    " dense and for sparse storage",
    hypotheses="float64; compiled code fuses no product with a sum (probed at start-up)",
    evidence=[exact(pdcp_parities, 0.5), golden(BATCH, detail="six steps, elastic net")],
    control=notices(
        "a mu that is off by its last bit must be noticed",
        BATCH,
        lambda: as_compiled("pdcp", norm=2, mu=Q(nextafter(1 / 3, 1))),
    ),
)
@implemented(
    "adaspdc.code.parity",
    "The code: on one sequence of samples the compiled kernels are bit-identical to the lazy reference, in every"
    " field of the state after every step, for dense and for sparse storage",
    hypotheses="float64; compiled code fuses no product with a sum (probed at start-up)",
    evidence=[exact(parities, 0.5), golden(*GOLDENS, detail="both methods, m = 1 and 2, elastic net")],
    control=notices("a reference whose sigma is off by its last bit must be noticed", THIRDS, lambda: nudged(THIRDS)),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable():
        yield from bit_relations(c, as_compiled(c.instance.method, **c.instance.options))


# -- the samples -------------------------------------------------------------------------------------------------------


CASES = (("subset", 5, 1), ("subset", 5, 2), ("systematic", 5, 2), ("partition", 6, 2))


def own_law(k: int) -> Law:
    """Law and the method's own draw of one case."""
    from dualgap.fast import kernels

    sampling, n, m = CASES[k]
    problem, quick = Problem([[1.0]] * n, [1.0] * n, Squared(), L2(1.0)), kernels()["adaspdc"](m=m, sampling=sampling)
    return batch_law(sampling, n, m, lambda seed, epoch: quick.reference.draw(problem, "uniform", seed, epoch))


def never_last_is_rejected(claim: Claim, run: Run) -> bool:
    """Samples that never hold the last row must be rejected, at a tenth of delta_total."""
    _, law, draw = batch_law("subset", 5, 2, lambda seed, epoch: draw_batches("subset", 4, 2, seed, epoch))
    return stream(law, draw, run.seed(claim.id), 2000).rejects(run.delta_total / 10)


@implemented(
    "adaspdc.code.sampler",
    "Line 4, the code: a pass is a function of (seed, pass), gives samples of the law alone and reaches each; |S| = m,"
    " P(i in S) = m/n; the drawn stream is not distinguishable from independent samples of that law",
    hypotheses="numpy's default generator; subsets, systematic, partition",
    evidence=[
        golden(*(UNEQUAL_ROWS.but(extra=further(law=k)) for k in range(len(CASES))), detail="all samples, 400 passes"),
        bets(lambda: list(map(own_law, range(len(CASES))))),
    ],
    control=Control("samples that never hold the last row must be rejected", never_last_is_rejected),
)
def sampler(c: Context) -> Iterable[Relation]:
    k = c.instance.extra.law
    yield from drawn_as(own_law(k), *CASES[k][1:])


# -- a run on data -----------------------------------------------------------------------------------------------------


@implemented(
    "adaspdc.code.real-data",
    "A run on data: the first pass is bit-identical to the lazy reference, the certificate of the last pair is right"
    " within its rounding allowance, and the gap fell",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = R^2/n; unequal norms",
    evidence=[
        on_data(SMALL, Q(1), "adaspdc"),
        on_data(SMALL, Q(1), "adaspdc-r"),
        skipped_without_sklearn(on_data("breast_cancer", Q(1), "adaspdc-r", unit_rows=False)),
    ],
    control=stale_is_noticed("adaspdc", "adaspdc-r"),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from run_on_data(c)


# -- divergence --------------------------------------------------------------------------------------------------------


HEAVY = UNEQUAL_ROWS.but(extra=further(n=20, d=40, factor=20, seeds=3))
REAL = UNEQUAL_ROWS.but(extra=further(n=100, d=300, factor=10, seeds=1))


def heavy_row(n: int, d: int, factor: float, seed: int, lam: float) -> Problem:
    """Ridge on n unit Gaussian rows in R^d, the first one scaled."""
    import numpy as np

    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X[0] *= factor
    return Problem(X, X @ np.ones(d) + generator.normal(size=n), Squared(), L2(lam))


@implemented(
    "adaspdc.code.divergence",
    "One heavy row: on unit Gaussian rows in R^d, d > n, one of them scaled, the published method stops with the status"
    " diverged; the repaired one and SPDC reach a certified gap of 1e-6",
    hypotheses="ridge; n = 20, d = 40, factor 20, lam = 1/100, and n = 100, d = 300, factor 10, lam = 1e-4",
    evidence=[golden(HEAVY, REAL, detail="4 data sets, seeds 0, 1, 2 and 0", level="NUMERICAL")],
    control=fails_on(HEAVY.but(extra=HEAVY.extra.but(factor=1, seeds=1)), text="no row scaled"),
)
def code_divergence(c: Context) -> Iterable[Relation]:
    """The status of runs to a gap of 1e-6."""
    from dualgap.fast import solve

    extra = c.instance.extra
    for seed in range(extra.seeds):
        problem = heavy_row(extra.n, extra.d, extra.factor, seed, 1e-2 if extra.n == 20 else 1e-4)
        for name, due in (("adaspdc", "diverged"), ("adaspdc-r", "converged"), ("spdc", "converged")):
            status = solve(problem, name, tol=1e-6, max_epochs=3000, seed=seed).status
            yield Eq(int(status == due), 1, f"seed {seed}: {name} ends with status {status}, due {due}")


@implemented(
    "adaspdc.code.every-run",
    "Divergence of nearly every single run, not of the mean alone: on orthogonal rows of norm 32 and 1 |alpha_1| passes"
    " 10^6 within 400 steps",
    hypotheses="squared loss, gamma = 1, lam = 1/2, b = 0, alpha^0 = (1, 0), w^0 = 0; 20 fixed seeds, all of them",
    evidence=[golden(UNEQUAL_ROWS, detail="20 runs", level="NUMERICAL")],
    control=false_with("norm 3, where it converges", UNEQUAL_ROWS, norm=3.0),
    proof="Numbers only: the Lyapunov exponent is about 0.46 a step.",
)
def every_run(c: Context, norm: float = 32.0) -> Iterable[Relation]:
    """|alpha_1| after 400 steps on rows (norm, 0) and (0, 1), lam = 1/2, b = 0, from alpha = (1, 0); for 20 seeds."""
    import numpy as np

    from dualgap.fast import kernels

    problem = Problem(np.array([[norm, 0.0], [0.0, 1.0]]), [0.0, 0.0], Squared(), L2(0.5))
    quick: Any = kernels()["adaspdc"]()
    for seed in range(20):
        state = quick.init(problem, np.array([1.0, 0.0]), np.zeros(2))
        quick.advance(problem, state, np.random.default_rng(seed).integers(2, size=(400, 1)))
        yield Lt(1e6, abs(float(quick.view(problem, state)[1][0])), f"|alpha_1| after 400 steps, seed {seed}")
