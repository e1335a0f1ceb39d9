"""Inner products of eight dense rows at a time, and sums of products of two columns for 16 pairs of columns at a time,
in vector code and in the order of the entries.

A vector holds one sum of each of four rows, and not four sums of one row, as compilers arrange it: these sums would be
rounded in another order. The entries of four rows and four columns are loaded by rows and transposed in registers.
LLVM divides or joins the vectors of four for the machine it compiles for, which changes no bit. A product takes 0.6 to
0.8 times as long as with eight plain sums.
"""

from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numpy.typing import NDArray

from dualgap.fast.compiler.instruction import compiled_as
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import LINE, fetch

Array = NDArray[Any]
WIDTH = 4
AHEAD = 1024  # numbers, at least, between the entries that are read and those that are asked for
FEW = 16  # columns whose sums are in registers
LONG = 256  # entries of a row, beyond which the processor has noticed that it is read in order
VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
# where the entries of two vectors go that change places in a transposition of blocks of 1 and of 2
EXCHANGES = {1: ([0, 4, 2, 6], [1, 5, 3, 7]), 2: ([0, 1, 4, 5], [2, 3, 6, 7])}


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of four vectors."""
    for size, masks in EXCHANGES.items():
        low, high = (ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), mask) for mask in masks)
        for k in (k for k in range(WIDTH) if not k & size):
            one, other = rows[k], rows[k + size]
            rows[k], rows[k + size] = (builder.shuffle_vector(one, other, mask) for mask in (low, high))
    return rows


def vector_at(builder: Any, pointer: Any, place: Any) -> Any:
    """The address of four entries, of an array that starts there."""
    return builder.bitcast(builder.gep(pointer, [place]), VECTOR.as_pointer())


def _in_all(builder: Any, number: Any) -> Any:
    """A vector of four times that number."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.IntType(32)(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def _emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The loop over the columns, four at a time, of which the last four may have been among others; without a w each
    row is multiplied by itself.
    """
    arrays: Any = (
        context.make_array(kind)(context, builder, given) if isinstance(kind, types.Array) else None
        for kind, given in zip(signature.args[:3], arguments[:3], strict=True)
    )
    X, w, out = arrays
    i, start = arguments[3:]
    d = cgutils.unpack_tuple(builder, X.shape)[1]
    number, any_address = d.type, {"align": 8}
    rest = builder.srem(d, number(WIDTH))
    whole = builder.sub(d, rest)
    block = builder.mul(d, number(2 * WIDTH))
    ahead = builder.select(builder.icmp_signed("<", block, number(AHEAD)), number(AHEAD), block)
    sums = [cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * WIDTH)) for _ in range(2)]

    def add(j: Any, last: Any = None) -> None:
        """Add the products of columns j, .., j + 3, or of so many at their end."""
        columns = [builder.add(j, number(k)) for k in range(WIDTH)]
        factors = w and [_in_all(builder, builder.load(builder.gep(w.data, [column]))) for column in columns]
        for half, total in enumerate(sums):
            rows = [builder.mul(builder.add(i, number(WIDTH * half + k)), d) for k in range(WIDTH)]
            places = [vector_at(builder, X.data, builder.add(row, j)) for row in rows]
            entries = _transposed(builder, [builder.load(place, **any_address) for place in places])
            found = builder.load(total)
            for k, (column, factor) in enumerate(zip(entries, factors or entries, strict=True)):
                more = builder.fadd(found, builder.fmul(column, factor))
                is_new = last and builder.icmp_signed(">=", last, number(WIDTH - k))
                found = builder.select(is_new, more, found) if last else more
            builder.store(found, total)

    with cgutils.for_range_slice(builder, number(0), whole, number(WIDTH)) as (j, _):
        read = builder.add(builder.mul(i, d), builder.mul(j, number(2 * WIDTH)))  # entries before these
        with builder.if_then(builder.icmp_signed("<=", d, number(LONG))):
            for line in range(0, 2 * WIDTH * WIDTH, LINE):
                fetch(builder, builder.gep(X.data, [builder.add(read, builder.add(ahead, number(line)))]))
        add(j)
    with builder.if_then(builder.icmp_signed(">", rest, number(0))):
        add(builder.sub(d, number(WIDTH)), rest)
    for half, total in enumerate(sums):
        place = vector_at(builder, out.data, builder.add(start, number(WIDTH * half)))
        builder.store(builder.load(total), place, **any_address)
    return context.get_dummy_value()


def _typed(typing_context: object, X: Any, w: Any, out: Any, i: object, start: object) -> Any:
    """Return the function for C-ordered doubles; there is none for other arrays."""
    arrays = [kind for kind in (X, w, out) if isinstance(kind, types.Array)]
    ordered = all(array.layout == "C" and array.dtype == types.float64 for array in arrays)
    return (types.void(X, w, out, types.intp, types.intp), _emit) if ordered else None


@compiled_as(_typed)
def sums_of_eight(X: Array, w: Array | None, out: Array, i: int, start: int) -> None:
    """out_{start + k} <- x_{i + k}^T w, k = 0, .., 7; without a w, ||x_{i + k}||^2. There are four columns or more."""
    for k in range(2 * WIDTH):
        total = 0.0
        for j in range(X.shape[1]):
            total = total + X[i + k, j] * (X[i + k] if w is None else w)[j]
        out[start + k] = total


@kernel
def products_of_eight(X, w, first, out):
    """out_i <- x_{first + i}^T w, as long as eight rows are left; the number of rows done."""
    done = out.size - out.size % 8
    if w.size >= WIDTH:
        for start in range(0, done, 8):
            sums_of_eight(X, w, out, first + start, start)
    else:
        out[:done] = 0.0
        for i in range(done):
            for j in range(w.size):
                out[i] = out[i] + X[first + i, j] * w[j]
    return done


@kernel
def squares_of_eight(X, out):
    """out_i <- ||x_i||^2, as long as eight rows are left; the number of rows done."""
    done = out.size - out.size % 8
    if X.shape[1] >= WIDTH:
        for start in range(0, done, 8):
            sums_of_eight(X, None, out, start, start)
    else:
        out[:done] = 0.0
        for i in range(done):
            for j in range(X.shape[1]):
                out[i] = out[i] + X[i, j] * X[i, j]
    return done


def _emit_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The loop over the rows, with the sums of a tile in four registers."""
    left, right, H = (
        context.make_array(kind)(context, builder, given)
        for kind, given in zip(signature.args[:3], arguments[:3], strict=True)
    )
    j, m, rows = arguments[3:]
    width, any_address = cgutils.unpack_tuple(builder, H.shape)[1], {"align": 8}
    number = width.type

    def place(row: Any, column: Any) -> Any:
        return builder.add(builder.mul(row, width), column)

    columns = [builder.add(j, number(k)) for k in range(WIDTH)]
    places = [vector_at(builder, H.data, place(column, m)) for column in columns]
    sums = [cgutils.alloca_once_value(builder, builder.load(address, **any_address)) for address in places]
    with cgutils.for_range_slice(builder, number(0), rows, number(1)) as (i, _):
        entries = builder.load(vector_at(builder, right.data, place(i, m)), **any_address)
        for column, total in zip(columns, sums, strict=True):
            factor = _in_all(builder, builder.load(builder.gep(left.data, [place(i, column)])))
            builder.store(builder.fadd(builder.load(total), builder.fmul(factor, entries)), total)
    for address, total in zip(places, sums, strict=True):
        builder.store(builder.load(total), address, **any_address)
    return context.get_dummy_value()


def _typed_tile(typing_context: object, left: Any, right: Any, H: Any, j: object, m: object, rows: object) -> Any:
    """Return the function for C-ordered doubles; there is none for other arrays."""
    ordered = all(array.layout == "C" and array.dtype == types.float64 for array in (left, right, H))
    return (types.void(left, right, H, types.intp, types.intp, types.intp), _emit_tile) if ordered else None


@compiled_as(_typed_tile)
def add_tile(left: Array, right: Array, H: Array, j: int, m: int, rows: int) -> None:
    """H_{j + k, m + h} <- H_{j + k, m + h} + sum_i left_{i, j + k} right_{i, m + h} over the first ``rows`` rows, for k
    and h = 0, .., 3. The arrays have equally many columns.
    """
    if rows > 0:
        tile, terms = (
            H[j : j + WIDTH, m : m + WIDTH],
            left[:rows, j : j + WIDTH, None] * right[:rows, None, m : m + WIDTH],
        )
        terms[0] += tile
        tile[:] = np.add.accumulate(terms)[-1]  # in the order of the rows


def _emit_columns(context: Any, builder: Any, signature: Any, arguments: Any, most: int) -> Any:
    """The loop over the rows, with the sums of that many columns in registers; the last four may be among others."""
    X, alpha, out = (
        context.make_array(kind)(context, builder, given)
        for kind, given in zip(signature.args[:3], arguments[:3], strict=True)
    )
    d, any_address = cgutils.unpack_tuple(builder, X.shape)[1], {"align": 8}
    number, last = d.type, builder.sub(d, d.type(WIDTH))
    tiles = [builder.select(builder.icmp_signed("<", number(j), last), number(j), last) for j in range(0, most, WIDTH)]
    places = [vector_at(builder, out.data, tile) for tile in tiles]
    sums = [cgutils.alloca_once_value(builder, builder.load(place, **any_address)) for place in places]
    (rows,) = cgutils.unpack_tuple(builder, alpha.shape)
    with cgutils.for_range_slice(builder, number(0), rows, number(1)) as (i, _):
        row = builder.mul(builder.add(arguments[3], i), d)
        for line in range(0, most if most > FEW else 0, LINE):
            fetch(builder, builder.gep(X.data, [builder.add(row, number(AHEAD + line))]))
        factor = _in_all(builder, builder.load(builder.gep(alpha.data, [i])))
        for tile, total in zip(tiles, sums, strict=True):
            entries = builder.load(vector_at(builder, X.data, builder.add(row, tile)), **any_address)
            builder.store(builder.fadd(builder.load(total), builder.fmul(factor, entries)), total)
    for place, total in zip(places, sums, strict=True):
        builder.store(builder.load(total), place, **any_address)
    return context.get_dummy_value()


def _typed_columns(X: Any, alpha: Any, out: Any, most: int) -> Any:
    """Return the function for C-ordered doubles; there is none for other arrays."""
    ordered = all(array.layout == "C" and array.dtype == types.float64 for array in (X, alpha, out))
    return (types.void(X, alpha, out, types.intp), partial(_emit_columns, most=most)) if ordered else None


@compiled_as(lambda context, X, alpha, out, first: _typed_columns(X, alpha, out, FEW))
def add_few_columns(X: Array, alpha: Array, out: Array, first: int) -> None:
    """out <- out + sum_i alpha_i x_{first + i}, in the order of the rows, of ``WIDTH`` to ``FEW`` columns."""
    terms = alpha[:, None] * X[first : first + alpha.size]
    out[:] = np.add.accumulate(np.concatenate([out[None], terms]))[-1]


@compiled_as(lambda context, X, alpha, out, first: _typed_columns(X, alpha, out, 2 * FEW))
def add_more_columns(X: Array, alpha: Array, out: Array, first: int) -> None:
    """``add_few_columns`` for twice as many columns."""
    add_few_columns(X, alpha, out, first)
