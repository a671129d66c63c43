"""The terrain of wacht-am-rhein as a walker sees it, who moves, what he may spend (5.1, 5.2, 5.7, 5.8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from math import ceil
from typing import Any, Self

from vassal_umpire.model.board import Board, edge

from .kit import BOX, Fraction, Table

COVER = {"town", "city", "woods", "forest"}
WOODS = {"woods", "forest"}
FORTS = {"fortification", "west-wall"}
RIVERS = {"minor-river", "major-river"}
RESERVES = ("maneuver-reserve", "combat-reserve", "reserve")
RECON = ("recon", "hybrid-recon", "m5", "m8", "daimler", "humber")
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
TWO, FOUR = Fraction(2), Fraction(4)
ANY = -1
"""The lines by which a unit may leave a hex that it began in: all of them."""


@cache
def number(cell: str) -> Fraction:
    return Fraction(cell.removeprefix("+"))


class TerrainMap:
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


# -- Who moves in wacht-am-rhein, and what he may spend (5.1, 5.2, 5.7, 5.8) -----------------------


class Marcher:
    """One unit's ways, now."""

    def __init__(
        self, table: Table, unit: str, terrain_map: TerrainMap, *, favourable: bool, forgotten: str
    ) -> None:
        self.table, self.unit, self.terrain_map = table, unit, terrain_map
        self.favourable, self.forgotten = favourable, forgotten
        self.facts = table.facts
        self.me = table.facts[unit]
        self.rules, self.options = table.setup.rules, table.setup.options
        self.side = table.side(unit)
        self.here = table.where[unit]
        self.enemies = self._placed(table.other(self.side))
        self.friends = self._placed(self.side)
        self.nation, self.type = str(self.me["nation"]), str(self.me["type"])
        self.mode, self.night = str(self.me["mode"]), table.setup.conditions["night"] is True
        if favourable and table.phase == "Exploitation" and self.mode == "maneuver-reserve":
            self.mode = "exploit"  # 5.1-e: he may have turned it, and not the marker
        self.bridges = {
            at for u, at in table.where.items() if table.facts[u]["deployed"] != "no" and at != BOX
        }
        self.beside: dict[str, list[str]] = {}
        self.halting: dict[str, bool] = {}

    @cached_property
    def harshly(self) -> Self:
        """The same unit, what is open read against it."""
        return type(self)(self.table, self.unit, self.terrain_map, favourable=False, forgotten="")

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
        return True if chosen == harsh else False if chosen == mild else not self.favourable

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
        return self._american_on_foot and self.me["infantry-division"] is True

    @property
    def of_any_division(self) -> bool:
        """As :attr:`divisional`, of whatever division."""
        return self._american_on_foot and self.me["echelon"] == "division"

    @property
    def _american_on_foot(self) -> bool:
        plain = not self.artillery and self.me["motor"] is not True and not self.own_trucks
        return plain and self.nation == "us" and self.me["class"] == "leg"

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
            return not self.favourable and (chosen != "no" or mode != "tactical")
        around = [
            u for name in self.terrain_map.around[self.here] for u in self.enemies.get(name, ())
        ]
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
            if not fit and not (self.favourable and spared) and self.keeps("5.7.2-b"):
                return True
        if motor and self.german:
            gun = self.artillery and me["echelon"] in ("corps", "army")
            foot = me["class"] == "leg" and self.type in ("infantry", "at", "heavy-at")
            spared = self.favourable and me["class"] == "mech" and not self.artillery
            if not gun and not foot and not spared and self.keeps("5.7.2-c"):
                return True
        return motor and self.keeps("5.7.2a-a") and self._short_of_trucks()

    def _short_of_trucks(self) -> bool:
        army = self.me["army"]
        points = self.table.setup.conditions.get(f"trucks-{army}")
        among = set(self.facts)
        if (
            self.favourable
        ):  # whose marker is too many shows by who has moved; a division has trucks of its own
            among = {self.unit, *(u for units, _, _ in self.table.drags for u in units)}
            among -= {u for u in among if self.facts[u]["infantry-division"] is True}
            if self.unit not in among:
                return False
        taken = sum(
            (truck_points(self.facts[u]) for u in among if self.facts[u]["army"] == army), ZERO
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
        pick = max if self.favourable else min
        return pick(self.allowances(form))

    def _bases(self) -> tuple[int, ...]:
        me = self.me
        if "ma" in me:
            return (int(self.table.number(self.unit, "ma")),)
        mech = self.classes()[0] == "mech"
        if self.type in RECON and me["class"] == "mech":
            clause = {"hybrid-recon": "b1", "m5": "b2", "m8": "b3", "daimler": "b4", "humber": "b4"}
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

    def allowances(self, form: str) -> list[Fraction]:
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
        short = self.german and me["fuel"] != "normal" and not (on_foot and self.favourable)
        if short and self.keeps("5.2.1a-4"):
            cuts.append(Fraction(self.rules["fuel"][str(me["fuel"])]))
        ground = self.rules["grounds"].get(self.table.setup.conditions["ground"], {"factor": 1})
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
        ground = self.rules["grounds"].get(self.table.setup.conditions["ground"], {})
        plus = ground.get("plus", 0) if form == "tactical" else 0
        return raises, f"+{plus}"

    def near(self, name: str) -> bool:
        return not self.enemies.keys().isdisjoint(self.terrain_map.around[name])

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
