"""``solve``: run a method until a certificate meets the tolerance, or report why it stopped.

On one thread, runs with the same problem, method, seed and order are bit-identical, except for the measured seconds.
The two backends are also bit-identical to each other. On several threads the seed fixes each thread's choices but not
the result. The result is still certified: P, D and the gap are computed from the pair.
"""

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dualgap.fast.compiler.first_calls import interpreting
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import require_unchanged
from dualgap.fast.problem.losses import BUILT_IN
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.solver.at_once import Ahead, at_once, is_watched
from dualgap.fast.solver.auto import ONE_THRESHOLD
from dualgap.fast.solver.checkpoint import Checkpoint
from dualgap.fast.solver.columns import has_empty_columns, solved_without
from dualgap.fast.solver.groups import LIMITS, RULES, spread
from dualgap.fast.solver.memory import require_memory
from dualgap.fast.solver.multinomial import solve_multinomial
from dualgap.fast.solver.parameters import require
from dualgap.fast.solver.result import Result, keeps_alpha
from dualgap.fast.solver.run import SolverRun
from dualgap.fast.solver.settings import Settings
from dualgap.reference.numbers.own_context import in_own_context
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import Regularizer
from dualgap.reference.problem.weighted_problem import WeightedProblem


@in_own_context
def solve(
    problem: Problem | None = None,
    method: str = "auto",
    *,
    alpha: ArrayLike | None = None,
    w: ArrayLike | None = None,
    tol: float | None = None,
    rtol: float | None = None,
    max_epochs: int | None = None,
    max_seconds: float | None = None,
    seed: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool | None = None,
    **options: Any,
) -> Result:
    """Minimise P and maximise D until P(w) - min P <= tol is certified.

    Parameters
    ----------
    problem : Problem over float (``dualgap.reference.Problem``), a WeightedProblem, a BlockProblem (which needs
        backend="reference"), or a MultinomialProblem, for which method is auto or newton and the other options of a run
        are limits
    method : a name from ``kernels()``, or "auto", which chooses a method for the problem (``auto.choose``). The result
        has the chosen ``method`` and the ``reason``
    alpha : (n,) start in the domain of phi*, for example another result's alpha; default 0. A BlockProblem takes n
        blocks
    w : (d,), given together with alpha: a pair from an earlier run. It is certified first. If it meets the tolerance,
        no pass is made. The result is never worse than this pair
    tol, rtol : >= 0; the run converges when gap_bound <= tol or gap_bound <= rtol |P|. The default of rtol is 0; that
        of tol is 1e-6, or 0 if rtol is given. A run ends with status "rounding" if doubles cannot certify the tolerance
    max_epochs : >= 0, by default 1000; passes, each of n steps or n evaluations of a single gradient
        (``reference.Method.passes``). A run ends before the draw that would exceed it: asdca begins with three passes;
        aspdc-i, svrg and afg take two at a time. Only aspdc-i can exceed it, by the moves of its centre within its last
        draw
    max_seconds : > 0, by default no limit; checked after every pass, and by Newton's method after at most
        5 10^8 multiplications or a product with the rows. The time of compiling kernels does not count
    seed : >= 0; the choices of pass p depend only on (order, seed, p)
    checkpoint : a file to which the run is saved at every certificate and when it is interrupted, see ``checkpoint``
    resume : continue from that file if it exists. It must have been saved by the same run; only tol, rtol, max_epochs
        and max_seconds may differ. False by default
    **options : the settings listed below and the options of the method, for example kappa, m, mix or p

    Other Parameters
    ----------------
    order : the order in which a pass draws the rows: "uniform" (the default, which the theorems assume), "permuted",
        "cyclic" or "blocks", among others. Method "auto" chooses an order if none is given
    mode : "paper", "sharp" or "unchecked": which hypothesis of the method is enforced, or which of its constants is
        used
    backend : "fast" (compiled) or "reference" (readable and bit-identical, about a hundred times slower)
    callback : called with the Entry of every certificate; raise KeyboardInterrupt in it to stop
    progress : called after every pass with the number of passes and the seconds, for a display
    threads : 1 <= threads <= cores; only passcode-lock, passcode-atomic and passcode-wild take more than one
    draw : a function that maps (implementation, problem, order, seed, pass) to the choices of a pass; it replaces the
        method's own ``choices``

    Returns
    -------
    Result
        The best pair that was certified, and a status. A run that does not converge returns a status and raises no
        exception; after KeyboardInterrupt the status is "interrupted".

    Raises
    ------
    ValueError
        An unknown name, a number out of range, or alpha outside the domain; a checkpoint that is
        damaged or belongs to another run, or one that exists although ``resume`` is False.
    InputChanged
        X or y of the problem was changed in place since the problem was first used, before this call or during the run.
        It is a subclass of ValueError. X is not copied; a run compares a checksum at its start and at its end.
    HypothesisViolated
        The problem does not satisfy the hypothesis that ``mode`` enforces for the method; the message names an
        alternative.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
    >>> result = solve(problem, tol=1e-9)
    >>> result.status, result.gap_bound <= 1e-9, result.method
    ('converged', True, 'sdca-newton')
    >>> solve(problem, tol=1e-9, max_epochs=0).status
    'max_epochs'
    """
    limits = {"tol": tol, "rtol": rtol, "max_epochs": max_epochs, "max_seconds": max_seconds}
    given = spread({**options, **limits, "seed": seed, "checkpoint": checkpoint, "resume": resume})
    if options and not options.get("partitions") is options.get("cluster") is None:
        warnings.warn(
            "solve(partitions=...) leaves in the next version: call solve_partitions(partitions, loss, regularizer)",
            DeprecationWarning,
            stacklevel=3,
        )
        if problem is not None or alpha is not None or w is not None:
            raise ValueError("rows in partitions start at 0, without a problem: leave problem, alpha and w out")
        return solve_partitions(method=method, **{"partitions": None, "loss": None, "regularizer": None, **given})
    if problem is None:
        raise ValueError("solve needs a problem; rows in partitions are for solve_partitions")
    checkpoint, resume = _place(given)
    with interpreting(rounds_as_python(problem)):
        return _solve_problem(problem, Settings.of(method, **given), alpha, w, checkpoint, resume)


@in_own_context
def solve_partitions(
    partitions: Sequence[Any],
    loss: Loss,
    regularizer: Regularizer,
    method: str = "auto",
    *,
    cluster: object = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Result:
    """``solve`` for rows in partitions, which can lie on several machines.

    Parameters
    ----------
    partitions : the parts of the rows, each a mapped folder, a pair (X, y) or a data set
    loss, regularizer : those of the problem
    method : "cocoa", or another method that takes partitions; "auto" is the first of them
    cluster : a Dask client, cluster or address; default this process
    checkpoint, resume : as of ``solve``. The run starts at 0, or continues from its checkpoint
    **options : the limits, the settings and the options of the method, as of ``solve``

    Returns
    -------
    Result
        As of ``solve``; ``parts`` has the alpha of every partition.

    Raises
    ------
    ValueError
        As of ``solve``, or a partition that cannot be opened or does not fit the others.
    """
    able = {name: kind.solve_partitions for name, kind in kernels().items() if kind.solve_partitions}
    if method != "auto" and method not in able or not able:
        names = ", ".join(able) or "cocoa, which is not installed"
        raise ValueError(f"rows in partitions require method {names} (got {method!r})")
    if partitions is None or loss is None or regularizer is None:
        raise ValueError("solve_partitions needs partitions, loss and regularizer: give all three")
    if "alpha" in options or "w" in options:
        raise ValueError("a run over partitions starts at 0, or continues from its checkpoint: leave alpha and w out")
    given = spread({**options, "checkpoint": checkpoint, "resume": resume})
    checkpoint, resume = _place(given)
    require_resumption(None if checkpoint is None else Checkpoint(checkpoint, {}), resume, None)
    settings = Settings.of(next(iter(able)) if method == "auto" else method, **given)
    found: Result = able[settings.method](partitions, loss, regularizer, settings, cluster, checkpoint)
    return found


def _place(given: dict[str, Any]) -> tuple[Any, bool]:
    """Take checkpoint and resume, checked, out of the options; a limit that is None leaves them, too."""
    checkpoint, resume = given.pop("checkpoint", None), given.pop("resume", None)
    if not checkpoint is resume is None:
        require(RULES, {"checkpoint": checkpoint, "resume": resume})
    for limit in LIMITS:
        if limit in given and given[limit] is None:
            del given[limit]
    return checkpoint, bool(resume)


def rounds_as_python(problem: Problem) -> bool:
    """Return whether all kernels for a problem are bit-identical to Python on every machine: they use no function of
    the C library, such as the powers of a p-norm, and no formula of the user.
    """
    plain = (
        type(problem) in (Problem, WeightedProblem, InterceptProblem) and problem.regularizer.family in ONE_THRESHOLD
    )
    return plain and type(problem.loss) in BUILT_IN


def _solve_problem(
    problem: Problem,
    asked: Settings,
    alpha: ArrayLike | None,
    w: ArrayLike | None,
    checkpoint: str | os.PathLike[str] | None,
    resume: bool,
) -> Result:
    """Run ``solve`` on a problem."""
    require_unchanged(problem)
    if isinstance(problem, MultinomialProblem):
        if checkpoint is not None or resume or alpha is not None or w is not None:
            raise ValueError(
                "a multinomial problem starts at 0 and has no checkpoint: leave out alpha, w and checkpoint"
            )
        return solve_multinomial(problem, asked)
    if asked.method != "auto":
        require_memory(problem, asked.method)
    lone = checkpoint is None and not resume and w is None and asked.backend == "fast" and asked.threads == 1
    if lone and asked.callback is None and asked.draw is None and has_empty_columns(problem):
        require_memory(problem)  # of the whole answer
        found = solved_without(problem, lambda narrow: _solve_problem(narrow, asked, alpha, None, None, False))
        if found is not None:
            return found
    ahead: Ahead | None = None
    if asked.method == "auto" and alpha is w is checkpoint is None and not resume and not is_watched(asked):
        begun = _at_once(problem, asked)
        if isinstance(begun, Result):
            return begun
        ahead = begun
    (settings, portion, reason), *others = asked.plan(problem)
    require_memory(problem, settings.method)
    pair = None if w is None else (require_w(problem, alpha, w), alpha)
    if asked.method == "auto" and alpha is not None and not keeps_alpha(settings.method):
        alpha, reason = None, f"{reason}; it starts at 0, not from alpha"
    run = SolverRun(problem, settings.admitted(problem), settings, checkpoint, portion, others, asked.method == "auto")
    require_resumption(run.saved.file, resume, alpha)
    return run.result(run.until_done(alpha, pair, ahead), reason)


def _at_once(problem: Problem, asked: Settings) -> Result | Ahead | None:
    """``at_once`` for a problem that is short work for the method that auto chooses, or None."""
    settings, reason = asked.chosen(problem)
    driver = settings.driver(type(problem))
    if not driver.implementation.is_short(problem):
        return None
    require_memory(problem, settings.method)
    try:
        found = at_once(problem, settings, driver, reason)
    except KeyboardInterrupt:
        run = SolverRun(problem, driver, replace(settings, max_epochs=0))
        run.until_done(None)
        return run.result("interrupted", reason)
    require_unchanged(problem)
    return found


def require_w(problem: Problem, alpha: ArrayLike | None, w: ArrayLike) -> NDArray[np.float64]:
    """w as floats; ValueError unless it is d finite numbers that come with an alpha."""
    try:
        given = np.asarray(w, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"w must be {problem.d} finite numbers (got {w!r:.80})") from None
    if alpha is None or given.shape != (problem.d,) or not np.isfinite(given).all():
        raise ValueError(f"w must be {problem.d} finite numbers, given together with alpha (got shape {given.shape})")
    return given


def require_resumption(file: Checkpoint | None, resume: bool, alpha: ArrayLike | None) -> None:
    """Raise ValueError unless it is clear where the run starts."""
    if file is None:
        if resume:
            raise ValueError("resume needs a checkpoint to continue from: give its name")
        return
    if file.exists() and not resume:
        raise ValueError(f"checkpoint {file.path} exists; resume it, give another name, or delete it to start again")
    if file.exists() and alpha is not None:
        raise ValueError(f"the run starts at the checkpoint {file.path}: leave alpha out")
