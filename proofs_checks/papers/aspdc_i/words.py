"""The vocabulary of ASPDC-i's claim files: the shared one, the paper's items, its setting and its instances."""

from dualgap.proofs_checks.papers.aspdc.items import LOST as LOST
from dualgap.proofs_checks.papers.aspdc.items import PAPER as PAPER
from dualgap.proofs_checks.papers.aspdc.items import UNITS as UNITS
from dualgap.proofs_checks.papers.aspdc_i.instances import *
from dualgap.proofs_checks.papers.aspdc_i.setting import *
from dualgap.proofs_checks.papers.vocabulary import *

ours_on_algorithm_3 = partial(claim, origin=PAPER.ours("Algorithm 3"))
