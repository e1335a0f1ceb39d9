"""What the documentation says of a claim is what the registry says."""

import pathlib
import math
import re
import runpy
import subprocess
import sys

import pytest

from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.registry import all_claims

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *(p.relative_to(ROOT).as_posix() for p in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in p.parts),
]
CLAIM = re.compile(rf"`((?:{'|'.join(all_papers())})\.[a-z0-9.-]+)`")
FILE = re.compile(r"`((?:reference|fast|proofs_checks|tests|benchmarks|ports|docs)/[\w./-]+)`")
OURS = "certificate"  # its one claim is told in the text of its page
VERDICTS = {
    page: [paper.key for paper in all_papers().values() if paper.page == page]
    for page in sorted({paper.page for key, paper in all_papers().items() if key != OURS})
}


@pytest.mark.needs("joblib")
@pytest.mark.needs("distributed")
def test_the_python_example_of_the_page_on_clusters_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    names = {"__name__": "__main__"}
    exec(block, names)
    assert names["report"]["verdict"] == names["many"]["verdict"] == "pass" and names["many"]["pieces"] == {
        "finished": 2,
        "total": 2,
    }


@pytest.mark.needs("distributed")
def test_the_python_example_of_the_page_on_cocoa_runs():
    (block,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "cocoa.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    names = {"__name__": "__main__"}
    exec(block, names)
    assert names["result"].status == "converged" and [len(alpha) for alpha in names["result"].parts] == [1000, 1000]


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_that_a_page_names_exists(page):
    named = set(CLAIM.findall((ROOT / page).read_text(encoding="utf-8")))
    assert named <= set(all_claims()), sorted(named - set(all_claims()))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page):
    named = FILE.findall((ROOT / page).read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists() and not re.search("NAME|PAPER", path)] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_a_page_for_new_contributors_fits_on_two_screens(page):
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 110 and [line for line in lines if len(line) > 100] == []


def test_the_walks_of_the_page_on_the_architecture_begin_in_subpackages():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for heading, package in (("One claim", "proofs_checks"), ("One solve", "fast")):
        begun = re.findall(r"^\d\. `(\w+)`", text.partition(f"## {heading}\n")[2].partition("\n## ")[0], re.M)
        assert (
            len(begun) >= 4 and [name for name in begun if not (ROOT / package / name).is_dir() and name != "cli"] == []
        )


@pytest.mark.parametrize("page", VERDICTS)
def test_every_verdict_in_the_tables_is_the_registered_one(page):
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if CLAIM.search(line) and line.startswith("|")]
    assert len(rows) >= 15
    for line in rows:
        verdict = line.split("|")[2].strip()
        for name in CLAIM.findall(line):
            assert all_claims()[name].expected == verdict, (name, verdict)


@pytest.mark.parametrize(("page", "papers"), VERDICTS.items())
def test_every_refuted_and_every_open_claim_of_a_paper_is_on_its_page(page, papers):
    text = (ROOT / page).read_text(encoding="utf-8")
    ours = {"aspdc.n10", "aspdc.n11", "aspdc.f1.elastic-net"}  # misreadings that the papers do not make
    expected = {
        name for name, claim in all_claims().items() if claim.paper in papers and claim.expected != "HOLDS"
    } - ours
    assert expected <= set(CLAIM.findall(text)), sorted(expected - set(CLAIM.findall(text)))


def test_the_front_page_cites_every_document_as_the_registry_does_and_no_other():
    rows = [
        " ".join(line.split("|")[2].split())
        for line in (ROOT / "docs" / "index.md")
        .read_text(encoding="utf-8")
        .split("## The five documents")[1]
        .split("```")[0]
        .splitlines()
        if "*" in line
    ]
    documents = {key: paper.citation for key, paper in all_papers().items() if "*" in paper.citation}
    shown = [key for key, citation in documents.items() if any(citation in row for row in rows)]
    assert sorted(shown) == sorted(documents) and len(rows) >= 5
    assert " ".join(rows).count("*") == "".join(documents.values()).count("*"), "a title of the table that no paper has"


@pytest.mark.parametrize("page", sorted({paper.page for paper in all_papers().values()}))
def test_a_page_names_what_is_machine_checked_and_nothing_else(page):
    """The paragraph is written by hand, its names are the registry's."""
    expected = sorted(
        name for name, claim in all_claims().items() if claim.theorems and all_papers()[claim.paper].page == page
    )
    paragraphs = [
        part
        for part in (ROOT / page).read_text(encoding="utf-8").split("\n\n")
        if part.startswith("**Machine-checked**")
    ]
    assert [CLAIM.findall(part) for part in paragraphs] == ([expected] if expected else [])


def test_the_pages_on_spdc_and_pgs_have_something_that_is_machine_checked():
    checked = {claim.paper for claim in all_claims().values() if claim.theorems}
    assert {"aspdc", "pgs", "spdc", "sdca", "passcode", "adaspdc", "certificate"} <= checked


def test_every_claim_belongs_to_a_registered_paper():
    claims = all_claims().values()
    assert {claim.paper for claim in claims} | {claim.origin.paper or claim.paper for claim in claims} == set(
        all_papers()
    )


def test_the_table_of_methods_names_every_method_and_no_other():
    from dualgap.reference import all_methods

    text = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text.partition("## All methods")[2].partition("\n## ")[0], re.M)
    assert sorted(" ".join(rows).replace("`", "").replace(",", "").split()) == sorted(all_methods())
    assert f"[{len(all_methods())} methods]" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80


def test_the_python_examples_of_the_readme_print_what_it_shows(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert text.index("```python") < text.index("```sh") and len(text.partition("```sh")[0].splitlines()) <= 45, (
        "what it does stands first, on one screen"
    )
    exec(first, {})
    printed = capsys.readouterr().out
    assert f"```\n{printed}```" in text and f"```\n{printed.replace('46.9', '47.0')}```" not in text
    exec(second, {})
    assert f"# {capsys.readouterr().out.strip()}\n" in second


@pytest.mark.needs("matplotlib")
def test_the_errors_that_the_readme_names_are_those_of_the_picture():
    drawn = runpy.run_path(str(ROOT / "docs" / "gallery" / "divergence.py"))
    published, repaired = drawn["published"], drawn["repaired"]
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"{published[0]:.1f} {published[12]:.1f}" in text and f"{repaired[0]:.1f} {repaired[12]:.1f}" in text
    assert (
        f"After 80 steps the error of the published method is {published[80]:.1e}, "
        f"and that of the repaired method is {repaired[80]:.2f}.".replace("e+", "e")
        in text
    )
    shown = (ROOT / "docs" / "_static" / "divergence.svg").read_text(encoding="utf-8")
    lines = [re.findall(r"[-\d.]+ ([-\d.]+)", d) for d in re.findall(r'<path d="(M[^"]*)"', shown) if d.count("L") == 80]
    assert len(lines) == 2
    for heights, values in zip(lines, (published, repaired)):
        heights, logs = [float(height) for height in heights], [math.log(value) for value in values]
        scale = (heights[80] - heights[0]) / (logs[80] - logs[0])
        worst = max(abs(h - heights[0] - scale * (value - logs[0])) for h, value in zip(heights, logs))
        assert worst <= 4e-6 * abs(scale * (logs[80] - logs[0])) + 1e-5, "six decimals are kept of each height"


def test_the_readme_shows_the_end_of_a_replay_as_it_is(tmp_path, monkeypatch, capsys):
    from dualgap.proofs_checks.cli import main as cli

    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"dualgap replay dualgap-report/counterexample-(.*?)\.json", text)
    assert cli.main(["audit", name, "--quick"]) == 0
    capsys.readouterr()
    assert cli.main(["replay", f"dualgap-report/counterexample-{name}.json"]) == 0
    shown = text.partition(f"counterexample-{name}.json | tail -2\n")[2].partition("```")[0]
    assert len(shown.splitlines()) == 2 and capsys.readouterr().out.endswith(shown)


@pytest.mark.parametrize("page", ["README.md", "docs/findings.md"])
def test_the_numbers_of_printed_statements_are_those_of_the_registry(page):
    verdicts = [claim.expected for claim in all_claims().values() if claim.kind == "printed"]
    false = verdicts.count("REFUTED")
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert (
        f"{len(verdicts)} printed statements" in text
        and f"{len(verdicts) - false} of them" in text
        and f"The other {false} are false as printed" in text
    )


def test_the_python_examples_of_the_page_on_estimators_run():
    pytest.importorskip("sklearn", reason="scikit-learn is an extra")
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "estimators.md").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    names: dict = {}
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 4 and names["model"].dual_gap_ <= 1e-9


def test_the_package_of_the_page_on_plugins_is_audited():
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    block, _ = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    script = (
        f"{block}\nprint(report['verdict'], [(row['id'], row['status'], row['killed']) for row in report['claims']])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.strip() == "pass [('half-steps.monotone', 'HOLDS', ['half-steps.away'])]", run.stderr


def test_the_compiled_method_of_the_page_on_plugins_has_the_bits_of_the_reference(tmp_path):
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    _, block = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "compiled.py").write_text(f"{block}\nprint(objective.P(objective.w(np.zeros(2))))", encoding="utf-8")
    run = subprocess.run([sys.executable, "compiled.py"], capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.strip() == "0.5", run.stderr


def test_the_page_on_plugins_names_everything_by_which_one_registers():
    from dualgap import fast, proofs_checks, reference

    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    exported = {name for column in (reference, fast, proofs_checks) for name in column.__all__}
    registered = {name for name in exported if name.startswith("register_")} | {"claim", "Item", "Experiment"}
    assert len(registered) >= 14 and sorted(name for name in registered if name not in text) == []
    assert sorted(name for name in re.findall(r"`@?(register_\w+)", text) if name not in exported) == []


def test_the_page_on_trust_counts_lost_formulas_and_names_tests_that_exist():
    text = " ".join((ROOT / "docs" / "what_you_still_have_to_trust.md").read_text(encoding="utf-8").split())
    for paper, name in (("spdc", "SPDC"), ("aspdc", "ASPDC"), ("pgs", "PGS")):
        printed = [claim for claim in all_claims().values() if claim.kind == "printed" and claim.paper == paper]
        lost = sum("lost" in claim.note for claim in printed)
        assert re.search(rf"{lost} of the {len(printed)}(?: printed statements)? of {name}\b", text), (name, lost)
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", text)
    assert len(named) >= 4 and [test for test in named if f"def {test}(" not in code] == []
