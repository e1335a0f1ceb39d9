"""The settings of one run, validated on construction."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from dualgap.fast.solver.auto import Choice, choose, plan
from dualgap.fast.solver.backends import Backend, backend_of
from dualgap.fast.solver.checkpoint import identity_of
from dualgap.fast.solver.groups import spread
from dualgap.fast.solver.parameters import SETTINGS, require
from dualgap.fast.solver.result import Entry
from dualgap.reference import all_methods
from dualgap.reference.methods.base import MODES, Deterministic
from dualgap.reference.problem.problem import Problem


@dataclass(frozen=True)
class Settings:
    """All options of ``solve`` except the problem, the start and the checkpoint; ``solve`` describes each of them.

    Raises ValueError for a value that is not of its kind or out of its range (``parameters``), or an unknown mode.
    """

    method: str = "auto"
    tol: float | None = None
    rtol: float = 0.0
    max_epochs: int = 1000
    max_seconds: float | None = None
    seed: int = 0
    order: str | None = None
    mode: str = "paper"
    backend: str = "fast"
    threads: int = 1
    callback: Callable[[Entry], object] | None = None
    progress: Callable[[int, float], object] | None = None
    draw: Callable[..., object] | None = None
    method_options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, method: str, **options: Any) -> "Settings":
        """Return the settings of ``solve(problem, method, **options)``. Other names are options of the method.

        >>> Settings.of("sdca", rtol=0.1, p=2).method_options
        {'p': 2}
        """
        own = {name: value for name, value in options.items() if name not in DEFAULTS or name == "method_options"}
        known = {name: value for name, value in options.items() if name not in own}
        found = object.__new__(cls)
        vars(found).update({**DEFAULTS, **known, "method": method, "method_options": own})
        found.__post_init__()
        return found

    def __post_init__(self) -> None:
        require(SETTINGS, {name: value for name, value in vars(self).items() if value is not DEFAULTS[name]})
        vars(self).update(max_epochs=int(self.max_epochs), seed=int(self.seed))  # of any integral type
        if self.mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)} (got {self.mode!r})")

    @property
    def tolerances(self) -> tuple[float, float]:
        """tol and rtol, with the default of tol."""
        default = 1e-6 if self.rtol == 0 else 0.0
        return default if self.tol is None else self.tol, self.rtol

    def told(self) -> dict[str, Any]:
        """What a ``Result`` tells of them."""
        tol, rtol = self.tolerances
        run = {"method": self.method, "order": self.draw_order, "seed": self.seed, "tol": tol, "rtol": rtol}
        return {**run, "mode": self.mode, "backend": self.backend, "threads": self.threads}

    @property
    def draw_order(self) -> str:
        """The order of the draws, with its default."""
        return self.order or "uniform"

    def chosen(self, problem: Problem) -> tuple["Settings", str]:
        """The settings with the method that "auto" chooses for a problem, and the reason."""
        if self.method != "auto":
            return self, ""
        choice = choose(problem)
        return self.as_chosen(choice), choice.reason

    def as_chosen(self, choice: Choice) -> "Settings":
        """The settings with the method and the order of a choice; a method that draws nothing has its own order."""
        own = self.order is not None and not issubclass(all_methods()[choice.method], Deterministic)
        return self._drawing(choice.method, (own and self.order) or choice.order)

    def _drawing(self, method: str, order: str) -> "Settings":
        """The same settings, which are checked, with a method and an order that are known."""
        found = object.__new__(Settings)
        vars(found).update(vars(self), method=method, order=order)
        return found

    def plan(self, problem: Problem) -> list[tuple["Settings", float, str]]:
        """Return the methods that run in turns, with the passes of each first turn and the reason: one method, or those
        of ``auto.plan``.

        One alone where the method is named, or options, choices, threads or another mode are given.
        """
        alone = self.method_options or self.draw is not None or self.threads != 1 or self.mode != "paper"
        if self.method != "auto" or alone:
            first, why = self.chosen(problem)
            return [(first, math.inf, why)]
        (choice, portion), *others = plan(problem)
        first, why = self.as_chosen(choice), choice.reason
        found = [(first, portion, why)]
        for choice, passes in others:
            orders = all_methods()[choice.method].orders
            order = self.order if self.order in orders else choice.order
            found.append((self._drawing(choice.method, order), passes, choice.reason))
        return found if len(found) > 1 else [(first, math.inf, why)]

    def driver(self, kind: type[Problem] = Problem) -> Backend:
        """Return the driver of the method, which is not "auto", on problems of that kind.

        Raises
        ------
        ValueError
            An unknown backend, method or order; threads or another option that the method does not have.
        """
        driver = backend_of(
            self.backend, self.method, dict(self.method_options), self.threads, self.mode, kind, DEFAULTS
        )
        orders = driver.reference.orders
        if self.draw_order not in orders:
            raise ValueError(
                f"order must be one of {', '.join(orders)} for method {driver.implementation.name} (got"
                f" {self.draw_order!r})"
            )
        return driver

    def admitted(self, problem: Problem) -> Backend:
        """``driver`` for a problem that is inside the method's hypothesis; HypothesisViolated where it is not."""
        driver = self.driver(type(problem))
        driver.require(problem, self.mode)
        return driver

    def identity(self, problem: Problem) -> dict[str, str]:
        """Return the identity of the run for its checkpoint: all settings but the limits, which may change."""
        run = {"method": self.method, "order": self.draw_order, "seed": self.seed}
        return identity_of(
            problem, dict(self.method_options), **run, mode=self.mode, backend=self.backend, threads=self.threads
        )


DEFAULTS = {known.name: known.default for known in fields(Settings)}


def require_settings(method: str, **options: object) -> None:
    """Raise ValueError for what ``solve`` refuses whatever the problem is."""
    settings = Settings.of(method, **spread(options))
    if method != "auto":
        settings.driver()
