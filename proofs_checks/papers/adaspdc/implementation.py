"""AdaSPDC, the code: a run on data."""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.papers.aspdc.implementation import (
    SMALL,
    on_data,
    run_on_data,
    skipped_without_sklearn,
    stale_is_noticed,
)
from dualgap.proofs_checks.papers.vocabulary import implemented


@implemented(
    "adaspdc.code.real-data",
    "A run on data: the first pass is bit-identical to the lazy reference, the certificate of the last pair is right"
    " within its rounding allowance, and the gap fell",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = R^2/n; unequal norms",
    evidence=[
        on_data(SMALL, Q(1), "adaspdc"),
        on_data(SMALL, Q(1), "adaspdc-r"),
        skipped_without_sklearn(on_data("breast_cancer", Q(1), "adaspdc-r", unit_rows=False)),
    ],
    control=stale_is_noticed("adaspdc", "adaspdc-r"),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from run_on_data(c)
