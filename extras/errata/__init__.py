"""Statements by other people, each in one file that is written as docs/own_theorem.md teaches: what is said and where,
a verdict, and ten lines of Python that recompute it without dualgap. ``dualgap audit errata`` checks them all.

A file AUTHOR_YEAR.py or AUTHOR_YEAR_WORD.py registers the claim "errata.AUTHOR-YEAR-WORD", which has the statement; its
further claims begin with that name and a dot. Its docstring has a title and the parts of ``PARTS``, its text the
constants of ``CONSTANTS``. A REFUTED statement has a counterexample and what holds instead. Nothing here is imported
unless its name is given: these claims do not count among those of the five papers.

May import: reference, proofs_checks.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dualgap.proofs_checks import register_paper

register_paper("errata", "statements by other people, one file each", "docs/errata.md")

# of a verdict: the status that the claim must have in an audit. VACUOUS and PROVED need a proof, too: a VACUOUS file
# claims, and proves, that nothing satisfies the hypotheses.
VERDICTS = MappingProxyType(
    {"REFUTED": "REFUTED", "HOLDS": "HOLDS", "PROVED": "HOLDS", "VACUOUS": "HOLDS", "OPEN": "OPEN"}
)
PARTS = ("Source", "Said", "Hypotheses", "Known", "Added", "Read")
IF_REFUTED = ("Counterexample", "Instead")
READ = ("the paper", "a page", "the abstract")  # with what "Read" begins: what we say of the source rests on it
# VERDICT, a key of VERDICTS; TOPIC, one of TOPICS; STATEMENT, in words and LaTeX between dollars; RECOMPUTE, a program
# of at most ten lines that imports Fraction alone; PRINTS, what it prints
CONSTANTS = ("VERDICT", "TOPIC", "STATEMENT", "RECOMPUTE", "PRINTS")
TOPICS = (
    *("Adam and its relatives", "Heavy ball", "ADMM", "Nesterov's method", "Shuffling", "Stochastic gradients"),
    *("Primal-dual methods", "Coordinate descent", "Variance reduction", "Asynchronous methods", "Games"),
    *("Projections and splitting", "Gradient and Newton methods", "Programs"),
)


@dataclass(frozen=True)
class Statement:
    """The file of a statement, read and not run.

    Attributes
    ----------
    name : of the module, such as "kingma_2015"; its page is generated/errata/NAME.html.
    title : the first line of its docstring.
    parts : Source, Said, ... with their texts.
    verdict, topic, statement, recompute, prints : its constants.
    """

    name: str
    title: str
    parts: dict[str, str]
    verdict: str
    topic: str
    statement: str
    recompute: str
    prints: str

    @property
    def claim(self) -> str:
        """The id of the claim that has the statement."""
        return f"errata.{self.name.replace('_', '-')}"


def read(source: str, name: str) -> Statement:
    """Return the statement of a file's text.

    Parameters
    ----------
    source : the text.
    name : of the module.

    Raises
    ------
    ValueError
        A part or a constant is missing; the message names it.
    """
    tree = ast.parse(source)
    title, _, rest = (ast.get_docstring(tree) or "").partition("\n")
    cut = re.split(rf"^({'|'.join(PARTS + IF_REFUTED)}): ", rest, flags=re.M)
    parts = {part: " ".join(text.split()) for part, text in zip(cut[1::2], cut[2::2])}
    assigned = [(node.targets[0], node.value) for node in tree.body if isinstance(node, ast.Assign)]
    pairs = [pair for names, values in assigned for pair in zip(_parts(names), _parts(values))]
    found = {
        name.id: ast.literal_eval(value) for name, value in pairs if isinstance(name, ast.Name) and name.id in CONSTANTS
    }
    due = {*PARTS, *(IF_REFUTED if found.get("VERDICT") == "REFUTED" else ()), *CONSTANTS}
    if missing := sorted(due - {part for part, text in parts.items() if text} - set(found)):
        raise ValueError(f"errata/{name}.py lacks {', '.join(missing)}; extras/errata/__init__.py lists all parts")
    return Statement(name, title, parts, *(found[constant] for constant in CONSTANTS))


def _parts(node: ast.expr) -> list[ast.expr]:
    """The parts of a tuple, or what is no tuple alone."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def statements() -> list[Statement]:
    """Return all statements, by topic in the order of TOPICS, then by year and name."""
    files = sorted(path for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    found = [read(path.read_text(encoding="utf-8"), path.stem) for path in files]
    return sorted(found, key=lambda one: (TOPICS.index(one.topic), one.name.split("_")[1], one.name))
