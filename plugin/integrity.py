"""The integrity of a game, as far as those who read may know."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..importers.vassal.actors import actors_seen
from ..model.finding import Audit
from ..model.integrity import Integrity
from ..model.problem import UmpireError
from ..model.viewer import Viewer
from ..validators.integrity import dice_tests, fell, revealed, tallied, traces
from .auditing import Opened


def with_integrity(opened: Opened, shown: Audit, viewer: Viewer) -> Audit:
    """``shown``, which ``viewer`` may read, with traces and dice; nothing else of it is other. Dice are
    tested for the director alone."""
    history = opened.backdrop.history if opened.backdrop is not None else None
    if history is not None:
        history = replace(history, logs=tuple(actors_seen(log, viewer) for log in history.logs))
    found = traces(history, opened.game, shown, viewer)
    if history is None:
        return replace(shown, integrity=Integrity(False, found))
    rolls = fell(history)
    tallies = tallied(rolls)
    told = tuple(roll for roll, _ in rolls)
    unread = Counter(roll.player for roll in told if not roll.sides)
    tests = dice_tests(tallies) if viewer.director else None
    ledger = Integrity(True, found, told, tallies, tuple(unread.items()), tests)
    return replace(shown, integrity=ledger)


def with_true_names(opened: Opened) -> Opened:
    """``opened`` with every unit called by its own name, also those of whose presence or name not everyone
    may know: for those who may know all, and for nobody else."""
    if opened.backdrop is None:
        return opened
    names: dict[str, str] = {}
    for log in opened.backdrop.history.logs:
        changes = (change.after for step in log.steps for change in step.changes)
        for piece in (*log.opening.pieces.values(), *changes):
            if piece is not None and piece.basic_name:
                names.setdefault(piece.id, piece.basic_name)
    units = {
        name: unit if unit.seen_by is None else replace(unit, name=names.get(name, unit.name))
        for name, unit in opened.game.units.items()
    }
    return replace(opened, game=replace(opened.game, units=units))


def with_revealed(opened: Opened, audited: Audit) -> Audit:
    """``audited``, which tells everything, with what was concealed in the game. Raises :class:`UmpireError`
    where there are no logs to tell it."""
    if opened.backdrop is None:
        raise UmpireError(
            "--reveal does not go with an analysis document", hint="name the logs it was made from"
        )
    return replace(audited, revealed=revealed(opened.backdrop.history, opened.game, audited))
