"""Randomized Kaczmarz (Strohmer and Vershynin, A Randomized Kaczmarz Algorithm with Exponential Convergence, J. Fourier
Anal. Appl. 2009).

    x <- x + (b_i - a_i^T x)/||a_i||^2 a_i,   row i of A x = b with probability ||a_i||^2/||A||_F^2
"""

from fractions import Fraction

from dualgap.reference import Method, State, register_method
from dualgap.reference.methods.sampling import draw, draw_weighted


class Iterate(State):
    """x, shape (d,): all the memory."""

    __slots__ = ("x",)


@register_method
class Kaczmarz(Method[Iterate]):
    """A method of a ``LinearSystem``; its view has no alpha."""

    name = "kaczmarz"

    def init(self, system, x=None):
        return Iterate(x=[system.zero] * system.d if x is None else list(x))

    def choices(self, system, state):
        total = sum(map(Fraction, system.norms2))
        return [(i, Fraction(norm2) / total) for i, norm2 in enumerate(system.norms2) if norm2 > 0]

    def draw(self, system, order, seed, epoch):
        return draw_weighted(system.norms2, seed, epoch)

    def advance(self, system, state, choice):
        row = system.rows[choice]
        c = (system.dot(row, state.x) - system.y[choice]) / system.norms2[choice]
        for j, a in row:
            state.x[j] = state.x[j] - c * a

    def view(self, system, state):
        return list(state.x), None


@register_method
class UniformKaczmarz(Kaczmarz):
    """Every row with the same probability; for systems without a row of zeros."""

    name = "kaczmarz-uniform"

    def choices(self, system, state):
        return [(i, Fraction(1, system.n)) for i in range(system.n)]

    def draw(self, system, order, seed, epoch):
        return draw(order, system.n, seed, epoch)
