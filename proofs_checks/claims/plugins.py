"""Packages of other people: modules that are imported and register what they define, by the decorators of the built-in
ones.

Two ways lead to them: the entry points of an installed package,

    [project.entry-points."dualgap.plugins"]
    my-paper = "my_paper"

and ``dualgap audit --import MODULE_OR_FILE``, which names a module that Python finds or the path of a file. In Python
``import my_paper`` is enough. docs/plugins.md says what can be registered.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import metadata
from pathlib import Path
from traceback import TracebackException, format_exception, walk_tb
from types import ModuleType

from dualgap.proofs_checks.claims.result import PluginJson
from dualgap.proofs_checks.engines.purity import Impure, Unrepeatable
from dualgap.reference.problem.registry import FOREIGN

GROUP = "dualgap.plugins"

# what was imported by name or path, files by their whole path, in the order in which they came
_given: dict[str, None] = {}


def load(imports: Iterable[str] = ()) -> None:
    """Import every entry point of the group ``dualgap.plugins``, then each of ``imports``. What was imported before
    stays as it is.

    Parameters
    ----------
    imports : names of modules, which may lie in the folder of the process, and paths of files that end in .py.

    Raises
    ------
    ValueError
        One line for the first that cannot be imported: which, file and line at which it broke, why, and what to do.
    """
    for point in installed():
        of = f" of {package_of(point)}" if point.dist else ""
        _imported(
            f"{point.name} (entry point {point.value!r}{of})", point.module, point.load, "or uninstall the package"
        )
    for name in imports:
        _load_one(name)


load_plugins = load


def loaded() -> tuple[str, ...]:
    """Return the arguments of ``load`` that give another process the same registrations: modules, and whole paths of
    files.

    Those that were loaded, and every other module that has registered something and can be imported by its name. What a
    script or a notebook registers itself (``__main__``) is seen by no other process.
    """
    by_path = {Path(name).stem for name in _given if name.endswith(".py")}
    return tuple(_given) + tuple(
        name for name in FOREIGN if name not in _given and name not in by_path and _found_by_name(name)
    )


def installed() -> list[metadata.EntryPoint]:
    """The entry points that ``load`` imports, in its order; nothing is imported."""
    return sorted(metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value))


def package_of(point: metadata.EntryPoint) -> str:
    """Name and version of the package that an entry point belongs to, or ""."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else ""


def described() -> list[PluginJson]:
    """Other people's code that this process runs, for reports: what every entry point and every other module has
    registered.

    Returns
    -------
    list of dict
        ``package`` (name and version of an installed one, or ""), ``module``, ``file`` (or ""), ``registers`` (kind to
        names).
    """
    packages = {point.module.partition(".")[0]: package_of(point) for point in installed()}
    modules = dict.fromkeys([*FOREIGN, *(point.module for point in installed() if point.module in sys.modules)])
    return [
        {
            "package": packages.get(name.partition(".")[0], ""),
            "module": name,
            "file": getattr(sys.modules.get(name), "__file__", None) or "",
            "registers": FOREIGN.get(name, {}),
        }
        for name in modules
    ]


def _found_by_name(name: str) -> bool:
    """Return whether importing the name again would find the file that was imported."""
    path: Sequence[str] | None = None
    spec = None
    for end in range(1, name.count(".") + 2):
        part = ".".join(name.split(".")[:end])
        specs = (finder.find_spec(part, path) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        spec = next((found for found in specs if found is not None), None)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return name != "__main__" and spec is not None and spec.origin == getattr(sys.modules.get(name), "__file__", None)


def _load_one(name: str) -> None:
    """Load one word of --import."""
    advice = "or leave it out of --import"
    if not name.endswith(".py"):
        if not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(
                f"plugin {name!r}: not the name of a module, nor the path of a file that ends in .py; give one of them"
                " to --import"
            )
        _reachable(Path.cwd())
        _imported(name, name, lambda: importlib.import_module(name), advice)
        _given[name] = None
        return
    path = Path(name).resolve()
    if not path.is_file():
        raise ValueError(
            f"plugin {name}: there is no such file ({path}); give --import the path of a file, or the name of a module"
        )
    _imported(name, path.stem, lambda: _from_file(path), advice)
    _given[str(path)] = None


def _from_file(path: Path) -> ModuleType:
    """The file as a module of the same name. It can import files of its folder."""
    before = sys.modules.get(path.stem)
    if before is not None:
        if Path(getattr(before, "__file__", None) or "").resolve() == path:
            return before
        raise ValueError(
            f"its module {path.stem!r} is taken by {getattr(before, '__file__', None) or 'Python itself'}: give the"
            " file another name"
        )
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None  # the name ends in .py
    _reachable(path.parent)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(path.stem, None)
        raise
    return module


def _reachable(folder: Path) -> None:
    """Modules in the folder can be imported, after all others."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _imported(plugin: str, module: str, run: Callable[[], object], advice: str) -> None:
    """Run the import; whatever it raises, but an interrupt and a full memory, becomes one line."""
    try:
        run()
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # SystemExit too: a module that ends the process cannot be imported
        where, refused_by_us = line_of(error, module.partition(".")[0])
        said = " ".join(str(getattr(error, "msg", None) or error).split())
        if not (refused_by_us and isinstance(error, ValueError)):  # our refusals say what to do
            said = f"{type(error).__name__}: {said}; correct {'it' if where else 'the name'}, {advice}"
        raise ValueError(f"plugin {plugin}: {f'{where}: ' if where else ''}{said}") from error


def told(error: BaseException, module: str, registered: str) -> str:
    """The traceback of an error; where it broke in other people's code, headed by one line that says so.

    Parameters
    ----------
    module : whose code was run: the claim's, or that of a method that takes the place of the reference's.
    registered : file:line of the claim, where none of that code was reached.
    """
    text = "".join(format_exception(error))
    top = module.partition(".")[0]
    if isinstance(error, Impure) and not isinstance(error, Unrepeatable):  # it names the method's own line
        return f"{' '.join(str(error).split())}\n{text}"
    where = "" if top == "dualgap" else line_of(error, top)[0] or registered
    said = " ".join(str(TracebackException.from_exception(error)).split())  # also where its own __str__ raises
    return f"{where}: {type(error).__name__}: {said}\n{text}" if where else text


OURS = ("dualgap", "importlib", "importlib_metadata")  # whose lines are not where a plugin broke


def line_of(error: BaseException, top: str) -> tuple[str, bool]:
    """(file:line where the plugin broke, whether dualgap raised it); last line in its package, else not dualgap's."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}", False
    lines = [
        (frame.f_globals.get("__name__", ""), f"{frame.f_code.co_filename}:{line}")
        for frame, line in walk_tb(error.__traceback__)
    ]
    outside = [(name, line) for name, line in lines if name.partition(".")[0] not in OURS]
    own = [line for name, line in outside if name.partition(".")[0] == top]
    return (own or [line for _, line in outside] or [""])[-1], lines[-1][0].startswith("dualgap.")
