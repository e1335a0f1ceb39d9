"""Draw the picture of the README again: ``python docs/make/readme_picture.py``."""

import runpy
from pathlib import Path

import matplotlib
from gallery_style import RCPARAMS

DOCS = Path(__file__).parents[1]

if __name__ == "__main__":
    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {**RCPARAMS, "path.simplify": False, "savefig.transparent": False, "svg.hashsalt": "divergence"}
    )
    figure = runpy.run_path(str(DOCS / "gallery" / "divergence.py"))["figure"]
    figure.set_size_inches(7.2, 2.8)
    figure.savefig(DOCS / "_static" / "divergence.svg", metadata={"Date": None, "Creator": None})
