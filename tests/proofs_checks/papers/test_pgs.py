"""PGS: conjugates with rational roots, the passes that are drawn, validation and hypotheses."""

import math
from collections.abc import Callable
from fractions import Fraction as Q

import pytest
from support import refuses

from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    method,
)
from dualgap.reference.methods.lazy.pgs import LazyPGS
from dualgap.reference.methods.pegasos import Pegasos
from dualgap.reference.methods.pgs import PGS
from dualgap.reference.numbers.arithmetic import power
from dualgap.reference.problem.pnorm import PNorm

ROWS, LABELS = [[1, 0], [1, 1], [-1, 2]], [1, -1, 1]


def qs(text: str) -> list[Q]:
    return [Q(part) for part in text.split()]


def singles(order: str) -> list[tuple[int]]:
    return [(int(i) - 1,) for i in order]


def test_recorded_choices_of_a_pass() -> None:
    problem = Problem([[float(i)] for i in range(7)], [1] * 7, Hinge(), L2(1))
    plain, random_output = PGS(k=3), PGS(k=3, output="random")
    passes = [plain.draw(problem, "uniform", 5, epoch) for epoch in range(3)]
    kept = [random_output.draw(problem, "uniform", 5, epoch) for epoch in range(3)]
    assert [len(batches) for batches in passes] == [3, 2, 2]
    assert (plain.width(problem), random_output.width(problem)) == (3, 4)
    assert all((a == b[:, 1:]).all() for a, b in zip(passes, kept))
    assert all(len(set(row)) == 3 for a in passes for row in a.tolist())
    assert kept[0][0, 0] == 1 and {int(row[0]) for a in kept for row in a} <= {0, 1}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PNorm(1, 1), "p must be in"),
        (lambda: PNorm(1, "21/10"), "p must be in"),
        (lambda: PNorm(1, "nan"), "p must be a finite"),
        (lambda: PNorm(0, 2), "lam must be > 0"),
        (lambda: PNorm(-1, 2), "lam must be > 0"),
        (lambda: PNorm(math.inf, 2), "lam must be a finite"),
        (lambda: PNorm(1, 2, 0), "ball must be > 0"),
        (lambda: PNorm(1, 2, -1), "ball must be > 0"),
        (lambda: PNorm(1, 2, math.inf), "ball must be a finite"),
        (lambda: PNorm(1, 1 + Q(1, 2**60)).over(float), "rounds to 1"),
        (lambda: PGS(k=0), "k must be"),
        (lambda: PGS(k=1.0), "k must be"),
        (lambda: PGS(k=True), "k must be"),
        (lambda: PGS(output="best"), "output must be"),
        (lambda: PGS(sampling="partition"), "sampling must be"),
        (lambda: Pegasos(projection="no"), "projection must be"),
        (lambda: PGS(k=4).init(Problem(ROWS, LABELS, Hinge(), L2(1))), "1 <= m <= n"),
        (lambda: PGS().init(Problem(ROWS, LABELS, Hinge(), L2(1)), [0.0] * 3), "leave alpha out"),
        (lambda: LazyPGS(output="average").init(Problem(ROWS, LABELS, Hinge(), ElasticNet(1, 1))), "no lazy form"),
        (lambda: Problem(ROWS, [1, 0, 1], Hinge(), PNorm(1, 1.5)), "y"),
        (lambda: Problem([[math.nan]], [1], Hinge(), PNorm(1, 1.5)), "finite"),
        (lambda: power(Q(2), Q(1, 2)), "not rational"),
        (lambda: PNorm(1, "3/2").over(Q).gradient_conjugate(qs("1 1")), "not rational"),
    ],
)
def test_validation_refuses(make: Callable[[], object], message: str) -> None:
    refuses(ValueError, message, make)


def test_hypotheses() -> None:
    for loss in (Squared(), SquaredHinge()):
        free, bounded = Problem(ROWS, LABELS, loss, L2(1)), Problem(ROWS, LABELS, loss, PNorm(1, 1.5, 2))
        refuses(HypothesisViolated, "Give ball", PGS().require, free)
        PGS().require(free, "sharp")
        PGS().require(bounded)
        assert PGS().run(free, singles("123")).t == 3, "allowed, without Theorem 1"
    for loss in (Hinge(), Logistic(), SmoothedHinge(), Absolute()):
        method("pgs").require(Problem(ROWS, LABELS, loss, PNorm(1, 1.5)))
    refuses(HypothesisViolated, "hinge", method("pegasos").require, Problem(ROWS, LABELS, Logistic(), L2(1)))
    for wrong in (PNorm(1, 1.5), ElasticNet(1, 1)):
        refuses(HypothesisViolated, "pegasos needs", Pegasos().init, Problem(ROWS, LABELS, Hinge(), wrong))
    p_norm = Problem(ROWS, LABELS, Hinge(), PNorm(1, 1.5))
    refuses(HypothesisViolated, "not for PNorm", method("sdca").init, p_norm)
    for verb, arguments in (("prox", ([1.0], 1.0)), ("centred", (1.0, [1.0])), ("dual_point", ([1.0],))):
        refuses(TypeError, "use L2", getattr(PNorm(1, 1.5), verb), *arguments)
    assert [PGS(output=output).guarantee is None for output in ("last", "average", "random")] == [True, False, False]
