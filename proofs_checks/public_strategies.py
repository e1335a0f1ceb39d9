"""Hypothesis strategies for other people's tests: losses, regularizers, problems, choice sequences and states.

They reach what random data do not: zero, equal and opposite rows, kinks, ratios of norms of a million, lam exactly at the
thresholds of the theorems.

>>> from hypothesis import given
>>> @given(exact_problems())
... def gap_is_nonnegative(problem):
...     alpha = [problem.zero] * problem.n
...     assert problem.P(problem.w(alpha)) >= problem.D(alpha)
>>> gap_is_nonnegative()
"""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.instance import Instance, Q, Qs
from dualgap.proofs_checks.strategies import GAMMAS, K_ANY, instances
from dualgap.reference import LOSSES, Loss, Method, Problem, Regularizer
from dualgap.reference.problem import Vector

RATIONAL = tuple(name for name, kind in LOSSES.items() if kind.rational)


def losses(names: Sequence[str] = tuple(LOSSES)) -> SearchStrategy[Loss]:
    """One of the losses of these names, gamma among 1, 1/2, 1/4 and 3 where it is free."""
    adjustable = [LOSSES[name](gamma) for name in names if LOSSES[name].adjustable for gamma in GAMMAS]
    return st.sampled_from([*adjustable, *(LOSSES[name]() for name in names if not LOSSES[name].adjustable)])


def regularizers(l1: bool = True) -> SearchStrategy[Regularizer]:
    """L2, and with ``l1`` elastic net; lam from 1e-6 to 100."""
    weights = Qs(0, 0, "1/10", 1) if l1 else Qs(0)
    return st.builds(Regularizer, st.sampled_from(Qs("1/1000000", "1/100", "1/3", 1, 100)), st.sampled_from(weights))


def _drawn(names: Sequence[str], l1: bool, max_n: int, max_d: int) -> SearchStrategy[Instance]:
    def inside(instance: Instance) -> Instance:
        clipped = tuple(max(Q(-1), min(Q(1), a)) for a in instance.alpha)
        return instance.but(alpha=clipped) if instance.loss == "absolute" else instance

    weights = Qs(0, 0, "1/10", 1) if l1 else Qs(0)
    return instances(K=K_ANY, l1=weights, losses=tuple(names), max_n=max_n, max_d=max_d, max_path=0).map(inside)


def problems(names: Sequence[str] = tuple(LOSSES), l1: bool = True, max_n: int = 4, max_d: int = 3) -> SearchStrategy[Problem]:
    """Problems over float, 1 <= n <= max_n, 1 <= d <= max_d."""
    return _drawn(names, l1, max_n, max_d).map(lambda instance: instance.problem(float))


def exact_problems(names: Sequence[str] = RATIONAL, l1: bool = True, max_n: int = 4, max_d: int = 3) -> SearchStrategy[Problem]:
    """The same over Fraction, for the losses that are rational (all but logistic)."""
    return _drawn(names, l1, max_n, max_d).map(lambda instance: instance.problem())


@st.composite
def choice_sequences(draw: DrawFn, /, method: Method[Any], problem: Problem, max_steps: int = 20) -> list[Any]:
    """Choices that the method can draw, step after step, each from ``method.choices`` at the state then reached."""
    state, sequence = method.init(problem), []
    for _ in range(draw(st.integers(0, max_steps))):
        choice = draw(st.sampled_from([choice for choice, probability in method.choices(problem, state) if probability > 0]))
        state = method.step(problem, state, choice)
        sequence.append(choice)
    return sequence


def states(method: Method[Any], problem: Problem, max_steps: int = 20) -> SearchStrategy[Any]:
    """States that the method can reach from its start."""
    return choice_sequences(method, problem, max_steps).map(lambda sequence: method.run(problem, sequence))


@st.composite
def dual_points(draw: DrawFn, /, problem: Problem) -> Vector:
    """alpha, shape (n,), in the domain of phi*: derivatives of the losses at drawn points."""
    points = st.integers(-64, 64).map(lambda k: problem.zero + k / (8 * (problem.zero + 1)))
    return [problem.loss.derivative(draw(points), y) for y in problem.y]
