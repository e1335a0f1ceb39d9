"""
Five false claims that people believed
======================================

These sentences appeared in papers or lectures, or are what one expects, and each is false. An audit gets the method,
the claim and its hypotheses, and no counterexample. It finds one for each claim and shrinks it.
"""

from fractions import Fraction
from math import isqrt

from dualgap.proofs_checks import (
    OURS,
    Instance,
    Le,
    Q,
    Qs,
    SystemInstance,
    altered,
    approaches,
    audit,
    claim,
    converges,
    diverges,
    exact,
    instances,
    register_paper,
    settles,
    systems,
)
from dualgap.reference import Deterministic, Method, State, register_method
from dualgap.reference.methods import sampling

register_paper("famous", "five famous false claims", "docs/gallery/famous_false_claims.py")


class X(State):
    __slots__ = ("x",)


class XY(State):
    __slots__ = ("x", "y")


class Two(State):
    __slots__ = ("w", "before")


class Primal(Deterministic):
    """A method on A x = b that starts at x and, where it has multipliers, at y = 0."""

    def init(self, system, x=None):
        return XY(x=list(x), y=[system.zero] * system.n)

    def view(self, system, state):
        return list(state.x), None


def columns(system):
    """The columns of A."""
    rows = [dict(row) for row in system.rows]
    return [[row.get(j, system.zero) for row in rows] for j in range(system.d)]


def dot(a, b):
    """The inner product."""
    return sum(x * y for x, y in zip(a, b))


def eye(method, size=1):
    """The identity as a system, on which a method is easily understood."""
    rows = tuple(Qs(*(int(j == k) for k in range(size))) for j in range(size))
    return SystemInstance(rows=rows, b=Qs(*[0] * size), start=Qs(*[1] * size), method=method)


# %%
# Jacobi's method converges for every positive definite matrix
# ------------------------------------------------------------
# Gauss and Seidel's method does. Here the matrix is A^T A, positive definite because A x = b has one solution.


@register_method
class Jacobi(Primal):
    name = "famous-jacobi"

    def init(self, system, x=None):
        return X(x=list(x))

    def advance(self, system, state, choice):
        r = system.residuals(state.x)
        state.x = [x - dot(a, r) / dot(a, a) for x, a in zip(state.x, columns(system))]


def square_roots():
    """Systems with one solution."""
    return systems(method="famous-jacobi", max_path=0)


@claim(
    "famous.jacobi", "Jacobi's method converges for A^T A x = A^T b", hypotheses="A^T A positive definite", origin=OURS,
    evidence=[exact(square_roots)], control=altered("it diverges", diverges, eye("famous-jacobi")),
)  # fmt: skip
def jacobi(c):
    yield from converges(c)


# %%
# ADMM converges when it is extended to three blocks
# --------------------------------------------------
# Min 0 subject to A x = b, one column a block. It converges for two blocks. It was also used for three. Chen, He, Ye
# and Yuan found a 3 x 3 matrix for which it diverges (2016).


@register_method
class Admm(Primal):
    name = "famous-admm"

    def advance(self, system, state, choice):
        for j, a in enumerate(columns(system)):
            r = system.residuals(state.x)
            state.x[j] = state.x[j] - dot(a, [v - y for v, y in zip(r, state.y)]) / dot(a, a)
        state.y = [y - r for y, r in zip(state.y, system.residuals(state.x))]


def blocks():
    """Matrices of full column rank."""
    return systems(method="famous-admm", max_path=0)


@claim(
    "famous.admm", "the direct extension of ADMM converges", hypotheses="A of full column rank", origin=OURS,
    evidence=[exact(blocks)], control=altered("it diverges", diverges, eye("famous-admm", 2)),
)  # fmt: skip
def admm(c):
    yield from converges(c)


# %%
# The primal-dual method of Arrow and Hurwicz converges with small steps
# ----------------------------------------------------------------------
# Min over x, max over y of y^T (A x - b), steps with tau sigma ||A||^2 < 1, no extrapolation (He, You and Yuan, 2014).


@register_method
class ArrowHurwicz(Primal):
    name = "famous-arrow-hurwicz"

    def advance(self, system, state, choice):
        sigma = Q(9, 10) / sum(system.norms2)  # sum of squares >= ||A||^2, and tau = 1
        state.x = [x - dot(a, state.y) for x, a in zip(state.x, columns(system))]
        state.y = [y + sigma * r for y, r in zip(state.y, system.residuals(state.x))]


def games():
    """Bilinear games with one saddle point."""
    return systems(method="famous-arrow-hurwicz", max_path=0, square=True)


@claim(
    "famous.arrow-hurwicz", "the primal-dual method without extrapolation converges", hypotheses="A regular",
    origin=OURS, evidence=[exact(games)], control=altered("it diverges", diverges, eye("famous-arrow-hurwicz")),
)  # fmt: skip
def arrow_hurwicz(c):
    yield from converges(c)


# %%
# Heavy ball with Polyak's parameters converges for every smooth and strongly convex function
# -------------------------------------------------------------------------------------------
# For quadratic functions Polyak proved it. Lessard, Recht and Packard found a function with a cycle of three points
# (2016). The claim is about cycles, which are exact, and about 60 steps.


@register_method
class HeavyBall(Deterministic):
    name = "famous-heavy-ball"

    def init(self, problem, alpha=None):
        w = problem.w(alpha)
        return Two(w=w, before=list(w))

    def advance(self, problem, state, choice):
        m = problem.regularizer.lam
        k = root(1 + problem.R2 / problem.gamma / m)  # of L/m; the losses are (1/gamma)-smooth
        gradient = [m * x for x in state.w]
        for row, y in zip(problem.rows, problem.y):
            for j, a in row:
                gradient[j] += problem.loss.derivative(problem.dot(row, state.w), y) * a / problem.n
        step, share = 4 / (m * (k + 1) ** 2), ((k - 1) / (k + 1)) ** 2
        ahead = [w - step * g + share * (w - u) for w, g, u in zip(state.w, gradient, state.before)]
        state.w, state.before = ahead, state.w

    def view(self, problem, state):
        return list(state.w), None


def root(q):
    """The root of the square of a rational."""
    q = Fraction(q)
    return Fraction(isqrt(q.numerator), isqrt(q.denominator))


def lines():
    """Functions of one number, L/m the square of a rational."""
    return instances(
        K=Qs(3, 8, 4, "3/2", 24, 12, 6), losses=("squared", "smoothed-hinge", "squared-hinge"), max_d=1, max_path=0,
        method="famous-heavy-ball",
    ).filter(lambda i: (q := 1 + i.problem().R2 / i.problem().gamma / i.lam) > 1 and root(q) ** 2 == q)  # fmt: skip


@claim(
    "famous.heavy-ball", "after 60 steps ||w - w*||^2 is at most 1/100 of what it was, and there is no cycle",
    hypotheses="f m-strongly convex and L-smooth", origin=OURS, evidence=[exact(lines)],
    control=altered(
        "1/10^6 after one step", lambda c: approaches(c, c.problem.w(c.optimum), 1, Q(1, 10**6)),
        Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1, 8), method="famous-heavy-ball"),
    ),
)  # fmt: skip
def heavy_ball(c):
    slow = list(approaches(c, c.problem.w(c.optimum), 60, Q(1, 100)))
    yield from settles(c) if not slow[0].holds() else ()  # the cycle first: it says more
    yield from slow


# %%
# Rows in a random order are never worse than rows drawn independently
# --------------------------------------------------------------------
# Kaczmarz's method, from any start: the expected squared distance after each row was used once, and after n draws.
# Recht and Re's conjecture is about norms of products; it, too, is false for n = 5 (Lai and Lim, 2020).


@register_method
class Drawn(Method):
    name = "famous-drawn"

    def init(self, system, x=None):
        return XY(x=list(x), y=())  # y: the rows that were used

    def advance(self, system, state, choice):
        row = system.rows[choice]
        share = (system.dot(row, state.x) - system.y[choice]) / (dot(*[[a for _, a in row]] * 2) or 1)
        for j, a in row:
            state.x[j] = state.x[j] - share * a

    def view(self, system, state):
        return list(state.x), None


@register_method
class Shuffled(Drawn):
    name = "famous-shuffled"
    orders = ("permuted",)

    def choices(self, system, state):
        left = [i for i in range(system.n) if i not in state.y] or list(range(system.n))
        return [(i, Fraction(1, len(left))) for i in left]

    def draw(self, system, order, seed, epoch):
        return sampling.draw("permuted", system.n, seed, epoch)

    def advance(self, system, state, choice):
        super().advance(system, state, choice)
        state.y = (*state.y, choice) if len(state.y) < system.n else (choice,)


def rows():
    """Systems with one solution."""
    return systems(method="famous-shuffled", max_path=0)


@claim(
    "famous.shuffled", "E||x - x*||^2 is at most that of independent draws", hypotheses="A x = b has one solution",
    origin=OURS, evidence=[exact(rows)],
    control=altered(
        "half of it", lambda c: shuffled(c, Q(1, 2)), eye("famous-shuffled", 2).but(rows=(Qs(1, 0), Qs(1, 1)))
    ),
)  # fmt: skip
def shuffled(c, by=1):
    def distance2(x, _):
        return sum((a - b) ** 2 for a, b in zip(x, c.solution))

    one, other = c.expected(c.n, distance2)[-1], c.expected(c.n, distance2, method=Drawn())[-1]
    yield Le(one, by * other, "E||x - x*||^2 after n steps")


# %%
# All five are refuted
# --------------------
# The picture shows the share of the tried instances that violate each claim. The draws violate two claims; the search
# finds one instance for each of the other three.

if __name__ == "__main__":
    import matplotlib.pyplot as plt

    found = audit(["famous"], entropy=1)["claims"]
    assert [row["status"] for row in found] == ["REFUTED"] * 5
    # Alternative text: Bars: for each of five claims the share of instances that violate it.
    figure, axes = plt.subplots(figsize=(7.2, 2.6))
    axes.barh([row["id"] for row in found], [row["violations"] / row["instances"] for row in found], color="#1f5f9e")
    axes.set(xlabel="share of instances that violate the claim", xscale="log", title="Found without a hint")
