"""Very many instances of a claim on a local Dask cluster, interrupted once in the middle and resumed: seconds, and what
was found.

    python benchmarks/instances.py [--instances N] [--workers W] [--out DIR] [CLAIM ...]

Each claim is audited by ``dualgap audit CLAIM --instances N --dask ADDRESS``; when half of its pieces are there the
command gets Ctrl-C, and ``--resume`` continues from there. CPU seconds are those of the workers and of the command;
pieces that are finished twice would show in the sum of the instances, which must be N for each drawn level. --plain:
one process and no cluster, CPU seconds per instance of a few pieces, from which the whole can be extrapolated.
"""

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import common

CLAIMS = ("aspdc.a17", "spdc.55")  # (A17), and Theorem 1's one step: E[Delta~+ | past] <= theta Delta~
COMMAND = [sys.executable, "-m", "dualgap.proofs_checks.cli.main", "audit"]


def plain(name: str) -> common.Rows:
    """CPU seconds per instance of each drawn level, in this process."""
    from dualgap.proofs_checks.auditing.pieces import Making, cut
    from dualgap.proofs_checks.claims.exact import chosen
    from dualgap.proofs_checks.claims.registry import all_claims
    from dualgap.proofs_checks.claims.run import Run

    claim, rows = all_claims()[name], []
    for piece in cut([claim], 2000):
        making = Making(Run(entropy=1, exact=chosen()), ())
        seconds = common.cpu_seconds(lambda: making.found(claim, piece))  # noqa: B023
        rows.append(
            {
                "claim": name,
                "level": piece.level,
                "instances": piece.size,
                "instances per CPU second": piece.size / seconds,
            }
        )
    return rows


def on_cluster(name: str, instances: int, workers: int, folder: Path) -> dict[str, object]:
    """One claim: an interrupt in the middle, then the rest."""
    from distributed import LocalCluster

    began = time.perf_counter()
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        asked = f"{name} --instances {instances} --dask {cluster.scheduler_address} --out"
        command = [*COMMAND, *asked.split(), str(folder)]
        first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while first.poll() is None and 2 * finished(folder) < due(folder):
            time.sleep(1)
        first.send_signal(signal.SIGINT)
        first.wait()
        before = finished(folder)
        status = subprocess.run([*command, "--resume"], stdout=subprocess.DEVNULL).returncode
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (row,) = report["claims"]
    return {
        "claim": name,
        "instances": row["instances"],
        "pieces at the interrupt": before,
        "pieces": report["pieces"]["finished"],
        "exit": status,
        "verdict": report["verdict"],
        "violations": row["violations"],
        "seconds": time.perf_counter() - began,
    }


def finished(folder: Path) -> int:
    """Pieces that are there."""
    return len(list((folder / "pieces").glob("*-*.json")))


def due(folder: Path) -> int:
    """The number of all pieces; a huge number until the audit has written its configuration."""
    from dualgap.proofs_checks.auditing.pieces import cut
    from dualgap.proofs_checks.claims.registry import all_claims

    path = folder / "pieces" / "configuration.json"
    if not path.exists():
        return sys.maxsize
    asked = json.loads(path.read_text(encoding="utf-8"))
    return len(list(cut([all_claims()[name] for name in asked["claims"]], asked["instances"])))


def main() -> int:
    """Run the command."""
    parser = common.parser(__doc__)
    parser.add_argument("claims", nargs="*", default=CLAIMS, metavar="CLAIM")
    parser.add_argument("--instances", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plain", action="store_true", help="CPU seconds of a few pieces, and no cluster")
    given = parser.parse_args()
    rows: list[dict[str, object]] = []
    for name in given.claims:
        with tempfile.TemporaryDirectory() as folder:
            rows += plain(name) if given.plain else [on_cluster(name, given.instances, given.workers, Path(folder))]
    return common.report(given, "instances", {"rows": rows})


if __name__ == "__main__":
    common.fix_threads()
    # what this starts listens to Ctrl-C, also where this was started in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
