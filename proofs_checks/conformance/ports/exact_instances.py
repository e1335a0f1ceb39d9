"""Problems on which a float step makes no rounding, so that theorems about a port's own step can be checked exactly.

Every number of such an instance is dyadic, and the reference's float run from its start, and each of its next steps,
have the values of the run in Fractions. There the port's doubles are taken as the rationals they are, expectations are
sums over all choices of the port's own step, and an inequality of a proof holds or does not: no tolerance anywhere.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.reference import Method
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.problem.losses import losses

COORDINATES = Qs(0, 1, -1, "1/2", "-1/2", 2, "-3/2")
LENGTHS = (1, 2, 4)  # n: lam n stays dyadic
INSIDE = Qs(0, 1, "1/2", "1/4", "3/4")  # b = -y alpha
TARGETS = Qs(0, 1, -1, 2, "-1/2", 5)
SMOOTH = losses(smooth=True, rational=True)
LOSSES = {"aspdc": SMOOTH, "sdca": (*SMOOTH, *losses(smooth=False)), "spdc": SMOOTH}


def representable(value: Fraction) -> bool:
    """Whether a double has exactly this value."""
    return Fraction(float(value)) == value


def state_after(method: Method[Any], instance: Instance, number: NumberType) -> tuple[Any, Any]:
    """The problem in ``number`` and the state after the instance's path."""
    problem = instance.problem(number)
    state = method.init(problem, [number(a) for a in instance.alpha])
    return problem, method.run(problem, instance.path, state)


def rounds_nowhere(instance: Instance) -> bool:
    """Whether the instance's numbers, its path and all its next steps are the same in floats as in Fractions."""
    method = instance.reference_method()
    try:
        exact, at = state_after(method, instance, Fraction)
        rounded, near = state_after(method, instance, float)
        choices = [choice for choice, _ in method.choices(exact, at)]
        pairs = [(at, near), *((method.step(exact, at, c), method.step(rounded, near, c)) for c in choices)]
    except (ValueError, OverflowError):  # a root that is not rational: nothing exact to compare with
        return False
    given = (
        *instance.y,
        *instance.alpha,
        instance.lam,
        instance.l1,
        instance.gamma or Q(1),
        *(x for row in instance.rows for x in row),
    )
    return all(representable(v) for v in given) and all(_same(left, right) for left, right in pairs)


def _same(exact: State, rounded: State) -> bool:
    """Whether two states of one kind have the same values in every field."""
    return all(
        [Fraction(x) for x in (right if isinstance(right, list) else [right])]
        == (left if isinstance(left, list) else [left])
        for left, right in zip(exact.fields().values(), rounded.fields().values())
    )


@st.composite
def drafts(draw: DrawFn, /, method: str, losses: Sequence[str], l1: Sequence[Fraction]) -> Instance:
    """Dyadic instances of ASPDC, SDCA or SPDC; most, not all, round nowhere."""
    n, d, loss = draw(st.sampled_from(LENGTHS)), draw(st.integers(1, 2)), draw(st.sampled_from(losses))
    # no kink of |z - y| at a zero row
    targets = TARGETS if loss == "squared" else TARGETS[1:] if loss == "absolute" else Qs(1, -1)
    y = tuple(draw(st.lists(st.sampled_from(targets), min_size=n, max_size=n)))
    gamma = draw(st.sampled_from(Qs(1, "1/2", 2))) if loss in ("squared", "smoothed-hinge") else None
    lam = draw(st.sampled_from(Qs("1/4", "1/2", 1, 2, 4, 8)))
    inside = st.sampled_from(TARGETS if loss == "squared" else INSIDE)
    signs = [1 if loss == "squared" else -1 if v > 0 else 1 for v in y]
    return Instance(
        rows=draw(rows(n, d, method)),
        y=y,
        loss=loss,
        gamma=gamma,
        lam=lam,
        method=method,
        l1=draw(st.sampled_from(l1)),
        alpha=tuple(sign * draw(inside) for sign in signs),
        path=tuple(draw(st.lists(st.integers(0, n - 1), max_size=2))),
        options=draw(steps(lam, gamma or Q(1, 2))) if method == "spdc" else {},
    )


def rows(n: int, d: int, method: str) -> SearchStrategy[tuple[tuple[Fraction, ...], ...]]:
    """n rows of d numbers; for SDCA, which divides by gamma + ||x_i||^2/(lam n), on the axes, of one length or 0."""
    if method != "sdca":
        row = st.lists(st.sampled_from(COORDINATES), min_size=d, max_size=d).map(tuple)
        return st.lists(row, min_size=n, max_size=n).map(tuple)

    def along(length: Fraction) -> SearchStrategy[tuple[tuple[Fraction, ...], ...]]:
        axes = [tuple(length * sign * int(j == k) for j in range(d)) for k in range(d) for sign in (1, -1, 0)]
        return st.lists(st.sampled_from(axes), min_size=n, max_size=n).map(tuple)

    return st.sampled_from(Qs(1, 2, "1/2")).flatmap(along)


@st.composite
def steps(draw: DrawFn, /, lam: Fraction, gamma: Fraction) -> dict[str, Fraction]:
    """tau, sigma and theta of SPDC such that it divides by powers of 2: 1 + lam tau and gamma + 1/sigma."""
    return {
        "tau": draw(st.sampled_from(Qs(1, 3))) / lam,
        "sigma": 1 / gamma,
        "theta": draw(st.sampled_from(Qs("1/2", "3/4", 0))),
    }


def exact_instances(method: str, l1: Sequence[Fraction] = Qs(0, 0, "1/4")) -> SearchStrategy[Instance]:
    """Instances of a method on which floats make no rounding.

    Parameters
    ----------
    method : "aspdc", "sdca" or "spdc".
    l1 : the weights of ||w||_1 to choose from, dyadic.
    """
    drawn = drafts(method, LOSSES[method], l1).filter(rounds_nowhere)
    # of zero rows it makes no step
    return drawn.filter(lambda i: any(any(row) for row in i.rows)) if method == "spdc" else drawn
