"""Newton's method on P with a line search, its matrix made of every s-th row: for many rows of few columns.

Problem    min_w P(w) for a smooth loss and g = (lam/2)||w||^2. Deterministic.
Method     phi'' may jump (smoothed and squared hinge): then this is the semismooth Newton method (Qi and Sun, Math.
           Program. 1993). A matrix made of a part of the rows, its system solved by conjugate gradients that stop
           early: the sub-sampled Newton-CG method of Byrd, Chin, Neveitt and Nocedal (SIAM J. Optim. 2011).

    1  w = w(alpha), s = max(1, min(16, floor(n/(8 d)))); s = 1 where an alpha is given, which may be near the minimum
    2  unless it is the first step, where p = 0, or t > 0:  t = 1, and p from conjugate gradients for H p = -grad P(w), the first p with
       ||H p + grad P(w)|| <= ||grad P(w)||/100, or that of step d, where
       H = lam I + the mean of phi_i''(x_i^T w) x_i x_i^T over one row of every s that follow each other, each times its
       weight if it has one
    3  x = w + t p,  a_i = phi_i'(x_i^T x),  h = grad P(x) = X^T a/n + lam x
    4  unless it is the first, or ||h||^2 <= min(least/2, 2 lam P(0)), or P(x) <= P(w) + 10^-4 t grad P(w)^T p:  t <- t/2, back to 3
    5  s <- max(1, floor(s/2)) where ||h||^2 > ||grad P(w)||^2/10;  w <- x, alpha <- a, t <- 0, back to 2

=========== =========== ===== ================================================================
symbol      in code     shape meaning
=========== =========== ===== ================================================================
w           w           (d,)  the last point accepted
alpha       alpha       (n,)  phi_i'(x_i^T w), which certifies w; before the first step the start
grad P(w)   gradient    (d,)
p           direction   (d,)
t           t                 length of the next step, 0 <= t <= 1; 0 where p has to be made
            square            ||grad P(w)||^2
least       least             the least ||grad P||^2 of the points accepted
s           stride            one of s rows enters the matrix
            evaluations       steps made
=========== =========== ===== ================================================================

Guarantee  the least gap tends to 0 from any start: the gap at w is P(w) - D(alpha) = ||grad P(w)||^2/(2 lam), so that a
           point is accepted where it halves the least gap so far and P(x) <= min P + P(0), or where P falls enough,
           which some t >= lam/(2(L + lam)), L = R^2/gamma, achieves, since lam I <= H <= (L + lam) I and every p of
           conjugate gradients has
           -grad P(w)^T p = p^T H p >= ||grad P(w)||^2/(L + lam). With s = 1, a step t = 1 after which all rows are in
           the pieces of phi_i' that they were in before has grad P(x) = H p + grad P(w): the gap falls to 10^-4 of
           itself or less.

Which row. Row b s + floor(s frac(c g)) of the b-th s rows, c = b + a multiple of the number of steps, g = (sqrt(5) -
1)/2: fractions c g mod 1 are spread evenly, whatever the period of c (Weyl), and so are the rows over data that are
sorted or that repeat themselves. On 13 problems (rows that are dense, sparse or indicators; n from 5,000 to 100,000, d
from 16 to 300, lam = 10^-4 and 10^-6) the number of rows that is enough grew with d, not with K = R^2/(lam n gamma):
the time with the s of line 1 was at most 1.25 times the least of s = 1, 2, 4, .., 32. Where the rows are not enough,
line 5 takes more of them, in the end all.

A step is one evaluation of grad P, a pass; P is evaluated only where the gap has not halved. H costs (nonzeros of a
row)^2/2 a row, a step of conjugate gradients d^2, both in multiplications; 3 to 26 of these steps were made on real
sets for lam >= 10^-4, at most 99 for 10^-6.

H is made only where d < n and d^2 <= 4 times the entries of X that are not 0, so that it takes no more memory than the
rows do. Elsewhere H q is made from the rows: lam q + the mean of phi_i'' (x_i^T q) x_i, at the cost of two products with the
rows. In exact arithmetic that is the same. In doubles step d may not bring the residual down, where the sizes of the
columns differ by far: then p is that of a factorization of H, for d <= 1000 or where H is made.
"""  # noqa: E501

from collections.abc import Callable
from typing import Any

from dualgap.extras.baselines.afg.reference import Deterministic, dot, slopes
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem import validate
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.weighted_problem import WeightedProblem

RESIDUAL = 10_000  # line 2, squared
SHARE = 10_000  # line 4
SLOW = 10  # line 5
LARGEST_STRIDE, ROWS_PER_COLUMN = 16, 8  # line 1
DIRECT = 1000  # columns up to which H is made where conjugate gradients do not end
ENTRIES = 4  # of X, for one of d^2: where H has fewer it is made
PIECE = 2**20  # entries that are counted at a time
GOLDEN = 2654435769  # floor(2^32 (sqrt(5) - 1)/2)

Matrix = list[Vector]


class NewtonState(State):
    """See the table above; lists in the reference, arrays in the compiled counterpart."""

    __slots__ = ("w", "alpha", "gradient", "direction", "t", "square", "least", "stride", "evaluations")
    w: Vector
    alpha: Vector
    gradient: Vector
    direction: Vector
    t: Number
    square: Number
    least: Number
    stride: int
    evaluations: int


@register_method
class Newton(Deterministic[NewtonState]):
    """Lines 1 to 5. There is one choice, 0: one evaluation.

    Parameters
    ----------
    stride : integer >= 1
        The first s; default that of line 1.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    >>> p.gap(*Newton().view(p, Newton().run(p, [0, 0])))
    Fraction(0, 1)
    """

    name = "newton"
    summary = "Newton's method for smooth losses, which `auto` can choose"

    def __init__(self, stride: int | None = None) -> None:
        if stride is not None and not (isinstance(stride, int) and stride >= 1):
            raise ValueError(f"stride must be an integer >= 1 (got {stride!r}): every stride-th row enters the matrix")
        self.stride = stride

    def require_state(self, problem: Problem, state: Any) -> None:
        if not (state.stride >= 1 and state.evaluations >= 0 and 0 <= state.t <= 1):
            raise ValueError(
                f"stride must be >= 1, evaluations >= 0, 0 <= t <= 1 (got {state.stride}, {state.evaluations} and"
                f" {state.t})"
            )

    @classmethod
    def makes_matrix(cls, problem: Problem) -> bool:
        """Whether H is made."""
        return makes_matrix(problem)

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """Those of one half of H, where it may be made."""
        return problem.d * (problem.d + 1) // 2 if problem.d <= DIRECT or makes_matrix(problem) else 0

    def first_stride(self, problem: Problem, alpha: Any = None) -> int:
        """s of line 1; alpha: the start, if one is given."""
        if self.stride is not None:
            return int(self.stride)
        if alpha is not None:
            return 1
        return max(1, min(LARGEST_STRIDE, problem.n // (ROWS_PER_COLUMN * problem.d)))

    def init(self, problem: Problem, alpha: Vector | None = None) -> NewtonState:
        self.require_start(problem)
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        zeros = [problem.zero] * problem.d
        return NewtonState(  # Newton line 1
            w=problem.w(start),
            alpha=start,
            gradient=zeros,
            direction=list(zeros),
            t=problem.zero,
            square=problem.zero,
            least=problem.zero,
            stride=self.first_stride(problem, alpha),
            evaluations=0,
        )

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        if state.evaluations > 0 and state.t == 0:  # Newton line 2
            state.direction, state.t = self.direction(problem, state), problem.zero + 1
        x = [w_j + state.t * p_j for w_j, p_j in zip(state.w, state.direction)]  # Newton line 3
        a = slopes(problem, x)
        h = [problem.regularizer.lam * x_j - m_j for x_j, m_j in zip(x, problem.minus_u(a))]
        small = 2 * problem.regularizer.lam * problem.P([problem.zero] * problem.d)
        if self.accepts(problem, state, dot(problem, h, h), small, lambda: self.falls(problem, state, x)):
            state.w, state.alpha, state.gradient = x, a, h

    def falls(self, problem: Problem, state: NewtonState, x: Vector) -> bool:
        """The last condition of line 4."""
        slope = dot(problem, state.gradient, state.direction)
        return bool(problem.P(x) <= problem.P(state.w) + state.t * slope / SHARE)

    def accepts(self, problem: Problem, state: Any, square: Number, small: Number, falls: Callable[[], bool]) -> bool:
        """Lines 4 and 5 except for the vectors, for both backends; square = ||h||^2, small = 2 lam P(0), falls: the
        last condition of line 4.
        """
        first, before = state.evaluations == 0, state.square
        state.evaluations += 1
        # Newton line 4
        if not (first or (2 * square <= state.least and square <= small) or falls()):
            state.t = state.t / 2
            return False
        if not first and SLOW * square > before:  # Newton line 5
            state.stride = max(1, state.stride // 2)
        state.square, state.least = square, square if first or square < state.least else state.least
        state.t = problem.zero
        return True

    def direction(self, problem: Problem, state: NewtonState) -> Vector:
        """Of line 2: H p = -grad P(w), up to 1/100 of it."""
        b = [problem.zero - h_j for h_j in state.gradient]
        H = self.matrix(problem, state) if makes_matrix(problem) else None
        if H is None:
            curved, mass = self.curvatures(problem, state)
            p, there = conjugate_gradients(problem, lambda q: applied(problem, curved, mass, q), b)
        else:
            p, there = conjugate_gradients(problem, lambda q: [dot(problem, row, q) for row in H], b)
        if not there and (H is not None or problem.d <= DIRECT):
            solved = factorized(self.matrix(problem, state), b)
            return p if solved is None or not dot(problem, b, solved) > 0 else solved
        return p

    def curvatures(self, problem: Problem, state: NewtonState) -> tuple[list[tuple[int, Number]], Number]:
        """The rows that enter H with their phi_i''(x_i^T w), times s_i if they have weights; and their number, or the
        sum of their weights.
        """
        rows = sampled_rows(problem.n, min(state.stride, problem.n), state.evaluations)
        curved = [(i, problem.loss.curvature(problem.dot(problem.rows[i], state.w), problem.y[i])) for i in rows]
        if not isinstance(problem, WeightedProblem):
            return curved, problem.zero + len(rows)
        mass = problem.zero
        for i in rows:
            mass = mass + problem.weights[i]
        return [(i, problem.weights[i] * c) for i, c in curved], mass

    def matrix(self, problem: Problem, state: NewtonState) -> Matrix:
        """H, shape (d, d)."""
        d, rows = problem.d, problem.rows
        curved, mass = self.curvatures(problem, state)
        total: Matrix = [[problem.zero] * d for _ in range(d)]
        for i, curvature in curved:
            for a, (j, x_j) in enumerate(rows[i]):
                c = curvature * x_j
                for k, x_k in rows[i][a:]:
                    total[min(j, k)][max(j, k)] = total[min(j, k)][max(j, k)] + c * x_k
        for j in range(d):
            for k in range(j, d):
                total[j][k] = total[k][j] = total[j][k] / mass
            total[j][j] = total[j][j] + problem.regularizer.lam
        return total

    def own_gap(self, problem: Problem, state: NewtonState) -> Number | None:
        """||grad P(w)||^2/(2 lam)."""
        return state.square / (2 * problem.regularizer.lam) if state.evaluations > 0 else None

    def view(self, problem: Problem, state: NewtonState) -> tuple[Vector, Vector]:
        return list(state.w), list(state.alpha)


def sampled_rows(n: int, stride: int, evaluations: int) -> list[int]:
    """One row of every ``stride`` that follow each other.

    >>> sampled_rows(12, 3, 0), sampled_rows(12, 3, 1), sampled_rows(3, 1, 7)
    ([0, 4, 6, 11], [1, 3, 8, 9], [0, 1, 2])
    """
    blocks = n // stride
    return [b * stride + ((b + evaluations * blocks) * GOLDEN % 2**32 * stride >> 32) for b in range(blocks)]


def makes_matrix(problem: Problem) -> bool:
    """Whether H is made: d < n and d^2 <= 4 times the entries of X that are not 0, however X is stored."""
    return problem.d < problem.n and problem.d**2 <= ENTRIES * problem.cached("nonzeros", lambda: nonzeros(problem))


def nonzeros(problem: Problem) -> int:
    """How many entries of X are not 0, counted piece by piece."""
    X = problem.X
    if validate.is_sparse(X):
        return sum(int((X.data[k : k + PIECE] != 0).sum()) for k in range(int(X.indptr[0]), int(X.indptr[-1]), PIECE))
    if hasattr(X, "ndim"):
        rows = max(1, PIECE // problem.d)
        return sum(int((X[i : i + rows] != 0).sum()) for i in range(0, problem.n, rows))
    return sum(x != 0 for row in problem.rows for _, x in row)


def applied(problem: Problem, curved: list[tuple[int, Number]], mass: Number, q: Vector) -> Vector:
    """H q from the rows: lam q + (1/mass) sum of c_i (x_i^T q) x_i over the pairs (i, c_i)."""
    total = [problem.zero] * problem.d
    for i, c in curved:
        factor = c * problem.dot(problem.rows[i], q)
        for j, x in problem.rows[i]:
            total[j] = total[j] + factor * x
    return [total_j / mass + problem.regularizer.lam * q_j for total_j, q_j in zip(total, q)]


def conjugate_gradients(problem: Problem, product: Callable[[Vector], Vector], b: Vector) -> tuple[Vector, bool]:
    """p with ||H p - b|| <= ||b||/100, or that of step d, and whether it is the first: in exact arithmetic it always
    is.

    product : q to H q, H symmetric and positive definite

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p, H = Problem([[1, 0]], [1], Squared(), L2("1/2"), number=Fraction), [[2, 1], [1, 2]]
    >>> [str(p_j) for p_j in conjugate_gradients(p, lambda q: [dot(p, row, q) for row in H], [Fraction(3), Fraction(0)])[0]]
    ['2', '-1']
    """  # noqa: E501
    p, r, q = [problem.zero] * len(b), b, b
    first = square = dot(problem, r, r)
    for _ in b:
        if square <= first / RESIDUAL:
            return p, True
        Hq = product(q)
        bend = dot(problem, q, Hq)
        if bend == 0:  # below the range of a float
            return p, True
        step = square / bend
        p = [p_j + step * q_j for p_j, q_j in zip(p, q)]
        r = [r_j - step * Hq_j for r_j, Hq_j in zip(r, Hq)]
        before, square = square, dot(problem, r, r)
        q = [r_j + square / before * q_j for r_j, q_j in zip(r, q)]
    return p, bool(square <= first / RESIDUAL)


def factorized(H: Matrix, b: Vector) -> Vector | None:
    """p with H p = b by H = U^T D U, H symmetric; None where a pivot is not positive, as roundings can have it. H is
    changed.

    >>> factorized([[2.0, 1.0], [1.0, 2.0]], [3.0, 0.0]), factorized([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0])
    ([2.0, -1.0], None)
    """
    d, p = len(b), list(b)
    for k in range(d):
        row = H[k]
        if not row[k] > 0:
            return None
        for i in range(k + 1, d):
            share = row[i] / row[k]
            for j in range(i, d):
                H[i][j] = H[i][j] - share * row[j]
            p[i] = p[i] - share * p[k]
    for k in range(d - 1, -1, -1):
        for j in range(k + 1, d):
            p[k] = p[k] - H[k][j] * p[j]
        p[k] = p[k] / H[k][k]
    return p
