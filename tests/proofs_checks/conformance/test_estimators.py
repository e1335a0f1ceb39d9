"""Other people's convergence, judged exactly: the judge itself, the adapters, and the examples that are kept."""

import json
import pathlib
from dataclasses import replace
from fractions import Fraction

import pytest

from dualgap import proofs_checks
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.solvers import convergence_audit
from dualgap.proofs_checks.conformance.solvers.convergence_audit import (
    Bracket,
    audit_estimators,
    drafts,
    judge,
    replay,
    shrink,
    write,
)
from dualgap.proofs_checks.conformance.solvers.sklearn_objectives import ESTIMATORS, OURS, Estimator, Fit, _of_zero
from dualgap.proofs_checks.engines.optimum import exact_optimum

KEPT = sorted((pathlib.Path(proofs_checks.__path__[0]) / "vectors" / "solvers").glob("*.json"))


def estimator(fit, loss="squared", **changes):
    return Estimator("a test", "json", loss, fit, 1e-4, OURS, _of_zero, **changes)


def optimal(rows, y, strength):
    problem = estimator(None).instance(rows, y, strength).problem()
    return Fit(tuple(problem.w(exact_optimum(problem))), True)


def zero(rows, y, strength):
    return Fit((Fraction(0),) * len(rows[0]), True)


def test_the_optimum_is_true_everywhere_and_zero_false_where_it_is_not_optimal():
    for draft in drafts(20, margin=False):
        assert judge(estimator(optimal), draft).verdict == "true"
        found = judge(estimator(zero), draft)
        best = found.instance.problem().P(list(found.witness[0]))
        start = found.instance.problem().P([Fraction(0)] * len(draft.rows[0]))
        assert found.verdict == ("false" if start - best > Fraction(1e-4) * start else "true")


def test_the_bracket_holds_the_truth_and_decides_only_what_it_can():
    assert Bracket(Fraction(1), Fraction(1), Fraction(2)).verdict() == "true"
    assert Bracket(Fraction(3), Fraction(3), Fraction(2)).verdict() == "false"
    assert Bracket(Fraction(1), Fraction(3), Fraction(2)).verdict() == "undecided"
    for loss in ("hinge", "logistic"):  # the witness is a solver's: the bracket has a width
        found = judge(estimator(zero, loss), next(drafts(1))).bracket
        assert found.below <= found.above and found.above - found.below < Fraction(1, 10**6)


def test_who_warns_or_refuses_claims_nothing():
    def warns(rows, y, strength):
        return replace(zero(rows, y, strength), converged=False)

    def refuses(rows, y, strength):
        raise ZeroDivisionError("no step")

    draft = next(drafts(1, margin=False))
    assert judge(estimator(warns), draft).verdict == "not claimed"
    refused = judge(estimator(refuses), draft)
    assert refused.verdict == "refused" and refused.fit.refused == "ZeroDivisionError: no step"


def test_shrinking_keeps_the_convergence_false_and_both_labels():
    wrong = estimator(zero, "squared-hinge")
    found = next(f for f in map(lambda draft: judge(wrong, draft), drafts(20)) if f.verdict == "false" and len(f.draft.rows) > 3)
    smallest = shrink(wrong, found)
    assert smallest.verdict == "false" and len(smallest.draft.rows) == 2 and len(set(smallest.draft.y)) == 2
    assert len(smallest.draft.rows[0]) == 1


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_adapter_that_can_run_gives_a_verdict(name):
    pytest.importorskip(ESTIMATORS[name].module)
    row = audit_estimators([name], count=4)["rows"][0]
    assert sum(row[verdict.replace(" ", "_")] for verdict in convergence_audit.VERDICTS) == 4


@pytest.mark.parametrize("name", ["Ridge(solver=auto)", "ElasticNet", "LogisticRegression(solver=liblinear)", "LinearSVC(loss=squared_hinge)"])
def test_the_problem_judged_is_the_problem_given(name):
    """On well-conditioned problems these reach their tolerance; with lam misread by half, none of them seems to."""
    right = ESTIMATORS[name]
    pytest.importorskip(right.module)
    wrong = replace(right, penalty=lambda s, n: tuple(value / 2 for value in right.penalty(s, n)))
    large = [draft for draft in drafts(40, margin=right.loss != "squared") if draft.strength >= 1][:6]
    assert {judge(right, draft).verdict for draft in large} == {"true"}
    assert {judge(wrong, draft).verdict for draft in large} >= {"false"}


def test_an_unknown_estimator_is_refused():
    with pytest.raises(ValueError, match="unknown estimator 'SVC'"):
        audit_estimators(["SVC"])


# -- replay files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_example_is_still_false_number_by_number(path, capsys):
    assert cli.main(["replay", str(path)]) == 0
    assert "FALSE: another point is better" in capsys.readouterr().out


def test_examples_are_kept_for_both_libraries():
    names = " ".join(path.stem for path in KEPT)
    assert "linearsvc" in names and "sdcaclassifier" in names


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda record: record["w"][0].update(exact="1"), 1),
        (lambda record: record["bracket"]["below"].update(exact="1/3"), 1),
        (lambda record: record.update(estimator="another"), 2),
        (lambda record: record.pop("witness"), 2),
    ],
)
def test_a_changed_file_is_noticed(change, status, tmp_path, capsys):
    name = "Ridge(solver=sag)"
    found = judge(replace(ESTIMATORS[name], fit=zero), next(drafts(1, margin=False)))
    path = write(tmp_path, ESTIMATORS[name], found)
    record, again, verdict, same = replay(path)
    assert (again, verdict, same) == (found.bracket, "false", True)
    change(record)
    path.write_text(json.dumps(record))
    assert cli.main(["replay", str(path)]) == status
    capsys.readouterr()
