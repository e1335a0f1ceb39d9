"""Both checkers of certificate files, and altered files. The proved one runs where DUALGAP_CHECKER names it."""

import os
import subprocess
from fractions import Fraction
from pathlib import Path

from dualgap.proofs_checks.certificate_file import check

PROVED = path if os.path.exists(path := os.environ.get("DUALGAP_CHECKER", "")) else ""


def proved(folder: Path, certificate: str, data: str) -> int:
    (folder / "c").write_bytes(certificate.encode())
    (folder / "d").write_bytes(data.encode())
    return subprocess.run([PROVED, folder / "c", folder / "d"], capture_output=True).returncode


def in_python(certificate: str, data: str) -> int:
    try:
        return 1 if check.judge(certificate, data) else 0
    except check.Unreadable:
        return 2


def lowered(text: str, by: Fraction) -> str:
    """The file with a smaller bound."""
    head, _, bound = text.rstrip("\n").rpartition(" ")
    return f"{head} {Fraction(bound) - by}\n"


def with_line(text: str, name: str, words: str) -> str:
    return "\n".join(f"{name} {words}" if line.split(" ")[0] == name else line for line in text.splitlines()) + "\n"
