"""The command ``check-formulas``: the formulas of one object against each other."""

import argparse

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, printable


def add_check_formulas(commands: Commands) -> None:
    """dualgap check-formulas MODULE:OBJECT [--json]."""
    text = (
        "check value, gradient, conjugate, prox and other formulas of an object against each other (docs/own_loss.md)"
    )
    command = commands.add_parser("check-formulas", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=check_formulas)
    command.add_argument(
        "object", metavar="OBJECT", help="package.module:name or file.py:name: an object, or a class without arguments"
    )
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def check_formulas(given: argparse.Namespace) -> int:
    """Exit 0 if no formula contradicts another, 1 if one does."""
    from dualgap.proofs_checks.conformance.solvers import formulas
    from dualgap.proofs_checks.conformance.solvers.spec import load_object

    with input_errors():
        thing = load_object(given.object, "object")
        if isinstance(thing, type):
            try:
                thing = thing()
            except Exception as error:  # of another program
                raise Refused(
                    printable(f"{given.object}() raised {type(error).__name__}: {error}; name an object instead")
                ) from None
        found = formulas.check_formulas(thing, given.object.rpartition(":")[2])
    has = formulas.formulas_of(thing)
    if given.json:
        findings = [{"formula": one.formula, "says": one.text} for one in found]
        print_json({"schema": 1, "object": given.object, "formulas": has, "findings": findings})
    else:
        for one in found:
            say("FALSE {}", printable(str(one)))
        say("Verdict: {} ({} has {})", "fail" if found else "pass", given.object, ", ".join(has))
    return FAILED if found else 0
