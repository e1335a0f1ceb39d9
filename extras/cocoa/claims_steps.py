"""CoCoA+, one round: the algorithm, its subproblems, when D cannot fall, and the companion code.

G_k(Delta) = -(1/n) sum_{P_k} phi_i*(alpha_i + Delta_i) - (1/sigma')[g*(-u + sigma' e) - g*(-u)] - g*(-u)/K, e = -(1/n)
sum_{P_k} Delta_i x_i, gamma the aggregation. alpha has this package's sign, minus the papers'.
"""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from dualgap.extras.cocoa.items import CODE, PAPER, RESTATED
from dualgap.extras.cocoa.terms import G, any_net, any_round, changes, constants, parts, rounds, squares, worker_rows
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, fails_on, false_with, golden
from dualgap.proofs_checks.papers.vocabulary import names
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.losses import clip

ANY = r"$\varphi_i$ convex ($\gamma \ge 0$), any $\lambda > 0$, any parts, $w = w(\alpha)$"
SAFE = rf"{ANY}, $\sigma' = \mathrm{{aggregation}} K$"
ON_L2 = rf"{SAFE}, $g = (\lambda/2)\Vert w\Vert^2$"


# Elastic net; one row of the whole round, on parts of any sizes.
one_step = Pool("cocoa.one_step", rounds, l1=Qs(0, "1/10"), sigmas=Qs(1, 2))
# L2, sigma' between a half and all of aggregation K.
small_sigma = Pool("cocoa.small_sigma", rounds, sigmas=Qs("2/3", "3/4", 1))

EQUAL = worker_rows((1,), (1,), (1,), sigma=3)  # three workers with one and the same row
CLOSE = worker_rows((1,), (1,), (1,), sigma=1, q=2)  # adding, sigma' = 1: D falls


@claim(
    "cocoa.algorithm",
    "Algorithm 1 and the local subproblem: after every round w = w(alpha), alpha moves by gamma times the workers'"
    " changes, rows that are not drawn keep their alpha, and a worker that makes one step maximises G_k over that"
    " coordinate",
    hypotheses=f"{ANY}; L2 or elastic net",
    origin=PAPER.reading("Algorithm 1", "Local subproblem", note=RESTATED),
    evidence=[exact(one_step, 0.6), golden(EQUAL)],
    control=false_with("q without sigma'", EQUAL, spread=Q(1)),
    kills=names("cocoa", "no-spread no-spread-in-q alpha-not-scaled shared-state lost-worker"),
    proof=(
        "a maximises G_k over alpha_i iff z - q (a - alpha_i) is a subgradient of phi* at a, q = sigma' ||x_i||^2/(mu"
        " n), iff phi(z - q (a - alpha_i)) + phi*(a) = a (z - q (a - alpha_i)) (Fenchel-Young). For l1 > 0 it is the"
        " Prox-SDCA step, a lower bound's maximum."
    ),
)
def algorithm(c: Context, spread: Number | None = None) -> Iterable[Relation]:
    for successor in c.successors:
        for j, (w, due) in enumerate(zip(successor.w, c.problem.w(successor.alpha))):
            yield Eq(w, due, f"w = w(alpha), component {j} after {successor.choice}")
        for i in set(range(c.n)) - set(successor.choice):
            yield Eq(successor.alpha[i], c.alpha[i], f"alpha_{i} stays in round {successor.choice}")
    # the first step of every worker that makes one, against the maximum over its coordinate
    spread = constants(c).spread if spread is None else spread
    problem, weight = c.problem, constants(c).weight
    for i in range(c.n):
        after = c.method.step(problem, c.state, (i,)).alpha[i]
        a, y = c.alpha[i] + (after - c.alpha[i]) / weight, problem.y[i]
        point = c.z[i] - spread * problem.norms2[i] / (c.mu * c.n) * (a - c.alpha[i])
        yield Eq(
            problem.loss.value(point, y) + problem.loss.conjugate(a, y),
            a * point,
            f"row {i} maximises G_k over its coordinate",
        )


@claim(
    "cocoa.sum",
    "The lemma on D and the subproblems: D(alpha + gamma sum_k Delta_k) >= (1 - gamma) D(alpha) + gamma sum_k"
    " G_k(Delta_k)",
    hypotheses=f"{SAFE}; for every regularizer, here L2 and elastic net",
    origin=PAPER.reading("Sum of subproblems", note=RESTATED),
    evidence=[exact(any_round, 0.5), exact(any_net, 0.3), golden(EQUAL)],
    control=fails_on(CLOSE, text="three equal rows, adding with sigma' = 1"),
    proof=(
        "With e_k = -(1/n) sum_{P_k} Delta_i x_i, -u + gamma sum_k e_k is the mean of the -u + sigma' e_k for sigma' ="
        " gamma K (for a larger sigma' with a share of -u). Jensen for g*, and for every phi_i* between alpha_i and"
        " alpha_i + Delta_i."
    ),
)
def sum_of_subproblems(c: Context) -> Iterable[Relation]:
    weight = constants(c).weight
    for successor, increase in zip(c.successors, c.increases):
        local = sum((G(c, k, delta) for k, delta in enumerate(changes(c, successor))), c.problem.zero)
        yield Le(weight * (local - c.D), increase, f"after {successor.choice}")


@claim(
    "cocoa.safe-sigma",
    "The lemma on the safe sigma': gamma ||X^T Delta||^2 <= gamma K sum_k ||X_k^T Delta_k||^2 for every Delta, with"
    " equality where all workers move w by the same vector, so that no smaller multiple of gamma is safe for all rows",
    hypotheses="any parts",
    origin=PAPER.reading("Safe sigma'", note=RESTATED),
    evidence=[exact(any_round, 0.5), golden(EQUAL)],
    control=false_with("K - 1/10 instead of K", EQUAL, less=Q(1, 10)),
    proof="Cauchy and Schwarz: ||sum_k a_k||^2 <= K sum_k ||a_k||^2.",
)
def safe_sigma(c: Context, less: Fraction = Q(0)) -> Iterable[Relation]:
    for successor in c.successors:
        together, apart = squares(c, changes(c, successor))
        yield Le(together, (len(parts(c)) - less) * apart, f"after {successor.choice}")


@claim(
    "cocoa.monotone",
    "D never decreases, whatever the workers draw, for every loss, L2 or elastic net, and every number of local steps",
    hypotheses=rf"{ANY}, $\sigma' \ge \mathrm{{aggregation}} K$",
    origin=PAPER.ours("Sum of subproblems", "Safe sigma'"),
    evidence=[exact(any_round, 0.5), exact(any_net, 0.5)],
    control=fails_on(CLOSE, text="three equal rows, adding with sigma' = 1"),
    proof=(
        "Each local step raises a lower bound of G_k (SDCA's, Prox-SDCA's), so G_k(Delta_k) >= G_k(0), and sum_k G_k(0)"
        " = D: cocoa.sum."
    ),
)
def monotone(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Le(0, increase, f"D after {successor.choice}")


def half() -> SearchStrategy[Instance]:
    """L2, H = 1, one row a part or more, sigma' half of aggregation K."""
    return rounds(sigmas=Qs("1/2", "1/2", "3/4")).map(lambda i: i.but(options={**i.options, "H": 1}))


@claim(
    "cocoa.monotone.sharp",
    "For L2 and H local steps sigma' (1 + 1/H) >= aggregation K is enough for D never to decrease: half of the safe"
    " sigma' for H = 1; no smaller factor is",
    hypotheses=rf"{ANY}, $g = (\lambda/2)\Vert w\Vert^2$, $H$ steps of SDCA a round",
    origin=PAPER.ours("Safe sigma'"),
    evidence=[exact(half, 0.6), exact(small_sigma, 0.6)],
    control=fails_on(worker_rows((1,), (1,), (1,), sigma=Q(7, 5), q=20), text="H = 1, K = 3, sigma' = 7/5 < 3/2"),
    proof=(
        "A local step gains at least (sigma'/(2 lam n^2)) ||x_i||^2 delta^2 in G_k, and ||X_k^T Delta_k||^2 <= H sum of"
        " these ||x_i||^2 delta^2. By expanding the squares, for gamma = 1, D(alpha + sum_k Delta_k) = sum_k"
        " G_k(Delta_k) + (1/(2 lam n^2)) (sigma' sum_k ||X_k^T Delta_k||^2 - ||X^T Delta||^2), and D gains at least"
        " (gamma/(2 lam n^2)) (sigma'/H + sigma' - gamma K) sum_k ||X_k^T Delta_k||^2. The factor is sharp: on K equal"
        " rows with H = 1 a round multiplies z - y - alpha by 1 - gamma (K q + 1)/(1 + sigma' q), q = ||x||^2/(lam n),"
        " which is below -1 for every sigma' < gamma K/2 and large q."
    ),
)
def monotone_sharp(c: Context) -> Iterable[Relation]:
    yield from monotone(c)


hinge = Pool("cocoa.hinge", rounds, losses=("hinge",))  # Hinge loss, L2, the safe sigma'.


def local_sdca_of_the_code(c: Context, rows: list[int], spread: Number) -> dict[int, Number]:
    """What localSDCA with plus = true makes of the alpha' = -y alpha in [0, 1] of these rows."""
    problem, w, scale = c.problem, c.w, c.mu * c.n
    theirs, delta_w = {i: -problem.y[i] * c.alpha[i] for i in rows}, [problem.zero] * problem.d
    for i in rows:
        y, row = problem.y[i], problem.rows[i]
        gradient = (y * (problem.dot(row, w) + spread * problem.dot(row, delta_w)) - 1) * scale
        projected = min(gradient, 0) if theirs[i] <= 0 else max(gradient, 0) if theirs[i] >= 1 else gradient
        if projected != 0:
            q = spread * problem.norms2[i]
            new = clip(theirs[i] - gradient / q, c.q(0), c.q(1)) if q != 0 else c.q(1)
            for j, x in row:
                delta_w[j] = delta_w[j] + x * y * (new - theirs[i]) / scale
            theirs[i] = new
    return theirs


@claim(
    "cocoa.code",
    "The companion code's localSDCA with plus = true makes the local steps of this library, for the hinge loss",
    hypotheses="hinge loss, L2, sigma' = gamma K",
    origin=PAPER.code("Local SDCA in code", "Local subproblem", place=CODE, note="read, and restated in rationals"),
    evidence=[exact(hinge, 0.4)],
    control=false_with(
        "sigma' = 1, as in the code without plus",
        EQUAL.but(loss="hinge", lam=Q(1, 30), options={**EQUAL.options, "parts": (2, 3), "sigma": Q(2), "H": 2}),
        spread=Q(1),
    ),
    kills=["cocoa.no-spread"],
)
def code(c: Context, spread: Number | None = None) -> Iterable[Relation]:
    """The alpha of every round against those of the code, scaled and added as it does."""
    spread = constants(c).spread if spread is None else spread
    weight = constants(c).weight
    for successor in c.successors:
        for part in parts(c):
            drawn = [i for i in successor.choice if i in part]
            for i, theirs in local_sdca_of_the_code(c, drawn, spread).items():
                due = c.alpha[i] + weight * (-c.problem.y[i] * theirs - c.alpha[i])
                yield Eq(successor.alpha[i], due, f"alpha_{i} after {successor.choice}")
