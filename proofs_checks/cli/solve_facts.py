"""The report of ``dualgap solve``: the facts of ``--json``, and the lines that are printed."""

import math
from typing import TYPE_CHECKING

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.reference.numbers.shown_bound import shown_bound

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.fast.solver.result import Result
    from dualgap.reference import Problem

LONG_ROWS = 100.0  # the squared norm above which scaling is advised
STOPPED = ("max_epochs", "max_seconds")  # the statuses of runs for which fewer passes would have been enough
BEYOND = "nothing is certified: the bound is beyond the range of a float; scale the data, or take smaller parameters"


class Joined:
    """The name, preparation and size of data in partitions."""

    def __init__(self, partitions: list[str], problem: "Problem") -> None:
        from dualgap.fast.data.memory_mapped import open_mapped

        told = [open_mapped(name) for name in partitions]
        self.name, self.preparation = (
            f"{len(told)} partitions, {partitions[0]} to {partitions[-1]}",
            told[0].preparation,
        )
        self.nnz = sum(int(part.facts["nnz"]) for part in told)


def solve_facts(dataset: "Dataset | Joined", problem: "Problem", result: "Result") -> Json:
    """Return the record that --json prints. smallest_lam: the least lam of aspdc in mode paper, and in mode sharp
    (excluded), for p None."""
    import numpy as np

    from dualgap.fast.problem.arrays import arrays

    R2, n, gamma = float(arrays(problem).R2), problem.n, float(problem.gamma)
    p, ball = (getattr(problem.regularizer, name, None) for name in ("p", "ball"))
    boundary = R2 / (n * gamma) if gamma > 0 and p is None and problem.loss.name != "softmax" else None
    return {
        "method": result.method,
        "loss": problem.loss.name,
        "lam": float(problem.regularizer.lam),
        "n": n,
        "d": problem.d,
        "nnz": _nonzeros(dataset),
        "primal": result.primal,
        "dual": result.dual,
        "gap": result.gap,
        "gap_bound": result.gap_bound,
        **({} if result.intercept is None else {"intercept": np.asarray(result.intercept).tolist()}),
        "epochs": result.epochs,
        "seconds": result.seconds,
        "status": result.status,
        "seed": result.seed,
        "backend": result.backend,
        "data": dataset.name,
        "preparation": list(dataset.preparation),
        "gamma": gamma,
        "l1": float(problem.regularizer.l1),
        "non_negative": problem.regularizer.family == "non-negative",
        "p": p,
        "ball": ball,
        "tol": result.tol,
        "rtol": result.rtol,
        "mode": result.mode,
        "order": result.order,
        "reason": result.reason,
        "R2": R2,
        "smallest_lam": None if boundary is None else {"paper": 4 * boundary, "sharp": boundary},
        "threads": result.threads,
        "replayable": result.replayable,
        "perturbation": _perturbation(result),
        "notes": list(result.notes),
        "advice": result.advice
        + ("" if "Scale the columns" in result.advice else _scaling(dataset, R2, result.status)),
        "history": [entry._asdict() for entry in result.history],
    }


def _scaling(dataset: "Dataset | Joined", R2: float, status: str) -> str:
    """Advice to scale data with long rows, where a run has not met its tolerance."""
    from dualgap.fast.data.memory_mapped import Mapped

    scaled = any("norm" in words or "deviation" in words for words in dataset.preparation)
    if status not in STOPPED or scaled or R2 <= LONG_ROWS:
        return ""
    if isinstance(dataset, Joined):
        way = "write the partitions again with dualgap new data FILE --map DIR --parts K --unit-rows"
    elif isinstance(dataset, Mapped):
        way = "write the folder again with dualgap new data FILE --map DIR --unit-rows"
    elif hasattr(dataset.X, "indptr"):
        way = "scale the rows with --unit-rows"
    else:
        way = "scale the data with --unit-rows or --standardize"
    return f" The longest row has norm {R2**0.5:.3g}. The longer the rows, the more passes are needed: {way}."


def _nonzeros(dataset: "Dataset | Joined") -> int:
    """Entries other than zero; of mapped data as they were counted when they were written."""
    if isinstance(dataset, Joined):
        return dataset.nnz
    import numpy as np

    from dualgap.fast.data.memory_mapped import Mapped

    if isinstance(dataset, Mapped):
        return int(dataset.facts["nnz"])
    return int(np.count_nonzero(dataset.X.data if hasattr(dataset.X, "indptr") else dataset.X))


def _perturbation(result: "Result") -> dict[str, float] | None:
    """Return ||w(alpha) - w|| for the pair of PASSCoDe-Wild, and its gap, with a bound, for the problem that it
    solves."""
    if result.perturbed is None:
        return None
    import numpy as np

    from dualgap.fast.problem.objective import Objective

    found = result.perturbed
    eps = Objective(result.certificate.problem).w(found.alpha) - found.w
    return {"norm": float(np.sqrt((eps * eps).sum())), "gap": found.gap, "gap_bound": found.gap_bound}


def _compilation(facts: Json) -> str:
    """Name the compilation of kernels if it is a noticeable part of the time.

    >>> _compilation({"compile_seconds": 7.3, "seconds": 7.39}), _compilation({"compile_seconds": 0.1, "seconds": 7.0})
    (', up to 7.30 s of them to compile or load kernels', '')
    """
    spent = min(facts["compile_seconds"], facts["seconds"])
    return f", up to {spent:.2f} s of them to compile or load kernels" if spent > facts["seconds"] / 10 else ""


def pairs_of(facts: Json) -> list[tuple[str, str]]:
    """The result as one reads it, what was done to the data first."""
    least, allowed = facts["smallest_lam"], ""
    if least:
        allowed = f"; aspdc needs lam >= {least['paper']:.4g} (mode paper), > {least['sharp']:.4g} (mode sharp)"
    asked = [f"gap <= {facts['tol']:g}"] if facts["tol"] or not facts["rtol"] else []
    asked += [f"gap <= {facts['rtol']:g} |primal|"] if facts["rtol"] else []
    relative = f", {facts['gap'] / abs(facts['primal']):.3g} of |primal|" if facts["primal"] else ""
    penalty = f"l1 {facts['l1']:g}" if facts["p"] is None else f"p {facts['p']:g}"
    penalty += "" if facts["ball"] is None else f", ball {facts['ball']:g}"
    constants = f"(gamma {facts['gamma']:g}), lam {facts['lam']:g}, {penalty}, R^2 = {facts['R2']:.6g}"
    settings = ", ".join(f"{name} {facts[name]}" for name in ("mode", "order", "seed", "backend", "threads"))
    settings += "" if facts["replayable"] else " (cannot be replayed)"
    lost = facts["perturbation"]
    bounded = (
        f"; gap <= {shown_bound(lost['gap_bound'])} for the problem so perturbed"
        if lost and math.isfinite(lost["gap_bound"])
        else ""
    )
    return [
        ("data", f"{facts['data']}: {facts['n']} rows, {facts['d']} columns, {facts['nnz']} nonzeros"),
        *(("", sentence) for sentence in facts["preparation"]),
        ("problem", f"{facts['loss']} {constants}{allowed}"),
        ("method", f"{facts['method']}, {settings}"),
        *([("", f"chosen because {facts['reason']}")] if facts["reason"] else []),
        *([("intercept", repr(facts["intercept"]))] if "intercept" in facts else []),
        ("primal", repr(facts["primal"])),
        ("dual", repr(facts["dual"])),
        ("gap", f"{facts['gap']:.6g}{relative} (asked for {' or '.join(asked)})"),
        (
            "",
            (
                f"certified, roundings included: P(w) - min P <= {shown_bound(facts['gap_bound'], 6)}"
                if math.isfinite(facts["gap_bound"])
                else BEYOND
            ),
        ),
        ("passes", f"{facts['epochs']} in {facts['seconds']:.2f} s{_compilation(facts)}"),
        *([("lost writes", f"||w(alpha) - w|| = {lost['norm']:.3g}{bounded}")] if lost else []),
        ("status", f"{facts['status']}: {facts['advice']}"),
    ]
