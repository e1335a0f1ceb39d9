"""Changes of lines and constants of the reference that once went unnoticed, with the claim that must notice each on its
worked instances.
"""

from collections.abc import Iterator
from importlib import import_module

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import CLAIMS
from dualgap.proofs_checks.evidence.levels import Golden


def worked(module: str, *names: str) -> Iterator[str]:
    """What is false of these claims on the instances that are written down for them."""
    import_module(module)
    for name in names:
        claim = CLAIMS[name]
        instances = [
            instance for source in claim.evidence if isinstance(source, Golden) for instance in source.instances
        ]
        if not instances:
            yield f"{name} has no worked instance"
        for instance in instances:
            violated = judge(claim, Context(instance)).violated
            if violated is not None:
                yield f"{name}: {violated}"


def passcode() -> Iterator[str]:
    """What a worker of PASSCoDe-Atomic reads."""
    return worked("dualgap.proofs_checks.papers.passcode.algorithm_2", "passcode.atomic.visibility")


def spdc() -> Iterator[str]:
    """The default mix of SPDC's Algorithm 3."""
    return worked("dualgap.proofs_checks.papers.spdc.theorem_2", "spdc.theorem-2.mix")
