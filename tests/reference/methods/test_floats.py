"""Runs in floats compared with Fractions; AdaSPDC and PDCP in special cases; the outer loops of ASPDC-i."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from support import refuses

from dualgap.reference import (
    L2,
    ElasticNet,
    Interval,
    Logistic,
    Loss,
    Method,
    Problem,
    Regularizer,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    method,
)
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.methods.aspdc_i import failure_criterion
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.problem.block_losses import BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem


def relative_drift(
    steps: Method[Any], loss: Loss, regularizer: Regularizer, perturbed: Regularizer | None = None
) -> float:
    """Largest difference of w after five passes, relative to the largest |w_j|, between floats and Fractions."""
    r = random.Random(f"{steps.name} {loss}")
    X = [[Fraction(r.randint(-8, 8), 8) for _ in range(4)] for _ in range(8)]
    y = [r.choice((-1, 1)) for _ in X]
    choices = [r.randrange(8) for _ in range(40)]
    exact = Problem(X, y, loss, regularizer, number=Fraction)
    rounded = Problem(X, y, loss, perturbed or regularizer, number=float)
    w, _ = steps.view(exact, steps.run(exact, choices))
    w_float, _ = steps.view(rounded, steps.run(rounded, choices))
    return float(max(abs(Fraction(a) - b) for a, b in zip(w_float, w)) / max(abs(x) for x in w))


@pytest.mark.parametrize("name", ["aspdc", "sdca", "aspdc-i", "aspdc-i-fixed"])
@pytest.mark.parametrize("loss", [Squared("1/2"), SmoothedHinge("1/2"), SquaredHinge()], ids=repr)
@pytest.mark.parametrize("regularizer", [L2("3/2"), ElasticNet("3/2", "1/16")], ids=repr)
def test_floats_follow_the_exact_run(name: str, loss: Loss, regularizer: Regularizer) -> None:
    """The bound allows 1e-12 for each of five passes. A step makes fewer than 4 d + 20 = 36 roundings of relative size
    2^-53, so a pass makes at most 3.2e-14, and K < 1 keeps earlier errors from growing. The rest of the bound covers
    |alpha_i x_ij| / |w_j| > 1.
    """
    # at an exact optimum its xi would get a million digits
    options = {"epsilon": "1/1000000"} if name == "aspdc-i" else {}
    assert relative_drift(method(name, **options), loss, regularizer) <= 5e-12


def test_a_lam_off_by_one_part_in_1e9_is_seen_by_that_comparison() -> None:
    assert relative_drift(method("sdca"), Squared(), L2("3/2"), L2(1.5 * (1 + 1e-9))) > 5e-12


def test_logistic_floats_lie_in_the_enclosure_of_their_own_problem() -> None:
    """One step from the same start. On these dyadic numbers only the dual step rounds, by at most 1.2e-15."""
    for name in ("aspdc", "sdca"):
        rows, y, start = [["3/4", "1/2"], [1, "-1/4"]], [1, -1], ["-1/2", "1/4"]
        rounded, enclosed = (Problem(rows, y, Logistic(), L2("1/8"), number=number) for number in (float, Interval))
        steps = method(name)
        a = steps.step(rounded, steps.init(rounded, start), 0).alpha[0]
        b = steps.step(enclosed, steps.init(enclosed, start), 0).alpha[0]
        assert abs(Fraction(a) - b.midpoint()) <= Fraction(12, 10**16) and b.width() < 1e-17


# -- AdaSPDC and PDCP --------------------------------------------------------------------------------------------------


F = Fraction


def random_rows(n: int, d: int, seed: int) -> tuple[list[list[float]], list[float]]:
    generator = random.Random(seed)
    X = [[generator.choice([0.0, generator.gauss(0, 1), generator.gauss(0, 2)]) for _ in range(d)] for _ in range(n)]
    for row in X:
        row[0] = row[0] or 1.0
    return X, [generator.choice([-1.0, 1.0]) for _ in range(n)]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_equal_norms_make_all_of_them_spdc_with_its_sharp_theta(m: int) -> None:
    """Exactly, in floats bit for bit; the paper's theta of SPDC differs (control)."""
    rows, choices = [["3/5", "4/5"], [1, 0], [0, 1]], [list(range(m))] * 3
    for number in (Fraction, float):
        problem = Problem(rows, [1, -1, 2], Squared(), L2(F(m, 3)), number=number)
        expected = MiniBatchSPDC(m=m, theta="sharp", R=1).run(problem, choices).fields()
        for solver in (AdaSPDC(m=m, norms=[1] * 3), AdaSPDCR(m=m, norms=[1] * 3)):
            assert solver.run(problem, choices).fields() == expected
        assert MiniBatchSPDC(m=m, R=1).run(problem, choices).fields() != expected


def test_multi_output_ridge_is_one_ridge_run_for_each_output() -> None:
    """The rows' norms are the blocks', so every output makes the scalar run on its own targets, bit for bit."""
    X, _ = random_rows(6, 3, seed=8)
    generator = random.Random(1)
    B = [[generator.gauss(0, 1) for _ in range(2)] for _ in range(6)]
    block = BlockProblem.kronecker(X, B, 2, Separable(Squared()), L2(0.1))
    for solver in (AdaSPDC(m=2), AdaSPDCR(), PDCP()):
        passes = [choice for epoch in range(4) for choice in solver.draw(block, "uniform", 5, epoch).tolist()]
        w, alpha = solver.view(block, solver.run(block, passes))
        for k in range(2):
            scalar = Problem(X, [b[k] for b in B], Squared(), L2(0.1))
            w_k, alpha_k = solver.view(scalar, solver.run(scalar, passes))
            assert (w_k, alpha_k) == (w[k::2], [a[k] for a in alpha])


# -- convergence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loss", [Separable(Squared()), MulticlassSmoothedHinge("7/10"), Softmax(), BallHuber()], ids=lambda loss: loss.name
)
@pytest.mark.parametrize(
    "method", [AdaSPDCR(), AdaSPDCR(m=2, preset="b"), PDCP()], ids=lambda m: f"{m.name}-{getattr(m, 'm', '')}"
)
def test_the_certified_gap_closes_on_block_problems(loss: Any, method: Any) -> None:
    """The slowest rate is 0.894 a pass (smoothed hinge, m = 2): 400 passes leave 1e-19 of it, and then rounding
    alone.
    """
    b: Any = [0, 2] if isinstance(loss, (MulticlassSmoothedHinge, Softmax)) else [[1, 0, 2], [0, -1, 1]]
    problem = BlockProblem.kronecker([[3, 4], [0, 1]], b, 3, loss, ElasticNet(0.5, 0.02))
    state = method.init(problem)
    assert problem.gap(*method.view(problem, state)) > 0.1
    for epoch in range(400):
        state = method.run(problem, method.draw(problem, "uniform", 2, epoch), state)
    assert 0 <= problem.gap(*method.view(problem, state)) < 1e-12


# -- the outer loops of ASPDC-i ----------------------------------------------------------------------------------------


ROWS = [["3/5", "4/5"], [1, 0], [0, "1/2"]]


def three_rows(lam: Any = "8/15") -> Problem:
    """n = 3, R = 1; at lam = 8/15 kappa is 4/5 and q = lam/(lam + 2 kappa) = 1/4, the square of a rational."""
    return Problem(ROWS, [1, -1, 1], Squared(), L2(lam), number=Fraction)


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 1000)])
def test_the_printed_line_7_stops_at_S(number: Any, epsilon: Fraction) -> None:
    """eta = 3/13 here: S - 1 = ceil((2/eta) ln(xi_1/epsilon)) calls, two or more beyond xi_s <= epsilon."""
    problem = Problem(
        [[float(Fraction(x)) for x in row] for row in ROWS] if number is float else ROWS,
        [1, -1, 1],
        Squared(),
        L2("1/2"),
        number=number,
    )
    printed, ours = method("aspdc-i", epsilon=epsilon, stop="S"), method("aspdc-i", epsilon=epsilon)
    eta, xi_1 = float(printed.eta_of(problem)), float(printed.init(problem).xi)
    S = math.ceil(1 + 2 / eta * math.log(xi_1 / float(epsilon)))
    s = math.ceil(1 + math.log(xi_1 / float(epsilon)) / -math.log(1 - eta / 2))
    for steps, last in ((printed, S), (ours, s)):
        state = steps.run(problem, [0, 1, 2] * 60)
        assert state.epoch == last == steps.run(problem, [0, 1, 2] * 5, state).epoch
    assert S > s + 1


def test_line_7_at_its_ends() -> None:
    """epsilon >= xi_1: S = 1, no call; epsilon = 0: never."""
    problem = three_rows(lam="1/2")
    xi_1 = method("aspdc-i").init(problem).xi
    for stop in ("S", "xi"):
        assert method("aspdc-i", epsilon=xi_1, stop=stop).run(problem, [0, 1, 2] * 5).epoch == 1
        assert method("aspdc-i", stop=stop).run(problem, [0, 1, 2] * 5).epoch > 1
    refuses(ValueError, "stop must be one of xi, S", method, "aspdc-i", stop="gap")


def test_the_root_reading_of_eta_is_another_method() -> None:
    problem = three_rows()
    assert method("aspdc-i").eta_of(problem) == Fraction(1, 4)
    assert method("aspdc-i", eta="root").eta_of(problem) == Fraction(1, 2)
    with pytest.raises(ValueError, match=r"sqrt\(1/7\) is not rational; choose lam and kappa"):
        method("aspdc-i", eta="root").init(three_rows(lam="1/3"))


def test_what_is_known_of_m_inner_steps() -> None:
    """3n/2 with L2 and 3n with l1 are proved; at K = 1/4 one step fails on orthonormal rows from n = 5 on (Pi < 0)."""

    def known(n: int, m: int | None, l1: int = 0, **options: Any) -> str:
        g = ElasticNet(Fraction(1, n), l1) if l1 else L2(Fraction(1, n))
        answer: str = method("aspdc-i-fixed", m=m, **options).guarantee(
            Problem([[1]] * n, [1] * n, Squared(), g, number=Fraction)
        )
        return answer

    assert [known(4, m) for m in (6, 5, None)] == ["proved", "unproved", "proved"]
    assert [known(3, m) for m in (5, 4)] == ["proved", "unproved"]
    assert [known(4, m, l1=1) for m in (12, 11, None)] == ["proved", "unproved", "unproved"]
    assert [known(n, 1) for n in (2, 4, 5, 6)] == [
        "unproved",
        "unproved",
        "known divergent family",
        "known divergent family",
    ]
    assert known(4, 8, kappa="3/4") == "proved" and known(4, 8, kappa="7/10") == "unproved"
    assert known(2, 1, kappa="1/2") == "known divergent family"  # K = 1/2
    assert known(1, 1) == "unproved"
    assert method("aspdc-i-momentum").guarantee(three_rows()) == "unproved"
    quarter = Fraction(1, 4)
    assert [failure_criterion(n, 1, quarter) for n in (4, 5, 6)] == [
        Fraction(25, 4096),
        Fraction(-7, 256),
        Fraction(-125, 3072),
    ]
    for n, m, K in ((7, 2, quarter), (9, 5, Fraction(1, 3)), (8, 6, Fraction(1, 2))):
        D, E = (1 - (1 + K) / n) ** m, (1 - (1 - K**2) / n) ** m
        assert failure_criterion(n, m, K) == 2 + K - (2 - K) * D - (2 + 5 * K) * E + (2 + 3 * K) * D * E


def test_momentum_moves_the_centre_by_beta() -> None:
    problem, steps = three_rows(), method("aspdc-i-momentum", m=2)  # q = 1/4, beta = 1/3
    one, two = (steps.run(problem, [0, 1, 2, 0][:k]) for k in (2, 4))
    expected = [w + (w - b) / 3 for w, b in zip(two.w_tilde, one.w_tilde)]
    assert steps.centre(problem, two) == expected
    assert two.v == problem.centred(Fraction(4, 5), expected).v(two.alpha)
