"""Named mistakes that implementations of PDCP make, as methods: (6) to (8) with one line wrong."""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.pdcp import Parameters, PDCPState


class NoExtrapolation(PDCP):
    """(8): w_bar = w."""

    def make_parameters(self, problem: Problem) -> Parameters:
        return super().make_parameters(problem)._replace(theta=problem.zero)


class SigmaUnscaled(PDCP):
    """(6): sigma, which belongs to phi* = (1/n) sum_i phi_i*, for each phi_i*, where it is sigma/n."""

    def make_parameters(self, problem: Problem) -> Parameters:
        found = super().make_parameters(problem)
        return found._replace(sigma=problem.n * found.sigma)


class StaleAlpha(PDCP):
    """(7): alpha^t in the place of alpha^(t+1)."""

    def advance(self, problem: Problem, state: PDCPState, choice: Any) -> None:
        before = list(state.alpha)
        w = list(state.w)
        super().advance(problem, state, choice)
        parameters = self.parameters(problem)
        if parameters is not None:
            minus_u = problem.minus_u(before)
            state.w = problem.regularizer.prox([w_j + parameters.tau * v_j for w_j, v_j in zip(w, minus_u)], parameters.tau)
            state.w_bar = [new + parameters.theta * (new - old) for new, old in zip(state.w, w)]


MUTANTS = {"pdcp.no-extrapolation": NoExtrapolation, "pdcp.sigma-unscaled": SigmaUnscaled, "pdcp.stale-alpha": StaleAlpha}
