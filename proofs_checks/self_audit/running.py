"""The audit of the auditor: every planted bug must be noticed, and no complaint may come where none was planted."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from dualgap.proofs_checks.claims.parallel import in_order
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.evidence.formal import unavailable
from dualgap.proofs_checks.evidence.planted import Gone
from dualgap.proofs_checks.self_audit import formal_proof, rows
from dualgap.proofs_checks.self_audit.worlds import Bug, listed, said
from dualgap.reference.problem.registry import modules_of_extras


class Outcome(NamedTuple):
    """ "noticed", "survived", "not tried" or "gone", the function that must notice, and its first words."""

    name: str
    status: str
    by: str
    words: str


def self_audit(
    names: Iterable[str] = (), progress: Callable[[str, int, int], None] | None = None, jobs: int | None = None
) -> Json:
    """Plant every bug, or those with these ids, one at a time, and return what was noticed.

    jobs : processes, of which each plants one bug at a time (``claims.parallel.usable``).

    Returns
    -------
    dict : "verdict", "pass" exactly when every bug that could be tried was noticed, none has lost its place in the
        sources, and every check is silent if nothing is wrong; "rows", an ``Outcome`` as a
        dict for each bug; "unfounded", the reports without a planted bug; "counts" of the rows by status.

    Raises
    ------
    ValueError
        No bug has such an id.
    """
    rows = chosen(names)
    functions = list({(bug.notices, bug.file): bug for bug in rows if not (bug.needs and bug.needs())}.values())
    tasks = [*((bug, False) for bug in functions), *((bug, True) for bug in rows)]

    def watch(task: tuple[Bug, bool], done: int) -> None:
        bug, plant = task
        if progress:
            progress(bug.name if plant else f"nothing wrong: {bug.notices.__name__}", done, len(tasks))

    outcomes = in_order(tried, tasks, jobs, watch)
    unfounded = [
        f"{bug.notices.__name__}: {found.words}" for bug, found in zip(functions, outcomes) if found.status == "noticed"
    ]
    outcomes = outcomes[len(functions) :]
    counts = Counter(row.status for row in outcomes)
    passed = not unfounded and counts["noticed"] > 0 and not counts.keys() - {"noticed", "not tried"}
    return {
        "verdict": "pass" if passed else "fail",
        "rows": [row._asdict() for row in outcomes],
        "unfounded": unfounded,
        "counts": dict(counts),
    }


def tried(task: tuple[Bug, bool]) -> Outcome:
    """Return the complaint of the function that must notice the bug, with the bug planted or without it."""
    bug, plant = task
    by = f"{bug.notices.__module__.rpartition('.')[2]}.{bug.notices.__name__}"
    try:
        text = bug.edited() if plant else None
    except (Gone, SyntaxError) as error:
        return Outcome(bug.name, "gone", "", str(error))
    if bug.needs is not None and (reason := bug.needs()):
        return Outcome(bug.name, "not tried", by, reason)
    words = said(bug, text)
    return Outcome(bug.name, "noticed" if words else "survived", by, words[0] if words else "")


def chosen(names: Iterable[str]) -> list[Bug]:
    """The bugs with these ids; all of them for no ids."""
    names, known = list(names), {bug.id: bug for bug in ROWS}
    for name in names:
        if name not in known:
            raise ValueError(f"no planted bug has the id {name!r}; dualgap audit --self lists them: {', '.join(known)}")
    return [known[name] for name in names] if names else list(ROWS)


ROWS: tuple[Bug, ...] = (
    *listed(rows.BUGS),
    Bug(
        "formal.one-label: is_label admits one label alone",
        "dualgap.proofs_checks",
        "is_label (y : R) : Prop := y = 1 \\/ y = -1.",
        "is_label (y : R) : Prop := y = 1 \\/ y = 1.",
        formal_proof.inhabited,
        file="formal/Definitions.v",
        needs=unavailable,
    ),
    *(bug for module in modules_of_extras("planted_bugs") for bug in listed(module.PLANTED_BUGS)),
)
