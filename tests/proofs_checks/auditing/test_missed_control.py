"""A control that is missed prints the numbers that should have been false, or for ``holds_on`` true; one that is caught
does not.
"""

import pytest

from dualgap.proofs_checks.auditing.audit import control_text, outcome
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import HOLDS, Claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import altered, fails_on, fails_somewhere, holds_on

ONE = Instance((Qs(1),), Qs(2), Qs(0), Q(1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("control", "text"),
    [
        (fails_on(ONE, text="no step"), "no step; the numbers: label: 1 <= 3"),
        (
            fails_somewhere(lambda: __import__("hypothesis").strategies.just(ONE), "some", 1),
            "some; the numbers: label: 1 <= 3",
        ),
        (
            altered("3 times", lambda c: [Le(c.q(k), c.q(3), f"{k}") for k in (1, 2, 0, 3)], ONE),
            "3 times; the numbers: 1: 1 <= 3; 2: 2 <= 3; 0: 0 <= 3; ...",
        ),
        (holds_on(ONE, text="it holds"), "it holds; the numbers: label: -1 <= -3"),
    ],
)
def test_a_missed_control_tells_what_it_found(control, text, sign):
    claim = Claim("test.missed", "", lambda c: [Le(c.q(sign), c.q(3 * sign), "label")], HOLDS, "", (), control, OURS)
    found = outcome(claim, Run())
    expected = "missed" if control.text == "3 times" or (sign > 0) is (control.text != "it holds") else "caught"
    assert found == expected and control_text(claim, Run(), found) == (text if found == "missed" else control.text)
