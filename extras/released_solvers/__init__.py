"""Released solvers of other people, audited: their table, their claims, the problems, the verdicts and the page.

Each runs in its own environment. A file of ``drivers`` answers the op "solve" of docs/ports.md for it. The drivers are
programs: they do not import dualgap, which is not installed there, and nothing here imports them. Checks for your own
solver are in ``proofs_checks.conformance.solvers``.

May import: proofs_checks, fast, reference.
"""

FALSE_CONVERGENCE = "false-convergence"  # the kind of a file with a false claim, for ``dualgap replay``
