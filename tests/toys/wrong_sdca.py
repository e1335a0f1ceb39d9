"""The SDCA of ``numpy_sdca`` with parts of its text replaced: bugs, each with the check that is about it, and harmless
variants.
"""

from pathlib import Path

import numpy as np

TEXT = Path(__file__).with_name("numpy_sdca.py").read_text(encoding="utf-8")
GAP, MANY, CSR = "the_gap_is_what_was_asked_for", "every_one_of_many_rows_is_read", "sparse_rows_are_right_or_refused"
REFUSED, KEPT, BITS = "bad_input_is_refused", "nothing_is_kept_from_call_to_call", "numbers_keep_their_53_bits"
SCALE, CLAIM = "the_scale_of_the_rows_does_not_matter", "convergence_is_claimed_only_with_the_gap"
READ, RETURN = "X, y = readable(X, y, lam, loss)", "return w, alpha, gap <= tol"
SOLVED = "= solved(X, y, phi, lam, l1, tol, seed)"


def solver(name, *edits, **attributes):
    """The solver whose text has these edits: (old, new); the old one stands there once."""
    text, names = TEXT, {"assigned": assigned, "refused": refused}
    for old, new in edits:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    exec(compile(text, name, "exec"), names)
    made = names["sdca"]
    made.__name__ = name
    vars(made).update(attributes)
    return made


def assigned(X, values=lambda data: data, columns=lambda indices: indices):
    """A dense array of CSR rows, entry by entry; the last of two for a column stays."""
    table = np.zeros(X.shape)
    for i, (start, end) in enumerate(zip(X.indptr, X.indptr[1:])):
        data = values(X.data[start:end])
        table[i, columns(X.indices[start:end])[: len(data)]] = data
    return table


def refused(X):
    raise TypeError("X must be dense: call X.toarray()")


def first(*statements):
    """Statements after the input is read."""
    return READ, "\n    ".join((READ, *statements))


def returns(value, *statements):
    return RETURN, "\n    ".join((*statements, f"return {value}"))


def passes(count):
    return "PASSES, EVERY = 2000,", f"PASSES, EVERY = {count},"


def csr(expression):
    return "X.toarray()", expression


SQUARED = {"losses": ("squared",)}
BUGS = [  # a wrong solver and the check for its bug; all losses, unless stated otherwise
    (solver("first_127_rows", passes(60), ("permutation(n)", "permutation(min(n, 127))")), MANY),
    (
        solver(
            "inner_product_in_32_bits",
            passes(300),
            ("float(X[i] @ w)", "float(np.float32(X[i].astype(np.float32) @ w.astype(np.float32)))"),
            losses=("squared", "smoothed-hinge", "squared-hinge"),
        ),
        BITS,
    ),
    (solver("sum_for_mean", first("lam, l1 = lam / len(y), l1 / len(y)")), GAP),
    (solver("lam_for_half_lam", first("lam, l1 = 2 * lam, 2 * l1")), GAP),
    (solver("gamma_ignored", ("[loss](gamma)", "[loss](1.0)"), losses=("squared", "smoothed-hinge")), GAP),
    (solver("l1_ignored", (SOLVED, SOLVED.replace("l1", "0.0"))), GAP),
    (solver("always_converged", passes(300), returns("w, alpha, True")), CLAIM),
    (solver("alpha_times_n", returns("w, alpha / len(y), gap <= tol")), GAP),
    (solver("sign_of_alpha", returns("w, -alpha, gap <= tol")), GAP),
    (solver("alpha_in_sorted_order", first('order = np.argsort(y, kind="stable")', "X, y = X[order], y[order]")), GAP),
    (solver("scales_rows_in_place", ("np.array(X, dtype=float)", "np.multiply(X, 2.0, out=X) / 2")), KEPT),
    (solver("raises_index_errors", ("raise ValueError", "raise IndexError")), REFUSED),
    (
        solver(
            "takes_infinite_numbers",
            ("not np.isfinite(np.append(X, y)).all()", "np.isnan(np.append(X, y)).any()"),
            **SQUARED,
        ),
        REFUSED,
    ),
    (solver("takes_infinite_lam", ("not 0 < lam < np.inf", "not 0 < lam"), **SQUARED), REFUSED),
    (solver("not_seeded", ("np.random.default_rng(seed)", "np.random")), KEPT),
    (solver("remembers_lam", first('lam = vars(sdca).setdefault("first", lam)')), KEPT),
    (
        solver(
            "drops_zero_rows",
            first("kept = X.any(axis=1)", "X, y = X[kept], y[kept]"),
            returns("w, whole, gap <= tol", "whole = np.zeros(len(kept))", "whole[kept] = alpha"),
            losses=("squared", "smoothed-hinge", "squared-hinge", "hinge", "logistic"),
        ),
        GAP,
    ),
    (
        solver(
            "clipped_late",
            returns("w, np.where(abs(alpha) == 1, 1.25 * alpha, alpha), gap <= tol"),
            losses=("hinge", "smoothed-hinge", "absolute"),
        ),
        GAP,
    ),
    (solver("answers_in_32_bits", returns("w.astype(np.float32), alpha.astype(np.float32), gap <= tol")), BITS),
    (solver("last_duplicate_counts", csr("assigned(X)")), CSR),
    (solver("stored_zeros_shift", csr("assigned(X, lambda data: data[data != 0])")), CSR),
    (solver("columns_taken_as_sorted", csr("assigned(X, columns=np.sort)")), CSR),
    (
        solver(
            "fixed_floor_of_norms",
            passes(200),
            ("[float(x @ x) for", "[max(float(x @ x), 1e-6) for"),
            losses=("squared", "hinge"),
        ),
        SCALE,
    ),
    (
        solver(
            "last_row_ignored",
            first("n = len(y)", "X, y = X[: max(1, n - 1)], y[: max(1, n - 1)]"),
            returns("w, np.pad(alpha, (0, n - len(alpha))), gap <= tol"),
        ),
        GAP,
    ),
    (solver("last_entry_ignored", first("for row in X:", "    row[np.flatnonzero(row)[-1:]] = 0")), GAP),
    (
        solver(
            "alpha_moves_little",
            ("gap = gap_of(", "still = epoch and abs(before - alpha).max() < 2.0**-7\n            gap_of("),
            ("if gap <= tol:", "before, gap = alpha.copy(), 0.0 if still else np.inf\n            if gap <= tol:"),
            **SQUARED,
        ),
        GAP,
    ),
    (
        solver(
            "tolerance_relative_to_P0",
            ("if gap <= tol:", "gap /= (y @ y) / (2 * phi.gamma * n)\n" + 12 * " " + "if gap <= tol:"),
            **SQUARED,
        ),
        GAP,
    ),
    (solver("never_claims", passes(3), returns("w, alpha, False"), **SQUARED), GAP),
    (
        solver(
            "w_misses_small_changes",
            passes(200),
            ("v - (new - alpha[i])", "v - (new - alpha[i]) * (abs(new - alpha[i]) > 2.0**-4)"),
            (" + max(float(g), 0.0)", ""),
        ),
        GAP,
    ),
    (
        solver(
            "a_column_of_ones", first("X = np.hstack([X, np.ones((len(X), 1))])"), returns("w[:-1], alpha, gap <= tol")
        ),
        GAP,
    ),
    (
        solver(
            "a_free_intercept",
            first(
                "C, n = X - X.mean(axis=0), gamma * len(y)",
                "return np.linalg.solve(C.T @ X / n + lam * np.eye(X.shape[1]), C.T @ (y - y.mean()) / n)",
            ),
            **SQUARED,
            l1=False,
        ),
        GAP,
    ),
    (solver("libsvm_dual_coef", returns("w, -alpha / (lam * len(y)), gap <= tol")), GAP),
    (solver("w_rounded", returns("np.round(w, 2), None, True")), GAP),
    (solver("rows_clipped", first("X = np.clip(X, -0.75, 0.75)")), GAP),
]
BLOCKS = "np.concatenate([np.array_split(np.arange(n), (n + 1) // 2)[k] for k in draw.permutation((n + 1) // 2)])"
HARMLESS = [
    *(
        solver(name, ("draw.permutation(n)", order))
        for name, order in {
            "cyclic": "range(n)",
            "backwards": "range(n)[::-1]",
            "with_replacement": "draw.integers(n, size=n)",
            "in_blocks": BLOCKS,
        }.items()
    ),
    solver("another_generator", ("np.random.default_rng(seed)", "np.random.Generator(np.random.MT19937(seed))")),
    solver("stricter", (SOLVED, SOLVED.replace("tol", "tol / 16"))),
    solver("looks_every_third_pass", ("PASSES, EVERY = 2000, 1", "PASSES, EVERY = 2000, 3")),
    solver("returns_lists", returns("w.tolist(), alpha.tolist(), gap <= tol")),
    solver("returns_w_alone", returns("w")),
    solver("refuses_csr", csr("refused(X)")),
]


def forgetful():
    """A new solver that takes the first lam for all."""
    return solver("forgetful", first('lam = vars(sdca).setdefault("first", lam)'))
