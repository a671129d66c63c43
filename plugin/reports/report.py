"""What a report is: a name, a file suffix, and a function from an audit to text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...model.finding import Audit
from .map_scene import MapScene

FINDING_KINDS = ("illegal-move", "overstack", "missed-mp-cost", "unverifiable", "note")
VERDICTS = ("legal", "illegal", "unverifiable")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How to render. ``viewer`` says whose knowledge the audit was limited to. ``width``: columns.

    ``colour``: ANSI colours are wanted. ``verbose``: nothing is shortened. ``scene``: what a report
    that is pictured draws, as the same eyes see it. ``overdrawn``: open moves beyond an ordinary one are
    listed.
    """

    viewer: str = "everyone"
    width: int = 80
    colour: bool = False
    verbose: bool = False
    scene: MapScene | None = None
    overdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A way of writing an audit down; ``render`` depends on nothing but its arguments. ``pictured``: it
    draws the scene. ``with_blank`` puts a place for the seal of a file into the text (see
    :mod:`..seal`); where it is None, a file of this kind is replaced only with ``--force``."""

    name: str
    suffix: str
    render: Callable[[Audit, ReportOptions], str]
    pictured: bool = False
    with_blank: Callable[[str], str] | None = None
