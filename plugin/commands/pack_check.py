"""``umpire pack check``: what a pack knows about a game, and what would decide most moves next; ``umpire pack
suggest-chart``: what the moves show about numbers that its charts lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import click

from ...importers.pack.load import load_pack
from ...importers.pack.pack import Pack
from ...importers.vassal.limits import Limits
from ...model.finding import Audit
from ...model.problem import CannotAudit
from ...model.viewer import Viewer
from ...model.vouching import values_of
from ...validators.chart_from_moves.asking import Asked
from ...validators.judgement_cache import JudgementCache
from ...validators.planting import plant
from ..auditing import Opened, audit_game, open_game, ruleset_for
from ..chart_from_moves import (
    CAUSES,
    NOTHING_COUNTS,
    asked_of,
    evidence_text,
    left_out_lines,
    plain,
    unexplained_lines,
    value_text,
)
from ..json_text import document_text
from ..options import (
    FACTS,
    LIMITED,
    MODULE,
    VIEWER,
    PackPath,
    argument,
    check_side,
    declared,
    form_option,
    option,
)
from ..output import print_text
from ..pack_check import NOT_SHOWN, PackCheck, Power, bounds, check_pack
from ..phases_asked import with_proposals
from ..progress import progress
from ..reading import is_document, named_files
from ..reports.phrases import counted
from ..reports.questions_section import questions_section
from ..reports.sections import write_section
from ..reports.suspects import number_lines, suspects_section
from ..ruleset_needs import attributes_of
from ..shown import with_suspects
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire pack check my-pack turn-1.vlog turn-2.vlog
  umpire pack check my-pack turn-1.vlog --format json
  umpire pack check my-pack                whether it can be read
"""
PLANTED = 20
"""Moves of each side that --power extends too far."""
FEW = 6
"""Entries of a list shown as text; JSON has them all."""


@declared("check", epilog=EPILOG, short_help="Show what a pack knows, and what is missing.")
def command(
    pack: Path = argument(type=PackPath()),
    logs: tuple[Path, ...] = argument(required=False),
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    form: str = form_option(),
    power: bool = option(
        "Also make moves of the logs too long, and count how many of them are found. Takes three audits."
    ),
    seed: int = option("The seed of the draw for --power.", default=1, show_default=True),
    verbose: bool = option("Every open fact.", "-v", "--verbose"),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Show what PACK knows of the game in LOGS: how many of the pieces that moved are units with side, class
    and allowance; how many of the hexes and hexsides that moves could use have an entry, and by whom; which
    phases are known; which parts of the pack match nothing; and what would decide most moves next.

    Only what every player may see is counted, unless --as or --director say otherwise.
    """
    writer = TextWriter(terminal_width(), colour=wants_colour())
    if not logs:
        found = load_pack(pack)
        if form == "json":
            raise click.UsageError("--format json needs logs")
        writer.line(
            f"{found.folder} can be read: {', '.join(_says(found))}. Name logs to learn more."
        )
        print_text([writer.text()])
        return
    with progress() as told:
        opened = open_game(named_files(logs, module, pack, facts, limits), viewer, limits, told)
        check_side(viewer, opened.game.sides)
        kept = JudgementCache()
        audited = audit_game(opened, None, told, kept)
        audited = with_suspects(opened, None, audited, lambda: kept, told)
        audited = with_proposals(opened, audited, viewer)
    if opened.backdrop is None:
        raise CannotAudit(
            "is an analysis document", where=logs[0].name, expected="logs, for a pack to be checked"
        )
    wanted = attributes_of(ruleset_for(opened.game, None)[0].in_force(opened.game))
    back = opened.backdrop
    checked = check_pack(
        opened.game, audited, back.pack, back.evidence.seen_by(viewer), wanted, viewer
    )
    if power:
        checked = replace(checked, power=_power(opened, audited, kept, seed))
    if form == "json":
        print_text([document_text(checked.plain())])
        return
    show(writer, checked, back.pack, audited, verbose=verbose)
    print_text([writer.text()])


def _power(opened: Opened, audited: Audit, kept: JudgementCache, seed: int) -> Power:
    game = opened.game
    told = values_of(game.board)
    unseen = None if game.seen is None else sum(key not in game.seen for key in told)
    planted = plant(game, ruleset_for(game, None)[0], audited, PLANTED, seed, kept)
    return Power(planted, seed, unseen)


def _says(pack: Pack) -> Iterator[str]:
    yield counted(len(pack.sheets), "sheet")
    yield counted(len(pack.counters.rows) if pack.counters else 0, "row") + " in units.csv"
    yield counted(len(pack.phases), "phase")
    yield f"{counted(len(pack.charts), 'chart')} complete"


def show(
    writer: TextWriter, checked: PackCheck, pack: Pack, audited: Audit, *, verbose: bool
) -> None:
    """One screen, and every open fact if ``verbose``."""
    writer.title(f"The pack {pack.name} {pack.version}")
    verdicts = ", ".join(f"{number} {name}" for name, number in checked.verdicts.items())
    writer.labelled("moves", f"{counted(sum(checked.verdicts.values()), 'move')}: {verdicts}")
    writer.labelled(
        "pieces",
        f"{counted(checked.moved, 'piece')} moved: {checked.units} units, {checked.no_units} no units, "
        f"{checked.unsaid} not said",
    )
    known = [f"{name} {number}" for name, number in checked.known.items()]
    writer.labelled("units", f"of {checked.units}, known: {_few(known, 2 * FEW)}")
    writer.labelled("hexes", _by_whom(checked.hexes))
    writer.labelled("hexsides", _by_whom(checked.hexsides))
    phases = [f"{name}: {counted(number, 'move')}" for name, number in checked.phases.items()]
    writer.labelled("phases", _few(phases) or "no move is judged yet")
    numbers = [*number_lines(audited)]
    for place, line in enumerate(numbers[:FEW]):
        writer.labelled("" if place else "charts", line)
    _more(writer, len(numbers))
    for place, line in enumerate(checked.from_moves):
        writer.labelled("" if place or numbers else "charts", line)
    for check in pack.values.get("board", {}).get("checked", {}).values():
        writer.labelled(
            "blind",
            f"{check['layer']}: {check['wrong']} of {check['typed']} suggestions typed blind by "
            f"{check['who']} were wrong; of all, at most {100 * float(check['at_most']):.1f} % (95 %)",
        )
    if checked.idle:
        writer.heading("What matches nothing in these logs")
        for line in checked.idle[:FEW]:
            writer.line(line, indent=2, hang=2)
        _more(writer, len(checked.idle))
    if section := suspects_section(audited):
        write_section(writer, section)
    if checked.power is not None:
        _show_power(writer, checked.power)
    if checked.unsaid:
        writer.heading("What nobody has called units")
        writer.line(
            f"{counted(checked.unsaid_drags, 'drag')} of {counted(checked.unsaid, 'piece')} wait: are these "
            "units? Say it on their pictures in the studio (Units), in units.csv, or in [[units.are]] and "
            "[[units.not]] of pack.toml",
            indent=2,
            hang=2,
        )
    if section := questions_section(audited, verbose=verbose):
        write_section(writer, section)


def _show_power(writer: TextWriter, power: Power) -> None:
    """How many moves that go too far are found, and the line for pack.toml that records it."""
    writer.heading(f"Moves made too long (seed {power.seed})")
    for side, made, found, left, legal in power.rows():
        low, high = bounds(found, made)
        said = (
            f"{found} of {made} found (95 % bounds of all such: {low:.0%} to {high:.0%}), {left} left open,"
            f" {legal} called legal"
        )
        writer.labelled(side, said)
    writer.line(NOT_SHOWN, indent=2, hang=2)
    if power.unseen:
        writer.line(
            f"These numbers hold once a person has looked at {counted(power.unseen, 'more fact')} of the map."
            " Until then, moves that rest on one of them are left open.",
            indent=2,
            hang=2,
        )
    if power.planted:
        writer.line("For reports to say it, write into [pack] of pack.toml:", indent=2)
        writer.verbatim(f'power = "{power.said}"', indent=6)


def _by_whom(cells: Mapping[str, int]) -> str:
    total = sum(cells.values())
    return (
        f"{total} that moves could use: " + _few([f"{n} {who}" for who, n in cells.items()])
        if total
        else "no move is judged yet that could use any"
    )


def _few(texts: list[str], number: int = FEW) -> str:
    more = len(texts) - number
    return "; ".join(texts[:number]) + (f"; and {more} more" if more > 0 else "")


def _more(writer: TextWriter, number: int) -> None:
    if number > FEW:
        writer.line(f"and {number - FEW} more: see --format json", indent=2)


SUGGEST_CHART_EPILOG = """\b
Examples:
  umpire pack suggest-chart my-pack turn-*.vlog
  umpire pack suggest-chart my-pack turn-*.vlog --format json
  umpire pack suggest-chart game.json      of an analysis document
"""


@declared(
    "suggest-chart",
    epilog=SUGGEST_CHART_EPILOG,
    short_help="Work out missing numbers of a chart from the moves.",
)
def suggest_chart_command(
    pack: Path = argument(type=PackPath()),
    logs: tuple[Path, ...] = argument(required=False),
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    form: str = form_option(),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Show what the moves in LOGS say about the costs that the charts of PACK lack: terrain, hexsides, roads.

    Each such number is pinned to one value, lies between two, or has no evidence; the evidence is shown. One
    kind of terrain must have its cost, such as clear = 1, and the phases and allowances must be known.
    Nothing is written, and nobody is judged by it. An analysis document in place of PACK and LOGS holds both.
    """
    with progress() as told:
        alone = not logs and pack.is_file() and is_document(pack)
        if not logs and not alone:
            raise click.UsageError(
                "name the logs of a game, or an analysis document in place of PACK"
            )
        files, of = ((pack,), None) if alone else (logs, pack)
        named = named_files(files, module, of, facts, limits)
        opened = open_game(named, viewer, limits, told)
        check_side(viewer, opened.game.sides)
        asked = asked_of(opened, told)
    if form == "json":
        print_text([document_text(plain(asked))])
        return
    writer = TextWriter(terminal_width(), colour=wants_colour())
    _show_chart(writer, asked)
    print_text([writer.text()])


def _show_chart(writer: TextWriter, asked: Asked) -> None:
    """One screen."""
    writer.title("What the moves say of the charts")
    if not asked.missing:
        writer.line("The charts have a cost for everything known to be on the board.")
    for one in asked.classes:
        moves, phases = counted(one.moves, "different move"), counted(one.phases, "phase")
        writer.heading(f"{one.cls}: {moves} in {phases}")
        for found in one.findings:
            name = f"{found.number.table} {found.number.name}"
            writer.spans(
                (f"{name}: {value_text(found)}", "bold"),
                (f"  {evidence_text(found)}", ""),
                indent=2,
                hang=4,
            )
        lines = [*unexplained_lines(one)]
        if lines:
            writer.blank()
            writer.line(f"{counted(len(lines), 'move')} that this chart does not explain", indent=2)
            for line in lines[:FEW]:
                writer.line(line, indent=4, hang=2)
            if len(lines) > FEW:
                writer.line(f"and {len(lines) - FEW} more: see --format json", indent=4)
            writer.line(CAUSES, indent=4)
    for line in left_out_lines(asked):
        writer.line(line)
    if asked.classes:
        writer.blank()
        writer.line(NOTHING_COUNTS)
