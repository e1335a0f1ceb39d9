"""Certified optima: a bracket D(alpha) <= min P <= P(w) for a loss and lam on prepared data.

Where a figure shows P(w) - P*, P* is the lower end D(alpha), so that what is shown is an upper bound of the truth, off
by at most the width of the bracket. A process computes each optimum once.
"""

from dataclasses import dataclass
from functools import cache

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs
from dualgap.reference import LOSSES, Problem

WIDTH, AIM = 1e-10, 1e-13  # of the bracket, relative to P: what a figure needs, and what is aimed at
MAX_SECONDS = 120.0


@dataclass(frozen=True)
class Setting:
    """The problem of an optimum: a loss with L2 on a data set, generator or file, prepared in this order.

    ``positive`` is for labels other than -1 and +1, as in ``runs.dataset``.
    """

    data: str
    lam: float
    loss: str = "smoothed-hinge"
    gamma: float | None = None
    positive: str = ""
    bias: bool = True
    unit_rows: bool = True

    def problem(self) -> Problem:
        """P, with its data."""
        loss = LOSSES[self.loss](self.gamma)
        return runs.problem_of(self.data, loss, self.lam, self.unit_rows, self.bias, self.positive)


@cache
def optimum(setting: Setting) -> Json:
    """The bracket as plain values, by SPDC, whose rate is the best here for small lam, or SDCA where SPDC is not
    defined. "dual" is the lower end.
    """
    from dualgap.fast import solve

    problem = setting.problem()
    method = "spdc" if problem.gamma > 0 else "sdca"
    runs.TimedRun(problem, method, seed=0).bound()  # compiled before the clock starts
    result = solve(problem, method, rtol=AIM, max_epochs=10**7, max_seconds=MAX_SECONDS)
    found, data = result.certificate, runs.short(setting.data)
    numbers = {name: getattr(found, name) for name in ("primal", "dual", "gap", "rounding")}
    by = f"{method}, {result.epochs} passes, {result.seconds:.1f} s"
    return {"data": data, "lam": setting.lam, **numbers, "relative": found.gap / abs(found.primal), "by": by}


def table(brackets: list[Json]) -> ex.Table:
    """The brackets that the figures use."""
    rows = [
        [
            one["data"],
            f"{one['lam']:g}",
            repr(one["dual"]),
            repr(one["primal"]),
            f"{one['gap']:.1e}",
            f"{one['relative']:.1e}" + f" (more than {WIDTH:g})" * (one["relative"] > WIDTH),
            f"{one['rounding']:.1e}",
            one["by"],
        ]
        for one in brackets
    ]
    columns = ["data", "lam", "D(alpha)", "P(w)", "gap", "relative", "rounding at most", "by"]
    return ex.Table("The minimum of P lies between D(alpha) and P(w)", columns, rows)
