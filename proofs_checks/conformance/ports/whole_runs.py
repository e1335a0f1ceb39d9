"""A whole run for a port: the problem and the start as the protocol writes them, every choice, and the bits at the end.

The compiled SPDC and PGS run in their lazy forms, which are the protocol's steps in exact arithmetic, and round
otherwise.
"""

import os
from collections.abc import Mapping
from typing import Any

from dualgap.fast.methods.base import FastMethod
from dualgap.fast.solver.choices import Recorded, Replayed
from dualgap.fast.solver.result import Result
from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.proofs_checks.conformance.protocol.port import problem_to_json
from dualgap.reference import Method, Problem, method

# whose state and parameters the protocol writes as they are, without options
STARTED = ("aspdc", "sdca", "spdc", "pgs")


def keep_choices(
    path: str | os.PathLike[str],
    choices: Recorded | Replayed,
    problem: Problem,
    result: Result,
    options: Mapping[str, object],
) -> None:
    """Write the file of a run, or compare the run that was made from a file with the bits at the end of the file.

    Parameters
    ----------
    choices : what ``solve`` was given as ``draw``, after the run.
    options : of the method, as given.

    Raises
    ------
    ValueError
        The run of a file ended at other bits.
    OSError
        The file cannot be written.
    """
    if choices.implementation is None:
        raise ValueError(f"the run was over before its first pass, so that there are no choices for {path}")
    end = last_pair(choices, problem)
    if isinstance(choices, Replayed):
        names = [name for name in end if choices.end.get(name) != end[name]]
        if names and len(choices.used) == len(choices.passes):
            raise ValueError(
                f"{path}: after the same choices {' and '.join(names)} has other bits: other data or options, or exp"
                " and log of another machine"
            )
        return
    run = {
        "method": result.method,
        "order": result.order,
        "seed": result.seed,
        "n": problem.n,
        "d": problem.d,
        "problem": stored(problem),
    }
    if result.method in STARTED and not options:
        run |= start(getattr(choices.implementation, "reference", choices.implementation), problem)
    choices.write(path, run, end)


def start(made_of: Any, problem: Problem) -> Json:
    """Parameters of the run, and the state before its first step, in the dense form."""
    parameters: Json = {}
    if hasattr(made_of, "parameters"):  # SPDC
        found = made_of.parameters(problem)
        constants = {"tau": found.tau, "sigma": found.sigma, "theta": found.theta, "delta": made_of.delta}
        parameters = {name: encode(float(value)) for name, value in constants.items()}
    state = each(method(made_of.name).init(problem).fields(), lambda x: encode(x) if isinstance(x, float) else x)
    return {"parameters": parameters, "state": state}


def stored(problem: Problem) -> Json:
    """The problem as the protocol writes it; the zeros of a dense row are not stored."""
    rows = [[(j, x) for j, x in row if x != 0] for row in problem.rows]
    loss, g = problem.loss, problem.regularizer
    return problem_to_json(problem.d, rows, problem.y, loss.name, loss.gamma, g.lam, g.l1)


def last_pair(choices: Recorded | Replayed, problem: Problem) -> dict[str, list[str]]:
    """w and alpha of the state after the last pass, by the method that ran."""
    made_by, drawn = choices.implementation, [choice for one in choices.used for choice in one]
    state = made_by.init(problem)
    if isinstance(made_by, FastMethod):
        for one in choices.used:
            made_by.advance(problem, state, one)
    elif isinstance(made_by, Method):
        state = made_by.run(problem, drawn)
    w, alpha = made_by.view(problem, state)
    return {"w": [encode(float(x)) for x in w], "alpha": [encode(float(x)) for x in alpha]}
