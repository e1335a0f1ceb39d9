"""SPDC, section 2.2, the duality gap and the gaps of the saddle function: (19), Lemma 1, and cases of equality.

    (19)      f(w, alpha*) - f* >= (lam/2) ||w - w*||^2,  f* - f(w*, alpha) >= (gamma/(2n)) ||alpha - alpha*||^2
    Lemma 1   P(w) <= f(w, alpha*) + (R^2/(2 gamma)) ||w - w*||^2
              D(alpha) >= f(w*, alpha) - (R^2/(2 lam n)) ||alpha - alpha*||^2

Points lie between the saddle point and w, alpha: at w* + epsilon (w - w*) and alpha* + epsilon (alpha - alpha*).
"""

from collections.abc import Iterable

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.spdc.instances import batch_instances, column, logistic, with_extra
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.setting import A, Setting
from dualgap.proofs_checks.papers.vocabulary import minus, plus
from dualgap.proofs_checks.strategies.instances import any_of
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

EPSILONS = Qs(1, "1/10", "1/1000", "1/1000000")
FROM_START = {"max_path": 0, "free": False}
near = Pool("spdc.near", batch_instances, extra=any_of(epsilon=EPSILONS), **FROM_START)


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
