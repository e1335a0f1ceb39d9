"""The packages in examples, built and installed beside a wheel of dualgap, not the checkout: audit, replay, solve, and
their own tests.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("install", Path(__file__).with_name("test_install.py"))
install = importlib.util.module_from_spec(spec)
spec.loader.exec_module(install)

EXAMPLES = {  # folder: paper, the claim that is refuted, most lines of code and configuration
    "audit_a_paper": ("dual-free", "dual-free.twice-the-rate", 230),
    "audit_a_primal_method": ("kaczmarz", "kaczmarz.uniform", 280),
}


def test_every_example_is_tested_here():
    assert sorted(path.name for path in (ROOT / "examples").iterdir() if (path / "pyproject.toml").exists()) == sorted(
        EXAMPLES
    )


@pytest.mark.parametrize(("name", "most"), [(name, most) for name, (_, _, most) in EXAMPLES.items()])
def test_an_example_is_short(name, most):
    files = [*(ROOT / "examples" / name).rglob("*.py"), ROOT / "examples" / name / "pyproject.toml"]
    assert len(files) == 6 and sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= most


class Site:
    """A folder with the wheels of dualgap and of the examples, and Python that finds them there."""

    def __init__(self, folder):
        self.folder = folder
        roots = [install.copied(folder / "checkout")]
        for name in EXAMPLES:
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
            roots.append(Path(shutil.copytree(ROOT / "examples" / name, folder / name, ignore=ignored)))
        for root in roots:
            with zipfile.ZipFile(install.built(root, "build_wheel")) as wheel:
                wheel.extractall(folder / "site")
        (folder / "work").mkdir()

    def python(self, *words):
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "site")}
        return subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, cwd=self.folder / "work", env=environment
        )

    def dualgap(self, *words):
        return self.python(
            "-c", "import sys; from dualgap.proofs_checks.cli.main import main; sys.exit(main())", *words
        )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return Site(tmp_path_factory.mktemp("examples"))


def test_what_runs_is_the_wheel(site):
    run = site.python(
        "-c",
        "import dual_free, kaczmarz, dualgap.reference, dualgap.proofs_checks as p; print(dual_free.__file__,"
        " dualgap.reference.__file__, p.__file__)",
    )
    assert run.returncode == 0, run.stderr
    assert all(path.startswith(str(site.folder / "site")) for path in run.stdout.split())


@pytest.mark.parametrize(("paper", "refuted"), [(paper, refuted) for paper, refuted, _ in EXAMPLES.values()])
def test_an_example_is_audited_and_its_counterexample_replayed(site, paper, refuted):
    audit = site.dualgap("audit", paper, "--quick", "--entropy", "1", "--out", paper)
    assert audit.returncode == 0 and "Verdict: pass" in audit.stdout, audit.stdout + audit.stderr
    file = site.folder / "work" / paper / f"counterexample-{refuted}.json"
    replay = site.dualgap("replay", str(file))
    assert replay.returncode == 0 and "The refutation reproduces" in replay.stdout, replay.stdout + replay.stderr
    file.write_text(
        file.read_text(encoding="utf-8").replace(
            refuted, refuted.partition(".")[0] + "." + {"dual-free": "theorem-1", "kaczmarz": "theorem-2"}[paper]
        )
    )
    assert site.dualgap("replay", str(file)).returncode == 1, "the control: of a claim that holds nothing is refuted"


def test_the_dual_free_method_solves_data_from_a_file(site):
    (site.folder / "work" / "data.libsvm").write_text("+1 1:1 2:0.5\n-1 2:2\n+1 1:-1 2:0.25\n")
    words = [
        "solve",
        "data.libsvm",
        "--method",
        "dual-free",
        "--loss",
        "smoothed-hinge",
        "--lam",
        "0.1",
        "--tol",
        "1e-8",
    ]
    run = site.dualgap(*words)
    assert run.returncode == 0 and "converged" in run.stdout, run.stdout + run.stderr
    hinge = site.dualgap(*[word.replace("smoothed-hinge", "hinge") for word in words])
    assert hinge.returncode == 2 and "gamma > 0" in hinge.stderr


CHECK = (
    "from dualgap.proofs_checks import check_bits; from {0}.compiled import {1} as fast; from {0}.method import {2} as"
    " slow; from {0} import claims; "
)


@pytest.mark.parametrize("names", [("dual_free", "FastDualFree", "DualFree"), ("kaczmarz", "FastKaczmarz", "Kaczmarz")])
def test_check_bits_passes_and_fails_for_a_mutant(site, names):
    right = site.python("-c", CHECK.format(*names) + "check_bits(fast, slow, claims.problems(), examples=20)")
    assert right.returncode == 0, right.stderr
    mutant = {"dual_free": "LongStep", "kaczmarz": "HalfStep"}[names[0]]
    wrong = site.python(
        "-c", CHECK.format(*names) + f"check_bits(fast, claims.{mutant}, claims.problems(), examples=20)"
    )
    assert wrong.returncode == 1 and "bits" in wrong.stderr and "FALSE" in wrong.stderr, wrong.stderr


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_its_own_tests(site, name):
    run = site.python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(site.folder / name / "tests")
    )
    assert run.returncode == 0, run.stdout + run.stderr
