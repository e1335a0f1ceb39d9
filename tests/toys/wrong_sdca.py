"""The SDCA of ``numpy_sdca`` with a bug in one place each: ``BUGS`` with the check that is about it."""

import numpy as np
from numpy_sdca import HARMLESS, Sdca, answers, kind, right  # noqa: F401 - some for those who read ``everything``


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


def penalised(self, X, y, phi, lam, l1, tol, seed):
    w, alpha, gap = self.solved(np.hstack([X, np.ones((len(y), 1))]), y, phi, lam, l1, tol, seed, np.zeros(len(y)))
    return w, alpha, gap <= tol


def weights_by_n(self, X, y, lam, weights):
    X, y, lam = Sdca.weighted(self, X, y, lam, weights)
    return X, y, lam * len(weights) / np.sum(weights)


def narrow(self, x, w):
    return float(np.float32(np.dot(x.astype(np.float32), w.astype(np.float32))))


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


def from_nothing(self, X, y, **given):
    """What the stopping rule keeps is forgotten at every call."""
    self.before, self.P = None, np.inf
    return Sdca.__call__(self, X, y, **given)


def residuals_alone(self, X, y, phi, lam, l1, w, alpha, offset):
    return sum(map(phi.residual, (X @ w + offset).tolist(), alpha.tolist(), y.tolist())) / len(y)


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


GAP, MANY, CSR = "the_gap_is_what_was_asked_for", "every_one_of_many_rows_is_read", "sparse_rows_are_right_or_refused"

BUGS = [  # a wrong solver and the check for its bug; all losses, unless stated otherwise
    (kind("first_127_rows", passes=60, read=first_rows(127)), MANY),
    (
        kind(
            "inner_product_in_32_bits", passes=300, inner=narrow, losses=("squared", "smoothed-hinge", "squared-hinge")
        ),
        "numbers_keep_their_53_bits",
    ),
    (kind("sum_for_mean", strength=lambda self, lam, n: lam / n), GAP),
    (kind("lam_for_half_lam", strength=lambda self, lam, n: 2 * lam), GAP),
    (kind("gamma_ignored", smoothness=lambda self, gamma: 1.0, losses=("squared", "smoothed-hinge")), GAP),
    (
        kind(
            "l1_ignored", solved=lambda self, X, y, phi, lam, l1, *rest: Sdca.solved(self, X, y, phi, lam, 0.0, *rest)
        ),
        GAP,
    ),
    (
        kind("always_converged", passes=300, finish=answers(lambda w, alpha, said: (w, alpha, True))),
        "convergence_is_claimed_only_with_the_gap",
    ),
    (kind("alpha_times_n", finish=answers(lambda w, alpha, said: (w, alpha / len(alpha), said))), GAP),
    (kind("sign_of_alpha", finish=answers(lambda w, alpha, said: (w, -alpha, said))), GAP),
    (kind("alpha_in_sorted_order", __call__=in_sorted_order), GAP),
    (kind("scales_rows_in_place", __call__=in_place), "nothing_is_kept_from_call_to_call"),
    (kind("raises_index_errors", readable=asserting), "bad_input_is_refused"),
    (kind("takes_infinite_numbers", finite=any_but(), losses=("squared",)), "bad_input_is_refused"),
    (kind("takes_infinite_lam", allowed=lambda self, lam: lam > 0, losses=("squared",)), "bad_input_is_refused"),
    (kind("not_seeded", drawn=lambda self, seed: np.random), "nothing_is_kept_from_call_to_call"),
    (kind("remembers_lam", strength=remembers_lam), "nothing_is_kept_from_call_to_call"),
    (kind("ignores_the_start", begin=lambda self, start, n: np.zeros(n)), "a_warm_start_is_read_and_left_alone"),
    (
        kind("writes_into_the_start", begin=lambda self, start, n: np.zeros(n) if start is None else start[1]),
        "a_warm_start_is_read_and_left_alone",
    ),
    (
        kind(
            "drops_zero_rows",
            __call__=drops_zero_rows,
            losses=("squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic"),
        ),
        GAP,
    ),
    (kind("clipped_late", finish=answers(beyond_the_end), losses=("hinge", "smoothed-hinge", "absolute")), GAP),
    (
        kind(
            "answers_in_32_bits",
            finish=answers(lambda w, alpha, said: (w.astype(np.float32), alpha.astype(np.float32), said)),
        ),
        "numbers_keep_their_53_bits",
    ),
    (kind("last_duplicate_counts", rows=lambda self, X: assigned(X)), CSR),
    (kind("stored_zeros_shift", rows=lambda self, X: assigned(X, lambda data: data[data != 0])), CSR),
    (kind("columns_taken_as_sorted", rows=lambda self, X: assigned(X, columns=np.sort)), CSR),
    (
        kind(
            "fixed_floor_of_norms",
            passes=200,
            losses=("squared", "hinge"),
            norm2=lambda self, x: max(float(x @ x), 1e-6),
        ),
        "the_scale_of_the_rows_does_not_matter",
    ),
    (kind("intercept_penalised", with_intercept=penalised), "the_intercept_is_free"),
    (kind("weights_ignored", weighted=lambda self, X, y, lam, weights: (X, y, lam)), "a_weight_is_a_number_of_rows"),
    (kind("last_row_ignored", __call__=on_other_data(lambda X: (X[:-1], slice(len(X) - 1)))), GAP),
    (kind("last_entry_ignored", __call__=on_other_data(last_entry)), GAP),
    (kind("alpha_moves_little", __call__=from_nothing, gap=stopped_by(moves_little), losses=("squared",)), GAP),
    (
        kind("tolerance_relative_to_P0", gap=stopped_by(lambda self, gap, P, P0, alpha: gap / P0), losses=("squared",)),
        GAP,
    ),
    (
        kind("never_claims", passes=3, finish=answers(lambda w, alpha, said: (w, alpha, False)), losses=("squared",)),
        GAP,
    ),
    (
        kind(
            "w_misses_small_changes",
            passes=200,
            change=lambda self, delta: delta if abs(delta) > 2.0**-4 else 0.0,
            gap=residuals_alone,
        ),
        GAP,
    ),
    (kind("a_column_of_ones", __call__=with_a_column_of_ones), GAP),
    (kind("a_free_intercept", __call__=with_a_free_intercept, losses=("squared",), l1=False), GAP),
    (kind("libsvm_dual_coef", __call__=as_libsvm(True)), GAP),
    (kind("signed_stop", __call__=signed_stop, losses=("squared",), csr=True), CSR),
    (kind("weights_divided_by_n", weighted=weights_by_n), "a_weight_is_a_number_of_rows"),
    (kind("w_rounded", finish=answers(lambda w, alpha, said: (np.round(w, 2), None, True))), GAP),
    (kind("rows_clipped", rows=lambda self, X: np.clip(Sdca.rows(self, X), -0.75, 0.75)), GAP),
]


def forgetful():
    """A new solver that takes the first lam for all."""
    return kind("forgetful", strength=remembers_lam)


def everything():
    """All names of this file, by name."""
    return globals()
