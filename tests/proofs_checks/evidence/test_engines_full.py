"""The engines behind ``audit --full``, at small size: the automatic mutants and the adversarial search.

The optional engines (sympy, z3, PEPit, flint) are run by ``audit --full``; here only that each of their
claims stands without them.
"""

import ast
import importlib
import random
import sys

import pytest

from dualgap.proofs_checks.auditing.audit import examine_claim, status_of
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence import levels
from dualgap.proofs_checks.evidence.mutation import equivalent
from dualgap.proofs_checks.evidence.mutation.equivalent import SURVIVORS
from dualgap.proofs_checks.evidence.mutation.mutate import (
    MODULES,
    AstMutant,
    BudgetSpent,
    ReferenceCopy,
    changes,
    first_killer,
    mutants,
)
from dualgap.proofs_checks.evidence.search import exact_ratio, float_ratio, instance_at, search
from dualgap.proofs_checks.papers.aspdc import implementation_changes, lemma_2_worst_case
from dualgap.proofs_checks.strategies.instances import SMOOTH
from dualgap.reference import LOSSES
from dualgap.reference.numbers.interval import decide

CLAIM = all_claims()["aspdc.ast-mutants"]
NAMES = "worst-case.one-step worst-case.steps identity conjugate-pairs logistic-modulus half-rate free-q ast-mutants"
MINE = [all_claims()[f"aspdc.{name}"] for name in NAMES.split()]


def texts(source: str) -> list[str]:
    return [text for text, _ in changes(ast.parse(source))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a + b", ["a + b -> a - b"]),
        ("return a / b", ["a / b -> a * b"]),
        ("return -a", ["-a -> a"]),
        ("return a <= b", ["a <= b -> a < b"]),
        ("return a == b", ["a == b -> a != b"]),
        ("return a < b > c", ["a < b > c -> a <= b > c", "a < b > c -> a < b >= c"]),
        (
            "return 4 if a else b",
            ["4 if a else b -> " + new for new in ("b if a else 4", "5 if a else b", "3 if a else b")],
        ),
        ("return a and b", ["a and b -> a or b"]),
        ("if a:\n        return b", ["a -> not a"]),
        ("if not a:\n        return b", ["not a -> a"]),
        ("a[b] = c", ["a[b] = c -> pass"]),
        ("a.b(c)", ["a.b(c) -> pass"]),
        ("raise ValueError(a + 1)", []),
        ("return f'{a + 1}'", []),
        ("return True", []),
    ],
)
def test_each_kind_of_change_is_made_once(line: str, expected: list[str]) -> None:
    assert texts(f"def f(a, b, c):\n    {line}") == [f"f: {text}" for text in expected]


def test_validation_is_left_alone_and_class_constants_are_not() -> None:
    source = "class A:\n    gamma: int = 1\n    def __init__(self):\n        self.x = 1 + 1"
    assert texts(source) == ["A.gamma: 1 -> 2", "A.gamma: 1 -> 0"]


def test_asking_for_mutants_leaves_the_source_tree_as_it_was() -> None:
    tree = ast.parse("def f(a):\n    return -a * (a + 1) if a > 0 else 2")
    before = ast.unparse(tree)
    assert len(list(changes(tree))) == 11
    assert ast.unparse(tree) == before
    for mutant in list(mutants().values())[:5]:
        before = ast.unparse(mutant.tree)
        mutant.compiled()
        assert ast.unparse(mutant.tree) == before


def test_every_module_of_the_step_has_mutants() -> None:
    assert {m.module for m in mutants().values()} == set(MODULES)
    assert len(mutants()) > 500
    assert "aspdc.ASPDC.advance: state.alpha[i] = alpha_i -> pass" in mutants()


def test_copies_never_touch_the_real_modules() -> None:
    before = {name: module for name, module in sys.modules.items() if name.startswith("dualgap.reference")}
    code = ReferenceCopy(mutants()["losses.Squared.derivative: z - y -> z + y"])
    assert code.losses.Squared().derivative(Q(3), Q(1)) == 4
    assert LOSSES["squared"]().derivative(Q(3), Q(1)) == 2
    assert ReferenceCopy().losses.Squared().derivative(Q(3), Q(1)) == 2
    assert {name: sys.modules.get(name) for name in before} == before


def test_modules_of_a_copy_import_each_other() -> None:
    code = ReferenceCopy(mutants()["regularizers.soft: v - threshold -> v + threshold"])
    assert code.problem.soft is code.regularizers.soft
    assert code.aspdc.DualMethod is code.method.DualMethod
    assert code.problem.soft(Q(3), Q(1)) == 4


def test_a_copy_that_runs_for_ever_is_stopped() -> None:
    code = ReferenceCopy()
    code.left = 50
    with pytest.raises(BudgetSpent):
        for _ in range(1000):
            code.regularizers.soft(Q(3), Q(1))


def test_a_module_that_breaks_on_import_is_killed() -> None:
    tree = ast.parse("class A:\n    a = 1 / 1")
    _, place = next((text, place) for text, place in changes(tree) if text == "A.a: 1 / 1 -> 1 / 0")
    assert first_killer(AstMutant("losses", "losses", tree, place), {}) == "import: it breaks the module"


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(4))  # a quarter each: about ten seconds
def test_of_all_mutants_those_survive_that_are_listed(first: int) -> None:
    keys = list(mutants())[first::4]
    alive = {key for key in keys if first_killer(mutants()[key], implementation_changes.BATTERY) is None}
    assert alive == {key for key in keys if key in SURVIVORS}


def test_every_listed_survivor_is_a_mutant_with_a_reason() -> None:
    assert [key for key in SURVIVORS if key not in mutants()] == []
    assert all(SURVIVORS.values())


LOW, HIGH = "(low is None or bool(low <= b))", "(high is None or bool(b <= high))"


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ("golden: zero", "losses.clip: value <= low -> value < low"),
        ("golden: domain", f"losses.Loss.in_domain: {LOW} and {HIGH} -> {LOW} or {HIGH}"),
        ("golden: loss", "losses.Hinge.derivative: y * z >= 1 -> y * z > 1"),
        ("identity: regularizer", "regularizers.Regularizer.prox: 1 + tau * self.modulus -> 2 + tau * self.modulus"),
    ],
)
def test_no_part_of_the_battery_can_be_left_out(part: str, key: str) -> None:
    assert first_killer(mutants()[key], implementation_changes.BATTERY) == part
    rest = {name: check for name, check in implementation_changes.BATTERY.items() if name != part}
    assert first_killer(mutants()[key], rest) is None


def carrying(key: str) -> Context:
    return Context(implementation_changes.UNUSED.but(extra=further(mutant=key)))


def test_a_new_survivor_a_killed_one_on_the_list_and_one_that_no_longer_exists_fail_the_claim(monkeypatch) -> None:
    survivor, killed = "losses.Hinge.value: m >= 1 -> m > 1", "losses.Squared.derivative: z - y -> z + y"
    assert [judge(CLAIM, carrying(key)).violated for key in (survivor, killed)] == [None, None]
    monkeypatch.delitem(equivalent.SURVIVORS, survivor)
    monkeypatch.setitem(equivalent.SURVIVORS, killed, "not so")
    for key in (survivor, killed, "losses.Squared.value: gone -> away"):
        assert judge(CLAIM, carrying(key)).violated is not None


def test_the_name_of_a_mutant_survives_a_counterexample_file() -> None:
    instance = carrying("losses.Hinge.value: m >= 1 -> m > 1").instance
    assert Instance.from_json(instance.to_json()) == instance


@pytest.mark.parametrize("loss", SMOOTH)
def test_the_search_comes_near_three_quarters_and_never_below(loss: str) -> None:
    found = search(loss, Q(4), 0.7501, random.Random(1), evaluations=20_000)
    assert found.ratio <= 0.7501
    assert decide(lambda: Q(3, 4) <= exact_ratio(found.instance) <= Q(7502, 10000))[0]


@pytest.mark.parametrize("loss", SMOOTH)
def test_every_point_of_the_search_is_inside_the_hypotheses(loss: str) -> None:
    generator = random.Random(3)
    for _ in range(20):
        instance = instance_at([generator.gauss(0, 3) for _ in range(8)], [1, -1], loss, Q(4), 2)
        context = Context(instance)
        assert context.K == Q(1, 4)
        assert all(context.problem.loss.in_domain(a, y) for a, y in zip(instance.alpha, instance.y))


def test_the_objective_in_floats_is_the_exact_one_where_floats_are_exact() -> None:
    worst = (lemma_2_worst_case.WORST_SQUARED, lemma_2_worst_case.WORST_HINGE, lemma_2_worst_case.WORST_SQUARED_HINGE)
    assert [float_ratio(instance) for instance in worst] == [0.75] * 3  # every number is a short binary fraction
    assert float_ratio(worst[0].but(alpha=(Q(0), Q(0)))) == 1.0  # gap 0: no ratio, and no reward


def test_every_claim_stands_without_the_optional_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    full, skipped = Run("full", 1), []
    for claim in MINE:
        for source in claim.evidence:
            if "optional" in getattr(source, "__qualname__", ""):
                level = source(claim, full).level
                assert level.startswith("SKIPPED(") and "pip install" in level
                skipped.append(claim.id)
    assert len(set(skipped)) == 7
    run = Run("quick", 1)
    for claim in MINE:
        row = examine_claim(claim, run, None)
        assert row.as_expected, row


def test_a_skipped_level_never_carries_a_claim() -> None:
    assert status_of(CLAIM, [levels.Evidence("SKIPPED(z3 is not installed)", instances=5)]) == "VACUOUS"
