"""What is installed is what is here: from a checkout, from a checkout without links, from the sdist, and as a path to
the checkout.
"""

import json
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from support import ROOT, python, succeeds

COLUMNS = ("reference", "fast", "proofs_checks", "extras")
OWN = ["__main__.py", "certify.py"]  # of src/dualgap
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"


def files_of(root: Path) -> set[str]:
    """Every file of the folders, as it must be installed, the pytest plugin, and what ``python -m dualgap`` runs."""
    found = [path for column in COLUMNS for path in (root / column).rglob("*") if path.is_file()]
    files = [path for path in found if not path.name.startswith(".") and path.parent.name != "__pycache__"]
    own = {"_dualgap_pytestplugin.py", *(f"dualgap/{name}" for name in OWN)}
    return own | {f"dualgap/{path.relative_to(root).as_posix()}" for path in files}


def copied(folder: Path, links: bool = True) -> Path:
    """A copy of what a checkout holds; without links their texts stand in their places, as git writes them there."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.nbi", "*.nbc")
    for column in COLUMNS:
        shutil.copytree(ROOT / column, folder / column, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    place = folder / "src" / "dualgap"
    place.mkdir(parents=True)
    for name in OWN:
        shutil.copy(ROOT / "src" / "dualgap" / name, place)
    shutil.copy(ROOT / "src" / "_dualgap_pytestplugin.py", place.parent)
    for column in COLUMNS:
        if links:
            (place / column).symlink_to(Path("..", "..", column))
        else:
            (place / column).write_text(f"../../{column}")
    return folder


def built(root: Path, what: str) -> Path:
    """The wheel or the sdist that setuptools builds there."""
    return root / "out" / succeeds("-c", BUILD, what, "out", cwd=root).split()[-1]


def installed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.mark.parametrize(
    "links", [True, pytest.param(False, marks=pytest.mark.nightly)], ids=["with links", "without links"]
)
def test_a_wheel_from_a_checkout_holds_every_file_and_none_of_an_earlier_build(tmp_path: Path, links: bool) -> None:
    root = copied(tmp_path / "checkout", links)
    earlier = root / "build" / "lib" / "dualgap" / "reference"
    earlier.mkdir(parents=True)
    (earlier / "deleted_since.py").write_text("")
    assert installed(built(root, "build_wheel")) == files_of(ROOT)


@pytest.mark.nightly
def test_a_wheel_from_the_sdist_holds_every_file(tmp_path: Path) -> None:
    sdist = built(copied(tmp_path / "checkout"), "build_sdist")
    with tarfile.open(sdist) as archive:
        linked = [name for name in archive.getnames() if "/src/dualgap/" in name]
        assert sorted(name.rpartition("/")[2] for name in linked) == OWN, "the links come as copies"
        archive.extractall(tmp_path, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(tmp_path)
    assert installed(built(tmp_path / sdist.name.removesuffix(".tar.gz"), "build_wheel")) == files_of(ROOT)


def test_an_editable_install_is_a_path_that_editors_follow(tmp_path: Path) -> None:
    root = copied(tmp_path / "checkout")
    with zipfile.ZipFile(built(root, "build_editable")) as archive:
        (path,) = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert path.endswith(".pth") and Path(archive.read(path).decode().strip()).resolve() == (root / "src").resolve()
    succeeds("setup.py", "-q", "egg_info", cwd=root)
    assert (root / "dualgap.egg-info").exists()
    assert not list((root / "src").glob("*.egg-info")), "pytest would read a list of files on that path"


def test_an_editable_install_without_links_falls_back_to_an_import_hook(tmp_path: Path) -> None:
    with zipfile.ZipFile(built(copied(tmp_path / "checkout", links=False), "build_editable")) as archive:
        (finder,) = [name for name in archive.namelist() if name.endswith("_finder.py")]
        assert all(f"'dualgap.{column}'" in archive.read(finder).decode() for column in COLUMNS)


UNRELATED = """
import fast, proofs_checks, reference

def test_one():
    assert {type(one.__loader__).__name__ for one in (fast, proofs_checks, reference)} == {"SourceFileLoader"}, "rewritten for the plugin"
"""  # noqa: E501
RUNS = ([], ["-W", "error", "-p", "no:dualgap", "--strict-config", "--strict-markers"])


def run_of_another_project(site: Path, project: Path, words: list[str]) -> tuple[int, str]:
    """Exit status and output of pytest in a project that has packages of our folders' names and does not use
    dualgap.
    """
    for column in COLUMNS:
        (project / column).mkdir(parents=True, exist_ok=True)
        (project / column / "__init__.py").touch()
    (project / "test_unrelated.py").write_text(UNRELATED)
    run = python(*"-m pytest -q -p no:cacheprovider".split(), *words, cwd=project, path=site)
    return run.returncode, run.stdout + run.stderr


@pytest.mark.nightly
def test_pytest_in_other_projects_does_not_notice_that_dualgap_is_installed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(built(copied(tmp_path / "checkout"), "build_wheel")) as archive:
        archive.extractall(site)
    for words in RUNS:
        status, said = run_of_another_project(site, tmp_path / "project", words)
        quiet = "warning" not in said.lower() and "dualgap" not in said
        assert status == 0 and "1 passed" in said and quiet, (words, said)


@pytest.mark.nightly
def test_packages_of_others_beside_a_wheel_pass_their_tests_and_their_audit(tmp_path: Path) -> None:
    """As ``dualgap new`` writes them, installed where nothing of the checkout is seen but its dependencies."""
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()

    def ran(*words: str) -> str:
        return succeeds(*words, cwd=work, path=site)

    def dualgap(words: str) -> str:
        return ran("-m", "dualgap", *words.split())

    def install(root: Path) -> None:
        with zipfile.ZipFile(built(root, "build_wheel")) as archive:
            archive.extractall(site)

    install(copied(tmp_path / "checkout"))
    found = ran("-c", "import dualgap.proofs_checks as p; print(p.__file__)")
    assert Path(found.strip()).is_relative_to(site)
    names = {"half-paper": "paper", "half-method": "method", "half-loss": "loss"}
    for name, kind in names.items():
        dualgap(f"new {kind} {name}")
        install(work / name)
    ran(*"-m pytest -q -p no:cacheprovider --import-mode=importlib".split(), *names)
    report = json.loads(dualgap(f"audit {' '.join(names)} --quick --entropy 5 --json"))
    assert report["verdict"] == "pass" and len(report["claims"]) == 6 and not report["mutants_without_killer"]
    replayed = dualgap("replay dualgap-report/counterexample-half-paper.remark-1.json")
    assert "The refutation reproduces" in replayed and "4 items, 0 without" in dualgap("claims --coverage half-paper")
    solved = dualgap("solve diabetes --method half-method --loss half-loss --lam 1 --tol 1e-3 --json")
    assert json.loads(solved)["status"] == "converged"
