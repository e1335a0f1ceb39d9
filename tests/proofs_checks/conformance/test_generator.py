"""The generator of docs/ports.md, without numpy, gives the choices that runs draw."""

import json
import random
import re
from pathlib import Path

import pytest

from dualgap.proofs_checks.conformance.independent import generator
from dualgap.proofs_checks.conformance.vectors import draws
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.reference.methods import sampling

SIZES, SEEDS, PASSES = (1, 2, 3, 5, 7, 16, 33, 100), (0, 1, 7, 2**31, 2**32 + 5, 2**70 + 3), (0, 1, 2, 9)


def settings():
    draw = random.Random(5)
    for seed in SEEDS:
        for n in SIZES:
            yield draw, n, seed, draw.choice(PASSES)


@pytest.mark.parametrize("order", sampling.ORDERS)
def test_orders(order):
    for draw, n, seed, epoch in settings():
        ends = sorted({*draw.sample(range(1, n + 1), draw.randint(1, n)), n}) if order == "blocks" else None
        assert (
            generator.draw(order, n, seed, epoch, ends=ends or ())
            == sampling.draw(order, n, seed, epoch, ends).tolist()
        ), (n, seed, epoch)


@pytest.mark.parametrize("kind", sampling.SAMPLINGS)
def test_batches(kind):
    for draw, n, seed, epoch in settings():
        m = draw.choice([k for k in range(1, n + 1) if n % k == 0 or kind != "partition"])
        assert generator.draw(kind, n, seed, epoch, m=m) == sampling.draw_batches(kind, n, m, seed, epoch).tolist(), (
            n,
            m,
            seed,
            epoch,
        )


def test_weighted_rows_and_what_is_kept():
    for draw, n, seed, epoch in settings():
        weight, T0 = [draw.choice([0.3, 1.0, 2.5]) for _ in range(n)], draw.choice([0, 1, n, 3 * n])
        assert (
            generator.draw("weighted", n, seed, epoch, weight=weight)
            == sampling.draw_weighted(weight, seed, epoch).tolist()
        )
        assert generator.draw("keeps", n, seed, epoch, T0=T0) == sampling.keeps(n, T0, seed, epoch).astype(int).tolist()


def test_the_file_of_draws_is_what_numpy_draws():
    found = json.loads((vectors.HOME / draws.DRAWS).read_text(encoding="utf-8"))
    assert found == draws.content() and len(found["draws"]) == 144
    for one in found["draws"]:
        order, n, seed, epoch = (one[name] for name in ("order", "n", "seed", "epoch"))
        if order in sampling.ORDERS:
            due = sampling.draw(order, n, seed, epoch, one.get("ends"))
        elif order == "weighted":
            due = sampling.draw_weighted(one["weight"], seed, epoch)
        elif order == "keeps":
            due = sampling.keeps(n, one["T0"], seed, epoch)
        else:
            due = sampling.draw_batches(order, n, one["m"], seed, epoch)
        assert one["choices"] == due.tolist(), one


def test_the_constants_of_the_page_are_those_of_the_code():
    page = (
        (Path(__file__).parents[3] / "docs" / "ports.md")
        .read_text(encoding="utf-8")
        .partition("a port needs this generator")[2]
        .partition("## Vector files")[0]
    )
    code = Path(generator.__file__).read_text(encoding="utf-8").lower()
    written = re.findall(r"0x[0-9a-f]+", page)
    assert (
        len(written) == 7
        and int(written[-1], 16) == generator.MULTIPLIER
        and all(constant in code for constant in written[:-1])
    )


def test_another_rotation_is_another_generator(monkeypatch):
    """The control."""
    right = generator.Generator.next64
    monkeypatch.setattr(generator.Generator, "next64", lambda self: right(self) >> 1)
    assert generator.draw("uniform", 33, 1, 1) != sampling.draw("uniform", 33, 1, 1).tolist()
