"""Relations about the long run of a method: what its steps lead to, decided exactly.

``converges``, ``diverges`` and ``contracts`` are about steps that are affine in the state: squared loss with L2,
systems, bilinear games. They read the matrix off the method's own ``step``. ``approaches`` is about a finite number of
steps, and ``settles`` about periodic orbits; both take any method.
"""

from collections.abc import Iterator
from fractions import Fraction

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.relations import Le, Lt, Relation
from dualgap.proofs_checks.engines.spectra import (
    Matrix,
    characteristic,
    cycle,
    estimate,
    radius_beside,
    second_moments,
    step_matrices,
    transient,
)
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector


def converges(c: Context) -> Iterator[Relation]:
    """The states converge from every start: 1 > the spectral radius of the step, without the eigenvalues 1 of states
    that stay where they are.

    Parameters
    ----------
    c : the context, of a deterministic method whose step is affine in its state.
    """
    yield Lt(_radius(c), 1, "spectral radius")


def diverges(c: Context) -> Iterator[Relation]:
    """The states are unbounded from almost every start: 1 < the spectral radius of the step.

    Parameters
    ----------
    c : the context, of a deterministic method whose step is affine in its state.
    """
    yield Lt(1, _radius(c), "spectral radius")


def _radius(c: Context) -> Number:
    """A number that stands for the radius in each comparison with 1 (``radius_beside``); in floats an estimate."""
    matrices = step_matrices(c.method, c.problem, c.state)
    if len(matrices) != 1:
        raise ValueError(
            f"method {c.method.name} makes random choices, and converges and diverges are about methods that make none:"
            " say contracts"
        )
    A = matrices[0][1]
    return estimate(A, limits=True) if c.number is float else c.q(radius_beside(transient(A), Fraction(1)))


def contracts(c: Context, by: Number) -> Iterator[Relation]:
    """Two runs with the same choices approach each other: E||z_t - z_t'||^2 falls by the factor ``by`` a step, in the
    long run. With a common fixed point z' of all steps this is the rate of E||z_t - z'||^2. The two start from any
    states, also from those in which redundant fields contradict each other.

    Parameters
    ----------
    c : the context, of a method whose steps are affine in its state.
    by : the factor, > 0.
    """
    if not by > 0:
        raise ValueError(f"contracts needs a factor > 0 (got by = {by})")
    matrices = step_matrices(c.method, c.problem, c.state)
    if len(matrices) == 1:  # its square has the squares of its eigenvalues
        M = [row[:-1] for row in matrices[0][1][:-1]]
        columns, zero = list(zip(*M)), c.problem.zero
        moments: Matrix = [[sum((a * b for a, b in zip(row, column)), zero) for column in columns] for row in M]
    else:
        moments = second_moments(matrices)
    found = estimate(moments) if c.number is float else c.q(radius_beside(characteristic(moments), by))
    yield Le(found, by, "factor of E||z - z'||^2 in a step")


def approaches(c: Context, target: Vector, steps: int, by: Number) -> Iterator[Relation]:
    """After so many steps of a deterministic method ||w - target||^2 is at most ``by`` times what it was.

    Parameters
    ----------
    c : the context.
    target : w*, d numbers.
    steps : how many, > 0.
    by : the factor; the label of the relation shows it.
    """
    state = c.state
    for _ in range(steps):
        state = c.method.step(c.problem, state, c.method.choices(c.problem, state)[0][0])
    label = f"||w_{steps} - w*||^2, at most {by} ||w_0 - w*||^2"
    yield Le(_distance2(c.method.view(c.problem, state)[0], target), by * _distance2(c.iterate, target), label)


def settles(c: Context, longest: int = 12) -> Iterator[Relation]:
    """A deterministic method does not end in a periodic orbit. Where there is one, the relation is false, and its label
    has the period and the orbit, which was verified exactly. Where none is found it says nothing.

    Parameters
    ----------
    c : the context.
    longest : the longest period that is looked for.
    """
    found = None if c.number is float else cycle(c.method, c.problem, c.state, longest)
    if found is not None:
        points = [c.method.view(c.problem, state)[0] for state in found]
        orbit = ", ".join(f"({', '.join(map(str, point))})" for point in points)
        label = f"||w_t - w_t+1||^2 on a cycle of {len(points)} states, w = {orbit}"
        yield Le(max(map(_distance2, points, points[1:])), c.q(0), label)


def _distance2(one: Vector, other: Vector) -> Number:
    total: Number = 0
    for a, b in zip(one, other):
        total = total + (a - b) * (a - b)
    return total
