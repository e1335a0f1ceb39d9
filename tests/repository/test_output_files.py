"""One file opens output files, ``fast/data/atomic_file.py``: nothing else in the packages does, but for the places
named here.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HELPER = "fast/data/atomic_file.py"
METHODS = {
    "write_text",
    "write_bytes",
    "savefig",
    "touch",
    "tofile",
    "symlink_to",
    "hardlink_to",
    "rename",
    "to_csv",
    "mkfifo",
    "open_memmap",
    "memmap",
}
OF_MODULES = {
    "np": {"save", "savez", "savez_compressed", "savetxt"},
    "numpy": {"save", "savez", "savez_compressed", "savetxt"},
    "json": {"dump"},
    "pickle": {"dump"},
    "os": {"open", "replace", "link", "symlink", "mkfifo"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
    "tempfile": {"mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile"},
}
NO_FILES = {"self.open", "store.open"}  # methods of our own classes: partitions, pieces of an audit
GIVEN_FILE = {"np.save", "np.savez", "figure.savefig"}  # allowed where the first argument is an open file
ALLOWED = {
    "fast/compiler/kernel.py": (
        "tempfile.TemporaryFile",
        "a trial of the kernels' folder, which is private; it has no name",
    ),
    "fast/data/bounded_file.py": ("os.open", "opens for reading"),
    "fast/data/temporary.py": (
        "open, os.open, rename, tempfile.TemporaryDirectory",
        "makes the private temporary folders and their locks",
    ),
    "fast/data/mapped_file.py": ("np.memmap", "maps for reading"),
    "proofs_checks/claims/parallel.py": (
        "touch, part.write_bytes, part.replace",
        "results between the processes of one run, in its private temporary folder",
    ),
    "proofs_checks/report/screen.py": (
        "open, os.open",
        "the null device, in the place of a standard output that has gone",
    ),
    "extras/released_solvers/drivers/debian_driver.py": (
        "open, tempfile.TemporaryDirectory",
        "runs in another environment, without dualgap; its private temporary folder",
    ),
    "extras/released_solvers/drivers/liblinear_driver.py": (
        "tempfile.TemporaryFile",
        "runs in another environment, without dualgap; it has no name",
    ),
    "extras/released_solvers/drivers/serve.py": (
        "os.fdopen",
        "runs in another environment, without dualgap; a copy of its standard output",
    ),
    "extras/released_solvers/drivers/vw_driver.py": (
        "open, tempfile.TemporaryDirectory",
        "runs in another environment, without dualgap; its private temporary folder",
    ),
    "proofs_checks/engines/bridge.py": ("path.write_text", "Coq's input, in a private temporary folder"),
    "proofs_checks/evidence/formal.py": (
        "shutil.copy, part.write_bytes, part.replace, lock.open",
        "Coq's input and the outcome, in private temporary folders",
    ),
    "proofs_checks/self_audit/engines.py": (
        "path.write_text",
        "a damaged file for a reader, in a private temporary folder",
    ),
    "proofs_checks/self_audit/inputs.py": (
        "path.write_bytes, path.write_text",
        "damaged files for readers, in a private temporary folder",
    ),
    "proofs_checks/self_audit/judge.py": ("write_bytes", "a copy of the vectors, in a private temporary folder"),
    "proofs_checks/self_audit/worlds.py": (
        "shutil.copytree, write_text",
        "a copy of the package with a mistake, in a private temporary folder",
    ),
}


def written(source: str) -> Iterator[str]:
    """The calls in a source that open, create or rename a file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := called(node)) is not None:
            yield name


def called(node: ast.Call) -> str | None:
    """The name of a call that opens, creates or renames a file; None of any other."""
    if isinstance(node.func, ast.Name):
        return node.func.id if node.func.id in ("open", "fdopen") and writes(node, 1) else None
    if not isinstance(node.func, ast.Attribute):
        return None
    home, name = node.func.value, node.func.attr
    module = home.id if isinstance(home, ast.Name) else ""
    spelled = f"{module}.{name}".lstrip(".")
    if (
        module == "atomic_file"
        or spelled in NO_FILES
        or spelled in GIVEN_FILE
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id in ("file", "buffer")
    ):
        return None
    if name in METHODS or name in OF_MODULES.get(module, ()):
        return spelled
    # of a Path; that of a text takes two
    if name == "replace" and module in ("part", "path", "temporary") and len(node.args) == 1:
        return spelled
    return (
        spelled
        if name in ("open", "fdopen")
        and writes(node, 1 if module in ("io", "os", "gzip", "bz2", "lzma", "codecs") else 0)
        else None
    )


def writes(node: ast.Call, place: int) -> bool:
    """Whether the mode of an ``open`` is one that writes, or cannot be told."""
    modes = [word.value for word in node.keywords if word.arg == "mode"] + node.args[place : place + 1]
    return any(
        not isinstance(mode, ast.Constant) or isinstance(mode.value, str) and set(mode.value) & set("wax+")
        for mode in modes
    )


def found() -> dict[str, list[str]]:
    files = [
        path
        for package in ("reference", "fast", "proofs_checks", "extras")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    named = {
        path.relative_to(ROOT).as_posix(): sorted(set(written(path.read_text(encoding="utf-8")))) for path in files
    }
    return {name: calls for name, calls in named.items() if calls and name != HELPER}


def test_no_other_file_opens_an_output_file():
    assert found() == {name: sorted(calls.split(", ")) for name, (calls, reason) in ALLOWED.items() if reason}


@pytest.mark.parametrize(
    "line",
    [
        'open(name, "w")',
        'open(name, mode="ab")',
        "open(name, mode)",
        'path.open("x")',
        'gzip.open(name, "wb")',
        'io.open(name, "r+")',
        "path.write_text(t)",
        "(folder / name).write_bytes(b)",
        "np.save(name, x)",
        'np.savez(f"{name}.npz", x)',
        "json.dump(x, file)",
        "os.open(name, flags)",
        "shutil.copy(a, b)",
        "tempfile.NamedTemporaryFile()",
        "tempfile.TemporaryDirectory()",
        "figure.savefig(name)",
        "part.replace(path)",
        "os.replace(a, b)",
        "x.tofile(name)",
    ],
)
def test_the_control_a_planted_line_is_found(line):
    assert list(written(f"def f():\n    {line}\n"))


@pytest.mark.parametrize(
    "line",
    [
        'open(name, "rb")',
        "open(name)",
        'path.open(encoding="utf-8")',
        'text.replace("a", "b")',
        "write_text(path, t)",
        "np.savez(file, x)",
        "self.open(loss, regularizer)",
    ],
)
def test_what_reads_or_calls_the_helper_is_not_found(line):
    assert not list(written(line))
