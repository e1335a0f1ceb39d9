"""Check files of ``dualgap exact`` with the standard library alone: ``python3 check_proof.py FILE ...``.

A file states facts about inner products "G i j" of vectors, function values "F k" and the constant "1": inequalities >= 0,
equalities = 0, and positive semidefinite matrices. "pep-proved" claims F metric <= tau, because tau - F metric is the sum of
multipliers m >= 0, v and S (semidefinite) times the facts, plus a positive semidefinite form in the vectors. "pep-refuted"
claims that no bound is true: a point satisfies the facts, and a direction, along which the metric grows, keeps them.
"""

import json
import sys
from fractions import Fraction
from math import lcm


def semidefinite(A):
    """LDL^T over integers; the row of a pivot 0 must be 0."""
    if any(len(row) != len(A) for row in A) or any(A[i][j] != A[j][i] for i in range(len(A)) for j in range(i)):
        return False
    scale = lcm(*(x.denominator for row in A for x in row))
    A, last = [[int(x * scale) for x in row] for row in A], 1
    for s, top in enumerate(A):
        if top[s] < 0 or (top[s] == 0 and any(top[s:])):
            return False
        for i in range(s + 1, len(A) if top[s] else 0):
            for j in range(i, len(A)):
                A[i][j] = A[j][i] = (top[s] * A[i][j] - top[i] * top[j]) // last
        last = top[s] or last
    return True


def wrong_in_proof(record):
    """What is wrong with the proof of F metric <= tau."""
    rest, wrong = {"1": Fraction(record["tau"]), f"F {record['metric']}": Fraction(-1)}, []

    def subtract(multiplier, terms):
        for key, c in terms.items():
            rest[key] = rest.get(key, 0) - Fraction(multiplier) * Fraction(c)

    for _, terms, m in record["inequalities"] + record["equalities"]:
        subtract(m, terms)
    wrong += [f"{name}: its multiplier is negative" for name, _, m in record["inequalities"] if Fraction(m) < 0]
    for name, matrix, S in record["matrices"]:
        S = [[Fraction(x) for x in row] for row in S]
        if len(S) != len(matrix) or any(len(row) != len(S) for row in matrix) or not semidefinite(S):
            wrong.append(f"{name}: its multiplier is not positive semidefinite")
        for row, multipliers in zip(matrix, S):
            for terms, s in zip(row, multipliers):
                subtract(s, terms)
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


def wrong_at(record, point, one):
    """Names of the facts that are false at a point, whose constant is ``one``."""
    F, G = [Fraction(x) for x in point["F"]], [[Fraction(x) for x in row] for row in point["G"]]

    def value(terms):
        parts = ((Fraction(c), *key.split()) for key, c in terms.items())
        return sum(
            c * (one if k == "1" else F[int(a[0])] if k == "F" else G[int(a[0])][int(a[1])]) for c, k, *a in parts
        )

    wrong = [name for name, terms, _ in record["inequalities"] if value(terms) < 0]
    wrong += [name for name, terms, _ in record["equalities"] if value(terms) != 0]
    wrong += [name for name, M, _ in record["matrices"] if not semidefinite([[value(t) for t in row] for row in M])]
    return wrong if len(G) == record["points"] and semidefinite(G) else [*wrong, "the Gram matrix"]


def check(record):
    """The statement of a file, and what is wrong with it."""
    metric, wrong = int(record["metric"]), []
    if record["kind"] == "pep-proved":
        statement, wrong = f"the metric is at most {record['tau']}", wrong_in_proof(record)
    elif record["kind"] == "pep-refuted":
        statement, wrong = (
            "the metric has no bound",
            [f"direction: {name}" for name in wrong_at(record, record["ray"], 0)],
        )
        wrong += [] if Fraction(record["ray"]["F"][metric]) > 0 and record["worst"] else ["the metric does not grow"]
    else:
        return "unknown kind", [record["kind"]]
    if record["worst"]:
        statement += f"; {record['worst']['F'][metric]} is attained"
        wrong += [f"worst case: {name}" for name in wrong_at(record, record["worst"], 1)]
    return statement, wrong


if __name__ == "__main__":
    results = [(path, *check(json.load(open(path, encoding="utf-8")))) for path in sys.argv[1:]]
    for path, statement, wrong in results:
        print(f"{path}: {statement}: {'REFUSED: ' + '; '.join(wrong) if wrong else 'holds'}")
    sys.exit(any(wrong for _, _, wrong in results))
