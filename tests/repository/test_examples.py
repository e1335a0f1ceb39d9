"""The package in examples, built and installed with a wheel of dualgap instead of the checkout: audit, replay, and its
own tests.
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

EXAMPLE = ROOT / "examples" / "audit_a_paper"


class Site:
    """A folder with the wheels of dualgap and of the example, and Python that finds them there."""

    def __init__(self, folder):
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
        example = Path(shutil.copytree(EXAMPLE, folder / "example", ignore=ignored))
        for root in (install.copied(folder / "checkout"), example):
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


def audited_and_replayed(folder, dualgap):
    audit = dualgap("audit", "dual-free", "--quick", "--entropy", "1", "--out", "out")
    assert audit.returncode == 0 and "Verdict: pass" in audit.stdout, audit.stdout + audit.stderr
    file = folder / "out" / "counterexample-dual-free.twice-the-rate.json"
    replay = dualgap("replay", str(file))
    assert replay.returncode == 0 and "The refutation reproduces" in replay.stdout, replay.stdout + replay.stderr
    told = file.read_text(encoding="utf-8").replace("dual-free.twice-the-rate", "dual-free.theorem-1")
    file.write_text(told)
    assert dualgap("replay", str(file)).returncode == 1, "the control: of a claim that holds nothing is refuted"


@pytest.mark.nightly
def test_the_example_is_audited_and_its_counterexample_replayed(site):
    audited_and_replayed(site.folder / "work", site.dualgap)


def test_the_sources_of_the_example_are_audited_and_its_counterexample_replayed(tmp_path):
    """Without a wheel: a package that is on the path and is named by --import."""

    def run(*words):
        return dualgap(*words, "--import", "dual_free", cwd=tmp_path, path=EXAMPLE / "src")

    audited_and_replayed(tmp_path, run)


@pytest.mark.nightly
def test_the_example_passes_its_own_tests(site):
    run = site.python(*"-m pytest -q -p no:cacheprovider -p no:xdist".split(), str(site.folder / "example" / "tests"))
    assert run.returncode == 0, run.stdout + run.stderr
