"""The compiler's promises: strict arithmetic, a cache that is never stale.

Staleness shows only between processes, so these tests copy the package, run fresh interpreters on the copy and edit
it in between. In every one of them a kernel with numba's own `cache=True` also runs. It does go stale: this is why our
decorator exists, and it shows that the edit would have been missed.
"""

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dualgap.fast.compiler import kernel as compiler
from dualgap.reference.problem.registry import EXTRAS

HELPER_FILE = """
from dualgap.fast.compiler.kernel import kernel

@kernel
def called(x):
    return 2.0 * x

@kernel(inline=True)
def pasted(x):
    return 20.0 * x
"""

KERNEL_FILE = """
import numba
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.helper_file import called, pasted

@kernel
def ours(x):
    return called(x) + pasted(x)

@numba.njit(cache=True)
def bare(x):
    return called(x) + pasted(x)
"""

REPORT = """
import json, numba
from dualgap.fast.compiler import kernel as compiler
before = numba.config.CACHE_DIR
from dualgap.fast.kernel_file import bare, ours
count = lambda kernel, name: sum(getattr(kernel.stats, name).values())
print(json.dumps({
    "file": compiler.__file__,
    "ours": ours(1.0), "found": count(ours, "cache_hits"), "place": ours.stats.cache_path,
    "bare": bare(1.0), "bare_found": count(bare, "cache_hits"),
    "caching": compiler.environment()["caching"], "restored": numba.config.CACHE_DIR == before,
}))
"""


class CopiedPackage:
    """A copy of `reference` and `fast` with two small additional modules, imported only by fresh interpreters."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root, self.cache, self.fast = root, cache, root / "dualgap" / "fast"
        for name in ("reference", "fast"):
            source = Path(str(importlib.import_module(f"dualgap.{name}").__file__)).parent
            shutil.copytree(source, root / "dualgap" / name, ignore=shutil.ignore_patterns("__pycache__"))
        (self.fast / "helper_file.py").write_text(HELPER_FILE)
        (self.fast / "kernel_file.py").write_text(KERNEL_FILE)

    def edit_helper(self, old: str, new: str) -> None:
        """Change one of the helpers, in a file that is not the kernel's."""
        path = self.fast / "helper_file.py"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new))

    def run(self, program: str, **variables: str) -> str:
        """Run a program on the copy: -S keeps an installed dualgap out, -B keeps stale bytecode out."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment["PYTHONPATH"] = os.pathsep.join([str(self.root), *filter(os.path.isdir, sys.path)])
        environment["NUMBA_CACHE_DIR"] = str(self.cache)
        command = [sys.executable, "-S", "-B", "-c", program]
        # In its own root: -c puts the current folder in front of every other place.
        done = subprocess.run(
            command, cwd=self.root, env=environment | variables, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def report(self) -> dict[str, object]:
        answer: dict[str, object] = json.loads(self.run(REPORT))
        assert Path(str(answer["file"])).is_relative_to(self.root), "an installed dualgap hid the copy"
        assert answer["restored"], "numba.config.CACHE_DIR was left changed"
        return answer


@pytest.fixture
def package(tmp_path: Path) -> CopiedPackage:
    return CopiedPackage(tmp_path / "tree", tmp_path / "cache")


# ---------------------------------------------------------------- never stale


def test_an_edit_in_another_file_is_compiled_anew_and_then_found_where_bare_numba_goes_stale(package):
    first = package.report()
    assert (first["ours"], first["found"], first["bare"], first["caching"]) == (22.0, 0, 22.0, True)
    assert Path(first["place"]).is_relative_to(package.cache / "dualgap" / "kernels")

    package.edit_helper("return 2.0 * x", "return 3.0 * x")
    second = package.report()
    assert (second["ours"], second["found"]) == (23.0, 0)
    assert (second["bare"], second["bare_found"]) == (22.0, 1), "the control no longer goes stale"

    third = package.report()
    assert (third["ours"], third["found"]) == (23.0, 1)

    package.edit_helper("return 20.0 * x", "return 30.0 * x")  # the helper that numba itself pastes in
    fourth = package.report()
    assert (fourth["ours"], fourth["found"], fourth["bare"]) == (33.0, 0, 22.0)


def test_sources_edited_after_the_start_switch_caching_off_for_the_rest_of_the_process(package):
    program = """
import importlib
from dualgap.fast.compiler import kernel as compiler
from dualgap.fast import helper_file
early = compiler.environment()["caching"]
with open(compiler.PACKAGE / "kernel_file.py", "a") as file:
    file.write("# edited")
from dualgap.fast.kernel_file import ours
print(early, compiler.environment()["caching"], ours(1.0), ours.stats.cache_path)
for kernel in helper_file.called, importlib.reload(helper_file).called:
    print(kernel.stats.cache_path is not None)
"""
    assert package.run(program).split() == ["True", "False", "22.0", "None", "True", "False"]


def test_the_hash_sees_every_name_every_byte_and_every_setting_and_nothing_else(tmp_path, monkeypatch):
    def digest(**files: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text)
        (folder / "notes.txt").write_text(folder.name)
        return compiler._digest({folder: ""})

    original = digest(a="x = 1", b="y")
    assert compiler.FOLDER_NAME.fullmatch(original)
    assert digest(a="x = 1", b="y") == original, "the same sources elsewhere are the same code"
    changed = [digest(a="x = 2", b="y"), digest(a="x = 1y", b=""), digest(a="x = 1", c="y"), digest(a="x = 1")]
    changed.append(digest(a="x = 1b.pyy"))  # one file that spells the two, one after the other
    monkeypatch.setattr(compiler.numba.config, "BOUNDSCHECK", 1)
    changed.append(digest(a="x = 1", b="y"))
    assert original not in changed and len(set(changed)) == len(changed)


def test_functions_from_outside_the_package_are_compiled_but_not_cached():
    @compiler.kernel
    def outside(x):
        return x + 1.0

    assert outside(1.0) == 2.0 and outside.stats.cache_path is None

    # A mutant that borrows the file name of the original, but not its module, is from outside too.
    names = {"__name__": compiler.__name__}
    exec(compile("def _evaluate(x):\n    return x + 2.0", str(compiler.__file__), "exec"), names)
    assert compiler._belongs_to_package(compiler._prepare) and not compiler._belongs_to_package(names["_evaluate"])


def test_a_module_under_another_name_leaves_nothing_in_the_cache(monkeypatch):
    """Its types, pickled under that name, would keep every later process from reading the cache of the same file."""
    place = importlib.util.spec_from_file_location("elsewhere", compiler.PACKAGE / "problem" / "rows.py")
    module = importlib.util.module_from_spec(place)
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    place.loader.exec_module(module)
    assert module.soft(2.0, 0.5) == 1.5 and module.soft.stats.cache_path is None
    assert (importlib.import_module("dualgap.fast.problem.rows").soft.stats.cache_path is None) == (
        not compiler.environment()["caching"]
    )


def names_from_elsewhere(source: str) -> set[str]:
    """Return the names imported from dualgap, but not from dualgap.fast or a compiled file of extras, that decorated
    functions use.
    """
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import)]
    elsewhere = set()
    for node in imports:
        for alias in node.names:
            origin = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            covered = origin.startswith("dualgap.fast.") or (origin.startswith(f"{EXTRAS}.") and ".compiled" in origin)
            if origin.startswith("dualgap.") and not covered:
                elsewhere.add(alias.asname or alias.name.split(".")[0])
    used = {name.id for node in kernels_in(tree) for name in ast.walk(node) if isinstance(name, ast.Name)}
    return elsewhere & used


def kernels_in(tree: ast.Module) -> list[ast.FunctionDef]:
    """Return the functions that are decorated with `kernel`."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(d).partition("(")[0] == "kernel" for d in node.decorator_list)
    ]


def test_kernels_use_no_names_whose_sources_the_hash_does_not_cover():
    files = [path for package, prefix in compiler.COVERED.items() for path in compiler._sources(package, prefix)]
    assert {path.name for path in files} >= {"sdca.py", "compiled.py"}
    for path in files:
        assert not names_from_elsewhere(path.read_text(encoding="utf-8")), path
    control = "from dualgap.reference.problem.losses import GAMMA\n@kernel\ndef f(x):\n    return GAMMA * x"
    assert names_from_elsewhere(control) == {"GAMMA"}


def test_every_kernel_of_the_packages_is_in_a_file_that_the_hash_covers():
    """A kernel in another file is compiled again by every process."""
    covered = {path for package, prefix in compiler.COVERED.items() for path in compiler._sources(package, prefix)}
    found = {
        path
        for package in compiler.COVERED
        for path in package.rglob("*.py")
        if "@kernel" in (text := path.read_text(encoding="utf-8")) and kernels_in(ast.parse(text))
    }
    assert found - covered == set() and {path.name for path in found} >= {"sdca.py", "compiled_hessian.py"}


# ---------------------------------------------------------------- the folder


def test_pruning_keeps_the_most_recently_used_folders_and_everything_that_is_not_ours(tmp_path):
    folders = [tmp_path / f"{k:032x}" for k in range(5)]
    for age, folder in enumerate(folders):
        (folder / "inner").mkdir(parents=True)
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    foreign = [tmp_path / ("a" * 31), tmp_path / "notes", tmp_path / ("f" * 32 + ".bak")]
    for path in foreign:
        path.mkdir()
    file = tmp_path / ("e" * 32)  # hash-shaped, but a file
    file.write_text("")
    compiler._prune(tmp_path, kept=3)
    assert sorted(tmp_path.iterdir()) == sorted([*folders[:3], *foreign, file])


@pytest.mark.parametrize(
    ("platform", "variable"), [("linux", "XDG_CACHE_HOME"), ("darwin", None), ("win32", "LOCALAPPDATA")]
)
def test_the_root_is_numbas_own_setting_or_else_the_users_cache_folder(platform, variable, tmp_path, monkeypatch):
    home = {"linux": ".cache", "darwin": "Library/Caches", "win32": "AppData/Local"}[platform]
    monkeypatch.setattr(compiler.numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(compiler.sys, "platform", platform)
    monkeypatch.setattr(compiler.Path, "home", lambda: tmp_path)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert compiler.cache_root() == tmp_path / home
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "chosen"))
        assert compiler.cache_root() == tmp_path / "chosen"
    if variable == "XDG_CACHE_HOME":
        monkeypatch.setenv(variable, "relative")
        assert compiler.cache_root() == tmp_path / home
    monkeypatch.setattr(compiler.numba.config, "CACHE_DIR", str(tmp_path / "numba"))
    assert compiler.cache_root() == tmp_path / "numba"


# ---------------------------------------------------------------- arithmetic


def test_kernels_round_every_operation_and_raise_where_python_raises():
    def expression(x, y, z, divisor):
        return (x * y - z) / divisor

    compiled = compiler.kernel(expression)
    x = 1.0 + 2.0**-30
    # x*x = 1 + 2^-29 + 2^-60 rounds to 1 + 2^-29, so the difference is 0; fused, it would be 2^-60.
    assert compiled(x, x, 1.0 + 2.0**-29, 1.0) == expression(x, x, 1.0 + 2.0**-29, 1.0) == 0.0
    with pytest.raises(ZeroDivisionError):
        compiled(1.0, 1.0, 0.0, 0.0)


# ---------------------------------------------------------------- the report
