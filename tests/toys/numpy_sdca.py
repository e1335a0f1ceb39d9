"""SDCA in numpy, written independently of this repository's: a right solver.

``wrong_sdca`` replaces parts of this text, so that a wrong solver differs from the right one only there.
"""

import numpy as np

from dualgap.reference import LOSSES

PASSES, EVERY = 2000, 1  # passes at most, and between two certificates


def sdca(X, y, *, loss, lam, l1, gamma, tol, seed):
    """w, alpha and whether the gap is at most tol."""
    X, y = readable(X, y, lam, loss)
    phi = LOSSES[loss](gamma).over(float)
    w, alpha, gap = solved(X, y, phi, lam, l1, tol, seed)
    return w, alpha, gap <= tol


def readable(X, y, lam, loss):
    """The rows as a dense array, and y; ValueError for what is no problem."""
    X, y = X.toarray() if hasattr(X, "toarray") else np.array(X, dtype=float), np.asarray(y, dtype=float)
    if X.ndim != 2 or not X.size or y.shape != X.shape[:1]:
        wrong = f"X must be (n, d) and y (n,) (got {X.shape} and {y.shape})"
    elif not np.isfinite(np.append(X, y)).all():
        wrong = "X and y must be finite"
    elif not 0 < lam < np.inf:
        wrong = f"lam must be > 0 and finite (got {lam})"
    else:
        wrong = "labels must be -1 and 1" if LOSSES[loss].margin and not np.isin(y, (-1.0, 1.0)).all() else ""
    if wrong:
        raise ValueError(wrong)
    return X, y


def soft(v, level):
    """The soft threshold."""
    return np.sign(v) * np.maximum(abs(v) - level, 0)


@np.errstate(invalid="ignore")  # of the bug that takes infinite numbers
def solved(X, y, phi, lam, l1, tol, seed):
    """w, alpha and the gap."""
    n, draw, gap = len(y), np.random.default_rng(seed), np.inf
    v, alpha = np.zeros(X.shape[1]), np.zeros(n)
    norms, targets = [float(x @ x) for x in X], y.tolist()
    for epoch in range(PASSES):
        for i in draw.permutation(n):
            w = soft(v, l1 / lam) if l1 else v
            new = float(phi.dual_step(float(X[i] @ w), float(alpha[i]), targets[i], norms[i] / (lam * n)))
            v = v - (new - alpha[i]) / (lam * n) * X[i]
            alpha[i] = new
        if epoch % EVERY == 0:
            w = soft(v, l1 / lam) if l1 else v
            gap = gap_of(X, y, phi, lam, l1, w, alpha)
            if gap <= tol:
                break
    return w, alpha, gap


def gap_of(X, y, phi, lam, l1, w, alpha):
    """mean FY_i(z_i, alpha_i) + (lam/2)||w - w(alpha)||^2 and its part of l1: nonnegative terms."""
    z, u = X @ w, -X.T @ alpha / len(y)
    v = soft(u, l1) / lam
    g = lam / 2 * (w @ w) + l1 * abs(w).sum() + lam / 2 * (v @ v) - u @ w
    return sum(map(phi.residual, z.tolist(), alpha.tolist(), y.tolist())) / len(y) + max(float(g), 0.0)
