"""The reference against exact numbers: golden tables, the gap identity, the regularizers, floats against Fractions."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
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
from dualgap.reference.problem.regularizers import soft


def rationals(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


# -- golden tables: index | alpha | w | P | D | gap --------------------------------------------------------------------

ROWS = ["3/5 4/5", "1 0", "0 1/2"]
SDCA_ROWS = ["1 0", "1 1", "0 -1"]  # alpha below has our sign: minus that of the SDCA paper

# (method, loss, regularizer, rows, y, table, E gap_1, E gap_2)
GOLDEN: dict[str, tuple[str, Loss, Regularizer, list[str], list[int], str, str]] = {
    "ASPDC (a) squared": (
        "aspdc",
        Squared(),
        L2("4/3"),
        ROWS,
        [1, -1, 2],
        """
        1 | -1 0 0                  | 3/20 1/5            | 383/400                 | 1/8                     | 333/400
        2 | -1 23/20 0              | -11/80 1/5          | 145081/160000           | 929/3200                | 98631/160000
        3 | -1 23/20 -19/10         | -11/80 7/16         | 1129507/1280000         | 1367/1600               | 35907/1280000
        1 | -293/400 23/20 -19/10   | -1421/8000 48/125   | 56535377/64000000       | 1105049/1280000         | 1282927/64000000
        2 | -293/400 6579/8000 -19/10 | -3063/32000 48/125 | 22510540049/25600000000 | 448889241/512000000 | 66077999/25600000000
        """,  # noqa: E501
        "1 6419/9600 9108819/20480000",
    ),
    "ASPDC (b) smoothed hinge": (
        "aspdc",
        SmoothedHinge(),
        L2("4/3"),
        ROWS,
        [1, -1, 1],
        """
        1 | -1 0 0                  | 3/20 1/5            | 1169/2400               | 1/8                     | 869/2400
        2 | -1 1 0                  | -1/10 1/5           | 263/600                 | 3/10                    | 83/600
        3 | -1 1 -9/10              | -1/10 5/16          | 1669529/3840000         | 273/640                 | 31529/3840000
        1 | -81/100 1 -9/10         | -257/2000 549/2000  | 13901899/32000000       | 17243/40000             | 107499/32000000
        2 | -81/100 1743/2000 -9/10 | -771/8000 549/2000  | 693880111/1600000000    | 13860449/32000000       | 857661/1600000000
        """,  # noqa: E501
        "1/2 40633/115200 527982577/2211840000",
    ),
    "ASPDC (c) smoothed hinge, gamma 1/2": (
        "aspdc",
        SmoothedHinge("1/2"),
        L2("4/3"),
        ROWS,
        [1, -1, 1],
        """
        1 | -1 0 0                  |                     |                         |                         | 31/60
        2 | -1 1 0                  |                     |                         |                         | 13/60
        3 | -1 1 -1                 | -1/10 13/40         | 323/480                 | 323/480                 | 0
        1 | -1 1 -1                 | -1/10 13/40         | 323/480                 | 323/480                 | 0
        2 | -1 1 -1                 | -1/10 13/40         | 323/480                 | 323/480                 | 0
        """,
        "3/4",
    ),
    "ASPDC (d) elastic net": (
        "aspdc",
        Squared(),
        ElasticNet("4/3", "1/10"),
        ROWS,
        [1, -1, 2],
        """
        1 | -1 0 0                  | 3/40 1/8            | 311763/320000           | 61/400                  | 262963/320000
        2 | -1 43/40 0              | -7/160 1/8          | 607751/640000           | 821/2560                | 402501/640000
        3 | -1 43/40 -31/16         | -7/160 47/128       | 75691723/81920000       | 37161/40960             | 1369723/81920000
        1 | -293/400 43/40 -31/16   | -671/8000 5019/16000 | 1889548739/2048000000  | 4690921/5120000         | 13180339/2048000000
        2 | -293/400 7329/8000 -31/16 | -1413/32000 5019/16000 | 47175979373/51200000000 | 470707541/512000000 | 105225273/51200000000
        """,  # noqa: E501
        "1 318119/480000",
    ),
    "SDCA squared": (
        "sdca",
        Squared(),
        L2("1/3"),
        SDCA_ROWS,
        [1, -1, 1],
        """
        1 | -1/2 0 0                | 1/2 0               | 5/8                     | 1/12                    | 13/24
        2 | -1/2 1/2 0              | 0 -1/2              | 7/24                    | 5/24                    | 1/12
        3 | -1/2 1/2 -1/4           | 0 -3/4              | 9/32                    | 11/48                   | 5/96
        1 | -3/4 1/2 -1/4           | 1/4 -3/4            | 1/4                     | 1/4                     | 0
        2 | -3/4 1/2 -1/4           | 1/4 -3/4            | 1/4                     | 1/4                     | 0
        """,
        "1/2",
    ),
    "SDCA smoothed hinge": (
        "sdca",
        SmoothedHinge(),
        L2("1/3"),
        SDCA_ROWS,
        [1, -1, 1],
        """
        1 | -1/2 0 0                | 1/2 0               | 7/12                    | 1/12                    | 1/2
        2 | -1/2 1/2 0              | 0 -1/2              | 7/24                    | 5/24                    | 1/12
        3 | -1/2 1/2 -1/4           | 0 -3/4              | 9/32                    | 11/48                   | 5/96
        1 | -3/4 1/2 -1/4           | 1/4 -3/4            | 1/4                     | 1/4                     | 0
        """,
        "1/2",
    ),
    "SDCA smoothed hinge, gamma 1/2": (
        "sdca",
        SmoothedHinge("1/2"),
        L2("1/3"),
        SDCA_ROWS,
        [1, -1, 1],
        """
        1 | -2/3 0 0                | 2/3 0               | 5/6                     | 1/9                     | 13/18
        2 | -2/3 2/3 0              | 0 -2/3              | 43/108                  | 8/27                    | 11/108
        3 | -2/3 2/3 -2/9           | 0 -8/9              | 379/972                 | 25/81                   | 79/972
        1 | -1 2/3 -2/9             | 1/3 -8/9            | 349/972                 | 115/324                 | 1/243
        2 | -1 32/45 -2/9           | 13/45 -14/15        | 2887/8100               | 1729/4860               | 4/6075
        """,
        "3/4",
    ),
    **{
        f"SDCA {loss.name}": (
            "sdca",
            loss,
            L2("1/3"),
            SDCA_ROWS,
            [1, -1, 1],
            """
        1 | -1 0 0                  | 1 0                 | 7/6                     | 1/6                     | 1
        2 | -1 1 0                  | 0 -1                | 1/2                     | 1/2                     | 0
        3 | -1 1 0                  | 0 -1                | 1/2                     | 1/2                     | 0
        1 | -1 1 0                  | 0 -1                | 1/2                     | 1/2                     | 0
        """,
            "1",
        )
        for loss in (Hinge(), Absolute())
    },
}


def exact_problem(rows: list[str], y: list[int], loss: Loss, regularizer: Regularizer) -> Problem:
    return Problem([rationals(row) for row in rows], y, loss, regularizer, number=Fraction)


def first_difference(steps: Method[Any], problem: Problem, table: str) -> str | None:
    """The first entry of a golden table that the method does not reproduce exactly; an empty entry is not given."""
    state = steps.init(problem)
    for t, line in enumerate(table.strip().splitlines(), start=1):
        index, *cells = line.split("|")
        state = steps.step(problem, state, int(index) - 1)
        w, alpha = steps.view(problem, state)
        got = {"alpha": alpha, "w": w, "P": [problem.P(w)], "D": [problem.D(alpha)], "gap": [problem.gap(w, alpha)]}
        for (name, value), cell in zip(got.items(), cells, strict=True):
            if cell.strip() and value != rationals(cell):
                return f"step {t}: {name} = {value}, not {cell}"
        if w != problem.w(alpha) or any(type(number) is not Fraction for value in got.values() for number in value):
            return f"step {t}: w is not w(alpha), or a number is no Fraction"
    return None


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_table(name: str) -> None:
    steps, loss, regularizer, rows, y, table, _ = GOLDEN[name]
    assert first_difference(method(steps), exact_problem(rows, y, loss, regularizer), table) is None


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_table_catches_half_steps(name: str) -> None:
    steps, loss, regularizer, rows, y, table, _ = GOLDEN[name]

    class HalfSteps(type(method(steps))):
        def step(self, problem: Problem, state: Any, choice: Any) -> Any:
            whole = super().step(problem, state, choice)
            halves = {k: [(a + b) / 2 for a, b in zip(v, whole.fields()[k])] for k, v in state.fields().items()}
            return type(state)(**halves)

    assert first_difference(HalfSteps(), exact_problem(rows, y, loss, regularizer), table) is not None


def expected_gaps(steps: Method[Any], problem: Problem, horizon: int) -> list[Fraction]:
    """E gap_0, ..., E gap_horizon, over all paths."""
    level = [(Fraction(1), steps.init(problem))]
    gaps = []
    for _ in range(horizon + 1):
        gaps.append(sum((p * problem.gap(*steps.view(problem, state)) for p, state in level), Fraction(0)))
        level = [(p * q, steps.step(problem, state, k)) for p, state in level for k, q in steps.choices(problem, state)]
    return gaps


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_expected_gaps(name: str) -> None:
    steps, loss, regularizer, rows, y, _, gaps = GOLDEN[name]
    assert expected_gaps(method(steps), exact_problem(rows, y, loss, regularizer), len(gaps.split()) - 1) == rationals(
        gaps
    )


def test_expected_gaps_of_two_orthonormal_rows() -> None:
    """Exactly known for ASPDC, and for the SDCA step in its place: the two are told apart by E gap_1."""
    problem = exact_problem(["1 0", "0 1"], [1, -1], Squared(), L2(2))
    assert expected_gaps(method("aspdc"), problem, 2) == rationals("1/2 17/64 289/2048")
    assert expected_gaps(method("sdca"), problem, 2) == rationals("1/2 1/4 1/8")


@pytest.mark.parametrize(
    ("lam", "increase", "gap"),
    [("4/3", "9053/19200", "9053/4800"), ("2/3", "277/800", "831/400"), ("1/3", "0", "1501/600")],
)
def test_golden_conditional_increase_at_lam_n_gamma_of_4_2_and_1(lam: str, increase: str, gap: str) -> None:
    problem = exact_problem(["3/5 4/5", "1 0", "0 1"], [1, -1, 2], Squared(), L2(lam))
    aspdc = method("aspdc")
    state = aspdc.init(problem, rationals("1/2 -1 0"))
    before = problem.D(state.alpha)
    after = sum(
        (p * problem.D(aspdc.step(problem, state, k).alpha) for k, p in aspdc.choices(problem, state)), Fraction(0)
    )
    assert after - before == Fraction(increase)
    assert problem.gap(*aspdc.view(problem, state)) == Fraction(gap)


# (e): Algorithm 3 with lam = 1/3, kappa = 1, m = 3; epoch 1 picks 1, 2, 3 and epoch 2 picks 3, 1, 1
ALGORITHM_3 = [
    (
        Squared(),
        [1, -1, 2],
        "8",
        {
            "alpha_1": "-1 23/20 -19/10",
            "w_1": "-11/80 7/16",
            "P_1": "994907/1280000",
            "D_1": "347/800",
            "certificate_1": "439707/1280000",
            "at w(alpha)": "29807/80000",
            "start": "-77/320 49/64",
            "inner gap at the start": "1541843/20480000",
            "alpha_2": "-3431/5120 23/20 -207/128",
            "w_2": "-29707/102400 8503/12800",
            "inner gap at the end": "344312343/10485760000",
            "P_2": "14764293881/20971520000",
            "D_2": "73281233/131072000",
            "certificate_2": "3039296601/20971520000",
        },
    ),
    (
        SmoothedHinge(),
        [1, -1, 1],
        "4",
        {
            "alpha_1": "-1 1 -9/10",
            "w_1": "-1/10 5/16",
            "certificate_1": "651629/3840000",
            "start": "-7/40 35/64",
            "inner gap at the start": "1753721/61440000",
            "alpha_2": "-19549/25600 1 -93/128",
            "w_2": "-107753/512000 30587/64000",
            "certificate_2": "105368897363/1572864000000",
        },
    ),
]


@pytest.mark.parametrize(("loss", "y", "xi", "golden"), ALGORITHM_3, ids=["squared", "smoothed-hinge"])
def test_golden_algorithm_3(loss: Loss, y: list[int], xi: str, golden: dict[str, str]) -> None:
    problem = exact_problem(ROWS, y, loss, L2("1/3"))
    steps = method("aspdc-i-fixed", kappa=1, m=3)
    steps.require(problem, "sharp")
    first = steps.run(problem, [0, 1, 2])
    second = steps.run(problem, [2, 0, 0], first)
    (w_1, alpha_1), (w_2, alpha_2) = steps.view(problem, first), steps.view(problem, second)
    inner = problem.centred(Fraction(1), w_1)
    got = {
        "alpha_1": alpha_1,
        "w_1": w_1,
        "P_1": problem.P(w_1),
        "D_1": problem.D(alpha_1),
        "certificate_1": problem.gap(w_1, alpha_1),
        "at w(alpha)": problem.gap(problem.w(alpha_1), alpha_1),
        "start": first.v,
        "inner gap at the start": inner.gap(first.v, alpha_1),
        "alpha_2": alpha_2,
        "w_2": w_2,
        "inner gap at the end": inner.gap(w_2, alpha_2),
        "P_2": problem.P(w_2),
        "D_2": problem.D(alpha_2),
        "certificate_2": problem.gap(w_2, alpha_2),
    }
    for name, value in golden.items():
        assert got[name] == (rationals(value) if isinstance(got[name], list) else Fraction(value)), name
    assert (first.epoch, second.epoch, second.steps) == (1, 2, 0)

    algorithm_2 = method("aspdc-i", kappa=1)
    state = algorithm_2.init(problem)
    assert state.xi == Fraction(xi)
    assert algorithm_2.eta_of(problem) == Fraction(1, 7)
    assert algorithm_2.inner_tolerance(problem, state) == Fraction(xi) / 112


# -- the objectives ---------------------------------------------------------------------------------------------------

LOSSES = [Squared("1/3"), SmoothedHinge(), SmoothedHinge("1/4"), SquaredHinge(), Hinge(), Absolute()]


def regularizers(r: random.Random, d: int) -> list[Regularizer]:
    """L2, elastic net, and both with a centre."""
    centre = [Fraction(r.randint(-9, 9), 4) for _ in range(d)]
    plain = [L2("2/7"), ElasticNet("2/7", "1/5")]
    return plain + [g.centred(Fraction(3, 5), centre) for g in plain]


def random_vector(r: random.Random, size: int) -> list[Fraction]:
    return [Fraction(r.randint(-12, 12), r.randint(1, 6)) for _ in range(size)]


def random_problems(seed: int) -> Iterator[tuple[Problem, random.Random]]:
    """Every loss with every regularizer; a zero row, a duplicate row and a row 100 times as long among the rows."""
    r = random.Random(seed)
    for loss in LOSSES:
        for _ in range(3):
            d = r.randint(1, 3)
            rows = [random_vector(r, d) for _ in range(2)]
            rows += [[0 * x for x in rows[0]], rows[0], [100 * x for x in rows[1]]]
            y = [r.choice((-1, 1)) if loss.margin else Fraction(r.randint(-5, 5), 3) for _ in rows]
            for regularizer in regularizers(r, d):
                yield Problem(rows, y, loss, regularizer, number=Fraction), r


def feasible(problem: Problem, r: random.Random) -> list[Fraction]:
    b = [Fraction(r.choice((0, 1, 2, 3, 4)), 4) for _ in range(problem.n)]
    return [-b_i * (y if problem.loss.margin else r.choice((-1, 1))) for b_i, y in zip(b, problem.y)]


def test_the_gap_identity_holds_exactly_off_w_of_alpha() -> None:
    """P(w) - D(alpha) is the sum of residuals for ANY w; and f lies between D and P, attaining both."""
    for problem, r in random_problems(1):
        w, alpha = random_vector(r, problem.d), feasible(problem, r)
        P, D, f = problem.P(w), problem.D(alpha), problem.f(w, alpha)
        assert P - D == problem.gap(w, alpha) > 0
        assert D <= f <= P
        assert problem.f(problem.w(alpha), alpha) == D == problem.P(w) - problem.gap(w, alpha)
        response = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
        assert problem.f(w, response) == P
        assert problem.w(alpha) == problem.w_of(problem.v(alpha))


def test_the_gap_with_the_wrong_modulus_or_centre_is_noticed() -> None:
    """Control: D computed with lam + kappa, or without the centre, breaks the identity."""
    for problem, r in random_problems(2):
        w, alpha = random_vector(r, problem.d), feasible(problem, r)
        wrong = problem.with_regularizer(L2(problem.regularizer.lam + 1))
        assert problem.P(w) - wrong.D(alpha) != problem.gap(w, alpha) or not any(problem.minus_u(alpha))


def test_constants_of_a_problem() -> None:
    problem = Problem([["3/5", "4/5"], [0, 0], [0, 3]], [1, -1, 1], SmoothedHinge("1/2"), L2("1/6"), number=Fraction)
    assert (problem.norms2, problem.R2, problem.scale) == ([1, 0, 9], 9, Fraction(1, 2))
    assert (problem.K(0), problem.K(1), problem.K_max) == (4, 0, 36)
    centred = problem.centred(Fraction(1, 3), [Fraction(1), Fraction(2)])
    assert centred.scale == Fraction(3, 2) and centred.rows is problem.rows


# -- the regularizers -------------------------------------------------------------------------------------------------


def violations_of_regularizer(g: Regularizer, seed: int) -> list[str]:
    """value as defined; g* = sup, attained at grad g* alone; residual = g + g* - s^T w; prox by its optimality."""
    r = random.Random(seed)
    found: list[str] = []
    for _ in range(60):
        w, s, tau = random_vector(r, 3), random_vector(r, 3), Fraction(r.randint(1, 9), 4)
        centre = g.centre or [Fraction(0)] * 3
        square, inner = sum(x * x for x in w), sum(x * c for x, c in zip(w, centre))
        if g.value(w) != (g.lam + g.kappa) * square / 2 + g.l1 * sum(abs(x) for x in w) - g.kappa * inner:
            found.append("value")
        best = g.gradient_conjugate(s)
        if g.conjugate(s) != sum(s_j * w_j for s_j, w_j in zip(s, best)) - g.value(best):
            found.append("conjugate")
        for x in (w, best, [soft(v_j, g.threshold) for v_j in g.dual_point(s)]):
            residual = g.residual(x, s)
            if residual != g.value(x) + g.conjugate(s) - sum(s_j * x_j for s_j, x_j in zip(s, x)):
                found.append("residual")
            if (residual == 0) != (x == best) or residual < 0:
                found.append("sign of the residual")
        x = g.prox(w, tau)
        if g.residual(x, [(w_j - x_j) / tau for w_j, x_j in zip(w, x)]) != 0:
            found.append("prox")
    return found


@pytest.mark.parametrize("g", regularizers(random.Random(0), 3), ids=repr)
def test_a_regularizer_is_what_its_formula_says(g: Regularizer) -> None:
    assert violations_of_regularizer(g, seed=3) == []


class ConjugateWithoutKappa(Regularizer):
    def conjugate(self, s: list[Any]) -> Any:
        return super().conjugate(s) * self.lam / self.modulus


class ResidualWithoutL1(Regularizer):
    def residual(self, w: list[Any], s: list[Any]) -> Any:
        return sum(
            (self.modulus * (w_j - b_j) ** 2 / 2 for w_j, b_j in zip(w, self.gradient_conjugate(s))), Fraction(0)
        )


class ProxWithoutTau(Regularizer):
    def prox(self, w: list[Any], tau: Any) -> list[Any]:
        return super().prox(w, Fraction(1))


@pytest.mark.parametrize(
    ("cls", "named"), [(ConjugateWithoutKappa, "conjugate"), (ResidualWithoutL1, "residual"), (ProxWithoutTau, "prox")]
)
def test_a_broken_regularizer_is_caught(cls: type[Regularizer], named: str) -> None:
    assert named in violations_of_regularizer(
        cls("2/7", "1/5").centred(Fraction(3, 5), random_vector(random.Random(0), 3)), seed=3
    )


def test_in_floats_the_residual_is_zero_at_the_response_and_never_negative() -> None:
    r = random.Random(4)
    for g in (L2(0.3).over(float), ElasticNet(0.3, 0.7).over(float)):
        for _ in range(500):
            s = [r.gauss(0, 1) * 10 ** r.uniform(-6, 6) for _ in range(3)]
            assert g.residual(g.gradient_conjugate(s), s) == 0
            assert g.residual([r.gauss(0, 1) * r.choice((0, 1, 1e-12)) for _ in range(3)], s) >= 0


# -- floats against Fractions ------------------------------------------------------------------------------------------


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
    """At most 1e-12 a pass: a step makes under 4 d + 20 = 36 roundings of relative size 2^-53, a pass 8 times that,
    which is 3.2e-14; K < 1 keeps earlier errors from growing. The rest covers |alpha_i x_ij| / |w_j| > 1.
    """
    # at an exact optimum its xi would get a million digits
    options = {"epsilon": "1/1000000"} if name == "aspdc-i" else {}
    assert relative_drift(method(name, **options), loss, regularizer) <= 5e-12


def test_a_lam_off_by_one_part_in_1e9_is_seen_by_that_comparison() -> None:
    assert relative_drift(method("sdca"), Squared(), L2("3/2"), L2(1.5 * (1 + 1e-9))) > 5e-12


def test_logistic_floats_lie_in_the_enclosure_of_their_own_problem() -> None:
    """One step from the same start; with these dyadic numbers the dual step alone rounds, by at most 1.2e-15."""
    for name in ("aspdc", "sdca"):
        rows, y, start = [["3/4", "1/2"], [1, "-1/4"]], [1, -1], ["-1/2", "1/4"]
        rounded, enclosed = (Problem(rows, y, Logistic(), L2("1/8"), number=number) for number in (float, Interval))
        steps = method(name)
        a = steps.step(rounded, steps.init(rounded, start), 0).alpha[0]
        b = steps.step(enclosed, steps.init(enclosed, start), 0).alpha[0]
        assert abs(Fraction(a) - b.midpoint()) <= Fraction(12, 10**16) and b.width() < 1e-17
