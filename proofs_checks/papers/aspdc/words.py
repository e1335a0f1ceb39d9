"""The vocabulary of ASPDC's claim files: the shared one, the paper's items, its setting and its instances."""

from dualgap.proofs_checks.papers.aspdc.instances import *
from dualgap.proofs_checks.papers.aspdc.items import LOST as LOST
from dualgap.proofs_checks.papers.aspdc.items import PAPER as PAPER
from dualgap.proofs_checks.papers.aspdc.items import UNITS as UNITS
from dualgap.proofs_checks.papers.aspdc.setting import *
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances

strategies = instances  # what is drawn
ours_on_lemma_2, on_l2 = partial(claim, origin=PAPER.ours("Lemma 2")), partial(claim, hypotheses=L2_STATE)
