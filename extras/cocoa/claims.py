"""CoCoA+: the algorithm, its subproblems, when D cannot fall, and the rates.

G_k(Delta) = -(1/n) sum_{P_k} phi_i*(alpha_i + Delta_i) - (1/sigma')[g*(-u + sigma' e) - g*(-u)] - g*(-u)/K, e = -(1/n)
sum_{P_k} Delta_i x_i, gamma the aggregation. alpha has this package's sign, minus the papers'. For the rates a = gamma
(1 - Theta); s = lam gamma_phi n/(lam gamma_phi n + sigma_max sigma'), phi_i (1/gamma_phi)-smooth; B = 4 L^2 sigma
sigma'/(lam n^2), sigma = sum_k sigma_k |P_k|. Expectations are over all draws of all workers.
"""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from dualgap.extras.cocoa.items import PAPER, RESTATED
from dualgap.extras.cocoa.terms import (
    G,
    any_net,
    any_round,
    changes,
    combination,
    constants,
    local_problem,
    parts,
    rounds,
    sigma_max,
    squares,
    theta,
    worker_rows,
)
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.levels import exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.evidence.trajectories import Enumerated, along_paths
from dualgap.proofs_checks.papers.vocabulary import names, refuted, square
from dualgap.proofs_checks.strategies.instances import RATIONAL_SMOOTH, any_of
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.losses import losses

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


LIPSCHITZ = losses(smooth=False, foreign=False)
SHARES = any_of(s=Qs("1/2", 0, 1, "1/4", "9/10"))
LOCAL = "local solver: $H$ steps of SDCA, each row drawn uniformly from the worker's own"
ALONE = r"one row a worker, where a local step is exact and $\Theta = 0$"


# Smooth rational losses, L2, sigma' safe or larger.
smooth = Pool("cocoa.smooth", rounds, losses=RATIONAL_SMOOTH, sigmas=Qs(1, 1, 2), extra=SHARES)
# The same, few rows, at the start of a trajectory.
smooth_starts = Pool("cocoa.smooth_starts", rounds, losses=RATIONAL_SMOOTH, max_n=3, max_path=0)
# Hinge and absolute loss, L2, one row a worker.
lipschitz = Pool(
    "cocoa.lipschitz", rounds, losses=LIPSCHITZ, sigmas=Qs(1, 1, 2), one_row=True, max_path=0, extra=SHARES
)


PAIR = Instance(  # one worker with two rows, one with one
    rows=(Qs(1, 0), Qs("3/5", "4/5"), Qs(0, 1)),
    y=Qs(1, -1, 2),
    alpha=Qs(0, 0, 0),
    lam=Q(1, 3),
    method="cocoa",
    options={"parts": (2, 3), "H": 2, "aggregation": "adding", "sigma": Q(2)},
    extra=further(s=Q(1)),
)
STEEP = worker_rows((1,), (1,), (1,), sigma=3, q=Q(1, 10), extra=further(s=Q(10, 13)))  # s = 10/13: where R = 0


# -- the local solver --------------------------------------------------------------------------------------------------


@claim(
    "cocoa.local-improvement",
    "The assumption on local improvement, met by H steps of SDCA: E[G_k(Delta*) - G_k(Delta)] <= Theta_k (G_k(Delta*) -"
    " G_k(0)), Theta_k = (1 - s_k/|P_k|)^H, s_k = lam gamma n/(lam gamma n + sigma' max_{P_k} ||x_i||^2)",
    hypotheses=rf"$\varphi_i$ convex and $(1/\gamma)$-smooth; L2; {LOCAL}",
    origin=PAPER.reading("Local improvement", note=RESTATED),
    evidence=[exact(smooth, 0.4), golden(PAIR)],
    control=false_with("s_k = 1", PAIR.but(lam=Q(1, 30), options={**PAIR.options, "H": 1}), spread=Q(0)),
    kills=["cocoa.no-spread-in-q"],
    proof=(
        "n/|P_k| G_k is, up to a constant, D of a problem of |P_k| rows with lam n/(sigma' |P_k|) instead of lam;"
        " SDCA's one-step lemma contracts E[D* - D] there by 1 - s_k/|P_k| (sdca.per-step)."
    ),
)
def local_improvement(c: Context, spread: Number | None = None) -> Iterable[Relation]:
    spread = constants(c).spread if spread is None else spread
    for k, part in enumerate(parts(c)):
        if part:
            strength = c.mu * c.gamma * c.n
            s = strength / (strength + spread * max(c.problem.norms2[i] for i in part))
            before, left = to_go(c, k, part)
            yield Le(left, (1 - s / len(part)) ** c.instance.options["H"] * before, f"worker {k}")


def to_go(c: Context, k: int, part: range) -> tuple[Number, Number]:
    """n/|P_k| of what is to be gained of G_k, before the round and after it in expectation."""
    local = local_problem(c, k)
    best = local.D([c.q(a) for a in exact_optimum(local)])
    reached = c.expect(lambda successor: local.D([c.alpha[i] + d for i, d in zip(part, changes(c, successor)[k])]))
    return best - local.D([c.alpha[i] for i in part]), best - reached


# -- one round ---------------------------------------------------------------------------------------------------------


@claim(
    "cocoa.one-round",
    "The lemma on a round: for every s in [0, 1], E[D(alpha+) - D(alpha)] >= gamma (1 - Theta) (s gap - (sigma'/(2"
    " lam)) (s/n)^2 R), R = -(lam gamma_phi n (1 - s)/(sigma' s)) ||u - alpha||^2 + sum_k ||X_k^T (u - alpha)_k||^2,"
    " u_i = phi_i'(x_i^T w)",
    hypotheses=f"{ON_L2}; {LOCAL}",
    origin=PAPER.reading("One round", note=RESTATED),
    evidence=[exact(smooth, 0.4), exact(lipschitz, 0.3), golden(STEEP, PAIR)],
    control=false_with("a tenth more", STEEP, share=Q(11, 10)),
    proof=(
        "cocoa.sum and Theta; sum_k G_k(Delta*_k) >= sum_k G_k(s (u - alpha)_k), the strong convexity of phi*, and phi"
        " + phi* = u z at u."
    ),
)
def one_round_at(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    s, spread = c.given.s, constants(c).spread
    apart = sum((square(combination(c.problem, part, [c.delta[i] for i in part])) for part in parts(c)), c.problem.zero)
    quadratic = spread / c.mu * s * s / (c.n * c.n) * apart - c.gamma * s * (1 - s) / c.n * square(c.delta)
    yield Le(
        share * constants(c).weight * (1 - theta(c)) * (s * c.gap - quadratic / 2), c.expected_increase, f"s = {s}"
    )


# -- smooth losses -----------------------------------------------------------------------------------------------------


@claim(
    "cocoa.theorem-smooth",
    "The theorem on smooth losses: E[D* - D_t] <= (1 - a s)^t (D* - D_0) and E gap_t <= (1/(a s)) (1 - a s)^t (D* -"
    " D_0), a = gamma (1 - Theta), s = lam gamma_phi n/(lam gamma_phi n + sigma_max sigma'); so (1/(a s)) ln((D* -"
    " D_0)/eps) rounds are enough",
    hypotheses=(
        rf"$\varphi_i$ convex and $(1/\gamma_\varphi)$-smooth, {ON_L2}; {LOCAL}; $\sigma_\max$ or any bound of it (here"
        r" the sum of $\Vert x_i\Vert^2$ over a part)"
    ),
    origin=PAPER.reading("Smooth losses", note=RESTATED),
    evidence=[
        Enumerated(smooth_starts, 0.2),
        golden(STEEP, PAIR.but(options={**PAIR.options, "H": 1}), level="ENUMERATED"),
    ],
    control=false_with("twice the rate", worker_rows((1, 0), (0, 1), sigma=2, q=10), factor=Q(2)),
    proof="cocoa.one-round with the s that makes R <= 0: E[D+ - D] >= a s gap >= a s (D* - D).",
)
def smooth_chain(c: Context, factor: Number = Q(1)) -> Iterable[Relation]:
    strength = c.mu * c.gamma * c.n
    rate = factor * constants(c).weight * (1 - theta(c)) * strength / (strength + sigma_max(c) * constants(c).spread)
    to_go, left = c.D_star - c.D, c.q(1)
    duals = along_paths(c, 3, c.problem.D)
    gaps = along_paths(c, len(duals) - 1, lambda alpha: c.problem.gap(c.problem.w(alpha), alpha))
    for t, (dual, gap) in enumerate(zip(duals, gaps)):
        if t > 0:
            yield Le(c.D_star - dual, left * to_go, f"(i) t = {t}", trivial=to_go)
        if rate > 0:
            yield Le(gap, left * to_go / rate, f"(ii) t = {t}", trivial=c.gap)
        left = left * (1 - rate)


# -- Lipschitz losses --------------------------------------------------------------------------------------------------


@claim(
    "cocoa.theorem-lipschitz",
    "The theorem on Lipschitz losses: E[D* - D_t] <= B/(1 + a (t - t0)/2) for t >= t0 = max(0, ceil((1/a) ln(2 (D* -"
    " D_0)/B))), B = 4 L^2 sigma sigma'/(lam n^2)",
    hypotheses=rf"$\varphi_i$ convex and $L$-Lipschitz, {ON_L2}; {ALONE}",
    origin=PAPER.reading("Lipschitz losses", "Non-smooth losses", note=RESTATED),
    evidence=[exact(lipschitz, 0.4)],
    control=false_with(
        "B a thousand times too small",
        worker_rows((1,), (1,), sigma=2, q=50).but(loss="hinge", y=Qs(1, -1)),
        scale=Q(1, 1000),
    ),
    proof=(
        "|u_i - alpha_i| <= 2L, so cocoa.one-round with gamma_phi = 0 gives e+ <= (1 - a s) e + a s^2 B/2: s = 1 up to"
        " t0, then s = 1/(1 + a (t - t0)/2)."
    ),
)
def lipschitz_chain(c: Context, scale: Number = Q(1)) -> Iterable[Relation]:
    weight, spread = constants(c).weight, constants(c).spread
    B = scale * 4 * spread * sum(c.problem.norms2, c.problem.zero) / (c.mu * c.n * c.n)
    state, to_go = c.state, c.D_star - c.D
    if B == 0:
        return
    t0 = 0 if 2 * to_go <= B else -(-ceiling_of_log(int(weight.denominator), 2 * to_go / B) // int(weight.numerator))
    for t in range(t0 + 6):
        left = c.D_star - c.problem.D(c.method.view(c.problem, state)[1])
        if t >= t0:
            yield Le(left, B / (1 + weight * (t - t0) / 2), f"t = {t}, t0 = {t0}", trivial=to_go if t else None)
        state = c.method.step(c.problem, state, tuple(range(c.n)))


# -- sigma' too small ----------------------------------------------------------------------------


@refuted(
    "cocoa.adding-unscaled",
    "Not stated in the paper: the workers' changes can be added as they are, sigma' = 1, and D does not fall",
    hypotheses="L2, adding, sigma' = 1",
    origin=PAPER.inference(
        "Adding",
        note="as far as we know the paper does not say this: it adds with sigma' = gamma K (we had only the abstract)",
    ),
    evidence=[golden(CLOSE, detail="three equal rows, q = 2: D falls from 0 to -1/18")],
    control=holds_on(worker_rows((1, 0, 0), (0, 1, 0), (0, 0, 1), sigma=1, q=2), text="orthogonal rows"),
)
def adding_unscaled(c: Context) -> Iterable[Relation]:
    for increase in c.increases:
        yield Le(0, increase, "D after a round")
