"""The papers whose statements are audited: what claim ids begin with, what is cited, what they state, and the page that
tells what we find.

A paper lists its items: definitions, lemmas, numbered equations, algorithms, tables, figures, and sentences that state
something. A claim names those it is about; place and locator are written once, with the item.

    PAPER = register_paper("aspdc", "*ASPDC ...*: ..., Electronics 2022", "docs/aspdc.md", (
        Item("Lemma 2", "section 4, Lemma 2", "a fragment by which it is found"),
        Item("Figure 2", "section 6.2", "a fragment of its caption", experiments=("aspdc-fig2",)),
    ))

    @claim("aspdc.lemma-2", ..., origin=PAPER.printed("Lemma 2"))

A fragment has 3 to 10 words, letter for letter, enough to find the statement and no more; "..." stands for what is left
out.

>>> all_papers()["pgs"].page
'docs/pgs.md'
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from dualgap.proofs_checks.claims.origins import CODE, INFERENCE, PRINTED, READING, Origin
from dualgap.reference.problem.registry import Registry

T = TypeVar("T")


@dataclass(frozen=True)
class Item:
    """One thing that a paper states, defines or shows.

    Attributes
    ----------
    label : what the paper calls it, unique in its paper: "Lemma 2", "(16)", "Table 1", or a name for a sentence without
        a number.
    place : its section, page or line.
    quote : a locator of 3 to 10 words of the print; "" if we had no copy of the paper.
    code : the files, relative to the root, in which it is implemented or defined; a method of another paper by its
        name.
    experiments : the names of ``dualgap reproduce`` that repeat it.
    why : the reason if no claim, code or experiment covers it, or if they cover only a part of it.
    formula : as it is printed, in LaTeX between dollars, its numbers or words where it is none; "" if it is not kept.
    """

    label: str
    place: str
    quote: str = ""
    code: tuple[str, ...] = ()
    experiments: tuple[str, ...] = ()
    why: str = ""
    formula: str = ""


class Assessment(NamedTuple):
    """The text about a paper in a report: a sentence or two for each part.

    Attributes
    ----------
    tested : what was tested.
    good : what is good about it.
    wrong : what is wrong; "" if nothing is.
    repaired : which repaired or sharper forms hold.
    untested : what was not tested, and why.
    """

    tested: str
    good: str
    wrong: str = ""
    repaired: str = ""
    untested: str = ""


@dataclass(frozen=True)
class Paper:
    """One document and what it states, or a group of statements that belong together.

    Attributes
    ----------
    key : what the ids of its claims begin with, as in ``dualgap audit KEY`` and ``dualgap claims --coverage KEY``.
    citation : title in asterisks, authors, place, year; without a title where no document of the README's list is
        meant.
    page : the documentation page with all its claims that are refuted or open.
    items : in the order of the document.
    assessment : of what was found; None if the paper is only quoted.

    Raises
    ------
    ValueError
        The key is not in small letters or has a dot, or two items have one label.
    """

    key: str
    citation: str
    page: str
    items: tuple[Item, ...] = ()
    assessment: Assessment | None = None
    _by_label: dict[str, Item] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not (self.key and self.key == self.key.lower() and "." not in self.key):
            raise ValueError(
                f"a paper's key is in small letters and without a dot: claim ids are KEY.NAME (got {self.key!r})"
            )
        for item in self.items:
            if item.label in self._by_label:
                raise ValueError(f"paper {self.key}: two items are labelled {item.label!r}")
            self._by_label[item.label] = item

    def item(self, label: str) -> Item:
        """Raises ValueError for a label that the paper's list of items lacks."""
        if label not in self._by_label:
            raise ValueError(f"paper {self.key} lists no item {label!r}; it has {', '.join(self._by_label) or 'none'}")
        return self._by_label[label]

    def _origin(self, kind: str, labels: Iterable[str], place: str = "", note: str = "") -> Origin:
        labels = tuple(labels)
        items = [self.item(label) for label in labels]
        return Origin(
            kind,
            self.key,
            labels,
            place or "; ".join(dict.fromkeys(item.place for item in items)),
            next((item.quote for item in items if item.quote), ""),
            note,
        )

    def printed(self, *labels: str, note: str = "") -> Origin:
        """The paper says it, in these items (one at least)."""
        if not labels:
            raise ValueError(
                f"paper {self.key}: a printed claim must name an item of the paper, for example"
                " PAPER.printed('Lemma 2')"
            )
        return self._origin(PRINTED, labels, note=note)

    def reading(self, *labels: str, note: str) -> Origin:
        """A reading of items whose print is damaged, ambiguous or missing; ``note``: which, why, who is not accused."""
        return self._origin(READING, labels, note=note)

    def code(self, *labels: str, place: str, note: str = "") -> Origin:
        """The code does it, at ``place`` (file and line of which version); ``labels``: the items it implements."""
        return self._origin(CODE, labels, place, note)

    def inference(self, *labels: str, note: str) -> Origin:
        """Return the origin of a statement that is not in the paper. labels : the items from which a reader might
        conclude it. note : why, and why it is not an error of the paper.
        """
        return self._origin(INFERENCE, labels, note=note)

    def ours(self, *labels: str, note: str = "") -> Origin:
        """Our own form of these items: repaired, sharper or new."""
        return self._origin("ours", labels, note=note)


PAPERS: Registry[Paper] = Registry("paper", "dualgap.proofs_checks.papers", "items", extras="items")


def register_paper(
    key: str,
    citation: str,
    page: str,
    items: Iterable[Item] = (),
    why: Mapping[str, str] | None = None,
    assessment: Assessment | None = None,
) -> Paper:
    """Register a paper: in ``items.py`` of its folder.

    Raises ValueError for a key that another place has taken, and for a reason of an item that is not listed.

    Parameters
    ----------
    key : what the ids of its claims begin with.
    citation : author, title between asterisks, and where it appeared.
    page : its page in the documentation.
    items : what the paper numbers or states, in its order.
    why : the reasons ``why`` of items, by their labels.
    assessment : what the report says of the paper in addition to its numbers.
    """
    reasons = dict(why or {})
    listed = tuple(replace(item, why=reasons.pop(item.label, item.why)) for item in items)
    if reasons:
        raise ValueError(f"paper {key} lists no item {next(iter(reasons))!r}, of which a reason is given")
    paper = Paper(key, citation, page, listed, assessment)
    PAPERS.enter(key, paper)
    return paper


def listed(module: str) -> tuple[Item, ...]:
    """The items of the table items.txt beside a module, one a line, with tabs between label, place, quote, code,
    experiments, why and formula; files and experiments have spaces between them, and a line that begins with # is a
    comment.

    Parameters
    ----------
    module : the module's ``__file__``.

    Raises
    ------
    ValueError
        A line has no place, or more than seven parts.
    """
    table, items = Path(module).with_name("items.txt"), []
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if not 2 <= len(cells) <= 7:
            raise ValueError(
                f"{table}:{number}: an item has two to seven parts with tabs between them (got {line[:80]!r})"
            )
        label, place, quote, code, experiments, why, formula = (*cells, "", "", "", "", "")[:7]
        items.append(Item(label, place, quote, tuple(code.split()), tuple(experiments.split()), why, formula))
    return tuple(items)


def all_papers() -> dict[str, Paper]:
    """Every paper by key, in the order of the keys: those of the folders of ``papers/``, and other people's."""
    return dict(sorted(PAPERS.complete().items()))


def require_own_paper(kind: str, name: str, module: str, taken: Registry[T]) -> None:
    """Raise ValueError if other people's module registers a new name under a paper of dualgap's, whose audit it
    would change.

    taken : of what has a name already, the registry tells the place.
    """
    key, _, rest = name.partition(".")
    if module.partition(".")[0] == "dualgap" or name in taken.complete():
        return
    if key in PAPERS.complete() and not PAPERS.places[key].foreign:
        raise ValueError(
            f"{kind} {name!r}: {key} is a paper of dualgap's, whose audit stays as it is: register one of your own, "
            f'register_paper("my-{key}", ...), and name it my-{key}.{rest}; docs/plugins.md has an example'
        )
