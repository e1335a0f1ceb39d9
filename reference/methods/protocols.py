"""The interface of a user's own method, as typing.Protocols. Any class with these functions can be audited, whatever it
inherits from.

    dualgap.proofs_checks.audit(["aspdc.a17"], method=x)     needs AuditedMethod; its states AuditedState, and what a
    claim needs dualgap.proofs_checks.check_draw(x, problem)             needs DrawingMethod dualgap.fast.solve(problem,
    "name of x")                 needs Method (``base``), registered

A method without a dual returns None for alpha in ``view``. Claims that need alpha are then reported as not run.

>>> from dualgap.reference import method
>>> isinstance(method("sdca"), AuditedMethod), isinstance(method("sdca"), DrawingMethod), isinstance({}, AuditedMethod)
(True, True, False)
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from dualgap.reference.methods.sampling import Choices
from dualgap.reference.problem.problem import Problem, Vector


@runtime_checkable
class AuditedState(Protocol):
    """The complete state of a run. Two states with equal keys have the same future, so random paths that reach both are
    followed once.
    """

    def key(self) -> Hashable:
        """Equal for equal states, made of all fields. The audit does not see a field that is left out."""
        ...


@runtime_checkable
class DualAuditedState(AuditedState, Protocol):
    """The fields that claims about the stored pair need in addition to ``view``: v, shape (d,), with w = soft(v,
    l1/mu), and alpha, shape (n,).
    """

    v: Vector
    alpha: Vector


@runtime_checkable
class AuditedMethod(Protocol):
    """A method as an audit runs it: in Fractions or Intervals, so with ``+ - * /`` and comparisons alone."""

    def init(self, problem: Problem, alpha: Vector) -> Any:
        """The state before the first step; alpha, shape (n,), in the domain of phi* (of a system: x, shape (d,))."""
        ...

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Fraction]]:
        """Every random outcome of the next step with its exact probability; these are >= 0 and their sum is 1."""
        ...

    def step(self, problem: Problem, state: Any, choice: Any) -> Any:
        """The state after that outcome, a new one: ``state`` is left as it was."""
        ...

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Any]:
        """(w, alpha) of a state, shapes (d,) and (n,); (w, None) of a method without a dual."""
        ...


@runtime_checkable
class DrawingMethod(AuditedMethod, Protocol):
    """An audited method that also draws, as ``solve`` needs it: what it draws must have the law that ``choices``
    states.
    """

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        """The choices of one pass as an int64 array, from ``numpy.random.default_rng([seed, epoch])`` alone."""
        ...
