"""False claims about known methods, and true ones. Many pairs differ only in a number."""

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from dualgap.proofs_checks import OURS, Context, Le, Q, claim, converges, exact, fails_on, register_paper, systems
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.reference import Deterministic, LinearSystem, State, register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector
from dualgap.reference.problem.spectral import dominated

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "gallery"))
from famous_false_claims import XY, Drawn, columns, dot, eye  # noqa: E402

register_paper("known", "claims of the literature", "benchmarks/known_claims.py")


# -- steps that are affine in (x, y) -----------------------------------------------------------------------------------


def richardson(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """x - k A^T r/||A||_F^2."""
    return [v - k * dot(a, p.residuals(x)) / sum(p.norms2) for v, a in zip(x, columns(p))], y


def jacobi(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """All coordinates at once, relaxed by the factor k."""
    return [v - k * dot(a, p.residuals(x)) / dot(a, a) for v, a in zip(x, columns(p))], y


def sor(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """One coordinate after the other, relaxed by the factor k."""
    x = list(x)
    for j, a in enumerate(columns(p)):
        x[j] = x[j] - k * dot(a, p.residuals(x)) / dot(a, a)
    return x, y


def kaczmarz(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """One row after the other, relaxed by the factor k."""
    for i, row in enumerate(p.rows):
        x, share = list(x), k * p.residuals(x)[i] / (p.norms2[i] or 1)
        for j, a in row:
            x[j] = x[j] - share * a
    return x, y


def cimmino(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """The mean over all rows, relaxed by the factor k."""
    r = [k * v / (p.n * (norm2 or 1)) for v, norm2 in zip(p.residuals(x), p.norms2)]
    return [v - dot(a, r) for v, a in zip(x, columns(p))], y


def momentum(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """Heavy ball, beta = 1/2, step 2 (1 + beta) k/||A||_F^2; y is the x before."""
    ahead, _ = richardson(p, x, y, 3 * k)
    return [v + (a - b) / 2 for v, a, b in zip(ahead, x, y)], x


def descent_ascent(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """Both players at once."""
    sigma = k / sum(p.norms2)
    return [v - dot(a, y) for v, a in zip(x, columns(p))], [u + sigma * r for u, r in zip(y, p.residuals(x))]


def extragradient(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """With the gradients at the point that descent_ascent reaches."""
    (ahead, above), sigma = descent_ascent(p, x, y, k), k / sum(p.norms2)
    return [v - dot(a, above) for v, a in zip(x, columns(p))], [u + sigma * r for u, r in zip(y, p.residuals(ahead))]


def chambolle_pock(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """Extrapolated, tau sigma ||A||_F^2 = k."""
    ahead = [v - dot(a, y) for v, a in zip(x, columns(p))]
    beyond = [2 * a - b for a, b in zip(ahead, x)]
    return ahead, [u + k * r / sum(p.norms2) for u, r in zip(y, p.residuals(beyond))]


def jacobi_admm(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """ADMM with all blocks at once, relaxed by the factor k."""
    r = [v - u for v, u in zip(p.residuals(x), y)]
    full = [v - dot(a, r) / dot(a, a) for v, a in zip(x, columns(p))]
    return [v + k * (a - v) for v, a in zip(x, full)], [u - k * v for u, v in zip(y, p.residuals(full))]


def peaceman_rachford(p: LinearSystem, x: Vector, y: Vector, k: Fraction) -> tuple[Vector, Vector]:
    """ADMM with a step of k of the multipliers after each block."""
    for j, a in enumerate(columns(p)):
        x = list(x)
        x[j] = x[j] - dot(a, [v - u for v, u in zip(p.residuals(x), y)]) / dot(a, a)
        y = [u - k * v for u, v in zip(y, p.residuals(x))]
    return x, y


Rule = Callable[[LinearSystem, Vector, Vector, Fraction], tuple[Vector, Vector]]
# the rule, k of the false claim, k of the true one, the most columns
RULES: list[tuple[Rule, object, object, int]] = [
    (richardson, "201/100", "199/100", 3),
    (jacobi, 1, "3/5", 3),
    (sor, "201/100", "19/10", 3),
    (kaczmarz, "201/100", "19/10", 3),
    (cimmino, "201/100", "19/10", 3),
    (momentum, "101/100", "99/100", 3),
    (descent_ascent, "1/100", None, 3),
    (extragradient, "101/100", "99/100", 3),
    (chambolle_pock, "27/20", "33/25", 3),
    (jacobi_admm, 1, "1/5", 3),
    (peaceman_rachford, 1, "9/10", 2),
]


@register_method
class Affine(Deterministic[XY]):
    """One of the rules."""

    name = "known-affine"

    def __init__(self, rule: str = "richardson", k: Number = 1) -> None:
        self.rule, self.k = next(row[0] for row in RULES if row[0].__name__ == rule), Fraction(k)

    def init(self, problem: Any, alpha: Any = None) -> State:
        return XY(x=list(alpha), y=list(alpha) if self.rule is momentum else [problem.zero] * problem.n)

    def advance(self, problem: Any, state: XY, choice: object) -> None:
        k = (problem.zero + self.k.numerator) / self.k.denominator
        state.x, state.y = self.rule(problem, state.x, state.y, k)

    def view(self, problem: object, state: XY) -> tuple[Vector, Any]:
        return list(state.x), None


# -- others ------------------------------------------------------------------------------------------------------------


def objective(c: Context, x: Vector) -> Number:
    """||A x - b||^2/2."""
    r = c.problem.residuals(x)
    return dot(r, r) / 2


def gradient(c: Context, x: Vector) -> Vector:
    """A^T (A x - b)."""
    return [dot(a, c.problem.residuals(x)) for a in columns(c.problem)]


def image2(c: Context, v: Vector) -> Number:
    """||A v||^2."""
    return sum(dot(row, v) ** 2 for row in zip(*columns(c.problem)))


def distance2(c: Context, x: Vector) -> Number:
    """||x - x*||^2."""
    return sum((a - b) ** 2 for a, b in zip(x, c.solution))


def squared_gradient(c: Context, x: Vector) -> Number:
    """||A^T (A x - b)||^2."""
    g = gradient(c, x)
    return dot(g, g)


def conjugate_gradients(c: Context) -> Iterator[Vector]:
    """d steps."""
    x, g = list(c.iterate), gradient(c, c.iterate)
    p = [-v for v in g]
    yield x
    for _ in x:
        if not any(g):
            return
        step = dot(g, g) / image2(c, p)
        x = [v + step * u for v, u in zip(x, p)]
        g, before = gradient(c, x), g
        p = [-v + dot(g, g) / dot(before, before) * u for v, u in zip(g, p)]
        yield x


def steepest_descent(c: Context, late: int = 0, steps: int = 4) -> Iterator[Vector]:
    """Exact line searches; late = 1: with the step size of the previous iterate (Barzilai and Borwein)."""
    x, before = list(c.iterate), [Q(0)] * (late + 1)
    for t in range(steps):
        yield x
        g = gradient(c, x)
        if not any(g):
            return
        before[t % len(before)] = dot(g, g) / image2(c, g)
        step = before[(t - late) % len(before)] or before[t % len(before)]
        x = [v - step * u for v, u in zip(x, g)]


def nesterov(c: Context, steps: int = 8) -> Iterator[Vector]:
    """Steps 1/L, L = ||A||_F^2, momentum t/(t + 3)."""
    x, y = list(c.iterate), list(c.iterate)
    yield x
    for t in range(steps):
        ahead, _ = richardson(c.problem, y, [], Q(1))
        y = [a + Q(t, t + 3) * (a - b) for a, b in zip(ahead, x)]
        x = ahead
        yield x


def decreases(
    c: Context, path: Callable[[Context], Iterator[Vector]], value: Callable[[Context, Vector], object]
) -> Iterator[Relation]:
    """The value never rises on the path."""
    for t, (x, after) in enumerate(pairwise(path(c))):
        yield Le(value(c, after), value(c, x), f"step {t}")


def nesterov_rate(c: Context, times: object = 1) -> Iterator[Relation]:
    """f(x_t) - f* <= 2 L ||x_0 - x*||^2/(t + 1)^2."""
    for t, x in enumerate(nesterov(c)):
        if t:
            bound = 2 * sum(c.problem.norms2) * distance2(c, c.iterate) / (t + 1) ** 2
            yield Le(objective(c, x) * times, bound, f"t = {t}")


def smallest(c: Context) -> Fraction:
    """A lower bound on the least eigenvalue of A^T A, to 2^-20 of the trace."""
    A = columns(c.problem)
    minus = [[-dot(a, b) for b in A] for a in A]
    low, high = Q(0), Q(sum(map(Fraction, c.problem.norms2)))
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if dominated(minus, -middle) else (low, middle)
    return low


def strohmer_vershynin(c: Context, times: Number = 1) -> Iterator[Relation]:
    """One row with probability ||a_i||^2/||A||_F^2."""
    total, expected = sum(c.problem.norms2), c.problem.zero
    for i, norm2 in enumerate(c.problem.norms2):
        state = XY(x=list(c.iterate), y=())
        Drawn().advance(c.problem, state, i)
        expected = expected + norm2 / total * distance2(c, state.x)
    yield Le(expected, (1 - times * c.once(smallest) / total) * distance2(c, c.iterate), "E||x+ - x*||^2")


def cyclic(c: Context) -> Iterator[Relation]:
    """A sweep over the rows in their order is never worse than n draws."""
    x, _ = kaczmarz(c.problem, c.iterate, [], Q(1))
    yield Le(distance2(c, x), c.expected(c.n, lambda w, _: distance2(c, w), method=Drawn())[-1], "sweep")


KINDS = {3: ("free", "unit", "equal", "orthonormal"), 2: ("free", "unit", "equal")}  # orthonormal: d = n, up to 4
Check = Callable[[Context], Iterator[Relation]]
FALSE: dict[str, Check] = {
    "cg-residual": partial(decreases, path=conjugate_gradients, value=squared_gradient),
    "steepest-gradient": partial(decreases, path=steepest_descent, value=squared_gradient),
    "barzilai-borwein": partial(decreases, path=partial(steepest_descent, late=1), value=objective),
    "nesterov-monotone": partial(decreases, path=nesterov, value=objective),
    "nesterov-rate-7": partial(nesterov_rate, times=7),
    "strohmer-vershynin-1-percent": partial(strohmer_vershynin, times=Q(101, 100)),
    "strohmer-vershynin-10-percent": partial(strohmer_vershynin, times=Q(11, 10)),
    "strohmer-vershynin-50-percent": partial(strohmer_vershynin, times=Q(3, 2)),
    "cyclic-kaczmarz": cyclic,
}
TRUE: dict[str, Check] = {
    "cg-objective": partial(decreases, path=conjugate_gradients, value=objective),
    "cg-distance": partial(decreases, path=conjugate_gradients, value=distance2),
    "steepest-objective": partial(decreases, path=steepest_descent, value=objective),
    "steepest-distance": partial(decreases, path=steepest_descent, value=distance2),
    "nesterov-rate": nesterov_rate,
    "strohmer-vershynin": strohmer_vershynin,
}


def register(name: str, check: Check, max_d: int = 3, min_d: int = 1, **options: object) -> str:
    """Register a claim about systems with one solution; its id."""

    def drawn() -> Any:
        return systems(method="known-affine", max_d=max_d, min_d=min_d, max_path=0, kinds=KINDS[max_d], options=options)

    drawn.__qualname__ = f"drawn[{name}]"
    control = fails_on(eye("known-affine"), text="the benchmark audits nothing: it searches")
    claim(
        f"known.{name}",
        name,
        hypotheses="A x = b has one solution",
        origin=OURS,
        evidence=[exact(drawn)],
        control=control,
    )(lambda c: check(c))
    return f"known.{name}"


KNOWN_FALSE = [register(rule.__name__, converges, d, 2, rule=rule.__name__, k=str(k)) for rule, k, _, d in RULES]
KNOWN_TRUE = [
    register(f"{rule.__name__}-true", converges, d, 2, rule=rule.__name__, k=k) for rule, _, k, d in RULES if k
]
KNOWN_FALSE += [register(name, check) for name, check in FALSE.items()]
KNOWN_TRUE += [register(name, check) for name, check in TRUE.items()]
KNOWN_FALSE += [f"famous.{name}" for name in ("jacobi", "admm", "arrow-hurwicz", "heavy-ball", "shuffled")]
