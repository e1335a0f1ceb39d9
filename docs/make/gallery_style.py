"""What surrounds a program of the gallery: its pictures look like all others of the site, and what it registers is
removed after it, because pages list the registries.
"""

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
    """Save the pictures of a program as SVG."""
    return matplotlib_scraper(block, block_vars, gallery_conf, format="svg")
