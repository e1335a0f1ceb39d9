r"""Standard output and standard error as every command writes them.

Two rules hold for both. A stream that cannot be written (closed, full, no reader) ends no command: the requested files
are still written, and ``main`` reports at the end what was lost. Text from a file, a plugin or another program is
shown, not obeyed: control characters, escape sequences and the marks that change the direction of writing appear as
``\x1b``.
"""

import contextlib
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Iterator
from string import Formatter
from typing import Any, TextIO

# categories of Unicode: controls, marks without a shape, halves of pairs, ends of lines
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str, but: str = "\n\t") -> str:
    r"""The text with every character that a terminal would obey as its escape, except for those named.

    >>> visible("fine\n\x1b[2Kstatus  converged\u202e")
    'fine\n\\x1b[2Kstatus  converged\\u202e'
    """
    if text.isascii() and text.translate({ord(c): None for c in but}).isprintable():
        return text
    return "".join(
        c if c in but or unicodedata.category(c) not in OBEYED else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def line(text: str) -> str:
    r"""Any text as a part of one line.

    >>> line("a port\nstatus  converged")
    'a port\\nstatus  converged'
    """
    return visible(text, but="")


class _Fields(Formatter):
    """``str.format`` whose fields stay within their line."""

    def format_field(self, value: object, spec: str) -> str:
        return format(line(value), spec) if isinstance(value, str) else line(format(value, spec))


def filled(template: str, *fields: object, **named: object) -> str:
    r"""Fill the template. The template is ours; the fields are untrusted.

    >>> filled("{:<3}|{:g}", "a\n", 0.5)
    'a\\n|0.5'
    """
    return _Fields().vformat(template, fields, named)


def say(template: str, *fields: object, **named: object) -> None:
    """Print one line, or the lines of the template, on standard output."""
    print(filled(template, *fields, **named))


def note(template: str, *fields: object) -> None:
    """Print one line, or the lines of the template, on standard error."""
    print(filled(template, *fields), file=sys.stderr)


class Screen:
    """A text stream that never raises: ``lost`` is the first error, after which nothing more is written.

    stream : what is written to; None if the process was started without it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = io.StringIO() if stream is None else stream
        self.closed_from_the_start = stream is None
        self.lost: OSError | None = None

    def write(self, text: str) -> int:
        """Write what is visible, or remember why not."""
        return self.draw(visible(text))

    def draw(self, text: str) -> int:
        """Write control characters, too: for what this package draws itself."""
        if self.closed_from_the_start and self.lost is None:
            self.lost = OSError(errno.EBADF, os.strerror(errno.EBADF))
        if self.lost is None:
            try:
                self.stream.write(text)
            except OSError as error:
                self.lost = error
        return len(text)

    def flush(self) -> None:
        """Flush, or remember why not."""
        if self.lost is None:
            try:
                self.stream.flush()
            except OSError as error:
                self.lost = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def screens() -> Iterator[tuple[Screen, Screen]]:
    """Both streams of the process as Screens while the block runs."""
    for descriptor in (0, 1, 2):  # one that is closed would be given to the next file that is opened
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    before = sys.stdout, sys.stderr
    for stream in before:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a file name that the terminal cannot write must not end a run
            reconfigure(errors="backslashreplace")
    both = Screen(before[0]), Screen(before[1])
    sys.stdout, sys.stderr = both
    try:
        yield both
    finally:
        for screen in both:
            screen.flush()
            if screen.lost is not None:  # what is still in the buffer must not be tried again when Python ends
                with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
                    os.dup2(nowhere.fileno(), screen.stream.fileno())
        sys.stdout, sys.stderr = before
