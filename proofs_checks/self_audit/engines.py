"""The engines that claims rest on, against values that are known otherwise: paths, moments, bets, the optimum,
replay.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.engines import moments, optimum, paths, spectra
from dualgap.proofs_checks.engines.evalues import EProcess, LawTest, split
from dualgap.proofs_checks.evidence import trajectories
from dualgap.proofs_checks.evidence.planted import Gone, planted
from dualgap.proofs_checks.self_audit.definitions import START
from dualgap.proofs_checks.self_audit.saying import differs, put, refused
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


def dual(c: Context, state: object) -> Number:
    """D(alpha)."""
    return c.problem.D(c.method.view(c.problem, state)[1])


def gap(c: Context, state: object) -> Number:
    """P(w(alpha)) - D(alpha)."""
    return c.problem.P(c.problem.w(c.method.view(c.problem, state)[1])) - dual(c, state)


FAIR = {0.0: Q(1, 2), 2.0: Q(1, 2)}
THIRDS: dict[object, Fraction] = dict.fromkeys(range(3), Q(1, 3))
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
        ("LawTest", lambda: LawTest(THIRDS), THIRDS, 1.0),
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
