"""Whether an audit finds the counterexamples of false claims, by search and by draws alone, and refutes no true claim.

    python benchmarks/search.py [KIND ...] [--seconds S] [--out DIR] [--page FILE]

There are four kinds of false claims. "literature": those of ``known_claims.py``. "refuted": statements of the five
documents that this library refutes, here on instances that it draws, not on those that are written down. "planted":
claims on a method with a planted bug. "sharpened": claims of this library with the right sides of their inequalities
multiplied by the largest left/right that 1000 draws of another seed have reached, divided by 1.01, 1.1 or 1.5. So an
instance that the strategy draws is known to violate them. Those that more than 1 of 100 draws violate are left out. Of
the last two kinds a sample is taken.

Each false claim is looked for as an audit of the default size does it (300 draws and 1000 steps of search, of which
those in floats count one fifth), then by further steps; and by draws alone. Both end after S CPU seconds (default 60).
True claims are those of known_claims.py, and a sample of this library's that hold. The exit status is 1 where one of
them is refuted.
"""

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

from common import Record, Rows, parser, report, table
from hypothesis.strategies import SearchStrategy
from known_claims import KNOWN_FALSE, KNOWN_TRUE

from dualgap.proofs_checks import instances
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import Refused, traced
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import CLAIMS, HOLDS, REFUTED, Claim, all_claims
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.run import SIZES, Strategy
from dualgap.proofs_checks.evidence.hunting import Search
from dualgap.proofs_checks.evidence.levels import Exact, Golden
from dualgap.proofs_checks.evidence.mutants import mutant
from dualgap.proofs_checks.strategies.instances import K_ANY
from dualgap.reference.numbers.rational import to_fraction

DRAWS, STEPS, REFERENCE = SIZES["default"][1], 1000, 1000
SHARPER = (1010, 1100, 1500)  # per mille
RARE = 0.01  # the largest share of false draws
SLOWEST = 0.004  # seconds of an instance
BEGIN, END = "<!-- benchmarks/search.py --page -->", "<!-- end of table -->"
SAMPLE = 5  # claims of a kind of which a sample is taken


@dataclass(frozen=True)
class Case:
    """A claim and what it is about."""

    kind: str
    claim: Claim
    strategy: Strategy

    def first(self, steps: float, seconds: float) -> tuple[float, int, float] | None:
        """CPU seconds, instances and steps that count to the first counterexample, by 300 draws and the search, without
        steps by draws alone; None where none is found.
        """
        began = time.process_time()
        try:
            return self._first(began, steps, seconds)
        except Refused:  # hardly any instance satisfies the hypotheses
            return None

    def has_drawn(self) -> bool:
        """Whether the claim speaks of drawn instances."""
        try:
            return any(list(self.claim.check(Context(i))) for i, _ in islice(traced(self.strategy(), 1), 20))
        except Exception:  # it is about instances of another form
            return False

    def _first(self, began: float, steps: float, seconds: float) -> tuple[float, int, float] | None:
        search = Search(self.claim, None, self.strategy(), Random(1), floats=self.claim.id in CLAIMS.foreign())
        for number, (instance, trail) in enumerate(traced(self.strategy(), 1), start=1):
            try:
                verdict = judge(self.claim, Context(instance))
            except (ArithmeticError, ValueError):  # outside of what the claim is about
                continue
            if verdict.violated is not None:
                return time.process_time() - began, number, 0.0
            if time.process_time() - began > seconds or (steps and number == DRAWS):
                break
            search.keep(verdict.relations, trail)
        while search.seen and search.spent < steps and time.process_time() - began < seconds:
            try:
                if search.found(min(steps, search.spent + 100)):
                    return time.process_time() - began, DRAWS + search.tried, search.spent
            except (ArithmeticError, ValueError):
                continue
        return None


def level(claim: Claim) -> Exact | None:
    """The claim's first level of drawn instances in fractions."""
    return next((source for source in claim.evidence if isinstance(source, Exact)), None)


def literature() -> Iterator[Case]:
    """The claims of ``known_claims.py``."""
    for name in KNOWN_FALSE:
        if (found := level(CLAIMS[name])) is not None:
            yield Case("literature", CLAIMS[name], found.strategy)


def refuted() -> Iterator[Case]:
    """Refuted statements about plain problems, on drawn ones with the same loss, method and options."""
    for claim in all_claims().values():
        written = next((i for source in claim.evidence if isinstance(source, Golden) for i in source.instances), None)
        if claim.expected == REFUTED and type(written) is Instance and not written.extra.plain():
            case = Case("refuted", claim, drawn_like(claim, written))
            if case.has_drawn():
                yield case


def drawn_like(claim: Claim, written: Instance) -> Strategy:
    """Problems with the loss, method and options of the one that is written, within the claim's hypotheses."""
    fixed = {name: getattr(written, name) for name in ("method", "options", "p", "ball")}

    def inside(instance: Instance) -> bool:
        try:
            return all(assumed.holds is None or assumed.holds(Context(instance)) for assumed in claim.assumes)
        except ValueError:  # it needs a root that is rational, say
            return False

    def drawn() -> SearchStrategy[Instance]:
        return instances(K=K_ANY, losses=(written.loss,), l1=(Fraction(0), written.l1), max_path=0, **fixed).filter(
            inside
        )

    return drawn


def planted() -> Iterator[Case]:
    """Claims on the mutants that they kill."""
    for claim in shuffled_claims():
        if (found := level(claim)) is not None and claim.kills:
            name = claim.kills[0]

            def check(c: Context, claim: Claim = claim, name: str = name) -> Iterable[Relation]:
                return claim.check(Context(c.instance, mutant(name, c.instance)))

            yield Case("planted", replace(claim, id=f"{claim.id} on {name}", check=check), found.strategy)


def sharpened() -> Iterator[Case]:
    """Claims that hold, with smaller right sides."""
    for claim in shuffled_claims():
        if (found := level(claim)) is None or not fast(claim, found):
            continue
        reference = ratios(claim, found, 3)
        for sharper in SHARPER if any(reference) else ():
            factor = max(reference) * 1000 / sharper

            def check(c: Context, claim: Claim = claim, factor: Fraction = factor) -> Iterable[Relation]:
                for relation in claim.check(c):
                    inside = relation.tightness() is not None
                    yield replace(relation, right=relation.right * factor) if inside else relation

            if sum(ratio > factor for ratio in reference) <= RARE * len(reference):
                name = f"{claim.id} by {(sharper - 1000) / 10:g} %"
                yield Case("sharpened", replace(claim, id=name, check=check), found.strategy)


def shuffled_claims() -> list[Claim]:
    """This library's claims that hold, in an order that has nothing to do with their papers."""
    claims = [c for c in all_claims().values() if c.expected == HOLDS and c.id not in CLAIMS.foreign()]
    Random(0).shuffle(claims)
    return claims


def fast(claim: Claim, source: Exact) -> bool:
    """Whether instances are fast, and some inequality has a ratio."""
    began = time.process_time()
    try:
        some = [r for i, _ in islice(traced(source.strategy(), 2), 20) for r in claim.check(Context(i))]
    except ValueError:  # it needs a root that is rational, say
        return False
    return time.process_time() - began <= 20 * SLOWEST and any(r.tightness() for r in some)


def ratios(claim: Claim, source: Exact, seed: int) -> list[Fraction]:
    """The largest left/right of each drawn instance, exactly."""
    found = []
    for instance, _ in islice(traced(source.strategy(), seed), REFERENCE):
        inside = [r for r in claim.check(Context(instance)) if r.tightness() is not None]
        found += [max(to_fraction(r.left / r.right) for r in inside)] if inside else []
    return found


KINDS: dict[str, tuple[Callable[[], Iterator[Case]], int | None]] = {
    "literature": (literature, None),
    "refuted": (refuted, None),
    "planted": (planted, SAMPLE),
    "sharpened": (sharpened, SAMPLE),
}


def measured(case: Case, seconds: float) -> Record:
    """One row: by search, and by draws alone."""
    found, alone = case.first(math.inf, seconds), case.first(0, seconds)
    row = {
        "kind": case.kind,
        "claim": case.claim.id,
        "default size": "found" if found and found[2] <= STEPS else "missed",
        "search, s": found and found[0],
        "search, instances": found and found[1],
        "draws alone, s": alone and alone[0],
        "draws alone, instances": alone and alone[1],
    }
    print(*row.values(), file=sys.stderr, flush=True)
    return row


def summary(rows: Rows) -> Rows:
    """Of each kind how many were found, and in what time."""
    found = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        mine = [row for row in rows if row["kind"] == kind]
        hits, alone = (
            [r[f"{way}, s"] for r in mine if r[f"{way}, s"] is not None] for way in ("search", "draws alone")
        )
        found.append(
            {
                "false claims": kind,
                "number": len(mine),
                "found at the default size": sum(row["default size"] == "found" for row in mine),
                "by 300 draws alone": sum((row["draws alone, instances"] or math.inf) <= DRAWS for row in mine),
                "by search": len(hits),
                "median s": statistics.median(hits) if hits else None,
                "largest s": max(hits, default=None),
                "by draws alone": len(alone),
                "median s of these": statistics.median(alone) if alone else None,
                "largest s of these": max(alone, default=None),
            }
        )
    return found


def main() -> int:
    """Print and write the tables."""
    command = parser(__doc__)
    command.add_argument("kinds", nargs="*", metavar="KIND", help=f"some of {', '.join(KINDS)}, true (default: all)")
    command.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of each way to look for one claim")
    command.add_argument("--page", type=Path, help="write the table into this page of the documentation, too")
    given = command.parse_args()
    kinds = given.kinds or [*KINDS, "true"]
    if unknown := set(kinds) - {*KINDS, "true"}:
        command.error(f"no kind {', '.join(sorted(unknown))}")
    rows = [
        measured(case, given.seconds)
        for kind, (cases, most) in KINDS.items()
        if kind in kinds
        for case in islice(cases(), most)
    ]
    refuted: list[str] = []
    known = [Case("true", CLAIMS[name], found.strategy) for name in KNOWN_TRUE if (found := level(CLAIMS[name]))]
    ours = (Case("true", c, found.strategy) for c in shuffled_claims() if (found := level(c)) and fast(c, found))
    true = [*known, *islice(ours, SAMPLE)] if "true" in kinds else []
    for case in true:
        refuted += [case.claim.id] if case.first(STEPS, given.seconds) is not None else []
        print(
            "true", case.claim.id, "refuted" if case.claim.id in refuted else "not refuted", file=sys.stderr, flush=True
        )
    missed = [row for row in rows if row["search, s"] is None] or [{"claim": "none"}]
    tables = {"summary": summary(rows), "claims": rows, "missed": missed} if rows else {}
    tables["true"] = [{"true claims": len(true), "refuted": len(refuted)}]
    if given.page is not None:
        shown = [summary(rows), tables["true"], [{"missed": row["claim"]} for row in missed]]
        page = given.page.read_text(encoding="utf-8")
        before, _, rest = page.partition(f"{BEGIN}\n")
        after = rest.partition(END)[2]
        given.page.write_text("\n".join((before + BEGIN, *map(table, shown), END)) + after, encoding="utf-8")
    status: int = report(given, "search", tables, not refuted)
    return status


if __name__ == "__main__":
    sys.exit(main())
