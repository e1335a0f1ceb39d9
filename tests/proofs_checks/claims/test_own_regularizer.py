"""An instance holds a custom regularizer by name, its file names the plugin that it needs, and claims of the papers are
not checked on it.
"""

import json
import re

import pytest
from support import refuses
from warm import dualgap

from dualgap.proofs_checks import Instance, Q, Qs, audit
from dualgap.proofs_checks.claims.instance import read_instance

PLAIN = Instance(rows=(Qs(1, "1/2"), Qs(0, 2)), y=Qs(3, -1), alpha=Qs(0, "1/2"), lam=Q(1, 10), method="sdca")
OWN = PLAIN.but(regularizer_name="own-weights", regularizer_parameters={"c": Qs("1/2", 3)})
PLUGIN = """
from dualgap.reference import GeneralRegularizer, register_regularizer

@register_regularizer
class OwnWeights(GeneralRegularizer):
    name = "own-weights"
    modulus = property(lambda self: self.lam * min(self.c))

    def __init__(self, lam, c):
        super().__init__(lam, c=c)

    def value(self, w):
        return self.lam * sum(c * x * x for c, x in zip(self.c, w, strict=True)) / 2

    def gradient_conjugate(self, minus_u):
        return [v / (self.lam * c) for c, v in zip(self.c, minus_u, strict=True)]
"""
CLAIMS = """
import weights_regularizer
from dualgap.proofs_checks import OURS, Instance, Le, Q, Qs, altered, claim, exact, instances, register_paper

ONE = Instance(rows=(Qs(1, "1/2"), Qs(0, 2)), y=Qs(3, -1), alpha=Qs(0, "1/2"), lam=Q(1, 10), method="sdca",
               regularizer_name="own-weights", regularizer_parameters={"c": Qs("1/2", 3)})
register_paper("weights", "x", "y")
def drawn():
    return instances(losses=("squared",), method="sdca").map(
        lambda i: i.but(l1=Q(0), regularizer_name="own-weights", regularizer_parameters={"c": Qs(*range(1, len(i.rows[0]) + 1))}))

@claim("weights.monotone", "D never decreases", hypotheses="none", origin=OURS, evidence=[exact(drawn)],
       control=altered("D rises by 1", lambda c: [Le(1, increase, "D") for increase in c.increases], ONE))
def monotone(c):
    for increase in c.increases:
        yield Le(0, increase, "D(alpha+) - D(alpha)")

@claim("weights.false", "D rises by 1", hypotheses="none", origin=OURS, evidence=[exact(drawn)],
       control=altered("D rises by 1", lambda c: [Le(1, increase, "D") for increase in c.increases], ONE))
def false(c):
    for increase in c.increases:
        yield Le(1, increase, "D(alpha+) - D(alpha)")
"""  # noqa: E501


def test_it_survives_the_file():
    data = json.loads(json.dumps(OWN.to_json()))
    assert data["regularizer_name"] == "own-weights" and data["regularizer_parameters"] == {"c": ["1/2", "3"]}
    assert read_instance(data) == OWN


@pytest.mark.parametrize(
    ("instance", "said"),
    [
        (OWN, "unknown regularizer 'own-weights'; known: l2, elastic-net, p-norm"),
        (OWN.but(l1=Q(1)), "an instance has l1, p and ball, or regularizer 'own-weights', not both"),
        (OWN.but(regularizer_name="l2"), "regularizer 'l2' is not made of lam and {'c'"),
    ],
)
def test_what_cannot_be_made_says_why(instance, said):
    refuses(ValueError, re.escape(said), instance.problem)


def test_the_claims_of_the_papers_are_not_asked_of_it():
    said = r"claim sdca.dual-monotone is about L2, .* not about regularizer 'own-weights'"
    refuses(ValueError, said, audit, ["sdca.dual-monotone"], size="quick", entropy=1, problems=[OWN])
    (row,) = audit(["sdca.dual-monotone"], size="quick", entropy=1, problems=[PLAIN])["claims"]
    assert row["status"] == "HOLDS"


def test_a_claim_of_ones_own_is_audited_and_its_counterexample_replayed(tmp_path):
    def ran(line):
        run = dualgap(*line.split(), cwd=tmp_path)
        return run.returncode, run.stdout + run.stderr

    (tmp_path / "weights_regularizer.py").write_text(PLUGIN)
    (tmp_path / "weights_claims.py").write_text(CLAIMS)
    code, said = ran("audit weights --import weights_claims --quick --entropy 1 --out out")
    assert code == 1, said
    rows = {row["id"]: row["status"] for row in json.loads((tmp_path / "out" / "report.json").read_text())["claims"]}
    assert rows == {"weights.monotone": "HOLDS", "weights.false": "REFUTED"}
    file = tmp_path / "out" / "counterexample-weights.false.json"
    record = json.loads(file.read_text())
    assert record["instance"]["regularizer_name"] == "own-weights"
    assert record["plugins"] == ["weights_claims", "weights_regularizer"]
    code, said = ran(f"replay {file}")
    assert code == 2 and "needs the plugin 'weights_claims', which is not loaded" in said
    code, said = ran(f"replay {file} --import weights_claims")
    assert code == 0, said
    record["claim"] = "sdca.dual-monotone"
    file.write_text(json.dumps(record))
    code, said = ran(f"replay {file} --import weights_claims")
    assert code == 2 and "claim sdca.dual-monotone is about L2" in said
