"""dualgap as a solver of benchopt: copy this file to the folder ``solvers`` of one of four benchmarks.

Each benchmark minimises a multiple s of P(w) = (1/n) sum_i phi_i(x_i^T w) + (lam/2) ||w||^2 + l1 ||w||_1:

    benchmark            its objective F(b)                                              s    lam           l1
    logreg_l2            sum_i log(1 + exp(-y_i x_i^T b)) + (lmbd/2) ||b||^2             n    lmbd/n        0
    ridge                (1/2) ||y - X b||^2 + (lmbd/2) ||b||^2                          n    lmbd/n        0
    elastic_net          ||y - X b||^2/(2n) + r lmbda ||b||_1 + (1-r)(lmbda/2) ||b||^2   1    (1-r) lmbda   r lmbda
    linear_svm_binary_   C sum_i max(0, 1 - y_i x_i^T b) + ||b||^2/2                     n C  1/(n C)       0
      classif_no_intercept

Divide F by s to see it; r is ``l1_ratio``. With ``fit_intercept`` x_i^T b becomes x_i^T b + b_0, and b_0 is not
penalised. The benchmark is known by the names of what it passes.

A point of the curve is a run from 0 until the gap is certified to be at most tol P(0), tol = 0.1, 0.01, ... Its
time includes the checks of the data, their conversion and all certificates. It does not include the compilation:
``set_objective`` runs once to the tolerance ``COMPILE``. One pass can gain several digits, so that some tolerances have
the same run. benchopt's default rule takes three equal values for the end; ours takes ``DIGITS``. After so many equal
values the certificate has shown that the gap is at most 10^-DIGITS P(0), unless the run reached ``MAX_EPOCHS``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from benchopt import BaseObjective, BaseSolver
from benchopt.stopping_criterion import SufficientProgressCriterion

from dualgap.fast import solve
from dualgap.fast.compiler.first_calls import compile_at_once
from dualgap.reference import L2, ElasticNet, Hinge, InterceptProblem, Logistic, Loss, Problem, Regularizer, Squared

COMPILE, DIGITS, LEAST, MAX_EPOCHS = 1e-9, 10, 1e-15, 10_000

compile_at_once()  # what is measured is compiled code

# by the names that a benchmark passes besides X and y: the loss, the regularizer and s
FORMS: dict[tuple[str, ...], Callable[..., tuple[Loss, Regularizer, float]]] = {
    ("lmbd",): lambda n, lmbd: (Logistic(), L2(lmbd / n), n),
    ("fit_intercept", "lmbd"): lambda n, lmbd, **_: (Squared(), L2(lmbd / n), n),
    ("fit_intercept", "l1_ratio", "lmbda"): lambda n, lmbda, l1_ratio, **_: (
        Squared(),
        ElasticNet((1 - l1_ratio) * lmbda, l1_ratio * lmbda),
        1,
    ),
    ("C",): lambda n, C: (Hinge(), L2(1 / (n * C)), n * C),
}


def problem_of(X: Any, y: Any, **given: Any) -> tuple[Problem, float]:
    """The Problem of a benchmark's objective, and s.

    Raises
    ------
    ValueError
        No benchmark passes these names, or the penalty or the labels do not fit (for example l1_ratio = 1).
    """
    form = FORMS.get(tuple(sorted(given)))
    if form is None:
        raise ValueError(f"dualgap has no problem for an objective with {', '.join(sorted(given))}")
    loss, regularizer, s = form(X.shape[0], **given)
    kind = InterceptProblem if given.get("fit_intercept") else Problem
    return kind(X, y, loss, regularizer), s


class Solver(BaseSolver):
    """``solve`` of dualgap, with the method that it chooses or a named one."""

    name = "dualgap"
    install_cmd = "conda"
    requirements = ["pip::dualgap"]
    parameters = {"method": ["auto", "lbfgs", "sdca"]}
    parameter_template = "{method}"
    stopping_criterion = SufficientProgressCriterion(strategy="tolerance", patience=DIGITS)

    def skip(self, **objective: Any) -> tuple[bool, str | None]:
        """Skip what ``solve`` refuses, with its reason."""
        try:
            solve(problem_of(**objective)[0], self.method, max_epochs=0)
        except ValueError as refusal:
            return True, str(refusal)
        return False, None

    def set_objective(self, **objective: Any) -> None:
        self.objective = objective
        self.at_0 = solve(problem_of(**objective)[0], self.method, max_epochs=0).primal
        self.run(COMPILE)

    def run(self, tol: float) -> None:
        problem, _ = problem_of(**self.objective)
        self.result = solve(problem, self.method, tol=tol * self.at_0, max_epochs=MAX_EPOCHS)

    @staticmethod
    def get_next(tol: float) -> float:
        """The tolerance after tol: a tenth of it, from 0.1 to ``LEAST``."""
        return max(min(tol, 1.0) / 10, LEAST)

    def get_result(self) -> Any:
        """b, or (b, b_0); in a dictionary since benchopt 1.5."""
        b_0 = self.result.intercept
        beta = np.array(self.result.w) if b_0 is None else np.append(self.result.w, b_0)
        return {"beta": beta} if hasattr(BaseObjective, "evaluate_result") else beta
