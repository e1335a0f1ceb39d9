"""What the automatic mutants are judged by: claims on fixed instances, identities on grids, values written down.

Everything here is deterministic, so that whether a mutant lives never depends on a random draw. The claims
come first: the report can then say how many mutants the claims kill alone and how many need the identities
and the golden values (at kinks, on corners of domains, off the domain, at zeros of either sign).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Check
from dualgap.proofs_checks.claims.relations import Eq, Relation, Same
from dualgap.proofs_checks.evidence.mutation.mutate import Battery, ReferenceCopy
from dualgap.reference import Interval, Loss
from dualgap.reference.numbers.arithmetic import Number

PAPER_ROWS = (Qs("3/5", "4/5"), Qs(1, 0), Qs(0, "1/2"))
ALIGNED = (Qs("6/5", "-1/5"), Qs(-1, "1/3"), Qs("4/5", 0))

POOL = (
    Instance(PAPER_ROWS, Qs(1, -1, 2), Qs("1/2", -1, 0), Q(4, 3), gamma=Q(3), path=(2,)),
    Instance(ALIGNED, Qs(1, -1, 1), Qs("-1/2", "1/3", 0), Q(1), "smoothed-hinge", Q(1, 2)),
    Instance(ALIGNED, Qs(1, -1, 1), Qs(-1, "1/3", 0), Q(1, 2), "smoothed-hinge", Q(3), path=(0, 1)),
    Instance(ALIGNED, Qs(1, -1, 1), Qs("-1/2", 2, 0), Q(2), "squared-hinge", path=(1,)),
)
POOL_NET = (
    Instance(PAPER_ROWS, Qs(1, -1, 2), Qs("1/2", -1, "7/3"), Q(1, 3), l1=Q(1, 10), gamma=Q(1, 2)),
    Instance((*ALIGNED, Qs(0, 0)), Qs(1, -1, 1, 1), Qs(-1, 1, 0, -1), Q(1, 2), "squared-hinge", l1=Q(1, 5)),
)

GRID = Qs(-2, -1, 0, "1/3", "1/2", "3/4", 1, "5/4", 3)  # z for margin losses, z - y for the others
Points = tuple[Fraction, ...]
# loss: (gamma, labels, points inside the domain with its corners, points outside), where points are b = -y alpha for
# margin losses and alpha for the others
DOMAIN: dict[str, tuple[Fraction | None, Points, Points, Points]] = {
    "squared": (Q(3), Qs(2, -1), Qs(0, 1, "-7/3"), ()),
    "smoothed-hinge": (Q(1, 2), Qs(1, -1), Qs(0, "1/3", "1/2", 1), Qs("-1/1000", "1001/1000", 2, "3/2", -1)),
    "squared-hinge": (None, Qs(1, -1), Qs(0, "1/3", 1, 2, "7/2"), Qs("-1/1000", -1, "-1/2")),
    "hinge": (None, Qs(1, -1), Qs(0, "1/3", "1/2", 1), Qs("-1/1000", "1001/1000", 2, "3/2", -1)),
    "logistic": (None, Qs(1, -1), Qs(0, "1/3", 1), Qs("-1/1000", "1001/1000", 2, "3/2", -1)),
    "absolute": (None, Qs(2, -1), Qs(0, 1, -1, "1/3"), Qs("1001/1000", "-1001/1000", 2, -2)),
}
GOLDEN: tuple[tuple[str, Number, Number, Number, Number, Number], ...] = (  # loss, gamma, y, z, phi(z), phi'(z)
    ("squared", 3, 5, 2, "3/2", -1),
    ("squared", None, 1, 2, "1/2", 1),
    ("smoothed-hinge", "1/2", 1, 2, 0, 0),
    ("smoothed-hinge", "1/2", 1, 1, 0, 0),
    ("smoothed-hinge", "1/2", 1, "3/4", "1/16", "-1/2"),
    ("smoothed-hinge", "1/2", 1, "1/2", "1/4", -1),
    ("smoothed-hinge", "1/2", 1, -1, "7/4", -1),
    ("smoothed-hinge", "1/2", -1, "-3/4", "1/16", "1/2"),
    ("smoothed-hinge", None, 1, 0, "1/2", -1),
    ("smoothed-hinge", 3, 1, -1, "2/3", "-2/3"),
    ("squared-hinge", None, 1, 1, 0, 0),
    ("squared-hinge", None, 1, "1/2", "1/4", -1),
    ("squared-hinge", None, -1, 0, 1, 2),
    ("squared-hinge", None, -1, -2, 0, 0),
    ("hinge", None, 1, 1, 0, 0),
    ("hinge", None, 1, 0, 1, -1),
    ("hinge", None, -1, "1/2", "3/2", 1),
    ("absolute", None, 1, 1, 0, 0),
    ("absolute", None, 1, 2, 1, 1),
    ("absolute", None, 1, "1/2", "1/2", -1),
)
GAMMA: dict[str, Number] = {
    "squared": 1,
    "smoothed-hinge": 1,
    "squared-hinge": "1/2",
    "hinge": 0,
    "logistic": 4,
    "absolute": 0,
}
KINKS: tuple[tuple[str, Number, Number, Number], ...] = (
    ("squared", None, 5, ()),
    ("smoothed-hinge", "1/4", 1, ("3/4", 1)),
    ("smoothed-hinge", "1/4", -1, ("-3/4", -1)),
    ("squared-hinge", None, -1, (-1,)),
    ("hinge", None, 1, (1,)),
    ("logistic", None, 1, ()),
    ("absolute", None, 2, (2,)),
)

OFF = "outside the domain"


def battery(claims: Mapping[str, Check], net: Mapping[str, Check]) -> Battery:
    """The checks by name: claims for L2 on POOL, claims for elastic net too on all, identities, golden values."""
    return {
        **{f"claim: {name}": partial(_claim_on, POOL, check) for name, check in claims.items()},
        **{f"claim: {name}": partial(_claim_on, POOL + POOL_NET, check) for name, check in net.items()},
        "identity: loss": loss_identities,
        "identity: regularizer": regularizer_identities,
        "identity: problem": problem_identities,
        "golden: loss": golden_losses,
        "golden: domain": golden_domains,
        "golden: zero": golden_zeros,
        "golden: run": golden_runs,
    }


def _claim_on(pool: tuple[Instance, ...], check: Check, code: ReferenceCopy) -> Iterator[Relation]:
    for instance in pool:
        yield from check(code.context(instance))


def equal(left: Number, right: Number, label: str) -> Relation:
    """``Same``; the right side of an interval may be a rational."""
    return Same(left, Interval(right) if isinstance(left, Interval) else right, label)


def refused(call: Callable[[], object], why: str, label: str) -> Relation:
    """The call must raise a ValueError that says ``why``."""
    try:
        call()
    except ValueError as error:
        return Eq(why in str(error), True, label)
    return Eq(False, True, label)


def losses(code: ReferenceCopy) -> Iterator[tuple[Loss, list[Number], list[Number], list[Number]]]:
    """(loss, labels, b or alpha inside the domain, outside): logistic over intervals, the others exact."""
    for name, (gamma, labels, inside, outside) in DOMAIN.items():
        kind = code.losses.LOSSES[name]
        number: Any = arithmetic() if kind.rational else Interval
        loss = (kind(gamma) if kind.adjustable else kind()).over(number)
        one, two, three = ([number(v) for v in values] for values in (labels, inside, outside))
        yield loss, one, two, three


def between(ends: tuple[Number | None, Number | None], b: Number) -> bool:
    """Whether b lies in the interval; None is infinite."""
    low, high = ends
    return (low is None or bool(low <= b)) and (high is None or bool(b <= high))


def dual(loss: Loss, b: Number, y: Number) -> Number:
    """alpha = -y b for a margin loss; else b is alpha."""
    return -y * b if loss.margin else b


def loss_identities(code: ReferenceCopy) -> Iterator[Relation]:
    """FY = phi + phi* - alpha z, Fenchel equality at phi', optimality of the dual step, on a grid with every kink."""
    for loss, labels, inside, _ in losses(code):
        grid = GRID if loss.rational else GRID[2:4]  # few points where every dual step is a root finding
        for y, m in product(labels, grid):
            z = loss.one * m if loss.margin else y + m
            yield equal(definition(loss, z, loss.derivative(z, y), y), 0, "phi(z) + phi*(phi'(z)) = z phi'(z)")
            for b in inside:
                a = dual(loss, b, y)
                yield equal(loss.residual(z, a, y), definition(loss, z, a, y), "FY = phi + phi* - alpha z")
                yield equal(
                    code.losses.Loss.residual(loss, z, a, y),
                    definition(loss, z, a, y),
                    "FY of a loss that says no more",
                )
                for q in Qs(0, "1/3") if loss.rational else Qs("7/2"):
                    best = loss.dual_step(z, a, y, loss.one * q)
                    at = z - q * (best - a)
                    yield equal(
                        definition(loss, at, best, y), 0, "dual step: z - q (a+ - a) in the subdifferential at a+"
                    )


def definition(loss: Loss, z: Number, alpha: Number, y: Number) -> Number:
    """FY from its definition."""
    return loss.value(z, y) + loss.conjugate(alpha, y) - alpha * z


def regularizer_identities(code: ReferenceCopy) -> Iterator[Relation]:
    """g(w) + g*(s) - s^T w, grad g*, prox: on vectors with entries inside, on and beyond the threshold."""
    vectors = [list(Qs("1/5", "-1/5", "1/10", "-1/10")), list(Qs(2, -3, "1/2", "-1/2")), list(Qs(0, 0, "-7/3", 1))]
    centre = list(Qs(1, "-1/2", 2, "1/3"))
    for l1 in Qs(0, "1/5", 2):
        plain = code.regularizers.Regularizer(Q(3, 2), l1)
        for g, s in product((plain, plain.centred(Q(1, 3), centre)), vectors):
            for w in vectors:
                inner = sum((a * b for a, b in zip(s, w)), Q(0))
                yield Eq(g.residual(w, s), g.value(w) + g.conjugate(s) - inner, "residual = g(w) + g*(s) - s^T w")
            yield Eq(g.residual(g.gradient_conjugate(s), s), 0, "grad g*(s) attains g*")
            x = g.prox(s, Q(2, 7))
            yield Eq(
                g.residual(x, [(a - b) / Q(2, 7) for a, b in zip(s, x)]), 0, "(s - prox)/tau is a subgradient of g"
            )


def problem_identities(code: ReferenceCopy) -> Iterator[Relation]:
    """The gap identity at w that is not w(alpha), the saddle function, the inner loops against their definitions."""
    for instance in POOL + POOL_NET:
        context = code.context(instance)
        alpha = [context.q(a) for a in instance.alpha]
        d = len(instance.rows[0])
        w, centre = list(Qs("1/3", -2))[:d], list(Qs(2, "-1/5"))[:d]
        for problem in (context.problem, context.problem.centred(Q(1, 2), centre)):
            z = [problem.dot(row, w) for row in problem.rows]
            best = [problem.loss.derivative(z_i, y) for z_i, y in zip(z, problem.y)]
            v = problem.v(alpha)
            yield Eq(problem.gap(w, alpha), problem.P(w) - problem.D(alpha), "gap identity")
            yield Eq(problem.f(problem.w(alpha), alpha), problem.D(alpha), "D(alpha) = f(w(alpha), alpha)")
            yield Eq(problem.f(w, best), problem.P(w), "P(w) = f(w, phi'(Xw))")
            yield Eq(tuple(problem.w_of(v)), tuple(problem.w(alpha)), "w = soft(v)")
            for i, row in enumerate(problem.rows):
                yield Eq(problem.inner(i, v), problem.dot(row, problem.w(alpha)), "inner = x^T w")
                moved = list(v)
                problem.update(i, Q(2, 3), moved)
                alpha_moved = [a + (Q(2, 3) if k == i else 0) for k, a in enumerate(alpha)]
                yield Eq(tuple(moved), tuple(problem.v(alpha_moved)), "update = v of the changed alpha")
                norm2 = sum((x * x for x in instance.rows[i]), Q(0))
                mu = instance.lam + (0 if problem is context.problem else Q(1, 2))
                yield Eq(problem.norms2[i], norm2, "||x||^2")
                yield Eq(problem.K(i), norm2 / (mu * problem.n * problem.loss.gamma), "K_i")
        yield Eq(context.problem.K_max, max(context.problem.K(i) for i in range(context.n)), "K = max K_i")
        copied = context.problem.with_regularizer(code.regularizers.L2(instance.lam * 3))
        yield Eq(copied.K_max, context.problem.K_max / 3, "another regularizer")


def golden_losses(code: ReferenceCopy) -> Iterator[Relation]:
    """phi and phi' at and around the kinks, gamma, kinks, and which subgradient is taken where there are many."""
    table = code.losses.LOSSES
    for name, gamma, y, z, value, derivative in GOLDEN:
        loss = table[name](gamma) if gamma else table[name]()
        yield Eq(loss.value(Q(z), Q(y)), Q(value), f"{name}: phi({z}), y = {y}")
        yield Eq(loss.derivative(Q(z), Q(y)), Q(derivative), f"{name}: phi'({z}), y = {y}")
    for y, z in product((1, -1), Qs(0, 1, "-5/2")):
        loss, m = table["logistic"]().over(Interval), Interval(y * z)
        yield equal(loss.value(Interval(z), Interval(y)), (1 + (-m).exp()).log(), "log(1 + e^-m)")
        yield equal(loss.derivative(Interval(z), Interval(y)), -y / (1 + m.exp()), "-y/(1 + e^m)")
    for name, gamma in GAMMA.items():
        yield Eq(table[name]().gamma, Q(gamma), f"{name}: gamma")
        copied = table[name]().over(float)
        yield Eq(
            (copied.number, copied.zero, copied.one, type(copied.gamma)), (float, 0.0, 1.0, float), f"{name} in floats"
        )
    yield Eq(
        code.losses.losses(smooth=True, rational=True),
        ("squared", "smoothed-hinge", "squared-hinge"),
        "smooth and rational",
    )
    yield Eq(code.losses.losses(smooth=False), ("hinge", "absolute"), "not smooth")
    yield Eq(code.losses.losses(smooth=False, foreign=False), ("hinge", "absolute"), "not smooth, and of this package")
    for name, gamma, y, kinks in KINKS:
        yield Eq(tuple((table[name](gamma) if gamma else table[name]()).kinks(Q(y))), Qs(*kinks), f"{name}: kinks")
    for alpha in Qs(0, "-1/3", -1):  # a flat piece: every alpha is optimal, the step keeps the one it has
        yield Eq(table["hinge"]().dual_step(Q(1), alpha, Q(1), Q(0)), alpha, "hinge, q = 0 on the kink")
        yield Eq(table["absolute"]().dual_step(Q(2), alpha, Q(2), Q(0)), alpha, "absolute, q = 0 on the kink")


def golden_domains(code: ReferenceCopy) -> Iterator[Relation]:
    """Corners belong to the domain; points off it, and vectors of a wrong length, are refused."""
    for loss, labels, inside, outside in losses(code):
        for y in labels:
            for b in inside:
                yield Eq(loss.in_domain(dual(loss, b, y), y), True, f"{loss.name}: {b} is inside")
                yield Eq(between(loss.ends, b), True, f"{loss.name}: {b} is between the ends")
            for b in outside:
                a = dual(loss, b, y)
                yield Eq(loss.in_domain(a, y), False, f"{loss.name}: {b} is outside")
                yield Eq(between(loss.ends, b), False, f"{loss.name}: {b} is beyond the ends")
                yield refused(partial(loss.conjugate, a, y), OFF, f"{loss.name}: phi* refuses {b}")
                yield refused(partial(loss.residual, y, a, y), OFF, f"{loss.name}: FY refuses {b}")
    problem, two, three = code.context(POOL[2]).problem, [Q(0)] * 2, [Q(0)] * 3
    for call in (
        lambda: problem.P(three),
        lambda: problem.minus_u(two),
        lambda: problem.f(three, three),
        lambda: problem.f(two, two),
        lambda: problem.residuals(two, two),
        lambda: problem.residuals(three, three),
    ):
        yield refused(call, "entries", "a vector of the wrong length")
    yield refused(lambda: problem.require_alpha([2, 0, 0]), OFF, "alpha off the domain")
    yield Eq(tuple(problem.require_alpha(["-1/2", 0, 0])), Qs("-1/2", 0, 0), "alpha inside")


def golden_zeros(code: ReferenceCopy) -> Iterator[Relation]:
    """Floats: a bound is returned as it stands, no zero becomes negative, an overflow is refused."""
    for value, low, high in ((-0.0, 0.0, 1.0), (0.0, -0.0, 1.0), (-0.0, -1.0, 0.0), (0.0, -1.0, -0.0)):
        expected = low if low == 0 else high
        clipped = code.losses.clip(value, low, high)
        yield Eq(math.copysign(1, clipped), math.copysign(1, expected), f"clip({value}, {low}, {high})")
    for v, threshold in ((-0.0, 0.0), (-0.5, 0.5), (0.5, 0.5), (-0.25, 0.5), (-0.0, 0.5)):
        yield Eq(math.copysign(1, code.regularizers.soft(v, threshold)), 1.0, f"soft({v}, {threshold}) is +0.0")
    loss, regularizer = code.losses.Squared(), code.regularizers.L2(1)
    for g in (regularizer, regularizer.centred(1.0, [-0.0])):
        yield Eq(math.copysign(1, g.over(float).dual_point([-0.0])[0]), 1.0, f"{g}: w starts at +0.0")
    yield refused(lambda: code.problem.Problem([[1e200]], [1], loss, regularizer).R2, "beyond", "||x||^2 = infinity")
    yield Eq(code.problem.Problem([[2.0]], [1], loss, regularizer).R2, 4.0, "||x||^2 = 4")
    centred = regularizer.centred(Q(1, 2), [Q(3)]).over(float)
    yield Eq((centred.number, centred.modulus, type(centred.kappa)), (float, 1.5, float), "kappa in floats")
    yield Eq((centred.centre, type(centred.centre[0])), ([3.0], float), "a centre in floats")


def golden_runs(code: ReferenceCopy) -> Iterator[Relation]:
    """Five steps of Algorithm 1 from alpha = 0, squared loss, lam = 4/3, as worked by hand."""
    context = code.context(Instance(PAPER_ROWS, Qs(1, -1, 2), Qs(0, 0, 0), Q(4, 3)))
    problem, method = context.problem, context.method
    state = method.run(problem, [0, 1, 2])
    yield Eq(tuple(state.alpha), Qs(-1, "23/20", "-19/10"), "alpha after rows 1, 2, 3")
    yield Eq(problem.gap(*method.view(problem, state)), Q(35907, 1280000), "gap after rows 1, 2, 3")
    before = state.key()
    end = method.run(problem, Choices([0, 1]), state)
    yield Eq(tuple(end.v), Qs("-3063/32000", "48/125"), "w after rows 1, 2, 3, 1, 2")
    yield Eq(problem.P(list(end.v)), Q(22510540049, 25600000000), "P after rows 1, 2, 3, 1, 2")
    yield Eq(state.key(), before, "a run leaves its start as it was")
    yield Eq(method.choices(problem, end), [(i, Q(1, 3)) for i in range(3)], "i is uniform")


class Choices(list[int]):
    """A recorded choice sequence: like an array, it becomes a list by ``tolist``."""

    def tolist(self) -> list[int]:
        return list(self)
