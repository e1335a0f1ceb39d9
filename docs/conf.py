"""The site: ``sphinx-build -W docs site``. It opens from disk, loads nothing from elsewhere, and its formulas are
MathML.
"""

import os
import pathlib
import sys

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

sys.path.insert(0, str(pathlib.Path(__file__).parent / "make"))

import docstrings  # noqa: E402
import gallery_style  # noqa: E402
import pages  # noqa: E402

# of the commands of the pages
os.environ["PATH"] = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])

project = "dualgap"
author = "the dualgap authors"
copyright = "the dualgap authors, BSD-3-Clause"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinxcontrib.programoutput",
    "matplotlib.sphinxext.plot_directive",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["make", "gallery", "results", "measured"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"]
myst_heading_anchors = 4
myst_substitutions = pages.counts()
html_math_renderer = "mathml"

html_theme = "furo"
html_title = "dualgap"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_extra_path = ["generated/extra"]  # the JSON beside the pages of errata
(pathlib.Path(__file__).parent / html_extra_path[0]).mkdir(parents=True, exist_ok=True)
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif",
        "font-stack--monospace": "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
        "color-brand-primary": "#1f4e79",
        "color-brand-content": "#1f5f9e",
    },
    "dark_css_variables": {"color-brand-primary": "#8fc1f0", "color-brand-content": "#8fc1f0"},
    "navigation_with_keys": True,
}
copybutton_exclude = ".linenos, .gp, .go"

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"
# a name in the text of a docstring may mean one of several: no link is wrong, only ambiguous
suppress_warnings = ["ref.python"]

plot_html_show_source_link = plot_html_show_formats = False
plot_include_source = True
plot_formats = ["svg"]
plot_rcparams = gallery_style.RCPARAMS
plot_apply_rcparams = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "generated/gallery",
    "filename_pattern": r"\.py$",
    "image_scrapers": ["gallery_style.svg"],
    "reset_modules": ["gallery_style.apply"],
    "reset_modules_order": "both",
    "capture_repr": (),
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,  # times belong to benchmarks
    "write_computation_times": False,
    "download_all_examples": False,
    "only_warn_on_example_error": False,
    "abort_on_example_error": True,
}


def formula(self, node) -> None:
    """A formula in a line of text."""
    self.body.append(convert(node.astext()))
    raise SkipNode


def displayed_formula(self, node) -> None:
    """A formula on a separate line."""
    self.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app) -> None:
    """Formulas, and the pages that are made from the registry and from the results of the experiments."""
    app.add_html_math_renderer("mathml", (formula, None), (displayed_formula, None))
    app.connect("autodoc-process-docstring", docstrings.as_numpy_has_them, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", docstrings.plain, priority=600)  # after it
    app.connect("builder-inited", pages.write)
    app.connect("source-read", pages.extend)
