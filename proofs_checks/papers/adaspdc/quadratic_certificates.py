"""AdaSPDC on squared loss with L2, exactly, rows and blocks: the machinery of ``certificates_spdc`` for alpha_i of q_i
numbers.

The saddle point solves (gamma I + A^T A/(lam n)) alpha = -b over all columns of all blocks. A step of the published
method is linear too, but its states need not have w_bar = w + theta (w - w^-) with one theta: its mean square is
decided on (w, w_bar, alpha).
"""

from types import SimpleNamespace

import numpy as np

from dualgap.proofs_checks.engines.quadratic_forms import positive_pivots
from dualgap.proofs_checks.papers.adaspdc.terms import columns_of, parts, saddle_of_squared, shaped, terms
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import (
    MEMORY,
    NODES,
    Array,
    Observable,
    Steps,
    integers,
    memory,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector


def is_linear(c: Context) -> bool:
    """Whether one matrix for each sample says all that the method does."""
    loss = c.instance.extra[Blocks].block_loss if Blocks in c.instance.extra else c.instance.loss
    return loss == "squared" and c.instance.l1 == 0 and terms(c).c.state.names() == MEMORY


class BlockSteps(Steps):
    """Every step of an AdaSPDC method as an integer matrix N_S over one divisor; alpha is the list of all its numbers.

    ValueError for another loss, l1 > 0, a method that remembers more, or a step that is not affine.
    """

    def __init__(self, c: Context) -> None:
        if not is_linear(c):
            raise ValueError(
                "steps are linear for squared loss with L2 and a method that remembers w, w_bar, u and alpha"
            )
        t = terms(c)
        self.method, self.problem, self.d = t.c.method, t.problem, t.problem.d
        self.columns = columns_of(self.problem)
        self.n = len(self.columns)
        alpha = [v for a in saddle_of_squared(self.problem) for v in parts(a)]
        u = [self.problem.zero] * self.d
        for (_, column), a in zip(self.columns, alpha):
            for j, x in column.items():
                u[j] += x * a / self.problem.n
        self.w, self.alpha = [-u_j / self.problem.regularizer.modulus for u_j in u], alpha
        self.origin = [*self.w, *self.w, *u, *alpha]
        self.choices = self.method.choices(self.problem, None)
        size = len(self.origin)
        number: Any = self.problem.number
        images = [self._images([number(int(j == k)) for j in range(size)]) for k in range(size)]
        T = np.array(images, dtype=object).transpose(1, 2, 0)  # choice, row, column
        probe = [number(2 * k + 3, k + 2) for k in range(size)]
        if (T @ np.array(probe, dtype=object) != np.array(self._images(probe), dtype=object)).any():
            raise ValueError("a step is not affine around the saddle point, or the saddle point is not its fixed point")
        self.N, self.q = integers(T)
        self.weights, self.p = integers(np.array([p for _, p in self.choices], dtype=object))

    def _images(self, s: Vector) -> list[Vector]:
        """s after the method's own step, for every sample."""
        state, place = self.method.init(self.problem), 0
        for name, length in zip(MEMORY, (self.d, self.d, self.d, self.n)):
            values = [a + b for a, b in zip(self.origin[place:], s[place : place + length])]
            setattr(state, name, shaped(self.problem, values) if name == "alpha" else values)
            place += length
        after = [self.method.step(self.problem, state, choice) for choice, _ in self.choices]
        return [[a - b for a, b in zip(memory(flat(reached)), self.origin)] for reached in after]

    def embedding(self, theta: Fraction | None) -> Array:
        """The matrix to (w, w_bar, u, alpha) from (w, w - w^-, alpha); from (w, w_bar, alpha) for theta None."""
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

    def maps(self, keep: Sequence[int] | None = None) -> tuple[Array, bool]:
        """T_S on (w, w_bar, alpha), or on the entries ``keep`` of it, and whether these and the others do not hear of
        each other.
        """
        images = self.N @ self.embedding(None)
        whole = np.concatenate([images[:, : 2 * self.d], images[:, 3 * self.d :]], axis=1) * Fraction(1, self.q)
        if keep is None:
            return whole, True
        rest = [k for k in range(whole.shape[1]) if k not in keep]
        alone = not (
            whole[np.ix_(range(len(whole)), keep, rest)].any() or whole[np.ix_(range(len(whole)), rest, keep)].any()
        )
        return whole[np.ix_(range(len(whole)), keep, keep)], alone

    def V(self, t: Any) -> tuple[Array, Array]:
        """The distance of Theorem R and V as forms in (w - w*, w - w^-, alpha - alpha*)."""
        d, (tau, _) = self.d, t.tau_theta()
        blocks = [i for i, _ in self.columns]
        on_w, none = 1 / (2 * tau) + t.lam, Fraction(0)
        left = np.diag(np.array([on_w] * d + [none] * d + [t.nu[i] for i in blocks], dtype=object))
        V = np.diag(np.array([on_w] * d + [1 / (4 * tau)] * d + [t.nu_prime[i] for i in blocks], dtype=object))
        for k, (_, column) in enumerate(self.columns):
            for j, x in column.items():
                V[d + j, 2 * d + k] = V[2 * d + k, d + j] = x / (2 * self.problem.n)
        return left, V


def flat(state: Any) -> Any:
    """A state whose alpha is one list of numbers."""
    return SimpleNamespace(w=state.w, w_bar=state.w_bar, u=state.u, alpha=[v for a in state.alpha for v in parts(a)])


# -- expectations along a run ------------------------------------------------------------------------------------------


def expected(c: Context, horizon: int, observables: Sequence[Observable]) -> list[list[Number]]:
    """[[E q(w^t, alpha^t) for every q] for t = 0, 1, ...]: by moments where steps are linear, else as far as the path
    tree stays small.
    """
    t = terms(c)
    if is_linear(c):
        on_flat: list[Any] = [lambda w, a, q=q: q(w, shaped(t.problem, a)) for q in observables]
        return BlockSteps(c).means(flat(t.c.state), horizon, on_flat)
    values: list[list[Number]] = []
    visited = 0
    for layer in distributions(t.c.method, t.problem, t.c.state):
        totals = [t.problem.zero for _ in observables]
        for probability, state in layer:
            totals = [total + probability * q(state.w, state.alpha) for total, q in zip(totals, observables)]
        values.append(totals)
        visited += len(layer)
        choices = len(t.c.method.choices(t.problem, layer[0][1]))
        if len(values) > horizon or visited + choices * len(layer) > NODES:
            return values
    raise AssertionError("unreachable: the layers never end")


# -- the mean square ---------------------------------------------------------------------------------------------------


def pulled(maps: Array, probabilities: Array, Q: Array) -> Array:
    """sum_S P(S) T_S^T Q T_S."""
    (N, q), (G, g), (weights, p) = integers(maps), integers(Q), integers(np.array(probabilities, dtype=object))
    return sum(w * (A.T @ G @ A) for w, A in zip(weights, N)) * Fraction(1, p * g * q * q)


def form_of_growth(maps: Array, probabilities: Array) -> tuple[Array, float]:
    """The leading eigenmatrix W of Q -> sum_S P(S) T_S^T Q T_S, and its eigenvalue rho, in floating point; W as the
    rationals its entries are.

    A guess: W > 0 and the image of W above W (or below) then decide exactly that E z^T W z grows (or falls) from every
    z.
    """
    T = maps.astype(float)
    operator = sum(float(p) * np.kron(A.T, A.T) for p, A in zip(probabilities, T))
    values, vectors = np.linalg.eig(operator)
    leading = int(np.argmax(np.abs(values)))
    guess = np.real(vectors[:, leading]).reshape(T.shape[1], -1)
    guess = (guess + guess.T) * np.sign(np.trace(guess))
    return np.vectorize(Fraction, otypes=[object])(guess), float(abs(values[leading]))


def definite(form: Array) -> int:
    """How many pivots are > 0: the size of the form exactly when it is positive definite."""
    return positive_pivots(form.tolist())


def form_of_decay(maps: Array, probabilities: Array) -> Array:
    """The solution Q of Q - sum_S P(S) T_S^T Q T_S = I in floating point, as rationals: a guess for E z^T Q z to fall
    from every z.
    """
    T = maps.astype(float)
    size = T.shape[1]
    operator = sum(float(p) * np.kron(A.T, A.T) for p, A in zip(probabilities, T))
    guess = np.linalg.solve(np.eye(size * size) - operator, np.eye(size).reshape(-1)).reshape(size, size)
    return np.vectorize(lambda x: Fraction(round(x)), otypes=[object])((guess + guess.T) * 2.0**20)
