"""The command ``exact``, and the replay of its files."""

import argparse
import json
from fractions import Fraction
from pathlib import Path

from dualgap.extras.exact.check_proof import check
from dualgap.extras.exact.roots import number_of
from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.claims.strict_json import Json, read_json
from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.numbers import number
from dualgap.proofs_checks.cli.parsers import add_options
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, print_lines, ticker

BEFORE = "replay"  # the command that follows in the list of all
PROVED, REFUTED = "pep-proved", "pep-refuted"
SHOWN = 12  # multipliers that the terminal shows


def add(commands: Commands) -> None:
    text = "prove the worst-case rate of a PEPit script exactly, or refute it"
    command = commands.add_parser("exact", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=exact)
    words = "a script that solves a PEP, unchanged; or one of its functions, which is called without arguments"
    command.add_argument("script", metavar="SCRIPT.py[:FUNCTION]", help=words)
    words = "also look for exact function values and a Gram matrix that nearly attain the bound"
    command.add_argument("--lower", action="store_true", help=words)
    command.add_argument("-o", "--output", metavar="FILE", help="write the proof or the refutation to FILE")
    words = "check the proof in FILE, and that its facts are those of the script; nothing is solved"
    command.add_argument("--check", metavar="FILE", help=words)
    words = "with --check: write what the file proves as theorems for Coq (OUT.v), or the bound for Lean 4 (OUT.lean)"
    command.add_argument("--export", metavar="OUT", help=words)
    words = "stop the search for a proof after S seconds (default 60)"
    command.add_argument("--seconds", metavar="S", type=number, default=60.0, help=words)
    add_options(command, "<json>")


def exact(given: argparse.Namespace) -> int:
    """Run the command. The exit status is 0 if a bound was proved, or the file holds."""
    from dualgap.extras.exact.prove import prove
    from dualgap.extras.exact.record import record_of
    from dualgap.extras.exact.scripts import run

    path, _, function = given.script.partition(".py:")
    path = Path(path + ".py" if function else path)
    with input_errors() as commit, ticker() as tick:
        if not given.seconds > 0:
            raise Refused(f"--seconds must be > 0 (got {given.seconds:g})")
        if given.export and not (given.check and given.export.endswith((".v", ".lean"))):
            raise Refused(f"--export needs --check, and a file OUT.v or OUT.lean (got {given.export})")
        if not path.is_file():
            raise Refused(f"{path}: no such file; give a Python script that solves a PEP")
        record = read_json(given.check) if given.check else None
        tick(f"running {path}")
        try:
            found = run(path, function or None, solve=record is None)
        except ModuleNotFoundError as error:
            if error.name != "PEPit":
                raise
            raise Refused('dualgap exact needs PEPit: pip install "dualgap[exact]"') from None
        commit()
        one = found[-1]
        if record:
            return _compare(record, given.check, one.facts, given.export)
        tick("searching for a proof")
        proof = prove(one.facts, given.lower, given.seconds)
    facts = {"script": given.script, "peps": len(found), "pepit": one.value, "pepit_error": one.error}
    doubts = {"wrong_conditions": one.wrong, "unchecked_classes": one.unchecked}
    usable = not one.wrong and (proof.tau is not None or proof.ray is not None)
    record = record_of(proof, one.statement) if usable else {"statement": one.statement, "tau": None, "how": proof.how}
    written = True
    if usable and given.output:
        written = write_text(given.output, json.dumps(record, separators=(",", ":")))
    how = {"how": proof.how, "lower_how": proof.lower_how, "seconds": round(proof.seconds, 3)}
    if given.json:
        print_json({**facts, **doubts, **how, "record": record})
    else:
        print_lines(_lines(record, {**facts, **doubts, **how}, given.output if usable else None))
    return 0 if usable and written and proof.tau is not None else FAILED


def _lines(record: Json, facts: Json, output: str | None) -> list[str]:
    """Return what the terminal shows."""
    from dualgap.extras.exact.record import metric_of

    statement = record["statement"]
    lines = ["For every " + ", and every ".join(statement["classes"]) + ":"]
    lines += [f"  if {condition['text']}" for condition in statement["conditions"]]
    if record.get("root"):
        lines.append(f"  with r = sqrt({record['root']})")
    if facts["wrong_conditions"]:
        names = ", ".join(facts["wrong_conditions"][:3])
        lines.append(
            f"  nothing is proved: {len(facts['wrong_conditions'])} conditions of PEPit are not ours ({names})"
        )
    elif record["tau"] is not None:
        lines.append(f"  then {metric_of(statement)} <= {_number(record['tau'], record)} ({facts['how']})")
        if record["worst"]:
            attained = float(number_of(record["worst"]["F"][record["metric"]], record.get("root")))
            lines.append(f"  {attained:.16g} is attained by exact values that satisfy all facts")
    elif record.get("ray"):
        lines.append(
            f"  no bound on {metric_of(statement)} is true: an exact direction raises it without end (refuted)"
        )
    else:
        lines.append(f"  no bound on {metric_of(statement)} was proved: {facts['how']}")
    lines += _about_pepit(record, facts)
    if record["tau"] is not None:
        lines += _multipliers(record)
    lines += [f"Note: {note}." for note in record.get("notes", [])]
    lines += [
        f"Note: the conditions of {name} are PEPit's; we have none to compare with."
        for name in facts["unchecked_classes"]
    ]
    if facts["peps"] > 1:
        lines.append(f"Note: the script solves {facts['peps']} PEPs; this is the last one.")
    if output:
        lines.append(
            f"Check {output}: python3 check_proof.py {output}, or dualgap exact {facts['script']} --check {output}"
        )
    return lines


def _about_pepit(record: Json, facts: Json) -> list[str]:
    """Return how PEPit's own number compares."""
    if facts["pepit"] is None:
        return [f"PEPit has no number ({facts['pepit_error'] or 'the function returned a PEP that is not solved'})"]
    value = facts["pepit"]
    if record["tau"] is None:
        return [f"PEPit's solver returned {value:.12g}"]
    difference = Fraction(value) - number_of(record["tau"], record.get("root"))
    where = "equal to" if difference == 0 else "above" if difference > 0 else "below"
    words = f"PEPit's solver returned {value:.12g}, which is {where} the proved bound"
    worst = record["worst"]
    if worst and Fraction(value) < number_of(worst["F"][record["metric"]], record.get("root")):
        words += " and below the attained value: it is no bound"
    return [words]


def _multipliers(record: Json) -> list[str]:
    """Return the multipliers that are not 0."""
    rows = [(name, m) for kind in ("inequalities", "equalities") for name, _, m in record[kind] if m != "0"]
    lines = ["Multipliers that are not 0:", *(f"  {name}: {_number(m, record)}" for name, m in rows[:SHOWN])]
    return lines + ([f"  and {len(rows) - SHOWN} more in the file"] if len(rows) > SHOWN else [])


def _number(text: str, record: Json) -> str:
    """Return a short number with its decimal, a long one as the decimal alone."""
    value, longest = float(number_of(text, record.get("root"))), 26 if "r" in text else 14
    text = text.replace("+-", "-").removeprefix("0+")
    if len(text) > longest:
        return f"{value:.12g}"
    return text if text.lstrip("-").isdigit() else f"{text} = {value:.12g}"


def _compare(record: Json, path: str, facts: object, export: str | None) -> int:
    """Check a file, compare its facts with those of a script, and write the theorem if ``export`` names a file."""
    from dualgap.extras.exact.kernel_texts import coq_text, lean_text
    from dualgap.extras.exact.record import differences

    statement, refused = _checked(record, path)
    refused = refused or differences(record, facts)  # type: ignore[arg-type]
    if refused:
        say("REFUSED: {}", "; ".join(refused[:3]) + (f"; and {len(refused) - 3} more" if len(refused) > 3 else ""))
        return FAILED
    say("It holds: {}. Its facts are those of the script.", statement)
    if export and (record.get("root") or (record["kind"] != PROVED and not export.endswith(".v"))):
        words = f"its numbers contain sqrt({record['root']})" if record.get("root") else "it is a refutation"
        raise Refused(f"{path}: {words}; --export writes rational numbers alone, and for Lean proofs alone")
    if export:
        return 0 if write_text(export, (coq_text if export.endswith(".v") else lean_text)(record)) else FAILED
    return 0


def _checked(record: Json, path: str) -> tuple[str, list[str]]:
    try:
        return check(record)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise Refused(f"{path}: not a file of dualgap exact ({type(error).__name__}: {error})") from None


def replay(path: str) -> int:
    """Verify a file. The exit status is 0 if it holds."""
    with input_errors():
        record = read_json(path)
        statement, refused = _checked(record, path)
    if refused:
        say("REFUSED: {}", "; ".join(refused))
        return FAILED
    say("It holds: {}. Its facts were not compared with a script: dualgap exact SCRIPT.py --check {}", statement, path)
    return 0


REPLAYS = {PROVED: replay, REFUTED: replay}
