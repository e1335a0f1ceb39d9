"""One port as a process: a line of JSON out, a line of JSON back, and a reason whenever there is none.

The process is long-lived. A crash, a time-out or a line that is no answer is an ``Outage`` of the request that met
it; the next request starts the port afresh, so one bad case costs one case.

Nothing that the port or its descendants do is waited for beyond the limits: its three streams are read and written
without blocking, also while a descendant holds them open, and what is kept of them is bounded.
"""

import json
import math
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from time import monotonic

from dualgap.proofs_checks.claims.strict_json import Json, parse_json

LONGEST_LINE = 16 * 2**20  # bytes: no answer of the protocol comes near, and a port that never ends its line is stopped
GRACE = 2.0  # seconds that a port has to leave when its input ends; after stop it has those of an answer
LAST = 0.5  # seconds that one has which has closed its streams
TAIL = 2000  # bytes of its standard error that are shown
CHUNK = 2**16  # bytes that are read or written at a time
SLICE = 0.1  # seconds after which it is looked at whether a silent port still lives


class Outage(Exception):
    """A request without an answer: "crash", "time-out" or "garbled", with what was seen."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Unreachable(Exception):
    """No further request makes sense: the port cannot be started, fails in the greeting, or was given up."""


class OutOfTime(Unreachable):
    """The time for all requests together is over."""


class Pipe:
    """A port process. It is started at the first request, and started again after an outage.

    Parameters
    ----------
    command : the program and its arguments, handed to the system without a shell.
    seconds : how long one answer may take, > 0.

    Attributes
    ----------
    starts : how often the process was started.
    deadline : the time (``time.monotonic``) after which no request is sent.

    >>> import sys
    >>> with Pipe([sys.executable, "-c", "for line in open(0): print(line, end='', flush=True)"]) as pipe:
    ...     pipe.ask({"op": "echo"})
    {'op': 'echo'}
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        if not command:
            raise ValueError("the port's command is missing: give it after --, as in: dualgap conform -- ./run")
        if not 0 < seconds < math.inf:
            raise ValueError(f"the time-out of an answer must be > 0 seconds and finite (got {seconds})")
        if not hasattr(select, "poll"):
            raise ValueError(
                "this system cannot wait for a pipe: use dualgap vectors --emit and --judge, which need none"
            )
        self.command, self.seconds = list(command), seconds
        self.starts, self.deadline = 0, math.inf
        self._process: subprocess.Popen[bytes] | None = None
        self._incoming, self._outgoing, self._errors = bytearray(), b"", b""
        self._open: set[int] = set()  # of the streams that are read, those that have not ended

    def __enter__(self) -> "Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """True if a process is there that has not met an outage."""
        return self._process is not None

    def ask(self, request: Json, seconds: float | None = None) -> Json:
        """Send one request and return its answer, a JSON object; ``seconds`` at most. Raises Outage, or Unreachable."""
        seconds = self.seconds if seconds is None else seconds
        if self._process is None:
            self._start()
        now = monotonic()
        until = min(now + seconds, self.deadline)
        self._outgoing = _line(request)
        try:
            while self._outgoing or (end := self._incoming.find(b"\n")) < 0:
                if len(self._incoming) >= LONGEST_LINE:
                    raise self._out("garbled", f"more than {LONGEST_LINE} bytes where one line is due")
                if not self._turn(until):
                    raise self._silence(seconds) if monotonic() < self.deadline else self._out_of_time()
        except OSError:
            raise self._out("crash", "the port closed its standard input") from None
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        try:
            answer = parse_json(line)
        except ValueError as error:
            raise self._out("garbled", f"the answer is no JSON of the protocol ({error}): {_excerpt(line)}") from None
        if not isinstance(answer, dict):
            raise self._out("garbled", f"the answer is not a JSON object: {_excerpt(line)}")
        return answer

    def abandon(self) -> None:
        """End the process, if there is one; the next request starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            os.killpg(process.pid, signal.SIGKILL)  # a shell script and the program that it started
        except (ProcessLookupError, PermissionError):
            pass
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()

    def close(self, farewell: Json | None = None) -> int | None:
        """Say ``farewell`` if given, and end the process; the exit status of one that left by itself, else None."""
        process, status = self._process, None
        if process is not None:
            assert process.stdin is not None
            until = monotonic() + (GRACE if farewell is None else self.seconds)
            self._outgoing = b"" if farewell is None else _line(farewell)
            try:
                while self._outgoing and self._turn(until):
                    self._incoming.clear()
            except OSError:  # it no longer reads; its exit status may still be right
                pass
            process.stdin.close()
            while self._turn(until):  # it may have more to say before it leaves
                self._incoming.clear()
            status = self._status(until)
        self.abandon()
        return status

    def _start(self) -> None:
        self._incoming, self._errors = bytearray(), b""
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            reason = f"cannot start {self.command[0]}: {error.strerror}; give a program that is there and executable"
            raise Unreachable(reason) from None
        self.starts += 1
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self._open = {stream.fileno() for stream in (self._process.stdout, self._process.stderr) if stream is not None}

    def _turn(self, until: float) -> bool:
        """Write or read what is ready, waiting at most for a slice; False at the end."""
        process, left = self._process, until - monotonic()
        assert process is not None and process.stdin is not None and process.stdout is not None
        if left <= 0 or process.stdout.fileno() not in self._open:
            return False
        gone = process.poll() is not None  # polled before reading, so that its last output is not lost
        poll = select.poll()
        for stream in self._open:
            poll.register(stream, select.POLLIN)
        if self._outgoing and not process.stdin.closed:
            poll.register(process.stdin.fileno(), select.POLLOUT)
        ready = [stream for stream, _ in poll.poll(1000 * min(left, SLICE))]
        for stream in ready:
            if stream in self._open:
                self._read(stream, process.stdout.fileno())
            else:
                self._write(stream)
        return bool(ready) or not gone  # do not wait for a descendant that holds the streams of an ended port

    def _read(self, stream: int, answers: int) -> None:
        """Keep what has come: of standard error the end."""
        piece = os.read(stream, CHUNK)
        if not piece:
            self._open.discard(stream)
        elif stream == answers:
            self._incoming += piece
        else:
            self._errors = (self._errors + piece)[-TAIL:]

    def _write(self, stream: int) -> None:
        """Write as much as fits into the pipe. Raises OSError if the other end is closed."""
        try:
            self._outgoing = self._outgoing[os.write(stream, self._outgoing[:CHUNK]) :]
        except BlockingIOError:
            pass

    def _status(self, until: float) -> int | None:
        """The exit status of a port that leaves before ``until``, else None."""
        assert self._process is not None
        try:
            return self._process.wait(max(0.0, until - monotonic()))
        except subprocess.TimeoutExpired:
            return None

    def _silence(self, seconds: float) -> Outage:
        """Why there is no answer: the port has ended, or its time."""
        process = self._process
        assert process is not None and process.stdout is not None
        if process.stdout.fileno() in self._open and process.poll() is None:
            return self._out("time-out", f"no answer within {seconds:g} s")
        held = "; a process that it started holds its standard output" if process.stdout.fileno() in self._open else ""
        line = bytes(self._incoming)
        return self._out(
            "crash", (f"the port ended in the middle of the line {_excerpt(line)}" if line else "the port ended") + held
        )

    def _out_of_time(self) -> OutOfTime:
        self.abandon()
        return OutOfTime("the time for the whole run is over")

    def _out(self, kind: str, text: str) -> Outage:
        """End the process and say what is known of its end."""
        status = self._status(monotonic() + LAST) if kind == "crash" else None
        assert self._process is not None and self._process.stderr is not None
        if (last := self._process.stderr.fileno()) in self._open and select.select([last], [], [], 0)[0]:
            self._read(last, -1)
        self.abandon()
        said = self._errors.decode(errors="replace").strip()
        parts = [
            text,
            "" if status is None else f"exit status {status}",
            f"its standard error ends: {said}" if said else "",
        ]
        return Outage(kind, "; ".join(part for part in parts if part))


def _line(request: Json) -> bytes:
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def _excerpt(line: bytes) -> str:
    text = line[:800].decode(errors="replace")
    return repr(text if len(text) <= 160 else text[:160] + "...")
