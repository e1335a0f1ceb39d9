"""A method and a loss are their own files: nothing else names them, and a missing one is named.

The toys of tests/toys, copied to a folder that nothing knows, go through solve, audit, vectors and the parametrised
tests.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from support import ROOT, by_day, succeeds

from dualgap.proofs_checks.self_audit import columns

TOYS = ROOT / "tests" / "toys"
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
METHOD, LOSS = "method 'toy-half-sdca' has no", "loss 'toy-huber' has no"
LEFT_OUT = {  # the file that is left out: the beginning of the message
    "method_reference": f"{METHOD} reference column: a class under @register_method",
    "method_compiled": f"{METHOD} compiled column: a class under @register_compiled_method",
    "method_vectors": f"{METHOD} vectors column: a class under @register_vectors",
    "loss_reference": f"{LOSS} reference column: register a class of that name under @register_loss",
    "loss_compiled": f"{LOSS} compiled column: a class under @register_compiled_loss",
    "loss_vectors": f"{LOSS} vectors column: register_independent_loss",
    "claims": f"{METHOD} claims column: a module with a @claim",
    "tests": f"{METHOD} tests column: an example in the docstring of the reference, or a test that names it",
}


@pytest.mark.parametrize("name", columns.known_methods())
def test_a_method_has_every_column(name: str) -> None:
    missing = columns.missing_of_method(name, TESTS)
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", columns.known_losses())
def test_a_loss_has_every_column(name: str) -> None:
    missing = columns.missing_of_loss(name, TESTS)
    assert not missing, "\n".join(missing)


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    folder = tmp_path / "toys"
    shutil.copytree(TOYS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_toys_go_through_solve_audit_and_vectors(toys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # kernels of others are compiled in each process
    found = json.loads(succeeds(str(toys / "everything.py"), str(toys), cwd=ROOT, path=toys))
    assert found["missing"] == []
    fast, reference = found["solved"]
    assert fast == reference and fast[0] == "converged", "bit-identical w"
    assert found["audited"] == ["pass", [["toy.monotone", "HOLDS"]]]
    other, added = found["changed"]
    assert other == [] and added > 0, "a new loss adds cases and changes none"
    assert set(found["vectors"]) >= {
        "formulas-toy-huber.json",
        "steps-toy-half-sdca.json",
        "trajectories-toy-half-sdca.json",
    }
    assert all("toy-whole-step" in flags for name, flags in found["vectors"].items() if "half-sdca" in name)


ENUMERATING = {  # tests that take every method or loss from the registries: one that must have the toy
    "properties/test_reference_equals_fast": "every_step_every_field_has_the_same_bits[toy-half-sdca]",
    "properties/test_lazy_equals_dense": "test_dense_and_sparse_storage_give_the_same_bits[toy-half-sdca]",
    "properties/test_what_the_papers_say": "the_law_of_its_choices[toy-half-sdca]",
    "fast/methods/test_every_method": "[toy-half-sdca-20]",
    "fast/problem/test_pnorm_fast": "test_a_certificate_has_the_bits_of_the_problem[toy-huber]",
    "fast/problem/test_nonnegative": "test_every_other_method_refuses_in_one_line",
    "fast/solver/test_hostile_scales": "[toy-half-sdca]",
    "fast/solver/test_settings": "[toy-half-sdca]",
    "fast/solver/test_solve": "test_no_run_makes_more_passes_than_it_may[toy-half-sdca]",
    "proofs_checks/cli/test_cli": "[toy-half-sdca]",
    "proofs_checks/engines/test_purity": "test_every_built_in_method_is_pure[toy-half-sdca]",
    "reference/problem/test_general_regularizer": "test_every_other_method_and_every_lazy_form_refuses_in_one_line",
    "repository/test_docs": "test_every_method_says_what_it_is_for_the_table_of_methods",
}
COMPILED = ("fast/methods/test_every_method",)


@pytest.mark.parametrize("compiled", by_day([False, True], False))
def test_the_tests_of_every_method_have_the_toys(compiled: bool, toys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No list of a test has to name a new method. One file needs compiled code: in Python numpy warns of overflow."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", str(int(not compiled)))
    shutil.copy(toys / "tests.py", toys / "test_toys.py")
    words = "-m pytest -p everything -p no:cacheprovider -n 0 -v -k".split()
    files = {f"tests/{file}.py": test for file, test in ENUMERATING.items() if compiled or file not in COMPILED}
    words += ["toy or in_one_line or table_of_methods", *files]
    said = succeeds(*words, str(toys / "test_toys.py"), cwd=ROOT, path=toys)
    assert "::test_a_half_step PASSED" in said
    assert [file for file, test in files.items() if not re.search(rf"{file}::\S*{re.escape(test)} PASSED", said)] == []


PAGES = """
import sys; sys.path[:0] = {folders}
import everything, pages
for name in ("reference/methods", "ports-methods"):
    source = [(pages.DOCS / f"{{name}}.md").read_text(encoding="utf-8")]
    pages.extend(None, name, source)
    print("| `toy-half-sdca` |" in source[0])
"""


@pytest.mark.needs("sphinx")
@pytest.mark.needs("matplotlib")
def test_the_tables_of_the_pages_have_the_toy(toys: Path) -> None:
    assert succeeds("-c", PAGES.format(folders=[str(toys), str(ROOT / "docs" / "make")])).split() == ["True"] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("every", by_day([1, 3], 3))  # of the parts
def test_a_column_that_is_left_out_is_named(every: int, tmp_path: Path) -> None:
    parts = list(LEFT_OUT)[::every]
    for part in [*parts, "nothing"]:
        shutil.copytree(TOYS, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", f"{part}.py"))
    folders = [str(tmp_path / part) for part in [*parts, "nothing"]]
    found = dict(map(json.loads, succeeds(str(TOYS / "everything.py"), *folders, cwd=ROOT).splitlines()))
    assert list(found) == [*parts, "nothing"] and found["nothing"] == []
    for part in parts:
        said, message = found[part], LEFT_OUT[part]
        assert said and any(message in line for line in said), (part, said)
        assert all(part.split("_")[-1] in line for line in said), "and no other"
