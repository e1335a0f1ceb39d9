"""Answers of ports, mutated: a verdict each, and never a pass for a number that is not the one that is due.

The mutations are drawn from the number of the input alone (``damage``), so that a failure names the input that
repeats it.
"""

import json

import damage
import pytest
from damage import INPUTS, damaged, flipped, generator, mutated

from dualgap.proofs_checks.claims.strict_json import parse_json
from dualgap.proofs_checks.cli.conform import print_report
from dualgap.proofs_checks.conformance.ports.failures import describe, to_json
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, PASSED, SKIPPED, judge
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import admits
from dualgap.proofs_checks.conformance.protocol.port import Answer, answer_of
from dualgap.proofs_checks.conformance.vectors.load import load

VECTORS = load()
CASES = list(VECTORS.cases.values())
DUE = [case for case in CASES if case.due is not None]
SPELLED = """7ff0000000000000 7ff8000000000000 fff0000000000000 7fefffffffffffff 0000000000000001 8000000000000000
    3FF0000000000000 preset"""
# in addition to those of ``damage``
TEXTS = ["false", "1.5", "-" + "9" * 18, '"3ff0000000000000 1.0"', *(f'"{word}"' for word in SPELLED.split())]


def wrapped(draw, part, places):
    """A part in a list, or under a name."""
    return [part] if draw.randrange(2) else {"value": part}


def mutation(draw, result):
    """A line of the protocol that answers the result or nearly so, and the way it was made."""
    kind = draw.choice(("structured", "raw", "shape"))
    if kind == "shape":
        name = draw.choice(("result", "skipped", "error", "states", "Result"))
        return f'{{"seq":1,"{name}":{draw.choice((*damage.TEXTS, *TEXTS))}}}'.encode(), kind
    if kind == "structured":
        return f'{{"seq":1,"result":{mutated(draw, result, TEXTS, flipped, wrapped)}}}'.encode(), kind
    whole = json.dumps({"seq": 1, "result": result}).encode()
    return damaged(draw, whole, whole), kind


def answered(line):
    """What the runner makes of a line."""
    try:
        value = parse_json(line)
    except ValueError as error:
        assert "\n" not in str(error)
        return Answer(None, "garbled", str(error))
    return answer_of(value) if isinstance(value, dict) else Answer(None, "garbled", "no object")


def right(expected, got):
    """Whether an answer has every part that is due, number by number: written without the code that judges."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(name in got and right(part, got[name]) for name, part in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(got) == len(expected) and all(map(right, expected, got))
    if isinstance(expected, int):
        return type(got) is int and got == expected
    spelled = isinstance(got, str) and len(got) == 16 and hex_floats.is_number(got)
    return spelled and admits(hex_floats.read(expected), hex_floats.decode(got))


def one_gap(case, got):
    """Whether a certificate's gap is negative if the first of its two numbers is below the second."""
    if case.call != "certificate":
        return True
    primal, dual, gap = (hex_floats.decode(got[name]) for name in ("primal", "dual", "gap"))
    return gap < 0 or primal >= dual


@pytest.mark.parametrize("part", range(4))
def test_a_mutated_answer_has_a_verdict_and_passes_only_where_it_is_right(part, capsys):
    report = Conformance({"name": "fuzz"})
    for number in INPUTS[part::4]:
        draw = generator(number)
        case = draw.choice(DUE)
        line, kind = mutation(draw, hex_floats.plain(case.due))
        answer = answered(line)
        outcome = judge(case, answer)
        if answer.result is None:
            assert outcome.status == (SKIPPED if answer.kind == "skipped" else FAILED), (number, line)
        else:
            passes = right(case.due, answer.result) and one_gap(case, answer.result)
            assert (outcome.status == PASSED) == passes, (number, line)
        if outcome.status == FAILED:
            describe(outcome)
            json.dumps(to_json(outcome), allow_nan=False)
        report.outcomes.append(outcome)
    print_report(report, everything=True)
    assert all(c == "\n" or " " <= c <= "~" for c in capsys.readouterr().out)
