"""SPDC's Figures 2 and 3: the smoothed hinge on data sets, SPDC compared with batch and with stochastic methods."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dualgap.extras.experiments.spdc.experiments import METHODS, SUBSTANTIAL
from dualgap.extras.experiments.studies import RISE, Curve, Read, Saying, Study
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import optima, runs

FLOOR = 1e-12  # below it the width of the bracket of min P is seen
ALWAYS = (
    "Section 7.2: SPDC is always comparable to or better than the other methods (here: at most 2 times their passes)"
)
STABLE = "Section 7.2: SPDC is more stable than ASDCA, whose error oscillates"


def setting(data: str, lam: float, options: ex.Options) -> optima.Setting:
    """Section 7.2: the smoothed hinge with gamma = 1, no bias."""
    return optima.Setting(data, lam, positive=options["positive"], bias=False, unit_rows=options["unit_rows"])


def large(at: Json) -> bool:
    """lam is "relatively large"."""
    return bool(at["lam"] >= 1e-5)


def small(at: Json) -> bool:
    return bool(at["lam"] <= 1e-6)


def with_asdca(at: Json, *sets: str) -> bool:
    """The paper runs ASDCA where lam <= R^2/(10 n gamma); the set, or its stand-in, is one of ``sets`` if any."""
    stem = runs.stem(at["data"]).removesuffix("-like")
    return bool(at["condition"] >= 10) and (not sets or stem in sets)


def straight(read: Read) -> list[ex.Finding]:
    """How straight the curve of SPDC is on the logarithmic axis."""
    lines = {place: straightness(read.line(place, "spdc")) for place in read.results}
    told = "; ".join(f"{read.words(place)}: {value:.3f}" for place, value in lines.items())
    paper = "Section 7.2: the curve of SPDC is almost linear (here: a line has R^2 >= 0.9)"
    verdict = runs.verdict([value >= 0.9 for value in lines.values()])
    return [ex.Finding(paper, f"R^2 of a line through log(P - min P): {told}", verdict)]


def straightness(values: Curve) -> float:
    """R^2 of the line through the logarithms of a curve, down to ``FLOOR``.

    >>> straightness([1.0, 0.1, 0.01, 0.001]), round(straightness([1.0, 1e-5, 1e-5, 1e-5]), 1)
    (1.0, 0.6)
    """
    end = next((t for t, value in enumerate(values) if value < FLOOR), len(values))
    return float(np.corrcoef(range(end), np.log(values[:end]))[0, 1] ** 2) if end > 2 else 1.0


BATCH = [
    *(
        Saying(
            f"Section 7.2, Figure 2: SPDC is substantially faster than {rival.upper()} for relatively large lam (here:"
            f" lam >= 1e-05, by more than {SUBSTANTIAL:g} times)",
            ["spdc"],
            [rival],
            least=SUBSTANTIAL,
            where=large,
        )
        for rival in ("afg", "l-bfgs")
    ),
    Saying(
        "Section 7.2: as lam decreases the batch methods, above all L-BFGS, become comparable to SPDC (here: L-BFGS for"
        " lam <= 1e-08, at most 2 times its passes)",
        ["l-bfgs"],
        ["spdc"],
        least=0.5,
        where=lambda at: at["lam"] <= 1e-8,
    ),
    Saying(ALWAYS, ["spdc"], ["afg", "l-bfgs"], least=0.5),
]
ALIKE = (
    "Section 7.2: all stochastic methods are comparable for relatively large lam (here: >= 1e-05, within a factor 2;"
)
STOCHASTIC = [
    *(
        Saying(
            f"Figure 3: SPDC is faster than {r.upper()} when lam is small (here: <= 1e-06)", ["spdc"], [r], where=small
        )
        for r in ("sag", "sdca")
    ),
    Saying(
        "Figure 3: SPDC is faster than ASDCA on RCV1 and News20",
        ["spdc"],
        ["asdca"],
        where=lambda at: with_asdca(at, "rcv1", "news20"),
    ),
    Saying(
        "Figure 3: ASDCA is faster than SPDC on Covtype",
        ["asdca"],
        ["spdc"],
        where=lambda at: with_asdca(at, "covtype"),
    ),
    *(Saying(f"{ALIKE} {r.upper()})", ["spdc"], [r], least=0.5, most=2.0, where=large) for r in ("sag", "sdca")),
    Saying(STABLE, ["spdc"], ["asdca"], RISE, where=with_asdca),
    Saying(ALWAYS, ["spdc"], ["sag", "sdca", "asdca"], least=0.5),
]


def figure(title: str, names: Sequence[str], sayings: Sequence[Saying], **more: Any) -> Study:
    """The two figures differ in the methods that SPDC is compared with."""
    options = {
        "data": ["a9a-like", "rcv1-like", "sector-like"],
        "positive": "",
        "lams": [1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        "passes": 100,
        "repetitions": 3,
        "unit_rows": True,
    }
    methods = {name: METHODS[name] for name in names}
    return Study(title, options, methods, sayings, draws="spdc-data", setting=setting, floor=FLOOR, **more)


FIG_2 = "SPDC, Figure 2: smoothed hinge, SPDC, AFG and L-BFGS, P - min P against passes"
FIG_3 = "SPDC, Figure 3: smoothed hinge, SPDC, SAG, SDCA and ASDCA, P - min P against passes"
EXPERIMENTS = {
    "spdc-fig2": figure(FIG_2, ["spdc", "afg", "l-bfgs"], BATCH, once=["afg", "l-bfgs"]).experiment(),
    "spdc-fig3": figure(FIG_3, ["spdc", "sag", "sdca", "asdca"], STOCHASTIC, further=straight).experiment(),
}
