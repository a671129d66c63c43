"""A hex of a step: terrain, features, level and lines, by the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...model.board import NONE, may_be
from ...model.fact import MissingFact
from ..concepts.lines import about_hex, about_lines_in
from ..cost_interval import ANYTHING, CostInterval
from . import questions
from .asking import Question as Asking
from .asking import later
from .questions import of_board

if TYPE_CHECKING:
    from .step import Step


class HexGround:
    """A hex of a step: its terrain, features, level and lines. Methods "for what can be tried" never end a
    run."""

    __slots__ = ("_board", "_name", "_part", "_step")

    def __init__(self, step: Step, name: str, part: int) -> None:
        self._step, self._name, self._part = step, name, part
        self._board = step.mover_.board

    def _found(self, ask: Any, *about: Any) -> Any:
        """The answer to a question about the hex (:mod:`.questions`); the read is noted."""
        self._step.note(ask, (self._part, *about))
        return ask(self._step, (self._part, *about))

    def note_terrain(self) -> None:
        """Note that the contents of the hex were read; for the engine."""
        if self._step.place_ is None:
            self._step.note(questions.hex_kind, self._part)
        else:
            self._step.note(questions.pair)

    @property
    def words(self) -> str:
        """The terrain, as text."""
        self.note_terrain()
        return " and ".join(self._board.hexes[self._name].terrain or ()) or "terrain"

    @property
    def terrains(self) -> tuple[str, ...]:
        """The terrains; if they are not known, they cannot be enumerated."""
        self.note_terrain()
        found: tuple[str, ...] = self._board.hexes[self._name].terrain or ()
        if not found:
            self._step.run.choose(("terrain", self._name), (), (later(self._missing),))
        return found

    @property
    def known_terrains(self) -> tuple[str, ...]:
        """The terrains; empty if they are not known, or any feature may be in the hex."""
        self.note_terrain()
        if self._board.maybe_in(self._name) is None:
            return ()
        return self._board.hexes[self._name].terrain or ()

    @property
    def named_terrains(self) -> tuple[str, ...]:
        """The known terrains, for a text."""
        self.note_terrain()
        return self._board.hexes[self._name].terrain or ()

    @property
    def named_features(self) -> tuple[str, ...]:
        """The known features, for a text."""
        self.note_terrain()
        return self._board.hexes[self._name].features

    @property
    def features(self) -> tuple[str, ...]:
        """The features; only the known ones if any feature may be in the hex."""
        self.note_terrain()
        board, run = self._board, self._step.run
        found, maybe = list(board.hexes[self._name].features), board.maybe_in(self._name)
        asked = later(of_board, about_hex(board, self._name))
        rows = self._step.rules.complete.names("terrain", self._step.rules.charts["terrain"])
        told = (*(board.hexes[self._name].terrain or ()), *found)
        for name in sorted(maybe or ()):
            new = name in rows and name not in told
            if new and run.yes(("feature", self._name, name), None, asked):
                found.append(name)
        return tuple(found)

    def missing(self) -> MissingFact:
        """The question about the unknown contents of the hex."""
        return of_board(about_hex(self._board, self._name))

    @property
    def asked(self) -> Asking:
        """As :meth:`missing`, for a cost that is not exact."""
        self.note_terrain()
        return later(self.missing)

    def missing_besides(self, names: Iterable[str]) -> MissingFact:
        """The question which terrain is in the hex besides ``names``."""
        self.note_terrain()
        return of_board(("terrain", self._name, *names))

    def completions(self, chart: str) -> tuple[list[tuple[tuple[str, ...], tuple[str, ...]]], bool]:
        """(the possible terrains and features, as far as ``chart`` has them; empty terrains: any; whether all
        is known)."""
        self.note_terrain()
        names = self._step.rules.complete.names(chart, self._step.rules.charted(chart))
        found = self._board.completions(self._name, names)
        sure = len(found) == 1 and self._board.maybe_in(self._name) is not None
        return [(one.terrain or (), one.features) for one in found], sure

    def joined(self) -> bool:
        """Whether unknown lines join others in the hex."""
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        asked = later(of_board, about_lines_in(self._board, self._name))
        return self._step.run.yes(("joined", self._name), None, asked)

    def lines_drawn(self) -> frozenset[str]:
        """The kinds of lines that certainly lead through the hex. For texts and for what can be tried."""
        self.note_terrain()
        return self._step.rules.lines_in(self._name)

    def _missing(self) -> MissingFact:
        if not self._board.hex_known(self._name):
            return of_board(about_hex(self._board, self._name))
        return self.missing_besides(self._board.hexes[self._name].terrain or ())

    def passages(self, kind: str) -> frozenset[frozenset[int]]:
        """The pairs of neighbours, by their index in the order of the board, that drawn lines of a kind join
        in the hex."""
        self._step.note(questions.pair)
        return self._step.mover_.edges.passages(self._name, kind)

    def may_have_line(self, kind: str) -> bool:
        """Whether a line of a kind, besides those drawn, may lead through the hex. For what can be tried."""
        self.note_terrain()
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        return may_be(kind, self._board.lines_maybe_in(self._name))

    def more_lines(self, kind: str) -> bool:
        """Whether a line of a kind, besides those drawn, leads through the hex."""
        if not self.may_have_line(kind):
            return False
        asked = later(of_board, about_lines_in(self._board, self._name))
        return self._step.run.yes(("more lines", self._name, kind), None, asked)

    @property
    def may_have_lines(self) -> bool:
        """Whether unknown lines may lead through the hex. For what can be tried."""
        self.note_terrain()
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        return bool(self._board.lines_maybe_in(self._name) != NONE)

    def lines_meet(self, number: int) -> bool:
        """Whether line ``number`` meets others in its hexes."""
        return bool(self._board.lines[number].junctions)

    def surely_has(self, *names: str) -> bool:
        """Whether one of these terrains or features is certainly in the hex. It never ends a run: for texts,
        and to choose between two clauses with the same content."""
        self.note_terrain()
        return self._board.has(self._name, names) is True

    def may_be_only(self, name: str) -> bool:
        """Whether a terrain is the only one in the hex, or the terrain is not known."""
        self.note_terrain()
        return self._board.hexes[self._name].terrain in (None, (name,))

    def has(self, names: Iterable[str]) -> bool:
        """Whether one of these terrains or features is in the hex."""
        self.note_terrain()
        unlisted = self._step.rules.declared.unlisted
        names = frozenset(names)
        features = self._step.mover_.edges.features
        found = features.get((self._name, names), features)
        if found is features:
            found = self._board.has(self._name, names)
            if found is False and unlisted and not self._board.hex_told(self._name):
                found = None
            features[self._name, names] = found
        if found is not None:
            return bool(found)
        return self._step.run.yes(("has", self._name, names), None, later(self._missing))

    def holds(self, *names: str) -> bool:
        """As :meth:`has`, but a hex with terrain counts as fully known unless the board says otherwise."""
        self.note_terrain()
        found = self._board.has(self._name, names)
        return self._step.run.yes(("holds", self._name, names), found, later(self.missing))

    def only_listed(self, chart: str) -> None:
        """Make the result unbounded if the hex has, or may have, a feature that no chart names and ``chart``
        is not whole."""
        self.note_terrain()
        rules, maybe = self._step.rules, self._board.maybe_in(self._name) or ()
        told = rules.known_features.issuperset(self._board.hexes[self._name].features)
        if rules.complete.has(chart) or (told and rules.known_features.issuperset(maybe)):
            return
        of_hex = later(of_board, about_hex(self._board, self._name))
        asked = of_hex if told else later(rules.complete.question, chart)
        self._step.run.choose(("unlisted", self._name), (), (asked,))

    @property
    def level(self) -> int:
        """Its level."""
        self.note_terrain()
        level = self._board.level_of(self._name)
        choices = self._step.rules.declared.levels if level is None else (level,)
        asked = later(of_board, ("levels", self._name))
        return int(self._step.run.choose(("level", self._name), choices, (asked,)))

    def line(self, kind: str) -> bool:
        """Whether a line of a kind leads through the hex."""
        self.note_terrain()
        lines = self._step.mover_.edges.lines
        found = lines.get(self._name)
        if found is None:
            asked = later(of_board, about_lines_in(self._board, self._name))
            drawn = self._step.rules.lines_in(self._name)
            found = lines[self._name] = (drawn, self._board.lines_maybe_in(self._name), asked)
        return self._step.line(kind, *found)

    def one_of(self, names: Iterable[str]) -> str:
        """The terrain of ``names`` that counts; the facts may name it."""
        every, rules = tuple(dict.fromkeys(names)), self._step.rules
        if rules.kinds_told:
            self._step.note(questions.which_terrain, self._part)
        told = rules.kind_of_hex(self._name)
        choices = every if told is None else (told,)
        asked = later(rules.which_kind, self._name)
        return str(self._step.run.choose(("kind of hex", self._name), choices, (asked,)))

    def anything(self, least: int = 0) -> CostInterval:
        """An unknown cost of entering the hex: any, at least ``least`` MPs."""
        self._step.run.log.open.append(later(self._missing))
        return ANYTHING._replace(lo=least * self._step.rules.scale, whole=False)

    def on_lines(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of ``kinds`` leads through the hex."""
        self.note_terrain()
        if not self._board.all_lines_known:
            self._step.note(questions.pair)
        networks = self._step.mover_.edges.networks(kinds)
        holds = True if self._name in networks.certain else None
        if holds is None and self._name not in networks.possible:
            holds = False
        asked = later(of_board, about_lines_in(self._board, self._name))
        return self._step.run.yes(("on lines", self._name, kinds), holds, asked)

    def may_be_on_lines(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of ``kinds`` leads, or may lead, through the hex. It never ends a run."""
        return bool(self._found(questions.perhaps_on_lines, kinds))

    def has_line_of(self, kind: str) -> bool:
        """Whether a line of a kind leads, or may lead, through the hex. It never ends a run."""
        return bool(self._found(questions.may_have_line_of, kind))

    @property
    def features_in_doubt(self) -> bool:
        """Whether the hex has a feature, or is an exception of the board."""
        self.note_terrain()
        board = self._board
        return bool(self._name in board.exceptions.hexes or board.hexes[self._name].features)

    def lines_besides(self, kinds: Iterable[str]) -> list[str]:
        """The kinds of lines, other than ``kinds``, that lead or may lead through the hex. For what can be
        tried."""
        self.note_terrain()
        if not self._board.all_lines_known:
            self._step.note(questions.pair)
        cells = self._board.exceptions.lines.items()
        maybe = (kind for side, may in cells if self._name in side for kind in may or ())
        found = {*self._step.rules.lines_in(self._name), *maybe}
        return sorted(found.difference(kinds))

    def perhaps(self, *names: str) -> bool:
        """Whether it is not known if one of these terrains or features is in the hex. It never ends a run."""
        self.note_terrain()
        return self._board.has(self._name, names) is None

    @property
    def all_told(self) -> bool:
        """Whether the terrain of the board is known completely."""
        return "terrain" in self._board.complete

    @property
    def name(self) -> str:
        """The name of the hex, for the state of a mover."""
        self._step.note(questions.pair)
        return self._name
