"""A look at a game before there is a pack to work on: a page that shows what was done."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...importers.pack.edit.toml import values_of, with_value
from ...importers.pack.facts_file import records_of
from ...importers.pack.files import PACK_FILE, pack_files
from ...importers.pack.new_board import no_hexes
from ...importers.vassal.buildfile import extensions_beside
from ...importers.vassal.limits import Limits
from ...model.problem import CannotAudit, UmpireError
from ...model.viewer import Viewer
from ..auditing import Evidence, Opened, open_evidence, scene_of
from ..discovery import NoPack
from ..options import check_side
from ..reading import Named
from ..registry import reports
from ..reports.report import ReportOptions
from ..shown import audit_shown
from ..unruled import nothing_judged, or_what_was_done, without_rules

VOUCHED = ("pack", "vouched_by")


@dataclass(frozen=True, slots=True)
class Page:
    """The report as a page, the ``title`` of the game, and the ``pack`` that it was judged by (None: no rules
    were applied). ``unused``: why an existing pack was not used; "": there is none. ``unjudged``: why no
    pack can be begun; "": one can."""

    title: str
    html: str
    pack: Path | None
    unused: str = ""
    unjudged: str = ""


class LookedAt:
    """Logs with their module, and the page about them. ``home``: the folder in which a pack would be begun.
    ``pack``, ``facts``: those named with them; the facts need not exist yet. ``keep_in``: the folder to copy
    the files to first, if they are in a temporary one; None: they stay where they are. ``note``: a line to
    show above the page. ``key``: the secret name under which the page is requested. Raises
    :class:`UmpireError` if nobody plays the side of ``viewer``."""

    def __init__(
        self,
        evidence: Evidence,
        home: Path,
        viewer: Viewer,
        limits: Limits,
        ruleset: str = "generic",
        pack: Path | None = None,
        facts: Path | None = None,
        keep_in: Path | None = None,
    ) -> None:
        check_player(viewer, evidence)
        self.evidence, self.home, self.ruleset = evidence, home, ruleset
        self.viewer, self.limits, self.keep_in = viewer, limits, keep_in
        self.key = secrets.token_urlsafe(32)
        self.facts = facts
        self.note = ""
        there = facts if facts is not None and facts.is_file() else None
        self._named = Named(evidence.logs, evidence.file, pack, there)
        self._page: Page | None = None
        self._lock = threading.Lock()

    @property
    def pack(self) -> Path | None:
        """The pack that the game was judged by; None if there is none."""
        return self.page().pack

    def page(self) -> Page:
        """The page; made at the first call."""
        with self._lock:
            if self._page is None:
                self._page = self._made()
            return self._page

    def _made(self) -> Page:
        evidence, viewer, unused = self.evidence, self.viewer, ""
        try:
            opened = open_evidence(evidence, self._named, viewer, self.limits)
            found, pack = audit_shown(opened, None, viewer), _place(opened)
        except CannotAudit as error:
            try:
                opened = without_rules(evidence, viewer)
            except CannotAudit as wrong:
                hint = "choose “Other game”, and give the log its own module"
                raise CannotAudit(wrong.what, where=wrong.where, hint=hint) from None
            found, pack = nothing_judged(opened, viewer), None
            if type(error) is not NoPack:
                unused = str(UmpireError(error.what, where=error.where, expected=error.expected))
        drawn, found = or_what_was_done(opened, found, viewer)
        scene = scene_of(drawn, viewer, self.limits)
        problems = (*found.problems, *scene.problems)
        found = replace(found, problems=problems, next_step="")  # the page has a button for it
        options = ReportOptions(viewer=str(viewer), scene=scene)
        title = opened.game.title or evidence.module.name
        html = reports().get("html").render(found, options)
        unjudged = "" if opened.game.board.hexes else no_hexes(evidence.module)
        return Page(title, html, pack, unused, unjudged)

    def pack_copied(self) -> dict[str, bytes]:
        """The files of the pack, for a copy that others may change; the copy names nobody who vouches for it
        as a whole."""
        assert self.pack is not None
        _, files, _ = pack_files(self.pack)
        head: Mapping[str, Any] = values_of(files[PACK_FILE], PACK_FILE)["pack"]
        if VOUCHED[1] in head:
            files[PACK_FILE] = with_value(files[PACK_FILE], VOUCHED, None, PACK_FILE)
        return files

    @contextmanager
    def kept(self) -> Iterator[tuple[Evidence, Path | None]]:
        """Module, logs and facts in their lasting place; copied there if necessary. Copies are removed if the
        block fails."""
        home = self.keep_in
        if home is None:
            yield self.evidence, self.facts
            return
        home.parent.mkdir(parents=True, exist_ok=True)
        try:
            home.mkdir()
        except FileExistsError:
            raise UmpireError(
                "is there by now",
                where=str(home),
                hint="choose “Other game”, and open it once more",
            ) from None
        try:
            yield self._copied(home), home / self.facts.name if self.facts is not None else None
        except BaseException:
            shutil.rmtree(home, ignore_errors=True)
            raise

    def _copied(self, home: Path) -> Evidence:
        """Module, logs and facts, copied to a folder."""
        where = {path: home / path.name for path in (self.evidence.file, *self.evidence.logs)}
        for path, place in where.items():
            shutil.copyfile(path, place)
        for extension in extensions_beside(self.evidence.file):
            beside = where[self.evidence.file].with_name(extension.parent.name)
            beside.mkdir(exist_ok=True)
            shutil.copyfile(extension, beside / extension.name)
        if self.facts is not None:
            for file in (self.facts, records_of(self.facts)):
                if file.is_file():
                    shutil.copyfile(file, home / file.name)
        logs = tuple(where[path] for path in self.evidence.logs)
        module = where[self.evidence.file]
        files = (*logs, module, *extensions_beside(module))
        return replace(self.evidence, logs=logs, file=module, files=files)


def check_player(viewer: Viewer, evidence: Evidence) -> None:
    """Raise :class:`UmpireError` if neither the players nor the module have the side of ``viewer``."""
    players = (p for log in evidence.history.logs for p in (*log.opening.players, *log.end.players))
    check_side(viewer, {p.side for p in players} | set(evidence.module.sides))


def _place(opened: Opened) -> Path | None:
    """Where the pack of a game lies."""
    files = opened.backdrop.pack.files if opened.backdrop is not None else ()
    return next((file.parent if file.name == PACK_FILE else file for file in files), None)
