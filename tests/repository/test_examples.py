"""The packages in examples, built and installed with a wheel of dualgap instead of the checkout: audit, replay, solve,
and their own tests.
"""

import importlib.util
import shutil
import zipfile
from pathlib import Path

import pytest
from support import ROOT, python
from warm import dualgap

spec = importlib.util.spec_from_file_location("install", Path(__file__).with_name("test_install.py"))
install = importlib.util.module_from_spec(spec)
spec.loader.exec_module(install)

EXAMPLES = {  # folder: paper, the claim that is refuted, most lines of code and configuration
    "audit_a_paper": ("dual-free", "dual-free.twice-the-rate", 230),
    "audit_a_primal_method": ("kaczmarz", "kaczmarz.uniform", 280),
}


def test_every_example_is_tested_here_and_short():
    folders = {path.parent.name: path.parent for path in (ROOT / "examples").glob("*/pyproject.toml")}
    assert sorted(folders) == sorted(EXAMPLES)
    for name, folder in folders.items():
        files = [*folder.rglob("*.py"), folder / "pyproject.toml"]
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        assert len(files) == 6 and lines <= EXAMPLES[name][2], name


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
        return python(*words, cwd=self.folder / "work", path=self.folder / "site")

    def dualgap(self, *words):
        return self.python("-m", "dualgap", *words)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return Site(tmp_path_factory.mktemp("examples"))


@pytest.mark.nightly
def test_what_runs_is_the_wheel(site):
    code = "import dual_free, kaczmarz as k, dualgap.reference as r; print(dual_free.__file__, k.__file__, r.__file__)"
    run = site.python("-c", code)
    assert run.returncode == 0, run.stderr
    assert all(path.startswith(str(site.folder / "site")) for path in run.stdout.split())


def audited_and_replayed(folder, dualgap, paper, refuted):
    audit = dualgap("audit", paper, "--quick", "--entropy", "1", "--out", paper)
    assert audit.returncode == 0 and "Verdict: pass" in audit.stdout, audit.stdout + audit.stderr
    file = folder / paper / f"counterexample-{refuted}.json"
    replay = dualgap("replay", str(file))
    assert replay.returncode == 0 and "The refutation reproduces" in replay.stdout, replay.stdout + replay.stderr
    holds = f"{paper}.{'theorem-1' if paper == 'dual-free' else 'theorem-2'}"
    file.write_text(file.read_text(encoding="utf-8").replace(refuted, holds))
    assert dualgap("replay", str(file)).returncode == 1, "the control: of a claim that holds nothing is refuted"


@pytest.mark.nightly
@pytest.mark.parametrize(("paper", "refuted"), [row[:2] for row in EXAMPLES.values()])
def test_an_example_is_audited_and_its_counterexample_replayed(site, paper, refuted):
    audited_and_replayed(site.folder / "work", site.dualgap, paper, refuted)


def test_the_sources_of_an_example_are_audited_and_its_counterexample_replayed(tmp_path):
    """Without a wheel: a package that is on the path and is named by --import."""
    path = ROOT / "examples" / "audit_a_primal_method" / "src"

    def run(*words):
        return dualgap(*words, "--import", "kaczmarz", cwd=tmp_path, path=path)

    audited_and_replayed(tmp_path, run, "kaczmarz", "kaczmarz.uniform")


@pytest.mark.nightly
def test_the_dual_free_method_solves_data_from_a_file(site):
    (site.folder / "work" / "data.libsvm").write_text("+1 1:1 2:0.5\n-1 2:2\n+1 1:-1 2:0.25\n")
    words = "solve data.libsvm --method dual-free --loss smoothed-hinge --lam 0.1 --tol 1e-8".split()
    run = site.dualgap(*words)
    assert run.returncode == 0 and "converged" in run.stdout, run.stdout + run.stderr
    hinge = site.dualgap(*[word.replace("smoothed-hinge", "hinge") for word in words])
    assert hinge.returncode == 2 and "gamma > 0" in hinge.stderr


CHECK = """
from dualgap.proofs_checks import check_bits
from {0} import claims
from {0}.compiled import Fast{1} as fast
from {0}.method import {1} as right
check_bits(fast, {2}, claims.problems(), examples=20)
"""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("package", "method", "mutant"), [("dual_free", "DualFree", "LongStep"), ("kaczmarz", "Kaczmarz", "HalfStep")]
)
def test_check_bits_passes_and_fails_for_a_mutant(site, package, method, mutant):
    right = site.python("-c", CHECK.format(package, method, "right"))
    assert right.returncode == 0, right.stderr
    wrong = site.python("-c", CHECK.format(package, method, f"claims.{mutant}"))
    assert wrong.returncode == 1 and "bits" in wrong.stderr and "FALSE" in wrong.stderr, wrong.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_its_own_tests(site, name):
    words = "-m pytest -q -p no:cacheprovider -p no:xdist".split()
    run = site.python(*words, str(site.folder / name / "tests"))
    assert run.returncode == 0, run.stdout + run.stderr
