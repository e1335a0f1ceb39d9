"""The commands with their options, as a table. What a command does stands in another module, imported when it runs.

A command is "name = module:function" of this package and what it does. Below it stands a line for each argument and
option, with two or more blanks before its help:

=============================== ======================================================================
``data+ DATA``                  an argument, once or more often (?: at most once; \\*: any number of times)
``--bias``                      a switch
``--lam X:number!``             an option with a number, which is required (:whole, :seconds; otherwise a text)
``--seed S:whole [0]``          its default
``--what {labels,scores}``      one of these words
``--option NAME=VALUE...``      it may be repeated
``--self > itself``             its name among the arguments
``either`` ... ``end``          options that exclude each other
``title: words`` ... ``end``    options under a heading
``<preparation>``               the lines of that name in ``SHARED``
=============================== ======================================================================
"""

import argparse
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from dualgap.proofs_checks.cli.commands import Commands, Parser, further
from dualgap.proofs_checks.cli.numbers import number, seconds, whole

Row = tuple[str, str]  # what a line says of the option, and its help
KINDS: dict[str | None, Callable[[str], object]] = {"number": number, "whole": whole, "seconds": seconds, None: str}
ROW = re.compile(
    r"(?P<name>-*[\w-]+)(?P<nargs>[+?*])?"
    r"( (?P<symbol>[^\s:!]+?)(:(?P<kind>\w+))?(?P<required>!)?(?P<repeated>\.\.\.)?)?"
    r"( \[(?P<default>.*)\])?( > (?P<dest>\w+))?"
)

SHARED = {
    "json": "--json  one JSON object on standard output, nothing else",
    "report": "--report FILE  also write a page with figures (HTML, one file)",
    "gamma": "--gamma G:number  smoothing parameter of the losses squared and smoothed-hinge, > 0 (default 1)",
    "l1": "--l1 Y:number [0]  weight of ||w||_1, >= 0 (default 0)",
    "mode": "--mode MODE [paper]  hypothesis that is enforced: paper (default), sharp or unchecked",
    "problem": """
--loss L!  loss: squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute
<gamma>
--lam X:number!  weight of ||w||^2/2, > 0
<l1>
""",
    "drawn": """
--entropy E:whole  repeat the drawn problems of the run that printed entropy E (default: draw new problems)
""",
    "option": """
--option NAME=VALUE...  set a parameter of the method, such as step=1/20 for sag; may be repeated. An unknown NAME
    lists the parameters
""",
    "intercept": """
--intercept {free,penalised,none} [none]  intercept: free has no penalty, penalised is a constant column as with --bias,
    none (default) has no intercept
""",
    "preparation": """
title: preparation of the data, in this order
--zero-based  count the indices of the LIBSVM file from 0 (default: from 1)
--target NAME  labels: a column of a CSV, TSV, Parquet or Arrow file, or for .npy and .npz the .npy file that holds them
--one-hot NAME[,NAME]  replace each of these text columns by one 0/1 column for each different word in it
--positive LABELS  map these labels, such as 1 or 53..105 or words, to +1 and all others to -1
--standardize  shift and scale each column to mean 0 and standard deviation 1 (dense data only)
--bias  add a first column that is constant 1
--unit-rows  scale each row to norm 1; zero rows stay zero
end
""",
    "method": """
title: options of single methods
--batch M:whole  number of rows in a mini-batch (default 1){users}
--sampling S  how a mini-batch is drawn: subset (default), systematic, ...{users}
--mix A:number  weight of the row norms in the sampling, in (0, 1) (default: the one with the best bound){users}
--output O  which iterate is returned: average (default), random or last{users}
--delta D:number  weight of a quadratic added to phi*, >= 0, for losses that are not smooth (default 0){users}
<option>
end
""",
    "package": """
name NAME  name of the package and of what it registers: lowercase letters, digits and hyphens
--out DIR  write to the folder DIR (default: ./NAME)
""",
}

COMMANDS = """
solve = solve:solve  minimise a regularized empirical risk, down to a certified duality gap
data+ DATA  LIBSVM file, data set or generator; see dualgap new data. For cocoa also several mapped folders, the
    partitions of one matrix
--method M [auto]  method: auto (default) chooses one and prints the reason; the others are {methods}
<problem>
--p P:number  use the penalty lam ||w||_p^2/(2 (p-1)) with P in (1, 2] instead of L2 and l1; for pgs
--ball B:number  restrict w to the ball ||w||_p <= B, B > 0; for pgs
--tol E:number  stop when the gap is at most E (default 1e-6, or 0 with --rtol)
--rtol E:number  stop when the gap is at most E |primal|; with --tol, the first one met counts
--seed S:whole [0]  seed of the random choices, >= 0 (default 0)
--max-epochs N:whole  stop after N passes over the data (default 1000)
--max-seconds T:number  stop after T seconds (default: no limit)
--backend B [fast]  fast (default), or reference, which is slow and gives bit-identical results
<mode>
--threads T:whole [1]  number of threads, at most the number of cores (default 1); more than one is only for passcode-*
--order ORDER  order of the rows: uniform (default; the theorems need it), permuted, or blocks for data larger than
    memory
--dask ADDRESS  run the partitions on the workers of this Dask scheduler (docs/cocoa.md)
--checkpoint FILE  save the run to FILE at every certificate and when it is interrupted
--non-negative  require all coefficients except a free intercept to be >= 0; for sdca, sdca-shrinking, afg and auto
--multinomial  fit one model of three or more classes, which are the labels, by Newton's method; for --loss logistic
<intercept>
<method>
<preparation>
--choices FILE  write all random choices to FILE, or read them from it if it exists (docs/ports.md)
--resume  continue from the checkpoint if the file exists
--save MODEL  save the model to FILE for dualgap predict
--certificate FILE  write a certificate to FILE (docs/certificate_file.md)
--certificate-data FILE  with --certificate: write the prepared rows to FILE as LIBSVM text
<report>
<json>

predict = predict:predict  predict by a model of solve --save or of liblinear; without DATA, print the model and its
    coefficients by name
model MODEL  a model saved with solve --save, or a liblinear model
data? DATA  the rows to predict, in a format that solve reads
--what {labels,scores,probabilities}  print labels (default; for a regression, scores), scores, or probabilities of +1
    or of each class (logistic loss)
--zero-based  count the indices of LIBSVM text from 0 (default: from 1)
--out FILE  write one line per row to FILE instead of standard output
--liblinear FILE  write the model to FILE in liblinear's format

audit = audit:audit  check claims, their controls and their mutants; write report.json and report.html
names* PAPER|CLAIM  papers or claims to check (default: all)
either
--quick  check the same claims on fewer instances
--full  check more instances, and the Coq proofs
end
--out DIR [dualgap-report]  folder for the report (default: ./dualgap-report)
--entropy E:whole  repeat the random draws of an earlier audit
--jobs N:whole [0]  number of claims at a time, each in a process (default 0: one for each usable core); more than one
    needs joblib
--dask ADDRESS  run the claims on the Dask cluster of this scheduler and ignore --jobs (docs/clusters.md)
<json>
--exact {fraction,mpq}  rational type for exact checks; it does not change the report (default: mpq if gmpy2 is
    installed)
--claim-seconds S:number [1800]  limit for each claim in seconds, above 0; a claim that takes longer is an ERROR
    (default 1800; not with --dask)
--hunt SECONDS:seconds  search each claim this long for a counterexample after its draws, such as 30s (default: a number
    of steps)
--self > itself  plant bugs in the checkers, the judge and the samplers, and list what catches each (names: their ids)

certify = certificate:certify  bound P(w) - min P for the w of any solver, with every rounding error included: W DATA.
    Or compute the duality gap of a pair (w, alpha) in exact arithmetic: W ALPHA DATA
w W  the file of w, shape (d,): .npy; .hex with 16 hexadecimal digits for each double; or text, one number per line
alpha? ALPHA  the file of alpha, shape (n,), in the sign convention alpha = +phi'(x^T w), in one of the same formats
    (default: dual points are made from w)
data DATA  a file, a mapped folder, a data set or a generator (listed by dualgap new data)
--loss L!  loss: squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute
<gamma>
--lam X:number!  weight of ||w||^2/2, > 0; or 0 for a bound where l1 > 0, as in scikit-learn's Lasso
<l1>
--exact  compute the gap in exact arithmetic; so does a call with ALPHA
--tol E:number  exit with status 1 if the gap is larger than E, >= 0
--seconds S:number  without ALPHA: improve the dual point for at most S seconds (default 1)
--intercept B:number  for a bound: the intercept that belongs to w and has no penalty (default: none)
--sample-weight FILE  for a bound: the file of the weights of the rows, shape (n,), in the formats of w (default: all 1)
<preparation>
--out FILE > certificate  with ALPHA or --exact: write a certificate to FILE (docs/certificate_file.md)
--out-data FILE > certificate_data  with --out: write the prepared rows to FILE as LIBSVM text
<json>

check = check:check  check a solver: print each wrong property, the solver's sign convention of alpha, and a command
    that repeats each failure (docs/own_solver.md, docs/ports.md)
solver+ SOLVER  package.module:name or file.py:name; or, after --, a program that answers requests of "solve"
--loss L...  check only this loss; may be repeated (default: the solver's own list, or all losses)
--only CHECK...  run only this check, named with or without [loss]; may be repeated
--no-l1  skip problems with an l1 term
--tol T:number [1e-6]  request a duality gap of at most T (default 1e-6)
--timeout S:number [60]  allow S seconds for one answer (default 60). A program is stopped. A Python callable is
    interrupted when it next runs Python code; on Windows it is not interrupted
<drawn>
<json>

claims = audit:claims  list the claims with their expected statuses; or, with --coverage, what each paper states
names* PAPER|CLAIM  papers or claims to list (default: all)
<json>
--coverage  list every item that the papers state, as a Markdown page, with its claims, code and experiments, or why
    there are none

replay = audit:replay  evaluate a counterexample file again, in exact arithmetic, line by line
file FILE  a counterexample-*.json of an audit, or a property-*.json of a property test
--coq PATH  of a counterexample, also write a file in which Coq computes the refutation without dualgap
--lean PATH  the same for Lean 4 with Mathlib; dualgap does not run it

reproduce = reproduce:reproduce  run a paper's experiment again: figures, tables, and a verdict on each published claim
name? NAME  the experiment (default: list the experiments)
--set OPTION=VALUE... > changes  change an option of the experiment
--out DIR [dualgap-reproduce]  folder for the results (default dualgap-reproduce); a run resumes from there
<json>

sweep = sweep:sweep  run methods over lam, seeds and data sets, each lam warm-started from the next larger one
data+ DATA  files, data sets or generators (listed by dualgap new data)
--method M[,M] [auto]  methods of dualgap solve (default auto)
--loss L!  loss, as in dualgap solve
--lam X[,X]!  weights of ||w||^2/2, > 0
<gamma>
<l1>
--seeds S[,S] [0]  seeds >= 0, or a range such as 0..4 (default 0)
--tol E:number  stop each run when the gap is at most E (default 1e-6, or 0 with --rtol)
--rtol E:number  stop each run when the gap is at most E |primal|; with --tol, the first one met counts
--max-epochs N:whole [1000]  stop each run after N passes (default 1000)
--max-seconds T:number  stop each run after T seconds (default: no limit)
--order ORDER  order of the rows: uniform (default), permuted or blocks
<mode>
--cv K:whole  score each lam by cross-validation with K >= 2 folds, drawn by the seed; each fold has rows of both labels
--jobs J:whole [1]  number of runs at a time (default 1); more than one needs joblib
--out DIR  write finished runs and sweep.json to the folder DIR; the same command resumes from it
<option>
<intercept>
--non-negative  require all coefficients except a free intercept to be >= 0, as in dualgap solve
--cold  start every run at alpha = 0
<preparation>
<json>

conform = conform:conform  test a port through a pipe with all test vectors, then with newly drawn problems
    (docs/ports.md)
program+ COMMAND  the command that starts the port, after --
--seconds T:number [5]  test drawn problems for T seconds (default 5; 0: none)
--timeout S:number [10]  allow S seconds for one answer (default 10)
--max-seconds S:number [600]  stop the whole run after S seconds and print its results so far (default 600)
<drawn>
--all  print every failure (default: only the first of each method)
--only NAMES...  test only these methods, levels or cases, separated by commas
--require METHODS...  fail the run if one of these methods, separated by commas, skips or fails a case
<json>

vectors = vectors:vectors  count, check, regenerate, export or explain the test vectors, or judge a port's answers
    (docs/ports.md)
either
--check  check the files against the manifest, and check that regenerating gives the same bytes
--regenerate  regenerate all files and the manifest
--emit FILE  write all requests to FILE, one line of JSON each, for a port that is not driven through a pipe
--judge FILE  judge the answers in FILE to the requests of --emit, one per line, in any order
--path  print the folder of the vectors, schemas and manifest; its parent has their changelog and licence
--explain ID  explain the case ID in words
end
--out DIR  with --regenerate: write to the folder DIR instead of the package's own
<json>

new =  write a package of your own (paper, method or loss), a port in another language, or data in a mapped folder

new paper = new:new  write a package with a paper that passes its tests and its audit (docs/plugins.md)
<package>

new method = new:new  write a package with a method that passes its tests and its audit (docs/plugins.md)
<package>

new loss = new:new  write a package with a loss that passes its tests and its audit (docs/plugins.md)
<package>

new port = new:port  write a port that is ready for continuous integration (docs/ports.md)
name LANGUAGE  language of the port: c, cpp, go, java, javascript, julia, r, rust or typescript
--out DIR  write to the folder DIR (default: ./NAME)
--name NAME [my-port] > port  name of the port (default my-port)

new data = data:data  list the data sets and generators, describe data, or write them to a folder that solve reads from
    disk
data? NAME  data set, generator, file or mapped folder (default: list all data sets and generators)
<preparation>
--map DIR  write the prepared data to the folder DIR, which solve reads from disk
--parts K:whole  with --map: split the rows over the folders DIR/part-0, DIR/part-1, ... for cocoa
--seed S:whole [0]  with --parts: seed of the shuffling of the rows, >= 0 (default 0)
<json>

cache = cache:cache  show what dualgap keeps in your cache folder, or delete it; pip uninstall leaves it there
--clear  delete these files; kernels are recompiled when they are needed
<json>
"""

IMPORT = (
    "--import MODULE|FILE.py... > imports",
    "load your own methods, losses or papers from this module or file (docs/plugins.md); may be repeated",
)


def rows(table: str) -> Iterator[Row]:
    """The rows of a table, with those of ``SHARED`` in their places."""
    for line in re.sub(r"\n {4}", " ", table).splitlines():
        if line.startswith("<"):
            yield from rows(SHARED[line.strip("<>")])
        elif line:
            words, _, text = line.partition("  ")
            yield words, text


def add_option(parser: argparse._ActionsContainer, row: Row) -> None:
    """Give a parser, or a group of options, the option of a row."""
    words, text = row
    found = ROW.fullmatch(words)
    assert found is not None, words
    name, symbol, default = found["name"], found["symbol"], found["default"]
    given: dict[str, Any] = {key: found[key] for key in ("nargs", "dest") if found[key]} | {"help": text}
    if found["required"]:
        given["required"] = True
    if symbol is None:
        given["action"] = "store_true"
    elif symbol.startswith("{"):
        given |= {"choices": symbol.strip("{}").split(","), "default": default}
    elif found["repeated"]:
        given |= {"metavar": symbol, "action": "append", "default": []}
    else:
        read = KINDS[found["kind"]]
        given |= {"metavar": symbol, "type": read, "default": None if default is None else read(default)}
    parser.add_argument(name, **given)


def add_options(parser: argparse.ArgumentParser, table: str) -> None:
    """Give a parser the options of a table."""
    place: argparse._ActionsContainer = parser
    for words, text in rows(table):
        if words == "either":
            place = parser.add_mutually_exclusive_group()
        elif words.startswith("title: "):
            place = parser.add_argument_group(words.removeprefix("title: "))
        elif words == "end":
            place = parser
        else:
            option = words.split()[0].removeprefix("--")
            users = f"; for {methods_with(option)}" if "{users}" in text else ""
            add_option(place, (words, text.replace("{users}", users)))


def add_commands(commands: Commands, only: str | None = None) -> None:
    """Make the parsers of all commands, those of extras before the ones that they name; or only that of one, so that
    nothing is imported for the others.
    """
    parents, tables = {"": commands}, COMMANDS.strip().split("\n\n")
    alone = [table for table in tables if table.split()[0] == only]
    for table in alone or tables:
        if "{methods}" in table:
            table = table.replace("{methods}", methods_with(None))
        head, _, options = re.sub(r"\n {4}", " ", table).partition("\n")
        (names, place), text = head.partition("  ")[0].split(" ="), head.partition("  ")[2]
        parent, _, name = names.rpartition(" ")
        for own in () if alone else further():
            if own.BEFORE == names:
                own.add(commands)
        parser: Parser = parents[parent].add_parser(name, help=text, description=text, allow_abbrev=False)
        add_options(parser, options)
        if place:
            parser.set_defaults(run=later(place.strip()))
        else:
            parents[name] = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for one in commands.choices.values():
        for last in one.subcommands().values() or [one]:
            add_option(last, IMPORT)


def later(place: str) -> Callable[[argparse.Namespace], int]:
    """The function "module:function" of this package, imported when it is called."""
    module, _, name = place.partition(":")
    return lambda given: int(getattr(import_module(f"dualgap.proofs_checks.cli.{module}"), name)(given))


def methods_with(option: str | None) -> str:
    """The methods that have this option, or all methods, with commas."""
    from dualgap.reference import all_methods

    return ", ".join(
        name for name, cls in sorted(all_methods().items()) if option is None or option in cls.command_line
    )
