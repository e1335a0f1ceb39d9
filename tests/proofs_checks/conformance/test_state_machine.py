"""The state machines: right solvers pass in any order of the rules, each mistake in going on is found."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from support import by_day

from dualgap.proofs_checks import state_machine
from dualgap.proofs_checks.conformance.solvers.spec import load_solver
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed
from dualgap.reference import LOSSES

TOYS = load_solver(f"{Path(__file__).parents[2] / 'toys' / 'wrong_sdca.py'}:everything")()
SETTINGS = settings(max_examples=10, stateful_step_count=8, deadline=None)
Sdca, kind = TOYS["Sdca"], TOYS["kind"]


class Model:
    """Passes of SDCA with partial_fit."""

    def __init__(self, *, loss, lam, l1, gamma, seed):
        self.phi, self.lam, self.l1 = LOSSES[loss](gamma).over(float), lam, l1
        self.draw, self.dual_coef_ = np.random.default_rng(seed), None

    def generator(self):
        return self.draw

    def partial_fit(self, X, y):
        self.dual_coef_ = np.zeros(len(y)) if self.dual_coef_ is None else self.dual_coef_
        one_pass = kind("one_pass", passes=1, drawn=lambda solver, seed: self.generator())
        self.coef_, self.dual_coef_, _ = one_pass.solved(X, y, self.phi, self.lam, self.l1, 0.0, 0, self.dual_coef_)
        return self


class ForgetsItsGenerator(Model):
    """A pickle loses the generator's place."""

    def __getstate__(self):
        return self.__dict__ | {"draw": np.random.default_rng(1)}


class SharesItsAlpha(Model):
    """A copy writes into the original's alpha."""

    def __deepcopy__(self, memo):
        other = type(self).__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        return other


class ChangesTheData(Model):
    def partial_fit(self, X, y):
        super().partial_fit(X, y)
        X *= 2
        return self


class OutsideItsDomain(Model):
    def partial_fit(self, X, y):
        super().partial_fit(X, y)
        self.dual_coef_ = self.dual_coef_ + 2.0
        return self


def test_warm_starts_in_any_order():
    run_state_machine_as_test(state_machine(TOYS["right"], losses=["squared", "hinge", "logistic"]), settings=SETTINGS)


def test_steps_pickles_and_copies_in_any_order():
    run_state_machine_as_test(state_machine(Model, losses=["squared", "hinge"]), settings=SETTINGS)


WRONG = {
    "writes into its start": (
        kind("a", begin=lambda self, start, n: np.zeros(n) if start is None else start[1]),
        "changed the start",
    ),
    "keeps lam": (kind("b", strength=TOYS["remembers_lam"]), "requested"),
    "not seeded": (kind("c", drawn=lambda self, seed: np.random.default_rng()), "the same call gives different bits"),
    "says that it has converged": (
        kind("d", passes=1, finish=lambda self, w, alpha, gap, tol: (w, alpha, True)),
        "requested",
    ),
    "forgets its generator": (ForgetsItsGenerator, "is not bit-identical to the uninterrupted run"),
    "shares its alpha": (SharesItsAlpha, "is not bit-identical to the uninterrupted run"),
    "changes the data": (ChangesTheData, "changed X or y"),
    "outside its domain": (OutsideItsDomain, "outside its domain"),
}


@pytest.mark.parametrize("mistake", by_day(WRONG, *(set(WRONG) - {"forgets its generator"})))  # as "shares its alpha"
def test_a_mistake_in_going_on_is_found(mistake):
    solver, said = WRONG[mistake]
    machine = state_machine(solver, losses=["hinge" if mistake == "outside its domain" else "squared"])
    with pytest.raises(CheckFailed, match=said):
        run_state_machine_as_test(machine, settings=settings(SETTINGS, max_examples=100, database=None))


def test_what_does_not_go_on_is_refused():
    with pytest.raises(ValueError, match="has no partial_fit: there is nothing that goes on"):
        state_machine(lambda **given: None)
