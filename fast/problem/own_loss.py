"""P, D and the gap for a loss that is not one of the six, so that a certificate of it is as true as theirs.

``gap_bound`` knows how the six formulas of each built-in loss round. Of another loss nothing is known, so its residuals
FY(z_i, alpha_i), which the bound is made of, are known in one of two ways:

- by default they are evaluated by the reference's class, in rationals for these very doubles (in intervals where the
  loss is not rational), and rounded up: about 20 microseconds a row in rationals, and no formula that is compiled is
  believed;
- a compiled loss that has a seventh function ``error(gamma, z, alpha, y)``, a bound of |residual - FY| in doubles, is
  evaluated compiled, and the bound grows by the mean of its errors. Before that, value, conjugate and in_domain are
  compared with the reference's, and ``error`` with the exact residual, at the points of ``check_compiled_loss``. A loss
  that fails is refused.

Either way the loss must be what it says (``check_loss``): a conjugate that is too small makes D too large, and no
rounding is to blame. Each class is checked once for each gamma, when the first certificate is made.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import registered_losses as registered
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.check_compiled_loss import BELIEVED, findings, rounded_up
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.objective import Objective, Sums
from dualgap.reference.numbers.interval import Interval, decide
from dualgap.reference.problem.check_loss import UNSOUND, Finding, LossCheck
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem

# by class, or compiled loss, and gamma: the finding that certificates do not survive, or ""
_checked: dict[tuple[object, object], str] = {}


class OwnLossObjective(Objective):
    """``Objective`` for a loss of one's own, compiled or not.

    Raises
    ------
    ValueError
        The loss contradicts itself, so that no certificate of it would mean anything; ``check_loss`` says all that is
        wrong. Or its compiled formulas would be believed, and ``check_compiled_loss`` finds that one of them is wrong.
    """

    def __init__(self, problem: Problem) -> None:
        self._set_problem(problem)
        self._set_rows(problem)
        self.gamma, loss = problem.loss.gamma, problem.loss
        require_consistent(loss)
        code = CODES.get(loss.name)
        # None: a class that bears a built-in loss' name
        self.code = code if isinstance(code, registered.CompiledLoss) else None
        self.bounded = hasattr(self.code, "error")
        if self.bounded:
            require_compiled(self.code, loss)
        self.exact = loss.over(Fraction if loss.rational else Interval)

    evaluate = Objective.evaluate_in_parts

    def sums(self, z: Array, alpha: Array) -> Sums:
        if self.bounded:
            return super().sums(z, alpha)
        loss, values, conjugates = self.problem.loss, 0.0, 0.0
        rows = list(zip(z.tolist(), alpha.tolist(), self.arrays.y.tolist()))
        for z_i, alpha_i, y_i in rows:
            values, conjugates = values + loss.value(z_i, y_i), conjugates + loss.conjugate(alpha_i, y_i)
        total = math.fsum(self.residual(*row) for row in rows)
        return Sums(values, conjugates, math.nextafter(total, math.inf) if total else 0.0)

    def residual(self, z: float, alpha: float, y: float) -> float:
        """FY(z, alpha) for these doubles, rounded up. Raises ValueError if it is negative: phi* is too small
        there.
        """
        if self.exact.rational:
            exact = self.exact.residual(Fraction(z), Fraction(alpha), Fraction(y))
            low, high = exact, exact
        else:
            found, _ = decide(lambda: self._enclosed(z, alpha, y))
            if found is None:
                return math.inf
            low, high = found
        if low < 0 and high < 0:
            raise ValueError(
                f"loss {self.exact.name!r} is not what it says: phi(z) + phi*(alpha) - alpha z = {float(high):.6g} < 0"
                f" at z = {z!r}, alpha = {alpha!r}, y = {y!r}; dualgap.reference.check_loss names the formula that is"
                " wrong"
            )
        return rounded_up(high)

    def _enclosed(self, z: float, alpha: float, y: float) -> tuple[Decimal, Decimal]:
        found = self.exact.over(Interval).residual(Interval(z), Interval(alpha), Interval(y))
        return found.low, found.high

    def errors(self, z: Array, alpha: Array) -> float:
        """The mean of the bounds of the residuals' rounding errors; 0 if they have none."""
        if not self.bounded:
            return 0.0
        total = float(error_sum(self.code, self.gamma, z, alpha, self.arrays.y))
        return total / self.n if total >= 0 else math.inf  # a NaN is no bound

    def first_outside(self, alpha: Array) -> int:
        if self.code is not None:
            return super().first_outside(alpha)
        pairs = enumerate(zip(alpha.tolist(), self.arrays.y.tolist()))
        return next((i for i, (a, y) in pairs if not (math.isfinite(a) and self.problem.loss.in_domain(a, y))), self.n)


def require_consistent(loss: Loss) -> None:
    """Raise ValueError for a loss whose formulas contradict each other where certificates rest on them."""
    _require_no_finding((type(loss), loss.gamma), lambda: LossCheck(loss).findings(UNSOUND), "reference.check_loss")


def require_compiled(code: object, loss: Loss) -> None:
    """Raise ValueError for a compiled loss whose ``error`` would be believed and whose formulas, or ``error``, are
    wrong.
    """
    _require_no_finding((code, loss.gamma), lambda: findings(loss, BELIEVED), "fast.check_compiled_loss")


def _require_no_finding(key: tuple[object, object], ask: Callable[[], list[Finding]], check: str) -> None:
    if key not in _checked:
        found = ask()
        _checked[key] = str(found[0]) if found else ""
    if _checked[key]:
        raise ValueError(
            f"{_checked[key]}. No certificate of it would mean anything; dualgap.{check} says all that is wrong"
        )


@kernel
def error_sum(code, gamma, z, alpha, y):
    """The sum over the rows of the bounds of the residuals' rounding errors."""
    total = 0.0
    for i in range(z.size):
        total = total + registered.error(code, gamma, z[i], alpha[i], y[i])
    return total
