"""Finds the packages of the wheel; all else about it stands in pyproject.toml.

The root of the repository is the package ``vassal_umpire``, which no setting of setuptools can say.
"""

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

TOPS = ("model", "importers", "validators", "plugin")
"""The folders that are part of the program."""


class BuildPy(build_py):
    """Leaves this file, which lies in the package's folder, out of the wheel."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """(package, module, file) of each module of a package."""
        found = super().find_package_modules(package, package_dir)
        return [one for one in found if one[:2] != ("vassal_umpire", "setup")]


setup(
    cmdclass={"build_py": BuildPy},
    packages=[
        "vassal_umpire",
        *(
            f"vassal_umpire.{name}"
            for name in find_packages(include=[*TOPS, *(f"{top}.*" for top in TOPS)])
        ),
    ],
)
