"""The independent implementation of the PASSCoDe simulator; see ``losses``."""

from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Parallel(Problems):
    """Methods with several workers."""

    rules: ClassVar[Rules] = {
        "passcode-lock": ("parallel_start", "parallel_step", "landed"),
        "passcode-atomic": ("parallel_start", "parallel_step", "landed"),
        "passcode-wild": ("parallel_start", "parallel_step", "landed"),
    }

    # -- PASSCoDe ------------------------------------------------------------------------------------------------------

    def parallel_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """No write in flight."""
        return self.dual_start(method, p, parameters, alpha) | {"pending": []}

    def parallel_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """One step of a worker."""
        worker, i, visible, lost, *_ = *choice, 0
        i = self.index(p, i)
        after = self.dual_coordinate(method, p, {**state, "v": self.memory(method, state, worker, visible)}, i)
        stored = range(p["starts"][i], p["starts"][i + 1])
        kept = [k for place, k in enumerate(stored) if not lost & (1 << place)]
        c = -self.shift(p, after["alpha"][i] - state["alpha"][i])
        columns, amounts = [self.column(p, i, k) for k in kept], [c * p["values"][k] for k in kept]
        flight = [*state["pending"], {"worker": worker, "columns": columns, "amounts": amounts}]
        landing = flight[: max(len(flight) - parameters["delay"], 0)]
        return {"v": self.less(state["v"], landing), "alpha": after["alpha"], "pending": flight[len(landing) :]}

    def memory(self, method: str, state: State, worker: int, visible: int) -> Vector:
        """What the worker reads."""
        if method == "passcode-lock":
            return self.less(state["v"], state["pending"])
        seen, place = list(state["v"]), 0
        for write in state["pending"]:
            own = write["worker"] == worker
            for j, amount in zip(write["columns"], write["amounts"]):
                seen[j] -= amount if own or visible & (1 << place) else 0
                place += not own
        return seen

    def less(self, v: Vector, writes: list[State]) -> Vector:
        """v after these writes."""
        after = list(v)
        for write in writes:
            for j, amount in zip(write["columns"], write["amounts"]):
                after[j] -= amount
        return after

    def landed(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """All writes done; there is no threshold."""
        return self.less(state["v"], state["pending"]), state["alpha"]
