"""What the script of the page needs, as plain JSON values: numbers instead of what is said often."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...model.game import StepRef
from .map_scene import Cell, MapPicture
from .sheet import Sheet


class Words:
    """Texts by number: each stands once in the page."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def page_data(sheet: Sheet, listed: list[int]) -> dict[str, Any]:
    """The values; ``listed``: the numbers of the findings that have a row or a text of their own."""
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
    """Steps that follow one another, as the log, the first of them and their number."""
    runs: list[list[int]] = []
    for at in steps:
        if runs and runs[-1][0] == at.log and sum(runs[-1][1:]) == at.step:
            runs[-1][2] += 1
        else:
            runs.append([at.log, at.step, 1])
    return runs


def _map(sheet: Sheet, a_map: MapPicture, words: Words) -> dict[str, Any]:
    """A map: of its hexes name, centre and kind; of the kinds what is told of them, colour and outline."""
    kinds: dict[tuple[int, str, str], int] = {}

    def cell(one: Cell) -> list[Any]:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in one.corners)
        kind = words[one.told.removeprefix(one.name)], sheet.atlas.tint(one), corners
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
