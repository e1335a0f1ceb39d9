"""Brackets of six claims, a user's method, better step sizes, and the methods that are refused."""

import sys
from contextlib import suppress
from fractions import Fraction

import pytest
from support import ROOT, answer, printed, refusal, refuses

from dualgap.extras.sharpen.certificate import check, is_semidefinite
from dualgap.extras.sharpen.comparison import differences
from dualgap.extras.sharpen.published import CLAIMS
from dualgap.extras.sharpen.quantities import Task, derive, with_known_norms
from dualgap.extras.sharpen.symbols import Square
from dualgap.extras.sharpen.worst import Instance, Steps, inner, inside
from dualgap.proofs_checks.claims.plugins import load_plugins
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.reference import all_methods, method

with suppress(ImportError):  # now: what a test imports is removed after it, and cannot be imported twice
    import clarabel  # noqa: F401
    import scipy.optimize  # noqa: F401
F = Fraction
pytestmark = pytest.mark.usefixtures("nothing_is_left")
EXAMPLE = str(ROOT / "examples/audit_a_paper/src/dual_free/method.py")
SAG = {"step": "theory", "divide": "n"}


class Values:
    """The number of every symbol of a world on an instance, in one state."""

    def __init__(self, world, lam, instance, z):
        """z: coordinates as in ``Steps``, the order in which a free state makes its vectors."""
        self.world, self.lam, self.instance, self.of = world, lam, instance, []
        d, entries, rows = len(instance.rows[0]), iter(z), iter(instance.slopes)
        for space, (kind, *recipe) in zip(world.space, world.recipes):
            if kind != "free":
                self.of.append(getattr(self, f"_{kind}")(*recipe))
            elif space == "W":
                self.of.append([next(entries) for _ in range(d)])
            else:
                self.of.append([next(entries) if next(rows) else F(0)])

    def vec(self, v):
        """The entries of a vector."""
        size = len(self.instance.rows[0]) if v.space == "W" else 1
        return [sum((c * self.of[j][k] for j, c in v.terms.items()), F(0)) for k in range(size)]

    def _row(self, i, v):
        value, row = self.vec(v), self.instance.rows[i]
        return [x * value[0] for x in row] if v.space == i else [inner(row, value)]

    def _smoothness(self, space):
        """y of the function of a space, whose value is |a|^2/(2 y)."""
        return self.instance.slopes[space] if isinstance(space, int) else 1 / self.lam

    def _slope(self, space, z):
        return [self._smoothness(space) * x for x in self.vec(z)]

    def _step(self, space, z, point, q):
        q = q.factor * sum(x * x for x in self.instance.rows[q.row.i]) if isinstance(q, Square) else q
        y = self._smoothness(space)
        return [y * (a + q * b) / (1 + y * q) for a, b in zip(self.vec(z), self.vec(point))]

    def expr(self, terms):
        """The number of a quantity."""
        return sum((c * self._key(*key) for key, c in terms.items()), F(0))

    def _key(self, kind, *places):
        if kind == "G":
            return inner(self.of[places[0]], self.of[places[1]])
        space, point = self.world.values[places[0]]
        y, value = self._smoothness(space), self.vec(point)
        return inner(value, value) / (2 * y) if y else F(0)


def bracket(*given, **options):
    pytest.importorskip("clarabel")
    from dualgap.extras.sharpen import sharpen

    found = sharpen(*given, **options)
    for record in (found.refuted, found.proved):
        assert record is not None and check(record) == [] and differences(record) == []
    return found


@pytest.mark.parametrize(
    "name, n, K, quantity, options, rate",
    [
        ("sdca", 2, "1", "dual", {}, F(3, 4)),
        ("sdca", 3, "1/4", "dual", {}, F(11, 15)),
        ("aspdc", 2, "3/4", "dual", {}, F(7, 8)),
        ("aspdc", 3, "1/4", "dual", {}, F(3, 4)),
        ("aspdc", 2, "1/4", "gap", {}, F(13, 16)),
        ("spdc", 2, "4", "distance", {}, F(41, 50)),
        ("adaspdc-r", 2, "1", "distance", {}, F(13, 18)),
        ("sag", 2, "1", "distance", SAG, F(2209, 2304)),
        ("sag", 1, "1", "two-steps", SAG, F(961, 1024)),
        ("svrg", 2, "1", "epoch", {"m": 2, "option": "II"}, F(1741, 1800)),
        ("svrg", 2, "1/4", "epoch", {"m": 2, "option": "I"}, F(38416, 50625)),
    ],
)
def test_a_bracket_closes_exactly(name, n, K, quantity, options, rate) -> None:
    found = bracket(name, n, K, quantity, options)
    assert found.low == found.high == rate
    assert [found.outcome(rate + x) for x in (-F(1, 10**9), 0)] == ["refuted", "proved"]


@pytest.mark.parametrize("name, K, quantity, options, width", [("sdca", "1", "gap", {}, F(1, 100))])
def test_a_bracket_is_narrow(name, K, quantity, options, width) -> None:
    found = bracket(name, 2, K, quantity, options)
    assert 0 < found.high - found.low <= width
    assert found.outcome((found.low + found.high) / 2) == "undecided"


@pytest.mark.parametrize("K, L, rate", [("1/4", "1", F(1, 9)), ("1/4", "3/2", F(9, 49)), ("1", "1", F(1, 4))])
def test_a_method_that_needs_the_norm_of_X_gets_a_bracket(K, L, rate) -> None:
    """PDCP: (1 + mu/2)^-2 with mu = 2 sqrt(n lam gamma)/L, below its published 1/(1 + mu)."""
    found = bracket("pdcp", 2, K, spectral=L)
    assert found.low == rate <= found.high <= rate + F(1, 10**5)
    wider = found.proved | {"task": {name: x for name, x in found.proved["task"].items() if name != "spectral"}}
    refuses(ValueError, "it needs a bound of", differences, wider)
    assert differences(found.proved | {"task": found.proved["task"] | {"spectral": "2"}}), "the control: another class"


@pytest.mark.parametrize("rows", [[["1", "0"], ["0", "1"]], [["3/5"], ["4/5"]], [["0"], ["1"]], [["1"], ["1"]]])
def test_what_is_known_of_the_norm_of_X_is_true_inside_the_class_alone(rows) -> None:
    task = with_known_norms(Task("pdcp", 2, F(2), spectral=F(1)))
    derived_here = derive(task, F(1))
    instance = Instance(tuple(tuple(map(F, row)) for row in rows), (F(1), F(1)))
    size = Steps(task, instance, derived_here.follows).size
    holds = []
    for k in range(12):
        values = Values(
            derived_here.problem.world, task.lam, instance, [F((3 * k + 5 * j) % 7 - 3) for j in range(size)]
        )
        matrices = derived_here.problem.world.matrices()
        holds += [is_semidefinite([[values.expr(e.terms) for e in row] for row in M]) for M in matrices]
    assert all(holds) is inside(task, instance) is (rows != [["1"], ["1"]])


def test_sdca_solves_one_row_in_one_step() -> None:
    """The rate 0 is attained, where no strict proof exists."""
    assert bracket("sdca", 1, "1", "dual").high <= F(1, 10**4)


def test_any_strongly_convex_g_and_other_constants() -> None:
    """The rate of a class does not depend on its units."""
    assert bracket("aspdc", 2, "1/2", "dual", general=True).high - F(3, 4) <= F(1, 10**4)
    assert bracket("sdca", 2, "1", "dual", gamma="1/3", R=2).high == F(3, 4)


def test_a_method_of_ones_own_gets_a_bracket(tmp_path, capsys) -> None:
    pytest.importorskip("clarabel")
    words = ("--import", EXAMPLE, "--rows", "2", "--K", "1", "--out", str(tmp_path))
    (row,) = answer(capsys, "sharpen", "dual-free", *words, "--json")["rows"]
    assert F(row["false_below"]) == F(5, 8) and F(row["proved"]) < F(691, 1000)
    for file in row["files"]:
        assert "derived again from the method: the same" in printed(capsys, "replay", file, "--import", EXAMPLE)


IMPURE = """
import secrets
from fractions import Fraction
from dualgap.reference import DualMethod, register_method
DRAWN, CALLS = 2 + Fraction(secrets.randbelow(10**6), 10**6), []
class {0}(DualMethod):
    name = "{0}"
    def advance(self, problem, state, i):
        CALLS.append(i)
        change = (problem.loss.derivative(problem.inner(i, state.v), problem.y[i]) - state.alpha[i]) / ({1})
        state.alpha[i] = state.alpha[i] + change
        problem.update(i, change, state.v)
register_method({0})
"""


TWICE, FRESH = ("2 + len(CALLS) % 3", "step gives two answers"), ("DRAWN", "does not reproduce in a fresh process")


@pytest.mark.parametrize("name, divisor, said", [("counting", *TWICE), ("drawn", *FRESH)])
def test_an_impure_method_has_no_bracket(name, divisor, said, empty_folder) -> None:
    """The control is dual-free above, which is other people's too."""
    pytest.importorskip("clarabel")
    from dualgap.extras.sharpen import sharpen

    (empty_folder / f"{name}0.py").write_text(IMPURE.format(name, divisor))
    load_plugins([f"./{name}0.py"])
    refuses(ValueError, said, sharpen, name, n=2, K="1/4")


def test_a_claim_is_compared_with_the_bracket(tmp_path, capsys) -> None:
    pytest.importorskip("clarabel")
    found = printed(capsys, "sharpen", "spdc.theorem-1", "--rows", "2", "--out", str(tmp_path))
    for line in (
        "every rate below 5/8 = 0.625 is false (replay ",
        "the rate 5/8 = 0.625 is proved (replay ",
        "nothing is left between them",
        "the rate 3/4 = 0.75 of spdc.theorem-1: proved, and not the best",
    ):
        assert f"  {line}" in found
    (row,) = answer(capsys, "sharpen", "sdca.theorem-2", "--rows", "2", "--out", str(tmp_path), "--json")["rows"]
    assert row["published"] == {"claim": "sdca.theorem-2", "rate": "3/5", "outcome": "proved"}


def test_every_claim_of_the_table_exists_and_names_a_rate() -> None:
    for name, published in CLAIMS.items():
        task = Task(published.method, 2, F(2), published.quantity, dict(published.options))
        assert name in all_claims() and published.method in all_methods()
        assert published.rate(task.built(), with_known_norms(task).problem()) > 0


OUTSIDE = "is outside the class of methods that can be sharpened"


@pytest.mark.parametrize(
    "words, message",
    [
        (("asdca",), f"method asdca {OUTSIDE}: it compares values of the state"),
        (("spd1",), f"method spd1 {OUTSIDE}: it compares values of the state"),
        (("aspdc-i",), OUTSIDE),
        (("pdcp",), f"method pdcp {OUTSIDE}: it needs a bound of ||X||_2; give it with --spectral L"),
        (("spd1-vr",), f"method spd1-vr {OUTSIDE}: it adds squares of rows or of their entries"),
        (("pdcp", "--spectral", "1/2"), "a bound of ||X||_2, must be at least R = 1 (got 1/2)"),
        (("pegasos",), "method pegasos cannot run on an unknown problem: "),
        (("svrg",), f"method svrg {OUTSIDE}: its state does not contain exactly one list of n dual values"),
        (("sdca", "--quantity", "epoch"), "quantity epoch is for methods with rounds, and sdca has none"),
        (("spdc", "--quantity", "gap"), "no rate holds for one step; use quantity distance"),
        (("spdc", "--K", "1/2"), "sqrt(2) is not rational"),
        (("sdca", "--K", "-1"), "K must be > 0 (got -1)"),
        (("sdca", "--K", "0"), "K must be > 0 (got 0)"),
        (("sdca", "--rows", "9"), "n must be between 1 and 8 (got 9)"),
        (("sdca", "--rows", "2,,3"), "--rows must be numbers with commas between them"),
        (("sdca", "--option", "x=1"), "method sdca has no parameter 'x'"),
        (("nothing",), "unknown method 'nothing'"),
        (("aspdc.lemma-2",), "claim aspdc.lemma-2 states no rate of one step"),
    ],
)
def test_what_cannot_be_sharpened_is_refused_in_one_line(words, message, tmp_path, capsys) -> None:
    if "gap" in words:
        pytest.importorskip("clarabel")
    assert message in refusal(capsys, "sharpen", *words, "--out", str(tmp_path))


def test_without_the_solver_one_line_says_what_to_install(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    said = refusal(capsys, "sharpen", "sdca", "--out", str(tmp_path))
    assert 'which is not installed: pip install "dualgap[sharpen]"' in said and list(tmp_path.iterdir()) == []


def test_a_relation_that_a_step_does_not_keep_is_none() -> None:
    """A method that forgets to update v: v does not follow from alpha, and becomes an unknown vector."""
    from dualgap.extras.sharpen.states import free_state
    from dualgap.reference import DualMethod

    class Forgetful(DualMethod):
        name = "forgetful"

        def advance(self, problem, state, choice):
            state.alpha[choice] = problem.loss.derivative(problem.inner(choice, state.v), problem.y[choice])

    make = Task("sdca", 2, F(2), "dual").problem
    assert free_state(Forgetful(), make)[2] == {} and free_state(method("sdca"), make)[2] == {"v": {"U": F(-1, 4)}}
