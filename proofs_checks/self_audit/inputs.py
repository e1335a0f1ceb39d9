"""Certificates and readers of the fast package on cases whose answers are known: bounds, targets, files that were
changed.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from dualgap.fast import Certificate, CompiledLoss, kernel, solve
from dualgap.fast.compiler import subnormals
from dualgap.fast.problem.certificate import certified
from dualgap.fast.problem.intercept import InterceptObjective, share, signs
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.multinomial import connectivity
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.engines.substituted import substituted
from dualgap.proofs_checks.self_audit.saying import differs, refuses
from dualgap.proofs_checks.strategies.hostile_pairs import RATIONAL, exact_gap, floats, hostile
from dualgap.reference import L2, Absolute, Hinge, InterceptProblem, Problem, SmoothedHinge, Squared, WeightedProblem
from dualgap.reference.numbers.arithmetic import Number, NumberType
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.pnorm import PNorm

OPPOSITE = Problem([[1e16], [1.0], [1e16]], [1, 1, -1], Hinge(), L2(1e-3))  # P - D = 55.6 at w = 0, alpha = (-1, -1, 1)
LOST = Problem([[1e16], *[[1.0]] * 100, [1e16]], [1.0] * 101 + [-1.0], Hinge(), L2(1.0))  # 100 ones lost in u


def bounds() -> Iterator[str]:
    """Bounds that are too small on pairs that are hard, or useless on one that is easy."""
    rng = random.Random(0)
    for _ in range(400):
        instance = hostile(rng.choice, RATIONAL)
        try:
            with np.errstate(all="ignore"):  # numpy's numbers warn in a world without compiled code
                problem, w, alpha = floats(instance)
                found = [Certificate(problem, w, alpha, compensated).gap_bound for compensated in (False, True)]
        except (OverflowError, ValueError):
            continue
        gap = exact_gap(instance)
        for sums, bound in zip(("plain", "compensated"), found):
            yield from differs(
                f"a bound in {sums} sums: below the gap", bound < np.inf and Fraction(bound) < gap, False
            )
    for problem, count, least in ((OPPOSITE, 3, 55), (LOST, 102, Fraction(1, 3))):
        alpha = [-1.0] * (count - 1) + [1.0]
        yield from differs(
            "a bound where entries are lost: too small", Certificate(problem, [0.0], alpha).gap_bound < least, False
        )
    easy = Certificate(Problem([[1.0], [0.5]], [1, -1], SmoothedHinge(), L2(1.0)), [0.25], [-0.5, 0.25])
    yield from differs(
        "a bound on an easy pair: more than a millionth above the gap", easy.gap_bound > easy.gap * (1 + 1e-6), False
    )


def vanishing() -> Iterator[tuple[str, Callable[[NumberType], Problem], list[float], list[Number]]]:
    """Pairs in which a product underflows before it meets a large factor: name, problem in a number, w, alpha."""
    rows, weights = [[2.0**511], [0.0]], [2.0**-500, 2.0**500]
    yield (
        "s_i alpha_i, before it meets x_ij",
        lambda number: WeightedProblem(rows, [1, 1], Hinge(), L2(1e-200), weights, number=number),
        [0.0],
        [-0.49 * 2.0**-75, -1.0],
    )
    tall, targets = [[1e146], [1e126], [-1e146]], [[-1e-170] * 2] * 3
    yield (
        "the squares of the alpha of a block, before they meet ||A_i||",
        lambda number: BlockProblem.kronecker(tall, targets, 2, Separable(Squared()), L2(1e-100), number=number),
        [0.0, 0.0],
        [(1e-170, 1e-170)] * 3,
    )
    yield (
        "the squares of w in a small ball, before they meet its multiplier",
        lambda number: Problem(
            [[1.0], [1.0]], [0.0, 0.0], Absolute(), PNorm(2.0**484, 2, ball=2.0**-538), number=number
        ),
        [2.0**-1000],
        [1.0, 1.0],
    )


def underflows() -> Iterator[str]:
    """Bounds of ``vanishing`` that are too small."""
    for name, problem, w, alpha in vanishing():
        exact = [tuple(map(Fraction, a)) if isinstance(a, tuple) else Fraction(a) for a in alpha]
        gap = problem(Fraction).gap([Fraction(w_j) for w_j in w], exact)
        with np.errstate(all="ignore"):
            found = [Certificate(problem(float), w, alpha, compensated).gap_bound for compensated in (False, True)]
        for sums, bound in zip(("plain", "compensated"), found):
            yield from differs(f"{name}: a bound in {sums} sums below the gap", Fraction(bound) < gap, False)


def believed() -> Iterator[str]:
    """Compiled losses with an error bound: the right one is certified, one with a wrong formula refused."""
    right: dict[str, Callable[..., object]] = {
        "value": lambda gamma, z, y: (z - y) * (z - y) / (2.0 * gamma),
        "derivative": lambda gamma, z, y: (z - y) / gamma,
        "conjugate": lambda gamma, alpha, y: y * alpha + gamma * alpha * alpha / 2.0,
        "dual_step": lambda gamma, z, alpha, y, q: (z - y + q * alpha) / (gamma + q),
        "in_domain": lambda alpha, y: -np.inf < alpha < np.inf,
        "residual": lambda gamma, z, alpha, y: gamma * (((z - y) / gamma - alpha) * ((z - y) / gamma - alpha)) / 2.0,
        "error": lambda gamma, z, alpha, y: 2.0**-48 * (1.0 + abs(z) + abs(y) + abs(alpha)) ** 2,
    }
    wrong: dict[str, Callable[..., object]] = {
        "value": lambda gamma, z, y: 0.0,
        "conjugate": lambda gamma, alpha, y: 2.0 * alpha,
        "residual": lambda gamma, z, alpha, y: 0.0,
        "error": lambda gamma, z, alpha, y: 0.0,
    }
    name = "own-squared"
    problem = Problem([[1.0], [2.0]], [1.0, -1.0], type("Own", (Squared,), {"name": name})(), L2(1.0))
    for changed in ((), tuple(wrong), ("value",), ("conjugate",), ("error",)):
        formulas = {**right, **{formula: wrong[formula] for formula in changed}}
        CODES[name] = type(
            "Compiled",
            (CompiledLoss,),
            {"name": name, **{formula: staticmethod(kernel(f)) for formula, f in formulas.items()}},
        )()
        refused = refuses(lambda: Certificate(problem, [0.0], [0.0, 0.0]))
        del CODES[name]
        yield from differs(
            f"a compiled loss with {', '.join(changed) or 'nothing'} wrong: refused", refused, bool(changed)
        )


def flushed() -> Iterator[str]:
    """A processor that takes subnormal numbers for 0: a certificate is refused."""
    kept = subnormals.halved_and_doubled
    for name, answer, refused in (("kept", kept, False), ("taken for 0", lambda x: 0.0, True)):
        with substituted(subnormals, halved_and_doubled=answer):
            found = refuses(lambda: Certificate(OPPOSITE, [0.0], [-1.0, -1.0, 1.0]), RuntimeError)
        yield from differs(f"subnormal numbers are {name}: refused", found, refused)


def shares() -> Iterator[str]:
    """Shares t of alpha+ with a free intercept that are below |C(alpha)| / (|C(alpha)| + |C(alpha+)|)."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        weights, alpha = np.exp(rng.normal(size=4)), rng.normal(size=4)
        alpha[0] = -(weights[1:] @ alpha[1:]) / weights[0]
        objective = InterceptObjective(InterceptProblem(np.ones((4, 1)), np.zeros(4), Squared(), L2(1), weights))
        for sign in signs(objective, alpha):
            found = share(objective, alpha, np.full(4, sign), 1.0, sign)
            if found is None:
                yield "a free intercept: no share"
                continue
            here, there = (
                abs(sum((Fraction(s) * Fraction(a) for s, a in zip(weights, x)), Fraction(0)))
                for x in (alpha, found[0])
            )
            yield from differs("a free intercept: a share below t", Fraction(found[1]) < here / (here + there), False)


def links() -> Iterator[str]:
    """Lower bounds above the second eigenvalue of two classes, which is 2 sum_i s_i beta_i0 beta_i1."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        weights, a = np.exp(rng.normal(size=5)), rng.random(5)
        exact = 2 * sum((Fraction(s) * Fraction(b) * (1 - Fraction(b)) for s, b in zip(weights, a)), Fraction(0))
        found = connectivity(weights, np.column_stack((-a, a)), np.zeros(5, dtype=np.int64), 0.0)
        yield from differs("multinomial: a bound above the second eigenvalue", Fraction(found) > exact, False)
        yield from differs("multinomial: a bound far below the second eigenvalue", found < 0.9 * exact, False)


def convergence() -> Iterator[str]:
    """What is called converged, and which sums it takes."""
    result = solve(OPPOSITE, "sdca", alpha=[-1.0, -1.0, 1.0], tol=1e-9)
    yield from differs("rows that cancel: called converged", result.status == "converged", False)
    equal = Problem([[1e8], [1e8]], [1, -1], Hinge(), L2(1.0))
    found = certified(equal, [0.0], [-1.0, 1.0], 1e-20, 0.0)
    yield from differs(
        "a compensated certificate that meets the request: made", found.compensated and found.meets(1e-20, 0.0), True
    )
    at = Certificate(Problem([[1.0], [0.0]], [1.0, 1.0], Squared(), L2(1)), [3.0], [0.0, 0.0])
    yield from differs("a relative target", at.target(0.0, 0.5), 0.5 * at.primal)


def changes() -> Iterator[str]:
    """Certificates and runs on rows that were changed in place, in ways that a sum of their words may not show."""
    for factor in (5.0, -1.0):
        for ran in (True, False):
            X = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]])
            problem = Problem(X, [1.0, -1.0, 1.0], Squared(), L2(0.1))
            result = solve(problem, "sdca", tol=1e-12)
            call: Callable[[], object] = (
                partial(solve, problem, "sdca") if ran else partial(Certificate, problem, result.w, result.alpha)
            )
            yield from differs("rows as they were: refused", refuses(call), False)
            X *= factor
            yield from differs(
                f"rows times {factor}, {'a run' if ran else 'a certificate'}: refused", refuses(call), True
            )
    X = np.eye(2)
    during = Problem(X, [1.0, -1.0], Squared(), L2(1.0))
    yield from differs(
        "rows changed in a run: refused",
        refuses(lambda: solve(during, "sdca", tol=0.0, max_epochs=3, callback=lambda entry: X.fill(2.0))),
        True,
    )


def bits_beside_values() -> Iterator[str]:
    """A number whose bits are not those of the value after them."""
    for text, refused in (
        ("3fd5555555555555 0.3333333333333333 1/3", False),
        ("3fd5555555555556 0.33333333333333337 1/3", True),
    ):
        found = refuses(partial(hex_floats.require_agreement, text))
        yield from differs(f"{text}: refused", found, refused)
