"""Compile what a first call of ``solve`` would compile, or read it from the cache, before the clock starts."""

import functools
import itertools

import numpy as np

from dualgap.fast.compiler.first_calls import compile_at_once
from dualgap.fast.solver.solve import solve
from dualgap.reference import LOSSES, ElasticNet, Problem
from dualgap.reference.numbers.own_context import in_own_context

WIDE, TALL = np.array([[1.0, 0.0, 0.5]]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # ``auto`` looks at the shape


@functools.cache
@in_own_context
def warm_up() -> None:
    """Compile, or read from the cache, what ``solve`` needs for dense problems and the losses that are registered, once
    a process.

    ``solve`` waits for its kernels: seconds to half a minute after an installation, about a second where they are
    cached. Calls for small problems do not wait at first: they run in Python (``compiler.first_calls``). Call this
    before whatever limits or measures the time of a call, such as the deadline of 200 ms that Hypothesis has for an
    example. The pytest plugin of dualgap calls it where test modules import ``solve`` and the strategies.

    Examples
    --------
    >>> from dualgap.fast import warm_up
    >>> warm_up()
    """
    compile_at_once()
    for name, X, l1 in itertools.product(LOSSES, (TALL, WIDE), (0.0, 0.01)):
        y = np.array([1.0, -1.0, 1.0])[: len(X)]
        solve(Problem(X, y, LOSSES[name](), ElasticNet(0.1, l1)), tol=1e-6, max_epochs=50)
