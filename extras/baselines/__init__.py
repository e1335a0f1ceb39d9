"""The methods that the papers compare with, a folder for each, what Table 2 of ASPDC says of them, and tables over all.
What a folder registers is found by the names of its files (``reference.problem.registry``): ``reference``, ``lazy``,
``compiled``, ``items``, ``claims``, ``mutants`` and ``planted_bugs``. Vectors are found in every file.

May import: proofs_checks, fast, reference.
"""
