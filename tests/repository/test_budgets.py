"""No folder grows past its budget of lines of Python; a budget may be lowered in any change, and raised by none."""

import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUDGETS = ROOT / "tests" / "repository" / "budgets.txt"  # "folder lines", the longest folder that fits counts


def lines_by_folder(folders: list[str], root: Path = ROOT) -> Counter[str]:
    """Lines of every tracked .py file, in the longest of the folders that holds it, or in "."."""
    found: Counter[str] = Counter()
    for path in subprocess.check_output(["git", "ls-files", "*.py"], cwd=root, text=True).splitlines():
        home = max((folder for folder in folders if path.startswith(f"{folder}/")), key=len, default=".")
        found[home] += (root / path).read_bytes().count(b"\n")
    return found


def budgets(text: str) -> dict[str, int]:
    return {folder: int(most) for folder, most in map(str.split, text.splitlines())}


def too_large(found: Counter[str], allowed: dict[str, int]) -> list[str]:
    over = [
        (folder, lines, allowed.get(folder, 0)) for folder, lines in found.items() if lines > allowed.get(folder, 0)
    ]
    return [f"{folder}: {lines} lines, {most} allowed: move or delete {lines - most}" for folder, lines, most in over]


def test_no_folder_is_larger_than_its_budget() -> None:
    allowed = budgets(BUDGETS.read_text(encoding="utf-8"))
    assert too_large(lines_by_folder(list(allowed)), allowed) == []


def test_a_budget_is_at_most_3_percent_above_what_is_there() -> None:
    """So that what was deleted cannot come back in silence: a change that deletes lowers the budget with it."""
    allowed = budgets(BUDGETS.read_text(encoding="utf-8"))
    found = lines_by_folder(list(allowed))
    assert {f: (found[f], most) for f, most in allowed.items() if most > 1.03 * found[f] + 60} == {}
