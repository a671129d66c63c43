"""The audit for a reader: what he may see, with the suspected facts of the pack, how the game was played, and
what was hidden in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from ..importers.vassal.actors import actors_seen
from ..importers.vassal.collector import collector_paused
from ..model.finding import Audit
from ..model.game import Game
from ..model.integrity import Integrity
from ..model.problem import UmpireError
from ..model.provenance import BY_EYE, Key, Record
from ..model.suspect import Changed, FactKind, PackFact
from ..model.viewer import Viewer
from ..model.vouching import as_recorded, values_of
from ..validators.audit import audit_after, audit_known
from ..validators.integrity import dice_tests, fell, revealed, tallied, traces
from ..validators.judge import judge_move
from ..validators.judgement_cache import JudgementCache
from ..validators.on_boards import SameGround
from ..validators.phase import Judge
from ..validators.ruleset import Ruleset
from ..validators.suspects import suspects
from ..validators.suspects.accused import accusations, cleared
from ..validators.suspects.trying import Memory
from ..validators.suspicions import suspicions as suspicions_of
from .auditing import Opened, audit_game, ruleset_for
from .options import check_side
from .phases_asked import with_proposals
from .reading import Told, silent

MOST_CHANGED = 20
_KINDS: Mapping[str, FactKind] = {"hexsides": "hexside", "lines": "line"}


@collector_paused()
def with_suspects(
    opened: Opened,
    ruleset: str | None,
    shown: Audit,
    judged: Callable[[], JudgementCache],
    told: Told = silent,
) -> Audit:
    """``shown``, the audit of ``opened``, with the suspected facts of the pack, and those changed without a
    look. ``judged``: returns the judge that judged the game; called only if there is something to try."""
    memory = Memory()
    game, rules = opened.game, ruleset_for(opened.game, ruleset)[0]
    records = opened.backdrop.pack.records if opened.backdrop is not None else ()
    values = values_of(game.board) if records else {}
    unlooked = [one for one in _unlooked(records, values) if is_cell(one, game)][:MOST_CHANGED]
    if not unlooked and not accusations(shown):
        return shown
    kept = judged()
    found = suspects(
        game,
        rules,
        shown,
        kept,
        retired=frozenset(looked_at(records, values)),
        progress=lambda done, of: told("looking for facts that findings rest on", done, of),
        memory=memory,
        is_part=opened.truth is not None,
    )
    changed = tuple(_changed(opened, rules, shown, kept, unlooked, values, memory.before))
    return replace(shown, suspects=found.facts, numbers=found.numbers, changed=changed)


def looked_at(records: tuple[Record, ...], values: Mapping[Key, str]) -> Iterator[Key]:
    """The facts that a person has looked at and that still have the value he saw."""
    return (
        record.key
        for record in records
        if record.status in BY_EYE
        and record.method.by == "person"
        and values.get(record.key) == record.value
    )


def _changed(
    opened: Opened,
    rules: Ruleset,
    shown: Audit,
    kept: JudgementCache,
    unlooked: Iterable[Record],
    values: Mapping[Key, str],
    before: dict[Hashable, Audit],
) -> Iterator[Changed]:
    game, is_part = opened.game, opened.truth is not None
    rules = SameGround(rules)  # the boards differ in one cell each
    for record in unlooked:
        if record not in before:
            board = as_recorded(game.board, record)
            judge = kept.after(board, [record.key.cell])
            own = {key for key in values_of(board) if key.cell == record.key.cell}
            seen = None if game.seen is None else game.seen | own
            then = replace(game, board=board, seen=seen)
            before[record] = audit_known(then, rules, judge=judge, is_part=is_part)
        number = len(cleared(accusations(before[record]), shown))
        if number:
            cell, layer, name = record.key
            fact = PackFact(_KINDS.get(layer, "hex"), cell, layer, name, values.get(record.key, ""))
            yield Changed(fact, record.value, number)


def _unlooked(records: tuple[Record, ...], values: Mapping[Key, str]) -> Iterator[Record]:
    """Records of former values of facts that were changed without a look since."""
    for record in records:
        if values.get(record.key) != record.value:
            if record.is_known:
                yield record
        elif record.before:
            yield replace(record, value=record.before)


def is_cell(record: Record, game: Game) -> bool:
    """Whether a record is about a cell that the board has."""
    cell = record.key.cell
    parts = (cell,) if cell in game.board.hexes else cell.split("/")
    return record.key.layer != "phase" and all(part in game.board.hexes for part in parts)


def with_integrity(opened: Opened, shown: Audit, viewer: Viewer) -> Audit:
    """``shown``, which ``viewer`` may read, with traces and dice. Only the director gets the test of the
    dice."""
    history = opened.backdrop.evidence.history if opened.backdrop is not None else None
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
    """``opened`` with every unit under its own name, including hidden ones: only for those who may know
    everything."""
    if opened.backdrop is None:
        return opened
    names: dict[str, str] = {}
    for log in opened.backdrop.evidence.history.logs:
        changes = (change.after for step in log.steps for change in step.changes)
        for piece in (*log.opening.pieces.values(), *changes):
            if piece is not None and piece.own_name:
                names.setdefault(piece.id, piece.own_name)
    units = {
        name: unit if unit.seen_by is None else replace(unit, name=names.get(name, unit.name))
        for name, unit in opened.game.units.items()
    }
    return replace(opened, game=replace(opened.game, units=units))


def with_revealed(opened: Opened, audited: Audit) -> Audit:
    """``audited``, the whole audit, with what was concealed in the game. Raises :class:`UmpireError` if there
    are no logs."""
    if opened.backdrop is None:
        raise UmpireError(
            "--reveal does not go with an analysis document", hint="name the logs it was made from"
        )
    return replace(
        audited, revealed=revealed(opened.backdrop.evidence.history, opened.game, audited)
    )


def audit_shown(
    opened: Opened,
    ruleset: str | None,
    viewer: Viewer,
    told: Told = silent,
    truth: Audit | None = None,
    judge: Judge = judge_move,
) -> Audit:
    """The audit of a game that was opened for ``viewer``, with suspected facts of the pack, guessed phases,
    and how the game was played. ``truth``: see :func:`.auditing.audit_game`. Raises as that does, and for a
    side that nobody plays."""
    kept = JudgementCache(judge)
    with_suspicions = truth is None or bool(truth.suspicions)  # nothing else may be suspected
    shown = audit_game(opened, ruleset, told, kept, truth=truth, suspicions=with_suspicions)
    check_side(viewer, opened.game.sides)
    shown = with_suspects(opened, ruleset, shown, lambda: kept, told)
    shown = with_proposals(opened, shown, viewer)
    return with_integrity(opened, shown, viewer)


def known_suspected(
    opened: Opened,
    known: Audit,
    told: Told = silent,
    judge: Judge = judge_move,
    *,
    suspicions: bool = True,
) -> Audit:
    """``known``, the audit of a whole game without suspicions, with suspected facts of the pack, and
    ``suspicions``. ``judge``: a judge that keeps its judgements."""
    game, rules = opened.game, ruleset_for(opened.game, known.ruleset)[0]
    shown = known

    @cache
    def judged() -> JudgementCache:
        kept = JudgementCache(judge)
        audit_known(game, rules, judge=kept)
        return kept

    def assumed(one: Game) -> Audit:
        told("judging moves as suggested", 0, 0)
        return audit_known(one, rules, judge=judge)

    def little_assumed(one: Game) -> Audit:
        return audit_after(game, one, rules, judged())

    if suspicions and game.has_suggestions:
        found = suspicions_of(game, known, assumed, little_assumed)
        shown = replace(known, suspicions=found)
    return with_suspects(opened, known.ruleset, shown, judged, told)
