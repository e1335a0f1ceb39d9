"""``dualgap new``: what it writes, what it refuses. tests/repository/test_install.py tests that the packages work with
an installed wheel.
"""

import re
from importlib.util import find_spec

import pytest
from support import printed, refusal, succeeds

from dualgap.proofs_checks.claims.templates.new_package import KINDS, write_package

pytestmark = pytest.mark.usefixtures("empty_folder")  # so that what a command writes can be counted

WRITTEN = {
    "paper": ["__init__", "claims", "compiled", "items", "method", "mutants"],
    "method": ["__init__", "claims", "compiled", "method"],
    "loss": ["__init__", "claims", "compiled", "loss"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_has_its_files_and_nothing_of_the_template_in_them(kind, empty_folder, capsys):
    out = printed(capsys, "new", kind, "dual-free2")
    root = empty_folder / "dual-free2"
    files = {path.relative_to(root).as_posix(): path for path in empty_folder.rglob("*") if path.is_file()}
    modules = [f"src/dual_free2/{name}.py" for name in WRITTEN[kind]]
    assert sorted(files) == sorted(["README.md", "pyproject.toml", *modules, "tests/test_dual_free2.py"])
    texts = {place: path.read_text(encoding="utf-8") for place, path in files.items()}
    assert [place for place, text in texts.items() if re.search(r"my.?package|MY_|template", text, flags=re.I)] == []
    assert any("class DualFree2(" in text for text in texts.values())
    assert 'dual-free2 = "dual_free2"' in texts["pyproject.toml"]
    assert all(place in out for place in files) and "dualgap audit dual-free2" in out
    assert max(len(text.splitlines()) for text in texts.values()) < 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["kaczmarz", "my-package"])
@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
def test_ruff_finds_nothing_and_formats_nothing(kind, name, empty_folder):
    write_package(kind, name)
    for words in (("check",), ("format", "--check")):
        succeeds("-m", "ruff", *words, ".", cwd=empty_folder / name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, "is not a valid name") for name in ("Dual", "2-free", "a--b", "a.b", "../a", "", "lambda", "match")),
        ("aspdc", "belongs to a paper"),
        ("sdca-random", "belongs to a method"),
        ("sdca_random", "belongs to a method"),
        ("smoothed-hinge", "belongs to a loss"),
        ("numpy", "belongs to a Python module that can be imported"),
    ],
)
def test_a_name_that_is_none_or_taken_is_one_line(name, reason, empty_folder, capsys):
    assert reason in refusal(capsys, "new", "paper", name) and list(empty_folder.iterdir()) == []


def test_nothing_is_overwritten(empty_folder, capsys):
    (empty_folder / "here").write_text("mine")
    assert "here exists, and nothing is overwritten" in refusal(capsys, "new", "loss", "pinball", "--out", "here")
    assert (empty_folder / "here").read_text() == "mine"
    printed(capsys, "new", "loss", "pinball", "--out", "there/below")
    assert (empty_folder / "there" / "below" / "src" / "pinball" / "loss.py").exists()
