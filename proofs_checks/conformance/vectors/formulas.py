"""The cases of level L0: losses, conjugates, proxes and regularizers, one number or one vector each."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, GAMMA, REGRESSION, Draw, Kind, vector
from dualgap.proofs_checks.conformance.protocol.hex_floats import spell_given
from dualgap.reference import LOSSES

Request = tuple[str, Json]  # call, given
Z = {
    "dyadic": [-3.0, -1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 4.0],
    "decimal": [-2.3, -0.7, 0.1, 0.6, 0.9, 1.1, 3.7],
}
FAR = [40.0, -40.0, 800.0, -800.0]  # e^800 is beyond the doubles: the two-branch form is needed
Q = {"dyadic": [0.0, 0.5, 1.5, 3.5, 1.0], "decimal": [0.2, 0.9, 5.3]}
TINY = 2.0**-30  # a kink's neighbours, still exact
NEAREST = 2.0**-42  # the nearest ones that class E can hold


def formulas(loss: str) -> Iterator[Request]:
    """Requests for one loss: all kinks and their neighbours, both labels, the ends of the domain and beyond."""
    for kind in (DYADIC, DECIMAL):
        draw = Draw(f"formulas {loss} {kind.name}")
        targets = kind.targets[:3] if loss in REGRESSION else [1.0, -1.0]
        gammas = [GAMMA[loss]] if loss in GAMMA else kind.constants["gamma"][:2]
        for gamma, y in product(gammas, targets):
            given = {"loss": loss, "gamma": spell_given(gamma)}
            yield from _of_label(draw, kind, loss, given, gamma, y)


def _of_label(draw: Draw, kind: Kind, loss: str, given: Json, gamma: float, y: float) -> Iterator[Request]:
    label = {**given, "y": spell_given(y)}
    points = [
        *Z[kind.name],
        *(_kinks(loss, gamma, y) if kind is DYADIC else []),
        *([] if LOSSES[loss].rational else FAR),
    ]
    duals = _duals(kind, loss, y)
    for z in sorted(set(points)):
        yield "loss.value", {**label, "z": spell_given(z)}
        if not (GAMMA.get(loss) == 0 and z == y):  # there every subgradient is right
            yield "loss.derivative", {**label, "z": spell_given(z)}
    for a in duals:
        yield "loss.conjugate", {**label, "alpha": spell_given(a)}
        yield "loss.residual", {**label, "alpha": spell_given(a), "z": spell_given(draw.pick(points))}
    for z in sorted(set(points)):
        q = draw.pick(Q[kind.name])
        if not (GAMMA.get(loss) == 0 and q == 0 and z == y):
            inside = draw.pick([a for a in duals if _inside(loss, a, y)])
            yield "loss.dual_step", {**label, "z": spell_given(z), "alpha": spell_given(inside), "q": spell_given(q)}


def _kinks(loss: str, gamma: float, y: float) -> list[float]:
    kind = LOSSES[loss]
    kinks = (kind(gamma) if kind.adjustable else kind()).kinks(Fraction(y))
    return [float(kink) + side for kink in reversed(kinks) for side in (-TINY, 0.0, TINY)]


def _duals(kind: Kind, loss: str, y: float) -> list[float]:
    """alpha inside the domain, at its ends and, dyadic, outside."""
    low, high = LOSSES[loss].ends
    if low is None and high is None:
        return list(kind.targets)
    inside = [-b if loss in REGRESSION and k % 2 else b for k, b in enumerate(kind.inside)]
    if loss in REGRESSION:
        return [*inside, *([-1.0, 1.0, 1.5, -1.25] if kind is DYADIC else [])]
    outside = ([-0.25] if high is None else [-0.25, 1.5]) if kind is DYADIC else []
    return [-y * b + 0.0 for b in [*inside, *outside]]


def _inside(loss: str, alpha: float, y: float) -> bool:
    low, high = LOSSES[loss].ends
    b = alpha if loss in REGRESSION else -y * alpha
    return (low is None or low <= b) and (high is None or b <= high)


def regularizers() -> Iterator[Request]:
    """Requests for L2 and the elastic net, with entries on, inside and outside the threshold."""
    for kind in (DYADIC, DECIMAL):
        draw = Draw(f"regularizers {kind.name}")
        for lam, with_l1 in product(kind.constants["lam"], (False, True)):
            l1 = draw.pick(kind.constants["l1"]) if with_l1 else 0.0
            given = {"lam": spell_given(lam), "l1": spell_given(l1)}
            edge = [l1, -l1] if kind is DYADIC else []
            for size in (1, 3):
                w = [draw.pick([*kind.coordinates, *edge]) for _ in range(size)]
                yield "regularizer.value", {**given, "w": vector(w)}
                yield "regularizer.conjugate", {**given, "u": vector(w)}
                yield "regularizer.minimizer", {**given, "u": vector([*w, 0.0, *edge])}
                # 1 + tau lam is 2 or 4
                tau = draw.pick(kind.constants["tau"] if kind is DECIMAL else [1 / lam, 3 / lam])
                yield (
                    "regularizer.prox",
                    {**given, "w": vector([*w, *(tau * x for x in edge)]), "tau": spell_given(tau)},
                )
    for primal, dual in (
        (1.5, 0.25),
        (0.25, 0.5),
        (0.0, 0.0),
        (-1.0, -3.5),
        (1.0, 1.0 + 2.0**-40),
        (0.3, 0.1),
        (2.7, 3.1),
    ):
        yield "gap", {"primal": spell_given(primal), "dual": spell_given(dual)}
    yield from _beside_the_threshold()
    for primal, dual in ((1.0, 1.0 + 2.0**-52), (-1e-300, 1e-300)):
        yield "gap", {"primal": spell_given(primal), "dual": spell_given(dual)}


def _beside_the_threshold() -> Iterator[Request]:
    """A little outside and inside it, on both sides."""
    for lam, l1 in product(DYADIC.constants["lam"], DYADIC.constants["l1"]):
        given = {"lam": spell_given(lam), "l1": spell_given(l1)}
        beside = [sign * (l1 + distance) for sign in (1, -1) for near in (TINY, NEAREST) for distance in (near, -near)]
        yield "regularizer.minimizer", {**given, "u": vector(beside)}
        yield "regularizer.prox", {**given, "w": vector([x / lam for x in beside]), "tau": spell_given(1 / lam)}


def p_norms() -> Iterator[Request]:
    """Requests for the squared p-norm: 0, one entry, entries on R^d and at the ball; p = 2 without powers."""
    for kind in (DYADIC, DECIMAL):
        draw = Draw(f"p-norms {kind.name}")
        for p, with_ball in product(kind.constants["p"], (False, True)):
            given = {"lam": spell_given(draw.pick(kind.constants["lam"])), "p": spell_given(p)}
            given |= {"ball": spell_given(draw.pick(kind.constants["ball"]))} if with_ball else {}
            alone = [0.0, draw.pick(kind.coordinates), 0.0]
            for w in (alone, [0.0, 0.0], [draw.pick(kind.coordinates) for _ in range(3)], [3.0, -4.0]):
                yield "pnorm.value", {**given, "w": vector(w)}
                yield "pnorm.conjugate", {**given, "u": vector(w)}
                yield "pnorm.minimizer", {**given, "u": vector(w)}


def blocks(loss: str) -> Iterator[Request]:
    """Requests for a loss of several numbers: kinks (the sphere, the faces of the simplex) in dyadic data."""
    for kind in (DYADIC, DECIMAL):
        draw = Draw(f"blocks {loss} {kind.name}")
        gamma = 2.0 if loss == "softmax" else draw.pick(kind.constants["gamma"][:2])
        given: Json = {"loss": loss, "gamma": spell_given(gamma)}
        for size in (2, 3, 3):
            target = (
                vector([draw.pick(kind.targets) for _ in range(size)]) if loss == "ball-huber" else draw.below(size)
            )
            corner = [float(k == target) for k in range(size)]
            far = [3.0, -4.0, *[0.0] * (size - 2)] if kind is DYADIC else [draw.pick(Z[kind.name]) for _ in range(size)]
            for z in ([draw.pick(Z[kind.name][:9]) for _ in range(size)], far, [0.0] * size):
                shown = {**given, "target": target, "z": vector(z)}
                yield "block.value", shown
                yield "block.derivative", shown
                alpha = [a / 8 for a in range(size)] if loss == "ball-huber" else _inside_simplex(draw, size, corner)
                yield "block.dual_step", {**shown, "alpha": vector(alpha), "q": spell_given(draw.pick(Q[kind.name]))}
                yield "block.conjugate", {**given, "target": target, "alpha": vector(alpha)}
            yield "block.conjugate", {**given, "target": target, "alpha": vector([2.0, *[-1.0] * (size - 1)])}


def _inside_simplex(draw: Draw, size: int, corner: list[float]) -> list[float]:
    """beta - e_c for a beta of the simplex, in eighths."""
    parts = [0.0] * size
    for _ in range(8):
        parts[draw.below(size)] += 0.125
    return [part - one for part, one in zip(parts, corner)]
