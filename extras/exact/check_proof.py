"""Check files of ``dualgap exact`` with the standard library alone: ``python3 check_proof.py FILE ...``.

Facts about inner products "G i j", function values "F k" and "1" are inequalities >= 0, equalities = 0 and semidefinite
matrices. "pep-proved" claims F metric <= tau: tau - F metric is the sum of multipliers (>= 0, any, semidefinite) times
facts, plus a semidefinite form. "pep-refuted" claims that no bound is true: some point satisfies the facts, and some
direction, along which the metric grows, keeps them. Numbers are "1/2", or "1/2+-3/4*r" with r = sqrt(root)."""

import json
import sys
from fractions import Fraction
from math import isqrt, lcm
from typing import Any


class Root:
    """a + b r with r = sqrt(d) for fractions or integers a and b; the number a itself if b = 0."""

    def __new__(cls, a: Any, b: Any, d: Any) -> Any:
        self: Any = super().__new__(cls)
        self.a, self.b, self.d, self.denominator = a, b, d, lcm(a.denominator, b.denominator) if b else 1
        return self if b else a

    rule: Any = lambda f: lambda x, y: type(x)(*f(x.a, x.b, getattr(y, "a", y), getattr(y, "b", 0), x.d), x.d)
    __add__ = __radd__ = rule(lambda a, b, c, e, d: (a + c, b + e))
    __mul__ = __rmul__ = rule(lambda a, b, c, e, d: (a * c + b * e * d, a * e + b * c))
    __floordiv__ = rule(lambda a, b, c, e, d: [x // (c * c - e * e * d) for x in (a * c - b * e * d, b * c - a * e)])
    __rfloordiv__ = rule(lambda a, b, c, e, d: [x // (a * a - b * b * d) for x in (a * c - b * e * d, a * e - b * c)])
    __lt__ = rule(lambda a, b, c, e, d: ((a - c) * abs(a - c) + (b - e) * abs(b - e) * d < 0, 0))
    __eq__ = rule(lambda a, b, c, e, d: (a == c and b == e, 0))


def semidefinite(A: list[list[Any]]) -> bool:
    """LDL^T over integers; the row of a pivot 0 must be 0."""
    scale, last = lcm(*(x.denominator for row in A for x in row)), 1
    M = [[x * scale // 1 for x in row] for row in A]
    while M:
        (pivot, *top), *rows = M
        if pivot < 0 or (pivot == 0 and any(top)):
            return False
        M = [[(pivot * x + q * y * -1) // last for x, y in zip(row, top)] if pivot else row for q, *row in rows]
        last = pivot or last
    return A == [list(column) for column in zip(*A)]


def wrong_in_proof(record: Any, number: Any) -> list[str]:
    """What is wrong with the proof of F metric <= tau."""
    rest, size = {"1": number(record["tau"]), f"F {record['metric']}": -1}, range(record["points"])
    parts = [(m, terms) for _, terms, m in record["equalities"]]
    parts += [p for _, M, S in record["matrices"] for rows in zip(S, M, strict=True) for p in zip(*rows, strict=True)]
    for m, terms in parts:
        for key, c in terms.items():
            rest[key] = rest.get(key, 0) + number(m) * number(c) * -1
    form = [[rest.pop(f"G {i} {j}", 0) for j in size] for i in size]
    signed = [(name, [[number(x) for x in row] for row in S]) for name, _, S in record["matrices"]]
    signed += [("the form that is left over", [[x + y for x, y in zip(*rows)] for rows in zip(form, zip(*form))])]
    wrong = [f"{name}: negative or not semidefinite" for name, S in signed if not semidefinite(S)]
    return wrong + [f"{key} does not cancel" for key, c in rest.items() if c]


def wrong_at(record: Any, number: Any, point: Any, one: int) -> list[str]:
    """Names of the facts that are false at a point, whose constant is ``one``."""
    G = [[number(x) for x in row] for row in point["G"]]
    at = {"1": one} | {f"F {k}": number(x) for k, x in enumerate(point["F"])}
    at |= {f"G {i} {j}": x for i, row in enumerate(G) for j, x in enumerate(row)}
    value: Any = lambda terms: sum(number(c) * at[key] for key, c in terms.items())
    wrong = [name for name, terms, _ in record["equalities"] if value(terms)]
    wrong += [name for name, M, _ in record["matrices"] if not semidefinite([[value(t) for t in row] for row in M])]
    return wrong if len(G) == record["points"] and semidefinite(G) else [*wrong, "the Gram matrix"]


def check(record: Any) -> tuple[str, list[str]]:
    """The statement of a file, and what is wrong with it."""
    d, worst, ray, metric = record.get("root"), record["worst"], record["ray"], record["metric"]
    number: Any = lambda x: Root(*[*map(Fraction, x[:-2].split("+")), int(d)]) if x.endswith("*r") else Fraction(x)
    record = record | {"matrices": record["matrices"] + [[n, [[t]], [[m]]] for n, t, m in record["inequalities"]]}
    wrong = ["the root is rational"] if d and isqrt(int(d)) ** 2 == int(d) else []
    wrong += [f"worst case: {name}" for name in wrong_at(record, number, worst, 1)] if worst else []
    if record["kind"] == "pep-proved":
        attained = f"; {worst['F'][metric]} is attained" if worst else ""
        return f"the metric is at most {record['tau']}{attained}", wrong + wrong_in_proof(record, number)
    if record["kind"] != "pep-refuted" or not worst or not ray or not number(ray["F"][metric]) * -1 < 0:
        return "nothing", ["it has no proof, or no feasible point and direction along which the metric grows"]
    return "the metric has no bound", wrong + [f"direction: {name}" for name in wrong_at(record, number, ray, 0)]


if __name__ == "__main__":
    results = [(path, *check(json.load(open(path, encoding="utf-8")))) for path in sys.argv[1:]]
    for path, statement, wrong in results:
        print(f"{path}: {statement}: {'REFUSED: ' + '; '.join(wrong) if wrong else 'holds'}")
    sys.exit(any(wrong for _, _, wrong in results))
