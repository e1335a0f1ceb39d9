"""Runs of the reference over Fractions as Coq files: what each method's lemmas say. See ``bridge``."""

import math
import random
import types
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.proofs_checks.engines.bridge_script import BridgeCase, Script, literal, literals
from dualgap.proofs_checks.engines.paths import expectations
from dualgap.proofs_checks.engines.substituted import substituted
from dualgap.reference import L2, LOSSES, ElasticNet, Problem, method

STEPS, HORIZON = 8, 2
ROUNDS = 4  # of the methods whose numbers grow faster
GAP = "gap 3 2 X phi phis lam"
Point = tuple[Fraction, ...]


class ProblemScript(Script):
    """With the data of a problem: n = 3, d = 2."""

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
    OPTIONS: ClassVar[dict[str, Any]] = {}
    CHOICES: ClassVar[Sequence[Any]] = (0, 1, 2)  # in Coq the numbers of these
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

    OPTIONS: ClassVar[dict[str, Any]] = {"m": 2}
    CHOICES = ((2, 1), (2, 0), (1, 0))
    STEP, DRAWN = "spdc_l2_batch_step 3 2 2", " (subset 3 2)"


def draw_problem(case: BridgeCase, draw: random.Random) -> tuple[Problem, Point]:
    """Small rationals and a start inside the domain; lam is so small that the margins leave [1 - gamma, 1] both
    ways.
    """
    loss = LOSSES[case.loss](case.gamma)
    rows = [[Fraction(draw.randint(-4, 4), 4) for _ in range(2)] for _ in range(3)]
    y = [Fraction(draw.choice((-1, 1))) if loss.margin else Fraction(draw.randint(-6, 6), 3) for _ in range(3)]
    alpha = tuple(-y_i * Fraction(draw.randint(0, 4), 4) for y_i in y)
    return Problem(rows, y, loss, L2(Fraction(1, 3)), number=Fraction), alpha


class SumsScript(Script):
    """The two sums of a certificate in doubles: every partial sum of X w and of X^T alpha, and its mean. Needs Flocq.

    The doubles are those of the reference, whose bits the compiled code has. The corrupted one is off in its last bit.
    """

    header = """\
(* Written by dualgap.proofs_checks.engines.bridge from sums of the reference in doubles. *)
From Coq Require Import ZArith.
From Dualgap Require Import Binary64.
Open Scope Z_scope.
"""

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        super().__init__(case, corrupt)
        draw = random.Random(case.seed)
        rows = [[draw.uniform(-3, 3) * 10.0 ** draw.randint(-8, 8) for _ in range(4)] for _ in range(3)]
        w, self.alpha = [draw.gauss(0, 1) for _ in range(4)], [draw.gauss(0, 1) for _ in range(3)]
        self.problem = Problem(rows, [0.0] * 3, LOSSES[case.loss](float(case.gamma)), L2(1.0), number=float)
        self.w = w
        self.notation("w", self.table(w))
        self.notation("alpha", self.table(self.alpha))
        self.notation(
            "X",
            f"fun i => match i with {' '.join(f'| {i}%nat => {self.table(row)}' for i, row in enumerate(rows[:-1]))} |"
            f" _ => {self.table(rows[-1])} end",
        )
        for i, row in enumerate(rows):
            for k in range(1, 5):
                known = sum_in_order(row[:k], w)
                self.equal(f"z_{i}_{k}", f"dot64 {k} (X {i}%nat) w", known)
            if known != self.problem.dot(self.problem.rows[i], w):
                raise AssertionError("the reference sums x_i^T w in another order")
        for j, minus_u in enumerate(self.problem.minus_u(self.alpha)):
            column = [row[j] for row in rows]
            for k in range(1, 4):
                known = sum_in_order(self.alpha[:k], column)
                self.equal(f"t_{j}_{k}", f"sum64 {k} (fun i => mul64 (alpha i) (X i {j}%nat))", known)
            self.equal(f"u_{j}", f"mean64 3 (double 3 0) X alpha {j}%nat", known / 3)
            if minus_u != -(known / 3):
                raise AssertionError("the reference sums X^T alpha in another order")

    def table(self, values: Sequence[float]) -> str:
        """Doubles as a function of the index."""
        return (
            f"(fun j => match j with {' '.join(f'| {j}%nat => {double(x)}' for j, x in enumerate(values[:-1]))} | _ =>"
            f" {double(values[-1])} end)"
        )

    def equal(self, name: str, expression: str, value: float) -> None:
        """The expression has this value, bit for bit."""
        told = math.nextafter(value, math.inf) if name == self.corrupt else value
        self.lemma(name, f"same ({expression}) {double(told)} = true", name, "vm_compute. reflexivity.")


class BoundScript(SumsScript):
    """``gap_bound`` of a certificate in doubles, L2 or elastic net, with what it is made of: the terms, the gap, the
    sizes.

    The doubles are those of the compiled code. hypot is the recorded one, at the recorded arguments only.
    """

    header = """\
(* Written by dualgap.proofs_checks.engines.bridge from a certificate in doubles. *)
From Coq Require Import ZArith.
From Dualgap Require Import Definitions Binary64.
Open Scope Z_scope.
"""
    REGULARIZER: ClassVar[Any] = L2(0.3)
    PART, BOUND = "@l2_residual A 4 mu", "@code_gap_bound A 3 4 X {residuals} ({part}) gamma mu y w alpha"

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        import numpy as np

        from dualgap.fast.problem.certificate import mean_length
        from dualgap.fast.problem.gap_bound import plain
        from dualgap.fast.problem.objective import Objective

        Script.__init__(self, case, corrupt)
        rows, y, self.w, self.alpha = self.pair()
        kind = LOSSES[case.loss]
        self.problem = problem = Problem(
            np.array(rows), y, kind(float(case.gamma)) if kind.adjustable else kind(), self.REGULARIZER, number=float
        )
        w, alpha = self.w, self.alpha
        found, call = recorded_certificate(problem, w, alpha)
        self.objective = objective = Objective(problem)
        self.notation("A", f"doubles (recorded {' '.join(map(double, call))})")
        for name, values in (("y", y), ("w", w), ("alpha", alpha)):
            self.notation(name, self.table(values))
        self.notation(
            "X",
            f"fun i => match i with {' '.join(f'| {i}%nat => {self.table(row)}' for i, row in enumerate(rows[:-1]))} |"
            f" _ => {self.table(rows[-1])} end",
        )
        for name, value in (
            ("gamma", problem.gamma),
            ("mu", problem.regularizer.modulus),
            ("l1", problem.regularizer.l1),
        ):
            self.notation(name, double(value))
        loss = "".join(part.capitalize() for part in case.loss.split("-"))
        for i, z in enumerate(objective.z(np.array(w)).tolist()):
            self.equal(f"z_{i}", f"@row_z A 4 (X {i}%nat) w", z)
            self.equal(
                f"residual_{i}",
                f"@residual_of A {loss} gamma (y {i}%nat) (@row_z A 4 (X {i}%nat) w) (alpha {i}%nat)",
                problem.loss.residual(z, alpha[i], y[i]),
            )
        for j, minus_u in enumerate(found.minus_u.tolist()):
            self.equal(f"minus_u_{j}", f"@minus_mean A 3 X alpha {j}%nat", minus_u)
        self.equal("regularizer_part", f"{self.PART} (@minus_mean A 3 X alpha) w", found.regularizer_part)
        residuals = f"(fun i z a => @residual_of A {loss} gamma (y i) z a)"
        self.equal("gap", f"@computed_gap A 3 4 X {residuals} ({self.PART}) w alpha", found.gap)
        sizes = plain(
            objective.row_sizes,
            3,
            found.w,
            mean_length(objective, found.alpha, objective.evaluate(found.w, found.alpha).magnitudes[1]),
        )
        for name, expression, size in (
            ("norm", "@norm_of A 3 4 X", sizes.norm),
            ("w_length", "@length_of A 4 w", sizes.w),
            ("mean_length", "@mean_length A 3 4 X alpha", sizes.u),
        ):
            self.equal(name, expression, size)
        self.equal("gap_bound", self.BOUND.format(residuals=residuals, part=self.PART), found.gap_bound)

    def pair(self) -> tuple[list[list[float]], list[float], list[float], list[float]]:
        """Rows, targets or labels, w, and alpha in the domain."""
        draw = random.Random(self.case.seed)
        rows = [[draw.uniform(-3, 3) for _ in range(4)] for _ in range(3)]
        y, w, alpha = ([draw.gauss(0, 1) for _ in range(size)] for size in (3, 4, 3))
        if LOSSES[self.case.loss].margin:
            y = [math.copysign(1.0, t) for t in y]
            alpha = [-label * min(abs(a), 1.0) for label, a in zip(y, alpha, strict=True)]
        return rows, y, w, alpha


class ElasticBoundScript(BoundScript):
    """The same with the elastic net; some |u_j| are below l1, and w has both signs."""

    REGULARIZER = ElasticNet(0.3, 0.2)
    PART = "@elastic_residual A 4 mu l1"
    BOUND = "@elastic_gap_bound A 3 4 X {residuals} ({part}) gamma mu l1 y w alpha"


class SlopeBoundScript(SumsScript):
    """The same at gamma = 0, where slope * e_z takes the place of hypot's second argument, and nothing calls hypot."""

    header = BoundScript.header

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        import numpy as np

        from dualgap.fast.problem.certificate import Certificate, mean_length
        from dualgap.fast.problem.gap_bound import TINY, plain
        from dualgap.fast.problem.objective import Objective

        Script.__init__(self, case, corrupt)
        draw, loss = random.Random(case.seed), LOSSES[case.loss]()
        rows = [[draw.uniform(-3, 3) for _ in range(4)] for _ in range(3)]
        y = [float(draw.choice((-1, 1))) if loss.margin else draw.gauss(0, 1) for _ in range(3)]
        low, high = (float(end) for end in loss.ends if end is not None)
        w, alpha = (
            [draw.gauss(0, 1) for _ in range(4)],
            [(-y_i if loss.margin else 1.0) * draw.uniform(low, high) for y_i in y],
        )
        self.problem = Problem(np.array(rows), y, loss, L2(0.3), number=float)
        found, objective = Certificate(self.problem, w, alpha), Objective(self.problem)
        self.z, sizes = objective.z(np.array(w)).tolist(), objective.row_sizes
        self.notation("A", "doubles no_hypot")
        for name, values in (("y", y), ("w", w), ("alpha", alpha)):
            self.notation(name, self.table(values))
        self.notation(
            "X",
            f"fun i => match i with {' '.join(f'| {i}%nat => {self.table(row)}' for i, row in enumerate(rows[:-1]))} |"
            f" _ => {self.table(rows[-1])} end",
        )
        self.notation("mu", double(self.problem.regularizer.modulus))
        for i, z in enumerate(self.z):
            self.equal(
                f"residual_{i}",
                f"@{case.loss}_residual A (y {i}%nat) (@row_z A 4 (X {i}%nat) w) (alpha {i}%nat)",
                self.problem.loss.residual(z, alpha[i], y[i]),
            )
        made_of = f"(fun i z a => @{case.loss}_residual A (y i) z a) (@l2_residual A 4 mu)"
        self.equal("gap", f"@computed_gap A 3 4 X {made_of} w alpha", found.gap)
        e_z = plain(
            sizes,
            3,
            found.w,
            mean_length(objective, found.alpha, objective.evaluate(found.w, found.alpha).magnitudes[1]),
        ).e_z
        self.equal("e_z", "@plain_e_z A 4 (@norm_of A 3 4 X) (@length_of A 4 w)", e_z + 8 * sizes.longest * TINY)
        self.equal(
            "gap_bound", f"@code_slope_bound A 3 4 X {made_of} {double(sizes.slope)} mu w alpha", found.gap_bound
        )


def recorded_certificate(
    problem: Problem, w: Sequence[float], alpha: Sequence[float]
) -> tuple[Any, tuple[float, float, float]]:
    """The certificate, and the arguments and the value of the first ``math.hypot`` that its bound called."""
    from dualgap.fast.problem import gap_bound
    from dualgap.fast.problem.certificate import Certificate

    calls: list[tuple[float, float, float]] = []

    def hypot(a: float, b: float) -> float:
        calls.append((a, b, math.hypot(a, b)))
        return calls[-1][2]

    recording = types.SimpleNamespace(**{**vars(math), "hypot": hypot})
    with substituted(gap_bound, math=recording):
        found = Certificate(problem, w, alpha)
    return found, calls[0]


def sum_in_order(left: Sequence[float], right: Sequence[float]) -> float:
    """0.0 + a b + ..., every product and every partial sum rounded."""
    total = 0.0
    for a, b in zip(left, right, strict=False):
        total = total + a * b
    return total


def double(value: float) -> str:
    """A double by its 53-bit mantissa and its exponent."""
    mantissa, exponent = math.frexp(value)
    return f"(double ({int(mantissa * 2.0**53)}) ({exponent - 53}))"


SCRIPTS: dict[str, type[Script]] = {
    "aspdc": AspdcScript,
    "pgs": PgsScript,
    "spdc": SpdcScript,
    "spdc-minibatch": MiniBatchSpdcScript,
    "sums in doubles": SumsScript,
    "gap_bound in doubles": BoundScript,
    "gap_bound of the elastic net": ElasticBoundScript,
    "gap_bound at gamma = 0": SlopeBoundScript,
}


def script(case: BridgeCase, corrupt: str | None = None) -> Script:
    """The Coq file of a case."""
    return SCRIPTS[case.method](case, corrupt)
