"""Climbs find what draws do not, their counterexamples are exact, and what is true is not refuted."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from dualgap.proofs_checks import Eq, Le, Q, array, largest, matrices, norm, trace
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import values
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.between import definite
from dualgap.proofs_checks.evidence.climbing import Climbs
from dualgap.proofs_checks.evidence.hunting import Search


def shuffled(c):
    """Single shuffle against reshuffling, two epochs: false for some 0 < A <= I."""
    products = [A @ B @ C for A, B, C in permutations(array(c.given.A))]
    mean = sum(products) / 6
    yield Le(norm(sum(product @ product for product in products) / 6), norm(mean @ mean), "single")


def one_by_one(c):
    """The same, written so that it takes one point at a time."""
    if array(c.given.A)[0][0, 0] >= 0:
        yield from shuffled(c)


def zero(c):
    """The trace of a product of three is not negative: false for some of size 2 with I/10 <= A <= I."""
    A, B, C = array(c.given.A)
    yield Le(0, trace(A @ B @ C), "trace")


def minus(c):
    """The same, with its sides exchanged."""
    A, B, C = array(c.given.A)
    yield Le(-trace(A @ B @ C), 0, "trace")


def opposite(c):
    """False for some matrices; at most of them the sides have opposite signs."""
    A, B, C = array(c.given.A)
    yield Le(largest(-A @ B @ C - C @ B @ A), norm(B) / 5, "symmetrized product")


def mixed(c):
    """The identity of rational numbers among the arrays: false, because I + A B need not be at least I."""
    one = np.array([[Q(1), Q(0)], [Q(0), Q(1)]], dtype=object)
    A, B, _ = array(c.given.A)
    yield Le(largest(one - (one + A @ B + B @ A)), Q(1, 100), "symmetrized product")


def covered(c):
    """As zero, and it says nothing of half of the matrices."""
    A, B, _ = array(c.given.A)
    if trace(A) <= trace(B):
        yield from zero(c)


def rarely(c):
    """As zero, and in floats it breaks at some starts."""
    A, B, _ = array(c.given.A)
    if c.number is float and np.any(A[..., 0, 0] > 4 * B[..., 0, 0]):
        raise ArithmeticError("rarely")
    yield from zero(c)


def silent(c):
    """It says nothing."""
    yield from ()


def unfit(c):
    """False, and for exact numbers only."""
    A, B, _ = array(c.given.A)
    yield Le(0, A[0, 0].numerator - 10**9, "numerator")


def added(c):
    """True: the largest eigenvalue of a sum is at most the sum of the largest eigenvalues."""
    A, B = array(c.given.A)
    yield Le(largest(A + B), largest(A) + largest(B), "sum")


def climbs(check, strategy, seed):
    from dataclasses import replace

    claim = replace(all_claims()["aspdc.a17"], check=check)
    search = Search.of(claim, Run(entropy=seed), strategy)
    return claim, search, Climbs(claim, strategy, Random(seed))


FALSE = {
    shuffled: Q(1, 100),
    one_by_one: Q(1, 100),
    zero: Q(1, 10),
    minus: Q(1, 10),
    opposite: Q(1, 100),
    mixed: Q(1, 100),
    covered: Q(1, 10),
    rarely: Q(1, 10),
}


@pytest.mark.parametrize("check", FALSE)
def test_a_false_inequality_is_found_and_verified_exactly(check):
    claim, search, made = climbs(check, matrices(3, 2, least=FALSE[check], most=1), 1)
    found = made.found(search.false, 60, 120)
    assert found is not None
    instance, trail = found
    assert judge(claim, Context(instance)).violated is not None
    assert trail and all(0 <= number < count for number, count in trail)


@pytest.mark.parametrize("check", [zero, minus, opposite])
@pytest.mark.parametrize("least", [Q(1, 100), 0, None])
def test_the_excess_of_a_true_inequality_is_no_sign_but_changes_with_the_matrices(check, least):
    strategy, generator = matrices(3, 2, least=least, most=1 if least else None), np.random.default_rng(1)
    made = climbs(check, strategy, 1)[2]
    unit = np.array([np.eye(2) + generator.normal(size=(2, 2)) / 50 for _ in range(3)])
    point = strategy.space.flat(unit + np.swapaxes(unit, 1, 2), 1)
    made.degree = made.degree_of(point, 2, (0, None))
    one, other = (made.excess(at, 2, (0, None)) for at in (point, point + 1e-3 * generator.normal(size=len(point))))
    assert one < 0 and 1e-9 < abs(one - other) < 0.1
    assert made.degree == (None if check is opposite else 3)
    if check is not opposite:
        made.degree = None
        assert made.excess(point, 2, (0, None)) == -1, "the control: without the degree it is a sign"


def same(c):
    """True: the norm of a product of numbers is the product of their norms."""
    A, B, C = array(c.given.A)
    yield Eq(norm(A @ B @ C), norm(A) * norm(B) * norm(C), "norm of a product")


def test_a_true_equation_of_norms_is_equal_in_floats_too():
    _, search, made = climbs(same, matrices(3, 1, least=Q(1, 100), most=1), 1)
    assert made.found(search.false, 12, 120) is None and abs(made.highest) < 1e-12


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (unfit, "0 climbs (the check does not run in floats: AttributeError: "),
        (silent, "4 climbs (the check said nothing)"),
    ],
)
def test_a_check_that_is_not_climbed_is_no_error_and_the_report_says_why(check, words):
    _, search, made = climbs(check, matrices(3, 2, least=0), 1)
    assert made.found(search.false, 4, 120) is None
    search.climbs = made
    assert words in search.told([])


def test_whole_numbers_are_exact():
    assert str(norm(np.eye(2, dtype=int) * 3)) == str(largest(array(((3, 0), (0, 1))))) == "3"
    assert str(norm(np.eye(2, dtype=bool))) == "1"


def test_a_true_inequality_is_not_refuted():
    _, search, made = climbs(added, matrices(2, 3), 1)
    assert made.found(search.false, 12, 120) is None
    assert made.made == 12 and abs(made.highest) < 1e-7  # equality is reached


def test_slow_climbs_end_before_the_claim_does(monkeypatch):
    monkeypatch.setattr("dualgap.proofs_checks.evidence.climbing.SECONDS", 0.5)
    _, search, made = climbs(added, matrices(2, 3), 1)
    assert made.found(search.false, 500, np.inf) is None and 1 <= made.made < 500


RANGES = [{"least": 0}, {"most": 2}, {"least": Q(1, 3), "most": 1}, {"only": (0, 1)}, {"only": (-1, 2)}, {}]


@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_instances_and_arrays_lie_in_the_range(ends):
    strategy = matrices(2, 3, vectors=1, **ends)
    least, most = ends.get("only", (ends.get("least"), ends.get("most")))
    for instance, _ in zip(values(strategy, 1), range(40)):
        for A in array(instance.extra.A):
            assert (A == A.T).all()
            assert least is None or definite(A - least * np.diag([Q(1)] * 3)) >= 0
            assert most is None or definite(most * np.diag([Q(1)] * 3) - A) >= 0
            assert (
                "only" not in ends or not ((A - least * np.eye(3, dtype=int)) @ (A - most * np.eye(3, dtype=int))).any()
            )
    space, generator = strategy.space, np.random.default_rng(1)
    point = np.concatenate([space.flat(generator.normal(size=(2, 3, 3)), 1), [1.0, 2.0, 3.0]])
    eigenvalues = np.linalg.eigvalsh(space.arrays(point, 3)[0])
    assert least is None or eigenvalues.min() > least - 1e-9
    assert most is None or eigenvalues.max() < most + 1e-9


@pytest.mark.parametrize("given", [{"k": 0}, {"least": 1, "most": 0}, {"only": (1,)}, {"only": (0, 1), "least": 0}])
def test_what_is_no_range_is_refused(given):
    with pytest.raises(ValueError, match="matrices need"):
        matrices(given.pop("k", 1), 2, **given)
