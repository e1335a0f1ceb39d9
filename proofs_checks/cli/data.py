"""The command ``new data``: list or describe data, or write them to folders that ``solve`` maps."""

import argparse
import math

from dualgap.fast.data.convert import map_data, map_parts
from dualgap.fast.data.dataset import Dataset, describe, label_name
from dualgap.fast.data.formats import READS
from dualgap.fast.data.generators import GENERATORS
from dualgap.fast.data.load import EMBEDDED
from dualgap.fast.data.memory_mapped import Mapped, verify
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.problem import preparation, prepared, rows_read
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import Refused, input_errors, print_json, print_pairs, ticker


def data(given: argparse.Namespace) -> int:
    """List the data sets and generators, or describe the given data."""
    if given.data is None and given.map is not None:
        raise Refused("--map requires the name of the data; type: dualgap new data NAME --map DIR")
    if given.data is None:
        lines = {
            name: " ".join((function.__doc__ or "").split("\n\n")[0].split()) for name, function in GENERATORS.items()
        }
        if given.json:
            print_json({"data_sets": list(EMBEDDED), "generators": lines})
        else:
            say("Data sets (bundled with scikit-learn)")
            sets = {name: "; ".join(words) or "targets unchanged" for name, (_, _, words) in EMBEDDED.items()}
            print_pairs([(f"  {name}", words) for name, words in sets.items()])
            say("\nGenerators (options as NAME:key=value,...)")
            print_pairs([(f"  {name}", line) for name, line in lines.items()])
            say("\nAny other name is the path of a file ({}) or of a folder made by --map.", READS)
        return 0
    with input_errors():
        facts = _described(given)
    if given.json:
        print_json(facts)
    else:
        print_pairs([(name.replace("_", " "), _words(value)) for name, value in facts.items()])
    return 0


def _described(given: argparse.Namespace) -> Json:
    """Return the facts about the data. Those of a mapped folder are read from it after its checksums are verified."""
    if given.map is not None and (given.target is not None or given.one_hot is not None):
        raise ValueError("--map reads LIBSVM text, which has no named columns: leave out --target and --one-hot")
    if given.parts is not None:
        return _parted(given)
    if given.map is not None:
        with ticker() as tick:
            dataset: Dataset = map_data(
                given.data, given.map, **preparation(given), progress=rows_read(tick), zero_based=given.zero_based
            )
        assert isinstance(dataset, Mapped)
        return dataset.facts
    dataset = prepared(given)
    if isinstance(dataset, Mapped):
        verify(dataset.name)
        return {**dataset.facts, "checksums": "verified"}
    return describe(dataset)


def _parted(given: argparse.Namespace) -> Json:
    """Write the data in parts, and describe each."""
    if given.map is None:
        raise ValueError("--parts requires --map DIR")
    with ticker() as tick:
        parts = map_parts(
            given.data,
            given.map,
            given.parts,
            given.seed,
            **preparation(given),
            progress=rows_read(tick),
            zero_based=given.zero_based,
        )
    return {
        part.name: f"{part.X.shape[0]} rows, {part.X.shape[1]} columns, {part.facts['nnz']} nonzeros" for part in parts
    }


def _words(value: object) -> str:
    """Return a fact as one line; lists of lists become pairs."""
    if isinstance(value, list):
        return "; ".join(
            f"{label_name(part[0])}: {part[1]} rows" if isinstance(part, list) else str(part) for part in value
        )
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else "beyond the range of a float"
    return "not counted" if value is None else str(value)
