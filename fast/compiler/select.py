"""A choice between two numbers that costs no misprediction.

Where a condition is a toss-up, as whether a row lies inside its margin, a branch is mispredicted every few rows and
throws 15 to 20 cycles of work away. LLVM turns conditional expressions into branches when their sides are expensive;
``select`` computes both sides and uses an instruction that picks one.
"""

from typing import TypeVar

from numba.core import types

from dualgap.fast.compiler.instruction import compiled_as

T = TypeVar("T")


def _emit(context, builder, signature, arguments):
    chosen = builder.select(*arguments)
    chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
    return chosen


def _select(typing_context, condition, one, other):
    number = types.int64 if isinstance(one, types.Integer) and isinstance(other, types.Integer) else types.float64
    return number(types.boolean, number, number), _emit


@compiled_as(_select)
def select(condition: bool, one: T, other: T) -> T:
    """``one if condition else other`` for two float64 or two int64, both of them computed."""
    return one if condition else other
