"""A false claim as a file: the problem, the answer and the witness, exactly; nothing of the solver is needed to judge
it again.
"""

import hashlib
import json
import pathlib
from fractions import Fraction
from functools import partial

from dualgap.extras.released_solvers import FALSE_CONVERGENCE
from dualgap.extras.released_solvers.audit import Finding, case_of
from dualgap.extras.released_solvers.promises import CLAIMS, Held, judged
from dualgap.extras.released_solvers.table import Released
from dualgap.proofs_checks.auditing import replay_file
from dualgap.proofs_checks.auditing.replay_file import number_to_json
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.strict_json import Json, rational, read_json


def to_json(solver: Released, found: Finding, claim: str) -> Json:
    """A finding as plain exact data."""
    held = found.claims[claim][0]
    assert held is not None
    record = {
        "schema": 2,
        "kind": FALSE_CONVERGENCE,
        "estimator": solver.name,
        "environment": solver.environment,
        "claim": claim,
        "words": CLAIMS[claim].words,
        "tol": solver.tol,
        "instance": found.instance.to_json(),
        "w": [number_to_json(w_j) for w_j in found.fit.w],
        "witness": {"w": list(map(str, found.witness[0])), "alpha": list(map(str, found.witness[1]))},
        "says": {name: str(value) for name, value in found.fit.says.items()},
        "bracket": sides(held),
    }
    return record | {"sha256": digest(record)}


def digest(record: Json) -> str:
    """The SHA-256 of all fields except itself, because names and words are not derived from the numbers."""
    content = {name: value for name, value in record.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def sides(held: Held) -> Json:
    """The four numbers of a claim."""
    return {name: number_to_json(value) for name, value in held._asdict().items()}


def write(folder: pathlib.Path, record: Json) -> pathlib.Path:
    """Write ``false-convergence-<solver>-<claim>.json`` into the folder and return its path."""
    plain = "-".join(
        "".join(c if c.isalnum() else " " for c in f"{record['estimator']} {record['claim']}").lower().split()
    )
    folder.mkdir(parents=True, exist_ok=True)
    return replay_file.write(folder / f"{FALSE_CONVERGENCE}-{plain}.json", record)


def replay(path: str | pathlib.Path) -> tuple[Json, Held, str, bool]:
    """The record, its claim judged again, verdict, and whether numbers agree. Raises ValueError for another file."""
    record = read_json(path)
    try:
        if not all(isinstance(record[name], str) for name in ("estimator", "environment", "words")) or not isinstance(
            record["tol"], (int, float)
        ):
            raise TypeError("estimator, environment and words are texts, tol is a number")
        instance, claim, tol = Instance.from_json(record["instance"]), CLAIMS[record["claim"]], Fraction(record["tol"])
        w, says = (
            tuple(rational(item["exact"]) for item in record["w"]),
            {name: rational(text) for name, text in record["says"].items()},
        )
        pair = tuple(map(rational, record["witness"]["w"])), tuple(map(rational, record["witness"]["alpha"]))
        held, verdict = judged(claim.held, partial(case_of, instance, w, tol, says, pair), instance.loss)
        same = (
            record["sha256"] == digest(record)
            and record["words"] == claim.words
            and instance.to_json() == record["instance"]
            and record["w"] == [number_to_json(w_j) for w_j in w]
        )
    except replay_file.FAILURES as error:
        raise ValueError(f"{path} is not a record of a false convergence: {type(error).__name__}: {error}") from None
    if held is None:
        raise ValueError(f"{path}: 160 digits do not decide what it claims on its instance")
    return record, held, verdict, same and sides(held) == record.get("bracket")
