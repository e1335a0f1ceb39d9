"""``prove(problem)``: an exact proof of the worst-case rate of a ``PEPit.PEP``, and an exact worst case."""

import math
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dualgap.extras.exact.cone import refusals
from dualgap.extras.exact.facts import Facts, Multipliers, facts_of, invisible, units_of, without
from dualgap.extras.exact.floats import one_thread
from dualgap.extras.exact.optimum import minimised
from dualgap.extras.exact.programs import Dual
from dualgap.extras.exact.roots import Number, Root
from dualgap.extras.exact.worst import Worst, feasible_point, ray, worst_case

ATTEMPTS = (
    (None, True),
    (None, False),
    (16, True),
    (16, False),
)  # bound of the multipliers, and whether to change units


@dataclass
class ExactProof:
    """A proof of metric <= tau, or the reason why there is none.

    Attributes
    ----------
    tau : the bound; None if it was not proved.
    how : "exact optimum", "margin 2^k" or "central path" for a bound that is slightly larger than the optimum, or the
        step that failed.
    facts, multipliers : the facts and the multipliers of the proof.
    worst : function values and a Gram matrix that satisfy all facts; their metric is ``lower``.
    ray : a direction of such values along which the metric grows without end: then no bound is true. ``worst`` is then
        a feasible point.
    notes : what the statement depends on, such as square roots that were rounded.
    """

    tau: Fraction | None
    facts: Facts
    how: str
    multipliers: Multipliers | None = None
    worst: Worst | None = None
    ray: Worst | None = None
    lower_how: str = ""
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def lower(self) -> Fraction | None:
        """The metric that ``worst`` attains."""
        return self.worst[0][self.facts.metric] if self.worst else None


def prove(problem: Any, lower: bool = False, seconds: float = 60.0) -> ExactProof:
    """Prove the smallest bound of a PEP that can be proved exactly.

    Parameters
    ----------
    problem : a ``PEPit.PEP`` or its ``Facts``; it need not be solved.
    lower : whether to look for an exact worst case, too.
    seconds : when to stop trying, for each end.

    Returns
    -------
    ExactProof
        With ``ray`` if nothing was proved and the metric is shown to be unbounded.
    """
    facts = problem if isinstance(problem, Facts) else facts_of(problem)
    start = time.monotonic()
    with one_thread():
        proof = _best_attempt(facts, start + seconds)
        if proof.tau is None:
            proof.ray, proof.lower_how = ray(facts)
            proof.worst = feasible_point(facts) if proof.ray else None
        elif isinstance(proof.tau, Root):
            facts.root = proof.tau.d
        if lower and proof.tau is not None:
            proof.worst, proof.lower_how = worst_case(facts, seconds=seconds)
    proof.notes = [*facts.notes, *proof.notes]
    proof.seconds = time.monotonic() - start
    return proof


def _best_attempt(facts: Facts, deadline: float) -> ExactProof:
    """Return the smallest bound of up to four attempts; the first counts if its floats converged."""
    best = ExactProof(None, facts, "there was no time for an attempt")
    small = without(facts, invisible(facts))
    original = Dual(small)
    for cap, changed in ATTEMPTS:
        units = units_of(small, changed)
        dual = Dual(units.scaled(small), cap)
        found = minimised(dual.cone, Fraction(2) ** units.values[facts.metric], deadline)
        if found.point:
            multipliers = units.multipliers(dual.multipliers(found.point), facts.metric)
            if found.how != "exact optimum":
                multipliers.raise_tau(rounded_up(multipliers.tau))
            refused = refusals(original.cone, original.point(multipliers))
            if refused and best.tau is None:
                best = ExactProof(None, facts, "; ".join(refused), notes=found.notes)
            elif not refused and (best.tau is None or multipliers.tau < best.tau):
                notes = [*([f"multipliers are at most {cap}"] if cap else []), *found.notes]
                best = ExactProof(multipliers.tau, facts, found.how, multipliers, notes=notes)
        elif best.tau is None:
            best = ExactProof(None, facts, "; ".join(found.why), notes=found.notes)
        if (found.polished and best.tau is not None) or time.monotonic() > deadline:
            break
    return best


def rounded_up(tau: Number) -> Fraction:
    """Return tau, rounded up to twelve significant digits if its denominator is long."""
    tau = tau.above() if isinstance(tau, Root) else tau
    if tau.denominator <= 10**9:
        return Fraction(tau)
    scale = 10 ** max(3, 11 - int(np.floor(np.log10(abs(float(tau))))))
    return Fraction(math.ceil(tau * scale), scale)
