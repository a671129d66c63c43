"""The content of the page: rows of findings and moves, paths in pixels, and the values for its script as
plain JSON, with numbers in place of repeated texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...model.bill import Bill
from ...model.finding import ACCUSING, Audit, Clause, Finding, JudgedMove, PhaseView
from ...model.game import StepRef
from .atlas import Atlas, Crop
from .drawing import terrain_colour
from .json import cited_in
from .map_scene import Cell, MapPicture, MapScene, Point
from .phrases import compact_bill, measured, player_text, short_amount, steps_text
from .routes import dragged, off_the_drag, route, routes, unit_names
from .ruled import Row, decisions, finding_rows

MOST_CROPS = 100
"""Maximum number of findings with a picture; a longer page would not be read."""


@dataclass(frozen=True, slots=True)
class Paid:
    """The cost of entering one hex of a path: the sum, and each charge with its clause."""

    hex: str
    amount: str
    charges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move. ``number``: as in the JSON report. ``hexes``: where it is drawn. ``why``: the explanation of
    its verdict. ``drag``: the hexes where it was put down, if ``hexes`` leave one out."""

    number: int
    judged: JudgedMove
    names: str
    route: str
    steps: str
    who: str
    turn: str
    phase: str
    verdict: str
    why: str
    hexes: tuple[str, ...]
    drag: tuple[str, ...]
    paid: tuple[Paid, ...]
    step: int
    log: int


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding. ``number`` counts all of them: violations first, then open ones, then notes, each in the
    order of the JSON report. ``told``: its rows, label and text. ``decision``: the ruling in a word, "" if
    there is none."""

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
    told: tuple[Row, ...] = ()
    decision: str = ""

    @property
    def violation(self) -> bool:
        return self.finding.kind in ACCUSING


class Sheet:
    """The content of one page. ``findings`` are in the order of their numbers."""

    def __init__(self, audit: Audit, scene: MapScene, *, many_logs: bool) -> None:
        self.audit = audit
        self.scene = scene
        self.many_logs = many_logs
        self.atlas = Atlas(scene)
        self._accused: dict[int, list[Finding]] = {}
        for finding in audit.findings:
            for number in finding.moves if finding.kind in ACCUSING else ():
                self._accused.setdefault(number, []).append(finding)
        self.moves = [self._move(judged) for judged in audit.moves]
        self._by_id = {row.number: row for row in self.moves}
        self._told = finding_rows(audit)
        self._decided = {id(audit.findings[n]): said for n, said in decisions(audit).items()}
        ordered = sorted(audit.findings, key=_rank)
        self.findings = [self._finding(n, f) for n, f in enumerate(ordered, 1)]

    # -- rows ------------------------------------------------------------------------------------

    def _move(self, judged: JudgedMove) -> MoveRow:
        move = judged.move
        between = tuple(place.hex for place in move.waypoints if place.hex is not None)
        return MoveRow(
            number=move.id,
            judged=judged,
            names=unit_names(self.audit, judged),
            route=route(judged),
            steps=steps_text(move.steps, many_logs=self.many_logs),
            who=player_text(move.player, move.actor),
            turn=move.phase.turn or "",
            phase=_phase(move.phase),
            verdict=judged.verdict if judged.judged else "not judged",
            why="; ".join(self._why(judged)),
            hexes=judged.path or between,
            drag=tuple(dragged(judged)) if off_the_drag(judged) else (),
            paid=tuple(_paid(judged.bill, judged.path)),
            step=self._index(move.steps),
            log=min(move.steps).log if move.steps else 0,
        )

    def _why(self, judged: JudgedMove) -> Iterator[str]:
        """The bill, then the remark or the accusation."""
        if judged.bill is not None:
            yield compact_bill(judged.bill)
        if judged.remark:
            yield judged.remark
        if judged.verdict == "illegal":
            yield from dict.fromkeys(f.explanation for f in self._accused.get(judged.move.id, ()))

    def _finding(self, number: int, finding: Finding) -> FindingRow:
        moves = tuple(self._by_id[m] for m in finding.moves if m in self._by_id)
        return FindingRow(
            number=number,
            finding=finding,
            clause=self.audit.clauses.get(finding.clause),
            names=", ".join(finding.names),
            routes=tuple(routes(self.audit, [row.judged for row in moves])),
            steps=steps_text(finding.steps, many_logs=self.many_logs),
            who=player_text(finding.player, finding.side),
            turn=finding.phase.turn or "",
            phase=_phase(finding.phase),
            moves=moves,
            step=self._index(finding.steps),
            told=self._told[id(finding)],
            decision=self._decided.get(id(finding), ""),
        )

    def _index(self, steps: tuple[StepRef, ...]) -> int:
        return self.atlas.stop(max(steps)) if steps else 0

    @property
    def players(self) -> list[str]:
        """All players who did something, for the filter."""
        who = {row.who for row in self.moves} | {row.who for row in self.findings}
        return sorted(who - {""})

    @property
    def turns(self) -> list[str]:
        """The turns in which something was done, in the order of the game."""
        said = [(row.step, row.turn) for row in self.moves]
        said += [(row.step, row.turn) for row in self.findings]
        ordered = sorted(said, key=lambda entry: entry[0])
        return list(dict.fromkeys(turn for _, turn in ordered if turn))

    @cached_property
    def paths(self) -> dict[int, tuple[int, list[Point]] | None]:
        """Where each move is drawn, by its number."""
        return {row.number: self.atlas.path(row.hexes) for row in self.moves}

    @cached_property
    def drags(self) -> dict[int, tuple[int, list[Point]]]:
        """By the number of a move, the drag of its counter, if the move is drawn on another path."""
        drawn = ((row.number, self.atlas.path(row.drag)) for row in self.moves if row.drag)
        return {number: path for number, path in drawn if path is not None}

    def crop(self, row: FindingRow) -> Crop | None:
        """The part of the map that a finding is about: a stack as it stood, else the map just before the
        move."""
        if row.number > MOST_CROPS:
            return None
        stop = row.step
        if row.finding.kind != "overstack" and row.moves:
            stop = self.atlas.stop(min(s for m in row.moves for s in m.judged.move.steps)) - 1
        moved = (name for move in row.moves for name in (*move.hexes, *move.drag))
        return self.atlas.crop((*row.finding.hexes, *moved), max(0, stop))

    @property
    def cited(self) -> list[Clause]:
        """The clauses that findings and bills name."""
        named = cited_in(self.audit)
        return [c for key, c in sorted(self.audit.clauses.items()) if key in named]


def _rank(finding: Finding) -> int:
    return 0 if finding.kind in ACCUSING else 1 if finding.kind == "unverifiable" else 2


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
            stop = "!" if any(c.forbidden for c in charges) else ""
            yield Paid(name, f"{short_amount(amount)}{stop}", said)


def _phase(view: PhaseView) -> str:
    text = str(view)
    return "" if text == "phase not known" else text


class Words:
    """Numbered texts: each is in the page once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def page_data(sheet: Sheet, listed: list[int]) -> dict[str, Any]:
    """The values for the script. ``listed``: the numbers of the findings that have a row or a text."""
    scene, words = sheet.scene, Words()
    number = {step: index for index, step in enumerate(scene.steps)}

    def home(hex_name: str | None) -> list[int]:
        return list(scene.homes.get(hex_name or "", (-1, -1)))

    maps = [_map(sheet, a_map, words) for a_map in scene.maps]
    paid: dict[tuple[str, ...], int] = {}
    moves = [
        [
            row.number,
            row.step,
            words[row.turn],
            words[row.phase],
            words[row.who],
            words[row.verdict],
            [
                n
                for p in row.paid
                for n in (*home(p.hex), paid.setdefault((p.amount, *p.charges), len(paid)))
            ],
        ]
        for row in sheet.moves
    ]
    by_number = {row.number: row for row in sheet.findings}
    findings = {
        n: [
            by_number[n].step,
            [move.number for move in by_number[n].moves],
            [home(name) for name in by_number[n].finding.hexes],
            words[by_number[n].turn],
            words[by_number[n].who],
            words[by_number[n].finding.verdict],
            words[by_number[n].finding.kind],
        ]
        for n in listed
    }
    return {
        "steps": _runs(scene.steps),
        "logs": sheet.many_logs,
        "phases": [[sheet.atlas.first(at), text] for at, text in scene.phases],
        "maps": maps,
        "units": [
            {"name": c.name, "at": [[number[s], *home(h)] for s, h in c.stays if s in number]}
            for c in scene.counters
        ],
        "moves": moves,
        "findings": findings,
        "paid": list(paid),
        "words": words.texts,
    }


def _runs(steps: Iterable[StepRef]) -> list[list[int]]:
    """Runs of consecutive steps: log, first step, and length."""
    runs: list[list[int]] = []
    for at in steps:
        if runs and runs[-1][0] == at.log and sum(runs[-1][1:]) == at.step:
            runs[-1][2] += 1
        else:
            runs.append([at.log, at.step, 1])
    return runs


def _map(sheet: Sheet, a_map: MapPicture, words: Words) -> dict[str, Any]:
    """A map: name, centre and kind of its hexes; text, colour and outline of each kind."""
    kinds: dict[tuple[int, str, str], int] = {}

    def cell(one: Cell) -> list[Any]:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in one.corners)
        kind = words[one.told.removeprefix(one.name)], terrain_colour(one), corners
        return [one.name, _short(one.x), _short(one.y), kinds.setdefault(kind, len(kinds))]

    return {
        "box": list(a_map.box),
        "reach": round(sheet.atlas.reach(a_map), 1),
        "cells": [cell(one) for one in a_map.cells],
        "kinds": list(kinds),
    }


def _short(value: float) -> float:
    rounded = round(value, 1)
    return int(rounded) if rounded.is_integer() else rounded
