"""SPDC, Corollary 3 where its expectation is one: m < n rows a step, more than one column.

The instance is the perturbed problem, as in ``perturbation``: the hinge has become the smoothed hinge with gamma =
delta, l1 ||w||_1 has (delta/2) ||w||^2 added. Before the perturbation P is piecewise linear, so that a vertex minimises
it. Expectations are over all paths.
"""

from itertools import combinations

from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.perturbation import G_PHI
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import NODES
from dualgap.proofs_checks.papers.spdc.rates import Saddle, constants, distance2
from dualgap.proofs_checks.papers.spdc.strategies import begun, root_above
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector


def objective(c: Context, w: Vector) -> Number:
    """P(w) = (1/n) sum max(0, 1 - y_i x_i^T w) + l1 ||w||_1."""
    problem, total = c.problem, c.problem.zero
    for row, y in zip(problem.rows, problem.y):
        total = total + max(problem.zero, 1 - y * problem.dot(row, w))
    return total / c.n + problem.regularizer.l1 * sum((abs(w_j) for w_j in w), problem.zero)


def minimiser(c: Context) -> Vector:
    """The vertex with the least P, of those the one nearest to 0: l1 > 0 keeps P from falling without end."""
    d = c.problem.d
    planes = [([c.q(x) for x in row], y) for row, y in zip(c.instance.rows, c.problem.y)]
    planes += [([c.q(int(j == k)) for k in range(d)], c.problem.zero) for j in range(d)]
    return min(vertices(planes), key=lambda w: (objective(c, w), distance2(w, [c.problem.zero] * d)))


def vertices(planes: Sequence[tuple[Vector, Number]]) -> Iterable[Vector]:
    """Where d of the planes a^T w = b meet in one point."""
    for chosen in combinations(planes, len(planes[0][0])):
        try:
            yield solve_linear([list(a) for a, _ in chosen], [b for _, b in chosen])
        except (ValueError, ZeroDivisionError):
            continue  # they do not


def lipschitz(c: Context) -> Number:
    """G_phi R + G_g, G_g a rational number above l1 sqrt(d)."""
    return G_PHI * constants(c).R + c.problem.regularizer.l1 * root_above(Q(c.problem.d))


def chain(c: Context, share: Number, steps: Number, nodes: int) -> Iterable[Relation]:
    """(22) with ``share`` of G^2, for t as far as the path tree has at most ``nodes`` states; there (23) at T, of which
    ``steps`` are made.
    """
    c = begun(c)
    k, saddle, delta, G = constants(c), Saddle(c), c.gamma, lipschitz(c)
    w_star = minimiser(c)
    epsilon = delta * (distance2(w_star, [Q(0)] * c.problem.d) + G_PHI * G_PHI)
    C3 = G * G * saddle.C(k) / (1 / (2 * k.tau) + delta / 2)
    least, perturbed = objective(c, w_star), objective(c, saddle.w)
    T = ceiling_of_log(steps / (1 - k.theta), 4 * C3 / (epsilon * epsilon)) if 4 * C3 > epsilon * epsilon else 0
    yield Le(perturbed - least, epsilon / 2, "(21)")
    visited, start = 0, objective(c, saddle.start[0]) - least
    for t, layer in enumerate(distributions(c.method, c.problem, c.state)):
        visited += len(layer)
        error = sum((p * (objective(c, state.w) - perturbed) for p, state in layer), Q(0))
        distance = sum((p * distance2(state.w, saddle.w) for p, state in layer), Q(0))
        if t % max(1, T // 6) == 0:
            yield Le(error * error, share * G * G * distance, f"(22), t = {t}: P is Lipschitz, and Jensen")
            yield Le(G * G * distance, C3 * k.theta**t, f"(22), t = {t}: the distance falls with theta^t")
        if t == T:
            yield Le(error + perturbed - least, epsilon, f"(23): E P(w^T) - P(w*) <= epsilon at T = {T}", trivial=start)
        if t == T or visited + len(layer) * len(c.method.choices(c.problem, layer[0][1])) > nodes:
            return


@st.composite
def mini_batches(draw: DrawFn) -> Instance:
    """n/m = 4, d = 2: the perturbed problem from a w^0 of its own."""
    m = draw(st.sampled_from((1, 1, 2)))
    n, delta, number = 4 * m, draw(st.sampled_from(Qs("1/2", 1, 2))), st.sampled_from(Qs(0, 1, -1, "1/2", "3/4"))
    rows = tuple((draw(number), draw(number)) for _ in range(n))
    R = root_above(max(*(sum((x * x for x in row), Q(0)) for row in rows), Q(1, 16)))
    return Instance(
        rows=rows,
        y=tuple(draw(st.sampled_from(Qs(1, -1))) for _ in range(n)),
        alpha=(Q(0),) * n,
        lam=delta,
        loss="smoothed-hinge",
        gamma=delta,
        l1=draw(st.sampled_from(Qs("1/10", "1/3", 1))),
        method="spdc-minibatch",
        options={"m": m, "R": R, "sampling": "systematic"},
        extra=further(w=(draw(st.sampled_from(Qs(0, 2, -3))), draw(st.sampled_from(Qs(1, -2))))),
    )


# What ``mini_batches`` draws.
small_batches = Pool("spdc.small_batches", mini_batches)


def settled(n: int, m: int) -> Instance:
    """All but two of n rows of norm 1/4 have alpha_i = alpha*_i = -y_i, where they stay: the path tree stays small up
    to T.

    Each of the two others gives w, on its way to w* = 0, a push when it is drawn first.
    """
    ahead = Qs("3/20", "1/5")
    y = tuple(Q(1) if i % 3 else Q(-1) for i in range(n))
    rows = tuple((y_i * ahead[i % 2], y_i * ahead[(i + 1) % 2]) for i, y_i in enumerate(y))
    alpha = tuple(Q(0) if i < 2 else -y_i for i, y_i in enumerate(y))
    return Instance(
        rows=rows,
        y=y,
        alpha=alpha,
        lam=Q(1, 2),
        loss="smoothed-hinge",
        gamma=Q(1, 2),
        l1=Q(1, 5),
        method="spdc-minibatch",
        options={"m": m, "sampling": "partition"},
        extra=further(w=Qs(-10, -6)),
    )


SETTLED = (settled(4, 1), settled(8, 2))


@claim(
    "spdc.corollary-3.mean",
    r"Corollary 3, with (22) and (23), its expectation: $\mathbb{E} P(w^t) - P(w^*_{\delta}) \le$ "
    r"$(G_{\varphi} R + G_g) \mathbb{E}\Vert w^t - w^*_{\delta}\Vert \le$ $\sqrt{C_3 \theta^t}$, and for "
    r"$\delta = \epsilon/(\Vert w^*\Vert^2 + G_{\varphi}^2)$ $\mathbb{E} P(w^T) -$ $P(w^*) \le \epsilon$ after "
    r"$T = (n/m + (2R/\delta) \sqrt{n/m}) \,\log(4 C_3/\epsilon^2)$ steps",
    hypotheses=(
        r"hinge loss ($G_{\varphi} = 1$), $g = \ell_1 \Vert w\Vert_1$, $d = 2$; $n/m = 4$, $m = 1$ and 2; over all"
        r" paths"
    ),
    origin=PAPER.printed("Corollary 3", "(22)", "(23)", note=RESTORED),
    kills=["spdc.no-prox"],
    evidence=[
        Enumerated(small_batches, 0.2),
        golden(*SETTLED, level="ENUMERATED", detail="n = 4, m = 1 and n = 8, m = 2: all T steps"),
    ],
    control=all_of(
        altered("a twentieth of the steps", lambda c: chain(c, Q(1), Q(1, 20), 3 * NODES), *SETTLED),
        altered("a tenth of the Lipschitz constant", lambda c: chain(c, Q(1, 100), Q(1), 3 * NODES), *SETTLED),
    ),
)
def corollary_3_mean(c: Context) -> Iterable[Relation]:
    yield from chain(c, Q(1), Q(1), 3 * NODES)
