"""A hint that a line of the cache is read soon. It changes no bit, and cannot fail, whatever its address."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numpy.typing import NDArray

from dualgap.fast.compiler.instruction import compiled_as

LINE = 8  # doubles in a line


def fetch(builder: Any, address: Any) -> None:
    """LLVM's instruction: for reading, to be kept in all caches, data."""
    pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    hint = builder.module.declare_intrinsic("llvm.prefetch", (pointer,), kind)
    builder.call(hint, [builder.bitcast(address, pointer), number(0), number(3), number(1)])


def _emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    fetch(builder, builder.gep(array.data, [arguments[1]]))
    return context.get_dummy_value()


def _typed(typing_context: object, array: Any, place: Any) -> Any:
    return types.void(array, place), _emit


@compiled_as(_typed)
def prefetch(array: NDArray[Any], place: Any) -> None:
    """Ask for the line with the entry of that number in the memory of an array in the order of C. The place is
    unsigned, inside the array or not.
    """
