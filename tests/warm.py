"""``dualgap words`` in a separate process that imports nothing: one process has imported everything and made one audit,
and forks for each command. What a command registers, loads and changes ends with its process.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support import python

PARENT = """
import atexit, contextlib, gc, io, json, os, sys, tempfile
from dualgap.proofs_checks.cli.main import main

said = io.StringIO()
with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
    main(["audit", "aspdc.a6", "--quick", "--out", folder])
gc.freeze()
for line in sys.stdin:
    words, cwd, path, *files = json.loads(line)
    if (child := os.fork()) == 0:
        for number, file in enumerate(files):
            os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
        os.chdir(cwd)
        sys.path[0], sys.argv[1:] = path, words
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@functools.cache
def parent() -> "subprocess.Popen[str]":
    """It ends with this process, whose end closes its standard input."""
    return subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def dualgap(*words: str, cwd: Path, path: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a command in the folder ``cwd``, which finds modules there, or in ``path``."""
    if not hasattr(os, "fork"):
        return python("-m", "dualgap", *words, cwd=cwd, path=path)
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        given = [words, str(cwd), str(path or cwd), os.devnull, str(out), str(err)]
        stdin, stdout = parent().stdin, parent().stdout
        assert stdin is not None and stdout is not None
        print(json.dumps(given), file=stdin, flush=True)
        status = int(stdout.readline())
        return subprocess.CompletedProcess(words, status, out.read_text("utf-8"), err.read_text("utf-8"))
