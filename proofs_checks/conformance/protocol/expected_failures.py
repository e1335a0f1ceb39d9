"""Known failures of a port: one line each, ``id: reason``; a line that is not needed any more is an error."""

import pathlib
import re

from dualgap.proofs_checks.claims.strict_json import read_bytes

LINE = re.compile(r"(?P<id>[a-z0-9.-]+): *(?P<reason>\S.*)")


def read_known(path: str | pathlib.Path, ids: set[str]) -> dict[str, str]:
    """Case id to reason; empty lines and lines that begin with # are for people.

    Parameters
    ----------
    path : the list.
    ids : of the cases that there are.

    Raises
    ------
    ValueError
        The file cannot be read; a line has no reason, names no case, or names one twice.
    """
    try:
        lines = read_bytes(path).decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read the known failures {path}: {error}") from None
    known: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(
                f"{path}, line {number}: write 'case-id: reason', a failure has a reason (got {line.strip()!r})"
            )
        if match["id"] not in ids:
            raise ValueError(
                f"{path}, line {number}: there is no case {match['id']!r}; see dualgap vectors --explain ID"
            )
        if match["id"] in known:
            raise ValueError(f"{path}, line {number}: {match['id']} is listed twice")
        known[match["id"]] = match["reason"]
    return known
