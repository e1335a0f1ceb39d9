"""All rows by name, in the order of the reports; and the methods without one, each with the reason.

A row is found in every file of ``papers`` that has ``@register_vectors``, and in the files vectors*.py of extras.
"""

import importlib
import json
from pathlib import Path

from dualgap.proofs_checks.conformance.independent.registry import complete
from dualgap.proofs_checks.conformance.methods import dual, primal
from dualgap.proofs_checks.conformance.methods.spec import ROWS, WITHOUT, register_vectors

__all__ = ["FIRST_ROWS", "ROWS", "WITHOUT", "covered", "register_vectors"]

FIRST_ROWS = (*dual.BEFORE, *primal.BEFORE)  # what a port begins with
# in whose order the shipped methods stand, wherever they register
REQUESTS = Path(__file__).parents[2] / "vectors" / "v1" / "request.schema.json"

for row in (*FIRST_ROWS, *dual.ROWS, *primal.ROWS):
    ROWS.enter(row.name, row)
for _file in sorted((Path(__file__).parents[2] / "papers").glob("*/*.py")):
    if "@register_vectors" in _file.read_text(encoding="utf-8"):
        importlib.import_module(f"dualgap.proofs_checks.papers.{_file.parent.name}.{_file.stem}")
complete()
_order = json.loads(REQUESTS.read_bytes())["$defs"]["method"]["enum"]
_rows = sorted(ROWS.items(), key=lambda item: _order.index(item[0]) if item[0] in _order else len(_order))
ROWS.clear()
ROWS.update(_rows)


def covered() -> set[str]:
    """The reference's methods that have vectors."""
    return {row.of or row.name for row in ROWS.values()}
