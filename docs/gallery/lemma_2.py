"""
A lemma that is true, and its sharp constant
============================================

ASPDC's Lemma 2 bounds the expected duality gap. On two orthonormal rows we compare the expectation over all 2^t
sequences of choices, in fractions, with the bound of the paper and with the sharp bound.
"""

from fractions import Fraction

import matplotlib.pyplot as plt

from dualgap.reference import L2, Problem, Squared, method

n, gamma, lam = 2, 1, 2  # lam n gamma/R^2 = 4, the smallest value that the paper allows
problem = Problem([[1, 0], [0, 1]], [1, 1], Squared(gamma), L2(lam), number=Fraction)
aspdc = method("aspdc")

paths, expected = [(Fraction(1), aspdc.init(problem))], []
for _ in range(11):
    expected.append(sum(p * problem.gap(*aspdc.view(problem, state)) for p, state in paths))
    paths = [(p * q, aspdc.step(problem, state, i)) for p, state in paths for i, q in aspdc.choices(problem, state)]

best = [Fraction(1, 1 + lam * n) - 1] * n
away = problem.D(best) - problem.D([0, 0])
s = 1 - Fraction(1, lam * n * gamma)
printed = [2 * n * (1 - Fraction(1, 2 * n)) ** t * expected[0] for t in range(11)]
sharp = [(1 + Fraction(1, lam * gamma)) * (1 - s / n) ** t * away for t in range(11)]
assert all(e <= b <= p for e, b, p in zip(expected, sharp, printed))

# Alternative text: Three falling lines on a logarithmic axis: the exact expectation, the sharp bound above it, the
# paper's bound far above.
figure, axes = plt.subplots(figsize=(4.4, 3.3))
axes.semilogy([float(v) for v in printed], "--", color="#d0643f", label="the paper's Lemma 2")
axes.semilogy([float(v) for v in sharp], color="#c99420", label="the sharp bound")
axes.semilogy([float(v) for v in expected], "o-", color="#1f5f9e", label="the exact expectation", markersize=4)
axes.set(xlabel="steps", ylabel="expected duality gap", title="Lemma 2 is true, and far from sharp")
axes.legend()
