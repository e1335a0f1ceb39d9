"""The best provable rate of a method, with an exact proof and an exact counterexample to every better rate.

``sharpen`` runs a method's own ``init``, ``advance`` and ``choices`` on unknown vectors, which gives all that one step
implies for every problem of a class (``symbols``, ``world``, ``states``, ``quantities``). A semidefinite program in
floating point proposes multipliers (``propose``), and only their exact verification counts (``certificate``). The lower
end is an instance on which the method is evaluated exactly (``worst``). ``bracket`` joins the two, and
``comparison`` derives the contents of a file again from the method. docs/sharpen.md explains the output.
``certificate`` runs without dualgap: ``python3 certificate.py FILE``.

May import: exact, proofs_checks, reference.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dualgap.extras.sharpen.bracket import Bracket, sharpen

__all__ = ["Bracket", "sharpen"]


def __getattr__(name: str) -> object:
    """``sharpen`` and ``Bracket``, imported on first use, because a replay needs neither numpy nor Clarabel."""
    if name in __all__:
        from dualgap.extras.sharpen import bracket

        return getattr(bracket, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
