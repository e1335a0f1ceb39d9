"""``solve``: run a method until a certificate meets the tolerance, or report why it stopped.

On one thread, runs with the same problem, method, seed and order are bit-identical, except for the measured seconds.
The two backends are also bit-identical to each other. On several threads the seed fixes each thread's choices but not
the result. The result is still certified: P, D and the gap are computed from the pair.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dualgap.fast.compiler.first_calls import interpreting
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import require_unchanged
from dualgap.fast.problem.losses import BUILT_IN
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.problem.native import in_own_context
from dualgap.fast.solver.auto import ONE_THRESHOLD
from dualgap.fast.solver.checkpoint import Checkpoint
from dualgap.fast.solver.groups import RULES, Save, Stop, spread
from dualgap.fast.solver.memory import require_memory
from dualgap.fast.solver.multinomial import solve_multinomial
from dualgap.fast.solver.parameters import require
from dualgap.fast.solver.result import Entry, Result, keeps_alpha
from dualgap.fast.solver.run import SolverRun
from dualgap.fast.solver.settings import Settings
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
    stop: Stop | str | None = None,
    save: Save | None = None,
    tol: float | None = None,
    rtol: float | None = None,
    max_epochs: int | None = None,
    max_seconds: float | None = None,
    seed: int = 0,
    order: str | None = None,
    mode: str = "paper",
    backend: str = "fast",
    callback: Callable[[Entry], object] | None = None,
    progress: Callable[[int, float], object] | None = None,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool | None = None,
    partitions: Sequence[Any] | None = None,
    loss: Loss | None = None,
    regularizer: Regularizer | None = None,
    cluster: object = None,
    draw: Callable[..., Any] | None = None,
    **method_options: object,
) -> Result:
    """Minimise P and maximise D until P(w) - min P <= tol is certified.

    Parameters
    ----------
    problem : Problem over float (``dualgap.reference.Problem``), a WeightedProblem, a BlockProblem, or a
        MultinomialProblem, for which method is auto or newton and the other options of a run are limits
    method : a name from ``kernels()``, or "auto", which chooses a method for the problem (``auto.choose``). The result
        has the chosen ``method`` and the ``reason``
    alpha : (n,) start in the domain of phi*, for example another result's alpha; default 0. A BlockProblem takes n
        blocks
    w : (d,), given together with alpha: a pair from an earlier run. It is certified first. If it meets the tolerance,
        no pass is made. The result is never worse than this pair
    stop : ``Stop(tol=..., rtol=..., max_epochs=..., max_seconds=...)``: when the run ends. Each can also be given by
        its own name. A text is the option ``stop`` of method aspdc-i
    save : ``Save(checkpoint=..., resume=...)``: where the run is saved. Each can also be given by its own name
    tol, rtol : >= 0; the run converges when gap_bound <= tol or gap_bound <= rtol |P|. The default of rtol is 0; that
        of tol is 1e-6, or 0 if rtol is given. A run ends with status "rounding" if doubles cannot certify the tolerance
    max_epochs : >= 0, by default 1000; passes, each of n steps or n evaluations of a single gradient
        (``reference.Method.passes``). A run ends before the draw that would exceed it: asdca begins with three passes,
        spd1-vr with about four; aspdc-i, svrg and afg take two at a time. Only aspdc-i can exceed it, by the moves of
        its centre within its last draw
    max_seconds : > 0, by default no limit; checked after every pass, and by Newton's method after every 10^8
        multiplications or product with the rows
    seed : >= 0; the choices of pass p depend only on (order, seed, p)
    order : the order in which a pass draws the rows: "uniform" (the default, which the theorems assume), "permuted",
        "cyclic" or "blocks", among others. Method "auto" chooses an order if none is given
    mode : "paper", "sharp" or "unchecked": which hypothesis of the method is enforced, or which of its constants is
        used
    backend : "fast" (compiled) or "reference" (readable and bit-identical, about a hundred times slower)
    callback : called with the Entry of every certificate; raise KeyboardInterrupt in it to stop
    progress : called after every pass with the number of passes and the seconds, for a display
    threads : 1 <= threads <= cores; only passcode-lock, passcode-atomic and passcode-wild take more than one
    checkpoint : a file to which the run is saved at every certificate and when it is interrupted, see ``checkpoint``
    resume : continue from that file if it exists. It must have been saved by the same run; only tol, rtol, max_epochs
        and max_seconds may differ. False by default
    partitions, loss, regularizer : used instead of problem by method "cocoa": the rows in parts, each a mapped
        folder, a pair (X, y) or a data set
    cluster : for partitions: a Dask client, cluster or address; default this process
    draw : a function that maps (implementation, problem, order, seed, pass) to the choices of a pass; it replaces the
        method's own ``choices``
    **method_options : options of the method, for example kappa, m, mix or p. For sdca and aspdc, storage = "full" (the
        default) or "compact", which at least halves the memory traffic of sparse rows. Its results differ in the last
        bits and have the same certificates (``dualgap.fast.methods.specialized.compact``)

    Returns
    -------
    Result
        The best pair that was certified, and a status. A run that does not converge returns a status and raises no
        exception; after KeyboardInterrupt the status is "interrupted".

    Raises
    ------
    ValueError
        An unknown name, a number out of range, or alpha outside the domain; a parameter that is given twice, by its
        name and in ``stop`` or ``save``; a checkpoint that is damaged or belongs to another run, or one that exists
        although ``resume`` is False.
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
    ('converged', True, 'sdca-shrinking')
    >>> solve(problem, stop=Stop(tol=1e-9, max_epochs=0)).status
    'max_epochs'
    """
    given = spread(
        {
            "stop": stop,
            "save": save,
            "tol": tol,
            "rtol": rtol,
            "max_epochs": max_epochs,
            "max_seconds": max_seconds,
            "checkpoint": checkpoint,
            "resume": resume,
        }
    )
    checkpoint, resume = given.pop("checkpoint"), given.pop("resume")
    method_options |= {"stop": given.pop("stop")} if "stop" in given else {}
    require(RULES, {"checkpoint": checkpoint, "resume": resume})
    asked = Settings(
        method,
        seed=seed,
        order=order,
        mode=mode,
        backend=backend,
        threads=threads,
        callback=callback,
        progress=progress,
        draw=draw,
        method_options=method_options,
        **{name: value for name, value in given.items() if value is not None},
    )
    if partitions is not None or cluster is not None:
        return _solve_partitions(
            problem, asked, partitions, loss, regularizer, cluster, checkpoint, bool(resume), alpha
        )
    if problem is None or loss is not None or regularizer is not None:
        raise ValueError(
            "solve needs a problem; loss and regularizer are for rows in partitions, given as partitions=[...]"
        )
    with interpreting(rounds_as_python(problem)):
        return _solve_problem(problem, asked, alpha, w, checkpoint, bool(resume))


def rounds_as_python(problem: Problem) -> bool:
    """Whether all kernels for a problem are bit-identical to Python on every machine: they use no function of the C
    library, such as the powers of a p-norm, and no formula of the user.
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
    (settings, portion, reason), *others = asked.plan(problem)
    require_memory(problem, settings.method)
    pair = None if w is None else (require_w(problem, alpha, w), alpha)
    if asked.method == "auto" and alpha is not None and not keeps_alpha(settings.method):
        alpha, reason = None, f"{reason}; it starts at 0, not from alpha"
    run = SolverRun(problem, settings.admitted(problem), settings, checkpoint, portion, others, asked.method == "auto")
    require_resumption(run.saved.file, resume, alpha)
    return run.result(run.until_done(alpha, pair), reason)


def _solve_partitions(
    problem: object,
    asked: Settings,
    partitions: Any,
    loss: object,
    regularizer: Any,
    cluster: Any,
    checkpoint: Any,
    resume: bool,
    alpha: ArrayLike | None,
) -> Result:
    """Run ``solve`` on rows in partitions. ValueError for arguments that need a problem."""
    if problem is not None or partitions is None or loss is None or regularizer is None:
        raise ValueError(
            "rows in partitions are given as solve(partitions=[...], loss=..., regularizer=..., method='cocoa'),"
            " without a problem"
        )
    able = {name: kind.solve_partitions for name, kind in kernels().items() if kind.solve_partitions}
    if asked.method != "auto" and asked.method not in able or not able:
        names = ", ".join(able) or "cocoa, which is not installed"
        raise ValueError(f"rows in partitions require method {names} (got {asked.method!r})")
    if alpha is not None:
        raise ValueError("a run over partitions starts at 0, or continues from its checkpoint: leave alpha out")
    file = None if checkpoint is None else Checkpoint(checkpoint, {})
    require_resumption(file, resume, None)
    method = next(iter(able)) if asked.method == "auto" else asked.method
    found: Result = able[method](partitions, loss, regularizer, replace(asked, method=method), cluster, checkpoint)
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
