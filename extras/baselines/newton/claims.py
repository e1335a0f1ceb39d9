"""Newton's method: its matrix and its direction from their definitions, when a point is accepted, and where it ends."""

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.newton.reference import NewtonState
from dualgap.extras.baselines.terms import dot, gradient, square
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import instances
from dualgap.reference.problem.problem import Vector

EVALUATIONS = 5
RESIDUAL = 10**4  # 100^2
NEAR = Q(1, 2**80)  # closer to a kink no drawn instance comes


@st.composite
def searches(draw: DrawFn, /) -> Instance:
    """Smooth rational losses, L2, any start; one row of one, two or three in the matrix."""
    instance = draw(instances(K=(*K_ANY, *Qs(1000)), max_path=0, method="newton"))
    return instance.but(options={"stride": draw(st.sampled_from((1, 1, 2, 3)))})


def steps(c: Context) -> Iterator[tuple[NewtonState, NewtonState]]:
    """The states before and after each of a few evaluations."""
    before = c.start
    for _ in range(EVALUATIONS):
        after = c.method.step(c.problem, before, 0)
        yield before, after
        before = after


def slope_at(c: Context, w: Vector) -> Vector:
    """grad P(w)."""
    return gradient(c, w, c.problem.regularizer.lam)


def bend(c: Context, i: int, w: Vector) -> Number:
    """phi_i'' at x_i^T w as the larger of two difference quotients of phi_i', exact for pieces of straight lines."""
    loss, y, z, near = c.problem.loss, c.problem.y[i], c.problem.dot(c.problem.rows[i], w), c.q(NEAR)
    here = loss.derivative(z, y)
    return max((loss.derivative(z + near, y) - here) / near, (here - loss.derivative(z - near, y)) / near)


def in_the_matrix(c: Context, state: NewtonState) -> list[int]:
    """Which rows make the matrix: of the b-th s rows the one at floor(s frac(g (b + evaluations blocks))), g to 32
    bits.
    """
    s, g = min(state.stride, c.n), Fraction(2654435769, 2**32)
    blocks = c.n // s
    return [b * s + int(s * (g * (b + state.evaluations * blocks) % 1)) for b in range(blocks)]


def applied(c: Context, state: NewtonState, p: Vector, lam: Number) -> Vector:
    """H p."""
    rows, image = in_the_matrix(c, state), [lam * p_j for p_j in p]
    for i in rows:
        along = bend(c, i, state.w) * c.problem.dot(c.problem.rows[i], p) / len(rows)
        for j, x in c.problem.rows[i]:
            image[j] = image[j] + along * x
    return image


def direction(c: Context, state: NewtonState, lam: Number) -> Vector:
    """The minimiser of p^T H p/2 + grad P(w)^T p over the span of the first k of grad P(w), H grad P(w), .., k the
    least for which its residual is small.
    """
    g, powers, images = slope_at(c, state.w), list[Vector](), list[Vector]()
    p, residual = [c.problem.zero] * c.problem.d, g
    while RESIDUAL * square(residual) > square(g):
        powers.append(images[-1] if images else g)
        images.append(applied(c, state, powers[-1], lam))
        shares = solve_linear([[dot(x, image) for image in images] for x in powers], [-dot(x, g) for x in powers])
        p = [cast(Number, sum(share * x[j] for share, x in zip(shares, powers))) for j in range(c.problem.d)]
        residual = [g_j + y_j for g_j, y_j in zip(g, applied(c, state, p, lam))]
    return p


def acceptable(c: Context, before: NewtonState, after: NewtonState, x: Vector, t: Number) -> bool:
    """Line 4 at x = w + t p."""
    slope = dot(slope_at(c, before.w), after.direction)
    s, small = square(slope_at(c, x)), 2 * c.problem.regularizer.lam * c.problem.P([c.problem.zero] * c.problem.d)
    falls = c.problem.P(x) <= c.problem.P(before.w) + t * slope / 10**4
    return before.evaluations == 0 or bool(2 * s <= before.least and s <= small) or bool(falls)


FAR = Instance(  # two rows; the first step is too long
    rows=(Qs(1, 0), Qs("1/2", 1)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1, 1000),
    loss="smoothed-hinge",
    gamma=Q(1, 8),
    method="newton",
)


@claim(
    "baselines.newton.lines",
    "Newton, lines 2 to 5: p minimises p^T H p/2 + grad P(w)^T p, H = lam I + the mean of phi_i'' x_i x_i^T over the"
    " rows named, over the first of the spaces of grad P(w), H grad P(w), .. in which ||H p + grad P(w)|| <= ||grad"
    " P(w)||/100; a point is accepted where it halves the least ||grad P||^2, at most 2 lam P(0), or P falls by 10^-4 t"
    " |grad P^T p|; s is halved after a slow step; P(w) - D(alpha) = ||grad P(w)||^2/(2 lam) at every point accepted",
    hypotheses="smooth rational losses, g = (lam/2)||w||^2, any start, any s",
    origin=PAPER.ours("Newton"),
    evidence=[exact(searches, 0.5), golden(FAR, detail="a step that is too long")],
    control=false_with("lam/2 in H", FAR, share=2),
    kills=("baselines.newton-without-lam", "baselines.newton-accepts-all", "baselines.newton-flat"),
)
def lines(c: Context, share: int = 1) -> Iterable[Relation]:
    """Lines 2 to 5 of every step, with lam/share in H."""
    for before, after in steps(c):
        made = before.evaluations > 0 and before.t == 0
        if made:
            due = direction(c, before, c.problem.regularizer.lam / share)
            yield from (Same(*pair, "p is that of conjugate gradients") for pair in zip(after.direction, due))
        t = c.q(1) if made else before.t
        x = [w_j + t * p_j for w_j, p_j in zip(before.w, after.direction)]
        taken = acceptable(c, before, after, x, t)
        yield from (
            Same(*pair, "w is the point where it is accepted, and stays where it is not")
            for pair in zip(after.w, x if taken else before.w)
        )
        yield Same(after.t, c.problem.zero if taken else t / 2, "t")
        if taken:
            slow = before.evaluations > 0 and 10 * square(slope_at(c, x)) > square(slope_at(c, before.w))
            yield Same(c.q(after.stride), c.q(max(1, before.stride // 2) if slow else before.stride), "s")
        yield Same(
            c.problem.P(after.w) - c.problem.D(after.alpha),
            square(slope_at(c, after.w)) / (2 * c.problem.regularizer.lam),
            "P(w) - D(alpha)",
        )


# -- where it ends -----------------------------------------------------------------------------------------------------


def falls(c: Context, before: NewtonState, after: NewtonState) -> Iterable[Relation]:
    """The gap, to 10^-4 of itself; where d = 1, to 0."""
    gaps = [c.problem.P(state.w) - c.problem.D(state.alpha) for state in (before, after)]
    yield Le(
        gaps[1],
        gaps[0] / RESIDUAL if c.problem.d > 1 else c.problem.zero,
        "P(w) - D(alpha) after a step that crosses no kink",
    )


def crossed(c: Context, w: Vector, x: Vector) -> bool:
    """Whether some phi_i' has a kink between x_i^T w and x_i^T x, or at one of them."""
    for row, y in zip(c.problem.rows, c.problem.y):
        a, b = sorted((c.problem.dot(row, w), c.problem.dot(row, x)))
        if any(a <= kink <= b for kink in c.problem.loss.kinks(y)):
            return True
    return False


# As ``searches``, with all rows in the matrix.
whole_matrices = Pool(
    "baselines.whole_matrices", instances, K=(*K_ANY, *Qs(1000)), max_path=0, method="newton", options={"stride": 1}
)


ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="squared", method="newton", options={"stride": 1})


@claim(
    "baselines.newton.ends",
    "Newton: with all rows in the matrix, a whole step that crosses no kink of a phi_i' takes the gap to 10^-4 of"
    " itself or less, and to 0 where d = 1; for the squared loss every whole step does",
    hypotheses="squared, smoothed hinge and squared hinge, g = (lam/2)||w||^2, any start",
    origin=PAPER.ours("Newton"),
    evidence=[exact(whole_matrices, 0.5), golden(ONE, detail="squared loss: 0 after two evaluations")],
    control=altered(
        "the first evaluation alone", lambda c: [relation for pair in steps(c) for relation in falls(c, *pair)], ONE
    ),
    kills=("baselines.newton-without-lam",),
    proof=(
        "P is quadratic on the way, with the Hessian H: grad P(w + p) = H p + grad P(w), and the gap is ||grad P||^2/(2"
        " lam)."
    ),
)
def ends(c: Context) -> Iterable[Relation]:
    """The gap after a whole step that no kink lies across."""
    for before, after in steps(c):
        whole = before.evaluations > 0 and before.t == 0 and after.t == 0 and before.stride == 1
        if whole and not crossed(c, before.w, after.w):
            yield from falls(c, before, after)
