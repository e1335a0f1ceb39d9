"""The tables of docs/released-solvers.md and its figures, made from an estimators.json."""

from collections.abc import Iterable
from functools import partial
from typing import Any

BEGIN, END = "<!-- made from released-solvers.json -->", "<!-- end of what is made -->"


def with_tables(page: str, report: dict[str, Any]) -> str:
    """The page with what stands between its two marks made anew. Raises ValueError where it has no marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise ValueError(f"the page must have {BEGIN!r} and {END!r}")
    return before + "\n\n".join([BEGIN, *tables(report), END]) + after


def tables(report: dict[str, Any]) -> list[str]:
    """Markdown: question A, what claims nothing, question B, problems from life, what does not run."""
    ran = [row for row in report["rows"] if not row["skipped"]]
    claims = [_claim(row, claim) for row in ran for claim in row["claims"]]
    far = [_far(row) for row in ran]
    missing = [f"- {row['name']}: {row['skipped']}" for row in report["rows"] if row["skipped"]]
    machine = (
        f"{len(ran)} settings of {len({row['environment'] for row in ran})} packages, seed {report['seed']} of the"
        f" problems, {report['machine']['system']}."
    )
    return [
        machine,
        "## A. What they say",
        table(("solver", "version", "says", "stopped", "true", "FALSE", "undecided", "worst"), claims),
        "## B. How far from the optimum",
        table(("solver", "tol", "stopped", "what stopping says", "median", "9 in 10", "largest"), far),
        *life_tables(report.get("life", [])),
        *(["## Not run\n", "\n".join(missing)] if missing else []),
    ]


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Markdown; a bar in a cell is escaped."""
    lines = [list(columns)]
    lines += [["---"] * len(lines[0])] + [list(row) for row in rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _claim(row: dict[str, Any], claim: dict[str, Any]) -> tuple[str, ...]:
    worst = "" if claim["worst"] is None else f"{claim['worst']:.3g}"
    false = f"**{claim['false']}**" if claim["false"] else "0"
    return (
        row["name"],
        _version(row),
        claim["words"],
        f"{row['converged']} of {row['asked']}",
        str(claim["true"]),
        false,
        str(claim["undecided"]),
        worst,
    )


def _version(row: dict[str, Any]) -> str:
    return str(row["version"]).removeprefix("of Debian: ").replace("+dfsg", "")


def _far(row: dict[str, Any]) -> tuple[str, ...]:
    far, stopped = row["far"], f"{row['converged']} of {row['asked']}"
    if not far:
        return row["name"], f"{row['tol']:g}", stopped, row["says"], "", "", ""
    tol = f"{row['tol']:g}" if row["tol"] else ""
    return (row["name"], tol, stopped, row["says"], *(_small(far[key]) for key in ("median", "nine_in_ten", "largest")))


def _small(value: float) -> str:
    """Below 1e-15 are roundings."""
    return "< 1e-15" if value < 1e-15 else f"{value:.1e}"


def life_tables(life: list[dict[str, Any]]) -> list[str]:
    """One table for each loss."""
    words = (
        "P(w) - min P in units of P(0), from below (<=: from above, where nothing is certified from below), and seconds"
        " of processor time; a star where convergence is not said. lam = 1/n, no answer means none within 30 s."
    )
    found = ["## Problems from life", words] if life else []
    for loss in dict.fromkeys(row["loss"] for row in life):
        rows = [row for row in life if row["loss"] == loss]
        problems, cells = (
            list(dict.fromkeys(row["problem"] for row in rows)),
            {(row["solver"], row["problem"]): row for row in rows},
        )
        lines = [
            (name, *(_cell(cells.get((name, problem))) for problem in problems))
            for name in dict.fromkeys(row["solver"] for row in rows)
        ]
        found += [f"Loss {loss}:", table(("solver", *problems), lines)]
    return found


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    if "refused" in row:
        return "no answer" if row["refused"].startswith("NoAnswer") else "refused"
    far = f"<= {row['high']:.1e}" if row["low"] < 1e-15 else f"{row['low']:.1e}"
    return f"{far}{'' if row['converged'] else ' *'} ({row['seconds']:.2g} s)"


# -- figures -----------------------------------------------------------------------------------------------------------


def figures(report: dict[str, Any]) -> dict[str, str]:
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


def _bars(axes: Any, shares: list[tuple[str, float]]) -> None:
    from dualgap.proofs_checks.report.drawing import BOUND

    axes.barh([name for name, _ in shares], [100 * share for _, share in shares], color=BOUND)
    axes.invert_yaxis()
    axes.set_xlabel("false, in % of the answers that say they have converged")


def _cloud(axes: Any, rows: list[dict[str, Any]]) -> None:
    """Dots are answers, every twelfth in order of size and the largest; below 1e-16 drawn there. The line is our
    yardstick, not a claim.
    """
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
