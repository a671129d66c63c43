"""Overruns (5.10): the entry into a hex with enemies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....model.fact import Fact
from ...concepts import logic
from ...concepts.hex_entries import CostItem
from ...cost_interval import BARRED, CostInterval, optional
from .crossing import SEVERAL
from .neighbourhood import Neighbourhood
from .overrun_results import UNCLEARED
from .terrain_graph import WarHexEntry
from .water import PERHAPS_BARRED

AGAIN = "overruns a hex for the second time in the phase"


@dataclass(frozen=True, slots=True)
class Overrun:
    """The conditions under which a unit may overrun. ``closed``: (clause, text) by which it may not enter
    an enemy hex at all, None if it may overrun; ``against``: further prohibitions as (clause, text, whether
    it holds, about), with None if it may hold; ``result``: what the facts say of its overruns; ``night``:
    whether it is night, None if not known."""

    closed: tuple[str, str] | None
    against: tuple[tuple[str, str, bool | None, tuple[str, ...]], ...] = ()
    result: Fact | None = None
    night: bool | None = False

    def cost_items(
        self,
        neighbourhood: Neighbourhood,
        begun: tuple[str, tuple[str, ...]],
        entry: WarHexEntry,
        occupied: bool | None,
        ends_at: str,
    ) -> Iterator[CostItem]:
        """The cost items of entering a hex that holds enemies. ``begun``: the hex that it comes from, and the
        enemy hexes that it has overrun before. ``occupied``: None if it may hold enemies, which makes every
        item optional."""
        for cost_item in self._cost_items(neighbourhood, begun, entry, ends_at):
            about = cost_item.about or ("enemy", entry.to)
            if occupied is None and cost_item.cost.barred is not False:
                about = ("enemy", entry.to)
            yield cost_item._replace(cost=optional(cost_item.cost, occupied), about=about)

    def _cost_items(
        self,
        neighbourhood: Neighbourhood,
        begun: tuple[str, tuple[str, ...]],
        entry: WarHexEntry,
        ends_at: str,
    ) -> Iterator[CostItem]:
        tables, to, (here, overrun) = neighbourhood.tables, entry.to, begun
        hemmed, near = self._hemmed(neighbourhood, here, overrun)
        if self.closed is not None:
            clause, text = self.closed
            if tables.applies(clause):
                yield CostItem(BARRED, f"WAR-{clause}", text, f"WAR-{clause}", text)
            return
        found = [
            *self.against,
            (
                "5.10.1-d",
                AGAIN,
                self._again(neighbourhood, to),
                ("condition", f"overrun-{to}"),
            ),
            (
                "5.10.1-e",
                "overruns out of the open next to two hexes with enemies",
                hemmed,
                near,
            ),
            (
                "5.10.3-c",
                "stops in the hex of enemies it has overrun",
                self._stays(to, ends_at),
                ("condition", "overrun"),
            ),
        ]
        for clause, text, holds, asked in found:
            if holds is not False and tables.applies(clause):
                cost = BARRED if holds else PERHAPS_BARRED
                yield CostItem(cost, f"WAR-{clause}", text, f"WAR-{clause}", text, asked)
        if entry.road and entry.line >= 0 and not tables.applies("5.10-g"):
            yield CostItem(BARRED, "WAR-5.10-g", "road", "WAR-5.10-g", "overruns by road")
        if tables.applies("5.10-e"):
            one = CostInterval(tables.scale, tables.scale)
            yield CostItem(one, "WAR-5.10-e", "overrun")

    def _again(self, neighbourhood: Neighbourhood, to: str) -> bool | None:
        said = neighbourhood.condition(f"overrun-{to}")
        if said.options is None:
            return neighbourhood.overrun_before(to)
        if said.must_be(True) and neighbourhood.unit_history.is_old(said, f"overrun-{to}"):
            return None
        return None if len(said.options) > 1 else bool(said.must_be(True))

    def _hemmed(
        self, neighbourhood: Neighbourhood, here: str, overrun: tuple[str, ...]
    ) -> tuple[bool | None, tuple[str, ...]]:
        """Whether 5.10.1-e bars an overrun out of a hex, None if it may, and what to ask. Whether hexes
        ``overrun`` before count is an open reading of 5.10.3."""
        every, near = self._between(neighbourhood, here, ()), ("near", here)
        ignores = neighbourhood.tables.says("ignore_overrun_on")
        if not overrun or ignores is False:
            return every, near
        others = False if overrun == SEVERAL else self._between(neighbourhood, here, overrun)
        if ignores or others == every:
            return others, near
        return None, ("reading", "ignore_overrun_on")

    def _between(
        self, neighbourhood: Neighbourhood, here: str, ignored: tuple[str, ...]
    ) -> bool | None:
        """Whether a hex without Covering Terrain is next to more than one hex with enemies (5.10.1-e), those
        ``ignored`` left out; None if it may be."""
        night = self.night if neighbourhood.tables.applies("5.10.1-f") else False
        open_ground = logic.both(
            logic.negation(neighbourhood.covering(here)), logic.negation(night)
        )
        if open_ground is False:
            return False
        near = [name for name in neighbourhood.board.neighbours(here) if name not in ignored]
        held = [neighbourhood.occupied(name) for name in near]
        sure, possible = held.count(True), sum(answer is not False for answer in held)
        two = True if sure > 1 else None if possible > 1 else False
        return logic.both(open_ground, two)

    def _stays(self, to: str, ends_at: str) -> bool | None:
        if to != ends_at or self.result is None or self.result.options is None:
            return False
        if UNCLEARED not in self.result.options:
            return False
        return True if len(self.result.options) == 1 else None
