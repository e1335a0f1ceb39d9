r"""Claims: numbered statements of a paper (or their repaired and sharpened forms), each with its evidence.

    @claim(
        "aspdc.a17",
        r"(A17): $\mathbb{E}[D(\alpha^+) - D(\alpha)] \ge$ $(1/(2n)) (P(w) - D(\alpha))$"
        r" for $\lambda \ge 4R^2/(n \gamma)$",
        origin=PAPER.printed("(A17)"),
        hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
        evidence=[exact(strategies.one_step_paper)],
        control=fails_on(instance, "lam n gamma/R^2 = 1.99"),
        kills=["aspdc.half-step"],
    )
    def a17(c: Context) -> Iterable[Relation]:
        yield Le(c.gap / (2 * c.n), c.expected_increase, "(A17)")

A check yields the relations of the proof chain in order; the first false one is what ``replay`` names. It
yields nothing where the claim does not speak of the instance.
"""

import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.old_ids import where_it_went
from dualgap.proofs_checks.claims.origins import GRAVITIES, PRINTED, Origin
from dualgap.proofs_checks.claims.papers import require_own_paper
from dualgap.proofs_checks.claims.pool import seed_name
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.result import AssumedJson
from dualgap.proofs_checks.claims.typeset import latex, plain
from dualgap.reference.problem.registry import EXTRAS, Registry, load_library, place_in_code, registrant

if TYPE_CHECKING:
    from dualgap.proofs_checks.claims.drawing import Trail
    from dualgap.proofs_checks.claims.run import Run

Check = Callable[..., Iterable[Relation]]  # check(context); a control calls it with other values for its keywords

HOLDS, REFUTED, OPEN, UNDECIDED, VACUOUS, ERROR = "HOLDS", "REFUTED", "OPEN", "UNDECIDED", "VACUOUS", "ERROR"


@dataclass
class Evidence:
    """The result of one level of evidence.

    Attributes
    ----------
    level : "EXACT", "ENUMERATED", "ENCLOSED", "PROVED", "NUMERICAL", "NOT-REFUTED", ..., "FORMAL(prover)" or
        "SKIPPED(reason)".
    instances, violations, vacuous, undecided : counts of instances.
    detail : one clause for the report ("t <= 60", "20 digits", ...).
    counterexample : the first (shrunk) instance that violates, if any.
    tightness : left/right of the inequalities, for the histogram.
    series : named data for the other figures.
    trail : of the first instance that violates, before it was shrunk, where its strategy has trails.
    """

    level: str
    instances: int = 0
    violations: int = 0
    vacuous: int = 0
    undecided: int = 0
    detail: str = ""
    counterexample: Instance | None = None
    tightness: list[float] = field(default_factory=list)
    series: dict[str, Any] = field(default_factory=dict)
    trail: "Trail | None" = None

    @property
    def counts(self) -> bool:
        """True if it can carry HOLDS alone: something non-vacuous was seen, and not by statistics."""
        if self.level.startswith(("SKIPPED", "NOT-REFUTED", "SEARCHED")):
            return False
        return self.instances - self.vacuous - self.undecided > 0

    def __str__(self) -> str:
        if "(" in self.level:  # SKIPPED(reason), FORMAL(prover)
            return ": ".join(part for part in (self.level, self.detail) if part)
        inside = ", ".join(part for part in (str(self.instances), self.detail) if part)
        return f"{self.level}({inside})"


@dataclass(frozen=True)
class Control:
    """A negative control: ``caught(claim, run)`` must be True, or the claim's evidence proves nothing."""

    text: str
    caught: Callable[["Claim", "Run"], bool]


@dataclass(frozen=True)
class Hypothesis:
    """One thing that a printed statement assumes.

    Attributes
    ----------
    text : in words and symbols.
    place : where the paper states it.
    holds : whether it is true of an instance; None if it cannot be evaluated.
    """

    text: str
    place: str
    holds: Callable[[Context], bool] | None = None

    def listed(self) -> AssumedJson:
        """Text, place and whether it can be evaluated, as lists and reports of claims show it."""
        return {"text": self.text, "place": self.place, "evaluated": self.holds is not None}


Source = Callable[["Claim", "Run"], Evidence]


@dataclass(frozen=True)
class Claim:
    """A statement and its evidence; statement and hypotheses as plain text, and in LaTeX where given."""

    id: str
    statement: str
    check: Check
    expected: str
    hypotheses: str
    evidence: tuple[Source, ...]
    control: Control | None
    origin: Origin
    kills: tuple[str, ...] = ()
    proof: str = ""
    assumes: tuple[Hypothesis, ...] = ()
    statement_tex: str = ""
    hypotheses_tex: str = ""
    gravity: str = ""
    instead: str = ""

    @property
    def kind(self) -> str:
        """Return the origin of the claim: one of ``origins.KINDS``."""
        return self.origin.kind

    @property
    def place(self) -> str:
        """Return the place where it is stated."""
        return self.origin.place

    @property
    def quote(self) -> str:
        """A fragment of the print by which it is found."""
        return self.origin.quote

    @property
    def note(self) -> str:
        """Return the note: which reading is tested and why, and what is not said of the paper."""
        return self.origin.note

    @property
    def theorems(self) -> tuple[str, ...]:
        """Return the theorems that Coq has checked for it, as its evidence names them
        (``proofs_checks/evidence/formal.py``)."""
        return tuple(name for source in self.evidence for name in getattr(source, "theorems", ()))

    @property
    def paper(self) -> str:
        """The part of the id before the first dot."""
        return self.id.split(".")[0]


STRATEGIES: Registry[Callable[..., object]] = Registry("strategy")  # by what its instances are seeded by
CLAIMS: Registry[Claim] = Registry("claim", "dualgap.proofs_checks.papers", extras="claims")


def require_about(claim: Claim, instance: Any) -> None:
    """Raise ValueError for a paper's claim and a custom regularizer, which its checks do not know."""
    if getattr(instance, "regularizer_name", "") and claim.id not in CLAIMS.foreign():
        raise ValueError(
            f"claim {claim.id} is about L2, the elastic net or the squared p-norm, not about regularizer"
            f" {instance.regularizer_name!r}: audit a claim of your own on it"
        )


def claim(
    id: str,
    statement: str,
    *,
    hypotheses: str,
    evidence: Iterable[Source],
    control: Control | None,
    origin: Origin,
    expected: str = HOLDS,
    kills: Iterable[str] = (),
    proof: str = "",
    assumes: Iterable[Hypothesis] = (),
    gravity: str = "",
    instead: str | None = None,
) -> Callable[[Check], Check]:
    """Register the decorated check as a claim.

    Parameters
    ----------
    id : "paper.name", then ".sharp" or ".repaired" for our own forms.
    statement : begins with the paper's label ("Lemma 2: ..."); formulas in LaTeX between dollars, or all of it as plain
        text, see ``typeset``.
    hypotheses : the same, with "; " between them.
    evidence : levels, in order, see ``evidence``; a strategy has a name, by which its instances are seeded, for itself
        (``pool.seed_name``).
    control : what must fail (REFUTED claims: where the statement does hold).
    expected : HOLDS, REFUTED or OPEN.
    origin : who says it and where, see ``origins``.
    kills : named mutants that the check must kill.
    proof : our own proof in a few lines, where the paper has none.
    assumes : of a printed statement that is refuted: each hypothesis with the place that states it. The counterexample
        is checked against all that can be evaluated.
    gravity : of a printed statement that is refuted, one of ``origins.GRAVITIES``.
    instead : the id of the claim that holds instead of a refuted one, "" if there is none (default: the id with
        ".repaired").

    Raises
    ------
    ValueError
        The gravity is unknown, or given for a claim that is no refuted printed statement; the id or a strategy's name
        is taken, there is no control, expected is none of the three, or the id begins with the key of a paper of
        dualgap's and the check is other people's.
    """
    levels, right = tuple(evidence), _require_claim(id, expected, gravity, origin, control)
    for name, text in (("statement", statement), ("hypotheses", hypotheses), ("proof", proof), ("control", right.text)):
        if not isinstance(text, str):
            raise ValueError(f"claim {id}: the text of its {name} must be a str (got {text!r})")

    def register(check: Check) -> Check:
        if registrant().module == "__main__":
            _audit_if_a_file_of_dualgap()
        require_own_paper("claim", id, check.__module__, CLAIMS)
        for strategy in [found for level in levels if (found := getattr(level, "strategy", None)) is not None]:
            STRATEGIES.enter(seed_name(strategy), strategy, place_in_code(strategy))
        CLAIMS.enter(
            id,
            Claim(
                id,
                plain(statement),
                check,
                expected,
                plain(hypotheses),
                levels,
                right,
                origin,
                tuple(kills),
                proof,
                tuple(assumes),
                latex(statement),
                latex(hypotheses),
                gravity,
                (f"{id}.repaired" if expected == REFUTED else "") if instead is None else instead,
            ),
        )
        return check

    return register


def _require_claim(id: str, expected: str, gravity: str, origin: Origin, control: Control | None) -> Control:
    """The control. ValueError for what a claim cannot be."""
    if expected not in (HOLDS, REFUTED, OPEN):
        raise ValueError(f"claim {id}: expected must be HOLDS, REFUTED or OPEN (got {expected!r})")
    if gravity and not (gravity in GRAVITIES and origin.kind == PRINTED and expected == REFUTED):
        raise ValueError(
            f"claim {id}: gravity is for printed statements that are refuted, and one of {', '.join(GRAVITIES)}"
            f" (got {gravity!r})"
        )
    if not isinstance(control, Control):
        raise ValueError(
            f"claim {id} has no control: give an input for which its check must fail (evidence.levels: fails_on,"
            " altered, ...)"
        )
    return control


def _audit_if_a_file_of_dualgap() -> None:
    """End a program that is a claim file of dualgap with an audit of that file, in a process that imports it by its
    own name. Other programs go on.
    """
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    if spec is not None and spec.name.startswith((f"{CLAIMS.package}.", f"{EXTRAS}.")):
        sys.exit(subprocess.call([sys.executable, "-m", "dualgap.proofs_checks.cli.claim_file", spec.name]))


def all_claims() -> dict[str, Claim]:
    """Every claim of every module in ``papers/``, and other people's, by id, whatever the order of imports."""
    return dict(sorted(CLAIMS.complete().items()))


def select(names: Iterable[str] = ()) -> list[Claim]:
    """Claims by id or paper, in the order of their ids; for no names all of them, without those of libraries that were
    not loaded. Raises ValueError for a name that fits nothing.
    """
    names = list(names)
    for name in names:
        load_library(name.partition(".")[0])
    known = list(all_claims().values())
    for name in names:
        if not any(name in (c.id, c.paper) for c in known):
            if removed := where_it_went(name):
                raise ValueError(removed)
            papers = ", ".join(sorted({c.paper for c in known}))
            pattern = ": patterns are not supported" if set(name) & set("*?[") else ""
            near = get_close_matches(name, [*{c.paper for c in known}, *(c.id for c in known)], 1)
            meant = f"; did you mean {near[0]}" if near else ""
            raise ValueError(
                f"no paper or claim is named {name!r}{pattern}{meant}; papers: {papers}; claims: dualgap claims"
            )
    return [c for c in known if not names or c.id in names or c.paper in names]
