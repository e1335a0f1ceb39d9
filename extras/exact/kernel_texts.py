"""The proof in a file as a theorem of Coq, which the checker ``PepProof.v`` decides, and of Lean 4; for Coq also the
lower end, and a refutation.

Both prove tau - metric = sum of multipliers times facts + sum of c |sum_i u_i p_i|^2, c >= 0. Each fact is multiplied
by the common denominator of its coefficients.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from dualgap.extras.exact.cone import Form, eliminated
from dualgap.extras.exact.record import metric_of

Integers = list[tuple[int, str]]  # terms of a fact: coefficient and key, "One" for the constant
Square = tuple[Fraction, dict[int, int]]  # c and u
COQ = """(* {words} *)
From Coq Require Import ZArith List.
From Dualgap Require Import PepProof.
Import ListNotations.
Open Scope Z_scope.
Definition facts : pep := {{| metric := {metric}%nat;\n  inequalities := {inequalities};\n  equalities := {equalities};
  matrices := {matrices} |}}.
"""
BOUND = """Definition multipliers : proof := {{| denominator := {N};\n  for_inequalities := {for_inequalities};
  for_equalities := {for_equalities};\n  for_matrices := {for_matrices};\n  squares := {squares} |}}.
Theorem bound : bounded facts ({tau.numerator}, {tau.denominator}%positive).
Proof. apply pep_rate with multipliers. vm_cast_no_check (eq_refl true). Qed.
Print Assumptions bound.
"""
WITNESS = """Definition {name} : witness := {{|\n  scale := {N}; values := {F};\n  gram := {gram};
  at_matrices := {at} |}}.
"""
LOWER = """Theorem lower : attained facts ({low.numerator}, {low.denominator}%positive).
Proof. apply pep_attained with point. vm_cast_no_check (eq_refl true). Qed.
Print Assumptions lower.
"""
NO_BOUND = """Theorem no_bound : unbounded facts.
Proof. apply pep_unbounded with point direction. vm_cast_no_check (eq_refl true). Qed.
Print Assumptions no_bound.
"""
LEAN = """/- {words}
   This text has not been run: the tests of dualgap have no Lean. It is for Lean 4 and a Mathlib whose
   `linear_combination` proves inequalities. Facts with multiplier 0 are left out; G i j = <p_i, p_j>, i <= j. -/
import Mathlib
set_option maxHeartbeats 0 in
theorem bound (F : ℕ → ℝ) (G : ℕ → ℕ → ℝ)\n    {facts} :\n    F {metric} ≤ {tau} := by\n  linear_combination {steps}
"""


def coq_text(record: Any) -> str:
    """Return a file for Coq: facts, multipliers as integers, the values that are attained, the direction, and theorems
    about them, which a computation decides.

    It needs ``Definitions.v`` and ``PepProof.v`` of ``proofs_checks/formal``, compiled. Raises ValueError if a form
    that must be positive semidefinite is not.
    """
    scalars, matrices = _identity(record)
    fields = {kind: _coq([f"(* {_words(n)} *) {_coq(form)}" for n, form, _ in of]) for kind, of in scalars.items()}
    fields["matrices"] = _coq([rows for rows, _ in matrices[:-1]])
    text = COQ.format(words=_statement(record), metric=record["metric"], **fields)
    if record["tau"]:
        tau = Fraction(record["tau"])
        multipliers = [m for facts in scalars.values() for *_, m in facts] + [c for _, one in matrices for c, _ in one]
        q = (N := lcm(*(m.denominator for m in multipliers))) * tau.denominator
        weights = [[(c * q, [(f"{i}%nat", a) for i, a in u.items()]) for c, u in squares] for _, squares in matrices]
        fields = {f"for_{kind}": _coq([m * q for *_, m in facts]) for kind, facts in scalars.items()}
        text += BOUND.format(N=N, tau=tau, for_matrices=_coq(weights[:-1]), squares=_coq(weights[-1]), **fields)
    for name, point, one in (("point", record["worst"], 1), ("direction", record["ray"], 0)):
        text += _witness(name, point, one, [rows for rows, _ in matrices[:-1]]) if point else ""
    if record["ray"]:
        return text + NO_BOUND
    return text + LOWER.format(low=Fraction(record["worst"]["F"][record["metric"]])) if record["worst"] else text


def _witness(name: str, point: Any, one: int, matrices: list[Any]) -> str:
    """Return exact values for Coq: numbers times their common denominator, and matrices as sums of squares."""
    F, G = [*map(Fraction, point["F"])], [[*map(Fraction, row)] for row in point["G"]]
    at = {"One": Fraction(one)} | {f"F {k}": x for k, x in enumerate(F)}
    at |= {f"G {i} {j}": x for i, row in enumerate(G) for j, x in enumerate(row)}
    value: Any = lambda form: sum((c * at[key] for c, key in form), Fraction(0))
    sums = [(len(M), squares_of(M)) for M in (G, *([[value(form) for form in row] for row in M] for M in matrices))]
    N = lcm(*(x.denominator for x in [*F, *(c for _, squares in sums for c, _ in squares)]))
    gram, *rest = [[(c * N, [u.get(i, 0) for i in range(k)]) for c, u in squares] for k, squares in sums]
    return WITNESS.format(name=name, N=N, F=_coq([x * N for x in F]), gram=_coq(gram), at=_coq(rest))


def lean_text(record: Any) -> str:
    """Return a theorem for Lean 4 with Mathlib about real function values and inner products. It has not been run."""
    scalars, matrices = _identity(record)
    facts, steps = [], []
    for relation, (kind, of_kind) in zip("≤=", scalars.items()):
        for n, (_, form, m) in enumerate(of_kind):
            if m:
                facts.append(f"({kind}{n} : 0 {relation} {_lean(form)})")
                steps.append(f"({m}) * {kind}{n}")
    for n, (rows, squares) in enumerate(matrices):
        us = [f"u{i}" for i in range(len(rows))]
        products = (f"{u}*{v}*({_lean(form)})" for u, row in zip(us, rows) for v, form in zip(us, row))
        facts.append(f"(psd{n} : ∀ {' '.join(us)} : ℝ, 0 ≤ {' + '.join(products)})")
        steps += [f"({c}) * psd{n} {' '.join(f'({u.get(i, 0)})' for i in range(len(rows)))}" for c, u in squares]
    texts = {"facts": "\n    ".join(facts), "steps": "\n    + ".join(steps) or "0"}
    return LEAN.format(words=_statement(record), metric=record["metric"], tau=record["tau"], **texts)


def _identity(record: Any) -> tuple[dict[str, list[tuple[str, Integers, Fraction]]], list[tuple[Any, list[Square]]]]:
    """Return scalar facts as (name, form, multiplier), and (matrix of forms, squares) of each matrix and of the Gram
    matrix."""
    scalars: dict[str, list[tuple[str, Integers, Fraction]]] = {"inequalities": [], "equalities": []}
    for kind, facts in scalars.items():
        for name, terms, m in record[kind]:
            [[form]], k = _cleared([[terms]])
            facts.append((name, form, Fraction(m or 0) / k))
    parts = [(m, form) for facts in scalars.values() for _, form, m in facts]
    matrices = []
    for _, rows, multipliers in record["matrices"]:
        forms, k = _cleared(rows)
        S = [[Fraction(x) / k for x in row] for row in multipliers or [[0] * len(rows)] * len(rows)]
        matrices.append((forms, squares_of(S)))
        parts += [part for s_row, row in zip(S, forms) for part in zip(s_row, row)]
    size = range(record["points"])
    rest = [[Fraction(0) for _ in size] for _ in size]
    for m, key, c in ((m, key.split(), c) for m, form in parts for c, key in form if key[0] == "G"):
        for i, j in (map(int, key[1:]), map(int, key[:0:-1])):
            rest[i][j] -= m * c / 2
    gram = [[[(1, f"G {min(i, j)} {max(i, j)}")] for j in size] for i in size]
    return scalars, [*matrices, (gram, squares_of(rest))]


def _cleared(rows: Sequence[Sequence[Mapping[str, str]]]) -> tuple[list[list[Integers]], int]:
    """Return terms times their common denominator k, and k."""
    k = lcm(*(Fraction(c).denominator for row in rows for terms in row for c in terms.values()))
    one = {"1": "One"}
    return [[[(int(Fraction(c) * k), one.get(key, key)) for key, c in t.items()] for t in row] for row in rows], k


def squares_of(S: Sequence[Sequence[Fraction]]) -> list[Square]:
    """Return c > 0 and integer vectors u with S = sum of c u u^T. Raises ValueError if S is not semidefinite.

    With the nonsingular rows and columns A of S and a rational R, S = R^T A R. A less a small diagonal is factored with
    rounding, and the rest is diagonally dominant: so the numbers are far shorter than exact pivots are.
    """
    solved = eliminated([Form(enumerate(row)) for row in S], range(len(S))) or {}
    R = [{p: Fraction(1)} | {int(f or 0): -c for f, c in form.items()} for p, form in solved.items()]
    k = lcm(*(c.denominator for row in R for c in row.values()))
    A = [[S[i][j] / k**2 for j in solved] for i in solved]
    for bits in (2**n for n in range(3, 13)):
        if (found := _dominant_rest(A, bits)) is not None:
            sums = [[sum(a * int(k * R[i].get(j, 0)) for i, a in u) for j in range(len(S))] for _, u in found]
            return [(c, {j: a for j, a in enumerate(u) if a}) for (c, _), u in zip(found, sums) if c]
    raise ValueError("a form is not positive semidefinite")


def _dominant_rest(A: list[list[Fraction]], bits: int) -> list[tuple[Fraction, list[tuple[int, int]]]] | None:
    """Return A as a sum of squares: rounded Cholesky rows of A - 2^-bits I, and a diagonally dominant rest; or None."""
    size = range(len(A))
    shift = bits + 2 * len(A).bit_length() + 4 + max((int(A[i][i]).bit_length() for i in size), default=0)
    M = [[int(a * 2**shift) for a in row] for row in A]
    rows: list[list[int]] = []
    for s in size:
        M[s][s] -= 2 ** (shift - bits)
        if M[s][s] <= 0:
            return None
        root = isqrt(M[s][s] << shift)
        rows.append(u := [0] * s + [(M[s][j] << shift) // root for j in size[s:]])
        for i in size[s:]:
            for j in size[s:]:
                M[i][j] -= u[i] * u[j] >> shift
    c = Fraction(1, 4**shift)
    E = [[A[i][j] - c * sum(u[i] * u[j] for u in rows) for j in size] for i in size]
    slacks = [2 * E[i][i] - sum(map(abs, E[i])) for i in size]
    found = [*((c, list(enumerate(u))) for u in rows), *((slack, [(i, 1)]) for i, slack in enumerate(slacks))]
    found += [(abs(E[i][j]), [(i, 1), (j, 1 if E[i][j] > 0 else -1)]) for i in size for j in size[:i]]
    return None if min(slacks, default=0) < 0 else found


def _statement(record: Any) -> str:
    said = {"classes": [], "conditions": [], "metrics": []} | record["statement"]
    conditions = "; ".join(one["text"] for one in said["conditions"])
    return _words(
        f"For every {', '.join(said['classes'])}: if {conditions}, then {metric_of(said)} <= {record['tau']}."
    )


def _words(text: str) -> str:
    """Return a text that neither ends nor begins a comment, or a string in it."""
    return re.sub(r"[^\w .,:;=<>()|^+/-]|(?<!\w)/|/(?!\w)", "", text)


def _coq(value: Any) -> str:
    """Return lists, tuples and integers in Coq. It reads long integers three times faster in hexadecimal."""
    if isinstance(value, (list, tuple)):
        text = ("; " if isinstance(value, list) else ", ").join(map(_coq, value))
        return f"[{text}]" if isinstance(value, list) else f"({text})"
    return value if isinstance(value, str) else f"{int(value):#x}" if abs(value) >= 10**6 else str(value)


def _lean(form: Integers) -> str:
    return " + ".join(f"({c} : ℝ)" + ("" if key == "One" else f"*{key}") for c, key in form) or "(0 : ℝ)"
