"""What files of vectors share: ``from dualgap.proofs_checks.conformance.methods.vocabulary import *``."""

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State, View
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import (
    Bug,
    Equation,
    Gradient,
    equations,
    register_vectors,
    spelled,
    u_of,
    vector_of,
)
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA
from dualgap.reference import Problem
