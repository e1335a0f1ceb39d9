"""
Which claims catch which bugs
=============================

A mutant is a copy of a method with one planted bug. Each claim names the mutants on which its check must fail, and
an audit runs them. Here are the claims about PGS that catch at least one.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.proofs_checks import audit

claims = [row for row in audit(["pgs"], size="quick", entropy=1)["claims"] if row["killed"]]
mutants = sorted({name for row in claims for name in row["declared_kills"]})
caught = np.array([[name in row["killed"] for row in claims] for name in mutants])
assert caught.any(axis=1).all()

# Alternative text: A table: planted bugs in rows, claims in columns. A filled cell means that the claim catches the
# bug.
figure, axes = plt.subplots(figsize=(7.2, 4.6))
axes.imshow(caught, cmap="Blues", vmin=0, vmax=1.4, aspect="auto")
axes.set_xticks(range(len(claims)), [row["id"] for row in claims], rotation=40, ha="right")
axes.set_yticks(range(len(mutants)), mutants)
axes.set_title("Planted bugs (rows) caught by claims (columns)")
