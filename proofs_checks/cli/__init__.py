"""One file for each command of ``dualgap``. No command computes anything itself.

May import: auditing, certificate_file, claims, conformance, engines, experiments, properties, report, self_audit, fast, reference.
"""  # noqa: E501
