"""AMSGrad in PyTorch: code and documentation compute the same denominators, and these never fall.

Source: PyTorch: issue 142323 of pytorch/pytorch, December 2024, about torch.optim.Adam with amsgrad=True in version 2.5.
Said: the documentation takes the running maximum of the second moments after the correction of their bias; the code
takes it before ("is used after the max operation").
Hypotheses: one coordinate, epsilon = 0; the squared denominators are compared.
Known: the issue reports the difference; it says that optax has the order of the documentation.
Added: the numbers; and in the code's order the denominator can fall, which AMSGrad is there to prevent.
Counterexample: beta_2 = 99/100, gradients 1 and 0: by the documentation 1 and 1, by the code 1 and 100/199.
Instead: in the order of the documentation the denominators never fall (claim errata.pytorch-2024.repaired).
Read: a page, the issue; not the code of that version.
"""

from dualgap.proofs_checks import OURS, Eq, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Programs", "1 1 1 100/199"
STATEMENT = (
    r"$\max_{s \le t} \frac{v_s}{1-\beta_2^s} = \frac{1}{1-\beta_2^t} \max_{s \le t} v_s$, and neither falls with $t$."
)
RECOMPUTE = """\
from fractions import Fraction
beta, v, largest, raw = Fraction(99, 100), 0, 0, 0
documented, coded = [], []
for t, g in enumerate((1, 0), 1):
    v = beta * v + (1 - beta) * g * g
    largest, raw = max(largest, v / (1 - beta**t)), max(raw, v)
    documented.append(largest)
    coded.append(raw / (1 - beta**t))
print(*documented, *coded)
"""


def denominators(c, code=True, by=1):
    """Of the code: equal to those of the documentation, and not falling. Else of the documentation: not falling."""
    beta, v, largest, raw, before = c.given.beta2, Q(0), Q(0), Q(0), Q(0)
    for t, gradient in enumerate(c.given.gradients, 1):
        v = beta * v + (1 - beta) * gradient**2
        largest, raw = max(largest, v / (1 - beta**t)), max(raw, v)
        found = raw / (1 - beta**t) if code else largest
        yield Eq(found, largest, f"squared denominator {t}, by the code and by the documentation")
        yield Le(by * before, found, f"squared denominator {t} is not smaller than the one before")
        before = found


G = ((1, 1, 1), (1, 0, 2), (2, -1, 0), (-3, 1, 1))
TRUE = NumbersInstance.of(beta2=Q(99, 100), gradients=(1, 1))
claim(
    "errata.pytorch-2024", "code and documentation agree, and no denominator falls", hypotheses="epsilon = 0", origin=OURS,
    evidence=[golden(NumbersInstance.of(beta2=Q(99, 100), gradients=(1, 0)))], expected="REFUTED",
    control=holds_on(TRUE, text="equal gradients"),
)(denominators)  # fmt: skip
claim(
    "errata.pytorch-2024.repaired", "the denominators of the documentation never fall", hypotheses="epsilon = 0", origin=OURS,
    evidence=[exact(lambda: numbers(beta2=(Q(1, 2), Q(99, 100)), gradients=G))], proof="It is a running maximum.",
    control=altered("they double", lambda c: denominators(c, False, 2), TRUE),
)(lambda c: denominators(c, False))  # fmt: skip
