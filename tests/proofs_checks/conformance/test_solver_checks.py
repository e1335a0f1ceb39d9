"""Checks for Python solvers: a right solver passes all, each wrong one fails the check that is about its mistake."""

import sys
import time
from fractions import Fraction

import numpy as np
import pytest
from support import by_day, refuses

from dualgap.fast import Certificate, solve
from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import cases, gamma_of
from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks, solver_checks
from dualgap.proofs_checks.conformance.solvers.checks_of_answers import conventions
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed, Incomplete
from dualgap.reference import LOSSES, ElasticNet, Problem
from dualgap.reference.numbers.interval import decide


def sdca(X, y, *, loss, lam, l1, gamma, tol, seed):
    """Our own solver, with the interface of the checks."""
    result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed, max_epochs=300)
    return result.w, result.alpha, result.status == "converged"


@parametrize_with_checks([sdca])
def test_a_right_solver_passes(solver, check):
    check(solver)


def changed(change):
    """sdca with its (w, alpha, converged) changed."""

    def solver(X, y, **given):
        return change(X, y, *sdca(X, y, **given))

    return solver


def does_not_look_at_its_input(X, y, **given):
    n, d = X.shape
    return np.zeros(d), np.zeros(n), False


GAP = "the_gap_is_what_was_asked_for"


def check_of(solver, kind, loss, **options):
    """The check of this kind."""
    return next(check for check in solver_checks(solver, losses=[loss], **options) if check.kind == kind)


def test_a_solver_that_never_converges_is_judged_by_its_answers():
    said = "loss squared[,:] .*the solver never claims convergence, so its answers are judged: the gap is"
    refuses(AssertionError, said, check_of(does_not_look_at_its_input, GAP, "squared"), does_not_look_at_its_input)


def test_the_allowance_is_that_of_the_certificate():
    """A gap above tol by less than the roundings of P - D at the pair passes, by more it does not: no constant of our
    own.
    """
    case = next(cases(False))
    problem = case.problem("squared")
    w, alpha, _ = sdca(
        case.X, case.y, loss="squared", lam=case.lam, l1=0.0, gamma=gamma_of("squared"), tol=1e-6, seed=1
    )
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
    w, alpha, _ = sdca(
        case.X, case.labels(loss), loss=loss, lam=case.lam, l1=0.0, gamma=gamma_of(loss), tol=1e-12, seed=1
    )
    for factor in (1.0, 1 - 2.0**-30, 0.5, 0.0):
        found = Certificate(problem, factor * w, factor * alpha)
        low, high = Fraction(2 * found.gap - found.gap_bound), Fraction(found.gap_bound)
        assert decide(lambda: low <= judge.gap_of(problem, found.w, found.alpha) <= high)[0]  # noqa: B023


RETURNED = {  # answers, by n and d, that are none: numbers out of range, other types, other shapes
    "infinite": lambda n, d: ([np.inf] * d, [np.inf] * n),
    "huge": lambda n, d: [1e308] * d,
    "beyond the doubles": lambda n, d: [10**400] * d,
    "a long double": lambda n, d: [np.longdouble("1e4000")] * d,
    "complex": lambda n, d: [1j] * d,
    "texts": lambda n, d: ["x"] * d,
    "truth values": lambda n, d: [True] * d,
    "None": lambda n, d: None,
    "nothing": lambda n, d: (),
    "four": lambda n, d: (1, 2, 3, 4),
    "a dictionary": lambda n, d: {"w": 1},
    "ragged": lambda n, d: [[1.0], [1.0, 2.0]],
    "a scalar": lambda n, d: 1.0,
    "a column": lambda n, d: np.zeros((d, 1)),
    "text for converged": lambda n, d: (np.zeros(d), None, "yes"),
    "an array for converged": lambda n, d: (np.zeros(d), None, np.array([True, False])),
    "no w": lambda n, d: (None, np.zeros(n), True),
    "huge and not converged": lambda n, d: (np.full(d, 1e308), None, False),
}


def verdicts(solver, loss):
    for check in solver_checks(solver, losses=[loss], l1=False):
        try:
            check(solver)
        except CheckFailed as failure:
            yield check.kind, str(failure)


@pytest.mark.parametrize("loss", by_day(["squared", "squared-hinge", "hinge", "logistic"], "squared"))
@pytest.mark.parametrize("name", RETURNED)
def test_any_answer_leads_to_a_sentence(name, loss):
    failed = dict(verdicts(lambda X, y, **given: RETURNED[name](*X.shape), loss))
    assert {"the_gap_is_what_was_asked_for", "bad_input_is_refused"} <= set(failed)
    assert all(len(text) < 3000 and loss in text for text in failed.values())


def no_tolerance(X, y, *, loss, lam, l1, gamma, seed):
    return np.zeros(X.shape[1])


def refuses_everything(X, y, **given):
    raise ValueError("no")


def test_a_refusal_counts_where_the_good_problem_is_taken():
    """A call with wrong arguments, or a refusal of everything, is no refusal of bad input or of CSR."""
    for solver, text in ((no_tolerance, "it is called as"), (refuses_everything, "the solver raised ValueError: no")):
        for check in solver_checks(solver, losses=["squared"]):
            refuses(CheckFailed, text, check, solver)
    trial = solver_checks(sdca, losses=["squared"])[0].trial
    assert "must be called as solver(X, y, *, loss, " in trial(no_tolerance).signature()
    assert not trial(refuses_everything).signature()
    assert not trial(sdca).signature()


def test_who_claims_nothing_fails_nothing():
    """The right w and converged=False: every check passes or is incomplete. With a claim on one problem that is wrong,
    that one fails.
    """
    modest = changed(lambda X, y, w, alpha, said: (w, alpha, False))
    seen = {}
    for check in solver_checks(modest, losses=["squared"]):
        try:
            check(modest)
        except Incomplete as failure:
            seen[check.kind] = str(failure)
    assert (
        "did not claim convergence on 14 of 14 problems (14 of them with the gap of 1e-06)"
        in seen["the_gap_is_what_was_asked_for"]
    )
    assert len(seen) >= 6
    boastful = changed(lambda X, y, w, alpha, said: (w, alpha, False) if len(y) > 1 else (0 * w, alpha, True))
    with pytest.raises(CheckFailed, match="one row.*the gap is") as caught:
        solver_checks(boastful, losses=["squared"])[0](boastful)
    assert not isinstance(caught.value, Incomplete)


@pytest.mark.parametrize("loss", by_day(["hinge", "squared"], "squared"))
def test_another_convention_of_alpha_is_one_failure_that_says_how_to_convert(loss):
    """Every product that is known: the line that the message gives makes the solver right; alpha itself is left as it
    is.
    """
    for found in conventions(loss):

        def solver(X, y, lam, found=found, **given):
            w, alpha, said = sdca(X, y, lam=lam, **given)
            return w, alpha / found.factor(len(y), lam, y), said

        check = check_of(solver, GAP, loss)
        with pytest.raises(CheckFailed) as caught:
            check(solver)
        code = str(caught.value).split("Return (w, ")[1].split("); the other")[0]

        def adapted(X, y, lam, solver=solver, code=code, **given):
            w, alpha, said = solver(X, y, lam=lam, **given)
            return w, eval(code, {"alpha": alpha, "lam": lam, "y": y, "len": len}), said

        check(adapted)
    for check in solver_checks(solver, losses=[loss], l1=False):
        if check.kind != "the_gap_is_what_was_asked_for":
            check(solver)


def test_a_python_solver_is_interrupted_even_where_it_catches_every_exception():
    def endless(X, y, **given):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                pass

    check = check_of(endless, GAP, "squared", seconds=0.2)
    refuses(CheckFailed, "no answer within 0.2 s", check, endless)


def test_a_solver_that_claims_what_it_reaches_is_not_judged_on_what_it_does_not_claim():
    """It reaches 1e-6 and says so where that is enough: below, its answers claim nothing."""

    def modest(X, y, *, tol, **given):
        w, alpha, _ = sdca(X, y, tol=max(tol, 1e-6), **given)
        return w, alpha, tol >= 1e-9

    with pytest.raises(Incomplete):
        check_of(modest, "numbers_keep_their_53_bits", "squared")(modest)


def test_a_solver_says_what_it_knows():
    def only_ridge(X, y, **given):
        return sdca(X, y, **given)

    only_ridge.losses, only_ridge.l1 = ("squared",), False
    checks = solver_checks(only_ridge)
    assert {check.loss for check in checks} == {"squared"} and not any(check.l1 for check in checks)
    assert len(solver_checks(sdca)) == len(checks) * len(LOSSES)


def test_expected_failures_are_strict_and_those_of_each_solver():
    def other(X, y, **given):
        return sdca(X, y, **given)

    other.expected_failed_checks = {"bad_input_is_refused": "r", "the_gap_is_what_was_asked_for[hinge]": "s"}
    mark = parametrize_with_checks([sdca, other], losses=["hinge"])
    marked = {parameter.id: [m.kwargs for m in parameter.marks] for parameter in mark.args[1] if parameter.marks}
    assert marked == {
        "other-bad_input_is_refused[hinge]": [{"reason": "r", "strict": True}],
        "other-the_gap_is_what_was_asked_for[hinge]": [{"reason": "s", "strict": True}],
    }
    everywhere = parametrize_with_checks([sdca, other], expected_failed_checks={"bad_input_is_refused": "r"})
    assert sum(bool(parameter.marks) for parameter in everywhere.args[1]) == 2 * len(LOSSES)


def test_without_pytest_it_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytest", None)
    with pytest.raises(ImportError, match="needs pytest, which is not installed; .*dualgap check") as caught:
        parametrize_with_checks([sdca])
    assert type(caught.value) is ImportError and caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: solver_checks(sdca, losses=["hindge"]), "unknown loss 'hindge'"),
        *(
            (lambda tol=tol: solver_checks(sdca, tol=tol), "tol must be > 0 and finite")
            for tol in (0.0, -1.0, np.inf, np.nan)
        ),
        (lambda: solver_checks(sdca, seconds=0.0), "seconds must be > 0 and finite"),
        (lambda: parametrize_with_checks([sdca], expected_failed_checks={"no_such": "x"}), "names 'no_such'"),
    ],
)
def test_what_cannot_be_checked_is_refused(make, said):
    refuses(ValueError, said, make)
