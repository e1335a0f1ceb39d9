"""The toys through solve, audit and vectors; one line of JSON. Run by tests/repository/test_columns.py in a separate
process.
"""

import importlib
import json
import os
import sys
from pathlib import Path


def load(folder):
    """Import the parts that are in the folder, the losses first."""
    sys.path.insert(0, str(folder))
    order = tuple(
        "loss_reference loss_compiled loss_vectors method_reference method_compiled claims method_vectors".split()
    )
    for part in order:
        if (folder / f"{part}.py").exists():
            importlib.import_module(part)


def missing(folder):
    """What the columns lack."""
    from dualgap.proofs_checks.self_audit.columns import known_losses, known_methods, missing_of_loss, missing_of_method

    tests = [path for path in (folder / "tests.py",) if path.exists()]
    toys = (
        [name for name in known_methods() if name.startswith("toy-")],
        [name for name in known_losses() if name.startswith("toy-")],
    )
    return [line for name in toys[0] for line in missing_of_method(name, tests)] + [
        line for name in toys[1] for line in missing_of_loss(name, tests)
    ]


def solved():
    """(status, w as hexadecimal) of both backends."""
    from dualgap.fast import solve
    from dualgap.reference import L2, LOSSES, Problem

    problem = Problem([[1.0, 0.5], [0.0, 2.0], [-1.0, 0.25]], [3.0, -1.0, 0.5], LOSSES["toy-huber"](), L2(0.1))
    results = [solve(problem, "toy-half-sdca", tol=1e-9, backend=backend) for backend in ("fast", "reference")]
    return [(result.status, [w_j.hex() for w_j in result.w.tolist()]) for result in results]


def audited():
    """Verdict and status of the toy's paper."""
    from dualgap.proofs_checks import audit

    report = audit(["toy"], size="quick", entropy=1)
    return report["verdict"], [(row["id"], row["status"]) for row in report["claims"]]


def changed():
    """The published certificates that the new loss changes, and how many it adds."""
    from dualgap.proofs_checks.conformance.vectors import generate
    from dualgap.proofs_checks.conformance.vectors.load import HOME, cases_of

    name = "theorems-certificates.json"
    before, now = json.loads((HOME / name).read_bytes()), json.loads(generate.makers()[name]().raw())
    cases = {case.id: case for case in cases_of(now)}
    return [case.id for case in cases_of(before) if cases.get(case.id) != case], len(cases) - len(before["cases"])


def vectors_made():
    """The flags of each file, whose cases follow the schema that has the toys' names."""
    import jsonschema

    from dualgap.proofs_checks.conformance.vectors import generate, schema
    from dualgap.proofs_checks.conformance.vectors.load import HOME

    derived = schema.extended(schema.SCHEMA, json.loads((HOME / schema.SCHEMA).read_bytes()))
    made = {name: json.loads(make().raw()) for name, make in generate.makers().items() if "toy-" in name}
    for content in made.values():
        jsonschema.validate(content, derived)
    return {name: list(content["flags"]) for name, content in made.items()}


def missing_of_each(folders):
    """For each folder what the columns lack, or the error that importing it raises; each in a fork of its own, where
    dualgap is imported and knows nothing of the toys.
    """
    from dualgap.proofs_checks.self_audit.columns import known_losses, missing_of_loss, missing_of_method

    assert missing_of_method("no such method", []) and missing_of_loss(known_losses()[0], []), "no test names them"
    for folder in folders:
        if (pid := os.fork()) == 0:
            try:
                load(folder)
                print(json.dumps([folder.name, missing(folder)]), flush=True)
            except Exception as error:
                print(json.dumps([folder.name, [f"{type(error).__name__}: {error}"]]), flush=True)
            os._exit(0)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    here, *others = map(Path, sys.argv[1:])
    if others:
        missing_of_each([here, *others])
    else:
        load(here)
        found = {"solved": solved(), "audited": audited(), "vectors": vectors_made(), "changed": changed()}
        print(json.dumps({"missing": missing(here)} | found))
else:
    load(Path(__file__).parent)  # as a plugin of pytest
