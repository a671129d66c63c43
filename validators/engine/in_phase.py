"""A unit in the phase of its move: the active side, where the unit began the phase, and which units were
there; and the places where a move begins or ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...model.fact import Fact, MissingFact
from ...model.game import Place, StepRef
from ...model.stanza import BLANK, stanza
from ..checks import form_unknown, phase_unknown
from ..concepts import sides
from ..concepts.lines import about_lines_in
from ..concepts.missing_facts import of_active
from ..concepts.sides import of_unclear_place
from ..displacement_screening import FORM_USED
from ..ruleset import Circumstances
from ..search import watch
from . import mover_questions as questions
from .asking import Bounds, Run, later
from .board_view import BoardView
from .enemies import EnemyZones
from .other_unit import OtherUnit
from .questions import of_board
from .reach import is_spent

if TYPE_CHECKING:
    from ...model.finding import Move
    from .locality import LocalTest
    from .mover_facts import MoverFacts
    from .other_unit import Test
    from .rules import Rules


class InPhase(OtherUnit):
    """A unit in the phase of its move."""

    def __init__(self, run: Run, rules: Rules, mover: MoverFacts) -> None:
        self.run, self.rules, self._mover = run, rules, mover
        self._unit, self._index = mover.unit, next(iter(mover.drags), 0)

    @property
    def known(self) -> Mapping[str, Fact]:
        """Its facts, completed."""
        return questions.Noted(self.run.log, self._mover.known)

    @property
    def phase(self) -> str:
        """The kind of phase."""
        return str(self.known["kind"].value)

    @property
    def move(self) -> Move:
        self.run.log.private = True
        return self._mover.move

    @property
    def board(self) -> BoardView:
        """The board during its move."""
        return BoardView(self._circumstances.situation.game.board)

    @property
    def _circumstances(self) -> Circumstances:
        self.run.log.private = self.run.log.dynamic = True
        return self._mover.circumstances

    @property
    def mover(self) -> MoverFacts:
        self.run.log.private = self.run.log.dynamic = self.run.log.bare = True
        return self._mover

    @property
    def _zones(self) -> Any:
        """The enemies of its side."""
        self.run.log.private = self.run.log.dynamic = True
        return self._mover.zones

    @property
    def origin(self) -> Spot:
        """Where the move begins."""
        return Spot(self.mover, self.move.origin)

    @property
    def target(self) -> Spot:
        """Where the move ends."""
        return Spot(self.mover, self.move.target)

    def moves_with(self, *relations: str) -> bool:
        """Whether the active side is in one of ``relations`` (friend, enemy) to the unit's side."""
        moment, unit, game = self._circumstances.situation, self._unit, self.rules.game
        active = moment.phase.active
        asked: tuple[MissingFact, ...] = ()
        holds: bool | None = None
        if active not in game.sides:
            asked = (of_active(self.rules.history.timeline, moment.at),)
        else:
            found = game.relation(active, unit.side)
            holds = None if found is None else found in relations
            asked = tuple(sides.missing(game, active, unit)) if holds is None else ()
        return self.run.yes(("moves with", relations), holds, *asked)

    def surely_phasing(self) -> bool:
        """Whether it is certainly of the active side, or of a friend's."""
        active = self._circumstances.situation.phase.active
        friend = sides.is_friend(self.rules.game, active, self._unit.side)
        return bool(active) and friend is True

    @property
    def phase_name(self) -> str:
        """The name of the phase."""
        self.run.log.private = True
        return self._circumstances.situation.phase.phase or "?"

    def is_spent(self, without: str) -> bool:
        """Whether its allowance is certainly too small to move further from the end of its move, even after
        the cheapest path there. ``without``: the clause that calls this, which does not count."""
        self.run.log.private = True
        return is_spent(self.mover.mover, without)

    def kind_is_told(self) -> bool:
        """Whether the tables or the facts give the kind of the phase; if not, a run assumes the answer."""
        name = self.phase_name
        holds = True if name in self.rules.phase_kinds else None
        return self.run.yes("kind told", holds, later(self.rules.kind_of_phase, name))

    @property
    def active(self) -> str:
        """The side whose phase it is."""
        return self._circumstances.situation.phase.active or "?"

    def surely_begun(self) -> bool:
        """Whether the phase certainly belongs to the side that the log names: it is declared, or a unit of
        that side was displaced in it before."""
        situation, game = self._circumstances.situation, self.rules.game
        start = self.history.timeline.phase_start(situation.at)
        if start is not None and start.declared:
            return True
        before = (e for e in self.history.around(self.move) if e.at < self.move.steps[0])
        sides_ = (game.units[e.unit].side for e in before if e.unit in game.units)
        active = situation.phase.active
        return any(sides.is_friend(game, active, side) for side in sides_)

    def undecided_active(self, text: str) -> bool:
        """The answer assumed in this run for something that only the question ``text``, whose phase it is,
        decides."""
        at = self.move.steps[0] if self.mover.has_move else self._circumstances.situation.at
        asked = replace(phase_unknown(self.history.timeline, at), key="active side", question=text)
        return self.undecided("active", (asked,))

    def was_no_movement(self, key: str, text: str) -> bool:
        """Whether the displacement was not movement; a run assumes the answer unless the facts name its form.
        {} stands for the unit's id in ``key``, for its name in ``text``."""
        unit, move, situation = self._unit, self.move, self._circumstances.situation
        if situation.condition(FORM_USED, unit.id).is_known:
            return False
        asked = form_unknown(unit.id, unit.name, move.steps[0], move.steps[-1], ())
        asked = replace(asked, key=key.format(unit.id), question=text.format(unit.name))
        return self.undecided(("no movement", key), (asked,))

    def changed_in_phase(self, about: str) -> bool:
        """Whether an attribute was changed in the phase before the move."""
        first = self.history.first_event(self.move.steps[0])
        return len(self.history.since_opening(self._unit.id, about, first)) > 1

    def began_beside(self, test: Test) -> bool:
        """Whether it was next to an enemy for which a test holds when the phase began."""
        history, rules, unit = self.history, self.rules, self._unit
        opening = history.opening(history.first_event(self.move.steps[0]))
        table = rules.table_at(opening)
        name = table.where(unit.id).hex
        if name is None:
            return False
        watch((name,))
        then = Circumstances(table, (unit.id,), move=self.move)
        found = EnemyZones(then, rules, unit.side).who(name, True, test)
        return self.run.yes(("began beside", test), found.holds, *found.facts)

    @property
    def began_in_a_hex(self) -> bool:
        """Whether its move begins in a hex."""
        return self.move.origin.hex is not None

    @property
    def began_the_phase_here(self) -> bool:
        """Whether its move begins in the hex where it began the phase."""
        first = self.history.first_event(self.move.steps[0])
        began = self.history.began_phase_at(self._unit.id, first) or self.move.origin
        return self.began_in_a_hex and began == self.move.origin

    def origin_on_line(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of one of these kinds leads through the hex where its move begins."""
        name = self.move.origin.name
        drawn = self.rules.lines_in(name)
        holds = True if any(kind in drawn for kind in kinds) else None
        if holds is None and not self.origin.on_line_perhaps(kinds):
            holds = False
        asked = later(of_board, about_lines_in(self.rules.game.board, name))
        return self.run.yes(("origin on line", kinds), holds, asked)

    def crowd(self, work: Any) -> Bounds:
        """The sum of ``work`` over all friends in the hex where its move begins, with those that move
        along."""
        return self.mover.mover.zones.crowd(self.move.origin.name, work)  # type: ignore[no-any-return]

    def told_of_unit(self, topic: str, text: str, named: str) -> bool:
        """The fact about it, for any time; {} stands for its name, in ``named`` for its id."""
        unit = self._unit
        return self.told(topic, text.format(unit.name), unit, None, named.format(unit.id))

    def told_of_origin(self, topic: str, text: str, named: str) -> bool:
        """The fact about the hex where its move begins, at that time; {} stands for the hex's name."""
        name, at = self.move.origin.name, self._circumstances.situation.at
        return self.told(topic.format(name), text.format(name), None, at, named.format(name))

    def is_exactly(self, about: str, number: Fraction) -> bool:
        """Whether the attribute ``about`` is exactly ``number``."""
        fact = self.fact(about)
        holds = True if fact.low == fact.high == number else None
        if (fact.low is not None and fact.low > number) or (
            fact.high is not None and fact.high < number
        ):
            holds = False
        if fact.options is not None and not fact.may_be(number):
            holds = False
        return self.run.yes(("exactly", about, number), holds, self.asked(about))

    def may_be_phasing(self) -> bool:
        """Whether it may be of the active side, or of a friend's."""
        active = self._circumstances.situation.phase.active
        return sides.is_friend(self.rules.game, active, self._unit.side) is not False

    def may_follow_the_other_side(self) -> bool:
        """Whether the previous phases may belong to the other side."""
        kinds = self.rules.phase_kinds
        first = next(iter(self.tables["phases"]))
        moves = {name: kind == first for name, kind in kinds.items()}
        return self.history.may_follow_the_other_side(self.move.steps[0], moves.get)

    def undecided_from(self, key: str, words: str, at: StepRef, named: str = "") -> bool:
        """The answer assumed in this run for something that a fact about the unit from a step on would
        decide. ``words``: the question, with {} for the unit's name; ``named``: the fact's name in
        reports."""
        unit = self._unit
        self.run.log.private = True
        written = stanza(
            "[[condition]]", {"key": key, "unit": unit.id, "first": str(at), "value": BLANK}
        )
        name = named or f"condition {key}"
        asked = MissingFact(name, words.format(unit.name), "facts.toml", written)
        return self.run.yes(("undecided from", name, at), None, asked)

    def told_now(self, topic: str, text: str, named: str = "") -> bool:
        """The fact about it at the first step of the move; {} stands for its name. ``named``: the fact's name
        in reports, with {} for the unit's id."""
        unit, at = self._unit, self.move.steps[0]
        return self.told(topic, text.format(unit.name), unit, at, named.format(unit.id))

    def begins_where(self, test: LocalTest) -> bool:
        """Whether a test of the hex in which the move begins, and of the units in it and beside it, holds."""
        name, zones = self.move.origin.hex, self.mover.mover.zones
        if name is None:
            return False
        found = zones.locally(name, test)
        return self.run.yes(("begins", test), found.holds, *found.facts)

    def may_be_beset(self) -> bool:
        """Whether units that are not certainly friends may be where the move begins, or beside it, or in a
        place that is not known."""
        situation, here, game = self._circumstances.situation, self.move.origin.hex, self.rules.game
        if here is None:
            return False
        near = (here, *situation.game.board.neighbours(here))
        others = [unit for name in near for unit in situation.possibly_in(name)]
        others += of_unclear_place(situation)
        side = self._unit.side
        return any(sides.is_friend(game, side, game.units[u].side) is not True for u in others)

    def may_have_met_enemies(self) -> bool:
        """Whether enemies may be where it was placed, or one may have left a hex in the phase: it may have
        been lost or put back before or after the unit was dragged further."""
        zones, places = self._zones, self.move.waypoints[1:]
        if any(zones.enemies(place.name) for place in places if place.kind == "hex"):
            return True
        gone = (e.unit for e in self.history.around(self.move) if e.origin.kind == "hex")
        return any(map(self._may_be_enemy, gone))

    def may_have_been_attacked(self) -> bool:
        """Whether enemies that may have forced it back were next to it or in its hex, or came there in the
        phase. A unit of the moving side is forced back only from a stop where it was seen next to them."""
        situation, move, rules = self._circumstances.situation, self.move, self.rules
        phasing = rules.is_phasing(situation.phase.active, self._unit.side, self.phase)
        stood = [] if phasing else [move.origin]
        if phasing is not False:
            seen = zip(move.waypoints[1:-1], move.binding[1:-1], strict=True)
            stood += [place for place, bound in seen if bound]
        near = {place.name for place in stood if place.kind == "hex"}
        near.update([n for name in near for n in situation.game.board.neighbours(name)])
        others = [unit for name in near for unit in situation.possibly_in(name)]
        others += [e.unit for e in self.history.around(move) if e.target.name in near]
        return any(map(self._may_be_enemy, others))

    def _may_be_enemy(self, unit: str) -> bool:
        other = self.rules.game.units[unit]
        enemy = sides.is_enemy(self.rules.game, self._unit.side, other.side)
        return other.kind == "unit" and enemy is not False

    def may_have_begun(self, kind: str, after: int, until: int) -> bool:
        """Whether a phase that may be of a kind, and of its side, began between two events."""
        history, game = self.history, self.rules.game
        return any(
            after < start.first < until
            and history.perhaps(start, self.rules.phase_kinds, kind)
            and (
                start.event.active is None
                or not start.event.certain
                or sides.is_friend(game, start.event.active, self._unit.side) is not False
            )
            for start in history.starts
        )


class Spot:
    """A place of a move. No method ends a run: each says what is certain or what may be."""

    def __init__(self, facts: MoverFacts, place: Place) -> None:
        self._facts, self._place = facts, place

    @property
    def hex(self) -> str:
        """Its name, if it is a hex; else empty."""
        return self._place.hex or ""

    def surely_held(self, test: Test) -> bool:
        """Whether an enemy for which ``test`` holds is certainly in it."""
        return self._held(self.hex, test) is True

    def perhaps_held(self, test: Test) -> bool:
        """Whether an enemy for which ``test`` holds is, or may be, in it."""
        return self._held(self.hex, test) is not False

    def surely_beside(self, test: Test) -> bool:
        """Whether an enemy for which ``test`` holds is certainly in a hex beside it."""
        return any(self._held(name, test) is True for name in self.beside)

    def perhaps_beside(self, test: Test) -> bool:
        """Whether an enemy for which ``test`` holds is, or may be, in a hex beside it."""
        return any(self._held(name, test) is not False for name in self.beside)

    def _held(self, name: str, test: Test) -> Any:
        return bool(name) and self._facts.zones.who(name, False, test).holds

    def on_line_perhaps(self, kinds: tuple[str, ...]) -> bool:
        """Whether a line of one of ``kinds`` leads, or may lead, through it. If the chart of roads is not
        complete, a line that no rule names may be of such a kind."""
        rules, name = self._facts.rules, self.hex
        board = rules.game.board
        if not name:
            return True
        maybe = board.lines_maybe_in(name)
        drawn = rules.lines_in(name)
        strange = not rules.complete.has("roads") and any(k not in rules.line_names for k in drawn)
        return strange or any(kind in drawn or maybe is None or kind in maybe for kind in kinds)

    @property
    def beside(self) -> tuple[str, ...]:
        """The hexes beside it; none if it is not a hex."""
        board = self._facts.circumstances.situation.game.board
        return tuple(board.neighbours(self.hex)) if self.hex in board.hexes else ()

    def line_perhaps(self, word: str, chart: str) -> bool:
        """Whether a line with ``word`` in its name leads, or may lead, to it. ``chart``: the list of
        lines."""
        rules, name = self._facts.rules, self._place.name
        board = rules.game.board
        if name not in board.hexes:
            return False
        maybe = board.lines_maybe_in(name)
        if maybe is None:
            if not rules.complete.has(chart):
                return True
            maybe = frozenset(rules.charts[chart])
        return any(word in kind.lower() for kind in (*rules.lines_in(name), *maybe))

    def words_perhaps(self, about: str, unknown: tuple[str, ...]) -> set[str]:
        """The names of the terrains and features that it has or may have, and the values of an attribute of
        the units that may be in it. ``unknown``: the possible values of an unknown attribute, except the
        mover's."""
        situation, name = self._facts.circumstances.situation, self._place.name
        board, found = situation.game.board, list[str]()
        if name in board.hexes:
            here, maybe = board.hexes[name], board.maybe_in(name)
            found += [*(here.terrain or ()), *here.features, *(unknown if maybe is None else maybe)]
        for unit in situation.possibly_in(name):
            moves = unit in self._facts.circumstances.moving
            options = situation.fact(unit, about).options
            found += map(str, options or (() if moves else unknown))
        return {word.lower() for word in found}

    @property
    def surely_enemies(self) -> bool:
        """Whether enemies are certainly in it."""
        return any(sure for _, sure in self._facts.zones.enemies(self._place.name))
