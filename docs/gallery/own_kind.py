"""
A kind of problem of your own
=============================

Claims are about rows and losses, or about systems of equations, unless you register another kind of problem. Here it is
an even, strongly convex function of one number whose derivative is given by pieces. The claim is about Newton's method.
"""

import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dualgap.proofs_checks import (
    OURS,
    Q,
    Qs,
    altered,
    approaches,
    audit,
    claim,
    exact,
    register_instance,
    register_paper,
    settles,
)
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.instance import Given
from dualgap.reference import Deterministic, State, register_method

register_paper("pieces", "Newton's method for functions given by pieces", "docs/gallery/own_kind.py")


class Even:
    """f' is 0 at 0 and odd. ``pieces`` has (kink, slope on its right) in rising order; the first kink is 0."""

    n = d = 1

    def __init__(self, pieces, number=Fraction):
        self.number, self.zero = number, number(0)
        self.pieces = [(number(kink), number(slope)) for kink, slope in pieces]

    def derivatives(self, w):
        """f'(w) and f''(w), at a kink the outer slope."""
        first, ends = self.zero, [kink for kink, _ in self.pieces[1:]] + [abs(w)]
        for (kink, slope), end in zip(self.pieces, ends):
            if kink <= abs(w):
                first, second = first + slope * (min(end, abs(w)) - kink), slope
        return first if w >= 0 else -first, second


@register_instance
@dataclass(frozen=True)
class Pieces(Given):
    """What a counterexample file holds: numbers, tuples and texts."""

    name = "pieces"
    pieces: tuple
    start: tuple
    method: str = "newton-on-pieces"

    def problem(self, number=Fraction):
        return Even(self.pieces, number)

    def begin(self, method, problem):
        return method.init(problem, [problem.number(x) for x in self.start])


class W(State):
    __slots__ = ("w",)


@register_method
class Newton(Deterministic):
    name = "newton-on-pieces"

    def init(self, problem, w=None):
        return W(w=list(w))

    def advance(self, problem, state, choice):
        first, second = problem.derivatives(state.w[0])
        state.w = [state.w[0] - first / second]

    def view(self, problem, state):
        return list(state.w), None


# %%
# The strategy draws up to three kinks. All slopes lie between 1 and 25, so each function is smooth and strongly
# convex.


@st.composite
def functions(draw):
    kinks = sorted(set(draw(st.lists(st.sampled_from(Qs("1/2", 1, 2, 3)), max_size=3))))
    pieces = tuple((kink, draw(st.sampled_from(Qs(1, 2, 5, 25)))) for kink in (Q(0), *kinks))
    return Pieces(pieces, (draw(st.sampled_from(Qs("1/3", 1, 2, "7/2", -5))),))


@claim(
    "pieces.newton", "from every start Newton's method converges", hypotheses="f strongly convex and smooth",
    origin=OURS, evidence=[exact(functions)],
    control=altered("to a wrong minimum", lambda c: approaches(c, [1], 20, Q(1, 100)), Pieces((Qs(0, 1),), Qs(2))),
)  # fmt: skip
def newton(c):
    yield from settles(c)
    yield from approaches(c, [0], 20, Q(1, 100))


# %%
# The counterexample
# ------------------
# The audit finds a cycle of two points and shrinks the function. Each of Newton's steps goes along the tangent of f' to
# its zero, which is the other point of the cycle.

if __name__ == "__main__":
    import matplotlib.pyplot as plt

    with tempfile.TemporaryDirectory() as folder:
        (found,) = audit(["pieces"], entropy=1, out=folder)["claims"]
        told = json.loads(Path(found["counterexample"]).read_text())
    given = Pieces.from_json({name: value for name, value in told["instance"].items() if name != "kind"})
    function, method = given.problem(), given.reference_method()
    state = given.begin(method, function)
    for _ in range(20):
        state = method.step(function, state, 0)
    w, ahead = state.w[0], method.step(function, state, 0).w[0]
    assert method.step(function, method.step(function, state, 0), 0).w == [w], "a cycle of two points"
    end = 2 * max(abs(w), abs(ahead))
    grid = [end * k / 50 for k in range(-50, 51)]
    # Alternative text: The derivative as a broken line, and two dashed Newton steps, which lead back to where they
    # started.
    figure, axes = plt.subplots()
    axes.plot(grid, [function.derivatives(x)[0] for x in grid], color="#1f5f9e", label="f'")
    for one, other in ((w, ahead), (ahead, w)):
        axes.plot([one, other], [function.derivatives(one)[0], 0], "--", color="#c04a2b")
        axes.plot([one], [0], "o", color="#c04a2b")
    axes.axhline(0, color="0.7", lw=0.8)
    axes.set(xlabel="w", ylabel="f'(w)", title=f"Newton's method goes from {w} to {ahead} and back")
    axes.legend()
