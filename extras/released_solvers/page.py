"""The table of docs/released-solvers.md, and the figures of a report, made from an estimators.json."""

from functools import partial
from typing import TYPE_CHECKING

from dualgap.proofs_checks.claims.strict_json import Json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BEGIN, END = "<!-- made from released-solvers.json -->", "<!-- end of what is made -->"


def with_table(page: str, report: Json) -> str:
    """The page with a new text between its two marks. Raises ValueError if it has no marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise ValueError(f"the page must have {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{table(report)}\n\n{END}{after}"


def table(report: Json) -> str:
    """A line on what ran, and a Markdown table with a row for each claim; a bar in a cell is escaped."""
    ran = [row for row in report["rows"] if not row["skipped"]]
    lines = [
        ["solver", "version", "says", "stopped", "true", "FALSE", "undecided", "worst"],
        ["---"] * 8,
        *(_cells(row, claim) for row in ran for claim in row["claims"]),
    ]
    return (
        f"{len(ran)} settings of {len({row['environment'] for row in ran})} packages, seed {report['seed']} of the"
        f" problems, {report['machine']['system']}.\n\n"
    ) + "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _cells(row: Json, claim: Json) -> list[str]:
    return [
        row["name"],
        str(row["version"]).removeprefix("of Debian: ").replace("+dfsg", ""),
        claim["words"],
        f"{row['converged']} of {row['asked']}",
        str(claim["true"]),
        f"**{claim['false']}**" if claim["false"] else "0",
        str(claim["undecided"]),
        "" if claim["worst"] is None else f"{claim['worst']:.3g}",
    ]


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(report: Json) -> dict[str, str]:
    """Name to svg: the share of false claims, and for each loss the distances against the tolerances, log-log."""
    from dualgap.proofs_checks.report.drawing import draw

    ran = [row for row in report["rows"] if not row["skipped"]]
    shares = [
        (f"{row['name']}: {claim['claim']}", claim["false"] / row["converged"])
        for row in ran
        for claim in row["claims"]
        if row["converged"]
    ]
    found = (
        {"false-claims": draw("false-claims", partial(_bars, shares=shares), 6.5, 0.18 * len(shares) + 0.8)}
        if shares
        else {}
    )
    for loss in dict.fromkeys(row["loss"] for row in ran):
        rows = [row for row in ran if row["loss"] == loss and row["tol"] and row["far"]]
        found[f"distance-{loss}"] = draw(f"distance-{loss}", partial(_cloud, rows=rows), 5.2, 3.6)
    return found


def _bars(axes: "Axes", shares: list[tuple[str, float]]) -> None:
    from dualgap.proofs_checks.report.drawing import BOUND

    axes.barh([name for name, _ in shares], [100 * share for _, share in shares], color=BOUND)
    axes.invert_yaxis()
    axes.set_xlabel("false, in % of the answers that say they have converged")


def _cloud(axes: "Axes", rows: list[Json]) -> None:
    """Dots: every twelfth answer by size, and the largest (at least 1e-16). The line is our yardstick, not a claim."""
    for k, row in enumerate(rows):
        lows = row["far"]["each"]
        each = [max(low, 1e-16) for low in (*lows[::12], lows[-1])]
        axes.plot(
            [row["tol"] * 1.12 ** (k - len(rows) / 2)] * len(each),
            each,
            ".",
            markersize=2,
            alpha=0.5,
            label=row["name"],
        )
    axes.plot([1e-11, 1], [1e-11, 1], color="#9aa3ab", linewidth=0.6)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="default tolerance (set apart where it is the same)",
        ylabel="P(w) - min P >=, in units of P(0)",
    )
    axes.legend(fontsize=5, loc="center left", bbox_to_anchor=(1.0, 0.5))
