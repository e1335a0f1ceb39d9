"""What surrounds a program of the gallery: its pictures look like all others of the site, and what it registers is
removed after it, because pages list the registries.
"""

import re

import matplotlib
from sphinx_gallery.scrapers import matplotlib_scraper

from dualgap.proofs_checks.claims.registry import CLAIMS, STRATEGIES
from dualgap.reference.methods.registry import METHODS
from dualgap.reference.problem.registry import FOREIGN

RCPARAMS = {
    "figure.figsize": (7.2, 3.2),
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.transparent": True,
}


def apply(gallery_conf, filename) -> None:
    """Set the style, and remove what a program has registered; called before and after each program."""
    matplotlib.rcParams.update(RCPARAMS)
    for registry in (METHODS, CLAIMS, STRATEGIES):
        for name in registry.foreign():
            del registry[name]
    FOREIGN.clear()


def svg(block, block_vars, gallery_conf):
    """Save the picture of a block as SVG, with the alternative text that a comment of the block gives."""
    picture = matplotlib_scraper(block, block_vars, gallery_conf, format="svg")
    words = re.search(r"# Alternative text: (.*(?:\n *# .*)*)", block[1])
    if picture and not words:
        raise ValueError(f"a picture without a line '# Alternative text: ...' in {block_vars['src_file']}")
    told = re.sub(r"\n *#", "", words[1]) if words else ""
    return re.sub(r":alt: .*", lambda _: f":alt: {told}", picture)
