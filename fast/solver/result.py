"""The result of ``solve``: the best certified pair, a status with one sentence of advice, and the history."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.certificate import Certificate
from dualgap.reference import all_methods
from dualgap.reference.numbers.shown_bound import shown_bound

ADVICE = {
    "converged": "P(w) - min P <= gap_bound <= {target:.3g} is certified.",
    "max_epochs": (
        "{epochs} passes were not enough for gap <= {target:.3g} (reached {bound}): raise max_epochs{resume}{hints}."
    ),
    "max_seconds": (
        "The time was up after {epochs} passes, before gap <= {target:.3g} (reached {bound}): raise "
        "max_seconds{resume}{hints}."
    ),
    "interrupted": "Interrupted after {epochs} passes (reached {bound}, asked for {target:.3g}): run it again{resume}.",
    "diverged": "The iterates grow without bound{cause}. The best earlier pair is returned.",
    "rounding": (
        "The gap is at the level of rounding: what doubles can certify at this pair is {certified}, not "
        "{target:.3g}; raise tol, or scale the data (equal rows of opposite labels and large entries cancel)."
    ),
    "stalled": (
        "The gap no longer falls (reached {bound}, asked for {target:.3g}): with mode='unchecked', the method cycles,"
        " so use method='sdca'; or threads of passcode-wild have lost writes, so use method='passcode-atomic'."
    ),
}
STATUSES = tuple(ADVICE)
TOO_SMALL = (
    "lam is too small for this method; use mode='paper', which checks its hypothesis, a larger lam, or method='sdca',"
    " which holds for every lam"
)


class Entry(NamedTuple):
    """One certificate of a run."""

    epochs: int  # passes made so far
    seconds: float  # since the start
    primal: float
    dual: float
    gap: float
    gap_bound: float  # >= P(w) - min P, see ``dualgap.fast.problem.gap_bound``


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome of ``solve``; w, alpha, primal, dual, gap and gap_bound are those of its certificate.

    Attributes
    ----------
    certificate : of the pair with the smallest gap_bound among all that were certified
    status : "converged", "max_epochs", "max_seconds", "interrupted", "diverged", "rounding" or "stalled"
    advice : one sentence
    history : one Entry for each certificate; the first is that of the start, unless the first passes were enough
        (``at_once``)
    epochs : passes over the data; seconds : wall time, certificates included
    method, backend, mode, order, seed, tol, rtol, threads : what was run
    notes : what the method had to say about the problem before the run: why no theorem says that it converges
    reason : of method "auto", why this method was chosen
    perturbed : of passcode-wild on several threads, the certificate of the last pair (w, alpha) that they maintained
        for the problem which that pair solves; see ``dualgap.fast.methods.passcode.perturbed``
    seconds : wall time, certificates included

    Raises
    ------
    ValueError
        The status is "converged" and the certificate does not meet the tolerance.
    """

    certificate: Certificate
    status: str
    advice: str
    history: tuple[Entry, ...]
    epochs: int
    seconds: float
    method: str
    backend: str
    mode: str
    order: str
    seed: int
    tol: float
    rtol: float
    threads: int = 1
    perturbed: Certificate | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)} (got {self.status!r})")
        if self.status == "converged" and not self.certificate.meets(self.tol, self.rtol):
            target = self.certificate.target(self.tol, self.rtol)
            raise ValueError(f"no result is converged with gap_bound {self.certificate.gap_bound} above {target}")

    @property
    def replayable(self) -> bool:
        """Return whether the same call gives a bit-identical result again: on one thread it does."""
        return self.threads == 1

    @property
    def w(self) -> Array:
        """(d,), read-only."""
        return self.certificate.w

    @property
    def intercept(self) -> Any:
        """b of an InterceptProblem, (K,) of a MultinomialProblem, else None."""
        return self.certificate.intercept

    @property
    def alpha(self) -> Any:
        """(n,), read-only; of a BlockProblem see ``Certificate``."""
        return self.certificate.alpha

    @property
    def primal(self) -> float:
        """P(w)."""
        return self.certificate.primal

    @property
    def dual(self) -> float:
        """D(alpha)."""
        return self.certificate.dual

    @property
    def gap(self) -> float:
        """P(w) - D(alpha) as computed."""
        return self.certificate.gap

    @property
    def gap_bound(self) -> float:
        """>= P(w) - min P, whatever was rounded."""
        return self.certificate.gap_bound


def keeps_alpha(method: str) -> bool:
    """Return whether that method can start from an alpha. What "auto" chooses may not: then ``solve`` starts at 0.
    Unknown names are refused elsewhere.
    """
    return bool(getattr(all_methods().get(method), "resumable", True))


def advise(
    status: str,
    best: Certificate,
    target: float,
    epochs: int,
    resumable: bool = True,
    broken: tuple[str, ...] | None = (),
    hints: tuple[str, ...] = (),
) -> str:
    """The sentence that goes with a status; resumable: whether the method can start from an alpha; broken: what the
    method needs and the run does not have, None for a checked run that lacks nothing; hints: ``causes``.
    """
    if status == "converged":
        return ADVICE[status].format(target=target)
    resume = (
        ", or continue from alpha=result.alpha" if resumable else " (it starts at 0 and cannot continue from an alpha)"
    )
    cause = "; use method='sdca'" if broken is None else f": {' '.join(broken).rstrip('.') or TOO_SMALL}"
    bounded, told = math.isfinite(best.gap_bound), "".join(f"; {hint}" for hint in hints)
    bound = shown_bound(best.gap_bound) if bounded else "no certified gap"
    certified = f"P(w) - min P <= {bound}" if bounded else "nothing"
    return ADVICE[status].format(
        bound=bound, certified=certified, target=target, epochs=epochs, resume=resume, cause=cause, hints=told
    )
