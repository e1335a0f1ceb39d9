"""Traps that published code has fallen into, each closed for good: a reader that drops labels, and |gap| instead
of the gap.

The momentum from the wrong point, the capped inner loop, R without its square and the dropped label in a gradient are
named mutants of the baselines (``dualgap audit baselines``).
"""

from fractions import Fraction

import numpy as np
import pytest
from support import refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.data.libsvm import read_libsvm
from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import L2, Hinge, Problem, SmoothedHinge
from dualgap.reference.methods.sdca import SDCA

LABEL_SETS = {"{0, 1}": (0, 1), "{1, 2}": (1, 2), "{-1, 0, 1}": (-1, 0, 1), "{2}": (2,), "{3, 7}": (3, 7)}


def text_of(labels):
    """Six rows, each of norm 1, the labels in turn."""
    return "".join(f"{labels[i % len(labels)]} {i + 1}:1\n" for i in range(6))


def read(tmp_path, labels):
    path = tmp_path / "data.txt"
    path.write_text(text_of(labels))
    return path, *read_libsvm(path)


@pytest.mark.parametrize("labels", LABEL_SETS.values(), ids=LABEL_SETS)
def test_no_row_is_dropped_or_merged_whatever_the_labels_and_each_is_kept_as_it_stands(labels, tmp_path):
    _, X, y = read(tmp_path, labels)
    assert y.tolist() == [labels[i % len(labels)] for i in range(6)]
    assert X.toarray().tolist() == np.eye(6).tolist()


@pytest.mark.parametrize("labels", LABEL_SETS.values(), ids=LABEL_SETS)
def test_labels_that_no_one_has_mapped_are_refused_by_name_for_every_margin_loss(labels, tmp_path):
    _, X, y = read(tmp_path, labels)
    for loss in (Hinge(), SmoothedHinge()):
        with pytest.raises(ValueError, match=r"needs labels -1 and \+1, but y\[\d\] = .*found .*--positive") as refusal:
            Problem(X, y, loss, L2(1))
        assert all(str(float(label)) in str(refusal.value) for label in labels)


class OneLabel(SDCA):
    """SDCA behind a reader that has lost the labels -1."""

    def advance(self, problem, state, choice):
        labels, problem.y = problem.y, [problem.zero + 1] * problem.n
        try:
            super().advance(problem, state, choice)
        finally:
            problem.y = labels


SQUARED = Instance(rows=(Qs(1, 0), Qs("1/2", 1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(1, 2), method="sdca")
HINGE = SQUARED.but(loss="smoothed-hinge", gamma=Q(1), y=Qs(-1, -1))


@pytest.mark.parametrize(
    ("problem", "status", "word"), [(SQUARED, "REFUTED", ""), (HINGE, "ERROR", "outside the domain")]
)
def test_an_audit_catches_a_solver_whose_labels_were_lost(problem, status, word):
    """Squared loss: steps lower the dual. Hinge-type losses: they leave the domain of the dual."""
    wrong, right = (
        audit(["sdca.dual-monotone"], size="quick", entropy=1, method=solver, problems=[problem])["claims"][0]
        for solver in (OneLabel(), SDCA())
    )
    assert wrong["status"] == status and word in wrong["error"]
    assert (right["status"], right["violations"]) == ("HOLDS", 0)


def naive_gap(problem, w, alpha):
    """P - D with the formula of D extended beyond the domain: what the absolute value is put around."""
    conjugates = sum(y * a for y, a in zip(problem.y, alpha))  # hinge
    v = np.array(problem.v(list(alpha)))
    return problem.P(list(w)) + conjugates / problem.n + float(problem.regularizer.lam) / 2 * float(v @ v)


PROBLEM = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
OUTSIDE = [-1.5, 1.5]  # b = 3/2


def test_outside_the_domain_the_naive_gap_is_negative_and_its_absolute_value_looks_like_a_gap():
    result = solve(PROBLEM, "sdca", tol=1e-12)
    gap = naive_gap(PROBLEM, result.w, OUTSIDE)
    assert gap < 0 < abs(gap)
    # P - D: off by no more than the certificate allows for that difference
    assert abs(naive_gap(PROBLEM, result.w, result.alpha) - result.gap) <= result.certificate.rounding


@pytest.mark.parametrize(
    "certify",
    [lambda w, a: Certificate(PROBLEM, w, a), lambda w, a: certificate(PROBLEM, a, w), lambda w, a: PROBLEM.gap(w, a)],
)
def test_a_pair_outside_the_domain_has_no_certificate_and_no_gap(certify):
    refuses(ValueError, "outside the domain", lambda: certify(np.zeros(2), OUTSIDE))


def test_a_pair_of_another_problem_gets_the_gap_that_it_has_here_never_less():
    """w and alpha of a run with another lam, or of two runs: P - P* <= gap and D* - D <= gap all the same, exactly."""
    strong = PROBLEM.with_regularizer(L2(4.0))
    optimum = certificate(PROBLEM, solve(PROBLEM, "sdca", tol=0, max_epochs=300).alpha)
    other = solve(strong, "sdca", tol=1e-12)
    for w, alpha in (
        (other.w, other.alpha),
        (other.w, [-0.25, 0.75]),
        (-other.w, other.alpha),
        (np.zeros(2), [0.0, 1.0]),
    ):
        found = Certificate(PROBLEM, w, alpha)
        exact = certificate(PROBLEM, alpha, w)
        assert exact.gap >= max(exact.primal - optimum.primal, optimum.dual - exact.dual, Fraction(0))
        assert found.gap > 0 and abs(Fraction(found.gap) - exact.gap) <= Fraction(found.rounding)


def test_a_method_that_reports_a_wrong_dual_value_cannot_converge(monkeypatch):
    """D too large by 1, so that P - D < 0: raised as a mistake, not turned into |P - D|."""
    from dualgap.fast.problem.objective import Objective

    right = Objective.D_from
    monkeypatch.setattr(Objective, "D_from", lambda self, *given: right(self, *given) + 1.0)
    refuses(ArithmeticError, "mistake in dualgap", solve, PROBLEM, "sdca", tol=2.0)
