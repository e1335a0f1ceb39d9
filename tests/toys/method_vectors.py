"""The toy method in the vectors, with the independent implementation of its step."""

from dualgap.proofs_checks.conformance.independent.arithmetic import axpy, dot
from dualgap.proofs_checks.conformance.independent.problems import Problems
from dualgap.proofs_checks.conformance.methods.published import Dual
from dualgap.proofs_checks.conformance.methods.registry import register_vectors
from dualgap.proofs_checks.conformance.seeded_bugs.planting import Flag


class Half(Problems):
    """The step, independent of the reference."""

    def half_step(self, _method, p, _parameters, state, i):
        """SDCA, line 4, halved; w is that of v."""
        x, w = self.row(p, i), self.point(p, state["v"])
        q = dot(x, x) / (p["lam"] * p["n"])
        best = self.dual_step(p["loss"], p["gamma"], dot(x, w), state["alpha"][i], p["y"][i], q)
        delta = (best - state["alpha"][i]) / 2
        alpha = [a + delta * (k == i) for k, a in enumerate(state["alpha"])]
        return {"v": axpy(-delta / (p["lam"] * p["n"]), x, state["v"]), "alpha": alpha}


@register_vectors
class HalfRow(Dual):
    """v and alpha."""

    name = "toy-half-sdca"
    source = "a test"
    formula = "alpha_i = alpha_i + (best - alpha_i)/2, best of SDCA, line 4"
    losses = ("squared", "toy-huber")
    independent, rules = Half, ("dual_start", "half_step", "dual_view")
    bugs = {"toy-whole-step": Flag("the whole step is made", "formula", "it is SDCA", ["Half.half_step: / 2 -> / 1"])}
