"""AdaSPDC on squared loss with L2, exactly: the mean square of the published method.

A step is linear, but its states need not have w_bar = w + theta (w - w^-) with one theta: it is decided on (w, w_bar,
alpha).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.papers.adaspdc.setting import setting
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Array, Steps, integers


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
