"""The ports with replacements in their sources: with each mistake a port fails, and the cause that the report on the C
port names is the one in ``port_mistakes``; what only rounds or writes otherwise passes in every language.

    PYTHONPATH=tests python tests/proofs_checks/conformance/test_altered_ports.py   # prints what each is named in C
"""

import runpy
import sys
from pathlib import Path

import pytest
from port_mistakes import HARMLESS, LIMITS, MISSED, MISTAKES, WRONG
from port_places import LANGUAGES
from support import ROOT
from wrong_ports import CASES, altered

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.compare import compare
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors import limits, many

PAGE = ROOT / "docs" / "ports.md"
BEGIN, END = "<!-- causes -->\n", "<!-- end of causes -->"
FIRST = {row.name for row in FIRST_ROWS}
ASKED = [c for c in CASES if c.given.get("method", "sdca") in FIRST and not c.call.startswith(("block", "pnorm"))]
SPREAD = [case for k in range(13) for case in ASKED[k::13]]  # of every method some among the first
AT_LIMITS = [case for case in CASES if case.id.split(".")[0] in {*limits.SUBJECTS, *many.SUBJECTS}]
MOST = 30  # failures of which the causes are computed, of as many cases as it takes


@pytest.fixture(scope="module")
def quick_compiler(tmp_path_factory):
    return compiler(tmp_path_factory.mktemp("cc"), "-O0")


@pytest.fixture(autouse=True)
def built_quickly(monkeypatch, quick_compiler):
    monkeypatch.setenv("RUSTFLAGS", "-Copt-level=0")
    monkeypatch.setenv("CC", quick_compiler)


def compiler(folder, option):
    """A program that is cc with one more option."""
    path = folder / "cc"
    path.write_text(f'#!/bin/sh\nexec cc "$@" {option}\n')
    path.chmod(0o755)
    return str(path)


def pairs(names, every, languages=tuple(LANGUAGES)):
    """(language, name): by day every so many of C, the others with ``.ci/nightly``."""
    return [
        pytest.param(language, name, marks=[pytest.mark.nightly] * (language != "c" or k % every > 0))
        for language in languages
        for k, name in enumerate(names)
    ]


def named(name, folder):
    """The report on an altered C port: on so many cases that about MOST fail."""
    command = altered("c", MISTAKES[name][1:], folder)
    with Port(command) as port:
        answers = [(case, port.run(case.call, case.request)) for case in ASKED if case.due is not None]
        failing = sum(a.result is None or compare(c.due, a.result) is not None for c, a in answers)
    with Port(command) as port:
        return conform(port, ASKED[:: -(-failing // MOST) or 1], seconds=0)


@pytest.mark.parametrize(("language", "name"), pairs(MISTAKES, 32, ["c"]))
def test_an_altered_port_fails_and_its_cause_is_named(language, name, tmp_path):
    report = named(name, tmp_path / "port")
    assert report.verdict == "fail" and report.failures()
    assert [flag for flag, _ in report.diagnosis()] == [flag.removeprefix(WRONG) for flag in MISTAKES[name][:1] if flag]


ALSO = {  # other limits at which the same mistake can show
    "integers": {"many-rows"},  # which has late rounds of pgs
    "tiny-changes": {"subnormals"},
    "domains": {"beside-zero"},
    "many-numbers": {"many-terms"},  # those of g in P and D
}


def first_failure(command, cases=SPREAD):
    """The first case that fails, and the number of those asked."""
    with Port(command) as port:
        failures = (o for case in cases if (o := judge(case, port.run(case.call, case.request))).status == FAILED)
        return next(failures, None), port.asked


@pytest.mark.parametrize(("language", "name"), pairs(MISTAKES, 5, ["javascript", "go", "rust"]))
def test_an_altered_port_fails_in_every_language(language, name, tmp_path):
    failure, _ = first_failure(altered(language, MISTAKES[name][1:], tmp_path / "port"))
    assert failure is not None and failure.kind in ("result", "error")


@pytest.mark.parametrize(("language", "name"), pairs(LIMITS, 6))
def test_a_port_that_is_wrong_at_a_limit_fails_its_cases(language, name, tmp_path):
    subject, *edits = LIMITS[name]
    with Port(altered(language, edits, tmp_path / "port")) as port:
        outcomes = [judge(case, port.run(case.call, case.request)) for case in AT_LIMITS]
    seen = {outcome.case.id.split(".")[0] for outcome in outcomes if outcome.status == FAILED}
    assert subject in seen <= {subject, *ALSO.get(subject, ())}


@pytest.mark.parametrize(("language", "name"), pairs(HARMLESS, 12))
def test_what_only_rounds_otherwise_passes(language, name, tmp_path):
    failure, asked = first_failure(altered(language, HARMLESS[name], tmp_path / "port"))
    assert failure is None, (failure.case.id, failure.reason)
    assert asked == len(ASKED) > 2500 and len(HARMLESS) >= 19


@pytest.mark.nightly
def test_fast_math_and_long_doubles_pass(tmp_path, monkeypatch):
    """The first flushes subnormal numbers to zero, and says so; its exp and log are those of the C library."""
    assert first_failure(altered("c", [("long double", "")], tmp_path / "long"))[0] is None
    monkeypatch.setenv("CC", compiler(tmp_path, "-ffast-math"))
    with Port(altered("c", [("what fast-math allows", "")], tmp_path / "fast")) as port:
        report = conform(port, ASKED, seconds=0)
    assert report.verdict == "pass" and report.without == ("subnormals",), [o.case.id for o in report.failures()]


@pytest.mark.parametrize(("language", "name"), pairs(["upper case"], 1))
def test_upper_case_digits_are_refused_once_at_the_greeting(language, name, tmp_path):
    upper = {"c": "PRIX64", "javascript": "@.toUpperCase()", "go": "X", "rust": "X"}
    with pytest.raises(Unreachable, match="write hexadecimal digits in lower case$"):
        first_failure(altered(language, [("digits", upper)], tmp_path / "port"))


def table():
    """The rows of the page, from what the tests of causes expect of each planted bug."""
    others = runpy.run_path(str(Path(__file__).with_name("test_mistakes.py")))
    flags = [flag for flag, *_ in MISTAKES.values()]
    wrong = sum((flag or "").startswith(WRONG) for flag in flags)
    rows = [
        ("patterns of ports", len(others["PATTERN_WAYS"]), 0, 0, 0),
        ("mistakes like a known bug, in one place of several", len(others["NAMED"]), 0, 0, 0),
        (
            "mistakes in Python that no known bug is like",
            len(others["TRUE"]),
            0,
            len(others["UNEXPLAINED"]) - len(others["TRUE"]),
            0,
        ),
        ("altered C ports", sum(map(bool, flags)) - wrong, flags.count(MISSED), flags.count(None), wrong),
    ]
    total = ("all", *(sum(row[k] for row in rows) for k in range(1, 5)))
    head = (
        "planted",
        "number",
        "named rightly",
        "described by a cause, none named",
        "described by none, none named",
        "named wrongly",
    )
    lines = [head, ("---",) * 6, *((name, sum(counts), *counts) for name, *counts in (*rows, total))]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines), total


def test_the_page_has_the_table_and_most_causes_are_named():
    text, (_, named, missed, none, wrong) = table()
    assert PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0] == text
    assert named >= 0.8 * (named + missed) and wrong <= 0.02 * (named + missed + none + wrong) and len(MISTAKES) > 55


if __name__ == "__main__":
    import tempfile

    for given in sys.argv[1:] or MISTAKES:
        with tempfile.TemporaryDirectory() as place:
            found = named(given, Path(place) / "port")
            print(f"{given}: {found.diagnosis()}, expected {MISTAKES[given][0]}; {found.hints()}", flush=True)  # noqa: T201
