"""The SDCA of ``numpy_sdca`` with a bug in one place each: ``BUGS`` with the check that is about it."""

import numpy as np
from numpy_sdca import HARMLESS, Sdca, answers, kind, right, right_of_classes  # noqa: F401 - some for those who read ``everything``
from wrong_steps import (
    all_at_once,
    any_but,
    as_libsvm,
    asserting,
    assigned,
    beyond_the_end,
    clipped_early,
    drops_zero_rows,
    first_rows,
    from_no_w,
    from_nothing,
    in_place,
    in_sorted_order,
    lam_where_entries_are,
    last_entry,
    last_row_when_odd,
    moves_little,
    narrow,
    on_other_data,
    one_label_is_done,
    pass_before,
    penalised,
    remembers_lam,
    residuals_alone,
    signed_stop,
    stagnates,
    stale,
    stopped_by,
    weights_by_n,
    with_a_column_of_ones,
    with_a_free_intercept,
)  # noqa: F401

GAP, MANY, CSR = "the_gap_is_what_was_asked_for", "every_one_of_many_rows_is_read", "sparse_rows_are_right_or_refused"

BUGS = [  # a wrong solver and the check for its bug; all losses, unless stated otherwise
    (kind("first_127_rows", passes=60, read=first_rows(127)), MANY),
    (kind("first_4096_rows", passes=30, read=first_rows(4096), losses=("hinge", "squared")), MANY),
    (
        kind(
            "inner_product_in_32_bits", passes=300, inner=narrow, losses=("squared", "smoothed-hinge", "squared-hinge")
        ),
        "numbers_keep_their_53_bits",
    ),
    (
        kind("inner_product_in_32_bits_at_kinks", passes=300, inner=narrow, losses=("hinge", "absolute")),
        "numbers_keep_their_53_bits",
    ),
    (kind("sum_for_mean", strength=lambda self, lam, n: lam / n), GAP),
    (kind("lam_for_half_lam", strength=lambda self, lam, n: 2 * lam), GAP),
    (kind("lam_halved_twice", strength=lambda self, lam, n: lam / 2), GAP),
    (kind("lam_times_n", strength=lambda self, lam, n: lam * n), GAP),
    (kind("gamma_ignored", smoothness=lambda self, gamma: 1.0, losses=("squared", "smoothed-hinge")), GAP),
    (kind("gamma_inverted", smoothness=lambda self, gamma: 1 / gamma, losses=("squared", "smoothed-hinge")), GAP),
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
    (kind("sign_of_w", finish=answers(lambda w, alpha, said: (-w, alpha, said))), GAP),
    (kind("stale_w", solved=stale), GAP),
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
    (
        kind(
            "one_label_is_done",
            __call__=one_label_is_done,
            losses=("hinge", "squared-hinge", "smoothed-hinge", "logistic"),
        ),
        GAP,
    ),
    (kind("clipped_early", passes=100, step=clipped_early, losses=("hinge", "absolute")), GAP),
    (kind("clipped_late", finish=answers(beyond_the_end), losses=("hinge", "smoothed-hinge", "absolute")), GAP),
    (
        kind(
            "answers_in_32_bits",
            finish=answers(lambda w, alpha, said: (w.astype(np.float32), alpha.astype(np.float32), said)),
        ),
        "numbers_keep_their_53_bits",
    ),
    (
        kind("data_in_32_bits", rows=lambda self, X: Sdca.rows(self, X).astype(np.float32).astype(float)),
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
    (kind("last_row_ignored_when_odd", __call__=on_other_data(last_row_when_odd)), GAP),
    (kind("last_row_ignored", __call__=on_other_data(lambda X: (X[:-1], slice(len(X) - 1)))), GAP),
    (kind("first_row_ignored", __call__=on_other_data(lambda X: (X[1:], slice(1, None)))), GAP),
    (kind("last_entry_ignored", __call__=on_other_data(last_entry)), GAP),
    (
        kind(
            "last_entry_ignored_when_odd",
            __call__=on_other_data(lambda X: last_entry(X, 2)),
            losses=("squared", "absolute"),
        ),
        GAP,
    ),
    (kind("n_minus_1", strength=lambda self, lam, n: lam * max(n - 1, 0.5) / n), GAP),
    (kind("alpha_moves_little", __call__=from_nothing, gap=stopped_by(moves_little), losses=("squared",)), GAP),
    (kind("P_stagnates", __call__=from_nothing, gap=stopped_by(stagnates), losses=("squared",)), GAP),
    (kind("three_passes", passes=3, finish=answers(lambda w, alpha, said: (w, alpha, True))), GAP),
    (
        kind("gap_clipped_at_0", gap=stopped_by(lambda self, gap, P, P0, alpha: max(-gap, 0.0)), losses=("squared",)),
        GAP,
    ),
    (
        kind("tolerance_relative_to_P0", gap=stopped_by(lambda self, gap, P, P0, alpha: gap / P0), losses=("squared",)),
        GAP,
    ),
    (
        kind("tolerance_relative_to_P", gap=stopped_by(lambda self, gap, P, P0, alpha: gap / P), losses=("squared",)),
        GAP,
    ),
    (kind("tolerance_over_P0", gap=stopped_by(lambda self, gap, P, P0, alpha: gap * P0), losses=("squared",)), GAP),
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
    (
        kind(
            "w_of_the_pass_before",
            __call__=from_no_w,
            gap=pass_before,
            finish=lambda self, w, alpha, gap, tol: (self.ws[0], alpha, gap <= tol),
        ),
        GAP,
    ),
    (kind("all_rows_at_once", solved=all_at_once, losses=("squared",), l1=False), GAP),
    (kind("a_column_of_ones", __call__=with_a_column_of_ones), GAP),
    (kind("a_free_intercept", __call__=with_a_free_intercept, losses=("squared",), l1=False), GAP),
    (kind("libsvm_dual_coef", __call__=as_libsvm(True)), GAP),
    (kind("libsvm_alpha", __call__=as_libsvm(False), losses=("hinge", "logistic")), GAP),
    (kind("lam_where_entries_are", __call__=lam_where_entries_are, losses=("squared",), l1=False, csr=True), CSR),
    (kind("signed_stop", __call__=signed_stop, losses=("squared",), csr=True), CSR),
    (kind("weights_divided_by_n", weighted=weights_by_n), "a_weight_is_a_number_of_rows"),
]


def with_w(change):
    """w changed, alpha left out."""
    return answers(lambda w, alpha, said: (change(w), None, True))


def on_rows(change):
    return lambda self, X: change(Sdca.rows(self, X))


BUGS += [
    (kind("lam_sqrt_n", strength=lambda self, lam, n: lam * n**0.5), GAP),
    (kind("lam_plus_an_eighth", strength=lambda self, lam, n: lam + 0.125), GAP),
    (kind("lam_times_1.1", strength=lambda self, lam, n: 1.1 * lam), GAP),
    (kind("lam_squared", strength=lambda self, lam, n: lam * lam), GAP),
    (kind("w_rounded", finish=with_w(lambda w: np.round(w, 2))), GAP),
    (kind("w_times_1.1", finish=with_w(lambda w: 1.1 * w)), GAP),
    (kind("w_shuffled", finish=with_w(lambda w: w[::-1])), GAP),
    (kind("w_clipped", finish=with_w(lambda w: np.clip(w, -0.5, 0.5))), GAP),
    (kind("noise_in_w", finish=with_w(lambda w: w + 0.01 * np.random.default_rng(1).normal(size=len(w)))), GAP),
    (
        kind(
            "noise_in_alpha",
            finish=answers(
                lambda w, alpha, said: (w, alpha * (1 - 0.01 * np.random.default_rng(1).random(len(alpha))), True)
            ),
        ),
        GAP,
    ),
    (kind("rows_clipped", rows=on_rows(lambda X: np.clip(X, -0.75, 0.75))), GAP),
    (
        kind(
            "rows_of_norm_1",
            rows=on_rows(
                lambda X: (
                    X / np.maximum(1e-300, np.sqrt((X * X).sum(axis=-1, keepdims=True))) if np.isfinite(X).all() else X
                )
            ),
        ),
        GAP,
    ),
    (
        kind(
            "columns_centred",
            rows=on_rows(lambda X: X - X.mean(axis=0) if X.ndim == 2 and len(X) and np.isfinite(X).all() else X),
        ),
        GAP,
    ),
    (kind("rows_without_signs", rows=on_rows(abs)), GAP),
    (kind("gamma_halved", smoothness=lambda self, gamma: gamma / 2, losses=("squared", "smoothed-hinge")), GAP),
    (kind("w_zero", finish=with_w(lambda w: 0 * w)), GAP),
]

wrong_classes = kind(
    "wrong_classes",
    block_losses=("softmax",),
    several_classes=lambda self, X, y, loss, lam, tol: Sdca.several_classes(self, X, y, loss, 2 * lam, tol),
)


def forgetful():
    """A new solver that takes the first lam for all."""
    return kind("forgetful", strength=remembers_lam)


def everything():
    """All names of this file, by name."""
    return globals()
