"""The rooms of the house: which folder may import which, none in a circle, none too large.

A room is a folder of one of the columns, or of extras; folders inside a room belong to it. Arrows point to rooms of the
same column or to a column below. The ``__init__`` of a column shows its verbs to those outside; its own rooms do not
import it.

    python tests/repository/test_rooms.py   # writes the picture into docs/architecture.md
"""

import ast
import graphlib
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
COLUMNS = ("reference", "fast", "proofs_checks", "extras")
MOST_ROOMS, MOST_FILES = 21, 25
WIDEST = 88  # columns of the picture

MAY_IMPORT = {
    "reference/numbers": "",
    "reference/problem": "numbers",
    "reference/methods": "numbers, problem",
    "fast/compiler": "reference",
    "fast/data": "reference",
    "fast/problem": "compiler, reference",
    "fast/methods": "compiler, problem, reference",
    "fast/solver": "compiler, data, methods, problem, reference",
    "fast/estimators": "reference",
    "proofs_checks/engines": "fast, reference",
    "proofs_checks/claims": "engines, fast, reference",
    "proofs_checks/strategies": "claims, engines, reference",
    "proofs_checks/evidence": "claims, engines, fast, reference",
    "proofs_checks/report": "claims, fast, reference",
    "proofs_checks/auditing": "claims, engines, evidence, fast, reference",
    "proofs_checks/papers": "claims, conformance, engines, evidence, strategies, fast, reference",
    "proofs_checks/conformance": "claims, engines, evidence, report, fast, reference",
    "proofs_checks/experiments": "claims, conformance, report, fast, reference",
    "proofs_checks/properties": "auditing, claims, engines, evidence, strategies, fast, reference",
    "proofs_checks/self_audit": "auditing, claims, conformance, engines, evidence, strategies, fast, reference",
    "proofs_checks/cli": (
        "auditing, claims, conformance, engines, experiments, properties, report, self_audit, fast, reference"
    ),
    "extras/baselines": "proofs_checks, fast, reference",
    "extras/estimators": "fast, reference",
    "extras/experiments": "proofs_checks, fast, reference",
    "extras/released_solvers": "proofs_checks, fast, reference",
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


def circle(graph: dict[str, list[str]]) -> list[str] | None:
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        found: list[str] = error.args[1]
        return found
    return None


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
def test_a_room_imports_what_the_table_says_and_no_more(room: str) -> None:
    found = between_rooms()[room]
    assert {name: str(path) for name, path in found.items() if name not in allowed(room)} == {}
    assert [name for name in allowed(room) if name not in found] == [], "an arrow of the table that no file needs"


def test_the_table_points_down_and_has_no_circle() -> None:
    graph = {
        room: [f"{room.split('/')[0]}/{name}" for name in allowed(room) if name not in COLUMNS] for room in MAY_IMPORT
    }
    assert circle(graph) is None
    assert {name for targets in graph.values() for name in targets} <= set(MAY_IMPORT)
    columns = {room: [COLUMNS.index(name) for name in allowed(room) if name in COLUMNS] for room in MAY_IMPORT}
    assert all(there < COLUMNS.index(room.split("/")[0]) for room, below in columns.items() for there in below)
    assert circle({"a": ["b"], "b": ["c"], "c": ["a"]}) is not None, "the control"


@pytest.mark.parametrize("room", ["proofs_checks/papers", "proofs_checks/conformance", "extras/baselines"])
def test_the_folders_of_a_room_have_no_circle(room: str) -> None:
    graph = {
        here: [there for there in targets if room_of(there) == room]
        for here, targets in arrows().items()
        if room_of(here) == room
    }
    assert len(graph) > 5 and circle(graph) is None


def test_every_file_stands_in_a_room() -> None:
    outside = [
        path.as_posix()
        for path in sources()
        if room_of(path.parent.as_posix()) not in MAY_IMPORT and path.name != "__init__.py"
    ]
    assert outside == []
    assert len([room for room in MAY_IMPORT if not room.startswith("extras/")]) <= MOST_ROOMS


def test_no_folder_has_too_many_files() -> None:
    counts = Counter(path.parent for path in sources()) + Counter(
        path.parent for path in (ROOT / "tests").rglob("*.py")
    )
    assert len(counts) > 20 and {str(folder): count for folder, count in counts.items() if count > MOST_FILES} == {}


# started in environments of their own, no modules: the folder above says what they are
PROGRAMS = "extras/released_solvers/drivers"


@pytest.mark.parametrize("folder", sorted({path.parent.as_posix() for path in sources()} - {*COLUMNS, PROGRAMS}))
def test_a_folder_says_what_lives_there_and_a_room_what_it_may_import(folder: str) -> None:
    said = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert said, f"{folder}/__init__.py has no docstring"
    if folder in MAY_IMPORT:
        found = re.search(r"^May import: (.*)\.$", said, re.M)
        assert found and found[1] == (MAY_IMPORT[folder] or "nothing of dualgap")
        assert len(re.findall(r"\.(?:\s|$)", said[: found.start()])) >= 2, "what lives there, and what does not"


def test_the_page_on_the_architecture_shows_the_rooms_as_they_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_picture(page), "run python tests/repository/test_rooms.py"
    assert all(f"  {room.partition('/')[2]} " in page.replace("\n", " \n") for room in MAY_IMPORT)
    assert with_picture(page.replace("-> ", "-> nothing, ", 1)) == page, (
        "the control: what was changed by hand is made anew"
    )


def test_a_wrong_arrow_would_be_noticed() -> None:
    assert list(imported("def f():\n    from dualgap.fast import solve\n    import dualgap.reference.methods")) == [
        "dualgap.fast.solve",
        "dualgap.reference.methods",
    ]
    assert (
        folder_of("dualgap.reference.problem.losses.Hinge")
        == "reference/problem"
        == folder_of("dualgap.reference.problem")
    )
    assert folder_of("dualgap.fast.solve") == "fast" and folder_of("numpy.array") is None
    with pytest.raises(AssertionError, match="nowhere"):
        folder_of("dualgap.nothing.here")


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
