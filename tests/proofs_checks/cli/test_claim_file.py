"""A claim file that is run as a program is audited alone."""

import runpy
import subprocess
import sys
from dataclasses import replace

import pytest

from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.cli.claim_file import audit_file

MODULE, ITS_CLAIMS = (
    "dualgap.proofs_checks.papers.sdca.lagrangian_duality",
    ["sdca.4", "sdca.concave", "sdca.dual", "sdca.remark"],
)


def test_its_claims_are_audited_and_no_others(tmp_path):
    done = subprocess.run([sys.executable, "-m", MODULE], capture_output=True, text=True, cwd=tmp_path)
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("sdca.")]
    assert (done.returncode, rows, done.stderr) == (0, ITS_CLAIMS, "")
    assert "Verdict: pass (4 of 4 claims as expected; size quick" in done.stdout
    assert not list(tmp_path.iterdir()), "no report is written"


@pytest.mark.filterwarnings("ignore:.*found in sys.modules.*:RuntimeWarning")
def test_a_verdict_that_is_not_the_expected_one_is_exit_status_1(monkeypatch, capsys):
    all_claims()
    monkeypatch.setitem(CLAIMS, "sdca.remark", replace(CLAIMS["sdca.remark"], expected="REFUTED"))
    monkeypatch.setattr(subprocess, "call", lambda command: audit_file(command[-1]))
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(MODULE, run_name="__main__", alter_sys=True)
    assert ended.value.code == 1
    assert "3 of 4 claims as expected" in capsys.readouterr().out
