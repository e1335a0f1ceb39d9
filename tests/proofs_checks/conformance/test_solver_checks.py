"""The checks for Python solvers: a right solver passes them all, each wrong one fails the check that is about its mistake."""

import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dualgap.fast import Certificate, solve
from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import cases, gamma_of
from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks, solver_checks
from dualgap.proofs_checks.conformance.solvers.sklearn_solvers import ELASTIC_NET, LINEAR_SVC, SOLVERS, ready
from dualgap.reference import LOSSES, ElasticNet, Problem
from dualgap.reference.numbers.interval import decide


def sdca(X, y, *, loss, lam, l1, gamma, tol, seed):
    """Our own, in the form that the checks ask for."""
    result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed, max_epochs=300)
    return result.w, result.alpha, result.status == "converged"


@parametrize_with_checks([sdca])
def test_a_right_solver_passes(solver, check):
    check(solver)


# -- wrong solvers --------------------------------------------------------------------------------------------------


def changed(change):
    """sdca with its (w, alpha, converged) changed."""

    def solver(X, y, **given):
        return change(X, y, *sdca(X, y, **given))

    return solver


def scales_the_rows_in_place(X, y, **given):
    answer = sdca(X, y, **given)
    X *= 2
    return answer


def draws_from_the_global_generator(X, y, **given):
    return sdca(X, y, **given | {"seed": np.random.randint(1000)})


def does_not_look_at_its_input(X, y, **given):
    n, d = X.shape
    return np.zeros(d), np.zeros(n), False


def forgets_lam(X, y, *, lam, **given):
    return sdca(X, y, lam=2 * lam, **given)


def always_converged(X, y, **given):
    problem = Problem(X, y, LOSSES[given["loss"]](given["gamma"]), ElasticNet(given["lam"], given["l1"]))
    result = solve(problem, "sdca", tol=given["tol"], seed=given["seed"], max_epochs=3)
    return result.w, result.alpha


def in_single_precision(X, y, **given):
    w, alpha, said = sdca(X, y, **given)
    return w.astype(np.float32), alpha.astype(np.float32), said


def on_data_in_single_precision(X, y, **given):
    return sdca(X.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64), **given)


WRONG = {
    "answers in 32 bits": (in_single_precision, "numbers_keep_their_53_bits", "single precision"),
    "data in 32 bits": (on_data_in_single_precision, "numbers_keep_their_53_bits", "rounded to 32 bits: .* single precision"),
    "the sign of alpha": (changed(lambda X, y, w, alpha, said: (w, -alpha, said)), "the_gap_is_what_was_asked_for", "-alpha"),
    "alpha without its n": (changed(lambda X, y, w, alpha, said: (w, alpha / len(y), said)), "the_gap_is_what_was_asked_for", "n alpha"),
    "w without its sign": (changed(lambda X, y, w, alpha, said: (-w, alpha, said)), "the_gap_is_what_was_asked_for", "the gap is"),
    "w as a column": (changed(lambda X, y, w, alpha, said: (w[:, None], alpha, said)), "the_answer_has_the_shapes_of_the_problem", "w must be"),
    "alpha not finite": (changed(lambda X, y, w, alpha, said: (w, alpha + np.nan, said)), "the_answer_has_the_shapes_of_the_problem", "alpha must be"),
    "the last row is lost": (
        changed(lambda X, y, w, alpha, said: (w, np.append(alpha[:-1], 0.0), said)), "the_gap_is_what_was_asked_for", "the gap is",
    ),
    "lam doubled": (forgets_lam, "the_gap_is_what_was_asked_for", "the gap is"),
    "stops when it likes": (always_converged, "convergence_is_claimed_only_with_the_gap", "claims to have converged"),
    "changes the data": (scales_the_rows_in_place, "the_data_are_left_as_they_were", "changed X or y"),
    "a global generator": (draws_from_the_global_generator, "the_same_seed_gives_the_same_bits", "differ"),
    "no validation": (does_not_look_at_its_input, "bad_input_is_refused", "raise ValueError"),
    "never converges": (does_not_look_at_its_input, "the_gap_is_what_was_asked_for", "did not claim convergence on 12 of 12"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_solver_fails_the_check_that_is_about_its_mistake(mistake):
    solver, about, said = WRONG[mistake]
    (check,) = [check for check in solver_checks(solver, losses=["squared"]) if check.name == f"{about}[squared]"]
    with pytest.raises(AssertionError, match="loss squared[,:] .*" + said):
        check(solver)


@pytest.mark.parametrize("solver", [in_single_precision, on_data_in_single_precision])
@pytest.mark.parametrize("loss", ["smoothed-hinge", "squared-hinge", "hinge", "logistic", "absolute"])
def test_single_precision_is_named_for_every_loss(solver, loss):
    (check,) = [check for check in solver_checks(solver, losses=[loss]) if check.kind == "numbers_keep_their_53_bits"]
    with pytest.raises(AssertionError, match="single precision"):
        check(solver)


def test_the_allowance_is_that_of_the_certificate(monkeypatch):
    """A gap above tol by less than the roundings of P - D at the pair passes, by more it does not: no constant of our own."""
    case = next(cases(False))
    problem = case.problem("squared")
    w, alpha, _ = sdca(case.X, case.y, loss="squared", lam=case.lam, l1=0.0, gamma=gamma_of("squared"), tol=1e-6, seed=1)
    room = Fraction(Certificate(problem, w, alpha).rounding)
    assert 0 < room < Fraction(problem.P([0.0] * problem.d)) / 2**40
    gap = judge.gap_of(problem, w, alpha)
    assert judge.at_most(problem, w, alpha, float(gap - room * Fraction(99, 100)))
    assert not judge.at_most(problem, w, alpha, float(gap - room * Fraction(101, 100)))


@pytest.mark.parametrize("loss", LOSSES)
def test_what_the_certified_bounds_refute_exact_arithmetic_refutes(loss):
    """2 G~ - gap_bound is below the gap in the reals: next to the optimum and far from it."""
    case = next(cases(True))
    problem = case.problem(loss)
    w, alpha, _ = sdca(case.X, case.labels(loss), loss=loss, lam=case.lam, l1=0.0, gamma=gamma_of(loss), tol=1e-12, seed=1)
    for factor in (1.0, 1 - 2.0**-30, 0.5, 0.0):
        found = Certificate(problem, factor * w, factor * alpha)
        low, high = Fraction(2 * found.gap - found.gap_bound), Fraction(found.gap_bound)
        assert decide(lambda: low <= judge.gap_of(problem, found.w, found.alpha) <= high)[0]  # noqa: B023


def test_alpha_outside_its_domain_is_named():
    solver = changed(lambda X, y, w, alpha, said: (w, 1.5 * alpha, said))
    (check,) = [check for check in solver_checks(solver, losses=["hinge"]) if check.kind == "alpha_lies_in_the_domain_of_the_conjugate"]
    with pytest.raises(AssertionError, match="outside the domain of hinge.*approximates"):
        check(solver)


# -- what is parametrized ---------------------------------------------------------------------------------------------


def test_a_solver_says_what_it_knows():
    def only_ridge(X, y, **given):
        return sdca(X, y, **given)

    only_ridge.losses, only_ridge.l1 = ("squared",), False
    checks = solver_checks(only_ridge)
    assert {check.loss for check in checks} == {"squared"} and not any(check.l1 for check in checks)
    assert len(solver_checks(sdca)) == len(checks) * len(LOSSES) - 1, "logistic hides inner products in 32 bits"
    only_ridge.options = ("start", "intercept", "sample_weight")
    assert len(solver_checks(only_ridge)) == len(checks) + 3


def test_expected_failures_are_strict_and_named():
    reason = "it never stops at one"
    mark = parametrize_with_checks([sdca], losses=["hinge"], expected_failed_checks={"bad_input_is_refused": reason})
    marked = {parameter.id: [m.kwargs for m in parameter.marks] for parameter in mark.args[1]}
    assert marked.pop("sdca-bad_input_is_refused[hinge]") == [{"reason": reason, "strict": True}]
    assert set(map(len, marked.values())) == {0}


def test_expected_failures_are_those_of_each_solver():
    def other(X, y, **given):
        return sdca(X, y, **given)

    mark = parametrize_with_checks([sdca, other], losses=["hinge"], expected_failed_checks=lambda solver: {"bad_input_is_refused": "r"} if solver is other else {})
    assert [parameter.id for parameter in mark.args[1] if parameter.marks] == ["other-bad_input_is_refused[hinge]"]
    other.expected_failed_checks = {"the_gap_is_what_was_asked_for[hinge]": "reason"}
    mark = parametrize_with_checks([sdca, other], losses=["hinge"])
    assert [parameter.id for parameter in mark.args[1] if parameter.marks] == ["other-the_gap_is_what_was_asked_for[hinge]"]


def test_without_pytest_it_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytest", None)
    with pytest.raises(ImportError, match="needs pytest, which is not installed: .*dualgap check") as caught:
        parametrize_with_checks([sdca])
    assert type(caught.value) is ImportError and caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: solver_checks(sdca, losses=["hindge"]), "unknown loss 'hindge'"),
        (lambda: solver_checks(sdca, tol=0.0), "tol must be > 0"),
        (lambda: parametrize_with_checks([sdca], expected_failed_checks={"no_such": "x"}), "names 'no_such'"),
    ],
)
def test_what_cannot_be_checked_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()


# -- ready estimators -------------------------------------------------------------------------------------------------------


@parametrize_with_checks(ready())
def test_an_estimator_that_is_installed_passes(solver, check):
    check(solver)


def test_the_ready_estimators_are_the_five_that_the_guide_names():
    assert [solver.name for solver in SOLVERS] == ["LinearSVC", "LogisticRegression", "Ridge", "ElasticNet", "SDCAClassifier"]


@pytest.mark.skipif(not ELASTIC_NET.installed, reason="scikit-learn is not installed")
@pytest.mark.parametrize("solver", [LINEAR_SVC, ELASTIC_NET], ids=lambda solver: solver.name)
def test_an_estimator_whose_strength_is_misread_does_not(solver):
    """The control: lam doubled, as by a factor 1/2 that one library has and another has not."""
    wrong = replace(solver, fit=lambda task: solver.fit(task._replace(lam=2 * task.lam)))
    (check,) = [check for check in solver_checks(wrong) if check.name == f"the_gap_is_what_was_asked_for[{solver.losses[-1]}]"]
    with pytest.raises(AssertionError, match="the gap is"):
        check(wrong)
