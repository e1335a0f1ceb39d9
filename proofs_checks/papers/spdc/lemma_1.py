"""SPDC, section 2.2, the duality gap and the gaps of the saddle function: (19), Lemma 1, and cases of equality.

    (19)      f(w, alpha*) - f* >= (lam/2) ||w - w*||^2,  f* - f(w*, alpha) >= (gamma/(2n)) ||alpha - alpha*||^2
    Lemma 1   P(w) <= f(w, alpha*) + (R^2/(2 gamma)) ||w - w*||^2
              D(alpha) >= f(w*, alpha) - (R^2/(2 lam n)) ||alpha - alpha*||^2

Points lie between the saddle point and w, alpha: at w* + epsilon (w - w*) and alpha* + epsilon (alpha - alpha*).
"""

from dualgap.proofs_checks.papers.spdc.instances import *

EPSILONS = Qs(1, "1/10", "1/1000", "1/1000000")
SQUARED = {"losses": ("squared",), "l1": Qs(0)}
FROM_START = {"max_path": 0, "free": False}
near = Pool("spdc.near", batch_instances, extra=any_of(epsilon=EPSILONS), **FROM_START)
near_squared = Pool("spdc.near_squared", batch_instances, extra=any_of(epsilon=EPSILONS[::2]), **SQUARED, **FROM_START)


def near_logistic() -> SearchStrategy[Instance]:
    """Logistic loss, w* = 0 and alpha*_i = -y_i/2: points with w_j != 0 and alpha_i != alpha*_i."""

    def apart(i: Instance) -> Instance:
        w = tuple(w_j or Q(1) for w_j in i.extra.get("w") or Qs(0) * len(i.rows[0]))
        alpha = tuple(a if a != -y / 2 else -y / 3 for a, y in zip(i.alpha, i.y))
        return i.but(alpha=alpha, path=(), extra=further(w=w, epsilon=Q(1)))

    return logistic().map(apart)


def near_point(t: Setting) -> tuple[Vector, Vector]:
    """(w* + epsilon (w - w*), alpha* + epsilon (alpha - alpha*))."""
    epsilon = t.c.given.epsilon
    return plus(t.w_star, epsilon, minus(t.w, t.w_star)), plus(t.alpha_star, epsilon, minus(t.alpha, t.alpha_star))


TWO_ROWS = with_extra(column((3, 3), "2/3", R=Q(3)), w=Qs(2), epsilon=Q(1)).but(
    y=Qs(1, -2), alpha=Qs(1, 1), gamma=Q(1, 3)
)
# w* = 1/4, alpha* = -1; at w = 0 the smoothed hinge is on the same linear piece
LINEAR_PIECE = with_extra(column((1,), 4, R=Q(1)), w=Qs(0), epsilon=Q(1)).but(
    y=Qs(1), alpha=Qs(-1), loss="smoothed-hinge", gamma=Q(1, 4)
)


# -- (19) --------------------------------------------------------------------------------------------------------------


@claim(
    "spdc.19",
    r"(19): $f(w, \alpha^*) - f^* \ge (\lambda/2)\Vert w - w^*\Vert^2$ and $f^* - f(w^*, \alpha) \ge$"
    r" $(\gamma/(2n))\Vert \alpha - \alpha^*\Vert^2$",
    hypotheses=rf"{A}; any $w$, $\alpha$ in the domain",
    evidence=[exact(near), enclosed(near_logistic, 0.2)],
    control=false_with("both constants doubled", TWO_ROWS, factor=2),
    origin=PAPER.printed("(19)", "unique saddle point", "facts under Assumption A", note=RESTORED),
)
def line_19(c: Context, factor: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    w, alpha = near_point(t)
    yield Le(factor * t.lam / 2 * t.dw2(w), t.gap_w(w), "(19), w")
    yield Le(factor * t.gamma / (2 * t.n) * t.da2(alpha), t.gap_alpha(alpha), "(19), alpha")


@claim(
    "spdc.19.equality",
    "(19) is an equality for squared loss with L2",
    hypotheses=r"squared loss, L2; any $w$, $\alpha$",
    evidence=[exact(near_squared, 0.6)],
    origin=PAPER.ours("(19)"),
    control=false_with("for the smoothed hinge, alpha* at an end", LINEAR_PIECE.but(alpha=Qs(0))),
)
def quadratic_19(c: Context) -> Iterable[Relation]:
    for relation in line_19(c):
        yield Eq(relation.left, relation.right, relation.label)


# -- Lemma 1 -----------------------------------------------------------------------------------------------------------


@claim(
    "spdc.lemma-1",
    r"Lemma 1: $P(w) \le f(w, \alpha^*) +$ $(R^2/(2 \gamma))\Vert w - w^*\Vert^2$ and $D(\alpha) \ge f(w^*, \alpha) -$"
    r" $(R^2/(2 \lambda n))\Vert \alpha - \alpha^*\Vert^2$",
    hypotheses=rf"{A}; any $w$, $\alpha$ in the domain; $R = \max\, \Vert x_i\Vert$",
    origin=PAPER.printed("Lemma 1", "proof of Lemma 1", note=RESTORED),
    evidence=[exact(near), enclosed(near_logistic, 0.2)],
    control=false_with("both constants halved", TWO_ROWS, factor=Q(1, 2)),
    proof=(
        "The mean loss has an ||X||^2/(n gamma)-Lipschitz gradient, u* at w*; alpha -> g*(-X^T alpha/n) has an"
        " ||X||^2/(n^2 lam)-Lipschitz gradient, -X w*/n at alpha*; ||X||^2 <= n R^2; the descent lemma."
    ),
)
def lemma_1(c: Context, factor: Number = 1) -> Iterable[Relation]:
    t = Setting(c)
    w, alpha = near_point(t)
    yield Le(t.problem.P(w), t.problem.f(w, t.alpha_star) + factor * c.R2 / (2 * t.gamma) * t.dw2(w), "Lemma 1, P")
    below = t.problem.f(t.w_star, alpha) - factor * c.R2 / (2 * t.lam * t.n) * t.da2(alpha)
    yield Le(below, t.problem.D(alpha), "Lemma 1, D")


@claim(
    "spdc.lemma-1.equality",
    "Lemma 1 is two equalities for squared loss with L2, one column, |x_i| = R and alpha - alpha* a multiple of X: its"
    " constants cannot be smaller",
    origin=PAPER.ours("Lemma 1"),
    hypotheses="as stated",
    evidence=[golden(TWO_ROWS, TWO_ROWS.but(rows=(Qs(3), Qs(-3)), alpha=Qs(2, -2)))],
    control=false_with("for rows 3 and 1", TWO_ROWS.but(rows=(Qs(3), Qs(1)))),
)
def equalities_of_lemma_1(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    alpha = plus(t.alpha_star, 1, [row[0][1] for row in t.problem.rows])
    yield Eq(t.problem.P(t.w), t.problem.f(t.w, t.alpha_star) + c.R2 / (2 * t.gamma) * t.dw2(t.w), "P")
    yield Eq(t.problem.f(t.w_star, alpha) - c.R2 / (2 * t.lam * t.n) * t.da2(alpha), t.problem.D(alpha), "D")


# -- the gap -----------------------------------------------------------------------------------------------------------


@claim(
    "spdc.sandwich",
    r"After (18): $P(w) \ge f(w, a)$ and $D(\alpha) \le f(v, \alpha)$ for all $a$ and $v$, so $P(w) - D(\alpha) \ge$"
    r" $f(w, \alpha^*) - f(w^*, \alpha) \ge 0$",
    hypotheses=rf"{A}; any $w$, $\alpha$ in the domain",
    origin=PAPER.printed("gap and saddle function", "(18)", note=RESTORED),
    evidence=[exact(near)],
    control=false_with("the bound doubled, where it is an equality", LINEAR_PIECE, factor=2),
)
def sandwich_chain(c: Context, factor: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    w, alpha = near_point(t)
    P, D, f = t.problem.P(w), t.problem.D(alpha), t.problem.f
    for a, v in ((alpha, w), (t.alpha_star, t.w_star)):
        yield Le(f(w, a), P, "f(w, a) <= P(w)")
        yield Le(D, f(v, alpha), "D(alpha) <= f(v, alpha)")
    between = f(w, t.alpha_star) - f(t.w_star, alpha)
    yield Le(factor * between, P - D, "f(w, alpha*) - f(w*, alpha) <= P - D")
    yield Le(0, between, "0 <= f(w, alpha*) - f(w*, alpha)")


@claim(
    "spdc.sandwich.equality",
    "After (18): P(w) - D(alpha) = f(w, alpha*) - f(w*, alpha) > 0 where phi_i'(x_i^T w) = phi_i'(x_i^T w*) and X^T"
    " alpha = X^T alpha*",
    origin=PAPER.ours("gap and saddle function"),
    hypotheses="smoothed hinge on one linear piece; alpha = alpha*",
    evidence=[golden(LINEAR_PIECE)],
    control=false_with("w beyond the piece", LINEAR_PIECE.but(extra=further(w=Qs(2), epsilon=Q(1)))),
)
def sandwich_equality(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    between = t.problem.f(t.w, t.alpha_star) - t.problem.f(t.w_star, t.alpha)
    yield Eq(t.problem.P(t.w) - t.problem.D(t.alpha), between, "P - D = f(w, alpha*) - f(w*, alpha)")
    yield Le(Q(1, 10**6), between, "> 0")
