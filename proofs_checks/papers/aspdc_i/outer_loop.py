"""Runs of ASPDC-i's outer loop, written down call by call: the method's own, and the worst that Theorem 2 admits."""

from math import ceil

from dualgap.proofs_checks.papers.aspdc_i.proximal import difference, prox
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.aspdc_i import ASPDCi
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.problem import Vector

MOST_STEPS = 100  # inner steps per row before a run is given up
MOST_EPOCHS = 10_000  # the counterexamples need 648


def algorithm(c: Context) -> ASPDCi:
    """The context's method, which must be Algorithm 2 (or a mistaken one)."""
    return cast(ASPDCi, c.method)


@dataclass(frozen=True)
class Moment:
    """An inner state of epoch s: centre w~_s, bound xi_s, dual point alpha; ``w`` is w~_{s+1} where the call ended."""

    s: int
    centre: Vector
    xi: Fraction
    alpha: Vector
    w: Vector


class OuterRun:
    """The method's own run from w~_1 = 0 to its last epoch (``ASPDCi.stopped``); indices: the path, then all rows,
    repeated.

    Attributes
    ----------
    ended : the inner calls that ended, in order.
    waiting : the states at which a stopping test said "go on".
    last : (s, w~_s, xi_s) at the end.
    complete : whether the last epoch was reached within MOST_STEPS steps per row.
    """

    def __init__(self, c: Context) -> None:
        self.ended: list[Moment] = []
        self.waiting: list[Moment] = []
        spy = self._recording(c.method)
        state = spy.init(c.problem, [c.q(a) for a in c.instance.alpha])
        self.xi_1 = state.xi
        for index in islice(cycle((*c.instance.path, *range(c.n))), MOST_STEPS * c.n):
            if spy.stopped(c.problem, state):
                break
            spy.advance(c.problem, state, index)
        self.last, self.complete = (state.epoch, list(state.w_tilde), state.xi), spy.stopped(c.problem, state)

    def visited(self) -> Iterator[tuple[int, Vector, Fraction]]:
        """(s, w~_s, xi_s) for s = 1, 2, ..."""
        for moment in self.ended:
            yield moment.s, moment.centre, moment.xi
        yield self.last

    def _recording(self, original: Any) -> ASPDCi:
        """The same method; its moves and its waits are written down here."""
        ended, waiting = self.ended, self.waiting

        class Recording(type(original)):  # type: ignore[misc]
            def move_centre(self, problem: Problem, state: ProximalPointState) -> None:
                s, centre, xi = state.epoch, list(state.w_tilde), state.xi
                super().move_centre(problem, state)
                ended.append(Moment(s, centre, xi, list(state.alpha_tilde), list(state.w_tilde)))

            def finish_inner_calls(self, problem: Problem, state: ProximalPointState) -> None:
                super().finish_inner_calls(problem, state)
                stuck = bool(ended) and ended[-1].w == ended[-1].centre
                if not stuck and not self.stopped(problem, state):
                    w = self.inner_problem(problem, state).w_of(state.v)
                    waiting.append(Moment(state.epoch, list(state.w_tilde), state.xi, list(state.alpha), w))

        copied: ASPDCi = Recording.__new__(Recording)
        copied.__dict__.update(original.__dict__)
        return copied


def worst_run(
    c: Context, xi: Fraction, tolerance: Callable[[Fraction], Fraction], epsilon: Fraction
) -> Iterator[tuple[int, Vector, Fraction]]:
    """(s, w~_s, xi_s) when every inner call returns prox(w~_s) moved along w~_s - w* up to ``tolerance(xi_s)``.

    That is the worst point of a line that an inner call of this tolerance may return; found by bisection from
    below, so that it is admissible exactly.
    """
    problem, eta, kappa = c.problem, algorithm(c).eta_of(c.problem), algorithm(c).kappa_of(c.problem)
    w_star = problem.w(c.optimum)
    w, s = [problem.zero] * problem.d, 1
    while True:
        yield s, w, xi
        if xi <= epsilon:
            return
        p, centred = prox(problem, kappa, w).p, problem.centred(kappa, w)
        away = difference(w, w_star)
        if not any(away):
            away = [Fraction(1)] * problem.d
        w = _farthest(centred, p, away, centred.P(p) + tolerance(xi))
        xi, s = (1 - eta / 2) * xi, s + 1


def _farthest(centred: Problem, p: Vector, away: Vector, most: Fraction) -> Vector:
    """p + t away for nearly the largest t with P~ <= most: steps of 4 and 2, then 12 bisections."""

    def at(t: Fraction) -> Vector:
        return [p_j + t * a_j for p_j, a_j in zip(p, away)]

    low = Fraction(1)
    while centred.P(at(low)) > most:
        low = low / 4
    while centred.P(at(2 * low)) <= most:
        low = 2 * low
    high = 2 * low
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if centred.P(at(middle)) <= most else (low, middle)
    return at(low)


def promised(eta: Fraction, xi_1: Fraction, epsilon: Fraction) -> int:
    """The smallest integer S >= 1 + (2/eta) ln(xi_1/epsilon), decided in intervals.

    Raises ArithmeticError where they do not decide it, or where S is beyond ``MOST_EPOCHS``.
    """
    bound = 1 + (2 / Interval(eta)) * Interval(xi_1 / epsilon).log()
    low, high = ceil(Fraction(bound.low)), ceil(Fraction(bound.high))
    if low != high:
        raise ArithmeticError(f"1 + (2/eta) ln(xi_1/epsilon) is too close to the integer {low} to be rounded")
    if low > MOST_EPOCHS:
        raise ArithmeticError(
            f"the theorem promises epsilon after {low:.1e} epochs; exact arithmetic is for at most {MOST_EPOCHS}"
        )
    return max(1, low)
