"""On how many of 300 tiny problems an estimator says that it has converged and has not, with exact numbers.

For each problem there is a witness: a pair (w', alpha') of our own, optimal in exact arithmetic where the loss allows it,
else the best that a solver gives. Whatever made it, P(w) - P(w') <= P(w) - min P <= P(w) - D(alpha'), all three taken at
the numbers that the estimator was given and returned, as the rationals that they are. Convergence is

    false      when P(w) - P(w') exceeds what it claims,
    true       when P(w) - D(alpha') does not,
    undecided  otherwise.

The smallest problem on which it is false, after rows and columns that are not needed are dropped, is kept as a replay file.
"""

import pathlib
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from dualgap.proofs_checks.auditing import replay_file
from dualgap.proofs_checks.auditing.replay_file import FALSE_CONVERGENCE, number_to_json
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.parallel import in_order
from dualgap.proofs_checks.claims.strict_json import rational, read_json
from dualgap.proofs_checks.conformance.solvers.sklearn_objectives import ESTIMATORS, Estimator, Fit, Rows, Vector
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.reference import LOSSES, Interval
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import decide
from dualgap.reference.problem.losses import losses

PROBLEMS = 300
SEED = 20261121
WITNESS_EPOCHS = 20_000
VERDICTS = ("true", "false", "undecided", "not claimed", "refused")


class Draft(NamedTuple):
    """A tiny problem before an estimator gives it its scale: rows, labels or targets, strength."""

    rows: Rows
    y: Vector
    strength: Fraction


class Bracket(NamedTuple):
    """below <= P(w) - min P <= above, and what convergence claims of it."""

    below: Number
    above: Number
    allowed: Number

    def verdict(self) -> str:
        """"false", "true" or "undecided". Raises Undecided where intervals are too wide."""
        return "false" if self.below > self.allowed else "true" if self.above <= self.allowed else "undecided"


@dataclass(frozen=True)
class EstimatorFinding:
    """One estimator on one problem; the bracket is None where it does not claim to have converged."""

    draft: Draft
    instance: Instance
    fit: Fit
    witness: tuple[Vector, Vector]
    verdict: str
    bracket: Bracket | None


# -- the problems -----------------------------------------------------------------------------------------------------


def drafts(count: int = PROBLEMS, seed: int = SEED, margin: bool = True) -> Iterator[Draft]:
    """n <= 8 rows of d <= 4 quarters, both labels, strengths 2^-8 to 2^3; some rows zero, equal, large or small.

    >>> [len(draft.rows) for draft in drafts(5, seed=1)]
    [3, 5, 6, 3, 5]
    """
    draw = random.Random(seed)
    for _ in range(count):
        n, d = draw.randrange(2, 9), draw.randrange(1, 5)
        rows = [tuple(Q(draw.randrange(-8, 9), 4) for _ in range(d)) for _ in range(n)]
        spoil = draw.randrange(6)
        if spoil == 0:
            rows[-1] = (Q(0),) * d
        if spoil == 1:
            rows[-1] = rows[0]
        if spoil in (2, 3):
            rows[-1] = tuple(x * (16 if spoil == 2 else Q(1, 16)) for x in rows[-1])
        signs = [Q(1), Q(-1), *(Q(draw.choice((-1, 1))) for _ in range(n - 2))]
        y = signs if margin else [Q(draw.randrange(-8, 9), 4) for _ in range(n)]
        yield Draft(tuple(rows), tuple(y), Q(2) ** draw.randrange(-8, 4))


# -- one problem ------------------------------------------------------------------------------------------------------


def judge(estimator: Estimator, draft: Draft) -> EstimatorFinding:
    """Fit, and hold what it claims against the exact bracket."""
    instance, fit = estimator.instance(*draft), estimator.attempt(*draft)
    if not fit.converged:
        return EstimatorFinding(draft, instance, fit, ((), ()), "refused" if fit.refused else "not claimed", None)
    witness = _witness(instance)
    found, verdict = bracket(estimator, instance, fit, witness)
    return EstimatorFinding(draft, instance, fit, witness, verdict, found)


def bracket(estimator: Estimator, instance: Instance, fit: Fit, witness: tuple[Vector, Vector]) -> tuple[Bracket | None, str]:
    """The exact bracket of P(w) - min P and its verdict; in intervals with as many digits as decide it, at most 160."""
    number = Fraction if LOSSES[instance.loss].rational else Interval

    def judged() -> tuple[Bracket, str]:
        problem = instance.problem(number)
        best, alpha = ([number(v) for v in vector] for vector in witness)
        primal = problem.P([number(w_j) for w_j in fit.w])
        allowed = estimator.allowed(estimator, problem, fit)
        found = Bracket(primal - problem.P(best), primal - problem.D(alpha), allowed)
        return found, found.verdict()

    return judged() if number is Fraction else decide(judged)[0] or (None, "undecided")


def _witness(instance: Instance) -> tuple[Vector, Vector]:
    """(w', alpha'), optimal where the loss is piecewise quadratic, else with the smallest gap of a long SDCA run."""
    if instance.loss in losses(smooth=True, rational=True):
        exact = instance.problem()
        alpha = exact_optimum(exact)
        return tuple(exact.w(alpha)), tuple(alpha)
    from dualgap.fast import solve

    problem = instance.problem(float)
    result = solve(problem, "sdca", tol=1e-12 * problem.P([0.0] * problem.d), max_epochs=WITNESS_EPOCHS)
    return tuple(map(Fraction, result.w.tolist())), tuple(map(Fraction, result.alpha.tolist()))


def size_of(draft: Draft) -> tuple[int, int, int]:
    """What "smallest" means: entries, then rows, then characters."""
    return len(draft.rows) * len(draft.rows[0]), len(draft.rows), len(str(draft))


def shrink(estimator: Estimator, found: EstimatorFinding) -> EstimatorFinding:
    """Rows and columns dropped, one at a time, for as long as the convergence stays false; both labels are kept."""
    for smaller in _smaller(found.draft):
        if len(set(smaller.y)) < 2 and LOSSES[estimator.loss].margin:
            continue
        finding = judge(estimator, smaller)
        if finding.verdict == "false":
            return shrink(estimator, finding)
    return found


def _smaller(draft: Draft) -> Iterator[Draft]:
    rows, y, strength = draft
    if len(rows) > 1:
        yield from (Draft(rows[:i] + rows[i + 1 :], y[:i] + y[i + 1 :], strength) for i in range(len(rows)))
    if len(rows[0]) > 1:
        yield from (Draft(tuple(row[:j] + row[j + 1 :] for row in rows), y, strength) for j in range(len(rows[0])))


# -- all problems -----------------------------------------------------------------------------------------------------


def audit_estimators(
    names: Iterable[str] = (), count: int = PROBLEMS, seed: int = SEED, out: str | pathlib.Path | None = None,
    progress: Callable[[str, int, int], None] | None = None, jobs: int | None = None,
) -> dict[str, Any]:
    """The report on estimators by name (all for none): an object with ``rows``, one for each.

    Parameters
    ----------
    count, seed : of the problems; the same for all estimators of one kind of labels.
    out : folder for the replay files.
    progress : called as progress(name, done, total).
    jobs : estimators at a time (``claims.parallel.usable``).

    Raises
    ------
    ValueError
        An unknown name.
    """
    chosen = list(names) or list(ESTIMATORS)
    if unknown := [name for name in chosen if name not in ESTIMATORS]:
        raise ValueError(f"unknown estimator {unknown[0]!r}; known: {'; '.join(ESTIMATORS)}")

    def watch(name: str, done: int) -> None:
        if progress:
            progress(name, done, len(chosen))

    rows = in_order(partial(_row, count=count, seed=seed, out=None if out is None else pathlib.Path(out)), chosen, jobs, watch)
    return {"schema": 1, "problems": count, "seed": seed, "versions": _versions(), "rows": rows}


def _row(name: str, count: int, seed: int, out: pathlib.Path | None) -> dict[str, Any]:
    estimator = ESTIMATORS[name]
    row: dict[str, Any] = {"name": estimator.name, "claim": estimator.claim, "tol": estimator.tol, "skipped": estimator.missing}
    if estimator.missing:
        return row
    found = [judge(estimator, draft) for draft in drafts(count, seed, LOSSES[estimator.loss].margin)]
    wrong = [finding for finding in found if finding.verdict == "false"]
    row |= {verdict.replace(" ", "_"): sum(f.verdict == verdict for f in found) for verdict in VERDICTS}
    row["converged"] = row["true"] + row["false"] + row["undecided"]
    ratios = [_ratio(f.bracket) for f in wrong if f.bracket is not None]
    row |= {"worst_ratio": max(ratios, default=None), "smallest": None, "replay": None}
    if wrong:
        smallest = shrink(estimator, min(wrong, key=lambda f: size_of(f.draft)))
        row["smallest"] = to_json(estimator, smallest)
        if out is not None:
            row["replay"] = str(write(out, estimator, smallest))
    return row


def _ratio(found: Bracket) -> float:
    """(P(w) - P(w'))/claim, for display; infinity where nothing is allowed."""
    below, allowed = (float(v.midpoint() if isinstance(v, Interval) else v) for v in (found.below, found.allowed))
    return below / allowed if allowed > 0 else float("inf")


def _versions() -> dict[str, str | None]:
    from importlib import metadata

    found: dict[str, str | None] = {}
    for name in ("numpy", "scikit-learn", "sklearn-contrib-lightning"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


# -- replay files -----------------------------------------------------------------------------------------------------


def to_json(estimator: Estimator, found: EstimatorFinding) -> dict[str, Any]:
    """A finding as plain exact data; nothing of the estimator is needed to judge it again."""
    assert found.bracket is not None
    return {
        "schema": 1, "kind": FALSE_CONVERGENCE, "estimator": estimator.name, "claim": estimator.claim, "tol": estimator.tol,
        "versions": _versions(), "instance": found.instance.to_json(), "w": [number_to_json(w_j) for w_j in found.fit.w],
        "witness": {"w": list(map(str, found.witness[0])), "alpha": list(map(str, found.witness[1]))},
        "reported": None if found.fit.reported is None else str(found.fit.reported),
        "bracket": _bracket_to_json(found.bracket),
    }


def _bracket_to_json(found: Bracket) -> dict[str, Any]:
    return {name: number_to_json(value) for name, value in zip(Bracket._fields, found)}


def write(folder: pathlib.Path, estimator: Estimator, found: EstimatorFinding) -> pathlib.Path:
    """Write ``false-convergence-<estimator>.json`` into the folder and return its path."""
    plain = "-".join("".join(c if c.isalnum() else " " for c in estimator.name).lower().split())
    folder.mkdir(parents=True, exist_ok=True)
    return replay_file.write(folder / f"{FALSE_CONVERGENCE}-{plain}.json", to_json(estimator, found))


def replay(path: str | pathlib.Path) -> tuple[dict[str, Any], Bracket, str, bool]:
    """The record of a replay file made anew, its bracket and verdict, and whether the file is the same in every field.

    Nothing of the estimator is needed. Raises ValueError for a file that is not such a record.
    """
    record = read_json(path)
    try:
        instance, estimator = Instance.from_json(record["instance"]), ESTIMATORS[record["estimator"]]
        w, reported = _rationals(item["exact"] for item in record["w"]), record["reported"]
        fit = Fit(w, True, None if reported is None else rational(reported))
        witness = _rationals(record["witness"]["w"]), _rationals(record["witness"]["alpha"])
        found, verdict = bracket(estimator, instance, fit, witness)
        versions = {str(name): str(version) for name, version in record["versions"].items() if version}
    except (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a record of a false convergence: {type(error).__name__}: {error}") from None
    if found is None:
        raise ValueError(f"{path}: 160 digits do not decide what it claims on its instance")
    draft = Draft(instance.rows, instance.y, instance.lam)
    again = to_json(estimator, EstimatorFinding(draft, instance, fit, witness, verdict, found)) | {"versions": record["versions"]}
    return again | {"versions": versions}, found, verdict, again == record


def _rationals(values: Iterable[str]) -> Vector:
    return tuple(map(rational, values))
