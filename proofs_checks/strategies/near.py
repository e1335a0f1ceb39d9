"""The neighbourhood of a known instance."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.instance import Given, Qs

# None: another number of the field
FACTORS: tuple[Fraction | None, ...] = (None, *Qs(0, -1, "9/10", "11/10", "1/2", 2, "1/100", 100))


@st.composite
def near(draw: DrawFn, /, instance: Given, fields: Sequence[str] = ("rows", "start", "b"), changes: int = 3) -> Given:
    """Neighbours of an instance: at most so many numbers are changed, to 0, to another number of the field, to the
    negative, or by a tenth, or a factor of 2 or 100.

    Parameters
    ----------
    instance : the known one, of any kind.
    fields : which fields are changed: numbers, tuples of numbers, or tuples of these; those that it lacks are left out.
        The neighbours must satisfy the hypotheses of the claim: ``.filter`` leaves out those that do not.
    changes : the most numbers that are changed.
    """
    known = [name for name in fields if hasattr(instance, name)]
    if not known:
        raise ValueError(f"near changes one of the fields {', '.join(fields)}, and the instance has none of them")
    for _ in range(draw(st.integers(0, changes))):
        name = draw(st.sampled_from(known))
        numbers = _leaves(getattr(instance, name))
        place = draw(st.integers(0, len(numbers) - 1))
        number, other = numbers[place], numbers[draw(st.integers(0, len(numbers) - 1))]
        factor = draw(st.sampled_from(FACTORS))
        numbers[place] = other if factor is None else number * factor
        instance = instance.but(**{name: _rebuilt(getattr(instance, name), iter(numbers))})
    return instance


def _leaves(value: object) -> list[object]:
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, tuple) else [value]


def _rebuilt(value: object, numbers: Iterator[object]) -> object:
    return tuple(_rebuilt(part, numbers) for part in value) if isinstance(value, tuple) else next(numbers)
