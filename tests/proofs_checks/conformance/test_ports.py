"""The ports: every vector, the reference's own bits on data of any kind, and what they say to requests that are
wrong.
"""

import json
import os
import pathlib
import platform
import random
import shutil
import subprocess

import pytest
from support import ROOT

from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports.whole_runs import stored
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.reference import LOSSES, ElasticNet, Problem, method

PORTS = ROOT / "ports"
NEEDS = {"c": "cc", "javascript": "node", "go": "go", "rust": "rustc"}
COMPLETE = ("go", "rust")  # the others have the methods that a port begins with


def missing(name):
    return "" if shutil.which(NEEDS[name]) else f"there is no {NEEDS[name]} on the PATH, which ports/{name} needs"


@pytest.fixture(
    params=[
        pytest.param(
            name,
            marks=[
                pytest.mark.skipif(bool(missing(name)), reason=missing(name)),
                *[pytest.mark.nightly] * (name not in ("c", "javascript")),
            ],
        )
        for name in NEEDS
    ]
)
def port(request):
    """The path of a port's run."""
    return str(PORTS / request.param / "run")


def language(run):
    """The folder's name."""
    return pathlib.Path(run).parent.name


def test_every_vector_passes(port, capsys):
    status = cli.main(["conform", "--seconds", "0", "--json", "--", port])
    report = json.loads(capsys.readouterr().out)
    assert status == 0 and report["verdict"] == "pass", report["failures"]
    rows = {name for level in report["table"].values() for name in level}
    skipped = {name for level in report["table"].values() for name, counts in level.items() if "skipped" in counts}
    first = {*(row.name for row in FIRST_ROWS), "certificate", "regularizer", "gap", *LOSSES}
    assert skipped == (set() if language(port) in COMPLETE else rows - first)
    assert report["counts"]["passed"] > (4150 if language(port) in COMPLETE else 2400)


def drawn_problem(draw, loss):
    """Sparse rows of Gaussian numbers, an empty one now and then, columns unsorted."""
    n, d = draw.randint(1, 7), draw.randint(1, 4)
    rows = [[(j, draw.gauss(0, 1)) for j in draw.sample(range(d), draw.randint(0, d))] for _ in range(n)]
    kind = LOSSES[loss]
    y = [draw.choice([-1.0, 1.0]) if kind.margin else draw.gauss(0, 1) for _ in range(n)]
    gamma = draw.uniform(0.2, 2) if kind.adjustable else None
    return Problem(rows, y, kind(gamma), ElasticNet(draw.uniform(0.01, 2), draw.choice([0, 0.1, 0.5])), d=d)


def bits(state):
    return {name: [encode(x + 0.0) for x in value] for name, value in state.fields().items()}


def unsigned(states):
    """-0 as 0: the sign of a zero is not judged."""
    return [
        {name: [("0" * 16 if x == "8" + "0" * 15 else x) for x in value] for name, value in state.items()}
        for state in states
    ]


def methods(draw, problem):
    """(name, method, its parameters in bits), without those that have none for the problem."""
    yield "aspdc", method("aspdc"), {}
    yield "sdca", method("sdca"), {}
    for name, options in (
        ("spdc", {}),
        ("spdc-minibatch", {"m": draw.randint(1, problem.n)}),
        ("spdc-nonuniform", {"mix": 0.5}),
    ):
        made = method(name, delta=draw.choice([0, 0.25]) if problem.loss.gamma > 0 else 0.5, **options)
        found = made.parameters(problem)
        if found is None:
            continue
        given = {"tau": found.tau, "sigma": found.sigma, "theta": found.theta, "delta": float(made.delta)}
        in_bits = {key: encode(value) for key, value in given.items()}
        yield name, made, in_bits | ({"weight": [encode(p) for p in found.weight]} if found.weight else {})


def differing(run, losses, count=12):
    """(method, loss) of every trajectory whose bits are not the reference's, and how many were run."""
    draw, found, total = random.Random(8), set(), 0
    with Port([run]) as port:
        for loss in losses:
            for _ in range(count):
                problem = drawn_problem(draw, loss)
                for name, made, parameters in methods(draw, problem):
                    states, state = [], made.init(problem)
                    choices = [draw.choice(made.choices(problem, state))[0] for _ in range(8)]
                    given = {"method": name, "problem": stored(problem), "parameters": parameters, "state": bits(state)}
                    for choice in choices:
                        state = made.step(problem, state, choice)
                        states.append(bits(state))
                    answer = port.run(
                        "trajectory", given | {"choices": [list(c) if isinstance(c, tuple) else c for c in choices]}
                    )
                    assert answer.result is not None, answer
                    total += 1
                    if unsigned(answer.result["states"]) != unsigned(states):
                        found.add((name, loss))
    return found, total


def test_the_bits_are_those_of_the_reference(port):
    """All losses in C, whose exp, log and root are the reference's; elsewhere all but the logistic loss."""
    if language(port) == "go" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip(f"Go may fuse x*y + z on {platform.machine()}")
    found, total = differing(port, [loss for loss in LOSSES if loss != "logistic" or language(port) == "c"])
    assert (found, total > 250) == (set(), True)


@pytest.mark.skipif(bool(missing("c")), reason=missing("c"))
def test_an_expression_regrouped_is_seen_in_the_bits(tmp_path):
    """The control: (Delta/lam)/n instead of Delta/(lam n) is the same number, and passes every vector."""
    source = (PORTS / "c" / "port.c").read_text(encoding="utf-8")
    regrouped = "(alpha - s->alpha[i]) / p->lam / (double)p->n"
    assert source.count("(alpha - s->alpha[i]) / (p->lam * (double)p->n)") == 1
    folder = copied(tmp_path, source.replace("(alpha - s->alpha[i]) / (p->lam * (double)p->n)", regrouped))
    found, _ = differing(str(folder / "run"), ["squared"], count=30)
    assert found == {("aspdc", "squared"), ("sdca", "squared")}


def copied(tmp_path, source):
    """ports/c in a separate folder, with another source."""
    shutil.copy(PORTS / "c" / "run", tmp_path / "run")
    (tmp_path / "port.c").write_text(source)
    return tmp_path


@pytest.mark.skipif(bool(missing("c")), reason=missing("c"))
def test_the_c_port_builds_without_a_warning_and_again_when_its_source_is_newer(tmp_path):
    folder = copied(tmp_path, (PORTS / "c" / "port.c").read_text(encoding="utf-8"))
    first = talk(str(folder / "run"), ['{"seq":0,"op":"start","protocol":1}'])
    assert first.stderr == "" and json.loads(first.stdout)["name"] == "dualgap-c"
    copied(folder, (PORTS / "c" / "port.c").read_text(encoding="utf-8").replace("dualgap-c", "another"))
    newer = (folder / "port").stat().st_mtime + 2
    os.utime(folder / "port.c", (newer, newer))
    assert json.loads(talk(str(folder / "run"), ['{"seq":0,"op":"start","protocol":1}']).stdout)["name"] == "another"


@pytest.mark.parametrize(
    "name, words",
    [
        ("go", ["go", "vet", "."]),
        ("rust", ["rustc", "--edition", "2021", "-Dwarnings", "--emit=metadata", "-o", "{}", "port.rs"]),
    ],
)
def test_the_compiler_warns_of_nothing(name, words, tmp_path):
    if missing(name):
        pytest.skip(missing(name))
    done = subprocess.run(
        [word.format(tmp_path / "port") for word in words],
        cwd=PORTS / name,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")


def talk(run, lines):
    return subprocess.run(
        [run], input="".join(line + "\n" for line in lines), capture_output=True, text=True, timeout=600
    )


ONE = encode(1.0)
PROBLEM = {
    "n": 1,
    "d": 1,
    "starts": [0, 1],
    "columns": [0],
    "values": [ONE],
    "y": [ONE],
    "loss": "squared",
    "gamma": ONE,
    "lam": ONE,
    "l1": encode(0.0),
}
STEP = {
    "method": "sdca",
    "problem": PROBLEM,
    "parameters": {},
    "state": {"v": [encode(0.0)], "alpha": [encode(0.0)]},
    "choice": 0,
}
WRONG = [
    ("skipped", {"op": "dance"}),
    ("skipped", {"op": "run", "call": "dance", "given": {}}),
    ("skipped", {"op": "run", "call": "step", "given": STEP | {"method": "newton"}}),
    ("skipped", {"op": "run", "call": "step", "given": STEP | {"problem": PROBLEM | {"loss": "huber"}}}),
    ("error", {"call": "step"}),
    ("error", {"op": "echo", "numbers": ["1.5"]}),
    ("error", {"op": "run", "call": "step", "given": STEP | {"state": {}}}),
    ("error", {"op": "run", "call": "step", "given": STEP | {"choice": 1}}),
    ("result", {"op": "run", "call": "step", "given": STEP | {"comment": [{"a": "b"}, 3]}}),
]


def test_what_a_port_cannot_answer_is_said_and_the_next_request_is_answered(port):
    requests = [json.dumps({"seq": k, **request}) for k, (_, request) in enumerate(WRONG)]
    done = talk(port, ["no JSON at all", *requests, '{"seq":99,"op":"stop"}', '{"seq":100,"op":"start","protocol":1}'])
    first, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "error" in first and done.returncode == 0
    assert [(answer["seq"], kind in answer) for answer, (kind, _) in zip(answers, WRONG)] == [
        (k, True) for k in range(len(WRONG))
    ]
    assert len(answers) == len(WRONG), "nothing is answered after stop"


def test_a_line_of_a_megabyte_and_the_end_of_the_input(port):
    numbers = [encode(float(k)) for k in range(60_000)]
    done = talk(port, [json.dumps({"seq": 1, "op": "echo", "numbers": numbers})])
    assert json.loads(done.stdout)["numbers"] == numbers and done.returncode == 0
