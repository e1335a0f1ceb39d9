"""``python -m dualgap.proofs_checks.papers.spdc.theorem_1``: audit the claims of one file. It is not a command of
``dualgap``: ``claims.registry`` starts it where a claim file of dualgap is run as a program.
"""

import importlib
import sys

from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.claims.result import AuditReport
from dualgap.proofs_checks.cli.audit import print_audit
from dualgap.proofs_checks.report.terminal import FAILED


def audit_file(module: str) -> int:
    """Audit the claims that this module registers, at the quick size, and print their verdicts; no file is written.

    Returns 0 if every claim is as expected and every control failed as it must, 1 otherwise.
    """
    importlib.import_module(module)
    ids = [id for id in all_claims() if CLAIMS.places[id].module == module]
    report = AuditReport.from_json(audit(ids, "quick"))
    print_audit(report, ids)
    return 0 if report.verdict == "pass" else FAILED


if __name__ == "__main__":
    sys.exit(audit_file(sys.argv[1]))
