"""Exact proofs of PEPit's rates: numbers, facts, classes, proofs, refutations, files and the command."""

import copy
import json
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys.potential import POTENTIAL

from dualgap.extras.exact import check_proof
from dualgap.extras.exact.rationals import Exact, ExactInt, exact_code, fraction_of, sqrt

pytest.importorskip("PEPit")
pytest.importorskip("clarabel")

from dualgap.extras.exact.barrier import central  # noqa: E402
from dualgap.extras.exact.classes import CLASSES  # noqa: E402
from dualgap.extras.exact.cone import Cone, refusals  # noqa: E402
from dualgap.extras.exact.optimum import small_rational  # noqa: E402
from dualgap.extras.exact.prove import prove, rounded_up  # noqa: E402
from dualgap.extras.exact.record import differences, record_of  # noqa: E402
from dualgap.extras.exact.scripts import run  # noqa: E402

RATIONALS = st.fractions(max_denominator=10**6)

GRADIENT_DESCENT = """
from PEPit import PEP
from PEPit.functions import SmoothConvexFunction

def descent(L, n, step=1, radius=1):
    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=L)
    xs = f.stationary_point()
    x = x0 = problem.set_initial_point()
    problem.set_initial_condition((x0 - xs) ** 2 <= radius)
    for _ in range(n):
        x = x - step / L * f.gradient(x)
    problem.set_performance_metric(f(x) - f(xs))
    return problem.solve(verbose=0)

if __name__ == "__main__":
    descent(L={L}, n={n})
"""


def solved(tmp_path: Path, text: str, **changes: object):
    """The last PEP of a script; PEPit's solver is not asked."""
    for name, value in changes.items():
        text = text.replace("{" + name + "}", str(value))
    path = tmp_path / "script.py"
    path.write_text(text)
    return run(path, solve=False)[-1]


@pytest.mark.parametrize("operation", ["+", "-", "*", "/"])
@given(a=RATIONALS, b=RATIONALS)
def test_operations_of_exact_numbers_are_those_of_fractions(operation, a, b):
    if operation == "/" and b == 0:
        return
    expected = eval(f"a {operation} b", {"a": a, "b": b})
    for left, right in ((Exact(a), Exact(b)), *(((ExactInt(a), Exact(b)),) if a.denominator == 1 else ())):
        result = eval(f"a {operation} b", {"a": left, "b": right})
        assert isinstance(result, Exact) and result.q == expected
        assert pickle.loads(pickle.dumps(result)).q == expected


def test_literals_quotients_and_roots_of_a_script_are_exact():
    names = {"__exact__": Exact, "__exact_int__": ExactInt, "__exact_sqrt__": sqrt}
    text = "from math import sqrt\na, b, c, d = 0.1, 1 / 3, sqrt(4 / 9), (2 - 7) ** -2\ne = f'{1:3d}'\nk = [5][0] * 2"
    exec(exact_code(text, "script"), names)
    assert [fraction_of(names[name]) for name in "abcd"] == [
        Fraction(1, 10),
        Fraction(1, 3),
        Fraction(2, 3),
        Fraction(1, 25),
    ]
    assert names["e"] == "  1" and fraction_of(names["k"]) == 10


@given(x=RATIONALS)
def test_a_rounded_bound_is_never_below(x):
    assert x <= rounded_up(x) <= x + abs(x) / 10**11 + Fraction(1, 10**12)


@pytest.mark.parametrize(("x", "expected"), [(1 / 6, "1/6"), (81 / 121, "81/121"), (2**0.5, None)])
def test_a_small_rational_is_recognised_from_a_float(x, expected):
    assert small_rational(x, sharp=True) == (None if expected is None else Fraction(expected))


@pytest.mark.parametrize(("L", "n"), [("3", 4), ("1e6", 4), ("1e-6", 4), ("0.1", 1)])
def test_gradient_descent_has_its_exact_rate_at_every_scale(tmp_path, L, n):
    proof = prove(solved(tmp_path, GRADIENT_DESCENT, L=L, n=n).facts, lower=True)
    rate = Fraction(L) / (4 * n + 2)  # attained by a Huber function
    assert proof.tau == rate and proof.how == "exact optimum"
    assert rate * (1 - Fraction(1, 10**9)) <= proof.lower <= rate


SUBGRADIENT = """
import sys
import numpy as np
from PEPit import PEP
from PEPit.functions import ConvexLipschitzFunction
M, R, n = 2, 3, int(sys.argv[1]) if sys.argv[1:] else 3
problem = PEP()
f = problem.declare_function(ConvexLipschitzFunction, M=M)
xs = f.stationary_point()
x = problem.set_initial_point()
problem.set_initial_condition((x - xs) ** 2 <= R ** 2)
for k in range(n + 1):
    g, value = f.oracle(x)
    problem.set_performance_metric(value - f(xs))
    x = x - R / (M * np.sqrt(n + 1)) * g
problem.solve(verbose=0)
"""
HEAVY_BALL = """
from PEPit import PEP
from PEPit.functions import SmoothStronglyConvexQuadraticFunction
def heavy(mu=1, L=9):
    problem = PEP()
    f = problem.declare_function(SmoothStronglyConvexQuadraticFunction, mu=mu, L=L)
    xs = f.stationary_point()
    x = problem.set_initial_point()
    problem.set_initial_condition((x - xs) ** 2 <= 1)
    root, small = L**.5, mu**.5
    old, x = x, x - 2 / (L + mu) * f.gradient(x)
    for _ in range(2):
        momentum = ((root - small) / (root + small)) ** 2 * (x - old)
        old, x = x, x - 4 / (root + small) ** 2 * f.gradient(x) + momentum
    problem.set_performance_metric((x - xs) ** 2)
    return problem
"""


@pytest.mark.parametrize(
    ("text", "function", "words"),
    [
        (SUBGRADIENT, "", "then the smallest of -f0 + f1, -f0 + f2, -f0 + f3, -f0 + f4 <= 3 (exact optimum)"),
        (HEAVY_BALL, ":heavy", "<= 49/400 = 0.1225 (exact optimum)"),
    ],
)
def test_the_script_of_a_stranger_is_proved_as_it_is(tmp_path, capsys, text, function, words):
    from dualgap.proofs_checks.cli.main import main

    (tmp_path / "script.py").write_text(text)
    assert main(["exact", str(tmp_path / "script.py") + function]) == 0
    shown = capsys.readouterr().out
    assert words in shown and ("PEPit has no number (the function returned a PEP" in shown) == bool(function)


@pytest.mark.parametrize("delta", ["1e-3", "1e-5", "1e-7"])
def test_a_false_potential_is_refuted(tmp_path, delta):
    one = solved(tmp_path, POTENTIAL, lam="2 / 3", delta=delta)
    proof = prove(one.facts)
    assert proof.tau is None and proof.ray[0][one.facts.metric] > 0
    assert check_proof.check(json.loads(json.dumps(record_of(proof)))) == ("the metric has no bound", [])


def test_the_true_potential_is_proved(tmp_path):
    assert prove(solved(tmp_path, POTENTIAL, lam="2 / 3", delta="0").facts).tau == 0


@pytest.mark.parametrize(
    ("corner", "optimum"), [({1: Fraction(1, 2)}, 2**0.5), ({1: Fraction(1, 2), None: Fraction(1)}, 3**0.5 - 1)]
)
def test_the_central_path_ends_at_an_irrational_optimum_and_is_inside_at_every_time(corner, optimum):
    size = {(0, 0): {0: Fraction(1)}, (0, 1): {None: Fraction(1)}, (1, 1): corner}
    cone = Cone(2, [{0: Fraction(1), 1: Fraction(-1)}], [], [(2, size)], {0: Fraction(1)})  # y (y/2 + c) >= 1
    point, _ = central(cone, [3.0, 3.0], 1.0, math.inf)
    assert refusals(cone, point) == [] and abs(float(point[0]) - optimum) < 1e-12
    early, _ = central(cone, [3.0, 3.0], 1.0, 0.0)
    assert refusals(cone, early) == [] and early[0] == 3, "the control"
    assert central(cone, [1e-3, 1e-3], 1.0, math.inf) == (None, ["the start is not inside"])


# -- classes ----------------------------------------------------------------------------------------------------------


class Vector:
    """A point of exact coordinates with the operations of a point of PEPit; ``*`` of two is their inner product."""

    def __init__(self, *entries):
        self.entries = tuple(map(Fraction, entries))

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self.entries, other.entries)))

    def __sub__(self, other):
        return self + -1 * other

    def __neg__(self):
        return -1 * self

    def __mul__(self, other):
        if isinstance(other, Vector):
            return sum((a * b for a, b in zip(self.entries, other.entries)), Fraction(0))
        return Vector(*(a * other for a in self.entries))

    def __rmul__(self, factor):
        return self * factor

    def __pow__(self, two):
        return self * self


def quadratic(a, b):
    """x -> (gradient, value) of (a x_0^2 + b x_1^2)/2."""
    return lambda x: (Vector(a * x.entries[0], b * x.entries[1]), (a * x.entries[0] ** 2 + b * x.entries[1] ** 2) / 2)


def huber(x):
    """The gradient and the value of a Huber function of the first coordinate, 1-smooth and 1-Lipschitz."""
    t = x.entries[0]
    g = max(Fraction(-1), min(Fraction(1), t))
    return Vector(g, 0), t * g - g * g / 2


def rotation(x):
    """A skew symmetric map."""
    return Vector(-x.entries[1], x.entries[0]), Fraction(0)


ball = SimpleNamespace(R=Fraction(2), D=Fraction(4), center=Vector(0, 0))
MEMBERS = {  # class: parameters, and a member of the class whose bounds are attained
    "ConvexFunction": ({}, quadratic(0, 3)),
    "StronglyConvexFunction": ({"mu": 1}, quadratic(1, 3)),
    "SmoothConvexFunction": ({"L": 1}, huber),
    "SmoothStronglyConvexFunction": ({"mu": 1, "L": 3}, quadratic(1, 3)),
    "SmoothFunction": ({"L": 2}, quadratic(-2, 2)),
    "ConvexLipschitzFunction": ({"M": 1}, huber),
    "SmoothConvexLipschitzFunction": ({"L": 1, "M": 1}, huber),
    "ConvexIndicatorFunction": (vars(ball), lambda x: (Vector(0, 0), Fraction(0))),
    "ConvexSupportFunction": ({"M": 1}, lambda x: (Vector(1, 0), x.entries[0])),
    "ConvexQGFunction": ({"L": 3}, quadratic(1, 3)),
    "RsiEbFunction": ({"mu": 1, "L": 3}, quadratic(1, 3)),
    "SmoothStronglyConvexQuadraticFunction": ({"mu": 1, "L": 3}, quadratic(1, 3)),
    "MonotoneOperator": ({}, rotation),
    "StronglyMonotoneOperator": ({"mu": 1}, quadratic(1, 3)),
    "CocoerciveOperator": ({"beta": Fraction(1, 3)}, quadratic(1, 3)),
    "NegativelyComonotoneOperator": ({"rho": Fraction(1, 2)}, quadratic(-2, 1)),
    "CocoerciveStronglyMonotoneOperatorCheap": ({"beta": Fraction(1, 3), "mu": 1}, quadratic(1, 3)),
    "LipschitzOperator": ({"L": 1}, rotation),
    "LipschitzStronglyMonotoneOperatorCheap": ({"L": 3, "mu": 1}, quadratic(1, 3)),
    "NonexpansiveOperator": ({"v": None}, rotation),
    "LinearOperator": ({"L": 3}, quadratic(1, 3)),
    "SkewSymmetricLinearOperator": ({"L": 1}, rotation),
    "SymmetricLinearOperator": ({"mu": 1, "L": 3}, quadratic(1, 3)),
}


def values(name, member, parameters):
    """What each condition of a class says of a member at five points: (kind, number or matrix)."""
    points = [Vector(x, y) for x, y in ((0, 0), (1, 0), (-1, Fraction(1, 2)), (Fraction(1, 3), 1), (0, Fraction(3, 2)))]
    triples = [(x, *member(x)) for x in points]
    exact = {k: Fraction(v) if isinstance(v, int) else v for k, v in parameters.items()}
    f = SimpleNamespace(list_of_points=triples, list_of_stationary_points=triples[:1], **exact)
    f.T = SimpleNamespace(list_of_points=triples)  # of the symmetric map above
    return list(CLASSES[name](f))


def broken(conditions):
    return [
        what
        for kind, what in conditions
        if not (check_proof.semidefinite(what) if kind == "psd" else what >= 0 if kind == ">=" else what == 0)
    ]


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - {"BlockSmoothConvexFunctionCheap"}))
def test_conditions_of_a_class_hold_for_a_member_and_fail_for_a_smaller_class(name):
    parameters, member = MEMBERS[name]
    assert not broken(values(name, member, parameters))
    smaller = {"L": 0.99, "M": 0.99, "R": 0.2, "D": 0.2, "mu": 1.01, "beta": 1.01, "rho": 0.99}
    changed = {
        k: v if v is None or isinstance(v, Vector) else v * Fraction(str(smaller[k])) for k, v in parameters.items()
    }
    wrong = quadratic(-1, -3) if changed in (parameters, {"v": None}) else member
    if name == "NonexpansiveOperator":
        wrong = quadratic(2, 1)
    assert broken(values(name, wrong, changed)), "the control"


def test_a_wrong_condition_in_pepit_is_found_and_nothing_is_proved(tmp_path, monkeypatch, capsys):
    from PEPit.functions import SmoothConvexFunction

    from dualgap.proofs_checks.cli.main import main

    def wrong(self, x, g, v, y, h, w):
        return v - w >= h * (x - y) + 1 / self.L * (g - h) ** 2  # 1/L where 1/(2L) is right

    monkeypatch.setattr(SmoothConvexFunction, "set_smoothness_convexity_constraint_i_j", wrong)
    one = solved(tmp_path, GRADIENT_DESCENT, L="1", n=1)
    assert len(one.wrong) == 6
    assert main(["exact", str(tmp_path / "script.py")]) == 1
    assert "nothing is proved: 6 conditions of PEPit are not ours" in capsys.readouterr().out


# -- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A record of gradient descent with three points, and its facts."""
    one = solved(tmp_path_factory.mktemp("exact"), GRADIENT_DESCENT, L="1", n=2)
    return json.loads(json.dumps(record_of(prove(one.facts, lower=True), one.statement))), one.facts


def change_multiplier(record):
    row = next(row for row in record["inequalities"][1:] if Fraction(row[2]) > 0)
    row[2] = str(-Fraction(row[2]))


def drop_fact(record):
    record["inequalities"].remove(next(row for row in record["inequalities"][1:] if Fraction(row[2]) > 0))


def lower_tau(record):
    record["tau"] = str(Fraction(record["tau"]) - Fraction(1, 10**9))


def change_fact(record):
    rows = ((terms, key) for _, terms, m in record["inequalities"][1:] if Fraction(m) > 0 for key in terms)
    terms, key = next((terms, key) for terms, key in rows if key.startswith("G"))
    terms[key] = str(Fraction(terms[key]) / 2)


def swapped(key):
    kind, *places = key.split()
    return " ".join([kind, *sorted({"0": "1", "1": "0"}.get(place, place) for place in places)]) if kind == "G" else key


def swap_points(record):
    used = [fact for fact in record["inequalities"][1:] if Fraction(fact[2]) > 0]
    fact = next(fact for fact in used if {swapped(key): c for key, c in fact[1].items()} != fact[1])
    fact[1] = {swapped(key): c for key, c in fact[1].items()}


def raise_worst(record):
    F = record["worst"]["F"]
    F[record["metric"]] = str(Fraction(F[record["metric"]]) + Fraction(1, 10**6))


@pytest.mark.parametrize("plant", [change_multiplier, drop_fact, lower_tau, change_fact, swap_points, raise_worst])
def test_the_checker_or_the_comparison_notices_a_changed_file(proved, plant):
    record, facts = copy.deepcopy(proved[0]), proved[1]
    assert check_proof.check(record)[1] == [] == differences(record, facts)
    plant(record)
    refused = check_proof.check(record)[1]
    assert refused or differences(record, facts)
    if plant in (change_multiplier, lower_tau, swap_points, raise_worst):
        assert refused, "the checker alone notices these"


def test_a_slack_with_a_small_negative_pivot_is_refused():
    assert check_proof.semidefinite([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(1)]])
    assert not check_proof.semidefinite([[Fraction(1), Fraction(1)], [Fraction(1), 1 - Fraction(1, 10**30)]])


def test_the_checker_is_short_and_needs_the_standard_library_alone(proved, tmp_path):
    path = Path(check_proof.__file__)
    assert len(path.read_text().splitlines()) <= 90
    (tmp_path / "proof.json").write_text(json.dumps(proved[0]))
    command = [sys.executable, "-I", "-S", str(path), str(tmp_path / "proof.json")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0 and result.stdout.endswith(": holds\n")


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_proves_writes_and_compares(tmp_path, capsys):
    from dualgap.proofs_checks.cli.main import main

    solved(tmp_path, GRADIENT_DESCENT, L="3", n=4)
    script, file = str(tmp_path / "script.py"), str(tmp_path / "proof.json")
    assert main(["exact", script, "--lower", "-o", file]) == 0
    shown = capsys.readouterr().out
    for part in (
        "For every SmoothConvexFunction with L = 3:",
        "<= 1/6 = 0.166666666667 (exact optimum)",
        "PEPit's solver returned",
    ):
        assert part in shown
    assert main(["exact", script, "--check", file]) == 0
    for name, begin in (
        ("proof.v", "(* For every SmoothConvexFunction with L = 3: if |p0|^2"),
        ("proof.lean", "/- For every"),
    ):
        assert main(["exact", script, "--check", file, "--export", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text().startswith(begin)
    for options in (["--export", "proof.v"], ["--check", file, "--export", "proof.txt"]):
        assert main(["exact", script, *options]) == 2
    assert main(["replay", file]) == 0
    solved(tmp_path, GRADIENT_DESCENT, L="3", n=3)
    assert main(["exact", script, "--check", file]) == 1
    assert "REFUSED" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "it solves no PEP"),
        ("import sys; sys.exit(0)", "tried to end the process"),
        ("1 / 0", "ZeroDivisionError"),
        ("def (", "SyntaxError"),
        (None, "no such file"),
    ],
)
def test_a_script_without_a_pep_is_refused_in_one_line(tmp_path, capsys, text, words):
    from dualgap.proofs_checks.cli.main import main

    path = tmp_path / "script.py"
    if text is not None:
        path.write_text(text)
    assert main(["exact", str(path)]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
