"""No kernel fuses a product with a sum, and the probe of that would see it: compiled, and emulated on any machine."""

import platform
from fractions import Fraction

import numba
import numpy as np
import pytest
from llvmlite import binding

from dualgap.fast.problem import bits
from dualgap.proofs_checks.auditing import surroundings
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.papers.aspdc import implementation

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
    assert list(implementation.parity(Context(implementation.THIRDS)))
    monkeypatch.setattr(bits, "contractions", lambda: 7)
    assert not list(implementation.parity(Context(implementation.THIRDS)))
    assert (
        surroundings.environment({})["compiled mathematics"]
        == "differs from Python in x * y + z: results are not compared bit by bit there"
    )
