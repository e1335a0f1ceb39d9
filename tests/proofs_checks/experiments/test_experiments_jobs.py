"""Cells side by side: the same results, in the same folder, as one after the other."""

import json

import pytest

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.experiments.optima import FILE

pytestmark = pytest.mark.needs("joblib")
NAME, OPTIONS = "spdc-fig2", ("data=aspdc-synthetic:n=8", "lams=1e-2", "passes=2", "repetitions=1")
CHANGES = [word for option in OPTIONS for word in ("--set", option)]


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(part) for key, part in value.items() if "seconds" not in key}
    return [without_seconds(part) for part in value] if isinstance(value, list) else value


def lines(folder):
    found = [json.loads(line) for line in (folder / "cells.jsonl").read_text(encoding="utf-8").splitlines()]
    return sorted(json.dumps(without_seconds(line), sort_keys=True) for line in found)


@pytest.mark.nightly
def test_two_jobs_find_what_one_finds_and_each_optimum_is_kept(tmp_path):
    for jobs in "12":
        assert main(["reproduce", NAME, *CHANGES, "--out", str(tmp_path / jobs), "--jobs", jobs, "--json"]) == 0
    one, two = (tmp_path / jobs / NAME for jobs in "12")
    assert lines(one) == lines(two) and len(lines(one)) > 1
    kept = [
        sorted((r["sha256"], r["lam"], r["gap"]) for r in json.loads((folder / FILE).read_text())["optima"])
        for folder in (one, two)
    ]
    assert kept[0] == kept[1] != []


def test_a_cell_that_fails_in_another_process_is_said(tmp_path, capsys):
    assert main(["reproduce", NAME, "--set", "data=no-such-data", "--out", str(tmp_path), "--jobs", "2"]) == 2
    assert "no-such-data" in capsys.readouterr().err
