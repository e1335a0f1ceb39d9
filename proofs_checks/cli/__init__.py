"""One file for each command of ``dualgap``. No command computes anything itself.

May import: auditing, claims, conformance, engines, experiments, properties, report, self_audit, fast, reference.
"""
