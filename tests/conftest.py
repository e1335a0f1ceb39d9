"""Hypothesis profiles. The default one is derandomised, so that a run can be repeated exactly; see docs/property_tests.md."""

from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

PHASES = [phase for phase in Phase if phase is not Phase.explain]  # which traces every line: minutes for a failure
COMMON = {"deadline": None, "print_blob": True, "phases": PHASES, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
FRESH = {"derandomize": False, "database": DirectoryBasedExampleDatabase(".hypothesis/examples")}

settings.register_profile("default", max_examples=100, derandomize=True, **COMMON)
settings.register_profile("ci", max_examples=400, **FRESH, **COMMON)
settings.register_profile("thorough", max_examples=4000, **FRESH, **COMMON)
settings.load_profile("default")
