"""How many steps a minute a port answers: all step vectors that it does not skip, one request after the other.

    python benchmarks/ports.py [--json] [-- COMMAND ...]

By default the port of ports/python. A wrong answer, or fewer than 10,000 steps a minute, makes the exit
status 1: below that, a run over all vectors takes too long to be useful. The time is the CPU time of the port and the
runner together, including the start of the port.
"""

import os
import pathlib
import sys

import common

from dualgap.proofs_checks.conformance.ports.outcomes import judge
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.load import load

PYTHON_PORT = pathlib.Path(__file__).resolve().parents[1] / "ports" / "python" / "port.py"
LEAST = 10_000


def measure(command: list[str]) -> common.Record:
    """One row: the steps judged, how many of them failed, and steps a minute."""
    steps = [case for case in load().cases.values() if case.level == "L1"]
    begun = sum(os.times()[:4])
    with Port(command) as port:
        found = [judge(case, port.run(case.call, case.request)).status for case in steps]
    minutes = (sum(os.times()[:4]) - begun) / 60  # those of the port are known now that it has ended
    answered = [status for status in found if status != "skipped"]
    return {
        "port": " ".join(command),
        "steps": len(answered),
        "failed": len(answered) - answered.count("passed"),
        "a minute": len(answered) / minutes,
        "least": LEAST,
    }


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("command", nargs="*", help="the port (default: ports/python/port.py)")
    given = parser.parse_args()
    row = measure(given.command or [sys.executable, str(PYTHON_PORT)])
    within = bool(row["steps"] and not row["failed"] and row["a minute"] >= LEAST)
    return common.report(given, "ports", {"rows": [row]}, within)


if __name__ == "__main__":
    sys.exit(main())
