"""The tie between the formal proof and the code that runs: exact runs of the reference, proved step by step.

A theorem about ``Definitions.v`` says nothing about a program. So runs of the reference over Fractions (n = 3,
d = 2, squared loss and smoothed hinge, one recorded seed each) are written as a Coq file of literal rationals:

- ``step``    lines 5-6: aspdc_step has the entries that the reference computed;
- ``loop``    line 7 as coded: the incremental update of w gives the reference's w, which is w(alpha) by definition too;
- ``gap``     P(w) - D(alpha) at the two ends of the run;
- ``expect``  E gap_t, t = 1 and 2, against the numbers that the enumeration engine finds.

Each lemma is proved by computation. In a corrupted copy one number is off by 10^-6; it must be rejected, and on
the line of the lemma that speaks of that number.
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dualgap.proofs_checks.engines.paths import expectations
from dualgap.reference import L2, LOSSES, Problem, method

STEPS, HORIZON = 8, 2
OFF = Fraction(1, 10**6)
GAP = "gap 3 2 X phi phis lam"
Point = tuple[Fraction, ...]
HEADER = """\
(* Written by dualgap.proofs_checks.engines.bridge from a run of the reference; every number is the reference's. *)
From Coq Require Import Reals Lra.
From Dualgap Require Import Definitions Bridge.
Open Scope R_scope.
"""


@dataclass(frozen=True)
class BridgeCase:
    """One recorded run: the loss, the seed of data and path, and the number that the corrupted copy gets wrong."""

    loss: str
    gamma: Fraction
    seed: int
    corrupted: str


CASES = (
    BridgeCase("squared", Fraction(3, 2), 1, "alpha_5_0"),
    BridgeCase("smoothed-hinge", Fraction(3, 2), 10, "expect_1_0"),
)


class Script:
    """The Coq file of one case: ``text``. With ``corrupt`` the number of that name is off by 10^-6.

    alpha_k is the k-th state met, first along the run and then in the tree of the expectations.
    """

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        self.case, self.corrupt, self.solver = case, corrupt, method("aspdc")
        self.lines = [*map(str, HEADER.splitlines())]
        self.line_of: dict[str, int] = {}  # name of a number to the line of the first lemma that speaks of it
        self.states: dict[Point, int] = {}
        self.known: set[str] = set()
        draw = random.Random(case.seed)
        self.problem, start = draw_problem(case, draw)
        self.data()
        self.state(start)
        self.run(start, [draw.randrange(3) for _ in range(STEPS)])
        for t in range(1, HORIZON + 1):
            self.expect(t, start)

    @property
    def text(self) -> str:
        """The file."""
        return "\n".join(self.lines) + "\n"

    def data(self) -> None:
        """X, y, lam, and the loss with its derivative and conjugate at (gamma, y_i)."""
        problem, name = self.problem, self.case.loss.replace("-", "_")
        rows = [[problem.dot(row, list(unit)) for unit in ((1, 0), (0, 1))] for row in problem.rows]
        self.notation("X", f"three {' '.join(f'(two {literals(row)})' for row in rows)}")
        self.notation("y", f"three {literals(problem.y)}")
        self.notation("lam", literal(problem.regularizer.modulus))
        for short, suffix in (("phi", ""), ("dphi", "_deriv"), ("phis", "_conj")):
            self.notation(short, f"fun i => {name}{suffix} {literal(problem.gamma)} (y i)")

    def notation(self, name: str, meaning: str) -> None:
        self.lines.append(f"Notation {name} := ({meaning}).")

    def number(self, name: str, value: Fraction) -> str:
        """The literal of a named number, which is off where it is the one to be corrupted."""
        return literal(value + OFF if name == self.corrupt else value)

    def lemma(self, name: str, statement: str, speaks_of: str, proof: str = "by_computation.") -> None:
        """One lemma on one line, so that the line of an error names it. A lemma is written once."""
        if name not in self.known:
            self.known.add(name)
            self.lines.append(f"Lemma {name} : {statement}. Proof. {proof} Qed.")
            self.line_of.setdefault(speaks_of, len(self.lines))

    def state(self, alpha: Point) -> int:
        """The index of a dual point, which is written down when first met."""
        if alpha not in self.states:
            k = self.states[alpha] = len(self.states)
            self.notation(f"alpha_{k}", f"three {' '.join(self.number(f'alpha_{k}_{i}', a) for i, a in enumerate(alpha))}")
        return self.states[alpha]

    def step(self, alpha: Point, i: int) -> Point:
        """The reference's step from alpha, and lines 5 and 6: aspdc_step gives the same entries."""
        state = self.solver.step(self.problem, self.solver.init(self.problem, list(alpha)), i)
        after = tuple(state.alpha)
        k, following = self.state(alpha), self.state(after)
        for c in range(3):
            self.lemma(f"step_{k}_{i}_{c}", f"aspdc_step 3 2 X dphi lam alpha_{k} {i}%nat {c}%nat = alpha_{following} {c}%nat", f"alpha_{following}_{c}")
        return after

    def run(self, alpha: Point, path: Sequence[int]) -> None:
        """The run: every state, its w by definition and by the loop as coded, and the gap at both ends."""
        state = self.solver.init(self.problem, list(alpha))
        self.response(0, alpha, state.v)
        self.gap(alpha)
        for t, i in enumerate(path):
            k, after = self.state(alpha), self.step(alpha, i)
            state = self.solver.step(self.problem, state, i)
            if tuple(state.alpha) != after:
                raise AssertionError("the reference's step depends on more than alpha")
            self.response(t + 1, after, state.v)
            for j in range(2):
                loop = f"snd (inc_step 3 2 X dphi lam (alpha_{k}, w_{t}) {i}%nat) {j}%nat"
                self.lemma(f"loop_{t + 1}_{j}", f"{loop} = w_{t + 1} {j}%nat", f"w_{t + 1}_{j}")
            alpha = after
        self.gap(alpha)

    def response(self, t: int, alpha: Point, w: Sequence[Fraction]) -> None:
        """w after t steps, as the reference carries it, is w(alpha)."""
        self.notation(f"w_{t}", f"two {' '.join(self.number(f'w_{t}_{j}', w_j) for j, w_j in enumerate(w))}")
        for j in range(2):
            self.lemma(f"w_{t}_{j}_by_definition", f"w_of 3 X lam alpha_{self.state(alpha)} {j}%nat = w_{t} {j}%nat", f"w_{t}_{j}")

    def gap(self, alpha: Point) -> None:
        """P(w) - D(alpha) at the reference's own w."""
        k, value = self.state(alpha), self.problem.gap(self.problem.w(list(alpha)), list(alpha))
        self.lemma(f"gap_{k}", f"{GAP} alpha_{k} = {self.number(f'gap_{k}', value)}", f"gap_{k}")

    def expect(self, t: int, alpha: Point) -> None:
        """E gap_t from alpha: the number of the enumeration engine, proved from the three successors."""
        k, name = self.state(alpha), f"expect_{t}_{self.state(alpha)}"
        start = self.solver.init(self.problem, list(alpha))
        value = expectations(self.solver, self.problem, start, t, lambda s: self.problem.gap(s.v, s.alpha))[t]
        statement = f"Expect 3 (aspdc_step 3 2 X dphi lam) {t} ({GAP}) alpha_{k} = {self.number(name, value)}"
        if t == 0:
            return self.lemma(name, statement, name)
        agree, before = "", ""
        for i in range(3):
            after = self.step(alpha, i)
            self.expect(t - 1, after)
            agree += f" (agree_three _ alpha_{self.state(after)} {' '.join(f'step_{k}_{i}_{c}' for c in range(3))})"
            before += f" expect_{t - 1}_{self.state(after)}"
        proof = f"refine (eq_trans (expect_three 2 X phi dphi phis lam _ _ _ _ _ _ _ _{agree}{before}) _); lra."
        self.lemma(name, statement, name, proof)


def draw_problem(case: BridgeCase, draw: random.Random) -> tuple[Problem, Point]:
    """Small rationals and a start inside the domain; lam is so small that the margins leave [1 - gamma, 1] both ways."""
    loss = LOSSES[case.loss](case.gamma)
    rows = [[Fraction(draw.randint(-4, 4), 4) for _ in range(2)] for _ in range(3)]
    y = [Fraction(draw.choice((-1, 1))) if loss.margin else Fraction(draw.randint(-6, 6), 3) for _ in range(3)]
    alpha = tuple(-y_i * Fraction(draw.randint(0, 4), 4) for y_i in y)
    return Problem(rows, y, loss, L2(Fraction(1, 3)), number=Fraction), alpha


def literal(value: Fraction) -> str:
    """A rational in Coq's real scope."""
    return f"({value.numerator}/{value.denominator})" if value.denominator != 1 else f"({value.numerator})"


def literals(values: Sequence[Fraction]) -> str:
    """Several rationals as arguments."""
    return " ".join(literal(value) for value in values)


# -- asking Coq ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bridge:
    """What Coq said: runs and expectations put to it, corrupted copies rejected, and why the bridge does not hold ("" when it does)."""

    runs: int
    expectations: int
    rejected: int
    problem: str

    def __str__(self) -> str:
        return self.problem or (
            f"bridge: {self.runs} runs and {self.expectations} expectations of the reference proved, "
            f"{self.rejected} corrupted copies rejected"
        )


def failing_line(compiled: pathlib.Path, text: str) -> tuple[int | None, str]:
    """(line of the first error, message) of a Coq file over the compiled development; (None, "") when accepted."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "run.v"
        path.write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", str(compiled), "Dualgap", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return None, ""
    found = re.search(r'run\.v", line (\d+), characters', done.stderr)
    return (int(found[1]) if found else 0), done.stderr.strip()


def cross(compiled: pathlib.Path) -> Bridge:
    """Prove every case over the compiled development in ``compiled``, and see every corrupted copy rejected."""
    rejected, problem = 0, ""
    for case in CASES:
        script, corrupted = Script(case), Script(case, case.corrupted)
        line, message = failing_line(compiled, script.text)
        if line is not None:
            problem = problem or f"the run with {case.loss} is rejected: {message}"
        expected = corrupted.line_of[case.corrupted]
        line, message = failing_line(compiled, corrupted.text)
        if line != expected:
            problem = problem or f"the corrupted copy of {case.loss} must fail on line {expected} ({case.corrupted}), not {line}: {message}"
        rejected += line == expected
    return Bridge(len(CASES), len(CASES) * HORIZON, rejected, problem)


def main(arguments: Sequence[str]) -> int:
    """``python3 -m dualgap.proofs_checks.engines.bridge FOLDER``, the folder with the compiled development."""
    if len(arguments) != 1:
        print("usage: python3 -m dualgap.proofs_checks.engines.bridge FOLDER (the compiled development)", file=sys.stderr)
        return 2
    found = cross(pathlib.Path(arguments[0]).resolve())
    print(found)
    return 1 if found.problem else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
