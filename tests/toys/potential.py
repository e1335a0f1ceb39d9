"""A script for PEPit: the potential of the accelerated gradient method, with weights 1 + delta times as large."""

POTENTIAL = """
from math import sqrt
from PEPit import PEP
from PEPit.functions import SmoothConvexFunction

problem = PEP()
L, lam, delta = 1, {lam}, {delta}
f = problem.declare_function(SmoothConvexFunction, L=L)
xs = f.stationary_point()
fs = f(xs)
x, z = problem.set_initial_point(), problem.set_initial_point()
g, v = f.oracle(x)
new = (1 + sqrt(4 * lam**2 + 1)) / 2 * (1 + delta)
y = (1 - 1 / new) * x + 1 / new * z
gy = f.gradient(y)
z_next, x_next = z - (new**2 - lam**2) / L * gy, y - 1 / L * gy
before = lam**2 * (v - fs) + L / 2 * (z - xs) ** 2
after = new**2 * (f(x_next) - fs) + L / 2 * (z_next - xs) ** 2
problem.set_performance_metric(after - before)
problem.solve(verbose=0)
"""
