"""The command ``cache``: what dualgap keeps in the user's cache folder, and how to be rid of it."""

import argparse
import contextlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, print_table, printable

HASH = "[0-9a-f]{32}"
KERNELS = re.compile(rf"kernels/{HASH}/[^/]+/[^/]+\.nb[ic](\.tmp\.[^/]+)?")
CLAIMS = re.compile(rf"claims/{HASH}(\.\d+)?\.(json|part)|seconds-of-claims\.json(\.part)?")
FOLDERS = re.compile(rf"kernels(/{HASH}(/[^/]+)?)?|claims")


class Kept(NamedTuple):
    """One kind of file that is kept: the words for it, the folder that we make, and how the files in it are named."""

    what: str
    folder: Path
    names: "re.Pattern[str]"

    def files(self) -> Iterator[tuple[Path, int]]:
        """Our files with their sizes: regular ones with our names in our folders. No link is followed."""
        if self.folder.is_symlink():
            return
        for folder, _, names in os.walk(self.folder):
            for name in sorted(names):
                path = Path(folder, name)
                if self.names.fullmatch(path.relative_to(self.folder).as_posix()):
                    with contextlib.suppress(OSError):  # another process may be deleting it
                        status = path.lstat()
                        if stat.S_ISREG(status.st_mode):
                            yield path, status.st_size

    def remove_empty_folders(self) -> None:
        """Remove the folders that dualgap makes, innermost first, if they are empty."""
        for folder, _, _ in os.walk(self.folder, topdown=False):
            path = Path(folder)
            if path == self.folder or FOLDERS.fullmatch(path.relative_to(self.folder).as_posix()):
                if not path.is_symlink() and not any(path.iterdir()):
                    path.rmdir()


def cache(given: argparse.Namespace) -> int:
    """Exit 1 when a file could not be deleted."""
    with input_errors():
        kept = _kept()
    rows: list[Json] = []
    failed = ""
    for kind in kept:
        files = list(kind.files())
        rows.append(
            {
                "what": kind.what,
                "folder": str(kind.folder),
                "files": len(files),
                "bytes": sum(size for _, size in files),
            }
        )
        if given.clear:
            failed = _clear(kind, [path for path, _ in files]) or failed
    if given.json:
        print_json({"kept": rows, "cleared": given.clear and not failed})
    else:
        shown = [(row["what"], row["folder"], str(row["files"]), f"{row['bytes'] / 2**20:.1f} MiB") for row in rows]
        print_table(("what", "folder", "files", "size"), shown)
        say("\n{}", failed or ("deleted" if given.clear else "dualgap cache --clear deletes these files"))
    return FAILED if failed else 0


def _clear(kind: Kept, files: list[Path]) -> str:
    """Delete the files and the folders that are empty then; what went wrong last, or ""."""
    failed = ""
    for path in files:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            failed = f"{printable(str(path))} cannot be deleted ({error.strerror})"
    try:
        kind.remove_empty_folders()
    except OSError as error:  # a process that writes there at this moment
        failed = failed or f"{printable(str(error.filename))} cannot be deleted ({error.strerror})"
    return failed


def _kept() -> list[Kept]:
    from dualgap.fast.compiler.kernel import cache_root

    try:
        cache = os.environ.get("XDG_CACHE_HOME", "")
        claims = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
        kernels = cache_root().absolute()
    except RuntimeError:
        raise Refused(
            "there is no cache folder, because the user has no home folder; set XDG_CACHE_HOME, or NUMBA_CACHE_DIR for"
            " the kernels"
        ) from None
    return [
        Kept("compiled kernels", kernels / "dualgap", KERNELS),
        Kept("lists and times of claims, by earlier versions", claims / "dualgap", CLAIMS),
    ]
