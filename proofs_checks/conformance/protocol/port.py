"""The protocol of docs/ports.md, seen from the runner: start, echo, run, solve, stop."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.proofs_checks.conformance.protocol.process import Outage, Pipe, Unreachable
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.validate import Row

PROTOCOL = 1
SHOWN = 160  # characters of an answer in a complaint
MOST_OUTAGES = 25  # in a row; then the run ends, so that a port that only crashes is not restarted for every request
# seconds that an answer of the greeting may take: the command may compile the port before it starts it
BUILDING = 120.0
ECHOED = (  # what a decimal reader, a 32-bit number or a lost sign would change
    "0000000000000000",
    "8000000000000000",
    "3ff0000000000000",
    "bff8000000000000",
    "3fb999999999999a",
    "3fd5555555555555",
    "7fefffffffffffff",
    "0000000000000001",
    "000fffffffffffff",
    "400921fb54442d18",
    "7ff0000000000000",
    "fff0000000000000",
)

SUBNORMAL = ("0000000000000001", "000fffffffffffff")


def _advice(echoed: object) -> str:
    """Return advice for numbers that are right but written in the wrong form."""
    if isinstance(echoed, list) and [str(text).lower() for text in echoed] == list(ECHOED):
        return ": write hexadecimal digits in lower case"
    return ""


@dataclass(frozen=True)
class Answer:
    """The answer to one call: a result, or one of "skipped", "error", "crash", "time-out", "garbled" and why."""

    result: Json | None
    kind: str = "result"
    reason: str = ""


def answer_of(line: Json) -> Answer:
    """Return the answer to a call that a line of the protocol holds."""
    for kind in ("skipped", "error"):
        if kind in line:
            return Answer(None, kind, str(line[kind]))
    if not isinstance(line.get("result"), dict):
        return Answer(None, "garbled", f"the answer has none of result, skipped and error: {str(line)[:SHOWN]}")
    return Answer(integral(line["result"]))


def integral(value: object) -> Any:
    """The value with an integer for every number in it that is one, such as 3.0 and 3e0: JSON has one type of number.

    >>> integral({"t": 3.0, "columns": [0, 1e0, 0.5]})
    {'t': 3, 'columns': [0, 1, 0.5]}
    """
    return each(value, lambda x: int(x) if isinstance(x, float) and x.is_integer() else x)


def problem_to_json(
    d: int, rows: Sequence[Row], y: Iterable[Number], loss: str, gamma: Number, lam: Number, l1: Number
) -> Json:
    """The problem as the protocol writes it: rows of (column, value), as they are to be stored."""
    return {
        "n": len(rows),
        "d": d,
        "starts": list(accumulate(map(len, rows), initial=0)),
        "columns": [int(j) for row in rows for j, _ in row],
        "values": [encode(float(x)) for row in rows for _, x in row],
        "y": [encode(float(t)) for t in y],
        "loss": loss,
        "gamma": encode(float(gamma)),
        "lam": encode(float(lam)),
        "l1": encode(float(l1)),
    }


class Port:
    """A port behind a pipe. It is greeted at each start, also at a restart after an outage.

    Parameters
    ----------
    command : the program and its arguments.
    seconds : how long one answer may take, > 0.

    Attributes
    ----------
    about : how the port describes itself: name, language, version.
    solves : which whole problems the port says it solves; empty if it names none.
    subnormals : False for a port that declares that its machine has no numbers below 2^-1022.
    asked : how many calls were made.

    After ``MOST_OUTAGES`` calls in a row that ended in an outage it is given up, and no call is made any more.
    """

    def __init__(self, command: Sequence[str], seconds: float = 10.0) -> None:
        self.pipe = Pipe(command, seconds)
        self.about: dict[str, str] = {}
        self.solves: Json = {}
        self.subnormals = True
        self.asked = 0
        self._sequence = self._outages = 0

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_: object) -> None:
        self.pipe.close()

    def greet(self) -> None:
        """Start the port; exchange start, echo and an unknown op. Raises Unreachable for wrong answers."""
        seconds = max(self.pipe.seconds, BUILDING)
        try:
            answer = self._exchange({"op": "start", "protocol": PROTOCOL}, seconds)
            if answer.get("protocol") != PROTOCOL:
                raise Unreachable(f'start must be answered with "protocol":{PROTOCOL} (got {str(answer)[:SHOWN]})')
            self.about = {name: str(answer.get(name, "")) for name in ("name", "language", "version")}
            self.subnormals = answer.get("subnormals") is not False
            self.solves = answer["solves"] if isinstance(answer.get("solves"), dict) else {}
            sent = [text for text in ECHOED if self.subnormals or text not in SUBNORMAL]
            echoed = self._exchange({"op": "echo", "numbers": sent}, seconds).get("numbers")
            if echoed != sent:
                raise Unreachable(
                    f"echo must repeat every number (sent {', '.join(sent)}; got {str(echoed)[:SHOWN]})"
                    + _advice(echoed)
                )
            if "skipped" not in (answer := self._exchange({"op": "unheard-of"}, seconds)):
                raise Unreachable(
                    f"an op that the port does not know must be answered with skipped (got {str(answer)[:SHOWN]})"
                )
        except Outage as outage:
            raise Unreachable(f"no greeting from the port ({outage.kind}): {outage}") from None
        except Unreachable:
            self.pipe.abandon()
            raise

    def run(self, call: str, given: Json) -> Answer:
        """Request one call. An outage is an answer. Raises Unreachable if the port cannot restart or is given up."""
        return self._request({"op": "run", "call": call, "given": given})

    def solve(self, given: Json) -> Answer:
        """Request the solution of one problem; as ``run``."""
        return self._request({"op": "solve", "given": given})

    def _request(self, request: Json) -> Answer:
        if self._outages >= MOST_OUTAGES:
            raise Unreachable(
                f"given up after {MOST_OUTAGES} calls in a row that it crashed on, garbled or left without an answer"
            )
        if not self.pipe.alive:
            self.greet()
        self.asked += 1
        try:
            answer = self._exchange(request)
        except Outage as outage:
            self._outages += 1
            return Answer(None, outage.kind, str(outage))
        self._outages = 0
        return answer_of(answer)

    def stop(self) -> int | None:
        """Say stop; the exit status of a port that leaves, None for one that had to be ended or was not there."""
        self._sequence += 1
        return self.pipe.close({"seq": self._sequence, "op": "stop"})

    def _exchange(self, request: Json, seconds: float | None = None) -> Json:
        self._sequence += 1
        answer = self.pipe.ask({"seq": self._sequence, **request}, seconds)
        if answer.get("seq") != self._sequence:
            self.pipe.abandon()  # further lines cannot be assigned to a request
            raise Outage("garbled", f"the answer to request {self._sequence} says seq {answer.get('seq')!r}")
        return answer
