"""PGS in exact arithmetic: the golden examples, the lazy form, the outputs, Pegasos; and validation. Floats:
test_pgs_numbers.
"""

import math
import random
from fractions import Fraction as Q
from itertools import islice
from typing import Any

import pytest

from dualgap.proofs_checks.engines.paths import distributions
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

FORMS = [PGS, LazyPGS]
ROWS, LABELS = [[1, 0], [1, 1], [-1, 2]], [1, -1, 1]
SAME = [[3, 4, 5], [3, 4, 5]]


def qs(text: str) -> list[Q]:
    return [Q(part) for part in text.split()]


def path(form: Any, problem: Problem, choices: list[Any], k: int = 1) -> list[list[Any]]:
    """w_0, w_1, .., w_T."""
    pgs = form(k=k, output="last")
    state = pgs.init(problem)
    iterates = [pgs.view(problem, state)[0]]
    for choice in choices:
        state = pgs.step(problem, state, choice)
        iterates.append(pgs.view(problem, state)[0])
    return iterates


def singles(order: str) -> list[tuple[int]]:
    return [(int(i) - 1,) for i in order]


def random_problem(r: random.Random, g: Any, loss: Any = None, number: Any = float, n: int = 5, d: int = 4) -> Problem:
    rows = [[r.choice([0, r.randint(-9, 9), Q(r.randint(-9, 9), 8)]) for _ in range(d)] for _ in range(n)]
    return Problem(rows, [r.choice([-1, 1]) for _ in range(n)], loss or SmoothedHinge("1/2"), g, number=number)


# -- golden examples, each recomputed in another way -------------------------------------------------------------------


GOLDEN = [  # loss, regularizer, rows, labels, choices, iterates
    (
        "G1",
        Hinge(),
        L2("1/2"),
        ROWS,
        LABELS,
        singles("123213"),
        "0 0 | 1 0 | 0 -2/3 | -1/2 1/2 | -4/5 0 | -1/3 0 | -4/7 4/7",
    ),
    ("G1, k = 2", Hinge(), L2("1/2"), ROWS, LABELS, [(0, 1), (1, 2), (0, 2)], "0 0 | 0 -1/2 | -2/3 0 | -1/2 1/2"),
    (
        "G2",
        Squared("1/2"),
        L2("1/2"),
        ROWS,
        LABELS,
        singles("123213"),
        "0 0 | 2 0 | -8/3 -4 | -25/3 29/3 | -128/15 88/15 | -34/45 44/9 | 24/5 -704/105",
    ),
    (
        "G3",
        Hinge(),
        PNorm(1, 2, ball="3/10"),
        [["3/10", "4/10"], ["1/5", "4/5"], ["3/10", "3/10"]],
        [1, 1, 1],
        singles("123"),
        "0 0 | 3/20 1/5 | 3/26 18/65 | 12/85 9/34",
    ),
    (
        "G4",
        Hinge(),
        PNorm("1/2", "3/2"),
        SAME,
        [1, -1],
        singles("1122"),
        "0 0 0 | 3/4 4/3 25/12 | 1/2 8/9 25/18 | 0 0 0 | -3/10 -8/15 -5/6",
    ),
    (
        "G4, ball",
        Hinge(),
        PNorm("1/2", "3/2", ball=1),
        SAME,
        [1, -1],
        singles("1122"),
        "0 0 0 | 1/4 4/9 25/36 | 1/4 4/9 25/36 | 0 0 0 | -1/4 -4/9 -25/36",
    ),
]


def optimal(g: Any, v: list[Q], w: list[Q]) -> bool:
    """Whether w = argmax v^T w - g(w), by the condition on grad g: v = mu grad(||w||_p^2/(2(p-1))), mu = lam or on the
    sphere more.

    grad(||w||^2/2)_j = ||w||_p^(2-p) sgn(w_j) |w_j|^(p-1); p = 2 or 3/2 here, and squares are compared for p = 3/2.
    """
    if all(w_j == 0 for w_j in w):
        return all(v_j == 0 for v_j in v)
    p, ball, lam = getattr(g, "p", Q(2)), getattr(g, "ball", None), g.lam
    length = PNorm(1, p).over(Q).norm(w) if p != 2 else Q(1)
    gradient = [w_j if p == 2 else (1 if w_j > 0 else -1) * length * abs(w_j) for w_j in w]  # squared for p = 3/2
    expected = [v_j if p == 2 else v_j * abs(v_j) for v_j in v]
    factors = {due_j / gradient_j for due_j, gradient_j in zip(expected, gradient) if gradient_j}
    unit = lam if p == 2 else (lam / (p - 1)) ** 2
    on_sphere = ball is not None and (sum(w_j * w_j for w_j in w) == ball * ball if p == 2 else length == ball)
    aligned = all(due_j == 0 for due_j, gradient_j in zip(expected, gradient) if gradient_j == 0) and len(factors) == 1
    factor = factors.pop()
    return aligned and (factor == unit or (on_sphere and factor >= unit))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case[0])
def test_golden_iterates(case: Any, form: Any) -> None:
    """By Figure 1, and each iterate apart by the optimality of its own subproblem."""
    _, loss, g, rows, labels, choices, expected = case
    problem, k = Problem(rows, labels, loss, g, number=Q), len(choices[0])
    iterates = path(form, problem, choices, k)
    assert iterates == [qs(part) for part in expected.split("|")]
    acc = [Q(0)] * problem.d
    for t, batch in enumerate(choices):
        for i in batch:
            z = sum(Q(x) * w_j for x, w_j in zip(rows[i], iterates[t]))
            y = labels[i]
            slope = 2 * (z - y) if isinstance(loss, Squared) else -y if y * z < 1 else 0
            acc = [acc_j - Q(slope) / k * Q(x) for acc_j, x in zip(acc, rows[i])]
        v = [acc_j / (t + 2) for acc_j in acc]
        assert optimal(problem.regularizer, v, iterates[t + 1])
        if any(v):
            assert not optimal(problem.regularizer, v, [w_j * Q(101, 100) for w_j in iterates[t + 1]]), (
                "the check is blind"
            )


def test_golden_regret_is_an_equality() -> None:
    """(A3): R_lin = (1/2) sum ||lambda_t||^2/(t lam) - sum lam ||w_t||^2/(2t), exactly, and not so for the divisor
    (t+2) lam.
    """

    class Late(PGS):
        def advance(self, problem: Problem, state: Any, choice: Any) -> None:
            super().advance(problem, state, choice)
            state.w = [w_j * (state.t + 1) / (state.t + 2) for w_j in state.w]

    problem, order, lam = Problem(ROWS, LABELS, Hinge(), L2("1/2"), number=Q), singles("123213"), Q(1, 2)
    found = []
    for form in (PGS, Late):
        w, acc, played, bound, spare = path(form, problem, order), [Q(0), Q(0)], Q(0), Q(0), Q(0)
        for t, (i,) in enumerate(order, start=1):
            before, y = w[t - 1], LABELS[i]
            sub = [-y * Q(x) if y * sum(x * a for x, a in zip(ROWS[i], before)) < 1 else Q(0) for x in ROWS[i]]
            acc = [a - s for a, s in zip(acc, sub)]
            played += lam / 2 * sum(a * a for a in before) + sum(a * s for a, s in zip(before, sub))
            bound += sum(s * s for s in sub) / (2 * t * lam)
            spare += lam * sum(a * a for a in w[t]) / (2 * t) if t < len(order) else 0
        regret = played + sum(a * a for a in acc) / (2 * len(order) * lam)
        found.append((regret, bound, spare))
    assert found[0] == (Q(8653, 1800), Q(26, 5), Q(707, 1800)) and found[0][0] == found[0][1] - found[0][2]
    assert found[1][0] != found[1][1] - found[1][2]


def test_golden_conjugates() -> None:
    """G5, and the residual 0 at the gradient, positive elsewhere."""
    theta = qs("3 -4 5")
    for g, v, w, value in [
        (PNorm(1, "3/2"), theta, [Q(9, 12), Q(-16, 12), Q(25, 12)], Q(9)),
        (PNorm(1, "3/2", ball=1), theta, [Q(9, 36), Q(-16, 36), Q(25, 36)], Q(5)),
        (PNorm(1, "4/3"), qs("12 -15 20"), [Q(1728, 1443), Q(-3375, 1443), Q(8000, 1443)], Q(481, 6)),
    ]:
        exact = g.over(Q)
        assert exact.gradient_conjugate(v) == w and exact.conjugate(v) == value
        if exact.p == Q(3, 2):  # for p = 4/3 the norms are not rational
            assert exact.dual_norm(v) == 6 and exact.norm(w) == (3 if exact.ball is None else 1)
            assert exact.residual(w, v) == 0 and exact.residual([w_j / 4 for w_j in w], v) > 0


# -- the lazy form, exactly --------------------------------------------------------------------------------------------


def choices_of(r: random.Random, output: str, n: int, k: int, T: int) -> list[list[int]]:
    return [[int(r.random() * t < 1)] * (output == "random") + r.sample(range(n), k) for t in range(1, T + 1)]


@pytest.mark.parametrize("output", ["last", "average", "random"])
@pytest.mark.parametrize(
    "g", [L2("1/3"), ElasticNet("1/3", "1/20"), PNorm("1/3", 2), PNorm(2, "4/3"), PNorm(2, "4/3", 1)], ids=repr
)
def test_the_lazy_form_equals_the_dense_form_exactly(g: Any, output: str) -> None:
    r = random.Random(5)
    for _ in range(40):
        powers = g.family == "p-norm" and g.p != 2  # one column: no sum of two powers has rational roots
        d, n = 1 if powers else r.randint(1, 4), r.randint(1, 5)
        problem = random_problem(r, g, r.choice([Hinge(), SmoothedHinge("1/3"), Absolute(), Squared()]), Q, n, d)
        k = r.randint(1, n)
        choices = choices_of(r, output, n, k, 8)
        dense, lazy = PGS(k, output), LazyPGS(k, output)
        if output == "average" and g.l1 > 0:
            with pytest.raises(HypothesisViolated, match="no lazy form"):
                lazy.init(problem)
            continue
        assert dense.view(problem, dense.run(problem, choices)) == lazy.view(problem, lazy.run(problem, choices))


def test_the_lazy_form_equals_the_dense_form_on_a_euclidean_ball_exactly() -> None:
    """One column, and rows along one line with a rational length: the roots at the clip are rational."""
    r = random.Random(6)
    for _ in range(40):
        rows = [[3 * a, -4 * a] for a in (r.randint(-5, 5) for _ in range(4))]
        labels, loss = [r.choice([-1, 1]) for _ in rows], r.choice([Hinge(), Squared()])
        problem = Problem(rows, labels, loss, PNorm("1/3", 2, "1/2"), number=Q)
        choices = choices_of(r, "average", 4, 2, 8)
        dense, lazy = PGS(2), LazyPGS(2)
        assert dense.view(problem, dense.run(problem, choices)) == lazy.view(problem, lazy.run(problem, choices))


# -- outputs, certificates and choices ---------------------------------------------------------------------------------


def test_the_random_output_is_uniform_on_w_0_to_w_T_minus_1() -> None:
    problem, T = Problem(ROWS, LABELS, Hinge(), L2("1/2"), number=Q), 3
    for form in FORMS:
        pgs, last = form(k=2, output="random"), PGS(k=2, output="last")
        law: dict[Any, Q] = {}
        layer = next(islice(distributions(pgs, problem, pgs.init(problem)), T, None))
        for probability, state in layer:
            key = tuple(pgs.view(problem, state)[0])
            law[key] = law.get(key, Q(0)) + probability
        expected: dict[Any, Q] = {}
        for layer in islice(distributions(last, problem, last.init(problem)), T):
            for probability, state in layer:
                expected[tuple(state.w)] = expected.get(tuple(state.w), Q(0)) + probability / T
        assert law == expected


@pytest.mark.parametrize("form", FORMS)
def test_the_average_is_of_w_0_to_w_T_minus_1(form: Any) -> None:
    problem = Problem(SAME, [1, -1], Hinge(), PNorm("1/2", "3/2"), number=Q)
    iterates = path(PGS, problem, singles("1122"))
    average = form()
    w = average.view(problem, average.run(problem, singles("1122")))[0]
    assert w == [sum(column) / 4 for column in zip(*iterates[:4])] != [sum(column) / 4 for column in zip(*iterates[1:])]


def test_the_gap_is_a_certificate_at_every_output() -> None:
    """The gap equals P(w) - D(alpha) >= 0, exactly."""
    problem = Problem(ROWS, LABELS, Hinge(), L2("1/2"), number=Q)
    for output in ("last", "average"):
        pgs = PGS(output=output)
        for T in (0, 1, 6):
            w, alpha = pgs.view(problem, pgs.run(problem, singles("123213")[:T]))
            assert (
                problem.require_alpha(alpha) == alpha and problem.gap(w, alpha) == problem.P(w) - problem.D(alpha) >= 0
            )


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
    four = Problem([[1.0]] * 4, [1] * 4, Hinge(), L2(1))
    runs = [PGS(output="random").draw(four, "uniform", seed, 0)[:, 0] for seed in range(2000)]
    shares = [sum(int(run[t]) for run in runs) / 2000 for t in range(4)]
    # Hoeffding: a share of 2000 fair draws is off by more than 0.08 with probability below 2 exp(-25.6) < 2e-11
    assert all(abs(share - 1 / (t + 1)) < 0.08 for t, share in enumerate(shares))


def test_the_order_within_a_batch_does_not_count_and_replacement_may_repeat() -> None:
    problem = Problem(ROWS, LABELS, Hinge(), L2("1/2"), number=Q)
    assert path(PGS, problem, [(0, 1), (2, 1)], 2) == path(PGS, problem, [(1, 0), (1, 2)], 2)
    repeated = PGS(k=2, sampling="replacement")
    assert len(repeated.choices(problem, repeated.init(problem))) == 9
    assert repeated.run(problem, [(1, 1)]).w == PGS().run(problem, [(1,)]).w


# -- Pegasos -----------------------------------------------------------------------------------------------------------


def test_pgs_is_pegasos_after_a_zero_row() -> None:
    """On R^d exactly, on every path; without the zero row it is not."""
    r, different = random.Random(10), 0
    for _ in range(60):
        n, k = r.randint(1, 4), r.randint(1, 2)
        k = min(k, n)
        problem = random_problem(r, L2(Q(1, r.randint(1, 5))), Hinge(), Q, n, 2)
        shifted = Problem([[Q(0)] * 2] * k + problem.X, [1] * k + problem.y, Hinge(), problem.regularizer, number=Q)
        order = [r.sample(range(n), k) for _ in range(6)]
        pegasos = Pegasos(k, projection=False)
        late = [list(range(k))] + [[i + k for i in batch] for batch in order]
        for t in range(7):
            w = PGS(k, output="last").run(problem, order[:t]).w
            assert pegasos.run(shifted, late[: t + 1]).w == w
        different += pegasos.run(problem, order).w != w
    assert different > 30


def test_pgs_clips_lazily_and_pegasos_greedily() -> None:
    g = PNorm(1, 2, ball="1/2")
    problem = Problem([[3], [-3]], [1, 1], Hinge(), g, number=Q)
    assert path(PGS, problem, singles("112")) == [[0], [Q(1, 2)], [Q(1, 2)], [0]]
    shifted, pegasos = Problem([[0], [3], [-3]], [1, 1, 1], Hinge(), g, number=Q), Pegasos()
    assert [pegasos.run(shifted, singles("1223")[:t]).w for t in (1, 2, 3, 4)] == [
        [0],
        [Q(1, 2)],
        [Q(1, 3)],
        [Q(-1, 2)],
    ]


def test_pegasos_projects_onto_its_own_ball() -> None:
    problem = Problem([[3, 4], [1, 1]], [1, -1], Hinge(), L2("1/4"), number=Q)
    assert Pegasos().run(problem, [(0,)]).w == [Q(6, 5), Q(8, 5)], "(12, 16) onto the ball of radius 2"
    assert Pegasos(projection=False).run(problem, [(0,)]).w == [12, 16]
    w, alpha = Pegasos().view(problem, Pegasos().run(problem, [(0,)]))
    assert problem.gap(w, alpha) == problem.P(w) - problem.D(alpha) > 0


# -- validation --------------------------------------------------------------------------------------------------------


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
        (lambda: Problem(ROWS, [1, 0, 1], Hinge(), PNorm(1, 1.5)), "y"),
        (lambda: Problem([[math.nan]], [1], Hinge(), PNorm(1, 1.5)), "finite"),
        (lambda: power(Q(2), Q(1, 2)), "not rational"),
        (lambda: PNorm(1, "3/2").over(Q).gradient_conjugate(qs("1 1")), "not rational"),
    ],
)
def test_validation_refuses(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_hypotheses() -> None:
    for loss in (Squared(), SquaredHinge()):
        free, bounded = Problem(ROWS, LABELS, loss, L2(1)), Problem(ROWS, LABELS, loss, PNorm(1, 1.5, 2))
        with pytest.raises(HypothesisViolated, match="Give ball"):
            PGS().require(free)
        PGS().require(free, "sharp")
        PGS().require(bounded)
        assert PGS().run(free, singles("123")).t == 3, "allowed, without Theorem 1"
    for loss in (Hinge(), Logistic(), SmoothedHinge(), Absolute()):
        method("pgs").require(Problem(ROWS, LABELS, loss, PNorm(1, 1.5)))
    with pytest.raises(HypothesisViolated, match="hinge"):
        method("pegasos").require(Problem(ROWS, LABELS, Logistic(), L2(1)))
    for wrong in (PNorm(1, 1.5), ElasticNet(1, 1)):
        with pytest.raises(HypothesisViolated, match="pegasos needs"):
            Pegasos().init(Problem(ROWS, LABELS, Hinge(), wrong))
    with pytest.raises(HypothesisViolated, match="not for PNorm"):
        method("sdca").init(Problem(ROWS, LABELS, Hinge(), PNorm(1, 1.5)))
    for verb, arguments in (("prox", ([1.0], 1.0)), ("centred", (1.0, [1.0])), ("dual_point", ([1.0],))):
        with pytest.raises(TypeError, match="use L2"):
            getattr(PNorm(1, 1.5), verb)(*arguments)
    assert [PGS(output=output).guarantee is None for output in ("last", "average", "random")] == [True, False, False]


def test_powers_of_fractions_are_exact() -> None:
    assert power(Q(0), Q(3, 2)) == 0 and power(Q(1), Q(1, 10**9)) == 1 and power(Q(1024, 243), Q(-3, 5)) == Q(27, 64)
    assert power(Q(2**301, 3**301), Q(1, 301)) == Q(2, 3) and power(Q(3), Q(0)) == 1
