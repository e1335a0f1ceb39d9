"""The ports pass at the limits of the representation; ``test_altered_ports.py`` has ports that are wrong there."""

import json
import pathlib
import shutil

import pytest
from wrong_ports import RIGHT, before_answer

from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.generate import makers
from dualgap.proofs_checks.conformance.vectors.limits import SUBJECTS
from dualgap.proofs_checks.conformance.vectors.load import HOME, load

PORTS = pathlib.Path(__file__).parents[3] / "ports"
CASES = [case for case in load().cases.values() if case.id.split(".")[0] in SUBJECTS]


def failed(command):
    with Port(command) as port:
        return {
            case.id.split(".")[0] for case in CASES if judge(case, port.run(case.call, case.request)).status == FAILED
        }


@pytest.mark.parametrize("language, needs", [("c", "cc"), ("javascript", "node"), ("go", "go"), ("rust", "rustc")])
def test_the_ports_pass(language, needs):
    if shutil.which(needs) is None:
        pytest.skip(f"there is no {needs} on the PATH, which ports/{language} needs")
    assert not failed([str(PORTS / language / "run")])


def test_the_python_port_passes():
    assert not failed(RIGHT)


def test_a_port_that_declares_that_it_lacks_subnormals_is_not_asked_for_them(tmp_path):
    command = before_answer(tmp_path, 'if op == "start": return {"protocol": 1, "name": "x", "subnormals": False}')
    few = [case for case in CASES if case.id.split(".")[0] in ("subnormals", "domains")]
    with Port(command) as port:
        report = conform(port, few, seconds=0)
    assert report.without == ("subnormals",) and report.verdict == "pass" and len(report.outcomes) == len(few) - 6


@pytest.mark.parametrize("subject", [subject for subject in SUBJECTS if subject != "long-rows"])
def test_the_files_are_what_is_generated(subject):
    name = f"limits-{subject}.json"
    assert (HOME / name).read_bytes() == makers()[name]().raw()
    assert sum(entry["bytes"] for entry in json.loads((HOME / "manifest.json").read_text())["files"].values()) < 8e6
