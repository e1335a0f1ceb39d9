"""The mean product of five matrices without replacement has at most the norm of that with replacement.

Source: B. Recht, C. Re: Toward a noncommutative arithmetic-geometric mean inequality. COLT 2012, arXiv:1202.4184.
Said: for positive semidefinite matrices, the mean product over all orders is at most as long as the power of the mean.
Hypotheses: n symmetric positive semidefinite matrices; the spectral norm; each matrix once against n independent draws.
Known: Z. Lai, L.-H. Lim (arXiv:2006.01510) refuted it for n = 5 without matrices; C. De Sa (NeurIPS 2020) has a family.
Added: the search finds five matrices from the statement alone, and gives them as rationals.
Counterexample: in file and audit; small ones have the cyclic symmetry of the five matrices.
Instead: for two matrices it is true (claim errata.recht-2012.repaired).
Read: the abstract of the paper of Lai and Lim; nothing else is said of all three papers.
"""
