"""Run released solvers on the tiny problems.

Question A: is the documented claim about an answer true? This is decided in exact arithmetic. Question B: how far is an
answer that is reported as converged from the optimum, P(w) - min P in units of P(0)? Only A has a verdict.
"""

import pathlib
import platform
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, partial
from statistics import median
from typing import NamedTuple

import numpy as np

from dualgap.extras.released_solvers.environments import environment
from dualgap.extras.released_solvers.problems import COUNT, SEED, Draft, Vector, drafts, size_of, smaller
from dualgap.extras.released_solvers.promises import CLAIMS, Case, Claim, Held, judged
from dualgap.extras.released_solvers.table import RELEASED, Released, released
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.parallel import in_order
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.solvers.command_solver import CommandSolver, NoAnswer
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.reference import LOSSES, Interval
from dualgap.reference.numbers.arithmetic import Number

WITNESS_EPOCHS = 20_000
MOST_TRIALS = 400  # of smaller problems
SEEDS = 20
FAR = Claim(
    "P(w) - min P, in units of P(0): a yardstick of ours", lambda c: c.gap(c.at_zero())._replace(slack=c.problem.zero)
)


class Fit(NamedTuple):
    """w, whether convergence is reported, and the reported numbers, exactly; or why there is no answer."""

    w: Vector
    converged: bool
    says: dict[str, Fraction]
    refused: str = ""
    seconds: float = 0.0


class Finding(NamedTuple):
    """One judged answer: claim to (its two sides, verdict), and the distance to the optimum in units of P(0)."""

    draft: Draft
    instance: Instance
    fit: Fit
    witness: tuple[Vector, Vector]
    claims: dict[str, tuple[Held | None, str]]
    far: tuple[float, float]


Ask = Callable[[Instance, int], Fit]


def asker(solver: CommandSolver) -> Ask:
    """A function that solves an instance by a program, at its default tolerance, with the numbers as doubles."""

    def ask(instance: Instance, seed: int) -> Fit:
        X = np.array([[float(x) for x in row] for row in instance.rows])
        gamma = None if instance.gamma is None else float(instance.gamma)
        try:
            w, _, converged = solver(
                X,
                [float(t) for t in instance.y],
                loss=instance.loss,
                lam=float(instance.lam),
                l1=float(instance.l1),
                gamma=gamma,
                tol=None,
                seed=seed,
            )
        except (ValueError, NoAnswer) as error:
            return Fit((), False, {}, str(error)[:200])
        if not np.isfinite(w).all():
            return Fit((), False, {}, "w is not finite")
        says = {name: Fraction(decode(text)) for name, text in solver.last.get("says", {}).items()}
        return Fit(
            tuple(map(Fraction, w.tolist())),
            converged,
            says,
            "",
            decode(solver.last["seconds"]) if "seconds" in solver.last else 0.0,
        )

    return ask


@lru_cache(maxsize=4096)
def witness(
    rows: tuple[Vector, ...], y: Vector, lam: Fraction, l1: Fraction, loss: str, gamma: Fraction | None
) -> tuple[Vector, Vector]:
    """(w', alpha'): the exact optimum if the loss is piecewise quadratic, else the result of a long run of SDCA."""
    instance = Instance(rows=rows, y=y, alpha=(Fraction(0),) * len(y), lam=lam, l1=l1, loss=loss, gamma=gamma)
    if LOSSES[loss].rational:
        exact = instance.problem()
        alpha = exact_optimum(exact)
        return tuple(exact.w(alpha)), tuple(alpha)
    from dualgap.fast import solve

    problem = instance.problem(float)
    result = solve(problem, "sdca", tol=1e-13 * problem.P([0.0] * problem.d), max_epochs=WITNESS_EPOCHS)
    return tuple(map(Fraction, result.w.tolist())), tuple(map(Fraction, result.alpha.tolist()))


def judge(solver: Released, ask: Ask, draft: Draft, seed: int = 0) -> Finding:
    """Solve the problem and judge every claim. An answer that is not reported as converged has no claims."""
    instance = draft.instance(solver.loss, solver.net)
    fit = ask(instance, seed)
    if fit.refused:
        return Finding(draft, instance, fit, ((), ()), {}, (0.0, 0.0))
    found = witness(instance.rows, instance.y, instance.lam, instance.l1, instance.loss, instance.gamma)
    case_in = partial(case_of, instance, fit.w, Fraction(solver.tol), fit.says, found)
    claims = {name: judged(CLAIMS[name].held, case_in, solver.loss) for name in solver.claims} if fit.converged else {}
    return Finding(draft, instance, fit, found, claims, _distance(judged(FAR.held, case_in, solver.loss)[0]))


def case_of(
    instance: Instance, w: Vector, tol: Fraction, says: dict[str, Fraction], pair: tuple[Vector, Vector], number: type
) -> Case:
    """The answer as a claim sees it, in one kind of numbers."""
    best, alpha = ([number(v) for v in vector] for vector in pair)
    return Case(instance.problem(number), [number(w_j) for w_j in w], tol, says, (best, alpha))


def _distance(held: Held | None) -> tuple[float, float]:
    """Lower and upper end in units of P(0), or as they are where that is 0, for display."""
    if held is None:
        return 0.0, float("inf")
    low, high, unit = (as_float(v) for v in held[:3])
    return max(low, 0.0) / (unit or 1.0), high / (unit or 1.0)


def as_float(value: Number) -> float:
    """For display; an interval by its middle."""
    return float(value.midpoint() if isinstance(value, Interval) else value)


def shrink(solver: Released, ask: Ask, found: Finding, claim: str) -> Finding:
    """A smaller problem on which the claim is also false: rows and columns are dropped, and numbers simplified."""
    trials, again = 0, True
    while again:
        again = False
        for draft in smaller(found.draft, solver.margin):
            trials += 1
            if trials > MOST_TRIALS:
                return found
            finding = judge(solver, ask, draft)
            if finding.claims.get(claim, (None, ""))[1] == "false":
                found, again = finding, True
                break
    return found


# -- all problems -----------------------------------------------------------------------------------------------------


def audit_released(
    names: Iterable[str] = (),
    count: int = COUNT,
    seed: int = SEED,
    out: str | pathlib.Path | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
) -> Json:
    """Audit solvers, by their names or by those of their environments (default: all).

    Parameters
    ----------
    count, seed : of the problems; the same for all solvers of one kind of labels.
    out : folder for the replay files.
    progress : called as progress(name, done, total).
    jobs : solvers at a time (``claims.parallel.usable``).

    Raises
    ------
    ValueError
        An unknown name.
    """
    chosen = select(names)

    def watch(name: str, done: int) -> None:
        if progress:
            progress(name, done, len(chosen))

    rows = in_order(partial(row_of, count=count, seed=seed), chosen, jobs, watch)
    if out is not None:
        for row in rows:
            write_examples(row, pathlib.Path(out))
    machine = {
        "system": "-".join((platform.system(), platform.machine(), "".join(platform.libc_ver()))),
        "python": platform.python_version(),
    }
    return {"schema": 2, "problems": count, "seed": seed, "machine": machine, "rows": rows}


def select(names: Iterable[str]) -> list[str]:
    """Solvers by name or environment, each once; ==VERSION for that version. Raises ValueError for an unknown one."""
    found: dict[str, None] = {}
    for name in names:
        base, other, version = name.partition("==")
        meant = [one.name + other + version for one in RELEASED.values() if base in (one.name, one.environment)]
        if not meant:
            raise ValueError(
                f"unknown estimator {name!r}; known: {'; '.join(RELEASED)}; or all of one environment by its name"
            )
        found.update(dict.fromkeys(meant))
    return list(found or RELEASED)


def write_examples(row: Json, folder: pathlib.Path) -> None:
    """Write a replay file for the smallest example of each false claim of a row, and add its name to the row."""
    from dualgap.extras.released_solvers import replay

    for said in row.get("claims", ()):
        if "smallest" in said:
            said["replay"] = str(replay.write(folder, said["smallest"]))


def row_of(name: str, count: int = COUNT, seed: int = SEED) -> Json:
    """One solver on all its problems, as plain data."""
    solver = released(name)
    home = environment(solver.environment)
    row: Json = {
        "name": solver.name,
        "environment": home.name,
        "loss": solver.loss,
        "net": solver.net,
        "tol": solver.tol,
        "says": solver.converged,
        "skipped": home.missing,
    }
    if home.missing:
        return row
    try:
        with CommandSolver(home.command(solver.setting), home.seconds) as program:
            return (
                row
                | {"version": program.port.about["version"]}
                | rows_of_findings(solver, asker(program), min(count, most(solver)), seed)
            )
    except Unreachable as reason:
        return row | {"skipped": str(reason)[:200]}


def most(solver: Released) -> int:
    """The largest number of problems. Intervals of exp and log take a hundred times as long as fractions."""
    return solver.count or (COUNT if LOSSES[solver.loss].rational else COUNT // 3)


def rows_of_findings(solver: Released, ask: Ask, count: int, seed: int) -> Json:
    """The counts of all claims, the smallest examples, and the distances."""
    from dualgap.extras.released_solvers import replay

    found = [judge(solver, ask, draft) for draft in drafts(count, seed, solver.margin)]
    stopped = [f for f in found if f.fit.converged]
    row: Json = {
        "asked": count,
        "converged": len(stopped),
        "refused": sum(bool(f.fit.refused) for f in found),
        "claims": [],
        "seconds": sum(f.fit.seconds for f in found),
        "far": distances(stopped or [f for f in found if not f.fit.refused], solver.tol),
    }
    for name in solver.claims:
        verdicts = [f.claims[name][1] for f in stopped]
        wrong = [f for f in stopped if f.claims[name][1] == "false"]
        said: Json = {
            "claim": name,
            "words": CLAIMS[name].words,
            **{v: verdicts.count(v) for v in ("true", "false", "undecided")},
        }
        ratios = [r for r in (ratio(f.claims[name][0]) for f in wrong) if r is not None]
        said["worst"] = max(ratios, default=None)
        if wrong:
            smallest = shrink(solver, ask, min(wrong, key=lambda f: size_of(f.draft)), name)
            again = [judge(solver, ask, smallest.draft, s) for s in range(SEEDS)]
            said["seeds"] = [sum(f.claims.get(name, (None, ""))[1] == "false" for f in again), SEEDS]
            said["smallest"] = replay.to_json(solver, smallest, name)
        row["claims"].append(said)
    return row


def ratio(held: Held | None) -> float | None:
    """The left side divided by the right side, for display; None if the right side is 0."""
    if held is None or as_float(held.allowed) <= 0:
        return None
    return as_float(held.low) / as_float(held.allowed)


def distances(found: list[Finding], tol: float) -> Json:
    """Certified lower bounds of (P(w) - min P)/P(0), how many exceed tol: our measure, not a claim of the solver."""
    lows = sorted(f.far[0] for f in found)
    if not lows:
        return {}
    return {
        "median": median(lows),
        "nine_in_ten": lows[9 * len(lows) // 10],
        "largest": lows[-1],
        "above_tol": sum(low > tol for low in lows) if tol else None,
        "each": lows,
    }
