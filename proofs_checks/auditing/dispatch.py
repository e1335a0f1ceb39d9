"""Assign the claims to processes and order them. The results do not depend on the assignment.

Claims that draw from one strategy make a batch, so that its instances are drawn once; a batch that is too long is cut.
The longest batches start first, as far as the levels of a claim tell (``guess``). Every draw is seeded by the entropy
and a name. The share of false alarms of a statistical level depends only on its place in the list of claims, not on the
process that checks it or on the time.
"""

import contextlib
import gc
import importlib
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from dualgap.fast.data.atomic_file import replacing
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims import parallel, time_limit
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.plugins import line_of, load, loaded
from dualgap.proofs_checks.claims.registry import CLAIMS, ERROR, Claim, Evidence, Source, all_claims
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import Run, is_statistical
from dualgap.proofs_checks.claims.time_limit import Late, limited, saying
from dualgap.proofs_checks.evidence.formal import in_turn
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, Golden

Examine = Callable[[Claim, Run, pathlib.Path | None], ClaimResult]
Progress = Callable[[str, int, int], None]
Keep = Callable[[list[ClaimResult]], None]

WORTH_IT = 4.0  # seconds of work below which starting a process costs more than it saves
GARBAGE = 50_000  # a few MB; Python's own number, 700 or 2000, costs a tenth of an audit
# seconds: medians of one audit; a function makes what it likes
EXACT_INSTANCE, ENCLOSED_INSTANCE, GOLDEN_INSTANCE, FUNCTION, MUTANT = 1e-3, 5e-3, 6e-3, 2.0, 0.02


class Item(NamedTuple):
    """A claim as it is sent: where it is registered, and how many statistical levels stand before it in the list."""

    id: str
    module: str
    statistics: int

    def find(self) -> Claim | None:
        """The claim; None if this process cannot import it."""
        if self.id not in CLAIMS:
            all_claims()
        if self.id not in CLAIMS:
            with contextlib.suppress(Exception), staying():  # a module of the user's may do anything
                importlib.import_module(self.module)
        return CLAIMS.get(self.id)


def items_of(claims: Sequence[Claim]) -> list[Item]:
    """The claims in their order."""
    items, before = [], 0
    for claim in claims:
        items.append(Item(claim.id, claim.check.__module__, before))
        before += sum(map(is_statistical, claim.evidence))
    return items


@dataclass(frozen=True)
class Examination:
    """The work of a process on a batch: a result for each claim, None for an unknown claim."""

    examine: Examine
    run: Run
    folder: pathlib.Path | None
    plugins: tuple[str, ...] = field(default_factory=loaded)
    seconds: float | None = None  # that one claim may take
    says: bool = False  # whether a slow claim says where it is

    def __call__(self, items: Sequence[Item]) -> Iterator[ClaimResult | None]:
        with seldom_collecting():
            load(self.plugins)
            claims = [item.find() for item in items]
            run = replace(self.run, pools={})
            for item, claim in zip(items, claims):
                yield None if claim is None else self.row(claim, item.statistics, run)

    def stored(self, row: ClaimResult) -> ClaimResult:
        """The result, its counterexample written to the folder and named by its path; an error where that fails."""
        if self.folder is None or row.counterexample is None:
            return row
        path = counterexamples.path_of(self.folder, row.id)
        try:
            with replacing(str(path)) as file:
                file.write(row.counterexample.encode())
        except OSError as error:
            said = f"its counterexample was not stored: {path} was not written ({error.strerror or error})"
            return replace(row, counterexample=None, status=ERROR, error=said)
        return replace(row, counterexample=str(path))

    def row(self, claim: Claim, statistics: int, run: Run) -> ClaimResult:
        """Return one result with the text of its counterexample, because another machine cannot read our folders.

        An error where the claim has taken more seconds than it may, or shares of the false alarms that it has not
        announced.
        """
        run.statistical_levels = statistics
        time_limit.reached("its draws")
        try:
            with saying(claim.id) if self.says else contextlib.nullcontext(), limited(self.seconds):
                row = self.examine(claim, run, self.folder)
        except Late as late:
            line = line_of(late, claim.check.__module__.partition(".")[0])[0]
            run.pools.clear()  # one may be half drawn
            return lost(
                claim,
                f"{claim.id} was not finished after {self.seconds:g} seconds, at {time_limit.stage}"
                f"{line and f' ({line})'}: a loop without end, or give --claim-seconds more",
                self.examine,
            )
        announced = sum(map(is_statistical, claim.evidence))
        if run.statistical_levels > statistics + announced:
            said = (
                f"{run.statistical_levels - statistics} of its levels call run.delta() and {announced} are decorated"
                " with @statistical: decorate each"
            )
            return replace(row, status=ERROR, error=said)
        return row


@contextlib.contextmanager
def seldom_collecting() -> Iterator[None]:
    """Python looks for garbage in cycles after GARBAGE new objects: millions of numbers make hardly any cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GARBAGE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def number_of(claim: Claim, run: Run) -> str:
    """Number type of exact contexts: Fraction where others' code is run, which may call Fraction(x) on an mpq."""
    place = CLAIMS.places.get(claim.id)
    return "fraction" if run.own or (place is not None and place.foreign) else run.exact


def rows(
    claims: Sequence[Claim], work: Examination, progress: Progress | None, jobs: int, keep: Keep | None = None
) -> list[ClaimResult]:
    """A result for every claim, in their order; after an interrupt those that are finished. ``keep`` is given the
    finished results after each claim.
    """
    seconds = {claim.id: guess(claim, work.run) for claim in claims}
    watch = _Watch(claims, progress)
    far = parallel.on_cluster()
    if not far and (jobs == 1 or sum(seconds.values()) < WORTH_IT or not parallel.sendable(work)):
        return one_by_one(claims, work, watch, keep)
    items, found = items_of(claims), dict[int, ClaimResult]()
    batches = batched(claims, seconds, 0 if far else jobs, in_turn(claims, work.run))
    with parallel.SideBySide(work, items, batches, jobs) as running:

        def take(event: parallel.Event) -> None:
            if isinstance(event, parallel.Started):
                watch.started(event.number)
                return
            if isinstance(event, parallel.Lost):
                found[event.number] = lost(claims[event.number], event.reason, work.examine)
            elif event.result is None:  # registered in this process alone
                found[event.number] = work.stored(
                    work.row(claims[event.number], items[event.number].statistics, replace(work.run, pools={}))
                )
            else:
                found[event.number] = work.stored(event.result)
            watch.finished(event.number, found[event.number])
            if keep is not None:
                keep([found[number] for number in sorted(found)])

        try:
            for event in running.events():
                take(event)
        except KeyboardInterrupt:
            for event in running.stop():
                take(event)
    return [found[number] for number in sorted(found)]


def one_by_one(
    claims: Sequence[Claim], work: Examination, watch: "_Watch | None" = None, keep: Keep | None = None
) -> list[ClaimResult]:
    """Audit the claims one after the other in this process. After an interrupt, return those that are finished.

    Instances are let go of with the last claim that draws from their strategy.
    """
    found: list[ClaimResult] = []
    run = replace(work.run, pools={})
    last = {
        source.strategy: number
        for number, claim in enumerate(claims)
        for source in claim.evidence
        if isinstance(source, Exact)
    }
    with seldom_collecting(), contextlib.suppress(KeyboardInterrupt):
        for number, (claim, item) in enumerate(zip(claims, items_of(claims))):
            if watch:
                watch.begins(number)
            found.append(work.stored(work.row(claim, item.statistics, run)))
            if keep is not None:
                keep(found)
            run.pools = {key: pool for key, pool in run.pools.items() if last.get(key[0]) != number}
    return found


def lost(claim: Claim, reason: str, examine: Examine) -> ClaimResult:
    """The result of a claim whose check could not be finished."""

    def breaks(claim: Claim, run: Run) -> Evidence:
        raise RuntimeError(reason)

    return examine(replace(claim, evidence=(breaks,), control=None, kills=()), Run(), None)


# -- batches -----------------------------------------------------------------------------------------------------------


def guess(claim: Claim, run: Run) -> float:
    """Seconds by the claim's levels. Only the order in which claims are begun depends on it."""
    total = MUTANT * len(claim.kills)
    for source in claim.evidence:
        if isinstance(source, (Exact, Enclosed)):
            with contextlib.suppress(Exception):  # a scale that is no number is an error of the level, when it runs
                count = run.count(source.scale, claim)
                total += (EXACT_INSTANCE if isinstance(source, Exact) else ENCLOSED_INSTANCE) * count
        else:
            total += GOLDEN_INSTANCE * len(source.instances) if isinstance(source, Golden) else FUNCTION
    return total


def batched(
    claims: Sequence[Claim], seconds: dict[str, float], jobs: int, turns: Mapping[int, int] = MappingProxyType({})
) -> list[parallel.Batch]:
    """Numbers of claims that share what is expensive, in batches of bounded length, the longest first; jobs = 0: each
    by itself.

    turns : of some numbers, which turn they take: those of a lower one are all begun before those of a higher; 0 for
        the others.
    """
    groups: dict[object, list[int]] = {}
    for number, claim in enumerate(claims):
        shared = next(filter(None, map(shares, claim.evidence)), None)
        groups.setdefault((turns.get(number, 0), number if shared is None or not jobs else shared), []).append(number)
    most = sum(seconds.values()) / (4 * jobs) if jobs else 0.0
    cut: list[list[int]] = []
    for group in groups.values():
        length = 0.0
        for number in sorted(group, key=lambda number: -seconds[claims[number].id]):
            cost = seconds[claims[number].id]
            if number == group[0] or not length or length + cost > most:
                cut.append([])
                length = 0.0
            cut[-1].append(number)
            length += cost

    def order(batch: list[int]) -> tuple[int, float]:
        return turns.get(batch[0], 0), -sum(seconds[claims[number].id] for number in batch)

    return [tuple(batch) for batch in sorted(cut, key=order)]


def shares(source: Source) -> object:
    """Return the key of the data that a process makes once for several levels: the instances of a strategy, or
    ``together``."""
    return source.strategy if isinstance(source, Exact) else getattr(source, "together", None)


# -- what is shown -----------------------------------------------------------------------------------------------------


class _Watch:
    """Says what runs, and what was found last."""

    def __init__(self, claims: Sequence[Claim], progress: Progress | None) -> None:
        self.claims, self.progress = claims, progress
        self.running: dict[int, None] = {}
        self.done = 0

    def begins(self, number: int) -> None:
        """Report the claim that is checked now; those before it are finished."""
        if self.progress:
            self.progress(self.claims[number].id, number, len(self.claims))

    def started(self, number: int) -> None:
        """Note that one more claim has started."""
        self.running[number] = None

    def finished(self, number: int, row: ClaimResult) -> None:
        """A claim has its verdict."""
        self.running.pop(number, None)
        if self.progress:
            others = ", ".join(self.claims[other].id for other in self.running)
            said = f"{row.id}: {row.status}{f' | running: {others}' if others else ''}"
            self.progress(said, self.done, len(self.claims))
        self.done += 1
