"""The command ``vectors``: show, check and remake the conformance vectors, write them as a file of requests and judge a
file of answers.
"""

import argparse
import json
import pathlib
from collections import Counter
from collections.abc import Iterator

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.strict_json import Json, parse_json, read_bytes
from dualgap.proofs_checks.cli.conform import print_report, to_json
from dualgap.proofs_checks.conformance.ports.outcomes import NOT_RUN, Outcome, judge
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.protocol.port import answer_of
from dualgap.proofs_checks.conformance.vectors.explain import explained
from dualgap.proofs_checks.conformance.vectors.generate import generate
from dualgap.proofs_checks.conformance.vectors.load import HOME, LEVELS, TITLES, Case, Vectors, load, require_name
from dualgap.proofs_checks.conformance.vectors.load import check as check_files
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_pairs, print_table, progress

ECHOED = ["0000000000000000", "3fb999999999999a", "bff8000000000000", "7fefffffffffffff", "0000000000000001"]
STRAYS = 3  # lines that are no answers, shown
BEFORE = 2  # requests that precede the first case in a file of requests: start and echo


def vectors(given: argparse.Namespace) -> int:
    """Exit 0; 1 if --check finds a different file or --judge a wrong answer; 2 for damaged files and unknown ids."""
    with input_errors() as commit:
        if given.out is not None and not given.regenerate:
            raise ValueError("--out requires --regenerate")
        if given.path:
            print_json({"folder": str(HOME)}) if given.json else say("{}", HOME)
            return 0
        if given.regenerate:
            return _regenerate(pathlib.Path(given.out) if given.out else HOME, given.json)
        if given.check:
            return _check(HOME, given.json)
        found = load()
        if given.emit:
            return _emit(found, pathlib.Path(given.emit), given.json)
        if given.judge:
            report = judged(found, pathlib.Path(given.judge))
            commit()
            return _print_judged(report, given)
        if given.explain:
            return _explain(found, given.explain, given.json)
    return _list(found, given.json)


def _list(found: Vectors, as_json: bool) -> int:
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for case in found.cases.values():
        counts.setdefault(case.method, Counter())[case.level, case.tolerance_class] += 1
    if as_json:
        print_json(
            {
                "cases": len(found.cases),
                "table": {
                    m: {level: {c: k for (there, c), k in count.items() if there == level} for level in LEVELS}
                    for m, count in counts.items()
                },
            }
        )
        return 0
    rows = [(method, *(_cell(count, level) for level in LEVELS)) for method, count in counts.items()]
    print_table(("", *(f"{level} {TITLES[level]}" for level in LEVELS)), rows)
    say("\n{} cases. E: exact; R: rounded; T: computed with exp or log", len(found.cases))
    return 0


def _cell(count: Counter[tuple[str, str]], level: str) -> str:
    return " ".join(f"{count[level, c]} {c}" for c in "ERT" if count[level, c])


def _check(folder: pathlib.Path, as_json: bool) -> int:
    """Validate the files, and name those that --regenerate would change."""
    count = check_files(folder)
    with temporary_folder() as scratch, progress() as advance:
        try:
            generate(scratch, folder, advance)
        except ValueError as reason:  # a step has changed, or a loss or a method lacks a part
            found = {"cases": count, "verdict": "fail", "other": [], "reason": str(reason)}
            print_json(found) if as_json else say("{}", reason)
            return FAILED
        names = sorted({path.name for path in [*folder.iterdir(), *scratch.iterdir()]})
        other = [name for name in names if not _same(folder / name, scratch / name)]
    if as_json:
        print_json({"cases": count, "verdict": "fail" if other else "pass", "other": other})
    elif other:
        say(
            "{} cases agree with the manifest, but the current reference generates different files: {}",
            count,
            ", ".join(other),
        )
    else:
        say("{} cases agree with the manifest, and regenerating gives the same bytes", count)
    return FAILED if other else 0


def _same(one: pathlib.Path, two: pathlib.Path) -> bool:
    return one.exists() and two.exists() and one.read_bytes() == two.read_bytes()


def _regenerate(folder: pathlib.Path, as_json: bool) -> int:
    with progress() as advance:
        count = generate(folder, advance=advance)
    print_json({"cases": count, "folder": str(folder)}) if as_json else say("{} cases in {}", count, folder)
    return 0


def requests(found: Vectors) -> Iterator[Json]:
    """Yield the lines of a file of requests: start, echo, each case in order, stop."""
    yield {"seq": 0, "op": "start", "protocol": 1}
    yield {"seq": 1, "op": "echo", "numbers": ECHOED}
    for position, case in enumerate(found.cases.values()):
        yield {"seq": BEFORE + position, "op": "run", "call": case.call, "given": case.request}
    yield {"seq": BEFORE + len(found.cases), "op": "stop"}


def _emit(found: Vectors, path: pathlib.Path, as_json: bool) -> int:
    lines = [json.dumps(request, separators=(",", ":")) for request in requests(found)]
    write_bytes(path, ("\n".join(lines) + "\n").encode("ascii"))
    print_json({"requests": len(lines), "file": str(path)}) if as_json else say("{} requests in {}", len(lines), path)
    return 0


def judged(found: Vectors, path: pathlib.Path) -> Conformance:
    """Judge the answers in a file. A case without an answer counts as not run.

    A line that is no answer of the protocol, or a second answer to a request, makes the verdict "fail"; the other
    lines are still judged. Raises ValueError if the file cannot be read.
    """
    answers: dict[int, Json] = {}
    strays: list[str] = []
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        try:
            answer = parse_json(line)
            if not isinstance(answer, dict) or type(answer.get("seq")) is not int:
                raise ValueError("an answer must be a JSON object with an integer seq")
            if answer["seq"] in answers:
                raise ValueError(f"seq {answer['seq']} was answered before; answer each request once")
            if not 0 <= answer["seq"] < BEFORE + len(found.cases):
                raise ValueError(f"no request with seq {answer['seq']} needs an answer")
        except ValueError as error:
            strays.append(f"{path}, line {number}: not an answer: {error} (got {line[:60]!r})")
            continue
        answers[answer["seq"]] = answer
    report = Conformance({name: str(answers.get(0, {}).get(name, "")) for name in ("name", "language", "version")})
    report.complaints += [
        *strays[:STRAYS],
        *([f"{len(strays) - STRAYS} further lines are not answers"] if len(strays) > STRAYS else []),
    ]
    if answers.get(1, {}).get("numbers") != ECHOED:
        report.complaints.append("the answer to echo (seq 1) must repeat all numbers of the request")
    missing = [BEFORE + position for position in range(len(found.cases)) if BEFORE + position not in answers]
    if missing:
        report.complaints.append(
            f"no answer to seq {missing[0]}{f' and {len(missing) - 1} others' if len(missing) > 1 else ''}"
        )
    for position, case in enumerate(found.cases.values()):
        answer = answers.get(BEFORE + position)
        if answer is None:
            report.outcomes.append(Outcome(case, NOT_RUN, reason="no answer in the file"))
            continue
        report.outcomes.append(judge(case, answer_of(answer)))
        report.asked += 1
    return report


def _print_judged(report: Conformance, given: argparse.Namespace) -> int:
    if given.json:
        print_json(to_json(report, ["--judge", given.judge]))
    else:
        print_report(report)
    return 0 if report.verdict == "pass" else FAILED


def _explain(found: Vectors, name: str, as_json: bool) -> int:
    require_name(name, found.cases, "--explain", "case")
    case: Case = found.cases[name]
    if as_json:
        print_json(
            {
                "id": case.id,
                "level": case.level,
                "call": case.call,
                "class": case.tolerance_class,
                "flags": list(case.flags),
                "given": case.given,
                "due": case.due,
                "predicate": case.predicate,
                "source": case.source,
            }
        )
        return 0
    print_pairs(explained(case, found.flags))
    return 0
