"""The steps, stopping rules and readings of data in which the solvers of ``wrong_sdca`` differ from ``numpy_sdca``."""

import numpy as np
from numpy_sdca import Sdca


def assigned(X, values=lambda data: data, columns=lambda indices: indices):
    """A dense array of CSR rows, entry by entry; the last of two for a column stays."""
    if not hasattr(X, "toarray"):
        return np.array(X, dtype=float)
    table = np.zeros(X.shape)
    for i, (start, end) in enumerate(zip(X.indptr, X.indptr[1:])):
        data = values(X.data[start:end])
        table[i, columns(X.indices[start:end])[: len(data)]] = data
    return table


def in_place(self, X, y, **given):
    answer = Sdca.__call__(self, X, y, **given)
    X *= 2
    return answer


def asserting(self, X, y, lam, loss):
    try:
        return Sdca.readable(self, X, y, lam, loss)
    except ValueError as error:
        raise IndexError(str(error)) from error


def remembers_lam(self, lam, n):
    self.first = getattr(self, "first", lam)
    return self.first


def drops_zero_rows(self, X, y, **given):
    kept = np.flatnonzero(abs(self.rows(X)).sum(axis=1))
    w, alpha, said = (
        Sdca.__call__(self, self.rows(X)[kept], np.asarray(y)[kept], **given)
        if len(kept) and len(y) == len(X)
        else Sdca.__call__(self, X, y, **given)
    )
    whole = np.zeros(len(y))
    whole[kept if len(kept) and len(alpha) == len(kept) else slice(None)] = alpha
    return w, whole, said


def one_label_is_done(self, X, y, **given):
    w, alpha, said = Sdca.__call__(self, X, y, **given)
    return (np.zeros_like(w), np.zeros_like(alpha), True) if len(set(np.sign(y))) == 1 else (w, alpha, said)


def penalised(self, X, y, phi, lam, l1, tol, seed):
    w, alpha, gap = self.solved(np.hstack([X, np.ones((len(y), 1))]), y, phi, lam, l1, tol, seed, np.zeros(len(y)))
    return w, alpha, gap <= tol


def weights_by_n(self, X, y, lam, weights):
    X, y, lam = Sdca.weighted(self, X, y, lam, weights)
    return X, y, lam * len(weights) / np.sum(weights)


def narrow(self, x, w):
    return float(np.float32(np.dot(x.astype(np.float32), w.astype(np.float32))))


def stale(self, X, y, phi, lam, l1, tol, *rest):
    _, alpha, gap = Sdca.solved(self, X, y, phi, lam, l1, tol, *rest)
    return Sdca.solved(self, X, y, phi, lam, l1, 1e-2, *rest[:1], np.zeros(len(y)))[0], alpha, gap


def clipped_early(self, phi, z, a, y, q):
    return max(-1 + 2.0**-6, min(1 - 2.0**-6, Sdca.step(self, phi, z, a, y, q)))  # the ends are -1 and 1


def beyond_the_end(w, alpha, said):
    return w, np.where(abs(alpha) == 1, 1.25 * alpha, alpha), said


def in_sorted_order(self, X, y, **given):
    """Rows sorted by label, and alpha returned in that order."""
    if np.shape(y) != np.shape(X)[:1]:
        return Sdca.__call__(self, X, y, **given)
    order = np.argsort(y, kind="stable")
    return Sdca.__call__(self, self.rows(X)[order], y[order], **given)


def any_but(*missing):
    return staticmethod(lambda values: ~np.isin(values, missing) & ~np.isnan(values))


def first_rows(k):
    return lambda self, n: min(n, k)


def on_other_data(change):
    """Solved on X and y as ``change`` gives them; alpha of rows that are left out is 0, and lam that of the mean over
    the rows that are read.
    """

    def call(self, X, y, *, lam, **given):
        X = self.rows(X)
        if X.ndim != 2 or np.shape(y) != X.shape[:1]:
            return Sdca.__call__(self, X, y, lam=lam, **given)
        other, kept = change(X)
        if not len(other):
            return np.zeros(X.shape[1]), np.zeros(len(y)), True
        w, alpha, said = Sdca.__call__(self, other, np.asarray(y)[kept], lam=lam, **given)
        whole = np.zeros(len(y))
        whole[kept] = alpha
        return w, whole, said

    return call


def last_row_when_odd(X):
    kept = slice(len(X) - len(X) % 2)
    return X[kept], kept


def last_entry(X, every=1):
    X = X.copy()
    for row in X:
        stored = np.flatnonzero(row)
        if len(stored) and len(stored) % every == every - 1:
            row[stored[-1]] = 0
    return X, slice(None)


def stopped_by(measure):
    """A ``gap`` that is measured otherwise: measure(self, the true gap, P, P(0), alpha)."""

    def gap(self, X, y, phi, lam, l1, w, alpha, offset):
        P = lambda w: (
            sum(map(phi.value, (X @ w + offset).tolist(), y.tolist())) / len(y) + lam / 2 * (w @ w) + l1 * abs(w).sum()
        )
        return measure(self, Sdca.gap(self, X, y, phi, lam, l1, w, alpha, offset), P(w), P(np.zeros(len(w))), alpha)

    return gap


def moves_little(self, gap, P, P0, alpha):
    before, self.before = getattr(self, "before", None), alpha.copy()
    return 0.0 if before is not None and len(before) == len(alpha) and abs(before - alpha).max() < 2.0**-7 else np.inf


def stagnates(self, gap, P, P0, alpha):
    before, self.P = getattr(self, "P", np.inf), P
    return abs(before - P)


def from_nothing(self, X, y, **given):
    """What the stopping rule keeps is forgotten at every call."""
    self.before, self.P = None, np.inf
    return Sdca.__call__(self, X, y, **given)


def residuals_alone(self, X, y, phi, lam, l1, w, alpha, offset):
    return sum(map(phi.residual, (X @ w + offset).tolist(), alpha.tolist(), y.tolist())) / len(y)


def pass_before(self, X, y, phi, lam, l1, w, alpha, offset):
    self.ws = [self.ws[-1], w]
    return Sdca.gap(self, X, y, phi, lam, l1, w, alpha, offset)


def from_no_w(self, X, y, **given):
    self.ws = [np.zeros(np.shape(X)[-1])]
    return Sdca.__call__(self, X, y, **given)


def all_at_once(self, X, y, phi, lam, l1, tol, seed, alpha, offset=0.0):
    """Every row is stepped with w of the pass before."""
    n = len(y)
    for _ in range(200):
        v = -X.T @ alpha / (lam * n)
        alpha = np.array(
            [phi.dual_step(float(x @ v), float(a), float(t), float(x @ x) / (lam * n)) for x, a, t in zip(X, alpha, y)]
        )
    return v, alpha, 0.0


def with_a_column_of_ones(self, X, y, **given):
    X = self.rows(X)
    ones = np.hstack([X, np.ones((len(X), 1))]) if X.ndim == 2 else X
    w, alpha, said = Sdca.__call__(self, ones, y, **given)
    return w[:-1], alpha, said


def with_a_free_intercept(self, X, y, *, gamma, lam, **given):
    X = self.rows(X)
    self.readable(X, y, lam, "squared")
    centred = X - X.mean(axis=0)
    return np.linalg.solve(
        centred.T @ X / (gamma * len(y)) + lam * np.eye(X.shape[1]), centred.T @ (y - y.mean()) / (gamma * len(y))
    )


def as_libsvm(by_label):
    """C = 1/(lam n); 0 <= a <= C for a hinge, with the label or without."""

    def call(self, X, y, *, lam, **given):
        w, alpha, said = Sdca.__call__(self, X, y, lam=lam, **given)
        return w, -alpha / (lam * len(y)) * (1 if by_label else y), said

    return call


def lam_where_entries_are(self, X, y, *, loss, lam, l1, gamma, tol, seed):
    """The decay of a lazy update is applied where a row has an entry: right of an array, which has them all."""
    share = np.diff(X.tocsc().indptr) / X.shape[0] if hasattr(X, "tocsc") else 1.0
    X, y = self.readable(X, y, lam, loss)
    return np.linalg.solve(X.T @ X / (gamma * len(y)) + lam * share * np.eye(X.shape[1]), X.T @ y / (gamma * len(y)))


def signed_stop(self, X, y, *, loss, lam, l1, gamma, tol, seed):
    """Coordinate descent; for CSR the largest signed change stops it."""
    csr, X = hasattr(X, "toarray"), self.readable(X, y, lam, loss)[0]
    n, d = X.shape
    w, r, h = np.zeros(d), -np.asarray(y, dtype=float), (X * X).sum(0) / (n * gamma) + lam
    for _ in range(2000):
        largest = 0.0
        for j in range(d):
            u = w[j] - (X[:, j] @ r / (n * gamma) + lam * w[j]) / h[j]
            change = np.sign(u) * max(abs(u) - l1 / h[j], 0.0) - w[j]
            r, w[j] = r + change * X[:, j], w[j] + change
            largest = max(largest, change if csr else abs(change))
        if largest <= 1e-9 * abs(w).max():
            break
    return w
