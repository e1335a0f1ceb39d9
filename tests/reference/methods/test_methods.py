"""What every method promises (pure steps, owned states), the edge cases it takes, and the hypotheses it checks."""

import math
import random
from fractions import Fraction

import pytest
from support import refuses

from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Loss,
    Problem,
    Regularizer,
    SmoothedHinge,
    Squared,
    method,
)
from dualgap.reference.methods.aspdc_i import ASPDCi
from dualgap.reference.numbers.arithmetic import NumberLike, NumberType

NAMES = ["aspdc", "sdca", "aspdc-i", "aspdc-i-fixed", "aspdc-i-momentum"]
ROWS = [["3/5", "4/5"], [1, 0], [0, "1/2"]]


def three_rows(loss: Loss | None = None, lam: NumberLike = "8/15", number: NumberType = Fraction) -> Problem:
    """n = 3, R = 1; at lam = 8/15 kappa is 4/5 and q = lam/(lam + 2 kappa) = 1/4, the square of a rational."""
    return Problem(ROWS, [1, -1, 1], loss or Squared(), L2(lam), number=number)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_owns_its_lists_and_keys_are_equal_for_equal_states_alone(name: str) -> None:
    problem, steps = three_rows(), method(name)
    state = steps.run(problem, [0, 1, 2])
    copied = state.copy()
    assert copied.key() == state.key() and hash(copied.key()) == hash(state.key())
    for field, value in state.fields().items():
        other = state.copy()
        if isinstance(value, list):
            getattr(other, field)[0] += 1
        else:
            setattr(other, field, value + 1)
        assert other.key() != state.key(), f"key ignores {field}"
        assert state.key() == copied.key(), f"a copy shares {field}"
    w, alpha = steps.view(problem, state)
    w[0] += 1
    alpha[0] += 1
    assert state.key() == copied.key(), "view hands out the state's own lists"


def test_a_start_of_ones_own_is_checked_and_its_w_is_w_of_alpha() -> None:
    problem = three_rows(SmoothedHinge())
    state = method("aspdc").init(problem, ["-1/2", 1, 0])
    assert state.alpha == [Fraction(-1, 2), 1, 0] and state.v == problem.w(state.alpha)
    with pytest.raises(
        ValueError, match=r"alpha\[1\] = -1/2 is outside the domain of smoothed-hinge: 0 <= -y alpha <= 1"
    ):
        method("aspdc").init(problem, [0, "-1/2", 0])
    with pytest.raises(ValueError, match="alpha must have one entry for each of the 3 rows of X .*got 2"):
        method("sdca").init(problem, [0, 0])


@pytest.mark.parametrize("regularizer", [L2, ElasticNet])
@pytest.mark.parametrize(("mode", "threshold"), [("paper", Fraction(8, 3)), ("sharp", Fraction(2, 3))])
def test_aspdc_accepts_its_threshold_and_refuses_anything_smaller(
    mode: str, threshold: Fraction, regularizer: type[Regularizer]
) -> None:
    """4R^2/(n gamma) and R^2/(n gamma) for R = 1, n = 3, gamma = 1/2; the sharp one must be exceeded."""
    aspdc, tiny = method("aspdc"), Fraction(1, 10**40)

    def problem(lam: NumberLike) -> Problem:
        return Problem(ROWS, [1, -1, 1], SmoothedHinge("1/2"), regularizer(lam), number=Fraction)

    legal = threshold if mode == "paper" else threshold + tiny
    aspdc.require(problem(legal), mode)
    with pytest.raises(
        HypothesisViolated, match=f"mode {mode} needs lam >=? [4R/n^2() gam]* = {threshold} .*got lam = .*sdca, aspdc-i"
    ):
        aspdc.require(problem(legal - tiny), mode)
    aspdc.require(problem(legal - tiny), "unchecked")


def test_in_floats_the_lam_that_the_message_names_is_accepted_and_one_ulp_less_is_refused() -> None:
    r = random.Random(2)
    for _ in range(200):
        n = r.randint(1, 9)
        X = [[r.gauss(0, 3) for _ in range(3)] for _ in range(n)]
        y, loss = [1.0] * n, Squared(r.uniform(0.1, 3))
        with pytest.raises(HypothesisViolated) as refusal:
            method("aspdc").require(Problem(X, y, loss, L2(1e-9)))
        named = float(str(refusal.value).split("4R^2/(n gamma) = ")[1].split(" ")[0])
        assert named == pytest.approx(
            4 * max(sum(x * x for x in row) for row in X) / (n * float(loss.gamma)), rel=1e-15
        )
        method("aspdc").require(Problem(X, y, loss, L2(named)))
        with pytest.raises(HypothesisViolated):
            method("aspdc").require(Problem(X, y, loss, L2(math.nextafter(named, 0))))


@pytest.mark.parametrize("loss", [Hinge(), Absolute()], ids=repr)
@pytest.mark.parametrize("name", ["aspdc", "aspdc-i", "aspdc-i-fixed", "aspdc-i-momentum"])
def test_a_loss_that_is_not_smooth_is_refused(name: str, loss: Loss) -> None:
    with pytest.raises(
        HypothesisViolated, match=f"method {name} needs a smooth loss .*{loss.name} has gamma = 0.*sdca"
    ):
        method(name).require(three_rows(loss, lam=9))
    method("sdca").require(three_rows(loss, lam="1/9"))


def test_aspdc_i_names_its_numbers() -> None:
    above = three_rows(lam=3)  # the threshold is 4/3: kappa is 0 above it, and the inner problem is the problem itself
    method("aspdc-i").require(above)
    assert ASPDCi().kappa_of(above) == 0 and ASPDCi().eta_of(above) == 1
    method("aspdc-i").require(three_rows(lam="4/3"))
    with pytest.raises(
        HypothesisViolated, match=r"lam \+ kappa >= 4R\^2/\(n gamma\) = 4/3 .*got lam = 1/3, kappa = 1/2"
    ):
        method("aspdc-i-fixed", kappa="1/2").require(three_rows(lam="1/3"))
    method("aspdc-i-fixed", kappa=1, m=5).require(three_rows(lam="1/3"))
    with pytest.raises(HypothesisViolated, match=r"m >= 3n/2 inner steps \(got m = 4, n = 3\).*Leave m out"):
        method("aspdc-i-fixed", m=4).require(three_rows(lam="1/3"))
    with pytest.raises(HypothesisViolated, match=r"m >= 3n inner steps \(got m = 8, n = 3\)"):
        method("aspdc-i-fixed", m=8).require(three_rows(lam="1/3").with_regularizer(ElasticNet("1/3", 1)))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("aspdc-i", {"kappa": -1}, "kappa must be >= 0 .*got -1"),
        ("aspdc-i", {"kappa": "x"}, "kappa must be a finite number .*got 'x'"),
        ("aspdc-i", {"eta": "square"}, "eta must be 'linear' or 'root' .*got 'square'"),
        ("aspdc-i", {"epsilon": -1}, "epsilon must be >= 0 .*got -1"),
        ("aspdc-i", {"epsilon": float("nan")}, "epsilon must be a finite number .*got nan"),
        ("aspdc-i-fixed", {"m": 0}, "m must be an integer >= 1.*got 0"),
        ("aspdc-i-fixed", {"m": 2.5}, "m must be an integer >= 1.*got 2.5"),
        ("aspdc-i-fixed", {"m": True}, "m must be an integer >= 1.*got True"),
    ],
)
def test_bad_options_are_named(name: str, options: dict[str, object], message: str) -> None:
    refuses(ValueError, message, method, name, **options)
