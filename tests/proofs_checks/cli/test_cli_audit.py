"""The commands audit, claims and replay, and what the terminal shows."""

import io
import json
import re
import sys
from dataclasses import dataclass
from fractions import Fraction

import pytest
from support import command, refusal, refuses

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims import registry
from dualgap.proofs_checks.claims.extra import Extra
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import KINDS, Origin
from dualgap.proofs_checks.claims.registry import CLAIMS, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Le
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.evidence.levels import golden
from dualgap.proofs_checks.report import templating, terminal

pytestmark = pytest.mark.usefixtures("empty_folder")  # so that what a command writes can be counted


@dataclass(frozen=True)
class Bound(Extra):
    bound: Fraction


TINY = Instance(rows=(Qs(1),), y=Qs(2), alpha=Qs("1/2"), lam=Q(4), extra=Bound(Q(1)))


@pytest.fixture
def add_claim(monkeypatch):
    """Register claims for one test: add_claim("name", check, ...) makes test.name."""
    registry.all_claims()

    def add(name, check, caught=True, **options):
        origin = Origin("printed", "test", ("1",), "p. 1", "a b c")
        options = {"evidence": [golden(TINY)], "hypotheses": "none", "origin": origin} | options
        control = Control("its control", lambda claim, run: caught)
        registry.claim(f"test.{name}", f"{name}: a test", control=control, **options)(check)
        monkeypatch.setitem(CLAIMS, f"test.{name}", CLAIMS.pop(f"test.{name}"))  # gone again after the test

    return add


def true(c):
    yield Le(1, Q(2), "always")


def below_bound(c):
    yield Eq(c.gap, c.problem.gap(c.w, c.alpha), "gap identity")
    yield Le(c.gap, c.extra(Bound).bound, "gap <= bound")


def breaks(c):
    yield Le(0, c.no_such_thing, "x")


def interrupted(claim, run):
    raise KeyboardInterrupt


BROKEN = f"It could not be tested: {__file__}:{breaks.__code__.co_firstlineno + 1}: AttributeError: 'Context'"
AUDITS = {  # what is registered beside a true claim; the exit status; what is said, in this order; what is not
    "false": (
        (
            below_bound,
            {},
        ),  # n = 1, x = 1, y = 2, lam = 4, alpha = 1/2, w = -1/8: gap = (w - y - alpha)^2/2 = (21/8)^2/2
        1,
        "First difference: test.b\n|first false relation: gap <= bound: 441/128 <= 1|REFUTED, expected HOLDS"
        "|Verdict: fail|dualgap-report/counterexample-test.b.json",
        "",
    ),
    "false as expected": ((below_bound, {"expected": "REFUTED"}), 0, "REFUTED as expected", "First difference"),
    "broken": ((breaks, {}), 1, f"{BROKEN} object has no attribute 'no_such_thing'\n", "Traceback"),
    "blind": ((true, {"caught": False}), 1, "control missed: its control", ""),
    "skipped": (
        (true, {"evidence": [lambda claim, run: Evidence("SKIPPED(no engine)")]}),
        1,
        "VACUOUS, expected HOLDS",
        "",
    ),
    "interrupted": (
        (true, {"evidence": [interrupted]}),
        1,
        "Interrupted|test.a|Verdict: interrupted (1 of 1 claims as expected",
        "test.b",
    ),
}


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_ends_with_its_exit_status_and_its_reason(capsys, add_claim, name):
    (check, options), expected, said, unsaid = AUDITS[name]
    add_claim("a", true)
    add_claim("b", check, **options)
    status, out, _ = command(capsys, "audit", "test", "--quick", "--jobs", "1")
    assert status == expected and all(text in out for text in said.split("|")), out
    assert not unsaid or unsaid not in out, out


@pytest.mark.needs(*templating.MAKERS)
def test_audit_that_passes_exits_0_prints_the_table_and_writes_both_reports(capsys, empty_folder):
    words = ("aspdc.a6", "aspdc.a17", "--quick", "--entropy", "5", "--jobs", "1", "--out", "elsewhere")
    status, out, err = command(capsys, "audit", *words)
    order = "claim|aspdc.a17|aspdc.a6|HOLDS|EXACT(|caught|The papers: |Code: |Claim and code: |Verdict: pass"
    assert status == 0 and all(text in out for text in order.split("|")), out
    assert out.index("aspdc.a6") < out.index("Verdict") and "elsewhere/report.html" in out
    assert err.splitlines() == ["[1/2] aspdc.a17", "[2/2] aspdc.a6"]  # by id
    assert (empty_folder / "elsewhere" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    report = json.loads((empty_folder / "elsewhere" / "report.json").read_text(encoding="utf-8"))
    told = json.loads(command(capsys, "audit", *words, "--json")[1])
    claim = told["claims"][0]
    assert (
        told.keys() >= report.keys()
        and report["verdict"] == "pass"
        and report["schema"] == 2
        and claim["counterexample"] is None
    )
    assert {key: type(claim[key]) for key in ("instances", "evidence", "killed", "control")} == {
        "instances": int,
        "evidence": list,
        "killed": list,
        "control": str,
    }
    assert set("id paper statement status expected violations".split()) <= set(claim)


def test_a_negative_number_of_jobs_is_refused_in_one_line(capsys):
    assert ">= 0" in refusal(capsys, "audit", "--quick", "aspdc.a14", "--jobs", "-1")


def test_bug_in_an_audit_keeps_its_traceback(monkeypatch):
    def broken(names, size, entropy, out, progress, **options):
        progress("some.claim", 0, 1)
        raise ValueError("a bug")

    monkeypatch.setattr("dualgap.proofs_checks.auditing.audit.audit", broken)
    refuses(ValueError, "a bug", cli.main, ["audit"])


def test_claims_prints_one_line_for_each_and_json_has_the_statements(capsys):
    _, out, _ = command(capsys, "claims", "aspdc")
    header, *told = [line.split()[:3] for line in out.splitlines()]
    assert header == ["claim", "kind", "expected"]
    assert [name for name, _, _ in told] == sorted(claim.id for claim in CLAIMS.values() if claim.paper == "aspdc")
    assert all(kind in KINDS and expected in ("HOLDS", "REFUTED", "OPEN") for _, kind, expected in told)
    a17, false = (
        json.loads(command(capsys, "claims", name, "--json")[1])["claims"][0]
        for name in ("aspdc.a17", "adaspdc.convergence")
    )
    assert a17["id"] == "aspdc.a17" and a17["statement"].startswith("(A17)") and a17["kills"]
    assert a17["kind"] == "printed" and "A17" in a17["place"] and 3 <= len(a17["quote"].split()) <= 10
    assert false["assumes"] == [assumed.listed() for assumed in CLAIMS["adaspdc.convergence"].assumes] != []


@pytest.fixture
def counterexample(add_claim, empty_folder):
    """The counterexample file of a claim that is false."""
    add_claim("bad", below_bound)
    return counterexamples.write(empty_folder, CLAIMS["test.bad"], TINY)


CHANGES = [  # to a counterexample file; the exit status; what is said
    (
        lambda record: None,
        0,
        "bad: a test|lam|1/2|holds  gap identity: 441/128 == 441/128|FALSE  gap <= bound: 441/128 <= 1|"
        "First false: gap <= bound|reproduces",
    ),
    (lambda record: record["chain"][1]["left"].update(exact="442/128"), 1, "differ from those in the file"),
    (lambda record: record["chain"].pop(), 1, "differ from those in the file"),
    (lambda record: record["instance"]["extra"].update(bound="4"), 1, "does not reproduce"),
    (lambda record: record["instance"].update(lam="5"), 1, "differ from those in the file"),
    (lambda record: record["instance"].update(lam="0"), 2, "lam must be > 0"),
    (lambda record: record["instance"].update(extra={}), 2, "bound"),
    (lambda record: record["instance"].update(rows=[["1", "2"], ["1"]]), 2, "row"),
    (lambda record: record["chain"][0]["left"].update(exact="1/0"), 1, "differ from those in the file"),
    (lambda record: record.update(claim="test.other"), 2, "test.other"),
    (lambda record: record.pop("instance"), 2, "it has no 'instance'. Give"),
    (lambda record: record.pop("chain"), 2, "it has no 'chain'. Give"),
    (lambda record: record.pop("claim"), 2, "it has no 'claim'. Give a file counterexample-*.json"),
]


@pytest.mark.parametrize(("change", "status", "said"), CHANGES)
def test_replay_of_a_file_says_whether_it_reproduces_or_what_is_wrong(capsys, counterexample, change, status, said):
    record = json.loads(counterexample.read_text(encoding="utf-8"))
    change(record)
    counterexample.write_text(json.dumps(record))
    got, out, err = command(capsys, "replay", str(counterexample))
    assert got == status and all(text in out + err for text in said.split("|")), out + err
    assert (err.count("\n") == 1 and not out) if status == 2 else not err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"plain text", "it is not JSON (line 1, column 1)"),
        (b"\x93NUMPY", "it is not a text in UTF-8"),
        (b"[1]", "it has no 'claim'"),
    ],
)
def test_replay_of_another_file_is_one_readable_line(capsys, empty_folder, content, said):
    (empty_folder / "other.json").write_bytes(content)
    line = refusal(capsys, "replay", "other.json")
    assert said in line and "other.json" in line and not re.search(r"Error|codec|Expecting", line), line


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


ROWS = [("a.claim", "HOLDS", "EXACT(40)"), ("b.claim", "REFUTED, expected HOLDS", "[red]")]


def test_a_table_is_aligned_and_cuts_nothing(capsys):
    terminal.print_table(("claim", "status", "evidence"), ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].index("evidence") == lines[2].index("EXACT(40)") == lines[3].index("[red]")


def test_progress_on_a_terminal_is_one_line_that_is_cut_and_erased(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", "20")
    with terminal.progress() as advance:
        advance("a.claim.with-a-long-name\x1b", 1, 4)
    assert sys.stderr.getvalue() == "\r\x1b[2K[2/4] a.claim.with-\r\x1b[2K"


def test_numbers_that_json_cannot_write_become_null(capsys):
    terminal.print_json({"gap": float("nan"), "history": [(float("inf"), 1.5)]})
    assert json.loads(capsys.readouterr().out) == {"gap": None, "history": [[None, 1.5]]}


def test_a_killed_audit_leaves_a_report_of_what_is_finished(monkeypatch, capsys, tmp_path, add_claim):
    seen = []

    def looks(claim, run):
        seen.append(json.loads((tmp_path / "report.json").read_text()))
        return Evidence("EXACT", instances=1)

    monkeypatch.setattr(auditing, "KEPT_EVERY", -1.0)
    add_claim("first", true)
    add_claim("second", true, evidence=[looks])
    assert command(capsys, "audit", "test", "--quick", "--jobs", "1", "--out", str(tmp_path))[0] == 0
    (kept,) = seen
    assert kept["interrupted"] and kept["verdict"] == "fail" and [row["id"] for row in kept["claims"]] == ["test.first"]
    assert json.loads((tmp_path / "report.json").read_text())["interrupted"] is False  # of the audit that has ended
