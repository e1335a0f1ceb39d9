"""The command line: ``dualgap solve | predict | sweep | audit | certify | check | claims | sharpen | replay |
reproduce | conform | vectors | new | cache``.

Exit status: 0 all well; 1 a check failed, or the tolerance was not met, or the run was interrupted; 2 wrong
usage or bad input, or too little memory, with one line on standard error. Anything else is a bug and shows its
traceback. Other people's code that tries to end the process fails: the status is 0 only after the command's
own verdict. SIGTERM and SIGHUP are interrupts, as Ctrl-C is: finished results are kept and printed.
If standard output or standard error cannot be written (closed, full, no reader), the command still runs to its end and
writes every requested file. Lost standard output turns exit status 0 into 1; lost standard error changes nothing. A
command imports what it needs when it runs, so that ``dualgap --help`` is fast.
"""

import argparse
import errno
import os
import sys
from collections.abc import Sequence

from dualgap.fast.solver.interrupts import interrupted_by_signals
from dualgap.proofs_checks.claims.foreign_code import Quit, staying
from dualgap.proofs_checks.cli.commands import Parser, surroundings
from dualgap.proofs_checks.cli.parsers import add_commands
from dualgap.proofs_checks.report.screen import note, say, screens
from dualgap.proofs_checks.report.terminal import FAILED, USAGE, Ended, Refused, out_of_memory, too_little

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG)  # of a disk, a quota, a limit of the process

FIRST = """\
dualgap checks whether the statements of papers on stochastic primal-dual methods are true.

Three things to do:
  dualgap audit aspdc --quick      check what a paper states, statement by statement
  dualgap solve breast_cancer --bias --unit-rows --loss logistic --lam 1e-3 --tol 1e-8
                                   minimise, with a bound on the error
  dualgap conform -- COMMAND       test a solver in any language

All commands: dualgap --help"""

LIGHT = ("claims", "replay", "new")  # commands that need no compiled code
ALONE = ("certify",)  # commands that enter their surroundings themselves, if they need them


MOVED = {  # commands that have become options of others: what to type instead
    "data": "dualgap new data [DATA] [--map DIR]",
    "coverage": "dualgap claims --coverage [PAPER ...]",
    "port": "dualgap new port LANGUAGE [--name NAME]",
    "report": "dualgap audit [NAME ...] [--out DIR], which writes report.html",
}


class Version(argparse.Action):
    """--version, looked up only if given."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and exit."""
        from importlib import metadata

        from dualgap.proofs_checks.claims.plugins import installed, package_of

        try:
            say("dualgap {}", metadata.version("dualgap"))
        except metadata.PackageNotFoundError:
            parser.error("dualgap is not installed, so its version is unknown; run pip install -e . in the checkout")
        if points := installed():
            say("plugins: {}", ", ".join(f"{package_of(point) or point.name} ({point.value})" for point in points))
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    arguments : the words after ``dualgap``; None takes those of the process.

    Raises
    ------
    SystemExit
        From argparse: --help, --version (0) and wrong usage (2).
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    with screens() as (out, err):
        if words and words[0] in MOVED:
            note("dualgap: there is no command {} any more; type: {}", words[0], MOVED[words[0]])
            return USAGE
        if not words:
            note(FIRST)
            return USAGE
        given = parser(words[0]).parse_args(words)
        given.words = words
        with interrupted_by_signals():
            status = _status(given)
        out.flush()
        if out.lost is None:
            return status
        # the reader of our output has ended, as in `dualgap claims | head`
        if not isinstance(out.lost, BrokenPipeError):
            note("dualgap {}: standard output cannot be written ({})", given.command, out.lost.strerror)
        return status or FAILED


def _status(given: argparse.Namespace) -> int:
    """Run the command and return its exit status; ``FAILED`` if it could not write a requested file."""
    try:
        os.getcwd()
    except OSError:
        note("dualgap {}: the current folder no longer exists; change to another one", given.command)
        return USAGE
    if given.command not in LIGHT and (said := too_little()):
        note("dualgap {}: {}", given.command, said)
        return USAGE
    try:
        with staying():
            if given.command in ALONE:
                return int(given.run(given))
            with surroundings(given) as not_written:
                status: int = given.run(given)
        return status or (FAILED if not_written else 0)
    except Refused as refusal:
        note("dualgap {}: {}", given.command, refusal)
        return USAGE
    except (Ended, Quit) as end:
        note("dualgap {}: {}", given.command, end)
        return FAILED
    except MemoryError as error:
        note("dualgap {}: {}", given.command, out_of_memory(error))
        return USAGE
    except KeyboardInterrupt:
        note("dualgap {}: interrupted before there was a result", given.command)
        return FAILED
    except OSError as error:
        if error.filename is not None:  # of ours: whatever writes a file names it
            note("dualgap {}: {}: {}", given.command, error.filename, error.strerror or error)
            return FAILED
        if error.errno not in FULL:
            raise
        note("dualgap {}: cannot write a file ({}); stopping", given.command, error.strerror)
        return FAILED


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or of that one if there is such a command; each sets ``run``."""
    text = "Stochastic primal-dual coordinate methods, audited claim by claim."
    top = Parser(prog="dualgap", description=text, allow_abbrev=False)
    top.add_argument("--version", action=Version, nargs=0, help="print the version and the installed plugins, and exit")
    add_commands(top.add_subparsers(dest="command", required=True, metavar="COMMAND"), only)
    return top


if __name__ == "__main__":
    sys.exit(main())
