"""Tide of Iron on foot and on wheels: what a move costs, hex by hex, as the pages say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

from vassal_umpire.model.board import Board, edge
from vassal_umpire.model.fact import Value

from .kit import Fraction, LegalRoute, Table

P = None
CLASSES = ("squad", "truck", "light", "heavy")
CHART: dict[str, tuple[int | None, ...]] = {
    "clear": (1, 1, 1, 1),
    "field": (1, 2, 1, 1),
    "woods": (2, 3, 2, 2),
    "building": (2, P, P, 3),
    "collapsed building": (3, P, P, P),
    "rough": (2, 3, 3, 2),
    "marsh": (3, P, P, 4),
    "beach": (2, 2, 2, 1),
    "pond": (P, P, P, P),
    "wadi": (1, 1, 1, 1),
}
"""What a hex costs squads, trucks, other light and heavy vehicles; P: prohibited. No game's chart but for
what the public pages say."""
STREAMS: dict[str, tuple[int | None, ...]] = {
    "shallow": (2, 4, 4, 4),
    "deep": (3, P, P, P),
    "flooded": (P, P, P, P),
    "frozen": (2, 3, 3, 3),
}
DEPTH_CLAUSE = {
    "shallow": "TOI-X-ST-a", "deep": "TOI-X-ST-b", "flooded": "TOI-X-ST-c", "frozen": "TOI-X-ST-d",
}  # fmt: skip
OWN_CLAUSE = {"pond": "TOI-X-PO-a", "beach": "TOI-X-BE"}
CARDS: dict[str, dict[str, Value]] = {
    "truck": {"class": "truck", "ma": Fraction(4), "transport": Fraction(2), "tank": False},
    "tiger i": {"class": "heavy", "ma": Fraction(5), "transport": Fraction(0), "tank": True},
}
ACTIONS = ("advance", "fire-and-movement", "assault")
BRIDGES = ("bridge", "snow bridge")
ONE, TWO, THIRD = Fraction(1), Fraction(2), Fraction(1, 3)


def card(table: Table, unit: str) -> dict[str, Value]:
    """What is known of a unit: by its counter, else by the card of its type."""
    facts = table.facts[unit]
    return {**CARDS.get(str(facts["type"]), {}), **facts}


def immobile(facts: Mapping[str, Value]) -> bool:
    return facts["pinned"] is True or facts["disrupted"] is True or facts["damage"] == "heavy"


class TerrainCosts:
    """The costs of terrain for a class of units, as one player believes it to be."""

    def __init__(self, table: Table, cls: str, forgotten: str, *, favourable: bool) -> None:
        self.board: Board = table.board
        self.column, self.forgotten, self.favourable = CLASSES.index(cls), forgotten, favourable
        self.cls = cls
        self.rules: Mapping[str, Any] = table.setup.rules
        self.depth = str(table.setup.conditions["stream"])
        self.known: dict[tuple[str, str], Fraction | None] = {}
        self.tracks = _tracks(self.board)

    def terrain(self, name: str) -> Fraction | None:
        """What the terrain costs; None: prohibited."""
        terrain = (self.board.hexes[name].terrain or ("clear",))[0]
        if terrain == "stream":
            if self.forgotten == DEPTH_CLAUSE[self.depth]:
                return Fraction(0)
            cost = STREAMS[self.depth][self.column]
        else:
            cost = CHART[terrain][self.column]
            if self._unlearnt(terrain):
                return Fraction(0)
        return None if cost is None else Fraction(cost)

    def _unlearnt(self, terrain: str) -> bool:
        squad = self.cls == "squad"
        clause = OWN_CLAUSE.get(terrain)
        if squad:
            clause = {"woods": "TOI-EX3-b", "building": "TOI-X-BU-a"}.get(terrain, clause)
        elif terrain == "collapsed building":
            clause = "TOI-X-BU-b"
        if terrain in ("clear", "wadi"):
            return False
        return self.forgotten == (clause or "TOI-MV-g")

    def step(self, here: str, to: str) -> Fraction | None:
        key = (here, to)
        if key not in self.known:
            costs = [cost for cost in self._step_costs(here, to) if cost is not None]
            self.known[key] = min(costs, default=None)
        return self.known[key]

    def _step_costs(self, here: str, to: str) -> Iterator[Fraction | None]:
        there = self.board.hexes[to]
        rise = (there.level or 0) - (self.board.hexes[here].level or 0)
        if "half hex" in there.features and self.forgotten != "TOI-HH-a":
            return
        if rise >= 2 and self.forgotten != "TOI-EX2-a":
            return
        if rise <= -2 and self.forgotten != "TOI-X-HI-c":
            return
        lines = {line.kind for line in self.board.lines_by_edge.get(edge(here, to), ())}
        if self.favourable:
            lines |= self._perhaps(here, to)
        if "road" in lines:
            yield self._road()
        if "railway" in lines:
            yield Fraction(0) if self.forgotten == "TOI-X-RR" else ONE
        if set(BRIDGES) & set(there.features):
            yield Fraction(0) if self.forgotten == "TOI-X-BR-a" else ONE
            return
        yield self._off_road(to, rise)

    def _road(self) -> Fraction:
        if self.cls == "truck":
            return Fraction(0) if self.forgotten == "TOI-TX-2" else THIRD
        return THIRD if self.forgotten == "TOI-X-HI-d" else ONE

    def _perhaps(self, here: str, to: str) -> set[str]:
        """Lines that run through both hexes and may be held to be contiguous there (TX-2), railways that a
        road may meet there (X-RR), and roads that end before a bridge."""
        found = {kind for kind, track in self.tracks if here in track and to in track}
        from_here = {kind for kind, track in self.tracks if here in track}
        into = {kind for kind, track in self.tracks if to in track}
        if "railway" in into and from_here & {"railway", "road"}:
            found.add("railway")
        for one, other in ((here, to), (to, here)):
            if set(BRIDGES) & set(self.board.hexes[one].features):
                found |= {kind for kind, track in self.tracks if other in track}
        return found

    def _off_road(self, to: str, rise: int) -> Fraction | None:
        cost = self.terrain(to)
        clear = (self.board.hexes[to].terrain or ("clear",))[0] == "clear"
        if cost is None:
            return None
        hill = (self.board.hexes[to].level or 0) > 0
        beside = any(
            to in track and (self.favourable or kind == "road") for kind, track in self.tracks
        )
        if beside and not clear:
            reading = self.rules["hills"].get("road_hex", "unknown")
            if reading == "road" or (reading == "unknown" and self.favourable):
                bare = not self.favourable or reading == "road"
                return self._climb(min(cost, ONE), rise, bare, hill)
        return self._climb(cost, rise, clear, hill)

    def _climb(self, cost: Fraction, rise: int, clear: bool, hill: bool) -> Fraction:
        if rise < 0 and clear and self.forgotten == "TOI-EX1-b":
            return Fraction(0)
        if rise == 0 and clear and hill and self.forgotten == "TOI-X-HI-a":
            return Fraction(0)
        if (
            rise < 0
            and self.favourable
            and self.rules["hills"].get("combine", "unknown") == "unknown"
        ):
            return min(cost, ONE)  # downhill movement costs 1, says the text, and nothing of woods
        if rise < 1:
            return cost
        if clear:
            return ONE if self.forgotten == "TOI-EX2-b" else TWO
        if self.forgotten == "TOI-X-HI-b":
            return cost
        reading = self.rules["hills"].get("combine", "unknown")
        if reading == "sum" or (reading == "unknown" and not self.favourable):
            return cost + 1
        return max(cost, TWO)


def _tracks(board: Board) -> list[tuple[str, frozenset[str]]]:
    """Lines of a kind that have hexes in common are one track: (kind, its hexes)."""
    found: list[tuple[str, frozenset[str]]] = []
    for line in board.lines:
        mine = frozenset(line.hexes)
        joined = [t for t in found if t[0] == line.kind and t[1] & mine]
        found = [t for t in found if t not in joined]
        found.append((line.kind, mine.union(*(t[1] for t in joined))))
    return found


class Walk:
    """One unit's activation, from where it stands."""

    def __init__(
        self,
        table: Table,
        unit: str,
        forgotten: str = "",
        *,
        favourable: bool = False,
        spent: int = 0,
    ) -> None:
        self.table, self.unit, self.forgotten, self.favourable = table, unit, forgotten, favourable
        self.facts = card(table, unit)
        self.cls = str(self.facts["class"])
        self.side, self.here = table.side(unit), table.where[unit]
        self.spent = Fraction(spent)
        self.enemies = self._enemies()

    def able(self) -> bool:
        facts = self.facts
        if facts["token"] != "none" and self.forgotten != "TOI-X-AP-a":
            return False
        if facts["action"] not in ACTIONS and self.forgotten != "TOI-MV-b":
            return False
        crew = self.cls != "squad" or facts["heavy_weapon"] is True
        if facts["action"] == "assault" and crew and self.forgotten != "TOI-X-AS-a":
            return False
        return not immobile(facts) or self.forgotten == "TOI-IM-a"

    def allowance(self) -> Fraction:
        facts, rules = self.facts, self.table.setup.rules["allowance"]
        amount = self._number("ma")
        officers = self._number("officers")
        if self.cls == "squad":
            if self.forgotten == "TOI-MV-e":
                amount *= self._number("figures")
            if officers >= 1:
                amount += officers if self.forgotten == "TOI-X-OF" else 1
        elif self.forgotten == "TOI-SB-7":
            amount += any(self.table.number(r, "officers") for r in self.table.riders(self.unit))
        card_of = {"truck": "TOI-X-TRK", "tiger i": "TOI-X-TK-a"}.get(str(facts["type"]))
        if card_of is not None and self.forgotten == card_of:
            amount += 2
        if facts["action"] == "fire-and-movement" and self.forgotten != "TOI-EX1-a":
            amount -= 1
        if facts["action"] == "assault" and self.forgotten != "TOI-X-AS-d":
            amount -= self._open(rules["assault_penalty"])
        if facts["damage"] == "light" and self.forgotten != "TOI-X-ST":
            amount -= self._open(rules["standing_damage"])
        return max(Fraction(0), amount)

    def _open(self, cell: object) -> Fraction:
        if cell == "unknown":
            return Fraction(0) if self.favourable else ONE
        return Fraction(str(cell))

    def _number(self, key: str) -> Fraction:
        value = self.facts[key]
        assert isinstance(value, Fraction)
        return value

    def before(self) -> Fraction:
        """What is spent before the first hex: getting out, climbing out, clearing wire."""
        cost = self.spent
        if self.facts["aboard"] != "no" and self.forgotten != "TOI-EE-e":
            cost += 2
        if self.facts["works"] != "none" and self.forgotten != "TOI-X-EN-a":
            cost += 1
        return cost

    def _enemies(self) -> dict[str, int]:
        """Enemy units by hex; riders may count or not."""
        found: dict[str, int] = {}
        enemy = self.table.other(self.side)
        for unit in self.table.on_map(enemy):
            counts = not self.favourable or self.table.facts[unit]["aboard"] == "no"
            at = self.table.where[unit]
            found[at] = found.get(at, 0) + counts
        return found

    def steps(self, name: str, costs: TerrainCosts) -> Iterator[tuple[str, Fraction]]:
        board = self.table.board
        for to in board.neighbours(name):
            cost = costs.step(name, to)
            if cost is None:
                continue
            if to in self.enemies:
                if not self.facts["tank"] and self.forgotten != "TOI-MV-c":
                    continue
                if self.facts["tank"] and not (
                    self.forgotten == "TOI-X-OV-a" and self.enemies[to] > 1
                ):
                    cost += self.enemies[to]
            trap = "tank trap" in board.hexes[to].features and self.cls != "squad"
            if trap and to not in board.neighbours(self.here) and self.forgotten != "TOI-X-TT-a":
                continue
            yield to, cost

    def must_stop(self, name: str) -> bool:
        features = self.table.board.hexes[name].features
        foot = self.cls == "squad" and not self.facts["engineer"]
        if "razor wire" in features and (foot or self.cls in ("truck", "light")):
            return self.forgotten != "TOI-X-RW-a"
        return "tank trap" in features and self.cls != "squad" and self.forgotten != "TOI-X-TT-b"

    def march(self, costs: TerrainCosts) -> dict[str, LegalRoute]:
        """Where it may end its move."""
        if not self.able():
            return {}
        before, most = self.before(), self.allowance()
        limit = 3 * most + 4 if self.forgotten == "TOI-MV-f" else most
        if before > limit:
            return {}
        held = self.facts["tank"] and self.forgotten != "TOI-X-OV-b"
        found = {
            name: LegalRoute(Fraction(spent, 3) + before, path)
            for name, (spent, path) in self._spread(costs, int(3 * (limit - before))).items()
            if name != self.here and not (held and name in self.enemies)
        }
        if self.favourable and self.cls == "squad" and self.facts["action"] == "assault":
            found |= self._advances({self.here: LegalRoute(before, (self.here,)), **found})
        return found

    def _advances(self, routes: dict[str, LegalRoute]) -> dict[str, LegalRoute]:
        """Into the hexes of enemies that it may have assaulted: MV-c excepts assaults, and does not say what
        they cost."""
        return {
            enemy: LegalRoute(routes[name].cost, (*routes[name].path, enemy))
            for name in routes
            for enemy in self.table.board.neighbours(name)
            if enemy in self.enemies
        }

    def _spread(self, costs: TerrainCosts, limit: int) -> dict[str, tuple[int, tuple[str, ...]]]:
        """From hex to hex, the nearest first, in thirds of an MP."""
        found: dict[str, tuple[int, tuple[str, ...]]] = {}
        todo: list[tuple[int, tuple[str, ...]]] = [(0, (self.here,))]
        while todo:
            spent, path = heappop(todo)
            name = path[-1]
            if name in found:
                continue
            found[name] = (spent, path)
            if name != self.here and self.must_stop(name):
                continue
            for to, cost in self.steps(name, costs):
                after = spent + int(3 * cost)
                if to not in found and after <= limit:
                    heappush(todo, (after, (*path, to)))
        return found
