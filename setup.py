"""Finds the packages of the wheel; all else about it stands in pyproject.toml.

The root of the repository is the package ``vassal_umpire``, which no setting of setuptools can say.
"""

from setuptools import find_packages, setup

TOPS = ("model", "importers", "validators", "plugin")
"""The folders that are part of the program."""

setup(
    packages=[
        "vassal_umpire",
        *(
            f"vassal_umpire.{name}"
            for name in find_packages(include=[*TOPS, *(f"{top}.*" for top in TOPS)])
        ),
    ]
)
