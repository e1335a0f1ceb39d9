"""SPD1 and SPD1-VR beyond the claims of the audit: reading single entries, draws and passes, and validation."""

from fractions import Fraction as Q

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.extras.baselines.spd1 import reference as spd1
from dualgap.extras.baselines.spd1.compiled import entry
from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.problem.arrays import arrays
from dualgap.reference import L2, ElasticNet, Interval, Problem, SmoothedHinge, Squared, method

ROWS, LABELS = [[1, 0], [1, 1], [0, -1]], [1, -1, 1]


def sparse_problem(shuffled):
    """Twelve rows of 0 to 40 entries of 300, in CSR with ascending columns or without."""
    d, rng = 300, np.random.default_rng(0)
    columns = [np.sort(rng.choice(d, size=size, replace=False)) for size in (40, 1, 2, 3, 40, 0, 17, 5, 40, 31, 8, 40)]
    values = {(i, int(j)): float(rng.standard_normal()) for i, row in enumerate(columns) for j in row}
    columns = [rng.permutation(row) for row in columns] if shuffled else columns
    data = [values[i, int(j)] for i, row in enumerate(columns) for j in row]
    X = csr_array((len(columns), d))
    X.indptr, X.indices, X.data = (
        np.cumsum([0, *map(len, columns)]).astype(np.int32),
        np.concatenate(columns).astype(np.int32),
        np.array(data),
    )
    return values, Problem(X, [1.0, -1.0, -1.0] * 4, SmoothedHinge(), ElasticNet(0.1, 0.01))


@pytest.mark.parametrize("shuffled", [False, True])
def test_every_entry_is_found_whether_columns_ascend_or_not(shuffled):
    values, problem = sparse_problem(shuffled)
    data = arrays(problem)
    assert data.ascending != shuffled
    found = np.array([[entry(data.matrix, data.ascending, i, j) for j in range(300)] for i in range(12)])
    expected = np.zeros((12, 300))
    for place, value in values.items():
        expected[place] = value
    assert (found == expected).all()
    assert spd1.entry(problem, 0, 299) == expected[0, 299]
    blind = [entry(data.matrix, True, i, j) for i, j in values]  # by bisection, also where columns do not ascend
    assert (blind == list(values.values())) == (not shuffled)


@pytest.mark.parametrize(("name", "options"), [("spd1", {}), ("spd1-vr", {"eta": 0.1, "tau": 0.1, "m": 10**6})])
def test_one_run_has_the_same_bits_for_ascending_shuffled_and_dense_columns(name, options):
    """Without a later snapshot, whose sums run in stored order."""
    fast = kernels()[name](**options)
    problems = [sparse_problem(shuffled)[1] for shuffled in (False, True)]
    problems.append(Problem(problems[0].X.toarray(), np.array(problems[0].y), SmoothedHinge(), ElasticNet(0.1, 0.01)))
    choices = np.random.default_rng(1).integers(
        method(name).ends(problems[0]), size=(3000, len(method(name).ends(problems[0])))
    )
    one, two, three = (fast.view(problem, fast.run(problem, choices)) for problem in problems)
    for mine, shuffled, dense in zip(one, two, three):
        assert mine.tobytes() == shuffled.tobytes() == dense.tobytes()


@pytest.mark.parametrize(("name", "entries"), [("spd1", 1), ("spd1-vr", 2)])
@pytest.mark.parametrize("longest", [2**20, 7, 1])
def test_a_pass_reads_n_d_entries_in_however_many_draws(name, entries, longest, monkeypatch):
    monkeypatch.setattr(spd1, "LONGEST_DRAW", longest)
    problem, steps = Problem(ROWS, LABELS, Squared(), L2(1)), method(name)
    parts = -(-6 // (longest * entries))
    for passes in (1, 2, 5):
        drawn = [steps.draw(problem, "uniform", 3, p) for p in range(passes * parts)]
        assert sum(map(len, drawn)) == 6 * passes // entries
        assert max(map(len, drawn)) <= max(longest, 1)
    choices = np.concatenate(drawn)
    assert choices.min() >= 0 and (choices.max(axis=0) < steps.ends(problem)).all()
    refuses(ValueError, "order must be uniform", steps.draw, problem, "permuted", 3, 0)


def test_passes_count_entries_and_two_for_every_snapshot():
    problem, plain, vr = Problem(ROWS, LABELS, Squared(), L2(1)), method("spd1"), method("spd1-vr", m=4)
    for t in range(14):
        assert plain.passes(problem, plain.run(problem, [(0, 0)] * t), 0) == -(-t // 6)
        snapshots = (t + 3) // 4
        assert vr.passes(problem, vr.run(problem, [(0, 0, 0, 0)] * t), 0) == -(-2 * t // 6) + 2 * snapshots
    assert solve(problem, "spd1-vr", tol=0.0, max_epochs=9, m=3).epochs >= 9


def test_the_choices_are_all_tuples_with_equal_probability():
    problem = Problem(ROWS, LABELS, Squared(), L2(1))
    for name, count in (("spd1", 6), ("spd1-vr", 36)):
        found = method(name).choices(problem, None)
        assert len({choice for choice, _ in found}) == count and {p for _, p in found} == {Q(1, count)}


def test_an_average_of_dual_points_is_one_in_floats_too():
    """b = 1 in every iterate of most rows: sums of 10^4 ones, each rounded, must not exceed their count."""
    rng = np.random.default_rng(4)
    problem = Problem(rng.standard_normal((30, 3)), rng.choice([-1.0, 1.0], 30), SmoothedHinge(0.25), L2(3.0))
    fast = kernels()["spd1"]()
    state = fast.init(problem, [-y for y in problem.y])
    for p in range(100):
        fast.advance(problem, state, fast.draw(problem, "uniform", 0, p))
        w, alpha = fast.view(problem, state)
        Certificate(problem, w, alpha)  # refuses any b outside [0, 1]
    assert (np.abs(alpha) == 1.0).any()


def test_the_steps_of_the_theorem_reach_rounding_on_ridge_regression():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((20, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    problem = Problem(X, rng.standard_normal(20), Squared(), L2(0.1))
    result = solve(problem, "spd1-vr", tol=1e-13, max_epochs=10000)
    assert result.status == "converged" and result.certificate.gap <= 1e-13
    # Steps of four times 0.05/lam and 0.05 diverge here; the certificate says so.
    assert solve(problem, "spd1-vr", tol=1e-13, max_epochs=2000, eta=2.0, tau=0.2, m=400).status == "diverged"


def test_the_parameters_are_those_of_the_theorem_in_every_number():
    exact = method("spd1-vr").parameters(Problem(ROWS, LABELS, Squared(), L2("1/3"), number=Q))
    floats = kernels()["spd1-vr"]().parameters(Problem(np.array(ROWS), LABELS, Squared(), L2(1 / 3)))
    enclosed = method("spd1-vr").parameters(Problem(ROWS, LABELS, Squared(), L2("1/3"), number=Interval))
    assert exact == (Q(1, 8), Q(1, 16), 72)
    assert abs(floats.eta - 0.125) < 1e-15 and abs(floats.tau - 0.0625) < 1e-15  # eight roundings
    assert enclosed.eta.contains(Q(1, 8)) and enclosed.m in (72, 73)


def test_what_no_theorem_covers_is_said_before_the_run():
    problem = Problem(ROWS, LABELS, SmoothedHinge(), L2(1))
    assert method("spd1").notes(problem) == method("spd1-vr").notes(problem) == []
    assert "stay at a distance" in method("spd1", eta=1, tau=1).notes(problem)[0]
    assert "no theorem" in method("spd1-vr", eta=1, tau=1).notes(problem)[0]
