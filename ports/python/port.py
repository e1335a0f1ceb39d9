"""A port in Python: the independent implementation of every call (dualgap.proofs_checks.conformance.independent), in
floats.
"""

import json
import sys

from dualgap.proofs_checks.conformance.independent.losses import INTERVALS
from dualgap.proofs_checks.conformance.independent.registry import Independent, complete
from dualgap.proofs_checks.conformance.protocol import hex_floats


class InFloats(Independent):
    """The independent implementation, without a reciprocal that rounds where nothing else does."""

    def proxed(self, lam, l1, w, tau):
        return self.minimizer(1 + tau * lam, tau * l1, [-w_j for w_j in w])


IMPLEMENTATION = InFloats
BLOCK_LOSSES = ("multiclass-smoothed-hinge", "ball-huber", "softmax")


def run(call, given):
    """The answer to one call."""
    implementation = IMPLEMENTATION()
    function = implementation.function(call)
    method, loss = given.get("method", "sdca"), given.get("problem", given).get("loss", "squared")
    if method not in implementation.rules:
        complete()
    if function is None or method not in implementation.rules or loss not in {*INTERVALS, *BLOCK_LOSSES}:
        return {"skipped": "unknown call, method or loss"}
    return {"result": encoded(function(**hex_floats.mapped(given, hex_floats.decode)))}


def encoded(value):
    """A result as it goes through the pipe; None is +infinity."""
    if isinstance(value, dict):
        return {name: encoded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [encoded(item) for item in value]
    return value if isinstance(value, int) else hex_floats.encode(float("inf") if value is None else float(value))


def answer(request):
    """The members of the answer except seq."""
    op = request["op"]
    if op == "start":
        return {"protocol": 1, "name": "dualgap-python", "language": "Python", "version": "1"}
    if op == "echo":
        return {"numbers": [hex_floats.encode(hex_floats.decode(text)) for text in request["numbers"]]}
    return run(request["call"], request["given"]) if op == "run" else {"skipped": f"unknown op {op}"}


def main():
    """Answer each line of standard input until one says stop."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "stop":
            break
        try:
            body = answer(request)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            body = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"seq": request["seq"], **body}), flush=True)


if __name__ == "__main__":
    main()
