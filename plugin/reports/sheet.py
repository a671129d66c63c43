"""What the page says of an audit, ready to be laid out: rows of findings and moves, paths in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...model.bill import Bill
from ...model.finding import Audit, Clause, Finding, JudgedMove, PhaseView
from ...model.game import StepRef
from .atlas import Atlas, Crop
from .json import unknowns_of
from .map_scene import MapScene, Point
from .phrases import compact_bill, measured, short_amount, steps_text
from .routes import route, routes, unit_names
from .text import who

MOST_CROPS = 300
"""Findings that get a picture of their own; a page with more would not be read."""

VIOLATIONS = ("illegal-move", "overstack", "missed-mp-cost")


@dataclass(frozen=True, slots=True)
class Paid:
    """What entering one hex of a path cost: the sum, and charge by charge with its clause."""

    hex: str
    amount: str
    charges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move: its ``number`` as in the JSON report, and where it is drawn (hexes by name)."""

    number: int
    judged: JudgedMove
    names: str
    route: str
    steps: str
    who: str
    turn: str
    phase: str
    verdict: str
    due: str
    hexes: tuple[str, ...]
    paid: tuple[Paid, ...]
    step: int


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding: ``number`` counts all of them in the order of the JSON report."""

    number: int
    finding: Finding
    clause: Clause | None
    names: str
    routes: tuple[str, ...]
    steps: str
    who: str
    turn: str
    phase: str
    moves: tuple[MoveRow, ...]
    step: int

    @property
    def violation(self) -> bool:
        return self.finding.kind in VIOLATIONS


class Sheet:
    """See the module's text; one for one page."""

    def __init__(self, audit: Audit, scene: MapScene, *, many_logs: bool) -> None:
        self.audit = audit
        self.scene = scene
        self._many_logs = many_logs
        self.atlas = Atlas(scene)
        self.moves = [self._move(judged) for judged in audit.moves]
        self._by_id = {row.number: row for row in self.moves}
        self.findings = [self._finding(n, f) for n, f in enumerate(audit.findings, 1)]

    # -- rows ------------------------------------------------------------------------------------

    def _move(self, judged: JudgedMove) -> MoveRow:
        move = judged.move
        between = tuple(place.hex for place in move.waypoints if place.hex is not None)
        return MoveRow(
            number=move.id,
            judged=judged,
            names=unit_names(self.audit, judged),
            route=route(judged),
            steps=steps_text(move.steps, many_logs=self._many_logs),
            who=_by(move.player, move.actor),
            turn=move.phase.turn or "",
            phase=_phase(move.phase),
            verdict=judged.verdict if judged.judged else "not judged",
            due=compact_bill(judged.bill) if judged.bill is not None else judged.remark,
            hexes=judged.path or between,
            paid=tuple(_paid(judged.bill, judged.path)),
            step=self._index(move.steps),
        )

    def _finding(self, number: int, finding: Finding) -> FindingRow:
        moves = tuple(self._by_id[m] for m in finding.moves if m in self._by_id)
        return FindingRow(
            number=number,
            finding=finding,
            clause=self.audit.clauses.get(finding.clause),
            names=", ".join(finding.names),
            routes=tuple(routes(self.audit, [row.judged for row in moves])),
            steps=steps_text(finding.steps, many_logs=self._many_logs),
            who=_by(finding.player, finding.side),
            turn=finding.phase.turn or "",
            phase=_phase(finding.phase),
            moves=moves,
            step=self._index(finding.steps),
        )

    def _index(self, steps: tuple[StepRef, ...]) -> int:
        return self.atlas.stop(max(steps)) if steps else 0

    @property
    def players(self) -> list[str]:
        """Everybody who did something, for the filter."""
        who = {row.who for row in self.moves} | {row.who for row in self.findings}
        return sorted(who - {""})

    @property
    def turns(self) -> list[str]:
        """Every turn in which something was done, in the order of the game."""
        said = [(row.step, row.turn) for row in self.moves]
        said += [(row.step, row.turn) for row in self.findings]
        ordered = sorted(said, key=lambda entry: entry[0])
        return list(dict.fromkeys(turn for _, turn in ordered if turn))

    @cached_property
    def paths(self) -> dict[int, tuple[int, list[Point]] | None]:
        """Where each move is drawn, by its number."""
        return {row.number: self.atlas.path(row.hexes) for row in self.moves}

    def crop(self, row: FindingRow) -> Crop | None:
        """The part of the map a finding is about: a stack as it stood, else just before the move."""
        if row.number > MOST_CROPS:
            return None
        stop = row.step
        if row.finding.kind != "overstack" and row.moves:
            stop = self.atlas.stop(min(s for m in row.moves for s in m.judged.move.steps)) - 1
        moved = (name for move in row.moves for name in move.hexes)
        return self.atlas.crop((*row.finding.hexes, *moved), max(0, stop))

    @cached_property
    def settling(self) -> list[tuple[Any, list[MoveRow]]]:
        """The facts that would decide something, the most useful first, with the moves that wait."""
        waiting = [
            (unknown, [self._by_id[m] for m in moves if m in self._by_id])
            for unknown, moves in unknowns_of(self.audit).values()
        ]
        return sorted(waiting, key=lambda item: (-len(item[1]), item[0].key))

    @property
    def cited(self) -> list[Clause]:
        """The clauses that findings and bills name."""
        bills = [m.bill for m in self.audit.moves] + [f.bill for f in self.audit.findings]
        named = {c.clause for bill in bills if bill is not None for c in bill.charges}
        named.update(f.clause for f in self.audit.findings)
        return [c for key, c in sorted(self.audit.clauses.items()) if key in named]

    # -- for the script --------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """What the script needs: indices instead of names wherever they repeat."""
        steps = self.scene.steps
        number = {step: index for index, step in enumerate(steps)}
        said = {row.step: row.phase for row in self.moves if row.phase}
        return {
            "steps": [[s.log, s.step] for s in steps],
            "logs": self._many_logs,
            "phases": sorted(said.items()),
            "maps": [
                {
                    "box": list(a_map.box),
                    "reach": round(self.atlas.reach(a_map), 1),
                    "cells": [[c.name, round(c.x, 1), round(c.y, 1), c.told] for c in a_map.cells],
                }
                for a_map in self.scene.maps
            ],
            "units": [
                {
                    "name": c.name,
                    "at": [[number[s], *self._home(h)] for s, h in c.stays if s in number],
                }
                for c in self.scene.counters
            ],
            "moves": [
                {
                    "id": row.number,
                    "step": row.step,
                    "turn": row.turn,
                    "phase": row.phase,
                    "who": row.who,
                    "verdict": row.verdict,
                    "say": f"{row.names}  {row.route}: {row.verdict}",
                    "due": row.due,
                    "paid": [[*self._home(p.hex), p.amount, list(p.charges)] for p in row.paid],
                }
                for row in self.moves
            ],
            "findings": [
                {
                    "step": row.step,
                    "moves": [m.number for m in row.moves],
                    "hexes": [self._home(name) for name in row.finding.hexes],
                }
                for row in self.findings
            ],
        }

    def _home(self, hex_name: str | None) -> list[int]:
        return list(self.scene.homes.get(hex_name or "", (-1, -1)))


def _paid(bill: Bill | None, path: tuple[str, ...]) -> Iterator[Paid]:
    if bill is None:
        return
    for name in dict.fromkeys((*path[1:], *(c.hex for c in bill.charges))):
        charges = [c for c in bill.charges if c.hex == name]
        if charges:
            amount = charges[0].amount
            for charge in charges[1:]:
                amount = amount + charge.amount
            said = tuple(
                f"{c.reason} ({c.clause})"
                if c.forbidden
                else f"{measured(c.amount, bill.unit)} {c.reason} ({c.clause})"
                for c in charges
            )
            yield Paid(name, short_amount(amount), said)


def _phase(view: PhaseView) -> str:
    text = str(view)
    return "" if text == "phase not known" else text


def _by(player: str, side: str | None) -> str:
    return who(player, side) if player or side else ""
