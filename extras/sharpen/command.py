"""The command ``sharpen``, and the replay of its two kinds of files."""

import argparse
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from dualgap.extras.sharpen.certificate import PROVED, REFUTED, check, told
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.parsers import add_options
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, print_lines, ticker

if TYPE_CHECKING:
    from dualgap.extras.sharpen.published import Published

T = TypeVar("T")
BEFORE = "replay"  # the command that follows in the list of all


def add(commands: Commands) -> None:
    text = "find the best rate that can be proved for a method, with an exact proof and an exact counterexample"
    command = commands.add_parser("sharpen", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=sharpen)
    words = "a method, your own included (--import), or a claim that states a rate, which is then compared"
    command.add_argument("name", metavar="METHOD|CLAIM", help=words)
    command.add_argument("--rows", metavar="N,N", default="2,3", help="numbers of rows, 1 to 8 (default 2,3)")
    words = "values of R^2/(n lam gamma), such as 1/4,1 (default 1/4); SPDC needs squares of rationals"
    command.add_argument("--K", metavar="K,K", default="1/4", help=words)
    words = (
        "distance: the best Lyapunov function (default); two-steps: it may also read the next state; dual: D* - D;"
        " gap: P - D; epoch: P - P* at snapshots; a claim has its own"
    )
    command.add_argument("--quantity", choices=("distance", "two-steps", "dual", "gap", "epoch"), help=words)
    command.add_argument("--general", action="store_true", help="for any strongly convex g instead of L2")
    words = "the class of all X with ||X||_2 <= L, L >= R = 1, for methods that need this norm, such as pdcp"
    command.add_argument("--spectral", metavar="L", help=words)
    words = "folder for the proofs and counterexamples (default dualgap-sharpen)"
    command.add_argument("--out", metavar="DIR", default="dualgap-sharpen", help=words)
    words = "any parameter of the method, such as step=1/20 of sag; may be repeated"
    command.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help=words)
    add_options(command, "<json>")


def sharpen(given: argparse.Namespace) -> int:
    """Run the command. The exit status is 0 if a rate was proved in every case."""
    from dualgap.extras.sharpen.bracket import sharpen as bracket
    from dualgap.extras.sharpen.published import CLAIMS
    from dualgap.extras.sharpen.rows import row_of

    claim = CLAIMS.get(given.name)
    rows = []
    with input_errors() as commit, ticker() as tick:
        name, options = _method(given, claim)
        quantity = given.quantity or (claim.quantity if claim else "distance")
        for n in _list(given.rows, int, "--rows"):
            for K in _list(given.K, Fraction, "--K"):
                tick(f"{name}, n = {n}, K = {K}")
                found = bracket(name, n, K, quantity, options, general=given.general, spectral=given.spectral)
                files = [str(path) for path in found.write(given.out)]
                rows.append(row_of(found, files, given.name))
        commit()
    if given.json:
        print_json({"rows": rows})
    else:
        for row in rows:
            print_lines([*_lines(row), ""])
        print_lines(["Check a file with dualgap replay FILE, or without dualgap: python3 certificate.py FILE"])
    return 0 if all(row["proved"] for row in rows) else FAILED


def _method(given: argparse.Namespace, claim: "Published | None") -> tuple[str, dict[str, object]]:
    """Name and options of the method."""
    from dualgap.extras.sharpen.published import CLAIMS
    from dualgap.proofs_checks.claims.registry import all_claims
    from dualgap.proofs_checks.cli.method_options import general_options
    from dualgap.reference import all_methods

    if claim is None and given.name not in all_methods() and given.name in all_claims():
        raise Refused(f"claim {given.name} states no rate of one step; name its method, or one of {', '.join(CLAIMS)}")
    name = claim.method if claim else given.name
    options = {**(claim.options if claim else {}), **general_options(name, given.option)}
    texts = dict(text.split("=", 1) for text in given.option)
    return name, {key: texts[key] if isinstance(value, float) else value for key, value in options.items()}


def _list(text: str, kind: Callable[[str], T], option: str) -> list[T]:
    """Return the numbers of a list with commas."""
    try:
        return [kind(part) for part in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{option} must be numbers with commas between them, such as 2,3 (got {text!r})") from None


def _lines(row: Json) -> list[str]:
    """The lines of one bracket."""
    from dualgap.extras.sharpen.rows import name_of

    lines = [f"{name_of(row)}, K = R^2/(n lam gamma) = {row['K']}"]
    lines.append(f"  every rate below {_shown(row['false_below'])} is false (replay {row['files'][0]})")
    if row["proved"] is None:
        lines.append("  undecided above: no rate below 1 was proved, which does not show that there is none")
    else:
        lines.append(f"  the rate {_shown(row['proved'])} is proved (replay {row['files'][1]})")
        width = row["width"]
        lines.append(f"  undecided between them: a width of {width:.2g}" if width else "  nothing is left between them")
    if published := row.get("published"):
        rate, outcome = Fraction(str(published["rate"])), published["outcome"]
        better = outcome == "proved" and rate > Fraction(str(row["proved"]))
        words = f"{outcome}, and not the best" if better else outcome
        lines.append(f"  the rate {_shown(published['rate'])} of {published['claim']}: {words}")
    return lines


def _shown(rate: str) -> str:
    """A short fraction with its decimal, a long one as the decimal alone."""
    value = float(Fraction(rate))
    return f"{rate} = {value:.7g}" if len(rate) <= 14 else f"{value:.9g}"


def replay(path: str) -> int:
    """Verify a file, and derive it again from the method. The exit status is 0 if it holds."""
    from dualgap.extras.sharpen.comparison import differences
    from dualgap.proofs_checks.claims.strict_json import read_json

    with input_errors():
        record = read_json(path)
        refused = check(record) or differences(record)
    if refused:
        say("REFUSED: {}", "; ".join(refused))
        return FAILED
    say("{}\n\nIt holds: every sign and every identity is exact.", told(record))
    say("Compared with the method: derived again from the method: the same.")
    return 0


REPLAYS = {PROVED: replay, REFUTED: replay}
