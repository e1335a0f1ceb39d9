"""The subpackages: which may import which, none in a circle, none too large.

The docstring of a subpackage says what it may import. Arrows point to subpackages of the same package or to a package
below. The ``__init__`` of a package shows its names to those outside; its own subpackages do not import it.

    python tests/repository/test_rooms.py   # writes the picture into docs/architecture.md
"""

import ast
import graphlib
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

PAGE = ROOT / "docs" / "architecture.md"
COLUMNS = ("reference", "fast", "proofs_checks", "extras")
WIDEST = 88  # columns of the picture


def docstring(folder: str) -> str:
    return ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8"))) or ""


def may_import(room: str) -> str:
    """What the docstring of a subpackage allows."""
    found = re.search(r"^May import: (.*)\.$", docstring(room), re.M)
    assert found, f"{room}/__init__.py does not say what it may import"
    return found[1].replace("nothing of dualgap", "")


MAY_IMPORT = {
    room: may_import(room)
    for column in COLUMNS
    for room in sorted(path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob(f"{column}/*/__init__.py"))
}


def sources() -> list[Path]:
    """Every file with code, relative to the root."""
    return [path.relative_to(ROOT) for column in COLUMNS for path in sorted((ROOT / column).rglob("*.py"))]


def imported(source: str) -> Iterator[str]:
    """The dotted names that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder_of(name: str) -> str | None:
    """The folder in which an imported name is found: ``reference/problem`` for
    ``dualgap.reference.problem.losses.Loss``.
    """
    package, *parts = name.split(".")
    if package != "dualgap" or not parts:
        return None
    for k in range(len(parts), 0, -1):
        place = "/".join(parts[:k])
        if (ROOT / f"{place}.py").exists():
            return "/".join(parts[: k - 1])
        if (ROOT / place / "__init__.py").exists():
            return place
    raise AssertionError(f"{name} is imported and is nowhere")


def room_of(folder: str) -> str:
    """The room of a folder; the column itself for its ``__init__``."""
    return "/".join(folder.split("/")[:2])


@cache
def arrows() -> dict[str, dict[str, Path]]:
    """Folder to folder, with a file that imports so."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in sources():
        here = path.parent.as_posix()
        for name in imported((ROOT / path).read_text(encoding="utf-8")):
            there = folder_of(name)
            if there is not None and there != here:
                found[here].setdefault(there, path)
    return found


@cache
def between_rooms() -> dict[str, dict[str, Path]]:
    """Room to what the table calls it: a room of its own column by its name, a column below whole."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    for here, targets in arrows().items():
        room = room_of(here)
        for there, path in targets.items():
            if "/" in room and room_of(there) != room:
                column, _, name = room_of(there).partition("/")
                found[room].setdefault(name or column if column == room.split("/")[0] else column, path)
    return found


def circle(graph: Mapping[str, Iterable[str]]) -> list[str] | None:
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found: list[str] = error.args[1]
        return found
    return None


@cache
def files() -> dict[str, Path]:
    """Every module by its dotted name; the ``__init__`` of a folder is left out, for it shows names of its files."""
    modules = [path for path in sources() if path.name != "__init__.py"]
    return {".".join(("dualgap", *path.with_suffix("").parts)): path for path in modules}


def imported_files(source: str) -> set[str]:
    """The modules that a source imports when it runs, also inside its functions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names = set(imported(ast.unparse(tree)))
    return (names | {name.rpartition(".")[0] for name in names}) & files().keys()


def picture() -> str:
    """The rooms, the topmost first, with what they import; a room stands above all rooms of its column that it
    imports.
    """
    lines: list[str] = []
    for column in reversed(COLUMNS):
        found = {
            room.partition("/")[2]: list(between_rooms()[room]) for room in MAY_IMPORT if room.startswith(f"{column}/")
        }
        rooms = list(
            graphlib.TopologicalSorter(
                {room: [name for name in targets if name in found] for room, targets in sorted(found.items())}
            ).static_order()
        )
        lines.append(f"{column}/")
        for room in reversed(rooms):
            own = sorted(name for name in found[room] if name not in COLUMNS)
            below = [name for name in reversed(COLUMNS) if name in found[room]]
            line = f"  {room:<12} -> {', '.join([*own, *below])}".rstrip(" ->")
            lines += textwrap.wrap(line, WIDEST, subsequent_indent=" " * 18)
    return "\n".join(lines)


def with_picture(page: str) -> str:
    """The page with the picture of the present imports."""
    return re.sub(
        r"(<!-- picture -->\n).*?(<!-- end of picture -->)",
        lambda m: f"{m[1]}```\n{picture()}\n```\n{m[2]}",
        page,
        flags=re.S,
    )


def allowed(room: str) -> list[str]:
    return [name for name in MAY_IMPORT[room].split(", ") if name]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_what_its_docstring_says_and_no_more(room: str) -> None:
    found = between_rooms()[room]
    assert {name: str(path) for name, path in found.items() if name not in allowed(room)} == {}
    assert [name for name in allowed(room) if name not in found] == [], "the docstring allows what no file needs"


def test_the_imports_point_down_and_have_no_circle() -> None:
    graph = {
        room: [f"{room.split('/')[0]}/{name}" for name in allowed(room) if name not in COLUMNS] for room in MAY_IMPORT
    }
    assert circle(graph) is None
    assert {name for targets in graph.values() for name in targets} <= set(MAY_IMPORT)
    columns = {room: [COLUMNS.index(name) for name in allowed(room) if name in COLUMNS] for room in MAY_IMPORT}
    assert all(there < COLUMNS.index(room.split("/")[0]) for room, below in columns.items() for there in below)


def test_no_two_files_import_each_other_in_a_circle_not_even_inside_functions() -> None:
    graph = {name: imported_files((ROOT / path).read_text(encoding="utf-8")) for name, path in files().items()}
    assert circle(graph) is None


@pytest.mark.parametrize("room", ["proofs_checks/papers", "proofs_checks/conformance", "extras/baselines"])
def test_the_folders_of_a_room_have_no_circle(room: str) -> None:
    graph = {
        here: [there for there in targets if room_of(there) == room]
        for here, targets in arrows().items()
        if room_of(here) == room
    }
    assert len(graph) > 5 and circle(graph) is None


def test_every_file_stands_in_a_room_and_an_init_imports_nothing_above() -> None:
    outside = [path.as_posix() for path in sources() if room_of(path.parent.as_posix()) not in MAY_IMPORT]
    assert [path for path in outside if not path.endswith("__init__.py")] == [] and len(MAY_IMPORT) > 20
    for k, column in enumerate(COLUMNS):
        assert {there.split("/")[0] for there in arrows()[column]} <= set(COLUMNS[: k + 1])


def test_the_page_on_the_architecture_shows_the_rooms_as_they_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_picture(page), "run python tests/repository/test_rooms.py"
    assert all(f"  {room.partition('/')[2]} " in page.replace("\n", " \n") for room in MAY_IMPORT)


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
