"""The audits of a game in a folder. They come from the store beside it if nothing they depend on has changed;
otherwise they are made again, with the stored judgements that still hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Self, TypeVar

from ...importers.game_folder.folder import GameFolder
from ...importers.ordinary import is_there
from ...importers.pack.board import Places, bind_board
from ...importers.pack.facts import FACTS_FILE, NO_FACTS
from ...importers.pack.facts_file import load_facts
from ...importers.pack.facts_logs import on_logs
from ...importers.pack.files import FILES, PACK_FILE
from ...importers.pack.load import amended, load_pack
from ...importers.vassal.buildfile import extensions_beside
from ...importers.vassal.layout import MapLayout
from ...importers.vassal.limits import Limits
from ...importers.vassal.savefile import read_save
from ...model.finding import Audit
from ...model.frozen_values import Damaged, FrozenValues, classes_of
from ...model.game import Game
from ...model.integrity import Integrity
from ...model.logs import logs_among
from ...model.problem import UmpireError
from ...model.viewer import DIRECTOR, Viewer
from ...validators.phase import Judge
from ...validators.stored_judge import Differs, StoredJudge
from ..auditing import (
    Backdrop,
    Evidence,
    Opened,
    audit_game,
    open_evidence,
    read_evidence,
    view_of,
    view_of_all,
)
from ..options import check_side
from ..phases_asked import proposes, with_proposals
from ..program_digest import program_digest
from ..reading import Told, layouts_for, open_for, silent
from ..registry import rulesets
from ..reports.json import unknowns_of
from ..shown import audit_shown, known_suspected, with_integrity
from .opening import digest_of, named_of
from .store import Store, key_of

Audited = tuple[Opened, Audit]
Centres = Mapping[str, tuple[str, float, float]]
Made = TypeVar("Made")

_MODEL = (
    "bill board boards coverage dice fact finding game hexgrid integrity problem provenance relations suspect"
    " unit vouching"
)
"""The files of the model whose values are kept."""
_VALUES = FrozenValues(
    classes_of(*(import_module(f"...model.{name}", __package__) for name in _MODEL.split()))
)


class LateBackdrop(Backdrop):
    """The backdrop of ``game`` when its audit came from the store. Files are read only when a property needs
    them; ``evidence`` reads all logs."""

    _audits: GameAudits
    _game: Game

    def __init__(self, audits: GameAudits, game: Game) -> None:
        self.__dict__.update(_audits=audits, _game=game)

    def __getattr__(self, name: str) -> Any:
        if name not in ("pack", "facts"):
            raise AttributeError(name)
        named = self._audits.named
        assert named.pack is not None
        told = load_facts(named.facts) if named.facts is not None else NO_FACTS
        facts, _ = on_logs(told, logs_among(self._game.sources))
        self.__dict__.update(pack=amended(load_pack(named.pack), told), facts=facts)
        return self.__dict__[name]

    @property
    def evidence(self) -> Evidence:
        """See :class:`.Backdrop`."""
        return self._audits.evidence

    @property
    def module(self) -> Path:
        """See :class:`.Backdrop`."""
        assert self._audits.named.module is not None
        return self._audits.named.module

    @cached_property
    def layouts(self) -> Mapping[str, MapLayout]:
        """See :class:`.Backdrop`. Logs are replayed only if the hexes' names depend on their pieces."""
        logs, limits = self._audits.named.logs, self._audits.limits
        return layouts_for(open_for(self.module, logs, limits), read_save(logs[0], limits))

    @cached_property
    def places(self) -> Places:
        """See :class:`.Backdrop`."""
        return bind_board(self.pack, self.layouts)[1]

    def centres(self) -> Centres:
        """See :class:`.Backdrop`."""
        return self._audits.centres(super().centres)

    def faces(self, game: Game, viewer: Viewer) -> Mapping[str, str]:
        """See :class:`.Backdrop`."""
        return self._audits.faces(viewer, partial(super().faces, game, viewer))

    def greatest_id(self) -> int:
        """See :class:`.Backdrop`."""
        return self._audits.greatest_id(super().greatest_id)


class GameAudits:
    """The audits of the game in ``folder``, as a context manager. Judgements are kept however it ends. Raises
    as :func:`.opening.named_of` does."""

    def __init__(self, folder: GameFolder, limits: Limits, told: Told = silent) -> None:
        self.named = named_of(folder)
        self.limits, self.told = limits, told
        self._store = Store(folder.root)
        self._known: dict[tuple[str, Viewer], Audited] = {}
        self._taken = False
        """Whether anything was taken from the store."""

    def __enter__(self) -> Self:
        self._store.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._store.__exit__()

    def whole(self) -> Audited:
        """The whole game and its audit for the director, without suspicions."""
        return self.seen_by(DIRECTOR)

    def seen_by(self, viewer: Viewer) -> Audited:
        """The game and its audit as ``viewer`` sees them: see :func:`..auditing.view_of`."""

        def make(judge: Judge) -> Audited:
            if viewer != DIRECTOR:
                return view_of(*self.whole(), viewer, judge)
            opened = self._read_anew
            return opened, audit_game(opened, None, self.told, judge, suspicions=False)

        is_known = ("seen", viewer) in self._known
        opened, found = self._kept("seen", viewer, make)
        if is_known:
            return opened, found
        if opened.truth is None and type(opened.backdrop) is Backdrop:  # all logs are read
            self.faces(viewer, partial(opened.backdrop.faces, opened.game, viewer))
            self.centres(opened.backdrop.centres)
            self.greatest_id(opened.backdrop.greatest_id)
            self._integrity(opened, found, viewer)
            self._with_proposals(opened, found, viewer)
            if viewer == DIRECTOR:
                self._keep_views()
        return opened, found

    def _keep_views(self) -> None:
        """Keep the views of the sides that see everything, while the logs are at hand: the mail is written
        from them."""
        for side in map(Viewer, self._read_anew.game.sides):
            if self.evidence.seen_by(side) is self.evidence.history:
                self.seen_by(side)

    def suspected(self, *, suspicions: bool = True) -> Audited:
        """As :meth:`whole`, with what the pack is suspected of. ``suspicions``: include the suspicions that
        take longest, where much of the pack is only suggested."""

        def make(judge: Judge) -> Audited:
            opened, known = self.whole()
            shown = known_suspected(opened, known, self.told, judge, suspicions=suspicions)
            return opened, shown

        return self._kept("suspected" if suspicions else "accused", DIRECTOR, make)

    def shown_to(self, viewer: Viewer, *, suspicions: bool = True) -> Audited:
        """The game as a report shows it: see :func:`..shown.audit_shown`. ``suspicions``: as of
        :meth:`suspected`."""
        opened, _ = self.seen_by(viewer)
        check_side(viewer, opened.game.sides)
        if opened.truth is not None:

            def make(judge: Judge) -> Audited:
                whole = self.suspected(suspicions=suspicions)[1]
                return opened, audit_shown(opened, None, viewer, self.told, whole, judge)

            return self._kept("shown" if suspicions else "accused", viewer, make)
        _, shown = view_of_all(*self.suspected(suspicions=suspicions), opened.problems)
        shown = self._with_proposals(opened, shown, viewer)
        return opened, replace(shown, integrity=self._integrity(opened, shown, viewer))

    def _with_proposals(self, opened: Opened, shown: Audit, viewer: Viewer) -> Audit:
        """``shown`` with the phases guessed from what ``viewer`` saw of the logs; from the store if
        possible."""

        def make() -> Mapping[str, str]:
            asked = unknowns_of(with_proposals(opened, shown, viewer)).values()
            return {one.key: one.stanza for one, _ in asked if proposes(one.stanza)}

        found = self._as_kept(key_of("phases", repr(viewer), self._rests_on), make)
        return shown.asking(lambda one: replace(one, stanza=found.get(one.key, one.stanza)))

    def _integrity(self, opened: Opened, shown: Audit, viewer: Viewer) -> Integrity | None:
        key = key_of("integrity", repr(viewer), self._rests_on)
        return self._as_kept(key, lambda: with_integrity(opened, shown, viewer).integrity)

    def centres(self, make: Callable[[], Centres]) -> Centres:
        """Where the hexes lie: from the store, else from ``make``."""
        return self._as_kept(key_of("centres", self._rests_on), make)

    def greatest_id(self, make: Callable[[], int]) -> int:
        """The greatest id of a piece: from the store, else from ``make``."""
        return self._as_kept(key_of("greatest id", self._rests_on), make)

    def faces(self, viewer: Viewer, make: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
        """The counters' pictures as ``viewer`` sees them: from the store, else from ``make``."""
        return self._as_kept(key_of("faces", repr(viewer), self._rests_on), make)

    def _as_kept(self, key: str, make: Callable[[], Made]) -> Made:
        data = self._store.get(key)
        if data is not None and not self._store.is_due():
            try:
                found: Made = _VALUES.read(data)
            except Damaged:
                self._store.throw_away("is damaged")
                data = None
            else:
                self._taken = True
                return found
        made = make()
        self._keep(key, data, _VALUES.write(made))
        return made

    def _keep(self, key: str, before: bytes | None, made: bytes) -> None:
        """Keep what was made. If a value was kept ``before``, both must be the same."""
        if before is None:
            self._store.put(key, made)
            self._store.commit()
        elif before != made:
            self._store.throw_away("its content differs from a fresh result, which is a bug")
            self._refuse_taken()

    def judged(self, make: Callable[[Judge], Made]) -> Made:
        """The result of ``make`` with a judge that uses stored judgements; made again if these prove
        wrong."""
        try:
            return make(StoredJudge(self._store, program_digest()))
        except Differs:
            self._store.throw_away("a judgement in it differs from a fresh one, which is a bug")
            self._refuse_taken()
            return make(StoredJudge(self._store, program_digest()))

    def _refuse_taken(self) -> None:
        if self._taken:
            raise UmpireError("what was kept of the game is wrong", hint="run the command again")

    def _kept(self, what: str, viewer: Viewer, make: Callable[[Judge], Audited]) -> Audited:
        """The stored value; the result of ``make`` if there is none, and now and then for comparison."""
        if (what, viewer) in self._known:
            return self._known[what, viewer]
        key = key_of(what, repr(viewer), self._rests_on)
        data = self._store.get(key)
        due = self._store.is_due()
        found = self._read(data) if data is not None else None
        self._taken = self._taken or (found is not None and not due)
        if found is None or due:
            made = self.judged(make)
            if found is None:
                self._store.put(key, self._written(*made))
                self._store.commit()
            elif self._written(*found) != self._written(*made):
                self._store.throw_away("an audit in it differs from a fresh one, which is a bug")
                self._refuse_taken()
            found = made
        self._known[what, viewer] = found
        return found

    @cached_property
    def evidence(self) -> Evidence:
        """Module and logs, read once."""
        return read_evidence(self.named, self.limits, self.told)

    @cached_property
    def _read_anew(self) -> Opened:
        """The game read from its files, once for all viewers."""
        return open_evidence(self.evidence, self.named, DIRECTOR, self.limits, self.told)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """All files that the game is read from."""
        named = self.named
        assert named.module is not None
        assert named.pack is not None
        pack = named.pack.parent if named.pack.name == PACK_FILE else named.pack
        told = named.facts
        records = () if told is None else (told, told.with_name(f"{told.stem}.provenance.csv"))
        found = (*named.logs, named.module, *extensions_beside(named.module))
        parts = (pack,) if pack.is_file() else tuple(pack / name for name in FILES)
        return (*found, *(file for file in (*parts, *records) if is_there(file)))

    @cached_property
    def _digests(self) -> dict[Path, str]:
        return {file: digest_of(file) for file in self.files}

    @cached_property
    def _rests_on(self) -> str:
        """What an audit of the game depends on besides the program: names and contents of the files, and what
        ``game.toml`` says about them."""
        named = self.named
        files = [(file.name, digest) for file, digest in self._digests.items()]
        place = str(named.pack and named.pack.name)
        packs = (file for file in self.files if file.name == PACK_FILE)
        unread = [file.with_name(FACTS_FILE).is_file() for file in packs if named.facts is None]
        said = (
            sorted(named.digests.items()),
            sorted((log, list(who)) for log, who in named.same_players.items()),
        )
        return repr((files, said, place, unread, self.limits, rulesets().problems))

    def _read(self, data: bytes) -> Audited | None:
        """The audit in stored ``data``; None if it is damaged."""
        try:
            game, problems, is_part, audited = _VALUES.read(data)
            if not isinstance(game, Game | None) or not isinstance(audited, Audit | None):
                raise Damaged
        except (Damaged, ValueError, TypeError):
            self._store.throw_away("is damaged")
            return None
        if game is None or audited is None:
            return view_of_all(*self.whole(), problems)

        def again(other: Viewer) -> Opened:
            return self._read_anew.seen_by(other)

        opened = Opened(
            game,
            problems,
            LateBackdrop(self, game),
            self.files,
            truth=self.whole()[0].game if is_part else None,
            views=again,
        )
        return opened, audited

    def _written(self, opened: Opened, audited: Audit) -> bytes:
        """An audit in the form in which it is kept. If it differs from the director's audit only in the
        problems of reading, only these are kept."""
        whole = self._known.get(("seen", DIRECTOR)) if opened.truth is None else None
        if whole is not None and view_of_all(*whole, opened.problems)[1] == audited:
            return _VALUES.write((None, opened.problems, False, None))
        return _VALUES.write((opened.game, opened.problems, opened.truth is not None, audited))
