"""Runs of the reference over Fractions as Coq files: what each method's lemmas say. See ``bridge``."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.proofs_checks.engines.bridge_script import BridgeCase, Script, literal, literals
from dualgap.proofs_checks.engines.paths import expectations
from dualgap.reference import L2, LOSSES, Problem, method

STEPS, HORIZON = 8, 2
ROUNDS = 4  # of the methods whose numbers grow faster
GAP = "gap 3 2 X phi phis lam"
Point = tuple[Fraction, ...]


class ProblemScript(Script):
    """A script with the data of a problem: n = 3, d = 2."""

    solver: Any
    problem: Problem

    def data(self) -> None:
        """X, y, lam, and the loss with its derivative and conjugate at (gamma, y_i): n = 3, d = 2."""
        problem, name = self.problem, self.case.loss.replace("-", "_")
        rows = [[problem.dot(row, list(unit)) for unit in ((1, 0), (0, 1))] for row in problem.rows]
        self.notation("X", f"three {' '.join(f'(two {literals(row)})' for row in rows)}")
        self.notation("y", f"three {literals(problem.y)}")
        self.notation("lam", literal(problem.regularizer.modulus))
        for short, suffix in (("phi", ""), ("dphi", "_deriv"), ("phis", "_conj")):
            self.notation(short, f"fun i => {name}{suffix} {literal(problem.gamma)} (y i)")


class AspdcScript(ProblemScript):
    """alpha_k is the k-th state met, first along the run and then in the tree of the expectations."""

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        super().__init__(case, corrupt)
        self.solver = method("aspdc")
        self.states: dict[Point, int] = {}
        draw = random.Random(case.seed)
        self.problem, start = draw_problem(case, draw)
        self.data()
        self.state(start)
        self.run(start, [draw.randrange(3) for _ in range(STEPS)])
        for t in range(1, HORIZON + 1):
            self.expect(t, start)
            self.expectations += 1

    def state(self, alpha: Point) -> int:
        """The index of a dual point, which is written down when first met."""
        if alpha not in self.states:
            k = self.states[alpha] = len(self.states)
            self.notation(f"alpha_{k}", self.vector(f"alpha_{k}", alpha))
        return self.states[alpha]

    def step(self, alpha: Point, i: int) -> Point:
        """The reference's step from alpha, and lines 5 and 6: aspdc_step gives the same entries."""
        state = self.solver.step(self.problem, self.solver.init(self.problem, list(alpha)), i)
        after = tuple(state.alpha)
        k, following = self.state(alpha), self.state(after)
        for c in range(3):
            self.lemma(
                f"step_{k}_{i}_{c}",
                f"aspdc_step 3 2 X dphi lam alpha_{k} {i}%nat {c}%nat = alpha_{following} {c}%nat",
                f"alpha_{following}_{c}",
            )
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
        self.notation(f"w_{t}", self.vector(f"w_{t}", w))
        for j in range(2):
            self.lemma(
                f"w_{t}_{j}_by_definition",
                f"w_of 3 X lam alpha_{self.state(alpha)} {j}%nat = w_{t} {j}%nat",
                f"w_{t}_{j}",
            )

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


class PgsScript(ProblemScript):
    """acc_t is lambda_1 + .. + lambda_t: lines 5 to 7 give the next one, line 8 the reference's w_t."""

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        super().__init__(case, corrupt)
        self.solver = method("pgs", output="last")
        draw = random.Random(case.seed)
        self.problem, _ = draw_problem(case, draw)
        self.data()
        state = self.solver.init(self.problem)
        self.point(0, state)
        for t in range(ROUNDS):
            i = draw.randrange(3)
            state = self.solver.step(self.problem, state, (i,))
            self.point(t + 1, state)
            for j in range(2):
                sums = f"snd (pgs_step 2 X dphi lam ({t}%nat, acc_{t}) {i}%nat) {j}%nat"
                self.lemma(f"acc_{t + 1}_{j}_line_7", f"{sums} = acc_{t + 1} {j}%nat", f"acc_{t + 1}_{j}")

    def point(self, t: int, state: Any) -> None:
        """acc_t and w_t, and line 8."""
        self.notation(f"acc_{t}", self.vector(f"acc_{t}", [-a for a in state.acc]))
        self.notation(f"w_{t}", self.vector(f"w_{t}", state.w))
        for j in range(2):
            self.lemma(f"w_{t}_{j}_line_8", f"pgs_w lam ({t}%nat, acc_{t}) {j}%nat = w_{t} {j}%nat", f"w_{t}_{j}")


class SpdcScript(ProblemScript):
    """Every state of a run of SPDC with steps of one's own, alpha and w entry by entry, from the state before."""

    STEPS = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 3))  # tau, sigma, theta
    OPTIONS: ClassVar[dict[str, object]] = {}
    CHOICES: ClassVar[Sequence[object]] = (0, 1, 2)  # in Coq the numbers of these
    STEP, DRAWN = "spdc_l2_step 3 2", ""

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        super().__init__(case, corrupt)
        tau, sigma, theta = self.STEPS
        self.solver = method(case.method, tau=tau, sigma=sigma, theta=theta, **self.OPTIONS)
        draw = random.Random(case.seed)
        self.problem, alpha = draw_problem(case, draw)
        self.data()
        self.notation("prox", f"fun i => {case.loss.replace('-', '_')}_prox {literal(self.problem.gamma)} (y i)")
        state = self.solver.init(self.problem, list(alpha))
        self.vectors(0, state)
        self.notation("s_0", "spdc alpha_0 w_0 w_0")
        for t in range(ROUNDS):
            i = draw.randrange(3)
            state = self.solver.step(self.problem, state, self.CHOICES[i])
            self.vectors(t + 1, state)
            after = f"{self.STEP} X prox lam {literals(self.STEPS)}{self.DRAWN} s_{t} {i}%nat"
            for part, size in (("alpha", 3), ("w", 2)):
                for j in range(size):
                    entry = f"{part}_{t + 1}_{j}"
                    self.lemma(f"{entry}_step", f"sp_{part} ({after}) {j}%nat = {part}_{t + 1} {j}%nat", entry)
            self.notation(f"s_{t + 1}", f"spdc alpha_{t + 1} w_{t + 1} w_{t}")

    def vectors(self, t: int, state: Any) -> None:
        """alpha_t and w_t."""
        self.notation(f"alpha_{t}", self.vector(f"alpha_{t}", state.alpha))
        self.notation(f"w_{t}", self.vector(f"w_{t}", state.w))


class MiniBatchSpdcScript(SpdcScript):
    """The same with two of the three rows a step: the sets of two, in the order of ``subset 3 2``."""

    OPTIONS: ClassVar[dict[str, object]] = {"m": 2}
    CHOICES = ((2, 1), (2, 0), (1, 0))
    STEP, DRAWN = "spdc_l2_batch_step 3 2 2", " (subset 3 2)"


def draw_problem(case: BridgeCase, draw: random.Random) -> tuple[Problem, Point]:
    """Small rationals and a start in the domain; lam is so small that the margins leave [1 - gamma, 1] both ways."""
    loss = LOSSES[case.loss](case.gamma)
    rows = [[Fraction(draw.randint(-4, 4), 4) for _ in range(2)] for _ in range(3)]
    y = [Fraction(draw.choice((-1, 1))) if loss.margin else Fraction(draw.randint(-6, 6), 3) for _ in range(3)]
    alpha = tuple(-y_i * Fraction(draw.randint(0, 4), 4) for y_i in y)
    return Problem(rows, y, loss, L2(Fraction(1, 3)), number=Fraction), alpha
