"""Certified optima: a bracket of min P that can be certified again from its files, and is refused when they were
changed.
"""

import json
import shlex

import numpy as np
import pytest
from support import answer, command, refuses

from dualgap.fast.problem.certificate import Certificate
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, spell_given
from dualgap.proofs_checks.experiments import optima
from dualgap.proofs_checks.experiments.optima import Setting, checksum, kept_in, optimum
from dualgap.proofs_checks.report.terminal import Refused

HINGE = Setting("aspdc-synthetic:n=30,d=4", 1e-3)


@pytest.fixture
def found(tmp_path, monkeypatch):
    """An optimum that was computed and kept in the working folder."""
    monkeypatch.chdir(tmp_path)
    with kept_in(tmp_path):
        return optimum(HINGE)


def stored(folder):
    """The records of the folder."""
    return json.loads((folder / "optima.json").read_text(encoding="utf-8"))["optima"]


def again(folder, setting=HINGE):
    with kept_in(folder):
        return optimum(setting)


@pytest.mark.parametrize("loss", ["squared", "smoothed-hinge", "logistic"])
def test_the_bracket_holds_the_minimum_and_is_as_narrow_as_a_figure_needs(loss):
    # Two equal rows with opposite labels: by symmetry (or by P'(0) = 0) w = 0 is the minimizer, and min P is phi(0).
    one = optimum(Setting("equal-rows:n=2", 0.1, loss))
    phi = {"squared": 0.5, "smoothed-hinge": 0.5, "logistic": float(np.log(2))}[loss]
    assert one.lower <= phi + one.record["rounding"] and phi <= one.certificate.primal + one.record["rounding"]
    assert one.record["relative"] <= optima.WIDTH
    assert one.certificate.gap / one.certificate.primal == one.record["relative"]


def test_ridge_regression_has_the_minimum_of_the_normal_equations():
    ridge = Setting("spdc-synthetic:n=30,d=5", 0.01, "squared")
    one, problem = optimum(ridge), ridge.problem()
    X, y = problem.X, np.array(problem.y)
    best = np.linalg.solve(X.T @ X / len(y) + 0.01 * np.eye(X.shape[1]), X.T @ y / len(y))
    P = ((X @ best - y) ** 2).mean() / 2 + 0.005 * best @ best
    # P has no slope at its minimizer, so that the error of the solution, of size eps * condition, enters squared.
    assert abs(P - one.lower) <= one.certificate.gap + 1e-14 * P


def test_the_record_names_what_it_is_of_and_its_numbers_are_those_of_the_stored_pair(found, tmp_path):
    (record,) = stored(tmp_path)
    assert record == found.record
    assert (record["data"], record["n"], record["d"], record["method"]) == (HINGE.data, 30, 5, "spdc")
    assert record["preparation"][-2:] == ["a constant 1 added as the first column", "rows scaled to Euclidean norm 1"]
    assert (decode(record["lam"]), record["lam"]) == (1e-3, spell_given(1e-3))
    pair = Certificate(HINGE.problem(), *(np.load(tmp_path / record[name]) for name in ("w", "alpha")))
    assert [record[name] for name in ("primal", "dual", "gap")] == [
        spell_given(x) for x in (pair.primal, pair.dual, pair.gap)
    ]


def test_the_command_of_the_record_certifies_the_pair_exactly(found, capsys):
    exact = answer(capsys, *shlex.split(found.record["audit"])[1:], "--tol", "1e-10", "--json")
    for name in ("primal", "dual", "gap"):
        assert abs(float(exact[name]["decimal"]) - decode(found.record[name])) <= found.record["rounding"]


def test_a_stored_optimum_is_certified_again_and_not_computed_again(found, tmp_path, monkeypatch):
    monkeypatch.setattr(optima.Store, "compute", lambda *_: pytest.fail("computed again"))
    assert again(tmp_path).record == found.record
    assert again(tmp_path).certificate is not found.certificate


def test_a_certificate_of_compensated_sums_is_made_again_by_compensated_sums(found, tmp_path):
    pair = Certificate(HINGE.problem(), found.certificate.w, found.certificate.alpha, compensated=True)
    record = {
        **found.record,
        "compensated": True,
        **{name: spell_given(getattr(pair, name)) for name in ("primal", "dual", "gap")},
    }
    (tmp_path / "optima.json").write_text(json.dumps({"schema": 1, "optima": [record]}))
    assert again(tmp_path).certificate.compensated and not found.certificate.compensated


def test_another_lam_or_other_data_have_an_optimum_of_their_own(found, tmp_path):
    others = [
        Setting(HINGE.data, 1e-2),
        Setting("aspdc-synthetic:n=30,d=4,seed=1", 1e-3),
        Setting(HINGE.data, 1e-3, gamma=0.5),
        Setting(HINGE.data, 1e-3, bias=False),
    ]
    lowers = [again(tmp_path, setting).lower for setting in others]
    assert len(stored(tmp_path)) == 5 and len({found.lower, *lowers}) == 5
    assert [again(tmp_path, setting).lower for setting in (HINGE, *others)] == [found.lower, *lowers], (
        "none took the files of another"
    )


def last_bit(path):
    """The last bit of one alpha_i is flipped: the pair stays legal, and nearly as good."""
    alpha = np.load(path)
    i = int(np.argmax((alpha != 0) & (abs(alpha) < 1)))
    alpha[i] = np.nextafter(alpha[i], 0)
    np.save(path, alpha)


HARMS = {
    "last bit": last_bit,
    "worse": lambda path: np.save(path, np.load(path) / 2),
    "outside the domain": lambda path: np.save(path, np.load(path) + 2),
    "shorter": lambda path: np.save(path, np.load(path)[:-1]),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_pair_that_was_changed_is_refused(harm, found, tmp_path):
    HARMS[harm](tmp_path / found.record["alpha"])
    refuses(Refused, "do not give the optimum of optima.json: .* Delete optima.json", again, tmp_path)


@pytest.mark.parametrize("name", ["primal", "dual", "gap"])
def test_a_number_that_was_changed_is_refused(name, found, tmp_path):
    record = {**found.record, name: spell_given(np.nextafter(decode(found.record[name]), 1))}
    (tmp_path / "optima.json").write_text(json.dumps({"schema": 1, "optima": [record]}))
    refuses(Refused, f"{name} is {found.record[name].split()[0]}", again, tmp_path)


def test_a_file_that_is_no_list_of_optima_is_refused(found, tmp_path):
    (tmp_path / "optima.json").write_text("[")
    refuses(Refused, "is not a list of optima", again, tmp_path)


def test_the_checksum_knows_every_part_of_the_data():
    X, y = HINGE.problem().X, np.array(HINGE.problem().y)
    changed = X.copy()
    changed[3, 2] = np.nextafter(changed[3, 2], 0)
    sums = {checksum(X, y), checksum(X, -y), checksum(changed, y), checksum(X.reshape(15, -1), y)}
    assert len(sums) == 4 and checksum(X.copy(), y.copy()) in sums


def test_an_experiment_stops_in_one_line_at_an_optimum_that_was_changed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "reproduce aspdc-fig1 --json --set data=orthonormal:n=4 --set lams=0.5 --set repetitions=1 --set".split()
    assert command(capsys, *words, "passes=2")[0] == 0
    folder = tmp_path / "dualgap-reproduce/aspdc-fig1"
    HARMS["worse"](folder / stored(folder)[0]["alpha"])
    assert command(capsys, *words, "passes=2")[0] == 0, "all cells are there: nothing needs the optimum"
    status, _, err = command(capsys, *words, "passes=3")
    assert status == 2 and "do not give the optimum" in err.splitlines()[-1]
