"""Many runs: over lam, seeds, methods and data sets, with warm starts along lam.

The dual domain does not depend on lam, so that the alpha of one lam is a legal start, with a certified gap, for the
next. A *path* goes from the largest lam to the smallest with one data set, method and seed; a method that starts at 0
(``resumable = False``) starts there at every lam. The paths do not depend on each other: joblib runs them side by
side, in threads (the kernels leave Python's lock alone) or wherever the user's ``joblib.parallel_config`` says, for
example on a Dask or Ray cluster (docs/dask_sweep.py).

If a folder is given, every finished cell is kept there. A restarted sweep continues, with bit-identical results.
"""

import contextlib
import hashlib
import importlib.util
import math
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.data.atomic_file import remove_partial, warn_not_written
from dualgap.fast.data.dataset import Dataset
from dualgap.fast.problem.arrays import Array
from dualgap.fast.solver.checkpoint import fingerprint, read, write
from dualgap.fast.solver.groups import spread
from dualgap.fast.solver.parameters import COUNT, OF_SWEEP, POSITIVE, require
from dualgap.fast.solver.result import keeps_alpha
from dualgap.fast.solver.settings import require_settings
from dualgap.fast.solver.solve import solve
from dualgap.reference import L2, HypothesisViolated, InterceptProblem, Loss, Problem, Regularizer, all_methods
from dualgap.reference.numbers.own_context import in_own_context
from dualgap.reference.problem.validate import InputChanged, NotWritten

NO_RUN = ("refused", "failed")  # no alpha to continue from
UNFINISHED = ("interrupted", "max_seconds", "failed")  # what a sweep that is started again runs again
SCHEMA = 3  # of a kept cell; one of another version is not found, and it is run again
WORDS = 2**20  # bytes of a kept cell, in addition to w and alpha
# of ``solve``: what the sweep itself says
FIXED = {"method", "alpha", "seed", "callback", "checkpoint", "resume", "save"}


class Cell(NamedTuple):
    """One run of a sweep.

    ``status`` is that of ``Result``, "refused" where ``advice`` says which hypothesis is violated, or "failed" where it
    says why there is no run: at a lam of 1e-300, for example, the objectives are beyond the range of a float.
    """

    data: str
    method: str
    lam: float
    seed: int
    warm_from: float | None  # the lam at whose alpha the run starts
    order: str
    status: str
    primal: float
    dual: float
    gap: float  # P(w) - D(alpha) as computed from rounded sums: can be below the exact one
    gap_bound: float  # >= P(w) - min P
    epochs: int
    seconds: float
    advice: str
    intercept: float | None  # of a free intercept
    w: Array  # (d,), empty where refused or failed
    alpha: Array  # (n,)

    def facts(self) -> dict[str, Any]:
        """Everything but w and alpha."""
        return {name: value for name, value in self._asdict().items() if name not in ("w", "alpha")}


class _Path(NamedTuple):
    """Runs that follow each other."""

    dataset: Dataset
    loss: Loss
    regularizer: Callable[[float], Regularizer]
    method: str
    seed: int
    lams: tuple[float, ...]
    folder: str | None
    kind: type[Problem]
    options: dict[str, Any]


@in_own_context
def sweep(
    datasets: Dataset | Sequence[Dataset],
    loss: Loss,
    lams: Iterable[float],
    *,
    method: str | Sequence[str] | Mapping[str, dict[str, Any]] = "auto",
    seeds: Iterable[int] = (0,),
    regularizer: Callable[[float], Regularizer] = L2,
    warm: bool = True,
    intercept: bool = False,
    jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    watch: Callable[[Cell], object] = lambda cell: None,
    **options: object,
) -> list[Cell]:
    """Run every combination, and return the cells: data sets, methods and seeds in the order given, lam descending.

    Parameters
    ----------
    datasets : ``dualgap.fast.data.load.load`` makes one
    loss, regularizer : of ``dualgap.reference``; regularizer(lam) is called, for example ``partial(ElasticNet,
        l1=0.1)``
    lams : > 0
    method : a name, several, or names with options of their own; "auto" chooses again at every lam, and each cell says
        what
    warm : whether a run starts at the alpha of the next larger lam; without, every run is a path of its own
    intercept : whether there is an intercept without a penalty (``InterceptProblem``)
    jobs : paths at a time; more than one needs joblib. None: one, or what ``joblib.parallel_config`` says
    folder : where finished cells are kept, and looked for; made if need be
    watch : called with every cell, when its path is done or, on one job, when it is done itself
    options : of ``solve``: tol, rtol, max_epochs, order, mode, ...
    seeds : integers >= 0, one path for each

    Raises
    ------
    ValueError
        No lam, a lam that is not > 0, an unknown method, options that ``solve`` refuses; several jobs without joblib.

    Warns
    -----
    NotWritten
        A kept cell is damaged: it is run again. A cell cannot be kept: the sweep goes on.

    Examples
    --------
    >>> from dualgap.fast.data.load import load
    >>> from dualgap.reference import SmoothedHinge
    >>> cells = sweep(load("orthonormal:n=4"), SmoothedHinge(), [0.1, 1.0], tol=1e-9)
    >>> [(cell.lam, cell.warm_from, cell.status) for cell in cells]
    [(1.0, None, 'converged'), (0.1, 1.0, 'converged')]
    """
    require(OF_SWEEP, locals())
    names = [method] if isinstance(method, str) else method
    methods = {
        name: spread(own)
        for name, own in (dict(names) if isinstance(names, Mapping) else dict.fromkeys(names, {})).items()
    }
    sets = [datasets] if isinstance(datasets, Dataset) else list(datasets)
    asked, seeds = list(lams), list(seeds)
    for name, rule, values in (("lams", POSITIVE, asked), ("seeds", COUNT, seeds)):
        for value in values:
            require({name: rule}, {name: value})
    down = sorted({float(lam) for lam in asked}, reverse=True)
    if "save" not in options:
        options = spread(options)
    _require(down, methods, sets, options)
    where = None if folder is None else os.fspath(folder)
    if where is not None:
        os.makedirs(where, exist_ok=True)
    kind = InterceptProblem if intercept else Problem
    parts = [tuple(down)] if warm else [(lam,) for lam in down]
    paths = [
        _Path(dataset, loss, regularizer, name, seed, part, where, kind, {**options, **own})
        for dataset in sets
        for name, own in methods.items()
        for seed in seeds
        for part in parts
    ]
    found = dict(_all(paths, jobs, watch))
    return [cell for number in sorted(found) for cell in found[number]]


def _require(
    lams: Sequence[float], methods: Mapping[str, Any], sets: Sequence[Dataset], options: Mapping[str, Any]
) -> None:
    """Refuse what can be refused before anything runs."""
    if not lams:
        raise ValueError("lams must be one or more numbers > 0 (got none)")
    for name in methods:
        if name not in (*all_methods(), "auto"):
            raise ValueError(f"unknown method {name!r}; known: {', '.join(sorted(all_methods()))}, auto")
    if len({dataset.name for dataset in sets}) < len(sets):
        raise ValueError(f"the data sets must have different names (got {[dataset.name for dataset in sets]})")
    if FIXED & options.keys():
        raise ValueError(f"{', '.join(sorted(FIXED & options.keys()))}: the sweep sets this itself; see its parameters")
    for name, own in methods.items():
        require_settings(name, **{**options, **own})


# -- one path ----------------------------------------------------------------------------------------------------------


def _cells(path: _Path) -> Iterator[Cell]:
    """The runs of a path, each from the alpha of the one before."""
    problem = path.kind(path.dataset.X, path.dataset.y, path.loss, path.regularizer(path.lams[0]))
    resumable = keeps_alpha(path.method)
    data = fingerprint(problem) if path.folder is not None else ""
    before: Cell | None = None
    for k, lam in enumerate(path.lams):
        identity = {
            "problem": data,
            "lam": lam.hex(),
            "before": [larger.hex() for larger in path.lams[:k]] if resumable else [],
            "cell": SCHEMA,
            "method": path.method,
            "seed": path.seed,
            "options": repr(sorted(path.options.items())),
        }
        cell = _kept(path, lam, identity) or _run(path, problem, lam, before)
        _keep(path, cell, identity)
        yield cell
        if cell.status == "interrupted":
            return
        before = cell if resumable and cell.status not in NO_RUN else before


def _run(path: _Path, problem: Problem, lam: float, before: Cell | None) -> Cell:
    """Run one cell."""
    start = None if before is None else before.alpha
    warm_from = None if before is None else before.lam
    nowhere, nothing = np.empty(0), (math.nan, math.nan, math.nan, math.nan, 0, 0.0)
    try:
        result = solve(
            problem.with_regularizer(path.regularizer(lam)), path.method, alpha=start, seed=path.seed, **path.options
        )
    except InputChanged:  # mapped data: that concerns all cells
        raise
    except (ValueError, ArithmeticError) as error:
        order, status = (
            path.options.get("order") or "uniform",
            ("refused" if isinstance(error, HypothesisViolated) else "failed"),
        )
        named = path.dataset.name, path.method, lam, path.seed, warm_from, order, status
        return Cell(*named, *nothing, " ".join(str(error).split()) or type(error).__name__, None, nowhere, nowhere)
    named = path.dataset.name, result.method, lam, path.seed, warm_from, result.order, result.status
    reached = result.primal, result.dual, result.gap, result.gap_bound, result.epochs, result.seconds
    return Cell(*named, *reached, result.advice, result.intercept, np.array(result.w), np.array(result.alpha))


def _file(path: _Path, lam: float, identity: dict[str, object]) -> str:
    """Names what can be named, and a hash of the rest."""
    digest = hashlib.blake2b(repr(sorted(identity.items())).encode(), digest_size=6).hexdigest()
    data = re.sub(r"[^A-Za-z0-9.]+", "-", path.dataset.name)[-40:].strip("-")
    assert path.folder is not None
    return os.path.join(path.folder, f"{data}-{path.method}-{lam:g}-{path.seed}-{digest}.npz")


def _keep(path: _Path, cell: Cell, identity: dict[str, object]) -> None:
    if path.folder is not None and cell.status not in UNFINISHED:
        file = _file(path, cell.lam, identity)
        try:
            if not os.path.exists(file):
                write(file, {"cell": cell.facts(), "identity": identity}, {"w": cell.w, "alpha": cell.alpha})
        except OSError as error:
            warn_not_written(file, error)


def _kept(path: _Path, lam: float, identity: dict[str, object]) -> Cell | None:
    """The cell of an earlier sweep, or None. A damaged cell is removed and run again."""
    if path.folder is None:
        return None
    file = _file(path, lam, identity)
    remove_partial(file)
    try:
        told, arrays = read(file, 8 * (path.dataset.n + path.dataset.d) + WORDS)
        cell = Cell(**told["cell"], w=arrays["w"], alpha=arrays["alpha"])
        _require_cell(path, lam, cell)
        return cell
    except FileNotFoundError:
        return None
    except Exception as error:  # a damaged or hostile file can raise anything
        warnings.warn(
            f"{file} is damaged ({' '.join(str(error).split())[:200]}): it is run again", NotWritten, stacklevel=2
        )
        with contextlib.suppress(OSError):
            os.unlink(file)
        return None


def _require_cell(path: _Path, lam: float, cell: Cell) -> None:
    """Raise ValueError unless a cell is one that this path can have."""
    sizes = (0, 0) if cell.status in NO_RUN else (path.dataset.d, path.dataset.n)
    if (cell.lam, cell.seed, cell.w.shape, cell.alpha.shape) != (lam, path.seed, sizes[:1], sizes[1:]):
        raise ValueError(
            f"it is the cell of lam {cell.lam} and seed {cell.seed}, w of {cell.w.shape}, alpha of {cell.alpha.shape}"
        )
    if not all(array.dtype == np.float64 and np.isfinite(array).all() for array in (cell.w, cell.alpha)):
        raise ValueError("w and alpha are not finite numbers")
    if not all(isinstance(value, str) for value in (cell.data, cell.method, cell.order, cell.status, cell.advice)):
        raise ValueError("a name is not text")
    numbers = (
        cell.primal,
        cell.dual,
        cell.gap,
        cell.seconds,
        cell.epochs,
        0.0 if cell.warm_from is None else cell.warm_from,
        0.0 if cell.intercept is None else cell.intercept,
    )
    if not all(type(value) in (int, float) for value in numbers):
        raise ValueError("a number is not a number")


# -- all paths ---------------------------------------------------------------------------------------------------------


def _path(number: int, path: _Path) -> tuple[int, list[Cell]]:
    """Run one task of the sweep in a worker."""
    return number, list(_cells(path))


def _all(paths: Sequence[_Path], jobs: int | None, watch: Callable[[Cell], object]) -> Iterator[tuple[int, list[Cell]]]:
    """(number, cells) of every path, as they come."""
    parallel = importlib.util.find_spec("joblib") is not None
    if not parallel and jobs not in (None, 1):
        raise ValueError(
            f'{jobs} jobs at a time need joblib, which is not installed: pip install "dualgap[cli]"; or use one job'
        )
    if parallel and jobs != 1:
        from joblib import Parallel, delayed, effective_n_jobs
        from joblib.parallel import get_active_backend

        wanted: Any = jobs  # joblib takes None, its annotations do not
        if effective_n_jobs(wanted) > 1:
            unordered = getattr(get_active_backend()[0], "supports_return_generator", False)
            pool: Any = Parallel(
                n_jobs=jobs, prefer="threads", return_as="generator_unordered" if unordered else "list"
            )
            for number, cells in pool(delayed(_path)(number, path) for number, path in enumerate(paths)):
                for cell in cells:
                    watch(cell)
                yield number, cells
            return
    for number, path in enumerate(paths):
        cells = []
        for cell in _cells(path):
            cells.append(cell)
            watch(cell)
        yield number, cells
        if cells[-1].status == "interrupted":
            return
