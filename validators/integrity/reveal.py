"""Hidden movement: the true places of concealed units, compared with what other players saw and were told."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from ...model.entities import resolved
from ...model.finding import Audit
from ...model.game import Displacement, Game, Place, StepRef
from ...model.reveal import Announced, Concealed, Revealed
from ...model.table import Piece, Step, TableHistory
from ...model.viewer import DIRECTOR, Viewer
from ...model.visibility import name_of
from .following import numbered

_LONGEST_LINE = 2_000
"""The most characters of a chat line that is read as an announcement."""

_State = tuple[Literal["hidden", "masked"], tuple[str, ...], str]


def revealed(history: TableHistory, game: Game, audited: Audit) -> Revealed:
    """The units concealed in ``history``, and the chat lines that gave wrong places for them. The result has
    all secrets: only for those who may know everything. ``audited``: the whole audit of ``game``."""
    places = _Places(game)
    watch = _Watch(game, places)
    concealed = sorted(_stretches(history, watch), key=lambda one: (one.first, one.name))
    told = [replace(one, moves=_moves_of(one, audited)) for one in concealed]
    return Revealed(tuple(told), tuple(_announced(history, game, told, watch.called, places)))


class _Places:
    """Where each unit of a game was at any step."""

    def __init__(self, game: Game) -> None:
        self._course: dict[str, list[tuple[StepRef, Place]]] = {
            unit: [(StepRef(0, 0), place)] for unit, place in game.opening.items()
        }
        for event in game.events:
            if isinstance(event, Displacement):
                self._course.setdefault(event.unit, []).append((event.at, event.target))

    def after(self, unit: str, at: StepRef) -> str:
        """A unit's place after a step; empty if it was out of the game."""
        course = self._course.get(unit, [])
        found = bisect_right(course, at, key=lambda one: one[0])
        return _named(course[found - 1][1]) if found else ""

    def before(self, unit: str, at: StepRef) -> str:
        """A unit's place before a step; empty if it was out of the game."""
        course = self._course.get(unit, [])
        found = bisect_left(course, at, key=lambda one: one[0])
        return _named(course[found - 1][1]) if found else ""

    def between(
        self, unit: str, first: StepRef, last: StepRef | None
    ) -> Iterator[tuple[StepRef, str]]:
        """A unit's place after step ``first``, then each new place up to step ``last`` (None: the end)."""
        before = self.after(unit, first)
        yield first, before
        for at, place in self._course.get(unit, []):
            if at > first and (last is None or at <= last) and _named(place) != before:
                before = _named(place)
                yield at, before


def _named(place: Place) -> str:
    return "" if place.kind == "nowhere" else str(place)


@dataclass(slots=True)
class _Open:
    """A unit that is concealed from step ``first`` on, and not yet revealed. ``seen``: where it was last
    seen."""

    state: _State
    name: str
    side: str | None
    first: StepRef
    seen: str


@dataclass(slots=True)
class _Watch:
    """The units that are concealed now (``open``), where each unit was last ``seen``, and the names
    (``called``) of all that ever were concealed."""

    game: Game
    places: _Places
    called: dict[str, set[str]] = field(default_factory=dict)
    open: dict[str, _Open] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)

    def look(self, piece: Piece, at: StepRef) -> Iterator[Concealed]:
        """Note whether a piece is concealed after step ``at``. Yields the concealment that ended with it, if
        any."""
        unit = self.game.units.get(piece.id)
        if unit is None or unit.kind != "unit":
            return
        state = _state(piece, unit.side, self.game.sides)
        before = self.open.get(piece.id)
        if before is not None and before.state == state:
            return
        if before is not None:
            yield self._closed(piece.id, before, at, known=state is None)
        if state is None:
            self.open.pop(piece.id, None)
            self.seen[piece.id] = self.places.after(piece.id, at)
            return
        seen = self.seen.get(piece.id, "") if before is None else before.seen
        if (
            before is not None and before.state[0] == "masked"
        ):  # its place was seen, but not its identity
            seen = self.places.before(piece.id, at)
        name = _name(piece)
        pictured = (
            not piece.basic_name and name == piece.own_name
        )  # players do not call a counter by the file of its picture
        names = set() if pictured else {name, piece.basic_name or name}
        self.called.setdefault(piece.id, set()).update(names)
        self.open[piece.id] = _Open(state, name, unit.side, at, seen)

    def gone(self, unit: str, at: StepRef) -> Iterator[Concealed]:
        """Note that a unit left the game. Yields the concealment that ended with it, if any."""
        before = self.open.pop(unit, None)
        if before is not None:
            yield self._closed(unit, before, at, known=False)

    def rest(self) -> Iterator[Concealed]:
        """The units that are concealed to the end."""
        for unit, before in self.open.items():
            yield self._closed(unit, before, None, known=False)

    def _closed(self, unit: str, one: _Open, at: StepRef | None, *, known: bool) -> Concealed:
        kind, to, by_name = one.state
        lay = tuple(self.places.between(unit, one.first, at))
        again = self.places.after(unit, at) if known and at is not None else ""
        return Concealed(
            unit, one.name, one.side, kind, to, by_name, one.first, at, one.seen, lay, again
        )


def _name(piece: Piece) -> str:
    """A piece's name without the suffix of the trait that conceals it, as in ``1 Inf(Hide)``."""
    full, bare = name_of(piece, DIRECTOR), piece.own_name
    return bare if bare and full.startswith(f"{bare}(") and full.endswith(")") else full


def _state(piece: Piece, side: str | None, sides: Sequence[str]) -> _State | None:
    """(how a piece is concealed, the sides other than its own from which it is, the name that these see).
    None: it is not concealed."""
    concealments = [c for c in piece.concealments if c.kind in ("hidden", "masked")]
    to = tuple(
        one
        for one in sides
        if one != side and not all(concealment.open_to((one,)) for concealment in concealments)
    )
    if not to:
        return None
    hidden = any(v.kind == "hidden" and not v.open_to(to) for v in concealments)
    seen = "" if hidden else name_of(piece, Viewer(to[0]))
    return ("hidden" if hidden else "masked", to, seen)


def _stretches(history: TableHistory, watch: _Watch) -> Iterator[Concealed]:
    for number, log in enumerate(history.logs, 1):
        for piece in log.opening.pieces.values():
            yield from watch.look(piece, StepRef(number, 0))
        for at, step in numbered(number, log):
            yield from _stepped(watch, at, step)
    yield from watch.rest()


def _stepped(watch: _Watch, at: StepRef, step: Step) -> Iterator[Concealed]:
    for change in step.changes:
        if change.after is None:
            yield from watch.gone(change.id, at)
        else:
            yield from watch.look(change.after, at)


def _moves_of(one: Concealed, audited: Audit) -> tuple[int, ...]:
    """The ids of the moves that a unit made while it was concealed."""
    return tuple(
        judged.move.id
        for judged in audited.moves
        if one.unit in judged.move.units
        and judged.move.steps[-1] > one.first
        and (one.last is None or judged.move.steps[0] < one.last)
    )


def _announced(
    history: TableHistory,
    game: Game,
    concealed: Sequence[Concealed],
    called: Mapping[str, set[str]],
    places: _Places,
) -> Iterator[Announced]:
    """Chat lines that name a concealed unit and hexes, but not its hex before or after the step. Names that
    several counters share are ignored. ``called``: the names of each unit."""
    every = {unit.id: {unit.name} | called.get(unit.id, set()) for unit in game.units.values()}
    owners = Counter(name for names in every.values() for name in names)
    own = {
        u: tuple(n for n in names if n.strip() and owners[n] == 1) for u, names in called.items()
    }
    single = [one for one in concealed if own.get(one.unit)]
    if not single:
        return
    for number, log in enumerate(history.logs, 1):
        before = StepRef(number, 0)
        for at, step in numbered(number, log):
            for line in step.chat:
                if line.kind not in ("player", "report") or len(line.text) > _LONGEST_LINE:
                    continue
                text = resolved(line.text).partition("> - ")[2] if line.author else line.text
                yield from _in_line(
                    resolved(text), line.author, before, at, single, own, game, places
                )
            before = at


def _in_line(
    text: str,
    author: str,
    before: StepRef,
    at: StepRef,
    concealed: Sequence[Concealed],
    called: Mapping[str, tuple[str, ...]],
    game: Game,
    places: _Places,
) -> Iterator[Announced]:
    hexes: tuple[str, ...] | None = None
    for one in concealed:
        inside = one.first <= at and (one.last is None or at <= one.last)
        names = called[one.unit]
        if not inside or not any(name in text for name in names) or not _words(names).search(text):
            continue
        if hexes is None:
            left = dict.fromkeys(re.findall(r"[\w.,-]*\w", _words(names).sub(" ", text)))
            hexes = tuple(word for word in left if word in game.board.hexes)
        lay = {places.after(one.unit, step) for step in (before, at)}
        if hexes and lay.isdisjoint(hexes):
            yield Announced(at, one.unit, one.name, author, text, hexes, places.after(one.unit, at))


@lru_cache(maxsize=5_000)
def _words(names: tuple[str, ...]) -> re.Pattern[str]:
    """Matches any of ``names`` as whole words, the longest first."""
    told = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{told})(?!\w)")
