"""One port as a process: a line of JSON out, a line of JSON back, and a reason whenever there is none.

The process is long-lived. A crash, a time-out or a line that is no answer is an ``Outage`` of the request that met
it; the next request starts the port afresh, so one bad case costs one case. A port that cannot be started three
times in a row is given up (``Unreachable``).
"""

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from typing import IO, Any

LONGEST_LINE = 16 * 2**20  # bytes: no answer of the protocol comes near, and a port that never ends its line is stopped
GRACE = 2.0  # seconds that a port has to leave after stop
TAIL = 2000  # bytes of its standard error that are shown


class Outage(Exception):
    """A request without an answer: "crash", "time-out" or "garbled", with what was seen."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Unreachable(Exception):
    """The port cannot be started, or does not keep to the protocol in its greeting."""


class Pipe:
    """A port process that is started when it is first asked, and again after an outage.

    Parameters
    ----------
    command : the program and its arguments, handed to the system without a shell.
    seconds : how long one answer may take, > 0.

    >>> import sys
    >>> with Pipe([sys.executable, "-c", "for line in open(0): print(line, end='', flush=True)"]) as pipe:
    ...     pipe.ask({"op": "echo"})
    {'op': 'echo'}
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        if not command:
            raise ValueError("the port's command is missing: give it after --, as in: dualgap conform -- ./run")
        if not seconds > 0:
            raise ValueError(f"the time-out of an answer must be > 0 seconds (got {seconds})")
        self.command, self.seconds = list(command), seconds
        self.starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._errors: IO[bytes] = tempfile.TemporaryFile()

    def __enter__(self) -> "Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether a process is there that has not met an outage."""
        return self._process is not None

    def ask(self, request: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Send one request and return its answer, a JSON object; ``seconds`` for this one. Raises Outage, or Unreachable."""
        seconds = self.seconds if seconds is None else seconds
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request, separators=(",", ":")).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._out("crash", "the port closed its standard input") from None
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise self._out("time-out", f"no answer within {seconds:g} s") from None
        if not line.endswith(b"\n"):
            if len(line) >= LONGEST_LINE:
                raise self._out("garbled", f"a line of more than {LONGEST_LINE} bytes")
            raise self._out("crash", f"the port ended in the middle of the line {_excerpt(line)}" if line else "the port ended")
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise self._out("garbled", f"the answer is not JSON ({error}): {_excerpt(line)}") from None
        if not isinstance(answer, dict):
            raise self._out("garbled", f"the answer is not a JSON object: {_excerpt(line)}")
        return answer

    def abandon(self) -> None:
        """End the process, if there is one; the next request starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        if hasattr(os, "killpg"):
            try:
                os.killpg(process.pid, signal.SIGKILL)  # a shell script and the program that it started
            except (ProcessLookupError, PermissionError):
                pass
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:  # what was left to be written has no reader
                pass

    def close(self, farewell: dict[str, Any] | None = None) -> int | None:
        """Say ``farewell`` if given, and end the process; the exit status of one that left by itself, else None."""
        process, status = self._process, None
        if process is not None and process.stdin is not None:
            try:
                if farewell is not None:
                    process.stdin.write(json.dumps(farewell).encode() + b"\n")
                process.stdin.close()
                status = process.wait(timeout=GRACE)
            except (OSError, subprocess.TimeoutExpired):
                pass
        self.abandon()
        self._errors.close()
        return status

    def last_words(self) -> str:
        """The end of what the port wrote to its standard error."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - TAIL))
        return self._errors.read().decode(errors="replace").strip()

    def _start(self) -> None:
        self._errors.seek(0)
        self._errors.truncate()
        try:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True,
            )
        except OSError as error:
            reason = f"cannot start {self.command[0]}: {error.strerror}; give a program that is there and executable"
            raise Unreachable(reason) from None
        self.starts += 1
        self._answers = queue.Queue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()

    def _out(self, kind: str, text: str) -> Outage:
        """End the process and say what is known of its end."""
        process = self._process
        assert process is not None
        status: int | None = None
        if kind == "crash":
            try:
                status = process.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                pass
        self.abandon()
        parts = [text, "" if status is None else f"exit status {status}", _quoted(self.last_words())]
        return Outage(kind, "; ".join(part for part in parts if part))


def _listen(stream: IO[bytes], answers: "queue.Queue[bytes]") -> None:
    """Hand on every line, and at the end the part of one that is left, which may be empty."""
    line = b"\n"
    while line.endswith(b"\n"):
        try:
            line = stream.readline(LONGEST_LINE)
        except (OSError, ValueError):  # closed under the reader by ``abandon``
            line = b""
        answers.put(line)


def _excerpt(line: bytes) -> str:
    text = line.decode(errors="replace").rstrip("\n")
    return repr(text if len(text) <= 160 else text[:160] + "...")


def _quoted(text: str) -> str:
    return f"its standard error ends: {text}" if text else ""
