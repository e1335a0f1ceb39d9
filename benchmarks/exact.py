"""The worst-case rates of PEPit's own examples: two solvers in floats, and the exact bracket of ``dualgap exact``.

    python benchmarks/exact.py [--json] [--out DIR] [-- EXAMPLE ...]

An example is a path below ``PEPit/examples``; by default all run, each in a new process. Seconds are CPU seconds
of the proof and the lower end together. The solvers' numbers and the width of the bracket are relative to the proved
bound.
"""

import importlib.util
import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import common

from dualgap.extras.exact.roots import number_of

SOLVERS = ("SCS", "CLARABEL")
SECONDS = 900.0  # for the search of each end, by the clock on the wall
NARROW = 1e-9  # relative width of a bracket that counts as narrow


def folder() -> Path:
    """Where PEPit's examples are."""
    spec = importlib.util.find_spec("PEPit")
    assert spec and spec.origin
    return Path(spec.origin).parent / "examples"


def measure(name: str) -> common.Record:
    """The row of one example."""
    from dualgap.extras.exact.check_proof import check
    from dualgap.extras.exact.prove import prove
    from dualgap.extras.exact.record import record_of
    from dualgap.extras.exact.scripts import run

    row: common.Record = {"example": name}
    for solver in SOLVERS:
        last = run(folder() / name, solver=solver)[-1]
        row[solver] = last.value
    started = time.process_time()
    proof = prove(last.facts, lower=True, seconds=SECONDS)
    row["seconds"] = time.process_time() - started
    row |= {"tau": None, "lower": None, "how": proof.how, "lower how": proof.lower_how, "notes": proof.notes}
    if proof.tau is not None:
        record = json.loads(json.dumps(record_of(proof, last.statement)))
        row |= {"tau": str(proof.tau), "root": proof.facts.root, "refused": check(record)[1], "wrong": last.wrong}
        if proof.lower is not None:
            row["lower"] = str(proof.lower)
    return row


def columns(found: common.Record) -> common.Record:
    """A row of the table: all numbers relative to the proved bound."""
    row = {
        "example": found["example"].removesuffix(".py"),
        "proved": None,
        "exact": False,
        "SCS": None,
        "CLARABEL": None,
    }
    row |= {"width": None, "seconds": found.get("seconds"), "remark": ""}
    if found.get("tau") is None or found["refused"] or found["wrong"]:
        return row | {"remark": found["how"]}
    tau = number_of(found["tau"], found["root"])
    size = abs(tau) or Fraction(1)
    closed = str(tau).removeprefix("0+").replace("+-", " - ").replace("*r", f" √{found['root']}")
    row |= {"proved": closed if found["how"] == "exact optimum" and len(closed) < 40 else f"{float(tau):.12g}"}
    row |= {"exact": found["how"] == "exact optimum"}
    row |= {solver: float((Fraction(found[solver]) - tau) / size) for solver in SOLVERS if found[solver] is not None}
    if found["lower"] is None:
        return row | {"remark": f"no lower end: {found['lower how']}"}
    return row | {"width": float((tau - number_of(found["lower"], found["root"])) / size)}


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("examples", nargs="*", help="paths below PEPit/examples (default: all)")
    parser.add_argument("--one", help="measure one example in this process, and print its row")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one)))
        return 0
    rows = []
    names = sorted(str(path.relative_to(folder())) for path in folder().glob("*/[a-z]*.py"))
    for name in given.examples or names:
        run = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True)
        found = json.loads(run.stdout) if run.returncode == 0 else {"how": run.stderr.splitlines()[-1]}
        rows.append(columns({"example": name, **found}))
        print(common.table(rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    proved = [row for row in rows if row["proved"]]
    narrow = sum(row["width"] is not None and row["width"] < NARROW for row in proved)
    totals = {
        "examples": len(rows),
        "proved": len(proved),
        "exact optimum": sum(row["exact"] for row in proved),
        "narrow": narrow,
    }
    return common.report(given, "exact", {"rows": rows, "totals": [totals]}, len(rows) - len(proved) <= 2)


if __name__ == "__main__":
    sys.exit(main())
