"""The C port with replacements in its source (``port_mistakes``): with each mistake it fails, and what only rounds or
writes otherwise passes.
"""

import pytest
from port_mistakes import HARMLESS, LIMITS, MISTAKES
from wrong_ports import CASES, altered

from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import HOME

FIRST = {row.name for row in FIRST_ROWS}
ASKED = [c for c in CASES if c.given.get("method", "sdca") in FIRST and not c.call.startswith(("block", "pnorm"))]
SPREAD = [case for k in range(13) for case in ASKED[k::13]]  # of every method some among the first
SUBJECTS = {path.stem.removeprefix("limits-") for path in HOME.glob("limits-*.json")}
AT_LIMITS = [case for case in CASES if case.id.split(".")[0] in SUBJECTS]


@pytest.fixture(scope="module")
def quick_compiler(tmp_path_factory):
    return compiler(tmp_path_factory.mktemp("cc"), "-O0")


@pytest.fixture(autouse=True)
def built_quickly(monkeypatch, quick_compiler):
    monkeypatch.setenv("CC", quick_compiler)


def compiler(folder, option):
    """A program that is cc with one more option."""
    path = folder / "cc"
    path.write_text(f'#!/bin/sh\nexec cc "$@" {option}\n')
    path.chmod(0o755)
    return str(path)


def by_day(names, every):
    """Names of which every so many run by day, the others with ``.ci/nightly``."""
    return [pytest.param(name, marks=[pytest.mark.nightly] * (k % every > 0)) for k, name in enumerate(names)]


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


@pytest.mark.parametrize("name", by_day(MISTAKES, 16))
def test_an_altered_port_fails(name, tmp_path):
    failure, _ = first_failure(altered([MISTAKES[name]], tmp_path / "port"))
    assert failure is not None and failure.kind in ("result", "error")


@pytest.mark.parametrize("name", by_day(LIMITS, 6))
def test_a_port_that_is_wrong_at_a_limit_fails_its_cases(name, tmp_path):
    subject, *edits = LIMITS[name]
    with Port(altered(edits, tmp_path / "port")) as port:
        outcomes = [judge(case, port.run(case.call, case.request)) for case in AT_LIMITS]
    seen = {outcome.case.id.split(".")[0] for outcome in outcomes if outcome.status == FAILED}
    assert subject in seen <= {subject, *ALSO.get(subject, ())}


@pytest.mark.parametrize("name", by_day(HARMLESS, 12))
def test_what_only_rounds_otherwise_passes(name, tmp_path):
    failure, asked = first_failure(altered(HARMLESS[name], tmp_path / "port"))
    assert failure is None, (failure.case.id, failure.reason)
    assert asked == len(ASKED) > 2500 and len(HARMLESS) >= 11


@pytest.mark.nightly
def test_fast_math_and_long_doubles_pass(tmp_path, monkeypatch):
    """The first flushes subnormal numbers to zero, and says so; its exp and log are those of the C library."""
    assert first_failure(altered([("long double", "")], tmp_path / "long"))[0] is None
    monkeypatch.setenv("CC", compiler(tmp_path, "-ffast-math"))
    with Port(altered([("what fast-math allows", "")], tmp_path / "fast")) as port:
        report = conform(port, ASKED, seconds=0)
    assert report.verdict == "pass" and report.without == ("subnormals",), [o.case.id for o in report.failures()]


def test_upper_case_digits_are_refused_once_at_the_greeting(tmp_path):
    with pytest.raises(Unreachable, match="write hexadecimal digits in lower case$"):
        first_failure(altered([("digits", "PRIX64")], tmp_path / "port"))
