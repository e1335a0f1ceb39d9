"""Certificate files: both checkers accept what is true, refuse the same altered files, and agree with the exact engine.

The proved checker is run where DUALGAP_CHECKER names it, as ``.ci/run`` does after ``make checker``.
"""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from certificate_cases import (
    ALTERED,
    CORRUPTIONS,
    DATA,
    EXCESS,
    KINDS,
    TEXT,
    complaints,
    corrupted,
    drawn,
    gap_and_bound,
    is_exact,
    is_true,
    one_less,
)
from certificate_judges import PROVED, in_python, judged, proved, with_line
from support import ROOT, command, printed

from dualgap.proofs_checks.certificate_file import check
from dualgap.proofs_checks.certificate_file.write import certificate_text, rows_of, write_certificate
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.reference import LOSSES, ElasticNet, Problem, Squared
from dualgap.reference.problem.weighted_problem import WeightedProblem

FILES = int(os.environ.get("DUALGAP_CERTIFICATES", "200"))
CORRUPTED = 10 * len(CORRUPTIONS)  # 170
needs_proved = pytest.mark.skipif(not PROVED, reason="DUALGAP_CHECKER names no extracted checker")


def test_both_checkers_accept_the_exact_gap_and_refuse_a_lower_bound_and_corrupted_files(tmp_path: Path) -> None:
    """1,000 files and 170 corruptions nightly; the seed is that of certificate_cases."""
    assert list(complaints(in_python, FILES, CORRUPTED)) == []
    if PROVED:
        assert list(complaints(lambda *file: proved(tmp_path, *file), FILES, CORRUPTED)) == []


def test_both_checkers_give_the_same_reason_for_a_corrupted_file(tmp_path: Path) -> None:
    """1 the data or the bound, 2 the format."""
    assert {judged(tmp_path, *corrupted(k)[1:]) for k in range(CORRUPTED)} == {1, 2}


def test_the_bound_of_a_drawn_file_is_the_exact_gap_by_the_reference() -> None:
    kinds = set()
    for k in range(FILES):
        text, data = drawn(k)
        assert is_exact(text, data) and not is_exact(with_line(text, "bound", "1/3"), data)
        if "loss logistic" not in text:
            assert not is_true(one_less(text), data)
        field = check.read_certificate(text)
        kinds.add(
            (*field["loss"], field["l1"] != [encode(0.0)], field["weights"] != ["none"], field["intercept"] != ["none"])
        )
    assert {(name, bool(l1), s == "weights", b == "free") for name, l1, s, b in KINDS} <= kinds


@pytest.mark.parametrize("what", ALTERED)
def test_an_altered_file_is_judged_alike_by_both_checkers(what: str, tmp_path: Path) -> None:
    text, data, status = ALTERED[what]
    assert judged(tmp_path, text, data) == status


def test_a_free_intercept_needs_balanced_alpha(tmp_path: Path) -> None:
    text = with_line(with_line(TEXT, "alpha", " ".join(map(encode, (-0.5, 1.0, -0.5)))), "bound", "1000")
    for b, alpha, status in ((0.75, (-0.5, 1.0, -0.5), 0), (0.75, (-0.5, 1.0, -0.25), 1)):
        free = with_line(with_line(text, "intercept", encode(b)), "alpha", " ".join(map(encode, alpha)))
        assert judged(tmp_path, free, DATA) == status


@pytest.mark.parametrize("guess", [0.0, -0.0, 0.5, -0.5, 1e-308, 40.0, -40.0, 2000.0, -2000.0, 1e308, -1e308])
def test_no_guess_of_a_logarithm_proves_what_is_false(guess: float, tmp_path: Path) -> None:
    """A bound below the gap is refused with every guess; with a bad guess, one far above it may be."""
    for k in range(KINDS.index(("logistic", 0.0, "equal", "none")), 200, len(KINDS)):
        text, data = drawn(k)
        low = Fraction(gap_and_bound(text, data)[0].low)
        count = len(check.read_certificate(text)["logs"])
        text = with_line(text, "logs", " ".join([encode(guess)] * count))
        for bound, right in ((low - Fraction(1, 10**30), {1}), (low + 10**9, {0, int(abs(guess) > 1)})):
            assert judged(tmp_path, with_line(text, "bound", str(bound)), data) in right


@pytest.mark.parametrize("size", [1e3, 1e17, 1e150, 1.7e308])
def test_logistic_margins_of_any_size_have_files(size: float, tmp_path: Path) -> None:
    """The loss of a margin -m > 1000 is -m up to e^-1000, and that of m is below e^-1000."""
    problem = Problem([[1.0], [1.0]], [1.0, -1.0], LOSSES["logistic"](None), ElasticNet(2.0**-600, 0.0))
    text = certificate_text(problem, [size], [-1.0, 1.0])
    data = "1 1:1\n-1 1:1\n"
    regularizer = Fraction(size) ** 2 / 2**601
    excess = Fraction(check.read_certificate(text)["bound"][0]) - Fraction(size) / 2 - regularizer
    assert 0 <= excess <= EXCESS
    assert (judged(tmp_path, text, data), judged(tmp_path, one_less(text), data)) == (0, 1)


@needs_proved
def test_the_proved_checker_ran() -> None:
    assert subprocess.run([PROVED], capture_output=True).returncode == 2


def test_the_commands_write_files_that_the_script_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
        (["--loss", "hinge", "--p", "1.5", "--method", "pgs", "--certificate", "out"], "covers L2 and the elastic net"),
        (["--loss", "hinge", "--certificate-data", "out"], "also name that file"),
        (["--loss", "hinge", "--certificate", "out", "--certificate-data", "./out"], "need different files"),
        (["--loss", "hinge", "--certificate", "data"], "need different files"),
        (["--loss", "hinge", "--certificate", "absent/out"], "cannot be written"),
    ],
)
def test_what_has_no_certificate_file_is_refused_before_the_run(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").write_text(DATA)
    status, out, err = command(capsys, "solve", "data", "--lam", "0.5", "--tol", "1e-3", *words)
    assert (status, out) == (2, "") and message in err
    assert Path("data").read_text() == DATA and not Path("out").exists()


class Own(Squared):
    name = "own"


def test_a_weighted_file_is_that_of_repeated_rows(tmp_path: Path) -> None:
    weighted = WeightedProblem([[1.0], [2.0]], [1.0, -1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.0), [2.0, 1.0])
    repeated = Problem([[1.0], [1.0], [2.0]], [1.0, 1.0, -1.0], weighted.loss, weighted.regularizer)
    bounds = [
        check.read_certificate(certificate_text(problem, [0.5], alpha))["bound"]
        for problem, alpha in ((weighted, [-0.5, 1.0]), (repeated, [-0.5, -0.5, 1.0]))
    ]
    assert bounds[0] == bounds[1]
    with pytest.raises(ValueError, match="covers the losses"):
        write_certificate(str(tmp_path / "c"), Problem([[1.0]], [1.0], Own(), weighted.regularizer), [0.0], [-0.5])


@needs_proved
def test_many_rows_need_no_deep_stack(tmp_path: Path) -> None:
    n, problem = 400_000, Problem([[1.0]], [1.0], LOSSES["hinge"](None), ElasticNet(0.5, 0.0))
    text = with_line(certificate_text(problem, [0.5], [-0.5]), "rows", str(n))
    text = with_line(text, "data", check.checksum(rows_of(problem) * n))
    text = with_line(text, "alpha", " ".join([encode(-0.5)] * n))
    assert proved(tmp_path, text, "1.0 1:1.0\n" * n) == 0
    assert proved(tmp_path, one_less(text), "1.0 1:1.0\n" * n) == 1
