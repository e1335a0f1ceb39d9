"""What the fuzz targets share: how many inputs, their random numbers, and ways to damage a file or a JSON value.

A target makes input number k from ``generator(k)`` alone, so that a failure, which names k, can be repeated.
``DUALGAP_FUZZ`` says how many inputs each target takes (default 100: seconds; ``.ci/nightly`` takes 2,000).
"""

import json
import os
from random import Random

INPUTS = range(int(os.environ.get("DUALGAP_FUZZ", "100")))
generator = Random
EXTREMES = (0, 1, 0x7F, 0x80, 0xFF)
WORDS = [  # that readers stumble over
    *b"0 -1 1e999 1e-999 nan inf -0.0 2147483647 2147483648 9223372036854775808 # : :: _ 1_0 0x1p-3 [ { null".split(),
    *(b'"', b"1" * 400, b"", b"\0", b"\n", b"\r", b"\r\n", b"\t", b"\v", b"\f", b" ", b"\xff"),
]


def damaged(rng, content, other=b""):
    """The content after one to four edits; ``other`` is what is spliced in."""
    content = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        rng.choice(EDITS)(rng, content, other)
    return bytes(content)


def _place(rng, content):
    """Anywhere, and often near one of the ends, where headers are."""
    end = len(content)
    if rng.random() < 0.6:
        return rng.randrange(end + 1)
    return rng.choice((min(rng.randrange(300), end), max(0, end - rng.randrange(300))))


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
    """A word that readers stumble over, instead of some bytes."""
    place = _place(rng, content)
    content[place : place + rng.randrange(4)] = rng.choice(WORDS)


EDITS = (flip, flip, extreme, cut, remove, repeat, splice, word)


TEXTS = [  # of JSON values, and some that are none
    *'null true 0 -1 0.5 1e999 NaN [] {} "" "x"'.split(),
    *("9" * 19, "9" * 4000, '"\\u0000\\u001b[2K\\ud800"', "[" * 40 + "]" * 40, "[" * 100_000, '{"a":' * 5000),
]
HOLE = "a place that is filled with a text that need not be JSON"


def mutated(rng, value, texts, *others, indent=None):
    """The text of a JSON value with one part replaced by one of TEXTS or ``texts``, left out, doubled, or replaced
    by what one of ``others`` gives.

    ``other(rng, part, places)`` gives the new part, ``places`` being [(parent, key)] of all, or None where it has none;
    the last one always has one.
    """
    changed = json.loads(json.dumps(value))
    places = list(parts(changed))
    parent, key = rng.choice(places)
    choice, filling = rng.randrange(3 + len(others)), "null"
    if choice == 0:
        filling, parent[key] = rng.choice((*TEXTS, *texts)), HOLE
    elif choice == 1:
        del parent[key]
    elif choice == 2 and isinstance(parent, list):
        parent.insert(rng.randrange(len(parent) + 1), parent[key])
    else:
        found = others[choice - 3](rng, parent[key], places) if choice > 2 else None
        parent[key] = others[-1](rng, parent[key], places) if found is None else found
    return json.dumps(changed, indent=indent).replace(json.dumps(HOLE), filling)


def parts(value):
    """(parent, key) of every part of a JSON value but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(items):
        yield value, key
        yield from parts(part)


def flipped(rng, part, places):
    """An ``other`` of ``mutated``: one bit of a number that is spelled in 16 hex digits, whatever follows them."""
    if not (isinstance(part, str) and len(part) >= 16 and all(c in "0123456789abcdef" for c in part[:16])):
        return None
    return f"{int(part[:16], 16) ^ (1 << rng.randrange(64)):016x}{part[16:]}"


def elsewhere(rng, value, places=None):
    """A part of the value; as an ``other`` of ``mutated``, another part of the same whole."""
    parent, key = rng.choice(places or list(parts(value)))
    return json.loads(json.dumps(parent[key]))
