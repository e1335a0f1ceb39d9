"""AdaSPDC on squared loss with L2, exactly: the mean square of the published method.

A step is linear, but its states need not have w_bar = w + theta (w - w^-) with one theta: it is decided on (w, w_bar,
alpha). In floating point forms are guessed; pivots then judge them.
"""

import numpy as np

from dualgap.proofs_checks.engines.quadratic_forms import positive_pivots
from dualgap.proofs_checks.papers.adaspdc.words import *
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Array, Steps, integers, leading


def maps(c: Context, keep: Sequence[int] | None = None) -> tuple[Array, bool]:
    """T_S on (w, w_bar, alpha), or on the entries ``keep`` of it, and whether no other entry interacts."""
    steps = setting(c).c.once(Steps)
    images, d = steps.N @ steps.embedding(None), steps.d
    whole = np.concatenate([images[:, : 2 * d], images[:, 3 * d :]], axis=1) * Fraction(1, steps.q)
    if keep is None:
        return whole, True
    rest = [k for k in range(whole.shape[1]) if k not in keep]
    alone = not (
        whole[np.ix_(range(len(whole)), keep, rest)].any() or whole[np.ix_(range(len(whole)), rest, keep)].any()
    )
    return whole[np.ix_(range(len(whole)), keep, keep)], alone


def pulled(T: Array, probabilities: Array, Q: Array) -> Array:
    """sum_S P(S) T_S^T Q T_S."""
    (N, q), (G, g), (weights, p) = integers(T), integers(Q), integers(np.array(probabilities, dtype=object))
    return sum(w * (A.T @ G @ A) for w, A in zip(weights, N)) * Fraction(1, p * g * q * q)


def form_of_growth(T: Array, probabilities: Array) -> tuple[Array, float]:
    """The leading eigenmatrix W of Q -> sum_S P(S) T_S^T Q T_S, and its eigenvalue rho.

    W > 0 and the image of W above W (or below) decide exactly that E z^T W z grows (or falls) from every z.
    """
    return leading(T.astype(float).transpose(0, 2, 1), [float(p) for p in probabilities])


def definite(form: Array) -> int:
    """How many pivots are > 0: the size of the form exactly when it is positive definite."""
    return positive_pivots(form.tolist())


def form_of_decay(T: Array, probabilities: Array) -> Array:
    """The solution Q of Q - sum_S P(S) T_S^T Q T_S = I as rationals: a guess for E z^T Q z to fall from every z."""
    size = T.shape[1]
    operator = sum(float(p) * np.kron(A.T, A.T) for p, A in zip(probabilities, T.astype(float)))
    guess = np.linalg.solve(np.eye(size * size) - operator, np.eye(size).reshape(-1)).reshape(size, size)
    return np.vectorize(lambda x: Fraction(round(x)), otypes=[object])((guess + guess.T) * 2.0**20)
