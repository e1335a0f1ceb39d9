"""The pages of solve, sweep and conform: a headline, a few numbers, and sections, made of the
JSON of each command.

One template, ``templates/page.html``, shows them all.
"""

import math
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report import templating
from dualgap.proofs_checks.report.charts import Chart, Curve
from dualgap.reference.numbers.shown_bound import shown_bound

Facts = Json
Cell = tuple[str, str] | None  # a mark of claim_view.WORDS and words


@dataclass(frozen=True)
class Section:
    """One part of a page.

    Attributes
    ----------
    title, lead : a heading and a sentence.
    charts : figures.
    drawn : pairs (caption, SVG text of our own).
    cells : (columns, rows of (name, cells)), a grid of marks.
    pairs : names and values.
    table, alarming : (columns, rows) and the numbers of the rows that alarm.
    notes : sentences below.
    """

    title: str
    lead: str = ""
    charts: Sequence[Chart] = ()
    drawn: Sequence[tuple[str, str]] = ()
    cells: tuple[Sequence[str], Sequence[tuple[str, Sequence[Cell]]]] | None = None
    pairs: Sequence[tuple[str, str]] = ()
    table: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None
    alarming: Sequence[int] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Page:
    """A page: kicker (command), headline, numbers with what they count, sections, commands to repeat it."""

    title: str
    kicker: str
    headline: str
    sections: Sequence[Section]
    numbers: Sequence[tuple[str, str]] = ()
    commands: Sequence[str] = ()


def write(page: Page, path: str | pathlib.Path) -> bool:
    """Write the page; False, with a warning, where that cannot be done."""
    return write_text(pathlib.Path(path), templating.render("page.html", page=page))


# -- solve ----------------------------------------------------------------------------------------------------------


def solve(facts: Facts, pairs: Sequence[tuple[str, str]], command: str) -> Page:
    """The page of one run: the gap against passes and seconds with a dot at every certificate, and the certificate.

    facts : what ``dualgap solve --json`` prints. pairs : what it prints without.
    """
    history = facts["history"]
    bounded = math.isfinite(facts["gap_bound"])
    reached = f"a certified gap of {shown_bound(facts['gap_bound'])}" if bounded else "no certified gap"
    said = f"{facts['method']} reached {reached} in {facts['epochs']} passes, {facts['seconds']:.2f} s"
    end = "" if facts["status"] == "converged" else f". It stopped before it met the tolerance ({facts['status']})"
    return Page(
        f"dualgap solve {facts['data']}",
        f"dualgap solve · {facts['data']}",
        f"{said}{end}.",
        [
            Section(
                "How the gap fell",
                "A dot is a certificate: a bound on the gap of a pair (w, α), computed again.",
                [
                    _fall(history, "epochs", "passes over the data", facts),
                    _fall(history, "seconds", "seconds, certificates included", facts),
                ],
            ),
            Section(
                "The certificate",
                facts["advice"],
                pairs=pairs,
                notes=[
                    *(
                        [f"P(w) − min P ≤ {facts['gap_bound']!r}: every rounding on the way is in this number."]
                        if bounded
                        else []
                    ),
                    *facts["notes"],
                ],
            ),
        ],
        [
            (shown_bound(facts["gap_bound"]) if bounded else "no bound", "P(w) − min P is at most"),
            (f"{facts['primal']:.6g}", "P(w)"),
            (f"{facts['n']:,} × {facts['d']:,}", "rows × columns"),
        ],
        [command],
    )


def _fall(history: Sequence[Facts], key: str, label: str, facts: Facts) -> Chart:
    x = [entry[key] for entry in history]
    curves = [Curve("certified gap", x, [entry["gap_bound"] for entry in history], marked=True)]
    if facts["tol"] and x:
        curves.append(Curve("asked for", [x[0], x[-1]], [facts["tol"]] * 2, "stated"))
    first, last = (history[k]["gap_bound"] if history else 0.0 for k in (0, -1))
    factor = (
        f"by a factor of {first / last:.2g}"
        if 0 < last < float("inf") and first < float("inf")
        else "to zero"
        if last == 0
        else "from or to no bound"
    )
    end = f"{x[-1]:,.0f}" if x and x[-1] == int(x[-1]) else f"{x[-1] if x else 0:.3g}"
    return Chart(
        f"The gap fell {factor} in {end} {label.split()[0].rstrip(',')}", label, "P(w) − D(α)", curves, log_y=True
    )


# -- sweep ----------------------------------------------------------------------------------------------------------


def sweep(
    facts: Facts,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    command: str,
    drawn: Sequence[tuple[str, str]] = (),
    scores: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None,
    words: Sequence[str] = (),
) -> Page:
    """The page of a sweep: passes and gap over lam, and the table of all runs.

    facts : sweep.json. drawn : further figures. scores, words : the table and the conclusions of cross-validation.
    """
    cells = facts["cells"]
    met = [cell for cell in cells if cell["status"] == "converged"]
    return Page(
        "dualgap sweep",
        "dualgap sweep",
        f"{len(met)} of {facts['runs']} runs met their tolerance.",
        [
            Section("Over λ", "The median over the seeds.", list(over_lam(cells).values())),
            *(
                [Section("Models over λ", " ".join(f"{text}." for text in words), drawn=drawn)]
                if drawn or words
                else []
            ),
            *([Section("Cross-validation", table=scores)] if scores else []),
            Section(
                "Every run",
                table=(columns, rows),
                alarming=[k for k, cell in enumerate(cells) if cell["status"] != "converged"],
            ),
        ],
        [
            (str(count), one if count == 1 else many)
            for key, one, many in (
                ("data", "data set", "data sets"),
                ("method", "method", "methods"),
                ("lam", "value of λ", "values of λ"),
            )
            for count in [len({cell[key] for cell in cells})]
        ],
        [command],
    )


def over_lam(cells: Sequence[Facts]) -> dict[str, Chart]:
    """The median over the seeds, for each method and data set: "passes" and "gap" against lambda."""
    labels = {
        "passes": ("epochs", "passes over the data", "Passes until the tolerance, over λ"),
        "gap": ("gap_bound", "certified gap", "The certified gap that was reached, over λ"),
    }
    return {name: _over_lam(cells, *words) for name, words in labels.items()}


def _over_lam(cells: Iterable[Facts], key: str, label: str, title: str) -> Chart:
    values: dict[str, dict[float, list[float]]] = {}
    for cell in cells:
        if cell[key] is not None and cell["status"] not in ("refused", "failed"):
            name = f"{cell['method']}, {cell['data']}"
            values.setdefault(name, {}).setdefault(cell["lam"], []).append(cell[key])
    curves = [
        Curve(name, sorted(found), [median(found[lam]) for lam in sorted(found)], "", marked=True)
        for name, found in values.items()
    ]
    return Chart(title, "λ", label, curves, log_x=True, log_y=True)


# -- conform --------------------------------------------------------------------------------------------------------


def conform(facts: Facts, titles: Mapping[str, str], command: str) -> Page:
    """The page of a port: methods by levels, then the failures.

    facts : what ``dualgap conform --json`` prints. titles : of the levels.
    """
    name = " ".join(str(facts["port"].get(key) or "") for key in ("name", "language", "version")).strip()
    name = name or "a port without a name"
    counts, table = facts["counts"], facts["table"]
    skipped = f", {counts['skipped']} skipped" if counts.get("skipped") else ""
    levels = sorted(table)
    rows = [
        (method, [_cell(table[level].get(method, {})) for level in levels])
        for method in dict.fromkeys(method for level in levels for method in table[level])
    ]
    lead = (
        "The share of the vectors that passed: a full square is all of them, a crossed one has failures, a ring has"
        " vectors that were skipped."
    )
    columns = ["method", *(f"{level} {titles.get(level, '')}".strip() for level in levels)]
    return Page(
        "dualgap conform",
        "dualgap conform",
        f"{name}: {counts.get('passed', 0)} of {sum(counts.values())} vectors passed{skipped}.",
        [
            Section("Methods by levels", lead, cells=(columns, rows)),
            *([_failures(facts)] if facts["failures"] or facts["complaints"] else []),
        ],
        [(facts["verdict"], name)],
        [command],
    )


def _cell(counts: dict[str, int]) -> Cell:
    """Full square: all passed; crossed: one failed; ring: some were skipped; dashed: none passed."""
    total, passed = sum(counts.values()), counts.get("passed", 0)
    if not total:
        return None
    mark = "refuted" if counts.get("failed") else "holds" if passed == total else "open" if passed else "skipped"
    return mark, f"{passed}/{total}"


def _failures(facts: Facts) -> Section:
    shown = [
        [failure["id"], failure["reason"], failure["place"], *(_decimal(failure[key]) for key in ("got", "due"))]
        for failure in facts["failures"][:50]
    ]
    more = [f"{len(facts['failures']) - 50} failures more, in --json."] if len(facts["failures"]) > 50 else []
    hints = [(f"{count} of {len(facts['failures'])} failures", text) for text, count in facts["hints"].items()]
    return Section(
        "What failed",
        pairs=hints[:5],
        table=(("case", "why", "where", "got", "due"), shown) if shown else None,
        notes=[*more, *facts["complaints"]],
    )


def _decimal(value: Facts | None) -> str:
    return "" if value is None else str(value["decimal"])
