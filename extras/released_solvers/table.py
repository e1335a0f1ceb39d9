"""The released solvers, as ``drivers/settings.txt`` lists them.

A claim is listed only if a solver's documentation names a quantity and a bound of it that the answer shows. If it names
a change from step to step, or nothing ("tolerance of the stopping criterion"), there is no claim that could be false.
The head of a driver says how its solver's objective becomes P.
"""

from dataclasses import dataclass, replace

from dualgap.extras.released_solvers.environments import DRIVERS


@dataclass(frozen=True)
class Released:
    """One solver with one setting, at its default tolerance.

    Attributes
    ----------
    name : the name in reports.
    environment, setting : its environment (``environments``), and the setting of the driver.
    loss, net : the loss of P, and whether lam = l1 > 0.
    tol : the default tolerance.
    converged : what its documentation says of an answer with which it stops, restated, with the place.
    claims : names in ``promises.CLAIMS``; empty if the documentation says nothing that an answer shows.
    count : the largest number of tiny problems, for solvers of which a call or a verdict is slow.
    """

    name: str
    environment: str
    setting: str
    loss: str
    net: bool
    tol: float
    converged: str
    claims: tuple[str, ...] = ()
    count: int | None = None

    @property
    def margin(self) -> bool:
        """Whether y are labels."""
        return self.loss != "squared"


def _read() -> dict[str, Released]:
    _, _, words, rows = (DRIVERS / "settings.txt").read_text(encoding="utf-8").split("\n\n")
    said = dict(line.split(": ", 1) for line in words.splitlines())
    found = {}
    for line in rows.splitlines():
        name, environment, setting, loss, tol, key, *rest = line.split(" | ")
        claims, count = (*rest, "", "")[:2]
        loss, _, l1 = loss.partition(" + ")
        promised = tuple(claims.split(", ")) if claims else ()
        found[name] = Released(
            name, environment, setting, loss, bool(l1), float(tol), said[key], promised, int(count) if count else None
        )
    return found


RELEASED = _read()


def released(name: str) -> Released:
    """By name; NAME==VERSION is the same in that version's environment. Raises KeyError for an unknown one."""
    base, other, version = name.partition("==")
    return replace(RELEASED[base], environment=f"{RELEASED[base].environment}=={version}") if other else RELEASED[base]
