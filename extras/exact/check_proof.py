"""Check files of ``dualgap exact`` with the standard library alone: ``python3 check_proof.py FILE ...``.

A file has facts about inner products "G i j", function values "F k" and the constant "1": inequalities >= 0,
equalities = 0, positive semidefinite matrices. "pep-proved" claims F metric <= tau: tau - F metric is the sum of
multipliers m >= 0, v and S (semidefinite) times the facts, plus a positive semidefinite form. "pep-refuted" claims
that no bound is true: a point satisfies the facts, and a direction, along which the metric grows, keeps them.
"""

import json
import sys
from fractions import Fraction
from math import lcm
from typing import Any


def semidefinite(A: list[list[Fraction]]) -> bool:
    """LDL^T over integers; the row of a pivot 0 must be 0."""
    if any(len(row) != len(A) for row in A) or any(A[i][j] != A[j][i] for i in range(len(A)) for j in range(i)):
        return False
    scale = lcm(*(x.denominator for row in A for x in row))
    M, last = [[int(x * scale) for x in row] for row in A], 1
    for s, top in enumerate(M):
        if top[s] < 0 or (top[s] == 0 and any(top[s:])):
            return False
        for i in range(s + 1, len(M) if top[s] else 0):
            for j in range(i, len(M)):
                M[i][j] = M[j][i] = (top[s] * M[i][j] - top[i] * top[j]) // last
        last = top[s] or last
    return True


def wrong_in_proof(record: Any) -> list[str]:
    """What is wrong with the proof of F metric <= tau."""
    rest = {"1": Fraction(record["tau"]), f"F {record['metric']}": Fraction(-1)}
    wrong = [f"{name}: its multiplier is negative" for name, _, m in record["inequalities"] if Fraction(m) < 0]
    parts = [(m, terms) for _, terms, m in record["inequalities"] + record["equalities"]]
    for name, matrix, multipliers in record["matrices"]:
        S = [[Fraction(x) for x in row] for row in multipliers]
        if len(S) != len(matrix) or any(len(row) != len(S) for row in matrix) or not semidefinite(S):
            wrong.append(f"{name}: its multiplier is not positive semidefinite")
        parts += [pair for s_row, row in zip(S, matrix) for pair in zip(s_row, row)]
    for m, terms in parts:
        for key, c in terms.items():
            rest[key] = rest.get(key, Fraction(0)) - Fraction(m) * Fraction(c)
    form = [[Fraction(0)] * record["points"] for _ in range(record["points"])]
    for key, c in rest.items():
        kind, *places = key.split()
        if c and kind == "G":
            i, j = map(int, places)
            form[i][j] += c / 2
            form[j][i] += c / 2
        elif c:
            wrong.append(f"{key} does not cancel")
    return wrong if semidefinite(form) else [*wrong, "the form that is left over is not positive semidefinite"]


def wrong_at(record: Any, point: Any, one: int) -> list[str]:
    """Names of the facts that are false at a point, whose constant is ``one``."""
    at = {"1": Fraction(one)} | {f"F {k}": Fraction(x) for k, x in enumerate(point["F"])}
    G = [[Fraction(x) for x in row] for row in point["G"]]
    at |= {f"G {i} {j}": x for i, row in enumerate(G) for j, x in enumerate(row)}

    def value(terms: Any) -> Fraction:
        return sum((Fraction(c) * at[key] for key, c in terms.items()), Fraction(0))

    wrong = [name for name, terms, _ in record["inequalities"] if value(terms) < 0]
    wrong += [name for name, terms, _ in record["equalities"] if value(terms) != 0]
    wrong += [name for name, M, _ in record["matrices"] if not semidefinite([[value(t) for t in row] for row in M])]
    return wrong if len(G) == record["points"] and semidefinite(G) else [*wrong, "the Gram matrix"]


def check(record: Any) -> tuple[str, list[str]]:
    """The statement of a file, and what is wrong with it."""
    worst, ray, metric = record["worst"], record["ray"], record["metric"]
    attained = f"; {worst['F'][metric]} is attained" if worst else ""
    wrong = [f"worst case: {name}" for name in wrong_at(record, worst, 1)] if worst else []
    if record["kind"] == "pep-proved":
        return f"the metric is at most {record['tau']}{attained}", wrong + wrong_in_proof(record)
    if record["kind"] != "pep-refuted" or not worst or not ray or not Fraction(ray["F"][metric]) > 0:
        return "nothing", ["it has no proof, or no feasible point and direction along which the metric grows"]
    return "the metric has no bound", wrong + [f"direction: {name}" for name in wrong_at(record, ray, 0)]


if __name__ == "__main__":
    results = [(path, *check(json.load(open(path, encoding="utf-8")))) for path in sys.argv[1:]]
    for path, statement, wrong in results:
        print(f"{path}: {statement}: {'REFUSED: ' + '; '.join(wrong) if wrong else 'holds'}")
    sys.exit(any(wrong for _, _, wrong in results))
