"""Automatic mutants of the reference step that no check can kill, each with the reason why it is the same step.

Keys are those of ``evidence.mutation.mutate.mutants``. The audit fails when a mutant survives that is not listed
here, and when one listed here is killed or no longer exists.
"""

CONTINUOUS = "both branches agree at the kink: the function is continuous there"
BOTH_ZERO = "both branches are 0 at equality"
SIGN_OF_ZERO = "changes at most the sign of a zero; the parity of reference and fast pins that"
NO_L1 = "adds l1 times something with l1 = 0"

SURVIVORS = {
    "method.DualMethod.init: self.require_family(problem) -> pass": "validation that lets L2 and elastic net through",
    "losses.SmoothedHinge.value: m >= 1 -> m > 1": CONTINUOUS,
    "losses.SmoothedHinge.value: m <= 1 - self.gamma -> m < 1 - self.gamma": CONTINUOUS,
    "losses.SmoothedHinge.residual: m >= 1 -> m > 1": CONTINUOUS,
    "losses.SmoothedHinge.residual: m <= 1 - self.gamma -> m < 1 - self.gamma": CONTINUOUS,
    "losses.SquaredHinge.value: m >= 1 -> m > 1": CONTINUOUS,
    "losses.SquaredHinge.derivative: m >= 1 -> m > 1": CONTINUOUS,
    "losses.SquaredHinge.dual_step: b <= 0 -> b < 0": BOTH_ZERO,
    "losses.SquaredHinge.residual: m >= 1 -> m > 1": CONTINUOUS,
    "losses.Hinge.value: m >= 1 -> m > 1": CONTINUOUS,
    "losses.Hinge.dual_step: -y * self.one -> -y / self.one": "a division by one",
    "losses.Hinge.dual_step: -y -> y [4]": SIGN_OF_ZERO,
    "losses.Hinge.residual: m >= 1 -> m > 1": BOTH_ZERO,
    "losses.Absolute.value: z >= y -> z > y": CONTINUOUS,
    "losses.Absolute.residual: z >= y -> z > y": BOTH_ZERO,
    "problem.Problem._set_regularizer: regularizer.require(self.d) -> pass": "validation of regularizers of one's own",
    "problem.Problem.inner: isinstance(self.regularizer, GeneralRegularizer) -> not isinstance(self.regularizer, GeneralRegularizer)": (  # noqa: E501
        "the same sum, with all of w computed first"
    ),
    "regularizers.soft: v < -threshold -> v <= -threshold": BOTH_ZERO,
    "regularizers.Regularizer.value: self.l1 > 0 -> self.l1 >= 0": NO_L1,
    "regularizers.Regularizer.value: self.l1 > 0 -> self.l1 > -1": NO_L1,
    "regularizers.Regularizer.residual: self.l1 > 0 -> self.l1 >= 0": NO_L1,
    "regularizers.Regularizer.residual: self.l1 > 0 -> self.l1 > -1": NO_L1,
    "regularizers.Regularizer.residual: v_j > threshold -> v_j >= threshold": CONTINUOUS,
    "regularizers.Regularizer.residual: v_j < -threshold -> v_j <= -threshold": CONTINUOUS,
    "regularizers.Regularizer.residual: w_j >= 0 -> w_j > 0": BOTH_ZERO,
}
