"""The Huber loss in the independent implementation."""

from fractions import Fraction

from dualgap.proofs_checks.conformance.independent.registry import register_independent_loss

register_independent_loss("toy-huber", lambda y: (Fraction(-1), Fraction(1)))
