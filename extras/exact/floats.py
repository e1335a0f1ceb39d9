"""A cone program in floating point, solved by Clarabel. Its numbers only suggest exact points."""

import copy
from contextlib import AbstractContextManager
from importlib import import_module

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dualgap.extras.exact.cone import Cone, Form

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def one_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread inside a ``with``: the matrices are small, and more threads wait for each other."""
    limits: AbstractContextManager[object] = import_module("threadpoolctl").threadpool_limits(1)  # optional
    return limits


class Floats:
    """The program of a ``Cone`` as sparse matrices.

    Attributes
    ----------
    E, e : the equations E y + e = 0.
    S, s : the scalars S y + s >= 0.
    blocks : for each matrix its ``Block``.
    c, c0 : the objective c^T y + c0.
    z : the multipliers of the last solution.
    """

    def __init__(self, cone: Cone) -> None:
        self.size = cone.size
        self.E, self.e = _rows(cone.equations, cone.size)
        self.S, self.s = _rows(cone.scalars, cone.size)
        self.blocks = [Block.of(k, entries, cone.size) for k, entries in cone.matrices]
        c, c0 = _rows([cone.objective], cone.size)
        self.c, self.c0 = np.asarray(c.todense()).ravel(), float(c0[0])
        self.z = np.zeros(0)

    def solve(self, tol: float = 1e-11) -> tuple[Array, str]:
        """Minimise the objective. Returns y and Clarabel's status."""
        clarabel = import_module("clarabel")  # optional: the modules are imported without it
        parts = [(self.E, -self.e, clarabel.ZeroConeT(len(self.e)))]
        parts += [(-self.S, self.s, clarabel.NonnegativeConeT(len(self.s)))]
        parts += [(-block.A, block.b, clarabel.PSDTriangleConeT(block.k)) for block in self.blocks]
        rows, constants, cones = zip(*(part for part in parts if len(part[1])))
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads, settings.max_iter = False, 1, 200
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
        P = sparse.csc_matrix((self.size, self.size))
        A = sparse.csc_matrix(sparse.vstack(rows))
        out = clarabel.DefaultSolver(P, self.c, A, np.concatenate(constants), list(cones), settings).solve()
        self.z = np.array(out.z)
        return np.array(out.x), str(out.status)

    def widened(self, ceiling: float) -> "Floats":
        """Return the program with one more unknown, to be maximised: the margin, at most 1, of all signs and matrices
        where the objective is at most ``ceiling``."""

        def with_column(A: sparse.csc_matrix, column: Array) -> sparse.csc_matrix:
            return sparse.csc_matrix(sparse.hstack([A, sparse.csc_matrix(column.reshape(-1, 1))]))

        wide = copy.copy(self)
        wide.size, wide.c, wide.c0 = self.size + 1, np.array([*np.zeros(self.size), -1.0]), 0.0
        wide.E = with_column(self.E, np.zeros(len(self.e)))
        last = sparse.csc_matrix(np.vstack([wide.c, [*-self.c, 0.0]]))
        wide.S = sparse.csc_matrix(sparse.vstack([with_column(self.S, -np.ones(len(self.s))), last]))
        wide.s = np.array([*self.s, 1.0, ceiling - self.c0])
        wide.blocks = []
        for block in self.blocks:
            wide.blocks.append(copy.copy(block))
            wide.blocks[-1].A = with_column(block.A, -block.diagonal)
        return wide

    def widest(self, ceiling: float, tol: float = 1e-10) -> tuple[Array, float]:
        """Return the point of the largest margin, and this margin."""
        y, _ = self.widened(ceiling).solve(tol)
        return y[:-1], float(y[-1])

    def multipliers(self) -> tuple[Array, list[Array]]:
        """Return the multipliers of the scalars and of the matrices in the last solution."""
        at = len(self.e) + len(self.s)
        matrices = []
        for block in self.blocks:
            length = len(block.b)
            matrices.append(block.unpacked(self.z[at : at + length]))
            at += length
        return self.z[len(self.e) : len(self.e) + len(self.s)], matrices

    def least(self, y: Array) -> float:
        """Return the smallest scalar or eigenvalue at y."""
        smallest = [float(np.linalg.eigvalsh(block.at(y)).min()) for block in self.blocks if block.k]
        return min([*smallest, float((self.S @ y + self.s).min()) if len(self.s) else 1.0])

    def onto(self, y: Array) -> Array:
        """Return y moved the least onto the equations."""
        if not len(self.e):
            return y
        E = self.E.toarray()
        return np.asarray(y - np.linalg.lstsq(E, E @ y + self.e, rcond=1e-12)[0])


class Block:
    """One symmetric matrix of k rows: A y + b is its upper triangle by columns, off the diagonal times sqrt(2)."""

    def __init__(self, k: int, A: sparse.csc_matrix, b: Array) -> None:
        self.k, self.A, self.b = k, A, b
        self.places = [(i, j) for j in range(k) for i in range(j + 1)]
        self.diagonal = np.array([float(i == j) for i, j in self.places])
        self.weights = np.array([1.0 if i == j else np.sqrt(2) for i, j in self.places])

    @classmethod
    def of(cls, k: int, entries: dict[tuple[int, int], Form], size: int) -> "Block":
        """Return the block of exact entries."""
        block = cls(k, sparse.csc_matrix((0, size)), np.zeros(0))
        A, b = _rows([entries.get(place, {}) for place in block.places], size)
        block.A, block.b = sparse.csc_matrix(sparse.diags(block.weights) @ A) if k else A, block.weights * b
        return block

    def unpacked(self, triangle: Array) -> Array:
        """Return the symmetric matrix of such a triangle."""
        M = np.zeros((self.k, self.k))
        for x, (i, j) in zip(triangle / self.weights, self.places):
            M[i, j] = M[j, i] = x
        return M

    def at(self, y: Array) -> Array:
        """Return the matrix at y."""
        return self.unpacked(self.A @ y + self.b)

    def tensor(self) -> tuple[Array, Array]:
        """Return the matrix as an array of shape (k, k, size) of coefficients, and its constant."""
        rows = self.A.toarray()
        T = np.zeros((self.k, self.k, rows.shape[1]))
        for (i, j), row, weight in zip(self.places, rows, self.weights):
            T[i, j] = T[j, i] = row / weight
        return T, self.unpacked(self.b)


def _rows(forms: list[Form], size: int) -> tuple[sparse.csc_matrix, Array]:
    data, rows, columns, constants = [], [], [], np.zeros(len(forms))
    for r, form in enumerate(forms):
        for u, c in form.items():
            if u is None:
                constants[r] = float(c)
            else:
                data.append(float(c))
                rows.append(r)
                columns.append(u)
    return sparse.csc_matrix((data, (rows, columns)), shape=(len(forms), size)), constants
