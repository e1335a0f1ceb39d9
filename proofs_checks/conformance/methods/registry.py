"""All rows by name, in the order of the reports; and the methods without one, each with the reason."""

from dualgap.proofs_checks.conformance.methods import baselines, dual, primal
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.reference.problem.registry import Registry

FIRST_ROWS = (*dual.BEFORE, *primal.BEFORE)  # what a port begins with
PARTS = (FIRST_ROWS, dual.ROWS, primal.ROWS, baselines.ROWS)
ROWS: Registry[MethodSpec] = Registry("method of the vectors")
for part in PARTS:
    for row in part:
        ROWS.enter(row.name, row)
WITHOUT = {
    "lbfgs": "its steps are scipy's: another implementation has others that are as right",
    "newton": (
        "conjugate gradients solve its system: another order of their sums is as right, and in Fractions the reference"
        " is compared with the definition"
    ),
}


def covered() -> set[str]:
    """The reference's methods that have vectors."""
    return {row.of or row.name for row in ROWS.values()}


def register_vectors(cls: type[MethodSpec]) -> type[MethodSpec]:
    """Decorate a MethodSpec: vectors, explanations and reports have it. Raises ValueError for a name that another place
    has taken.

    Parameters
    ----------
    cls : the class; it is made without arguments.
    """
    ROWS.enter(cls.name, cls())
    return cls
