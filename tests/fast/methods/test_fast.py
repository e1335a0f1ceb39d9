"""What the compiled methods read, their scalar formulas, and coordinates that wait for a billion steps."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import first_difference, refuses

from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.methods.spdc import FastSPDC
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.objective import Objective
from dualgap.reference import L2, ElasticNet, Problem, SmoothedHinge, Squared, as_compiled


def test_float64_data_are_read_where_they_lie_and_memory_mapped_files_too(tmp_path):
    X = np.random.default_rng(0).standard_normal((4, 3))
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    compressed = csr_array(X)
    y, parts = [1.0, -1.0, 1.0, 1.0], (SmoothedHinge(), L2(1))
    assert np.shares_memory(arrays(Problem(mapped, y, *parts)).matrix[0], mapped)
    for ours, given in zip(arrays(Problem(compressed, y, *parts)).matrix, ("indptr", "indices", "data")):
        assert np.shares_memory(ours, getattr(compressed, given)), given
    from_file = FastSDCA().run(Problem(mapped, y, *parts), [3, 1, 2])
    assert first_difference(from_file, FastSDCA().run(Problem(X, y, *parts), [3, 1, 2])) is None


def test_a_problem_over_fractions_is_refused_with_the_way_out():
    refuses(ValueError, "number=float", lambda: arrays(Problem([[1, 2]], [1], Squared(), L2(1), number=Fraction)))


@pytest.mark.parametrize("choices", [[3], [-1], [0.5], [[0]], ["0"]])
def test_choices_outside_the_rows_are_refused_before_any_step(choices):
    problem = Problem(np.eye(3), [1, -1, 1], SmoothedHinge(), L2(1))
    state = FastSDCA().init(problem)
    refuses(ValueError, "choices must", lambda: FastSDCA().advance(problem, state, choices))
    assert not state.alpha.any()


def test_an_underflow_leaves_no_negative_zero_in_v():
    problem = Problem(np.array([[5e-324, 1.0]]), [1.0], Squared(), L2(4.0))
    alpha = [1.0]  # v_0 = -5e-324/4 rounds to -0.0
    for v in (problem.v(alpha), Objective(problem).v(np.array(alpha))):
        assert math.copysign(1.0, v[0]) == 1.0


def test_where_every_row_is_zero_both_forms_start_at_the_solution_and_stay_there():
    problem = Problem(csr_array((2, 3)), [1.0, -1.0], SmoothedHinge(), ElasticNet(1.0, 0.5)).centred(
        1.0, [2.0, 0.1, -2.0]
    )
    for form in (as_compiled("spdc"), FastSPDC()):
        w, alpha = form.view(problem, form.run(problem, [0, 1, 0]))
        assert list(w) == [0.75, 0.0, -0.75] and list(alpha) == [-1.0, 1.0]
