"""Operations for threads that share arrays: atomic addition, relaxed loads and stores, and locks.

Numba offers none of these on a CPU, so they are made of LLVM's own instructions. ``array`` is a one-dimensional
contiguous array of float64 or int64; the index is not checked, as everywhere in compiled code.

========================= =========================================================== ====================
call                      meaning                                                     LLVM
========================= =========================================================== ====================
load(array, j)            array[j], never torn, read again at each call               load atomic, relaxed
store(array, j, value)    array[j] = value, never torn, written at each call          store atomic, relaxed
add(array, j, value)      array[j] += value, no other write is lost; the old array[j] atomicrmw, relaxed
try_lock(words, j)        words[j] from 0 to 1, if it is 0; whether it was            cmpxchg, acquire
unlock(words, j)          words[j] = 0, after all that was written before             store atomic, release
give_way()                another thread may have this processor                      call of the C library
========================= =========================================================== ====================

A plain ``v[j] += x`` in place of load and store would let the compiler keep v[j] in a register for a whole loop:
measured, two threads then lost exactly half of two million additions each, without a single race in memory.

These are instructions and no Python: with ``NUMBA_DISABLE_JIT=1`` they do not exist, see ``require_compiler``.
"""

from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import extending
from numba.core import cgutils, types
from numba.core.errors import TypingError

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.kernel_cache import CONFIG

WORD = ir.IntType(64)
intrinsic: Any = extending.intrinsic  # what is decorated is called without the typing context
SPINS = 1000  # looks at a lock before the processor is given away: longer than a thread that runs holds one
FOREVER = 2**62
# The C function that gives it away, on POSIX (20 microseconds) and on Windows (whoever is ready), whichever this
# process has. sched_yield, measured with four busy processes: half as fast, for whoever yields is soon ready again
# and takes its turn.
PAUSES = [pause for pause in (("usleep", 20), ("Sleep", 0)) if llvmlite.binding.address_of_symbol(pause[0])]


def require_compiler(name: str) -> None:
    """Raise ValueError if the compiler is switched off: ``name`` needs these instructions."""
    if CONFIG.DISABLE_JIT:
        raise ValueError(
            f"{name} needs compiled code, because Python has no atomic instructions: "
            "unset NUMBA_DISABLE_JIT, or use method sdca, which makes the same steps on one thread"
        )


# -- typing and addresses ---------------------------------------------------------------------------------


def _require(array: types.Type, index: types.Type, *allowed: types.Type) -> None:
    """Refuse, when a kernel is compiled, what these instructions cannot address."""
    if not (
        isinstance(array, types.Array) and array.ndim == 1 and array.layout == "C" and array.aligned and array.mutable
    ):
        raise TypingError(f"atomics: the array must be writable, contiguous, aligned, one-dimensional (got {array})")
    if array.dtype not in allowed:
        raise TypingError(f"atomics: the array must hold {' or '.join(map(str, allowed))} (got {array.dtype})")
    if not isinstance(index, types.Integer):
        raise TypingError(f"atomics: the index must be an integer (got {index})")


def _pointer(context, builder, signature, arguments):
    """The address of array[index], the first two arguments."""
    array_type, index_type = signature.args[:2]
    array = context.make_array(array_type)(context, builder, arguments[0])
    index = context.cast(builder, arguments[1], index_type, types.uintp)  # 32-bit columns are widened
    return cgutils.get_item_pointer(context, builder, array_type, array, [index], wraparound=False, boundscheck=False)


# -- the instructions -------------------------------------------------------------------------------------


@intrinsic
def load(typing_context, array, index):
    """array[index], read at this very place of the program: the compiler may not remember an earlier value."""
    _require(array, index, types.float64, types.int64)

    def generate(context, builder, signature, arguments):
        address = builder.bitcast(_pointer(context, builder, signature, arguments), WORD.as_pointer())
        word = builder.load_atomic(address, "monotonic", 8)
        return builder.bitcast(word, context.get_value_type(array.dtype))

    return array.dtype(array, index), generate


@intrinsic
def store(typing_context, array, index, value):
    """array[index] = value, written at this very place of the program."""
    _require(array, index, types.float64, types.int64)

    def generate(context, builder, signature, arguments):
        address = builder.bitcast(_pointer(context, builder, signature, arguments), WORD.as_pointer())
        number = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        builder.store_atomic(builder.bitcast(number, WORD), address, "monotonic", 8)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


@intrinsic
def add(typing_context, array, index, value):
    """array[index] += value as one indivisible operation; returns what was there before."""
    _require(array, index, types.float64, types.int64)

    def generate(context, builder, signature, arguments):
        operation = "fadd" if array.dtype == types.float64 else "add"
        number = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        return builder.atomic_rmw(operation, _pointer(context, builder, signature, arguments), number, "monotonic")

    return array.dtype(array, index, value), generate


@intrinsic
def try_lock(typing_context, words, index):
    """words[index] = 1 if it is 0; returns whether it was. What follows sees all that the last holder wrote."""
    _require(words, index, types.int64)

    def generate(context, builder, signature, arguments):
        address = _pointer(context, builder, signature, arguments)
        free, taken = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
        return builder.extract_value(builder.cmpxchg(address, free, taken, "acquire", "monotonic"), 1)

    return types.boolean(words, index), generate


@intrinsic
def unlock(typing_context, words, index):
    """words[index] = 0, after everything that its holder wrote."""
    _require(words, index, types.int64)

    def generate(context, builder, signature, arguments):
        builder.store_atomic(ir.Constant(WORD, 0), _pointer(context, builder, signature, arguments), "release", 8)
        return context.get_dummy_value()

    return types.void(words, index), generate


@intrinsic
def give_way(typing_context):
    """Let the system run another thread on this processor, where it can be told to."""

    def generate(context, builder, signature, arguments):
        for name, time in PAUSES[:1]:
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32)])
            builder.call(
                cgutils.get_or_insert_function(builder.module, kind, name), [ir.Constant(ir.IntType(32), time)]
            )
        return context.get_dummy_value()

    return types.void(), generate


# -- what is built of them --------------------------------------------------------------------------------


@kernel
def wait_for(words, index, least, most):
    """Wait until least <= words[index] <= most: SPINS looks, then the processor goes to whom we wait for."""
    looks = 0
    while not least <= load(words, index) <= most:
        looks += 1
        if looks > SPINS:
            give_way()


@kernel(inline=True)
def lock(words, index):
    """Wait until words[index] is ours."""
    while not try_lock(words, index):
        wait_for(words, index, 0, 0)


@kernel(inline=True)
def barrier(arrived, threads):
    """Wait until ``threads`` threads are here: without this, short runs follow each other and never race."""
    add(arrived, 0, 1)
    wait_for(arrived, 0, threads, FOREVER)
