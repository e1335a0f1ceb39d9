"""The engines that claims rest on, against values that are known otherwise: paths, moments, bets, the optimum,
replay.
"""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import Any

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.engines import dual_values as dual_problems
from dualgap.proofs_checks.engines import moments, optimum, paths, spectra
from dualgap.proofs_checks.engines.evalues import EProcess, split
from dualgap.proofs_checks.engines.roundings import ONE, Rounded
from dualgap.proofs_checks.engines.sampler import SamplerTest
from dualgap.proofs_checks.evidence import trajectories
from dualgap.proofs_checks.evidence.planted import Gone, planted
from dualgap.proofs_checks.self_audit.definitions import OTHERS, START
from dualgap.proofs_checks.self_audit.saying import differs, put, refused
from dualgap.proofs_checks.self_audit.statuses import FALSE, FIRST, TRUE, claim_of
from dualgap.reference import L2
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.numbers.arithmetic import Number

MERGING = START.but(
    rows=(Qs(1), Qs(1), Qs("1/2")), y=Qs(1, 1, -1), alpha=Qs(0, 0, 0), lam=Q(4), loss="smoothed-hinge", gamma=Q(1)
)
HORIZON = 4


def circles() -> Iterator[str]:
    """Spectral radii beside 1: of z - 1/2, z + 1, z^2 + 1, (z - 1)^2, (z - 2)(z - 1/4), (z - 2)(z - 1/2); no limits."""
    polynomials = (Qs(1, "-1/2"), Qs(1, 1), Qs(1, 0, 1), Qs(1, -2, 1), Qs(1, "-9/4", "1/2"), Qs(1, "-5/2", 1))
    signs = [(r > 1) - (r < 1) for r in (spectra.radius_beside(p, Q(1)) for p in polynomials)]
    yield from differs("radius beside 1", signs, [-1, 0, 0, 0, 1, 1])
    stays = [Qs(1, 0, 0), Qs(0, "1/2", 1), Qs(0, 0, 1)]
    yield from differs("a step with limits", spectra.transient(stays), list(Qs(1, "-1/2")))
    drifts = [Qs(1, 1), Qs(0, 1)]
    yield from differs("a step that drifts", spectra.transient(drifts), list(Qs(1, -1)))


def expectations() -> Iterator[str]:
    """Exact expectations: every path for itself, merged paths, and second moments agree; probabilities sum to 1."""
    for instance in (START, MERGING):
        c = Context(instance)
        merged = paths.expectations(c.method, c.problem, c.state, HORIZON, partial(gap, c))
        for t, layer in zip(range(HORIZON + 1), paths.distributions(c.method, c.problem, c.state)):
            yield from differs(f"{instance.loss}, t = {t}: probabilities sum to", sum(p for p, _ in layer), 1)
            one_by_one = [gap(c, c.method.run(c.problem, path, c.state)) for path in product(range(c.n), repeat=t)]
            yield from differs(
                f"{instance.loss}, t = {t}: E gap over all paths", merged[t], sum(one_by_one, Q(0)) / c.n**t
            )
        yield from differs(f"{instance.loss}: E gap as claims see it", trajectories.expected_gaps(c, HORIZON), merged)
    c = Context(START)
    for name, found, observable in (("gap", moments.expected_gaps, gap), ("D", moments.expected_duals, dual)):
        expected = paths.expectations(c.method, c.problem, c.state, HORIZON, partial(observable, c))
        yield from differs(
            f"E {name} by moments", list(islice(found(c.method, c.problem, c.alpha), HORIZON + 1)), expected
        )
    net = Context(START.but(l1=Q(1, 10)))
    yield from refused(
        "moments of a step that is not affine", lambda: next(moments.expected_gaps(net.method, net.problem, net.alpha))
    )


def dual_values() -> Iterator[str]:
    """D of many alpha of one problem, of new and of earlier numbers, is that of a problem that keeps nothing."""
    for instance in (START, MERGING, *OTHERS):
        plain, weight = instance.problem(), Q(1, 97)
        own = dual_problems.quick(plain)
        regularized = own.with_regularizer(L2(Q(5, 3)))
        for k in range(3 * dual_problems.KEPT):
            i = k % plain.n
            # new objects, or the same except for one
            alpha = [a + 0 for a in instance.alpha] if k % 3 else list(instance.alpha)
            alpha[i] = alpha[i] * k * weight
            if k % 7 == 0:  # one object in every row
                alpha = [k * weight if plain.loss.ends == (None, None) else plain.zero] * plain.n
            yield from differs(f"{instance.loss}, alpha {k}: D", own.D(alpha), plain.D(alpha))
            expected = plain.with_regularizer(L2(Q(5, 3))).D(alpha)
            yield from differs(f"{instance.loss}, alpha {k}, another regularizer: D", regularized.D(alpha), expected)
    drifting: Any = dual_problems.quick(START.problem())
    calls = iter(range(100))
    right = drifting.loss.conjugate
    drifting.loss.conjugate = lambda alpha_i, y: right(alpha_i, y) + next(calls)  # another one at each call
    yield from refused("a first value that is not the reference's", lambda: drifting.D(list(map(Q, START.alpha))))


def dual(c: Context, state: object) -> Number:
    """D(alpha)."""
    return c.problem.D(c.method.view(c.problem, state)[1])


def gap(c: Context, state: object) -> Number:
    """P(w(alpha)) - D(alpha)."""
    return c.problem.P(c.problem.w(c.method.view(c.problem, state)[1])) - dual(c, state)


class Exactly:
    """A double as a real number, to compare ``Rounded`` with."""

    def __init__(self, value: Number) -> None:
        self.value: Fraction = value.value if isinstance(value, Exactly) else Fraction(value)

    def __add__(self, other: object) -> "Exactly":
        return Exactly(self.value + Exactly(other).value)

    def __sub__(self, other: object) -> "Exactly":
        return Exactly(self.value - Exactly(other).value)

    def __mul__(self, other: object) -> "Exactly":
        return Exactly(self.value * Exactly(other).value)

    def __truediv__(self, other: object) -> "Exactly":
        return Exactly(self.value / Exactly(other).value)

    __radd__, __rmul__ = __add__, __mul__


EXPRESSIONS: tuple[tuple[str, Any, tuple[tuple[float, float], ...]], ...] = (
    ("a sum", lambda x, y: x + y, ((1.0, 1.5), (0.01, 0.011))),
    ("a difference", lambda x, y: x - y, ((1.0, 1.5), (0.01, 0.011))),
    ("a product", lambda x, y: x * y, ((1.1, 1.2), (1.3, 1.4))),
    ("a quotient", lambda x, y: x / y, ((1.1, 1.2), (1.3, 1.4))),
    ("the error of the first factor", lambda x, y: (x + 1000.0) * y, ((1.1, 1.2), (0.13, 0.14))),
    ("the error of the second factor", lambda x, y: x * (y + 1000.0), ((0.11, 0.12), (1.3, 1.4))),
    ("the error of a divisor", lambda x, y: x / (y + 0.01), ((1.9, 1.95), (1.05, 1.06))),
    ("the error of a dividend", lambda x, y: (x + 0.01) / y, ((1.9, 1.95), (1.05, 1.06))),
)


def on_ranges(code: Any, *ranges: tuple[float, float]) -> Rounded:
    """Code on ranges of doubles."""
    found: Rounded = code(*(Rounded(Fraction(low), Fraction(high)) for low, high in ranges))
    return found


def roundings() -> Iterator[str]:
    """Code on ranges of doubles bounds the errors at doubles of the range, closely."""
    rng = random.Random(0)
    for name, code, ranges in EXPRESSIONS:
        found, worst = on_ranges(code, *ranges), Fraction(0)
        for _ in range(2000):
            given = [rng.choice((rng.uniform(low, high), low, high)) for low, high in ranges]
            computed = Fraction(code(*given))
            worst = max(worst, abs(computed - code(*map(Exactly, given)).value))
            yield from differs(
                f"{name}: outside of its range",
                Fraction(found.ends[0], ONE) <= computed <= Fraction(found.ends[1], ONE),
                True,
            )
        yield from differs(f"{name}: off by more than its bound", worst > found.error, False)
        yield from differs(f"{name}: a bound that is useless", found.error > 4 * worst, False)
    whole = Rounded.of(3) * Rounded(0, 2.0**60, grid=0)
    yield from differs("integers beyond 2^53 are multiplied exactly", whole.error > 0, True)


FAIR = {0.0: Q(1, 2), 2.0: Q(1, 2)}
CLOSE = 1e-11  # a value is a mean of products of at most 6 factors, all of moderate size


def mean_value(made: Any, law: dict[Any, Fraction], T: int) -> float:
    """E[value after T observations], by all sequences."""
    total = 0.0
    for outcomes in product(law, repeat=T):
        process, probability = made(), 1.0
        for outcome in outcomes:
            process.observe(outcome)
            probability *= float(law[outcome])
        total += probability * process.value
    return total


def bets() -> Iterator[str]:
    """A bet is fair under its claim, over all sequences; it grows where the claim is false, and rejects at 1/delta."""
    for name, made, law, expected in (
        ("EProcess", EProcess, FAIR, 1.0),
        ("SamplerTest", lambda: SamplerTest(3), dict.fromkeys(range(3), Q(1, 3)), 1.0),
    ):
        value = mean_value(made, law, 6)
        if abs(value - expected) > CLOSE:
            yield f"{name}: mean over all sequences {value}, due {expected}"
    if not mean_value(EProcess, {0.0: Q(9, 20), 2.0: Q(11, 20)}, 6) > 1.2:
        yield "EProcess does not grow where the mean is 1.1"
    for count, delta, due_rejection in ((24, 1e-6, True), (10, 1e-6, False), (0, 0.5, False)):
        process = EProcess()
        for _ in range(count):
            process.observe(2.0)
        yield from differs(
            f"EProcess rejects at {delta} after {count} values of 2", process.rejects(delta), due_rejection
        )
    process = EProcess()
    for x in (*[2.0] * 24, *[0.0] * 100):
        process.observe(x)
    yield from differs("a rejection stands when the evidence falls again", process.rejects(1e-6), True)
    yield from refused("a negative gap", lambda: EProcess().observe(-1e-300))
    total = sum(split(1e-6, j) for j in range(1, 2000))
    yield from differs(
        "the shares of delta sum to at most delta, and to nearly all of it", 0.999e-6 < total <= 1e-6, True
    )


def optima() -> Iterator[str]:
    """The exact optimum has gap 0, and a minimizer that is none is refused."""
    for instance in (START, MERGING, START.but(l1=Q(1, 10))):
        problem = instance.problem()
        alpha = optimum.exact_optimum(problem)
        yield from differs(f"{instance.loss}: P* - D*", problem.P(problem.w(alpha)) - problem.D(alpha), 0)
    right = optimum.box_minimum
    put(optimum, box_minimum=lambda *arguments: [x + 1 for x in right(*arguments)])
    yield from refused("an optimum whose gap is not 0", lambda: optimum.exact_optimum(START.problem()))


def replays() -> Iterator[str]:
    """A counterexample file comes back with its numbers and first false relation; one changed or true does not."""
    for name, check, change, expected in (
        ("as written", FALSE, False, ("2 <= 1", True)),
        ("its numbers changed", FALSE, True, ("2 <= 1", False)),
        ("its claim holds", TRUE, False, (None, True)),
    ):
        claim = claim_of(check, [])
        put(counterexamples, all_claims=partial(dict, {claim.id: claim}))
        with temporary_folder() as folder:
            path = counterexamples.write(folder, claim, FIRST)
            if change:
                record = json.loads(path.read_text())
                record["chain"][0]["left"]["exact"] = "3"
                path.write_text(json.dumps(record))
            found = counterexamples.replay(path)
            got = found.first_false and found.first_false.label, found.same_as_file
            yield from differs(f"a counterexample file, {name}: first false, numbers back", got, expected)


def planted_bugs() -> Iterator[str]:
    """A planted bug is in the class made for it and in no other, and a text that stands nowhere or twice is refused."""
    sign = planted(ASPDC, "self", {"sign": ("", ("i, delta, state.v", "i, -delta, state.v"))})["self.sign"]
    start, right = Context(START), Context(START, ASPDC()).successors
    wrong = Context(START, sign.of(ASPDC)()).successors
    for one, other in zip(right, wrong):
        turned = [2 * before - after for before, after in zip(start.state.v, one.state.v)]
        yield from differs(
            f"row {one.choice}, line 7 with the other sign: w, alpha", (other.state.v, other.alpha), (turned, one.alpha)
        )
    for name, text in (("gone", "no such text"), ("twice", "state.alpha[i]"), ("outside", "def require_lam(")):
        try:
            planted(ASPDC, "self", {name: ("", (text, text.replace("a", "b")))})[f"self.{name}"].of(ASPDC)
        except Gone as error:
            yield from differs(f"a text that is {name}: the message names it", f"self.{name}" in str(error), True)
        else:
            yield f"a text that is {name} is replaced"
