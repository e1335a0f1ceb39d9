"""``dualgap new``: write a new package from the files of a template, under another name.

In a template the package is called ``my_package`` (``my-package`` in names with hyphens, ``MyPackage`` in names of
classes). Its files end in .template, so that no tool takes them for code, and hidden ones begin with ``dot-``.
"""

import importlib.util
import keyword
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.reference import LOSSES, all_methods

HOME = Path(__file__).parent
SUFFIX = ".template"
# later files take the place of earlier ones
FOLDERS = {"paper": ("common", "method", "paper"), "method": ("common", "method"), "loss": ("common", "loss")}
KINDS = {  # what is written, in words
    "paper": "half of every step of SDCA: a paper's statements, audited",
    "method": "half of every step of SDCA: a method and a claim",
    "loss": "the Huber loss and two claims",
}


def write_package(kind: str, name: str, folder: Path | None = None) -> list[Path]:
    """Write a package and return its files.

    Parameters
    ----------
    kind : one of KINDS.
    name : lowercase letters and digits, with hyphens or underscores between words; also the name of the method, the
        loss and the claims.
    folder : where; by default one of that name in the present folder.

    Raises
    ------
    ValueError
        There is no such kind, the name is none or is taken, or the folder exists.
    OSError
        A file cannot be written.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no template {kind!r}; there are {', '.join(KINDS)}")
    package = _package(name)
    made = "".join(word.capitalize() for word in re.split("[-_]", name))
    words = {"my_package": package, "my-package": name, "MyPackage": made, "MY_TEXT": KINDS[kind]}
    return write_folder([HOME / part for part in FOLDERS[kind]], words, Path(name) if folder is None else folder)


def write_folder(templates: Iterable[Path], words: Mapping[str, str], folder: Path) -> list[Path]:
    """Write the files of templates, renamed, of which later ones take the place of earlier ones, and return them.

    Raises ValueError if the folder exists.
    """
    if folder.exists():
        raise ValueError(
            f"{folder} exists, and nothing is overwritten: name another folder with --out, or take it away"
        )
    sources = {source.relative_to(root): source for root in templates for source in root.rglob(f"*{SUFFIX}")}
    written = []
    for place, source in sorted(sources.items()):
        target = folder / renamed(place.as_posix().removesuffix(SUFFIX).replace("dot-", "."), words)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, renamed(source.read_text(encoding="utf-8"), words).encode())
        written.append(target)
    return written


def renamed(text: str, words: Mapping[str, str]) -> str:
    """The text with a template's words replaced, each once.

    >>> renamed("my_package: MyPackage", {"my_package": "a_my_package", "MyPackage": "A"})
    'a_my_package: A'
    """
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _package(name: str) -> str:
    """The package's name. Raises ValueError."""
    package = name.replace("-", "_")
    if (
        not re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", package)
        or keyword.iskeyword(package)
        or keyword.issoftkeyword(package)
    ):
        raise ValueError(
            f"{name!r} is not a valid name: use small letters, digits and single hyphens, such as dual-free"
        )
    for taken, known in (("paper", all_papers()), ("method", all_methods()), ("loss", LOSSES)):
        if name in known or name.replace("_", "-") in known:
            raise ValueError(f"the name {name!r} belongs to a {taken}: choose another name")
    if importlib.util.find_spec(package) is not None:
        raise ValueError(
            f"the name {name!r} belongs to a Python module that can be imported ({package}): choose another name"
        )
    return package
