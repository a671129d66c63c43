"""What a clause can ask about a step. Results of clauses are kept under the answers.

Each question is a function of the step and an argument. A hex is named by its part in the step: 0 is the
hex entered, 1 the hex left, 2 and more the neighbours of the hex left, in the order of the board, and from
:data:`FLANK` on the hexes beside both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...model.board import edge
from ...model.fact import MissingFact
from ..concepts import missing_facts

if TYPE_CHECKING:
    from .edges import Edges
    from .mover import ClauseMover
    from .step import Step

Question = tuple[Any, Any]
"""A function of this file and its argument."""
INTO, OUT_OF, AROUND = 0, 1, 2
FLANK = 100
"""From here on: the hexes beside both the hex entered and the hex left."""
HERE = -1
"""The place of an action in the hex itself, as against those of its neighbours: 0 and more."""


def part_of(edges: Edges, here: str, to: str, part: int) -> str:
    """The name of a hex by its part in the step from ``here`` to ``to``."""
    if part in (INTO, OUT_OF):
        return to if part == INTO else here
    return str(
        edges.near(here)[part - AROUND] if part < FLANK else edges.flanks(here, to)[part - FLANK]
    )


@lru_cache(maxsize=4096)
def of_board(about: tuple[str, ...]) -> MissingFact:
    """The question about something on the board (:func:`..concepts.missing_facts.of_board`)."""
    return missing_facts.of_board(about, "")


def side_kind(step: Step, _: None) -> Any:
    return step.mover_.edges.side(step.from_, step.to_)


def hex_kind(step: Step, place: int) -> Any:
    name = step.name(place)
    return step.mover_.edges.edge(name, name)[0]


def drawn(step: Step, _: None) -> Any:
    return step.mover_.board.sides.get(edge(step.from_, step.to_), ())


def maybe_drawn(step: Step, _: None) -> Any:
    return step.mover_.board.maybe_on(edge(step.from_, step.to_))


def way(step: Step, _: None) -> Any:
    return step.mover_.edges.edge(step.from_, step.to_)[1]


def pair(step: Step, _: None) -> Any:
    return step.mover_.edges.place(step.from_), step.to_


def joined(step: Step, kinds: tuple[str, ...]) -> Any:
    return step.mover_.edges.networks(kinds).one(step.from_, step.to_)


def perhaps_on_lines(step: Step, about: tuple[int, tuple[str, ...]]) -> Any:
    return step.name(about[0]) in step.mover_.edges.networks(about[1]).possible


def may_have_line_of(step: Step, about: tuple[int, str]) -> Any:
    return step.name(about[0]) in step.mover_.edges.networks(about[1:]).through(about[1])


def enters(step: Step, _: None) -> Any:
    return step.from_ != step.to_


def ways(step: Step, _: None) -> Any:
    return step.mover_.edges.ways(step.from_)


def tag(step: Step, about: str) -> Any:
    return getattr(step.tag_, about) if about else step.tag_


def after(step: Step, about: str) -> Any:
    return getattr(step.after_, about) if about else step.after_


def before(step: Step, _: None) -> Any:
    return tuple(step.before_.items())


def fact(step: Step, about: str) -> Any:
    return step.mover_.facts.known.get(about)


def one_of(step: Step, about: tuple[str, tuple[str, ...]]) -> Any:
    return step.mover_.is_one_of(*about)


def which_terrain(step: Step, place: int) -> Any:
    return step.rules.kind_of_hex(step.name(place))


def enemies(step: Step, about: tuple[int, tuple[Any, ...]]) -> Any:
    return step.mover_.presence(step.name(about[0]), about[1])


def near(step: Step, about: tuple[int, bool, Any]) -> Any:
    return step.mover_.near_presence(step.name(about[0]), about[1], about[2])


def lies(step: Step, about: tuple[int, str]) -> Any:
    return step.mover_.lies(step.name(about[0]), about[1])


def ever_lies(step: Step, place: int) -> Any:
    return step.name(place) in step.rules.objects.ever


def foes(step: Step, about: tuple[int, bool, tuple[Any, ...]]) -> Any:
    return step.mover_.zones.foes(step.name(about[0]), about[1], about[2])


def zone(step: Step, about: tuple[int, int]) -> Any:
    return step.mover_.zones.zone(step.name(about[0]), about[1])


def friends(step: Step, about: tuple[int, tuple[Any, ...]]) -> Any:
    facts = step.mover_.facts
    move = facts.move if facts.has_move else None
    return step.mover_.zones.friends(step.name(about[0]), about[1], facts.unit, move)


def clear(step: Step, about: tuple[int]) -> Any:
    return step.mover_.is_clear(step.name(about[0]))


def tally(step: Step, about: tuple[int, str, Any]) -> Any:
    return step.mover_.tally(step.name(about[0]), about[1], about[2])


def locally(step: Step, about: tuple[int, Any]) -> Any:
    return step.mover_.zones.locally(step.name(about[0]), about[1])


def may_hold(step: Step, about: tuple[int, Any]) -> Any:
    return step.mover_.zones.may_hold(step.name(about[0]), about[1])


def marked_with(step: Step, about: tuple[int, tuple[str, ...]]) -> Any:
    return step.mover_.zones.marked_with(step.name(about[0]), about[1])


def empty(step: Step, about: tuple[int]) -> Any:
    return step.mover_.zones.is_empty(step.name(about[0]))


def flanks(step: Step, _: None) -> Any:
    return len(step.mover_.edges.flanks(step.from_, step.to_))


def said(step: Step, about: tuple[int, str]) -> Any:
    fact = step.mover_.said(step.name(about[0]), about[1])
    return fact.options, fact.lo, fact.hi


def tells(step: Step, about: tuple[int, str]) -> Any:
    return step.name(about[0]) in step.rules.hexes_told(about[1])


def friends_who(step: Step, about: tuple[int, Any]) -> Any:
    return step.mover_.friends_who(step.name(about[0]), about[1])


def stays(step: Step, about: tuple[int]) -> Any:
    return step.mover_.zones.stays(step.name(about[0]))


def may_be_joined(step: Step, about: tuple[int]) -> Any:
    return step.mover_.zones.may_be_joined(step.name(about[0]))


def told_now(step: Step, about: tuple[int, str]) -> Any:
    return step.mover_.told_now(about[1].format(step.name(about[0])))


def named(step: Step, about: tuple[int, str]) -> Any:
    return step.mover_.named(about[1], step.name(about[0]))


def form(step: Step, _: None) -> Any:
    return step.mover_.facts.form, step.mover_.facts.taken_as


def by(step: Step, _: None) -> Any:
    return step.by_


def of_mover(step: Step, about: str) -> Any:
    return step.mover_.own(about, step.from_)


def is_target(step: Step, place: int) -> Any:
    return step.mover_.facts.move.target.name == step.name(place)


OF_ONE_EDGE = frozenset(
    (pair, flanks, which_terrain, ever_lies, joined, perhaps_on_lines, may_have_line_of)
)
"""Questions whose answers differ between edges of one kind."""
OF_STATES = frozenset((tag, after))
OF_BOARD = frozenset((hex_kind, side_kind))
"""Questions what is in a hex, or between two, that all of one kind answer alike."""
OF_ENEMIES = frozenset((enemies, near, foes, zone, tally))


# -- the same questions about a mover alone, for what is kept of all steps out of a hex


def enemies_at(mover: ClauseMover, about: tuple[str, tuple[Any, ...]]) -> Any:
    return mover.presence(*about)


def own_at(mover: ClauseMover, about: tuple[Any, Any, str]) -> Any:
    ask, of, here = about
    if ask is is_target:
        return mover.facts.move.target.name == of
    if ask is fact:
        return mover.facts.known.get(of)
    if ask is one_of:
        return mover.is_one_of(*of)
    if ask is form:
        return mover.facts.form, mover.facts.taken_as
    return mover.own(of, here)


def lies_at(mover: ClauseMover, about: tuple[str, str]) -> Any:
    return mover.lies(*about)


def near_at(mover: ClauseMover, about: tuple[str, bool, Any]) -> Any:
    return mover.near_presence(*about)


def foes_at(mover: ClauseMover, about: tuple[str, bool, tuple[Any, ...]]) -> Any:
    return mover.zones.foes(*about)


def zone_at(mover: ClauseMover, about: tuple[str, int]) -> Any:
    return mover.zones.zone(*about)


def clear_at(mover: ClauseMover, about: tuple[str]) -> Any:
    return mover.is_clear(*about)


def friends_at(mover: ClauseMover, about: tuple[str, tuple[Any, ...]]) -> Any:
    move = mover.facts.move if mover.facts.has_move else None
    return mover.zones.friends(*about, mover.facts.unit, move)


def tally_at(mover: ClauseMover, about: tuple[str, str, Any]) -> Any:
    return mover.tally(*about)


def locally_at(mover: ClauseMover, about: tuple[str, Any]) -> Any:
    return mover.zones.locally(*about)


def may_hold_at(mover: ClauseMover, about: tuple[str, Any]) -> Any:
    return mover.zones.may_hold(*about)


def marked_with_at(mover: ClauseMover, about: tuple[str, tuple[str, ...]]) -> Any:
    return mover.zones.marked_with(*about)


def empty_at(mover: ClauseMover, about: tuple[str]) -> Any:
    return mover.zones.is_empty(*about)


def said_at(mover: ClauseMover, about: tuple[str, str]) -> Any:
    fact = mover.said(*about)
    return fact.options, fact.lo, fact.hi


def tells_at(mover: ClauseMover, about: tuple[str, str]) -> Any:
    return about[0] in mover.rules.hexes_told(about[1])


def friends_who_at(mover: ClauseMover, about: tuple[str, Any]) -> Any:
    return mover.friends_who(*about)


def stays_at(mover: ClauseMover, about: tuple[str]) -> Any:
    return mover.zones.stays(*about)


def may_be_joined_at(mover: ClauseMover, about: tuple[str]) -> Any:
    return mover.zones.may_be_joined(*about)


def told_now_at(mover: ClauseMover, about: tuple[str, str]) -> Any:
    return mover.told_now(about[1].format(about[0]))


def named_at(mover: ClauseMover, about: tuple[str, str]) -> Any:
    return mover.named(about[1], about[0])


AT: dict[Any, Any] = {
    enemies: enemies_at,
    near: near_at,
    foes: foes_at,
    zone: zone_at,
    tally: tally_at,
    said: said_at,
    tells: tells_at,
    friends: friends_at,
    friends_who: friends_who_at,
    stays: stays_at,
    may_be_joined: may_be_joined_at,
    told_now: told_now_at,
    named: named_at,
    clear: clear_at,
    lies: lies_at,
    locally: locally_at,
    empty: empty_at,
    may_hold: may_hold_at,
    marked_with: marked_with_at,
}
"""Each question about other units or a hex by its part in a step, and the same one by its name."""
OF_ONE_MOVER = frozenset((*AT, of_mover, is_target, fact, one_of, form))
"""Questions whose answers differ from mover to mover on the same step in the same state."""
