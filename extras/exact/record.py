"""The file of a proof, as ``check_proof.py`` reads it, and the statement in words and in LaTeX."""

from fractions import Fraction
from typing import Any

from dualgap.extras.exact.facts import Facts, Key, Terms, terms_of
from dualgap.extras.exact.prove import ExactProof
from dualgap.extras.exact.roots import Root
from dualgap.proofs_checks.claims.strict_json import Json

PROVED, REFUTED = "pep-proved", "pep-refuted"
KINDS = ("inequalities", "equalities", "matrices")
PARAMETERS = ("mu", "L", "M", "D", "R", "beta", "rho", "alpha")
LONG = 24  # characters of a fraction that is shown


def plain(value: Any) -> Any:
    """Return numbers as texts p/q and terms as {"G 0 1": "p/q"}, to any depth."""
    if isinstance(value, (Fraction, Root)):
        return str(value)
    if isinstance(value, dict):
        return {" ".join(map(str, key)): plain(c) for key, c in value.items()}
    return [plain(item) for item in value]


def record_of(proof: ExactProof, statement: Json | None = None) -> Json:
    """Return the record of a proof or a refutation, for ``json.dump``. Raises ValueError for a proof that failed."""
    facts, found = proof.facts, proof.multipliers
    if found is None and proof.ray is None:
        raise ValueError(f"there is no proof to write: {proof.how}")
    record: Json = {
        "schema": 1,
        "kind": PROVED if found else REFUTED,
        "statement": statement or {},
        "tau": str(proof.tau) if found else None,
        "metric": facts.metric,
        "points": facts.points,
        **({"root": str(facts.root)} if facts.root else {}),
        "notes": proof.notes,
        "worst": _point(proof.worst),
        "ray": _point(proof.ray),
    }
    for kind in KINDS:
        own = getattr(facts, kind)
        multipliers = getattr(found, kind) if found else [0] * len(own)
        record[kind] = [
            [n, plain(t), plain(m) if found else None] for n, t, m in zip(facts.names[kind], own, multipliers)
        ]
    return record


def _point(point: Any) -> Json | None:
    return {"F": plain(point[0]), "G": plain(point[1])} if point else None


def differences(record: Json, facts: Facts) -> list[str]:
    """Return which facts of a record are not those of the problem; empty if they are the same."""
    found = [f"{name} is another" for name in ("metric", "points") if record[name] != getattr(facts, name)]
    if facts.root and record.get("root") != str(facts.root):
        found.append("the root is another")
    for kind in KINDS:
        ours = [[name, plain(terms)] for name, terms in zip(facts.names[kind], getattr(facts, kind))]
        theirs = [[name, terms] for name, terms, _ in record[kind]]
        found += [f"{name} is not this fact" for (name, terms), own in zip(theirs, ours) if [name, terms] != own]
        if len(ours) != len(theirs):
            found.append(f"there are {len(theirs)} {kind}, and the problem has {len(ours)}")
    return found


def statement_of(problem: Any, root: int | None = None) -> Json:
    """Return the statement of a prepared ``PEPit.PEP``: its classes, the conditions, and the metric, as text and
    LaTeX."""
    classes = []
    for function in problem.list_of_functions:
        if function.get_is_leaf():
            values = [(name, getattr(function, name, None)) for name in PARAMETERS]
            texts = [
                f"{name} = {_short(value, root)}"
                for name, value in values
                if value is not None and value != float("inf")
            ]
            classes.append(type(function).__name__ + (f" with {', '.join(texts)}" if texts else ""))
    conditions = [
        {"text": f"{text(t)} {sign} 0", "latex": f"{latex(t)} {tex} 0"}
        for c in problem.list_of_constraints
        for t in [terms_of(c.expression, root=root)]
        for sign, tex in [("<=", r"\le") if c.equality_or_inequality == "inequality" else ("=", "=")]
    ]
    metrics = [terms_of(metric, root=root) for metric in problem.list_of_performance_metrics]
    return {
        "classes": classes,
        "conditions": conditions,
        "metrics": [{"text": text(t), "latex": latex(t)} for t in metrics],
    }


def metric_of(statement: Json) -> str:
    """Return the metric in words. PEPit bounds the smallest of several metrics."""
    metrics = [metric["text"] for metric in statement["metrics"]]
    return ("the smallest of " if metrics[1:] else "") + ", ".join(metrics)


def _short(value: Any, root: int | None = None) -> str:
    """Return a parameter as a fraction if it is short, with r for the square root."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_short(one, root) for one in value) + "]"
    q = str(getattr(value, "x" if root else "q", value)).replace("+-", "-").removeprefix("0+")
    return q if len(q) <= LONG else f"{float(value):.12g}"


def text(terms: Terms) -> str:
    """Return terms as text: p0.p1 is an inner product of two leaf points, |p0|^2 a square, f0 a function value."""
    return _sum(terms, lambda k: f"|p{k[1]}|^2" if k[1] == k[2] else f"p{k[1]}.p{k[2]}", lambda k: f"f{k[1]}", " ")


def latex(terms: Terms) -> str:
    """Return terms in LaTeX."""

    def product(key: Key) -> str:
        i, j = key[1], key[2]
        return rf"\|p_{{{i}}}\|^2" if i == j else rf"\langle p_{{{i}}}, p_{{{j}}}\rangle"

    return _sum(terms, product, lambda k: f"f_{{{k[1]}}}", r"\,")


def _sum(terms: Terms, product: Any, value: Any, times: str) -> str:
    parts = []
    for key, c in sorted(terms.items(), key=lambda item: ("FG1".index(item[0][0]), item[0][1:])):
        name = product(key) if key[0] == "G" else value(key) if key[0] == "F" else ""
        size = _short(abs(c))
        size = f"({size})" if name and "r" in size else size
        factor = "" if name and size == "1" else size + (times if name else "")
        parts.append(("-" if c < 0 else "+", factor + name))
    if not parts:
        return "0"
    first, *rest = parts
    return ("-" if first[0] == "-" else "") + first[1] + "".join(f" {sign} {part}" for sign, part in rest)
