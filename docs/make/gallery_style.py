"""The look of the gallery's pictures: that of all other pictures of the site."""

import matplotlib
from sphinx_gallery.scrapers import matplotlib_scraper

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
    """Set the style before each program."""
    matplotlib.rcParams.update(RCPARAMS)


def svg(block, block_vars, gallery_conf):
    """Save the pictures of a program as SVG."""
    return matplotlib_scraper(block, block_vars, gallery_conf, format="svg")
