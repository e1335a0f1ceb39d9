"""Vector files and manifests, mutated, are refused in one line.

The number of an input is its seed (``damage``). Every input is one shipped file, with the schema, the errata and a new
manifest.
"""

import contextlib
import hashlib
import json

import pytest
from damage import INPUTS, damaged, elsewhere, flipped, generator, mutated

from dualgap.proofs_checks.conformance.vectors import load as vectors

SMALL = sorted(path.name for path in vectors.HOME.iterdir() if path.stat().st_size < 40_000)
WITH_CASES = [name for name in SMALL if "cases" in json.loads((vectors.HOME / name).read_bytes())]
TEXTS = [  # in addition to those of ``damage``
    *(f'"3ff0000000000000 1.0 {rest}"' for rest in ("1/0", "+-1e-10000000", "9" * 5000, "2")),
    *('"7ff0000000000000 inf"', '"3ff0000000000000 1e999"', '"3ff0000000000000"', '"step"', '"ascent"'),
]


def mutation(draw, whole, kind):
    """The content of a file, changed."""
    if kind == "structured":
        return mutated(draw, json.loads(whole), TEXTS, flipped, elsewhere).encode()
    return damaged(draw, whole, whole)


def shipped(name):
    """The file with the schema and the errata, as shipped."""
    return {item: (vectors.HOME / item).read_bytes() for item in (name, "schema.json", "errata.json")}


def entry(content):
    count = None
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        count = len(json.loads(content)["cases"])
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "cases": count}


def written(folder, files, sealed_for):
    """A folder of the files alone, and a manifest that describes ``sealed_for``."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / vectors.MANIFEST).write_bytes(
        vectors.sealed({name: entry(content) for name, content in sealed_for.items()})
    )


def loaded(folder):
    """The vectors, or the one line by which they are refused."""
    try:
        return vectors.load(folder)
    except ValueError as error:
        assert "\n" not in str(error) and str(folder) in str(error), str(error)
        return str(error)


@pytest.fixture(params=range(4))
def damages(request):
    """(number, its generator, the files as shipped, the name of the one to change) of every fourth input."""

    def made():
        for number in INPUTS[request.param :: 4]:
            draw = generator(number)
            name = draw.choice(WITH_CASES)
            yield number, draw, shipped(name), draw.choice((name, name, name, "schema.json", "errata.json"))

    return made()


def test_a_mutated_file_is_refused(damages, tmp_path):
    for number, draw, files, name in damages:
        content = mutation(draw, files[name], draw.choice(("structured", "raw")))
        if content != files[name]:
            written(tmp_path / "v1", {**files, name: content}, files)
            assert isinstance(loaded(tmp_path / "v1"), str), number


def test_a_mutated_manifest_is_refused(damages, tmp_path):
    for number, draw, files, _ in damages:
        written(tmp_path / "v1", files, files)
        path = tmp_path / "v1" / vectors.MANIFEST
        whole = path.read_bytes()
        path.write_bytes(mutation(draw, whole, draw.choice(("structured", "raw"))))
        assert path.read_bytes() == whole or isinstance(loaded(tmp_path / "v1"), str), number
