"""How far the work on a pack is, the card that says what to do next, and problems with the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...importers.pack.edit.hexes import FILE as HEXES
from ...importers.pack.edit.lines import FILE as LINES
from ...importers.pack.edit.units import FILE as UNITS
from ...importers.pack.new_board import hex_grids
from ...model.finding import Audit
from ...model.names import CLASS
from ...model.problem import Problem
from ...model.viewer import Viewer
from ..auditing import Evidence, Opened, ruleset_for
from ..pack_check import PackCheck, check_pack, is_on_map
from ..printable import MOST_SAID
from ..reports.phrases import counted
from ..ruleset_needs import attributes_of, charts_of, schema_of
from .choices import questions


@dataclass(frozen=True, slots=True)
class PackProgress:
    """How far the work is. ``logs``: the number open. ``hexes``: of the board; ``terrain``: those whose
    terrain is known. ``moved``: pieces that moved; ``unsaid`` of them are neither declared units nor declared
    others. ``units``: units that moved; ``sideless`` of them have no side, ``lacking`` lack an attribute that
    the ruleset needs. ``mapless``: the pack has nothing yet in the charts that need no map. ``moves``: their
    number, by verdict; ``in_phase``: those whose phase is known. ``judging``: verdicts are being made.
    ``fault``: why the pack cannot be read; "": it can. ``asked``: the question that most moves wait for, and
    how many; ``phase_asked``: how many wait for a question about their phase. ``pictured``: the module has a
    picture of the board."""

    logs: int = 0
    hexes: int = 0
    terrain: int = 0
    moved: int = 0
    unsaid: int = 0
    units: int = 0
    sideless: int = 0
    mapless: bool = False
    lacking: int = 0
    moves: int = 0
    in_phase: int = 0
    unverifiable: int = 0
    findings: int = 0
    judging: bool = False
    fault: str = ""
    asked: str = ""
    asked_by: int = 0
    phase_asked: int = 0
    pictured: bool = True


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do: one or two sentences, and the view to do it in, with a target there ("": none)."""

    text: str
    view: str
    target: str = ""


def card_for(now: PackProgress) -> Card:
    """What to do next."""
    if now.fault:
        return Card(
            f"The pack cannot be read: {now.fault}. Mend this first.", "findings", "problems"
        )
    if not now.logs:
        if now.terrain < now.hexes:
            left = now.hexes - now.terrain
            return Card(
                "No log is open yet, so nothing can be judged. You can begin with the board: "
                f"{counted(left, 'hex', 'hexes')} {'has' if left == 1 else 'have'} no terrain.",
                "board",
                "unknown",
            )
        return Card(
            "The board is described. To judge moves, close the studio and open it again with the logs of a"
            " game.",
            "board",
        )
    if now.moved and not now.units:
        return Card(
            f"Say which counters are units: {counted(now.moved, 'piece')} moved, and none of them is known "
            "to be one.",
            "units",
        )
    if now.units and now.sideless == now.units:
        return Card(
            f"Say which side the {counted(now.units, 'unit')} that moved belong to: for most, the players"
            " who moved them show it.",
            "units",
        )
    if now.moves and not now.in_phase and now.mapless:
        return Card(
            "Say how much of one side may be in a hex. No map is needed for that: the first overstacks show "
            "as soon as one phase is confirmed.",
            "rules",
            "question stacking",
        )
    if now.moves and not now.in_phase:
        return Card(
            "Say which steps belong to which phase: a move is judged only where its phase is known.",
            "phases",
        )
    if now.hexes and not now.terrain:
        found = counted(now.findings, "finding")
        so_far = f"{found} so far, in Questions & findings. " if now.findings else ""
        if not now.pictured:
            return Card(
                f"{so_far}Describe the terrain of the board: paint it in Board, hex by hex. The module has no"
                " picture of it from which the rest could be suggested.",
                "board",
                "unknown",
            )
        return Card(
            f"{so_far}Describe the terrain of the board: begin with the few hexes that decide a move soonest,"
            " or show a few hexes of each kind in Suggest, which suggests the rest.",
            "suggest",
            "soonest",
        )
    if now.judging:
        return Card("The moves are being judged. You can go on working meanwhile.", "board")
    if now.unsaid == 1:
        return Card(
            "1 piece moved that may or may not be a unit. Say which it is.", "units", "perhaps"
        )
    if now.unsaid:
        text = f"{counted(now.unsaid, 'piece')} moved that may or may not be units. Say which."
        return Card(text, "units", "perhaps")
    if now.lacking:
        return Card(
            f"{counted(now.lacking, 'unit')} moved of which the rules need to know more.", "units"
        )
    if now.asked and now.phase_asked >= now.asked_by:
        wait = "waits" if now.phase_asked == 1 else "wait"
        return Card(
            f"{counted(now.phase_asked, 'move')} {wait} for a phase. Open Phases: it suggests a phase for "
            "these steps. Nothing counts until you confirm it.",
            "phases",
        )
    if now.asked:
        wait = "waits" if now.asked_by == 1 else "wait"
        return Card(
            f"{counted(now.asked_by, 'move')} {wait} for one answer: {now.asked}",
            "findings",
            "questions",
        )
    if now.findings:
        return Card(
            f"{counted(now.findings, 'finding')} to look at: is it the player, or the pack?",
            "findings",
            "findings",
        )
    if now.moves and now.in_phase < now.moves:
        waiting = counted(now.moves - now.in_phase, "move")
        return Card(
            f"Everything asked is answered; the phase of {waiting} is not known yet.", "phases"
        )
    if not now.moves:
        return Card("These logs hold no move that could be judged.", "phases")
    if now.unverifiable:
        verb, them = ("is", "it") if now.unverifiable == 1 else ("are", "them")
        waiting = f"{counted(now.unverifiable, 'move')} {verb} unverifiable"
        return Card(f"{waiting}, and no question would decide {them}.", "findings")
    return Card("Every move is decided. The report can be written: umpire audit.", "findings")


ON_THE_CARD = frozenset({"no-units", "no-phase"})
"""The card is about these; they are no faults of the pack."""


def file_problems(problems: Sequence[Problem]) -> Iterator[str]:
    """The first problems, for the page. Names on the board that no chart has yet share one line: a new pack's
    board is painted before the charts are filled in."""
    bad = [p for p in problems if p.severity != "note" and p.code not in ON_THE_CARD]
    new = [p for p in bad if _is_without_a_cost(p)]
    classes = [p for p in bad if _is_new_class(p)]
    told = [p for p in bad if p not in new and p not in classes]
    yield from (str(problem) for problem in told[:MOST_SAID])
    if classes:
        yield "counters have movement classes that the charts do not have yet: the Units view adds them"
    if new:
        have, are, cost = (
            ("has", "it", "it costs") if len(new) == 1 else ("have", "them", "they cost")
        )
        yield (
            f"{counted(len(new), 'name')} on the board {have} no cost yet, so what rests on {are} is not "
            f"known: the Rules view asks what {cost}, below All charts"
        )


def _is_new_class(problem: Problem) -> bool:
    """Whether a problem is a class of counters that the chart of classes lacks and may still get."""
    is_class = problem.code == "unknown-name" and f"a {CLASS} that" in problem.message
    return is_class and problem.where.startswith(f"{UNITS} ") and problem.severity == "warning"


def _is_without_a_cost(problem: Problem) -> bool:
    """Whether a problem is a name on the board that an incomplete chart lacks."""
    on_board = problem.where.startswith((f"{HEXES} ", f"{LINES} "))
    return on_board and problem.code == "unknown-name" and problem.severity == "warning"


MAPLESS = frozenset(("stacking", "enemy_hex"))
"""Charts with plain questions whose findings depend on no cell of the map."""


OF_PHASE = ("phase of log ", "combat from ")
"""Beginnings of the keys of questions that the Phases view answers."""


def checked(opened: Opened, audit: Audit, evidence: Evidence, viewer: Viewer) -> PackCheck | None:
    """The numbers of ``pack check``; None if the game was not read from logs."""
    if opened.backdrop is None:
        return None
    wanted = attributes_of(ruleset_for(opened.game, None)[0].in_force(opened.game))
    return check_pack(
        opened.game, audit, opened.backdrop.pack, evidence.seen_by(viewer), wanted, viewer
    )


def progress_of(
    evidence: Evidence,
    opened: Opened | None,
    audit: Audit | None,
    viewer: Viewer,
    fault: str,
    judging: bool,
) -> PackProgress:
    """How far the work is, as far as ``viewer`` may know; ``audit`` is the part he may read."""
    logs = len(evidence.logs)
    if opened is None:
        return PackProgress(logs=logs, fault=fault, judging=judging)
    hexes = opened.game.board.hexes.values()
    bare = PackProgress(
        logs=logs,
        hexes=len(hexes),
        terrain=sum(here.terrain is not None for here in hexes),
        judging=judging,
        fault=fault,
        pictured=any(
            under.definition.image and under.width
            for layout in evidence.layouts.values()
            for under in layout.boards
            if hex_grids(under.grid)
        ),
    )
    if audit is None or not logs or fault:
        return bare
    found = checked(opened, audit, evidence, viewer)
    if found is None:
        return bare
    moves = sum(found.verdicts.values())
    first = min(found.next, key=lambda one: not one.questions[0].unknown.look, default=None)
    ruleset, rules = ruleset_for(opened.game, None)[0], opened.game.rules
    asked = {one.chart for one in questions(schema_of(ruleset).get("properties", {}), (), ())}
    open_charts = MAPLESS & asked & set(charts_of(ruleset))
    said = set(rules.tables) | (open_charts if rules.complete is None else rules.complete)
    waiting = [m.unknowns for m in audit.moves if m.verdict == "unverifiable" and is_on_map(m)]
    lacking = max((found.units - number for number in found.known.values()), default=0)
    return replace(
        bare,
        moved=found.moved,
        unsaid=found.unsaid,
        units=found.units,
        sideless=found.units - found.known["side"],
        mapless=bool(open_charts) and open_charts.isdisjoint(said),
        lacking=lacking,
        moves=moves,
        in_phase=moves - found.phases.get("not known", 0),
        unverifiable=found.verdicts["unverifiable"],
        findings=sum(f.verdict == "illegal" for f in audit.findings),
        asked=first.text if first else "",
        asked_by=len(first.moves) if first else 0,
        phase_asked=sum(any(u.key.startswith(OF_PHASE) for u in asked) for asked in waiting),
    )
