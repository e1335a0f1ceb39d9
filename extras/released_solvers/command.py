"""The command ``estimators``: audit released solvers, install their environments, compare two reports."""

import argparse

from dualgap.extras.released_solvers import FALSE_CONVERGENCE
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.certificate import spell_number
from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.jobs import add_dask, add_jobs, watched
from dualgap.proofs_checks.cli.numbers import whole
from dualgap.proofs_checks.cli.pages import command_of, write_page
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import (
    FAILED,
    Refused,
    input_errors,
    print_json,
    print_lines,
    print_pairs,
    print_table,
    printable,
)

BEFORE = "claims"  # the command that follows in the list of all
COLUMNS = ("solver", "says converged", "its claim", "true", "FALSE", "undecided", "worst")


def add(commands: Commands) -> None:
    text = "run released solvers on 300 tiny problems and check their documented guarantees (docs/released-solvers.md)"
    command = commands.add_parser("estimators", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=estimators)
    words = (
        "solvers by the names in the table, or all of an environment (default: all that are installed); NAME==VERSION"
        " selects another version; install ENVIRONMENT ... installs environments"
    )
    command.add_argument("names", nargs="*", metavar="NAME", help=words)
    command.add_argument(
        "--out", metavar="DIR", default="dualgap-report", help="folder for the report (default: ./dualgap-report)"
    )
    command.add_argument(
        "--count",
        metavar="N",
        type=whole,
        default=300,
        help="number of tiny problems (default 300; 100 for the logistic loss)",
    )
    command.add_argument(
        "--seed", metavar="S", type=whole, help="seed of the tiny problems (default: that of the documentation)"
    )
    command.add_argument("--life", action="store_true", help="also run 11 real and generated data sets")
    command.add_argument(
        "--compare",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="list the differences between two estimators.json, without running anything",
    )
    add_jobs(command, "estimators")
    add_dask(command, "estimators, whose environments every worker must have,")
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def estimators(given: argparse.Namespace) -> int:
    """Run the command. The exit status is 0 also if claims are false: they are findings, not failures."""
    if given.compare:
        return _compare(*given.compare)
    if given.names[:1] == ["install"]:
        return _install(given.names[1:])
    report = _report(given)
    if given.json:
        print_json(report)
        return 0
    if all(row["skipped"] for row in report["rows"]):
        say("No solver was tested: none is installed. Install some with dualgap estimators install NAME.\n")
    lines = [line for row in report["rows"] for line in lines_of(row)]
    print_table(COLUMNS, lines, [k for k, line in enumerate(lines) if line[4] not in ("", "0")])
    say(
        "\nworst: the largest lower bound of the claim's left side, in units of its right side. Only what the solvers'"
        " own documentation states is judged."
    )
    say(
        "{}/estimators.json also has P(w) - min P in units of P(0). The smallest example of each false claim is in the"
        " same folder.",
        given.out,
    )
    return 0


def _report(given: argparse.Namespace) -> Json:
    """The report, which is also written to the folder."""
    import pathlib

    from dualgap.extras.released_solvers import life, page
    from dualgap.extras.released_solvers.audit import audit_released, select
    from dualgap.extras.released_solvers.problems import SEED
    from dualgap.fast.data.atomic_file import write_text
    from dualgap.proofs_checks.claims.strict_json import json_text
    from dualgap.proofs_checks.report import drawing, pages

    if not given.count > 0:
        raise Refused(f"--count must be > 0 (got {given.count})")
    folder = pathlib.Path(given.out)
    with watched(given.dask) as watch:
        folder.mkdir(parents=True, exist_ok=True)
        report = audit_released(
            given.names, given.count, SEED if given.seed is None else given.seed, given.out, watch, given.jobs
        )
        if given.life:
            report["life"] = [row for name in select(given.names) for row in life.rows_of(name)]
    write_text(folder / "estimators.json", json_text(report))
    if drawing.available():
        for name, svg in page.figures(report).items():
            write_text(folder / f"{name}.svg", svg)
    write_page(
        pages.estimators(
            report, COLUMNS, [line for row in report["rows"] for line in lines_of(row)], command_of(given)
        ),
        folder / "estimators.html",
    )
    return report


def _install(names: list[str]) -> int:
    from dualgap.extras.released_solvers.environments import ENVIRONMENTS, environment

    if not names:
        print_pairs([(one.name, one.missing or "installed") for one in ENVIRONMENTS])
        return 0
    with input_errors():
        for home in [environment(name) for name in names]:
            home.install()
            say("{}: {}", home.name, home.python.parent.parent)
    return 0


def _compare(old: str, new: str) -> int:
    from dualgap.extras.released_solvers.compare import compared
    from dualgap.proofs_checks.claims.strict_json import read_json

    with input_errors():
        lines = compared(read_json(old), read_json(new))
    print_lines([printable(line) for line in lines] or ["no difference"])
    return 0


def lines_of(row: Json) -> list[tuple[str, ...]]:
    """The lines of one solver, a line for each claim, in the order of COLUMNS."""
    if row["skipped"]:
        return [(row["name"], "", f"SKIPPED({row['skipped']})", "", "", "", "")]
    stopped = f"{row['converged']} of {row['asked']}"
    if not row["claims"]:
        return [(row["name"], stopped, "none that can be checked", "", "", "", "")]
    return [
        (
            row["name"],
            stopped,
            claim["words"],
            str(claim["true"]),
            str(claim["false"]),
            str(claim["undecided"]),
            "" if claim["worst"] is None else f"{claim['worst']:.3g}",
        )
        for claim in row["claims"]
    ]


def replay(path: str) -> int:
    """Recompute the file. The exit status is 0 if its numbers are reproduced and the claim is false."""
    from dualgap.extras.released_solvers.replay import replay as again
    from dualgap.proofs_checks.auditing.replay_file import number_to_json
    from dualgap.proofs_checks.claims.strict_json import rational

    with input_errors():
        record, found, verdict, same = again(path)
    say(
        "{estimator}, environment {environment}\nsays that it has converged: {words} (tol {tol:g})\n\nProblem", **record
    )
    print_pairs([(f"  {name}", printable(str(value))) for name, value in record["instance"].items() if value])
    say("\nw = {}", ", ".join(number_to_json(rational(item["exact"]))["decimal"] for item in record["w"]))
    print_pairs(
        [
            ("left side, at least", spell_number(found.low)),
            ("at most", spell_number(found.high)),
            ("stated bound", spell_number(found.allowed)),
        ]
    )
    if not same:
        say("\nThe numbers in the file do not come back: the file or the code has changed since it was written.")
        return FAILED
    if verdict != "false":
        say("\nThe claim is not refuted by these numbers.")
        return FAILED
    say("\nFALSE: the left side is larger than the solver states. Every number in the file came back.")
    return 0


def stays() -> str:
    """What ``dualgap cache --clear`` leaves in the cache folder, and why; empty if there is nothing."""
    from dualgap.extras.released_solvers.environments import folder

    where = (
        f"{folder()}: environments of dualgap estimators install, which stay; delete the folder if you do not need them"
    )
    return where if folder().exists() else ""


REPLAYS = {FALSE_CONVERGENCE: replay}
