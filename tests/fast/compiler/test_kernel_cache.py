"""The cache of machine code: whatever is done to its files or its folder, a process runs and gives the same numbers."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from support import by_day, python, refuses

from dualgap.fast.compiler import kernel_cache
from dualgap.fast.compiler.kernel_cache import NotPrivate, require_private

# A kernel's result, how often it was found in the cache, and whether there is one.
PROGRAM = """
import numpy as np
from dualgap.extras.baselines.compiled_gradients import dot
from dualgap.fast.compiler.kernel import cache_folder
print(dot(np.arange(5.0), np.ones(5)), sum(dot.stats.cache_hits.values()), cache_folder() is not None)
"""


OURS = re.compile(r"dualgap[\\/](fast|reference|proofs_checks)|Traceback")  # in what other libraries say neither stands


STRICT = 'import warnings; warnings.filterwarnings("error", module="dualgap")\n'


def run(root, before=""):
    """(result, found in the cache, whether there is one) of a fresh process, and its standard error."""
    done = python("-c", before + PROGRAM, env={**os.environ, "NUMBA_CACHE_DIR": str(root)})
    assert done.returncode == 0, done.stderr
    return tuple(done.stdout.split()), done.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache with one kernel in it."""
    root = tmp_path_factory.mktemp("cache")
    assert run(root)[0] == ("10.0", "0", "True") and run(root)[0] == ("10.0", "1", "True")
    return root


def files(root, kind):
    return sorted(Path(root).rglob(f"*.{kind}"))


def flipped(content, place):
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


DAMAGES = {
    "emptied": lambda content: b"",
    "cut in half": lambda content: content[: len(content) // 2],
    "without its hash": lambda content: content[:-32],
    "noise": lambda content: np.random.default_rng(0).bytes(len(content)),
    "a bit of the pickle": lambda content: flipped(content, 20),
    "a bit of the code": lambda content: flipped(content, len(content) // 2),
    "a bit of the hash": lambda content: flipped(content, -1),
}


@pytest.mark.parametrize("damage", by_day(DAMAGES, "a bit of the code"))
def test_a_kernel_whose_index_or_code_is_damaged_is_compiled_anew_and_written_again(damage, cache):
    for kind in ("nbi", "nbc"):
        for path in files(cache, kind):
            path.write_bytes(DAMAGES[damage](path.read_bytes()))
        (result, found, _), err = run(cache, STRICT)
        assert (result, found) == ("10.0", "0") and not OURS.search(err), (kind, err)
        assert all(map(kernel_cache.is_whole, map(str, files(cache, kind)))) and files(cache, kind), kind


def test_what_was_written_again_is_found(cache):
    assert run(cache)[0] == ("10.0", "1", "True")


def test_the_code_of_another_kernel_under_its_name_is_not_run(tmp_path):
    path = tmp_path / "one.nbc"
    path.write_bytes(b"code" + kernel_cache.seal(str(path), b"code"))
    assert kernel_cache.is_whole(str(path)), "the control"
    path.rename(tmp_path / "other.nbc")
    assert not kernel_cache.is_whole(str(tmp_path / "other.nbc")) and list(tmp_path.iterdir()) == []


def test_a_full_disk_costs_the_cache_and_nothing_else(tmp_path):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)); "
    filler = (
        "from dualgap.fast.compiler import kernel_cache; kernel_cache.seal = lambda path, content: bytes(10**6); "
        + limit
        + PROGRAM
    )
    done = python("-c", filler, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["10.0", "0"]) and not OURS.search(done.stderr), (
        done.stderr
    )
    assert [path for path in Path(tmp_path).rglob("*") if path.is_file()] == [], "half a file was left"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners")
def test_a_folder_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "ours").mkdir(mode=0o700)
    require_private(tmp_path / "ours")
    for mode in (0o770, 0o702, 0o777):
        (tmp_path / "ours").chmod(mode)
        refuses(NotPrivate, "others can write to it", require_private, tmp_path / "ours")
    (tmp_path / "ours").chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: (tmp_path / "ours").stat().st_uid + 1)
    refuses(NotPrivate, "belongs to another user", lambda: require_private(tmp_path / "ours"))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no owners")
def test_a_process_says_that_it_has_no_cache_and_runs(cache):
    (folder,) = (path for path in (cache / "dualgap" / "kernels").iterdir())
    assert folder.stat().st_mode & 0o077 == 0, "made for us alone"
    folder.chmod(0o777)
    try:
        (result, found, used), err = run(cache)
    finally:
        folder.chmod(0o700)
    assert (result, found, used) == ("10.0", "0", "False") and "others can write to it; set NUMBA_CACHE_DIR" in err
    assert run(cache)[0] == ("10.0", "1", "True")
