"""SVRG: stochastic variance reduced gradient."""
