"""Which regularizers the compiled code knows."""

from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer


def require_compiled(regularizer: Regularizer) -> None:
    """Raise ValueError for a regularizer whose formulas are not compiled: a class of one's own, also one that derives
    from a built-in one.
    """
    if type(regularizer) not in (Regularizer, L2, ElasticNet, PNorm):
        raise ValueError(
            f"compiled methods and problems of blocks or weights take L2, ElasticNet or PNorm (got {regularizer!r}): a"
            " regularizer of one's own is a GeneralRegularizer and runs with backend 'reference' and method sdca,"
            " aspdc or pdcp"
        )
