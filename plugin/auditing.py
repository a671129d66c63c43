"""Open the files that a user names (logs with module and pack, or an analysis document) and audit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..importers.pack.bind import Bound, bound, check_fit
from ..importers.pack.board import Places
from ..importers.pack.facts import FACTS_FILE, NO_FACTS, Facts
from ..importers.pack.facts_file import load_facts
from ..importers.pack.load import PACK_FILE, amended
from ..importers.pack.pack import Pack
from ..importers.pack.seen_history import seen_history
from ..importers.vassal.buildfile import extensions_beside, open_module
from ..importers.vassal.collector import collector_paused
from ..importers.vassal.hiding_traits import can_hide
from ..importers.vassal.layout import MapLayout
from ..importers.vassal.limits import Limits
from ..importers.vassal.module import Module
from ..importers.vassal.savefile import read_save
from ..model.finding import Audit
from ..model.game import Game
from ..model.problem import CannotAudit, Problem
from ..model.table import TableHistory
from ..model.viewer import EVERYONE, Viewer
from ..validators.audit import audit
from ..validators.judge import judge_move
from ..validators.phase import Judge
from ..validators.prepared_game import check_facts
from ..validators.rereading import Focus, focused
from ..validators.ruleset import Ruleset
from ..validators.unseen import Audited, held_by_truth, seen_game
from .art import art_of, faces_of
from .known_packs import stated_in
from .lookers import with_lookers
from .narrative import log_problems
from .reading import (
    Named,
    Told,
    default_layouts,
    is_document,
    layouts_for,
    module_path,
    named_for,
    pack_for,
    read_analysis,
    read_history,
    silent,
)
from .registry import rulesets
from .reports.map_scene import MapScene
from .reports.staging import NO_ART, stage
from .ruleset_needs import check_names, words_for


@dataclass(frozen=True)
class Backdrop:
    """What a game was made from: the evidence, the pack as amended by the facts, the facts (with spans that
    count the logs), and where the places of the board lie."""

    evidence: Evidence
    pack: Pack
    facts: Facts
    places: Places

    @property
    def module(self) -> Path:
        """The file of the module."""
        return self.evidence.file

    @property
    def layouts(self) -> Mapping[str, MapLayout]:
        """How the boards lie on each map."""
        return self.evidence.layouts

    def centres(self) -> Mapping[str, tuple[str, float, float]]:
        """Where the hexes of the board are: by name, the map and the pixel of the centre."""
        found = self.places.centres.items()
        return {name: (str(at.map), float(at.x), float(at.y)) for name, at in found}

    def faces(self, game: Game, viewer: Viewer) -> Mapping[str, str]:
        """As :func:`.art.faces_of`."""
        return dict(faces_of(game, self.evidence.history, viewer))

    def greatest_id(self) -> int:
        """As :meth:`.TableHistory.greatest_id`."""
        return self.evidence.history.greatest_id()


@dataclass(frozen=True)
class Opened:
    """A game as one viewer sees it, the ``problems`` of reading it, and all ``files`` that were read, also
    those that the program found by itself. ``backdrop`` and ``bound`` (what a change of single cells starts
    from) are None for an analysis document.

    ``truth``: the whole game, never to be shown; None if ``game`` is the whole game. ``true_bound``:
    ``bound`` of the whole game. ``views``: opens the same game for another viewer.
    """

    game: Game
    problems: tuple[Problem, ...]
    backdrop: Backdrop | None = None
    files: tuple[Path, ...] = ()
    bound: Bound | None = None
    truth: Game | None = None
    true_bound: Bound | None = None
    views: Callable[[Viewer], Opened] | None = field(default=None, compare=False, repr=False)

    def seen_by(self, viewer: Viewer) -> Opened:
        """The game as ``viewer`` sees it."""
        return self if self.views is None else self.views(viewer)


def open_game(
    named: Named,
    viewer: Viewer,
    limits: Limits,
    told: Told = silent,
    *,
    module: Module | None = None,
    pack: Pack | None = None,
) -> Opened:
    """The game the user named, as ``viewer`` sees it: from logs with their module and pack, or from an
    analysis document. ``module``, ``pack``: passed if already open.

    Raises :class:`UmpireError` with exit code 2 for what cannot be read, :class:`CannotAudit` where no module
    or pack is found.
    """
    if len(named.logs) == 1 and is_document(named.logs[0]):
        return _of_document(*read_analysis(named, limits), named.inputs, viewer)
    evidence = read_evidence(named, limits, told, module)
    return open_evidence(evidence, named, viewer, limits, told, pack)


def _of_document(
    game: Game, problems: tuple[Problem, ...], files: tuple[Path, ...], viewer: Viewer
) -> Opened:
    seen = seen_game(game, viewer)
    return Opened(
        seen,
        problems,
        files=files,
        truth=None if seen is game else game,
        views=lambda other: _of_document(game, problems, files, other),
    )


@collector_paused()
def audit_game(
    opened: Opened,
    ruleset: str | None,
    told: Told = silent,
    judge: Judge = judge_move,
    *,
    suspicions: bool = True,
    truth: Audit | None = None,
) -> Audit:
    """The audit of ``opened`` for its viewer. ``suspicions`` False leaves out the suspicions, which take as
    long as all the rest. ``truth``: the audit of the whole game, if it was made already. Raises
    :class:`CannotAudit` where there is no such ruleset."""
    rules, more = ruleset_for(opened.game, ruleset)
    if opened.truth is not None:
        check_facts(opened.truth, rules.in_force(opened.truth))
    found = audit(
        opened.game,
        rules,
        progress=lambda done, of: told("judging moves", done, of),
        judge=judge,
        suspicions=suspicions,
        is_part=opened.truth is not None,
    )
    if opened.truth is not None:
        found = held_by_truth(
            opened.game, found, _truth(opened.truth, rules, truth, suspicions=suspicions)
        )
    shown = with_lookers(opened, found)
    return replace(shown, problems=(*opened.problems, *more, *found.problems))


def _truth(game: Game, rules: Ruleset, known: Audit | None, *, suspicions: bool) -> Audited:
    def audited(focus: Focus | None) -> Audit:
        if known is not None:
            return known
        judge = judge_move if focus is None else focused(judge_move, focus)
        return audit(game, rules, judge=judge, suspicions=suspicions and focus is None)

    return audited


def view_of(
    opened: Opened, audited: Audit, viewer: Viewer, judge: Judge = judge_move
) -> tuple[Opened, Audit]:
    """The game of ``opened`` as ``viewer`` sees it, and its audit. ``opened`` shows the whole game;
    ``audited`` is its audit."""
    seen = opened.seen_by(viewer)
    if seen.truth is None:
        return view_of_all(opened, audited, seen.problems)
    suspicions = opened.game.has_suggestions and bool(audited.suspicions)
    return seen, audit_game(
        seen, audited.ruleset, judge=judge, suspicions=suspicions, truth=audited
    )


def view_of_all(
    opened: Opened, audited: Audit, problems: tuple[Problem, ...]
) -> tuple[Opened, Audit]:
    """``opened`` and its audit for a viewer who sees everything. ``problems`` replace the problems of reading
    it."""
    others = audited.problems[len(opened.problems) :]
    return replace(opened, problems=problems), replace(audited, problems=(*problems, *others))


def scene_of(
    opened: Opened, viewer: Viewer, limits: Limits, *, map_images: bool = True, told: Told = silent
) -> MapScene:
    """The game as a report draws it, without what ``viewer`` may not see."""
    art, found = NO_ART, opened.backdrop
    if found is not None:
        told("drawing the map", 0, 0)
        art = art_of(
            found.module,
            found.centres(),
            found.faces(opened.game, viewer),
            found.layouts,
            limits,
            map_images=map_images,
        )
    return stage(opened.game, viewer, art)


@collector_paused()
def open_evidence(
    evidence: Evidence,
    named: Named,
    viewer: Viewer,
    limits: Limits,
    told: Told = silent,
    pack: Pack | None = None,
) -> Opened:
    """As :func:`open_game`, from logs already read. Raises :class:`NoPack` before any other work if
    :func:`.pack_for` finds no pack."""
    how: tuple[Problem, ...] = ()
    if pack is None:
        logs = stated_in(evidence.history)
        pack, how = pack_for(named, evidence.module, evidence.file, logs, limits)
    facts = load_facts(named.facts) if named.facts is not None else NO_FACTS
    opened = evidence.with_pack(amended(pack, facts), facts, viewer, told)
    unread = None if named.facts is not None else facts_beside(pack)
    unread_too = () if unread is None else (unread,)
    return replace(opened, problems=(*how, *opened.problems, *unread_too))


def facts_beside(pack: Pack) -> Problem | None:
    """A note that the pack's folder holds a facts file, as the studio writes it, that was not read: it
    belongs to one game, and this may be another. None if there is no such file."""
    found = (file.with_name(FACTS_FILE) for file in pack.files if file.name == PACK_FILE)
    file = next((file for file in found if file.is_file()), None)
    if file is None:
        return None
    message = "in the pack's folder, is not read: if it is of this game, name it with --facts"
    return Problem("facts-not-named", message, file.name, "note")


@dataclass(frozen=True)
class Evidence:
    """A module and its ``logs`` (empty: the module alone), read and replayed: what does not change while a
    pack is edited. ``files``: all files that were read. ``digests``: as in :class:`.Named`."""

    logs: tuple[Path, ...]
    file: Path
    module: Module
    history: TableHistory
    layouts: Mapping[str, MapLayout]
    files: tuple[Path, ...]
    digests: Mapping[str, str] = field(default_factory=dict, hash=False)
    _seen: dict[Viewer, TableHistory] = field(default_factory=dict, compare=False, repr=False)

    @collector_paused()
    def with_pack(
        self,
        pack: Pack,
        facts: Facts,
        viewer: Viewer,
        told: Told = silent,
        earlier: Bound | None = None,
    ) -> Opened:
        """The game by a ``pack`` that the facts have amended, as ``viewer`` sees it. ``earlier``: see
        :func:`.bind.bound`. Raises as :func:`open_game` does."""
        check_fit(pack, self.module)
        true = self._bound(pack, facts, self.history, told, earlier=earlier)
        return self._seen_game(true, pack, facts, viewer, told)

    def _seen_game(
        self, true: Bound, pack: Pack, facts: Facts, viewer: Viewer, told: Told = silent
    ) -> Opened:
        """The game as ``viewer`` sees it. ``true``: the whole game."""
        history, made = self.seen_by(viewer), true
        if history is not self.history:
            made = self._bound(pack, facts, history, told, true)
        if made.game == true.game:
            made = true
        named_wrong = check_names(pack, facts, made.game.rules)
        found = (p for log in self.history.logs for p in log_problems(log, viewer))
        return Opened(
            made.game,
            (
                *self.history.problems,
                *self.module.problems,
                *found,
                *made.problems,
                *named_wrong,
            ),
            Backdrop(self, pack, made.facts, made.bare[1]),
            (*self.files, *pack.files, *facts.files),
            made,
            None if made is true else true.game,
            true,
            lambda other: self._seen_game(true, pack, facts, other),
        )

    def _bound(
        self,
        pack: Pack,
        facts: Facts,
        history: TableHistory,
        told: Told,
        truth: Bound | None = None,
        earlier: Bound | None = None,
    ) -> Bound:
        what = "reading the logs by the pack"
        told(what, 0, 0)
        return bound(
            self.module,
            history,
            pack,
            self.layouts,
            replace(facts, digests=self.digests),
            words=words_for(pack),
            progress=lambda done, of: told(what, done, of),
            truth=truth,
            earlier=earlier,
        )

    def seen_by(self, viewer: Viewer) -> TableHistory:
        """The table as ``viewer`` sees it, step by step."""
        if viewer not in self._seen:
            self._seen[viewer] = seen_history(self.history, viewer)
        return self._seen[viewer]

    def may_be_part(self, viewer: Viewer) -> bool:
        """Whether anything could be hidden from ``viewer``. If the module can hide pieces, the answer does
        not depend on what is hidden, so he learns nothing from it. If it cannot, the logs may still hide
        something: they may have been made with another version of the module."""
        if viewer.director:
            return False
        seen = (self.seen_by(one) for one in (EVERYONE, viewer))
        return can_hide(self.module) or any(one is not self.history for one in seen)


@collector_paused()
def read_evidence(
    named: Named, limits: Limits, told: Told = silent, module: Module | None = None
) -> Evidence:
    """The named logs and their module, or the module alone. ``module``: passed if already open. Raises as
    :func:`open_game` does."""
    first = read_save(named.logs[0], limits) if named.logs else None
    file = named.module if first is None else module_path(named, first, limits)
    if file is None:
        raise CannotAudit("no module is named", hint="name the .vmod, or a log of the game")
    if module is None:
        module = open_module(file, limits=limits, find_extensions=True)
    module = named_for(module, named.logs, limits)
    history = read_history(named, module, limits, told)
    layouts = default_layouts(module) if first is None else layouts_for(module, first)
    files = (*named.logs, file, *extensions_beside(file))
    return Evidence(named.logs, file, module, history, layouts, files, named.digests)


def ruleset_for(game: Game, name: str | None) -> tuple[Ruleset, tuple[Problem, ...]]:
    """The ruleset named, else the game's own."""
    known = rulesets()
    if name is not None:
        return known.get(name), known.problems
    if game.rules.name not in known.parts:
        there = ", ".join(sorted(known.parts))
        raise CannotAudit(
            f"the game is set up for the ruleset {game.rules.name!r}, which is not here",
            expected=f"one of {there}",
            hint="; ".join(str(p) for p in known.problems),
        )
    return known.get(game.rules.name), known.problems
