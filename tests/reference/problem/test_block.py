"""Block duals: the gap identity, certified norms, blocks of norm zero, and validation of AdaSPDC and PDCP."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from support import refuses

from dualgap.reference import (
    L2,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Interval,
    Problem,
    SmoothedHinge,
    Squared,
    method,
)
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR, instability
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.problem.block_losses import BLOCK_LOSSES, BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.spectral import RAISE, dominated, gram, spectral_norm

F = Fraction


def general(number: NumberType = Fraction) -> BlockProblem:
    """Blocks of 2, 1 and 3 columns that share rows."""
    A = [[[1, 2], [0, 1]], [[2], [-1]], [[1, 0, 1], [1, 1, 0]]]
    b = [[1, -1], [2], [0, 1, 1]]
    return BlockProblem(A, b, Separable(Squared("1/2")), ElasticNet("1/3", "1/10"), number=number)


def test_dense_blocks_and_kronecker_blocks_are_the_same_problem() -> None:
    X, K = [[3, 0, 4], [1, 2, 2]], 2
    dense = [[[x * (k == h) for h in range(K)] for x in row for k in range(K)] for row in X]
    b, loss, regularizer = [[1, 2], [0, -1]], Separable(Squared()), L2("1/2")
    one = BlockProblem(dense, b, loss, regularizer, number=Fraction)
    two = BlockProblem.kronecker(X, b, K, loss, regularizer, number=Fraction)
    choices = [[0], [1], [0]]
    assert one.norms == two.norms == [5, 3] and one.d == two.d == 6
    assert AdaSPDC().run(one, choices).fields() == AdaSPDC().run(two, choices).fields()
    assert spectral_norm(one.columns, float) == pytest.approx(spectral_norm(two.columns, float), rel=1e-15 * 8)


@pytest.mark.parametrize("number", [float, Fraction])
def test_norms_are_certified_upper_bounds_and_tight(number: NumberType) -> None:
    """R^2 I - A^T A is positive semidefinite, and not so for R lowered by 2^-38 of itself: both by exact
    elimination.
    """
    generator = random.Random(4)
    for _ in range(60):
        d, q = generator.randrange(2, 7), generator.randrange(2, 5)
        A = [[generator.gauss(0, 1) * 10.0 ** generator.uniform(-6, 0) for _ in range(q)] for _ in range(d)]
        problem = BlockProblem([A], [[0] * q], Separable(Squared()), L2(1), number=number)
        R = F(problem.norms[0])
        G = gram([[(j, F(A[j][k])) for j in range(d)] for k in range(q)])
        assert dominated(G, R * R) and not dominated(G, (R * (1 - 4 * RAISE)) ** 2)
        assert problem.admits(0, problem.norms[0]) and not problem.admits(0, problem.norms[0] * (1 - number(4 * RAISE)))


def test_a_library_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The norm of A_1 = [[1, 2], [0, 1]] is 1 + sqrt 2."""
    monkeypatch.setattr("dualgap.reference.problem.spectral._library_norm", lambda columns: 2.414)
    refuses(ValueError, "missed the spectral norm", lambda: general().norms)


def test_intervals_enclose_the_exact_run() -> None:
    rows, y = [[3, 4], [1, 0], [0, 2]], [1, -1, 2]
    exact, enclosed = (Problem(rows, y, Squared(), L2("1/3"), number=number) for number in (Fraction, Interval))
    for solver in (AdaSPDC(), AdaSPDCR(preset="b")):
        states = [solver.run(problem, [[0], [1], [2], [0]]) for problem in (exact, enclosed)]
        for x, X in zip(
            states[0].w + states[0].w_bar + states[0].alpha, states[1].w + states[1].w_bar + states[1].alpha
        ):
            assert X.contains(x) and X.width() < 1e-15


def test_a_zero_block_stops_the_published_method_and_not_its_repair() -> None:
    problem = Problem([[3, 4], [0, 0]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    for entry in (AdaSPDC().init, AdaSPDC().require):
        refuses(HypothesisViolated, "divides by the norm of every block.* but A_1 = 0", entry, problem)
    repaired = AdaSPDCR(floor="1/10")
    assert [repaired.sigma(repaired.parameters(problem), i) for i in range(2)] == [F(1, 10), F(1)]  # type: ignore[arg-type]
    assert repaired.run(problem, [[1]]).alpha[1] == F(1, 2)  # z = 0: 1/(1 + 1)


def test_modes_and_notes_tell_where_theorem_1_is_true() -> None:
    unequal = Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    equal = Problem([[5, 0], [3, 4], [0, 5]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    two_heavy = Problem([[5, 0], [3, 4], [0, 2]], [1, -1, 2], Squared(), L2("2/3"), number=Fraction)
    AdaSPDC().require(unequal)
    refuses(HypothesisViolated, r"index 17/6.*Use method adaspdc-r", lambda: AdaSPDC().require(unequal, mode="sharp"))
    for solver, problem in (
        (AdaSPDC(), equal),
        (AdaSPDC(m=3), unequal.with_regularizer(L2(1))),
        (AdaSPDC(m=2), two_heavy),
        (AdaSPDCR(), unequal),
    ):
        solver.require(problem, mode="sharp")
        assert solver.notes(problem) == []
    assert AdaSPDC().notes(two_heavy.with_regularizer(L2("1/3")))  # a sample of one may miss both
    (note,) = AdaSPDC().notes(unequal)
    assert "I = 2.83" in note and "adaspdc-r" in note
    assert (instability(unequal), instability(equal)) == (F(17, 6), 1)


def test_the_hypotheses_are_checked_on_entry() -> None:
    hinge = Problem([[3.0, 4.0]], [1], Hinge(), L2(1))
    for solver in (AdaSPDC(), AdaSPDCR(), PDCP()):
        for entry in (solver.require, solver.init):  # type: ignore[attr-defined]
            refuses(HypothesisViolated, "needs a smooth loss, gamma > 0, but hinge", entry, hinge)
    PDCP(tau=0.1, sigma=0.1).require(hinge)  # convex is enough, K = 5
    with pytest.raises(HypothesisViolated, match=r"tau sigma \|\|A/n\|\|\^2 <= 1 \(got 6.25"):
        PDCP(tau=0.5, sigma=0.5).require(hinge)
    PDCP(tau=0.5, sigma=0.5).require(hinge, mode="unchecked")
    ridge = Problem([[3, 4]], [1], Squared(), L2(1), number=Fraction)
    with pytest.raises(HypothesisViolated, match="tau sigma"):
        PDCP(mu="1/2").require(ridge)  # the largest is 2/5
    PDCP(mu="2/5").require(ridge)
    refuses(HypothesisViolated, r"theta >= 1/\(1 \+ mu\) = 5/7", lambda: PDCP(theta="1/2").require(ridge))
    with pytest.raises(HypothesisViolated, match=r"norm must be at least \|\|A\|\|_2, and 4 is smaller"):
        PDCP(norm=4).require(ridge)
    with pytest.raises(HypothesisViolated, match=r"norms\[0\] must be at least \|\|A_0\|\|_2, and 4 is smaller"):
        AdaSPDC(norms=[4]).require(ridge)
    refuses(ValueError, "1 <= m <= n", lambda: AdaSPDC(m=2).require(ridge))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AdaSPDC(m=0), "m must be an integer >= 1"),
        (lambda: AdaSPDC(sampling="replacement"), "sampling must be one of subset, systematic, partition"),
        (lambda: AdaSPDCR(preset="c"), "preset must be one of a, b"),
        (lambda: AdaSPDCR(floor=0), r"floor must lie in \(0, 1\]"),
        (lambda: PDCP(tau=1), "tau and sigma together"),
        (lambda: PDCP(mu=-1), "mu must be > 0"),
        (lambda: PDCP(norm=0), "norm must be > 0"),
        (lambda: PDCP(mu=1, tau=1, sigma=1), "one or the other"),
        (lambda: PDCP(theta=2), r"theta must lie in \[0, 1\]"),
    ],
)
def test_impossible_options_are_refused(make: Callable[[], object], message: str) -> None:
    refuses(ValueError, message, make)


def build(
    A: object = ((((1,), (2,))), (((3,), (4,)))), b: object = ((1,), (2,)), loss: Any = None, number: NumberType = float
) -> BlockProblem:
    return BlockProblem(A, b, loss or Separable(Squared()), L2(1), number=number)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: build(A=[]), ValueError, "A must be a list of n >= 1 blocks"),
        (lambda: build(A=[[1, 2], [3, 4]]), ValueError, r"A\[0\] must be dense, of shape \(d, q_i\)"),
        (lambda: build(A=[[[1], [2, 3]]]), ValueError, r"same length q_i >= 1 \(got lengths \[1, 2\]\)"),
        (lambda: build(A=[[[]]]), ValueError, "same length q_i >= 1"),
        (lambda: build(A=[[[1], [2]], [[1]]]), ValueError, r"A\[1\] has 1 rows, but A\[0\] has 2"),
        (lambda: build(A=[[[math.nan], [2]]]), ValueError, r"A\[0\]\[0, 0\] must be a finite number"),
        (lambda: build(b=[[1]]), ValueError, "one target for each of the 2 blocks"),
        (lambda: build(b=[[1], [2, 3]]), ValueError, r"b\[1\] must be a list of 1 numbers"),
        (
            lambda: build(b=[0, 1.5], loss=MulticlassSmoothedHinge()),
            ValueError,
            r"b\[1\] must be a class, an integer in 0..0",
        ),
        (lambda: build(loss=Separable(SmoothedHinge())), ValueError, r"needs labels -1 and \+1, but b\[1\]\[0\] = 2"),
        (lambda: build(loss=Squared()), TypeError, r"Separable\(loss\) makes one"),
        (lambda: build(b=[0, 0], loss=Softmax(), number=Fraction), TypeError, "softmax runs on float"),
        (lambda: build(loss=BLOCK_LOSSES["ball-huber"](0)), ValueError, "gamma must be > 0"),
        (
            lambda: BlockProblem.kronecker([[1]], [[1]], 0, Separable(Squared()), L2(1)),
            ValueError,
            "K must be an integer >= 1",
        ),
        (lambda: build().require_alpha([(1,)]), ValueError, "one entry for each of the 2 blocks"),
        (
            lambda: build(loss=BallHuber()).require_alpha([(1,), (2,)]),
            ValueError,
            r"alpha\[1\] = \(2.0,\) is outside the domain",
        ),
        (lambda: method("sdca").init(build()), ValueError, "does not run on a BlockProblem: use adaspdc-r"),
        (lambda: method("spdc").init(build()), ValueError, "does not run on a BlockProblem: use adaspdc-r"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(make: Callable[[], object], error: type[Exception], message: str) -> None:
    refuses(error, message, make)
