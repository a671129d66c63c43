"""A game as big as they come: 10,000 hexes, 2,000 moves, thousands of findings."""

from __future__ import annotations

import random
from pathlib import Path

from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.finding import Audit, Clause, Finding, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Displacement, Game, PhaseStart, Place, Rules, StepRef
from vassal_umpire.model.hexgrid import DIRECTIONS, Axial, from_offset
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.reports.html import REPORT
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage

SIDE, UNITS, MOVES, FINDINGS = 100, 400, 2000, 3000
TERRAINS = ("clear", "clear", "woods", "hills", "swamp")


def write_big_page(out: Path) -> None:
    """Write the page of the game to ``out``."""
    rng = random.Random(4)
    board = _board(rng)
    at = {cell.at: name for name, cell in board.hexes.items()}
    units = {f"u{n}": Unit(f"u{n}", f"{n} Inf", ("Blue", "Red")[n % 2]) for n in range(UNITS)}
    lies = {unit: rng.choice(list(at)) for unit in units}
    opening = {unit: Place("hex", at[where]) for unit, where in lies.items()}
    events: list[Displacement | PhaseStart] = []
    moves = []
    for number in range(1, MOVES + 1):
        unit, step = rng.choice(list(units)), StepRef(1, number)
        path = _walk(rng, lies[unit], at)
        lies[unit] = path[-1]
        names = tuple(at[where] for where in path)
        start, end = Place("hex", names[0]), Place("hex", names[-1])
        view = _phase(number)
        if number == 1 or view != _phase(number - 1):
            events.append(PhaseStart(step, view.turn, view.phase, view.active))
        events.append(Displacement(step, unit, start, end))
        moves.append(_judged(rng, number, unit, names, step))
    game = Game("Big", board, ("Blue", "Red"), units, opening, tuple(events), Rules("generic"))
    audit = Audit(
        "Big",
        "generic",
        "1.0",
        (),
        tuple(moves),
        tuple(_finding(moves[n % MOVES], n) for n in range(FINDINGS)),
        {"X": Clause("X", "Allowance", "No more than the allowance is spent.")},
        names={name: unit.name for name, unit in units.items()},
    )
    options = ReportOptions(scene=stage(game, EVERYONE))
    out.write_text(REPORT.render(audit, options), "utf-8")


def _board(rng: random.Random) -> Board:
    hexes = {}
    for column in range(SIDE):
        for row in range(SIDE):
            name = f"{column:02}{row:02}"
            where = from_offset(column, row)
            hexes[name] = Hex(name, where, (rng.choice(TERRAINS),), sheet="s")
    roads = [Line("road", tuple(f"{c:02}{r:02}" for r in range(SIDE))) for c in range(5, SIDE, 10)]
    return Board("Big", hexes, {}, tuple(roads))


def _walk(rng: random.Random, start: Axial, at: dict[Axial, str]) -> list[Axial]:
    path = [start]
    for _ in range(rng.randint(2, 8)):
        dq, dr = rng.choice(DIRECTIONS)
        on = Axial(path[-1].q + dq, path[-1].r + dr)
        if on in at:
            path.append(on)
    return path


def _phase(number: int) -> PhaseView:
    """The phase of a move."""
    return PhaseView(f"Turn {number // 200 + 1}", "Movement", ("Blue", "Red")[number // 100 % 2])


def _judged(
    rng: random.Random, number: int, unit: str, names: tuple[str, ...], step: StepRef
) -> JudgedMove:
    charges = tuple(Charge(name, Amount.exactly(1), "X", "clear") for name in names[1:])
    move = Move(
        number,
        (unit,),
        Place("hex", names[0]),
        Place("hex", names[-1]),
        (Place("hex", names[0]), Place("hex", names[-1])),
        (True, True),
        (step,),
        _phase(number),
        player="A",
    )
    verdict = rng.choice(("legal", "illegal", "unverifiable"))
    return JudgedMove(move, verdict, names, Bill(charges, Amount.exactly(4)))


def _finding(judged: JudgedMove, number: int) -> Finding:
    kind = ("missed-mp-cost", "unverifiable", "note")[number % 3]
    return Finding(
        "X",
        "X",
        kind,
        "illegal" if kind == "missed-mp-cost" else "unverifiable",
        judged.move.units,
        judged.move.units,
        (judged.path[-1],),
        judged.move.steps,
        "even the cheapest path costs more than the allowance",
        phase=judged.move.phase,
        bill=judged.bill,
        moves=(judged.move.id,),
    )
