"""The first cases of a method or a loss that no published file has: published requests under its name.

A method starts from the pairs of the published certificates. A new loss takes the requests of the hinge or the absolute
loss, and its own kinks and ends. Cases of published files keep their requests.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods.registry import PUBLISHED_LOSSES
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, plain, rationals, spell_given
from dualgap.proofs_checks.conformance.vectors.load import load
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.reference import LOSSES
from dualgap.reference.numbers.rational import nearest

MODELS = {True: "hinge", False: "absolute"}  # the published loss of margins, or of residuals, that a new one follows
GAMMA = 0.5  # of a new loss whose gamma can be chosen: with 1 nobody would see that it is left out
LENGTHS = (4, 3, 2)  # of a trajectory: the first that has a result
FAR = (40.0, -40.0, 800.0, -800.0)  # e^800 is beyond the doubles: the two-branch form is needed
TINY = 2.0**-30  # a kink's neighbours, still exact


class NewCase(NamedTuple):
    """A request, what is expected, and the predicate that is judged instead, if any."""

    call: str
    given: Json
    expected: ExpectedResult
    predicate: str | None = None


def cases(requests: Iterable[tuple[str, Json]], what: str) -> Iterator[NewCase]:
    """The requests for which a result is due. Raises AssertionError if there is none."""
    made = [(call, given, make_case(call, plain(given))) for call, given in requests]
    found = [NewCase(call, given, result) for call, given, result in made if result is not None]
    if not found:
        raise AssertionError(f"no {what} has a result that is due")
    yield from found


# -- a loss ------------------------------------------------------------------------------------------------------------


def of_loss(loss: str) -> Json:
    """Name and gamma of a new loss, as a request has them."""
    kind = LOSSES[loss]
    return {"loss": loss, "gamma": spell_given(GAMMA if kind.adjustable else float(kind.default_gamma))}


def formulas(loss: str) -> Iterator[NewCase]:
    """Level L0: the model's requests, all kinks and their neighbours, the ends of the domain and beyond."""
    phi = LOSSES[loss](Fraction(GAMMA)) if LOSSES[loss].adjustable else LOSSES[loss]()
    model = [case for case in load().cases.values() if case.level == "L0" and case.method == MODELS[phi.margin]]
    asked = {(case.call, case.given["y"]): case.given | of_loss(loss) for case in reversed(model)}  # one of each
    requests = [(case.call, case.given | of_loss(loss)) for case in model]
    for (call, y), given in asked.items():
        if "z" in given:
            kinks = [float(kink) + step for kink in phi.kinks(Fraction(decode(y))) for step in (-TINY, 0.0, TINY)]
            points = (*kinks, *(() if phi.rational else FAR))
            requests += [(call, given | {"z": spell_given(z)}) for z in points]
        if call in ("loss.conjugate", "loss.residual"):
            side = -decode(y) if phi.margin else 1.0  # a margin loss has ends for -y alpha
            ends = [side * (float(end) + step) for end in phi.ends if end is not None for step in (-0.25, 0.0, 0.25)]
            requests += [(call, given | {"alpha": spell_given(alpha + 0.0)}) for alpha in ends]
    yield from cases((one for one in requests if phi.gamma > 0 or not _at_kink(phi, *one)), f"formula of {loss}")


def _at_kink(phi: object, call: str, given: Json) -> bool:
    """Return whether every subgradient is right: at a kink, where gamma is 0."""
    kinks = phi.kinks(Fraction(decode(given["y"])))  # type: ignore[attr-defined]
    return call in ("loss.derivative", "loss.dual_step") and Fraction(decode(given["z"])) in kinks


def pairs(loss: str) -> Iterator[Json]:
    """Problem, w and alpha of the published certificates of a loss; of a new one those of its model that are legal."""
    new = loss not in PUBLISHED_LOSSES
    model = MODELS[LOSSES[loss].margin] if new else loss
    for case in load().cases.values():
        p = case.given.get("problem", {})
        if case.id.startswith("certificates.") and p["loss"] == model:
            alpha, y = (list(map(decode, numbers)) for numbers in (case.given["alpha"], p["y"]))
            if all(map(LOSSES[loss]().in_domain, alpha, y)):
                yield case.given | {"problem": p | (of_loss(loss) if new else {})}


def certificates(losses: Sequence[str]) -> Iterator[NewCase]:
    """Level L3: P, D and the gap of a pair."""
    for loss in losses:
        yield from cases((("certificate", given) for given in pairs(loss)), f"certificate of {loss}")


# -- a method ----------------------------------------------------------------------------------------------------------


class Start(NamedTuple):
    """The request of init, one without choices that starts at its state, and that state in Fractions."""

    init: Json
    given: Json
    exact: Json


def starts(row: MethodSpec, loss: str) -> Iterator[Start]:
    """The states of init on the published pairs, with every combination of the row's options in turn."""
    options = [dict(zip(row.options, values)) for values in product(*row.options.values())]
    own = [pair for pair in pairs(loss) if (decode(pair["problem"]["l1"]) > 0) in row.nets]
    for k, pair in enumerate(own):
        named, parameters = {"method": row.name, "problem": pair["problem"]}, options[k % len(options)]
        init = named | {"alpha": pair["alpha"]} | ({"parameters": parameters} if "init" in row.setting else {})
        exact: Json = Independent().answer("init", plain(init))["state"]
        yield Start(init, named | {"parameters": parameters, "state": spelled(exact)}, exact)


def spelled(exact: Json) -> Json:
    """A state in Fractions as a request has it, rounded to doubles."""
    state: Json = each(exact, lambda x: x if isinstance(x, int) else spell_given(nearest(x) + 0.0))
    return state


def choices(row: MethodSpec, given: Json, length: int = 0) -> list[int | list[int]]:
    """One choice for each row, or a path of this length."""
    n = given["problem"]["n"]
    return [row.choice(n, i % n) for i in range(length or n)]


def steps(row: MethodSpec) -> Iterator[NewCase]:
    """Level L1: init, and with every row a step from its state and from the state after two steps; view of both."""
    for loss in row.losses:
        requests: list[tuple[str, Json]] = []
        for init, given, _ in starts(row, loss):
            path = plain(given | {"choices": choices(row, given, 2)})
            later = given | {"state": spelled(Independent().answer("trajectory", path)["states"][-1])}
            unset = {"choice", *(() if "view" in row.setting else ("parameters",))}
            requests.append(("init", init))
            for one in (given, later):
                requests += [("step", one | {"choice": choice}) for choice in choices(row, given)]
                requests.append(("view", {name: value for name, value in one.items() if name not in unset}))
        yield from cases(requests, f"step of {row.name}, {loss}")


def trajectories(row: MethodSpec) -> Iterator[NewCase]:
    """Level L2: as many steps from init as have a result."""
    for loss in row.losses:
        begun = [given for _, given, _ in starts(row, loss)]
        for length in LENGTHS:
            paths = (("trajectory", given | {"choices": choices(row, given, length)}) for given in begun)
            try:
                yield from cases(paths, f"trajectory of {row.name}, {loss}")
                break
            except AssertionError:
                if length == LENGTHS[-1]:
                    raise


def branches(row: MethodSpec) -> Iterator[NewCase]:
    """Level L3: all branches of one step from a state that a run can hold, and the predicates that are true of them."""
    for loss in [loss for loss in row.losses if LOSSES[loss].rational and row.truths]:
        held = [given for _, given, exact in starts(row, loss) if rationals(plain(given["state"])) == exact]
        asked = (("branches", given | {"choices": choices(row, given)}) for given in held)
        for case in cases(asked, f"branches of {row.name}, {loss}"):
            if case.expected.tolerance_class == "E":
                yield case
                yield from (case._replace(predicate=name) for name in row.truths)
