"""Claims on very many instances, in pieces: any process can make one, each is kept when it is finished, and counts
once.

A piece is one drawn level of one claim on PIECE instances at most. Its seed is a hash of the audit's entropy and of its
name, so its result does not depend on the process, the time or repetitions. It is stored under its name, and a
repetition replaces it. The evidence of a level is the sum of its pieces in their order.
"""

import hashlib
import json
import pathlib
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from typing import NamedTuple

from dualgap.fast.data.atomic_file import remove_partial, write_bytes
from dualgap.fast.solver.interrupts import kept_interrupt
from dualgap.proofs_checks.auditing.claim_index import sources
from dualgap.proofs_checks.auditing.dispatch import Examination, Item, number_of
from dualgap.proofs_checks.claims import parallel
from dualgap.proofs_checks.claims.exact import computing_in
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.instance import read_instance
from dualgap.proofs_checks.claims.plugins import load, told
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim, Evidence
from dualgap.proofs_checks.claims.result import Counts, PiecesJson
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.claims.strict_json import Json, read_bytes
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, examine, shrink
from dualgap.reference.problem.validate import NotWritten

PIECE = 500  # instances: a second or a few
SHOWN = 5000  # of the values of tightness of a level
COUNTS = Counts._fields


class Piece(NamedTuple):
    """The ``number``-th part of a level of a claim: ``size`` instances."""

    claim: str
    module: str
    level: int
    number: int
    size: int
    shown: int

    @property
    def name(self) -> str:
        """Return the name for its seed and its file."""
        return f"{self.claim}-{self.level}-{self.number}"


@dataclass(frozen=True)
class Making:
    """The work of a process on pieces: the findings of each, as plain data."""

    run: Run
    plugins: tuple[str, ...]

    def __call__(self, items: Sequence[Piece]) -> Iterator[Json]:
        load(self.plugins)
        for piece in items:
            claim = Item(piece.claim, piece.module, 0).find()
            if claim is None:
                yield {
                    "error": (
                        f"a worker cannot import {piece.module}, which registers {piece.claim}: install it there, or"
                        " take --jobs 1"
                    )
                }
                continue
            try:
                with staying():
                    result = self.found(claim, piece)
                yield result
            except Exception as broken:  # reported once, by the claim's row
                yield {"error": told(broken, claim.check.__module__, str(CLAIMS.places.get(claim.id, "")))}

    def found(self, claim: Claim, piece: Piece) -> Json:
        """Evaluate the level on the piece's instances, without shrinking."""
        seed = hashlib.blake2b(f"{self.run.entropy} {piece.name}".encode(), digest_size=8).digest()
        run = replace(self.run, entropy=int.from_bytes(seed, "big"), pools={}, instances=piece.size)
        source = claim.evidence[piece.level]
        with computing_in(number_of(claim, run)), kept_interrupt():
            if isinstance(source, Exact):
                evidence = examine(claim, run.contexts(source.strategy, piece.size), None, run)
            else:
                evidence = source(claim, run)
        first = evidence.counterexample
        return {
            **asdict(replace(evidence, counterexample=None)),
            "counterexample": None if first is None else first.to_json(),
            "tightness": [float(t) for t in evidence.tightness[: piece.shown]],
        }


# -- what is kept ------------------------------------------------------------------------------------------------------


class Store:
    """The finished pieces of one audit in a folder, a file for each.

    Parameters
    ----------
    folder : of the audit; None keeps them in memory.
    resume : whether pieces that are there are taken.
    entropy : that of the audit, where it is given.

    Raises
    ------
    ValueError
        There are pieces and ``resume`` is False, or they were drawn from another entropy.
    """

    def __init__(self, folder: pathlib.Path | None, resume: bool, entropy: int | None) -> None:
        self.folder = None if folder is None else folder / "pieces"
        self.found: dict[str, Json] = {}
        self.total = 0
        self.before = self._configuration()
        self.entropy: int | None = None if self.before is None else self.before.get("entropy")
        if self.before is not None and not resume:
            raise ValueError(
                f"{self.folder} holds pieces of an earlier audit: --resume continues from there; give another --out to"
                " start from the beginning"
            )
        if self.entropy is not None and entropy not in (None, self.entropy):
            raise ValueError(
                f"{self.folder} holds pieces of the entropy {self.entropy} (got {entropy}): leave --entropy out, or"
                " give another --out"
            )

    def _configuration(self) -> Json | None:
        """The options with which the folder was made; None if there is none."""
        if self.folder is None or not (path := self.folder / "configuration.json").exists():
            return None
        try:
            found = json.loads(read_bytes(path))
            return {"entropy": int(found["entropy"]), **found}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            raise ValueError(f"{path} is damaged: remove the folder {self.folder}, or give another --out") from None

    def open(self, configuration: Json, pieces: Sequence[Piece]) -> None:
        """Take what is there. Raises ValueError if it belongs to another configuration."""
        self.total = len(pieces)
        asked = json.loads(json.dumps(configuration))
        if self.before is not None:
            other = [name for name in asked if self.before.get(name) != asked[name]]
            if other:
                raise ValueError(
                    f"{self.folder} holds pieces of another audit (another {', '.join(other)}): give another --out"
                )
        elif self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes(self.folder / "configuration.json", json.dumps(asked).encode())
        for piece in pieces if self.before is not None else ():
            self._take(piece)

    def _take(self, piece: Piece) -> None:
        """The piece from its file, where it is there and whole."""
        assert self.folder is not None
        path = self.folder / f"{piece.name}.json"
        remove_partial(str(path))
        if not path.exists():
            return
        try:
            kept = json.loads(read_bytes(path))
            if kept["name"] != piece.name or not all(type(kept["found"][count]) is int for count in COUNTS):
                raise ValueError("it is another piece")
            self.found[piece.name] = kept["found"]
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            warnings.warn(f"{path} is damaged: its piece is made again", NotWritten, stacklevel=2)

    def keep(self, piece: Piece, found: Json) -> None:
        """A finished piece; what broke is not kept, and made again by the next audit."""
        self.found[piece.name] = found
        if self.folder is not None and "error" not in found:
            write_bytes(self.folder / f"{piece.name}.json", json.dumps({"name": piece.name, "found": found}).encode())

    def counts(self) -> PiecesJson:
        """Return the number of finished pieces, and of all pieces."""
        return {"finished": len(self.found), "total": self.total}


# -- all pieces --------------------------------------------------------------------------------------------------------


def merged(
    claims: Sequence[Claim],
    named: bool,
    work: Examination,
    instances: int,
    store: Store,
    progress: Callable[[str, int, int], None] | None,
    jobs: int,
) -> list[Claim]:
    """Make every piece that is missing; the claims with the evidence of their pieces. None of them after an interrupt.

    Raises ValueError if no claim is named, none draws instances, or the store is of another audit.
    """
    run = work.run
    if not named or instances < 1:
        raise ValueError(
            f"--instances N requires N >= 1 and the names of claims (got {instances},"
            f" {'these' if named else 'no'} names)"
        )
    if run.method is not None or run.problems is not None:
        raise ValueError("instances are drawn for the claims as they are: leave method and problems out")
    pieces = list(cut(claims, instances))
    if not pieces:
        raise ValueError(f"none of these claims draws instances: {', '.join(claim.id for claim in claims)}")
    versions = {name: metadata.version(name) for name in ("dualgap", "hypothesis")}
    store.open(
        {
            "schema": 1,
            "claims": [claim.id for claim in claims],
            "instances": instances,
            "entropy": run.entropy,
            "size": run.size,
            "piece": PIECE,
            "versions": versions,
            "sources": sources(),
            "plugins": list(work.plugins),
        },
        pieces,
    )
    if not _make([piece for piece in pieces if piece.name not in store.found], work, store, progress, jobs):
        return []
    return [_with_evidence(claim, [piece for piece in pieces if piece.claim == claim.id], store) for claim in claims]


def cut(claims: Sequence[Claim], instances: int) -> Iterator[Piece]:
    """The pieces of all drawn levels."""
    count = -(-instances // PIECE)
    for claim in claims:
        for level, source in enumerate(claim.evidence):
            if isinstance(source, (Exact, Enclosed)):
                for number in range(count):
                    size = min(PIECE, instances - number * PIECE)
                    yield Piece(claim.id, claim.check.__module__, level, number, size, -(-SHOWN // count))


def _make(
    missing: Sequence[Piece],
    work: Examination,
    store: Store,
    progress: Callable[[str, int, int], None] | None,
    jobs: int,
) -> bool:
    """Return whether all of them were made; False after an interrupt, which loses none that is finished."""
    began, total = time.perf_counter(), store.total
    before = total - len(missing)

    def take(event: parallel.Event) -> None:
        if isinstance(event, parallel.Started):
            return
        piece = missing[event.number]
        store.keep(piece, {"error": event.reason} if isinstance(event, parallel.Lost) else event.result)
        done = len(store.found)
        left = (time.perf_counter() - began) / (done - before) * (total - done)
        if progress:
            progress(f"{piece.name}{f' | about {left:.0f} s left' if left >= 10 else ''}", done - 1, total)

    batches = [(number,) for number in range(len(missing))]
    with parallel.SideBySide(Making(work.run, work.plugins), missing, batches, jobs) as running:
        try:
            for event in running.events():
                take(event)
        except KeyboardInterrupt:
            for event in running.stop():
                take(event)
            return len(store.found) == total
    return True


# -- evidence ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Exact(Exact):
    """EXACT, as its pieces have found it; the first counterexample is shrunk now."""

    pieces: tuple[Json, ...] = ()

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        evidence = total(self.pieces)
        if evidence.violations:
            shrink(claim, self.strategy, run, evidence)
        return evidence


@dataclass(frozen=True)
class _Enclosed(Enclosed):
    """ENCLOSED, as its pieces have found it."""

    pieces: tuple[Json, ...] = ()

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        evidence = total(self.pieces)
        digits = max(int(piece["detail"].split()[0]) for piece in self.pieces)
        evidence.detail = f"{digits} digits, {evidence.undecided} undecided"
        return evidence


def _with_evidence(claim: Claim, pieces: Sequence[Piece], store: Store) -> Claim:
    """The claim with its drawn levels replaced by what their pieces have found."""
    levels = list(claim.evidence)
    for level, source in enumerate(levels):
        found = tuple(store.found[piece.name] for piece in pieces if piece.level == level)
        if isinstance(source, Exact):
            levels[level] = _Exact(source.strategy, source.scale, found)
        elif isinstance(source, Enclosed):
            levels[level] = _Enclosed(source.strategy, source.scale, found)
    return replace(claim, evidence=tuple(levels))


def total(pieces: Sequence[Json]) -> Evidence:
    """The sum of pieces of one level, in their order. Raises RuntimeError if one of them broke."""
    if broken := next((piece["error"] for piece in pieces if "error" in piece), ""):
        raise RuntimeError(broken)
    first = next((piece["counterexample"] for piece in pieces if piece["counterexample"] is not None), None)
    trail = next((piece.get("trail") for piece in pieces if piece["counterexample"] is not None), None)
    counts = Counts(*(sum(piece[count] for piece in pieces) for count in COUNTS))
    return Evidence(
        pieces[0]["level"],
        *counts,
        counterexample=None if first is None else read_instance(first),
        trail=None if trail is None else tuple((number, count) for number, count in trail),
        tightness=[t for piece in pieces for t in piece["tightness"]][:SHOWN],
    )
