"""Both checkers of certificate files, and altered files. The proved one runs where DUALGAP_CHECKER names it."""

import os
import subprocess
from pathlib import Path

from dualgap.proofs_checks.certificate_file import check

PROVED = path if os.path.exists(path := os.environ.get("DUALGAP_CHECKER", "")) else ""


def proved(folder: Path, certificate: str, data: str, checker: str | Path = "") -> int:
    """The exit status of the proved checker, or of another program in its place."""
    (folder / "certificate").write_bytes(certificate.encode("latin-1"))
    (folder / "data").write_bytes(data.encode("latin-1"))
    command = [checker or PROVED, folder / "certificate", folder / "data"]
    return subprocess.run(command, capture_output=True).returncode


def in_python(certificate: str, data: str) -> int:
    """The exit status of the checker in Python, as its ``main`` decides it."""
    try:
        texts = [text.encode("latin-1").decode("ascii") for text in (certificate, data)]
        return 1 if check.judge(*texts) else 0
    except (check.Unreadable, UnicodeDecodeError):
        return 2


def judged(folder: Path, certificate: str, data: str) -> int:
    """The exit status of both checkers, which must be the same."""
    found = in_python(certificate, data)
    if PROVED:
        assert proved(folder, certificate, data) == found
    return found


def with_line(text: str, name: str, words: str) -> str:
    return "\n".join(f"{name} {words}" if line.split(" ")[0] == name else line for line in text.splitlines()) + "\n"
