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
from itertools import product
from operator import mul

import numpy as np

from dualgap.proofs_checks.engines.integers import common_divisor, quotient
from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector

MEMORY = ("w", "w_bar", "u", "alpha")
NODES = 400  # of one path tree: some 0.05 s in Fractions

Array = Any  # numpy array of Python integers or Fractions
Observable = Callable[[Vector, Vector], Number]  # of (w, alpha)


def integers(values: Array) -> tuple[Array, int]:
    """(N, q) with values = N/q, N of integers."""
    q = math.lcm(*(value.denominator for value in values.flat)) if values.size else 1
    return np.vectorize(lambda value: value.numerator * (q // value.denominator), otypes=[object])(values), q


def saddle_of_squared(problem: Problem) -> Vector:
    """alpha* of squared loss with L2: (gamma I + X X^T/(lam n)) alpha = -y."""
    dense = [dict(row) for row in problem.rows]
    system = [[problem.zero] * problem.n for _ in dense]
    for i, row in enumerate(dense):
        for k, other in enumerate(dense):
            system[i][k] = sum((x * other[j] for j, x in row.items() if j in other), problem.zero) / problem.scale
        system[i][i] += problem.gamma
    return solve_linear(system, [-y for y in problem.y])


class Steps:
    """Every step of an SPDC method as an integer matrix N_K over one divisor, T_K = N_K/q, with P(K) = p_K/p.

    Parameters
    ----------
    c : context with squared loss, L2 and a method that remembers w, w_bar, u and alpha.

    Raises
    ------
    ValueError
        Another loss, l1 > 0, a method that remembers more, or a step that is not affine.
    """

    def __init__(self, c: Context) -> None:
        if not is_linear(c):
            raise ValueError(
                "steps are linear for squared loss with L2 and a method that remembers w, w_bar, u and alpha"
            )
        self.method, self.problem, self.d, self.n = c.method, c.problem, c.problem.d, c.n
        alpha = saddle_of_squared(c.problem)
        self.w, self.alpha = c.problem.w(alpha), alpha
        self.origin = [*self.w, *self.w, *(-v_j for v_j in c.problem.minus_u(alpha)), *alpha]
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
            setattr(state, name, [a + b for a, b in zip(self.origin[place:], s[place : place + length])])
            place += length
        after = [self.method.step(self.problem, state, choice) for choice, _ in self.choices]
        return [[a - b for a, b in zip(memory(reached), self.origin)] for reached in after]

    # -- moments ---------------------------------------------------------------------------------------------

    def moments(self, state: Any) -> Iterator[tuple[Array, int]]:
        """(M, k) with E[s s^T] = M/k for t = 0, 1, 2, ... from a state."""
        size = len(self.origin)
        whole = np.empty((size, size), dtype=int)  # where each entry of M stands among the pairs
        for place, (i, j) in enumerate(_pairs(size)):
            whole[i, j] = whole[j, i] = place
        for entries, k in self._entries(state):
            yield np.array(entries, dtype=object)[whole], k

    def means(self, state: Any, horizon: int, observables: Sequence[Observable]) -> list[list[Number]]:
        """[[E q(w^t, alpha^t) for every quadratic q] for t = 0, ..., horizon] from a state; see ``form``."""
        sums = []
        for G, g in map(integers, map(self.form, observables)):
            factors = {place: G[i, j] if i == j else G[i, j] + G[j, i] for place, (i, j) in enumerate(_pairs(len(G)))}
            sums.append((_Sum({place: factor for place, factor in factors.items() if factor}), g))
        return [
            [quotient(total(entries), g * k) for total, g in sums]
            for entries, k in islice(self._entries(state), horizon + 1)
        ]

    def _entries(self, state: Any) -> Iterator[tuple[list[int], int]]:
        """(the entries i <= j of M, k) with E[s s^T] = M/k for t = 0, 1, 2, ... from a state."""
        s, scale = integers(np.array([a - b for a, b in zip(memory(state), self.origin)], dtype=object))
        sums, divisor = self._second_moments()
        entries, k = [s[i] * s[j] for i, j in _pairs(len(s))], scale * scale
        while True:
            yield entries, k
            entries = [total(entries) for total in sums]
            k *= divisor

    def _second_moments(self) -> tuple[list["_Sum"], int]:
        """M -> sum_K P(K) T_K M T_K^T on the entries i <= j of a symmetric M: for each the sum, with integer factors,
        that is its image; and what these sums are to be divided by.

        Most entries of N_K are 0: a step leaves most of its memory as it is.
        """
        pairs = _pairs(len(self.origin))
        place = {pair: k for k, pair in enumerate(pairs)}
        rows = [[[(j, x) for j, x in enumerate(row) if x] for row in N] for N in self.N.tolist()]
        sums: list[dict[int, int]] = [{} for _ in pairs]
        for p, N in zip(self.weights, rows):
            for terms, (i, j) in zip(sums, pairs):
                for (a, x), (b, y) in product(N[i], N[j]):
                    k = place[min(a, b), max(a, b)]
                    terms[k] = terms.get(k, 0) + p * x * y
        divisor = self.p * self.q * self.q
        common = common_divisor([factor for terms in sums for factor in terms.values()] + [divisor])
        return [_Sum({k: factor // common for k, factor in terms.items()}) for terms in sums], divisor // common

    def form(self, observable: Observable) -> Array:
        """The matrix of a quadratic observable of (w, alpha) with its minimum 0 at the saddle point, by polarization.

        Raises ValueError where the observable is not such a one.
        """
        size = len(self.origin)
        moving = [*range(self.d), *range(3 * self.d, size)]

        def value(*ks: int, scale: int = 1) -> Any:
            s = list(self.origin)
            for k in ks:
                s[k] += scale
            return observable(s[: self.d], s[3 * self.d :])

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

    def embedding(self, theta: Fraction) -> Array:
        """The matrix from z = (w, w - w^-, alpha) to (w, w_bar, u, alpha), errors all."""
        d, n = self.d, self.n
        E = np.full((3 * d + n, 2 * d + n), Fraction(0), dtype=object)
        for j in range(d):
            E[j, j] = E[d + j, j] = Fraction(1)
            E[d + j, d + j] = theta
        for i, row in enumerate(self.problem.rows):
            E[3 * d + i, 2 * d + i] = Fraction(1)
            for j, x in row:
                E[2 * d + j, 2 * d + i] = x / n
        return E

    def on_states(self, theta: Fraction) -> tuple[tuple[Array, int], bool]:
        """(N, k) with T_K = N_K/k on z, N of shape (choices, 2d + n, 2d + n), and whether the step stays on such
        states.
        """
        (E, e), d = integers(self.embedding(theta)), self.d
        images = self.N @ E  # of memory, times e q
        reduced = np.concatenate([images[:, :d], images[:, :d] - self.q * E[:d], images[:, 3 * d :]], axis=1)
        return (reduced, e * self.q), bool((E @ reduced == e * images).all())

    def excess(self, Q: Array, rate: Fraction, theta: Fraction) -> Array:
        """rate Q - sum_K P(K) T_K^T Q T_K on z."""
        ((N, q), _), (G, g) = self.on_states(theta), integers(Q)
        pulled = sum(p * (A.T @ G @ A) for p, A in zip(self.weights, N))
        return rate * Q - pulled * Fraction(1, self.p * g * q**2)


class _Sum:
    """sum_k factor_k entries[k] of a list of entries, for the factors of a dictionary."""

    def __init__(self, factors: dict[int, int]) -> None:
        self.places, self.factors = list(factors), list(factors.values())

    def __call__(self, entries: list[int]) -> int:
        return sum(map(mul, self.factors, map(entries.__getitem__, self.places)))


def _pairs(size: int) -> list[tuple[int, int]]:
    """The places (i, j), i <= j, of a symmetric matrix."""
    return [(i, j) for i in range(size) for j in range(i, size)]


def memory(state: Any) -> Vector:
    """(w, w_bar, u, alpha) of a state in one list."""
    return [value for name in MEMORY for value in getattr(state, name)]


def is_linear(c: Context) -> bool:
    """Whether one matrix for each choice says all that the method does."""
    return c.instance.loss == "squared" and c.instance.l1 == 0 and c.method.init(c.problem).names() == MEMORY


def lower_certificate(steps: Steps, theta: Fraction, r: Fraction) -> tuple[Array, Array]:
    """M and Phi(M) - r M on z, Phi(M) = sum_K P(K) T_K M T_K^T: if both are semidefinite and M is not 0, E z z^T can
    grow as r^t.

    M is the leading eigenmatrix of Phi in floating point, taken as the rationals that its entries are: a guess, which
    the two pivot tests then judge exactly.
    """
    (N, q), _ = steps.on_states(theta)
    T = (N * Fraction(1, q)).astype(float)
    phi = sum(float(p) / steps.p * np.kron(A, A) for p, A in zip(steps.weights, T))
    values, vectors = np.linalg.eig(phi)
    guess = np.real(vectors[:, np.argmax(np.abs(values))]).reshape(len(T[0]), -1)
    guess = (guess + guess.T) * np.sign(np.trace(guess))
    M = np.vectorize(Fraction, otypes=[object])(guess)
    G, g = integers(M)
    image = sum(p * (A @ G @ A.T) for p, A in zip(steps.weights, N)) * Fraction(1, steps.p * g * q**2)
    return M, image - r * M


def diagonal(problem: Problem, on_w: Number, on_difference: Number, on_alpha: Vector) -> Array:
    """on_w ||w - w*||^2 + on_difference ||w - w^-||^2 + sum_i on_alpha_i (alpha_i - alpha*_i)^2 as a form in z."""
    return np.diag(np.array([on_w] * problem.d + [on_difference] * problem.d + list(on_alpha), dtype=object))


def cross(problem: Problem) -> Array:
    """(1/n) (alpha - alpha*)^T X (w - w^-) as a form in z."""
    form = 0 * diagonal(problem, problem.zero, problem.zero, [problem.zero] * problem.n)
    for i, row in enumerate(problem.rows):
        for j, x in row:
            form[problem.d + j, 2 * problem.d + i] = form[2 * problem.d + i, problem.d + j] = x / (2 * problem.n)
    return form


def semidefinite_pivots(form: Array) -> int:
    """How many pivots are >= 0: the size of the form exactly when it is positive semidefinite."""
    return sum(pivot >= 0 for pivot in pivots(form.tolist()))


# -- expectations along a run ------------------------------------------------------------------------------------


class Expected:
    """E q(w^t, alpha^t) from a context's state: by moments where steps are linear, else over all paths."""

    def __init__(self, c: Context) -> None:
        self.c = c

    def along(self, horizon: int, observables: Sequence[Observable]) -> list[list[Number]]:
        """[[E q(w^t, alpha^t) for every q] for t = 0, 1, ...] up to ``horizon``, or as far as the path tree stays
        small.
        """
        c = self.c
        if is_linear(c):
            return Steps(c).means(c.state, horizon, observables)
        values: list[list[Number]] = []
        visited = 0
        for layer in distributions(c.method, c.problem, c.state):
            totals = [c.problem.zero for _ in observables]
            for probability, state in layer:
                view = c.method.view(c.problem, state)
                totals = [total + probability * q(*view) for total, q in zip(totals, observables)]
            values.append(totals)
            visited += len(layer)
            choices = len(c.method.choices(c.problem, layer[0][1]))
            if len(values) > horizon or visited + choices * len(layer) > NODES:
                return values
        raise AssertionError("unreachable: the layers never end")
