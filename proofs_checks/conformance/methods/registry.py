"""All rows by name, in the order of the reports; and the methods without one, each with the reason."""

from dualgap.proofs_checks.conformance.methods import baselines as rows_baselines
from dualgap.proofs_checks.conformance.methods import dual as rows_dual
from dualgap.proofs_checks.conformance.methods import primal as rows_primal
from dualgap.proofs_checks.conformance.methods.spec import Row

PARTS = (rows_dual.BEFORE, rows_primal.BEFORE, rows_dual.ROWS, rows_primal.ROWS, rows_baselines.ROWS)
ROWS: dict[str, Row] = {row.name: row for part in PARTS for row in part}
WITHOUT = {"lbfgs": "its steps are scipy's: another implementation has others that are as right"}
COVERED = frozenset(row.of or row.name for row in ROWS.values())
