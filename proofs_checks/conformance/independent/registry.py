"""The independent implementation, whole: every call and every method; see ``losses``. Other people's methods and losses
are entered here.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.baselines import BaselineMethods
from dualgap.proofs_checks.conformance.independent.dual import DualMethods
from dualgap.proofs_checks.conformance.independent.losses import INTERVALS, Interval, Vector
from dualgap.proofs_checks.conformance.independent.methods import Methods, Problem, Rule, Rules
from dualgap.proofs_checks.conformance.independent.norms import MoreFormulas
from dualgap.proofs_checks.conformance.independent.primal import PrimalMethods


class Independent(BaselineMethods, PrimalMethods, MoreFormulas):
    """Every call."""

    rules: ClassVar[Rules] = {**Methods.rules, **DualMethods.rules, **PrimalMethods.rules, **BaselineMethods.rules}

    def smallest(self, p: Problem, u: Vector) -> Vector:
        return self.shortest(p["lam"], p["p"], p.get("ball"), u) if "p" in p else super().smallest(p, u)


def register_independent_method(name: str, init: Rule, step: Rule, view: Rule) -> None:
    """Enter a method, by names of ``Independent`` (``"dual_start"``) or functions ``(implementation, method, problem,
    parameters, ...)``.

    Written from the paper, not from the reference: the two must agree before a vector ships. Raises ValueError for a
    name that is taken.

    Parameters
    ----------
    name : of the method in the reference.
    init : the state at the start.
    step : the state after a choice.
    view : the pair (w, alpha) of a state.
    """
    if name in Independent.rules:
        raise ValueError(f"the independent implementation has method {name!r} already: choose another name")
    Independent.rules[name] = (init, step, view)


def register_independent_loss(name: str, interval: Callable[[Fraction], Interval]) -> None:
    """Enter a loss with phi*(a) = y a + (gamma/2) a^2 on the interval of y, from which all its formulas follow.

    Raises ValueError for a name that is taken.

    Parameters
    ----------
    name : of the loss in the reference.
    interval : of the label y to the two ends of the domain of alpha; None for an end that is infinite.
    """
    if name in INTERVALS:
        raise ValueError(f"the independent implementation has loss {name!r} already: choose another name")
    INTERVALS[name] = interval
