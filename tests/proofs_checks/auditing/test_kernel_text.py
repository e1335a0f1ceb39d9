"""Coq accepts the text of a refutation, and refuses it with another digit anywhere. Lean is not run: it is not here."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from dualgap.proofs_checks.auditing.kernel_text import COQ, LEAN, NOT_RUN, kernel_text, recording
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, NumbersInstance, Q, Qs
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt
from dualgap.proofs_checks.engines.between import array, norm, root

METHOD = Instance(rows=(Qs(1, 2), Qs(1, 1)), y=Qs(0, "1/2"), alpha=Qs(1, -1), lam=Q(1, 5))  # not shown to be false
MATRIX = NumbersInstance.of(A=(Qs(2, 1), Qs(1, "1/3")), x=Q(5, 3))


def norms(c):
    yield Le(1, norm(array(c.given.A)), "true")
    yield Le(norm(array(c.given.A) @ array(c.given.A)), norm(array(c.given.A)) * c.given.x, "false")


def roots(c):
    yield Lt(root(c.given.x) ** 3, abs(-c.given.x) / 2 + 1, "false")


def equal(c):
    yield Eq(c.given.x**-2, max(c.given.x, 1) - Q(1, 7), "false")


CHECKS = {"<=": (norms, MATRIX), "<": (roots, MATRIX), "==": (equal, MATRIX), "a method": (None, METHOD)}


def text(name, language=COQ):
    check, instance = CHECKS[name]
    claim = all_claims()["aspdc.a17"]
    return kernel_text(replace(claim, check=check, statement='a (* "') if check else claim, instance, language)


def accepted(tmp_path, written):
    path = tmp_path / "refuted.v"
    path.write_text(written)
    return subprocess.run(["coqc", "-q", path.name], cwd=tmp_path, capture_output=True).returncode == 0


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
@pytest.mark.parametrize("name", CHECKS)
def test_coq_accepts_a_refutation_and_refuses_another_digit(tmp_path, name):
    written = text(name)
    assert accepted(tmp_path, written)
    definition = re.search(r"Definition t\d+ : Q := \(\(?-?(\d)", written)
    assert definition is not None
    place = definition.start(1)
    assert not accepted(tmp_path, f"{written[:place]}{(int(written[place]) + 1) % 10}{written[place + 1 :]}")
    assert not accepted(tmp_path, re.sub(r"(refuted : ~) \((.*) (<=|<|==) (.*)\)", r"\1 (\4 - 1 <= \4)", written))


@pytest.mark.parametrize("name", CHECKS)
def test_lean_has_the_same_steps_and_says_that_it_was_not_run(name):
    lean, coq = text(name, LEAN), text(name)
    assert NOT_RUN in lean
    assert re.findall(r"def (t\d+) ", lean) == re.findall(r"Definition (t\d+) ", coq)
    assert len(re.findall(r"theorem c\d+", lean)) == len(re.findall(r"Lemma c\d+", coq))


def test_what_is_true_has_no_text():
    with pytest.raises(ValueError, match="no relation of the check is false"):
        kernel_text(all_claims()["aspdc.a17"], METHOD.but(lam=Q(100)), COQ)


@pytest.mark.parametrize("check", [norms, roots, equal])
def test_recorded_numbers_are_the_same_numbers(check):
    with recording():
        recorded = [str(relation) for relation in check(Context(MATRIX))]
    assert recorded == [str(relation) for relation in check(Context(MATRIX))]
