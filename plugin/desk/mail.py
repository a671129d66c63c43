"""The mail of a game in one zip: a page for all, one for each side, each also as Markdown, and the last log
with the umpire's remarks."""

from __future__ import annotations

import datetime

from ...importers.game_folder.folder import GameFolder
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.viewer import EVERYONE, Viewer
from ..auditing import Opened, scene_of, seen_by
from ..integrity import with_integrity
from ..reading import Told, silent
from ..vassal.annotation import annotated
from .cutout import Cutout
from .letter import Desk, letter
from .letter_html import as_html
from .letter_markdown import as_markdown
from .looked import Lookers
from .opening import log_path
from .standings import sentences, standings
from .status import status_of

FOR_ALL = "all"


def mail(
    folder: GameFolder,
    opened: Opened,
    audited: Audit,
    limits: Limits,
    told: Told = silent,
) -> dict[str, bytes]:
    """The files of the mail by name. Each page holds what its readers may see, and no more."""
    files: dict[str, bytes] = {}
    viewers = [(FOR_ALL, EVERYONE), *((side, Viewer(side)) for side in opened.game.sides)]
    pack = opened.backdrop.pack if opened.backdrop is not None else None
    lookers = Lookers(opened.game.board, pack)
    for number, (name, viewer) in enumerate(viewers):
        told("writing pages", number, len(viewers))
        shown = seen_by(audited, viewer)
        status = status_of(folder, opened.game, audited, shown, datetime.date.today(), viewer)
        scene = scene_of(opened, viewer, limits, map_images=False)
        to = "For everybody: what all may see" if viewer is EVERYONE else f"For {name} alone"
        until = sentences(standings(folder, opened.game, shown, viewer))
        desk = Desk(folder, status, until, lookers, Cutout(scene))
        page = letter(desk, with_integrity(opened, shown, viewer), to, viewer.side)
        stem = _file_name(name)
        files[f"{stem}.html"] = as_html(page).encode("utf-8", "replace")
        files[f"{stem}.md"] = as_markdown(page).encode("utf-8", "replace")
    if folder.line:
        last = folder.line[-1]
        told("writing pages", len(viewers), len(viewers))
        data = annotated(
            log_path(folder, last),
            len(folder.line),
            seen_by(audited, EVERYONE),
            opened,
            limits,
            str(EVERYONE),
        )
        files[f"annotated-{_file_name(last.name)}"] = data
    return files


def _file_name(name: str) -> str:
    """A name that is safe on every system."""
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.")
    return kept or "side"
