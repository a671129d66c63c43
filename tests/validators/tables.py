"""Tables and logs made by hand, for what looks at steps of a log rather than at a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vassal_umpire.model.board import Board
from vassal_umpire.model.game import Game, Rules
from vassal_umpire.model.table import (
    Actor,
    ChatLine,
    Concealment,
    Deck,
    DieRoll,
    Displaced,
    LogHistory,
    Participant,
    Piece,
    PieceChange,
    Spot,
    StackChange,
    StatedFacts,
    Step,
    Table,
    TableHistory,
    Undoing,
)
from vassal_umpire.model.unit import Unit

RED = Participant("player 1", "Ann", "Red")
BLUE = Participant("player 2", "Bob", "Blue")
HERE, THERE = Spot("Map", 10, 10), Spot("Map", 90, 10)
NOTHING = Table({}, {}, {}, {}, {}, (RED, BLUE))


def step(number: int, who: Participant | None = RED, **told: object) -> Step:
    """A step of log 1 that a move of ``who`` names; ``told``: its fields."""
    actor = None if who is None else Actor(who, "move")
    named = () if actor is None else (("", actor),)
    return replace(Step(1, number, number, actor, named=named), **told)  # type: ignore[arg-type]


def rolled(*rolls: DieRoll) -> tuple[DieRoll, ...]:
    return rolls


def said(who: Participant, text: str) -> ChatLine:
    return ChatLine(f"<{who.name}> - {text}", "player", who.name)


def piece(id_text: str, name: str, spot: Spot = HERE, *closed: Concealment, **told: str) -> Piece:
    """A piece as it lies; a bystander sees a ``?`` of it if it is masked, nothing if it is hidden."""
    seen = name
    if closed:
        seen = "?" if closed[0].kind == "masked" else ""
    facts = StatedFacts(seen, name, location="", properties=told, concealments=closed)
    return Piece(id_text, spot, "", facts)


def changed(before: Piece | None, after: Piece | None) -> PieceChange:
    known = before or after
    assert known is not None
    return PieceChange(known.id, before, after)


def became(
    number: int,
    who: Participant | None,
    *pieces: tuple[Piece | None, Piece | None],
    by: str = "",
    **told: object,
) -> Step:
    """A step in which pieces become others (None: are not there); ``by``: how they were displaced."""
    moved = tuple(
        Displaced((b or a).id, b and b.spot, a and a.spot, "", "", by)  # type: ignore[union-attr, arg-type]
        for b, a in pieces
        if by
    )
    changes = tuple(changed(before, after) for before, after in pieces)
    return step(number, who, displacements=moved, changes=changes, **told)


def undo(of: int, *, redo: bool = False) -> Undoing:
    return Undoing(of, redo, whole=True, known_by="marker")


def deck_change(before: Deck, after: Deck) -> StackChange:
    return StackChange(before.id, before, after)


MASK = Concealment("masked", frozenset({"player 2", "Blue"}))
HIDDEN = Concealment("hidden", frozenset({"player 2", "Blue"}))


def history(*steps: Step, opening: Iterable[Piece] = (), **told: str) -> TableHistory:
    """One log of these steps, in which some pieces lie there first and last."""
    about = {"module_name": "M", "module_version": "1", "vassal_version": "3.7", **told}
    table = replace(NOTHING, pieces={piece.id: piece for piece in opening})
    return TableHistory(
        (LogHistory("1.vlog", "00", opening=table, steps=steps, end=table, **about),)
    )


def game(units: Iterable[Unit] = (), **told: object) -> Game:
    """A game of Red and Blue on an empty board."""
    made = Game(
        "",
        Board("", {}),
        ("Red", "Blue"),
        {unit.id: unit for unit in units},
        {},
        (),
        Rules("generic"),
    )
    return replace(made, **told)  # type: ignore[arg-type]
