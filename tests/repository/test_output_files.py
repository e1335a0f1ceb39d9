"""One file opens output files, ``fast/data/atomic_file.py``: nothing else does, except for the places named here."""

import re

from support import ROOT

WRITES = re.compile(
    r"""\.write_(?:text|bytes)\(
    |\.(?:savefig\((?!buffer\b)|(?:tofile|to_csv|symlink_to|rename|touch|open_memmap|memmap)\()
    |\bopen\([^)\n]*["'][wax][bt+]*["']
    |\bos\.(?:open|replace|link|mkfifo)\(|\bnp\.save\w*\((?!file\b)|\b(?:json|pickle)\.dump\(|\bshutil\.(?:copy|move)\w*\(
    |\btempfile\.[a-zA-Z]+\(|\.open\(["'][wax]""",
    re.VERBOSE,
)
PRIVATE = "in a private temporary folder"
ALLOWED = {
    "fast/compiler/kernel.py": "a trial of the kernels' folder; it has no name",
    "fast/data/bounded_file.py": "opens for reading",
    "fast/data/formats.py": "names a command that the user may run",
    "fast/data/temporary.py": "makes private temporary folders",
    "fast/data/mapped_file.py": "maps for reading",
    "proofs_checks/auditing/replay_file.py": f"a refutation that is replayed, {PRIVATE}",
    "proofs_checks/claims/parallel.py": f"results of processes, {PRIVATE}",
    "proofs_checks/report/screen.py": "the null device, for a standard output that has gone",
    "proofs_checks/engines/bridge.py": f"Coq's input, {PRIVATE}",
    "proofs_checks/evidence/formal.py": PRIVATE,
    "proofs_checks/self_audit/worlds.py": f"a folder with a planted bug, {PRIVATE}",
}


def test_no_other_file_opens_an_output_file():
    paths = [p for package in ("reference", "fast", "proofs_checks", "extras") for p in (ROOT / package).rglob("*.py")]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    lines = {
        name: [line.strip() for line in text.splitlines() if WRITES.search(line) and ">>> " not in line]
        for name, text in texts.items()
    }
    assert lines.pop("fast/data/atomic_file.py")
    assert {name: found for name, found in lines.items() if found and name not in ALLOWED} == {}
    assert [name for name in ALLOWED if not lines[name]] == [], "a place that is named and writes nothing"
