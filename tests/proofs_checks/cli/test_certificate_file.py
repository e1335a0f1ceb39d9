"""``dualgap certify``: an exact gap for any (w, alpha) in two files."""

import json
import pathlib
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from support import command, refusal

from dualgap.certify import certify
from dualgap.fast.certify import certify as certifying
from dualgap.proofs_checks.cli.main import parser
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import L2, LOSSES, Hinge, Problem

PAIR = ("w.npy", "alpha.npy", "data.txt")
DATA = "1 1:0.5 2:-1\n-1 1:2\n1 2:0.25\n"
X = np.array([[0.5, -1.0], [2.0, 0.0], [0.0, 0.25]])
Y = np.array([1.0, -1.0, 1.0])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with data, w and alpha; alpha is inside the domain of the hinge."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text(DATA)
    np.save("w.npy", np.array([0.25, -0.125]))
    np.save("alpha.npy", np.array([-0.5, 1.0, -0.125]))
    return tmp_path


def run(capsys, *words, given=PAIR):
    return command(capsys, "certify", *given, *words)


def test_the_gap_is_the_exact_rational(files, capsys):
    status, out, _ = run(capsys, "--loss", "hinge", "--lam", "0.5", "--json")
    found = certificate(Problem(X, Y, Hinge(), L2(0.5)), [-0.5, 1.0, -0.125], [0.25, -0.125])
    facts = json.loads(out)
    assert status == 0 and {name: Fraction(facts[name]["exact"]) for name in ("primal", "dual", "gap")} == {
        "primal": found.primal,
        "dual": found.dual,
        "gap": found.gap,
    }
    assert facts["met"] is None and facts["gap"]["decimal"] == repr(float(found.gap))


@pytest.mark.parametrize("loss, exact", [("hinge", True), ("logistic", False)])
def test_what_is_an_interval_is_not_called_exact(loss, exact, files, capsys):
    np.save("alpha.npy", np.array([-0.5, 0.5, -0.5]))
    _, out, _ = run(capsys, "--loss", loss, "--lam", "0.5")
    assert ("exact" in out, "interval" in out) == (exact, not exact)


@pytest.mark.parametrize("json_words", [(), ("--json",)])
@pytest.mark.parametrize("size", [1e17, -1e19, 1e40, -1e40, 1e200, -1e300])
def test_the_logistic_loss_has_a_gap_for_margins_of_any_size(size, json_words, files, capsys):
    """softplus(-m) is max(-m, 0) except for less than 1: P is the mean of that and the regularizer's part, up to 1."""
    w, alpha = [size, -size], [-0.5, 0.5, -0.5]
    exact = [
        max(Fraction(0), -Fraction(y) * sum(Fraction(x) * Fraction(w_j) for x, w_j in zip(row, w)))
        for row, y in zip(X.tolist(), Y.tolist())
    ]
    P = sum(exact) / 3 + sum(Fraction(w_j) ** 2 for w_j in w) / 4
    found = certificate(Problem(X, Y, LOSSES["logistic"](), L2(0.5)), alpha, w)
    assert (
        Fraction(found.primal.low) <= P + 1
        and P <= Fraction(found.primal.high)
        and found.primal.width() <= abs(found.primal.high) * Decimal("1e-17")
    )
    np.save("w.npy", np.array(w))
    np.save("alpha.npy", np.array(alpha))
    status, out, err = run(capsys, "--loss", "logistic", "--lam", "0.5", *json_words)
    assert (status, err) == (0, "") and "gap" in out


@pytest.mark.parametrize(
    ("w", "alpha"),
    [
        (("w.txt", "0.25\n-0.125\n"), ("alpha.txt", "-5e-1, 1, -0.125")),
        (("w.hex", "3fd0000000000000 bfc0000000000000"), ("alpha", "-0x1p-1 0x1p0 -0x.2p0")),
    ],
)
def test_text_and_bits_give_the_same_gap(w, alpha, files, capsys):
    words = ("--loss", "hinge", "--lam", "0.5", "--json")
    expected = run(capsys, *words)[1]
    for name, text in (w, alpha):
        pathlib.Path(name).write_text(text)
    assert run(capsys, *words, given=(w[0], alpha[0], "data.txt"))[:2] == (0, expected)
    pathlib.Path(w[0]).write_text(w[1].replace("25", "24").replace("3fd0", "3fd1"))
    assert run(capsys, *words, given=(w[0], alpha[0], "data.txt"))[1] != expected


@pytest.mark.parametrize("loss", LOSSES)
def test_the_tolerance_decides_the_exit_status_for_every_loss(loss, files, capsys):
    words = ("--loss", loss, "--lam", "0.5", "--l1", "0.125")
    assert run(capsys, *words, "--tol", "100")[0] == 0
    status, out, _ = run(capsys, *words, "--tol", "1e-9")
    assert status == 1 and "larger than --tol 1e-09" in out


def test_the_tolerance_is_compared_with_no_rounding(files, capsys):
    gap = certificate(Problem(X, Y, Hinge(), L2(0.5)), [-0.5, 1.0, -0.125], [0.25, -0.125]).gap
    above = float(gap) if Fraction(float(gap)) >= gap else np.nextafter(float(gap), 1.0)
    words = ("--loss", "hinge", "--lam", "0.5", "--tol")
    assert run(capsys, *words, repr(float(above)))[0] == 0
    assert run(capsys, *words, repr(float(np.nextafter(above, 0.0))))[0] == (0 if Fraction(float(above)) == gap else 1)


def test_preparation_is_that_of_solve(files, capsys):
    np.save("w.npy", np.zeros(3))
    status, out, _ = run(capsys, "--loss", "hinge", "--lam", "0.5", "--bias", "--unit-rows")
    assert status == 0 and "a constant 1 added" in out and "3 columns" in out


@pytest.mark.parametrize(
    ("spoil", "given", "words", "said"),
    [
        (lambda: np.save("w.npy", np.zeros(3)), PAIR, (), "w must have shape (2,)"),
        (lambda: np.save("alpha.npy", np.array([0.0, np.nan, 0.0])), PAIR, (), "alpha[1] is nan"),
        (
            lambda: np.save("alpha.npy", np.array([0.5, 1.0, 0.0])),
            PAIR,
            (),
            "alpha[0] = 1/2 is outside the domain of hinge",
        ),
        (
            lambda: np.save("alpha.npy", np.array([0.1, 1.0, 0.0])),
            PAIR,
            (),
            "alpha[0] = 0.1 is outside the domain of hinge",
        ),
        (lambda: np.save("w.npy", np.array(["a", "b"])), PAIR, (), "an array of real numbers"),
        (
            lambda: np.savez("w.npz", w=np.zeros(2)),
            ("w.npz", "alpha.npy", "data.txt"),
            (),
            "does not begin as an .npy file",
        ),
        (lambda: pathlib.Path("w.npy").write_text("0 0"), PAIR, (), "it does not begin as an .npy file"),
        (lambda: pathlib.Path("w.txt").write_text("0 zero"), ("w.txt", *PAIR[1:]), (), "w[1] must be a decimal"),
        (
            lambda: pathlib.Path("w.hex").write_text("0.5 0"),
            ("w.hex", *PAIR[1:]),
            (),
            "16 lower-case hexadecimal digits",
        ),
        (lambda: pathlib.Path("w.txt").write_text("0 1e400"), ("w.txt", *PAIR[1:]), (), "w[1] is inf"),
        (lambda: pathlib.Path("w.txt").write_bytes(b"\xff"), ("w.txt", *PAIR[1:]), (), "the file is not text"),
        (lambda: None, ("none.txt", *PAIR[1:]), (), "No such file"),
        (lambda: None, ("none.npy", "alpha.npy", "data.txt"), (), "No such file"),
        (lambda: None, PAIR, ("--tol", "-1"), "--tol must be >= 0"),
        (lambda: None, PAIR, ("--quick",), "--quick"),
        (lambda: None, PAIR[:1], (), "required: DATA"),
        (lambda: None, PAIR[::2], ("--exact", "--sample-weight", "s"), "--sample-weight is for a call without ALPHA"),
        (lambda: None, PAIR[::2], ("--out", "c"), "--out is for a call with ALPHA"),
        (lambda: None, PAIR, ("--intercept", "0"), "--intercept is for a call without ALPHA"),
        (lambda: None, PAIR[::2], ("--intercept", "nan"), "--intercept"),
        (lambda: None, PAIR[::2], ("--seconds", "-1"), "seconds and tol must be >= 0"),
        (lambda: np.save("w.npy", np.zeros(3)), PAIR[::2], (), "w must have shape (2,)"),
    ],
)
def test_what_is_no_certificate_is_refused_in_one_line(spoil, given, words, said, files, capsys):
    spoil()
    assert said in refusal(capsys, "certify", *given, "--loss", "hinge", "--lam", "0.5", *words)


@pytest.mark.parametrize("spoiled", ["X.npy", "y.npy", "w.npy"])
@pytest.mark.parametrize("wrong", [None, b"", b"text", np.zeros(0), np.zeros(()), np.zeros((1, 3, 2)), np.eye(3) > 0])
def test_each_file_of_numpy_that_does_not_fit_is_named(wrong, spoiled, files, capsys):
    """A file that is missing, empty, text, or an array of another shape or type."""
    np.save("X.npy", X)
    np.save("y.npy", Y)
    (files / spoiled).unlink()
    if wrong is not None:
        (files / spoiled).write_bytes(wrong) if isinstance(wrong, bytes) else np.save(spoiled, wrong)
    words = ("certify", "w.npy", "X.npy", "--target", "y.npy", "--loss", "hinge", "--lam", "0.5")
    assert f"{spoiled}: " in refusal(capsys, *words)


def test_loss_and_lam_are_asked_for(files, capsys):
    assert "required: --lam" in refusal(capsys, "certify", *PAIR, "--loss", "hinge")


@pytest.mark.parametrize("loss", LOSSES)
def test_w_alone_has_a_bound_that_the_tolerance_is_compared_with(loss, files, capsys):
    """P(w) is above P at another point by no more than the bound."""
    words, problem = ("--loss", loss, "--lam", "0.5", "--json"), Problem(X, Y, LOSSES[loss](), L2(0.5))
    status, out, _ = run(capsys, *words, "--tol", "100", given=PAIR[::2])
    facts = json.loads(out)
    assert (status, facts["met"], facts["n"], facts["d"]) == (0, True, 3, 2)
    assert problem.P([0.25, -0.125]) - problem.P([0.1, -0.1]) <= facts["gap_bound"] <= 100
    status, out, _ = run(capsys, *words, "--tol", "0", given=PAIR[::2])
    assert status == 1 and json.loads(out)["met"] is False and json.loads(out)["gap_bound"] <= facts["gap_bound"]


def test_exact_makes_alpha_from_w(files, capsys):
    """w as ``coef_`` of scikit-learn has it, in one row; the exact gap is below the bound, with the same alpha."""
    np.save("w.npy", np.array([[0.25, -0.125]]))
    found = certify(X, Y, [0.25, -0.125], loss="hinge", lam=0.5)
    exact = certificate(Problem(X, Y, Hinge(), L2(0.5)), found.points[0], [0.25, -0.125]).gap
    words = ("--loss", "hinge", "--lam", "0.5", "--json")
    facts = json.loads(run(capsys, *words, "--exact", given=PAIR[::2])[1])
    assert Fraction(facts["gap"]["exact"]) == exact <= found.gap_bound


def test_rows_have_the_weights_of_a_file(files, capsys):
    np.save("s.npy", [3.0, 1.0, 2.0])
    words = ("--loss", "squared", "--lam", "0.5", "--json")
    weighted, plain = (run(capsys, *words, *more, given=PAIR[::2]) for more in (("--sample-weight", "s.npy"), ()))
    due = certify(X, Y, [0.25, -0.125], loss="squared", lam=0.5, sample_weight=[3.0, 1.0, 2.0]).primal
    assert json.loads(weighted[1])["primal"] == due != json.loads(plain[1])["primal"]


def test_arrays_are_read_without_scipy_and_give_the_same_bound(files, capsys):
    words = ("--loss", "hinge", "--lam", "0.5", "--seconds", "0", "--json")
    np.save("X.npy", X)
    np.save("y.npy", Y)
    arrays = ("--target", "y.npy")
    forms = [("data.txt", ()), ("X.npy", arrays), ("X.npy", (*arrays, "--unit-rows"))]
    found = [json.loads(run(capsys, *words, *more, given=("w.npy", data))[1]) for data, more in forms]
    bounds = [facts["gap_bound"] for facts in found]
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-12) and bounds[2] != pytest.approx(bounds[1], rel=1e-3)


BARE = """
import sys
from dualgap.proofs_checks.cli.main import main
status = main(["certify", "w.npy", sys.argv[1], "--target", "y.npy", "--loss", "hinge", "--lam", "0.5", *sys.argv[2:]])
heavy = {"scipy", "numba", "dualgap.reference", "dualgap.proofs_checks.claims.plugins"}
print(status, sorted(heavy & set(sys.modules)))
"""


@pytest.mark.parametrize("words, loaded", [([], 0), (["--unit-rows"], 3)])
def test_two_arrays_are_judged_without_what_other_data_need(words, loaded, files):
    np.save("X.npy", X)
    np.save("y.npy", Y)
    done = subprocess.run([sys.executable, "-c", BARE, "X.npy", *words], capture_output=True, text=True)
    status, _, modules = done.stdout.splitlines()[-1].partition(" ")
    assert status == "0" and len(json.loads(modules.replace("'", '"'))) >= loaded, done.stderr
    assert loaded or modules == "[]"


def test_a_matrix_is_mapped_and_must_not_change(files, capsys, monkeypatch):
    np.save("X.npy", X)
    np.save("y.npy", Y)
    words = ("certify", "w.npy", "X.npy", "--target", "y.npy", "--loss", "hinge", "--lam", "0.5", "--json")
    given = []

    def judged(rows, *others, **options):
        given.append(rows)
        return certify(rows, *others, **options)

    monkeypatch.setattr(certifying, "certify", judged)
    status, out, _ = command(capsys, *words)
    assert status == 0 and isinstance(given[0], np.memmap)
    assert json.loads(out)["primal"] == pytest.approx(certify(X, Y, [0.25, -0.125], loss="hinge", lam=0.5).primal)

    def changed(rows, *others, **options):
        np.save("X.npy", np.vstack([X, X]))
        return certify(X, *others, **options)

    monkeypatch.setattr(certifying, "certify", changed)
    assert "X.npy has changed while it was read" in refusal(capsys, *words)


@pytest.mark.parametrize("name", sorted(parser()._actions[-1].choices))
def test_the_parser_of_one_command_is_that_of_all(name):
    whole, alone = (made._actions[-1].choices for made in (parser(), parser(name)))
    assert alone[name].format_help() == whole[name].format_help()
    assert set(alone) == ({name} if name not in ("exact", "sharpen") else set(whole))
