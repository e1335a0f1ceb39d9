"""A method and a loss are their own files: nothing else names them, and a missing one is named.

The toys of tests/toys, copied to a folder that nothing knows, go through solve, audit, vectors and the parametrised
tests.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dualgap.proofs_checks.self_audit import columns
from dualgap.reference import LOSSES, Loss, all_methods, register_loss, register_method
from dualgap.reference.methods.sdca import SDCA

ROOT = Path(__file__).parents[2]
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
    "tests": f"{METHOD} tests column: a test that names it",
}


@pytest.mark.parametrize("name", columns.known_methods())
def test_a_method_has_every_column(name: str) -> None:
    missing = columns.missing_of_method(name, TESTS)
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", columns.known_losses())
def test_a_loss_has_every_column(name: str) -> None:
    missing = columns.missing_of_loss(name, TESTS)
    assert not missing, "\n".join(missing)


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT, env=environment)


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    folder = tmp_path / "toys"
    shutil.copytree(TOYS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_toys_go_through_solve_audit_and_vectors(toys: Path) -> None:
    run = python(toys, str(toys / "everything.py"), str(toys))
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["missing"] == []
    fast, reference = found["solved"]
    assert fast == reference and fast[0] == "converged", "the same bits of w"
    assert found["audited"] == ["pass", [["toy.monotone", "HOLDS"]]]
    other, added = found["changed"]
    assert other == [] and added > 0, "a new loss adds cases and changes none"
    assert set(found["vectors"]) >= {
        "formulas-toy-huber.json",
        "steps-toy-half-sdca.json",
        "trajectories-toy-half-sdca.json",
    }


def test_the_parametrised_tests_have_the_toys(toys: Path) -> None:
    shutil.copy(toys / "tests.py", toys / "test_toys.py")
    files = [
        "tests/properties/test_reference_equals_fast.py",
        "tests/fast/methods/test_fast.py",
        "tests/fast/problem/test_certificate.py",
    ]
    run = python(
        toys,
        "-m",
        "pytest",
        "-p",
        "everything",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "-v",
        "-k",
        "toy",
        str(toys / "test_toys.py"),
        *files,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    for test in (
        "test_after_every_step_every_field_has_the_same_bits[toy-half-sdca]",
        "test_both_draw_the_same_passes_in_every_order[toy-half-sdca]",
        "test_the_scalar_formulas_have_the_bits_of_their_counterparts[toy-huber]",
        "test_primal_dual_and_gap_are_those_of_the_reference[toy-huber]",
        "test_a_half_step",
    ):
        assert f"{test} PASSED" in run.stdout, test


@pytest.mark.parametrize("part", LEFT_OUT)
def test_a_column_that_is_left_out_is_named(toys: Path, part: str) -> None:
    (toys / f"{part}.py").unlink()
    run = python(toys, str(toys / "everything.py"), str(toys))
    said = json.loads(run.stdout)["missing"] if run.returncode == 0 else run.stderr.splitlines()[-1:]
    assert said and any(LEFT_OUT[part] in line for line in said), said
    assert all(part.split("_")[-1] in line for line in said), "and no other"


def test_a_name_that_is_taken_is_refused_with_both_places() -> None:
    with pytest.raises(
        ValueError,
        match=(
            r"method 'sdca' of .*test_columns.*Impostor.* is taken by dualgap\.reference\.methods\.sdca\.SDCA"
            r" \(.*sdca\.py:\d+\)"
        ),
    ):

        @register_method
        class Impostor(SDCA):
            name = "sdca"

    with pytest.raises(
        ValueError,
        match=r"loss 'hinge' of .*test_columns.*Other.* is taken by dualgap\.reference\.problem\.losses\.Hinge",
    ):

        @register_loss
        class Other(Loss):
            name = "hinge"

    assert all_methods()["sdca"].__name__ == "SDCA" and LOSSES["hinge"].__name__ == "Hinge"
