"""report.html: an audit as one page that needs no network and no script, rendered from its report alone.

Where matplotlib is missing the page has no figures and says so in one sentence.
"""

import json
import pathlib
from collections.abc import Iterator
from html import escape
from typing import Any

from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.claims.origins import KINDS
from dualgap.proofs_checks.claims.registry import HOLDS
from dualgap.proofs_checks.report import figures, summary
from dualgap.proofs_checks.report.html import STYLE, contents, details, section, symbols, table

Row = dict[str, Any]
Report = dict[str, Any]


def write(report: Report, folder: str | pathlib.Path) -> pathlib.Path | None:
    """Write ``report.html`` into the folder and return its path; None, with a warning, where that cannot be done."""
    path = pathlib.Path(folder) / "report.html"
    return path if write_text(path, render(report)) else None


def render(report: Report) -> str:
    """The page for the report of ``audit``. Counterexamples are read from the files that the report names."""
    rows = report["claims"]
    parts = [_claims(kind, found) for kind, found in summary.grouped(rows).items()]
    parts += [_counterexamples(rows), _kill_matrix(report), _figures(rows), _not_shown(report)]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>dualgap audit: {escape(report['verdict'])}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{_header(report)}\n{contents(body)}\n{body}\n</body>\n</html>\n"
    )


def _header(report: Report) -> str:
    """Verdict, the three sentences, the counts, and everything that identifies the run."""
    rows, verdict = report["claims"], report["verdict"]
    killed = {mutant for row in rows for mutant in row["killed"]}
    facts = {
        "claims as expected": f"{sum(row['as_expected'] for row in rows)} of {len(rows)}",
        "controls caught": f"{sum(row['control'] == 'caught' for row in rows)} of {len(rows)}",
        "mutants killed": f"{len(killed)} of {len(report['mutants'])}",
        "instances": f"{sum(row['instances'] for row in rows):,}",
        "size": report["size"],
        "wall time": f"{report['seconds']:.1f} s",
        "entropy": str(report["entropy"]),
        "false alarms, in total": f"≤ {report['delta_total']:g}",
    }
    counts = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    said = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in summary.sentences(report))
    wrong = summary.differences(report)
    alarm = f'<div class="alarm"><pre>{escape(chr(10).join(wrong))}</pre></div>' if wrong else ""
    papers = ", ".join(sorted({row["paper"] for row in rows}))
    versions = " · ".join(_environment(report["environment"]))
    return (
        f"<header>\n<h1>Audit of {escape(papers)}</h1>\n"
        f'<p class="verdict {escape(verdict)}">{_verdict(report)}</p>\n{alarm}\n<dl class="sentences">{said}</dl>\n'
        f'<dl class="facts">{counts}</dl>\n<p class="soft">{escape(versions)}</p>\n</header>'
    )


def _verdict(report: Report) -> str:
    if report["verdict"] == "pass":
        return "Pass: every claim has the status expected, every control failed as it must, every mutant was noticed."
    return "Fail: the first difference is named below."


def _environment(facts: dict[str, Any]) -> Iterator[str]:
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from (f"{inner} {part}" for inner, part in value.items())
        else:
            yield f"{name} {value}"


def _claims(kind: str, rows: list[Row]) -> str:
    columns = ("Claim", "Statement", "Evidence", "Control and kills")
    cells = ((_name(row), _statement(row), _evidence(row), _control(row)) for row in rows)
    return section(summary.TITLES[kind], table(columns, cells, "claims"), lead=KINDS[kind])


def _name(row: Row) -> str:
    good = "pass" if row["as_expected"] else "fail"
    place = f'<div class="soft">{escape(row["place"])}{_quoted(row["quote"])}</div>' if row["place"] else ""
    link = f'<a href="#counterexample-{escape(row["id"])}">counterexample</a>' if row["counterexample"] else ""
    return (
        f'<div class="id" id="{escape(row["id"])}">{escape(row["id"])}</div>'
        f'<div class="status {good}">{escape(summary.outcome(row))}</div>{place}<div class="soft">{link}</div>'
    )


def _quoted(quote: str) -> str:
    return f" <q>{escape(quote)}</q>" if quote else ""


def _statement(row: Row) -> str:
    parts = [symbols(row["statement"]), f'<div class="soft">If {symbols(row["hypotheses"])}</div>']
    if row["note"]:
        parts.append(f'<div class="soft">{symbols(row["note"])}</div>')
    if row["assumes"]:
        items = "".join(f'<li>{symbols(a["text"])} ({escape(a["place"])})</li>' for a in row["assumes"])
        parts.append(details("Where each hypothesis is stated", f"<ul>{items}</ul>"))
    if row["proof"]:
        parts.append(details("Our proof" if row["expected"] == HOLDS else "Why", f"<p>{symbols(row['proof'])}</p>"))
    if row["error"]:
        parts.append(f"<pre>{escape(row['error'])}</pre>")
    return "".join(parts)


def _evidence(row: Row) -> str:
    levels = "".join(f"<li>{symbols(level)}</li>" for level in row["evidence"])
    share = f"{100 * row['vacuous'] / row['instances']:.0f} %" if row["instances"] else "no instance"
    tried, against = summary.count_of(row["instances"], "instance"), summary.count_of(row["violations"], "violation")
    counts = f"{tried}, {against}, vacuous {share}, {row['seconds']:.2f} s"
    return f'<ul>{levels}</ul><div class="soft numbers">{escape(counts)}</div>'


def _control(row: Row) -> str:
    colour = "pass" if row["control"] == "caught" else "fail"
    control = f'{symbols(row["control_text"])} <span class="status {colour}">{escape(row["control"])}</span>'
    kills = f'<div class="soft">kills {escape(", ".join(row["killed"]))}</div>' if row["killed"] else ""
    return control + kills


def _counterexamples(rows: list[Row]) -> str:
    """Every counterexample file, its chain as a table and the file itself in full."""
    parts = []
    for row in rows:
        if row["counterexample"]:
            text = pathlib.Path(row["counterexample"]).read_text(encoding="utf-8")
            false = symbols(summary.first_false(row["counterexample"]))
            title = f'<span class="id">{escape(row["id"])}</span> {false}, which is false'
            content = f"{_chain(json.loads(text))}<pre>{escape(text)}</pre>"
            parts.append(details(title, content, f"counterexample-{row['id']}"))
    lead = "Exact instances on which a claim is false, with the first false relation. dualgap replay evaluates such a file again."
    return section("Counterexamples", *parts, lead=lead) if parts else ""


def _chain(record: dict[str, Any]) -> str:
    cells = (
        (
            symbols(item["label"]), escape(summary.side_of(item["left"]["exact"])), symbols(item["sign"]),
            escape(summary.side_of(item["right"]["exact"])), "holds" if item["holds"] else '<b class="fail">false</b>',
        )
        for item in record["chain"]
    )
    return table(("Relation", "Left", "", "Right", ""), cells)


def _kill_matrix(report: Report) -> str:
    """For each paper, claims against mutants: a full dot is a kill, an empty one a kill declared that did not happen."""
    papers = dict.fromkeys(name.partition(".")[0] for name in report["mutants"])
    parts = [_kills(paper, [row for row in report["claims"] if row["paper"] == paper], report["mutants"]) for paper in papers]
    lead = "Each mutant is the method with one line wrong. A dot: the claim's check is false for it. A circle: it should be."
    return section("Kill matrix", *parts, lead=lead) if parts else ""


def _kills(paper: str, rows: list[Row], mutants: list[str]) -> str:
    """The table of one paper; the mutants' names without the paper."""
    own = [name for name in mutants if name.startswith(f"{paper}.")]
    cells = [
        (
            f'<span class="id">{escape(row["id"])}</span>',
            *("●" if m in row["killed"] else "○" if m in row["declared_kills"] else "" for m in own),
        )
        for row in rows if row["declared_kills"]
    ]
    totals = [str(sum(m in row["killed"] for row in rows)) for m in own]
    cells.append(("claims that notice it", *totals))
    return table((paper, *(name.removeprefix(f"{paper}.") for name in own)), cells, "kills")


def _figures(rows: list[Row]) -> str:
    if not figures.available():
        return section("Figures", lead="There are no figures: matplotlib is not installed: pip install 'dualgap[cli]'.")
    curves = [_figure(caption, svg) for row in rows for caption, svg in figures.of_row(row)]
    bars = [_figure(f"{row['id']} ({len(row['tightness']):,})", svg) for row in rows if (svg := figures.histogram(row))]
    wide = f'<div class="figures wide">{"".join(curves)}</div>'
    parts = [section("Along trajectories and runs", wide)] if curves else []
    lead = (
        "How tight the inequalities are: left side over right side, which a true claim keeps at or below 1 (the line); "
        "per cent of its inequalities, whose number is in brackets. Equality, to six digits, has the dark bar."
    )
    parts += [section("Slack", f'<div class="figures">{"".join(bars)}</div>', lead=lead)] if bars else []
    return "\n".join(parts)


def _figure(caption: str, svg: str) -> str:
    return f"<figure><figcaption>{symbols(caption)}</figcaption>{svg}</figure>"


def _not_shown(report: Report) -> str:
    cells = ((escape(what), escape(why)) for what, why in summary.not_shown(report))
    return section("What this audit does not show", table(("", ""), cells))
