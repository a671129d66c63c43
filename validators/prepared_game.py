"""A game prepared for an audit: everything that is computed before a move is judged. It depends on the events
and the places of the hexes, not on the content of the cells, so it is kept while only cells change."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ..model.finding import Finding
from ..model.game import Game
from ..model.problem import Problem, WrongPack
from .allowed_facts import AllowedFacts, TellsAllowedFacts, misfits
from .answers import answer
from .integrity import check_integrity
from .moves import Track, find_moves
from .on_boards import of_cells
from .possible_combat import Movers, movers_of
from .readings import Reading, as_read, slips_of, went_on
from .ruleset import RulesInForce
from .takeback import Witnesses
from .timeline import Timeline
from .unseen_stops import UnseenStops
from .wording import plainly

MOST_KEPT = 4
_Wanted = tuple[AllowedFacts | None, Movers, Reading, bool]
"""The parameters of a preparation: the facts that the ruleset allows, who moves in a phase, the reading, and
whether the game is a part of another."""


class PreparedGame:
    """``given``: the game as it was given. ``strange``: a warning for each attribute or value in it that the
    ruleset does not know. ``game``: as the ruleset reads it, with the phases of the ``reading``; the same
    object as ``given`` if they are equal. ``slips``: those that the facts do not explain. ``timeline`` and
    ``witnesses`` are of ``game``. Raises :class:`WrongPack` if an unknown value is in a condition or comes
    from the facts file."""

    def __init__(self, given: Game, wanted: _Wanted) -> None:
        allowed, movers, reading, is_part = self._wanted = wanted
        self.given = given
        self.allowed = AllowedFacts() if allowed is None else allowed
        self.strange: tuple[Problem, ...] = ()
        if allowed is not None:
            self.strange = _strange(given, allowed, is_part=is_part)
        plain = plainly(given, self.allowed)
        slips = slips_of(plain)
        self.slips = [slip for slip in slips if answer(plain, went_on(slip)) is None]
        self.game = as_read(plain, slips, movers, reading)
        self.timeline = Timeline(self.game)
        self.witnesses = Witnesses(self.game)

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        """The moves of the game: see :func:`.find_moves`."""
        return find_moves(self.game, self.timeline, self.witnesses)

    @cached_property
    def unseen_stops(self) -> UnseenStops:
        """The unseen stops of ``given``."""
        return UnseenStops(self.given)

    @cached_property
    def integrity(self) -> tuple[Finding, ...]:
        """See :func:`.check_integrity`."""
        return check_integrity(self.game, self.timeline)

    def fits(self, game: Game, wanted: _Wanted) -> bool:
        """Whether ``game`` differs from this one only in cells of the board."""
        given = self.given
        if self._wanted != wanted:
            return False
        if _facts_files(given) != _facts_files(game) or not given.board.same_places(game.board):
            return False
        return replace(game, **of_cells(given)) == given

    def on(self, game: Game) -> PreparedGame:
        """The same for ``game``, for which :meth:`fits` must be True."""
        if game is self.given:
            return self
        found = object.__new__(PreparedGame)
        found.__dict__.update(self.__dict__)
        found.given = found.game = game
        if self.game is not self.given:
            found.game = replace(self.game, **of_cells(game))
        found.timeline = self.timeline.on(found.game)
        found.unseen_stops = self.unseen_stops.on(game)
        return found


class PreparedGames:
    """The prepared games of the last few audits, for audits that follow one another."""

    def __init__(self) -> None:
        self._kept: list[PreparedGame] = []

    def of(
        self, game: Game, rules: RulesInForce, reading: Reading, *, is_part: bool = False
    ) -> PreparedGame:
        """``game``, prepared by the rules in force on its board. ``is_part``: it is what a viewer sees of
        another; then facts that the ruleset does not know are not faults."""
        allowed = rules.allowed_facts() if isinstance(rules, TellsAllowedFacts) else None
        wanted = allowed, movers_of(game, rules), dict(reading), is_part
        known = next((one for one in self._kept if one.fits(game, wanted)), None)
        if known is None:
            found = PreparedGame(game, wanted)
        else:
            self._kept.remove(known)
            found = known.on(game)
        self._kept = [found, *self._kept[: MOST_KEPT - 1]]
        return found


def _strange(game: Game, allowed: AllowedFacts, *, is_part: bool) -> tuple[Problem, ...]:
    found = misfits(game, allowed)
    errors = tuple(problem for problem in found if problem.severity == "error")
    if is_part:
        return tuple(problem for problem in found if problem not in errors)
    if errors:
        raise WrongPack.of(errors)
    return found


def check_facts(game: Game, rules: RulesInForce) -> None:
    """Raise :class:`WrongPack` if the facts of ``game`` hold conditions or values that the ruleset does not
    know."""
    if isinstance(rules, TellsAllowedFacts):
        _strange(game, rules.allowed_facts(), is_part=False)


def _facts_files(game: Game) -> list[str]:
    return [source.file for source in game.sources if source.kind == "facts"]
