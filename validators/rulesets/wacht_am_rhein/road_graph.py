"""The movement graphs of road movement (5.6) and of Prepared Assault (5.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...concepts import logic
from ...concepts.hex_entries import CostItem
from ...cost_interval import BARRED, CostInterval
from ...ruleset import START, Breach, Rounding, Tag
from .movement_graph import TacticalMovementGraph
from .other_units import barring
from .terrain_graph import ANY_NODE, WarHexEntry
from .water import PERHAPS_BARRED

OFF = "off"


class RoadMovementGraph(TacticalMovementGraph):
    """Road movement. A tag is (the node of the road in the hex, see :meth:`WarTerrainGraph.node`; the enemy
    hex overrun by the last step, '' if none; the kind of road it came by, '' off the road; the index of
    that road if its node is not known, else -1; all enemy hexes overrun so far)."""

    def _least(self) -> int:
        return self.terrain_graph.least_road

    def entries(self, here: str, tag: Tag) -> Sequence[WarHexEntry]:
        """The entries along roads that meet, or may meet, the road it came by."""
        every = self.terrain_graph.by_road(here, tag is not START)
        if tag is START or not isinstance(tag, tuple):
            return every
        return [p for p in every if self._meets(tag[0], here, p)]

    def _meets(self, node: object, here: str, entry: WarHexEntry) -> bool:
        own = self.terrain_graph.node(entry, here, self.world)
        return node == own or ANY_NODE in (node, own)

    def closed_entries(self, here: str, tag: Tag) -> Iterator[tuple[WarHexEntry, Breach]]:
        """Entries along roads that do not meet the road it came by, and tactical entries off the road, each
        with its breach."""
        roads: set[str] = set()
        for entry in self.terrain_graph.by_road(here, tag is not START):
            if entry.line < 0:
                continue
            roads.add(entry.to)
            if isinstance(tag, tuple) and not self._meets(tag[0], here, entry):
                text = "changes to a road that does not meet its own"
                yield entry, Breach("WAR-5.6.1-b", text, entry.to, here)
        clause = "5.0-m" if self.profile.strategic else "5.6.0-e"
        if not self.tables.applies(clause):
            return
        for entry in self.terrain_graph.tactical(here, ""):
            if entry.to not in roads and not entry.road:
                text = "leaves the road"
                if self.profile.strategic:
                    text = "leaves the road in Strategic Mode"
                yield entry, Breach(f"WAR-{clause}", text, entry.to, here)

    def open_entries(self, here: str, tag: Tag) -> Sequence[WarHexEntry]:
        """The entries by road, and tactical ones where the clause that forbids leaving the road is switched
        off."""
        found = self.entries(here, tag)
        clause = "5.0-m" if self.profile.strategic else "5.6.0-e"
        if self.tables.applies(clause):
            return found
        return [*found, *(p for p in self.terrain_graph.tactical(here, "") if not p.road)]

    def tag_after(self, here: str, tag: Tag, entry: WarHexEntry) -> Tag:
        """The tag after using ``entry``."""
        over, all_over = self._overrun_after(entry), self.overruns(tag, entry)
        if not entry.road:
            return (ANY_NODE, over, "", -1, all_over)
        node = self.terrain_graph.node(entry, entry.to, self.world)
        return (node, over, entry.road, entry.line if node == ANY_NODE else -1, all_over)

    def own_cost_items(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The cost items of the entry, and a possible prohibition if its road may not meet the one the
        mover came by."""
        yield from entry.cost_items
        yield from self.overrun_again(tag, entry)
        if isinstance(tag, tuple) and entry.line >= 0 and tag[3] not in (-1, entry.line):
            about = self.terrain_graph.about_junction(here)
            text = "changes to a road that may not meet its own"
            yield CostItem(PERHAPS_BARRED, "WAR-5.6.1-b", text, "WAR-5.6.1-b", text, about)

    def rounding(self, tag: Tag, entry: WarHexEntry) -> Rounding | None:
        """Rounding where the kind of road changes (5.6.1-c): the fraction of an MP is lost. None if the
        kind does not change."""
        if not isinstance(tag, tuple) or not self.tables.applies("5.6.1-c"):
            return None
        if tag[2] in ("", entry.road) or not entry.road:
            return None
        return Rounding(self.scale, "WAR-5.6.1-c", "fraction lost on another type of road")

    def own_stops(self, here: str, entry: WarHexEntry) -> Iterator[tuple[str, bool | None]]:
        """The stop of 5.6.3-b where it joins, or may join (None), another Mech unit."""
        if entry.road and not self.profile.strategic and not self.no_enemy_near(entry.to):
            joins = self.other_units.joins(entry.to)
            if joins is not False:
                yield "WAR-5.6.3-b", joins


class AssaultMovementGraph(TacticalMovementGraph):
    """Prepared Assault: every step costs one hex, whatever it costs in MPs. A tag is (the
    constricted-terrain tag, '', how the last hex was entered: :data:`OFF`, "by road" or "perhaps")."""

    def _least(self) -> int:
        return self.scale

    def tag_after(self, here: str, tag: Tag, entry: WarHexEntry) -> Tag:
        """The tag after using ``entry``."""
        road = self.terrain_graph.road_over(entry.side)
        if road is False:
            return (entry.entered, "", OFF)
        # Without the road it had to stop in the rough hex (5.5-f): it may not move on in either case.
        sure = road is True or self.rough(entry.to) is True
        return (entry.entered, "", "by road" if sure else "perhaps")

    def rough(self, hex_name: str) -> bool | None:
        """Whether a hex is woods, forest or constricted; None if it may be."""
        constricted = self.terrain_graph.constricted.is_constricted(hex_name)
        hard = self.tables.among(self.neighbourhood.board, hex_name, self.tables.hard, "hard")
        return logic.some((constricted, hard))

    def own_cost_items(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """One hex, and the prohibitions that tactical movement would have."""
        clause = "WAR-5.5-c" if self.terrain_graph.traits.is_mech else "WAR-5.5-b"
        yield CostItem(CostInterval(self.scale, self.scale), clause, "hex entered")
        for cost_item in entry.cost_items:
            yield from self._prohibition(cost_item)
        yield from self._reverse(here, tag, entry)

    def _prohibition(self, cost_item: CostItem) -> Iterator[CostItem]:
        """The part of a cost item that applies without MPs (5.5-a, 5.5-d): its prohibition, if any."""
        if cost_item.cost.barred is not False and self.tables.applies("5.5-d"):
            yield cost_item._replace(cost=BARRED if cost_item.cost.barred else PERHAPS_BARRED)

    def outer_cost_items(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The prohibitions of water, and the cost items of other units."""
        if entry.at_water:
            for cost_item in self.other_units.water(here, entry, alone=self._alone):
                yield from self._prohibition(cost_item)
        if not self._alone:
            yield from self.other_units.cost_items(here, entry)

    def _rough_off_road(self, here: str, entry: WarHexEntry) -> bool | None:
        rough = self.rough(entry.to)
        road = self.terrain_graph.road_over(entry.side) if self.tables.applies("5.5-l") else False
        found = logic.both(rough, logic.negation(road))
        if not found or not self._on_a_line(here, entry):
            return found
        return logic.negation(self.tables.says("dashed_line_is_road"))

    def _on_a_line(self, here: str, entry: WarHexEntry) -> bool:
        """Whether it enters, along a dashed line, a hex that is rough only because it is constricted. The
        text does not say whether a dashed line counts as a road here."""
        return entry.entered == here and self._only_constricted(entry.to)

    def _reverse(self, here: str, tag: Tag, entry: WarHexEntry) -> Iterator[CostItem]:
        """The prohibition to leave a road for a rough hex after having moved by road (5.5-j)."""
        reading = self.tables.reading("pa_reverse_ruling")
        came = tag[2] if isinstance(tag, tuple) else OFF
        if came == OFF or reading == "allow" or not self.terrain_graph.traits.is_mech:
            return
        rough = self._rough_off_road(here, entry)
        if rough is False or not self.tables.applies("5.5-j"):
            return
        sure = reading == "forbid" and rough is True and came == "by road"
        cost = barring(True if sure else None)
        text = "goes by road and then off it into a rough hex in Prepared Assault"
        along = reading == "forbid" and rough is None and self._on_a_line(here, entry)
        about = ("reading", "5.5-f" if along else "pa_reverse_ruling")
        yield CostItem(cost, "WAR-5.5-j", text, "WAR-5.5-j", text, about)

    def own_stops(self, here: str, entry: WarHexEntry) -> Iterator[tuple[str, bool | None]]:
        """Stops in rough hexes entered off the road and next to enemies of any kind; None if uncertain."""
        if self.terrain_graph.traits.is_mech and self.tables.applies("5.5-f"):
            rough = self._rough_off_road(here, entry)
            if rough is not False:
                yield "WAR-5.5-f", rough
        if not self.no_enemy_near(entry.to) and self.tables.applies("5.5-g"):
            near = self.neighbourhood.next_to_enemy(entry.to)
            if near is not False:
                yield "WAR-5.5-g", near

    def _only_constricted(self, name: str) -> bool:
        return (
            self.tables.among(self.neighbourhood.board, name, self.tables.hard, "hard") is not True
        )
