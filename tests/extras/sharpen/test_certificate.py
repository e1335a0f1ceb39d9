"""Certificates of rates: the golden ones hold, with the standard library alone and compared with the method. 100 false
ones, and every damaged file, are refused.
"""

import copy
import json
import random
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from support import ROOT, printed, refusal, refuses

from dualgap.extras.exact.cone import eliminated, value
from dualgap.extras.sharpen.certificate import (
    PROVED,
    check,
    determinant_is_negative,
    is_semidefinite,
    main,
    refusals,
    value_of,
)
from dualgap.extras.sharpen.claims import equal_rows, every_n
from dualgap.extras.sharpen.comparison import differences
from dualgap.extras.sharpen.propose import Program
from dualgap.extras.sharpen.quantities import Task, derive
from dualgap.extras.sharpen.worst import Instance, Quadratic, Steps, refuted_by_families
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.plugins import load
from dualgap.reference import L2, Problem, method, register_method
from dualgap.reference.methods.spdc import SPDC, SPDCState

F = Fraction
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
pytestmark = pytest.mark.usefixtures("nothing_is_left")
EXAMPLE = str(ROOT / "examples/audit_a_paper/src/dual_free/method.py")
RATES = {"sdca": F(3, 5), "aspdc": F(5, 8), "spdc": F(5, 8), "sag": F(529, 576)}


def record(name: str):
    return json.loads(next(path for path in GOLDEN if name in path.name).read_text())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_certificate_holds_and_is_what_the_method_gives(path: Path, capsys) -> None:
    load([EXAMPLE])
    found = json.loads(path.read_text())
    assert check(found) == [] and differences(found) == []
    assert "growth" in path.name or Fraction(found["rate"]) == RATES[found["task"]["method"]]
    assert "derived again from the method: the same" in printed(capsys, "replay", str(path))


def test_the_checker_runs_without_dualgap_and_says_so(tmp_path: Path) -> None:
    program = shutil.copy(ROOT / "extras/sharpen/certificate.py", tmp_path / "check.py")
    ran = subprocess.run([sys.executable, "-I", "-S", program, *GOLDEN], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0 and ran.stdout.count("holds: every sign") == len(GOLDEN) == 9
    assert ran.stdout.count("not compared with the method: dualgap replay FILE") == len(GOLDEN)
    broken = copy.deepcopy(record("proved-sdca"))
    broken["targets"][0]["inequalities"][0] = "-1"
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    ran = subprocess.run(
        [sys.executable, "-I", "-S", program, tmp_path / "broken.json"], capture_output=True, text=True
    )
    assert ran.returncode == 1 and "REFUSED: a multiplier of an inequality is negative" in ran.stdout


@pytest.mark.parametrize("name", ["proved-sdca", "proved-aspdc", "proved-spdc", "proved-sag"])
def test_25_false_certificates_are_refused(name: str) -> None:
    """A rate a little below the attained one, and multipliers that were moved onto all linear equations: only the signs
    can tell. The control is the true certificate, whose multipliers take the same way.
    """
    found, rng = record(name), random.Random(name)
    task, rate = Task.from_json(found["task"]), Fraction(found["rate"])
    for k in range(26):
        lowered = rate - (F(1, 10 ** rng.randint(3, 30)) if k else 0)
        program = Program(derive(task, lowered), {"rate": lowered} if task.quantity != "distance" else {})
        step = (rate - lowered) * (k % 2)
        values = [F(x) for x in found["parameters"].values()]
        for item in found["targets"]:
            multipliers = [*item["inequalities"], *item["equalities"]]
            for S in item["matrices"]:
                multipliers += [S[i][j] for i in range(len(S)) for j in range(i, len(S))]
            values += [F(x) + step * rng.randint(-2, 2) for x in multipliers]
        solved = eliminated(program.cone.equations, range(program.cone.size))
        assert solved is not None
        for pivot, form in solved.items():
            values[pivot] = value(form, values)
        refused = [reason for proof in program.proofs(values)[1] for reason in refusals(*proof)]
        assert bool(refused) == bool(k), (k, lowered)


def leaves(value, path=()):
    """The places of all texts p/q in a record."""
    if isinstance(value, str):
        yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from leaves(item, (*path, key))


def changed(value, path, new):
    found = copy.deepcopy(value)
    place = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new(place[path[-1]])
    return found


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_changed_number_of_the_facts_or_the_target_is_refused(path: Path) -> None:
    """The identity of another target or of other facts may hold: then the comparison with the method refuses it."""
    load([EXAMPLE])
    found, rng = json.loads(path.read_text()), random.Random(0)
    proved = found["kind"] == PROVED
    parts = ("facts", "targets", "rate", "parameters") if proved else ("maps", "form", "output", "rate")
    multipliers = {"inequalities", "equalities", "matrices"}  # of a target: others may prove the same
    places = [
        place
        for place in leaves(found)
        if place[0] in parts and "space" not in place and not (place[0] == "targets" and set(place) & multipliers)
    ]
    for place in rng.sample(places, min(12, len(places))):
        wrong = changed(found, place, lambda text: str(Fraction(text) - F(1, 7)))
        if place == ("rate",) and found["kind"] != PROVED:
            assert check(wrong) == [], "a smaller rate is refuted too"
        else:
            assert check(wrong) or differences(wrong), place


@pytest.mark.parametrize(
    "path, new",
    [
        (("schema",), lambda _: 2),
        (("kind",), lambda _: "rate-believed"),
        (("rate",), lambda _: "1e-3"),
        (("rate",), lambda _: 0.5),
        (("rate",), lambda _: "1/0"),
        (("targets",), lambda _: []),
        (("targets", 0, "facts"), lambda _: 7),
        (("facts", 0), lambda _: {}),
    ],
)
def test_a_file_that_is_no_certificate_is_refused_in_one_line(path, new, tmp_path, capsys) -> None:
    (tmp_path / "f.json").write_text(json.dumps(changed(record("proved-sdca"), path, new)))
    file = str(tmp_path / "f.json")
    if path == ("kind",):
        refuses(ValueError, "its kind must be", lambda: check(json.loads((tmp_path / "f.json").read_text())))
    else:
        assert "not a file of dualgap sharpen" in refusal(capsys, "replay", file)


@pytest.mark.parametrize(
    "task, message",
    [
        ({"method": "nothing"}, "unknown method 'nothing'"),
        ({"n": 0}, "needs 1 <= n <= 8"),
        ({"lam": "-1"}, "needs 1 <= n <= 8 and lam, gamma, R > 0"),
        ({"quantity": "luck"}, "no such option, or no such quantity"),
        ({"options": {"__class__": 1}}, "no such option, or no such quantity"),
        ({"more": 1}, "its task must have method"),
        ({"norms": "x"}, "norms own or bound"),
        ({"general": "x"}, "general true or false"),
    ],
)
def test_a_task_that_is_none_is_refused(task, message, tmp_path, capsys) -> None:
    found = record("proved-sdca")
    found["task"] |= task
    (tmp_path / "f.json").write_text(json.dumps(found))
    assert message in refusal(capsys, "replay", str(tmp_path / "f.json"))
    del found["task"]["options"]
    assert certificate_main(tmp_path / "f.json", found) == 1


def certificate_main(path: Path, found) -> int:
    """The exit status of the checker alone."""
    path.write_text(json.dumps(found))
    return main([str(path)])


def test_a_proof_is_about_its_own_method_quantity_and_size() -> None:
    for task in (
        {"method": "aspdc"},
        {"n": 3},
        {"lam": "1"},
        {"quantity": "gap"},
        {"general": True},
        {"norms": "bound"},
    ):
        found = record("proved-sdca")
        found["task"] |= task
        assert check(found) == [] and differences(found), task
    outside = record("refuted-sdca")
    outside["rows"][0] = ["2"]
    assert differences(outside) == ["the instance is not in the class of problems"]


ONE, TWO = F(1), F(2)
TOY = {"space": [0, 0, "W"], "inequalities": [{("F", 0): ONE, ("G", 0, 0): -ONE}], "equalities": [], "matrices": []}
PROOF = {"inequalities": [TWO], "equalities": [], "matrices": []}


@pytest.mark.parametrize(
    "target, proof, why",
    [
        ({("F", 0): TWO}, PROOF, ""),
        ({("F", 0): TWO, ("G", 0, 0): -3 * ONE}, PROOF, "not positive semidefinite"),
        ({("F", 0): ONE}, PROOF, "function values are left over"),
        ({("F", 0): TWO, ("1",): ONE}, PROOF, "function values are left over"),
        ({("F", 0): TWO, ("G", 0, 2): ONE}, PROOF, "a product of vectors of different spaces"),
        ({("F", 0): TWO, ("G", 1, 0): ONE}, PROOF, "a product of vectors of different spaces"),
        ({("F", 0): TWO, ("G", 3, 3): ONE}, PROOF, "a product of vectors of different spaces"),
        ({("F", 0): TWO, ("G", 0, 0, 9): -ONE}, PROOF, "function values are left over"),
        ({("F", 0): TWO, ("G", 0, 1): ONE}, PROOF, "not positive semidefinite"),
        ({("F", 0): -ONE, ("G", 0, 0): TWO}, {**PROOF, "inequalities": [-ONE]}, "negative"),
        ({("F", 0): TWO}, {**PROOF, "inequalities": []}, "missing"),
        ({("F", 0): TWO}, {**PROOF, "matrices": [[[ONE]]]}, "missing"),
    ],
)
def test_what_a_proof_may_leave_over(target, proof, why) -> None:
    found = refusals(target, TOY, proof)
    assert found == [] if not why else any(why in reason for reason in found), found


@pytest.mark.parametrize("S, holds", [([[1, 1], [1, 1]], True), ([[1, 2], [2, 1]], False), ([[1, 2], [0, 4]], False)])
def test_a_matrix_multiplier_must_be_symmetric_and_semidefinite(S, holds) -> None:
    facts = {"space": [0, 0], "inequalities": [], "equalities": [], "matrices": [[[{("G", 0, 0): ONE}] * 2] * 2]}
    S = [[F(x) for x in row] for row in S]
    target = {("G", 0, 0): sum((x for row in S for x in row), ONE)}
    assert (refusals(target, facts, {"inequalities": [], "equalities": [], "matrices": [S]}) == []) is holds


@pytest.mark.parametrize(
    "matrix, semidefinite, negative",
    [
        ([], True, False),
        ([[0]], True, False),
        ([[-1]], False, True),
        ([[0, 1], [1, 0]], False, True),
        ([[0, 1], [-1, 0]], False, False),
        ([[1, 2], [2, 4]], True, False),
        ([[1, 2], [2, 3]], False, True),
        ([[-1, 0], [0, -1]], False, False),
        ([[4, 2, 0], [2, 1, 0], [0, 0, -1]], False, False),
        ([[0, 2, 0], [3, 1, 0], [0, 0, 5]], False, True),
    ],
)
def test_signs_of_small_matrices(matrix, semidefinite, negative) -> None:
    exact = [[F(x) for x in row] for row in matrix]
    symmetric = all(row == list(column) for row, column in zip(exact, zip(*exact)))
    assert not symmetric or is_semidefinite(exact) is semidefinite
    assert determinant_is_negative(exact) is negative


@pytest.mark.parametrize(
    "name, change, why",
    [
        ("refuted-spdc", {"rate": "626/1000"}, "do not grow"),
        ("refuted-spdc", {"moments": [["0"] * 4] * 4}, "(w, alpha) is 0 for these second moments"),
        ("refuted-spdc", {"moments": [["1", "1", "0", "0"], *[["0"] * 4] * 3]}, "are not symmetric"),
        ("refuted-spdc", {"shows": "determinant"}, "the determinant is not negative"),
        ("refuted-growth", {"rate": "73/100"}, "the determinant is not negative"),
        ("refuted-spdc", {"shows": "x"}, "does not say what it shows"),
        ("refuted-spdc", {"output": [["0"] * 4]}, "(w, alpha) is 0 for these second moments"),
        ("refuted-growth", {"output": [["0"] * 4]}, "may not be seen in (w, alpha)"),
        ("refuted-sdca", {"rate": "601/1000"}, "contracts faster"),
        ("refuted-sdca", {"point": ["0", "0"]}, "contracts faster"),
        ("refuted-sdca", {"maps": [["2", [["2", "0"], ["0", "2"]]]]}, "the probabilities"),
        ("refuted-sdca", {"maps": [["1", [["1", "0"]]]]}, "different sizes"),
    ],
)
def test_a_false_refutation_is_refused(name, change, why) -> None:
    found = check(record(name) | change)
    assert found and why in found[0]


class Kinked(Quadratic):
    """max(z, 0)^2/2 for row 0 and min(z, 0)^2/2 for row 1; a problem has the number of the row as y."""

    def derivative(self, z, y):
        return (z > 0) * z if y == 0 else (z < 0) * z


@pytest.mark.parametrize("K", ["1/4", "1", "4"])
def test_the_states_by_which_the_page_refutes_a_rate_of_dual_free_sdca_are_those_of_its_steps(K) -> None:
    """Two equal rows, kappa = K/(1 + K); a state and its mirror image move alike."""
    load([EXAMPLE])
    kappa = F(K) / (1 + F(K))
    problem, dual_free = Problem([[1], [1]], [0, 1], Kinked(1), L2(1 / (2 * F(K))), number=F), method("dual-free")

    def moved(*alpha):
        start = dual_free.init(problem, [F(a) for a in alpha])
        return [dual_free.step(problem, start, i).alpha for i in range(2)]

    assert moved(kappa, -1) == [[kappa, -1], [kappa, -kappa]]
    assert moved(1, -1) == [[kappa, -1], [1, -kappa]]


@pytest.mark.parametrize("name, share", [("sdca", lambda K: 1 / (2 * (1 + K))), ("aspdc", lambda K: (1 - K) / 2)])
@pytest.mark.parametrize("n", [2, 3, 7])
@pytest.mark.parametrize("K", ["1/4", "2/3"])
def test_equal_rows_attain_the_rate_for_every_n(name, share, n, K) -> None:
    """Rows 1 and 2 lower D* - D by the page's share, and the others do not move."""
    task = Task(name, n, 1 / (n * F(K)), "dual")
    steps = Steps(task, Instance(((F(1),),) * n, (F(1),) * n), derive(task, F(1)).follows)
    z = [F(1), F(-1), *[F(0)] * (n - 2)]
    ratios = [value_of(steps.form, image) / value_of(steps.form, z) for _, image in steps._reached(z)]
    assert ratios == [1 - share(F(K))] * 2 + [1] * (n - 2)


class KeptState(SPDCState):
    __slots__ = ("kept",)


class Kept(SPDC):
    """SPDC with an average of w that no step reads; it is forgotten more slowly than SPDC converges."""

    name = "test-kept-spdc"

    def init(self, problem, alpha=None, w=None):
        state = super().init(problem, alpha)
        return KeptState(**state.fields(), kept=list(state.w))

    def advance(self, problem, state, choice):
        super().advance(problem, state, choice)
        if choice == 0:
            state.kept = [F(99, 100) * a + F(1, 100) * b for a, b in zip(state.kept, state.w)]


def test_what_a_method_only_keeps_refutes_no_rate() -> None:
    """V need not bound the average, so that its growth of 19801/20000 refutes nothing."""
    register_method(Kept)
    task = Task("test-kept-spdc", 2, F(2), options={"theta": "sharp"}, norms="bound")
    follows = derive(task, F(1)).follows
    refuses(ValueError, "no instance that is known refutes any rate", refuted_by_families, task, follows)
    known = Task("spdc", 2, F(2), options={"theta": "sharp"}, norms="bound")
    assert refuted_by_families(known, derive(known, F(1)).follows)[0]["rate"] == F(5, 8), "the control"


@pytest.mark.parametrize(
    "n, K, theta", [(5, 4, "sharp"), (5, 4, "paper"), (6, 1, "sharp"), (6, 1, "paper"), (7, "1/4", "sharp")]
)
def test_each_instance_of_equal_rows_refutes_the_pattern(n, K, theta) -> None:
    instance = equal_rows(n, F(K), theta)
    context = Context(instance, method("spdc", **instance.options), Fraction)
    assert [relation.holds() for relation in every_n(context)] == [False]
