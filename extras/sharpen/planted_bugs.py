"""The bugs that ``dualgap audit --self`` plants into the checker of rates, and the false files that notice them."""

from collections.abc import Iterator
from fractions import Fraction

from dualgap.extras.sharpen.certificate import Terms, growth_refusals, refusals
from dualgap.proofs_checks.self_audit.worlds import Bugs

ONE, TWO = Fraction(1), Fraction(2)
FORM: Terms = {("G", 0, 0): ONE}
FACTS = {"space": [0, 0, "W"], "inequalities": [{("F", 0): ONE}], "equalities": [], "matrices": [[[FORM]]]}


def false_proofs() -> Iterator[str]:
    """Proofs that must be refused, each for its own reason."""
    for name, target, m, s in (
        ("negative multiplier", {("F", 0): -ONE, ("G", 0, 0): ONE}, -ONE, ONE),
        ("negative matrix", {("F", 0): ONE}, ONE, -ONE),
        ("function value", {("F", 0): TWO, ("G", 0, 0): ONE}, ONE, ONE),
        ("two spaces", {("F", 0): ONE, ("G", 0, 0): ONE, ("G", 0, 2): ONE}, ONE, ONE),
        ("zero pivot", {("F", 0): ONE, ("G", 0, 0): ONE, ("G", 0, 1): ONE}, ONE, ONE),
    ):
        if not refusals(target, FACTS, {"inequalities": [m], "equalities": [], "matrices": [[[s]]]}):
            yield f"a false proof is accepted: {name}"


def false_growth() -> Iterator[str]:
    """Return false refutations of a true rate, 1/2, on one row: second moments shrink by 1/4."""
    record = {"maps": [(ONE, [[ONE / 2]])], "rate": ONE / 3, "moments": [[ONE]], "form": [[ONE]], "point": [ONE]}
    record["output"] = [[ONE]]
    for shows in ("moments", "determinant", "point"):
        if not growth_refusals({**record, "shows": shows}):
            yield f"a false refutation is accepted: {shows}"
    hidden = {"maps": [(ONE, [[ONE / 2, 0], [0, ONE]])], "rate": 3 * ONE / 4, "output": [[ONE, 0]]}
    for shows in ("moments", "determinant"):
        if not growth_refusals({**hidden, "shows": shows, "moments": [[0, 0], [0, ONE]]}):
            yield f"growth that (w, alpha) does not show is accepted: {shows}"


PLANTED_BUGS: Bugs = {
    (false_proofs, "extras.sharpen.certificate"): {
        "sharpen.negative-multiplier: multipliers of inequalities may be negative": (
            "any(m < 0 for m",
            "any(m < -9 for m",
        ),
        "sharpen.matrix-multiplier: the multiplier of a matrix may be indefinite": (
            "or not is_semidefinite(S):",
            "or not S:",
        ),
        "sharpen.values-left-over: function values may be left over": (
            'if any(key[0] != "G" or',
            'rest = {key: c for key, c in rest.items() if key[0] == "G"}\n    if any(key[0] != "G" or',
        ),
        "sharpen.two-spaces: products of vectors of two spaces may be left over": (
            "or space[key[1]] != space[key[2]] for",
            "or space[key[1]] is None for",
        ),
        "sharpen.zero-pivot: a row with pivot 0 may have other entries": (
            "or (pivot == 0 and any(rows[k][k:]))",
            "or (pivot == 1 and not any(rows[k][k:]))",
        ),
    },
    (false_growth, "extras.sharpen.certificate"): {
        "sharpen.moments-shrink: second moments may shrink": (
            "if is_semidefinite(M) and is_semidefinite(excess)",
            "if is_semidefinite(M)",
        ),
        "sharpen.determinant-positive: the determinant may be positive": (
            "[] if determinant_is_negative(difference)",
            "[] if not determinant_is_negative(difference)",
        ),
        "sharpen.point-contracts: the quantity may contract faster": (
            "expected_value(maps, Q, z) >= rate * before",
            "expected_value(maps, Q, z) >= rate * rate * before",
        ),
        "sharpen.unseen-moments: second moments may be those of a coordinate that (w, alpha) does not show": (
            "if not any(value_of(M, row)",
            "if False and any(value_of(M, row)",
        ),
        "sharpen.unseen-growth: a coordinate that (w, alpha) does not show may grow": (
            "if not observed(",
            "if False and observed(",
        ),
    },
}
