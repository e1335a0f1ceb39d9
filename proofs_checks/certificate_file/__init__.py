"""Certificate files: a claim P(w) - min P <= bound that can be checked without dualgap.

``write`` makes one. ``check`` is a checker in the standard library alone; `proofs_checks/formal/Checker.v` is the
proved one. The format is in docs/certificate_file.md.

May import: conformance, fast, reference.
"""
