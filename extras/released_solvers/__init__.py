"""Released solvers of other people, audited: the table of them, their claims, the problems, the verdicts and the page.

Each runs in an environment of its own, driven over the op "solve" of docs/ports.md by a file of ``drivers``, which are
programs: they import nothing of dualgap, which is not installed there, and nothing here imports them. Checks for a
solver of one's own live in ``proofs_checks.conformance.solvers``.

May import: proofs_checks, fast, reference.
"""

FALSE_CONVERGENCE = "false-convergence"  # the kind of a file with a false claim, for ``dualgap replay``
