"""A probe of the mathematics: does compiled code give results bit-identical to those of Python's own functions on this
machine?
"""

import functools
import math
from collections.abc import Callable

import numpy as np

from dualgap.fast.compiler.kernel import kernel

# The arguments hardest to round of some 150,000 for each exponent: the exact value lies within 2^-15 of a unit in the
# last place of the midpoint of two floats. Two mathematical libraries that are not
# the same code most likely part here, while ordinary arguments can hide a difference for thousands of calls.
HARD_ARGUMENTS = {
    "pow": (
        "0x1.b8a1a16bdff72p+0 0x1.5628ef2ef8010p+9 0x1.0759c11e8fd1cp+1 0x1.18464230e7b7ap+0 "
        "0x1.d9ba8fef0912dp+0 0x1.2ee1fb7550d4fp+0 0x1.0da84bc437ff6p-1 0x1.11323f8d9bc3cp-1 "
        "0x1.0986c0da4ba56p+0 0x1.a2ef055c76512p-7 0x1.3a8e51a76eefdp+0 0x1.b137c3edd3ca2p+0"
    )
}
EXPONENTS = (2.0, 1.5, 3.0, 0.5, 1.0 / 3.0, -1.25)
EXPONENTS_OF_NORMS = (1.25, 5.0, 20.0, 100.0, -2.0 / 3.0)  # 1/(p-1) and (p-2)/p of PGS, known only when it runs
PROBED = ("sqrt", "pow", "pow with a constant exponent")


def probe() -> dict[str, int]:
    """Count the arguments at which compiled mathematics and Python's give different bits.

    Of the mathematical library of the operating system kernels call only these (exp and logarithms are the package's
    own); a vector library (Intel SVML), another compiler or another system need not be bit-identical. Where a count
    is zero the two backends are compared by bits, elsewhere by a bound.

    Returns
    -------
    dict of str to int
        For each of `sqrt`, `pow` (`x ** p` with p known only when it runs) and `pow with a constant exponent`, the
        number of differing results on a fixed list of a few hundred arguments. The last one differs as a rule, and for
        good reason: LLVM compiles `x ** 2.0` as `x * x` and `x ** 0.5` as a square root. So kernels and reference alike
        write `x * x` and `math.sqrt(x)`, never those powers.

    Examples
    --------
    >>> from dualgap.fast.compiler.probe import probe
    >>> probe()["sqrt"]  # IEEE prescribes the square root to the last bit
    0
    """
    return dict(_probe_once())


@functools.cache
def _probe_once() -> dict[str, int]:
    return {name: sum(_differences(name, exponent) for exponent in _exponents(name)) for name in PROBED}


def _exponents(name: str) -> tuple[float, ...]:
    if name == "pow":
        return EXPONENTS + EXPONENTS_OF_NORMS
    return EXPONENTS if name.startswith("pow") else (1.0,)


def _differences(name: str, exponent: float, evaluate: Callable[..., None] | None = None) -> int:
    """Count the arguments at which `evaluate` (by default the compiled one) differs from Python in some bit."""
    evaluate = evaluate or _evaluate
    pairs = [(x, y) for x in _arguments(name) if (y := _python_value(name, x, exponent)) is not None]
    arguments, expected = np.array(pairs).T.copy()
    together, singly = np.empty_like(expected), np.empty_like(expected)
    code = PROBED.index(name)
    evaluate(code, arguments, exponent, together)  # a loop that a vector library may take over
    for i in range(len(arguments)):  # what a lone call gives, as in a loop over rows
        evaluate(code, arguments[i : i + 1], exponent, singly[i : i + 1])
    bits = expected.view(np.int64)
    return int(np.sum((together.view(np.int64) != bits) | (singly.view(np.int64) != bits)))


def _arguments(name: str) -> list[float]:
    """Return the fixed arguments: spread over signs and sizes by the golden ratio, the edges, the hard ones."""
    fractions = [math.fmod(k * 0.6180339887498949, 1.0) for k in range(1, 241)]
    spread = [math.ldexp(0.5 + t / 2, k % 60 - 50) for k, t in enumerate(fractions)]
    edges = [0.0, 1.0, 5e-324, 2.0**-1022, 2.0**-53, 1.0 - 2.0**-53, 1.0 + 2.0**-52, 709.5]
    # The squares of odd 27-bit integers lie exactly half-way between two floats.
    ties = [2.0**27 - 1.0 - 2.0 * k for k in range(8)]
    hard = [float.fromhex(text) for text in HARD_ARGUMENTS.get(name.split()[0], "").split()]
    return [*(sign * x for x in spread + edges for sign in (1.0, -1.0)), *ties, *hard]


def _python_value(name: str, x: float, exponent: float) -> float | None:
    """Return Python's value, or None where Python has no finite real answer."""
    try:
        value = x**exponent if name.startswith("pow") else getattr(math, name)(x)
    except (ArithmeticError, ValueError):
        return None
    return value if isinstance(value, float) else None  # a negative base gives a complex number


@kernel
def _evaluate(code, arguments, exponent, out):
    """Write function number `code` of `PROBED` at each of the arguments into `out`: one plain loop for each."""
    if code == 0:
        for i in range(arguments.size):
            out[i] = math.sqrt(arguments[i])
    elif code == 1:
        for i in range(arguments.size):
            out[i] = arguments[i] ** exponent
    else:
        for i in range(arguments.size):
            out[i] = _constant_power(arguments[i], exponent)


@kernel
def _constant_power(x, exponent):
    """Return x to one of `EXPONENTS`, each written as a constant, so that LLVM may replace it."""
    if exponent == 2.0:
        return x**2.0
    if exponent == 1.5:
        return x**1.5
    if exponent == 3.0:
        return x**3.0
    if exponent == 0.5:
        return x**0.5
    if exponent == 1.0 / 3.0:
        return x ** (1.0 / 3.0)
    return x**-1.25
