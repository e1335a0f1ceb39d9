"""Mistakes that ordinary cases do not show, each put into the right port: a vector shows every one, and harmless
variants pass.
"""

import json
import pathlib
import sys
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.cli.vectors import judged, requests
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import Difference
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.seeded_bugs.ratios import hint
from dualgap.proofs_checks.conformance.vectors.large import large_cases
from dualgap.proofs_checks.conformance.vectors.load import load

PORTS = pathlib.Path(__file__).parents[2] / "ports"
sys.path.insert(0, str(PORTS))
import wrong_ports  # noqa: E402

sys.path.remove(str(PORTS))

VECTORS = load()
CASES = list(VECTORS.cases.values())
ROWS = tuple(row.name for row in FIRST_ROWS)
RIGHT = [sys.executable, str(wrong_ports.SOURCE)]

SOFT = "    return v - threshold if v > threshold else v + threshold if v < -threshold else v - v\n"
MOVE = "        v[j] = v[j] - c * x\n"
SHIFT = "        moved[j] = moved[j] + factor * x\n"
BRANCHES = 'return {"states": [written(step(method, p, parameters, state, choice)) for choice in given["choices"]]}'
GAP = 'return {"primal": encode(primal), "dual": encode(dual), "gap": encode(primal - dual)}'
ROW = "(columns[k], values[k]) for k in range(starts[i], starts[i + 1])"
PLAIN_GAP = 'encode(decode(given["primal"]) - decode(given["dual"]))'
MISTAKES = {
    "dead zone of 1e-4 beyond the threshold": (SOFT, SOFT.replace("v > threshold", "v > threshold + 1e-4")),
    "dead zone of 1e-8": (SOFT, SOFT.replace("v > threshold", "v > threshold + 1e-8")),
    "dead zone of 1e-12": (SOFT, SOFT.replace("v > threshold", "v > threshold + 1e-12")),
    "dead zone on the other side": (SOFT, SOFT.replace("v < -threshold", "v < -threshold - 1e-12")),
    "a little inside is let through": (SOFT, SOFT.replace("v > threshold", "v > threshold - 1e-12")),
    "a threshold that is 1e-9 too small": (
        SOFT,
        SOFT.replace("    return", "    threshold = threshold - 1e-9\n    return"),
    ),
    "updates below 1e-6 are dropped": (MOVE, "        v[j] = v[j] - c * x if abs(c * x) >= 1e-6 else v[j]\n"),
    "updates below 1e-6 are dropped, shifted": (
        SHIFT,
        "        moved[j] = moved[j] + factor * x if abs(factor * x) >= 1e-6 else moved[j]\n",
    ),
    "updates above 1e6 are cut": (MOVE, "        v[j] = v[j] - max(-1e6, min(1e6, c * x))\n"),
    "four entries of a row": (
        ROW,
        "(columns[k], values[k]) for k in range(starts[i], min(starts[i] + 4, starts[i + 1]))",
    ),
    "thirty-two entries of a row": (
        ROW,
        "(columns[k], values[k]) for k in range(starts[i], min(starts[i] + 32, starts[i + 1]))",
    ),
    "five rows in X^T alpha": ("zip(self.rows, alpha):", "zip(self.rows[:5], alpha):"),
    "eight rows in P": (
        "        for i in range(self.n):\n            total = total + value(",
        "        for i in range(min(self.n, 8)):\n            total = total + value(",
    ),
    "branches in reverse": (BRANCHES, BRANCHES.replace('given["choices"]]', 'reversed(given["choices"])]')),
    "branches one after another": (BRANCHES, 'call = "trajectory"'),
    "every branch is the first": (BRANCHES, BRANCHES.replace("state, choice))", 'state, given["choices"][0]))')),
    "a certificate's gap cut off at 0": (GAP, GAP.replace("primal - dual", "max(0.0, primal - dual)")),
    "a certificate's gap without its sign": (GAP, GAP.replace("primal - dual", "abs(primal - dual)")),
    "a gap cut off at 0": (PLAIN_GAP, PLAIN_GAP.replace("encode(decode", "encode(max(0.0, decode", 1) + ")"),
    "a gap below 1e-9 is 0": (
        PLAIN_GAP,
        'encode((lambda g: g if abs(g) > 1e-9 else 0.0)(decode(given["primal"]) - decode(given["dual"])))',
    ),
    "32 bits in the inner product": (
        "        z = 0.0\n        for j, x in self.rows[i]:\n            z = z + x * w[j]\n",
        (
            "        z = 0.0\n        for j, x in self.rows[i]:\n            z = struct.unpack('f', struct.pack('f', z"
            " + x * w[j]))[0] if abs(z + x * w[j]) < 1e30 else z + x * w[j]\n"
        ),
    ),
    "32 bits in the norm": (
        "            total = total + x * x\n        return total\n\n    def average",
        (
            "            total = struct.unpack('f', struct.pack('f', total + x * x))[0] if abs(x) < 1e15 else total + x"
            " * x\n        return total\n\n    def average"
        ),
    ),
}
HARMLESS = {
    "inner products from the last entry": (
        "for j, x in self.rows[i]:\n            z = z + x * w[j]",
        "for j, x in reversed(self.rows[i]):\n            z = z + x * w[j]",
    ),
    "a reciprocal": ("c = (new - alpha[i]) / (p.lam * p.n)", "c = (new - alpha[i]) * (1 / (p.lam * p.n))"),
    "another reciprocal": ("total_j / self.n for", "total_j * (1 / self.n) for"),
    "sums without rounding": (
        "        z = 0.0\n        for j, x in self.rows[i]:\n            z = z + x * w[j]\n",
        "        import math\n        z = math.fsum(x * w[j] for j, x in self.rows[i])\n",
    ),
    "alpha is written only where it changes": (
        "        alpha[k] = new_k\n",
        "        if new_k != alpha[k]:\n            alpha[k] = new_k\n",
    ),
    "the threshold by copysign": (SOFT, "    import math\n    return math.copysign(max(abs(v) - threshold, 0.0), v)\n"),
    "P from the last row": (
        "        for i in range(self.n):\n            total = total + value(",
        "        for i in reversed(range(self.n)):\n            total = total + value(",
    ),
}


def first_failure(command, cases):
    with Port(command) as port:
        return next(
            (o for case in cases if (o := judge(case, port.run(case.call, case.request))).status == FAILED), None
        )


RELEVANT = [
    c
    for c in CASES
    if c.call in ("regularizer.minimizer", "regularizer.prox", "gap", "certificate", "branches", "init")
    or (c.call == "step" and c.given["method"] in ROWS)
]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_vector_shows_it(name, tmp_path):
    assert first_failure(wrong_ports.spoiled(tmp_path, *MISTAKES[name]), RELEVANT) is not None


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_rounds_otherwise_passes(name, tmp_path):
    failure = first_failure(
        wrong_ports.spoiled(tmp_path, *HARMLESS[name]), [c for c in CASES if c.given.get("method", "aspdc") in ROWS]
    )
    assert failure is None, failure and (failure.case.id, failure.reason)


@pytest.mark.parametrize("method", ROWS)
def test_every_method_of_the_elastic_net_has_steps_on_both_sides_of_the_threshold(method, tmp_path):
    """With a threshold that is wrong by 1e-12 some exact step of each method fails."""
    cases = [c for c in CASES if c.call == "step" and c.given["method"] == method and c.tolerance_class == "E"]
    for wrong in ("dead zone of 1e-12", "dead zone on the other side", "a little inside is let through"):
        assert first_failure(wrong_ports.spoiled(tmp_path, *MISTAKES[wrong]), cases) is not None, wrong


# -- what is said of a failure -----------------------------------------------------------------------------------------


def due(value):
    return hex_floats.read(hex_floats.spell_due(Fraction(value), None))


def bare(value):
    return hex_floats.encode(value)


@pytest.mark.parametrize(
    "got, words",
    [
        (-0.75, "the number is -1 times"),
        (3.0, "the number is n times"),
        (0.1875, "the number is 1/n times"),
        (1.5, "the number is 2 times"),
        (0.0, "the number is 0 times"),
        (7.5, "the number is 1/lam times"),
        (0.5, "the number is not changed"),
        (0.75 * (1 + 2.0**-24), "single precision"),
        (0.7321, ""),
    ],
)
def test_a_wrong_number_is_compared_with_the_right_one(got, words):
    given = {"problem": {"n": 4, "d": 3, "lam": bare(0.1)}, "state": {"v": [bare(0.0), bare(0.5)]}, "choice": 1}
    said = hint(given, Difference("v[1]", None, got, due(0.75), ""))
    assert (words in said) if words else said == ""


def test_a_wrong_change_is_seen_where_the_number_says_nothing():
    given = {"problem": {"n": 4, "d": 3, "lam": bare(0.1)}, "state": {"v": [bare(10.0)]}, "choice": 0}
    assert hint(given, Difference("v[0]", None, 14.0, due(11.0), "")) == "the change is n times the change due"


def test_a_bug_that_explains_few_failures_is_not_named_and_what_the_numbers_are_is(tmp_path):
    """v moves by twice what is due: no known bug, and the ratio of the changes says it."""
    with Port(
        wrong_ports.spoiled(
            tmp_path, "c = (new - alpha[i]) / (p.lam * p.n)", "c = 2 * (new - alpha[i]) / (p.lam * p.n)"
        )
    ) as port:
        report = conform(
            port, [c for c in CASES if c.call == "step" and c.given["method"] in ("aspdc", "sdca")], seconds=0
        )
    failures = report.failures()
    assert len(failures) > 20 and all(2 * count > len(failures) for _, count in report.diagnosis())
    assert "the change is 2 times the change due" in dict(report.hints())


# -- what a build server asks ------------------------------------------------------------------------------------------


def run(words, command=RIGHT):
    return main(["conform", "--seconds", "0", *words, "--", *command])


def test_only_some_cases_are_asked_and_a_name_that_is_nowhere_is_refused(capsys):
    assert run(["--only", "gap,regularizer", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts == {"passed": sum(c.method in ("gap", "regularizer") for c in CASES)}
    assert run(["--only", "gab"]) == 2
    assert "near it: gap" in capsys.readouterr().err


def test_a_required_method_that_is_skipped_fails_and_nothing_checked_is_3(capsys):
    assert run(["--only", "pegasos"]) == 3
    assert run(["--only", "pegasos,gap", "--require", "pegasos"]) == 1
    assert "--require pegasos: " in capsys.readouterr().out
    assert run(["--only", "gap", "--require", "gap"]) == 2, "what is no method has no such row"
    assert run(["--only", "aspdc", "--require", "aspdc"]) == 0
    assert run(["--only", "gap", "--require", "aspdc"]) == 1, "none of its cases was asked"


def test_junit_and_tap_say_what_the_verdict_says(tmp_path, capsys):
    wrong = [sys.executable, str(wrong_ports.write("absolute-gap", tmp_path))]
    path = tmp_path / "report.xml"
    assert run(["--only", "gap,pegasos", "--junit", str(path), "--tap"], wrong) == 1
    lines = capsys.readouterr().out.splitlines()
    suites = {suite.get("name"): suite for suite in ElementTree.parse(path).getroot()}
    gaps = sum(c.method == "gap" for c in CASES)
    failed = int(suites["gap"].get("failures"))
    assert 0 < failed < gaps == int(suites["gap"].get("tests")) and suites["pegasos"].get("skipped") == suites[
        "pegasos"
    ].get("tests")
    assert failed == len(suites["gap"].findall("testcase/failure")) == sum(line.startswith("not ok") for line in lines)
    assert lines[0] == "TAP version 14" and lines[1] == f"1..{sum(line.startswith(('ok', 'not ok')) for line in lines)}"
    assert sum("# SKIP" in line for line in lines) == int(suites["pegasos"].get("tests"))


def test_a_report_that_cannot_be_written_is_one_line(tmp_path, capsys):
    assert run(["--only", "gap", "--junit", str(tmp_path / "no" / "report.xml")]) == 1
    out, err = capsys.readouterr()
    assert "report.xml was not written (No such file or directory)" in err and "Verdict: pass" in out, (
        "what was found is told all the same"
    )


def test_stray_and_second_answers_fail_a_file_and_the_rest_is_judged(tmp_path):
    with Port(RIGHT) as port:
        answers = [json.dumps(port.pipe.ask(request)) for request in requests(VECTORS) if request["op"] != "stop"]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(answers) + "\n")
    assert judged(VECTORS, path).verdict == "pass"
    for line, words in (
        ("hello", "not an answer"),
        (answers[7], "a second answer to seq 7"),
        ('{"seq":999999}', "which no request has"),
    ):
        path.write_text("\n".join([*answers[:9], line, *answers[9:]]) + "\n")
        report = judged(VECTORS, path)
        assert report.verdict == "fail" and words in report.complaints[0] and not report.failures()


# -- the large cases ---------------------------------------------------------------------------------------------------


def test_a_large_case_is_right_by_both_implementations_and_shows_what_small_ones_cannot(tmp_path):
    cases = list(large_cases(["aspdc"], Independent))
    assert {case.given["problem"]["n"] for case in cases} == {2048, 4} and max(
        len(json.dumps(case.request)) for case in cases
    ) > 500_000
    assert first_failure(RIGHT, cases) is None
    short = ROW.replace("starts[i + 1]", "min(starts[i] + 256, starts[i + 1])")
    assert first_failure(wrong_ports.spoiled(tmp_path, ROW, short), cases) is not None
