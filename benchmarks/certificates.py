"""Certificates against exact arithmetic: how many are false, and how tight the bound is.

    python benchmarks/certificates.py [N] [--seed S] [--large K]

N hostile pairs (``dualgap.proofs_checks.strategies.hostile_pairs``; default 20,000), every K-th with some 10,000 rows (default: none).
For each the certificate in plain sums and the one in compensated sums, against P(w) - D(alpha) in rationals, or, for the
logistic loss, the lower end of an enclosure in decimal intervals. A bound below it is false and makes the exit status 1.
``gap`` alone, as computed, is counted too: it is no bound. Excess: bound - exact, in units of 2^-53 (P(w) + |D(alpha)|).
"""

import argparse
import math
import random
import sys
from fractions import Fraction

from dualgap.fast import Certificate
from dualgap.proofs_checks.strategies.hostile_pairs import exact_gap, floats, hostile
from dualgap.reference import LOSSES, Interval
from dualgap.reference.numbers.interval import Undecided, digits

LARGEST = Fraction(10**300)  # that is printed


def lower_end(instance):
    """A number that P(w) - D(alpha) is not below, and one that it is not above."""
    if LOSSES[instance.loss].rational:
        gap = exact_gap(instance)
        return gap, gap
    with digits(60):
        gap = exact_gap(instance, Interval)
        return Fraction(gap.low), Fraction(gap.high)


def quantiles(values):
    """Half, nine tenths and 99 of a hundred are not above these."""
    ordered = sorted(values) or [math.nan]
    return ", ".join(f"{share:.0%} {ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.4g}" for share in (0.5, 0.9, 0.99))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("N", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--large", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    names, counts, worst, ratios, excess = ("gap", "plain", "compensated"), {}, {}, {}, {}
    refused = infinite = unknown = 0
    for number in range(given.N):
        large = given.large and number % given.large == given.large - 1
        instance = hostile(rng.choice, tuple(LOSSES), 5000 if large else 5)
        try:
            problem, w, alpha = floats(instance)
            plain, compensated = Certificate(problem, w, alpha), Certificate(problem, w, alpha, compensated=True)
        except (OverflowError, ValueError):
            refused += 1
            continue
        try:
            low, high = lower_end(instance)
        except (OverflowError, Undecided):  # exp of more than a decimal exponent can say
            unknown += 1
            continue
        for name, bound in zip(names, (plain.gap, plain.gap_bound, compensated.gap_bound)):
            infinite += name == "compensated" and not math.isfinite(bound)
            if math.isfinite(bound):
                false = Fraction(bound) < low
                counts[name] = counts.get(name, 0) + false
                if false and bound > 0:
                    worst[name] = max(worst.get(name, 0.0), float(min(low / Fraction(bound), LARGEST)))
                if high > Fraction(1, 10**300):
                    ratios.setdefault(name, []).append(float(min(Fraction(bound) / high, LARGEST)))
                size = Fraction(compensated.primal) + abs(Fraction(compensated.dual))
                if size > 0:
                    excess.setdefault(name, []).append(float(min((Fraction(bound) - high) * 2**53 / size, LARGEST)))
                if false and name != "gap":
                    print(f"FALSE {name} {number}: {bound!r} < {float(low)!r}: {instance.to_json()}")
    print(f"{given.N} pairs, {refused} refused (overflow), {unknown} beyond the enclosure's exponents, {infinite} with no bound even in compensated sums")
    for name in names:
        print(
            f"{name:12} false {counts.get(name, 0)}, worst exact/bound {worst.get(name, 0.0):.4g}; "
            f"bound/exact: {quantiles(ratios.get(name, []))}; excess: {quantiles(excess.get(name, []))}"
        )
    return int(any(counts.get(name, 0) for name in names[1:]))


if __name__ == "__main__":
    sys.exit(main())
