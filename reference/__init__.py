"""The readable truth: every method as its paper's pseudocode, generic in the number.

>>> from dualgap.reference import L2, Problem, SmoothedHinge, method
>>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
>>> state = method("aspdc").run(problem, [0, 1])
>>> problem.gap(*method("aspdc").view(problem, state))
0.03125
"""

from dualgap.reference.methods.base import Deterministic, DualMethod, HypothesisViolated, Method, State
from dualgap.reference.methods.protocols import AuditedMethod, AuditedState, DrawingMethod, DualAuditedState
from dualgap.reference.methods.registry import (
    all_methods,
    as_compiled,
    lazy_forms,
    method,
    register_lazy_form,
    register_method,
)
from dualgap.reference.numbers.interval import Interval, Undecided
from dualgap.reference.problem.block_losses import BLOCK_LOSSES, BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.check_loss import check_loss
from dualgap.reference.problem.check_regularizer import check_regularizer
from dualgap.reference.problem.general_regularizer import REGULARIZERS, GeneralRegularizer, register_regularizer
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.linear_system import LinearSystem
from dualgap.reference.problem.losses import (
    LOSSES,
    Absolute,
    Hinge,
    Logistic,
    Loss,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    register_loss,
)
from dualgap.reference.problem.nonnegative import NonNegative
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.registry import modules_below
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer
from dualgap.reference.problem.weighted_problem import WeightedProblem

__all__ = [
    "AuditedMethod",
    "AuditedState",
    "DrawingMethod",
    "DualAuditedState",
    "LinearSystem",
    "BLOCK_LOSSES",
    "LOSSES",
    "REGULARIZERS",
    "GeneralRegularizer",
    "check_regularizer",
    "register_regularizer",
    "Absolute",
    "BallHuber",
    "BlockProblem",
    "Deterministic",
    "DualMethod",
    "ElasticNet",
    "Hinge",
    "HypothesisViolated",
    "InterceptProblem",
    "Interval",
    "L2",
    "NonNegative",
    "Logistic",
    "Loss",
    "Method",
    "MulticlassSmoothedHinge",
    "Problem",
    "Regularizer",
    "Separable",
    "SmoothedHinge",
    "Softmax",
    "Squared",
    "SquaredHinge",
    "State",
    "Undecided",
    "WeightedProblem",
    "all_methods",
    "as_compiled",
    "check_loss",
    "lazy_forms",
    "method",
    "register_lazy_form",
    "register_loss",
    "register_method",
]

for _ in modules_below("dualgap.reference.problem"):  # a loss in a separate file is registered before LOSSES is read
    pass
