"""A plugin's claim that never ends is an ERROR that names it, and the others are checked."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import time

import pytest

from dualgap.proofs_checks.claims.time_limit import Late, limited

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no SIGALRM")
CLAIMS = """
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.papers import register_paper
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.evidence.levels import altered, exact
from dualgap.proofs_checks.strategies.instances import instances

register_paper("endless", "a paper", "README.md")
START = Instance((Qs(1),), Qs(2), Qs(0), Q(1), loss="squared", method="sdca")

def runs():
    return instances(losses=("squared",), method="sdca")

def rises(c, by=0):
    for successor, increase in zip(c.successors, c.increases):
        yield Le(by, increase, f"i = {successor.choice}")

def loops(c):
    while True:
        try:
            sum(range(1000))
        except Exception:
            pass
    yield

for name, check in (("endless.a-loop", loops), ("endless.good", rises)):
    claim(name, "D never decreases", hypotheses="any", origin=OURS, evidence=[exact(runs)], proof="D is concave.",
          control=altered("D rises by 9", lambda c: rises(c, 9), START))(check)
"""


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=[pytest.mark.needs("joblib"), pytest.mark.nightly])])
def test_a_claim_without_end_is_an_error_and_the_others_are_examined(jobs, tmp_path):
    (tmp_path / "endless.py").write_text(CLAIMS)
    words = [*"audit endless --import endless.py --quick --claim-seconds 5 --jobs".split(), str(jobs), "--json"]
    code = (
        "import sys; from dualgap.proofs_checks.auditing import dispatch; from dualgap.proofs_checks.cli.main import"
        f" main; dispatch.WORTH_IT = 0; sys.exit(main({words!r}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    report = json.loads(ran.stdout)
    loop, good = report["claims"]
    assert (ran.returncode, report["verdict"], report["interrupted"]) == (1, "fail", False)
    assert (loop["id"], loop["status"]) == ("endless.a-loop", "ERROR")
    assert re.search(r"not finished after 5 seconds, at instance 1 of 40 \(.*endless\.py:2[0-5]\)", loop["error"])
    assert (good["status"], good["control"], good["as_expected"]) == ("HOLDS", "caught", True), good["error"]


def test_a_limit_within_a_limit_leaves_the_outer_one():
    with pytest.raises(Late), limited(0.5):
        with limited(60):
            pass
        time.sleep(20)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0) and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    with limited(None):
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("late", [False, True])
def test_an_error_of_code_that_has_swallowed_the_limit_is_late_and_any_other_error_stays(late):
    """A compiler that is called back swallows the exception, and fails later with one of its own."""
    with pytest.raises(Late if late else RuntimeError), limited(1000.0):
        if late:
            with contextlib.suppress(BaseException):
                signal.raise_signal(signal.SIGALRM)
        raise RuntimeError("no compiled object yet")
