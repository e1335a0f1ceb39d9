"""The arithmetic of this machine: no fused products, functions with known bits, and subnormal numbers."""

import ctypes
import math
import platform
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext
from fractions import Fraction

import numba
import numpy as np
import pytest
from llvmlite import binding
from support import refuses

from dualgap.extras.baselines.compiled_lanes import sum_of_products
from dualgap.extras.baselines.lbfgs.compiled import dot
from dualgap.extras.cocoa.cluster.partitioned import part_sums
from dualgap.fast import Certificate
from dualgap.fast.certify.certify import of_problem
from dualgap.fast.compiler import probe as probing
from dualgap.fast.compiler import subnormals
from dualgap.fast.problem import bits
from dualgap.proofs_checks.auditing import surroundings
from dualgap.proofs_checks.papers.aspdc import implementation
from dualgap.reference import L2, Absolute, Problem

PLAIN = getattr(bits._sums, "py_func", bits._sums)


def test_no_product_is_fused_with_a_sum_on_this_machine():
    assert bits.contractions() == 0, "compiled code and Python round differently here: see docs/machines.md"


def fused(x, y, product, out):
    """What ``_sums`` gives where every sum of products is rounded once."""
    total = Fraction(0)
    for i, (a, b, c) in enumerate(zip(*(map(Fraction, values.tolist()) for values in (x, y, product)))):
        out[0, i], out[1, i], out[2, i] = a * b - c, c - a * b, a * b - c
        total = Fraction(float(total + a * b))
        out[3, i] = total


@pytest.mark.parametrize("size", [*range(37), 64, 127, 1000])
def test_a_product_in_16_sums_has_the_same_bits_in_python(size):
    p, q = np.random.default_rng(size).standard_normal((2, size))
    found, exact = dot(p, q), sum(Fraction(a) * Fraction(b) for a, b in zip(p.tolist(), q.tolist()))
    assert found == sum_of_products(p, q) == dot(np.repeat(p, 2)[::2].copy(), q)
    assert abs(Fraction(float(found)) - exact) <= (size + 1) * 2.0**-53 * float(np.abs(p) @ np.abs(q))
    in_order = sum((a * b for a, b in zip(p.tolist(), q.tolist())), 0.0)
    assert size != 1000 or found != in_order, "control: another order has other bits"


def test_every_fused_difference_and_nearly_every_fused_sum_is_seen():
    assert bits.differences(PLAIN) == 0
    assert bits.differences(fused) >= 3 * bits.ARGUMENTS + bits.ARGUMENTS // 2


@pytest.mark.parametrize("row", range(4))
def test_one_kind_of_expression_that_is_fused_is_enough(row):
    def one_row(x, y, product, out):
        PLAIN(x, y, product, out)
        other = np.empty_like(out)
        fused(x, y, product, other)
        out[row] = other[row]

    assert bits.differences(one_row) >= bits.ARGUMENTS // 2


def test_code_that_may_be_fused_is_seen_where_the_processor_can_fuse():
    """Numba with LLVM's permission to contract, for the processor that LLVM finds here; without the instruction it
    makes no difference.
    """
    always = platform.machine() in ("arm64", "aarch64", "ppc64le", "riscv64")
    can = (
        (always or binding.get_host_cpu_features().get("fma", False))
        and not numba.config.CPU_NAME
        and not numba.config.DISABLE_JIT
    )
    found = bits.differences(numba.njit(fastmath={"contract"})(PLAIN))
    assert (found > 3 * bits.ARGUMENTS) if can else (found == 0)


@pytest.mark.parametrize("functions", [(), ("pow",), ("sqrt", "pow")])
def test_nothing_has_the_same_bits_where_products_are_fused(functions, monkeypatch):
    monkeypatch.setattr(bits, "probe", lambda: dict.fromkeys(("sqrt", "pow"), 0))
    assert bits.same_bits(*functions)
    monkeypatch.setattr(bits, "contractions", lambda: 1)
    assert not bits.same_bits(*functions)


def test_one_function_that_differs_is_left_out_and_no_other(monkeypatch):
    monkeypatch.setattr(bits, "probe", lambda: {"sqrt": 0, "pow": 3})
    assert bits.same_bits() and bits.same_bits("sqrt") and not bits.same_bits("sqrt", "pow")
    with pytest.raises(KeyError):
        bits.same_bits("tan")


def test_where_products_are_fused_no_bits_are_claimed_and_the_audit_says_so(monkeypatch):
    assert implementation.comparable()
    monkeypatch.setattr(bits, "contractions", lambda: 7)
    assert not implementation.comparable()
    assert (
        surroundings.environment({})["compiled mathematics"]
        == "differs from Python in x * y + z: results are not compared bit by bit there"
    )


def test_the_probe_tries_every_function_on_hundreds_of_arguments():
    counts = probing.probe()
    assert tuple(counts) == probing.PROBED
    assert counts["sqrt"] == 0, "IEEE prescribes every bit of a square root"
    for name in probing.PROBED:
        values = [probing._python_value(name, x, 1.5) for x in probing._arguments(name)]
        assert sum(value is not None for value in values) >= 200
    counts["sqrt"] = 1
    assert probing.probe()["sqrt"] == 0, "the caller got the probe's own memory"


@pytest.mark.parametrize("name", probing.PROBED)
def test_the_probe_sees_one_wrong_bit_in_one_result(name):
    def plain(code, arguments, exponent, out):
        out[:] = [probing._python_value(name, float(x), exponent) for x in arguments]

    def one_wrong_bit(code, arguments, exponent, out):
        plain(code, arguments, exponent, out)
        out[arguments == 1.0 - 2.0**-53] += math.ulp(1.0)

    def one_wrong_sign_of_zero(code, arguments, exponent, out):
        plain(code, arguments, exponent, out)
        out[(arguments == 0.0) & ~np.signbit(arguments)] *= -1.0

    assert probing._differences(name, 1.5, plain) == 0
    assert probing._differences(name, 1.5, one_wrong_bit) == 1
    assert probing._differences(name, 1.5, one_wrong_sign_of_zero) == 1


def distance_to_midpoint(value: Decimal) -> Decimal:
    """Return how far an exact value lies from the midpoint of two floats, in units in the last place."""
    nearest = float(value)
    return abs(abs(value - Decimal(nearest)) / Decimal(math.ulp(nearest)) - Decimal("0.5"))


def test_the_hard_arguments_of_the_probe_are_hard():
    # 120 digits: 100 more than the distances that are measured.
    limit = Decimal(2) ** -15
    with localcontext() as context:
        context.prec = 120
        exact = {"pow": lambda x: [(x.ln() * Decimal(p)).exp() for p in probing.EXPONENTS]}
        for name, values in exact.items():
            for text in probing.HARD_ARGUMENTS[name].split():
                nearest = min(distance_to_midpoint(v) for v in values(Decimal(float.fromhex(text))))
                assert nearest < limit, (name, text)
            assert min(distance_to_midpoint(v) for v in values(Decimal("0.75"))) > limit  # an ordinary one is not


# bits, and where fenv_t of glibc on x86-64 has the register
FLUSH_TO_ZERO, DENORMALS_ARE_ZERO, MXCSR = 0x8000, 0x40, 28
PROBLEM, W, ALPHA = Problem([[0.0]], [0.0], Absolute(), L2(1.0)), [1e-155], [0.0]  # P - D = 5e-311


@contextmanager
def mode(bits: int) -> Iterator[None]:
    """Set bits of the control register of this thread."""
    libm, before = ctypes.CDLL("libm.so.6"), ctypes.create_string_buffer(64)
    libm.fegetenv(before)
    changed = ctypes.create_string_buffer(before.raw, 64)
    struct.pack_into("<I", changed, MXCSR, struct.unpack_from("<I", before, MXCSR)[0] | bits)
    libm.fesetenv(changed)
    try:
        yield
    finally:
        libm.fesetenv(before)


@pytest.mark.skipif(
    not (sys.platform == "linux" and platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"),
    reason="sets a register of x86-64 by glibc's fenv_t",
)
@pytest.mark.parametrize("bits", [FLUSH_TO_ZERO, DENORMALS_ARE_ZERO, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO])
def test_no_certificate_is_made_in_a_mode_that_takes_subnormal_numbers_for_zero(bits, monkeypatch):
    assert Certificate(PROBLEM, W, ALPHA).gap_bound >= 5e-311
    for make in (lambda: Certificate(PROBLEM, W, ALPHA), lambda: of_problem(PROBLEM, W, ALPHA, seconds=0)):
        with mode(bits), pytest.raises(RuntimeError, match="flush-to-zero"):
            make()
    assert of_problem(PROBLEM, W, ALPHA, seconds=0).gap_bound >= 5e-311
    assert Certificate(PROBLEM, W, ALPHA).gap_bound >= 5e-311
    # control: the bound would be false
    monkeypatch.setattr("dualgap.fast.problem.certificate.require_subnormals", lambda: None)
    with mode(FLUSH_TO_ZERO):
        false = Certificate(PROBLEM, W, ALPHA).gap_bound
    assert false < 4e-311


def test_a_planted_flush_is_refused_by_the_certificate_and_by_a_worker(monkeypatch):
    monkeypatch.setattr(subnormals, "halved_and_doubled", lambda x: 0.0)
    for make in (
        lambda: Certificate(PROBLEM, W, ALPHA),
        lambda: part_sums(PROBLEM, np.array(W), np.array(ALPHA), False),
    ):
        refuses(RuntimeError, "flush-to-zero", make)
