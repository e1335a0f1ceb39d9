"""The duality gap P(w) - D(alpha) for any w and any alpha of the domain, in rational arithmetic without a tolerance."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.fast import Certificate
from dualgap.proofs_checks.claims.relations import Eq, Le
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.properties.runs import begun, exact_problem, examples, float_problem, holds
from dualgap.proofs_checks.strategies.instances import RATIONAL_SMOOTH
from dualgap.proofs_checks.strategies.public import pairs, runs
from dualgap.reference import Problem

ZERO = Fraction(0)
FLOATS = ("sdca", "aspdc", "spdc", "adaspdc-r", "pgs", "sag")  # methods whose pairs are certified
MONOTONE = {  # D never decreases
    "aspdc": lambda problem: problem.gamma > 0 and problem.K_max <= 1,
    "sdca": lambda problem: True,
    "cocoa": lambda problem: True,
}
CLAIMS = {"aspdc": "aspdc.one-step.sharp", "sdca": "sdca.dual-monotone", "cocoa": "cocoa.monotone"}


def point(run):
    """The problem, w and alpha of a drawn pair."""
    return exact_problem(run), list(run.extra.w), list(run.alpha)


def check(run, claim, *relations):
    """The relations hold on the run; they are instances of the claim."""
    holds(run, relations, claim)


@examples(1)
@given(run=pairs())
def test_weak_duality_and_the_gap_as_a_sum_of_nonnegative_terms(run):
    problem, w, alpha = point(run)
    P, D = problem.P(w), problem.D(alpha)
    rows, rest = problem.residuals(w, alpha), problem.regularizer.residual(w, problem.minus_u(alpha))
    check(run, "aspdc.weak-duality", Le(D, P, "D(alpha) <= P(w)"))
    check(run, "aspdc.weak-duality", *(Le(ZERO, term, "every term >= 0") for term in (*rows, rest)))
    total = sum(rows, ZERO) / problem.n + rest
    check(run, "aspdc.weak-duality", Eq(P - D, total, "P(w) - D(alpha) = the sum of the terms"))


@examples(1)
@given(run=pairs())
def test_w_of_alpha_is_the_best_w_and_the_derivatives_are_the_best_alpha(run):
    problem, w, alpha = point(run)
    P, D, f = problem.P(w), problem.D(alpha), problem.f
    response = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
    check(run, "aspdc.lemma-1", Eq(f(problem.w(alpha), alpha), D, "f(w(alpha), alpha) = D(alpha)"))
    check(run, "aspdc.lemma-1", Le(D, f(w, alpha), "D(alpha) <= f(w, alpha)"))
    check(run, "aspdc.lemma-1", Eq(f(w, response), P, "f(w, phi'(Xw)) = P(w)"))
    check(run, "aspdc.lemma-1", Le(f(w, alpha), P, "f(w, alpha) <= P(w)"))


@examples(1 / 2)
@given(run=pairs(RATIONAL_SMOOTH, optimum=True))
def test_the_gap_is_0_at_the_optimum_alone_and_bounds_both_distances(run):
    problem, w, alpha = point(run)
    best, gap = exact_optimum(problem), problem.gap(w, alpha)
    w_star, P_star = problem.w(best), problem.P(problem.w(best))
    check(run, None, Eq(problem.gap(w_star, best), ZERO, "gap = 0 at the optimum"), Eq(problem.D(best), P_star, "D*"))
    check(run, None, Eq(gap == 0, (w, alpha) == (w_star, best), "gap = 0 at the optimum alone"))
    distances = problem.P(w) - P_star, P_star - problem.D(alpha)
    check(run, "aspdc.weak-duality", *(Le(distance, gap, "P(w) - P*, D* - D <= gap") for distance in distances))


@pytest.mark.parametrize("name", MONOTONE)
@examples(1)
@given(data=st.data())
def test_along_a_run_w_is_w_of_alpha_and_D_never_decreases(name, data, pair):
    run = data.draw(runs(name, max_steps=6, exact=True), label="run")
    problem, method = exact_problem(run), pair.reference(run)
    state = begun(method, problem, run)
    for t, i in enumerate([None, *run.path]):
        before, state = method.view(problem, state)[1], state if i is None else method.step(problem, state, i)
        w, alpha = method.view(problem, state)
        check(run, None, Eq(tuple(w), tuple(problem.w(alpha)), f"w = w(alpha) after step {t}"))
        inside = all(map(problem.loss.in_domain, alpha, problem.y))
        check(run, None, Eq(inside, True, f"alpha in the domain after step {t}"))
        if MONOTONE[name](problem):
            check(run, CLAIMS[name], Le(problem.D(before), problem.D(alpha), f"D after step {t}"))


@pytest.mark.parametrize("name", FLOATS)
@examples(1 / 10)
@given(data=st.data())
def test_a_certificate_of_floats_bounds_the_distance_to_the_exact_optimum(name, data, pair):
    run = data.draw(runs(name, RATIONAL_SMOOTH), label="run")
    problem, method = float_problem(run), pair.fast(run, any_form=True)
    state = begun(method, problem, run)
    method.advance(problem, state, list(run.path))
    w, alpha = method.view(problem, state)
    if not all(map(problem.loss.in_domain, alpha, problem.y)):
        return
    certificate = Certificate(problem, w, alpha)
    rows, parts = [list(row) for row in problem.rows], (problem.y, problem.loss, problem.regularizer)
    exact = Problem(rows, *parts, number=Fraction, d=problem.d)  # of the floats, which are rationals
    P_star = exact.P(exact.w(exact_optimum(exact)))
    distance = exact.P([Fraction(float(w_j)) for w_j in w]) - P_star
    check(run, None, Le(distance, Fraction(certificate.gap_bound), "P(w) - min P <= gap_bound"))
