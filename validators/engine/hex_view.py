"""A hex of a step as clauses see it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING, Any

from ...model.board import NONE, may_be
from ...model.fact import UNKNOWN, Fact, MissingFact, one_of
from ...model.game import StepRef
from ..answers import Question
from ..concepts.lines import about_hex, about_lines_in
from ..cost_interval import ANYTHING, CostInterval, union_all
from ..ruleset import Requirement
from . import questions
from .asking import Bounds, later
from .asking import Question as Asking
from .objects import lies_question
from .questions import of_board

if TYPE_CHECKING:
    from .enemy import Enemy
    from .locality import Found, LocalTest
    from .step import Step


class HexView:
    """A hex of a step."""

    __slots__ = ("_board", "_name", "_part", "_step")

    def __init__(self, step: Step, name: str, part: int) -> None:
        self._step, self._name, self._part = step, name, part
        self._board = step.mover_.board

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
    def told_terrains(self) -> tuple[str, ...]:
        """The terrains in it; none if they are not told, or anything may be in it."""
        self.note_terrain()
        if self._board.maybe_in(self._name) is None:
            return ()
        return self._board.hexes[self._name].terrain or ()

    @property
    def terrains_told(self) -> tuple[str, ...]:
        """The terrains that are told of it, for a text."""
        self.note_terrain()
        return self._board.hexes[self._name].terrain or ()

    @property
    def features_told(self) -> tuple[str, ...]:
        """The features that are known to be in it, for a text."""
        self.note_terrain()
        found: tuple[str, ...] = self._board.hexes[self._name].features
        return found

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
        known = self._board.hex_known(self._name)
        about = ("terrain", self._name) if known else about_hex(self._board, self._name)
        return of_board(about)

    def passages(self, kind: str) -> frozenset[frozenset[int]]:
        """The pairs of neighbours, by their place in the order of the board, that a line of a kind joins in
        it, of those that are drawn."""
        self._step.note(questions.pair)
        found: frozenset[frozenset[int]] = self._step.mover_.edges.passages(self._name, kind)
        return found

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

    def in_zone(self, number: int) -> bool:
        """Whether it is in an enemy zone of control by the rule with that number, from 0."""
        return self._others(questions.zone, (self._part, number))

    def foes(self, needs: tuple[Requirement, ...] = (), *, beside: bool = False) -> bool:
        """Whether an enemy unit that meets ``needs``, whether or not it bars a hex, is in it, or beside
        it."""
        return self._others(questions.foes, (self._part, beside, needs))

    def friends_first(self, needs: tuple[Requirement, ...] = ()) -> bool:
        """Whether friendly units that meet ``needs`` are in it before the mover: those that stay there, or
        move along and go ahead of it."""
        return self._others(questions.friends, (self._part, needs))

    def _others(self, ask: Any, about: tuple[Any, ...]) -> bool:
        """Whether other units are there, as a question of :mod:`.questions` finds it: with what would decide
        it."""
        step = self._step
        step.note(ask, about)
        found = ask(step, about)
        if found.holds is not None:
            return bool(found.holds)
        return step.run.yes(("others", ask, self._name, *about), None, *found.facts)

    def enemies(self, **attributes: str) -> bool:
        """Whether an enemy unit with these attributes is in it."""
        zones, run = self._step.mover_.zones, self._step.run
        needs = tuple(Requirement(name, (value,)) for name, value in attributes.items())
        self._step.note(questions.enemies, (self._part, needs))
        found = self._step.mover_.enemies(self._name, needs)
        if found is not None:
            return bool(found)
        asked = zones.asked_in(self._name, needs).facts
        return run.yes(("enemies", self._name, needs), None, *asked)

    def enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy unit of which ``test`` holds is in it."""
        return self._near(test, False)

    def beside_enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy unit of which ``test`` holds is in a neighbouring hex."""
        return self._near(test, True)

    def _near(self, test: Callable[[Enemy], bool], beside: bool) -> bool:
        step = self._step
        step.note(questions.near, (self._part, beside, test))
        found = step.mover_.zones.who(self._name, beside, test)
        if found.holds is not None:
            return bool(found.holds)
        return step.run.yes(("near", self._name, beside, test), None, *found.facts)

    def locally(self, test: LocalTest) -> bool:
        """Whether a test holds of it and of the units in it and beside it."""
        found = self._locally(test)
        return self._step.run.yes(("locally", self._name, test), found.holds, *found.facts)

    def surely_locally(self, test: LocalTest) -> bool:
        """Whether a test certainly holds of it and of the units in it and beside it. It asks nothing."""
        return self._locally(test).holds is True

    def costs_locally(self, test: LocalTest) -> CostInterval:
        """What a test says that the units in it and beside it cost; from nothing, if it may say anything."""
        found = self._locally(test)
        if found.said is None:
            self._step.run.log.open += found.facts
            return ANYTHING._replace(barred=False, whole=False)
        cost = union_all(found.said)
        if not cost.is_exact:
            self._step.run.log.open += found.facts
        return cost

    def may_hold(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether a unit of which a test holds, or may, is in it, or may be. For what can be tried."""
        self._step.note(questions.may_hold, (self._part, test))
        return bool(self._step.mover_.zones.may_hold(self._name, test))

    def marked_with(self, words: tuple[str, ...]) -> bool:
        """Whether a marker with one of these words in its name lies in it. For what can be tried."""
        self._step.note(questions.marked_with, (self._part, words))
        return bool(self._step.mover_.zones.marked_with(self._name, words))

    def _locally(self, test: LocalTest) -> Found:
        self._step.note(questions.locally, (self._part, test))
        return self._step.mover_.zones.locally(self._name, test)  # type: ignore[no-any-return]

    @property
    def empty(self) -> bool:
        """Whether certainly nobody is in it but those who move along."""
        self._step.note(questions.empty, (self._part,))
        return bool(self._step.mover_.zones.is_empty(self._name))

    @property
    def clear(self) -> bool:
        """Whether nobody who may be an enemy is in it or beside it."""
        self._step.note(questions.clear, (self._part,))
        return bool(self._step.mover_.is_clear(self._name))

    def tally(self, work: Callable[[Enemy], int | None], where: str = "over") -> tuple[Bounds, ...]:
        """What ``work`` makes of each enemy that may be in it or beside it; "out of": of each that may be in
        it, for a hex beside it. None stands for any number."""
        self._step.note(questions.tally, (self._part, where, work))
        found: tuple[Bounds, ...] = self._step.mover_.zones.tally(self._name, where, work)
        return found

    def said(self, topic: str) -> Fact:
        """What the facts say of it during the move (``topic``: with {} for its name). Nothing is asked."""
        if not self._step.rules.hexes_told(topic):
            return UNKNOWN
        self._step.note(questions.said, (self._part, topic))
        found: Fact = self._step.mover_.said(self._name, topic)
        return found

    def tells(self, topic: str) -> bool:
        """Whether the facts tell anything of it under a topic, at any time."""
        hexes = self._step.rules.hexes_told(topic)
        if not hexes:
            return False
        self._step.note(questions.tells, (self._part, topic))
        return self._name in hexes

    def tally_apart(
        self, work: Callable[[Enemy], int | None], sides: tuple[str, ...]
    ) -> tuple[Bounds, ...]:
        """As :meth:`tally`, without the units of some sides."""
        self._step.run.log.private = True
        found: tuple[Bounds, ...] = self._step.mover_.zones.tally(self._name, "over", work, sides)
        return found

    def ask(self, topic: str, text: str, named: str = "condition {key}") -> Asking:
        """The question about it that a condition with that topic answers; {} stands for its name, and
        ``named`` for what a report calls it."""
        return later(self._asked, topic, text, named)

    def _asked(self, topic: str, text: str, named: str) -> MissingFact:
        self._step.note(questions.pair)
        key = topic.format(self._name)
        return Question(key, text.format(self._name)).unknown(named.format(self._name, key=key))

    def is_said(self, topic: str, text: str, named: str = "condition {key}") -> bool:
        """Whether something is so of it, by the facts; asked if they do not say."""
        fact = self.said(topic)
        if fact.must_be(True) or fact.must_be(False):
            return fact.must_be(True)
        asked = self.ask(topic, text, named)
        return self._step.run.yes(("said", topic, self._name), None, asked)

    def friends_who(self, test: Callable[[Enemy], bool], topic: str) -> tuple[bool, bool]:
        """Whether a friendly unit of which ``test`` holds and that does not move along is certainly in it,
        and whether one may be; where that is open, as the facts say at the first step (``topic``)."""
        step = self._step
        step.note(questions.friends_who, (self._part, test))
        surely, perhaps = step.mover_.friends_who(self._name, test)
        if perhaps and not surely:
            told = self._told_now(topic)
            surely, perhaps = told is True, told is not False
        return surely, perhaps

    def _told_now(self, topic: str) -> bool | None:
        """What the facts say of it at the first step of the move; None: nothing."""
        self._step.note(questions.told_now, (self._part, topic))
        found: bool | None = self._step.mover_.told_now(self._name, topic)
        return found

    def ask_now(self, topic: str, text: str, named: str = "") -> Asking:
        """As :meth:`ask`, at the first step of the move."""
        return later(self._asked_now, topic, text, named)

    def _asked_now(self, topic: str, text: str, named: str) -> MissingFact:
        step, key = self._step, topic.format(self._name)
        step.run.log.private = True
        asked = Question(key, text.format(self._name), "", _first(step))
        return asked.unknown(named.format(key=key))

    def anything(self, least: int = 0) -> CostInterval:
        """The cost of entering it, of which nothing is known: any, from ``least`` MPs on."""
        self._step.run.log.open.append(later(self._missing))
        return ANYTHING._replace(lo=least * self._step.rules.scale, whole=False)

    def friends(self) -> bool:
        """Whether a friendly unit that does not move along is in it."""
        return self._others(questions.stays, (self._part,))

    def may_be_joined(self) -> bool:
        """Whether friendly units may have moved along into it, or waited in it to move on together."""
        self._step.note(questions.may_be_joined, (self._part,))
        return bool(self._step.mover_.zones.may_be_joined(self._name))

    def told_now(self, topic: str, text: str, unless: str) -> bool:
        """What the facts say of it at the first step of the move; {} stands for its name. If they say
        nothing: no if the reading ``unless`` is settled as no; while that is open, it is asked for first."""
        told = self._told_now(topic)
        step = self._step
        asked = Question(topic.format(self._name), text.format(self._name), "", _first(step))
        if told is None and not step.reading(unless):
            return False
        return step.run.yes(("told now", topic, self._name), told, asked.unknown)

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
        about = self._part, kinds
        self._step.note(questions.perhaps_on_lines, about)
        return bool(questions.perhaps_on_lines(self._step, about))

    def has_line_of(self, kind: str) -> bool:
        """Whether a line of a kind leads through it, or may. It asks nothing."""
        about = self._part, kind
        self._step.note(questions.may_have_line_of, about)
        return bool(questions.may_have_line_of(self._step, about))

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

    def lies(self, kind: str) -> bool:
        """Whether something of a kind lies in it while the unit moves."""
        step, board = self._step, self._board
        objects = step.rules.objects
        if not objects.any:
            return False
        if objects.drawn_alone and not step.rules.clearers:
            self.note_terrain()  # then that decides
        else:
            step.note(questions.ever_lies, self._part)
            if self._name not in objects.ever:
                return False
            step.note(questions.lies, (self._part, kind))
        found = step.mover_.lies(self._name, kind)
        if found is not None:
            return bool(found)
        drawn = board.has(self._name, (kind,)) is None
        asked = self.missing if drawn else lies_question(kind, self._name).unknown
        return step.run.yes(("lies", self._name, kind), None, asked)

    @property
    def name(self) -> str:
        """Its name, for the state of a mover."""
        self._step.note(questions.pair)
        return self._name

    def held_beside(self, test: Callable[[Enemy], bool], besides: Container[str] = ()) -> Bounds:
        """In how many hexes beside it there are enemies of which ``test`` holds; those ``besides`` do not
        count."""
        self._step.run.log.private = True
        found: Bounds = self._step.mover_.zones.held_beside(self._name, test, besides)
        return found

    def left_after_a_roll(self, test: Callable[[Enemy], bool]) -> tuple[bool, bool]:
        """See :meth:`.enemies.EnemyZones.left_after_a_roll`."""
        self._step.run.log.private = True
        found: tuple[bool, bool] = self._step.mover_.zones.left_after_a_roll(self._name, test)
        return found

    def said_in_phase(self, topic: str) -> Fact:
        """What the facts say of it during the move, if they say it of this phase; UNKNOWN: nothing is said.
        Where it held already when the phase began, it may be of an earlier one: both answers are open."""
        step, fact = self._step, self.said(topic)
        if fact == UNKNOWN:
            return fact
        step.run.log.private = True
        history, key = step.rules.history, topic.format(self._name)
        of_now = history.said_of_now(key, history.first_event(_first(step)))
        return fact if of_now or not fact.must_be(True) else one_of(True, False)

    def perhaps_enemies_who(self, test: Callable[[Enemy], bool]) -> bool:
        """Whether an enemy of which ``test`` holds is in it, or may be. For the state of a mover: it asks
        nothing."""
        self._step.note(questions.near, (self._part, False, test))
        return self._step.mover_.zones.who(self._name, False, test).holds is not False

    def surely_enemies(self) -> bool:
        """Whether it is certain that enemies are in it, for what the log can only show if they are."""
        self._step.note(questions.enemies, (self._part, ()))
        return self._step.mover_.enemies(self._name, ()) is True


def _first(step: Step) -> StepRef:
    """The first step of the mover's move."""
    found: StepRef = step.mover_.facts.move.steps[0]
    return found
