"""One Hypothesis profile for the whole suite: derandomised, so that a run can be repeated exactly."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dualgap",
    derandomize=True,
    deadline=None,
    max_examples=100,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dualgap")
