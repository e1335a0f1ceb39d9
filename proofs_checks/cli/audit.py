"""The commands ``audit``, ``claims`` and ``replay``: what the papers say, and the evidence for and against it."""

import argparse
import textwrap
from typing import TYPE_CHECKING

from dualgap.proofs_checks.cli.commands import further_replays
from dualgap.proofs_checks.cli.jobs import watched
from dualgap.proofs_checks.report.screen import note, say
from dualgap.proofs_checks.report.terminal import (
    FAILED,
    Refused,
    input_errors,
    print_block,
    print_json,
    print_lines,
    print_pairs,
    print_table,
    printable,
)

if TYPE_CHECKING:
    from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult


LISTED = (  # of a claim, by claims --json
    *("id", "paper", "expected", "statement", "hypotheses", "kind", "place", "quote", "note", "assumes", "proof"),
    *("kills", "theorems"),
)
FIGURE_DATA = ("tightness", "series")  # in report.json, too long for --json


# -- audit ----------------------------------------------------------------------------------------------------


def audit(given: argparse.Namespace) -> int:
    """Exit 0 when every claim has the verdict that the registry expects and the report is written."""
    if given.itself:
        return audit_itself(given)
    from dualgap.proofs_checks.auditing.audit import audit as run
    from dualgap.proofs_checks.claims.result import AuditReport

    if given.entropy is not None and given.entropy < 0:
        raise Refused(f"--entropy must be a whole number >= 0 (got {given.entropy})")
    with watched(given.dask) as watch:
        found = run(
            given.names,
            "quick" if given.quick else "full" if given.full else "default",
            given.entropy,
            given.out,
            watch,
            jobs=given.jobs,
            exact=given.exact,
            claim_seconds=given.claim_seconds,
            hunt=given.hunt,
        )
    report = AuditReport.from_json(found)
    html = _page(report, given)
    if given.json:
        rows = [{key: value for key, value in row.items() if key not in FIGURE_DATA} for row in found["claims"]]
        print_json({**found, "claims": rows})
    else:
        print_audit(report, given.names)
        print_lines(["", *html])
    return 0 if report.verdict == "pass" and html else FAILED


def _page(report: "AuditReport", given: argparse.Namespace) -> list[str]:
    """[report.json, report.html]; without Jinja2 the first and a line; nothing but a line where the page fails."""
    import pathlib

    from dualgap.proofs_checks.report import report as page
    from dualgap.proofs_checks.report import templating

    facts = str(pathlib.Path(given.out) / "report.json")
    if not templating.available():
        note("{}", templating.MISSING)
        return [facts]
    try:
        html = page.write(report, given.out)
    except ValueError as error:
        note("dualgap audit: {}", error)
        return []
    return [facts, str(html)] if html is not None else []


def audit_itself(given: argparse.Namespace) -> int:
    """Exit 0 when every planted bug was noticed."""
    from dualgap.proofs_checks.self_audit.running import self_audit

    if given.quick or given.full or given.entropy is not None or given.exact or given.hunt is not None:
        raise Refused(
            "--self plants the same bugs every time; leave out --quick, --full, --entropy, --exact and --hunt"
        )
    with watched(given.dask) as watch:
        found = self_audit(given.names, watch, given.jobs)
    if given.json:
        print_json(found)
    else:
        print_lines(f"reported without a planted bug: {words}" for words in found["unfounded"])
        table = [
            (row["name"], row["status"], row["by"] if row["status"] != "not tried" else row["words"])
            for row in found["rows"]
        ]
        print_table(("planted bug", "status", "by"), table)
        say(
            "\nVerdict: {} ({})",
            found["verdict"],
            ", ".join(f"{count} {status}" for status, count in found["counts"].items()),
        )
    return 0 if found["verdict"] == "pass" else FAILED


def print_audit(report: "AuditReport", names: list[str]) -> None:
    """Print what differs, if anything; then the table, what HOLDS means for claims that were drawn or named alone, and
    the verdict."""
    from dualgap.proofs_checks.report import claim_view, summary

    wrong = summary.differences(report)
    print_lines([*wrong, ""] if wrong else [])
    rows = report.claims
    alone = len(rows) == 1 and names == [rows[0].id]
    print_table(("claim", "status", "control", "kills", "seconds", "evidence"), [_cells(row) for row in rows])
    for row in rows:  # of other people's claims the draws are recorded
        said = claim_view.meaning(row) if alone or row.series.get("draws") else []
        for text in said if alone else said[:1]:
            print_lines(["", *textwrap.wrap(f"{row.id}: {text}", 79, break_on_hyphens=False)])
    as_expected = f"{sum(row.as_expected for row in rows)} of {len(rows)} claims as expected"
    settings = f"size {report.size}, entropy {report.entropy}, {report.seconds:.0f} s"
    say(
        "\nVerdict: {} ({}; {})\nCompiled code: {}",
        "interrupted" if report.interrupted else report.verdict,
        as_expected,
        settings,
        report.environment["compiled mathematics"],
    )
    for name, sentence in summary.sentences(report) if not alone else ():
        print_lines(textwrap.wrap(f"{name}: {sentence}", 79, subsequent_indent="  ", break_on_hyphens=False))
    for traceback in summary.tracebacks(report):
        name, _, text = traceback.partition("\n")
        say("\n{}", name)
        print_block(text)


def _cells(row: "ClaimResult") -> tuple[str, ...]:
    """The row of a claim in the table."""
    from dualgap.proofs_checks.report import summary

    kills, seconds = str(len(row.kills.killed) or ""), f"{row.seconds:.1f}"
    return row.id, summary.outcome(row), row.control.outcome, kills, seconds, summary.levels(row)


# -- claims ---------------------------------------------------------------------------------------------------


def claims(given: argparse.Namespace) -> int:
    """Print the registry. Exit 0; with --coverage only if every item is covered or explained."""
    if given.coverage:
        from dualgap.proofs_checks.cli.coverage import coverage

        return coverage(given)
    from dualgap.proofs_checks.claims.registry import select

    with input_errors():
        found = select(given.names)
    if given.json:
        rows = [{name: getattr(claim, name) for name in LISTED} for claim in found]
        print_json({"claims": [{**row, "assumes": [one.listed() for one in row["assumes"]]} for row in rows]})
    else:
        width = max(len(claim.id) for claim in found)
        say("{:<{width}}  {:<14}  {:<8}  {}", "claim", "kind", "expected", "statement", width=width)
        for claim in found:
            say("{:<{width}}  {:<14}  {:<8}  {}", claim.id, claim.kind, claim.expected, claim.statement, width=width)
    return 0


# -- replay ---------------------------------------------------------------------------------------------------


def replay(given: argparse.Namespace) -> int:
    """Exit 0 when the file's numbers come back and the statement is false there."""
    from dualgap.fast.data.atomic_file import write_bytes
    from dualgap.proofs_checks.auditing import counterexamples, kernel_text, replay_file
    from dualgap.proofs_checks.claims.instance import shown
    from dualgap.proofs_checks.properties import files as property_files

    kind = replay_file.kind(given.file)
    if again_by := further_replays().get(kind or ""):
        return again_by(given.file)
    if kind == replay_file.PROPERTY:
        with input_errors():
            again = property_files.replay(given.file)
        print_lines(property_files.lines(again))
        return 0 if again.code or any(not true for _, true in again.theorem) else FAILED
    with input_errors():
        found = counterexamples.replay(given.file)
    say("{0.id}: {0.statement}\nif {0.hypotheses}\n\nInstance", found.claim)
    print_pairs(
        [
            (f"  {name}", printable(shown(value)))
            for name, value in found.instance.to_json().items()
            if value is not None
        ]
    )
    say("\nChain")
    for relation, holds in found.relations:
        say("  {}  {}", "holds" if holds else "FALSE", relation)
    if found.first_false is None:
        say("\nNo relation is false here: the refutation does not reproduce.")
        return FAILED
    say("\nFirst false: {}", found.first_false)
    if not found.same_as_file:
        say("The numbers differ from those in the file: the file or the code has changed since it was written.")
        return FAILED
    say("The refutation reproduces: every number equals the one in the file.")
    with input_errors():
        for path, name in ((given.coq, "COQ"), (given.lean, "LEAN")):
            if path is not None:
                text = kernel_text.kernel_text(found.claim, found.instance, getattr(kernel_text, name), found.method)
                write_bytes(path, text.encode())
                say("Written: {}", path)
    return 0
