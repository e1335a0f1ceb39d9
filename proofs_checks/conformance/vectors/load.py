"""The vector files that are shipped: found, checked against the manifest, and read."""

import hashlib
import json
import pathlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib import resources

from dualgap.proofs_checks.claims.strict_json import Json, parse_json, read_bytes
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs.planting import Flag

HOME = pathlib.Path(str(resources.files("dualgap.proofs_checks"))) / "vectors" / "v1"
LEVELS = ("L0", "L1", "L2", "L3")
MANIFEST = "manifest.json"
REMEDY = "Restore it, or run dualgap vectors --regenerate"
TITLES = {"L0": "formulas", "L1": "one step", "L2": "trajectories", "L3": "theorems"}


@dataclass(frozen=True)
class Case:
    """One case of a file.

    ``due`` is the result, its numbers with readings. It is None where ``predicate`` is judged instead.
    """

    id: str
    level: str
    call: str
    tolerance_class: str
    flags: tuple[str, ...]
    given: Json
    due: Json | None
    predicate: str | None
    source: str

    @property
    def method(self) -> str:
        """The method, or for the calls of level L0 the loss, "regularizer", "pnorm" or "gap": the row of a report."""
        return str(self.given.get("method") or self.given.get("loss") or self.call.split(".")[0])

    @cached_property
    def request(self) -> Json:
        """``given`` as it goes through the pipe: bare numbers, and the problem itself rather than its name."""
        sent: Json = hex_floats.plain(self.given)
        return sent


@dataclass(frozen=True)
class Vectors:
    """All cases by id, in the order of the files, and all flags by name."""

    cases: dict[str, Case]
    flags: dict[str, Flag]


def load(folder: pathlib.Path = HOME) -> Vectors:
    """Every case of every file that the errata do not withdraw. Raises ValueError as ``contents`` does.

    Each call reads and hashes the files; a process parses files of the same bytes once.
    """
    _bytes_of_files(folder)
    return _loaded(folder, manifest(folder)["seal"])


@lru_cache(maxsize=2)
def _loaded(folder: pathlib.Path, seal: str) -> Vectors:
    """The cases under the manifest of this seal, which has the SHA-256 of every file."""
    found = contents(folder)
    withdrawn = {entry["id"] for entry in found["errata.json"]["withdrawn"]}
    cases: dict[str, Case] = {}
    flags: dict[str, Flag] = {}
    for content in vector_files(found).values():
        flags |= {name: Flag(f["bug"], f["class"], f["effect"]) for name, f in content["flags"].items()}
        cases |= {case.id: case for case in cases_of(content) if case.id not in withdrawn}
    return Vectors(cases, flags)


def cases_of(content: Json) -> Iterator[Case]:
    """The cases of one file. Each has its problem itself rather than the problem's name."""
    for item in content["cases"]:
        given = dict(item["given"])
        if "problem" in given:
            given["problem"] = content["problems"][given["problem"]]
        yield Case(
            item["id"],
            content["level"],
            item["call"],
            item["class"],
            tuple(item["flags"]),
            given,
            item.get("due"),
            item.get("predicate"),
            content["source"],
        )


def selected(cases: Iterable[Case], only: Iterable[str]) -> list[Case]:
    """Cases with one of these methods, levels or ids; all for none. Raises ValueError for a name that no case has."""
    cases, only = list(cases), list(only)
    for name in only:
        known = {name for case in cases for name in (case.id, case.method, case.level)}
        require_name(name, known, "--only", "method, level or case")
    return [case for case in cases if not only or not {case.id, case.method, case.level}.isdisjoint(only)]


def require_name(name: str, known: Iterable[str], option: str, what: str) -> None:
    """Raise ValueError, with the names that are most like it, where a name is not there."""
    if name not in (names := list(known)):
        near = ", ".join(get_close_matches(name, names, n=3)) or "none"
        raise ValueError(f"{option}: no {what} is named {name!r}; similar names: {near} (see: dualgap vectors)")


def vector_files(found: Json) -> Json:
    """The files with cases among ``contents``."""
    return {name: content for name, content in found.items() if "cases" in content}


def contents(folder: pathlib.Path = HOME) -> Json:
    """Name to content of every file of the manifest; none is parsed before its SHA-256 is the manifest's.

    Raises ValueError: a file, or the manifest, is missing, was changed by as much as a bit, or is not in the manifest.
    """
    return {name: parse_json(raw) for name, raw in _bytes_of_files(folder).items()}


def _bytes_of_files(folder: pathlib.Path) -> dict[str, bytes]:
    entries = manifest(folder)["files"]
    for path in sorted(folder.glob("*")):
        if path.name not in entries and path.name != MANIFEST:
            raise ValueError(f"{path} is not in {MANIFEST}: vector files are made by dualgap vectors --regenerate")
    raws = {name: _bytes(folder / name) for name in entries}
    for name, raw in raws.items():
        digest, expected = hashlib.sha256(raw).hexdigest(), entries[name]["sha256"]
        if digest != expected:
            raise ValueError(
                f"{folder / name} is not the file that {MANIFEST} describes (SHA-256 {digest[:16]}..., due"
                f" {expected[:16]}...): it was damaged or changed by hand. {REMEDY}"
            )
    return raws


def manifest(folder: pathlib.Path = HOME) -> Json:
    """The manifest: SHA-256, size and cases of every other file, with its own seal."""
    raw = _bytes(folder / MANIFEST)
    try:
        content: Json = parse_json(raw)
        described = content["files"].values()
        whole = raw == sealed(content["files"]) and all(isinstance(entry["sha256"], str) for entry in described)
    except (AttributeError, LookupError, TypeError, ValueError):
        whole = False
    if not whole:
        raise ValueError(f"{folder / MANIFEST} does not match its seal: it was damaged or edited. {REMEDY}")
    return content


def sealed(entries: Json) -> bytes:
    """The bytes of the manifest of these entries."""
    seal = hashlib.sha256(json.dumps(entries).encode()).hexdigest()
    return (json.dumps({"schema": 1, "seal": seal, "files": entries}, indent=1) + "\n").encode()


def check(folder: pathlib.Path = HOME) -> int:
    """Return the number of cases of the files. Raises ValueError as ``contents`` does."""
    return sum(len(content["cases"]) for content in vector_files(contents(folder)).values())


def _bytes(path: pathlib.Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}. {REMEDY}") from None
