"""AdaSPDC, its repair and PDCP: golden traces in exact rationals, twice computed, and the hypotheses they ask for."""

import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import L2, ElasticNet, Logistic, Problem, SmoothedHinge, Squared, SquaredHinge
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.problem.block_losses import BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem

F = Fraction
ROWS = [[3, 4], [1, 0], [0, 2]]  # R = (5, 1, 2); with gamma = 1, n/(m lam) a square: everything is rational
THREE = {
    "ridge": (Squared(), L2("1/3"), [1, -1, 2]),
    "hinge": (SmoothedHinge(), L2("1/3"), [1, -1, 1]),
    "net": (Squared(), ElasticNet("1/3", "1/10"), [1, -1, 2]),
}


def three(kind: str, number: Any = Fraction) -> Problem:
    loss, regularizer, y = THREE[kind]
    return Problem(ROWS, y, loss, regularizer, number=number)


def fractions(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


def trace(method: Any, problem: Problem, choices: list[list[int]], **start: Any) -> list[Any]:
    """The states after each step."""
    state, states = method.init(problem, **start), []
    for choice in choices:
        state = method.step(problem, state, choice)
        states.append(state)
    return states


def assert_states(states: list[Any], expected: list[dict[str, str]]) -> None:
    """Every field named in ``due`` has those values, exactly; block duals are written one after the other."""
    assert len(states) == len(expected)
    for t, (state, fields) in enumerate(zip(states, expected)):
        for name, text in fields.items():
            got = getattr(state, name)
            flat = [v for part in got for v in (part if isinstance(part, tuple) else (part,))]
            assert flat == fractions(text), f"{name} after step {t}: {[str(v) for v in flat]}"


# -- golden traces ---------------------------------------------------------------------------------------------------

G1 = [
    {"alpha": "-1/11 0 0", "w": "9/341 12/341", "w_bar": "35/682 70/1023", "u": "-1/11 -4/33"},
    {"alpha": "-1/11 239/682 0", "w": "-423/4774 28/341", "w_bar": "-1761/9548 4/33", "u": "53/2046 -4/33"},
    {
        "alpha": "-1/11 239/682 -58/165",
        "w": "-419/4774 536/2015",
        "w_bar": "-3739/42966 85672/199485",
        "u": "53/2046 -16/45",
    },
    {
        "alpha": "-114833/2792790 239/682 -58/165",
        "w": "-490111/4809805 1310954/4809805",
        "w_bar": "-3990985/34630596 1723789/6184035",
        "u": "105701/1396395 -1211374/4189185",
    },
]
G1_R = [
    G1[0],
    {"w": "9/21142 44/961", "w_bar": "-1019/42284 5308/95139"},
    {"alpha": "-1/11 239/682 -179662/475695", "w": "-1373/655402 634784/4915515", "u": "53/2046 -532304/1427085"},
    {"alpha": "-19307449/194654394 239/682 -179662/475695", "w": "-714232/335238123 826067774/5028571845"},
]
G2 = [
    *G1[:2],
    {"alpha": "-1/11 239/682 -5/33", "w": "-419/4774 70/403", "w_bar": "-3739/42966 10178/39897", "u": "53/2046 -2/9"},
    {
        "alpha": "-58381/558558 239/682 -5/33",
        "w": "-80315/961961 187456/961961",
        "w_bar": "-2751481/34630596 265745/1236807",
        "u": "3433/279279 -201392/837837",
    },
]
G3 = [
    {"w": "57/3410 87/3410", "w_bar": "133/4092 203/4092"},
    {"alpha": "-1/11 4225/12276 0", "w": "-1471/28644 739/23870", "w_bar": "-18575/171864 41/1155"},
    {
        "alpha": "-1/11 4225/12276 -2228/5775",
        "w": "-166577/5585580 29837/141050",
        "w_bar": "-537049/50270220 742177/1994850",
        "u": "877/36828 -596/1575",
    },
]
G4 = [
    {"alpha": "-1/11 1/3 0", "w": "-1/352 3/176", "w_bar": "-17/3168 17/528", "u": "2/99 -4/33"},
    {
        "alpha": "-1/11 5263/9504 -511/1320",
        "w": "-35/1152 761/6160",
        "w_bar": "-1477/28512 11441/55440",
        "u": "2671/28512 -751/1980",
    },
]
G5 = [
    {"alpha": "-1/9 1/9 0", "w": "2/51 -8/153", "w_bar": "19/255 -76/765", "u": "-1/6 2/9"},
    {"alpha": "-1/9 1/9 -491/765", "w": "1357/3825 -20/153", "w_bar": "9049/15300 -29/153", "u": "-373/765 2/9"},
    {
        "alpha": "-1753/137700 173/1377 -491/765",
        "w": "27821/78030 -3652/23409",
        "w_bar": "1397269/3901500 -20924/117045",
        "u": "-31213/91800 346/1377",
    },
]
G6 = [
    {"alpha": "-8/11 4/11 4/11 1/3 1/3 -2/3", "w": "26/231 -13/231 -13/231 31/231 -1/11 -10/231"},
    {
        "alpha": "-8/11 4/11 4/11 4409/8316 17/44 -3811/4158",
        "w": "608/1155 -304/1155 -304/1155 323/594 -149/330 -137/1485",
        "w_bar": "1933/2310 -1933/4620 -1933/4620 14153/16632 -953/1320 -5363/41580",
    },
    {
        "alpha": "-27982/114345 739/50820 105277/457380 4409/8316 17/44 -3811/4158",
        "w": "374084/800415 -108257/533610 -423397/1600830 4296569/9604980 -136849/355740 -300823/4802490",
    },
]
ONE_BY_ONE = [[0], [1], [2], [0]]


def test_golden_ridge() -> None:
    assert_states(trace(AdaSPDC(), three("ridge"), ONE_BY_ONE), G1)


def test_golden_ridge_repaired() -> None:
    assert_states(trace(AdaSPDCR(), three("ridge"), ONE_BY_ONE), G1_R)


def test_golden_smoothed_hinge() -> None:
    assert_states(trace(AdaSPDC(), three("hinge"), ONE_BY_ONE), G2)


def test_golden_elastic_net() -> None:
    assert_states(trace(AdaSPDC(), three("net"), ONE_BY_ONE[:3]), G3)


def test_golden_mini_batch() -> None:
    problem = Problem(ROWS, [1, -1, 2], Squared(), L2("2/3"), number=Fraction)
    assert_states(trace(AdaSPDC(m=2), problem, [[0, 1], [1, 2]]), G4)


def unequal_blocks(number: Any = Fraction) -> BlockProblem:
    """A_1 = diag(3, 4), A_2 = (1, 0)^T."""
    return BlockProblem([[[3, 0], [0, 4]], [[1], [0]]], [[1, -1], [2]], Separable(Squared()), L2("1/2"), number=number)


def test_golden_blocks_of_unequal_size() -> None:
    """The Frobenius norm of A_1 is 5: the trace tells it from the spectral norm 4 (control)."""
    assert_states(trace(AdaSPDC(), unequal_blocks(), [[0], [1], [0]]), G5)
    frobenius = trace(AdaSPDC(norms=[5, 1]), unequal_blocks(), [[0]])
    assert [str(v) for v in frobenius[0].alpha[0]] != ["-1/9", "1/9"]


def classes(number: Any = Fraction, loss: Any = None, lam: Any = "1/2") -> BlockProblem:
    return BlockProblem.kronecker(
        [[3, 4], [0, 1]], [0, 2], 3, loss or MulticlassSmoothedHinge(), L2(lam), number=number
    )


def test_golden_multiclass_smoothed_hinge() -> None:
    third = F(1, 3)
    start = {"alpha": [(-2 * third, third, third), (third, third, -2 * third)], "w": [0] * 6}
    assert_states(trace(AdaSPDC(), classes(), [[0], [1], [0]], **start), G6)


# -- the same traces by a second computation: each line as the minimisation that it states -----------------------------


def dual_argmin(loss: str, z: Fraction, y: Fraction, b: Fraction, s: Fraction) -> Fraction:
    """argmin_v v^2/2 + b v - z v + (v - y)^2/(2s), over b v in [-1, 0] for the hinge: the vertex of the parabola or an
    end.
    """

    def objective(v: Fraction) -> Fraction:
        return v * v / 2 + b * v - z * v + (v - y) ** 2 / (2 * s)

    vertex = (objective(F(-1)) - objective(F(1))) / (2 * (objective(F(1)) + objective(F(-1)) - 2 * objective(F(0))))
    ends = [F(0), -b] if loss == "hinge" else []
    allowed = [v for v in [vertex, *ends] if loss != "hinge" or -1 <= b * v <= 0]
    return min(allowed, key=objective)


def primal_argmin(w: Fraction, direction: Fraction, tau: Fraction, lam: Fraction, l1: Fraction) -> Fraction:
    """argmin_x lam x^2/2 + l1 |x| + direction x + (x - w)^2/(2 tau): the vertex of each half, and the kink."""
    halves = [(w / tau - direction - sign * l1) / (lam + 1 / tau) for sign in (1, -1)]
    return min([F(0), *halves], key=lambda x: lam * x * x / 2 + l1 * abs(x) + direction * x + (x - w) ** 2 / (2 * tau))


def second_computation(
    loss: str, b: list[int], l1: Fraction, repaired: bool, sign: int = 1
) -> list[dict[str, list[Fraction]]]:
    """m = 1, n = 3, d = 2, lam = 1/3, gamma = 1, so c = 1 and k = 3; everything from its definition, r summed anew."""
    A, R, lam = [[F(x) for x in row] for row in ROWS], [F(5), F(1), F(2)], F(1, 3)
    w, w_bar, y = [F(0)] * 2, [F(0)] * 2, [F(0)] * 3
    states = []
    for (i,) in ONE_BY_ONE:
        big = F(5) if repaired else R[i]
        sigma, tau, theta = 1 / (2 * R[i]), 1 / (2 * big), 1 - 1 / (3 + 3 * big)
        r = [sum((A[h][j] * y[h] for h in range(3)), F(0)) / 3 for j in range(2)]
        new = dual_argmin(loss, A[i][0] * w_bar[0] + A[i][1] * w_bar[1], y[i], F(sign * b[i]), sigma)
        following = [primal_argmin(w[j], r[j] + A[i][j] * (new - y[i]), tau, lam, l1) for j in range(2)]
        y[i] = new
        w_bar = [(1 + theta) * following[j] - theta * w[j] for j in range(2)]
        w = following
        r = [sum((A[h][j] * y[h] for h in range(3)), F(0)) / 3 for j in range(2)]
        states.append({"w": w, "w_bar": w_bar, "alpha": list(y), "u": r})
    return states


@pytest.mark.parametrize(
    ("kind", "loss", "l1", "method", "golden"),
    [
        ("hinge", "hinge", F(0), AdaSPDC(), G2),
        ("net", "ridge", F(1, 10), AdaSPDC(), G3),
        ("ridge", "ridge", F(0), AdaSPDCR(), G1_R),
    ],
)
def test_a_second_computation_finds_the_same_traces(
    kind: str, loss: str, l1: Fraction, method: Any, golden: Any
) -> None:
    again = second_computation(loss, THREE[kind][2], l1, isinstance(method, AdaSPDCR))
    assert [state.fields() for state in trace(method, three(kind), ONE_BY_ONE)] == again
    for found, expected in zip(again, golden):
        assert all(found[name] == fractions(text) for name, text in expected.items())


def test_the_second_computation_sees_the_printed_sign_of_b() -> None:
    """Control: "+b" in the ridge step, as printed, gives alpha_1 = +1/11 and w = -(9, 12)/341 at once."""
    wrong = second_computation("ridge", [1, -1, 2], F(0), repaired=False, sign=-1)[0]
    assert (wrong["alpha"][0], wrong["w"]) == (F(1, 11), [F(-9, 341), F(-12, 341)])
    assert trace(AdaSPDC(), three("ridge"), [[0]])[0].alpha[0] == F(-1, 11)


# -- facts of every step ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [AdaSPDC(), AdaSPDC(m=2), AdaSPDCR(m=2), AdaSPDCR(preset="b", m=2), PDCP(mu="1/3")])
def test_the_saddle_point_stays(method: Any) -> None:
    """G1's saddle point under every choice; moved by a little, it does not stay (control)."""
    lam = F(2, 3) if getattr(method, "m", 1) == 2 else F(1, 3)
    problem = Problem(ROWS, [1, -1, 2], Squared(), L2(lam), number=Fraction)
    w = fractions("-13/30 3/5" if lam == F(2, 3) else "-18/29 64/87")
    alpha = fractions("1/10 17/30 -4/5" if lam == F(2, 3) else "7/87 11/29 -46/87")
    saddle = method.init(problem, alpha=alpha, w=w)
    assert problem.gap(w, alpha) == 0
    elsewhere = method.init(problem, alpha=alpha, w=[w[0] + 1, w[1]])
    for choice, _ in method.choices(problem, saddle):
        assert method.step(problem, saddle, choice).key() == saddle.key()
        assert method.step(problem, elsewhere, choice).key() != elsewhere.key()


@pytest.mark.parametrize("m", [1, 2, 3])
def test_r_is_the_mean_of_the_blocks_and_the_weight_one_over_m_is_unbiased(m: int) -> None:
    """E[r + (1/m) sum_S A_j (y_j^+ - y_j)] is r of "every block updated"; with the weight 1/n it is not (m < n)."""
    problem = Problem(ROWS, [1, -1, 2], Squared(), L2(F(m, 3)), number=Fraction)
    method = AdaSPDC(m=m)
    state = method.run(problem, [list(range(m))] * 2)
    everything = [method.dual_step(problem, state, _parameters(method, problem), i) for i in range(3)]
    expected = [-u for u in problem.minus_u(everything)]

    def mean(divisor: int) -> list[Fraction]:
        total = [F(0), F(0)]
        for S, probability in method.choices(problem, state):
            moved = state.u
            for i in S:
                moved = problem.moved(moved, i, everything[i], state.alpha[i], divisor)
            total = [a + probability * b for a, b in zip(total, moved)]
        return total

    assert [-u for u in problem.minus_u(state.alpha)] == state.u
    assert mean(m) == expected
    assert (mean(3) == expected) == (m == 3)


def _parameters(method: AdaSPDC, problem: Problem) -> Any:
    found = method.parameters(problem)
    assert found is not None
    return found


def test_the_steps_satisfy_their_products() -> None:
    """Published: 4 sigma_i tau R_i R^t = 1. Repaired: 4 tau sigma_i R_i^2 <= 1 for all i, with equality in preset b."""
    problem = three("ridge")
    published, R = AdaSPDC(), problem.norms
    for i in range(3):
        tau, _ = published.tau_theta(problem, _parameters(published, problem), [i])
        assert 4 * published.sigma(_parameters(published, problem), i) * tau * R[i] * R[i] == 1
    for preset, expected in (("a", [R_i / 5 for R_i in R]), ("b", [1, 1, 1])):
        repaired = AdaSPDCR(preset=preset)
        tau, theta = repaired.tau_theta(problem, _parameters(repaired, problem), [1])
        assert [4 * tau * repaired.sigma(_parameters(repaired, problem), i) * R[i] ** 2 for i in range(3)] == expected
        assert (tau, theta) == (F(1, 10), F(17, 18))


# -- blocks of one number, and equal norms -----------------------------------------------------------------------------

EVERY = [AdaSPDC(), AdaSPDC(m=2), AdaSPDCR(m=2, preset="b"), AdaSPDCR()]


def random_rows(n: int, d: int, seed: int) -> tuple[list[list[float]], list[float]]:
    generator = random.Random(seed)
    X = [[generator.choice([0.0, generator.gauss(0, 1), generator.gauss(0, 2)]) for _ in range(d)] for _ in range(n)]
    for row in X:
        row[0] = row[0] or 1.0
    return X, [generator.choice([-1.0, 1.0]) for _ in range(n)]


@pytest.mark.parametrize("method", [*EVERY, PDCP()], ids=lambda m: f"{m.name}-{getattr(m, 'm', '')}")
@pytest.mark.parametrize(
    "loss", [Squared(), SmoothedHinge("1/2"), SquaredHinge(), Logistic()], ids=lambda loss: loss.name
)
def test_blocks_of_one_number_make_the_scalar_run_bit_for_bit(method: Any, loss: Any) -> None:
    X, y = random_rows(7, 4, seed=3)
    problem = Problem(X, y, loss, ElasticNet(0.05, 0.01))
    block = BlockProblem.from_scalar(problem)
    passes = [choice for epoch in range(6) for choice in method.draw(problem, "uniform", 1, epoch).tolist()]
    w, alpha = method.view(problem, method.run(problem, passes))
    w_block, alpha_block = method.view(block, method.run(block, passes))
    assert [x.hex() for x in w] == [x.hex() for x in w_block]
    assert [a.hex() for a in alpha] == [a.hex() for (a,) in alpha_block]
    assert block.gap(w_block, alpha_block) == problem.gap(w, alpha) > 0
    assert (block.P(w), block.D(alpha_block), block.f(w, alpha_block)) == (
        problem.P(w),
        problem.D(alpha),
        problem.f(w, alpha),
    )


@pytest.mark.parametrize("kind", sorted(THREE))
def test_blocks_of_one_number_make_the_scalar_run_exactly(kind: str) -> None:
    problem = three(kind)
    block = BlockProblem.from_scalar(problem)
    for method in (AdaSPDC(), AdaSPDCR(preset="b"), PDCP(norm=6, mu=F(1, 4))):
        choices: Any = [0, 0, 0] if isinstance(method, PDCP) else ONE_BY_ONE
        a, b = method.run(problem, choices), method.run(block, choices)
        assert (a.w, a.w_bar, a.alpha) == (b.w, b.w_bar, [alpha for (alpha,) in b.alpha])


@pytest.mark.parametrize("m", [1, 2, 3])
def test_equal_norms_make_all_of_them_spdc_with_its_sharp_theta(m: int) -> None:
    """Exactly, in floats bit for bit; the paper's theta of SPDC differs (control)."""
    rows, choices = [["3/5", "4/5"], [1, 0], [0, 1]], [list(range(m))] * 3
    for number in (Fraction, float):
        problem = Problem(rows, [1, -1, 2], Squared(), L2(F(m, 3)), number=number)
        expected = MiniBatchSPDC(m=m, theta="sharp", R=1).run(problem, choices).fields()
        for method in (AdaSPDC(m=m, norms=[1] * 3), AdaSPDCR(m=m, norms=[1] * 3)):
            assert method.run(problem, choices).fields() == expected
        assert MiniBatchSPDC(m=m, R=1).run(problem, choices).fields() != expected


def test_multi_output_ridge_is_one_ridge_run_for_each_output() -> None:
    """The rows' norms are the blocks', so every output makes the scalar run on its own targets, bit for bit."""
    X, _ = random_rows(6, 3, seed=8)
    generator = random.Random(1)
    B = [[generator.gauss(0, 1) for _ in range(2)] for _ in range(6)]
    block = BlockProblem.kronecker(X, B, 2, Separable(Squared()), L2(0.1))
    for method in (AdaSPDC(m=2), AdaSPDCR(), PDCP()):
        passes = [choice for epoch in range(4) for choice in method.draw(block, "uniform", 5, epoch).tolist()]
        w, alpha = method.view(block, method.run(block, passes))
        for k in range(2):
            scalar = Problem(X, [b[k] for b in B], Squared(), L2(0.1))
            w_k, alpha_k = method.view(scalar, method.run(scalar, passes))
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


def test_the_published_method_diverges_where_its_repair_does_not() -> None:
    """Orthogonal rows of norm 32 and 1, 400 steps: the published method passes 1e6 (almost surely: 300 of 300 seeds
    seen).
    """
    problem = Problem([[32.0, 0.0], [0.0, 1.0]], [0.0, 0.0], Squared(), L2(0.5))
    sizes = {}
    for method in (AdaSPDC(), AdaSPDCR()):
        state = method.init(problem, alpha=[1.0, 0.0], w=[0.0, 0.0])
        for epoch in range(200):
            state = method.run(problem, method.draw(problem, "uniform", 0, epoch), state)
        sizes[method.name] = abs(state.alpha[0])
    assert sizes["adaspdc"] > 1e6 and sizes["adaspdc-r"] < 1e-3


def test_pdcp_makes_the_steps_worked_by_hand() -> None:
    """diag(3, 4), lam = 1/2: mu = 2/4, tau = sigma = 1/2, so q = 2/sigma = 4, theta = 2/3 and 1 + lam tau = 5/4."""
    problem = Problem([[3, 0], [0, 4]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    expected = [
        {"alpha": "-1/5 1/5", "w": "3/25 -4/25", "w_bar": "1/5 -4/15"},
        {"alpha": "-6/25 11/75", "w": "6/25 -92/375"},
    ]
    state, states = PDCP().init(problem), []
    for _ in range(2):
        state = PDCP().step(problem, state, 0)
        states.append(state)
    assert_states(states, expected)


@pytest.mark.parametrize("theta", [None, 1])
def test_pdcp_keeps_its_rate(theta: Any) -> None:
    """lam ||w^T - w*||^2 + (1 - omega)(gamma/n) ||alpha^T - alpha*||^2 <= omega^T times the first, exactly; not
    omega^(3T) (control).
    """
    problem, method = three("ridge"), PDCP(mu="1/3", theta=theta)
    method.require(problem)
    w, alpha = fractions("-18/29 64/87"), fractions("7/87 11/29 -46/87")
    omega = (1 + (F(3, 4) if theta is None else 1)) / (2 + F(1, 3))
    state = method.init(problem)

    def distance(weight: Fraction) -> Fraction:
        primal = sum(((a - b) ** 2 for a, b in zip(state.w, w)), F(0)) / 3
        return primal + weight * sum(((a - b) ** 2 for a, b in zip(state.alpha, alpha)), F(0)) / 3

    start = distance(F(1))
    for T in range(1, 16):
        method.advance(problem, state, 0)
        assert distance(1 - omega) <= omega**T * start
    assert distance(1 - omega) > omega**45 * start
