"""``draws.json``: what passes draw from their seeds, by the generator of docs/ports.md; for ports that repeat a run
from its seed.
"""

from collections.abc import Iterator

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.generator import draw

DRAWS = "draws.json"
SEEDS = ((0, 0), (1, 3), (2**32 + 5, 1), (2**62 + 3, 2))  # seed, pass
SIZES = (1, 2, 5, 33)
ABOUT = "Each draw is what docs/ports.md says of this order, n, seed and pass (and ends, m, weight or T0)."


def requests() -> Iterator[Json]:
    """Orders, samplings, weighted rows and what is kept, of several seeds and sizes."""
    for seed, epoch in SEEDS:
        for n in SIZES:
            given = {"n": n, "seed": seed, "epoch": epoch}
            yield from ({"order": order, **given} for order in ("uniform", "permuted"))
            yield {"order": "blocks", **given, "ends": sorted({1, n // 2 + 1, n})}
            yield from (
                {"order": sampling, **given, "m": (n + 1) // 2} for sampling in ("subset", "systematic", "replacement")
            )
            yield {"order": "partition", **given, "m": n}
            yield {"order": "weighted", **given, "weight": [1 + k % 3 for k in range(n)]}
            yield {"order": "keeps", **given, "T0": n}


def content() -> Json:
    """The file."""
    return {"schema": 1, "about": ABOUT, "draws": [{**given, "choices": draw(**given)} for given in requests()]}
