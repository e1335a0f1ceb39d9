"""The program of docs/own_loss.md runs as it stands."""

import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "own_loss.md"


def test_the_program_of_the_page_runs(tmp_path: pathlib.Path) -> None:
    """In a process of its own, since what it registers stays."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 6 and sum(block.count("assert ") for block in blocks) >= 8
    program = tmp_path / "own_loss.py"
    program.write_text("\n".join(blocks), encoding="utf-8")
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
