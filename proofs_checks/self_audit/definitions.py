"""Values of an instance for a check, computed from the definitions and never from the short forms under test.

A short form that is planted wrong must differ from what a ``Context`` says; where it does not, an identity compares a
number with itself.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines import certificate as certificates
from dualgap.proofs_checks.self_audit.saying import differs, refused
from dualgap.reference import Interval, Problem
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.base import DualState
from dualgap.reference.numbers.arithmetic import Number, NumberType
from dualgap.reference.problem.problem import Vector

ROWS = (Qs("3/5", "4/5"), Qs(1, 0), Qs(0, 1))
START = Instance(ROWS, Qs(1, -1, 2), Qs("1/2", -1, 0), Q(4, 3))
WORKED = {  # lam: (P(w(alpha)) - D(alpha), E[D(alpha+)] - D(alpha)), worked by hand
    Q(4, 3): (Q(9053, 4800), Q(9053, 19200)),
    Q(2, 3): (Q(831, 400), Q(277, 800)),
    Q(1, 3): (Q(1501, 600), Q(0)),
}
OTHERS = (
    START.but(loss="smoothed-hinge", y=Qs(1, -1, 1), alpha=Qs("-1/2", "1/3", "-1/5"), gamma=Q(1, 2), l1=Q(1, 100)),
    START.but(loss="squared-hinge", y=Qs(1, -1, 1), alpha=Qs("-1/2", 2, 0), path=(1,)),
)
NUMBERS: tuple[NumberType, ...] = (Fraction, Interval)


class Planted(Context):
    """A context whose problem has been tampered with."""

    def __init__(self, instance: Instance, tamper: Callable[[Problem], None], number: NumberType = Fraction) -> None:
        super().__init__(instance, number=number)
        self.tamper = tamper

    @cached_property
    def problem(self) -> Problem:
        problem: Problem = self.instance.problem(self.number)
        self.tamper(problem)
        return problem


def one_more(owner: str, name: str) -> Callable[[Problem], None]:
    """Make one function of the problem, or of its loss, return 1 more than it should."""

    def tamper(problem: Problem) -> None:
        target = problem.loss if owner == "loss" else problem
        right = getattr(target, name)
        setattr(target, name, lambda *arguments: right(*arguments) + 1)

    return tamper


def apart(a: Number, b: Number) -> Fraction:
    """b - a as a rational; of intervals the middle, which is exact up to the last of 20 digits."""
    difference = b - a
    low, high = (difference.low, difference.high) if isinstance(difference, Interval) else (difference, difference)
    return round((Q(low) + Q(high)) / 2, 12)


def seen(c: Context) -> dict[str, list[object]]:
    """The quantities that the short forms could stand in for."""
    return {"P": [c.P], "D": [c.D], "gap": [c.gap], "FY": list(c.FY), "increase": [c.expected_increase]}


# what is 1 more: by how much the quantities must move, and no other does
MOVES: dict[tuple[str, str], dict[str, int]] = {
    ("loss", "residual"): {},
    ("problem", "gap"): {},
    ("loss", "conjugate"): {"D": -1, "gap": 1, "FY": 1},
    ("loss", "value"): {"P": 1, "gap": 1, "FY": 1},
    ("problem", "P"): {"P": 1, "gap": 1},
    ("problem", "D"): {"D": 1, "gap": -1},
}


def planted() -> Iterator[str]:
    """A residual, a conjugate, a value, P, D and a gap that are 1 too large move what is made of them alone."""
    for instance in (START, *OTHERS):
        for number in NUMBERS:
            right = seen(Context(instance, number=number))
            for (owner, name), moves in MOVES.items():
                found = seen(Planted(instance, one_more(owner, name), number))
                for quantity, values in found.items():
                    moved = [apart(a, b) for a, b in zip(right[quantity], values)]
                    yield from differs(
                        f"{instance.loss}, {owner}.{name} + 1: {quantity} moves by",
                        moved,
                        [moves.get(quantity, 0)] * len(moved),
                    )


class Stale(ASPDC):
    """Shows a w that is not w(alpha), and never draws the last row."""

    def view(self, problem: Problem, state: DualState) -> tuple[Vector, Vector]:
        w, alpha = super().view(problem, state)
        return [w_j + 1 for w_j in w], alpha

    def choices(self, problem: Problem, state: object) -> list[tuple[int, Fraction]]:
        return [(i, Q(1, problem.n - 1)) for i in range(problem.n - 1)]


def worked() -> Iterator[str]:
    """The gap and the expected increase as worked by hand; of a wrong method, from its own alpha and choices."""
    for lam, (gap, increase) in WORKED.items():
        c = Context(START.but(lam=lam))
        yield from differs(f"lam = {lam}: gap, E[D+] - D", (c.gap, c.expected_increase), (gap, increase))
        found = certificates.certificate(c.problem, START.alpha)
        yield from differs(
            f"lam = {lam}: certificate", (found.gap, found.progress, found.floor), (gap, 3 * increase / gap, c.s)
        )
    c, stale = Context(START), Context(START, Stale())
    yield from differs("w is w(alpha), not the method's", stale.w, c.problem.w(list(START.alpha)))
    yield from differs("successors", [s.choice for s in stale.successors], [0, 1])
    yield from differs("E over the method's choices", stale.expected_increase, (c.increases[0] + c.increases[1]) / 2)
    yield from differs("Delta and best", (c.delta[1], c.best[1]), (c.best[1] + 1, c.z[1] + 1))
    yield from differs(
        "expected gaps start at the gap", (c.expected_gaps(1)[0], stale.expected_gaps(0)), (c.gap, [c.gap])
    )
    expected = c.gap - c.mean(
        [c.gap - (c.problem.P(c.problem.w(s.alpha)) - c.problem.D(s.alpha)) for s in c.successors]
    )
    yield from differs("expected gap after a step", c.expected_gaps(1)[1], expected)


def exact_pairs() -> Iterator[str]:
    """Certificates of pairs: P - D from the definitions at the w that is given, refused off the domain."""
    problem = START.problem()
    w = list(Qs(1, "-1/2"))
    found = certificates.certificate(problem, START.alpha, w)
    P, D = problem.P(w), problem.D(list(START.alpha))
    yield from differs("a pair: P, D, gap", (found.primal, found.dual, found.gap), (P, D, P - D))
    one_more("loss", "residual")(problem)
    yield from differs("a pair, with wrong residuals", certificates.certificate(problem, START.alpha, w).gap, P - D)
    hinge = OTHERS[0].problem()
    yield from refused("alpha off the domain", lambda: certificates.certificate(hinge, Qs(1, 0, 0)))
    net = certificates.certificate(hinge, OTHERS[0].alpha)
    yield from differs("no progress is promised with l1", net.progress, None)
