"""The museum: each bug is found in the wrong lines or version, and nothing in the repaired ones.

    python benchmarks/museum/run.py [--envs DIR] [--page docs/museum.md] [--json] [--out DIR]

Ports are judged by the check of ``dualgap check`` that the table names, or by ``dualgap.certify``. Old versions
(``pinned.py``) are installed below DIR and run only with --envs. Times are CPU seconds of the search. --page writes the
table into a page, between its two marks. Exit status 1: a bug was not found within 30 seconds, or there was an alarm on
repaired lines.
"""

import re
import sys
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

import common  # noqa: E402
import exhibits  # noqa: E402
from exhibits import EXHIBITS, Exhibit  # noqa: E402
from pinned import PINNED, Pinned  # noqa: E402

from dualgap.certify import certify  # noqa: E402
from dualgap.fast import solve  # noqa: E402
from dualgap.proofs_checks.conformance.solvers.checks import solver_checks  # noqa: E402
from dualgap.reference import L2, LOSSES, Problem  # noqa: E402

LIMIT = 30.0
MARKS = "<!-- begin of the table -->", "<!-- end of the table -->"
NUMBERS = re.compile(r"w = \[([^\]]*)\], due \[([^\]]*)\]")


def found_by_check(name: str) -> str:
    """The first coefficient that is wrong, and what it should be; empty if the check finds nothing."""
    solver, judge = getattr(exhibits, name), EXHIBITS[name.removesuffix("_repaired")].judge
    check = next(one for one in solver_checks(solver) if one.kind == judge["only"])
    try:
        check(solver)
    except AssertionError as failure:
        numbers = NUMBERS.search(str(failure))
        return first_wrong(*([*map(float, part.split(","))] for part in numbers.groups())) if numbers else str(failure)
    return ""


def found_by_certify(given: Exhibit | Pinned, asked: Any, loss: str, answers: list[Any], number: int) -> str:
    """The same for an answer (w, b). With an intercept, what is due is the answer of the repaired lines."""
    w, b = answers[number]
    options = {"lam": asked.lam, "l1": asked.l1, "sample_weight": asked.weights, "intercept": b}
    if certify(asked.X, asked.y, w, loss=loss, **options, seconds=2, tol=given.most).gap_bound <= given.most:
        return ""
    due, due_b = answers[1]
    if b is None:  # a run that ends by a tolerance is right within it
        due = solve(Problem(asked.X, asked.y, LOSSES[loss](), L2(asked.lam)), tol=1e-12).w
    return first_wrong([*w, *([] if b is None else [b])], [*due, *([] if b is None else [due_b])], len(w))


def first_wrong(got: Any, due: Any, d: int | None = None) -> str:
    """In words; the number after ``d`` coefficients is the intercept."""
    for k, (one, other) in enumerate(zip(got, due)):
        if abs(one - other) > 1e-4 * abs(other):
            return f"{'b' if k == d else f'w[{k}]'} = {one:.4g}, due {other:.4g}"
    return ""


def judged(name: str, envs: Path | None) -> common.Record | None:
    """The row of an exhibit; None for an old version without --envs."""
    given: Exhibit | Pinned = PINNED[name] if name in PINNED else EXHIBITS[name]
    if isinstance(given, Pinned):
        if envs is None:
            return None
        by, kind, loss, asked = (
            "certify",
            f"{given.requirements[0].split()[1].replace('==', ' ')}, installed",
            given.loss,
            given.asked(),
        )
        answers = [given.answer(number, envs) for number in (0, 1)]
    else:
        by, kind = "certify" if "asked" in given.judge else "check", "port"
        asked, loss = given.judge.get("asked"), given.judge["loss"]
        answers = [given.port(asked, repaired) for repaired in (False, True)] if by == "certify" else []
    start = time.process_time()
    found = found_by_certify(given, asked, loss, answers, 0) if answers else found_by_check(name)
    spent = time.process_time() - start
    alarm = found_by_certify(given, asked, loss, answers, 1) if answers else found_by_check(f"{name}_repaired")
    return {
        "library": given.library,
        "report": given.report,
        "wrong": given.wrong,
        "first wrong number": found,
        "found by": by,
        "seconds": spent,
        "form": kind,
        "repaired in": given.repair,
        "alarms after": int(bool(alarm)),
        "name": name,
    }


def link(report: str) -> str:
    """The first "owner/repository#number" of a report as a link of Markdown."""
    return re.sub(
        r"([\w.-]+)/([\w.-]+)#(\d+)",
        lambda one: f"[#{one[3]}](https://github.com/{one[1]}/{one[2]}/issues/{one[3]})",
        report,
        count=1,
    )


def page(rows: common.Rows) -> str:
    """The table of the page."""
    lines = [
        "| library | report | what was wrong | first wrong number | found by | form | repaired in |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        by = f"`{row['found by']}`, {max(row['seconds'], 0.1):.1f} s"
        cells = (
            row["library"],
            link(row["report"]),
            row["wrong"],
            row["first wrong number"],
            by,
            row["form"],
            row["repaired in"],
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("--envs", type=Path, metavar="DIR", help="keep old versions below DIR, and judge them too")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table into this page")
    given = parser.parse_args()
    found_by_check("dask_glm_47_repaired")  # kernels are compiled before a time is taken
    rows = [row for name in (*EXHIBITS, *PINNED) if (row := judged(name, given.envs)) is not None]
    good = all(row["first wrong number"] and row["seconds"] <= LIMIT and not row["alarms after"] for row in rows)
    if given.page is not None:
        before, _, rest = given.page.read_text(encoding="utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        given.page.write_text(f"{before}{MARKS[0]}\n{page(rows)}\n{MARKS[1]}{after}", encoding="utf-8")
    return int(common.report(given, "museum", {"museum": rows}, good))


if __name__ == "__main__":
    sys.exit(main())
