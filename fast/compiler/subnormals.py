"""Test whether the processor keeps subnormal numbers, which certificates rely on.

Some libraries set a mode of the processor in which a result below 2^-1022 becomes 0 (flush to zero), or such an operand
counts as 0 (denormals are zero). The mode belongs to a thread, stays set after the library has returned, and changes
what every sum here is.
"""

from dualgap.fast.compiler.kernel import kernel

LEAST_NORMAL = 2.0**-1022


@kernel
def halved_and_doubled(x):
    """x/2 times 2: x, unless x/2 is subnormal and counts as 0 as a result or as an operand."""
    return (x * 0.5) * 2.0


def require_subnormals() -> None:
    """Raise RuntimeError if compiled code, in this thread, takes subnormal numbers for 0."""
    if halved_and_doubled(LEAST_NORMAL) != LEAST_NORMAL:
        raise RuntimeError(
            "no certificate can be made: this thread's processor takes numbers below 2^-1022 for 0 (flush-to-zero,"
            " denormals-are-zero), and a bound of rounding errors would be false. A library that was built with"
            " -ffast-math sets this mode when it is loaded: import dualgap in a process without it, or reset the mode"
        )
