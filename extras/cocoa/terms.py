"""Terms of the claims on CoCoA+: the parts, the subproblems G_k, the changes of the workers, and instances of
them.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn

from dualgap.extras.cocoa.reference import Constants
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.proofs_checks.strategies.instances import RATIONAL, instances
from dualgap.reference import L2
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

NO_L1, SAFE_SIGMA = Qs(0), Qs(1)  # the safe sigma' is once aggregation K
AGGREGATIONS = ("adding", "averaging", Q(2, 3))
RATIOS = Qs("1/20", "1/2", 1, 4, 10)  # R^2/(lam n gamma), gamma read as 1 for hinge and absolute


@st.composite
def rounds(
    draw: DrawFn,
    /,
    losses: Sequence[str] = RATIONAL,
    l1: Sequence[Q] = NO_L1,
    sigmas: Sequence[Q] = SAFE_SIGMA,
    aggregations: Sequence[str | Q] = AGGREGATIONS,
    max_n: int = 4,
    max_path: int = 1,
    one_row: bool = False,
    **others: object,
) -> Instance:
    """Parts of any sizes, empty ones too, or of one row each; H of 1 or 2; sigma' as a multiple of aggregation K."""
    base = draw(instances(K=RATIOS, losses=losses, l1=l1, max_n=max_n, max_d=2, max_path=0, **others))
    n = len(base.rows)
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=2)))
    parts = tuple(range(1, n + 1)) if one_row else (*cuts, n)
    aggregation, times = draw(st.sampled_from(aggregations)), draw(st.sampled_from(sigmas))
    weight = {"adding": Q(1), "averaging": Q(1, len(parts))}.get(aggregation, aggregation)
    options = {
        "parts": parts,
        "H": 1 if one_row else draw(st.sampled_from((1, 2))),
        "aggregation": aggregation,
        "sigma": times * weight * len(parts),
    }
    rows = st.lists(st.integers(0, n - 1), min_size=1, max_size=3).map(tuple)
    return base.but(method="cocoa", options=options, path=tuple(draw(st.lists(rows, max_size=max_path))))


any_round = Pool("cocoa.any_round", rounds)  # Every rational loss, L2, the safe sigma'.
# Every rational loss, elastic net, sigma' safe or larger.
any_net = Pool("cocoa.any_net", rounds, l1=Qs(0, "1/10", "1/2"), sigmas=Qs(1, 1, 2))


# -- the parts ---------------------------------------------------------------------------------------------------------


def constants(c: Context) -> Constants:
    """Gamma and sigma' of the instance, in the context's number."""
    found: Constants = c.instance.reference_method().constants(c.problem)  # type: ignore[attr-defined]
    return found


def parts(c: Context) -> list[range]:
    """The rows of each worker."""
    found: list[range] = c.instance.reference_method().ranges(c.problem)  # type: ignore[attr-defined]
    return found


def combination(problem: Problem, rows: range, values: Vector) -> Vector:
    """sum_{i in P_k} a_i x_i, a the values of these rows, in their order."""
    total = [problem.zero] * problem.d
    for i, value in zip(rows, values, strict=True):
        for j, x in problem.rows[i]:
            total[j] = total[j] + value * x
    return total


def changes(c: Context, successor: Successor) -> list[Vector]:
    """Delta_k, what each worker has changed alpha by: the change of alpha over gamma."""
    weight = constants(c).weight
    return [[(successor.alpha[i] - c.alpha[i]) / weight for i in part] for part in parts(c)]


def squares(c: Context, moved: list[Vector]) -> tuple[Number, Number]:
    """||X^T Delta||^2 and sum_k ||X_k^T Delta_k||^2."""
    own = [combination(c.problem, part, delta) for part, delta in zip(parts(c), moved)]
    together = square([sum(column, c.problem.zero) for column in zip(*own)])
    return together, sum((square(x) for x in own), c.problem.zero)


# -- the subproblems ---------------------------------------------------------------------------------------------------


def G(c: Context, k: int, delta: Vector) -> Number:
    """G_k(Delta), from its definition."""
    problem, part, spread = c.problem, parts(c)[k], constants(c).spread
    minus_u, conjugate = problem.minus_u(c.alpha), problem.regularizer.conjugate
    moved = [m - spread * s / c.n for m, s in zip(minus_u, combination(problem, part, delta))]
    total = problem.zero
    for i, change in zip(part, delta, strict=True):
        total = total + problem.loss.conjugate(c.alpha[i] + change, problem.y[i])
    return -total / c.n - (conjugate(moved) - conjugate(minus_u)) / spread - conjugate(minus_u) / len(parts(c))


def local_problem(c: Context, k: int) -> Problem:
    """The problem of the rows of P_k alone whose D, times |P_k|/n, is G_k up to a constant (L2)."""
    problem, part, spread = c.problem, parts(c)[k], constants(c).spread
    modulus = c.mu * c.n / (spread * len(part))
    own = combination(problem, part, [c.alpha[i] for i in part])
    centre = [2 * (v_j + spread * own_j / (c.mu * c.n)) for v_j, own_j in zip(problem.v(c.alpha), own)]
    rows = [problem.rows[i] for i in part]
    local = Problem(
        rows, [problem.y[i] for i in part], problem.loss, L2(modulus / 2), number=problem.number, d=problem.d
    )
    return local.centred(modulus / 2, centre)


def theta(c: Context) -> Number:
    """Theta, the largest (1 - s_k/|P_k|)^H, s_k = lam gamma n/(lam gamma n + sigma' max ||x_i||^2); 0 for one row."""
    found = [c.q(0)]
    for part in parts(c):
        if len(part) > 1:
            strength = c.mu * c.gamma * c.n
            s = strength / (strength + constants(c).spread * max(c.problem.norms2[i] for i in part))
            found.append((1 - s / len(part)) ** c.instance.options["H"])
    return max(found)


def sigma_max(c: Context) -> Number:
    """The largest sum ||x_i||^2 of a part, >= max_k ||sum_{P_k} a_i x_i||^2/||a||^2; equal for parts of one row."""
    return max(sum((c.problem.norms2[i] for i in part), c.problem.zero) for part in parts(c))


def worker_rows(
    *rows: Sequence[int], sigma: Q | int, q: Q | int = 1, aggregation: Q | int = 1, **others: Any
) -> Instance:
    """Return an instance with one row per worker, squared loss with gamma = 1, y = 1, alpha = 0, and lam such that
    1/(lam n) = q."""
    n = len(rows)
    return Instance(
        rows=tuple(Qs(*row) for row in rows),
        y=Qs(*[1] * n),
        alpha=Qs(*[0] * n),
        lam=1 / (n * Fraction(q)),
        method="cocoa",
        options={"parts": tuple(range(1, n + 1)), "H": 1, "aggregation": Q(aggregation), "sigma": Q(sigma)},
        **others,
    )
