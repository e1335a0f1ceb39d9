"""Inner products in 16 sums that do not wait for each other, in vector code.

LLVM makes no vectors of several sums in a loop: eight sums in Python took four times as long.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numpy.typing import NDArray

from dualgap.fast.compiler.eight_rows import VECTOR, WIDTH, vector_at
from dualgap.fast.compiler.instruction import compiled_as

LANES = 4 * WIDTH


def _emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """A loop with 16 sums, one with 4 for what is left, and one with their sum."""
    p, q = (
        context.make_array(kind)(context, builder, given) for kind, given in zip(signature.args, arguments, strict=True)
    )
    (size,) = cgutils.unpack_tuple(builder, p.shape)
    number = size.type
    sums = [cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * WIDTH)) for _ in range(4)]
    many, few = (builder.sub(size, builder.srem(size, number(step))) for step in (LANES, WIDTH))

    def add(j: Any, total: Any) -> None:
        factors = (builder.load(vector_at(builder, array.data, j), align=8) for array in (p, q))
        builder.store(builder.fadd(builder.load(total), builder.fmul(*factors)), total)

    with cgutils.for_range_slice(builder, number(0), many, number(LANES)) as (j, _):
        for k, total in enumerate(sums):
            add(builder.add(j, number(WIDTH * k)), total)
    a, b, c, d = map(builder.load, sums)
    builder.store(builder.fadd(builder.fadd(a, b), builder.fadd(c, d)), sums[0])
    with cgutils.for_range_slice(builder, many, few, number(WIDTH)) as (j, _):
        add(j, sums[0])
    lanes = builder.load(sums[0])
    a, b, c, d = (builder.extract_element(lanes, ir.IntType(32)(k)) for k in range(WIDTH))
    whole = cgutils.alloca_once_value(builder, builder.fadd(builder.fadd(a, c), builder.fadd(b, d)))
    with cgutils.for_range_slice(builder, few, size, number(1)) as (j, _):
        x, y = (builder.load(builder.gep(array.data, [j])) for array in (p, q))
        builder.store(builder.fadd(builder.load(whole), builder.fmul(x, y)), whole)
    return builder.load(whole)


def _typed(typing_context: object, p: Any, q: Any) -> Any:
    """Return the function for contiguous doubles; there is none for other arrays."""
    ordered = all(array.layout == "C" and array.dtype == types.float64 and array.ndim == 1 for array in (p, q))
    return (types.float64(p, q), _emit) if ordered else None


@compiled_as(_typed)
def sum_of_products(p: NDArray[Any], q: NDArray[Any]) -> Any:
    """p^T q.

    >>> sum_of_products(np.arange(23.0), np.ones(23))
    253.0
    """
    many, few = (p.size - p.size % step for step in (LANES, WIDTH))
    a, b, c, d = lanes = np.zeros((4, WIDTH))
    for j in range(0, many, LANES):
        lanes += (p[j : j + LANES] * q[j : j + LANES]).reshape(4, WIDTH)
    total = (a + b) + (c + d)
    for j in range(many, few, WIDTH):
        total += p[j : j + WIDTH] * q[j : j + WIDTH]
    whole = (total[0] + total[2]) + (total[1] + total[3])
    for j in range(few, p.size):
        whole = whole + p[j] * q[j]
    return float(whole)
