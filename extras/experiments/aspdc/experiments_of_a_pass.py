"""ASPDC's Tables 4 and 6: seconds for a pass; smoothed hinge, rows of norm 1."""

from functools import partial

from dualgap.extras.experiments.aspdc.experiments_figures import ASPDC_I, absent, setting
from dualgap.extras.experiments.aspdc.experiments_tables import METHODS_3, METHODS_5, WITH_READING, cells
from dualgap.extras.experiments.reading import grouped, told
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.experiments import runs, seed


def run_timed(cell: ex.Cell, options: ex.Options) -> dict[str, object]:
    problem = setting(cell["data"], cell["lam"], options).problem()
    return runs.timed(problem, cell["method"], options["passes"], seed("aspdc-tables", cell["repetition"]))


def summary_timed(paper: str, method: str, note: str, results: ex.Results, options: ex.Options) -> ex.Summary:
    """Milliseconds for a pass; the paper says that one of ``method`` takes less time than one of SPDC."""
    values = grouped(
        ((cell["data"], cell["lam"]), cell["method"], 1e3 * result["seconds"] / result["passes"])
        for cell, result in results
    )
    found = {place: {m: runs.quartiles(line) for m, line in lines.items()} for place, lines in values.items()}
    ratios = {place: line["spdc"].middle / line[method].middle for place, line in found.items()}
    saying = ex.Finding(
        f"{paper}: a pass takes less time than one of SPDC (by the published numbers, without reading, a half to a"
        " seventh)",
        f"seconds for a pass of spdc over those of {method}: {told(ratios)}",
        runs.verdict([ratio > 1 for ratio in ratios.values()]),
    )
    rows = [
        [runs.short(data), f"{lam:g}", *("{1:.2f} [{0:.2f}, {2:.2f}]".format(*one) for one in line.values())]
        for (data, lam), line in found.items()
    ]
    caption = (
        f"Milliseconds for a pass, median [quartiles] of {options['repetitions']} runs of {options['passes']} passes"
    )
    table = ex.Table(caption, ["data", "lam", *next(iter(found.values()))], rows)
    notes = [
        f"{note} Both compiled, on one thread, O(non-zeros of the row) a step; reading and compilation are not timed,"
        " no gap is computed meanwhile."
    ]
    return ex.Summary([saying, WITH_READING, *absent(options, "Tables 4 and 6: the rows")], [table], (), notes)


COMPLEXITY = "has a low complexity per iteration"
NOTE_4 = "The caption of Table 4 gives lam = 0.01."
NOTE_6 = (
    "The caption of Table 6 gives lam = 1e-6. The companion script of Table 6 runs 40 epochs of SPDC and divides by 20."
    " The row of ASDCA on covtype, 0.208 s, is for a lam at which the paper itself calls ASDCA inapplicable and the"
    " companion code makes no step. Gap tests that ASDCA needs count as passes."
)
A_PASS: ex.Options = {
    "data": ["a9a-like", "rcv1-like"],
    "positive": "",
    "lams": [1e-2],
    "passes": 20,
    "repetitions": 10,
}
EXPERIMENTS = {
    "aspdc-table4": ex.Experiment(
        "ASPDC, Table 4: seconds for a pass of ASPDC, SDCA and SPDC",
        A_PASS,
        partial(cells, METHODS_3),
        run_timed,
        partial(summary_timed, f"Abstract, Table 4: ASPDC {COMPLEXITY}", "aspdc", NOTE_4),
    ),
    "aspdc-table6": ex.Experiment(
        "ASPDC, Table 6: seconds for a pass of ASPDC-i, ASDCA, SDCA, SPDC and SVRG",
        {**A_PASS, "lams": [1e-6], "passes": 40},
        partial(cells, METHODS_5[:5]),
        run_timed,
        partial(summary_timed, f"Abstract, Table 6: ASPDC-i {COMPLEXITY}", ASPDC_I, NOTE_6),
    ),
}
