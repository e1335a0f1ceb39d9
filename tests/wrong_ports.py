"""Ports with planted bugs: the Python port with a part of its text replaced, or over an implementation with a bug."""

import json
import pathlib
import shutil
import sys
from functools import cache

import pytest
from port_mistakes import planted
from support import floats

from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.ports.outcomes import judge
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.port import Answer
from dualgap.proofs_checks.conformance.seeded_bugs import catalogue
from dualgap.proofs_checks.conformance.seeded_bugs.flags import WAYS
from dualgap.proofs_checks.conformance.vectors.load import load

VECTORS = load()
CASES = list(VECTORS.cases.values())
FEW = [case for case in CASES if case.call in ("gap", "regularizer.value")]
SOURCE = pathlib.Path(__file__).parents[1] / "ports" / "python" / "port.py"
RIGHT = [sys.executable, str(SOURCE)]
OPERATION = '    op = request["op"]\n'
ENCODED = 'hex_floats.encode(float("inf") if value is None else float(value))'
PLANTED = """from dualgap.proofs_checks.conformance.seeded_bugs import planting

IMPLEMENTATION = planting.planted({!r}, {!r})
"""


def spoiled(folder, old, new):
    """The command of a port in which another text replaces one of the right port."""
    text = SOURCE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = folder / f"spoiled_{len(list(folder.glob('spoiled_*')))}.py"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return [sys.executable, str(path)]


def before_answer(folder, line):
    """The command of a port that executes ``line`` before it answers a request."""
    return spoiled(folder, OPERATION, f"{OPERATION}    {line}\n")


def altered(edits, folder):
    """The command of the C port in a separate folder, with replacements at places of ``port_mistakes``."""
    if shutil.which("cc") is None:
        pytest.skip("there is no cc on the PATH, which ports/c needs")
    folder.mkdir()
    port = SOURCE.parents[1] / "c"
    shutil.copy(port / "run", folder)
    source = planted(edits, (port / "port.c").read_text(encoding="utf-8"))
    (folder / "port.c").write_text(source, encoding="utf-8")
    return [str(folder / "run")]


def without(folder, method):
    """The command of a port that skips a method."""
    return before_answer(
        folder, f'if request.get("given", {{}}).get("method") == "{method}": return {{"skipped": "?"}}'
    )


def with_bug(folder, flag, way=0):
    """The command of a port with the planted bug ``flag``, in the first way or in another."""
    if flag == "single-precision":
        return spoiled(folder, ENCODED, f"hex_floats.encode(__import__('numpy').float32({ENCODED[18:-1]}))")
    return spoiled(folder, "IMPLEMENTATION = InFloats\n", PLANTED.format(flag, WAYS[flag][way]))


@cache
def in_floats(given):
    """A request, given as its text, with numbers in floats."""
    return floats(hex_floats.rationals(json.loads(given)))


class Inside:
    """A port without a pipe: an implementation in floats."""

    def __init__(self, kind=Independent):
        self.kind = kind

    def run(self, call, given):
        try:
            return Answer(catalogue.spelled(self.kind().exactly(call, in_floats(json.dumps(given)))))
        except ArithmeticError as error:
            return Answer(None, "error", str(error))

    def judged(self, cases):
        """The report on these cases."""
        return Conformance({}, [judge(case, self.run(case.call, case.request)) for case in cases])
