"""Pegasos: the regret of every path without projection as an equality, and the rate in expectation with and without.

f_t(w) = (lam/2)||w||^2 + (1/k) sum_{i in A_t} phi_i(x_i^T w), with the subgradients nabla_t = lam w_t + g_t at w_t,
which are recomputed from the iterates.

Bounded below, the sum of the f_t is T times the objective of the path's own problem, whose rows are those that were
drawn: its dual value at the slopes alpha that the method met is a lower bound for every u at once.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from hypothesis.strategies import DrawFn

from dualgap.extras.baselines.items import PAPER, RESTATED
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import altered, exact, false_with, golden
from dualgap.proofs_checks.papers.pgs.regret_terms import batch_loss, minimum, subgradient
from dualgap.proofs_checks.papers.pgs.setting import harmonic
from dualgap.proofs_checks.papers.vocabulary import MIXED_ROWS, square
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, instances
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Problem, Vector

EVERY_PATH = "hinge; every path of batches A_t of k rows"


class Path:
    """The context's run: w_1 .. w_{T+1}, and nabla_t recomputed from them, in the context's number."""

    def __init__(self, c: Context) -> None:
        self.c, self.batches, self.lam = c, c.instance.path, c.problem.regularizer.lam
        state = c.method.init(c.problem)
        self.w: list[Vector] = [c.method.view(c.problem, state)[0]]
        for choice in self.batches:
            state = c.method.step(c.problem, state, choice)
            self.w.append(c.method.view(c.problem, state)[0])
        self.nabla = [
            [self.lam * w_j + g_j for w_j, g_j in zip(w, subgradient(c.problem, A_t, w))]
            for A_t, w in zip(self.batches, self.w)
        ]

    @property
    def T(self) -> int:
        """The rounds."""
        return len(self.batches)

    def cost(self, t: int, u: Vector) -> Number:
        """f_t(u)."""
        return self.lam * square(u) / 2 + batch_loss(self.c.problem, self.batches[t - 1], u)

    def total(self, u: Vector | None = None) -> Number:
        """sum_t f_t(u); of the iterates themselves where there is no u."""
        return sum((self.cost(t, self.w[t - 1] if u is None else u) for t in range(1, self.T + 1)), self.c.problem.zero)

    @property
    def bound(self) -> Number:
        """sum_t ||nabla_t||^2/(2 lam t)."""
        return sum((square(nabla) / (2 * self.lam * t) for t, nabla in enumerate(self.nabla, 1)), self.c.problem.zero)

    def dual_value(self) -> Number:
        """T D(alpha) of the path's own problem at the slopes that the method met; Fractions."""
        c, drawn = self.c, [(t, i) for t, A_t in enumerate(self.batches) for i in A_t]
        own = Problem(
            [c.instance.rows[i] for _, i in drawn],
            [c.instance.y[i] for _, i in drawn],
            c.problem.loss,
            c.problem.regularizer,
            Fraction,
        )
        slopes = [
            c.problem.loss.derivative(c.problem.dot(c.problem.rows[i], self.w[t]), c.problem.y[i]) for t, i in drawn
        ]
        return self.T * own.D(slopes)


@st.composite
def pegasos_run(draw: DrawFn) -> Instance:
    """Hinge, d <= 3, any batches of one or two rows, no projection."""
    instance = draw(
        instances(K=K_ANY, losses=("hinge",), max_n=4, max_d=3, max_path=0, kinds=("free", "unit", "aligned", "equal"))
    )
    n = len(instance.rows)
    lam, size = draw(st.sampled_from(Qs(1, "1/2", "1/10", 3, "1/100"))), draw(st.integers(1, min(2, n)))
    batch = st.permutations(range(n)).map(lambda order: tuple(order[:size]))
    path = draw(st.lists(batch, min_size=1, max_size=7))
    u = tuple(draw(st.sampled_from(COORDINATES)) for _ in range(len(instance.rows[0])))
    options = {"k": size, "projection": False}
    return instance.but(
        lam=lam, alpha=Qs(*[0] * n), method="pegasos", options=options, path=tuple(path), extra=further(u=u)
    )


# -- the golden run ----------------------------------------------------------------------------------------------------

FREE = MIXED_ROWS.but(
    loss="hinge",
    method="pegasos",
    options={"k": 1, "projection": False},
    path=((0,), (1,), (2,), (0,)),
    extra=further(u=Qs("1/2", "-3/4")),
)
PAIRS = FREE.but(options={"k": 2, "projection": False}, path=((0, 1), (1, 2), (0, 2)))
LINE = FREE.but(
    rows=(Qs(1), Qs(-2), Qs("1/2")), lam=Q(1, 4), options={"k": 1, "projection": True}, extra=further(u=Qs("1/2"))
)
MUTANTS = ("baselines.pegasos-half-step", "baselines.pegasos-late-start", "baselines.pegasos-sum-for-mean")


# -- the regret, without projection ------------------------------------------------------------------------------------


@claim(
    "baselines.pegasos.regret",
    "Pegasos without projection, on every path: sum_t f_t(w_t) - min_u sum_t f_t(u) <= sum_t f_t(w_t) - T D(alpha) ="
    " sum_t ||nabla_t||^2/(2 lam t) <= 4R^2 H_T/(2 lam), H_T <= 1 + ln T, D the dual of the path's own problem at"
    " alpha_t = phi'(x_t^T w_t)",
    hypotheses=EVERY_PATH,
    origin=PAPER.reading("Pegasos, Lemma 1", note=f"{RESTATED}; the bound by the dual of the path is ours"),
    evidence=[golden(FREE, PAIRS), exact(pegasos_run)],
    control=altered(
        "half the sum", lambda c: [Le(Path(c).total() - Path(c).dual_value(), Path(c).bound / 2, "")], FREE, PAIRS
    ),
    kills=MUTANTS,
    proof=(
        "w_{T+1} = w(alpha) for the path's problem and f_t(w_t) = (lam/2)||w_t||^2 + alpha_t z_t - phi*(alpha_t), so"
        " that the regret against w_{T+1} is at most the left side. ||w_t|| <= R/lam, a mean of subgradients over lam,"
        " hence ||nabla_t|| <= 2R."
    ),
)
def regret(c: Context) -> Iterable[Relation]:
    path, dual = Path(c), Path(c).dual_value()
    for name, u in {"u": list(c.given.u), "0": [Q(0)] * c.problem.d, "w_{T+1}": path.w[-1]}.items():
        yield Le(dual, path.total(u), f"T D(alpha) <= sum f_t at {name}")
    yield Eq(path.total() - dual, path.bound, "sum f_t(w_t) - T D(alpha) = sum ||nabla_t||^2/(2 lam t)")
    for t, nabla in enumerate(path.nabla, 1):
        yield Le(square(nabla), 4 * c.R2, f"||nabla_{t}|| <= 2R")
    yield Le(path.bound, 4 * c.R2 * harmonic(path.T) / (2 * path.lam), "<= 4R^2 H_T/(2 lam)")


# -- in expectation ----------------------------------------------------------------------------------------------------


@claim(
    "baselines.pegasos.rate",
    "Pegasos: E P((w_1 + .. + w_T)/T) - min P <= c H_T/(2 lam T), c = 4R^2 without projection and (sqrt(lam) + R)^2"
    " with it",
    hypotheses="hinge; A_t one row, uniform and independent",
    origin=PAPER.reading("Pegasos, Theorem 1", note=RESTATED),
    evidence=[
        golden(
            *(
                LINE.but(lam=lam, path=(), options={"k": 1, "projection": projection}, extra=further(T=T))
                for lam in Qs(1, "1/4")
                for projection in (True, False)
                for T in (1, 2, 4)
            ),
            detail="all paths, the minimum exactly",
            level="ENUMERATED",
        )
    ],
    control=false_with(
        "an eighth of it, T = 1",
        LINE.but(rows=(Qs(1),) * 3, y=Qs(1, 1, 1), lam=Q(1), path=(), extra=further(T=1)),
        factor=Q(1, 8),
    ),
    proof=(
        "f_t is convex, w_t does not depend on A_t and E f_t(u) = P(u): take expectations of the regret and divide"
        " by T."
    ),
)
def rate_lines(c: Context, factor: Q = Q(1)) -> Iterable[Relation]:
    """E P at the average over all paths of T rounds against factor times the bound; d = 1. It may exceed P(0)."""
    T, lam, n = c.instance.extra.T, c.mu, c.n
    least = minimum(c.instance.but(options={}), [(i,) for i in range(n)])[0] / n
    total = Q(0)
    for order in product(range(n), repeat=T):
        path = Path(Context(c.instance.but(path=tuple((i,) for i in order)), c.method))
        total += c.problem.P([sum((w[0] for w in path.w[:T]), Q(0)) / T])
    constant = (sqrt(lam) + sqrt(c.R2)) ** 2 if c.instance.options["projection"] else 4 * c.R2
    yield Le(total / n**T - least, factor * constant * harmonic(T) / (2 * lam * T), f"T = {T}")
