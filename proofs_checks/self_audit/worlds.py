"""A fresh copy of the whole package with one bug in one of its files, and what the checks say there.

An edit replaces one piece of one source file, in memory. In its *world* every module ``dualgap.*`` is imported
again, the edited one from the edited text; the function that should notice is looked up there too, so that it
and everything that it calls see the bug. The modules outside, and the files, are never touched. Kernels run as
plain Python in a world: no compiled code of an edited source can reach a cache.

A file that is no module (a Coq file, a vector file) is edited in a temporary copy of its folder, which the function
that should notice is given.
"""

import contextlib
import importlib
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import CodeType, ModuleType

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.evidence.planted import Gone, replaced

ROOT = "dualgap"
Notice = Callable[..., Iterable[str]]  # what is wrong, in words; nothing where nothing is wrong
# (function that must notice, module without "dualgap."): {"id: what is broken": (text to replace, new text)}
Bugs = Mapping[tuple[Notice, str], Mapping[str, tuple[str, str]]]


@dataclass(frozen=True)
class Bug:
    """One planted bug.

    Attributes
    ----------
    name : begins with an id ("svrg.draws-keep-too-often: ...") by which tests and reports name it.
    module : the dotted name of the edited module, or of the package that ``file`` belongs to.
    old, new : the text that is replaced, which the source must hold exactly once, and what takes its place.
    notices : the function that must complain; it is given the edited copy of its folder where ``file`` is named.
    file : a file of the package that is no module, such as "formal/Definitions.v".
    needs : why the bug cannot be planted here, "" when it can; None if nothing is needed.
    """

    name: str
    module: str
    old: str
    new: str
    notices: Notice
    file: str = ""
    needs: Callable[[], str] | None = None

    @property
    def id(self) -> str:
        """ "svrg.draws-keep-too-often" of "svrg.draws-keep-too-often: ..."."""
        return self.name.partition(":")[0]

    @property
    def path(self) -> Path:
        """The file that is edited. Raises Gone if there is no such module."""
        if self.file:
            return Path(importlib.import_module(self.module).__path__[0]) / self.file
        spec = find_spec(self.module)
        if spec is None or spec.origin is None:
            raise Gone(f"{self.name}: there is no module {self.module}")
        return Path(spec.origin)

    def edited(self) -> str:
        """The edited text. Raises Gone, or SyntaxError for a module that would not compile."""
        text = replaced(self.path.read_text(encoding="utf-8"), self.old, self.new, self.name, self.path.name)
        if not self.file:
            compile(text, f"<{self.name}>", "exec")
        return text


def listed(bugs: Bugs) -> Iterator[Bug]:
    """The bugs of a table."""
    for (notices, module), texts in bugs.items():
        yield from (Bug(name, f"{ROOT}.{module}", *edit, notices) for name, edit in texts.items())


class _Loader(SourceFileLoader):
    """Loads a module from a given text."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, f"<edited copy of {fullname}>", "exec")


class _Finder(MetaPathFinder):
    """Finds one module, as an edited text; leaves all others to those after it."""

    def __init__(self, module: str, text: str) -> None:
        self.module, self.text = module, text

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname == self.module else None
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.text = self.text
        return spec


def _ours() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == ROOT}


@contextlib.contextmanager
def world(module: str = "", text: str = "") -> Iterator[None]:
    """All of ``dualgap`` imported again, ``module`` from ``text``; afterwards as before. One thread only."""
    from dualgap.fast.compiler.kernel_cache import CONFIG

    before, plain, finder = _ours(), CONFIG.DISABLE_JIT, _Finder(module, text)
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    CONFIG.DISABLE_JIT = True
    try:
        yield
    finally:
        CONFIG.DISABLE_JIT = plain
        sys.meta_path.remove(finder)
        for name in _ours():
            del sys.modules[name]
        sys.modules.update(before)


def said(bug: Bug, text: str | None) -> list[str]:
    """The first complaint, or [], of the function that must notice, on the edited text; an exception is one too."""
    module = bug.module if text is not None and not bug.file else ""
    with _folder(bug, text) as given, world(module, text or ""):
        try:
            notices = getattr(importlib.import_module(bug.notices.__module__), bug.notices.__name__)
            return list(islice(notices(*given), 1))
        except Exception as error:  # a bug may break anything
            return [f"{type(error).__name__}: {error}"]


@contextlib.contextmanager
def _folder(bug: Bug, text: str | None) -> Iterator[list[Path]]:
    """[a temporary copy of the folder of the bug's file, with ``text`` in its place], or [] without a file."""
    if not bug.file:
        yield []
        return
    with temporary_folder() as temporary:
        folder = temporary / bug.path.parent.name
        shutil.copytree(bug.path.parent, folder)
        if text is not None:
            (folder / bug.path.name).write_text(text, encoding="utf-8")
        yield [folder]
