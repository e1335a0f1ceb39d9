"""Whether the search behind the draws finds counterexamples that the draws miss: claims sharpened until they are false.

    python benchmarks/search.py [--seconds S]

A claim that holds is made false: the right sides of its inequalities are multiplied by the largest left/right that 1000
draws of another seed have reached, divided by 1.001, 1.01, 1.1 or 1.5. So an instance that the strategy draws is known
to violate it. Those that more than 1 of 100 draws violate are left out, as sampling finds them. Each of the others is
looked for among 300 draws, among 300 draws and 1000 steps of search, and among 1300 draws. The claims as they are must
not be refuted. Exit 1 where one is.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import traced
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import HOLDS, Claim, all_claims
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.evidence.hunting import Search
from dualgap.proofs_checks.evidence.levels import Exact
from dualgap.reference.numbers.rational import to_fraction

DRAWS, STEPS, REFERENCE = 300, 1000, 1000
SHARPER = (1001, 1010, 1100, 1500)  # per mille
RARE = 0.01  # the largest share of false draws
SLOWEST = 0.004  # seconds of an instance, so that all of it takes minutes


def sharpened(claim: Claim, factor: Any) -> Claim:
    """The claim with the right sides of its inequalities multiplied by the factor."""

    def check(context: Context) -> Iterable[Relation]:
        for relation in claim.check(context):
            yield replace(relation, right=relation.right * factor) if relation.tightness() is not None else relation

    return replace(claim, check=check)


def ratios(claim: Claim, level: Exact, seed: int) -> list[Any]:
    """The largest left/right of each drawn instance, exactly."""
    found = []
    for instance, _ in islice(traced(level.strategy(), seed), REFERENCE):
        inside = [r for r in claim.check(Context(instance)) if r.tightness() is not None]
        found += [max(to_fraction(r.left / r.right) for r in inside)] if inside else []
    return found


def first(claim: Claim, level: Exact, seed: int, draws: int, steps: int) -> float | None:
    """Seconds to the first counterexample; None where there is none."""
    began = time.process_time()
    search = Search(claim, None, level.strategy(), Random(seed))
    for instance, trail in islice(traced(level.strategy(), seed), draws):
        verdict = judge(claim, Context(instance))
        if verdict.violated is not None:
            return time.process_time() - began
        search.keep(verdict.relations, trail)
    return time.process_time() - began if search.found(steps) else None


WAYS: dict[str, Callable[[Claim, Exact], float | None]] = {
    f"{DRAWS} draws": lambda claim, level: first(claim, level, 1, DRAWS, 0),
    f"{DRAWS} draws, {STEPS} steps": lambda claim, level: first(claim, level, 1, DRAWS, STEPS),
    f"{DRAWS + STEPS} draws": lambda claim, level: first(claim, level, 1, DRAWS + STEPS, 0),
}


def main() -> int:
    """Print a table; 1 where a true claim is refuted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=240.0, help="after so many seconds no claim is begun")
    end, refuted, tried, common = time.monotonic() + parser.parse_args().seconds, 0, 0, 0
    found: dict[int, list[list[float | None]]] = {sharper: [] for sharper in SHARPER}
    claims = [claim for claim in all_claims().values() if claim.expected == HOLDS]
    Random(0).shuffle(claims)
    for claim in claims:
        level = next((source for source in claim.evidence if isinstance(source, Exact)), None)
        if level is None or time.monotonic() > end:
            continue
        began = time.process_time()
        some = [r for i, _ in islice(traced(level.strategy(), 2), 20) for r in claim.check(Context(i))]
        if time.process_time() - began > 20 * SLOWEST or not any(r.tightness() for r in some):
            continue
        tried += 1
        refuted += WAYS[f"{DRAWS} draws, {STEPS} steps"](claim, level) is not None
        reference = ratios(claim, level, 3)
        for sharper in SHARPER if any(reference) else ():
            factor = max(reference) * 1000 / sharper
            if sum(ratio > factor for ratio in reference) > RARE * len(reference):
                common += 1
                continue
            found[sharper].append([way(sharpened(claim, factor), level) for way in WAYS.values()])
            print(sharper, claim.id, found[sharper][-1], file=sys.stderr, flush=True)
    print(f"{tried} true claims, {refuted} refuted by the search; {common} false claims left out, not rare\n")
    print("| sharper by | claims |", " | ".join(f"{way}: found | median s" for way in WAYS), "|")
    for sharper, rows in found.items():
        cells = []
        for column in zip(*rows):
            hits = [seconds for seconds in column if seconds is not None]
            cells.append(f"{len(hits)} | {statistics.median(hits):.2f}" if hits else "0 | -")
        print(f"| {(sharper - 1000) / 10:g} % | {len(rows)} |", " | ".join(cells), "|")
    return 1 if refuted else 0


if __name__ == "__main__":
    sys.exit(main())
