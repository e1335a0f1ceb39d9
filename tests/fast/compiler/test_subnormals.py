"""A processor that takes subnormal numbers for 0 makes no certificate: the mode is set for real, and planted where it
cannot be.
"""

import ctypes
import platform
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from dualgap.extras.cocoa.cluster.partitioned import part_sums
from dualgap.fast import Certificate
from dualgap.fast.compiler import subnormals
from dualgap.reference import L2, Absolute, Problem

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
    with mode(bits), pytest.raises(RuntimeError, match="flush-to-zero"):
        Certificate(PROBLEM, W, ALPHA)
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
        with pytest.raises(RuntimeError, match="flush-to-zero"):
            make()
