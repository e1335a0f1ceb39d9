"""All rows by name, in the order of the reports; and the methods without one, each with the reason."""

from dualgap.proofs_checks.conformance.methods import baselines, dual, primal
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec

FIRST_ROWS = (*dual.BEFORE, *primal.BEFORE)  # what a port begins with
PARTS = (FIRST_ROWS, dual.ROWS, primal.ROWS, baselines.ROWS)
ROWS: dict[str, MethodSpec] = {row.name: row for part in PARTS for row in part}
WITHOUT = {"lbfgs": "its steps are scipy's: another implementation has others that are as right"}
COVERED = frozenset(row.of or row.name for row in ROWS.values())
