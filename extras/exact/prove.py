"""``prove(problem)``: an exact proof of the worst-case rate of a ``PEPit.PEP``, and an exact worst case."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dualgap.extras.exact.cone import ONE, ZERO, Form, Point, exact_point, refusals
from dualgap.extras.exact.faces import COARSE, SHARP, Inside, interior, near_zero, of_optimum, restricted, with_margin
from dualgap.extras.exact.facts import Facts, Multipliers, Units, facts_of, invisible, units_of, without
from dualgap.extras.exact.floats import Array, Floats
from dualgap.extras.exact.polish import Optimum, polish
from dualgap.extras.exact.programs import Dual
from dualgap.extras.exact.worst import Worst, feasible_point, ray, worst_case

USABLE = ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations", "NumericalError")


@dataclass
class ExactProof:
    """A proof of metric <= tau, or the reason why there is none.

    Attributes
    ----------
    tau : the bound; None if it was not proved.
    how : "exact optimum", "margin 2^k" or "ceiling 2^-k" for a bound that is slightly larger than the optimum, or the
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
    seconds : when to stop trying.

    Returns
    -------
    ExactProof
        With ``ray`` if nothing was proved and the metric is shown to be unbounded.
    """
    facts = problem if isinstance(problem, Facts) else facts_of(problem)
    with threadpool_limits(1):  # the matrices are small, and threads of BLAS only wait for each other
        return _proved(facts, lower, time.monotonic(), seconds)


def _proved(facts: Facts, lower: bool, start: float, seconds: float) -> ExactProof:
    best: ExactProof | None = None
    hidden = invisible(facts)
    small = without(facts, hidden)
    for cap, scaled in ((None, True), (None, False), (16, True), (16, False)):
        attempt = _Attempt(facts, small, hidden, units_of(small, scaled), cap, start + seconds)
        proof = attempt.proof()
        if best is None or (proof.tau is not None and (best.tau is None or proof.tau < best.tau)):
            best = proof
        if (attempt.polished and best.tau is not None) or time.monotonic() - start > seconds:
            break
    assert best is not None
    if best.tau is None:
        best.ray, best.lower_how = ray(facts)
        best.worst = feasible_point(facts) if best.ray else None
    elif lower:
        best.worst, best.lower_how = worst_case(facts)
    best.notes = [*facts.notes, *best.notes]
    best.seconds = time.monotonic() - start
    return best


class _Attempt:
    """One attempt at a proof, in given units and with a bound on the multipliers."""

    def __init__(
        self, facts: Facts, small: Facts, hidden: list[int], units: Units, cap: int | None, deadline: float
    ) -> None:
        self.facts, self.hidden, self.units, self.deadline, self.small = facts, hidden, units, deadline, small
        self.dual = Dual(units.scaled(small), cap)
        self.unit = Fraction(2) ** units.values[facts.metric]
        self.notes = [f"multipliers are at most {cap}"] if cap else []
        self.polished = False

    def proof(self) -> ExactProof:
        """Return the proof of this attempt."""
        dual = self.dual
        y, status = Floats(dual.cone).solve()
        if status not in USABLE:
            return ExactProof(None, self.facts, f"the solver found no multipliers ({status})")
        tau = float(y[dual.tau])
        inside = interior(dual.cone, tau + max(abs(tau), 1e-2), deadline=self.deadline)
        self.notes += inside.notes
        if inside.point is None:
            inside = Inside(dual.cone, Floats(dual.cone), None, inside.notes)
        y = inside.floats.solve()[0]
        optimum = polish(inside.floats, y)
        if optimum:
            self.polished, y = True, optimum.y
        tau = float(y[dual.tau])
        point, why = self._at_small_rational(inside, y, optimum)
        how = "exact optimum"
        if point is None and inside.point is not None:
            self.notes += why
            point, how, why = with_margin(inside, y if optimum else None, tau, self.deadline)
        if point and (refused := refusals(dual.cone, point)):
            point, why = None, refused
        if point is None:
            return ExactProof(None, self.facts, "; ".join(why), notes=self.notes)
        return self._finished(point, how)

    def _at_small_rational(self, inside: Inside, y: Array, optimum: Optimum | None) -> tuple[Point | None, list[str]]:
        """Return multipliers that prove exactly a small rational near the float optimum, on the face that floats
        suggest."""
        place, why = self.dual.tau, ["the optimum is not close to a small rational"]
        guess = small_rational(float(y[place]) * float(self.unit), optimum is not None)
        if guess is None:
            return None, why
        at_guess: Form = {place: ONE, None: -guess / self.unit}
        ceiling = float(y[place]) + max(abs(float(y[place])), 1e-2)
        for face in _faces(inside, y, optimum):
            if time.monotonic() > self.deadline:
                return None, [*why, "the time is over"]
            small = None if face is None else restricted(inside.cone, [*face, at_guess])
            if small is None:
                why = [f"at {guess} the face of the optimum is not recognised"]
                continue
            narrow = interior(small, ceiling, rounds=4, deadline=self.deadline)
            if narrow.point is None:
                why = [f"at {guess}: " + "; ".join(narrow.notes)]
                if optimum is None:
                    continue
            start = y if narrow.point is None else narrow.point
            point, why = exact_point(narrow.cone, narrow.floats.onto(start))
            if point and not refusals(inside.cone, point):
                return point, []
        return None, why

    def _finished(self, point: Point, how: str) -> ExactProof:
        """Return the proof about the facts in their own units.

        A long tau is rounded up to twelve digits; the difference is added to the multiplier of 1 >= 0.
        """
        found = self.units.multipliers(self.dual.multipliers(point), self.facts.metric)
        up = rounded_up(found.tau)
        found.inequalities[0] += up - found.tau
        found.tau = up
        original = Dual(self.small)
        assert not refusals(original.cone, original.point(found))
        return ExactProof(up, self.facts, how, found, notes=self.notes)


def _faces(inside: Inside, y: Array, optimum: Optimum | None) -> Iterator[list[Form] | None]:
    """Yield guesses of the face of the optimum."""
    if optimum:
        yield of_optimum(inside.cone, optimum)
    for threshold in (1e-9, 1e-7) if optimum else (1e-7, 1e-6, 1e-5, 1e-4, 1e-8):
        yield near_zero(inside.cone, inside.floats, y, threshold, SHARP if optimum else COARSE)


def small_rational(x: float, sharp: bool) -> Fraction | None:
    """Return the first continued fraction that agrees with x to 12 digits (7 if not sharp) and is far shorter; or
    None."""
    close, bits = (2e-13, 36) if sharp else (2e-8, 16)
    if abs(x) < 1e-9:
        return ZERO
    rest, (h, k), (h1, k1) = Fraction(x), (1, 0), (0, 1)
    while True:
        whole = rest.numerator // rest.denominator
        h, h1, k, k1 = whole * h + h1, h, whole * k + k1, k
        if abs(h).bit_length() + k.bit_length() > bits:
            return None
        if abs(Fraction(h, k) - Fraction(x)) < close * abs(x):
            return Fraction(h, k)
        rest = 1 / (rest - whole)


def rounded_up(tau: Fraction) -> Fraction:
    """Return tau, rounded up to twelve significant digits if its denominator is long."""
    if tau.denominator <= 10**9:
        return tau
    digits = max(3, 11 - int(np.floor(np.log10(abs(float(tau))))) if tau else 12)
    scale = 10**digits
    return Fraction(-((-tau.numerator * scale) // tau.denominator), scale)
