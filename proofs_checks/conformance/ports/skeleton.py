"""``dualgap new port``: write the skeleton of a port from the files of a template, under another name.

In a template the port is called ``my-port``. Its files end in .template and hidden ones begin with ``dot-``, so that no
tool takes them for code. Every skeleton answers start, echo and stop, and skips the rest.
"""

import re
from pathlib import Path
from typing import NamedTuple

from dualgap.proofs_checks.claims.templates.new_package import write_folder

HOME = Path(__file__).parent / "templates"
RUN = "run"  # the program that builds and starts a port


class Language(NamedTuple):
    """A language as people write it, the program it needs, the source file, and the step that installs it in CI."""

    title: str
    needs: str
    source: str
    setup: str


LANGUAGES = {
    "c": Language("C99", "cc", "port.c", "- run: cc --version"),
    "cpp": Language("C++17", "c++", "port.cpp", "- run: c++ --version"),
    "go": Language(
        "Go", "go", "port.go", "- uses: actions/setup-go@v5\n        with: {go-version: stable, cache: false}"
    ),
    "java": Language(
        "Java",
        "javac",
        "Port.java",
        '- uses: actions/setup-java@v4\n        with: {distribution: temurin, java-version: "17"}',
    ),
    "javascript": Language("JavaScript", "node", "port.js", "- uses: actions/setup-node@v4"),
    "julia": Language("Julia", "julia", "port.jl", "- uses: julia-actions/setup-julia@v2"),
    "r": Language("R", "Rscript", "port.R", "- uses: r-lib/actions/setup-r@v2"),
    "rust": Language("Rust", "cargo", "port.rs", "- run: rustup update stable"),
    "typescript": Language("TypeScript", "tsc", "port.ts", "- uses: actions/setup-node@v4\n      - run: npm install"),
}


def write_port(language: str, name: str = "my-port", folder: Path | None = None) -> list[Path]:
    """Write a skeleton and return its files.

    Parameters
    ----------
    language : one of LANGUAGES.
    name : small letters and digits, with hyphens between words; the port says it of itself.
    folder : where; by default one of that name in the present folder.

    Raises
    ------
    ValueError
        There is no such language, the name is none, or the folder exists.
    OSError
        A file cannot be written.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no skeleton for {language!r}; there are {', '.join(LANGUAGES)}")
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is not a valid name: use small letters, digits and single hyphens, such as my-port")
    about = LANGUAGES[language]
    words = {
        "my-port": name,
        "MyPort": name.title().replace("-", ""),
        "MY_LANGUAGE": about.title,
        "MY_SOURCE": about.source,
        "MY_SETUP": about.setup,
    }
    written = write_folder(
        [HOME / part for part in ("common", language)], words, Path(name) if folder is None else folder
    )
    next(path for path in written if path.name == RUN).chmod(0o755)
    return written
