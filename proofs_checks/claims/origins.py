"""Who says what a claim says: a paper in print, a reading of a lost formula, its companion code, nobody but a reader, or this library.

A paper lists its items (definitions, lemmas, numbered equations, algorithms, tables, figures, and sentences that state
something); a claim names those it is about. Place and locator are written once, with the item.

    PAPER = Paper("aspdc", "Adaptive Stochastic Primal-Dual Coordinate Descent ...", items=[
        Item("Lemma 2", "section 4, Lemma 2", "a fragment by which it is found"),
        Item("Figure 2", "section 6.2", "a fragment of its caption", experiment="aspdc-fig2"),
    ])

    @claim("aspdc.lemma-2", ..., origin=PAPER.printed("Lemma 2"))

A fragment has 3 to 10 words, letter for letter, enough to find the statement and no more; "..." stands for what is left out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

PRINTED, READING, CODE, INFERENCE = "printed", "reading", "code", "inference"

KINDS: Mapping[str, str] = MappingProxyType(
    {
        PRINTED: "The paper says it, at the place named.",
        READING: "The print is lost, ambiguous or not at hand: one way to read it, named with its reason.",
        CODE: "The paper's companion code does it.",
        INFERENCE: "A reader might expect it; nobody says it.",
        "ours": "Repaired, sharper or new: stated by this library.",
        "implementation": "About this library's own code and checks.",
    }
)


@dataclass(frozen=True)
class Item:
    """One thing that a paper states, defines or shows.

    Attributes
    ----------
    label : what the paper calls it, unique in its paper: "Lemma 2", "(16)", "Table 1", or a name for a sentence without a number.
    place : section, page or line at which it stands.
    quote : a locator of 3 to 10 words of the print; "" where the paper was not at hand.
    code : the files, relative to the root, in which it is implemented or defined.
    experiments : the names of ``dualgap reproduce`` that repeat it.
    why : the reason, where neither claim nor code nor experiment stands for it, or where they stand for a part of it.
    """

    label: str
    place: str
    quote: str = ""
    code: tuple[str, ...] = ()
    experiments: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Origin:
    """Who says it, and where.

    Attributes
    ----------
    kind : one of KINDS.
    paper : the key of the paper whose ``items`` are meant.
    items : labels of the items that the claim is about, the first one first.
    place, quote : of the first item; a reading, an inference or code may name a place of its own.
    note : which reading and why; whom a reading or an inference does not accuse.
    """

    kind: str
    paper: str = ""
    items: tuple[str, ...] = ()
    place: str = ""
    quote: str = ""
    note: str = ""


@dataclass(frozen=True)
class Paper:
    """A document and what it states.

    Attributes
    ----------
    key : as in ``dualgap coverage KEY``.
    citation : authors, title, where it appeared, year.
    items : in the order of the paper.

    Raises
    ------
    ValueError
        Two items have one label.
    """

    key: str
    citation: str
    items: tuple[Item, ...] = ()
    _by_label: dict[str, Item] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
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
            kind, self.key, labels, place or "; ".join(dict.fromkeys(item.place for item in items)),
            next((item.quote for item in items if item.quote), ""), note,
        )  # fmt: skip

    def printed(self, *labels: str, note: str = "") -> Origin:
        """The paper says it, in these items (one at least)."""
        if not labels:
            raise ValueError(f"paper {self.key}: what is printed stands in an item; name it")
        return self._origin(PRINTED, labels, note=note)

    def reading(self, *labels: str, note: str) -> Origin:
        """One reading of these items, whose print is lost, ambiguous or not at hand; ``note``: which, why, and whom it does not accuse."""
        return self._origin(READING, labels, note=note)

    def code(self, *labels: str, place: str, note: str = "") -> Origin:
        """The companion code does it, at ``place`` (file and line of which version); ``labels``: the items that it implements."""
        return self._origin(CODE, labels, place, note)

    def inference(self, *labels: str, note: str) -> Origin:
        """Nobody says it; ``labels``: the items from which a reader might expect it; ``note``: why, and whom it does not accuse."""
        return self._origin(INFERENCE, labels, note=note)

    def ours(self, *labels: str, note: str = "") -> Origin:
        """Repaired, sharper or new, beside these items."""
        return self._origin("ours", labels, note=note)


OURS = Origin("ours")
IMPLEMENTATION = Origin("implementation")


def untold(place: str) -> Origin:
    """Not yet sorted."""
    return Origin(PRINTED, place=place)
