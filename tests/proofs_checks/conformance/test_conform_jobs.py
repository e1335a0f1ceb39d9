"""Several copies of a port, each with a part of the cases, give the outcomes of one copy in the same order."""

import sys

import pytest
import wrong_ports
from support import by_day

from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.load import load

pytestmark = pytest.mark.needs("joblib")
CASES = [case for case in load().cases.values() if case.method in ("aspdc", "gap")][:90]
RIGHT = wrong_ports.RIGHT


def asked(command, jobs):
    with Port(command) as port:
        return conform(port, CASES, seconds=0, jobs=jobs)


@pytest.mark.parametrize("wrong", by_day([False, True]))
def test_the_outcomes_are_those_of_one_job(wrong, tmp_path):
    flag = "absolute-gap"
    command = wrong_ports.with_bug(tmp_path, flag) if wrong else RIGHT
    one, two = asked(command, 1), asked(command, 2)
    assert one.outcomes == two.outcomes and one.verdict == two.verdict == ("fail" if wrong else "pass")
    assert one.about == two.about
    assert one.asked == two.asked
    assert one.complaints == two.complaints


@pytest.mark.parametrize("jobs", by_day([1, 2], 1))
def test_a_port_that_leaves_after_its_greeting_fails_with_everything_accounted_for(jobs, tmp_path):
    port = tmp_path / "port.py"
    port.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    r = json.loads(line)\n"
        "    if r['op'] == 'start': print(json.dumps({'seq': r['seq'], 'protocol': 1, 'name': 'leaves'}), flush=True)\n"
        "    elif r['op'] == 'echo': print(json.dumps({'seq': r['seq'], 'numbers': r['numbers']}), flush=True)\n"
        "    elif r['op'] == 'unheard-of': print(json.dumps({'seq': r['seq'], 'skipped': 'unknown'}), flush=True)\n"
        "    else: sys.exit(0)\n"
    )
    found = asked([sys.executable, str(port)], jobs)
    assert found.verdict == "fail" and [o.case for o in found.outcomes] == CASES
    assert {o.status for o in found.outcomes} <= {FAILED, NOT_RUN}
