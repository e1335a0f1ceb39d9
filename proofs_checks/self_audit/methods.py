"""Lines and constants of the reference that long went unseen, by the claim that must see them, on its own worked
instances.
"""

from collections.abc import Iterator
from importlib import import_module

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import CLAIMS
from dualgap.proofs_checks.evidence.levels import Golden


def worked(module: str, *names: str) -> Iterator[str]:
    """What is false of these claims on the instances that are written down for them."""
    import_module(f"dualgap.proofs_checks.papers.{module}")
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


def afg() -> Iterator[str]:
    """AFG's lines 2 to 7."""
    return worked("baselines.afg", "baselines.afg.lines")


def asdca_lines() -> Iterator[str]:
    """ASDCA's lines 4 to 8."""
    return worked("baselines.asdca", "baselines.asdca.algorithm")


def asdca_rules() -> Iterator[str]:
    """When ASDCA's rules fire."""
    return worked("baselines.asdca", "baselines.asdca.rule-1")


def passcode() -> Iterator[str]:
    """What a worker of PASSCoDe-Atomic reads."""
    return worked("passcode.steps", "passcode.atomic.visibility")


def spd1_vr() -> Iterator[str]:
    """The constants of SPD1-VR."""
    return worked("baselines.spd1_vr", "baselines.spd1-vr.rate")


def spdc() -> Iterator[str]:
    """The default mix of SPDC's Algorithm 3."""
    return worked("spdc.theorem_2", "spdc.theorem-2.mix")
