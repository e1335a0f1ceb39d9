"""Formulas of any object against each other: planted bugs, among them three that were public, are found, each on a few
numbers, and the right formulas pass.
"""

import json
import math
from fractions import Fraction

import pytest
from support import by_day

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.conformance.solvers import formulas
from dualgap.proofs_checks.conformance.solvers.formulas import check_formulas
from dualgap.reference import L2, Hinge


class Half:
    """x^2/2; everything by its definition."""

    lipschitz = 1

    def value(self, x):
        return x * x / 2

    def gradient(self, x):
        return x

    def second_derivative(self, x):
        return 1.0

    def conjugate(self, u):
        return u * u / 2

    def in_domain(self, u):
        return True

    def prox(self, x, step):
        return x / (1 + step)

    def dual_step(self, z, alpha, q):
        return (z + q * alpha) / (1 + q)


class Absolute:
    """|x|, which has a kink, and a conjugate that is infinite outside [-1, 1]."""

    def value(self, x):
        return abs(x)

    def gradient(self, x):
        return math.copysign(1, x) if x else 0

    def in_domain(self, u):
        return abs(u) <= 1

    def conjugate(self, u):
        return 0.0 if abs(u) <= 1 else math.inf

    def prox(self, x, step):
        return math.copysign(max(abs(x) - step, 0.0), x)

    def dual_step(self, z, alpha, q):
        return min(1.0, max(-1.0, alpha + z / q))


class MCP:
    """A penalty that is not convex: |x| - x^2/8 up to 4, then 2."""

    def value(self, x):
        return abs(x) - x * x / 8 if abs(x) < 4 else 2.0

    def gradient(self, x):
        return math.copysign(max(1 - abs(x) / 4, 0.0), x) if x else 0.0

    def prox(self, x, step):
        if step >= 4:  # the objective is concave: an end is the minimizer
            return x if abs(x) > 4 or x * x / 2 / step > self.value(x) else 0.0
        return 0.0 if abs(x) <= step else x if abs(x) > 4 else math.copysign((abs(x) - step) / (1 - step / 4), x)


class Cloglog:
    """The inverse of the complementary log-log link, 1 - exp(-e^x)."""

    low, high = -3, 2

    def value(self, x):
        return -math.expm1(-math.exp(x))

    def gradient(self, x):
        return math.exp(x - math.exp(x))

    def second_derivative(self, x):
        return -math.exp(x - math.exp(x)) * math.expm1(x)


class InverseGaussian:
    """Twice the negative log-likelihood of y = 2 in the mean, dispersion 1."""

    low = 0

    def value(self, mu):
        return (2 - mu) ** 2 / (2 * mu * mu) + math.log(2 * math.pi * 8)

    def gradient(self, mu):
        return 2 * (mu - 2) / mu**3


class Group:
    """0.5 (|x| + sum_j c_j |x_j|) of a group of three features."""

    dimension, weights = 3, (1.0, 0.5, 2.0)

    def value(self, x):
        return (math.hypot(*x) + sum(c * abs(x_j) for c, x_j in zip(self.weights, x))) / 2

    def thresholds(self, step):
        return [step / 2 * c for c in self.weights]

    def prox(self, x, step):
        w = [math.copysign(max(abs(x_j) - t, 0.0), x_j) for x_j, t in zip(x, self.thresholds(step))]
        length = math.hypot(*w)
        return [max(1 - step / 2 / length, 0.0) * w_j if length else 0.0 for w_j in w]


def unwritten(self, *given):
    raise NotImplementedError("prox is not written")


class InFractions(Half):
    """Takes floats, computes in fractions, and is off by a number that floats would hide."""

    def value(self, x):
        return Fraction(x) ** 2 / 2

    def conjugate(self, u):
        return Fraction(u) ** 2 / 2 - Fraction(1, 10**20)


class Square2:
    """|x|^2/2 in the plane; its second derivative is no number, and is not checked."""

    dimension = 2

    def value(self, x):
        return sum(x_j * x_j for x_j in x) / 2

    def gradient(self, x):
        return list(x)

    def second_derivative(self, x):
        return [1, 1]


RIGHT = [Half, Absolute, MCP, Cloglog, InverseGaussian, Group, Square2]
WRONG = {  # base class, the formula that is wrong, and what it is instead
    "a gradient without 1/2": (Half, "gradient", lambda self, x: 2 * x, "gradient"),
    "the sign of a gradient": (MCP, "gradient", lambda self, x: -MCP().gradient(x), "gradient"),
    "a subgradient of another size": (Absolute, "gradient", lambda self, x: MCP().gradient(x), "gradient"),
    "a Lipschitz constant of half the size": (Half, "lipschitz", Fraction(1, 2), "lipschitz"),
    "a conjugate with a constant": (Half, "conjugate", lambda self, u: u * u / 2 + 1e-6, "conjugate"),
    "a conjugate without 1/2": (Half, "conjugate", lambda self, u: u * u / 4, "conjugate"),
    "a conjugate that is 10^-20 too small": (InFractions, "lipschitz", 1, "conjugate"),
    "a domain that is too narrow": (Absolute, "in_domain", lambda self, u: abs(u) < 1, "in_domain"),
    "a domain that is too wide": (Absolute, "in_domain", lambda self, u: abs(u) <= 2, "in_domain"),
    "a conjugate without its domain": (Absolute, "conjugate", lambda self, u: 0.0, "in_domain"),
    "a prox that forgets the step": (Half, "prox", lambda self, x, step: x / 2, "prox"),
    "a threshold of half the size": (Absolute, "prox", lambda self, x, s: Absolute().prox(x, s / 2), "prox"),
    "a prox of the wrong length": (Group, "prox", lambda self, x, step: x[:2], "prox"),
    "a prox that is not scaled": (MCP, "prox", lambda self, x, s: Absolute().prox(x, s), "prox"),
    "a dual step without alpha": (Half, "dual_step", lambda self, z, alpha, q: z / (1 + q), "dual_step"),
    "a dual step that is not clipped": (Absolute, "dual_step", lambda self, z, alpha, q: alpha + z / q, "dual_step"),
    "glum 3.2.1: a second derivative": (
        Cloglog,
        "second_derivative",
        lambda self, x: math.exp(math.exp(x) - x) * math.expm1(x),
        "second_derivative",
    ),
    "glum 3.2.2: a likelihood that is NaN": (InverseGaussian, "value", lambda self, mu: math.nan, "value"),
    "skglm 0.5: the weight of another feature": (
        Group,
        "thresholds",
        lambda self, step: [step / 2 * self.weights[0]] * 3,
        "prox",
    ),
    "a gradient of one number in the plane": (Square2, "gradient", lambda self, x: x[:1], "gradient"),
    "a formula that is not there": (Half, "prox", unwritten, "prox"),
    "a formula that raises": (Half, "prox", lambda self, x, step: [][1], "prox"),
}


@pytest.mark.parametrize("examples", by_day([25, formulas.EXAMPLES], 25))
@pytest.mark.parametrize("kind", RIGHT)
def test_right_formulas_pass(kind, examples, monkeypatch):
    monkeypatch.setattr(formulas, "EXAMPLES", examples)
    assert list(map(str, check_formulas(kind()))) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_bug_is_found_on_few_numbers(name, monkeypatch):
    monkeypatch.setattr(formulas, "EXAMPLES", 25)  # of 100
    base, formula, instead, expected = WRONG[name]
    (found,) = check_formulas(type("Wrong", (base,), {formula: instead})())
    assert found.formula == expected and str(found).startswith(f"Wrong, {expected}: ") and len(str(found)) < 160


def test_the_smallest_point_is_named():
    wrong = type("Wrong", (Half,), {"gradient": lambda self, x: 2 * x})
    assert str(check_formulas(wrong())[0]) == "Wrong, gradient: at x = 1 it is 2, and value rises by 1 there"


def test_losses_and_regularizers_have_their_own_checks():
    class Doubled(Hinge):
        def conjugate(self, alpha, y):
            return 2 * super().conjugate(alpha, y)

    assert [one.formula for one in check_formulas(Doubled())] == ["conjugate"] and check_formulas(L2(1)) == []


@pytest.mark.parametrize(
    "given", [{"dimension": 0}, {"dimension": 4}, {"low": 1, "high": 1}, {"low": math.nan}, {"low": 2e6, "high": 3e6}]
)
def test_a_range_that_is_not_valid_is_refused(given):
    with pytest.raises(ValueError, match="dimension must be 1 to 3, and low . 0.03125 < high"):
        check_formulas(type("Wrong", (Half,), given)())


def test_the_command(tmp_path, capsys):
    path = tmp_path / "formulas.py"
    path.write_text(
        "class Square:\n"
        "    value, gradient = staticmethod(lambda x: x * x), staticmethod(lambda x: x)\n"
        "class Needs:\n    def __init__(self, a): pass\n"
        "right, number = type('Right', (Square,), {'gradient': staticmethod(lambda x: 2 * x)})(), 3\n"
    )
    for name, status, words in (
        ("Square", 1, "FALSE Square, gradient: at x = 1 it is 1, and value rises by 2 there"),
        ("right", 0, "Verdict: pass"),
        ("number", 2, "the object must have value and one of gradient"),
        ("Needs", 2, "give the name of an object instead"),
        ("nothing", 2, "has no 'nothing'; give MODULE:OBJECT or FILE.py:OBJECT"),
    ):
        assert main(["check", "--formulas", f"{path}:{name}"]) == status
        printed = capsys.readouterr()
        assert words in (printed.err if status == 2 else printed.out)
        assert status != 2 or len(printed.err.splitlines()) == 1
    assert main(["check", "--formulas", f"{path}:Square", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["formulas"] == ["value", "gradient"] and [f["formula"] for f in report["findings"]] == ["gradient"]
