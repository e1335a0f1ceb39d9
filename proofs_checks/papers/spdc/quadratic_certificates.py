"""SPDC on squared loss with L2, exactly: every step a matrix, every rate a quadratic form, decided by its pivots.

All that a run remembers is (w, w_bar, u, alpha). Its error from the saddle point, s, moves linearly, s -> T_K s, and
T_K is read off the method's own ``step`` around the exact saddle point, not from a formula. Two uses:

*Moments*      E[s s^T] obeys M -> sum_K P(K) T_K M T_K^T, so E q(w^t, alpha^t) of any quadratic q is exact for every t.
*Certificates* on the states that Theorem 1 speaks of, z = (w - w*, w - w^-, alpha - alpha*) with w_bar = w + theta (w -
               w^-) and u = X^T alpha/n, "E q(z+) <= r q(z) for every z" is "r Q - sum_K P(K) T_K^T Q T_K is positive
               semidefinite".

Matrices are numpy arrays of Python integers over one common divisor: no rounding, and no gcd in the inner loops.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Blocks
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.engines.integers import Sums, mapped_moments, quotient, triangle
from dualgap.proofs_checks.engines.optimum import solve_linear
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.engines.quadratic_forms import nonnegative_pivots
from dualgap.reference import Method
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

MEMORY = ("w", "w_bar", "u", "alpha")
NODES = 400  # of one path tree: some 0.05 s in Fractions

Array = Any  # numpy array of Python integers or Fractions
Observable = Callable[[Vector, Vector], Number]  # of (w, alpha)


def integers(values: Array) -> tuple[Array, int]:
    """(N, q) with values = N/q, N of integers."""
    q = math.lcm(*(value.denominator for value in values.flat)) if values.size else 1
    return np.vectorize(lambda value: value.numerator * (q // value.denominator), otypes=[object])(values), q


# -- rows and blocks alike: alpha_i of one number, or of q_i ---------------------------------------------------------


def parts(alpha_i: object) -> tuple[Number, ...]:
    """The numbers of one alpha_i: itself for a row, q_i of a block."""
    return alpha_i if isinstance(alpha_i, tuple) else (alpha_i,)


def flat(alpha: Sequence[object]) -> Vector:
    """All numbers of alpha."""
    return [value for alpha_i in alpha for value in parts(alpha_i)]


def shaped(problem: Problem, numbers: Vector) -> list[object]:
    """alpha from the list of all its numbers."""
    left = iter(numbers)
    return [tuple(next(left) for _ in zeros) if isinstance(zeros, tuple) else next(left) for zeros in problem.zeros()]


def columns_of(problem: Problem) -> list[tuple[int, dict[int, Number]]]:
    """Every column of every block, as (i, {j: entry})."""
    found = []
    for i, zeros in enumerate(problem.zeros()):
        for k in range(len(parts(zeros))):
            one = tuple(problem.zero + (h == k) for h in range(len(parts(zeros))))
            column = problem.moved([problem.zero] * problem.d, i, one if isinstance(zeros, tuple) else one[0], zeros, 1)
            found.append((i, {j: x for j, x in enumerate(column) if x}))
    return found


def saddle_of_squared(problem: Problem) -> list[object]:
    """alpha* of squared loss with L2: (gamma I + A^T A/(lam n)) alpha = -b over all columns of all blocks."""
    columns = columns_of(problem)
    system = [
        [sum((x * other.get(j, 0) for j, x in column.items()), problem.zero) / problem.scale for _, other in columns]
        for _, column in columns
    ]
    for k, line in enumerate(system):
        line[k] += problem.gamma
    return shaped(problem, solve_linear(system, [-y for y in flat(problem.y)]))


# -- a step as a matrix ----------------------------------------------------------------------------------------------


class Steps:
    """Every step of an SPDC method as an integer matrix N_K over one divisor, T_K = N_K/q, with P(K) = p_K/p.

    Parameters
    ----------
    c : context with squared loss, L2, rows or blocks, and a method that remembers w, w_bar, u and alpha.

    Raises
    ------
    ValueError
        Another loss, l1 > 0, a method that remembers more, or a step that is not affine.
    """

    def __init__(self, c: Context) -> None:
        if not is_linear(c):
            raise ValueError("steps are linear for squared loss with L2 and a state of w, w_bar, u and alpha")
        self.method, self.problem, self.d, self.columns = c.method, c.problem, c.problem.d, columns_of(c.problem)
        self.n, star = len(self.columns), saddle_of_squared(c.problem)  # the numbers in alpha
        w = c.problem.w(star)
        self.origin = [*w, *w, *(-v_j for v_j in c.problem.minus_u(star)), *flat(star)]
        self.choices = c.method.choices(c.problem, c.method.init(c.problem))
        size, probabilities = len(self.origin), np.array([p for _, p in self.choices], dtype=object)
        number: Any = c.problem.number
        images = [self._images([number(int(j == k)) for j in range(size)]) for k in range(size)]
        T = np.array(images, dtype=object).transpose(1, 2, 0)  # choice, row, column
        probe = [number(2 * k + 3, k + 2) for k in range(size)]
        if (T @ np.array(probe, dtype=object) != np.array(self._images(probe), dtype=object)).any():
            raise ValueError("a step is not affine around the saddle point, or the saddle point is not its fixed point")
        self.N, self.q = integers(T)
        self.weights, self.p = integers(probabilities)

    def _images(self, s: Vector) -> list[Vector]:
        """s after the method's own step, for every choice."""
        state, place = self.method.init(self.problem), 0
        for name, length in zip(MEMORY, (self.d, self.d, self.d, self.n)):
            values = [a + b for a, b in zip(self.origin[place:], s[place : place + length])]
            setattr(state, name, shaped(self.problem, values) if name == "alpha" else values)
            place += length
        after = [self.method.step(self.problem, state, choice) for choice, _ in self.choices]
        return [[a - b for a, b in zip(memory(reached), self.origin)] for reached in after]

    # -- moments ---------------------------------------------------------------------------------------------

    def moments(self, state: State) -> Iterator[tuple[Array, int]]:
        """(M, k) with E[s s^T] = M/k for t = 0, 1, 2, ... from a state."""
        size = len(self.origin)
        whole = np.empty((size, size), dtype=int)  # the number of each entry of M among the pairs
        for (i, j), place in triangle(size).items():
            whole[i, j] = whole[j, i] = place
        for entries, k in self._entries(state):
            yield np.array(entries, dtype=object)[whole], k

    def means(self, state: object, horizon: int, observables: Sequence[Observable]) -> list[list[Number]]:
        """[[E q(w^t, alpha^t) for every quadratic q] for t = 0, ..., horizon] from a state; see ``form``."""
        sums, divisors = [], []
        for G, g in map(integers, map(self.form, observables)):
            sums.append({place: G[i, j] if i == j else G[i, j] + G[j, i] for (i, j), place in triangle(len(G)).items()})
            divisors.append(g)
        totals = Sums(sums)
        return [
            [quotient(total, g * k) for total, g in zip(totals(entries), divisors)]
            for entries, k in islice(self._entries(state), horizon + 1)
        ]

    def _entries(self, state: object) -> Iterator[tuple[list[int], int]]:
        """(the entries i <= j of M, k) with E[s s^T] = M/k for t = 0, 1, 2, ... from a state."""
        s, scale = integers(np.array([a - b for a, b in zip(memory(state), self.origin)], dtype=object))
        rows = [[[(j, x) for j, x in enumerate(row) if x] for row in N] for N in self.N.tolist()]
        sums, divisor = mapped_moments(zip(self.weights, rows), len(s), self.p * self.q * self.q)
        entries, k = [s[i] * s[j] for i, j in triangle(len(s))], scale * scale
        while True:
            yield entries, k
            entries = sums(entries)
            k *= divisor

    def form(self, observable: Observable) -> Array:
        """The matrix of a quadratic form of (w, alpha) around the saddle point. Raises ValueError for anything else."""
        size = len(self.origin)
        moving = [*range(self.d), *range(3 * self.d, size)]

        def value(*ks: int, scale: int = 1) -> Number:
            s = list(self.origin)
            for k in ks:
                s[k] += scale
            return observable(s[: self.d], shaped(self.problem, s[3 * self.d :]))

        form = np.full((size, size), Fraction(0), dtype=object)
        for k in moving:
            form[k, k] = value(k)
        for j in moving:
            for k in moving:
                if j != k:
                    form[j, k] = (value(j, k) - form[j, j] - form[k, k]) / 2
        if value() != 0 or value(*moving, scale=-2) != 4 * form.sum():
            raise ValueError("the observable is not a quadratic form around the saddle point")
        return form

    # -- certificates ------------------------------------------------------------------------------------------

    def embedding(self, theta: Fraction | None) -> Array:
        """Map the errors z = (w, w - w^-, alpha), or (w, w_bar, alpha) for theta None, to the errors (w, w_bar, u,
        alpha)."""
        d, n = self.d, self.n
        E = np.full((3 * d + n, 2 * d + n), Fraction(0), dtype=object)
        for j in range(d):
            E[j, j] = Fraction(1)
            E[d + j, j], E[d + j, d + j] = (Fraction(0), Fraction(1)) if theta is None else (Fraction(1), theta)
        for k, (_, column) in enumerate(self.columns):
            E[3 * d + k, 2 * d + k] = Fraction(1)
            for j, x in column.items():
                E[2 * d + j, 2 * d + k] = x / self.problem.n
        return E

    def on_states(self, theta: Fraction) -> tuple[tuple[Array, int], bool]:
        """(N, k) with T_K = N_K/k on z, N of shape (choices, 2d + n, 2d + n), and whether a step keeps this form."""
        (E, e), d = integers(self.embedding(theta)), self.d
        images = self.N @ E  # of memory, times e q
        reduced = np.concatenate([images[:, :d], images[:, :d] - self.q * E[:d], images[:, 3 * d :]], axis=1)
        return (reduced, e * self.q), bool((E @ reduced == e * images).all())

    def excess(self, Q: Array, rate: Fraction, theta: Fraction) -> Array:
        """rate Q - sum_K P(K) T_K^T Q T_K on z."""
        ((N, q), _), (G, g) = self.on_states(theta), integers(Q)
        pulled = sum(p * (A.T @ G @ A) for p, A in zip(self.weights, N))
        return rate * Q - pulled * quotient(1, self.p * g * q**2)

    def potential(self, on_w: Number, on_difference: Number, on_alpha: Vector, coupling: int = 1) -> Array:
        """on_w ||w - w*||^2 + on_difference ||w - w^-||^2 + sum on_alpha_i ||alpha_i - alpha*_i||^2 + coupling."""
        weights = [on_w] * self.d + [on_difference] * self.d + [on_alpha[i] for i, _ in self.columns]
        form = np.diag(np.array(weights, dtype=object))
        for k, (_, column) in enumerate(self.columns):
            for j, x in column.items():
                half = coupling * x / (2 * self.problem.n)
                form[self.d + j, 2 * self.d + k] = form[2 * self.d + k, self.d + j] = half
        return form

    def one_step(
        self, tau: Number, theta: Number, on_w: Number, left: Vector, right: Vector, rate: Number = 1
    ) -> Iterable[Relation]:
        """E V+ <= rate theta V and distances <= V on all states z, which a step does not leave.

        The distances are on_w ||w - w*||^2 + sum_i left_i ||alpha_i - alpha*_i||^2.
        V has right for left, ||w - w^-||^2/(4 tau) and the coupling.
        """
        V, distances = self.potential(on_w, 1 / (4 * tau), right), self.potential(on_w, Fraction(0), left, coupling=0)
        yield Eq(int(self.on_states(theta)[1]), 1, "a step keeps w_bar = w + theta (w - w^-) and u = X^T alpha/n")
        yield Eq(
            nonnegative_pivots((V - distances).tolist()), len(V), "the distances are at most V everywhere: pivots >= 0"
        )
        excess = self.excess(V, rate * theta, theta)
        yield Eq(nonnegative_pivots(excess.tolist()), len(V), "E V+ <= theta V everywhere: pivots >= 0")


def memory(state: Any) -> Vector:
    """(w, w_bar, u, alpha) of a state in one list."""
    return [*state.w, *state.w_bar, *state.u, *flat(state.alpha)]


def is_linear(c: Context) -> bool:
    """Return whether one matrix for each choice says all that the method does."""
    loss = c.instance.extra[Blocks].block_loss if Blocks in c.instance.extra else c.instance.loss
    return loss == "squared" and c.instance.l1 == 0 and c.method.init(c.problem).names() == MEMORY


# -- expectations along a run ------------------------------------------------------------------------------------


def expected(c: Context, horizon: int, observables: Sequence[Observable]) -> list[list[Number]]:
    """[[E q(w^t, alpha^t) for every q] for t = 0, 1, ...] from the context's state, up to ``horizon``.

    By moments where steps are linear; else over all paths, as far as their tree stays small.
    """
    if is_linear(c):
        return c.once(Steps).means(c.state, horizon, observables)
    values: list[list[Number]] = []
    for layer in small_tree(c.method, c.problem, c.state, NODES):
        views = [(p, *c.method.view(c.problem, state)) for p, state in layer]
        values.append([sum((p * q(w, alpha) for p, w, alpha in views), c.problem.zero) for q in observables])
        if len(values) > horizon:
            return values
    return values


def small_tree(method: Method[Any], problem: Problem, state: State, nodes: int) -> Iterator[list[tuple[Fraction, Any]]]:
    """``distributions`` as long as all layers together have at most ``nodes`` states."""
    visited = 0
    for layer in distributions(method, problem, state):
        visited += len(layer)
        yield layer
        if visited + len(method.choices(problem, layer[0][1])) * len(layer) > nodes:
            return
