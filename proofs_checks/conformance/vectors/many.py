"""Cases with more rows, columns or steps than a small buffer holds, and phi* beside its domain where that ends at 0.
Each group is a separate file, so that published files do not change.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.error_bounds.number import Trace
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import ExpectedResult, make_case
from dualgap.proofs_checks.conformance.vectors.steps import Found
from dualgap.reference import LOSSES

ROWS, COLUMNS = 512, 300  # lam n, and a number of rows over which is averaged, are powers of 2
BATCH = list(range(ROWS - 32, ROWS))
LAST = ROWS - 3  # in a byte it is another row with an entry
LATE = (2**24 + 1, 2**32 + 2)  # rounds: not in a float, not in 32 bits
SMALLEST = 2.0**-1022  # that is not subnormal


def _spelled(value: object) -> Any:
    """Every float as the files have it."""
    return each(value, lambda x: hex_floats.spell_given(x) if isinstance(x, float) else x)


def _case(call: str, wanted: str, **given: object) -> Found:
    """A case of this class. Raises AssertionError where it has another one, or none."""
    spelled = _spelled(given)
    result = make_case(call, hex_floats.plain(spelled))
    if result is None or result.tolerance_class != wanted:
        raise AssertionError(f"{call} is not of class {wanted}")
    return call, spelled, result


def _problem(n: int, d: int, entries: dict[int, dict[int, float]]) -> Json:
    """The hinge loss with lam n = 8 for n = 512, and a threshold of 1/4; rows that are not named have no entries."""
    starts, columns, values = [0], [], []
    for i in range(n):
        columns += list(entries.get(i, {}))
        values += list(entries.get(i, {}).values())
        starts.append(len(columns))
    y = [-1.0 if i % 3 == 1 else 1.0 for i in range(n)]
    sizes = {"n": n, "d": d, "starts": starts, "columns": columns, "values": values, "y": y}
    return {**sizes, "loss": "hinge", "gamma": 0.0, "lam": 2.0**-6, "l1": 2.0**-8}


def _alpha(p: Json) -> list[float]:
    return [-y * (i % 4) / 4 for i, y in enumerate(p["y"])]


def _rows() -> Iterator[Found]:
    """A step of every first method but ``spdc-nonuniform`` among 512 rows, a start, and a view at a late round."""
    p = _problem(ROWS, 4, {40: {2: -1.0}, 253: {0: 1.0}, LAST: {1: 2.0}})
    dual = {"v": [0.5, 0.6875, -0.75, 0.0], "alpha": _alpha(p)}
    points = {"w": [0.5, 0.25, -0.75, 0.0], "w_bar": [1.0, 0.4375, -0.5, 0.0], "u": [0.25, -0.125, 0.5, 0.0]}
    saddle = {**points, "alpha": _alpha(p)}
    sizes = {"tau": 64.0, "sigma": 1.0, "theta": 0.5, "delta": 0.0}
    step = partial(_case, "step", "E", problem=p)
    for method in ("aspdc", "sdca"):
        yield step(method=method, parameters={}, state=dual, choice=LAST)
    yield step(method="spdc", parameters=sizes, state=saddle, choice=LAST)
    yield step(method="spdc-minibatch", parameters=sizes, state=saddle, choice=BATCH)
    averages = {"w": points["w"], "acc": points["w_bar"], "total": points["u"], "t": 2}
    yield step(method="pgs", parameters={}, state=averages, choice=BATCH)
    yield _case("init", "E", method="aspdc", problem=p, alpha=_alpha(p))
    small = _problem(2, 2, {0: {0: 1.0}, 1: {1: 2.0}})
    for t in LATE:
        late = {**averages, "w": [1.0, 2.0], "acc": [1.0, 2.0], "total": [3.0 * t, -0.75 * t], "t": t}
        yield _case("view", "E", method="pgs", problem=small, state=late)


def _steps() -> Iterator[Found]:
    """Three hundred steps."""
    p = _problem(2, 1, {0: {0: 1.0}, 1: {0: -2.0}})
    state = {"v": [0.5], "alpha": [0.0, 0.5]}
    choices = [k * k % 3 % 2 for k in range(300)]
    yield _case("trajectory", "E", method="aspdc", problem=p, parameters={}, state=state, choices=choices)


def _terms() -> Iterator[Found]:
    """P and D of 512 rows, and of 300 columns."""
    rows = _problem(ROWS, 4, {40: {2: -1.0}, 253: {0: 1.0}, LAST: {1: 2.0}})
    yield _case("certificate", "E", problem=rows, w=[0.5, 0.25, -0.75, 0.0], alpha=_alpha(rows))
    columns = _problem(2, COLUMNS, {0: {COLUMNS - 1: 1.0}, 1: {COLUMNS - 2: 2.0}})
    yield _case("certificate", "E", problem=columns, w=_numbers(), alpha=_alpha(columns))


def _numbers() -> list[float]:
    return [(j % 8 - 3) / 4 for j in range(COLUMNS)]


def _regularizers() -> Iterator[Found]:
    """Of 300 columns."""
    net = {"lam": 0.5, "l1": 0.25}
    for call, name in (("value", "w"), ("conjugate", "u"), ("minimizer", "u"), ("prox", "w")):
        more = {"tau": 2.0} if call == "prox" else {}
        yield _case(f"regularizer.{call}", "E", **net, **{name: _numbers()}, **more)


def _beside_zero() -> Iterator[Found]:
    """phi* at the first double outside its domain that is not subnormal, where the domain ends at 0: infinite."""
    for loss in (name for name, kind in LOSSES.items() if 0 in kind.ends):
        for y in (1.0, -1.0):
            gamma = LOSSES[loss](0.5 if LOSSES[loss].adjustable else None).gamma
            given = _spelled({"loss": loss, "gamma": float(gamma), "alpha": y * SMALLEST, "y": y})
            due = Independent().answer("loss.conjugate", hex_floats.plain(given))
            if due != {"value": None}:
                raise AssertionError(f"phi* of {loss} is finite next to its domain")
            yield "loss.conjugate", given, ExpectedResult({"value": f"{hex_floats.INFINITY} inf"}, "E", due, Trace())


SUBJECTS: dict[str, tuple[str, Callable[[], Iterator[Found]]]] = {  # subject: its level, and what makes its cases
    "many-numbers": ("L0", _regularizers),
    "beside-zero": ("L0", _beside_zero),
    "many-rows": ("L1", _rows),
    "many-steps": ("L2", _steps),
    "many-terms": ("L3", _terms),
}
