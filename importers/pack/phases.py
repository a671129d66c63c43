"""Turn, phase and active side from trackers, chat, markers and properties, and from the facts file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from ...model.game import PhaseStart, StepRef
from ...model.table import Piece, Step, Table
from .facts import DeclaredPhase, phase_at
from .pack import ASPECTS, Aspect, Pack, PhaseSource

_TAG = re.compile(r"<[^<>]{0,200}>")

_ANY = StepRef(0, 0)
_NOTHING = PhaseStart(_ANY, None, None, None)


class PhaseTeller:
    """Follows a game step by step and gives its phase, as far as known.

    Of several sources, the first (in the pack's order) with a value for an aspect counts. A phase that the
    facts file declares for a span of steps overrides all of them.

    If a source repeats the phase while turn or side is not known, it may be another phase of that name, so
    the phase starts again. ``broken``: numbers of the logs whose opening differs from the end of the log
    before; values at their opening count as repeated.
    """

    def __init__(
        self, pack: Pack, declared: Iterable[DeclaredPhase] = (), broken: Collection[int] = ()
    ) -> None:
        self._sources = pack.phase_sources
        self._declared = sorted(declared, key=lambda d: d.span.first)
        self._told: list[dict[Aspect, str]] = [{} for _ in self._sources]
        self._said: PhaseStart | None = None
        self._heard: set[int] = set()
        self._broken = broken
        self._markers = [i for i, s in enumerate(self._sources) if s.kind == "marker"]

    def opening(self, log: int, table: Table) -> Iterable[PhaseStart]:
        """The phase start, if any, at the opening of a log. Chat of earlier logs no longer counts."""
        self._told = [{} for _ in self._sources]
        for index, source in enumerate(self._sources):
            if source.kind == "turn_tracker":
                self._hear(index, _tracker_text(source, table.turns))
            elif source.kind == "global":
                for (_, name), value in table.globals.items():
                    if name == source.what:
                        self._hear(index, value)
        if self._markers:
            for piece in table.pieces.values():
                self._look(piece)
        if log not in self._broken:  # the values are those at the end of the log before
            self._heard.clear()
        return self._start(StepRef(log, 0))

    def step(self, at: StepRef, step: Step) -> Iterable[PhaseStart]:
        """The phase start, if any, at a step."""
        self._heard.clear()
        for index, source in enumerate(self._sources):
            if source.kind == "turn_tracker":
                for turn in step.turns:
                    if source.what in ("", turn.tracker):
                        self._hear(index, turn.new_value)
            elif source.kind == "global":
                for change in step.globals:
                    if change.name == source.what and change.old_value != change.new_value:
                        self._hear(index, change.new_value)
            elif source.kind == "chat":
                for line in step.chat:
                    if line.kind != "undo":
                        self._hear(index, _TAG.sub("", line.text))
                if step.displacements:  # reports of moves name the current phase
                    self._heard.discard(index)
        if self._markers:
            for piece_change in step.changes:
                before, now = piece_change.before, piece_change.after
                if now is not None and (before is None or _location(before) != _location(now)):
                    self._look(now)
        return self._start(at)

    def _look(self, piece: Piece) -> None:
        for index in self._markers:
            source = self._sources[index]
            if source.piece is not None and source.piece.fits(piece.basic_name):
                self._hear(index, _location(piece))

    def _hear(self, index: int, text: str) -> None:
        source = self._sources[index]
        found = source.pattern.search(text) if source.pattern is not None else None
        if found is None:
            if source.kind != "chat":  # a tracker that shows something else has no value
                self._told[index].clear()
            return
        groups = found.groupdict()
        self._heard.add(index)
        for aspect in ASPECTS:
            word = groups.get(aspect)
            if word is not None:
                translate = source.translate.get(aspect)
                self._told[index][aspect] = word if translate is None else translate.get(word, word)

    def _start(self, at: StepRef) -> Iterable[PhaseStart]:
        start, used = self._at(at)
        said = replace(start, at=_ANY)
        half_told = start.phase is not None and None in (start.turn, start.active)
        once_more = half_told and not self._heard.isdisjoint(used)
        if (said == self._said and not once_more) or (self._said is None and said == _NOTHING):
            return ()
        self._said = said
        return (start,)

    def _at(self, at: StepRef) -> tuple[PhaseStart, Collection[int]]:
        """The phase of a step, and its sources; none if it is from the facts file."""
        declared = phase_at(self._declared, at)
        if declared is not None:
            return declared.start(at), ()
        values: dict[Aspect, str | None] = {}
        used: dict[int, None] = {}
        for aspect in ASPECTS:
            index = next((i for i, told in enumerate(self._told) if aspect in told), None)
            values[aspect] = None if index is None else self._told[index][aspect]
            if index is not None:
                used[index] = None
        sources = [self._sources[index] for index in used]
        certain = all(source.certain for source in sources)
        source = ", ".join(dict.fromkeys(map(source_in_words, sources)))
        start = PhaseStart(
            at, values["turn"], values["phase"], values["active"], source, certain=certain
        )
        return start, used


def source_in_words(source: PhaseSource) -> str:
    """A source in a few words, without the pattern that the pack reads it by."""
    match source.kind:
        case "chat":
            return "what was said in the chat"
        case "marker":
            name = source.what.strip("^$")
            plain = re.escape(name) == re.sub(r"(?=[ -])", r"\\", name)
            return f"the place of {name}" if plain else "the place of a counter"
        case "turn_tracker":
            return f"turn tracker {source.what}".strip()
        case _:
            return f"global property {source.what}"


def _tracker_text(source: PhaseSource, turns: Mapping[str, str]) -> str:
    if source.what:
        return turns.get(source.what, "")
    return next(iter(turns.values()), "")


def _location(piece: Piece) -> str:
    """Where a piece lies, in words: its location's name, or else the map's."""
    return piece.location or piece.spot.map or ""
