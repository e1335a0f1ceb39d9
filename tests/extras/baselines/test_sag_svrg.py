"""SAG and SVRG: the traps that real code fell into, validation, the counting of passes, and the two places where bits
could part.
"""

import random
from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import first_difference, refuses

from dualgap.extras.baselines.sag.lazy import LazySAG
from dualgap.extras.baselines.sag.reference import SAG
from dualgap.extras.baselines.svrg import compiled as fast_svrg
from dualgap.extras.baselines.svrg.reference import SVRG
from dualgap.fast import kernels, solve
from dualgap.reference import (
    L2,
    HypothesisViolated,
    Interval,
    Logistic,
    Loss,
    Method,
    Problem,
    SmoothedHinge,
    Squared,
    as_compiled,
    method,
)


def float_problem(n: int = 30, d: int = 3, lam: float = 0.01, loss: Loss | None = None, scale: float = 1.0) -> Problem:
    """Rows of norm ``scale`` around +-e_1, the sign that of the label."""
    rng = np.random.default_rng(7)
    y = rng.choice([-1.0, 1.0], n)
    X = y[:, None] * np.array([1.0, *[0.0] * (d - 1)]) + rng.standard_normal((n, d))
    return Problem(scale * X / np.linalg.norm(X, axis=1, keepdims=True), y, loss or SmoothedHinge(), L2(lam))


def rows_drawn(n: int, steps: int) -> list[int]:
    r = random.Random(1)
    return [r.randrange(n) for _ in range(steps)]


@pytest.mark.parametrize(("norm", "factor", "power"), [(10, 1, Q(-8)), (100, 16, Q(-5))])
def test_sag_diverges_with_L_from_the_norm_and_not_its_square(norm: int, factor: int, power: Q) -> None:
    """One row: SAG is gradient descent, and 1 - a (norm^2 + lam) = power for a = 1/(factor (norm + lam))."""
    lam = (norm * norm - factor * (1 - power) * norm) / (factor * (1 - power) - 1)
    problem = Problem([[norm]], [0], Squared(), L2(lam), number=Q)
    sag = SAG(step=1 / (factor * (norm + lam)))
    assert sag.run(problem, [0] * 5, sag.init(problem, w=[1])).w == [power**5]
    refuses(HypothesisViolated, rf"step <= 1/L = .*R\^2 = {norm * norm}", sag.require, problem)
    right = SAG(step="practice" if factor == 1 else "theory")
    assert abs(right.run(problem, [0] * 5, right.init(problem, w=[1])).w[0]) < 1


@pytest.mark.parametrize(("name", "options"), [("sag", {"step": 1 / 17}), ("svrg", {"eta": 0.1})])
def test_steps_for_unit_rows_diverge_on_rows_of_norm_17_and_the_right_ones_converge(
    name: str, options: dict[str, Any]
) -> None:
    problem = float_problem(lam=1.0, scale=17.0, loss=Squared())
    refuses(HypothesisViolated, "diverge", solve, problem, name, **options)
    assert solve(problem, name, mode="unchecked", max_epochs=400, **options).status == "diverged"
    assert solve(problem, name, tol=1e-6).status == "converged"


def test_a_run_without_a_theorem_says_so_and_one_with_it_is_silent() -> None:
    problem = float_problem(lam=1.0)
    assert SAG().notes(problem)[0].endswith("the theorems have step = 1/(16L), divide = n")
    assert SAG("theory", "n", True).notes(problem) == SAG("theory", "n").notes(problem) == []
    assert "option II" in SVRG().notes(problem)[0] and "rho" in SVRG(option="II", m=20).notes(problem)[0]
    assert SVRG(option="II", m=60).notes(problem) == []


def test_sag_with_the_regularizer_outside_the_table_leaves_the_optimum_where_the_published_bound_is_0() -> None:
    problem = Problem([[1], [1]], [1, 1], Squared(), L2(1), number=Q)
    outside, inside = (SAG("theory", "n", in_table) for in_table in (False, True))
    at_optimum = [Q(1, 2)]  # both f_i' are 0 there, so C_0 = 0
    assert outside.run(problem, [0], outside.init(problem, w=at_optimum)).w == [Q(63, 128)]
    assert inside.run(problem, [0, 1, 1], inside.init(problem, w=at_optimum)).w == at_optimum


@pytest.mark.parametrize("name", ["sag", "svrg"])
def test_a_run_from_a_converged_alpha_has_converged(name: str) -> None:
    problem = float_problem(lam=0.1, loss=Logistic())
    first = solve(problem, name, tol=1e-9)
    again = solve(problem, name, tol=1e-8, alpha=first.alpha)  # w(alpha) is within a few gaps of w
    assert (again.status, again.epochs) == ("converged", 0)


@pytest.mark.parametrize(("m", "expected"), [(None, [2, 3, 5, 6]), (30, [2, 4, 6, 8]), (20, [3, 5, 8, 10])])
def test_every_full_gradient_of_svrg_counts_as_a_pass(m: int | None, expected: list[int]) -> None:
    problem, svrg = float_problem(), kernels()["svrg"](m=m)
    state, seen = svrg.init(problem), []
    for epoch in range(4):
        svrg.advance(problem, state, svrg.draw(problem, "uniform", 0, epoch))
        seen.append(svrg.reference.passes(problem, state, epoch + 1))
    assert seen == expected


def test_the_drawn_choices_of_option_ii_are_among_the_listed_ones_and_the_rows_those_of_option_i() -> None:
    problem, svrg = float_problem(n=5), as_compiled("svrg", option="II", m=7)
    state, kept = svrg.init(problem), 0
    for epoch in range(20):
        drawn = svrg.draw(problem, "uniform", 3, epoch)
        assert (drawn % 5 == as_compiled("svrg").draw(problem, "uniform", 3, epoch)).all()
        for choice in drawn.tolist():
            listed = svrg.choices(problem, state)
            assert choice in [c for c, _ in listed] and sum(p for _, p in listed) == 1
            kept += choice >= 5
            svrg.advance(problem, state, choice)
    assert kept > 15  # 15 rounds, each of which keeps w_0 at first


@pytest.mark.parametrize("storage", [csr_array, np.asarray])
def test_the_rare_branches_have_the_bits_of_the_reference(
    storage: Callable[[np.ndarray], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """beta folded into v every few steps, and columns that stood still for longer than the table of exponentials is."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((12, 9)) < 0.2, rng.standard_normal((12, 9)), 0.0)
    problem = Problem(storage(X), rng.choice([-1.0, 1.0], 12), SmoothedHinge(0.5), L2(0.3))
    choices = rows_drawn(12, 150)

    def same_bits(name: str, reference: Method[Any]) -> bool:
        run = kernels()[name]().run(problem, np.array(choices))
        return first_difference(reference.run(problem, choices), run) is None

    monkeypatch.setattr(LazySAG, "span", 4)
    assert same_bits("sag", LazySAG())
    assert not same_bits("sag", LazySAG(divide="n"))
    monkeypatch.setattr(fast_svrg, "SPAN", 2)
    assert same_bits("svrg", as_compiled("svrg"))
    assert not same_bits("svrg", as_compiled("svrg", m=23))


def test_the_lazy_forms_run_in_intervals() -> None:
    problem = Problem([[1, 0], [1, 1]], [1, -1], Logistic(), L2("1/3"), number=Interval)
    for name in ("sag", "svrg"):
        dense, lazy = method(name), as_compiled(name)
        pairs = zip(
            dense.view(problem, dense.run(problem, [0, 1, 1]))[0], lazy.view(problem, lazy.run(problem, [0, 1, 1]))[0]
        )
        assert all(a.low <= b.high and b.low <= a.high for a, b in pairs), "enclosures of one number must meet"
