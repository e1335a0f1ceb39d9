"""CONTRIBUTING.md: its sections stand in the order in which they are needed, and the example of each checklist uses
what the checklist names.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHECKLISTS = {"Add a claim": 1, "Add a method": 3, "Add a loss": 3}  # and how many files the example of each has
OPTIONAL = {"register_lazy_form"}  # which the example does not need


def sections(page: str) -> dict[str, str]:
    """Heading to text."""
    parts = re.split(r"^## (.*)\n", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def examples(text: str) -> list[str]:
    """The files that a section gives as its example."""
    return re.findall(r"`(tests/toys/\w+\.py)`", text.partition("Example:")[2])


def unused(text: str) -> set[str]:
    """What a section tells the reader to register with, and its example does not."""
    named = set(re.findall(r"`@(\w+)`", text)) | set(re.findall(r"`(register_\w+)`", text))
    code = "".join((ROOT / path).read_text(encoding="utf-8") for path in examples(text))
    return {name for name in named if not re.search(rf"^@?{name}\b", code, re.M)} - OPTIONAL


def test_the_sections_stand_in_order() -> None:
    assert list(sections(PAGE)) == ["Set up", "Test", "Where things are", *CHECKLISTS, "Style"]


@pytest.mark.parametrize("name", CHECKLISTS)
def test_the_example_of_a_checklist_uses_all_that_it_names(name: str) -> None:
    text = sections(PAGE)[name]
    assert text.count("- [ ] ") >= 3 and len(examples(text)) == CHECKLISTS[name] and unused(text) == set()


def test_a_decorator_that_no_example_uses_is_noticed() -> None:
    text = sections(PAGE)["Add a loss"]
    assert unused(text.replace("`@register_loss`", "`@register_losses`")) == {"register_losses"}
    assert unused(text.replace("`tests/toys/loss_compiled.py`", "it")) == {"register_compiled_loss"}
