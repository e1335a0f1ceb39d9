"""A page of a command: a headline, a few numbers, and sections; and the page of ``solve``, made of its JSON.

The template is ``templates/page.html``.
"""

import math
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass

from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report import templating
from dualgap.proofs_checks.report.charts import Chart, Curve
from dualgap.reference.numbers.shown_bound import shown_bound


@dataclass(frozen=True)
class Section:
    """One part of a page.

    Attributes
    ----------
    title, lead : a heading and a sentence.
    charts : figures.
    pairs : names and values.
    table : (columns, rows).
    notes : sentences below.
    """

    title: str
    lead: str = ""
    charts: Sequence[Chart] = ()
    pairs: Sequence[tuple[str, str]] = ()
    table: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None
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


def solve(facts: Json, pairs: Sequence[tuple[str, str]], command: str) -> Page:
    """The page of one run: the gap against passes with a dot at every certificate, and the certificate.

    facts : what ``dualgap solve --json`` prints. pairs : what it prints without.
    """
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
                [_fall(facts)],
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


def _fall(facts: Json) -> Chart:
    """The certified gap over the passes, and the tolerance."""
    history = facts["history"]
    x, gaps = [entry["epochs"] for entry in history], [entry["gap_bound"] for entry in history]
    curves = [Curve("certified gap", x, gaps, marked=True)]
    if facts["tol"] and x:
        curves.append(Curve("asked for", [x[0], x[-1]], [facts["tol"]] * 2, "stated"))
    title = f"The certified gap over {x[-1] if x else 0:,} passes"
    return Chart(title, "passes over the data", "P(w) − D(α)", curves, log_y=True)
