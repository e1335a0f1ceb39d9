"""Newton's method on the optimality conditions of a cone program: from the seven digits of a solver to about fifteen.

For y with multipliers w of the equations, u of the scalars and W_b = V_b V_b^T of the matrices: the equations hold,
u_k = 0 or scalar_k(y) = 0, M_b(y) V_b = 0, and c = E^T w + S^T u + sum_b grad <W_b, M_b>. Solutions are rarely
unique, so each step is one of least squares.
"""

import copy
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la
from scipy import sparse

from dualgap.extras.exact.floats import Array, Block, Floats, Mask

LARGEST = 2600  # unknowns and multipliers, together
TRIES = (
    (1.0, 1e-11),
    (1.0, 1e-7),
    (30.0, 1e-9),
    (1 / 30, 1e-9),
    (1.0, 1e-5),
)  # where to cut, and the condition of a step
CONVERGED, USABLE = 1e-11, 1e-9


@dataclass
class Optimum:
    """A point that satisfies the optimality conditions to ``residual``.

    Attributes
    ----------
    y : the point.
    active : a mask of the scalars that are 0.
    V : for each matrix, vectors on which it is 0, as columns.
    """

    y: Array
    active: Mask
    V: list[Array]
    residual: float


@dataclass
class _Guess:
    """The faces that one cut between small and large multipliers suggests."""

    active: Mask
    V: list[Array]


def polish(floats: Floats, y: Array, seconds: float = 15.0) -> Optimum | None:
    """Return the optimum near y, the last solution of ``floats``; None if it is too large or does not converge."""
    tensors = [block.tensor() for block in floats.blocks]
    best: Optimum | None = None
    start, tried = time.monotonic(), set()
    w, u = -floats.z[: len(floats.e)], floats.multipliers()[0]
    for cut, condition in TRIES:
        guess = _guess(floats, tensors, y, cut)
        key = (tuple(guess.active), tuple(v.shape for v in guess.V), condition)
        size = floats.size + len(floats.e) + int(guess.active.sum()) + sum(v.size for v in guess.V)
        if time.monotonic() - start > seconds:
            break
        if key in tried or size > LARGEST:
            continue
        tried.add(key)
        found, least = _newton(floats, tensors, guess, y, w, u[guess.active], condition)
        sign = least >= -1e-7 * max(1e-3, float(np.abs(u).max(initial=0)))
        if sign and np.isfinite(found.residual) and (best is None or found.residual < best.residual):
            best = found
        if best and best.residual < CONVERGED:
            break
    if (
        best is None
        or best.residual > USABLE
        or abs(floats.c @ (best.y - y)) > 1e-2 * max(1e-6, abs(float(floats.c @ y)))
    ):
        return None
    return _centred(floats, best, tensors)


def _guess(floats: Floats, tensors: list[tuple[Array, Array]], y: Array, cut: float) -> _Guess:
    """Return the scalars and vectors whose multipliers are more than ``cut`` times as large as their slack."""
    u, matrices = floats.multipliers()
    V = []
    for (T, T0), W in zip(tensors, matrices):
        rank = 0
        gains, U = np.linalg.eigh(W) if len(W) else (np.zeros(0), W)
        if len(W) and gains[-1] > 1e-9:
            slack = np.linalg.eigvalsh(T @ y + T0)
            relative = gains[::-1] / gains[-1] > cut * np.maximum(slack, 1e-300) / max(float(slack[-1]), 1e-300)
            rank = int(relative.sum())
        V.append(U[:, ::-1][:, :rank] * np.sqrt(np.maximum(gains[::-1][:rank], 0)))
    return _Guess(u > cut * (floats.S @ y + floats.s), V)


def _newton(
    floats: Floats, tensors: list[tuple[Array, Array]], guess: _Guess, y: Array, w: Array, u: Array, condition: float
) -> tuple[Optimum, float]:
    """Return the point after Newton's steps on one face, and its smallest multiplier of a scalar."""
    E, S, s = floats.E.toarray(), floats.S.toarray()[guess.active], floats.s[guess.active]
    V, residual, last = [v.copy() for v in guess.V], np.inf, np.inf
    for _ in range(12 if condition < 1e-8 else 36):
        J, r = _conditions(floats, tensors, E, S, s, V, y, w, u)
        residual = float(np.abs(r).max(initial=0))
        if residual < 1e-14 or not np.isfinite(residual) or residual > 1e3 * max(1e-4, last):
            break
        last = min(residual, last)
        found: Any = la.lstsq(J, -r, cond=condition, lapack_driver="gelsy", check_finite=False)
        step = found[0]
        at = iter(np.split(step, np.cumsum([len(y), len(w), len(u), *(v.size for v in V)])))
        y, w, u = y + next(at), w + next(at), u + next(at)
        V = [v + next(at).reshape(v.shape) for v in V]
    return Optimum(y, guess.active, V, residual), float(u.min(initial=0))


def _conditions(
    floats: Floats,
    tensors: list[tuple[Array, Array]],
    E: Array,
    S: Array,
    s: Array,
    V: list[Array],
    y: Array,
    w: Array,
    u: Array,
) -> tuple[Array, Array]:
    """Return the Jacobian and the values of the optimality conditions in (y, w, u, V)."""
    N, duals, sizes = len(y), len(w) + len(u), [v.size for v in V]
    values = [E @ y + floats.e, S @ y + s]
    rows = [np.hstack([A, np.zeros((len(A), duals + sum(sizes)))]) for A in (E, S)]
    gradient, by_V = floats.c - E.T @ w - S.T @ u, []
    for b, ((T, T0), v) in enumerate(zip(tensors, V)):
        if not v.size:
            by_V.append(np.zeros((N, 0)))
            continue
        M, columns = T @ y + T0, v.shape[1]
        values.append((M @ v).ravel())
        TV = np.einsum("ijn,jc->icn", T, v).reshape(v.size, N)
        own = np.zeros((v.size, sum(sizes)))
        own[:, sum(sizes[:b]) : sum(sizes[: b + 1])] = np.kron(M, np.eye(columns))
        rows.append(np.hstack([TV, np.zeros((v.size, duals)), own]))
        gradient = gradient - np.einsum("ijn,ic,jc->n", T, v, v)
        by_V.append(-2 * TV.T)
    rows.append(np.hstack([np.zeros((N, N)), -E.T, -S.T, *by_V]))
    return np.vstack(rows), np.concatenate([*values, gradient])


def _centred(floats: Floats, best: Optimum, tensors: list[tuple[Array, Array]]) -> Optimum:
    """Return the same optimum with y in the middle of all optima, if there are several."""
    face = copy.copy(floats)
    equations, constants = [floats.E, floats.S[best.active]], [floats.e, floats.s[best.active]]
    face.blocks = []
    for (T, T0), v in zip(tensors, best.V):
        P = np.eye(len(T0))
        if v.size:
            U, singular, _ = np.linalg.svd(v)
            rank = int((singular > 1e-9 * singular[0]).sum())
            P, Q = U[:, rank:], U[:, :rank]
            equations.append(sparse.csc_matrix(np.einsum("ijn,jc->icn", T, Q).reshape(Q.size, -1)))
            constants.append((T0 @ Q).ravel())
        face.blocks.append(_reduced(T, T0, P))
    face.E, face.e = _independent(sparse.vstack(equations).toarray(), np.concatenate(constants))
    face.S, face.s = floats.S[~best.active], floats.s[~best.active]
    try:
        y, _ = face.widest(float(floats.c @ best.y + floats.c0) + 1.0, tol=1e-9)
    except BaseException as error:  # Clarabel's panic is a BaseException of its own
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return best
    if np.isfinite(y).all():
        y = face.onto(y)
        if face.least(y) > 1e-9 and floats.least(y) > -1e-10:
            best.y = y
    return best


def _reduced(T: Array, T0: Array, P: Array) -> Block:
    """Return the matrix P^T M P as a block."""
    block = Block(P.shape[1], sparse.csc_matrix((0, T.shape[2])), np.zeros(0))
    TP, TP0 = np.einsum("ia,ijn,jb->abn", P, T, P, optimize=True), P.T @ T0 @ P
    if block.k:
        block.A = sparse.csc_matrix(np.array([TP[place] for place in block.places]) * block.weights[:, None])
        block.b = block.weights * np.array([TP0[place] for place in block.places])
    return block


def _independent(E: Array, e: Array) -> tuple[sparse.csc_matrix, Array]:
    """Return independent equations among these, because the solver needs them so."""
    factors: Any = la.qr(E.T, mode="economic", pivoting=True, check_finite=False)
    _, R, order = factors
    size = np.abs(np.diag(R))
    kept = np.sort(order[: int((size > 1e-9 * max(size[0], 1e-300)).sum())]) if len(size) else order[:0]
    return sparse.csc_matrix(E[kept]), e[kept]
