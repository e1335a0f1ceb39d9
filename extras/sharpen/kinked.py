"""The lower end with losses that are quadratic on each side of 0: phi_i(z) = y z^2/2 with one y for z <= 0 and another
for z > 0, such as the squared hinge. Their steps are not linear, but they map c z to c times the image of z for c >= 0.

So all states on one ray move alike. If the states that are reached from some rays lie on finitely many rays, second
moments on these follow a matrix with entries >= 0. Outcomes on other rays are left out, which only makes the growth
smaller.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from dualgap.extras.sharpen.certificate import REFUTED, Record, growth_refusals
from dualgap.extras.sharpen.quantities import Task
from dualgap.extras.sharpen.states import Relations
from dualgap.extras.sharpen.values import Instance
from dualgap.extras.sharpen.worst import DIGITS, Quadratic, Steps, inside
from dualgap.reference.numbers.arithmetic import Number

Moves = list[list[tuple[Fraction, Fraction, Fraction]]]  # of each state: probability, factor and number of the next one
MOST_RAYS = 60
NEGLIGIBLE = 1e-9  # a weight that rounding may have made


class Kinked(Quadratic):
    """phi_i(z) = (y/2) z^2, where y is the first number of ``slopes[i]`` for z <= 0, and the second for z > 0.

    A problem has the number i as its y_i.
    """

    def __init__(self, gamma: Number, slopes: Sequence[tuple[Number, Number]]) -> None:
        super().__init__(gamma)
        self.slopes = slopes

    def _on(self, side: Number, i: Number) -> Number:
        return self.slopes[int(i)][side > 0]

    def value(self, z: Number, y: Number) -> Number:
        return super().value(z, self._on(z, y))

    def derivative(self, z: Number, y: Number) -> Number:
        return super().derivative(z, self._on(z, y))

    def conjugate(self, alpha: Number, y: Number) -> Number:
        return super().conjugate(alpha, self._on(alpha, y))

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        return super().dual_step(z, alpha, self._on(z + q * alpha, y), q)


class Rays(Steps):
    """The steps of a method on an instance with two slopes for each row."""

    def loss(self) -> tuple[Kinked, Sequence[Number]]:
        """The loss, and the y of each row."""
        return Kinked(self.task.gamma, self.instance.slopes), range(self.task.n)

    def starts(self) -> list[list[Fraction]]:
        """Dual values -1, 0 and 1, where h_i is finite; all other vectors are 0."""
        signs = [[-1] * (left > 0) + [0] + [1] * (right > 0) for left, right in self.instance.slopes]
        rest = [0] * (self.size - len(self.live))
        return [[Fraction(a) for a in (*signed, *rest)] for signed in product(*signs) if any(signed)]

    def moves(self, states: list[list[Fraction]], most: int = 0) -> Moves:
        """The moves between the states. States on new rays are appended to the list while it has less than ``most``."""
        place, found = {tuple(state): k for k, state in enumerate(states)}, []
        for state in states:  # which grows
            moves = []
            for p, image in self._reached(state):
                factor = max(map(abs, image))
                ray = [x / factor for x in image] if factor else []
                if ray and tuple(ray) not in place and len(states) < most:
                    place[tuple(ray)] = len(states)
                    states.append(ray)
                if (k := place.get(tuple(ray))) is not None:
                    moves.append((p, factor, Fraction(k)))
            found.append(moves)
        return found

    def seen(self, states: Sequence[Sequence[Fraction]]) -> list[Fraction]:
        """||w||^2 + ||alpha||^2 of each state."""
        views = [self.method.view(self.problem, self.state(state)) for state in states]
        return [sum((x * x for x in (*w, *alpha)), Fraction(0)) for w, alpha in views]

    def refuted(self) -> Record:
        """The largest rate that the rays show. Its verification is pending."""
        import numpy as np

        states = self.starts()
        moves = self.moves(states, MOST_RAYS)
        A = np.zeros((len(states), len(states)))
        for j, outcomes in enumerate(moves):
            for p, factor, k in outcomes:
                A[int(k), j] += float(p * factor**2)
        values, vectors = np.linalg.eig(A)
        best = int(np.argmax(np.real(values)))
        rate = Fraction(int(float(np.real(values[best])) * DIGITS) - 1, DIGITS)
        vector = np.abs(vectors[:, best])
        weights = [Fraction(x if x > NEGLIGIBLE * vector.max() else 0) for x in vector.tolist()]
        shown = {"states": states, "moves": moves, "weights": weights, "seen": self.seen(states)}
        head = {"schema": 1, "kind": REFUTED, "task": self.task.to_json(), "rate": rate, "shows": "rays"}
        return {**head, "rows": list(self.instance.rows), "slopes": list(self.instance.slopes), **shown}


def refuted_by_kinks(task: Task, follows: Relations) -> list[Record]:
    """What equal rows refute, exactly, if some losses are 0 on the left, and the others on the right."""
    zero, steep, found = Fraction(0), 1 / task.gamma, list[Record]()
    for k in range(1, task.n // 2 + 1) if task.is_distance else ():
        slopes = ((zero, steep),) * k + ((steep, zero),) * (task.n - k)
        instance = Instance(((task.R,),) * task.n, slopes)
        found += [Rays(task, instance, follows).refuted()] if inside(task, instance) else []
    return [record for record in found if not growth_refusals(record)]
