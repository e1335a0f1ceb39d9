"""Certificate files: both checkers accept what is true, refuse the same altered files, and agree with the exact engine.

The proved checker is run where DUALGAP_CHECKER names it, as ``.ci/run`` does after ``make checker``.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from certificate_judges import PROVED, in_python, lowered, proved, with_line
from support import ROOT, command, printed

from dualgap.proofs_checks.certificate_file import check
from dualgap.proofs_checks.certificate_file.write import certificate_text, rows_of, write_certificate
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import LOSSES, ElasticNet, Logistic, Problem
from dualgap.reference.problem.weighted_problem import WeightedProblem

FILES = int(os.environ.get("DUALGAP_CERTIFICATES", "200"))
needs_proved = pytest.mark.skipif(not PROVED, reason="DUALGAP_CHECKER names no extracted checker")


def drawn(rng: Any) -> tuple[Problem, Any, Any]:
    """A small problem with a pair: any loss, both regularizers, weighted or not, sizes and scales that differ."""
    n, d = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    name = check.LOSSES[rng.integers(len(check.LOSSES))]
    loss = LOSSES[name](float(2.0 ** rng.integers(-3, 4)) if LOSSES[name].adjustable else None)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7) * 2.0 ** rng.integers(-8, 9, size=d)
    y = rng.choice([-1.0, 1.0], size=n)
    regularizer = ElasticNet(float(rng.exponential()), float(rng.choice([0.0, 0.1])))
    if rng.random() < 0.5:
        problem: Problem = Problem(X, y, loss, regularizer)
    else:
        problem = WeightedProblem(X, y, loss, regularizer, rng.exponential(size=n) + 0.01)
    alpha = -y * rng.choice([0.0, 0.25, rng.random(), 1.0], size=n)
    w = rng.choice([0.0, 1.0], size=d) * rng.normal(size=d) if rng.random() < 0.5 else problem.w(list(alpha))
    return problem, np.asarray(w, float), alpha


def files() -> Iterator[tuple[Problem, str, str, Any, Any]]:
    rng = np.random.default_rng(43)
    for _ in range(FILES):
        problem, w, alpha = drawn(rng)
        data = "".join(" ".join([repr(y), *(f"{j}:{x!r}" for j, x in row)]) + "\n" for y, row in rows_of(problem))
        yield problem, certificate_text(problem, w, alpha), data, w, alpha


def test_the_bound_is_the_exact_gap_and_no_smaller_bound_is_accepted(tmp_path: Path) -> None:
    losses = set()
    for problem, text, data, w, alpha in files():
        losses.add(problem.loss.name)
        bound = Fraction(check.read_certificate(text)["bound"][0])
        if not isinstance(problem, WeightedProblem):
            assert bound == certificate(problem, alpha, w).gap
        assert bound >= 0
        below = lowered(text, Fraction(1, 10**60))
        assert (in_python(text, data), in_python(below, data)) == (0, 1)
        if PROVED:
            assert (proved(tmp_path, text, data), proved(tmp_path, below, data)) == (0, 1)
    assert losses == set(check.LOSSES)


# What is altered; the exit status of both checkers.
EXAMPLE = Problem(
    [[1.0, 0.5], [0.0, 2.0], [-1.5, 0.0]], [1.0, -1.0, 1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.125)
)
PAIR = ([0.25, -0.5], [-0.5, 1.0, -1.0])
DATA = "1.0 1:1.0 2:0.5\n-1.0 2:2.0\n1.0 1:-1.5\n"
TEXT = certificate_text(EXAMPLE, *PAIR)
MINUS_ZERO, TWO, NAN = encode(-0.0), encode(2.0), encode(float("nan"))
ALTERED = {
    "untouched": (TEXT, DATA, 0),
    "other notation of the data": (TEXT, "1 1:1e0 2:.5\r\n-1\t2:2\n+1 1:-1.5 2:0\n", 0),
    "-0 in w": (with_line(TEXT, "w", f"{MINUS_ZERO} {MINUS_ZERO}"), DATA, 1),
    "a value": (TEXT, DATA.replace("2:0.5", "2:0.5000000000000001"), 1),
    "a label": (TEXT, DATA.replace("-1.0 2", "1.0 2"), 1),
    "a column": (TEXT, DATA.replace("2:2.0", "1:2.0"), 1),
    "a row less": (TEXT, DATA.partition("\n")[2], 1),
    "checksum": (with_line(TEXT, "data", "0" * 64), DATA, 1),
    "alpha outside": (with_line(TEXT, "alpha", " ".join(encode(a) for a in (-0.5, 1.0, -1.0000000000000002))), DATA, 1),
    "one bit of alpha": (
        with_line(TEXT, "alpha", " ".join(encode(a) for a in (-0.49999999999999994, 1.0, -1.0))),
        DATA,
        1,
    ),
    "one bit of w": (with_line(TEXT, "w", " ".join(map(encode, (0.25, -0.5000000000000001)))), DATA, 1),
    "lam 0": (with_line(TEXT, "lam", encode(0.0)), DATA, 1),
    "lam negative": (with_line(TEXT, "lam", encode(-0.5)), DATA, 1),
    "l1 negative": (with_line(TEXT, "l1", encode(-0.125)), DATA, 1),
    "an unknown loss": (with_line(TEXT, "loss", "huber"), DATA, 2),
    "weights of 0": (with_line(TEXT, "weights", " ".join([encode(0.0)] * 3)), DATA, 1),
    "a negative weight": (with_line(TEXT, "weights", " ".join(map(encode, (1.0, 1.0, -1.0)))), DATA, 1),
    "an intercept without balance": (with_line(TEXT, "intercept", encode(0.0)), DATA, 1),
    "a larger bound": (with_line(TEXT, "bound", "1000"), DATA, 0),
    "a bound of 0": (with_line(TEXT, "bound", "0"), DATA, 1),
    "a negative bound": (with_line(TEXT, "bound", "-1/2"), DATA, 1),
    "bound P/0": (with_line(TEXT, "bound", "1/0"), DATA, 2),
    "bound as decimal": (with_line(TEXT, "bound", "0.5"), DATA, 2),
    "nan": (with_line(TEXT, "w", f"{NAN} {TWO}"), DATA, 2),
    "upper case": (with_line(TEXT, "lam", "3FE0000000000000"), DATA, 2),
    "w too short": (with_line(TEXT, "w", TWO), DATA, 2),
    "logistic": (with_line(TEXT, "loss", "logistic"), DATA, 2),
    "version 2": (TEXT.replace("certificate 1", "certificate 2"), DATA, 2),
    "a line less": (TEXT.replace("intercept none\n", ""), DATA, 2),
    "a line twice": (TEXT + "bound 1\n", DATA, 2),
    "lines exchanged": (
        with_line(with_line(TEXT, "lam", TWO), "l1", TWO).replace("lam", "x").replace("l1", "lam"),
        DATA,
        2,
    ),
    "empty": ("", DATA, 2),
    "columns that fall": (TEXT, DATA.replace("1:1.0 2:0.5", "2:0.5 1:1.0"), 2),
    "a column 0": (TEXT, DATA.replace("1:-1.5", "0:-1.5"), 2),
    "no number": (TEXT, DATA.replace("2:2.0", "2:two"), 2),
    "infinite": (TEXT, DATA.replace("2:2.0", "2:1e400"), 2),
    "a blank line": (TEXT, DATA + "\n", 2),
    "no data": (TEXT, "", 1),
    "a form feed between rows": (TEXT, DATA.replace("\n", "\f"), 2),
    "a carriage return between rows": (TEXT, DATA.replace("\n", "\r"), 2),
    "a form feed between words": (TEXT, DATA.replace(" ", "\f"), 2),
    "a tab in the certificate": (TEXT.replace(" ", "\t"), DATA, 2),
    "an underscore in a number": (TEXT, DATA.replace("2:2.0", "2:0_2.0"), 2),
}


@pytest.mark.parametrize("what", ALTERED)
def test_an_altered_file_is_judged_alike_by_both_checkers(what: str, tmp_path: Path) -> None:
    text, data, status = ALTERED[what]
    assert in_python(text, data) == status
    if PROVED:
        assert proved(tmp_path, text, data) == status


def test_a_free_intercept_needs_balanced_alpha(tmp_path: Path) -> None:
    text = with_line(with_line(TEXT, "alpha", " ".join(map(encode, (-0.5, 1.0, -0.5)))), "bound", "1000")
    for b, alpha, status in ((0.75, (-0.5, 1.0, -0.5), 0), (0.75, (-0.5, 1.0, -0.25), 1)):
        free = with_line(with_line(text, "intercept", encode(b)), "alpha", " ".join(map(encode, alpha)))
        assert in_python(free, DATA) == status
        if PROVED:
            assert proved(tmp_path, free, DATA) == status


@needs_proved
def test_the_proved_checker_ran() -> None:
    assert subprocess.run([PROVED], capture_output=True).returncode == 2


def test_the_commands_write_files_that_the_script_accepts(tmp_path: Path, capsys: Any) -> None:
    data, w, alpha, out = (str(tmp_path / name) for name in ("data", "w", "alpha", "out"))
    Path(data).write_text(DATA)
    Path(w).write_text("0.25 -0.5")
    Path(alpha).write_text("-0.5 1 -1")
    printed(capsys, "certify", w, alpha, data, "--loss", "hinge", "--lam", "0.5", "--l1", "0.125", "--out", out)
    assert Path(out).read_text() == TEXT
    script = ROOT / "proofs_checks" / "certificate_file" / "check.py"
    ended = subprocess.run([sys.executable, "-I", script, out, data], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout.partition(":")[0]) == (0, "accepted")
    rows = str(tmp_path / "rows")
    arguments = ["--loss", "hinge", "--lam", "0.5", "--unit-rows", "--tol", "1e-3", "--method", "sdca"]
    printed(capsys, "solve", data, *arguments, "--certificate", out, "--certificate-data", rows)
    assert [check.main([out, path]) for path in (rows, data)] == [0, 1]
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--loss", "logistic", "--certificate", "out"], "covers the losses"),
        (["--loss", "hinge", "--p", "1.5", "--method", "pgs", "--certificate", "out"], "covers L2 and the elastic net"),
        (["--loss", "hinge", "--certificate-data", "out"], "give the name of the certificate file too"),
        (["--loss", "hinge", "--certificate", "out", "--certificate-data", "./out"], "need different files"),
        (["--loss", "hinge", "--certificate", "data"], "need different files"),
        (["--loss", "hinge", "--certificate", "absent/out"], "cannot be written"),
    ],
)
def test_what_has_no_certificate_file_is_refused_before_the_run(
    words: list[str], message: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").write_text(DATA)
    status, out, err = command(capsys, "solve", "data", "--lam", "0.5", "--tol", "1e-3", *words)
    assert (status, out) == (2, "") and message in err
    assert Path("data").read_text() == DATA and not Path("out").exists()


def test_a_weighted_file_is_that_of_repeated_rows(tmp_path: Path) -> None:
    weighted = WeightedProblem([[1.0], [2.0]], [1.0, -1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.0), [2.0, 1.0])
    repeated = Problem([[1.0], [1.0], [2.0]], [1.0, 1.0, -1.0], weighted.loss, weighted.regularizer)
    bounds = [
        check.read_certificate(certificate_text(problem, [0.5], alpha))["bound"]
        for problem, alpha in ((weighted, [-0.5, 1.0]), (repeated, [-0.5, -0.5, 1.0]))
    ]
    assert bounds[0] == bounds[1]
    with pytest.raises(ValueError, match="covers the losses"):
        write_certificate(str(tmp_path / "c"), Problem([[1.0]], [1.0], Logistic(), weighted.regularizer), [0.0], [-0.5])


@needs_proved
def test_many_rows_need_no_deep_stack(tmp_path: Path) -> None:
    n, problem = 400_000, Problem([[1.0]], [1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.0))
    text = with_line(certificate_text(problem, [0.5], [-0.5]), "rows", str(n))
    text = with_line(text, "data", check.checksum(rows_of(problem) * n))
    text = with_line(text, "alpha", " ".join([encode(-0.5)] * n))
    assert proved(tmp_path, text, "1.0 1:1.0\n" * n) == 0
    assert proved(tmp_path, lowered(text, Fraction(1, 10**60)), "1.0 1:1.0\n" * n) == 1
