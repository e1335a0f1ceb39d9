"""How fast an audit computes: exact states and instances per second, and claims per minute, of each engine in each
number type.

    python benchmarks/audit.py [--processes P] [--repetitions R] [--claims] [--out DIR]

A *state* is one step of the method from a given state, the view of what it leads to, and the dual value there, D from
its definition: what a one-step expectation adds up over all choices, and an enumeration over all paths. An *instance*
is one check of a claim from nothing but its rationals: problem, context, relations, verdict.

    one step       aspdc.a17.sharp: E[D+ - D] over all choices
    enumeration    E D_t over all paths, t <= 4, of starts that aspdc.dual-rate draws
    enclosed       aspdc.a17.sharp for the logistic loss, in decimal intervals

The types are ``fractions.Fraction``, gmpy2's ``mpq`` and, where it is installed, quicktions' ``Fraction``; ratios are
to the first, in one process.
CPU seconds of fresh processes on one thread, the least of R repetitions in turns, the median of P processes.

--claims: claims per minute by engine: whole rows of a quick audit, with drawing, controls and mutants.
"""

import argparse
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import common

INSTANCES, HORIZON = 40, 4
TYPES = {"Fraction": ("fractions", "Fraction"), "gmpy2.mpq": ("gmpy2", "mpq"), "quicktions": ("quicktions", "Fraction")}
CLAIMS = {
    "one step": ("aspdc.a17", "aspdc.a17.sharp", "sdca.dual-monotone"),
    "enumeration": ("aspdc.dual-rate", "aspdc.lemma-2.sharp"),
    "enclosed": ("aspdc.algorithm-1",),
}


def types() -> dict[str, type]:
    """Those that are installed."""
    installed = {name: where for name, where in TYPES.items() if importlib.util.find_spec(where[0])}
    return {name: getattr(importlib.import_module(module), kind) for name, (module, kind) in installed.items()}


@contextmanager
def computing_in(kind: type) -> Iterator[None]:
    """Exact contexts in any type of rationals, also in one that the audit does not offer."""
    from dualgap.proofs_checks.claims import exact

    token = exact._arithmetic.set(kind)
    try:
        yield
    finally:
        exact._arithmetic.reset(token)


def contexts(strategy: Any) -> list[Any]:
    """Contexts whose start is evaluated."""
    from dualgap.proofs_checks.claims.context import Context
    from dualgap.proofs_checks.claims.run import draw_instances

    found = [Context(instance) for instance in draw_instances(strategy(), INSTANCES, 1)]
    for c in found:
        _ = c.D, c.problem.R2
    return found


# -- what is timed: (how many, the task) -------------------------------------------------------------------------------


def one_step(kind: type) -> tuple[int, common.Task]:
    """The states of one-step expectations."""
    from dualgap.proofs_checks.strategies import instances

    with computing_in(kind):
        found = contexts(instances.one_step_sharp)
    kept = ("successors", "increases", "expected_increase")

    def ready() -> Callable[[], object]:
        for c in found:
            for name in kept:
                c.__dict__.pop(name, None)
        return lambda: [c.expected_increase for c in found]

    return sum(len(c.method.choices(c.problem, c.state)) for c in found), ready


def enumeration(kind: type) -> tuple[int, common.Task]:
    """The states of all paths."""
    from dualgap.proofs_checks.engines.paths import distributions
    from dualgap.proofs_checks.strategies import instances

    with computing_in(kind):
        found = contexts(instances.paths_sharp)
    states = 0
    for c in found:
        layers = distributions(c.method, c.problem, c.state)
        states += c.n * sum(len(next(layers)) for _ in range(HORIZON))  # steps made; equal states merge behind them
    return states, lambda: lambda: [c.expected(HORIZON, lambda w, alpha: c.problem.D(alpha)) for c in found]  # noqa: B023


def whole_instances(kind: type) -> tuple[int, common.Task]:
    """Checks of a claim, each from its instance."""
    from dualgap.proofs_checks.claims.context import Context
    from dualgap.proofs_checks.claims.judge import judge
    from dualgap.proofs_checks.claims.registry import all_claims
    from dualgap.proofs_checks.claims.run import draw_instances
    from dualgap.proofs_checks.strategies import instances

    claim, drawn = all_claims()["aspdc.a17.sharp"], draw_instances(instances.one_step_sharp(), INSTANCES, 1)

    def run() -> object:
        with computing_in(kind):
            return [judge(claim, Context(instance)) for instance in drawn]

    return INSTANCES, lambda: run


def enclosed() -> tuple[int, common.Task]:
    """The states of one-step expectations in intervals, problem and context included."""
    from dualgap.proofs_checks.claims.judge import enclose
    from dualgap.proofs_checks.claims.registry import all_claims
    from dualgap.proofs_checks.claims.run import draw_instances
    from dualgap.proofs_checks.strategies import instances

    claim, drawn = all_claims()["aspdc.a17.sharp"], draw_instances(instances.one_step_logistic(), INSTANCES // 2, 1)
    return sum(
        len(instance.rows) for instance in drawn
    ), lambda: lambda: [enclose(claim, instance) for instance in drawn]


def operations() -> dict[str, float]:
    """Seconds of one step of multiply, subtract and compare, in every type."""
    kinds = types()

    def task(kind: type) -> common.Task:
        a, b = kind(355, 113), kind(-22, 7)
        return lambda: lambda: [a * b - a < b for _ in range(2000)]

    best = common.best_of({name: task(kind) for name, kind in kinds.items()}, 30)
    return {name: seconds / 2000 for name, seconds in best.items()}


# -- rows --------------------------------------------------------------------------------------------------------------


def rates(repetitions: int) -> common.Rows:
    """One process: each engine in each type, per second and as a ratio to Fraction."""
    rows: common.Rows = []

    def add(engine: str, unit: str, seconds: dict[str, float]) -> None:
        """A row for every type, given the seconds of one."""
        for name, of_one in seconds.items():
            ratio = seconds["Fraction"] / of_one if "Fraction" in seconds else None
            rows.append({"engine": engine, "number": name, "unit": unit, "per second": 1 / of_one, "ratio": ratio})

    for engine, unit, make in (
        ("one step", "states", one_step),
        ("enumeration", "states", enumeration),
        ("one step", "instances", whole_instances),
    ):
        made = {name: make(kind) for name, kind in types().items()}
        best = common.best_of({name: task for name, (_, task) in made.items()}, repetitions)
        add(engine, unit, {name: best[name] / count for name, (count, _) in made.items()})
    count, task = enclosed()
    add("enclosed", "states", {"Interval": common.best_of({"": task}, max(2, repetitions // 4))[""] / count})
    add("one operation", "of * - <", operations())
    return rows


def claims_per_minute() -> common.Rows:
    """Whole rows of the report, by engine and number type."""
    from dualgap.proofs_checks.auditing.audit import audit

    rows = []
    for engine, names in CLAIMS.items():
        for exact in ("fraction", "mpq") if importlib.util.find_spec("gmpy2") else ("fraction",):
            seconds = common.cpu_seconds(lambda: audit(names, "quick", entropy=1, exact=exact))  # noqa: B023
            rows.append(
                {"engine": engine, "number": exact, "unit": "claims, quick", "per minute": 60 * len(names) / seconds}
            )
    return rows


def main() -> int:
    """Run the command."""
    parser = common.parser(__doc__)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--claims", action="store_true", help="claims per minute, too")
    parser.add_argument("--measure", choices=("rates", "claims"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(claims_per_minute() if given.measure == "claims" else rates(given.repetitions)))
        return 0
    found = common.in_processes(given.processes, "--measure", "rates", "--repetitions", str(given.repetitions))
    tables = {"rows": common.median_of(found, "per second")}
    for row in tables["rows"]:  # the ratio of the medians would mix processes
        same = [
            other
            for process in found
            for other in process
            if all(other[name] == row[name] for name in ("engine", "number", "unit"))
        ]
        row["ratio"] = None if row["ratio"] is None else sorted(other["ratio"] for other in same)[len(same) // 2]
    if given.claims:
        tables["claims"] = common.in_processes(1, "--measure", "claims")[0]
    return common.report(given, "audit", tables)


if __name__ == "__main__":
    common.fix_threads()
    sys.exit(main())
