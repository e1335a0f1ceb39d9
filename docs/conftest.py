"""The Python blocks of these pages run: ``python -m pytest docs -n 0`` (Sybil); a block that begins with >>> shows its
output.

Pages with a separate test for their blocks are skipped.
"""

from doctest import ELLIPSIS

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
SOLVERS = ("liblinear", "glum", "scikit_learn", "celer", "lightning", "cyanure")
# they need the released versions of other packages that the pages name
NOT_RUN = {"released-solvers.md", *(f"to_send/{name}.md" for name in SOLVERS)}

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS), SkipParser()],
    patterns=["*.md"],
    excludes=[*ELSEWHERE, *NOT_RUN, "generated/*", "changelog.md", "contributing.md", "formal.md"],
).pytest()
