"""The mail of a game in one zip: a page for all, one for each side, each also as text for forums, and the
last log with the umpire's remarks; if asked for, the whole reports."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...importers.game_folder.folder import GameFolder
from ...model.viewer import EVERYONE, Viewer
from ..auditing import scene_of
from ..lookers import Lookers, lookers_of
from ..registry import reports
from ..reports.report import ReportOptions
from ..vassal.annotation import annotated
from .audits import Audited, GameAudits
from .cutout import Cutout, Ground
from .letter import Desk, letter
from .letter_forum import MARKDOWN, Forum, as_forum_text, as_html
from .opening import log_path
from .status import sentences, standings, status_of, with_rulings

FOR_ALL = "all"


@dataclass(frozen=True)
class Mailing:
    """What a mail is made of: the game in a ``folder`` and its audits. ``full``: the whole reports are in it,
    too. ``overdrawn``: as of :class:`.letter.Desk`."""

    folder: GameFolder
    audits: GameAudits
    full: bool = False
    overdrawn: bool = False
    forum: Forum = MARKDOWN


def mail(mailing: Mailing) -> dict[str, bytes]:
    """The files of the mail by name. Each page holds what its readers may see, and no more."""
    folder, audits = mailing.folder, mailing.audits
    files: dict[str, bytes] = {}
    opened, _ = audits.whole()
    viewers = [(FOR_ALL, EVERYONE), *((side, Viewer(side)) for side in opened.game.sides)]
    stems = file_names([name for name, _ in viewers])
    views = {one: audits.shown_to(one, suspicions=mailing.full) for _, one in viewers}
    shared = lookers_of(opened), Ground(opened, audits.limits)
    for number, ((name, viewer), stem) in enumerate(zip(viewers, stems, strict=True)):
        audits.told("writing pages", number, len(viewers))
        to = "For everybody: what all may see" if viewer is EVERYONE else f"For {name} alone"
        for file, text in _pages(mailing, views[viewer], viewer, to, *shared):
            files[file.format(stem)] = text.encode("utf-8", "replace")
    if folder.line:
        last = folder.line[-1]
        audits.told("writing pages", len(viewers), len(viewers))
        seen, shown = views[EVERYONE]
        path, at = log_path(folder, last), len(folder.line)
        data = annotated(path, at, shown, seen, audits.limits, str(EVERYONE))
        files[f"annotated-{_file_name(last.name)}"] = data
    return files


def _pages(
    mailing: Mailing, view: Audited, viewer: Viewer, to: str, lookers: Lookers, ground: Ground
) -> Iterator[tuple[str, str]]:
    """The pages for one reader: the name of each, with {} where his stands, and its text."""
    folder, audits, (opened, shown) = mailing.folder, mailing.audits, view
    audited = audits.whole()[1]
    status = status_of(folder, opened.game, shown, audited, datetime.date.today(), viewer)
    until = sentences(standings(folder, opened.game, shown, viewer))
    scene = scene_of(opened, viewer, audits.limits, map_images=mailing.full)
    back = opened.backdrop
    faces = {} if back is None else back.faces(opened.game, viewer)
    cutouts = Cutout(scene, ground, faces)
    desk = Desk(folder, status, until, lookers, cutouts, mailing.overdrawn)
    page = letter(desk, shown, to, viewer.side)
    yield "{}.html", as_html(page)
    yield f"{{}}.{mailing.forum.suffix}", as_forum_text(page, mailing.forum)
    if mailing.full:
        whole = with_rulings(folder, opened, shown, audited, viewer)
        whole = replace(whole, problems=(*whole.problems, *scene.problems))
        report = reports().get("html")
        text = report.render(
            whole, ReportOptions(viewer=str(viewer), scene=scene, overdrawn=mailing.overdrawn)
        )
        yield "report-{}.html", report.with_blank(text) if report.with_blank else text


def file_names(names: list[str]) -> list[str]:
    """Names that are safe on every system, and no two the same there."""
    found: list[str] = []
    for name in names:
        stem, number = _file_name(name), 2
        while stem.casefold() in (other.casefold() for other in found):
            stem, number = f"{_file_name(name)}-{number}", number + 1
        found.append(stem)
    return found


def _file_name(name: str) -> str:
    """A name that is safe on every system."""
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.")
    return kept or "side"
