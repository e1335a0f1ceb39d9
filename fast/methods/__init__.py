"""One file for each method: its kernels, which are bit-identical to the reference. ``solver`` runs them to a tolerance.

Kernels take their parameters in named tuples. A tuple that holds arrays is unpacked before the loop and not passed on
inside it: numba counts references to each array at every call, which took up to 2.6 times the time of a pass.

May import: compiler, problem, reference.
"""
