"""What the board tells of a hex of a step: terrain, features, levels and lines."""

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
    """A hex of a step, as the board tells it."""

    __slots__ = ("_board", "_name", "_part", "_step")

    def __init__(self, step: Step, name: str, part: int) -> None:
        self._step, self._name, self._part = step, name, part
        self._board = step.mover_.board

    def _found(self, ask: Any, *about: Any) -> Any:
        """The answer to a question about it (:mod:`.questions`), which is noted."""
        self._step.note(ask, (self._part, *about))
        return ask(self._step, (self._part, *about))

    def note_terrain(self) -> None:
        """What is in the hex was read; for the engine."""
        if self._step.place_ is None:
            self._step.note(questions.hex_kind, self._part)
        else:
            self._step.note(questions.pair)

    @property
    def words(self) -> str:
        """Its terrain, in words, for a text."""
        self.note_terrain()
        return " and ".join(self._board.hexes[self._name].terrain or ()) or "terrain"

    @property
    def terrains(self) -> tuple[str, ...]:
        """The terrains in it; not enumerable if they are not known."""
        self.note_terrain()
        found: tuple[str, ...] = self._board.hexes[self._name].terrain or ()
        if not found:
            self._step.run.choose(("terrain", self._name), (), (later(self._missing),))
        return found

    @property
    def known_terrains(self) -> tuple[str, ...]:
        """The terrains in it; none if they are not told, or anything may be in it."""
        self.note_terrain()
        if self._board.maybe_in(self._name) is None:
            return ()
        return self._board.hexes[self._name].terrain or ()

    @property
    def named_terrains(self) -> tuple[str, ...]:
        """The terrains that are told of it, for a text."""
        self.note_terrain()
        return self._board.hexes[self._name].terrain or ()

    @property
    def named_features(self) -> tuple[str, ...]:
        """The features that are known to be in it, for a text."""
        self.note_terrain()
        return self._board.hexes[self._name].features

    @property
    def features(self) -> tuple[str, ...]:
        """The features in it, as far as they can be told; those told if anything may be in it."""
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
        """The question what is in it."""
        return of_board(about_hex(self._board, self._name))

    @property
    def asked(self) -> Asking:
        """As :meth:`missing`, for a cost that is not exact."""
        self.note_terrain()
        return later(self.missing)

    def missing_besides(self, names: Iterable[str]) -> MissingFact:
        """The question what terrain is in it besides some names."""
        self.note_terrain()
        return of_board(("terrain", self._name, *names))

    def completions(self, chart: str) -> tuple[list[tuple[tuple[str, ...], tuple[str, ...]]], bool]:
        """The terrains and features that it may have, as far as a chart has them (no terrains: any), and
        whether that is all known."""
        self.note_terrain()
        names = self._step.rules.complete.names(chart, self._step.rules.charted(chart))
        found = self._board.completions(self._name, names)
        sure = len(found) == 1 and self._board.maybe_in(self._name) is not None
        return [(one.terrain or (), one.features) for one in found], sure

    def joined(self) -> bool:
        """Whether lines that are not known join others in it."""
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        asked = later(of_board, about_lines_in(self._board, self._name))
        return self._step.run.yes(("joined", self._name), None, asked)

    def lines_drawn(self) -> frozenset[str]:
        """The kinds of lines that certainly lead through it. For texts, and for what can be tried."""
        self.note_terrain()
        return self._step.rules.lines_in(self._name)

    def _missing(self) -> MissingFact:
        if not self._board.hex_known(self._name):
            return of_board(about_hex(self._board, self._name))
        return self.missing_besides(self._board.hexes[self._name].terrain or ())

    def passages(self, kind: str) -> frozenset[frozenset[int]]:
        """The pairs of neighbours, by their place in the order of the board, that a line of a kind joins in
        it, of those that are drawn."""
        self._step.note(questions.pair)
        return self._step.mover_.edges.passages(self._name, kind)

    def may_have_line(self, kind: str) -> bool:
        """Whether a line of a kind may lead through it besides those that are drawn. For what can be
        tried."""
        self.note_terrain()
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        return may_be(kind, self._board.lines_maybe_in(self._name))

    def more_lines(self, kind: str) -> bool:
        """Whether a line of a kind leads through it besides those that are drawn."""
        if not self.may_have_line(kind):
            return False
        asked = later(of_board, about_lines_in(self._board, self._name))
        return self._step.run.yes(("more lines", self._name, kind), None, asked)

    @property
    def may_have_lines(self) -> bool:
        """Whether lines that are not known may lead through it. For what can be tried."""
        self.note_terrain()
        if self._board.all_lines_known:
            return False
        self._step.note(questions.pair)
        return bool(self._board.lines_maybe_in(self._name) != NONE)

    def lines_meet(self, number: int) -> bool:
        """Whether the line with a number meets others in the hexes through which it leads."""
        return bool(self._board.lines[number].junctions)

    def surely_has(self, *names: str) -> bool:
        """Whether one of these terrains or features is certainly in it. For texts, and for which of two
        clauses that say the same is broken: it asks nothing."""
        self.note_terrain()
        return self._board.has(self._name, names) is True

    def may_be_only(self, name: str) -> bool:
        """Whether a terrain is the only one in it, or none is told."""
        self.note_terrain()
        return self._board.hexes[self._name].terrain in (None, (name,))

    def has(self, names: Iterable[str]) -> bool:
        """Whether one of these terrains or features is in it."""
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
        """As :meth:`has`, of a hex that is known whole where it has terrain, unless it is said not to be."""
        self.note_terrain()
        found = self._board.has(self._name, names)
        return self._step.run.yes(("holds", self._name, names), found, later(self.missing))

    def only_listed(self, chart: str) -> None:
        """Ask whether it has a feature that no chart names, unless ``chart`` is whole: then anything may be
        due."""
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
        """Whether a line of a kind leads through it."""
        self.note_terrain()
        lines = self._step.mover_.edges.lines
        found = lines.get(self._name)
        if found is None:
            asked = later(of_board, about_lines_in(self._board, self._name))
            drawn = self._step.rules.lines_in(self._name)
            found = lines[self._name] = (drawn, self._board.lines_maybe_in(self._name), asked)
        return self._step.line(kind, *found)

    def one_of(self, names: Iterable[str]) -> str:
        """Which of several terrains counts; the facts may say."""
        every, rules = tuple(dict.fromkeys(names)), self._step.rules
        if rules.kinds_told:
            self._step.note(questions.which_terrain, self._part)
        told = rules.kind_of_hex(self._name)
        choices = every if told is None else (told,)
        asked = later(rules.which_kind, self._name)
        return str(self._step.run.choose(("kind of hex", self._name), choices, (asked,)))

    def anything(self, least: int = 0) -> CostInterval:
        """The cost of entering it, of which nothing is known: any, from ``least`` MPs on."""
        self._step.run.log.open.append(later(self._missing))
        return ANYTHING._replace(lo=least * self._step.rules.scale, whole=False)

    def on_lines(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of some kinds leads through it."""
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
        """Whether a line of some kinds leads through it, or may. It asks nothing."""
        return bool(self._found(questions.perhaps_on_lines, kinds))

    def has_line_of(self, kind: str) -> bool:
        """Whether a line of a kind leads through it, or may. It asks nothing."""
        return bool(self._found(questions.may_have_line_of, kind))

    @property
    def features_in_doubt(self) -> bool:
        """Whether it has a feature, or something of it is told as open."""
        self.note_terrain()
        board = self._board
        return bool(self._name in board.exceptions.hexes or board.hexes[self._name].features)

    def lines_besides(self, kinds: Iterable[str]) -> list[str]:
        """The kinds of lines, other than these, that lead through it, or may. For what can be tried."""
        self.note_terrain()
        if not self._board.all_lines_known:
            self._step.note(questions.pair)
        cells = self._board.exceptions.lines.items()
        maybe = (kind for side, may in cells if self._name in side for kind in may or ())
        found = {*self._step.rules.lines_in(self._name), *maybe}
        return sorted(found.difference(kinds))

    def perhaps(self, *names: str) -> bool:
        """Whether it is not known if one of these terrains or features is in it. It asks nothing."""
        self.note_terrain()
        return self._board.has(self._name, names) is None

    @property
    def all_told(self) -> bool:
        """Whether the board tells all that is in its hexes."""
        return "terrain" in self._board.complete

    @property
    def name(self) -> str:
        """Its name, for the state of a mover."""
        self._step.note(questions.pair)
        return self._name
