"""The pages say of claims, files and methods what the registry says, and their programs print what they show."""

import importlib.util
import os
import re
import runpy

import pytest
from support import ROOT, blocks, printed, python, text_of

from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.reference import LOSSES, all_methods

DOCS = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md") if "generated" not in p.parts)
PAGES = ["README.md", "CONTRIBUTING.md", *DOCS]
CLAIM = re.compile(rf"`((?:{'|'.join(all_papers())})\.[a-z0-9.-]+)`")
FILE = re.compile(r"`((?:reference|fast|proofs_checks|tests|benchmarks|ports|docs)/[\w./-]+)`")
OURS = "certificate"  # its one claim is in the text of its page
VERDICTS = {
    page: [paper.key for paper in all_papers().values() if paper.page == page]
    for page in sorted({paper.page for key, paper in all_papers().items() if key != OURS})
}
VERDICT = "if __name__ == '__main__':\n    print(report['verdict'])"
PROGRAMS = {  # (page, first and last of its blocks): (packages, an added line, what is printed last)
    ("docs/clusters.md", 0, None): ("joblib distributed", VERDICT, "pass"),
    ("docs/cocoa.md", 0, None): ("distributed", "", r"converged \S+ \d+ \[1000, 1000\]"),
    ("docs/estimators.md", 0, None): ("sklearn", "print(model.dual_gap_ <= 1e-9)", "True"),
    ("docs/own_loss.md", 0, None): ("", "print('ran')", "ran"),
    ("docs/plugins.md", 0, 1): ("", "print(objective.P(objective.w(np.zeros(2))))", r"0\.5"),
}


COMPILED = ("docs/clusters.md", "docs/cocoa.md", "docs/estimators.md")  # by night alone the processes of a cluster


@pytest.mark.parametrize(
    ("place", "program"),
    [pytest.param(*row, marks=[pytest.mark.nightly] * (row[0][0] in COMPILED[:2])) for row in PROGRAMS.items()],
    ids=[place[0] for place in PROGRAMS],
)
def test_the_program_of_a_page_runs(place, program, tmp_path):
    """In a separate process, because what it registers stays. Compiling an own loss or method takes seconds."""
    (name, first, last), (needs, line, said) = place, program
    for package in needs.split():
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    code = blocks(text_of(name))[first:last]
    assert code
    (tmp_path / "program.py").write_text("\n".join([*code, line]), encoding="utf-8")
    ran = python("program.py", cwd=tmp_path, env={**os.environ, "NUMBA_DISABLE_JIT": str(int(name not in COMPILED))})
    assert ran.returncode == 0 and re.search(rf"(?:^|\n){said}\n$", ran.stdout), ran.stdout + ran.stderr


@pytest.mark.nightly
def test_the_page_on_plugins_compares_bits(tmp_path):
    """A step that divides by 1/scale is right except for the last bits, and ``check_bits`` of the page rejects it."""
    code, damping = blocks(text_of("docs/plugins.md"))[0], "run.norms2[i] / run.scale"
    assert damping in code
    (tmp_path / "program.py").write_text(code.replace(damping, "run.norms2[i] * (1 / run.scale)"), encoding="utf-8")
    ended = python("program.py", cwd=tmp_path)
    assert ended.returncode == 1 and "Failed: FALSE  compiled = reference" in ended.stderr, ended.stderr


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_that_a_page_names_exists(page):
    named = set(CLAIM.findall(text_of(page)))
    assert named <= set(all_claims()), sorted(named - set(all_claims()))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page):
    named = FILE.findall(text_of(page))
    assert [path for path in named if not (ROOT / path).exists() and not re.search("NAME|PAPER", path)] == []


@pytest.mark.parametrize("page", VERDICTS)
def test_every_verdict_in_the_tables_is_the_registered_one(page):
    for line in (line for line in text_of(page).splitlines() if CLAIM.search(line) and line.startswith("|")):
        verdict = line.split("|")[2].strip()
        for name in CLAIM.findall(line):
            assert all_claims()[name].expected == verdict, (name, verdict)


@pytest.mark.parametrize(("page", "papers"), VERDICTS.items())
def test_every_claim_of_a_paper_is_in_a_table_of_its_page(page, papers):
    rows = "\n".join(line for line in text_of(page).splitlines() if line.startswith("|"))
    expected = {name for name, claim in all_claims().items() if claim.paper in papers}
    assert expected and expected <= set(CLAIM.findall(rows)), sorted(expected - set(CLAIM.findall(rows)))


@pytest.mark.parametrize("page", sorted({paper.page for paper in all_papers().values()}))
def test_a_page_names_what_is_machine_checked_and_nothing_else(page):
    """The paragraph is written by hand, its names are the registry's."""
    expected = sorted(
        name for name, claim in all_claims().items() if claim.theorems and all_papers()[claim.paper].page == page
    )
    paragraphs = [part for part in text_of(page).split("\n\n") if part.startswith("**Machine-checked**")]
    assert [CLAIM.findall(part) for part in paragraphs] == ([expected] if expected else [])


def test_every_method_says_what_it_is_for_the_table_of_methods():
    assert "<!-- the methods, from the registry -->" in text_of("docs/reference/methods.md")
    assert [name for name, kind in all_methods().items() if not vars(kind).get("summary")] == []


def test_the_table_of_losses_has_every_loss_with_its_domain_and_no_other():
    domains = {(None, None): "", (0, 1): ", 0 ≤ b ≤ 1 |", (0, None): ", 0 ≤ b |", (-1, 1): ", \\|α\\| ≤ 1 |"}
    table = text_of("docs/ports.md").partition("| loss | φ(z) |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| ([a-z-]+) \|(.*)$", table, re.M))
    assert list(rows) == list(LOSSES)
    for name, cells in rows.items():
        assert domains[LOSSES[name].ends] in cells, name
        assert ("b" in cells) == LOSSES[name].margin, "b = -y alpha is for margin losses"


def test_the_python_examples_of_the_readme_print_what_it_shows(capsys):
    text = text_of("README.md")
    assert len(text.splitlines()) <= 80
    first, second = blocks(text)
    before = text.partition("```sh")[0]
    assert first in before and len(before.splitlines()) <= 45, "what it does stands first, on one screen"
    exec(first, {})
    assert f"```\n{capsys.readouterr().out}```" in text
    exec(second, {})
    assert f"# {capsys.readouterr().out.strip()}\n" in second


@pytest.mark.needs("matplotlib")
def test_the_errors_that_the_readme_names_are_those_of_the_picture():
    drawn = runpy.run_path(str(ROOT / "docs" / "gallery" / "divergence.py"))
    published, repaired = drawn["published"], drawn["repaired"]
    text = " ".join(text_of("README.md").split())
    for part in (
        f"{published[0]:.1f} {published[12]:.1f}",
        f"{repaired[0]:.1f} {repaired[12]:.1f}",
        f"After 80 steps the error of the published method is {published[80]:.1e}, ".replace("e+", "e"),
        f"and that of the repaired method is {repaired[80]:.2f}.",
    ):
        assert part in text


def test_the_readme_shows_the_end_of_a_replay_as_it_is(empty_folder, capsys):
    text = text_of("README.md")
    (name,) = re.findall(r"dualgap replay dualgap-report/counterexample-(.*?)\.json", text)
    printed(capsys, "audit", name, "--quick")
    shown = text.partition(f"counterexample-{name}.json | tail -2\n")[2].partition("```")[0]
    assert len(shown.splitlines()) == 2
    assert printed(capsys, "replay", f"dualgap-report/counterexample-{name}.json").endswith(shown)


@pytest.mark.parametrize("page", ["README.md", "docs/findings.md"])
def test_the_numbers_of_printed_statements_are_those_of_the_registry(page):
    verdicts = [claim.expected for claim in all_claims().values() if claim.kind == "printed"]
    false = verdicts.count("REFUTED")
    text = " ".join(text_of(page).split())
    for words in (
        f"{len(verdicts)} printed statements",
        f"{len(verdicts) - false} of them",
        f"The other {false} are false as printed",
    ):
        assert words in text


FALSE = re.compile(r"^\| `(\S+)` \| (?:[^|]*) \| ([a-z ]+) \| (?:[^|]*) \| (\S+) \| ([^|]*) \|$", re.M)


def wrong_rows(text: str) -> list[str]:
    """The false printed statements that the table of findings lacks or tells wrongly."""
    rows = {name: (kind, instead.strip("`–"), proof) for name, kind, instead, proof in FALSE.findall(text)}
    found = []
    for name, claim in all_claims().items():
        if claim.kind == "printed" and claim.expected == "REFUTED":
            kind, instead, proof = rows.pop(name, ("", "", ""))
            repaired = all_claims().get(claim.instead)
            coq = bool(repaired and repaired.theorems)
            written = bool(repaired and repaired.proof)
            if (kind, instead) != (claim.gravity, claim.instead) or proof.startswith("Coq") != coq:
                found.append(name)
            elif not coq and (proof == "claim") != written:
                found.append(name)
    return [*found, *rows]


def test_the_table_of_findings_has_each_false_statement_with_its_kind_and_its_repaired_form():
    assert wrong_rows(text_of("docs/findings.md")) == []


def test_the_page_on_plugins_names_everything_by_which_one_registers():
    from dualgap import fast, proofs_checks, reference

    text = text_of("docs/plugins.md")
    exported = {name for column in (reference, fast, proofs_checks) for name in column.__all__}
    registered = {name for name in exported if name.startswith("register_")} | {"claim", "Item", "Experiment"}
    assert len(registered) >= 14 and sorted(name for name in registered if name not in text) == []
    assert sorted(name for name in re.findall(r"`@?(register_\w+)", text) if name not in exported) == []


def test_the_page_on_trust_counts_restored_formulas_and_names_tests_that_exist():
    text = " ".join(text_of("docs/what_you_still_have_to_trust.md").split())
    for paper, name in (("spdc", "SPDC"), ("aspdc", "ASPDC")):
        printed = [claim for claim in all_claims().values() if claim.kind == "printed" and claim.paper == paper]
        restored = sum("restored" in claim.note for claim in printed)
        assert re.search(rf"{restored} of the {len(printed)}(?: printed statements)? of {name}\b", text), (
            name,
            restored,
        )
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", text)
    assert len(named) >= 4 and [test for test in named if f"def {test}(" not in code] == []
