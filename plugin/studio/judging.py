"""Judge a game again after each edit of its pack, but no move that no changed cell can affect."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...importers.pack.bind import Bound, rebound
from ...importers.pack.facts import Facts
from ...importers.pack.pack import Pack, same_except
from ...model.finding import Audit, Move
from ...model.game import Game
from ...validators.audit import audit_known, suspected
from ...validators.judgement_cache import JudgementCache
from ...validators.on_boards import KnownGround, differing_between
from ...validators.ruleset import RulesInForce
from ..auditing import Backdrop, Evidence, Opened, ruleset_for
from ..reading import Told
from ..ruleset_needs import check_names, words_for

KNOWN, ASSUMED = "known", "as suggested"
_OF_CELLS = ("hexes.csv", "lines.csv", "provenance.csv")


@dataclass(frozen=True)
class Basis:
    """A game as it was judged, and its judgements. ``whole``: they are of all moves."""

    game: Game
    kept: JudgementCache
    whole: bool


class Judging:
    """Keeps the judgements on one game's moves, as the game is and as it would be if all suggestions were
    true. Not thread-safe. ``is_part``: see :func:`.audit_known`."""

    def __init__(self) -> None:
        self.is_part = False
        self._bases: dict[str, Basis] = {}
        self._grounds: dict[str, tuple[tuple[Game, RulesInForce], ...]] = {}
        """The rules of the last audit of a game that differed in more than cells from those before."""

    def known(self, game: Game, told: Told) -> Audit:
        """The audit of ``game`` without suspicions. ``told`` may stop it by raising."""
        return self._audit(KNOWN, game, told)

    def with_suspicions(self, game: Game, found: Audit, told: Told) -> Audit:
        """``found`` with the findings that would follow if all suggestions were true."""
        return suspected(game, found, lambda one: self._audit(ASSUMED, one, told))

    @property
    def reads(self) -> dict[Move, frozenset[str]]:
        """The hexes that the search for each move reached, as the game is and as it would be."""
        found: dict[Move, frozenset[str]] = {}
        for basis in list(self._bases.values()):
            for one in basis.kept.all:
                found[one.move] = found.get(one.move, frozenset()) | one.hexes
        return found

    def judgements(self, game: Game) -> JudgementCache | None:
        """The judgements on all moves of ``game`` as it is, for another thread; None if it was judged
        otherwise last."""
        basis = self._bases.get(KNOWN)
        if basis is None or basis.game is not game or not basis.whole:
            return None
        return basis.kept.copy()

    def _audit(self, name: str, game: Game, told: Told) -> Audit:
        ruleset, more = ruleset_for(game, None)
        bases = [basis for basis in map(self._bases.get, (name, KNOWN)) if basis is not None]
        differing = ((basis, differing_between(basis.game, game)) for basis in bases)
        near = next(((basis, cells) for basis, cells in differing if cells is not None), None)
        kept = JudgementCache() if near is None else near[0].kept.after(game.board, near[1])
        earlier = self._grounds.get(name) or self._grounds.get(KNOWN, ())
        known_ground = KnownGround(ruleset, earlier)
        done = False
        try:
            found = audit_known(
                game,
                known_ground,
                progress=lambda n, of: told("judging moves", n, of),
                judge=kept,
                is_part=self.is_part,
            )
            done = True
            if near is None or not earlier:
                self._grounds[name] = tuple(known_ground.made)
        finally:
            # What was judged before it was ended is worth keeping, unless all of it is kept already.
            if done or near is None or not near[0].whole:
                self._bases[name] = Basis(game, kept, done)
        return replace(found, problems=(*more, *found.problems))


@dataclass(frozen=True)
class Read:
    """A pack and facts as read, and the game made with them."""

    pack: Pack
    facts: Facts
    opened: Opened


def read_again(before: Read | None, evidence: Evidence, pack: Pack, facts: Facts) -> Read | None:
    """A pack that differs from the one ``before`` only in cells of the board; None if it may differ in more.
    Raises :class:`WrongPack`."""
    if before is None or facts != before.facts or not same_except(before.pack, pack, *_OF_CELLS):
        return None
    words, layouts = words_for(pack), evidence.layouts
    held = before.opened
    if held.bound is None or held.true_bound is None:
        return None

    def again(bound: Bound) -> Bound | None:
        return rebound(bound, evidence.module, evidence.history, pack, layouts, facts, words)

    true = again(held.true_bound)
    found = true if held.truth is None else again(held.bound)
    if true is None or found is None:
        return None
    problems = (*found.problems, *check_names(pack, facts, found.game.rules))
    kept = [p for p in held.problems if not p.where.startswith(_OF_CELLS) and p not in problems]
    backdrop = Backdrop(evidence, pack, found.facts, found.bare[1])
    files = (*evidence.files, *pack.files, *facts.files)
    opened = replace(
        held,
        game=found.game,
        problems=(*kept, *problems),
        backdrop=backdrop,
        files=files,
        bound=found,
        truth=None if held.truth is None else true.game,
        true_bound=true,
        views=lambda viewer: evidence.with_pack(pack, facts, viewer),
    )
    return Read(pack, facts, opened)


def board_of(before: Read | None, pack: Pack) -> Bound | None:
    """The game as read ``before``, if it has the bare board of ``pack``: that of its hexes, without terrain
    from lines and records."""
    others = "rules", "lines.csv", "units.csv", "provenance.csv"
    return before.opened.true_bound if before and same_except(before.pack, pack, *others) else None
