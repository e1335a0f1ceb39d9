"""The packages and their places; everything else is in pyproject.toml.

The folders ``reference``, ``fast``, ``proofs_checks`` and ``extras`` are installed as ``dualgap.reference`` and so on,
beside ``__main__.py`` and ``certify.py`` of ``src/dualgap`` and the pytest plugin ``src/_dualgap_pytestplugin.py``.
There is no ``dualgap/__init__.py``. The plugin is a module of its own, because pytest rewrites the assertions of every
top-level package of a distribution that has a plugin, in the tests of all projects. So ``dualgap`` has no attributes
but modules: ``dualgap.certify`` is one that can be called, and ``dualgap --version`` and
``importlib.metadata.version("dualgap")`` say the version. An editable install is a path to ``src``, whose links show
the four under these names: editors and type checkers follow a path, but not the import hook that setuptools would
install, and that serves where a checkout has no links.
"""

import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

COLUMNS = ("reference", "fast", "proofs_checks", "extras")


class BuildPy(build_py):
    """Without the modules that an earlier build of the same checkout has left in ``build``: a wheel would have them."""

    def run(self) -> None:
        shutil.rmtree(Path(self.build_lib, "dualgap"), ignore_errors=True)
        super().run()


class EditableWheel(editable_wheel):
    """An editable install by path, if the links are there."""

    def finalize_options(self) -> None:
        if all(Path("src", "dualgap", column, "__init__.py").exists() for column in COLUMNS):
            self.distribution.package_dir = {"": "src"}
            # by which setuptools sees that the path is enough
            self.distribution.packages = ["dualgap", *self.distribution.packages]
        super().finalize_options()


setup(
    py_modules=["_dualgap_pytestplugin", "dualgap.__main__", "dualgap.certify"],
    packages=[
        f"dualgap.{name}"
        for name in find_packages(include=[f"{column}{below}" for column in COLUMNS for below in ("", ".*")])
    ],
    package_dir={"": "src", **{f"dualgap.{column}": column for column in COLUMNS}},
    # not in src, a path of editable installs: pytest would find its list of files
    options={"egg_info": {"egg_base": "."}},
    cmdclass={"build_py": BuildPy, "editable_wheel": EditableWheel},
)
