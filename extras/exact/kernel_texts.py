"""The proof in a file as a text for a proof assistant: a Coq theorem that the checker ``PepProof.v`` decides, and a
Lean 4 theorem.

Both prove tau - metric = sum of multipliers times facts + sum of c |sum_i u_i p_i|^2 with c >= 0: a semidefinite form
is a sum of such squares.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from dualgap.extras.exact.cone import Form, eliminated

Square = tuple[Fraction, dict[int, int]]  # c and u
SCALARS = ("inequalities", "equalities")
COQ = """(* {words}
   Each fact and each matrix is multiplied by the common denominator of its coefficients. *)
From Coq Require Import ZArith List.
From Dualgap Require Import PepProof.
Import ListNotations.
Open Scope Z_scope.

Definition facts : pep := {{| metric := {metric};
  inequalities := {inequalities};
  equalities := {equalities};
  matrices := {matrices} |}}.

Definition multipliers : proof := {{| denominator := {N};
  for_inequalities := {for_inequalities};
  for_equalities := {for_equalities};
  for_matrices := {for_matrices};
  squares := {squares} |}}.

Theorem bound : bounded facts ({tau.numerator}, {tau.denominator}%positive).
Proof. apply pep_rate with multipliers. vm_cast_no_check (eq_refl true). Qed.
Print Assumptions bound.
"""
LEAN = """/- {words}
   This text has not been run: the tests of dualgap have no Lean. It is for Lean 4 and a Mathlib whose
   `linear_combination` proves inequalities. Facts with multiplier 0 are left out. G_i_j is the inner product of the
   points i <= j. -/
import Mathlib

set_option maxHeartbeats 0 in
theorem bound ({names} : ℝ)
    {facts} :
    {metric} ≤ {tau} := by
  linear_combination {steps}
"""


def coq_text(record: Any) -> str:
    """Return a file for Coq: the facts, the multipliers as integers, and the theorem, which a computation decides.

    It needs ``Definitions.v`` and ``PepProof.v`` of ``proofs_checks/formal``, compiled. Raises ValueError if a form
    that must be positive semidefinite is not.
    """
    scalars, squares = _multipliers(record)
    tau = Fraction(record["tau"])
    terms = {kind: [t for _, t, _ in record[kind]] for kind in SCALARS}
    matrices = [rows for _, rows, _ in record["matrices"]]
    clear = {kind: [_common(t) for t in terms[kind]] for kind in SCALARS}
    clear["matrices"] = [lcm(*(_common(t) for row in rows for t in row)) for rows in matrices]
    weights = {kind: [tau.denominator * m / k for m, k in zip(ms, clear[kind])] for kind, ms in zip(SCALARS, scalars)}
    sums = [[(tau.denominator * c / k, u) for c, u in one] for one, k in zip(squares, [*clear["matrices"], 1])]
    N = lcm(*(m.denominator for ms in weights.values() for m in ms), *(c.denominator for one in sums for c, _ in one))
    fields = {f"for_{kind}": _list(_coq_number(m * N) for m in ms) for kind, ms in weights.items()}
    for kind in SCALARS:
        names = (f"(* {_words(name)} *) " for name, _, _ in record[kind])
        fields[kind] = _list(name + _coq_form(t, k) for name, t, k in zip(names, terms[kind], clear[kind]))
    blocks = (
        _list(_list(_coq_form(t, k) for t in row) for row in rows) for rows, k in zip(matrices, clear["matrices"])
    )
    vectors = (
        (f"({_coq_number(c * N)}, {_list(f'({i}%nat, {_coq_number(a)})' for i, a in u.items())})" for c, u in one)
        for one in sums
    )
    *for_matrices, form = map(_list, vectors)
    fields |= {"matrices": _list(blocks), "for_matrices": _list(for_matrices), "squares": form}
    return COQ.format(words=_statement(record), metric=record["metric"], N=N, tau=tau, **fields)


def lean_text(record: Any) -> str:
    """Return a theorem for Lean 4 with Mathlib about real function values and inner products. It has not been run."""
    scalars, matrices = _multipliers(record)
    facts, steps = [], []
    for kind, ms, relation in zip(SCALARS, scalars, "≤="):
        for n, ((_, terms, _), m) in enumerate(zip(record[kind], ms)):
            if m:
                facts.append(f"({kind}{n} : 0 {relation} {_lean_form(terms)})")
                steps.append(f"({m}) * {kind}{n}")
    size = range(record["points"])
    gram = [[{f"G {min(i, j)} {max(i, j)}": "1"} for j in size] for i in size]
    for n, (rows, squares) in enumerate(zip([*(rows for _, rows, _ in record["matrices"]), gram], matrices)):
        form = " + ".join(f"u{i}*u{j}*({_lean_form(t)})" for i, row in enumerate(rows) for j, t in enumerate(row))
        facts.append(f"(psd{n} : ∀ {' '.join(f'u{i}' for i in range(len(rows)))} : ℝ, 0 ≤ {form})")
        steps += [f"({c}) * psd{n} {' '.join(f'({u.get(i, 0)})' for i in range(len(rows)))}" for c, u in squares]
    text, metric = "\n    ".join(facts), f"F_{record['metric']}"
    names = " ".join(sorted({metric, *re.findall(r"\b[FG](?:_\d+)+", text)}))
    more = {"metric": metric, "tau": record["tau"], "steps": "\n    + ".join(steps) or "0"}
    return LEAN.format(words=_statement(record), names=names, facts=text, **more)


def _multipliers(record: Any) -> tuple[list[list[Fraction]], list[list[Square]]]:
    """Return the multipliers of the scalar facts, and the squares of each matrix and of the form that is left over."""
    scalars = [[Fraction(m) for *_, m in record[kind]] for kind in SCALARS]
    parts = [(m, terms) for kind, ms in zip(SCALARS, scalars) for (_, terms, _), m in zip(record[kind], ms)]
    matrices = []
    for _, rows, multipliers in record["matrices"]:
        S = [[Fraction(x) for x in row] for row in multipliers]
        matrices.append(squares_of(S))
        parts += [part for s_row, row in zip(S, rows) for part in zip(s_row, row)]
    form = [[Fraction(0)] * record["points"] for _ in range(record["points"])]
    for m, terms in parts:
        for key, c in terms.items():
            if key[0] == "G":
                i, j = map(int, key.split()[1:])
                form[i][j] -= m * Fraction(c) / 2
                form[j][i] -= m * Fraction(c) / 2
    return scalars, [*matrices, squares_of(form)]


def _statement(record: Any) -> str:
    """Return the statement of a file in words."""
    said = {"classes": [], "conditions": [], "metrics": []} | record["statement"]
    conditions, metrics = ("; ".join(one["text"] for one in said[kind]) for kind in ("conditions", "metrics"))
    return _words(f"For every {', '.join(said['classes'])}: if {conditions}, then {metrics} <= {record['tau']}.")


def _words(text: str) -> str:
    """Return a text that can neither end nor begin a comment, or a string in it."""
    return re.sub(r"[^\w .,:;=<>()|^+/-]|-/|/-|\(\*", "", text)


def _list(items: Iterable[str]) -> str:
    return "[" + "; ".join(items) + "]"


def _common(terms: Mapping[str, str]) -> int:
    return lcm(*(Fraction(c).denominator for c in terms.values()))


def _coq_number(n: Fraction | int) -> str:
    """Return an integer, hexadecimal if it is long: Coq reads that three times faster."""
    return f"{int(n):#x}" if abs(n) >= 10**6 else str(n)


def _coq_form(terms: Mapping[str, str], k: int) -> str:
    return _list(f"({_coq_number(Fraction(c) * k)}, {'One' if key == '1' else key})" for key, c in terms.items())


def _lean_form(terms: Mapping[str, str]) -> str:
    products = (f"({c} : ℝ)" + ("" if k == "1" else "*" + k.replace(" ", "_")) for k, c in terms.items())
    return " + ".join(products) or "(0 : ℝ)"


def squares_of(S: Sequence[Sequence[Fraction]]) -> list[Square]:
    """Return c >= 0 and integer vectors u with S = sum of c u u^T. Raises ValueError if S is not semidefinite.

    The rows of S are combinations R of those of a nonsingular part A, S = R^T A R. A less a small diagonal is factored
    with rounding, and what remains is diagonally dominant: so the numbers are far shorter than those of exact pivots.
    """
    solved = eliminated([Form(enumerate(row)) for row in S], range(len(S))) or {}
    R = [{p: Fraction(1)} | {int(f or 0): -c for f, c in form.items() if c} for p, form in solved.items()]
    common = lcm(*(c.denominator for row in R for c in row.values()))
    A = [[S[i][j] for j in solved] for i in solved]
    sizes = [(A[i][i].numerator.bit_length() - A[i][i].denominator.bit_length()) // 2 for i in range(len(A))]
    least = min(sizes, default=0)
    W = [{k: int(c * common) << (size - least) for k, c in row.items()} for row, size in zip(R, sizes)]
    A = [[a / Fraction(2) ** (p + q) for a, q in zip(row, sizes)] for row, p in zip(A, sizes)]
    unit = Fraction(4) ** least / common**2
    for bits in (2**k for k in range(3, 13)):
        combinations = _dominant_rest(A, bits)
        if combinations is not None:
            vectors = [{k: sum(x * W[i].get(k, 0) for i, x in u) for k in range(len(S))} for _, u in combinations]
            return [(unit * c, {k: x for k, x in u.items() if x}) for (c, _), u in zip(combinations, vectors) if c]
    raise ValueError("a form is not positive semidefinite")


def _dominant_rest(A: list[list[Fraction]], bits: int) -> list[tuple[Fraction, list[tuple[int, int]]]] | None:
    """Return A as a sum of squares: rounded Cholesky rows of A - 2^-bits I, and a diagonally dominant rest; or None."""
    size, shift = range(len(A)), bits + 2 * len(A).bit_length() + 4
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
    scale = Fraction(1, 4**shift)
    E = [[A[i][j] - scale * sum(u[i] * u[j] for u in rows) for j in size] for i in size]
    found = [(scale, list(enumerate(u))) for u in rows]
    found += [(abs(E[i][j]), [(i, 1), (j, 1 if E[i][j] > 0 else -1)]) for i in size for j in size[:i]]
    slacks = [2 * E[i][i] - sum(map(abs, E[i])) for i in size]
    return None if min(slacks, default=0) < 0 else [*found, *((slack, [(i, 1)]) for i, slack in enumerate(slacks))]
