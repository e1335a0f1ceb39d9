"""One file opens output files, ``fast/data/atomic_file.py``: nothing else in the packages does, except for the places
named here.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from support import ROOT

PACKAGES = ("reference", "fast", "proofs_checks", "extras")
HELPER = "fast/data/atomic_file.py"
METHODS = set(
    "write_text write_bytes savefig touch tofile symlink_to hardlink_to rename to_csv mkfifo open_memmap memmap".split()
)
NUMPY = {"save", "savez", "savez_compressed", "savetxt"}
OF_MODULES = {
    "np": NUMPY,
    "numpy": NUMPY,
    "json": {"dump"},
    "pickle": {"dump"},
    "os": {"open", "replace", "link", "symlink", "mkfifo"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move"},
    "tempfile": {"mkdtemp", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile"},
}
NO_FILES = {"self.open", "store.open"}  # methods of our own classes: partitions, pieces of an audit
GIVEN_FILE = {"np.save", "np.savez", "figure.savefig"}  # allowed where the first argument is an open file
PRIVATE = "in a private temporary folder"
ALLOWED = {  # file: (its calls, why)
    "fast/compiler/kernel.py": ("tempfile.TemporaryFile", "a trial of the kernels' folder; it has no name"),
    "fast/data/bounded_file.py": ("os.open", "opens for reading"),
    "fast/data/temporary.py": ("open, os.open, rename, tempfile.TemporaryDirectory", "makes private temporary folders"),
    "fast/data/tables.py": ("archive.open", "a member of an .npz file, for reading"),
    "fast/data/mapped_file.py": ("np.memmap", "maps for reading"),
    "proofs_checks/auditing/counterexamples.py": ("path.write_text", f"a refutation that is replayed, {PRIVATE}"),
    "proofs_checks/claims/parallel.py": ("touch, part.write_bytes, part.replace", f"results of processes, {PRIVATE}"),
    "proofs_checks/report/screen.py": ("open, os.open", "the null device, for a standard output that has gone"),
    "proofs_checks/engines/bridge.py": ("path.write_text", f"Coq's input, {PRIVATE}"),
    "proofs_checks/evidence/formal.py": ("shutil.copy, part.write_bytes, part.replace, lock.open", PRIVATE),
    "proofs_checks/self_audit/engines.py": ("path.write_text", f"a damaged file for a reader, {PRIVATE}"),
    "proofs_checks/self_audit/judge.py": ("write_bytes", f"a copy of the vectors, {PRIVATE}"),
    "proofs_checks/self_audit/worlds.py": ("shutil.copytree, write_text", f"a folder with a planted bug, {PRIVATE}"),
}


CALLED = {"open", "fdopen", "replace", *METHODS, *(name for names in OF_MODULES.values() for name in names)}
ANY = re.compile("|".join(rf"\b{name}\(" for name in CALLED))


def written(source: str) -> Iterator[str]:
    """The calls in a source that open, create or rename a file."""
    for node in ast.walk(ast.parse(source)) if ANY.search(source) else ():
        if isinstance(node, ast.Call) and (name := called(node)) is not None:
            yield name


def called(node: ast.Call) -> str | None:
    """The name of a call that opens, creates or renames a file; None of any other."""
    match node.func:
        case ast.Name("open" | "fdopen" as name):
            return name if writes(node, 1) else None
        case ast.Attribute(home, name):
            module = home.id if isinstance(home, ast.Name) else ""
        case _:
            return None
    spelled = f"{module}.{name}".lstrip(".")
    first = node.args[0].id if node.args and isinstance(node.args[0], ast.Name) else ""
    if module == "atomic_file" or spelled in NO_FILES or spelled in GIVEN_FILE and first in ("file", "buffer"):
        return None
    if name in METHODS or name in OF_MODULES.get(module, ()):
        return spelled
    if name == "replace":  # that of a text takes two arguments
        return spelled if module in ("part", "path", "temporary") and len(node.args) == 1 else None
    place = 1 if module in ("io", "os", "gzip", "bz2", "lzma", "codecs", "tarfile") else 0
    return spelled if name in ("open", "fdopen") and writes(node, place) else None


def writes(node: ast.Call, place: int) -> bool:
    """Whether the mode of an ``open`` writes, or is unknown."""
    modes = [word.value for word in node.keywords if word.arg == "mode"] + node.args[place : place + 1]
    return any(
        not isinstance(mode, ast.Constant) or isinstance(mode.value, str) and set(mode.value) & set("wax+")
        for mode in modes
    )


def found() -> dict[str, list[str]]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    calls = {path.relative_to(ROOT).as_posix(): sorted(set(written(path.read_text("utf-8")))) for path in paths}
    return {name: found for name, found in calls.items() if found and name != HELPER}


def test_no_other_file_opens_an_output_file():
    assert found() == {name: sorted(calls.split(", ")) for name, (calls, reason) in ALLOWED.items() if reason}


WRITES = """\
open(name, "w")
open(name, mode="ab")
open(name, mode)
path.open("x")
gzip.open(name, "wb")
io.open(name, "r+")
path.write_text(t)
(folder / name).write_bytes(b)
np.save(name, x)
np.savez(f"{name}.npz", x)
json.dump(x, file)
os.open(name, flags)
shutil.copy(a, b)
tempfile.NamedTemporaryFile()
tempfile.TemporaryDirectory()
figure.savefig(name)
part.replace(path)
os.replace(a, b)
x.tofile(name)
"""
READS = """\
open(name, "rb")
open(name)
path.open(encoding="utf-8")
text.replace("a", "b")
write_text(path, t)
np.savez(file, x)
self.open(loss, regularizer)
"""


@pytest.mark.parametrize("line", WRITES.splitlines())
def test_the_control_a_planted_line_is_found(line):
    assert list(written(f"def f():\n    {line}\n"))


@pytest.mark.parametrize("line", READS.splitlines())
def test_what_reads_or_calls_the_helper_is_not_found(line):
    assert not list(written(line))
