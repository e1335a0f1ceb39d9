"""The folder in which commands are tried."""

import pytest
from cli_words import FILES


@pytest.fixture
def files(empty_folder):
    """The small data files."""
    for name, text in FILES.items():
        (empty_folder / name).write_text(text)
    return empty_folder
