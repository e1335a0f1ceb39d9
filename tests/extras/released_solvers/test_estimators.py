"""Released solvers: the judge itself on planted solvers, the drivers that can run here, and the examples that
are kept.
"""

import json
import pathlib
import random
import subprocess
import zipfile
from fractions import Fraction

import numpy as np
import pytest
from support import by_day, command, printed, refusal

from dualgap.extras.released_solvers import environments, life, replay
from dualgap.extras.released_solvers.audit import (
    Fit,
    judge,
    most,
    rows_of_findings,
    select,
    shrink,
    witness,
    write_examples,
)
from dualgap.extras.released_solvers.compare import compared
from dualgap.extras.released_solvers.environments import ENVIRONMENTS, Environment, environment
from dualgap.extras.released_solvers.problems import Draft, drafts
from dualgap.extras.released_solvers.promises import CLAIMS, Held
from dualgap.extras.released_solvers.table import RELEASED, Released, released
from dualgap.fast import solve
from dualgap.proofs_checks.conformance.solvers.command_solver import CommandSolver
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.proofs_checks.engines.optimum import exact_optimum


def planted(loss="squared", claims=("gap",), tol=1e-3, net=False):
    return Released("a test", "none", "none", loss, net, tol, "a test", tuple(claims))


def optimum(instance):
    """w* and P(w*) over Fractions."""
    problem = instance.problem()
    w = problem.w(exact_optimum(problem))
    return problem, w, problem.P(w)


def suboptimal_by(share):
    """Answers whose P(w) - min P is ``share`` of the tolerance except for 2^-60, as near as bisection in Fractions
    comes from below.
    """

    def ask(instance, seed):
        problem, best, least = optimum(instance)
        away, (low, high) = [w + 1 for w in best], (Fraction(0), Fraction(1))
        due = Fraction(1e-3) * share
        if problem.P(away) - least <= due:
            return Fit(tuple(away), True, {})
        for _ in range(60):
            half = (low + high) / 2
            w = [a + half * (b - a) for a, b in zip(best, away)]
            low, high = (half, high) if problem.P(w) - least <= due else (low, half)
        return Fit(tuple(a + low * (b - a) for a, b in zip(best, away)), True, {})

    return ask


def zero(instance, seed):
    return Fit((Fraction(0),) * len(instance.rows[0]), True, {})


@pytest.mark.parametrize("loss", by_day(["squared", "squared-hinge", "hinge"], "hinge"))
def test_a_claim_that_is_true_to_the_last_digit_is_never_called_false_and_one_that_lies_by_a_hundredth_is_caught(loss):
    solver, caught = planted(loss), 0
    for draft in drafts(25, margin=solver.margin):
        assert judge(solver, suboptimal_by(Fraction(1)), draft).claims["gap"][1] == "true"
        found = judge(solver, suboptimal_by(Fraction(101, 100)), draft)
        problem, _, least = optimum(found.instance)
        lies = problem.P(list(found.fit.w)) - least > Fraction(1e-3) * Fraction(1009, 1000)
        assert found.claims["gap"][1] == ("false" if lies else "true")
        caught += lies
    assert caught >= 20


def test_a_printed_gap_that_bounds_is_true_and_ninety_nine_hundredths_of_it_false():
    """The pair's own gap, exactly: at w(alpha) of the optimum's half, where P(w) - min P is not far below it for one
    row.
    """
    draft = Draft(((Fraction(1),), (Fraction(2),)), (Fraction(1), Fraction(-1)), Fraction(1, 4))

    def saying(share):
        def ask(instance, seed):
            problem, best, least = optimum(instance)
            w = [3 * b + 1 for b in best]
            return Fit(tuple(w), True, {"dual_gap_": (problem.P(w) - least) * share})

        return ask

    solver = planted(claims=("printed gap", "printed sign"))
    for share, verdicts in ((1, ["true", "true"]), (Fraction(99, 100), ["false", "true"]), (-1, ["false", "false"])):
        assert [verdict for _, verdict in judge(solver, saying(share), draft).claims.values()] == verdicts


def test_the_logistic_loss_is_enclosed_true_claims_pass_and_false_ones_are_caught():
    for draft in drafts(6):

        def ask(instance, seed, factor=1.0):
            w = factor * solve(instance.problem(float), "sdca", tol=1e-9, max_epochs=20_000).w
            return Fit(tuple(map(Fraction, w.tolist())), True, {})

        solver = planted("logistic", ("gap", "slope"), tol=1e-3)
        assert {verdict for _, verdict in judge(solver, ask, draft).claims.values()} == {"true"}
        far = judge(solver, lambda instance, seed: ask(instance, seed, 3.0), draft)
        assert far.claims["gap"][1] == ("false" if far.claims["gap"][0].low > Fraction(1e-3) else "true")


def logistic_sizes(instance):
    """P(w) and max_j |dP/dw_j| as functions of w, in doubles from the formula itself."""
    X, y, lam = np.array(instance.rows, dtype=float), np.array(instance.y, dtype=float), float(instance.lam)

    def P(w):
        return np.logaddexp(0.0, -y * (X @ w)).mean() + lam / 2 * w @ w

    def slope(w):
        return abs(X.T @ (-y / (1 + np.exp(y * (X @ w)))) / len(y) + lam * w).max()

    return P, slope


def largest_below(size, best, due):
    """w on the way from ``best`` to best + 1 with size(w) <= due, as near to it as 60 halvings come."""
    low, high = 0.0, 1.0
    for _ in range(60):
        half = (low + high) / 2
        low, high = (half, high) if size(best + half) <= due else (low, half)
    return best + low


@pytest.mark.parametrize("claim", ["gap", "slope"])
def test_a_logistic_claim_that_is_true_to_ten_digits_is_called_true_and_one_that_lies_by_a_hundredth_is_caught(claim):
    """The doubles' own error, below 1e-15, is less than 1e-12 of the tolerance."""
    solver, caught = planted("logistic", (claim,)), 0
    for draft in drafts(25):
        instance = draft.instance("logistic", False)
        best = np.array(witness(instance.rows, instance.y, instance.lam, instance.l1, "logistic", None)[0], dtype=float)
        P, slope = logistic_sizes(instance)
        size = (lambda w, P=P, best=best: P(w) - P(best)) if claim == "gap" else slope
        for share, lies in ((1 - 1e-10, False), (1.01, True)):
            w = largest_below(size, best, 1e-3 * share)
            lies = lies and size(w) > 1e-3 * 1.009
            verdict = judge(
                solver, lambda instance, seed, w=w: Fit(tuple(map(Fraction, w.tolist())), True, {}), draft
            ).claims[claim][1]
            assert verdict == ("false" if lies else "true")
            caught += lies
    assert caught >= 20


@pytest.mark.parametrize("loss", ["squared", "squared-hinge"])
def test_claims_about_derivatives_are_those_of_differences(loss):
    """The slope of P along e_j by a symmetric difference is exact for a quadratic piece; here it is at most h
    lam off.
    """
    draft = next(d for d in drafts(30, margin=loss != "squared") if len(d.rows[0]) > 1)
    found = judge(
        planted(loss, ("slope",)),
        lambda instance, seed: Fit(tuple(Fraction(k + 1, 7) for k in range(len(instance.rows[0]))), True, {}),
        draft,
    )
    problem, w, h = found.instance.problem(), list(found.fit.w), Fraction(1, 10**9)
    slopes = []
    for j in range(len(w)):
        up, down = ([x + s * h * (k == j) for k, x in enumerate(w)] for s in (1, -1))
        slopes.append(abs((problem.P(up) - problem.P(down)) / (2 * h)))
    assert abs(found.claims["slope"][0].low - max(slopes)) < Fraction(1, 10**6)


def test_liblinears_stopping_quantities_imply_the_gaps_that_are_held_against_them():
    """At random dual points: |projected gradient| <= v everywhere implies P(w) - D <= v (hinge) and v^2 (squared
    hinge).
    """
    draw = random.Random(0)
    for loss, power in (("hinge", 1), ("squared-hinge", 2)):
        for draft in drafts(60):
            instance = draft.instance(loss, False)
            problem, n = instance.problem(), len(draft.rows)
            C = 1 / (instance.lam * n)
            a = [C * Fraction(draw.randrange(0, 9), 8) for _ in range(n)]  # liblinear's alpha
            alpha = [-y * a_i / (C * 1) for y, a_i in zip(draft.y, a)]  # ours: -y a lam n
            w = problem.w(alpha)
            worst = Fraction(0)
            for row, y, a_i in zip(problem.rows, draft.y, a):
                G = y * problem.dot(row, w) - 1 + (a_i / (2 * C) if power == 2 else 0)
                worst = max(worst, abs(min(G, 0) if a_i == 0 else max(G, 0) if a_i == C and power == 1 else G))
            assert certificate(problem, alpha, w).gap <= worst**power


def test_who_does_not_say_that_it_has_converged_claims_nothing():
    found = judge(
        planted(), lambda instance, seed: zero(instance, seed)._replace(converged=False), next(drafts(1, margin=False))
    )
    assert found.claims == {} and found.far[0] > 0
    refused = judge(planted(), lambda instance, seed: Fit((), False, {}, "no step"), next(drafts(1, margin=False)))
    assert refused.claims == {} and refused.fit.refused == "no step"


def test_a_verdict_decides_only_what_it_can():
    one, two, three = Fraction(1), Fraction(2), Fraction(3)
    zero = Fraction(0)
    sides = ((one, one, two, zero), (three, three, two, zero), (three, three, two, one), (one, three, two, zero))
    assert [Held(*four).verdict() for four in sides] == ["true", "false", "true", "undecided"]


def test_no_claim_speaks_of_our_yardstick():
    assert not any("yardstick" in claim.words for claim in CLAIMS.values())
    assert all(set(solver.claims) <= set(CLAIMS) for solver in RELEASED.values())
    assert all(
        solver.claims == ()
        for solver in RELEASED.values()
        if solver.converged.startswith(("names no quantity", "a change"))
    )


def test_shrinking_keeps_the_claim_false_and_both_labels():
    solver = planted("squared-hinge")
    found = next(
        f
        for f in (judge(solver, zero, draft) for draft in drafts(20))
        if f.claims["gap"][1] == "false" and len(f.draft.rows) > 3
    )
    smallest = shrink(solver, zero, found, "gap")
    assert smallest.claims["gap"][1] == "false" and len(smallest.draft.rows) == 2 and len(set(smallest.draft.y)) == 2
    assert len(smallest.draft.rows[0]) == 1 and set(map(abs, smallest.draft.rows[0])) <= {Fraction(0), Fraction(1)}


@pytest.mark.parametrize("name", RELEASED)
def test_the_objective_is_the_one_that_is_judged(name):
    """With a small tolerance, its answer for lam is better for lam than its answers for lam/2 and 2 lam; SGD has
    none: for 16 lam.
    """
    solver = RELEASED[name]
    home = environment(solver.environment)
    if home.missing:
        pytest.skip(home.missing)
    draw = np.random.default_rng(0)
    rows = tuple(tuple(Fraction(int(x), 8) for x in row) for row in draw.integers(-16, 17, (16, 3)))
    y = tuple(Fraction(1 if k % 3 else -1) if solver.margin else Fraction(k % 5 - 2) for k in range(16))
    instance = Draft(rows, y, Fraction(4) if not solver.net else Fraction(1, 4)).instance(solver.loss, solver.net)
    problem, rough = instance.problem(float), name.startswith("SGD")
    X, gamma = np.array(rows, dtype=float), None if instance.gamma is None else 1.0

    def primal(factor):
        tol = None if rough or not solver.tol else 1e-10
        lam, l1 = factor * float(instance.lam), float(instance.l1)
        w, _, _ = program(X, np.array(y, dtype=float), loss=solver.loss, lam=lam, l1=l1, gamma=gamma, tol=tol, seed=0)
        return float(problem.P(w.tolist()))

    with CommandSolver(home.command(solver.setting), home.seconds) as program:
        right = primal(1.0)
        assert all(right < primal(factor) for factor in ((16.0,) if rough else (0.5, 2.0))), (
            "the answer for another lam is better for lam"
        )


def test_an_environment_says_how_it_is_made(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert environments.folder() == tmp_path / "dualgap" / "estimators"
    assert environment("celer").missing == "not installed: dualgap estimators install celer"
    assert all(one.driver and (environments.DRIVERS / one.driver).exists() for one in ENVIRONMENTS)
    assert all("==" in requirement for one in ENVIRONMENTS for requirement in one.requirements)
    assert {one.environment for one in RELEASED.values()} <= {one.name for one in ENVIRONMENTS}
    assert "celer" in printed(capsys, "estimators", "install")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("install", "nothing"), "unknown environment 'nothing'"),
        (("install", "debian"), "apt install liblinear-tools"),
        (("install", "debian==3.0"), "in the version that Debian has"),
        (("SVC",), "unknown estimator 'SVC'"),
        (("celer", "--count", "0"), "--count must be > 0"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(words, said, capsys):
    assert said in refusal(capsys, "estimators", *words)


def wheel(folder, version):
    """A package of one module, as pip takes it."""
    path = folder / f"dualgap_planted-{version}-py3-none-any.whl"
    info = f"dualgap_planted-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("dualgap_planted.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: dualgap-planted\nVersion: {version}\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return str(path)


@pytest.mark.nightly
def test_an_environment_is_made_afresh_and_counts_only_when_pip_came_to_its_end(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    first, second = (Environment("planted", (wheel(tmp_path, version),), constraints=()) for version in ("1.0", "2.0"))
    assert first.missing == "not installed: dualgap estimators install planted"
    first.install()
    assert first.missing == "" and second.missing == "installed with other versions: dualgap estimators install planted"
    asked = [str(first.python), "-c", "import dualgap_planted; print(dualgap_planted.VERSION)"]
    assert subprocess.run(asked, capture_output=True, text=True).stdout == "1.0\n"
    with pytest.raises(ValueError, match="ERROR: No matching distribution found for dualgap-no-such-package"):
        Environment("planted", ("dualgap-no-such-package==1.0",), constraints=()).install()
    assert first.missing == "not installed: dualgap estimators install planted"


def test_what_is_not_installed_is_skipped_with_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told = printed(capsys, "estimators", "celer.ElasticNet", "--count", "2", "--out", str(tmp_path / "out"))
    assert "dualgap estimators install celer" in told
    assert json.loads((tmp_path / "out" / "estimators.json").read_text())["rows"][0]["skipped"]


def test_names_and_environments_select():
    assert select(["celer"]) == ["celer.ElasticNet"] and select([]) == list(RELEASED)
    assert select(["celer==0.7.3", "ElasticNet==1.6.1"]) == ["celer.ElasticNet==0.7.3", "ElasticNet==1.6.1"]
    older = released("celer.ElasticNet==0.7.3")
    assert older.name == "celer.ElasticNet" and environment(older.environment).requirements == ("celer==0.7.3",)


def test_a_row_counts_claims_and_keeps_the_smallest_example(tmp_path):
    row = rows_of_findings(planted(), zero, 12, 1)
    write_examples(row, tmp_path)
    (claim,) = row["claims"]
    assert row["converged"] == 12 == claim["true"] + claim["false"] + claim["undecided"] and claim["false"] >= 6
    assert claim["seeds"] == [20, 20] and pathlib.Path(claim["replay"]).exists() and row["far"]["largest"] > 1e-3
    assert most(planted("logistic")) == 100 and most(planted()) == 300


def test_two_reports_are_compared(tmp_path, capsys):
    def report(version, false):
        row = {"name": "a", "skipped": "", "version": version, "asked": 9, "converged": 9, "refused": 0}
        return {"rows": [{**row, "far": {"median": false / 7}, "claims": [{"claim": "gap", "false": false}]}]}

    paths = [tmp_path / name for name in ("old.json", "new.json", "other.json")]
    for path, content in zip(paths, (report("1", 3), report("2", 0), {"rows": [1]})):
        path.write_text(json.dumps(content))
    assert printed(capsys, "estimators", "--compare", *map(str, paths[:2])).splitlines() == [
        "a: version 1 -> 2",
        f"a, distance: median {3 / 7} -> 0.0",
        "a, gap: false 3 -> 0",
    ]
    assert printed(capsys, "estimators", "--compare", str(paths[0]), str(paths[0])) == "no difference\n"
    assert refusal(capsys, "estimators", "--compare", str(paths[0]), str(paths[2]))
    assert compared({"rows": []}, report("1", 0)) == ["a: only in the new report"]


def test_the_bounds_on_problems_from_life_enclose_the_distance():
    pytest.importorskip("sklearn", reason="breast_cancer comes with scikit-learn")
    number = next(k for k, one in enumerate(life.PROBLEMS) if one.name == "n < d")
    problem, alpha, gap = life.witness(number, "squared", False)
    low, high = life.distance(problem, np.zeros(problem.d), alpha, gap)
    assert 0 < low <= high and high - low < 1e-6
    assert life.distance(problem, np.array(problem.w(alpha.tolist())), alpha, gap)[0] <= 1e-9


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda record: record["w"][0].update(exact="1"), 1),
        (lambda record: record["bracket"]["low"].update(exact="1/3"), 1),
        (lambda record: record.update(claim="another"), 2),
        (lambda record: record.pop("witness"), 2),
    ],
)
def test_a_changed_file_is_noticed(change, status, tmp_path, capsys):
    solver = planted()
    found = next(
        f for f in (judge(solver, zero, draft) for draft in drafts(9, margin=False)) if f.claims["gap"][1] == "false"
    )
    path = replay.write(tmp_path, replay.to_json(solver, found, "gap"))
    record, held, verdict, same = replay.replay(path)
    assert (held, verdict, same) == (found.claims["gap"][0], "false", True)
    change(record)
    path.write_text(json.dumps(record))
    assert command(capsys, "replay", str(path))[0] == status
