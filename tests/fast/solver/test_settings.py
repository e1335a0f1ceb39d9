"""The settings of a run: one place for their defaults and validation, and no later change."""

import dataclasses
import inspect
import re

import pytest
from support import refuses

from dualgap.fast import Save, Stop, solve, sweep
from dualgap.fast.data.load import load
from dualgap.fast.solver.auto import choose
from dualgap.fast.solver.groups import GROUPS, spread
from dualgap.fast.solver.settings import Settings
from dualgap.reference import L2, Logistic, Problem, SmoothedHinge, WeightedProblem, all_methods

FIELDS = {field.name: field.default for field in dataclasses.fields(Settings) if field.name != "method_options"}
GROUPED = {field.name for kind in GROUPS.values() for field in dataclasses.fields(kind)}
PROBLEM = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))


def test_solve_has_at_most_twelve_parameters_and_names_every_setting():
    """A limit is None where it has its default. The rarer settings are options, and the docstring lists them."""
    taken = inspect.signature(solve).parameters
    assert len(taken) <= 12 and {name for name in taken if name in GROUPED & FIELDS.keys()} == GROUPED & FIELDS.keys()
    lines = re.findall(r"^    (\w+(?:, \w+)*) : ", solve.__doc__, re.MULTILINE)
    assert FIELDS.keys() <= {name for line in lines for name in line.split(", ")}
    assert [taken[name].default for name in ("method", "seed")] == [FIELDS["method"], FIELDS["seed"]]


SAID = {"tol": 0.125, "rtol": 0.25, "max_epochs": 3, "max_seconds": 60.0, "checkpoint": "run.ckpt", "resume": True}


@pytest.mark.filterwarnings("ignore:(stop|save)=.* will leave in the next version:DeprecationWarning")
@pytest.mark.parametrize(
    ("group", "name"), [(group, field.name) for group, kind in GROUPS.items() for field in dataclasses.fields(kind)]
)
def test_a_group_says_what_its_keywords_say_and_what_is_said_twice_is_refused(group, name):
    value = SAID[name]
    grouped = GROUPS[group](**{name: value})
    with pytest.warns(DeprecationWarning, match=f"^{group}=.* will leave .* by their own names"):
        assert spread({"seed": 1, group: grouped}) == spread({"seed": 1, name: value}) == {"seed": 1, name: value}
    for other in (value, 0.5 if name != "resume" else False):
        with pytest.raises(
            ValueError,
            match=(
                rf"^{name} is given twice, as {name}={other} and as {group}={type(grouped).__name__}\({name}=".replace(
                    "run.ckpt", "'run.ckpt'"
                )
            ),
        ):
            solve(PROBLEM, **{group: grouped, name: other})
    with pytest.raises(ValueError, match=rf"^{group} must be a {type(grouped).__name__}, or None \(got 3\)"):
        solve(PROBLEM, **{group: 3})
    refuses(ValueError, f"^{name} must be", lambda: GROUPS[group](**{name: object()}))


@pytest.mark.filterwarnings("ignore:(stop|save)=.* will leave in the next version:DeprecationWarning")
def test_a_run_is_the_same_however_its_limits_are_given(tmp_path):
    def facts(**given):
        result = solve(PROBLEM, "sdca", **given)
        return result.status, result.epochs, result.w.tolist(), result.gap_bound.hex()

    assert (
        facts(stop=Stop(tol=0.0, max_epochs=3))
        == facts(tol=0.0, max_epochs=3)
        == facts(stop=Stop(tol=0.0), max_epochs=3)
        != facts(tol=0.0)
    )
    assert facts(stop=Stop(), save=Save()) == facts()
    first, other = (
        facts(tol=0.0, max_epochs=2, **given)
        for given in ({"save": Save(tmp_path / "a")}, {"checkpoint": tmp_path / "b"})
    )
    assert first == other == facts(tol=0.0, max_epochs=2, save=Save(tmp_path / "b", resume=True))
    assert (tmp_path / "a").exists()


@pytest.mark.filterwarnings("ignore:(stop|save)=.* will leave in the next version:DeprecationWarning")
def test_a_sweep_takes_stop_as_its_keywords_and_no_save(tmp_path):
    data = load("orthonormal:n=4")
    cells = [
        sweep(data, SmoothedHinge(), [1.0], method="sdca", folder=tmp_path, **given)[0].epochs
        for given in ({"tol": 0.0, "max_epochs": 2}, {"stop": Stop(0.0, max_epochs=2)})
    ]
    assert cells == [2, 2] and len(list(tmp_path.iterdir())) == 1, "one cell, found again"
    refuses(ValueError, "save: the sweep sets this itself", lambda: sweep(data, SmoothedHinge(), [1.0], save=Save("x")))


def test_auto_chooses_what_was_left_open_and_nothing_else():
    settings, reason = Settings("auto", tol=0.5, method_options={"kappa": 1.0}).chosen(PROBLEM)
    choice = choose(PROBLEM)
    assert settings.method == choice.method
    assert settings.draw_order == choice.order
    assert settings.tol == 0.5
    assert reason == choice.reason
    assert settings.method_options == {"kappa": 1.0}
    weighted = WeightedProblem(PROBLEM.X, PROBLEM.y, Logistic(), L2(2.0), [1.0, 2.0]).centred(0.1, [0.0, 0.0])
    assert choose(weighted).method == "sdca", "which takes any order"
    assert Settings("auto", order="cyclic").chosen(weighted)[0].draw_order == "cyclic" != choose(weighted).order
    assert Settings("spdc").chosen(PROBLEM) == (Settings("spdc"), "")


@pytest.mark.parametrize("name", sorted(all_methods()))
def test_no_setting_takes_an_option_of_a_method(name):
    for names, values in all_methods()[name].drawn_options.items():
        for value in values:
            options = dict(zip(names.split(), value)) if " " in names else {names: value}
            assert Settings.of(name, **options).method_options == options
