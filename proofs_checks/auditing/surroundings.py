"""The environment of an audit: its folder, and the versions and the machine that its float levels depend on."""

import pathlib

from dualgap.fast.data.atomic_file import appending
from dualgap.proofs_checks.claims.result import Environment


def writable(folder: pathlib.Path) -> pathlib.Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".dualgap-write-test"
        with appending(probe):
            pass
        probe.unlink()
    except (OSError, RecursionError) as error:  # of folders in one another that are too many for pathlib
        raise ValueError(
            f"output folder {folder} cannot be written ({getattr(error, 'strerror', error)}); name another with --out"
        ) from None
    for name in ("report.json", "report.html"):
        if (folder / name).is_dir():
            raise ValueError(
                f"{folder / name} is a folder, and the audit writes a file there: remove it, or name another folder"
                " with --out"
            )
    return folder


def versions() -> dict[str, str]:
    """Versions of dualgap and of what the float levels use. Raises ValueError if one of them is not installed."""
    from importlib import metadata

    try:
        return {
            name: metadata.version(name) for name in ("dualgap", "numpy", "scipy", "numba", "llvmlite", "hypothesis")
        }
    except metadata.PackageNotFoundError as missing:
        raise ValueError(
            f"the report names the version of {missing.name}, which is not installed: run pip install -e . in the"
            " checkout"
        ) from None


def environment(installed: dict[str, str]) -> Environment:
    """Versions, processor and mathematical library: what the float levels depend on."""
    import platform

    from dualgap.fast.compiler import kernel
    from dualgap.fast.compiler.probe import probe
    from dualgap.fast.problem.bits import contractions

    compiled, counts = kernel.environment(), {"x * y + z": contractions(), **probe()}
    differing = [name for name, count in counts.items() if count and name != "pow with a constant exponent"]
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "versions": installed,
        "cpu": f"{compiled['cpu']} ({', '.join(compiled['cpu_flags'])})",
        "libc": compiled["libc"],
        "svml": compiled["svml"],
        "compiled mathematics": (
            f"differs from Python in {', '.join(differing)}: results are not compared bit by bit there"
            if differing
            else "bit-identical to Python"
        ),
    }
