"""Verify the two files of a bracket exactly, with the standard library alone: ``python3 certificate.py FILE ...``.

"rate-proved" states target >= 0 for every problem of a class, for each of its targets:

    target = sum_k m_k inequality_k + sum_e v_e equality_e + sum_b <S_b, matrix_b> + sum_spaces <Z, Gram matrix>

with m_k >= 0 and S_b, Z positive semidefinite. Z is not in the file: it is what is left over, so the identity holds by
construction. "rate-refuted" has the steps of the method on one problem, as matrices T with their probabilities p, and

    moments      M, positive semidefinite and not 0, with sum p T M T^T - rate M positive semidefinite: second moments
                 that grow at least like rate^t, so no Lyapunov function contracts faster;
    determinant  nothing more: det(rate I - Phi) < 0 for Phi(M) = sum p T M T^T on symmetric M. Phi maps the cone of
                 positive semidefinite matrices to itself, so its largest eigenvalue is real and has such an M
                 (Krein-Rutman), and the sign says that it is larger than rate;
    point        z and a form Q with sum p (T z)^T Q (T z) >= rate z^T Q z > 0: one step does not contract faster.

Nothing here compares the file with the method: ``dualgap replay FILE`` derives targets, facts and matrices again.
"""

import json
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

PROVED, REFUTED = "rate-proved", "rate-refuted"
TASK = ("method", "n", "lam", "quantity", "options", "gamma", "R", "norms", "general")
KINDS = ("inequalities", "equalities", "matrices")

Key = tuple[Any, ...]
Terms = dict[Key, Fraction]
Matrix = list[list[Fraction]]
Record = dict[str, Any]


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Return whether a symmetric matrix is positive semidefinite, by exact LDL^T: a row whose pivot is 0 must be 0."""
    rows = [list(row) for row in matrix]
    for k in range(len(rows)):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[k][k:])):
            return False
        for i in range(k + 1, len(rows) if pivot else 0):
            if factor := rows[i][k] / pivot:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return True


def determinant_is_negative(matrix: Matrix) -> bool:
    """The sign of a determinant, by exact elimination."""
    rows, negative = [list(row) for row in matrix], False
    for k in range(len(rows)):
        found = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if found is None:
            return False
        negative ^= (found != k) ^ (rows[found][k] < 0)
        rows[k], rows[found] = rows[found], rows[k]
        for i in range(k + 1, len(rows)):
            if factor := rows[i][k] / rows[k][k]:
                rows[i] = [x - factor * y if y else x for x, y in zip(rows[i], rows[k])]
    return negative


# -- the upper end ----------------------------------------------------------------------------------------------------


def left_over(target: Terms, facts: Record, proof: Record) -> Terms:
    """The target without everything that the multipliers explain."""
    rest = dict(target)
    parts = [pair for kind in KINDS[:2] for pair in zip(proof[kind], facts[kind])]
    for S, matrix in zip(proof["matrices"], facts["matrices"]):
        parts += [(s, entry) for s_row, row in zip(S, matrix) for s, entry in zip(s_row, row)]
    for multiplier, terms in parts:
        for key, c in terms.items():
            rest[key] = rest.get(key, Fraction(0)) - multiplier * c
    return {key: c for key, c in rest.items() if c}


def gram_matrices(rest: Terms, space: Sequence[object]) -> list[Matrix]:
    """The forms that ``rest`` puts on the inner products of each space."""

    def entry(j: int, k: int) -> Fraction:
        return rest.get(("G", min(j, k), max(j, k)), Fraction(0)) / (1 if j == k else 2)

    return [[[entry(j, k) for k in js] for j in js] for js in members(space).values()]


def members(space: Sequence[object]) -> dict[object, list[int]]:
    """The basis vectors of each space."""
    found: dict[object, list[int]] = {}
    for j, s in enumerate(space):
        found.setdefault(s, []).append(j)
    return found


def refusals(target: Terms, facts: Record, proof: Record) -> list[str]:
    """Why a proof of target >= 0 is refused; empty for one that holds."""
    shapes = all(len(proof[kind]) == len(facts[kind]) for kind in KINDS)
    square = zip(proof["matrices"], facts["matrices"])
    if not shapes or any(len(S) != len(M) or any(len(row) != len(S) for row in S) for S, M in square):
        return ["a multiplier is missing or there is one too many"]
    found, space = [], facts["space"]
    if any(m < 0 for m in proof["inequalities"]):
        found.append("a multiplier of an inequality is negative")
    for S in proof["matrices"]:
        if any(S[i][j] != S[j][i] for i in range(len(S)) for j in range(i)) or not is_semidefinite(S):
            found.append("a multiplier of a matrix is not symmetric and positive semidefinite")
    rest = left_over(target, facts, proof)
    if any(key[0] != "G" or len(key) != 3 for key in rest):
        found.append("function values are left over")
    elif any(not 0 <= key[1] <= key[2] < len(space) or space[key[1]] != space[key[2]] for key in rest):
        found.append("a product of vectors of different spaces is left over")
    if not all(map(is_semidefinite, gram_matrices(rest, space))):
        found.append("the inner products that are left over are not positive semidefinite")
    return found


# -- the lower end ----------------------------------------------------------------------------------------------------


def mapped(maps: Sequence[tuple[Fraction, Matrix]], M: Matrix) -> Matrix:
    """sum p T M T^T."""
    size = range(len(M))
    total = [[Fraction(0)] * len(M) for _ in size]
    for p, T in maps:
        TM = [[sum((t * m for t, m in zip(row, column) if t and m), Fraction(0)) for column in zip(*M)] for row in T]
        for i in size:
            for j in size:
                total[i][j] += p * sum((a * b for a, b in zip(TM[i], T[j]) if a and b), Fraction(0))
    return total


def second_moments(maps: Sequence[tuple[Fraction, Matrix]], size: int) -> Matrix:
    """The matrix of M -> sum p T M T^T on symmetric M, in the entries on and above the diagonal."""
    places = [(i, j) for i in range(size) for j in range(i, size)]
    columns = []
    for a, b in places:
        column = dict.fromkeys(places, Fraction(0))
        for p, T in maps:
            at_a, at_b = [[(i, row[k]) for i, row in enumerate(T) if row[k]] for k in (a, b)]
            for (i, x), (j, y) in product(at_a, at_b):  # p T (e_a e_b^T + e_b e_a^T) T^T, one of the two where a = b
                if a != b:
                    column[min(i, j), max(i, j)] += p * x * y * (1 + (i == j))
                elif i <= j:
                    column[i, j] += p * x * y
        columns.append(list(column.values()))
    return [list(row) for row in zip(*columns)]


def value_of(Q: Matrix, z: Sequence[Fraction]) -> Fraction:
    """z^T Q z."""
    return sum((a * q * b for a, row in zip(z, Q) for q, b in zip(row, z)), Fraction(0))


def expected_value(maps: Sequence[tuple[Fraction, Matrix]], Q: Matrix, z: Sequence[Fraction]) -> Fraction:
    """sum p (T z)^T Q (T z)."""
    images = [(p, [sum((t * x for t, x in zip(row, z)), Fraction(0)) for row in T]) for p, T in maps]
    return sum((p * value_of(Q, image) for p, image in images), Fraction(0))


def observed(maps: Sequence[tuple[Fraction, Matrix]], output: Matrix) -> bool:
    """Return whether the rows of C, C T_k, C T_k T_l, ... span all coordinates: then (w, alpha) = C z shows every
    growth."""
    basis: dict[int, list[Fraction]] = {}
    waiting = [list(row) for row in output]
    while waiting:
        row = waiting.pop()
        for k, one in basis.items():
            row = [x - row[k] * y for x, y in zip(row, one)]
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is not None:
            basis[pivot] = row = [x / row[pivot] for x in row]
            waiting += [[sum((a * b for a, b in zip(row, c)), Fraction(0)) for c in zip(*T)] for p, T in maps if p]
    return len(basis) == len(maps[0][1])


def growth_refusals(record: Record) -> list[str]:
    """Why a file of kind ``REFUTED``, with numbers, is refused; empty if no rate below its own is true."""
    maps, rate, size = record["maps"], record["rate"], len(record["maps"][0][1])
    if any(p < 0 for p, _ in maps) or sum(p for p, _ in maps) != 1:
        return ["the probabilities are not those of a step"]
    if any(len(T) != size or any(len(row) != size for row in T) for _, T in maps):
        return ["the matrices of the steps have different sizes"]
    if record["shows"] == "determinant":
        Phi = second_moments(maps, size)
        difference = [[rate * (i == j) - x for j, x in enumerate(row)] for i, row in enumerate(Phi)]
        if not observed(maps, record["output"]):
            return ["what grows may not be seen in (w, alpha)"]
        return [] if determinant_is_negative(difference) else ["the determinant is not negative"]
    if record["shows"] == "point":
        Q, z = record["form"], record["point"]
        before = value_of(Q, z)
        return (
            []
            if before > 0 and expected_value(maps, Q, z) >= rate * before
            else ["the quantity contracts faster at this point"]
        )
    if record["shows"] != "moments":
        return ["it does not say what it shows"]
    M = record["moments"]
    image = mapped(maps, M)
    excess = [[x - rate * m for x, m in zip(row, row_of_M)] for row, row_of_M in zip(image, M)]
    if any(M[i][j] != M[j][i] for i in range(size) for j in range(i)):
        return ["the second moments are not symmetric"]
    if not any(value_of(M, row) for row in record["output"]):
        return ["(w, alpha) is 0 for these second moments"]
    return [] if is_semidefinite(M) and is_semidefinite(excess) else ["these second moments do not grow like the rate"]


# -- files ------------------------------------------------------------------------------------------------------------


def plain(value: object) -> Any:
    """A record as JSON: "p/q" for a Fraction, {"G 0 1": "p/q"} for terms."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {k if isinstance(k, str) else " ".join(map(str, k)): plain(item) for k, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def number(text: object) -> Fraction:
    """The Fraction of a text "p/q"."""
    if not isinstance(text, str) or not re.fullmatch(r"-?\d{1,4000}(/\d{1,4000})?", text):
        raise ValueError(f"a number must be a text p/q (got {str(text)[:24]!r})")
    return Fraction(text)


def numbers(value: object) -> Any:
    """Lists of numbers, to any depth."""
    return [numbers(item) for item in value] if isinstance(value, list) else number(value)


def terms(value: Any) -> Any:
    """Lists of terms, to any depth."""
    if isinstance(value, list):
        return [terms(item) for item in value]
    pairs = [(key.split(), number(c)) for key, c in value.items()]
    return {(kind, *map(int, places)): c for (kind, *places), c in pairs}


def with_numbers(record: Record) -> Record:
    """The record with Fractions and terms. Raises ValueError if it is no such file."""
    try:
        task = dict(record["task"])
        if (
            task.keys() - {"spectral"} != set(TASK)
            or task["norms"] not in ("own", "bound")
            or task["general"] not in (False, True)
        ):
            raise ValueError(f"its task must have {', '.join(TASK)}, norms own or bound, general true or false")
        found = {**record, "rate": number(record["rate"]), "task": task}
        if record["kind"] == PROVED:
            found["parameters"] = {str(name): number(c) for name, c in record["parameters"].items()}
            found["facts"] = [
                {"space": list(facts["space"]), **{kind: terms(facts[kind]) for kind in KINDS}}
                for facts in record["facts"]
            ]
            found["targets"] = [
                {
                    "target": terms(item["target"]),
                    "facts": found["facts"][int(item["facts"])],
                    **{kind: numbers(item[kind]) for kind in KINDS},
                }
                for item in record["targets"]
            ]
        elif record["kind"] == REFUTED:
            found |= {name: numbers(record[name]) for name in ("rows", "slopes")}
            if record["shows"] == "rays":
                raise ValueError("version 0.1.0 checks files that show rays, and this version does not")
            found["maps"] = [(number(p), numbers(T)) for p, T in record["maps"]]
            known = ("moments", "output", "form", "point")
            found |= {name: numbers(record[name]) for name in known if name in record}
        if (
            found.get("schema") != 1
            or record["kind"] not in (PROVED, REFUTED)
            or not (record["kind"] == REFUTED or found["targets"])
        ):
            raise ValueError(f"its kind must be {PROVED} or {REFUTED}, with schema 1")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"not a file of dualgap sharpen: {type(error).__name__}: {error}") from None
    return found


def check(record: Record) -> list[str]:
    """Why a record is refused, by the standard library alone; empty if it holds. Raises ValueError for another file."""
    found = with_numbers(record)
    try:
        if found["kind"] == REFUTED:
            return growth_refusals(found)
        return [reason for item in found["targets"] for reason in refusals(item["target"], item["facts"], item)]
    except (IndexError, KeyError, TypeError) as error:
        return [f"its parts do not belong together: {type(error).__name__}: {error}"]


def told(record: Record) -> str:
    """The statement of a file."""
    task = record["task"]
    options = "".join(f", {name} = {value}" for name, value in task["options"].items())
    norms = ", given R only" if task["norms"] == "bound" else ", given R and all ||x_i||^2"
    X = f", ||X||_2 <= {task['spectral']}, which the method is given" if "spectral" in task else ""
    g = "any lam-strongly convex g" if task["general"] else "g = (lam/2)||w||^2"
    about = (
        f"method {task['method']}{options}{norms}, n = {task['n']}, lam = {task['lam']}, every convex loss that is"
        f" (1/{task['gamma']})-smooth, {g}, ||x_i|| <= {task['R']}{X}, quantity {task['quantity']}"
    )
    claim = (
        f"one {'round' if task['quantity'] == 'epoch' else 'step'} gives at most {record['rate']} times its value in"
        " expectation"
        if record["kind"] == PROVED
        else f"every rate below {record['rate']} is false"
    )
    return f"{about}: {claim}"


def main(paths: Sequence[str]) -> int:
    """Check files. The exit status is 0 if all hold."""
    failed = False
    for path in paths:
        try:
            record = json.loads(Path(path).read_text(encoding="utf-8"))
            found, statement = check(record), told(record)
        except (OSError, ValueError, KeyError, TypeError) as error:
            failed = True
            print(f"{path}: REFUSED: {error}")
            continue
        failed |= bool(found)
        print(f"{path}: {statement}")
        print(f"  REFUSED: {'; '.join(found)}" if found else "  holds: every sign and every identity is exact")
        print("  not compared with the method: dualgap replay FILE compares targets, facts and matrices")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
