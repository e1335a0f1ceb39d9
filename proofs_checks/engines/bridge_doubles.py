"""Sums and certificates in doubles as Coq files, which need Flocq. See ``bridge``."""

import math
import random
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from dualgap.proofs_checks.engines.bridge_script import BridgeCase, Script
from dualgap.proofs_checks.engines.substituted import substituted
from dualgap.reference import L2, LOSSES, ElasticNet, Problem

if TYPE_CHECKING:
    from dualgap.fast.problem.certificate import Certificate
    from dualgap.fast.problem.gap_bound import Sizes
    from dualgap.fast.problem.objective import Objective


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
        self.tables(rows, w=w, alpha=self.alpha)
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

    def tables(self, rows: Sequence[Sequence[float]], **vectors: Sequence[float]) -> None:
        """The vectors by name, and the rows as X."""
        for name, values in vectors.items():
            self.notation(name, self.table(values))
        self.notation("X", match("i", [self.table(row) for row in rows]))

    def table(self, values: Sequence[float]) -> str:
        """Doubles as a function of the index."""
        return f"({match('j', list(map(double, values)))})"

    def equal(self, name: str, expression: str, value: float) -> None:
        """The expression has this value, bit for bit."""
        told = math.nextafter(value, math.inf) if name == self.corrupt else value
        self.lemma(name, f"same ({expression}) {double(told)} = true", name, "vm_compute. reflexivity.")


class BoundScript(SumsScript):
    """``gap_bound`` of a certificate in doubles, L2 or elastic net, with what it is made of: the terms, the gap, the
    sizes.

    The doubles are those of the compiled code. hypot is the recorded one, at the recorded arguments only. At gamma = 0,
    where slope * e_z takes the place of hypot's second argument, nothing calls it.
    """

    header = """\
(* Written by dualgap.proofs_checks.engines.bridge from a certificate in doubles. *)
From Coq Require Import ZArith.
From Dualgap Require Import Definitions Binary64.
Open Scope Z_scope.
"""
    REGULARIZER: ClassVar[Any] = L2(0.3)
    PART, BOUND = "@l2_residual A 4 mu", "@code_gap_bound A 3 4 X {residuals} gamma mu y w alpha"

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        import numpy as np

        from dualgap.fast.problem.gap_bound import TINY
        from dualgap.fast.problem.objective import Objective

        Script.__init__(self, case, corrupt)
        kind, smooth = LOSSES[case.loss], case.gamma > 0
        rows, y, self.w, self.alpha = self.pair()
        self.problem = problem = Problem(
            np.array(rows), y, kind(float(case.gamma)) if kind.adjustable else kind(), self.REGULARIZER, number=float
        )
        w, alpha = self.w, self.alpha
        found, calls = recorded_certificate(problem, w, alpha)
        self.objective = objective = Objective(problem)
        self.z = objective.z(np.array(w)).tolist()
        self.notation("A", f"doubles (recorded {' '.join(map(double, calls[0]))})" if smooth else "doubles no_hypot")
        self.tables(rows, y=y, w=w, alpha=alpha)
        numbers = {"gamma": problem.gamma, "mu": problem.regularizer.modulus, "l1": problem.regularizer.l1}
        for name, value in numbers.items():
            self.notation(name, double(value))
        named = "".join(part.capitalize() for part in case.loss.split("-"))
        residual = f"@residual_of A {named} gamma" if smooth else f"@{case.loss}_residual A"
        for i, z in enumerate(self.z):
            self.equal(f"z_{i}", f"@row_z A 4 (X {i}%nat) w", z)
            self.equal(
                f"residual_{i}",
                f"{residual} (y {i}%nat) (@row_z A 4 (X {i}%nat) w) (alpha {i}%nat)",
                problem.loss.residual(z, alpha[i], y[i]),
            )
        for j, minus_u in enumerate(found.minus_u.tolist()):
            self.equal(f"minus_u_{j}", f"@minus_mean A 3 X alpha {j}%nat", minus_u)
        self.equal("regularizer_part", f"{self.PART} (@minus_mean A 3 X alpha) w", found.regularizer_part)
        residuals = f"(fun i z a => {residual} (y i) z a) ({self.PART})"
        self.equal("gap", f"@computed_gap A 3 4 X {residuals} w alpha", found.gap)
        sizes, lengths = sizes_of(objective, found), objective.row_sizes
        for name, expression, size in (
            ("norm", "@norm_of A 3 4 X", sizes.norm),
            ("w_length", "@length_of A 4 w", sizes.w),
            ("mean_length", "@mean_length A 3 4 X alpha", sizes.u),
        ):
            self.equal(name, expression, size)
        bound = self.BOUND.format(residuals=residuals)
        if not smooth:
            e_z = "@plain_e_z A 4 (@norm_of A 3 4 X) (@length_of A 4 w)"
            self.equal("e_z", e_z, sizes.e_z + 8 * lengths.longest * TINY)
            bound = f"@code_slope_bound A 3 4 X {residuals} {double(lengths.slope)} mu w alpha"
        self.equal("gap_bound", bound, found.gap_bound)

    def pair(self) -> tuple[list[list[float]], list[float], list[float], list[float]]:
        """Rows, targets or labels, w, and alpha in the domain."""
        draw, loss = random.Random(self.case.seed), LOSSES[self.case.loss]()
        rows = [[draw.uniform(-3, 3) for _ in range(4)] for _ in range(3)]
        y, w, alpha = ([draw.gauss(0, 1) for _ in range(size)] for size in (3, 4, 3))
        if loss.margin:
            y = [math.copysign(1.0, t) for t in y]
            alpha = [-label * min(abs(a), 1.0) for label, a in zip(y, alpha, strict=True)]
        elif loss.gamma == 0:
            alpha = [max(-1.0, min(1.0, a)) for a in alpha]
        return rows, y, w, alpha


class ElasticBoundScript(BoundScript):
    """The same with the elastic net; some |u_j| are below l1, and w has both signs."""

    REGULARIZER = ElasticNet(0.3, 0.2)
    PART = "@elastic_residual A 4 mu l1"
    BOUND = "@elastic_gap_bound A 3 4 X {residuals} gamma mu l1 y w alpha"


def sizes_of(objective: "Objective", found: "Certificate") -> "Sizes":
    """Return the parts of the ``gap_bound`` of a certificate of three rows in plain sums."""
    from dualgap.fast.problem.evaluated import mean_length
    from dualgap.fast.problem.gap_bound import length, plain

    magnitudes = objective.evaluate(found.w, found.alpha).magnitudes
    return plain(objective.row_sizes, 3, length(found.w), mean_length(objective, found.alpha, magnitudes[1]))


def recorded_certificate(
    problem: Problem, w: Sequence[float], alpha: Sequence[float]
) -> tuple["Certificate", list[tuple[float, float, float]]]:
    """The certificate, and the arguments and the value of each ``math.hypot`` that its bound called."""
    from dualgap.fast.problem import gap_bound
    from dualgap.fast.problem.certificate import Certificate

    calls: list[tuple[float, float, float]] = []

    def hypot(a: float, b: float) -> float:
        calls.append((a, b, math.hypot(a, b)))
        return calls[-1][2]

    recording = types.SimpleNamespace(**{**vars(math), "hypot": hypot})
    with substituted(gap_bound, math=recording):
        found = Certificate(problem, w, alpha)
    return found, calls


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


def match(index: str, values: Sequence[str]) -> str:
    """A function of the index in Coq."""
    cases = " ".join(f"| {k}%nat => {value}" for k, value in enumerate(values[:-1]))
    return f"fun {index} => match {index} with {cases} | _ => {values[-1]} end"
