"""A model on disk: what ``dualgap predict`` needs, and what was certified of it.

The file is an .npz of ``checkpoint.write``: nothing in it is compressed or executed. Its member ``told`` is JSON with
the fields of ``Model`` that are no arrays, and ``schema``; the others are the arrays ``coef`` (one number for each
column of the data), ``alpha`` (one for each row of the training data; empty if imported) and ``standard``
(``load.standardized``; empty if the columns were not standardized). A file that lacks one of them, or a fact, is
refused. The schema changes when a reader of the version before could not read the file.

liblinear's text has no place for rows of norm 1, and for none of the rest but coefficients, intercept and labels.
"""

import math
import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.fast.data.bounded_file import open_regular, read_bytes
from dualgap.fast.data.dataset import require_distinct, unit_rows
from dualgap.fast.data.load import bias_first, read_rows, standardized
from dualgap.fast.data.tables import Asked, features
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.solver.checkpoint import damaged, fingerprint, read, write
from dualgap.fast.solver.result import Result
from dualgap.reference import LOSSES, Problem
from dualgap.reference.numbers.shown_bound import shown_bound

SCHEMA, MULTINOMIAL = 3, 4  # the second has a coef of shape (d, K), the array intercepts, and K labels
BEFORE = {SCHEMA: 1, MULTINOMIAL: 2}  # without a list of their arrays (``checkpoint.write``)
ARRAYS = ("coef", "alpha", "standard")
KINDS = ("none", "penalised", "free")
LARGEST = 2**31  # bytes of a file
WAY = "give a model of dualgap solve --save, or liblinear's text"
SOLVERS = {  # liblinear's names; it trains the first of each loss and predicts alike by all
    "logistic": ("L2R_LR", "L2R_LR_DUAL", "L1R_LR"),
    "squared-hinge": ("L2R_L2LOSS_SVC", "L2R_L2LOSS_SVC_DUAL", "L1R_L2LOSS_SVC"),
    "hinge": ("L2R_L1LOSS_SVC_DUAL",),
    "squared": ("L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL"),
    "absolute": ("L2R_L1LOSS_SVR_DUAL",),
}


@dataclass(frozen=True, eq=False)
class Model:
    """A linear model: the score of a row x is x^T coef + intercept, where x was prepared as the training data were.

    Attributes
    ----------
    coef : (d,), or (d, K) of a multinomial model, whose loss is softmax and which has K intercepts and labels
    intercept, intercept_kind : 0 and "none"; "penalised": the coefficient of a column of ones, which is part of the row
        when rows are scaled to norm 1; "free": added to the score
    labels : what -1 and +1 mean, or the classes of a multinomial model; None of a regression
    columns, target : of a table; zero_based, unit_rows : as in ``load`` and ``prepare``
    certificate : primal, dual, gap_bound, tol, rtol, status, method, epochs, seed, and non_negative if the coefficients
        had to be; empty if imported
    checksum : of the prepared data, the loss and lam (``checkpoint.fingerprint``)
    """

    coef: Array
    intercept: float
    intercept_kind: str
    loss: str
    labels: tuple[str, ...] | None = None
    gamma: float = 0.0
    lam: float = 0.0
    l1: float = 0.0
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    target: str | None = None
    unit_rows: bool = False
    preparation: tuple[str, ...] = ()
    certificate: dict[str, Any] = field(default_factory=dict)
    checksum: str = ""
    alpha: Array = field(default_factory=lambda: np.empty(0))
    standard: Array = field(default_factory=lambda: np.empty(0))
    intercepts: Array = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        arrays = self.coef, self.alpha, self.standard, self.intercepts
        several = self.loss == "softmax"
        if not all(array.dtype == np.float64 for array in arrays) or not self.coef.size:
            raise ValueError("coef, alpha, standard and intercepts must hold float64")
        if self.coef.ndim != 1 + several or self.intercepts.shape != self.coef.shape[1:] and several:
            raise ValueError("coef and the intercepts must have the shapes of the loss")
        finite = np.isfinite(self.coef).all() and np.isfinite(self.intercepts).all() and math.isfinite(self.intercept)
        if not finite or self.intercept_kind not in KINDS:
            raise ValueError("the coefficients and the intercept must be finite, its kind one of " + ", ".join(KINDS))
        d = len(self.coef)
        if self.loss not in (*LOSSES, "softmax") or self.standard.size and self.standard.shape != (4, d):
            raise ValueError(f"the loss {self.loss!r} or the standardization is not one of this version")
        words = [*self.columns, *(word for own in self.columns.values() for word in own), *(self.labels or ())]
        if self.labels is not None and len(self.labels) != (self.coef.shape[1] if several else 2):
            raise ValueError("there must be two labels, or one for each class")
        if not all(isinstance(word, str) for word in (*words, self.target or "")):
            raise ValueError("a name is not text")
        require_distinct(self.labels or (), "the model")
        if self.columns and sum(len(own) or 1 for own in self.columns.values()) != d:
            raise ValueError(f"{len(self.columns)} columns do not match {d} coefficients")

    def __str__(self) -> str:
        """The model and its certificate in words."""
        kept = f"{np.count_nonzero(self.coef)} of {self.coef.size} coefficients are not 0"
        text = f"a linear model for the {self.loss} loss, lam {self.lam:g}, l1 {self.l1:g}; {kept}; intercept"
        shown = f"{self.intercept:.6g}" if self.coef.ndim == 1 else ", ".join(f"{b:.6g}" for b in self.intercepts)
        text += f" {shown} ({self.intercept_kind}). "
        if not self.certificate:
            return text + "Nothing is certified of it: it was imported."
        bound, primal = self.certificate["gap_bound"], self.certificate["primal"]
        among = " with coefficients >= 0" if self.certificate.get("non_negative") else ""
        return text + (
            f"Its objective is {primal:.6g}, and no model{among} has one that is smaller by more than"
            f" {shown_bound(bound)}, roundings included ({self.certificate['method']}, {self.certificate['epochs']}"
            " passes)."
        )

    def coefficients(self, most: int = 100) -> list[str]:
        """The coefficients that are not 0, by name, the largest first, at most so many; a line for each column."""
        size = np.abs(self.coef).reshape(len(self.coef), -1).max(axis=1)
        names = features(self.columns) or tuple(f"column {j}" for j in range(1, len(size) + 1))
        order = [j for j in np.argsort(-size, kind="stable").tolist() if size[j] > 0]
        lines = [
            f"{names[j]}  {' '.join(f'{x:.6g}' for x in np.atleast_1d(self.coef[j]).tolist())}" for j in order[:most]
        ]
        head = "coefficients, the largest first" + (", of the standardized columns" if self.standard.size else "")
        if self.coef.ndim > 1:
            head += f", one for each of {', '.join(self.labels or ())}"
        left = [f"... and {len(order) - most} smaller ones"] if len(order) > most else []
        return [head, *lines, *left] if lines else []

    def rows(self, path: str, zero_based: bool = False) -> Any:
        """The rows of a file, prepared as the training data were. Raises ValueError if its columns are others."""
        one_hot = tuple(name for name, words in self.columns.items() if words)
        X: Any = read_rows(path, zero_based, Asked(self.target, one_hot, self.columns)).X
        d = len(self.coef)
        if issparse(X) and X.shape[1] < d:
            X = csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], d))
        if X.ndim != 2 or X.shape[1] != d or not X.shape[0]:
            raise ValueError(
                f"{path}: the rows have shape {X.shape}, and the model has {d} columns: give rows of as many"
            )
        if not np.isfinite(X.data if issparse(X) else X).all():
            raise ValueError(f"{path}: there is a NaN or an infinity in the rows: every value must be finite")
        if self.standard.size:
            X = standardized(X.toarray() if issparse(X) else X, self.standard)
        return X

    def scores(self, X: object) -> Array:
        """The scores of rows that ``rows`` has read, shape (n,), or (n, K) of a multinomial model. ValueError if one is
        beyond the range of a float.
        """
        coef, intercept = self.coef, np.asarray(self.intercept if self.coef.ndim == 1 else self.intercepts)
        if self.intercept_kind == "penalised":
            X, coef, intercept = bias_first(X), np.concatenate([intercept[None], coef]), np.zeros(())
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.asarray((unit_rows(X) if self.unit_rows else X) @ coef + intercept)
        if (wrong := np.argwhere(~np.isfinite(scores))).size:
            raise ValueError(f"the score of row {wrong[0][0] + 1} is beyond the range of a float: scale the rows down")
        return scores


def save_model(
    path: str, data: Any, problem: Problem, result: Result, bias: bool, unit_rows: bool, target: str | None
) -> None:
    """Write the model of a result. OSError where that cannot be done.

    data : a Dataset, prepared; a mapped folder keeps its preparation in words alone, which other rows cannot repeat
    """
    w, loss, several = np.asarray(result.w), problem.loss, isinstance(problem, MultinomialProblem)
    if isinstance(problem, MultinomialProblem):
        w = w.reshape(-1, problem.classes)
        none = np.zeros(problem.classes)
        intercepts = w[0].copy() if bias else none if result.intercept is None else np.asarray(result.intercept)
    names = "primal dual gap gap_bound tol rtol status method epochs seed".split()
    model = Model(
        w[1:] if bias else w,
        0.0 if several else float(w[0]) if bias else result.intercept or 0.0,
        "penalised" if bias else "none" if result.intercept is None else "free",
        loss.name,
        (data.labels or ("-1", "+1")) if loss.margin or several else None,
        float(problem.gamma),
        float(problem.regularizer.lam),
        float(problem.regularizer.l1),
        dict(data.columns),
        target if data.columns else None,
        unit_rows,
        tuple(data.preparation),
        {name: getattr(result, name) for name in names}
        | ({"non_negative": True} if problem.regularizer.family == "non-negative" else {}),
        fingerprint(problem),
        np.asarray(result.alpha),
        np.empty(0) if data.standard is None else data.standard,
        intercepts if several else np.empty(0),
    )
    arrays = {name: getattr(model, name) for name in (*ARRAYS, *(["intercepts"] * several))}
    told = {name: value for name, value in asdict(model).items() if name not in (*arrays, "intercepts")}
    write(path, {"schema": MULTINOMIAL if several else SCHEMA, "what": "a model of dualgap", **told}, arrays)


def load_model(path: str) -> Model:
    """A model of ``save_model`` or liblinear's text; its content says which. ValueError where it cannot be read."""
    try:
        with open_regular(path) as file:
            head = file.read(12)
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror or error}); {WAY}") from None
    if head == b"solver_type ":
        try:
            return of_liblinear(read_bytes(path, LARGEST).decode("ascii").replace("\r\n", "\n"))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{path} is no model of liblinear for two classes or a regression ({error})") from None
    told, arrays = read(path, LARGEST, WAY)
    if "cell" in told or "run" in told:
        kind = "a run that a sweep has kept" if "cell" in told else "a checkpoint"
        raise ValueError(f"{path} is {kind}, not a model: run dualgap solve with its lam and method, and --save MODEL")
    try:
        several = told.get("loss") == "softmax"
        schema = MULTINOMIAL if several else SCHEMA
        if told.pop("schema") not in (schema, BEFORE[schema]) or told.pop("what") != "a model of dualgap":
            raise ValueError(f"its schema is not {schema}")
        due = {*ARRAYS, *(["intercepts"] * several)}
        if arrays.keys() != due or told.keys() != {one.name for one in fields(Model)} - {*ARRAYS, "intercepts"}:
            raise ValueError("a part of it is missing")
        told["labels"] = None if told["labels"] is None else tuple(told["labels"])
        told["columns"] = {name: tuple(words) for name, words in told["columns"].items()}
        model = Model(**{**told, **arrays})
        str(model)
        return model
    except Exception as error:  # a damaged or hostile file can raise anything
        raise damaged(path, error, WAY) from None


def of_liblinear(text: str) -> Model:
    """The model of liblinear's text."""
    head, _, tail = text.partition("\nw\n")
    told = dict(line.split(" ", 1) for line in head.splitlines())
    loss = next((name for name, solvers in SOLVERS.items() if told["solver_type"].strip() in solvers), None)
    w, bias = np.array(tail.split(), dtype=np.float64), float(told["bias"])
    labels = told["label"].split() if "label" in told else None
    if loss is None or told["nr_class"].strip() != "2" or labels is not None and len(labels) != 2:
        raise ValueError(f"solver_type {told['solver_type'][:40]}, nr_class {told['nr_class'][:9]}")
    if w.size != int(told["nr_feature"]) + (bias >= 0):
        raise ValueError(f"{w.size} numbers below w, for {told['nr_feature'][:20]} features and bias {bias:g}")
    coef, intercept = (w[:-1], float(w[-1] * bias)) if bias >= 0 else (w, 0.0)
    return Model(coef, intercept, "free" if bias >= 0 else "none", loss, (labels[1], labels[0]) if labels else None)


def write_liblinear(path: str, model: Model) -> None:
    """Write liblinear's text. ValueError for what it has no place for."""
    if model.loss not in SOLVERS or model.unit_rows:
        raise ValueError(
            "liblinear models cannot describe rows scaled to norm 1, the smoothed-hinge loss or the multinomial loss"
        )
    coef, intercept = model.coef, model.intercept
    if model.standard.size:
        exponents, first, second, deviations = model.standard
        coef = coef / deviations  # 0 for a column that becomes 0
        intercept, coef = intercept - float(coef @ (first + second)), np.ldexp(coef, -exponents.astype(np.int32))
    free = model.intercept_kind != "none" or model.standard.size > 0
    labels = [] if model.labels is None else ["label {1} {0}".format(*whole_labels(*model.labels))]
    head = [f"solver_type {SOLVERS[model.loss][0]}", "nr_class 2", *labels, f"nr_feature {coef.size}"]
    numbers = [*coef.tolist(), *([intercept] if free else [])]
    lines = [*head, f"bias {1 if free else -1}", "w", *(f"{number:.17g} " for number in numbers)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def whole_labels(minus: str, plus: str) -> tuple[int, int]:
    """The two labels as liblinear's whole numbers, which are C ints: themselves, or -1 and +1 where one is none of them
    or both are the same.

    >>> whole_labels("3", "7"), whole_labels("1", "yes"), whole_labels("01", "1"), whole_labels("0", "4294967297")
    ((3, 7), (-1, 1), (-1, 1), (-1, 1))
    """
    if not all(re.fullmatch(r"[+-]?[0-9]{1,9}", label) for label in (minus, plus)) or int(minus) == int(plus):
        return -1, 1
    return int(minus), int(plus)
