"""Estimators of scikit-learn and lightning as solvers to check: each passes, and one with another lam fails."""

from dataclasses import replace

import pytest
from support import refuses

from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks, solver_checks
from dualgap.proofs_checks.conformance.solvers.sklearn_solvers import ELASTIC_NET, LINEAR_SVC, SOLVERS, ready


@parametrize_with_checks(ready())
def test_an_estimator_that_is_installed_passes(solver, check):
    check(solver)


def test_the_ready_estimators_are_the_five_that_the_guide_names():
    names = [solver.name for solver in SOLVERS]
    assert names == ["LinearSVC", "LogisticRegression", "Ridge", "ElasticNet", "SDCAClassifier"]


@pytest.mark.skipif(not ELASTIC_NET.installed, reason="scikit-learn is not installed")
@pytest.mark.parametrize("solver", [LINEAR_SVC, ELASTIC_NET], ids=lambda solver: solver.name)
def test_an_estimator_whose_strength_is_misread_does_not(solver):
    """The control: lam doubled, as by a factor 1/2 that one library has and another has not."""
    wrong = replace(solver, fit=lambda task: solver.fit(task._replace(lam=2 * task.lam)))
    gap = next(c for c in solver_checks(wrong, losses=[solver.losses[-1]]) if c.kind == "the_gap_is_what_was_asked_for")
    refuses(AssertionError, "the gap is", gap, wrong)
