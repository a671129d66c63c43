"""The questions that a clause can read about a step. Results of clauses are cached by the answers.

Each question is a function of the step and an argument. A hex is named by its part in the step: 0 is the
hex entered, 1 the hex left, 2 and more the neighbours of the hex left, in the order of the board, and from
:data:`FLANK` on the hexes beside both.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
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
"""The first part of the hexes beside both the hex entered and the hex left."""
HERE = -1
"""The place of an action in the hex itself; the places of its neighbours are 0 and more."""


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
    """(the kind of a hex, whether it is the one entered): hexes with the same answer have the same
    unknowns."""
    name = step.name(place)
    return step.mover_.edges.edge(name, name)[0], name == step.to_


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
    return step.mover_.fact_key(about)


def one_of(step: Step, about: tuple[str, tuple[str, ...]]) -> Any:
    return step.mover_.is_one_of(*about)


def which_terrain(step: Step, place: int) -> Any:
    return step.rules.kind_of_hex(step.name(place))


def ever_lies(step: Step, place: int) -> Any:
    return step.name(place) in step.rules.objects.ever


def flanks(step: Step, _: None) -> Any:
    return len(step.mover_.edges.flanks(step.from_, step.to_))


def form(step: Step, _: None) -> Any:
    return step.mover_.facts.form, step.mover_.facts.taken_as


def by(step: Step, _: None) -> Any:
    return step.by_


def of_mover(step: Step, about: str) -> Any:
    return step.mover_.own(about, step.from_)


def is_target(step: Step, place: int) -> Any:
    return step.mover_.facts.move.target.name == step.name(place)


def own_at(mover: ClauseMover, about: tuple[Any, Any, str]) -> Any:
    """The answer to a question about the mover itself, without a step. ``about``: the question, its argument,
    and the hex left."""
    ask, of, here = about
    if ask is is_target:
        return mover.facts.move.target.name == of
    if ask is fact:
        return mover.fact_key(of)
    if ask is one_of:
        return mover.is_one_of(*of)
    if ask is form:
        return mover.facts.form, mover.facts.taken_as
    return mover.own(of, here)


AT: dict[Any, Any] = {}
"""Question about a hex by its part in a step → the same question to a mover by the hex's name, for cached
results about all steps out of a hex."""


def of_hex(name: str) -> Any:
    """The question about a hex that the method ``name`` of a mover answers."""
    method = attrgetter(name)

    def ask(step: Step, about: tuple[Any, ...]) -> Any:
        return method(step.mover_)(step.name(about[0]), *about[1:])

    def at(mover: ClauseMover, about: tuple[Any, ...]) -> Any:
        return method(mover)(*about)

    AT[ask] = at
    return ask


enemies = of_hex("presence")
near = of_hex("near_presence")
foes = of_hex("zones.foes")
zone = of_hex("zones.zone")
tally = of_hex("zones.tally_number")
friends = of_hex("friends_first")
friends_who = of_hex("zones.friends_who")
stays = of_hex("zones.stays")
may_be_joined = of_hex("zones.may_be_joined")
told_now = of_hex("told_now")
named = of_hex("named")
said = of_hex("said_key")
tells = of_hex("tells")
clear = of_hex("is_clear")
lies = of_hex("lies")
locally = of_hex("zones.locally")
empty = of_hex("zones.is_empty")
may_hold = of_hex("zones.may_hold")
marked_with = of_hex("zones.marked_with")

OF_ONE_EDGE = frozenset(
    (pair, flanks, which_terrain, ever_lies, joined, perhaps_on_lines, may_have_line_of)
)
"""Questions whose answers differ between edges of one kind."""
OF_STATES = frozenset((tag, after))
OF_BOARD = frozenset((hex_kind, side_kind))
"""Questions about a hex or hexside that have the same answer for all of one kind."""
OF_ONE_KIND = frozenset(
    (
        (by, None),
        (side_kind, None),
        (drawn, None),
        (maybe_drawn, None),
        (hex_kind, INTO),
        (hex_kind, OUT_OF),
    )
)
"""Questions whose answers follow from the way over an edge and its kind."""
OF_ENEMIES = frozenset((enemies, near, foes, zone, tally))
OF_ONE_MOVER = frozenset((*AT, of_mover, is_target, fact, one_of, form))
"""Questions whose answers differ between movers on the same step in the same state."""
