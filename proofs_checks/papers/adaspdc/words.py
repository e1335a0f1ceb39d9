"""The vocabulary of AdaSPDC's claim files: the shared one, the paper's items, its setting and its instances."""

from dualgap.proofs_checks.papers.adaspdc.instances import *
from dualgap.proofs_checks.papers.adaspdc.items import PAPER as PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import *
from dualgap.proofs_checks.papers.vocabulary import *
