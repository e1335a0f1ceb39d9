"""The rates that claims state for one step or one epoch, as ``dualgap sharpen CLAIM`` compares them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dualgap.extras.sharpen.world import AnyProblem


@dataclass(frozen=True)
class Published:
    """Method, quantity and options of a claim, and its rate, a function of the method and the problem."""

    method: str
    quantity: str
    rate: Callable[[Any, AnyProblem], Fraction]
    options: Mapping[str, object] = field(default_factory=dict)


CLAIMS = {
    "sdca.theorem-2": Published("sdca", "dual", lambda _, p: 1 - 1 / (p.n + p.R2 / (p.regularizer.lam * p.gamma))),
    "aspdc.dual-rate": Published("aspdc", "dual", lambda _, p: 1 - (1 - p.K_max) / p.n),
    "spdc.theorem-1": Published("spdc", "distance", lambda method, p: method.parameters(p).theta),
    "spdc.theorem-1.sharp": Published(
        "spdc", "distance", lambda method, p: method.parameters(p).theta, {"theta": "sharp"}
    ),
    "adaspdc.contraction": Published(
        "adaspdc-r", "distance", lambda method, p: method.tau_theta(p, method.parameters(p), (0,))[1]
    ),
    "baselines.sag.theorem-outside.repaired": Published(
        "sag",
        "distance",
        lambda method, p: 1 - min(p.regularizer.lam / (16 * method.L(p)), Fraction(1, 8 * p.n)),
        {"step": "theory", "divide": "n"},
    ),
    "baselines.svrg.theorem": Published("svrg", "epoch", lambda method, p: method.rho(p), {"option": "II"}),
}
