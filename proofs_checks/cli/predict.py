"""The command ``predict``: what a saved model says of data; and ``solve --save``, which writes a model."""

import argparse

from dualgap.fast.data.atomic_file import warn_not_written, write_text
from dualgap.fast.solver.model import load_model, save_model, write_liblinear
from dualgap.fast.solver.result import Result
from dualgap.proofs_checks.cli.pages import require_different, require_place
from dualgap.proofs_checks.report.screen import note, say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors
from dualgap.reference import Problem


def predict(given: argparse.Namespace) -> int:
    """Exit 0 if a line was written for every row."""
    outputs = {"--out": given.out, "--liblinear": given.liblinear}
    require_different(outputs, given.model, given.data)
    for option, file in outputs.items():
        if file is not None:
            require_place(option, file)
    if given.data is None and (given.out or given.what or given.zero_based):
        raise Refused("--what, --out and --zero-based need DATA: give the file of the rows after the model")
    with input_errors():
        model = load_model(given.model)
        if given.liblinear is not None:
            write_liblinear(given.liblinear, model)
        if given.data is None:
            for text in (str(model), *model.coefficients()):
                say("{}", text)
            return 0
        what = given.what or ("scores" if model.labels is None else "labels")
        shares = what == "probabilities"
        if shares and model.loss not in ("logistic", "softmax") or what == "labels" and model.labels is None:
            raise ValueError(f"--what {what} cannot be used with the loss {model.loss}: use --what scores")
        scores = model.scores(model.rows(given.data, given.zero_based))
    if what == "labels" and model.labels is not None:
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        lines = [model.labels[place] for place in best.tolist()]
    else:
        from scipy.special import expit, softmax

        if shares:
            scores = softmax(scores, axis=1) if scores.ndim == 2 else expit(scores)
        lines = [" ".join(map(repr, row)) for row in scores.reshape(len(scores), -1).tolist()]
    if given.out is None:
        for text in lines:
            say("{}", text)
        return 0
    note("{}", given.out)
    return 0 if write_text(given.out, "\n".join(lines) + "\n") else FAILED


def require_model(given: argparse.Namespace, mapped: bool) -> None:
    """Refuse --save before the run if the model cannot be written, or if the data are mapped folders."""
    if given.save is None:
        return
    if mapped:
        raise Refused("--save needs the data file, not a mapped folder, whose preparation is kept in words alone")
    require_place("--save", given.save)


def keep_model(given: argparse.Namespace, dataset: object, problem: Problem, result: Result) -> bool:
    """Write the model of --save; False with a line that says why if that fails."""
    if given.save is not None:
        try:
            save_model(given.save, dataset, problem, result, given.bias, given.unit_rows, given.target)
        except OSError as error:
            warn_not_written(given.save, error)
            return False
        note("{}", given.save)
    return True
