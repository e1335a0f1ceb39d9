"""L-BFGS: what certifies an iterate that comes without a dual one, and where scipy's run ends."""

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.terms import gradient, square
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import instances
from dualgap.reference import Method

HALF = Q(1, 2)

# -- the certificate of a primal iterate -------------------------------------------------------------------------------


@st.composite
def at_a_point(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """An instance and any w."""
    instance = draw(base)
    d = len(instance.rows[0])
    w = draw(st.lists(st.sampled_from(COORDINATES), min_size=d, max_size=d).map(tuple))
    return instance.but(extra=further(w=w), path=())


# Smooth rational losses, L2, any w.
points = Pool("baselines.points", at_a_point, instances(K=K_ANY, method="lbfgs"))
# The logistic loss.
points_logistic = Pool(
    "baselines.points_logistic", at_a_point, instances(K=K_ANY, losses=("logistic",), max_n=2, max_d=2, method="lbfgs")
)


ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), method="lbfgs", extra=further(w=Qs(2)))


@claim(
    "baselines.lbfgs.gap",
    "With alpha_i = phi_i'(x_i^T w) and L2, every w has the gap P(w) - D(alpha) = ||grad P(w)||^2/(2 lam)",
    hypotheses="any smooth loss, g = (lam/2)||w||^2, any w; the certificate of every method that keeps no dual iterate",
    origin=PAPER.ours("L-BFGS"),
    evidence=[exact(points, 0.5), enclosed(points_logistic, 0.2)],
    control=false_with("||grad P||^2/lam", ONE, factor=Q(1)),
    proof=(
        "The Fenchel-Young residuals are 0, and g(w) + g*(-u) + u^T w = (lam/2)||w + u/lam||^2 with u = X^T alpha/n,"
        " where lam w + u = grad P(w)."
    ),
)
def certified(c: Context, factor: Fraction = HALF) -> Iterable[Relation]:
    """P(w) - D(alpha) against factor ||grad P(w)||^2/lam, the gradient from its definition."""
    problem, w, lam = c.problem, list(c.given.w), c.problem.regularizer.lam
    alpha = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
    norm2 = square(gradient(c, w, lam))
    yield Same(problem.P(w) - problem.D(alpha), c.q(factor) * norm2 / lam, "P(w) - D(alpha)")


# -- where a run ends --------------------------------------------------------------------------------------------------


def table(loss: str, lam: Fraction, gamma: Fraction | None = None) -> Instance:
    """Twelve rows of four columns of different sizes, labels that no plane separates."""
    rows = tuple(tuple(Q((7 * i + 3 * j * j + i * j) % 11 - 5, 5 * 4**j) for j in range(4)) for i in range(12))
    y = tuple(Q(1 if (i * i + i // 3) % 3 else -1) for i in range(12))
    return Instance(rows=rows, y=y, alpha=(), lam=lam, loss=loss, gamma=gamma, method="lbfgs")


TABLES = (
    table("logistic", Q(1, 10**6)),
    table("smoothed-hinge", Q(1, 10**4), Q(1, 2)),
    table("squared-hinge", Q(1, 10**5)),
)


def gap_at_end(c: Context, method: Method[Any]) -> float:
    """The gap where scipy ends the run."""
    problem = c.instance.problem(float)
    state: Any = method.init(problem)
    while not state.ended:
        method.advance(problem, state, 0)
    return float(problem.gap(*method.view(problem, state)))


DEFAULTS = "baselines.lbfgs-default-options"


@claim(
    "baselines.lbfgs.options",
    "L-BFGS: memory 30, ftol = gtol = 0 end a run where P no longer falls; scipy's defaults end it at a gap a thousand"
    " times as large",
    hypotheses="the three tables named here; a fact about scipy, in floats",
    origin=IMPLEMENTATION,
    evidence=[golden(*TABLES, detail="logistic, smoothed hinge, squared hinge", level="NUMERICAL")],
    control=altered(
        "scipy's defaults", lambda c: ends_later(Context(c.instance, mutant(DEFAULTS, c.instance))), *TABLES
    ),
    kills=(DEFAULTS,),
)
def ends_later(c: Context) -> Iterable[Relation]:
    """The gap at the end against the one at the end of scipy's default run."""
    own, default = gap_at_end(c, c.method), gap_at_end(c, mutant(DEFAULTS, c.instance))
    yield Le(1000 * own, default, "1000 times the gap at the end <= that of the default options")
