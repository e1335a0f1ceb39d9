"""All bugs that ``dualgap audit --self`` plants. An id says where the bug is and what is broken:
"rows.change-in-place-not-noticed".
"""

from dualgap.proofs_checks.evidence.formal import unavailable
from dualgap.proofs_checks.self_audit import formal_files, rows_claims, rows_engines, rows_runs
from dualgap.proofs_checks.self_audit.worlds import Bug, listed
from dualgap.reference.problem.registry import modules_of_extras

ROWS: tuple[Bug, ...] = (
    *(bug for module in (rows_claims, rows_engines, rows_runs) for bug in listed(module.BUGS)),
    Bug(
        "formal.one-label: is_label admits one label alone",
        "dualgap.proofs_checks",
        "is_label (y : R) : Prop := y = 1 \\/ y = -1.",
        "is_label (y : R) : Prop := y = 1 \\/ y = 1.",
        formal_files.inhabited,
        file="formal/Definitions.v",
        needs=unavailable,
    ),
    *(bug for module in modules_of_extras("planted_bugs") for bug in listed(module.PLANTED_BUGS)),
)
