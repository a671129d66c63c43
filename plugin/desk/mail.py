"""The mail of a game in one zip: a page for all, one for each side, each also as text for forums, and the
last log with the umpire's remarks; if asked for, the whole reports."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...importers.game_folder.folder import GameFolder
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.viewer import EVERYONE, Viewer
from ...validators.judgement_cache import JudgementCache
from ...validators.suspects.trying import Memory
from ..art import faces_of
from ..auditing import Opened, scene_of, view_of
from ..lookers import Lookers, lookers_of
from ..reading import Told, silent
from ..registry import reports
from ..reports.report import ReportOptions
from ..shown import with_integrity, with_suspects
from ..vassal.annotation import annotated
from .cutout import Cutout, Ground
from .letter import Desk, letter
from .letter_forum import MARKDOWN, Forum, as_forum_text, as_html
from .on_record import sentences, standings, with_rulings
from .opening import log_path
from .status import status_of

FOR_ALL = "all"


@dataclass(frozen=True)
class Mailing:
    """What a mail is made of: the game, all of its audit, and what judged it (``kept``). ``full``: the whole
    reports are in it, too. ``overdrawn``: as of :class:`.letter.Desk`."""

    folder: GameFolder
    opened: Opened
    audited: Audit
    kept: JudgementCache
    limits: Limits
    full: bool = False
    overdrawn: bool = False
    forum: Forum = MARKDOWN


def mail(mailing: Mailing, told: Told = silent) -> dict[str, bytes]:
    """The files of the mail by name. Each page holds what its readers may see, and no more."""
    folder, opened = mailing.folder, mailing.opened
    files: dict[str, bytes] = {}
    viewers = [(FOR_ALL, EVERYONE), *((side, Viewer(side)) for side in opened.game.sides)]
    stems = file_names([name for name, _ in viewers])
    shared = lookers_of(opened), Ground(opened, mailing.limits), Memory()
    views = {viewer: _view(mailing, viewer) for _, viewer in viewers}
    for number, ((name, viewer), stem) in enumerate(zip(viewers, stems, strict=True)):
        told("writing pages", number, len(viewers))
        to = "For everybody: what all may see" if viewer is EVERYONE else f"For {name} alone"
        for file, text in _pages(mailing, views[viewer], viewer, to, *shared, told):
            files[file.format(stem)] = text.encode("utf-8", "replace")
    if folder.line:
        last = folder.line[-1]
        told("writing pages", len(viewers), len(viewers))
        data = annotated(
            log_path(folder, last),
            len(folder.line),
            views[EVERYONE].shown,
            views[EVERYONE].opened,
            mailing.limits,
            str(EVERYONE),
        )
        files[f"annotated-{_file_name(last.name)}"] = data
    return files


@dataclass(frozen=True)
class _View:
    """The game as one reader sees it, its audit, and what judged it (``kept``)."""

    opened: Opened
    shown: Audit
    kept: JudgementCache


def _view(mailing: Mailing, viewer: Viewer) -> _View:
    kept = JudgementCache(mailing.kept.uncached)
    opened, shown = view_of(mailing.opened, mailing.audited, viewer, kept)
    return _View(opened, shown, mailing.kept if opened.truth is None else kept)


def _pages(
    mailing: Mailing,
    view: _View,
    viewer: Viewer,
    to: str,
    lookers: Lookers,
    ground: Ground,
    memory: Memory,
    told: Told,
) -> Iterator[tuple[str, str]]:
    """The pages for one reader: the name of each, with {} where his stands, and its text."""
    folder, opened, limits = mailing.folder, view.opened, mailing.limits
    memory = memory if opened.truth is None else Memory()
    shown = with_suspects(opened, None, view.shown, view.kept, told, memory)
    shown = with_integrity(opened, shown, viewer)
    today = datetime.date.today()
    status = status_of(folder, opened.game, shown, mailing.audited, today, viewer)
    until = sentences(standings(folder, opened.game, shown, viewer))
    scene = scene_of(opened, viewer, limits, map_images=mailing.full)
    back = opened.backdrop
    faces = {} if back is None else dict(faces_of(opened.game, back.evidence.history, viewer))
    cutouts = Cutout(scene, ground, faces)
    desk = Desk(folder, status, until, lookers, cutouts, mailing.overdrawn)
    page = letter(desk, shown, to, viewer.side)
    yield "{}.html", as_html(page)
    yield f"{{}}.{mailing.forum.suffix}", as_forum_text(page, mailing.forum)
    if mailing.full:
        whole = with_rulings(folder, opened, shown, mailing.audited, viewer)
        whole = replace(whole, problems=(*whole.problems, *scene.problems))
        report = reports().get("html")
        text = report.render(whole, ReportOptions(viewer=str(viewer), scene=scene))
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
