"""A refutation as a file for the kernel of a proof assistant: Coq, or Lean 4 with Mathlib.

The check runs once more in rationals that record what is done with them. The file states each result of an operation
from the instance's numbers on, each comparison that the check made on its way, and the relation that is false at the
end. The kernel computes all of them again; it needs nothing of dualgap. Numbers that the check reads in another way, by
rounding one of them for example, enter as constants, and the comparisons say what was made sure of them.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import computing_as
from dualgap.proofs_checks.claims.instance import Given, shown
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.engines.between import ends
from dualgap.reference import Method

LONGEST = 8  # operations of one line
MOST_LINES = 20_000


@dataclass(eq=False)
class Node:
    """A number: a constant without an operation, or the result of one."""

    value: Fraction
    operation: str = ""
    parts: tuple["Node", ...] = ()
    uses: int = 0


@dataclass
class Record:
    """Each operation once, in the order in which they were made, and the comparisons with their results."""

    nodes: dict[tuple[object, ...], Node] = field(default_factory=dict)
    comparisons: dict[tuple[str, int, int], tuple[str, Node, Node, bool]] = field(default_factory=dict)

    def made(self, value: Fraction, operation: str = "", *parts: Node) -> Node:
        """The node of a constant or of an operation."""
        key = (operation, *map(id, parts)) if parts else (value.numerator, value.denominator)
        return self.nodes.setdefault(key, Node(value, operation, parts))


_record: ContextVar[Record] = ContextVar("_record")


class Recorded(Fraction):
    """A rational that records operations and comparisons. Plain integers and rationals meet it as constants."""

    __slots__ = ("node",)
    node: Node

    def __new__(cls, numerator: Any = 0, denominator: Any = None, node: Node | None = None) -> "Recorded":
        made: Any = super().__new__(cls, numerator, denominator)
        plain = Fraction(made.numerator, made.denominator)
        made.node = _record.get().made(plain) if node is None else node
        return made  # type: ignore[no-any-return]

    def __copy__(self) -> "Recorded":
        return self

    def __deepcopy__(self, memo: object) -> "Recorded":
        return self

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> "Recorded":
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __pow__(self, exponent: Any, modulo: object = None) -> Any:
        if not isinstance(exponent, int):
            return NotImplemented
        power = math.prod([self] * abs(exponent))
        return power if exponent >= 0 else 1 / power

    def __bool__(self) -> bool:
        return self != 0

    def __reduce__(self) -> Any:
        return Fraction, (self.numerator, self.denominator)

    __hash__ = Fraction.__hash__


def _plain(value: Fraction | int) -> Fraction:
    return Fraction(value.numerator, value.denominator)


def _node(value: Any) -> Node:
    return value.node if isinstance(value, Recorded) else _record.get().made(_plain(value))


def _operation(sign: str, name: str, backwards: bool) -> Any:
    exact = getattr(Fraction, name)

    def operate(self: Recorded, other: Any) -> Any:
        if not isinstance(other, (int, Fraction)) or isinstance(other, bool):
            return NotImplemented
        pair = (Fraction(other), self) if backwards else (self, other)
        one, two = map(_node, (other, self) if backwards else pair)
        if sign == "*" and any(not part.operation and part.value == 0 for part in (one, two)):
            return Recorded(0)
        if sign in "+*" and not (one.operation and two.operation):  # 0 + x and 1 x are x
            neutral = 0 if sign == "+" else 1
            for constant, rest in ((one, two), (two, one)):
                if not constant.operation and constant.value == neutral:
                    return Recorded(rest.value, node=rest)
        value = exact(*map(_plain, pair))
        return Recorded(value, node=_record.get().made(value, sign, one, two))

    return operate


def _comparison(sign: str, name: str) -> Any:
    exact = getattr(Fraction, name)

    def compare(self: Recorded, other: Any) -> Any:
        if not isinstance(other, (int, Fraction)):
            return NotImplemented if sign != "==" else False
        one, two, answer = self.node, _node(other), exact(_plain(self), _plain(other))
        if one.operation or two.operation:
            _record.get().comparisons[sign, id(one), id(two)] = (sign, one, two, answer)
        return answer

    return compare


for _sign, _name in (("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "truediv")):
    setattr(Recorded, f"__{_name}__", _operation(_sign, f"__{_name}__", False))
    setattr(Recorded, f"__r{_name}__", _operation(_sign, f"__{_name}__", True))
for _sign, _name in (("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge"), ("==", "eq")):
    setattr(Recorded, f"__{_name}__", _comparison(_sign, f"__{_name}__"))


@contextmanager
def recording() -> Iterator[Record]:
    """Exact contexts that are made inside record what is done with their numbers."""
    record = Record()
    token = _record.set(record)
    try:
        with computing_as(Recorded):
            yield record
    finally:
        _record.reset(token)


# -- the text ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Language:
    """How one of the two writes a file."""

    head: str
    number: str
    defined: str
    computed: str
    true: str
    comment: tuple[str, str]
    end: dict[str, str]


_COQ = "Proof. vm_compute. reflexivity. Qed."
_REFUTED = "Theorem refuted : ~ ({{}} {} {{}}).\nProof. {} Qed."
COQ = Language(
    "Require Import QArith.\nOpen Scope Q_scope.\n",
    "({} # {})",
    "Definition {name} : Q := {value}.",
    f"Lemma {{name}}_is : {{text}} == {{name}}. {_COQ}",
    f"Lemma c{{number}} : {{test}} = {{answer}}. {_COQ}",
    ("(*", "*)"),
    {
        "<=": _REFUTED.format("<=", "intro H. apply Qle_bool_iff in H. vm_compute in H. discriminate H."),
        "<": _REFUTED.format("<", "apply Qle_not_lt. apply Qle_bool_iff. vm_compute. reflexivity."),
        "==": _REFUTED.format("==", "intro H. apply Qeq_bool_iff in H. vm_compute in H. discriminate H."),
    },
)
LEAN = Language(
    "import Mathlib\n",
    "({} / {})",
    "def {name} : ℚ := {value}",
    "theorem {name}_is : {text} = {name} := by norm_num [{used}]",
    "theorem c{number} : {test} := by norm_num [{used}]",
    ("/-", "-/"),
    {sign: f"theorem refuted : ¬ (({{}} : ℚ) {lean} {{}}) := by norm_num [{{used}}]"
     for sign, lean in (("<=", "≤"), ("<", "<"), ("==", "="))},
)  # fmt: skip
NOT_RUN = "dualgap has checked the arithmetic in fractions, and has not run this file: it does not come with Lean."


def kernel_text(claim: Claim, instance: Given, language: Language, method: Method[Any] | None = None) -> str:
    """Return a file that states and computes a refutation.

    Parameters
    ----------
    claim, instance : the claim is false on the instance.
    language : COQ or LEAN.
    method : instead of the instance's.

    Raises
    ------
    ValueError
        The claim is true there, its check needs intervals, or the file has more than MOST_LINES lines.
    """
    with recording() as record:
        sign, left, right = _first_false(claim.check(Context(instance, method)))  # type: ignore[arg-type]
        return _written(claim, instance, language, record, (sign, _node(left), _node(right)))


def _first_false(relations: Iterable[Relation]) -> tuple[str, Any, Any]:
    """The sign and the sides of the first false relation, of enclosures the ends that show it."""
    for relation in relations:
        if relation.holds():
            continue
        (left, above), (low, right) = ends(relation.left), ends(relation.right)
        if relation.sign == "==" and above < low:
            left, right = low, above
        if not all(isinstance(side, (int, Fraction)) for side in (left, right)):
            raise ValueError(f"{relation.label} has a side in intervals; a kernel checks rationals")
        return ("<=" if relation.sign == "==" and left is not relation.left else relation.sign), left, right
    raise ValueError("no relation of the check is false on this instance, so there is no refutation to write")


def _written(claim: Claim, instance: Given, language: Language, record: Record, false: tuple[str, Node, Node]) -> str:
    sign, *sides = false
    made = list(record.comparisons.values())
    used = [*sides, *(node for _, one, two, _ in made for node in (one, two))]
    needed = set[int]()
    while used:
        node = used.pop()
        node.uses += 1
        if id(node) not in needed:
            needed.add(id(node))
            used += node.parts
    names, lines = dict[int, str](), list[str]()
    shared = [node for node in record.nodes.values() if id(node) in needed and node.operation]
    sizes: dict[int, int] = {}
    for node in shared:
        size = sizes[id(node)] = 1 + sum(0 if id(part) in names else sizes.get(id(part), 0) for part in node.parts)
        if node.uses > 1 or size >= LONGEST or node in sides:
            lines += list(_line(node, language, names))
    for number, (test, one, two, answer) in enumerate(made):
        lines.append(_compared(number, test, one, two, answer, language, names))
    if len(lines) > MOST_LINES:
        raise ValueError(f"the computation has {len(lines)} lines; a file has at most {MOST_LINES}")
    both = [_text(side, language, names) for side in sides]
    end = language.end[sign].format(*both, used=_used(sides, names))
    about = [claim.id, claim.statement, f"if {claim.hypotheses}", "It is false on the instance"]
    about += [
        f"  {name} = {shown(value)}" for name, value in instance.to_json().items() if value not in (None, "", [], {})
    ]
    about += [NOT_RUN] if language is LEAN else []
    return "\n".join([language.head, _comment(about, language), *lines, end, ""])


def _comment(about: Iterable[str], language: Language) -> str:
    """Lines as a comment that no text of a claim can end, or open a string in."""
    text = "\n".join(about).replace('"', "'")
    for mark in ("(*", "*)", "/-", "-/"):
        text = text.replace(mark, f"{mark[0]} {mark[1]}")
    return f"{language.comment[0]} {text} {language.comment[1]}\n"


def _line(node: Node, language: Language, names: dict[int, str]) -> Iterator[str]:
    """The definition of a number, and that the operations on what was defined before have this result."""
    text, used = _text(node, language, names), _used(node.parts, names)
    name = names[id(node)] = f"t{len(names) + 1}"
    yield language.defined.format(name=name, value=_constant(node.value, language))
    yield language.computed.format(name=name, text=text, used=", ".join(filter(None, (name, used))))


def _constant(value: Fraction, language: Language) -> str:
    return language.number.format(f"({value.numerator})" if value < 0 else value.numerator, value.denominator)


def _text(node: Node, language: Language, names: dict[int, str]) -> str:
    if id(node) in names:
        return names[id(node)]
    if not node.operation:
        return _constant(node.value, language)
    one, two = (_text(part, language, names) for part in node.parts)
    return f"({one} {node.operation} {two})"


def _used(nodes: Iterable[Node], names: dict[int, str]) -> str:
    """The names that the text of these nodes has."""
    found: dict[str, None] = {}
    for node in nodes:
        inner = [names[id(node)]] if id(node) in names else filter(None, _used(node.parts, names).split(", "))
        found.update(dict.fromkeys(inner))
    return ", ".join(found)


def _compared(
    number: int, sign: str, one: Node, two: Node, answer: bool, language: Language, names: dict[int, str]
) -> str:
    left, right = (_text(node, language, names) for node in (one, two))
    used = _used((one, two), names)
    if language is LEAN:
        spelled = f"{left} {({'<=': '≤', '>=': '≥', '==': '='}).get(sign, sign)} ({right} : ℚ)"
        return language.true.format(number=number, test=spelled if answer else f"¬ ({spelled})", used=used)
    if sign in ("<", ">="):  # a < b is not b <= a
        test, answer = f"Qle_bool {right} {left}", answer == (sign == ">=")
    else:
        test = f"Qeq_bool {left} {right}" if sign == "==" else f"Qle_bool {left} {right}"
        answer = answer if sign != ">" else not answer
    return language.true.format(number=number, test=test, answer=str(answer).lower())
