"""The base class of the classifier and the regressor: it makes weighted problems of data, and coefficients and
certificates of solutions.

By default the intercept has no penalty (``InterceptProblem``). With intercept_scaling=c, a number, its column is the
first one: the rows are (c, x_i), and ``solve`` finds w = (b/c, coef), so that the intercept is a coefficient like the
others, in both norms.
"""

import warnings
from collections.abc import Callable
from inspect import signature
from typing import Any, NoReturn

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, validation
from sklearn.utils.validation import check_is_fitted

from dualgap.extras.estimators.frames import missing_column, refuse_categories, require_kept
from dualgap.fast.compiler.first_calls import interpreting
from dualgap.fast.data.load import bias_first
from dualgap.fast.methods.registry import kernels
from dualgap.fast.methods.specialized.intercept import intercept_kernels
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.solver.parameters import COUNT, FLAG, NAME, NOT_NEGATIVE, POSITIVE, Rule, is_count, optional, require
from dualgap.fast.solver.result import Result, keeps_alpha
from dualgap.fast.solver.solve import solve
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.losses import LOSSES, Loss
from dualgap.reference.problem.nonnegative import NonNegative
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import ElasticNet, Regularizer
from dualgap.reference.problem.validate import require_unmasked
from dualgap.reference.problem.weighted_problem import WeightedProblem

MULTI_CLASS = ("ovr", "multinomial")
PARAMETERS: dict[str, Rule] = {  # of both estimators
    "loss": NAME,
    "lam": POSITIVE._replace(
        otherwise="; the certificate divides by lam: without a penalty take a small lam, or scikit-learn's"
        " LinearRegression or LogisticRegression(penalty=None)"
    ),
    "l1": NOT_NEGATIVE,
    "positive": FLAG,
    "gamma": optional(POSITIVE),
    "fit_intercept": FLAG,
    "intercept_scaling": optional(POSITIVE)._replace(otherwise="; fit_intercept=False leaves the intercept out"),
    "method": NAME,
    "tol": optional(NOT_NEGATIVE),
    "rtol": NOT_NEGATIVE,
    "max_iter": COUNT,
    "random_state": Rule(
        "an integer >= 0, a RandomState, or None",
        lambda seed: seed is None or is_count(seed) or isinstance(seed, np.random.RandomState),
    ),
    "class_weight": Rule(
        'None, "balanced" or a dictionary from class to weight',
        lambda asked: asked is None or isinstance(asked, dict) or isinstance(asked, str) and asked == "balanced",
    ),
    "warm_start": FLAG,
    "multi_class": Rule('"ovr" or "multinomial"', lambda asked: isinstance(asked, str) and asked in MULTI_CLASS),
}
# tol=None means this share of P(0). A smooth loss has linear convergence and needs few more passes for the first one.
# For more than MANY rows that grows like the square of their number, as the gap does that plain sums resolve.
TOL_SMOOTH, TOL_OTHERS, MANY = 1e-23, 1e-6, 1000
ENOUGH = 1e-6  # share of P(0): with tol=None, a larger gap is a warning
FLOOR = 2.0**-98  # times (1 + gamma)^2/gamma: twice the part of gap_bound that does not shrink with y (``gap_bound``)


class DualGapEstimator(BaseEstimator):  # type: ignore[misc]
    """The base class of both estimators; see ``DualGapClassifier``."""

    margin = False  # whether the losses are those of labels -1 and +1
    coef_: Array
    intercept_: Array | float

    def __init__(  # that of the regressor; scikit-learn reads the parameters from its signature
        self,
        loss: str = "squared",
        *,
        lam: float = 1e-2,
        l1: float = 0.0,
        positive: bool = False,
        gamma: float | None = None,
        fit_intercept: bool = True,
        intercept_scaling: float | None = None,
        method: str = "auto",
        tol: float | None = None,
        rtol: float = 0.0,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
        warm_start: bool = False,
    ) -> None:
        self.loss, self.lam, self.l1, self.positive, self.gamma = loss, lam, l1, positive, gamma
        self.fit_intercept, self.intercept_scaling = fit_intercept, intercept_scaling
        self.method, self.tol, self.rtol, self.max_iter, self.random_state = method, tol, rtol, max_iter, random_state
        self.warm_start = warm_start

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters that the version of a pickle did not have get their defaults, which are what that version did."""
        super().__setstate__(state)
        for name, parameter in signature(type(self)).parameters.items():
            self.__dict__.setdefault(name, parameter.default)

    def __getattr__(self, name: str) -> NoReturn:
        if name == "partial_fit":
            raise AttributeError(
                f"{type(self).__name__} has no partial_fit: a certificate is for all rows at once. Call fit on them"
                " with warm_start=True, or solve data that do not fit into memory from a mapped folder (dualgap new"
                " data"
                " --map)"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _validated(self, **given: object) -> Any:
        """X, or X and y, as scikit-learn validates them. What is wrong with a column of a data frame names it."""
        refuse_categories(given["X"])
        require_kept(given["X"], "X")
        newer = getattr(validation, "validate_data", None)  # scikit-learn 1.6 or newer
        older = self
        try:
            return older._validate_data(**given) if newer is None else newer(self, **given)
        except (TypeError, ValueError):
            if (missing := missing_column(given["X"])) is not None:
                raise ValueError(missing) from None
            raise

    def _given(
        self, X: Any, y: Any, sample_weight: object, check: Callable[[object], object] | None = None, **how: object
    ) -> tuple[Any, Any, Array, Array]:
        """X, y and the weights of the rows of weight > 0, and which these are, shape (n,).

        Raise ValueError for a wrong parameter first, before the data is checked. ``check`` then checks y.
        """
        require(PARAMETERS, vars(self))
        if getattr(y, "ndim", 1) == 2 and y.shape[1] > 1:
            wrapper = "MultiOutputClassifier" if self.margin else "MultiOutputRegressor"
            raise ValueError(
                f"y has {y.shape[1]} columns, and one target is fitted at a time: use sklearn.multioutput.{wrapper},"
                " which fits one model for each column"
            )
        (require_unmasked if self.margin else require_kept)(y, "y")
        require_kept(sample_weight, "sample_weight")
        if self.positive and self.fit_intercept and self.intercept_scaling is not None:
            raise ValueError(
                "positive=True cannot be combined with intercept_scaling: a penalised intercept is a coefficient, and"
                " would be >= 0, too. Use intercept_scaling=None (a free intercept) or fit_intercept=False"
            )
        labels = y
        X, y = self._validated(X=X, y=y, accept_sparse="csr", dtype=np.float64, order="C", **how)
        if self.margin and y.dtype == np.float64:  # not the classes that were given: those of pandas' Int64
            require_kept(labels, "y")
        if check is not None:
            check(y)
        weights = self._weights(sample_weight, X)
        kept = weights > 0
        return (X, y, weights, kept) if kept.all() else (X[kept], y[kept], weights[kept], kept)

    def _loss(self) -> Loss:
        """The loss named by the parameter ``loss``; ValueError if this estimator does not have it."""
        known = [name for name, loss in LOSSES.items() if loss.margin == self.margin]
        if self.loss not in known:
            raise ValueError(f"loss of {type(self).__name__} must be one of {', '.join(known)} (got {self.loss!r})")
        return LOSSES[self.loss](self.gamma)

    def _rows(self, X: Any) -> Any:
        """A copy of X with the column of the intercept. The certificate keeps the rows, and the caller may change X."""
        if issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        if not self.fit_intercept or self.intercept_scaling is None:
            return X.copy()
        rows = bias_first(X)
        if issparse(rows):
            rows.data[rows.indptr[:-1]] = self.intercept_scaling
        else:
            rows[:, 0] = self.intercept_scaling
        return rows

    def _weights(self, sample_weight: object, X: Any) -> Array:
        """The weights as floats >= 0, shape (n,); ValueError if all are zero."""
        if sample_weight is None:
            return np.ones(X.shape[0])
        weights = np.asarray(validation._check_sample_weight(sample_weight, X, dtype=np.float64))
        if (weights < 0).any():
            raise ValueError(
                f"Negative values in data passed to `sample_weight`: all must be >= 0 (got {weights.min()})"
            )
        if not weights.any():
            raise ValueError("all sample weights are zero: no row is left; at least one weight must be > 0")
        # their unit does not matter: the largest comes into [1, 2), which rounds nothing
        scaled = np.ldexp(weights, 1 - np.frexp(weights.max())[1])
        if not (scaled[weights > 0] > 0).all():
            raise ValueError("the sample weights differ by a factor beyond the range of a float: give closer weights")
        return np.asarray(scaled)

    def _solve(self, rows: object, targets: list[Array], weights: list[Array], kept: Array) -> None:
        """Solve one problem for each target and set the attributes of a fit. weights > 0 are of the rows that are kept.

        Raises
        ------
        KeyboardInterrupt
            The run was interrupted. The estimator is fitted, with the best coefficients certified until then.
        """
        seed = self._seed()
        results: list[Result] = []
        interrupted = False
        with interpreting():
            for k, y in enumerate(targets):
                problem = self._problem(rows, y, weights[k])
                alpha, w = self._start(problem, k, len(targets), kept)
                limits: dict[str, Any] = {
                    "tol": self._tol(problem),
                    "rtol": self.rtol,
                    "max_epochs": 0 if interrupted else self.max_iter,
                }
                results.append(solve(problem, self.method, alpha=alpha, w=w, seed=seed, **limits))
                interrupted = interrupted or results[-1].status == "interrupted"
        w, b = np.array([result.w for result in results]), np.array([result.intercept or 0.0 for result in results])
        self._keep(results, np.array([result.alpha for result in results]), kept, w, b, interrupted)

    def _keep(self, results: list[Result], alpha: Array, kept: Array, w: Array, b: Array, interrupted: bool) -> None:
        """Set the attributes of a fit; a row of alpha and w for each score, b : the free intercepts."""
        self.results_ = tuple(results)
        self.certificate_ = results[0].certificate if len(results) == 1 else [result.certificate for result in results]
        gaps = np.array([result.gap_bound for result in results])
        self.dual_gap_ = float(gaps[0]) if len(results) == 1 else gaps
        self.n_iter_ = max(result.epochs for result in results)
        self.dual_coef_ = np.zeros((len(alpha), kept.size))
        self.dual_coef_[:, kept] = alpha
        if self.fit_intercept and self.intercept_scaling is not None:
            self._set_coefficients(w[:, 1:], w[:, 0] * self.intercept_scaling)
        else:
            self._set_coefficients(w, b)
        if interrupted:
            raise KeyboardInterrupt(
                "interrupted: the estimator has the best coefficients so far, and dual_gap_ says how good they are"
            )
        self._warn()

    def _seed(self) -> int:
        """The seed of the order of the rows; drawn unless random_state is a number."""
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(2**31 - 1)
        return int(seed)

    def _regularizer(self) -> Regularizer:
        """The penalty of the coefficients."""
        return (NonNegative if self.positive else ElasticNet)(self.lam, self.l1)

    def _set_coefficients(self, coef: Array, intercept: Array) -> None:
        """Set coef_ and intercept_; shapes (problems, d) and (problems,)."""
        self.coef_, self.intercept_ = coef, intercept

    def _problem(self, rows: object, y: Array, weights: Array) -> Problem:
        """The problem of one target; a weighted one unless all weights are equal."""
        regularizer = self._regularizer()
        equal = (weights == weights[0]).all()
        if self.fit_intercept and self.intercept_scaling is None:
            if self.method in kernels() and self.method not in (able := intercept_kernels()):
                raise ValueError(
                    f"method {self.method} has no free intercept: use {', '.join(sorted(able))} or auto,"
                    " intercept_scaling=1.0 (a penalised intercept) or fit_intercept=False"
                )
            return InterceptProblem(rows, y, self._loss(), regularizer, None if equal else weights)
        if equal:
            return Problem(rows, y, self._loss(), regularizer)
        return WeightedProblem(rows, y, self._loss(), regularizer, weights)

    def _tol(self, problem: Problem) -> float | None:
        """The parameter ``tol``. If it is None: a share of P(0), or None if ``rtol`` is set."""
        if self.tol is not None or self.rtol > 0:
            return self.tol
        if not np.isfinite(at_0 := at_zero(problem)):
            raise ValueError("the mean loss of the rows at 0 is beyond the range of a float: scale y down")
        smallest = min(TOL_OTHERS, TOL_SMOOTH * max(1.0, problem.n / MANY) ** 2)
        return (smallest if problem.gamma > 0 else TOL_OTHERS) * at_0

    def _start(self, problem: Problem, k: int, count: int, kept: Array) -> tuple[Array | None, Array | None]:
        """alpha and w of the previous fit, if ``warm_start`` is set and that fit had as many rows. An alpha_i outside
        the domain for the new label is set to 0. (None, None) for a method that always starts at 0.
        """
        before = getattr(self, "dual_coef_", None)
        if not self.warm_start or before is None or before.shape != (count, kept.size) or not keeps_alpha(self.method):
            return None, None
        alpha = before[k][kept]
        legal = [problem.loss.in_domain(alpha_i, y_i) for alpha_i, y_i in zip(alpha.tolist(), problem.y)]
        w = self.results_[k].w if len(getattr(self, "results_", ())) == count else None
        if w is None or w.size != problem.d:
            return np.where(legal, alpha, 0.0), None
        return np.where(legal, alpha, 0.0), np.maximum(w, 0.0) if self.positive else w

    def _warn(self) -> None:
        """Warn once if a tolerance was not reached. With tol=None, ENOUGH times P(0) counts as reached, and so does the
        level of rounding of targets in small units.
        """
        default = self.tol is None and not self.rtol > 0
        for result in self.results_:
            problem, bound = result.certificate.problem, result.gap_bound
            if result.status == "converged" and result.w.any():
                continue
            at_0, gamma = at_zero(problem), float(problem.gamma)
            small = FLOOR * (1 + gamma) ** 2 / gamma if gamma > 0 else 0.0
            if self.tol is not None and self.tol >= at_0 > 0 and bound > ENOUGH * at_0 and not result.w.any():
                words = (
                    f"all coefficients are 0: tol = {self.tol:.3g} is met there, since P(0) is {at_0:.3g}. Give a"
                    " smaller tol, or rtol in its place"
                )
            elif result.status == "converged" or default and bound <= max(ENOUGH * at_0, small):
                continue
            else:
                words = result.advice.replace("max_epochs", "max_iter").replace(
                    "continue from alpha=result.alpha", "go on with warm_start=True"
                )
            warnings.warn(words, ConvergenceWarning, stacklevel=6)  # the caller of fit
            return

    def _scores(self, X: object) -> Array:
        """X coef^T + intercept, shape (rows, problems)."""
        check_is_fitted(self)
        X = self._validated(X=X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)
        return np.asarray(X @ np.atleast_2d(self.coef_).T + self.intercept_)

    def __sklearn_tags__(self) -> Any:
        """The tags of scikit-learn 1.6 or newer."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def at_zero(problem: Problem) -> float:
    """P(0): the mean of the losses of the rows at 0."""
    return float(problem.cached("P(0)", lambda: (made := objective_of(problem)).P(np.zeros(made.d))))
