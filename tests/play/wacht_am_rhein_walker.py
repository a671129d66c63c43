"""The walker of wacht-am-rhein: section 5 of the rules as a player with a pencil would apply it.

``kind``: what the text leaves open is read in the unit's favour, else against it. ``forgotten``: the
clause a player does not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import count, permutations, product
from math import ceil
from typing import Any

from vassal_umpire.model.board import Board, edge
from vassal_umpire.model.hexgrid import distance

from .kit import BOX, Table, Way

COVER = {"town", "city", "woods", "forest"}
WOODS = {"woods", "forest"}
FORTS = {"fortification", "west-wall"}
BRIDGES = {"bridge", "engineer-bridge"}
RIVERS = {"minor-river", "major-river"}
RESERVES = ("maneuver-reserve", "combat-reserve", "reserve")
RECON = ("recon", "hybrid-recon", "m5", "m8", "daimler", "humber")
ROADS = ("primary", "secondary", "trail")
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
TWO, FOUR = Fraction(2), Fraction(4)
ANY = -1
"""The lines by which a unit may leave a hex that it began in: all of them."""


@cache
def _number(cell: str) -> Fraction:
    return Fraction(cell.removeprefix("+"))


class Land:
    """What a board says, hex by hex and hexside by hexside."""

    def __init__(self, board: Board) -> None:
        self.around = {name: tuple(board.neighbours(name)) for name in board.hexes}
        self.terrain = {name: tuple(here.terrain or ()) for name, here in board.hexes.items()}
        self.features = {name: set(here.features) for name, here in board.hexes.items()}
        self.at = {name: here.at for name, here in board.hexes.items()}
        self.sides = {pair: set(features) for pair, features in board.sides.items()}
        self.roads_in: dict[str, list[int]] = {}
        self.roads_over: dict[tuple[str, str], list[int]] = {}
        self.dashes: dict[str, list[tuple[str, str]]] = {}
        self.lines = board.lines
        for number, line in enumerate(board.lines):
            if line.kind == "dashed":
                before, middle, after = line.hexes
                self.dashes.setdefault(middle, []).append((before, after))
                continue
            for name in line.hexes:
                self.roads_in.setdefault(name, []).append(number)
            for pair in line.edges():
                self.roads_over.setdefault(pair, []).append(number)

    def side(self, a: str, b: str) -> set[str]:
        return self.sides.get(edge(a, b), set())

    def roads(self, a: str, b: str) -> list[int]:
        return self.roads_over.get(edge(a, b), [])

    def covering(self, name: str) -> bool:
        return bool(COVER & set(self.terrain[name]) or FORTS & self.features[name])

    def constricted(self, name: str) -> bool:
        return "constricted" in self.features[name]

    def lines_from(self, name: str, side: str) -> frozenset[int]:
        """The dashed lines of a hex that end on the hexside towards a neighbour."""
        lines = self.dashes.get(name, [])
        return frozenset(n for n, ends in enumerate(lines) if side in ends)

    def meet(self, name: str, one: int, other: int) -> bool:
        """Whether two roads meet in a hex."""
        if one == other:
            return True
        both = self.lines[one].junctions and self.lines[other].junctions
        return both and "no-junction" not in self.features[name]


@dataclass(frozen=True)
class At:
    """Where a unit is on its way. ``dashed``: the lines by which it may leave the hex; ``road``, ``last``:
    the road it is on, and the type of the last stretch; ``overrun``: hexes it has overrun."""

    name: str
    dashed: frozenset[int]
    fresh: bool = True
    road: int = -1
    last: str = ""
    overrun: frozenset[str] = frozenset()
    over: bool = False
    steps: int = 0
    hard: bool = False


class Walker:
    """One unit's ways, now."""

    def __init__(self, table: Table, unit: str, land: Land, *, kind: bool, forgotten: str) -> None:
        self.table, self.unit, self.land = table, unit, land
        self.kind, self.forgotten = kind, forgotten
        self.facts = table.facts
        self.me = table.facts[unit]
        self.rules, self.options = table.scene.rules, table.scene.options
        self.side = table.side(unit)
        self.here = table.where[unit]
        self.enemies = self._placed(table.other(self.side))
        self.friends = self._placed(self.side)
        self.nation, self.type = str(self.me["nation"]), str(self.me["type"])
        self.mode, self.night = str(self.me["mode"]), table.scene.conditions["night"] is True
        if kind and table.phase == "Exploitation" and self.mode == "maneuver-reserve":
            self.mode = "exploit"  # 5.1-e: he may have turned it, and not the marker
        self.bridges = {
            at for u, at in table.where.items() if table.facts[u]["deployed"] != "no" and at != BOX
        }
        self.beside: dict[str, list[str]] = {}
        self.halting: dict[str, bool] = {}

    @property
    def is_calm(self) -> bool:
        """Whether little bears on the moves of units in this scene."""
        return self.table.scene.conditions["calm"] is True

    @cached_property
    def _harshly(self) -> Walker:
        """The same unit, what is open read against it."""
        return Walker(self.table, self.unit, self.land, kind=False, forgotten="")

    def _placed(self, side: str) -> dict[str, list[str]]:
        """Units by hex, but for the mover and deployed Bridge Columns, which are no units (5.7.5-b)."""
        found: dict[str, list[str]] = {}
        for unit, at in self.table.where.items():
            deployed = self.facts[unit]["deployed"] != "no"
            if at != BOX and self.table.side(unit) == side and unit != self.unit and not deployed:
                found.setdefault(at, []).append(unit)
        return found

    def keeps(self, clause: str) -> bool:
        return self.forgotten != f"WAR-{clause}"

    def harsh(self, option: str, harsh: str, mild: str) -> bool:
        """Whether the harsher of two readings holds."""
        chosen = self.options.get(option, "undecided")
        return True if chosen == harsh else False if chosen == mild else not self.kind

    # -- who moves --------------------------------------------------------------------------------

    @property
    def artillery(self) -> bool:
        return self.type == "artillery"

    @property
    def in_battery(self) -> bool:
        return self.artillery and self.me["battery"] == "in"

    @property
    def nebelwerfer(self) -> bool:
        """5.8.1a-a: as good as self-propelled."""
        return self.me["calibre"] == "150-nebelwerfer" and self.me["motor"] is True and self.german

    @property
    def german(self) -> bool:
        return self.nation == "german"

    @property
    def towed(self) -> bool:
        return self.artillery and self.me["traction"] != "sp" and not self.nebelwerfer

    @property
    def one_hex(self) -> bool:
        """5.8.2."""
        calibre = self.me["calibre"] in ("105", "155h")
        return self.in_battery and self.towed and self.nation == "us" and calibre

    @property
    def own_trucks(self) -> bool:
        """5.7.3: US AT and Leg engineers."""
        kinds = ("at", "heavy-at", "engineer")
        return self.nation == "us" and self.me["class"] == "leg" and self.type in kinds

    @property
    def leg_at(self) -> bool:
        """A German Leg AT unit, on trucks or not."""
        return self.german and self.me["class"] == "leg" and self.type in ("at", "heavy-at")

    @property
    def divisional(self) -> bool:
        """5.6.4: a Leg unit of a US Infantry Division, without trucks of the army."""
        plain = not self.artillery and self.me["motor"] is not True and not self.own_trucks
        return (
            plain
            and self.nation == "us"
            and self.me["infantry-division"] is True
            and self.me["class"] == "leg"
        )

    def classes(self) -> tuple[str, ...]:
        """The classes as which the unit may move off the road."""
        if self.artillery and not self.in_battery and self.keeps("5.8.0-b"):
            return ("mech",)
        if self.me["motor"] is True:
            return ("mech",)
        return ("mech", "leg") if self.own_trucks else (str(self.me["class"]),)

    def barred(self) -> bool:
        return self._barred_by_phase() or self._barred_by_kind()

    def _barred_by_phase(self) -> bool:
        phase, mode = self.table.phase, self.mode
        if phase not in ("Movement", "Exploitation"):
            return self.keeps("5.0-e") or self.side != self.table.active
        if self.side != self.table.active and self.keeps("5.1-g"):
            return True
        if phase == "Movement":
            exploits = mode == "exploit" and self.keeps("5.1-b")
            return exploits or (mode in RESERVES and self.keeps("5.1-c"))
        if mode != "exploit":
            chosen = self.options.get("exploitation_only_exploit", "undecided")
            if chosen == "yes":
                return self.keeps("5.1-f")
            return not self.kind and (chosen != "no" or mode != "tactical")
        around = [u for name in self.land.around[self.here] for u in self.enemies.get(name, ())]
        pinned = any(self.facts[u]["mode"] == "pa" for u in around)
        pinned = pinned and self.me["mode"] == "exploit"
        return pinned and self.keeps("5.3.3")

    def _barred_by_kind(self) -> bool:
        me, motor = self.me, self.me["motor"] is True
        if me["deployed"] != "no":
            return True
        if self.type == "bridge-column" and not self.german:
            return True
        if self.artillery:
            high = self.german and me["echelon"] in ("corps", "army")
            if high and me["echelon"] == "army" and me["range"] == 18 and self.keeps("5.8.4-b"):
                return True
            if high and me["traction"] != "horse" and not motor and self.keeps("5.8.4-a"):
                return True
            if self.in_battery and self.towed and not self.one_hex and self.keeps("5.8.0-c"):
                return True
        if motor and self.nation == "us":
            fit = self.type == "infantry" and me["class"] == "leg"
            spared = me["class"] == "mech" or self.type in ("at", "heavy-at", "engineer")
            if not fit and not (self.kind and spared) and self.keeps("5.7.2-b"):
                return True
        if motor and self.german:
            gun = self.artillery and me["echelon"] in ("corps", "army")
            foot = me["class"] == "leg" and self.type in ("infantry", "at", "heavy-at")
            spared = self.kind and me["class"] == "mech" and not self.artillery
            if not gun and not foot and not spared and self.keeps("5.7.2-c"):
                return True
        return motor and self.keeps("5.7.2a-a") and self._short_of_trucks()

    def _short_of_trucks(self) -> bool:
        army = self.me["army"]
        points = self.table.scene.conditions.get(f"trucks-{army}")
        among = set(self.facts)
        if (
            self.kind
        ):  # whose marker is too many shows by who has moved; a division has trucks of its own
            among = {self.unit, *(u for units, _, _ in self.table.drags for u in units)}
            among -= {u for u in among if self.facts[u]["infantry-division"] is True}
            if self.unit not in among:
                return False
        taken = sum(
            (truck_points(self.facts[u]) for u in among if self.facts[u]["army"] == army),
            ZERO,
        )
        return isinstance(points, Fraction) and taken > points

    def forms(self) -> tuple[str, ...]:
        if self.mode == "pa":
            return ("prepared assault",)
        if self.mode == "strategic":
            return ("strategic",) if self.keeps("5.0-m") else ("strategic", "tactical")
        return ("road", "tactical")

    # -- the allowance ----------------------------------------------------------------------------

    def allowance(self, form: str) -> Fraction:
        pick = max if self.kind else min
        return pick(self._allowances(form))

    def _bases(self) -> tuple[int, ...]:
        me = self.me
        if "ma" in me:
            return (int(self.table.number(self.unit, "ma")),)
        mech = self.classes()[0] == "mech"
        if self.type in RECON and me["class"] == "mech":
            clause = {
                "hybrid-recon": "b1",
                "m5": "b2",
                "m8": "b3",
                "daimler": "b4",
                "humber": "b4",
            }
            if self.keeps(f"5.2-{clause.get(self.type, 'b0')}"):
                return (14,)
        words = str(me["designation"]).lower()
        if mech and me["class"] == "mech" and ("recon" in words or "recce" in words):
            return (14,) if self.keeps("5.2-b5") else (12,)
        scouts = self.type in RECON or "recon" in words or "recce" in words
        if mech and me["class"] == "leg" and not self.artillery and not self.leg_at and scouts:
            return (12, 14)  # Mech recon while it is on trucks?
        if self.german and self.type == "heavy-armor":
            return (9,) if self.keeps("5.2-c1") else (12,)
        if self.leg_at and self.keeps("5.2-c2"):
            return (9, 12) if me["motor"] is True else (9,)
        if self.artillery and me["traction"] == "horse":
            cut = (9, 12) if me["motor"] is True else (9,)
            return cut if self.keeps("5.2-c3") else (12,)
        if self.german and self.type == "bridge-column":
            return (9,) if self.keeps("5.2-c4") else (12,)
        return (12,) if self.keeps("5.2-d") else (14,)

    def _allowances(self, form: str) -> list[Fraction]:
        cuts, quarters = self._cuts()
        raises, plus = self._raises(form)
        each = {"each": (True,), "once": (False,)}.get(
            str(self.options.get("ma_rounding")), (True, False)
        )
        first = {"cuts-first": (True,), "raises-first": (False,)}.get(
            str(self.options.get("ma_order")), (True, False)
        )
        found = []
        for base, quarter, step, cut_first in product(self._bases(), quarters, each, first):
            for up in set(permutations([*raises, plus])):
                for down in set(permutations([*cuts, *quarter])):
                    changes = [*down, *up] if cut_first else [*up, *down]
                    found.append(_reckon(Fraction(base), changes, step))
        if self.mode == "strategic" and self.options.get("strat_factor") != "3/2":
            found.append(max(found) * 4 + 12)  # by how much it is raised nobody has said
        return found

    def _cuts(self) -> tuple[list[Fraction], list[list[Fraction]]]:
        me = self.me
        cuts = [HALF] * (me["supply"] == "out" and self.keeps("5.2.1a-1"))
        cuts += [HALF] * (me["resting"] is True and self.keeps("5.2.1a-2"))
        on_foot = me["class"] == "leg" and me["motor"] is not True and not self.artillery
        short = self.german and me["fuel"] != "normal" and not (on_foot and self.kind)
        if short and self.keeps("5.2.1a-4"):
            cuts.append(Fraction(self.rules["fuel"][str(me["fuel"])]))
        ground = self.rules["grounds"].get(self.table.scene.conditions["ground"], {"factor": 1})
        if self.keeps("5.2.1a-5"):
            cuts.append(Fraction(ground["factor"]))
        if self.in_battery and not self.one_hex and self.keeps("5.8.0-d"):
            cuts.append(HALF)
        if me["fatigue"] is not True or not self.keeps("5.2.1a-3"):
            return cuts, [[]]
        chosen = self.options.get("fatigue", "undecided")
        quarters = {"quarter": [Fraction(1, 4)], "three-quarters": [Fraction(3, 4)]}
        return cuts, [[q] for q in quarters.get(str(chosen), [Fraction(1, 4), Fraction(3, 4)])]

    def _raises(self, form: str) -> tuple[list[Fraction], str]:
        raises = []
        if self.mode == "strategic" and self.options.get("strat_factor") == "3/2":
            raises.append(Fraction(3, 2))
        for name in ("leader", "released"):
            if self.me[name] is True:
                raises.append(Fraction(self.rules["raises"][name]))
        ground = self.rules["grounds"].get(self.table.scene.conditions["ground"], {})
        plus = ground.get("plus", 0) if form == "tactical" else 0
        return raises, f"+{plus}"

    # -- the forms --------------------------------------------------------------------------------

    def ways(self, form: str = "") -> dict[str, Way]:
        if self.here == BOX or self.barred():
            return {}
        best: dict[str, Way] = {}
        for one in self.forms():
            if form in ("", one):
                found = self._assault() if one == "prepared assault" else self._march(one)
                for name, way in found.items():
                    _enter(best, name, way)
        return best

    def _march(self, form: str) -> dict[str, Way]:
        allowance, least = self.allowance(form), min(self._allowances(form))
        limit = allowance if self.keeps("5.0-g") else 3 * allowance + 6
        best: dict[str, Way] = {}
        if form == "tactical":
            for cls in self.classes():
                found: dict[str, Way] = {}
                self._walk(
                    found,
                    limit,
                    allowance,
                    lambda at, spent, cls=cls: self._off_road(at, cls),  # type: ignore[misc]
                    least,
                )
                for name, way in found.items():
                    _enter(best, name, way)
        elif self._may_use_roads(form):
            self._walk(
                best, limit, allowance, lambda at, spent: self._by_road(at, spent, form), least
            )
        return best

    def _walk(
        self,
        best: dict[str, Way],
        limit: Fraction,
        allowance: Fraction,
        steps: Any,
        least: Fraction | None = None,
    ) -> None:
        """Goes every way there is, cheapest first. ``least``: what there is to spend at the least."""
        begun = At(self.here, frozenset({ANY}))
        tie = count()
        queue: list[tuple[Fraction, int, At, tuple[str, ...]]] = [
            (ZERO, next(tie), begun, (self.here,))
        ]
        done: set[At] = set()
        while queue:
            spent, _, at, path = heappop(queue)
            if at in done:
                continue
            done.add(at)
            onward = []
            if not at.over:
                for to, cost in steps(at, spent):
                    after = limit if cost is None else spent + cost
                    if cost is None:
                        after = max(allowance, spent) if self.keeps("5.0-g") else allowance
                    if after <= limit:
                        onward.append((after, next(tie), to, (*path, to.name)))
            better = at.name not in best or spent < best[at.name].cost
            if (
                at.name != self.here
                and better
                and self._may_end(at, any(least is None or after <= least for after, *_ in onward))
            ):
                best[at.name] = Way(spent, path)
            for item in onward:
                heappush(queue, item)

    def _may_end(self, at: At, can_go_on: bool) -> bool:
        if at.name in self.enemies and self.keeps("5.10.3-c") and not self.kind:
            return False
        if self.towed and self.near(at.name) and self.keeps("5.8.5"):
            return self.kind and (not can_go_on or self._harshly.stops(at.name, at))
        return True

    # -- off the road -----------------------------------------------------------------------------

    def _off_road(self, at: At, cls: str) -> Iterator[tuple[At, Fraction | None]]:
        """Tactical steps; a cost of None: the whole MA."""
        if self.one_hex and not at.fresh and self.keeps("5.8.2"):
            return
        for to in self.land.around[at.name]:
            more = self._enemy_toll(at, to, cls)
            if more is None or not self._may_enter(at.name, to):
                continue
            for cost, whole in self._entries(at, to, cls):
                if whole and not at.fresh:
                    continue
                if whole and not self._sure_to_cross(at.name, to, cost + more, cls):
                    continue
                over = whole or self.stops(to, at)
                after = self._after(at, to, over)
                if whole:
                    yield after, None
                else:
                    yield after, cost + more + self._surcharge(to, cls)

    def _sure_to_cross(self, a: str, b: str, cost: Fraction, cls: str) -> bool:
        """Whether it is certain that the unit gets there, whatever a bridge that may be finished or not, or
        engineers that may do away with a stream (15.3.0), leave open: it costs MPs there, and else the whole
        MA."""
        features = self.land.side(a, b)
        helped = "stream" in features and cls == "leg" and self._engineers_about(a, b)
        if self.kind or not ("unfinished-bridge" in features or helped):
            return True
        return cost + self._surcharge(b, cls) <= self.allowance("tactical")

    def _after(self, at: At, to: str, over: bool, road: int = -1, last: str = "") -> At:
        dashed = self.land.lines_from(to, at.name) if self.land.constricted(to) else frozenset()
        overrun = at.overrun | ({to} if to in self.enemies else set())
        return At(to, dashed, False, road, last, overrun, over)

    def _may_enter(self, a: str, b: str) -> bool:
        """5.7.2-f, 5.3.6: whatever the form."""
        if self.me["motor"] is True and self.near(b) and self.keeps("5.7.2-f"):
            return False
        return not (self.side == "Allied" and self.keeps("5.3.6") and self._along_a_wall(a, b))

    def _along_a_wall(self, a: str, b: str) -> bool:
        for name, units in self.enemies.items():
            if a in self.land.around[name] and b in self.land.around[name]:
                features = self.land.features[name]
                works = {str(self.facts[u]["works"]) for u in units}
                every = self.harsh("west_wall", "all", "only")
                if "west-wall" in features or ("fortification" in features and every):
                    return True
                if not self.kind and ("west-wall" in works or ("fortification" in works and every)):
                    return True
        return False

    def _entries(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        """What entering a hex costs off the road, and whether that takes the whole MA."""
        here, land = at.name, self.land
        road = bool(land.roads(here, to))
        terrain = self.terrain(to, cls)
        entries: list[tuple[Fraction, bool]] = []
        night = ONE * (self.night and self.keeps("5.9-a"))
        if terrain is not None:
            entries.append((terrain + night, False))
        if cls == "leg" and road:
            infantry = self.type == "infantry" or self.kind or not land.constricted(to)
            clear = self._cell(self.rules["terrain"]["clear"], "leg")
            if clear is not None and infantry:
                entries.append((clear, True))
        sides = list(self._sides(at, to, cls)) if entries else []
        for cost, by_road in entries:
            extra = self._narrow(at, to, cls, by_road)
            for water, whole in sides:
                if extra is None:
                    off_line = self.artillery and self._off_line_in(at, to)
                    if off_line and self.keeps("5.4.4-b"):
                        continue
                    yield ZERO, True
                else:
                    yield (cost + extra + water if extra or water else cost), whole

    def _off_line_in(self, at: At, to: str) -> bool:
        return self.land.constricted(to) and not self.land.lines_from(to, at.name)

    def _off_line_out(self, at: At, to: str) -> bool:
        if not self.land.constricted(at.name):
            return False
        lines = self.land.lines_from(at.name, to)
        if at.road >= 0 and not self.kind and len(self.land.dashes.get(at.name, ())) > 1:
            return True  # by which of several lines a road mover came is not told for certain
        if ANY in at.dashed or not self.keeps("5.4.4b-c"):
            return not lines
        return not (lines & at.dashed)

    def _narrow(self, at: At, to: str, cls: str, by_road: bool) -> Fraction | None:
        """5.4.4: constricted terrain; None: the whole MA."""
        entering, leaving = self._off_line_in(at, to), self._off_line_out(at, to)
        if cls == "mech":
            bad = (entering and self.keeps("5.4.4a-a")) or (leaving and self.keeps("5.4.4a-b"))
            return None if bad or (self.artillery and entering) else ZERO
        entering = entering and not by_road and self.keeps("5.4.4a-c")
        leaving = leaving and self.keeps("5.4.4a-d")
        if entering and leaving:
            return Fraction(4 if self.harsh("constricted_both", "twice", "once") else 2)
        return (ZERO, TWO, FOUR)[entering + leaving]

    def _cell(self, row: Any, cls: str) -> Fraction | None:
        cell = row.get(cls) if isinstance(row, dict) else row
        if cell is None or cell == "prohibited":
            return None
        return _number(str(cell))

    def terrain(self, name: str, cls: str) -> Fraction | None:
        """5.0-j: the dearest."""
        costs = [self._cell(self.rules["terrain"][t], cls) for t in self.land.terrain[name]]
        known = [cost for cost in costs if cost is not None]
        if not self.keeps("5.0-j"):
            return min(known) if len(known) == len(costs) else None
        if len(known) < len(costs) and self.keeps("5.7.0-b"):
            return None
        return max(known, default=Fraction(2))

    def _bridge(self, a: str, b: str) -> bool:
        features = self.land.side(a, b)
        if "bridge" in features or (self.kind and "unfinished-bridge" in features):
            return True
        if (
            self.kind and {a, b} & self.bridges
        ):  # over which hexside a Bridge Column lies is not told
            return True
        heavy = self.german and self.me["bridge-class"] != "none"
        return "engineer-bridge" in features and (self.kind or not heavy)

    def _too_heavy(self, a: str, b: str) -> bool:
        """5.4.3a-d, 5.6.2-d: class H where a trail's bridge crosses a river."""
        features = self.land.side(a, b)
        if not (self.german and self.me["bridge-class"] == "H" and features & RIVERS):
            return False
        if "engineer-bridge" in features and self.kind:
            return False
        return any(self.land.lines[n].kind == "trail" for n in self.land.roads(a, b))

    def _sides(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        """What lies on the hexside: what it costs, and whether that takes the whole MA."""
        features = self.land.side(at.name, to)
        if not features:
            yield ZERO, False
            return
        rows, more = self.rules["hexsides"], ZERO
        for name in features & {"ridge", "cliff"}:
            cost = self._cell(rows[name], cls)
            if cost is None and self.keeps("5.7.0-b"):
                return
            more += (cost or 0) if self.keeps("5.0-k") else 0
        waters: list[list[tuple[Fraction, bool]]] = [[(ZERO, False)]]
        bridge = "stream" in features and self._bridge(at.name, to)
        if "stream" in features and not (bridge and self._harshly._bridge(at.name, to)):
            waters.append([*self._stream(at, to, cls), *([(ZERO, False)] if bridge else [])])
        for river in features & RIVERS:
            waters.append(list(self._river(at, to, cls, river)))
        for choice in product(*waters):
            yield more + sum((c for c, _ in choice), ZERO), any(w for _, w in choice)

    def _engineers_about(self, a: str, b: str) -> bool:
        """15.3.0 is not at hand: an engineer in or next to one of the hexes may help."""
        if self.options.get("engineers_help") == "no":
            return False
        places = {a, b, *self.land.around[a], *self.land.around[b]}
        units = [u for name in places for u in self.friends.get(name, ())]
        return self.type == "engineer" or any(self.facts[u]["type"] == "engineer" for u in units)

    def _helped(self, a: str, b: str) -> bool:
        return self.kind and self._engineers_about(a, b)

    def _stream(self, at: At, to: str, cls: str) -> Iterator[tuple[Fraction, bool]]:
        cost = self._cell(self.rules["hexsides"]["stream"], cls) or ZERO
        cost = cost if self.keeps("5.4.2-a") else ZERO
        if cls == "leg" and self._helped(at.name, to):
            yield ZERO, False
        if self.towed and self.keeps("5.4.2-b1"):
            return
        us_at = self.nation == "us" and self.type in ("at", "heavy-at")
        tracked = self.kind and self.me["class"] == "mech"  # are towed AT meant?
        if us_at and not tracked and self.keeps("5.4.2-b2"):
            return
        if self.leg_at:
            if self.me["motor"] is True and self.kind:
                yield cost, False
            if at.fresh:
                yield (ZERO, True) if self.keeps("5.4.2-c2") else (cost, False)
            elif not self.keeps("5.4.2-c1"):
                yield cost, False
            return
        yield cost, False

    def _river(self, at: At, to: str, cls: str, river: str) -> Iterator[tuple[Fraction, bool]]:
        features = self.land.side(at.name, to)
        ford, bridge = "ford" in features, self._bridge(at.name, to)
        if bridge and self._too_heavy(at.name, to) and self.keeps("5.4.3a-d"):
            bridge = False
        if cls == "mech":
            if self.kind and bridge and not self.harsh("bridge_plus3", "yes", "no"):
                yield ZERO, False
            if ford or (bridge and self.harsh("bridge_plus3", "yes", "no")):
                yield Fraction(3 if self.keeps("5.4.3a-b") else 0), False
            elif (bridge and not self.kind) or not self.keeps("5.4.3a-a"):
                yield ZERO, False
            return
        if ford or bridge:
            yield ZERO, False
            open_bridge = self.kind and "bridge" not in features and not ford
            if open_bridge and river == "major-river":  # it may be none
                yield ZERO, True
            return
        if river == "minor-river":
            cost = self._cell(self.rules["hexsides"]["minor-river"], cls)
            if cost is not None:
                yield cost if self.keeps("5.4.3b-a") else ZERO, False
            if self._helped(at.name, to):
                yield ZERO, False
            return
        units = [*self.friends.get(at.name, ()), *self.friends.get(to, ())]
        engineer = any(self.facts[u]["type"] == "engineer" for u in units)
        own = self.kind and self.type == "engineer"
        if engineer or own or not self.keeps("5.4.3b-e"):
            yield (ZERO, True) if self.keeps("5.4.3b-f") else (Fraction(1), False)

    # -- enemies and friends ----------------------------------------------------------------------

    def near(self, name: str) -> bool:
        return not self.enemies.keys().isdisjoint(self.land.around[name])

    def is_mech(self, unit: str) -> bool | None:
        """Whether another unit is Mech; None: it may be counted so or so."""
        facts = self.facts[unit]
        if facts["type"] == "artillery" and facts["battery"] == "out":
            return True
        if facts["type"] == "artillery" or facts["static"] is True:
            return None if facts["class"] == "mech" else False
        if facts["class"] == "leg" and facts["motor"] is True:
            return None
        own_trucks = facts["nation"] == "us" and facts["type"] in ("at", "heavy-at", "engineer")
        if own_trucks and facts["mode"] == "strategic":  # 5.7.3: they keep them in that mode
            return True
        return facts["class"] == "mech"

    def _surcharge(self, to: str, cls: str) -> Fraction:
        return self._strangers(to) + self._neighbours(to, cls)

    def _strangers(self, to: str) -> Fraction:
        """5.3.5."""
        if not self.keeps("5.3.5-a"):
            return ZERO
        return ONE * any(self._strange(other) for other in self.friends.get(to, ()))

    def _strange(self, other: str) -> bool:
        mine, his = self.me, self.facts[other]
        if mine["echelon"] != "division" or his["echelon"] != "division":
            return False
        small = mine["breakdown"] is True or his["breakdown"] is True
        if small and not self.harsh("breakdown_exempt", "own", "any"):
            return False
        if self.kind and (mine["attached"] != "no" or his["attached"] != "no"):
            return False
        own, others = (
            f["attached"] if f["attached"] != "no" else f["formation"] for f in (mine, his)
        )
        return own != others

    def _neighbours(self, to: str, cls: str) -> Fraction:
        """5.3.2."""
        if self.mode == "exploit" or not self.keeps("5.3.2-a"):
            return ZERO
        if self.kind and self.options.get("adjacency_list") != "complete":
            return ZERO
        if not self.near(to):
            return ZERO
        hexes = [
            [self._beside(to, name, unit, cls) for unit in self.enemies[name]]
            for name in self.land.around[to]
            if name in self.enemies
        ]
        costs = [cost for units in hexes for cost in units]
        combine = self.options.get("adjacency_combine", "undecided")
        if combine == "undecided":
            combine = "once" if self.kind else "unit"
        if combine == "once":
            return max(costs, default=ZERO)
        if combine == "hex":
            return sum((max(units) for units in hexes), ZERO)
        return sum(costs, ZERO)

    def _beside(self, to: str, name: str, unit: str, cls: str) -> Fraction:
        """What one enemy unit costs."""
        mech = self.is_mech(unit)
        mech = self.kind if mech is None else mech
        rough = bool(WOODS & set(self.land.terrain[to]))
        if mech and rough and not self.land.roads(to, name):
            return ZERO
        rows, works = self.rules["adjacent"], str(self.facts[unit]["works"])
        plain = self._cell(rows["cost"], cls) or ZERO
        dug = self._cell(rows.get("fieldworks", rows["cost"]), cls) or ZERO
        cover = self.land.covering(to)
        if self.night and not cover:
            cover = not self.harsh("night_covers", "no", "yes")
        less = max(ZERO, dug - 1) if cover else dug
        if works in ("ip", "et"):
            return less
        if works == "none" and not FORTS & self.land.features[name]:
            return plain
        return min(plain, less, dug) if self.kind else max(plain, dug)

    def stops(self, to: str, at: At) -> bool:
        """5.3.1."""
        near = [name for name in self.land.around[to] if name in self.enemies]
        near = [name for name in near if not (self.kind and name in at.overrun)]
        return any(self._halted_by(to, name) for name in near)

    def _halted_by(self, to: str, name: str) -> bool:
        units = self.enemies[name]
        counted = []
        for u in units:
            kind = self.facts[u]["type"]
            if kind not in ("artillery", "hq") and not (kind == "flak" and self.kind):
                counted.append(u)
        strength = sum((self.table.number(u, "strength") for u in counted), ZERO)
        if strength < 2 and self.keeps("5.3.1-0"):
            return False
        if self.keeps("5.3.1-c") and self._dug_in(name, units):
            return True
        readings = {"entered": [to], "enemy": [name]}.get(
            str(self.options.get("stop_hex")), [to, name]
        )
        fire = [
            self._open(one) and (self._under_fire(one, counted) or self._before_guns(one))
            for one in readings
        ]
        return all(fire) if self.kind else any(fire)

    def _open(self, name: str) -> bool:
        if self.land.covering(name):
            return False
        return not self.night or self.harsh("night_covers", "no", "yes")

    def _dug_in(self, name: str, units: list[str]) -> bool:
        works = [self.facts[u]["works"] in ("et", "fortification", "west-wall") for u in units]
        fort = bool(FORTS & self.land.features[name])
        return all(works) if self.kind else any(works) or fort

    def _under_fire(self, name: str, counted: list[str]) -> bool:
        if not self.keeps("5.3.1-a"):
            return False
        quantify = all if self.kind else any
        for units in self.enemies.values():
            for gun in units:
                facts = self.facts[gun]
                if facts["type"] != "artillery" or facts["red"] is not True or facts["depleted"]:
                    continue
                if self.kind and facts["battery"] != "in":
                    continue
                reach = distance(self.land.at[self.table.where[gun]], self.land.at[name])
                if reach <= self.table.number(gun, "range") and quantify(
                    self._together(gun, u) for u in counted
                ):
                    return True
        return False

    def _together(self, gun: str, unit: str) -> bool:
        one, other = self.facts[gun], self.facts[unit]
        own, joined = (
            one["formation"] == other["formation"],
            self._counted_as(one) == self._counted_as(other),
        )
        same = (own and joined) if self.kind else (own or joined)
        return same or one["command"] == other["command"]

    @staticmethod
    def _counted_as(facts: Mapping[str, object]) -> object:
        return facts["formation"] if facts["attached"] == "no" else facts["attached"]

    def _before_guns(self, name: str) -> bool:
        if self.side != "Allied" or not self.keeps("5.3.1-b"):
            return False
        places = [*self.land.around[name], *(() if self.kind else (name,))]
        beside = [u for n in places for u in self.enemies.get(n, ())]
        return any(
            self.facts[u]["type"] in ("heavy-at", "flak")
            and self.facts[u]["red"] is True
            and self.facts[u]["nation"] == "german"
            for u in beside
        )

    # -- overruns ---------------------------------------------------------------------------------

    def _enemy_toll(self, at: At, to: str, cls: str) -> Fraction | None:
        """5.3.0-a, 5.10: what entering a hex costs for the enemies in it; None: it may not."""
        if to not in self.enemies:
            return ZERO
        exploiting = self.table.phase == "Exploitation"
        if not self.keeps("5.3.0-a"):
            return ZERO
        if not exploiting or not self._may_overrun(at, to, cls):
            return None
        return ONE if self.keeps("5.10-e") else ZERO

    def _may_overrun(self, at: At, to: str, cls: str) -> bool:
        if (self.mode != "exploit" or cls != "mech") and self.keeps("5.10-b"):
            return False
        if self.artillery and self.keeps("5.10-c1"):
            return False
        if self.type == "hq" and self.keeps("5.10-c2"):
            return False
        trucks = self.me["motor"] is True or (self.own_trucks and not self.kind)
        if trucks and self.keeps("5.10-c3"):
            return False
        if self.me["supply"] == "out" and self.keeps("5.10.1-b"):
            return False
        if to in at.overrun or (to in self._overrun_before() and self.keeps("5.10.1-d")):
            return False
        enemies = sum(name in self.enemies for name in self.land.around[at.name])
        if self.night or self.land.covering(at.name) or not self.keeps("5.10.1-e"):
            return True
        return enemies < 2

    def _overrun_before(self) -> set[str]:
        return {to for _, _, to in self.table.drags if to in self.enemies}

    # -- by road ----------------------------------------------------------------------------------

    def _may_use_roads(self, form: str) -> bool:
        if self.keeps("5.6.0-a") and not self._motorized(form):
            return False
        if self.here not in self.land.roads_in:
            return False
        limit = self.rules["stacking"]["limit"]
        there = [*self.friends.get(self.here, ()), self.unit]
        crowd = sum((self.table.number(u, "stacking") for u in there), ZERO)
        return crowd <= limit or not self.keeps("5.6.0-c")

    def _motorized(self, form: str) -> bool:
        if self.in_battery:
            sp = self.me["traction"] == "sp" or self.nebelwerfer
            return sp or (self.one_hex and self.kind)
        if self.classes()[0] == "mech":
            return True
        if not self.divisional:
            return False
        if form == "strategic":
            return self.kind or len(self._strategic()) + len(self._trucked()) <= 3
        if self.table.phase != "Movement" and self.keeps("5.6.4-i"):
            return False
        return self.kind or len(self._strategic() | self._trucked()) < 3

    def _division(self) -> list[str]:
        same = [u for u in self.facts if self.facts[u]["formation"] == self.me["formation"]]
        return [u for u in same if self.facts[u]["class"] == "leg" and u != self.unit]

    def _strategic(self) -> set[str]:
        found = {u for u in self._division() if self.facts[u]["mode"] == "strategic"}
        return found | ({self.unit} if self.mode == "strategic" else set())

    def _trucked(self) -> set[str]:
        moved = {u for units, _, _ in self.table.drags for u in units}
        return {u for u in self._division() if u in moved and self.facts[u]["motor"] is not True}

    def _jam(self, name: str) -> int:
        """3.3: the Mech units in a hex, as a road mover counts them."""
        jam = 0
        columns = [
            u
            for u in self.table.within(name, self.side)
            if self.facts[u]["deployed"] != "no" and u != self.unit
        ]
        for u in self.friends.get(name, ()):
            facts = self.facts[u]
            deployed = facts["static"] is True and facts["type"] == "hq"
            if facts["type"] == "artillery":
                deployed = facts["battery"] == "in"
            if facts["type"] == "engineer" and facts["echelon"] == "army" and columns:
                deployed = facts["static"] is True
            if not deployed and self.is_mech(u) is not False:
                jam += 1
        return jam

    def _by_road(self, at: At, spent: Fraction, form: str) -> Iterator[tuple[At, Fraction | None]]:
        if self.one_hex and not at.fresh and self.keeps("5.8.2"):
            return
        bound = self.keeps("5.6.3-e") and not (self.kind and form == "strategic")
        if bound and at.fresh and self._jam(self.here) >= 2:
            return
        for to in self.land.around[at.name]:
            for road in self.land.roads(at.name, to):
                if at.fresh or self.land.meet(at.name, at.road, road) or not self.keeps("5.6.1-b"):
                    yield from self._along(at, to, road, spent, form)
            off_road = to in self.land.roads_in and not self.land.roads(at.name, to)
            if not self.keeps("5.6.0-e") and off_road:
                road = self.land.roads_in[to][0]
                yield from self._along(at, to, road, spent, form)

    def _along(
        self, at: At, to: str, road: int, spent: Fraction, form: str
    ) -> Iterator[tuple[At, Fraction | None]]:
        kind = self.land.lines[road].kind
        toll = self._enemy_toll(at, to, "mech" if self.classes()[0] == "mech" else "leg")
        if toll is None or not self._may_enter(at.name, to) or not self._may_cross(at.name, to):
            return
        bound = self.keeps("5.6.4-c") and not (self.kind and form == "strategic")
        if bound and self.divisional and self.near(to):
            return
        jam = self._traffic(to, form)
        if jam is None:
            return
        lost = ZERO
        if at.last and at.last != kind and self.keeps("5.6.1-c"):
            lost = ceil(spent) - spent
        cost = Fraction(self.rules["roads"][kind]) + lost + toll
        cls = (
            "leg"
            if self.kind and self.me["class"] == "leg" and "mech" not in self.classes()
            else "mech"
        )
        cost += self._strangers(to) + self._neighbours(to, cls)
        for narrow in self._penalties(at, to):
            if narrow and not at.fresh:
                continue
            stop = bool(narrow) or self.stops(to, at) or (bool(jam) and self.keeps("5.6.3-b"))
            after = self._after(at, to, stop, road, kind)
            takes_all = narrow == "whole" or (narrow and cost + jam <= self.allowance("road"))
            yield after, None if takes_all else cost + jam

    def _penalties(self, at: At, to: str) -> tuple[str, ...]:
        """5.4.4-d: what constricted terrain asks of who crosses it by a road that is no line: nothing, the
        whole MA, or perhaps that ("stop": it fits either way only if it is all that the unit does)."""
        chosen = self.options.get("constricted_road", "undecided")
        leaves = self._off_line_out(at, to)
        if self.kind:  # which line it came by is not told by the road
            leaves = self.land.constricted(at.name) and not self.land.lines_from(at.name, to)
        if chosen == "free" or not (leaves or self._off_line_in(at, to)):
            return ("",)
        if chosen == "undecided" or self.artillery:
            return ("", "whole") if self.kind else ("stop",)
        return ("whole",) if self.keeps("5.4.4-d") else ("",)

    def _may_cross(self, a: str, b: str) -> bool:
        """5.6.2."""
        features = self.land.side(a, b)
        if not features & {"stream", *RIVERS}:
            return True
        if not self._bridge(a, b):
            return not self.keeps("5.6.2-a")
        return not self._too_heavy(a, b) or not self.keeps("5.6.2-d")

    def _traffic(self, to: str, form: str) -> Fraction | None:
        """5.3.4, 5.6.3: what the Mech units in a hex cost a road mover; None: it may not enter."""
        jam = self._jam(to)
        strategic = any(self.facts[u]["mode"] == "strategic" for u in self.friends.get(to, ()))
        if form == "strategic":
            leg = self.classes()[0] != "mech" or self.me["class"] == "leg"
            if self.kind and leg:
                return ZERO
            if jam and self.keeps("5.3.4-a"):
                return None
            return None if strategic and not self.kind else ZERO
        if strategic and self.keeps("5.3.4-b"):
            return None
        if jam >= 2:
            return None if self.keeps("5.6.3-d") else Fraction(2)
        return Fraction(2 * jam if self.keeps("5.6.3-a") else 0) if jam else ZERO

    # -- prepared assault -------------------------------------------------------------------------

    def _assault(self) -> dict[str, Way]:
        """5.5."""
        best: dict[str, Way] = {}
        if self.in_battery and not self.kind:
            return best
        for cls in self.classes():
            most = 1 if cls == "leg" and self.keeps("5.5-b") else 2
            most = 3 if cls == "mech" and not self.keeps("5.5-c") else most
            found: dict[str, Way] = {}
            self._walk(
                found,
                Fraction(most),
                Fraction(most),
                lambda at, spent, cls=cls: self._assaulting(at, cls),  # type: ignore[misc]
            )
            for name, way in found.items():
                _enter(best, name, way)
        return best

    def _assaulting(self, at: At, cls: str) -> Iterator[tuple[At, Fraction | None]]:
        land = self.land
        for to in land.around[at.name]:
            if to in self.enemies and self.keeps("5.3.0-a"):
                continue
            if not self._may_enter(at.name, to) or not self._passable(at, to, cls):
                continue
            road = bool(land.roads(at.name, to))
            rough = bool(WOODS & set(land.terrain[to])) or land.constricted(to)
            rough = rough and not road and cls == "mech"
            dashed = land.constricted(to) and not WOODS & set(land.terrain[to])
            mild = self.kind and dashed and not self._off_line_in(at, to)
            harsh = self.harsh("pa_reverse_ruling", "forbid", "allow") and self.keeps("5.5-j")
            if harsh and rough and not mild and not at.fresh and at.road >= 0:
                continue
            over = rough and not mild and self.keeps("5.5-f")
            over = over or (self.near(to) and self.keeps("5.5-g")) or self.stops(to, at)
            over = over or (self.in_battery and self.one_hex)
            yield self._after(at, to, over, 0 if road else -1), ONE

    def _passable(self, at: At, to: str, cls: str) -> bool:
        """5.5-d."""
        if not self.keeps("5.5-d"):
            return True
        off_line = self.land.constricted(to) and self._off_line_in(at, to)
        if self.artillery and off_line and self.keeps("5.4.4-b"):
            return False
        road = cls == "leg" and bool(self.land.roads(at.name, to))
        if self.terrain(to, cls) is None and not road:
            return False
        return any(True for _ in self._sides(at, to, cls))


def _enter(best: dict[str, Way], name: str, way: Way) -> None:
    """Keeps the cheaper of two ways. A bill may be for either, if they are of two forms or classes."""
    other = best.get(name)
    if other is None or way.cost < other.cost:
        best[name] = way
    if other is not None and other.cost != way.cost:
        best[name] = replace(best[name], waived=True)


def truck_points(facts: Any) -> Fraction:
    """5.7.2: what a unit takes of its army's trucks."""
    if facts["motor"] is not True:
        return ZERO
    if facts["type"] != "artillery":
        return ONE
    light = facts["calibre"] == "light-nebelwerfer" and facts["breakdown"] is True
    return Fraction(1, 4) if light else HALF


def _reckon(base: Fraction, changes: list[Any], each: bool) -> Fraction:
    """5.2.1: fractions are rounded up, after every change or once."""
    amount = base
    for change in changes:
        amount = amount + Fraction(change) if isinstance(change, str) else amount * change
        amount = Fraction(ceil(amount)) if each else amount
    return Fraction(ceil(amount))
