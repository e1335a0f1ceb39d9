"""The command ``predict``: what a saved model says of data."""

import argparse

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.pages import require_place
from dualgap.proofs_checks.report.screen import note, say
from dualgap.proofs_checks.report.terminal import FAILED, input_errors


def add_predict(commands: Commands) -> None:
    """dualgap predict MODEL [DATA] [--what labels|scores|probabilities] [--out FILE] [--liblinear FILE]."""
    text = "predict by a model of solve --save or of liblinear; without DATA, say what the model is"
    command = commands.add_parser("predict", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=predict)
    command.add_argument("model", metavar="MODEL", help="a file of solve --save, or liblinear's text")
    command.add_argument("data", metavar="DATA", nargs="?", help="a file of a format that solve reads")
    what = ("labels", "scores", "probabilities")
    words = "labels (default; scores of a regression), scores, or probabilities of +1 (logistic loss)"
    command.add_argument("--what", choices=what, help=words)
    command.add_argument("--zero-based", action="store_true", help="the indices of LIBSVM text count from 0")
    command.add_argument("--out", metavar="FILE", help="write there, a line for each row, not to standard output")
    command.add_argument("--liblinear", metavar="FILE", help="write the model there as liblinear's text")


def predict(given: argparse.Namespace) -> int:
    """Exit 0 when every row has its line."""
    from dualgap.fast.data.atomic_file import write_text
    from dualgap.fast.solver.model import load_model, write_liblinear

    for option in ("out", "liblinear"):
        if getattr(given, option) is not None:
            require_place(f"--{option}", getattr(given, option))
    with input_errors():
        model = load_model(given.model)
        if given.liblinear is not None:
            write_liblinear(given.liblinear, model)
        if given.data is None:
            say("{}", model)
            return 0
        what = given.what or ("scores" if model.labels is None else "labels")
        if what == "probabilities" and model.loss != "logistic" or what == "labels" and model.labels is None:
            raise ValueError(f"--what {what} does not go with the loss {model.loss}: take scores")
        scores = model.scores(model.rows(given.data, given.zero_based)[0])
    if what == "labels" and model.labels is not None:
        lines = [model.labels[int(score > 0)] for score in scores]
    else:
        from scipy.special import expit

        lines = [repr(float(score)) for score in (expit(scores) if what == "probabilities" else scores)]
    if given.out is None:
        for text in lines:
            say("{}", text)
        return 0
    note("{}", given.out)
    return 0 if write_text(given.out, "\n".join(lines) + "\n") else FAILED
