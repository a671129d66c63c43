"""Module + table history + pack + facts → :class:`Game`: the table as the rules see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from ...model.board import Board
from ...model.fact import Fact
from ...model.game import Displacement, Event, Game, PhaseStart, Place, Rules, Source
from ...model.names import TERRAIN, Words
from ...model.problem import CannotAudit, Problem
from ...model.provenance import Key, current
from ...model.table import LogHistory, Piece, TableHistory
from ...model.unit import Unit
from ...model.vouching import Suggestion, values_of, vouched
from ..vassal.layout import MapLayout
from ..vassal.module import Module
from .attributes import Reader
from .board import Places, bind_board
from .board_markers import MarkerHistory, MarkerTeller, from_phase_on, meant_by
from .declared import (
    declared_attributes,
    declared_conditions,
    misspelt,
    of_seen_units,
    unused_facts,
    without_absent_sides,
)
from .declared_board import facts_seen, seen_of, untold, with_declared_board
from .events import EventMaker
from .facts import NO_FACTS, Facts
from .facts_logs import logs_of, on_logs
from .history_gaps import gaps_of, integrity_of, unjudged
from .load import wrong
from .opened import changes_in, counter_names, not_said, opened
from .pack import Pack, same_except
from .phases import PhaseTeller
from .provenance import FILE as PROVENANCE_FILE
from .provenance import program_looks, void_records
from .recorded import records_with, with_recorded
from .terrain import with_terrain
from .unit_classification import UnitClass, UnitNames, classify_units, declared_sides

Layouts = Mapping[str, MapLayout]
Bare = tuple[Board, Places, tuple[Problem, ...]]
"""A board without terrain, where its places lie, and faults: see :func:`.bind_board`."""


@dataclass(frozen=True)
class Bound:
    """A game, its problems, and the data that :func:`rebound` reuses: its board without terrain, the history
    of board markers, the names of counters that are neither units nor such markers, and the names by which
    facts may call its units. ``facts``: those of its logs, with spans in the game's numbering."""

    game: Game
    problems: tuple[Problem, ...]
    bare: Bare
    course: MarkerHistory
    counters: frozenset[str]
    names: UnitNames
    facts: Facts
    told: _ToldByPack
    words: Mapping[str, Words] | None


def bound(
    module: Module,
    history: TableHistory,
    pack: Pack,
    layouts: Layouts,
    facts: Facts = NO_FACTS,
    words: Mapping[str, Words] | None = None,
    progress: Callable[[int, int], None] | None = None,
    truth: Bound | None = None,
    earlier: Bound | None = None,
) -> Bound:
    """The game that pack, facts and history make.

    ``layouts``: of each map, by its name in commands. ``words``: the names that the ruleset knows, to check
    those that the module records (None: any). ``progress``: called with the number of logs read so far, and
    of all. ``truth``: if ``history`` is what one viewer sees (:mod:`.seen_history`), the result for the whole
    table, with the same pack and layouts; facts about units that he does not see are then left out.
    ``earlier``: the result for a pack with the same bare board and the same layouts. Raises
    :class:`CannotAudit` if the pack is for another module, :class:`WrongPack` with one problem for each place
    where pack or facts do not fit the game.
    """
    check_fit(pack, module)
    pack.effort.taken = 0
    facts, unheard = on_logs(facts, logs_of(history.logs))
    _stop(unheard, facts.file)
    known = truth or earlier
    if known is None:
        bare = _, places, _ = bind_board(pack, layouts)
    else:
        board, places, faults = known.bare
        bare = board, places, faults = board, places.afresh(pack), faults
    if (
        known is not None
        and known.words == words
        and same_except(known.told.pack, pack, "units.csv")
    ):
        told = replace(known.told, places=places)
    else:
        told = _told_by_pack(module, pack, layouts, words, bare)
    board, places, suggestions, more = told.board, told.places, told.suggestions, told.problems
    places.relaid = frozenset[str]().union(*(log.relaid for log in history.logs))
    reader = Reader(pack)
    sides = pack.sides or module.sides
    roles = classify_units(history, reader, sides)
    names = UnitNames.of(roles)
    if truth is not None:
        facts = of_seen_units(facts, truth.names, names, roles)
    named = without_absent_sides(facts, names)
    given, lost = declared_sides(named, names)
    for unit, side in given.items():
        roles[unit].side = side
    conditions, doubts = declared_conditions(named, names)
    _stop([*lost, *doubts, *misspelt(facts, pack.phases, pack.forms, sides)], facts.file)
    drawn, counters = board, counter_names(history, roles, reader)
    changes = changes_in(pack, board, counters)
    terrains = words.get(TERRAIN) if words is not None else None
    markers = MarkerTeller(reader, places, board, opened(board, changes), terrains)
    maker = _maker(reader, roles, places, facts, names, history, markers)
    events: list[Event] = []
    opening: dict[str, Place] = {}
    attributes: dict[str, dict[str, Fact]] = {}
    for number, log in enumerate(history.logs, 1):
        events.extend(maker.open(number, log))
        if number == 1:
            opening, attributes = dict(maker.place), dict(maker.facts)
        events.extend(maker.steps(number, log))
        if progress is not None:
            progress(number, len(history.logs))
    course = MarkerHistory(events, markers.tellings, meant_by(pack.board_markers, drawn))
    board, events = from_phase_on(opened(board, changes), events)
    board, events, wrong_cells = with_declared_board(board, events, facts)
    _stop(wrong_cells, facts.file)
    units = {u: _unit(u, role, attributes.get(u, {})) for u, role in roles.items()}
    game = Game(
        title=facts.title or pack.title,
        board=board,
        sides=tuple(sides),
        units=units,
        opening=opening,
        events=tuple(events),
        rules=Rules(pack.ruleset, pack.tables, pack.options, pack.off, pack.charts),
        phases=pack.phases,
        forms=pack.forms,
        conditions=conditions,
        sources=sources(module, history, pack, facts),
        gaps=tuple(gaps_of(history, roles, places)),
        integrity=tuple(integrity_of(history)),
        relations=pack.relations,
        suggestions=untold(suggestions, facts),
        unjudged=unjudged(history, roles, reader, places),
        nameless=frozenset(_nameless(events, places)),
        seen=None if told.seen is None else told.seen | facts_seen(board, facts),
    )
    every = units if truth is None else {**units, **truth.game.units}
    idle = *unheard, *unused_facts(facts, game.events, every, names)
    odd = not_said(pack, changes), markers.problems(), idle, _notes(game, history, roles)
    problems = (*more, *chain.from_iterable(odd))
    return Bound(game, problems, bare, course, counters, names, facts, told, words)


def rebound(
    before: Bound,
    module: Module,
    history: TableHistory,
    pack: Pack,
    layouts: Layouts,
    facts: Facts,
    words: Mapping[str, Words] | None = None,
) -> Bound | None:
    """The result of :func:`bound` for a pack that differs from the one of ``before`` only in cells of the
    board. Its ``problems`` are those of these cells alone. None if :func:`bound` must be called again."""
    if facts.hexes or facts.hexsides or facts.lines:
        return None
    told = _told_by_pack(module, pack, layouts, words, before.bare)
    drawn = told.board
    if meant_by(pack.board_markers, drawn) != before.course.meant:
        return None
    board, events = opened(drawn, changes_in(pack, drawn, before.counters)), before.game.events
    if before.course.tellings:
        board, events = before.course.on(drawn, board)
    game = replace(
        before.game,
        board=board,
        events=events,
        suggestions=told.suggestions,
        sources=sources(module, history, pack, facts),
        seen=told.seen,
    )
    return replace(before, game=game, problems=told.problems, told=told, words=words)


@dataclass(frozen=True)
class _ToldByPack:
    """The board by ``pack`` and module, its places, its suggestions, its problems, and the facts that a
    person has ``seen`` (None: the pack keeps no records)."""

    pack: Pack
    board: Board
    places: Places
    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]
    seen: frozenset[Key] | None


def _told_by_pack(
    module: Module,
    pack: Pack,
    layouts: Layouts,
    words: Mapping[str, Words] | None,
    bare: Bare,
) -> _ToldByPack:
    """The board and what is known of it. Raises :class:`WrongPack`."""
    board, places, faults = bare
    _stop(faults, pack.folder)
    if pack.records:  # asked for below; a bare board that is kept has it from then on
        board.every_side  # noqa: B018
    board, more = with_terrain(board, pack)
    _stop(more, pack.folder)
    imported = with_recorded(board, pack, module.terrain, places, layouts, words)
    board, more = imported.board, (*more, *imported.problems)
    suggestions: tuple[Suggestion, ...] = ()
    seen = None
    if pack.keeps_records or imported.records:
        values = values_of(board)
        more = (*more, *void_records(values, pack.records), *program_looks(values, pack.records))
        records = current(records_with(imported, pack.records), values)
        required = pack.provenance_required
        board, suggestions = vouched(board, records, required=required, void=False)
        if pack.keeps_records:
            seen = seen_of(pack, values, records)
    return _ToldByPack(pack, board, places, suggestions, more, seen)


def check_fit(pack: Pack, module: Module) -> None:
    """Raise :class:`CannotAudit` if the pack is for other modules."""
    if pack.fits.module(module.name, module.version):
        return
    names, versions = pack.fits.modules, pack.fits.versions
    expected = f"the module {' or '.join(names) or 'it fits'}"
    if versions:
        expected += f", version {' or '.join(versions)}"
    raise CannotAudit(
        f"the audit pack {pack.name} does not fit the module {module.name} {module.version}".rstrip(),
        where=module.file_name,
        expected=expected,
        hint="name another pack with --pack",
    )


def sources_of_logs(logs: Iterable[LogHistory], module: Module | None) -> Iterator[Source]:
    """The logs and saves, and the module with its extensions."""
    for log in logs:
        kind = "log" if log.steps else "save"
        yield Source(log.source, kind, log.sha256, log.vassal_version)
    if module is not None:
        yield Source(module.file_name, "module", module.sha256, module.version)
        for one in module.extensions:
            yield Source(one.file_name, "extension", one.sha256, one.version)


def sources(module: Module, history: TableHistory, pack: Pack, facts: Facts) -> tuple[Source, ...]:
    """All files the game was read from, with their SHA-256."""
    found = [*sources_of_logs(history.logs, module)]
    told = f"{pack.name} {pack.version}"
    claims = pack.vouched_by, pack.assumes, pack.power
    found.append(Source(pack.folder, "pack", pack.sha256, told, *claims))
    if pack.records_sha256:
        found.append(Source(PROVENANCE_FILE, "provenance", pack.records_sha256))
    if facts.file:
        found.append(Source(facts.file, "facts", facts.sha256, facts.version))
    if facts.records_sha256:
        found.append(Source(facts.records_file, "provenance", facts.records_sha256))
    return tuple(found)


def _stop(problems: Iterable[Problem], where: str) -> None:
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise wrong(where, errors)


def _maker(
    reader: Reader,
    roles: Mapping[str, UnitClass],
    places: Places,
    facts: Facts,
    names: UnitNames,
    history: TableHistory,
    markers: MarkerTeller,
) -> EventMaker:
    told = declared_attributes(facts, names)
    broken = {index + 2 for index, between in enumerate(history.gaps) if between}
    phases = PhaseTeller(reader.pack, facts.phases, broken)
    companions = _companions(reader, history)
    return EventMaker(reader, roles, places, phases, told, companions, markers)


def _companions(reader: Reader, history: TableHistory) -> frozenset[str]:
    """Ids of the pieces an attribute of others can be read off."""
    if not reader.needs_company:
        return frozenset()
    status: dict[str, bool] = {}
    found: set[str] = set()

    def look(piece: Piece) -> None:
        name = piece.basic_name
        if name not in status:
            status[name] = reader.is_status(piece)
        if status[name]:
            found.add(piece.id)

    for log in history.logs:
        for piece in log.opening.pieces.values():
            look(piece)
        for step in log.steps:
            for change in step.changes:
                if change.before is None and change.after is not None:
                    look(change.after)
    return frozenset(found)


def _unit(id_text: str, role: UnitClass, attributes: Mapping[str, Fact]) -> Unit:
    return Unit(
        id=id_text,
        name=role.public_name,
        side=role.side,
        kind=role.kind,
        attributes=dict(attributes),
        seen_by=role.seen_by,
    )


def _nameless(events: Iterable[Event], places: Places) -> Iterator[Place]:
    """The places that units entered or left and that the pack calls neither hexes nor boxes."""
    for event in events:
        if isinstance(event, Displacement):
            yield from filter(places.is_strange, (event.origin, event.target))


def _notes(game: Game, history: TableHistory, roles: Mapping[str, UnitClass]) -> Iterable[Problem]:
    """One note for each reason why an audit can say little."""
    if not any(role.kind == "unit" for role in roles.values()):
        yield Problem("no-units", "no piece is a unit by this pack; see [units] in pack.toml")
    perhaps = [r for r in roles.values() if r.perhaps and r.seen_by is None and not r.is_mask]
    if perhaps:
        message = (
            f"a counter has a side and is not a unit by [[units.are]], such as {perhaps[0].public_name}: it"
            ' may be one; once no unit is missing, say complete = ["units"] under [units]'
        )
        yield Problem("perhaps-units", message, "pack.toml", "note", len(perhaps))
    sideless = sum(r.kind == "unit" and r.side is None and not r.is_mask for r in roles.values())
    if sideless:
        yield Problem("no-side", "units whose side is not known", count=sideless, severity="note")
    named = {side for relation in game.relations for side in relation.sides}
    for side in sorted(named - {*game.sides, *(role.side for role in roles.values())}):
        message = f"[[relation]] names {side}, which is not a side of the game and of no unit"
        yield Problem("no-such-side", message, "pack.toml")
    if not any(isinstance(event, PhaseStart) for event in game.events):
        message = (
            "nothing says which phase it is; moves cannot be verified (see [phases] and facts.toml)"
        )
        yield Problem("no-phase", message)
    names = {(log.module_name, log.module_version) for log in history.logs if log.module_name}
    if len(names) > 1:
        yield Problem(
            "several-modules", f"the logs name {len(names)} different modules or versions"
        )
