"""python docs/make/released.py estimators.json ...: add reports of ``dualgap estimators`` to
docs/measured/released-solvers.json and to its page.

That file is in the data release (docs/data.md). A new report replaces what the file has on the same solver. The
smallest examples are kept in proofs_checks/vectors/solvers alone.
"""

import json
import pathlib
import sys

from dualgap.extras.released_solvers import page
from dualgap.extras.released_solvers.table import RELEASED
from dualgap.proofs_checks.claims.strict_json import Json

DOCS = pathlib.Path(__file__).parents[1]
KEPT, PAGE = DOCS / "measured" / "released-solvers.json", DOCS / "released-solvers.md"


def merged(kept: Json, new: Json) -> Json:
    """Both, the new one first, in the order of the table. Raises ValueError if their problems differ."""
    if (kept["problems"], kept["seed"]) != (new["problems"], new["seed"]):
        raise ValueError(
            f"the kept report has {kept['problems']} problems of seed {kept['seed']}, "
            f"the new one {new['problems']} of {new['seed']}"
        )
    rows = {row["name"]: row for row in (*kept["rows"], *map(shortened, new["rows"]))}
    life = {(one["solver"], one["problem"]): one for one in (*kept["life"], *map(rounded, new.get("life", [])))}
    order = list(RELEASED)
    return {
        **kept,
        "machine": new["machine"],
        "rows": [rows[name] for name in order if name in rows],
        "life": sorted(life.values(), key=lambda one: order.index(one["solver"])),
    }


def shortened(row: Json) -> Json:
    """Without examples; each distance with two digits, for the figures."""
    if row["skipped"]:
        return row
    claims = [
        {name: value for name, value in claim.items() if name not in ("smallest", "replay")} for claim in row["claims"]
    ]
    far = row["far"] and {**row["far"], "each": [float(f"{low:.1e}") for low in row["far"]["each"]]}
    return {**row, "claims": claims, "far": far}


def rounded(one: Json) -> Json:
    """Numbers with three digits."""
    return {name: float(f"{value:.2e}") if name in ("low", "high", "seconds") else value for name, value in one.items()}


def spelled(report: Json) -> str:
    """As JSON, a line for each solver and each problem from life."""
    lines = json.dumps(report, separators=(",", ":"))
    return lines.replace('},{"name":', '},\n{"name":').replace('},{"solver":', '},\n{"solver":') + "\n"


def main(paths: list[str]) -> None:
    """Write the kept report and the table of the page."""
    report = json.loads(KEPT.read_text(encoding="utf-8"))
    for path in paths:
        report = merged(report, json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    KEPT.write_text(spelled(report), encoding="utf-8")
    PAGE.write_text(page.with_table(PAGE.read_text(encoding="utf-8"), report), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
