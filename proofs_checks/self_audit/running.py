"""The audit of the auditor: every planted bug must be noticed, and nothing may be said where none was planted."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from dualgap.proofs_checks.claims.parallel import in_order
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.evidence.planted import Gone
from dualgap.proofs_checks.self_audit.rows import ROWS
from dualgap.proofs_checks.self_audit.worlds import Edit, Notice, Outcome, tried, unedited

Progress = Callable[[str, int, int], None]
Task = Edit | tuple[Notice, str, str]


def self_audit(names: Iterable[str] = (), progress: Progress | None = None, jobs: int | None = None) -> Json:
    """Plant every bug, or those with these ids, one at a time, and return what was noticed.

    jobs : processes, of which each plants one bug at a time (``claims.parallel.usable``).

    Returns
    -------
    dict : "verdict", "pass" exactly when every bug that could be tried was noticed, none has lost its place in the
        sources, and every function that should notice is silent where nothing is wrong; "rows", an ``Outcome`` as a
        dict for each bug; "unfounded", what was said where nothing is wrong; "counts" of the rows by status.

    Raises
    ------
    ValueError
        No bug has such an id.
    """
    rows = chosen(names)
    functions = list(
        dict.fromkeys(
            (edit.notices, edit.module if edit.file else "", edit.file)
            for edit in rows
            if not (edit.needs and edit.needs())
        )
    )
    tasks: list[Task] = [*functions, *rows]

    def watch(task: Task, done: int) -> None:
        if progress:
            progress(task.name if isinstance(task, Edit) else f"nothing wrong: {task[0].__name__}", done, len(tasks))

    answers = in_order(answer, tasks, jobs, watch)
    unfounded = [f"{notices.__name__}: {words}" for (notices, _, _), said in zip(functions, answers) for words in said]
    outcomes: list[Outcome] = answers[len(functions) :]
    passed = (
        not unfounded
        and all(row.status in ("noticed", "not tried") for row in outcomes)
        and any(row.status == "noticed" for row in outcomes)
    )
    return {
        "verdict": "pass" if passed else "fail",
        "rows": [vars(row) for row in outcomes],
        "unfounded": unfounded,
        "counts": dict(Counter(row.status for row in outcomes)),
    }


def answer(task: Task) -> Any:
    """The outcome of a bug, or what a function says where nothing is wrong."""
    return outcome(task) if isinstance(task, Edit) else unedited(*task)


def outcome(edit: Edit) -> Outcome:
    """What became of it; "gone" where its text is no longer in the sources, which is no success."""
    try:
        return tried(edit)
    except (Gone, SyntaxError) as error:
        return Outcome(edit.name, "gone", "", str(error))


def id_of(edit: Edit) -> str:
    """ "svrg.draws-keep-too-often" of "svrg.draws-keep-too-often: ..."."""
    return edit.name.partition(":")[0]


def chosen(names: Iterable[str]) -> list[Edit]:
    """The bugs with these ids; all of them for none."""
    names, known = list(names), {id_of(edit): edit for edit in ROWS}
    for name in names:
        if name not in known:
            raise ValueError(f"no planted bug has the id {name!r}; dualgap audit --self lists them: {', '.join(known)}")
    return [known[name] for name in names] if names else list(ROWS)
