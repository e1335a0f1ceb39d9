"""The Python blocks of these pages run: ``python -m pytest docs -n 0`` (Sybil); a block that begins with >>> shows its
output.

Pages with a separate test for their blocks are skipped.
"""

from doctest import ELLIPSIS
from pathlib import Path

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

ELSEWHERE = {  # page: the test that runs its blocks
    "clusters.md": "tests/repository/test_docs.py",
    "cocoa.md": "tests/repository/test_docs.py",
    "estimators.md": "tests/repository/test_docs.py",
    "own_loss.md": "tests/repository/test_docs.py",
    "own_solver.md": "tests/proofs_checks/conformance/test_own_solver_page.py",
    "own_theorem.md": "tests/repository/test_own_theorem.py",
    "plugins.md": "tests/repository/test_docs.py",
    "ports.md": "tests/proofs_checks/conformance/test_command_solvers.py",  # a program that reads its standard input
}
# the issues of to_send need packages that they name; tests/repository/test_to_send.py runs what it can
LETTERS = [f"to_send/{page.name}" for page in Path(__file__).parent.glob("to_send/*.md")]
NOT_RUN = {"pepit_checked.md", *LETTERS}

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS), SkipParser()],
    patterns=["*.md"],
    excludes=[*ELSEWHERE, *NOT_RUN, "generated/*", "changelog.md", "contributing.md", "formal.md"],
).pytest()
