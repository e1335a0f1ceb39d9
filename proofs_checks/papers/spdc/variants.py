"""Variants of SPDC that the papers do not admit, and the step in Delta~ that decides whether a variant has the rate.

With y = 0, squared loss and L2 the saddle point is 0 and a step is linear in z = (w, w - w^-, alpha). Then

    excess(z) = theta Delta~(z) - E Delta~(z+),    Delta~ of (56),

is a quadratic form, and (55) holds at every state exactly when its pivots are >= 0. tau, sigma and theta in it are
the paper's; the step is the audited method's own.
"""

from itertools import combinations, product
from math import prod

from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.sampling import batches
from dualgap.reference.methods.spdc import Parameters
from dualgap.reference.problem.problem import Vector

Batches = list[tuple[Any, Fraction]]

# -- samplings with another law than P(i in K) = m/n, |K| <= m ---------------------------------------------------------


class Sampled(MiniBatchSPDC):
    """Algorithm 2 with batches of any law; a row that a batch names twice counts once."""

    def __init__(self, law: Callable[[int, int], Batches], **options: Any) -> None:
        super().__init__(**options)
        self.law = law

    def choices(self, problem: Problem, state: Any) -> Batches:
        return self.law(problem.n, self.m)


def sampled(c: Context, law: Callable[[int, int], Batches]) -> Context:
    """The context's instance of Algorithm 2 with another sampling."""
    return Context(c.instance, Sampled(law, **c.instance.options))


def uneven_blocks(n: int, m: int) -> Batches:
    """One row of each of m blocks of consecutive rows, whose sizes differ by one where m does not divide n.

    >>> uneven_blocks(3, 2)
    [((0, 1), Fraction(1, 2)), ((0, 2), Fraction(1, 2))]
    """
    ends = [n * j // m for j in range(m + 1)]
    blocks = [range(start, end) for start, end in zip(ends, ends[1:])]
    return [(K, Fraction(1, prod(len(block) for block in blocks))) for K in product(*blocks)]


def with_replacement(n: int, m: int) -> Batches:
    """m independent uniform rows."""
    return batches("replacement", n, m)


def bernoulli(n: int, m: int) -> Batches:
    """Every row on its own with probability m/n."""
    share = Fraction(m, n)
    return [(K, share**size * (1 - share) ** (n - size)) for size in range(n + 1) for K in combinations(range(n), size)]


# -- the step in Delta~ ------------------------------------------------------------------------------------------------


def state_at(method: Any, problem: Problem, w: Vector, move: Vector, alpha: Vector) -> Any:
    """The state after a primal step of the method, by its own line (10), from w - move to w."""
    before, parameters, mu = [a - b for a, b in zip(w, move)], method.parameters(problem), problem.regularizer.modulus
    state = method.init(problem, alpha, before)
    direction = [(old - (1 + mu * parameters.tau) * new) / parameters.tau for new, old in zip(w, before)]
    method.primal_step(problem, state, parameters, direction)
    return state


def delta_tilde(problem: Problem, p: Parameters, m: int, w: Vector, move: Vector, alpha: Vector) -> Number:
    """(56) around the saddle point 0, squared loss with L2; for Algorithm 3 its (1/(2 sigma) + gamma/(p_i n)) in place
    of 1/m times.
    """
    total, n = problem.zero, problem.n
    for w_j, move_j in zip(w, move):
        total = total + (1 / (2 * p.tau) + problem.regularizer.modulus) * w_j * w_j + move_j * move_j / (4 * p.tau)
    for i, (row, alpha_i) in enumerate(zip(problem.rows, alpha)):
        total = total + (1 / (2 * p.sigma) + problem.gamma / p.pn(i)) / m * alpha_i * alpha_i
        total = total + alpha_i * problem.dot(row, move) / n
    return total


def excess(c: Context, w: Vector, move: Vector, alpha: Vector) -> Number:
    """theta Delta~ - E Delta~+ at a state, the constants those of the instance's own method."""
    problem, m = c.problem, c.instance.options.get("m", 1)
    paper: Any = c.instance.reference_method()
    p: Parameters = paper.parameters(problem)
    state = state_at(c.method, problem, w, move, alpha)
    value = p.theta * delta_tilde(problem, p, m, w, move, alpha)
    for choice, probability in c.method.choices(problem, state):
        after_w, after_alpha = c.method.view(problem, c.method.step(problem, state, choice))
        moved = [new - old for new, old in zip(after_w, w)]
        value = value - probability * delta_tilde(problem, p, m, after_w, moved, after_alpha)
    return value


def certificate_pivots(c: Context) -> list[Fraction]:
    """The pivots of the form ``excess``, shape (2d + n,), up to the first that is negative."""
    d, size = c.problem.d, 2 * c.problem.d + c.n

    def value(*ks: int) -> Fraction:
        z = [Fraction(ks.count(k)) for k in range(size)]
        found: Fraction = excess(c, z[:d], z[d : 2 * d], z[2 * d :])
        return found

    diagonal = [value(k) for k in range(size)]
    form = [[(value(j, k) - diagonal[j] - diagonal[k]) / 2 for k in range(size)] for j in range(size)]
    for k in range(size):
        form[k][k] = diagonal[k]
    return pivots(form)
