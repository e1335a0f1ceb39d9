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
from dualgap.proofs_checks.auditing import pieces
from dualgap.proofs_checks.claims import registry
from dualgap.proofs_checks.claims.extra import Extra
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import KINDS, Origin
from dualgap.proofs_checks.claims.registry import CLAIMS, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Le
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.evidence.levels import golden
from dualgap.proofs_checks.report import terminal

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
        options = {
            "evidence": [golden(TINY)],
            "hypotheses": "none",
            "origin": Origin("printed", "test", ("1",), "p. 1", "a b c"),
        } | options
        control = Control("its control", lambda claim, run: caught)
        registry.claim(f"test.{name}", f"{name}: a test", control=control, **options)(check)
        monkeypatch.setitem(CLAIMS, f"test.{name}", CLAIMS.pop(f"test.{name}"))  # gone again after the test

    return add


def true(c):
    """1 <= 2."""
    yield Le(1, Q(2), "always")


def below_bound(c):
    """gap == gap, then gap <= bound."""
    yield Eq(c.gap, c.problem.gap(c.w, c.alpha), "gap identity")
    yield Le(c.gap, c.extra(Bound).bound, "gap <= bound")


CLAIM_KEYS = set(
    "id paper statement status expected evidence instances violations control killed counterexample".split()
)


@pytest.mark.needs("jinja2")
def test_audit_that_passes_exits_0_prints_the_table_and_writes_both_reports(capsys, empty_folder):
    status, out, err = command(capsys, "audit", "aspdc.a6", "aspdc.a17", "--quick", "--entropy", "5", "--jobs", "1")
    assert status == 0, out
    for text in (
        *"claim aspdc.a6 aspdc.a17 HOLDS EXACT( caught".split(),
        "Verdict: pass",
        "The papers: ",
        "Code: ",
        "Claim and code: ",
    ):
        assert text in out
    assert out.index("aspdc.a6") < out.index("Verdict")
    assert err.splitlines() == ["[1/2] aspdc.a17", "[2/2] aspdc.a6"]  # by id
    written = empty_folder / "dualgap-report"
    assert "dualgap-report/report.html" in out and (written / "report.html").read_text(encoding="utf-8").startswith(
        "<!doctype html>"
    )
    assert json.loads((written / "report.json").read_text(encoding="utf-8"))["schema"] == 2


@pytest.mark.needs("jinja2")
def test_audit_json_is_one_object_with_the_keys_of_the_contract(capsys, empty_folder):
    status, out, _ = command(capsys, "audit", "aspdc.a6", "--quick", "--json", "--out", "elsewhere")
    report = json.loads(out)
    assert status == 0 and report["verdict"] == "pass" and report["schema"] == 2
    (claim,) = report["claims"]
    assert CLAIM_KEYS <= set(claim) and claim["control"] == "caught" and claim["counterexample"] is None
    assert (
        isinstance(claim["instances"], int)
        and isinstance(claim["evidence"], list)
        and isinstance(claim["killed"], list)
    )
    assert (empty_folder / "elsewhere" / "report.html").exists()


def test_audit_of_a_false_claim_exits_1_and_names_the_first_false_relation(capsys, add_claim):
    add_claim("bad", below_bound)
    add_claim("good", true)
    status, out, _ = command(capsys, "audit", "test", "--quick")
    # n = 1, x = 1, y = 2, lam = 4, alpha = 1/2, w = -1/8: gap = (w - y - alpha)^2/2 = (21/8)^2/2
    assert status == 1
    assert out.startswith("First difference: test.bad\n") and "first false relation: gap <= bound: 441/128 <= 1" in out
    assert (
        "dualgap-report/counterexample-test.bad.json" in out
        and "REFUTED, expected HOLDS" in out
        and "Verdict: fail" in out
    )


def test_audit_of_a_claim_that_is_false_as_expected_passes(capsys, add_claim):
    add_claim("bad", below_bound, expected="REFUTED")
    status, out, _ = command(capsys, "audit", "test", "--quick")
    assert status == 0 and "REFUTED as expected" in out and "First difference" not in out


def test_a_check_of_others_that_breaks_is_one_line_with_its_place(capsys, add_claim):
    def breaks(c):
        yield Le(0, c.no_such_thing, "x")

    add_claim("broken", breaks)
    add_claim("good", true)
    status, out, _ = command(capsys, "audit", "test", "--quick")
    told = [line for line in out.splitlines() if "no_such_thing" in line]
    assert status == 1 and "Traceback" not in out and len(told) == 1
    assert (
        told[0].strip()
        == f"It could not be tested: {__file__}:{breaks.__code__.co_firstlineno + 1}: AttributeError: 'Context'"
        " object has no attribute 'no_such_thing'"
    )


def test_audit_whose_control_misses_exits_1_and_says_which(capsys, add_claim):
    add_claim("blind", true, caught=False)
    status, out, _ = command(capsys, "audit", "test", "--quick")
    assert status == 1 and "control missed: its control" in out


def test_interrupted_audit_prints_what_is_finished_and_exits_1(capsys, add_claim):
    def interrupted(claim, run):
        raise KeyboardInterrupt

    add_claim("done", true)
    add_claim("stopped", true, evidence=[interrupted])
    status, out, _ = command(capsys, "audit", "test", "--quick")
    assert status == 1 and "Interrupted" in out.splitlines()[0] and "test.done" in out and "test.stopped" not in out
    assert "Verdict: interrupted (1 of 1 claims as expected" in out


def test_an_audit_in_pieces_says_how_to_go_on_and_goes_on(capsys, monkeypatch):
    words = ("audit", "aspdc.a14", "--quick", "--instances", "15", "--jobs", "1")
    monkeypatch.setattr(pieces, "PIECE", 5)
    with monkeypatch.context() as stopped:
        kept = []

        def interrupted(store, piece, found, keep=pieces.Store.keep):
            keep(store, piece, found)
            kept.append(piece)
            if len(kept) == 2:
                raise KeyboardInterrupt

        stopped.setattr(pieces.Store, "keep", interrupted)
        status, out, _ = command(capsys, *words)
    assert status == 1 and "2 of 3 pieces are finished; repeat the command with --resume to continue" in out
    assert "--resume continues from there" in refusal(capsys, *words)
    status, out, err = command(capsys, *words, "--resume")
    assert status == 0 and "EXACT(15)" in out and err.splitlines() == ["[3/3] aspdc.a14-0-2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--instances", "5"), "the names of claims"),
        (("aspdc.a14", "--resume"), "instances"),
        (("aspdc.a14", "--jobs", "-1"), ">= 0"),
    ],
)
def test_what_cannot_be_asked_of_processes_and_pieces_is_refused_in_one_line(capsys, words, said):
    assert said in refusal(capsys, "audit", "--quick", *words)


def test_a_skipped_level_alone_carries_no_claim(capsys, add_claim):
    add_claim("skipped", true, evidence=[lambda claim, run: Evidence("SKIPPED(no engine)")])
    status, out, _ = command(capsys, "audit", "test", "--quick")
    assert status == 1 and "VACUOUS, expected HOLDS" in out


def test_bug_in_an_audit_keeps_its_traceback(monkeypatch):
    def broken(names, size, entropy, out, progress, **options):
        progress("some.claim", 0, 1)
        raise ValueError("a bug")

    monkeypatch.setattr("dualgap.proofs_checks.auditing.audit.audit", broken)
    refuses(ValueError, "a bug", cli.main, ["audit"])


def test_claims_prints_one_line_for_each(capsys):
    status, out, _ = command(capsys, "claims", "aspdc")
    header, *lines = out.splitlines()
    assert header.split() == ["claim", "kind", "expected", "statement"]
    assert status == 0 and [line.split()[0] for line in lines] == sorted(
        claim.id for claim in CLAIMS.values() if claim.paper == "aspdc"
    )
    assert all(line.split()[1] in KINDS and line.split()[2] in ("HOLDS", "REFUTED", "OPEN") for line in lines)


def test_claims_json_has_the_statements(capsys):
    status, out, _ = command(capsys, "claims", "aspdc.a17", "--json")
    (claim,) = json.loads(out)["claims"]
    assert status == 0 and claim["id"] == "aspdc.a17" and claim["statement"].startswith("(A17)") and claim["kills"]
    assert claim["kind"] == "printed" and "A17" in claim["place"] and 3 <= len(claim["quote"].split()) <= 10


def test_claims_json_has_the_hypotheses_of_a_refuted_statement_as_the_report_has_them(capsys):
    _, out, _ = command(capsys, "claims", "adaspdc.convergence", "--json")
    (claim,) = json.loads(out)["claims"]
    assert (
        claim["assumes"]
        == [
            {"text": a.text, "place": a.place, "evaluated": a.holds is not None}
            for a in CLAIMS["adaspdc.convergence"].assumes
        ]
        != []
    )


@pytest.fixture
def counterexample(capsys, add_claim, empty_folder):
    """The counterexample file of a claim that is false."""
    add_claim("bad", below_bound)
    command(capsys, "audit", "test.bad", "--quick")
    return empty_folder / "dualgap-report" / "counterexample-test.bad.json"


def test_replay_prints_statement_instance_and_chain_and_names_the_first_false(capsys, counterexample):
    status, out, _ = command(capsys, "replay", str(counterexample))
    assert status == 0
    for text in (
        "bad: a test",
        "lam",
        "1/2",
        "holds  gap identity: 441/128 == 441/128",
        "FALSE  gap <= bound: 441/128 <= 1",
        "First false: gap <= bound",
        "reproduces",
    ):
        assert text in out, text


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (lambda record: record["chain"][1]["left"].update(exact="442/128"), 1, "differ from those in the file"),
        (lambda record: record["chain"].pop(), 1, "differ from those in the file"),
        (lambda record: record["instance"]["extra"].update(bound="4"), 1, "does not reproduce"),
        (lambda record: record["instance"].update(lam="5"), 1, "differ from those in the file"),
        (lambda record: record["instance"].update(lam="0"), 2, "lam must be > 0"),
        (lambda record: record["instance"].update(extra={}), 2, "bound"),
        (lambda record: record["instance"].update(rows=[["1", "2"], ["1"]]), 2, "row"),
        (lambda record: record["chain"][0]["left"].update(exact="1/0"), 1, "differ from those in the file"),
        (lambda record: record.update(claim="test.other"), 2, "test.other"),
        (lambda record: record.pop("instance"), 2, "instance"),
    ],
)
def test_replay_of_a_changed_file_says_what_is_wrong(capsys, counterexample, change, status, said):
    record = json.loads(counterexample.read_text(encoding="utf-8"))
    change(record)
    counterexample.write_text(json.dumps(record))
    got, out, err = command(capsys, "replay", str(counterexample))
    assert got == status and said in out + err, out + err
    assert (err.count("\n") == 1 and not out) if status == 2 else not err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"plain text", "it is not JSON (line 1, column 1)"),
        (b"\x93NUMPY", "it is not a text in UTF-8"),
        (b"[1]", "it has no 'claim'. Give a file counterexample-*.json"),
        (b'{"claims": []}', "it has no 'claim'. Give"),
        (b'{"claim": "aspdc.a17"}', "it has no 'instance'. Give"),
        (b'{"claim": "aspdc.a17", "instance": {}}', "it has no 'chain'. Give"),
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


@pytest.mark.parametrize("installed", [pytest.param(True, marks=pytest.mark.needs("rich")), False])
def test_table_shows_every_cell_with_and_without_rich(installed, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "120")
    if not installed:
        monkeypatch.setitem(sys.modules, "rich", None)
    terminal.print_table(("claim", "status", "evidence"), ROWS, alarming=[1])
    shown = sys.stdout.getvalue()
    assert all(cell in shown for row in ROWS for cell in row), shown
    assert ("\u2500" in shown or "\u2501" in shown) == installed


def test_plain_table_is_aligned_and_cuts_nothing(capsys):
    terminal.print_table(("claim", "status", "evidence"), ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert (
        len({line.find(text) for line, text in zip(lines, ("evidence", "---------", "EXACT(40)", "[red]"))} - {0}) <= 2
    )
    assert lines[0].index("evidence") == lines[2].index("EXACT(40)") == lines[3].index("[red]")


@pytest.mark.needs("rich")
def test_progress_is_a_bar_on_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with terminal.progress() as advance:
        advance("a.claim", 1, 4)  # shown by the bar's own thread, or at the latest when it is closed
    assert "1/4" in sys.stderr.getvalue() and "a.claim" in sys.stderr.getvalue()


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
