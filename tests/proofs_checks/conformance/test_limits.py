"""Ports that are wrong at the limits of the representation fail, and the right ones pass."""

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
READ = '.t = get(f, "t")->integer}'
ENDS = "return 0 <= b && (b <= 1 || phi == SQUARED_HINGE);"
DOT = "total += p->values[k] * w[p->columns[k]];"
SQUARES = "total += p->values[k] * p->values[k];"
MOVES = "    double c = (alpha - s->alpha[i]) / (p->lam * (double)p->n);\n"
WRITTEN = "    s->alpha[i] = alpha;\n"
ALTERED = {  # what the C port is changed to, and the subject whose cases show it
    "integers of 32 bits": ("integers", READ, '.t = (int)get(f, "t")->integer}'),
    "integers through a double": ("integers", READ, '.t = (long)(double)get(f, "t")->integer}'),
    "integers through a float": ("integers", READ, '.t = (long)(float)get(f, "t")->integer}'),
    "integers printed in six digits": (
        "integers",
        'say(",\\"t\\":%ld", s->t)',
        'say(s->t > 99999 ? ",\\"t\\":%.0e" : ",\\"t\\":%.0f", (double)s->t)',
    ),
    "a row buffer of 64": ("long-rows", DOT, f"if (k - p->starts[i] < 64) {DOT}"),
    "a row buffer of 512": ("long-rows", DOT, f"if (k - p->starts[i] < 512) {DOT}"),
    "a norm of 512 entries": ("long-rows", SQUARES, f"if (k - p->starts[i] < 512) {SQUARES}"),
    "changes below 1e-14 left out": (
        "tiny-changes",
        MOVES,
        f"    if (fabs(alpha - s->alpha[i]) < 1e-14) return;\n{MOVES}",
    ),
    "a domain with tolerance 1e-9": (
        "domains",
        ENDS,
        ENDS.replace("0 <=", "-1.1e-9 <=").replace("b <= 1", "b <= 1 + 1.1e-9"),
    ),
    "a domain with tolerance 1e-15": (
        "domains",
        ENDS,
        ENDS.replace("0 <=", "-1.2e-15 <=").replace("b <= 1", "b <= 1 + 1.2e-15"),
    ),
    "subnormals flushed": ("subnormals", WRITTEN, "    s->alpha[i] = fabs(alpha) < 0x1p-1022 ? 0 : alpha;\n"),
}


def failed(command):
    with Port(command) as port:
        return {
            case.id.split(".")[0] for case in CASES if judge(case, port.run(case.call, case.request)).status == FAILED
        }


@pytest.mark.parametrize("name", ALTERED)
def test_a_port_that_is_wrong_at_a_limit_fails_its_cases(name, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("there is no cc on the PATH, which ports/c needs")
    subject, old, new = ALTERED[name]
    folder = shutil.copytree(PORTS / "c", tmp_path / "c", ignore=shutil.ignore_patterns("port", "port.[0-9]*"))
    text = (folder / "port.c").read_text()
    assert text.count(old) == 1
    (folder / "port.c").write_text(text.replace(old, new))
    seen = failed([str(folder / "run")])
    assert subject in seen and seen <= {subject, "subnormals"}, "a change that is left out is subnormal there"


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
