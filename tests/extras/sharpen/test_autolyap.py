"""AutoLyap's Lyapunov inequalities, proved exactly from its own problems and algorithms."""

from fractions import Fraction as F

import numpy as np
import pytest

pytest.importorskip("autolyap")
pytest.importorskip("clarabel")

from autolyap import IterationIndependent
from autolyap.algorithms import (
    AcceleratedProximalPoint,
    ChambollePock,
    DouglasRachford,
    GradientMethod,
    NesterovConstant,
    ProximalPoint,
    TsengFBF,
)
from autolyap.problemclass import (
    Convex,
    InclusionProblem,
    LipschitzOperator,
    MaximallyMonotone,
    SmoothStronglyConvex,
    StronglyConvex,
    StronglyMonotone,
)

from dualgap.extras.exact.roots import square_root
from dualgap.extras.sharpen.autolyap import Run, distance, fixed_point_residual, nothing, prove_lyapunov, smallest_rho

SMOOTH = SmoothStronglyConvex(1, 4)
GRADIENT = (InclusionProblem([SMOOTH]), GradientMethod(0.4))
PROXIMAL = (InclusionProblem([StronglyConvex(1)]), ProximalPoint(1.0))
SPLITTING = (InclusionProblem([SMOOTH, Convex()]), DouglasRachford(0.5, 1.0, "function"))
SADDLE = (InclusionProblem([SMOOTH, SMOOTH]), ChambollePock(0.5, 0.5, 1.0))
OPERATORS = InclusionProblem([[StronglyMonotone(1), LipschitzOperator(2)], MaximallyMonotone()])


@pytest.mark.parametrize(("case", "rho"), [(GRADIENT, F(9, 25)), (PROXIMAL, F(1, 4)), (SPLITTING, F(4, 9))])
def test_the_known_rate_is_proved_and_no_smaller_one(case, rho):
    """(1 - 2/5)^2, (1/(1 + 1))^2 and ((1 + 1/3)/2)^2 are attained by quadratics in one dimension."""
    proof = prove_lyapunov(*case, rho)
    assert set(proof.records) == {"C1", "C2"} and proof.refusals() == []
    assert prove_lyapunov(*case, rho - F(1, 1000)).refusals()


def test_bisection_ends_at_the_known_rate():
    assert smallest_rho(*GRADIENT, width=F(1, 1000)).rho == F(9, 25)


@pytest.mark.parametrize("kind", ["inequalities", "equalities"])
def test_a_changed_multiplier_is_refused(kind):
    proof = prove_lyapunov(*GRADIENT, F(9, 25))
    entry = proof.records["C1"][kind][-1]
    entry[2] = str(F(entry[2]) + F(1, 10**9))
    assert proof.refusals()


def test_residuals_and_nonincreasing_residuals():
    problem, algorithm = InclusionProblem([MaximallyMonotone(), MaximallyMonotone()]), DouglasRachford(1.0, 1.0)
    proof = prove_lyapunov(problem, algorithm, lower=nothing, residual=fixed_point_residual, remove_C4=False)
    assert set(proof.records) == {"C1", "C2", "C3", "C4"} and proof.refusals() == []


def test_square_roots_stay_exact():
    problem = InclusionProblem([SmoothStronglyConvex(1, 10)])
    proof = prove_lyapunov(problem, NesterovConstant(1, 10), 1 - square_root(F(1, 10)))
    assert proof.refusals() == [] and proof.notes == [] and proof.records["C1"]["root"] == "10"


def _matrix(terms: dict[str, str], size: int) -> np.ndarray:
    """The symmetric matrix of the inner products in terms."""
    M = np.zeros((size, size))
    for (i, j), c in ((key.split()[1:], F(c)) for key, c in terms.items() if key[0] == "G"):
        M[int(i), int(j)] += float(c) / 2
        M[int(j), int(i)] += float(c) / 2
    return M


@pytest.mark.parametrize("case", [SADDLE, (OPERATORS, TsengFBF(0.25, 1.0))])
def test_the_conditions_are_those_of_autolyap(case):
    """C1, and the distance, have the matrices that AutoLyap computes in its own way."""
    algorithm, rho = case[1], F(9, 10)
    proof, run = prove_lyapunov(*case, rho), Run(*case, 0)
    terms = {" ".join(map(str, key)): str(c) for key, c in distance(run).terms.items()}
    P = IterationIndependent.LinearConvergence.get_parameters_distance_to_solution(algorithm)[0]
    assert np.allclose(_matrix(terms, len(P)), P)
    Q = np.zeros(P.shape)
    for (_, i, j), c in ((name.split(), c) for name, c in proof.form.items() if name[0] == "Q"):
        Q[int(i), int(j)] = Q[int(j), int(i)] = float(c)
    before, after = IterationIndependent._compute_Thetas(algorithm, 0, 0)
    C1 = _matrix(proof.records["C1"]["equalities"][-1][1], before.shape[1])
    assert np.allclose(C1, float(rho) * before.T @ Q @ before - after.T @ Q @ after, atol=1e-9 * np.abs(Q).max())


def test_a_wrong_condition_of_a_class_is_found(monkeypatch):
    (matrix, indices), *_ = MaximallyMonotone().get_data()
    monkeypatch.setattr(MaximallyMonotone, "get_data", lambda self: [(matrix + np.eye(4), indices)])
    with pytest.raises(ValueError, match="MaximallyMonotone is not among those of the literature"):
        prove_lyapunov(OPERATORS, TsengFBF(0.25, 1.0))


def test_matrices_that_change_are_refused():
    with pytest.raises(ValueError, match="AcceleratedProximalPoint change with k"):
        prove_lyapunov(InclusionProblem([MaximallyMonotone()]), AcceleratedProximalPoint(1.0))
