"""CoCoA+: exact numbers of small rounds, and that what the claims take from the reference is what they say."""

from fractions import Fraction

import pytest
from support import refuses

from dualgap.extras.cocoa.reference import CoCoA
from dualgap.extras.cocoa.terms import G, local_problem, parts, theta, worker_rows
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.reference import L2, HypothesisViolated, Problem, Squared


def residual_after(c: Context, rounds: int) -> list[Fraction]:
    """z_1 - y - alpha_1 after each of so many rounds of all workers."""
    state, found = c.state, []
    for _ in range(rounds + 1):
        w, alpha = c.method.view(c.problem, state)
        found.append(c.problem.dot(c.problem.rows[0], w) - c.problem.y[0] - alpha[0])
        state = c.method.step(c.problem, state, tuple(range(c.n)))
    return found


@pytest.mark.parametrize(("K", "sigma", "q"), [(3, 1, 2), (8, 3, 4), (3, 3, 2), (8, 4, 4)])
def test_a_round_of_equal_rows_multiplies_the_residual_by_a_factor_beyond_minus_1_if_sigma_is_small(
    K: int, sigma: int, q: int
) -> None:
    """1 - (K q + 1)/(1 + sigma q), q = ||x||^2/(lam n), squared loss: below -1 for sigma < K/2; D then falls."""
    c, factor = Context(worker_rows(*[(1,)] * K, sigma=sigma, q=q)), 1 - Fraction(K * q + 1, 1 + sigma * q)
    assert residual_after(c, 5) == [-(factor**t) for t in range(6)]
    assert (factor < -1) == (2 * sigma < K) == (c.increases[0] < 0)


def test_the_safe_sigma_solves_equal_rows_in_one_round() -> None:
    c = Context(worker_rows((1,), (1,), (1,), sigma=3, q=2))
    assert residual_after(c, 1)[1] == 0 and c.D_star == c.D + c.increases[0]


def test_a_subproblem_is_the_dual_of_its_rows_up_to_a_constant() -> None:
    options = {"parts": (2, 3), "H": 1, "aggregation": Q(1), "sigma": Q(2)}
    rows = worker_rows((1, 0), (Q(3, 5), Q(4, 5)), (0, 1), sigma=2)
    c = Context(rows.but(alpha=(Q(1), Q(-1), Q(1, 2)), options=options))
    local, part = local_problem(c, 0), parts(c)[0]
    moves = ([Q(0), Q(0)], [Q(1), Q(0)], [Q(-1, 3), Q(5, 2)])
    points = [[c.alpha[i] + m for i, m in zip(part, move)] for move in moves]
    share = Fraction(len(part), c.n)
    assert len({G(c, 0, move) - share * local.D(point) for move, point in zip(moves, points)}) == 1


def test_the_subproblems_at_zero_sum_to_the_dual() -> None:
    c = Context(worker_rows((1, 0), (Q(3, 5), Q(4, 5)), (0, 1), sigma=3).but(alpha=(Q(1), Q(-1), Q(1, 2))))
    assert sum(G(c, k, [Q(0)]) for k in range(3)) == c.D and theta(c) == 0


def test_a_sigma_below_the_safe_one_is_refused_and_half_of_it_admitted_in_mode_sharp() -> None:
    problem = Problem([[1.0], [1.0]], [1.0, -1.0], Squared(), L2(1.0))
    refuses(HypothesisViolated, "sigma = 1 is below 2: .* Leave sigma out", CoCoA(parts=2, sigma=1).require, problem)
    CoCoA(parts=2, H=1, sigma=1).require(problem, "sharp")
    below = CoCoA(parts=2, H=1, sigma=Fraction(99, 100))
    refuses(HypothesisViolated, "is below 1", below.require, problem, "sharp")
    CoCoA(parts=2, sigma=Fraction(1, 10)).require(problem, "unchecked")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"parts": 0}, "parts must be an integer >= 1"),
        ({"parts": [2, 1]}, "must not descend"),
        ({"parts": []}, "list of ends"),
        ({"H": 0}, "H must be an integer >= 1"),
        ({"aggregation": "both"}, "aggregation"),
        ({"aggregation": 2}, r"in \(0, 1\]"),
        ({"sigma": 0}, "sigma must be > 0"),
    ],
)
def test_what_is_no_option_is_refused_in_words(given: dict, said: str) -> None:
    refuses(ValueError, said, CoCoA, **given)


def test_parts_that_do_not_end_at_the_last_row_are_refused() -> None:
    problem = Problem([[1.0], [1.0]], [1.0, -1.0], Squared(), L2(1.0))
    message = r"parts must end at the number of rows, 2 \(got \[1, 3\]\)"
    refuses(ValueError, message, CoCoA(parts=[1, 3]).draw, problem, "uniform", 0, 0)
