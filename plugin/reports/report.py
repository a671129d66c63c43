"""A report format: a name, a file suffix, and a function from an audit to text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...model.finding import Audit, Verdict
from .map_scene import MapScene

FINDING_KINDS = ("illegal-move", "overstack", "missed-mp-cost", "unverifiable", "note")
VERDICTS: tuple[Verdict, ...] = ("legal", "illegal", "unverifiable")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How to render. ``viewer``: whose view the audit was limited to. ``width``: columns. ``colour``: use
    ANSI colours. ``verbose``: shorten nothing. ``scene``: what a report with pictures draws, made for the
    same viewer. ``overdrawn``: list open moves beyond an ordinary one."""

    viewer: str = "everyone"
    width: int = 80
    colour: bool = False
    verbose: bool = False
    scene: MapScene | None = None
    overdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A report format. ``render`` depends only on its arguments. ``pictured``: it draws the scene.
    ``with_blank``: adds a place for the file's seal to the text (see :mod:`..seal`); None: files of this kind
    are replaced only with ``--force``."""

    name: str
    suffix: str
    render: Callable[[Audit, ReportOptions], str]
    pictured: bool = False
    with_blank: Callable[[str], str] | None = None
