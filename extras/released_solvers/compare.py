"""Two reports of the audit, solver by solver and claim by claim: what a newer version, or another machine, has changed.

>>> def report(false, version):
...     claim = {"claim": "gap", "false": false, "true": 9 - false, "undecided": 0, "worst": None}
...     return {"rows": [{"name": "a", "skipped": "", "version": version, "asked": 9, "converged": 9, "refused": 0, "far": {}, "claims": [claim]}]}
>>> compared(report(3, "1.0"), report(0, "1.1"))
['a: version 1.0 -> 1.1', 'a, gap: false 3 -> 0', 'a, gap: true 6 -> 9']
"""  # noqa: E501

from dualgap.proofs_checks.claims.strict_json import Json

ROW = ("version", "asked", "converged", "refused")
CLAIM = ("false", "true", "undecided", "worst")
FAR = ("median", "nine_in_ten", "largest")


def compared(old: Json, new: Json) -> list[str]:
    """One line for everything that differs. Raises ValueError for what is no report."""
    try:
        before, after = ({row["name"]: row for row in report["rows"]} for report in (old, new))
        gone = [
            f"{name}: only in the {which} report"
            for which, names in (("old", before.keys() - after.keys()), ("new", after.keys() - before.keys()))
            for name in sorted(names)
        ]
        return gone + [line for name, row in before.items() if name in after for line in _row(row, after[name])]
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"that is no estimators.json of this version ({type(error).__name__}: {error})") from None


def _row(old: Json, new: Json) -> list[str]:
    name = old["name"]
    if old["skipped"] or new["skipped"]:
        return (
            []
            if bool(old["skipped"]) == bool(new["skipped"])
            else [f"{name}: {old['skipped'] or 'ran'} -> {new['skipped'] or 'ran'}"]
        )
    claims = {claim["claim"]: claim for claim in new["claims"]}
    lines = _changes(name, old, new, ROW) + _changes(f"{name}, distance", old["far"], new["far"], FAR)
    return lines + [
        line
        for claim in old["claims"]
        for line in _changes(f"{name}, {claim['claim']}", claim, claims.get(claim["claim"], {}), CLAIM)
    ]


def _changes(what: str, old: Json, new: Json, keys: tuple[str, ...]) -> list[str]:
    """The keys of both whose values are not equal, to the last bit."""
    return [
        f"{what}: {key} {old[key]} -> {new[key]}" for key in keys if key in old and key in new and old[key] != new[key]
    ]
