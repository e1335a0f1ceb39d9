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

EXAMPLES = {  # folder: paper, the claim that is refuted
    "audit_a_paper": ("dual-free", "dual-free.twice-the-rate"),
    "audit_a_primal_method": ("kaczmarz", "kaczmarz.uniform"),
}


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
@pytest.mark.parametrize(("paper", "refuted"), EXAMPLES.values())
def test_an_example_is_audited_and_its_counterexample_replayed(site, paper, refuted):
    audited_and_replayed(site.folder / "work", site.dualgap, paper, refuted)


def test_the_sources_of_an_example_are_audited_and_its_counterexample_replayed(tmp_path):
    """Without a wheel: a package that is on the path and is named by --import."""
    path = ROOT / "examples" / "audit_a_primal_method" / "src"

    def run(*words):
        return dualgap(*words, "--import", "kaczmarz", cwd=tmp_path, path=path)

    audited_and_replayed(tmp_path, run, "kaczmarz", "kaczmarz.uniform")


@pytest.mark.nightly
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_its_own_tests(site, name):
    words = "-m pytest -q -p no:cacheprovider -p no:xdist".split()
    run = site.python(*words, str(site.folder / name / "tests"))
    assert run.returncode == 0, run.stdout + run.stderr
