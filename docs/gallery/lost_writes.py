"""
Lost writes change the problem that is solved
=============================================

PASSCoDe-Wild lets threads overwrite each other's updates of w. In the reference a lost write is part of a choice, so
we can lose one write in two hundred on purpose. The gap of the original problem stops falling. The gap of a perturbed
problem, which the paper describes, goes to zero.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.fast import Certificate
from dualgap.fast.methods.passcode import perturbed
from dualgap.reference import L2, Problem, SmoothedHinge, method

generator = np.random.default_rng(2)
X = generator.standard_normal((50, 4))
problem = Problem(X, np.where(X @ [1, -1, 2, 0] > 0, 1, -1), SmoothedHinge(), L2(0.05))

# Alternative text: With no lost write the gap falls. With lost writes the gap of the original problem stays level,
# that of the perturbed one falls.
figure, axes = plt.subplots()
for chance, colour in (0, "#1f5f9e"), (1 / 200, "#d0643f"):
    wild = method("passcode-wild", threads=2)
    state, original, shifted = wild.init(problem), [], []
    for _ in range(40):
        for i in generator.integers(problem.n, size=problem.n):
            lost = int(np.packbits(generator.random(4) < chance, bitorder="little")[0])  # one bit for each write
            state = wild.step(problem, state, (0, int(i), -1, lost))
        w, alpha = map(np.array, wild.view(problem, state))
        original.append(Certificate(problem, w, alpha).gap_bound)
        shifted.append(perturbed(problem, w, alpha).gap_bound)
    words = "no write is lost" if chance == 0 else "one write in 200 is lost"
    axes.semilogy(range(1, 41), original, color=colour, label=f"{words}: original problem")
    if chance:
        axes.semilogy(range(1, 41), shifted, ":", color=colour, label=f"{words}: perturbed problem")
axes.set(xlabel="passes over the data", ylabel="certified gap")
axes.legend()
