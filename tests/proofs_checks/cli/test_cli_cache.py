"""``dualgap cache``: it shows what is kept, deletes it, and touches nothing that is not ours."""

import json
import os
import sys
from pathlib import Path

import pytest
from support import printed, python

from dualgap.fast.compiler.kernel_cache import CONFIG
from dualgap.proofs_checks.cli.main import main

HASH, SUB = "0123456789abcdef" * 2, "methods_4fc95372"
OURS = [
    f"dualgap/kernels/{HASH}/{SUB}/sdca.steps-12.py311.nbi",
    f"dualgap/kernels/{HASH}/{SUB}/sdca.steps-12.py311.aa.nbc",
    f"dualgap/kernels/{HASH}/{SUB}/sdca.steps-12.py311.nbi.tmp.11aa",
    f"dualgap/claims/{HASH}.json",
    f"dualgap/claims/{HASH}.77.part",
    "dualgap/seconds-of-claims.json",
]
NOT_OURS = [
    "dualgap/kernels/notes.txt",
    f"dualgap/kernels/{HASH}/kept.nbi",
    f"dualgap/kernels/{HASH}/{SUB}/model.npy",
    f"dualgap/kernels/{HASH[1:]}/{SUB}/a.nbi",
    "dualgap/claims/mine.json",
    "dualgap/estimators/celer/bin/python",
    f"other/kernels/{HASH}/{SUB}/a.nbi",
    "a.nbi",
]


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


def write(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(bytes(1000))


@pytest.fixture
def cache(monkeypatch, capsys):
    """``dualgap cache`` on another folder: what it prints."""

    def run(folder, *words):
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        monkeypatch.setattr(CONFIG, "CACHE_DIR", "")
        return printed(capsys, "cache", *words)

    return run


linux = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the kernels lie in another folder than XDG_CACHE_HOME"
)


@linux
def test_it_shows_and_deletes_our_files_alone(tmp_path, cache):
    write(tmp_path, [*OURS, *NOT_OURS])
    shown = json.loads(cache(tmp_path, "--json"))
    assert [(row["files"], row["bytes"]) for row in shown["kept"]] == [(3, 3000), (3, 3000)] and not shown["cleared"]
    assert files(tmp_path) == {*OURS, *NOT_OURS}
    done = cache(tmp_path, "--clear")
    assert "deleted" in done
    assert files(tmp_path) == {*NOT_OURS}


@linux
def test_folders_that_are_empty_go_too_and_nothing_kept_is_no_error(tmp_path, cache):
    write(tmp_path, OURS)
    for _ in range(2):
        cache(tmp_path, "--clear")
        assert not any(tmp_path.iterdir())


@linux
@pytest.mark.parametrize(
    "link", ["dualgap", "dualgap/kernels", f"dualgap/kernels/{HASH}", f"dualgap/kernels/{HASH}/{SUB}", OURS[0]]
)
def test_no_link_is_followed(link, tmp_path, cache):
    """Whatever is a link, what it leads to stays, though all the names are ours."""
    elsewhere, root = tmp_path / "elsewhere", tmp_path / "cache"
    write(elsewhere, OURS)
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(elsewhere / link, target_is_directory=link != OURS[0])
    cache(root, "--clear")
    assert files(elsewhere) == {*OURS} and (root / link).is_symlink()


def test_what_cannot_be_deleted_is_said(tmp_path, monkeypatch, capsys):
    def unlink(self, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    write(tmp_path, OURS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(Path, "unlink", unlink)
    assert main(["cache", "--clear"]) == 1 and "cannot be deleted (Permission denied)" in capsys.readouterr().out
    assert files(tmp_path) == {*OURS}


@linux
def test_what_is_compiled_is_found_and_deleted(tmp_path, cache):
    code = "from numpy import ones; from dualgap.extras.baselines.compiled_gradients import dot; dot(ones(2), ones(2))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    run = python("-c", code, env=environment)
    assert run.returncode == 0, run.stderr
    left = [name for name in files(tmp_path) if not name.startswith("matplotlib")]
    assert {Path(name).suffix for name in left} == {".nbi", ".nbc"}
    assert sum(row["files"] for row in json.loads(cache(tmp_path, "--json"))["kept"]) == len(left)
    cache(tmp_path, "--clear")
    assert not (tmp_path / "dualgap").exists()
