"""A bracket for the best rate: every rate below ``refuted`` is false, and ``proved`` is proved. Both ends are exact."""

import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from dualgap.extras.exact.cone import Point
from dualgap.extras.exact.floats import one_thread
from dualgap.extras.exact.optimum import feasible, minimised
from dualgap.extras.sharpen.certificate import PROVED, Record, plain, refusals
from dualgap.extras.sharpen.propose import Program, require_solver
from dualgap.extras.sharpen.quantities import QUANTITIES, Task, derive, with_known_norms
from dualgap.extras.sharpen.world import Facts
from dualgap.extras.sharpen.worst import Steps, refuted_by_families, refuted_by_search
from dualgap.proofs_checks.auditing.replay_file import require_repeated, text_of
from dualgap.proofs_checks.engines.purity import foreign, require_pure

Rational: TypeAlias = Fraction | str | int
WIDTH = Fraction(1, 10**5)  # bisection ends at this width
PURE = 3  # instances on which other people's method must be an exact function of its state


@dataclass(frozen=True)
class Bracket:
    """The best rates proved and refuted for one method, one n and one class of problems.

    Parameters
    ----------
    task : method, class and quantity.
    refuted : the record of the largest rate below which all are false.
    proved : the record of the smallest rate that was proved; None if none was.
    """

    task: Task
    refuted: Record
    proved: Record | None

    @property
    def low(self) -> Fraction:
        """Every rate below it is false."""
        return Fraction(self.refuted["rate"])

    @property
    def high(self) -> Fraction | None:
        """The proved rate."""
        return None if self.proved is None else Fraction(self.proved["rate"])

    def outcome(self, rate: Fraction) -> str:
        """ "proved", "refuted" or "undecided", for a rate such as a paper's."""
        if rate < self.low:
            return "refuted"
        return "proved" if self.high is not None and self.high <= rate else "undecided"

    def write(self, folder: str | pathlib.Path) -> list[pathlib.Path]:
        """Write the two files, and return their paths."""
        from dualgap.proofs_checks.auditing.replay_file import write

        place, task = pathlib.Path(folder), self.task
        place.mkdir(parents=True, exist_ok=True)
        K = task.R**2 / (task.n * task.lam * task.gamma)
        options = "".join(f"-{name}{value}" for name, value in task.options.items())
        options += "-general" * task.general + ("" if task.spectral is None else f"-spectral{task.spectral}")
        stem = re.sub(r"[^\w.-]", "_", f"{task.method}-{task.quantity}-n{task.n}-K{K}{options}")
        records = [record for record in (self.refuted, self.proved) if record is not None]
        return [write(place / f"{record['kind']}-{stem}.json", record) for record in records]


def sharpen(
    method: str,
    n: int = 2,
    K: Rational = 1,
    quantity: str = "distance",
    options: Mapping[str, object] | None = None,
    gamma: Rational = 1,
    R: Rational = 1,
    general: bool = False,
    spectral: Rational | None = None,
    width: Fraction = WIDTH,
) -> Bracket:
    """Bracket the best rate of a method between an exact counterexample and an exact proof.

    Parameters
    ----------
    method : name of a registered method, your own included.
    n : number of rows.
    K : R^2/(n lam gamma), which sets lam.
    quantity : "distance" (the best Lyapunov function), "two-steps" (the same, which may also read the state after the
        next step), "dual" (D* - D), "gap" (P - D), or "epoch" (P - P* from one
        snapshot to the next, for svrg).
    options : of the method's constructor; write numbers as texts, such as "1/20".
    gamma, R : the losses are (1/gamma)-smooth, and the rows at most R long.
    general : for any lam-strongly convex g instead of L2.
    spectral : a bound of ||X||_2, at least R, for a method that needs one: only such X belong to the class.
    width : a bisection stops when the bracket is narrower.

    Raises
    ------
    ValueError
        The method is unknown, outside the class or no function of its state, a number is outside its range, or Clarabel
        is not installed.
    """
    return bracketed(with_known_norms(_task(method, n, K, quantity, options, general, spectral, gamma, R)), width)


def _task(
    method: str,
    n: int,
    K: Rational,
    quantity: str,
    options: Mapping[str, object] | None,
    general: bool,
    spectral: Rational | None,
    gamma: Rational = 1,
    R: Rational = 1,
) -> Task:
    """The task of these arguments of ``sharpen``, validated."""
    from dualgap.reference import all_methods
    from dualgap.reference.numbers.rational import to_fraction

    given = {"K": to_fraction(K), "gamma": to_fraction(gamma), "R": to_fraction(R)}
    for name, value in given.items():
        if not value > 0:
            raise ValueError(f"{name} must be > 0 (got {value})")
    if quantity not in QUANTITIES:
        raise ValueError(f"quantity must be one of {', '.join(QUANTITIES)} (got {quantity!r})")
    if not 1 <= n <= 8:
        raise ValueError(f"n must be between 1 and 8 (got {n})")
    if method not in all_methods():
        raise ValueError(f"unknown method {method!r}; known are {', '.join(sorted(all_methods()))}")
    lam = given["R"] ** 2 / (n * given["K"] * given["gamma"])
    bound = None if spectral is None else to_fraction(spectral)
    if bound is not None and bound < given["R"]:
        raise ValueError(f"spectral, a bound of ||X||_2, must be at least R = {given['R']} (got {bound})")
    return Task(method, n, lam, quantity, dict(options or {}), given["gamma"], given["R"], "own", general, bound)


def bracketed(task: Task, width: Fraction = WIDTH) -> Bracket:
    """Return the bracket of a task: a proof of exactly the rate that an instance attains, or a bracket around it."""
    require_solver()
    try:
        follows = derive(task, Fraction(1)).follows
        low, group = refuted_by_families(task, follows)
        if foreign(method := task.built()):
            alpha = [Fraction(i + 1) for i in range(task.n)]
            for instance in group[:PURE]:
                problem = Steps(task, instance, follows).problem
                require_pure(method, problem, partial(method.init, problem, alpha))
    except (LookupError, ArithmeticError) as error:
        said = f"outside the class of methods that can be sharpened: it raises {type(error).__name__} ({error})"
        raise ValueError(f"method {task.method} is {said}") from error
    proof = proved(task, low["rate"])
    if proof is None:
        searched = None if task.quantity == "epoch" else refuted_by_search(task, follows)
        low = max((low, searched or low), key=lambda record: record["rate"])
        proof = bisected(task, low["rate"], width) if task.is_distance else minimized(task)
    bracket = Bracket(task, plain(low), proof and plain(proof))
    if foreign(method):
        for record in filter(None, (bracket.refuted, bracket.proved)):
            require_repeated(text_of(record), [type(method).__module__])
    return bracket


def proved(task: Task, rate: Fraction) -> Record | None:
    """Return the record of a proof of this rate; None if none was found."""
    derived = derive(task, rate)
    program = Program(derived, {} if task.is_distance else {"rate": rate})
    with one_thread():
        return _record(task, rate, program, feasible(program.cone).point)


def minimized(task: Task) -> Record | None:
    """Return a proof of the smallest rate that is found."""
    derived = derive(task, Fraction(1))
    program = Program(derived, least="rate")
    with one_thread():
        point = minimised(program.cone).point
    return _record(task, point[program.place["rate"]], program, point) if point else None


def _record(task: Task, rate: Fraction, program: Program, point: Point | None) -> Record | None:
    """Return the record of a proof, verified again."""
    if point is None:
        return None
    parameters, targets = program.proofs(point)
    if any(refusals(*target) for target in targets):
        return None
    facts: list[Facts] = []
    items = []
    for target, known, multipliers in targets:
        facts += [] if known in facts else [known]
        items.append({"target": target, "facts": facts.index(known), **multipliers})
    head = {"schema": 1, "kind": PROVED, "task": task.to_json(), "rate": rate}
    return {**head, "parameters": parameters, "facts": facts, "targets": items}


def bisected(task: Task, low: Fraction, width: Fraction) -> Record | None:
    """Return a proof of the smallest proved rate between ``low`` and 1, up to the width."""
    high, best = Fraction(1), None
    while high - low > width:
        rate = Fraction(round((low + high) / 2 * 10**7), 10**7)
        found = proved(task, rate)
        low, high, best = (low, rate, found) if found else (rate, high, best)
    return best
