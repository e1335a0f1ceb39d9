"""What the fuzz targets share: how many inputs, their random numbers, and ways to damage a file.

A target makes input number k from ``generator(k)`` alone, so that a failure, which names k, can be made again:
``DUALGAP_FUZZ`` says how many inputs each target takes (default 300, seconds; a nightly run takes 100,000).
"""

import os
import random

import pytest

INPUTS = int(os.environ.get("DUALGAP_FUZZ", "300"))
EXTREMES = (0, 1, 0x7F, 0x80, 0xFF)
WORDS = (
    b"0", b"-1", b"1e999", b"1e-999", b"nan", b"inf", b"-0.0", b"2147483647", b"2147483648", b"9223372036854775808", b"1" * 400, b"",
    b"\0", b"\n", b"\r", b"\r\n", b"\t", b"\v", b"\f", b" ", b"#", b":", b"::", b"_", b"1_0", b"0x1p-3", b"[", b"{", b'"', b"null", b"\xff",
)  # fmt: skip


@pytest.fixture
def inputs():
    """The numbers of the inputs."""
    return range(INPUTS)


@pytest.fixture
def generator():
    """Input number to random numbers."""
    return lambda number: random.Random(number)


@pytest.fixture
def damage():
    """(random numbers, content, other) to a damaged content: one to four edits, ``other`` is what is spliced in."""
    return damaged


def damaged(rng, content, other=b""):
    content = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        rng.choice(EDITS)(rng, content, other)
    return bytes(content)


def _place(rng, content):
    """Anywhere, and often near one of the ends, where headers are."""
    end = len(content)
    return rng.randrange(end + 1) if rng.random() < 0.6 else rng.choice((min(rng.randrange(300), end), max(0, end - rng.randrange(300))))


def flip(rng, content, other):
    """One bit."""
    if content:
        content[min(_place(rng, content), len(content) - 1)] ^= 1 << rng.randrange(8)


def extreme(rng, content, other):
    """One to eight bytes of the same extreme value."""
    place, count = _place(rng, content), rng.choice((1, 2, 4, 8))
    content[place : place + count] = bytes([rng.choice(EXTREMES)]) * min(count, len(content) - place)


def cut(rng, content, other):
    """The end."""
    del content[_place(rng, content) :]


def remove(rng, content, other):
    """A piece."""
    place = _place(rng, content)
    del content[place : place + rng.randint(1, 40)]


def repeat(rng, content, other):
    """A piece, in another place."""
    place = _place(rng, content)
    at = _place(rng, content)
    content[at:at] = content[place : place + rng.randint(1, 200)]


def splice(rng, content, other):
    """A piece of the other content."""
    place, at = _place(rng, other), _place(rng, content)
    content[at : at + rng.randrange(60)] = other[place : place + rng.randint(1, 200)]


def word(rng, content, other):
    """A word that readers stumble over, in the place of some bytes."""
    place = _place(rng, content)
    content[place : place + rng.randrange(4)] = rng.choice(WORDS)


EDITS = (flip, flip, extreme, cut, remove, repeat, splice, word)
