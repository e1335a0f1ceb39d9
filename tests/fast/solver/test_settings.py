"""What a run is asked for: one home for its defaults and its validation, and nothing that changes later."""

import dataclasses
import inspect

import pytest

from dualgap.fast import solve
from dualgap.fast.solver.auto import choose
from dualgap.fast.solver.settings import Settings
from dualgap.reference import L2, Problem, SmoothedHinge

FIELDS = {field.name: field.default for field in dataclasses.fields(Settings) if field.name != "method_options"}
PROBLEM = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))


def test_solve_takes_every_setting_with_its_default():
    taken = {name: given.default for name, given in inspect.signature(solve).parameters.items()}
    assert {name: taken[name] for name in FIELDS} == FIELDS
    assert taken.keys() - FIELDS.keys() == {
        "problem",
        "partitions",
        "loss",
        "regularizer",
        "cluster",
        "alpha",
        "w",
        "checkpoint",
        "resume",
        "method_options",
    }


def test_what_is_no_setting_is_an_option_of_the_method():
    settings = Settings.of("spdc", seed=3, delta=0.5, method_options=1)
    assert (settings.seed, settings.method_options) == (3, {"delta": 0.5, "method_options": 1})
    with pytest.raises(
        ValueError, match="method spdc has no option 'method_options'; method_options is the nearest name"
    ):
        settings.driver()


def test_settings_stay_as_they_were_validated():
    settings = Settings("sdca", tol=0.5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.tol = -1.0
    with pytest.raises(ValueError, match="tol must be"):
        dataclasses.replace(settings, tol=-1.0)


def test_auto_chooses_what_was_left_open_and_nothing_else():
    settings, reason = Settings("auto", tol=0.5, method_options={"storage": "full"}).chosen(PROBLEM)
    choice = choose(PROBLEM)
    assert (settings.method, settings.draw_order, settings.tol, reason) == (
        choice.method,
        choice.order,
        0.5,
        choice.reason,
    )
    assert settings.method_options == {**choice.options, "storage": "full"}
    assert Settings("auto", order="cyclic").chosen(PROBLEM)[0].draw_order == "cyclic" != choice.order
    assert Settings("spdc").chosen(PROBLEM) == (Settings("spdc"), "")
