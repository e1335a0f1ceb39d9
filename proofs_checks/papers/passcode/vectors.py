"""The simulators of PASSCoDe in the vectors."""

from collections.abc import Iterator
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.published import Dual, V
from dualgap.proofs_checks.conformance.methods.spec import Equation, equations, register_vectors
from dualgap.reference import Problem
from dualgap.reference.methods.base import State
from dualgap.reference.methods.passcode import PasscodeState


class PasscodeRow(Dual):
    """v, alpha and the writes in flight; a choice is (worker, index, visible), with lost writes where they can be."""

    formula = (
        "PASSCoDe: SDCA's step at w_hat = v less the writes in flight that the worker sees (step 1.5); its writes c"
        " x_ij are in flight for delay steps, then v_j = v_j - c x_ij (step 3)"
    )
    start = f"{V}, no write in flight"
    fields: ClassVar[dict[str, Json]] = {"pending": {"type": "array", "items": {"$ref": "#/$defs/write"}}}

    def read(self, values: Json) -> State:
        pending = [(write["worker"], tuple(zip(write["columns"], write["amounts"]))) for write in values["pending"]]
        return PasscodeState(v=values["v"], alpha=values["alpha"], pending=pending)

    def written(self, state: State) -> Json:
        found = state.fields()
        pending = [
            {"worker": owner, "columns": [j for j, _ in w], "amounts": [x for _, x in w]}
            for owner, w in found["pending"]
        ]
        return found | {"pending": pending}

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        w = list(state["v"])
        for write in state["pending"]:
            for j, amount in zip(write["columns"], write["amounts"], strict=True):
                w[j] -= amount
        yield from equations("v - pending", w, problem.v(state["alpha"]), "-X^T alpha/(lam n)")


@register_vectors
class LockRow(PasscodeRow):
    """Every write is seen."""

    name = "passcode-lock"


@register_vectors
class AtomicRow(PasscodeRow):
    """No write is lost."""

    name = "passcode-atomic"


@register_vectors
class WildRow(PasscodeRow):
    """Writes may be lost."""

    name = "passcode-wild"
    formula = f"{PasscodeRow.formula}; bit k of lost: the k-th write of the step is none"
