"""The squared p-norm on arrays: the reference's bits, and certificates that are right and say how right."""

import math
from fractions import Fraction as Q

import numpy as np
import pytest
from support import bits, refuses

from dualgap.fast import Certificate
from dualgap.fast.compiler.probe import probe
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.pnorm import PNormOfArrays
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import LOSSES, Absolute, Hinge, Loss, Problem, SmoothedHinge, Squared
from dualgap.reference.problem.pnorm import PNorm

PS = [2.0, 1.8, 1.5, 1.2, 1.05, 1.01, 1.001]
SAME_POWERS = not probe()["pow"]
PS_OF_BITS = PS if SAME_POWERS else [2.0]
BALLS = [None, 1e-9, 0.3, 1e9]


@pytest.mark.parametrize("name", LOSSES)
def test_a_certificate_has_the_bits_of_the_problem(name: str) -> None:
    for seed in range(15):
        problem, w, alpha = random_pair(seed, LOSSES[name](), PS_OF_BITS[seed % len(PS_OF_BITS)])
        # raises ArithmeticError where its two gaps differ by more than the allowance
        found = Certificate(problem, w, alpha)
        if SAME_POWERS:
            assert (found.primal, found.dual, found.gap) == (problem.P(w), problem.D(alpha), problem.gap(w, alpha))
            assert bits(Objective(problem).w(np.array(alpha))) == bits(problem.w(alpha))


def random_pair(seed: int, loss: Loss, p: float, scale: float = 1.0) -> tuple[Problem, list[float], list[float]]:
    rng = np.random.default_rng([seed, 2])
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 8))
    X, y = scale * rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7), rng.choice([-1.0, 1.0], n)
    problem = Problem(X, y, loss, PNorm(10.0 ** rng.uniform(-3, 0), p, BALLS[seed % 4]))
    alpha = [problem.loss.derivative(float(z), y_i) for z, y_i in zip(rng.standard_normal(n), y)]
    other = [problem.loss.derivative(float(z), y_i) for z, y_i in zip(rng.standard_normal(n), y)]
    return problem, problem.w(alpha if seed % 3 == 0 else other), alpha


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
@pytest.mark.parametrize("p", PS)
def test_the_two_gaps_agree_within_an_allowance_that_is_no_blank_cheque(p: float, scale: float) -> None:
    """The gap is >= 0, next to 0 at w = w(alpha) for the regularizer's part, and the allowance below 1e-10 of the
    sizes.
    """
    for seed in range(40):
        problem, w, alpha = random_pair(seed, list(LOSSES.values())[seed % 6](), p, scale)
        found = Certificate(problem, w, alpha)
        size = Objective(problem).pnorm.size(found.w, Objective(problem).minus_u(found.alpha))
        assert found.gap >= 0 and found.rounding <= 1e-10 * (1 + abs(found.primal) + abs(found.dual) + size)
        assert seed % 3 or found.regularizer_part <= found.rounding


@pytest.mark.parametrize("verb", ["value", "conjugate", "residual"])
def test_a_wrong_part_of_the_regularizer_is_noticed(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(PNormOfArrays, verb)
    for p in PS:
        problem, w, alpha = random_pair(6, SmoothedHinge(), p)
        Certificate(problem, w, alpha)
        with monkeypatch.context() as patch:
            patch.setattr(PNormOfArrays, verb, lambda self, *given: (1 + 1e-9) * right(self, *given) + 1e-9)
            refuses(ArithmeticError, "mistake in dualgap", Certificate, problem, w, alpha)


def exact_cases() -> list[tuple[Problem, list[float], list[float]]]:
    """Dyadic data on lines where all roots are rational: w along (3, 4) for p = 2, along (9, 16, 25) for p = 3/2."""
    found = []
    for p, ball, x, direction in [
        (2, None, [3.0, -4.0], [3.0, -4.0]),
        (2, 0.5, [3.0, -4.0], [3.0, -4.0]),
        (2, 64.0, [3.0, -4.0], [-1.0, 2.0]),
        (1.5, None, [3.0, 4.0, 5.0], [9.0, 16.0, 25.0]),
        (1.5, 1.0, [3.0, 4.0, 5.0], [9.0, 16.0, 25.0]),
        (1.5, 1.0, [3.0, 4.0, 5.0], [0.0, 0.0, 1.0]),
    ]:
        length = PNorm(1, p).over(float).norm(direction)
        room = length if ball is None else ball
        for loss, lam, part in [
            (Hinge(), 0.5, 0.5),
            (Absolute(), 3.0, 0.25),
            (Squared(), 0.75, 0.125),
            (SmoothedHinge(), 2.0, 0.5),
        ]:
            problem = Problem([x, [2 * a for a in x]], [1.0, -1.0], loss, PNorm(lam, p, ball))
            shrink = 2.0 ** math.floor(math.log2(room / length)) * part
            for alpha in ([-0.5, 0.25], [-1.0, 1.0], [0.0, 0.0], [-0.25, 0.0]):
                found.append((problem, [shrink * w_j for w_j in direction], alpha))
    return found


def test_certificates_agree_with_exact_arithmetic() -> None:
    """P and D each within the allowance of their difference, the gap as well; and the allowance is not much too
    large.
    """
    clipped = 0
    for problem, w, alpha in exact_cases():
        found, exact = Certificate(problem, w, alpha), certificate(problem, alpha, w)
        for number, expected in ((found.primal, exact.primal), (found.dual, exact.dual), (found.gap, exact.gap)):
            assert abs(Q(number) - expected) <= Q(found.rounding), (problem.regularizer, w, alpha)
        assert exact.gap >= 0 and found.rounding < 1e-11 * (1 + abs(found.primal) + abs(found.dual))
        clipped += Objective(problem).pnorm.point(Objective(problem).minus_u(found.alpha)).clipped
    assert 5 < clipped < len(exact_cases()) - 5


def test_outside_the_ball_nothing_is_certified() -> None:
    problem = Problem([[3.0, 4.0]], [1], Hinge(), PNorm(1, 1.5, 1))
    refuses(ValueError, "outside the ball", Certificate, problem, [1.0, 0.1], [0.0])
    assert Certificate(problem, [1.0, 0.0], [0.0]).gap > 0


def test_overflow_and_extremes_are_an_error_of_their_own_or_finite() -> None:
    with pytest.raises(OverflowError, match="beyond the range"):
        Certificate(Problem([[1e10]], [1.0], Hinge(), PNorm(1e-300, 1.5)), [0.0], [-1.0])
    with pytest.raises(OverflowError, match="overflow"):
        Certificate(Problem([[1.0]], [1.0], Squared(), PNorm(1, 1.5)), [1e200], [0.0])
    tiny = Certificate(Problem([[1e-160, 1.0]], [1.0], Hinge(), PNorm(1e300, 1.5, 1e-200)), [0.0, 1e-201], [-1.0])
    assert math.isfinite(tiny.gap) and tiny.gap >= 0
    one = Certificate(Problem([[1.0, 1.0]], [1.0], Hinge(), PNorm(1, 1 + 2.0**-52, 1.0)), [0.5, 0.5], [-1.0])
    assert one.gap >= 0 and math.isfinite(one.rounding)


def test_what_belongs_to_quadratic_regularizers_is_refused() -> None:
    objective = Objective(Problem([[1.0]], [1.0], Hinge(), PNorm(1, 1.5)))
    for refused in (lambda: objective.v(np.zeros(1)), lambda: objective.centred(1.0, np.zeros(1))):
        refuses(TypeError, "use L2", refused)


@pytest.mark.parametrize("ball", [5e-324, 1e-170, 1.0])
def test_zero_lies_in_every_ball(ball):
    g = PNorm(1e-3, 2, ball=ball).over(float)
    assert g.value([0.0, 0.0]) == 0 and PNormOfArrays(g).inside(np.zeros(2)) and not g.inside([2 * ball, 0.0])
