"""A column ``certified_suboptimality`` for benchmarks: an upper bound on F(w) - min F, every rounding error included.

    python benchmarks/benchopt/certified.py BENCHMARK

copies this file into ``benchmark_utils`` of a benchmark of benchopt, and adds two lines to its ``objective.py``. It
knows ``logreg_l1``, ``logreg_l2``, ``ridge``, ``lasso``, ``elastic_net`` and ``linear_svm_binary_classif_no_intercept``
by the names of what their objectives hand to solvers. It needs dualgap, of which it uses ``dualgap.certify`` alone.

``of_qp`` does the same for a row of qpbenchmark's results: a quadratic program and the x that a solver returned.
"""

import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dualgap.certify import certify

SECONDS = 1.0  # for improving the dual points of one answer


class Form(NamedTuple):
    """F = s P, P(w) = (1/n) sum_i phi_i(x_i^T w + b) + (lam/2) ||w||^2 + l1 ||w||_1."""

    s: float
    loss: str
    lam: float
    l1: float


def form_of(given: dict[str, Any], n: int, labels: bool) -> Form:
    """The problem by the names that an objective hands to its solvers. Raises ValueError for other names."""
    names = tuple(sorted(name for name in given if name not in ("X", "y", "fit_intercept")))
    if names == ("C",):
        return Form(n * given["C"], "hinge", 1 / (n * given["C"]), 0.0)
    if names == ("l1_ratio", "lmbda"):
        return Form(1.0, "squared", (1 - given["l1_ratio"]) * given["lmbda"], given["l1_ratio"] * given["lmbda"])
    if names == ("lmbd", "pure l1"):
        return Form(n, "logistic" if labels else "squared", 0.0, given["lmbd"] / n)
    if names == ("lmbd",):
        return Form(n, "logistic" if labels else "squared", given["lmbd"] / n, 0.0)
    raise ValueError(f"no problem of dualgap is known by the names {', '.join(names)}")


def bound(X: Any, y: Any, w: Any, b: float | None, form: Form, seconds: float = SECONDS) -> float:
    """F(w) - min F is at most this.

    s, lam and l1 may be rounded quotients. That changes F by at most 2^-51 of itself, at w and at w*, and P(w) is at
    most P(0) and the bound together.
    """
    csr = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    found = certify(csr, y, w, loss=form.loss, lam=form.lam, l1=form.l1, intercept=b, seconds=seconds).gap_bound
    at_zero = float(np.mean(np.square(y))) / 2 if form.loss == "squared" else 1.0  # ln 2 for logistic
    return form.s * (found + 2.0**-50 * (found + at_zero)) * (1 + 2.0**-40)


def certified(objective: Any) -> Any:
    """An Objective of benchopt with the column; its other columns stay."""
    name = "evaluate_result" if hasattr(objective, "evaluate_result") else "compute"  # until benchopt 1.4
    before = getattr(objective, name)

    def evaluated(self: Any, beta: Any) -> dict[str, Any]:
        found = before(self, beta)
        given = self.get_objective()
        X, y, w = given["X"], np.asarray(given["y"], dtype=float), np.ravel(np.asarray(beta, dtype=float))
        if objective.name in ("Sparse Logistic Regression", "Lasso Regression"):
            given = {**given, "pure l1": True}
        form = form_of(given, X.shape[0], "Logistic" in objective.name)
        free = w.size == X.shape[1] + 1
        column = bound(X, y, w[: X.shape[1]], float(w[-1]) if free else None, form)
        return {**(found if isinstance(found, dict) else {"value": found}), "certified_suboptimality": column}

    setattr(objective, name, evaluated)
    return objective


# -- qpbenchmark -------------------------------------------------------------------------------------------------------


def of_qp(
    P: Any, q: Any, G: Any, h: Any, x: Any, A: Any = None, lb: Any = None, ub: Any = None
) -> tuple[float | None, str]:
    """(bound, "") for x of min x^T P x/2 + q^T x, G x <= h, A x = b, lb <= x <= ub, if it is a support vector machine
    with a variable for each slack; else (None, why not). The bound is that of w with the least slacks.

    x = (w, xi), P = diag(c, ..., c, 0, ..., 0), q = (0, ..., 0, t, ..., t), -a_i^T w - xi_i <= -1 and xi >= 0.
    """
    P, G, q, h, x = (
        np.asarray(one.toarray() if hasattr(one, "toarray") else one, dtype=float) for one in (P, G, q, h, x)
    )
    if A is not None and np.size(A):
        return None, "it has equations, which no problem of dualgap has"
    c, d = np.diag(P), int(np.count_nonzero(np.diag(P)))
    if not d or np.count_nonzero(P - np.diag(c)) or (c[:d] != c[0]).any() or c[0] <= 0:
        return None, "P is not a multiple of the identity and zeros; a ridge regression hides its rows in P"
    n, t = x.size - d, q[d:]
    if not n or (q[:d] != 0).any() or (t != t[0]).any() or t[0] <= 0 or (ub is not None and np.isfinite(ub).any()):
        return None, "the linear term is not that of n equal slacks, or there are upper bounds"
    margin = np.flatnonzero(h == -1)
    signs = np.flatnonzero(h == 0)
    slacks = -G[margin][:, d:]
    bounded = lb is not None and (np.asarray(lb)[d:] == 0).all() and not np.isfinite(np.asarray(lb)[:d]).any()
    above = len(signs) == n and not G[signs][:, :d].any() and np.array_equal(-G[signs][:, d:], np.eye(n)) and lb is None
    if len(margin) != n or not np.array_equal(slacks, np.eye(n)) or not (bounded and len(signs) == 0 or above):
        return None, "the constraints are not margins with one slack each"
    rows = -G[margin][:, :d]
    form = Form(n * float(t[0]), "hinge", float(c[0] / (n * t[0])), 0.0)
    return bound(rows, np.ones(n), x[:d], None, form), ""


def main() -> int:
    folder = Path(sys.argv[1])
    utils, objective = folder / "benchmark_utils", folder / "objective.py"
    utils.mkdir(exist_ok=True)
    (utils / "__init__.py").touch()
    shutil.copy(__file__, utils / "certified.py")
    lines = "\n\nfrom benchmark_utils.certified import certified  # noqa: E402\n\nObjective = certified(Objective)\n"
    if lines not in (text := objective.read_text(encoding="utf-8")):
        objective.write_text(text.rstrip("\n") + lines, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
