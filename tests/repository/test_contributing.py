"""The worked diffs of CONTRIBUTING.md are the repository: every added line stands in the file that is named, in that
order.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def fragments(page: str) -> dict[str, list[list[str]]]:
    """Section to its worked diff: for each file its path, then the added lines."""
    found: dict[str, list[list[str]]] = {}
    for section in re.split(r"^### ", page, flags=re.M)[1:]:
        for block in re.findall(r"^```diff\n(.*?)^```$", section, flags=re.M | re.S):
            files = found.setdefault(section.splitlines()[0], [])
            for line in block.splitlines():
                if line.startswith("+++ b/"):
                    files.append([line.removeprefix("+++ b/")])
                else:
                    files[-1].append(line)
    return found


def strays(path: str, lines: list[str]) -> list[str]:
    """Lines that are no added lines, or do not follow each other in the file."""
    rest = iter((ROOT / path).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if not line.startswith("+") or line[1:] not in rest]


@pytest.mark.parametrize(
    ("path", "lines"), [(path, lines) for files in fragments(PAGE).values() for path, *lines in files]
)
def test_every_added_line_stands_in_the_file(path: str, lines: list[str]) -> None:
    assert lines and strays(path, lines) == []


def test_each_checklist_has_a_worked_diff() -> None:
    assert list(fragments(PAGE)) == ["A method", "A loss", "A claim", "A paper"]
    assert all(f"### {name}\n\n- [ ] " in PAGE for name in fragments(PAGE))


def test_a_line_that_is_changed_or_out_of_order_is_noticed() -> None:
    path, first, *others = fragments(PAGE)["A loss"][0]
    assert strays(path, [first, others[0].replace("Huber", "Hubert")]) != []
    assert strays(path, [*others, first]) == [first] and strays(path, [first[1:]]) == [first[1:]]
