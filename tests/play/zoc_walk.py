"""Section 6 of the rules with ZOC classes, as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, floor

from vassal_umpire.model.board import edge

from .kit import BOX, Cache, Fraction, Table

P = None
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
COLUMNS = ("first", "second", "mountain")
PLUS, MINUS = "1/2M+1", "1/2M-1"
Cell = int | str | None
HEXES: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {
        "clear": (1, 1, 1),
        "forest": (PLUS, 2, 2),
        "mountain": (PLUS, 3, 2),
        "swamp": (P, 3, 4),
        "lake": (P, P, P),
    },
    "mud": {
        "clear": (2, 2, 1),
        "forest": (PLUS, 3, 3),
        "mountain": (P, 3, 3),
        "swamp": (P, P, P),
        "lake": (P, P, P),
    },
}
"""What a hex costs by weather, in the three columns; P: prohibited. Made up but for what the text prints."""
SIDES: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {
        "minor river": (MINUS, MINUS, MINUS),
        "major river": (P, PLUS, PLUS),
        "wadi": (MINUS, 1, 1),
        "canal": (2, 2, 1),
    },
    "mud": {
        "minor river": (PLUS, MINUS, MINUS),
        "major river": (P, P, PLUS),
        "wadi": (MINUS, 2, 1),
        "canal": (2, 2, 2),
    },
}
ROADS: dict[str, dict[str, tuple[Cell, ...]]] = {
    "clear": {"road": (1, 1, 1), "track": ("1/2", 1, 1)},
    "mud": {"road": (1, 2, 2), "track": (2, 2, 2)},
}
CLASSES = ("none", "partial", "full", "double", "triple")
LEAVE, LEAVE_GERMAN, ENTER = (0, 1, 2, 3, 4), (0, 0, 1, 2, 3), (0, 1, 2, 3, 4)
SCREENED = (0, 0, 1, 2, 3)
INTERDICTION = 2
ZONES = ("arctic", "arid")
LIMITS = {
    (True, "c/m"): ("up", "full", "down"),
    (True, "s/m"): ("up", "down", "down"),
    (True, "non-motorized"): ("none", "up", "down"),
    (False, "c/m"): ("full", "down", "none"),
    (False, "s/m"): ("full", "none", "none"),
    (False, "non-motorized"): ("full", "none", "none"),
}
"""6.D.5: reserve or not, class → initial, exploitation, reaction."""
PHASES = ("Initial", "Exploitation", "Reaction")
ROUNDED = {"up": ceil, "down": floor, "keep": lambda x: x}


def readings(table: Table, option: str, every: tuple[str, ...]) -> tuple[str, ...]:
    """What a pack settles, or all that the text leaves open."""
    chosen = table.setup.options.get(option, "any")
    return every if chosen == "any" else (str(chosen),)


def pick(values: Iterator[Fraction], highest: bool) -> Fraction:
    return max(values) if highest else min(values)


def halves(amount: Fraction, roundings: tuple[str, ...]) -> list[Fraction]:
    return [Fraction(ROUNDED[rounding](amount / 2)) for rounding in roundings]


def reserve(table: Table, unit: str) -> bool:
    """Whether a unit is in reserve. On small boards nobody has taken markers off that are void (6.B.2)."""
    if table.facts[unit]["reserve"] is not True or len(table.board.hexes) > 20:
        return table.facts[unit]["reserve"] is True
    at = table.setup.opening[unit]
    around = {at, *table.board.neighbours(at)}
    enemies = (u for u in table.setup.units if table.side(u) != table.side(unit))
    return not any(
        table.facts[u]["combat"] is True and table.setup.opening[u] in around for u in enemies
    )


Costs = dict[tuple[str, str], tuple[Fraction, ...]]


def near_enemies(table: Table, name: str) -> list[str]:
    at = table.where[name]
    around = {at, *table.board.neighbours(at)} if at != BOX else set()
    return [u for u in table.on_map(table.other(table.side(name))) if table.where[u] in around]


def may_reserve(table: Table, name: str) -> bool:
    """6.B.1, 6.B.2: who may be placed in reserve, where."""
    facts, date = table.facts[name], str(table.setup.conditions["date"])
    if near_enemies(table, name):
        return False
    if date >= "1943-07-01" or facts["class"] == "c/m":
        return True
    return facts["major"] is True if date >= "1942-07-01" else facts["nationality"] == "German"


_known_costs = Cache[tuple[object, ...], Costs]()
"""The costs of the steps worked out so far on the board of a game setup, for units of a kind."""


class March:
    """One unit's move, by one form. ``favourable``: what the text leaves open is read in its favour, else
    against it. ``forgotten``: the clause it does not know."""

    def __init__(
        self,
        table: Table,
        unit: str,
        form: str,
        forgotten: str = "",
        *,
        favourable: bool = False,
        given_up: bool = False,
    ) -> None:
        self.table, self.unit, self.form = table, unit, form
        self.given_up = given_up  # it moves as one that has given its reserve status up
        self.forgotten, self.favourable = forgotten.removeprefix("ZC-"), favourable
        self.facts, self.side = table.facts[unit], table.side(unit)
        self.here = table.where[unit]
        self.enemies = table.by_hex(table.other(self.side))
        self.friends = {table.where[u] for u in table.on_map(self.side) if u != unit}
        self.friends |= {self.here for u in table.within(self.here, self.side) if u != unit}
        self.conditions = table.setup.conditions
        self.german = self.facts["nationality"] == "German"
        self._levels: dict[str, tuple[int, int]] = {}
        self._steps: dict[str, tuple[tuple[str, Fraction], ...]] = {}
        self._costs = _known_costs.get(
            table.setup,
            (
                *(self.facts[key] for key in ("ma", "column", "supply")),
                self.conditions["weather"],
                self.forgotten
                if self.forgotten.startswith(("6.A.2", "6.A.4-i", "6.D.1-c", "6.F-c"))
                else "",
                favourable,
                form == "forced march",
            ),
            dict,
        )

    # -- who may move, and how far --

    def allowance(self) -> Fraction | None:
        """MPs to spend before credit; less than none: so much of a marker is not paid. None: it may not
        move at all."""
        phase = self.table.phase
        status = reserve(self.table, self.unit) and not self.given_up
        kind_of = str(self.facts["class"])
        phasing = self.side == self.table.active
        if phase == "Combat":
            return ZERO if phasing else None
        if phase == "Reaction":
            if (phasing or not status) and self.forgotten != "6.D.3-a":
                return None
        elif not phasing and self.forgotten != ("6.D.2-a" if phase == "Initial" else "6-a"):
            return None
        if self.table.number(self.unit, "ma") == 0:
            return Fraction(3) if self.forgotten == "6.A.4-b" else None
        cell = LIMITS[status, kind_of][PHASES.index(phase)]
        if cell == "none":
            known = ("6.D.2-c", "6.D.4-d", "6.D.3-a")[PHASES.index(phase)]
            if self.forgotten != known:
                return None
            cell = "full" if phase == "Initial" else "down"
        found = [self._of_night(a) for m in self._ma() for a in self._of_phase(m, cell)]
        return pick((a for several in found for a in several), self.favourable)

    def _ma(self) -> list[Fraction]:
        rating = self.table.number(self.unit, "ma")
        if self.facts["load"] is True and self.forgotten != "6.A.4-c":
            rating /= 2
        if self.facts["supply"] != "out" or self.forgotten == "6.A.1-b":
            return [rating]
        return halves(rating, readings(self.table, "supply_half", ("keep", "down", "up")))

    def _of_phase(self, m: Fraction, cell: str) -> list[Fraction]:
        clause = {
            ("Initial", "up"): "6.D.2-b", ("Reaction", "down"): "6.D.3-b",
        }.get((self.table.phase, cell), "6.D.4-a")  # fmt: skip
        if clause == "6.D.4-a" and self.facts["class"] == "s/m":
            clause = "6.D.4-c"
        if cell == "full" or self.forgotten == clause:
            return [m]
        if cell == "up":
            return [Fraction(ceil(m / 2))]
        settled = clause == "6.D.3-b"  # by the example of 6.D.5
        return halves(
            m, ("down",) if settled else readings(self.table, "phase_half", ("down", "keep"))
        )

    def _of_night(self, a: Fraction) -> Iterator[Fraction]:
        debt = ZERO if self.forgotten == "6.A.3-1a" else self.table.number(self.unit, "debt")
        if self.favourable and debt and self._shares_marker():
            debt = ZERO
        if self.conditions["night"] is not True or self.forgotten == "6.E-b":
            yield a - debt
            return
        orders = readings(self.table, "night_debt", ("before", "after"))
        for order, how in product(orders, readings(self.table, "night_rounding", ("keep", "up"))):
            paid = min(a, debt) if order == "before" else ZERO
            yield Fraction(ROUNDED[how](max(ZERO, (a - paid) / 2 - HALF))) - (debt - paid)

    def _shares_marker(self) -> bool:
        """Whether others in its hex lie under a "+# MP" marker: one on a stack may be theirs."""
        mates = (u for u in self.table.within(self.here, self.side) if u != self.unit)
        return any(self.table.number(u, "debt") > 0 for u in mates)

    # -- the ground --

    def price(self, cell: Cell) -> Fraction | None:
        if not isinstance(cell, str):
            return None if cell is None else Fraction(cell)
        if not cell.startswith("1/2M"):
            return Fraction(cell)
        if self.forgotten == ("6.A.2-g" if cell == PLUS else "6.A.2-h"):
            return ZERO if cell == MINUS else ONE
        rating = self.table.number(self.unit, "ma")
        if self.forgotten == "6.D.1-c" and self.facts["supply"] == "out":
            rating /= 2
        found = halves(rating, readings(self.table, "half_R", ("keep", "down", "up")))
        return max(ZERO, pick(iter(found), not self.favourable) + (1 if cell == PLUS else -1))

    def cell(self, row: tuple[Cell, ...]) -> Fraction | None:
        if self.forgotten == "6.A.2-b":
            costs = [c for cell in row if (c := self.price(cell)) is not None]
            return min(costs, default=None)
        return self.price(row[COLUMNS.index(str(self.facts["column"]))])

    def weather(self, name: str) -> str:
        if self.forgotten == "6.A.4-i":
            return "clear"
        zone = next((z for z in ZONES if z in self.table.board.hexes[name].features), None)
        return str(self.conditions[f"weather {zone}" if zone else "weather"])

    def hex_cost(self, name: str) -> Fraction | None:
        terrain = (self.table.board.hexes[name].terrain or ())[0]
        cost = self.cell(HEXES[self.weather(name)][terrain])
        if cost is None:
            return ONE if self.forgotten == "6.A.2-f" else None
        if self.forgotten == "6.A.2-a" or (terrain == "mountain" and self.forgotten == "6.A.2-c"):
            return min(cost, ONE)
        return cost

    def sides_cost(self, a: str, b: str) -> Fraction | None:
        """Of a hexside between two weathers either weather may count."""
        found: list[Fraction | None] = []
        for weather in {self.weather(a), self.weather(b)}:
            costs: list[Fraction | None] = []
            for feature in self.table.board.sides.get(edge(a, b), ()):
                cost = self.cell(SIDES[weather][feature])
                if cost is None and self.forgotten == "6.A.2-f":
                    cost = ONE
                if feature == "minor river" and self.forgotten == "6.A.2-e":
                    cost = ZERO
                costs.append(cost)
            found.append(self.of_all(costs))
        if self.forgotten == "6.A.2-d":
            return ZERO
        known = [cost for cost in found if cost is not None]
        if not known or (not self.favourable and len(known) < len(found)):
            return None
        return pick(iter(known), not self.favourable)

    def of_all(self, costs: Sequence[Fraction | None]) -> Fraction | None:
        """Of several features on a hexside the text does not say which count: the cheapest, or all."""
        open_to = [cost for cost in costs if cost is not None]
        if len(open_to) < len(costs) and not (self.favourable and open_to):
            return None
        return min(open_to, default=ZERO) if self.favourable else sum(open_to, ZERO)

    def across(self, a: str, b: str) -> Sequence[Fraction]:
        """What the ground costs from a hex to its neighbour, along every road and off it."""
        found = self._costs.get((a, b))
        if found is None:
            found = self._costs[a, b] = tuple(self._across(a, b))
        return found

    def _across(self, a: str, b: str) -> Iterator[Fraction]:
        sides = self.sides_cost(a, b)
        for line in self.table.board.lines_by_edge.get(edge(a, b), ()):
            found = [self.cell(ROADS[w][line.kind]) for w in {self.weather(a), self.weather(b)}]
            costs = [c for c in found if c is not None]
            cost = pick(iter(costs), not self.favourable)
            if self.favourable:  # whether roads cancel what hexsides cost the text does not say
                yield cost + (sides or ZERO if sides is not None and sides < 0 else ZERO)
            elif sides is not None:
                yield cost + max(ZERO, sides)
        terrain = (self.table.board.hexes[b].terrain or ())[0]
        if self.form == "forced march" and terrain != "clear" and self.forgotten != "6.F-c":
            return
        cost = self.hex_cost(b)
        if cost is not None and sides is not None:
            yield cost + sides

    # -- enemies --

    def reduced(self, enemy: str) -> tuple[int, int]:
        """By how many levels at least and at most an enemy's ZOC is lower (6.A.3-4, 6.B.6)."""
        facts = self.table.facts[enemy]
        debt = int(self.table.number(enemy, "debt"))
        several = {"one": debt % 2, "each": (debt + 1) // 2}
        levels = [several[r] for r in readings(self.table, "odd_marker_levels", ("one", "each"))]
        of_reserve = int(
            facts["reserve"] is True if self.favourable else reserve(self.table, enemy)
        )
        return min(levels) + of_reserve, max(levels) + of_reserve

    def exerted(self, enemy: str, attribute: str) -> tuple[int, int]:
        base = CLASSES.index(str(self.table.facts[enemy][attribute]))
        least, most = self.reduced(enemy)
        return max(0, base - most), max(0, base - least)

    def levels(self, name: str) -> tuple[int, int]:
        """The class of enemy ZOC in a hex: the lowest and the highest it may be."""
        if name not in self._levels:
            told = self.conditions.get(f"zoc {name}")
            if told is not None:
                level = CLASSES.index(str(told))
                self._levels[name] = level, level
            else:
                found = [self.exerted(e, "own_zoc") for e in self.enemies.get(name, ())]
                for near in self.table.board.neighbours(name):
                    found += [self.exerted(e, "zoc") for e in self.enemies.get(near, ())]
                low = max((low for low, _ in found), default=0)
                high = max((high for _, high in found), default=0)
                self._levels[name] = (low, 4) if len(found) > 1 else (low, high)
        return self._levels[name]

    def level(self, name: str) -> int:
        return self.levels(name)[0 if self.favourable else 1]

    def leaving(self, name: str) -> Fraction:
        costs = LEAVE
        if self.german and self.facts["class"] == "c/m":
            costs = LEAVE_GERMAN
            if self.forgotten == "6.C-T1":
                return ZERO
        elif self.forgotten == "6.C-T2":
            return ZERO
        level = self.level(name)
        fort = "fort" in self.table.board.hexes[name].features
        if fort and self.table.phase == "Reaction":
            scope = readings(self.table, "forts", ("entering", "both"))
            if scope == ("both",) or (self.favourable and "both" in scope):
                return ZERO
        if self.favourable and self._screened(name)[1]:
            return ZERO  # what a screen does for one who leaves it is not said
        return Fraction(costs[level])

    def _screened(self, name: str) -> tuple[bool, bool]:
        """Whether it is screened for certain, and whether it may be."""
        mates = (u for u in self.table.within(name, self.side) if u != self.unit)
        if self.table.phase == "Reaction" and any(
            self.table.facts[mate]["combat"] is True for mate in mates
        ):
            return True, True
        told = self.conditions.get(f"screened {name}")
        if told is not None:
            return told is True, told is True
        friends = name in self.friends
        return False, friends

    def entering(self, name: str) -> Fraction:
        if self.forgotten == "6.C-T3":
            return ZERO
        level = self.level(name)
        reaction = self.table.phase == "Reaction"
        if reaction and "fort" in self.table.board.hexes[name].features:
            return ZERO
        sure, perhaps = self._screened(name)
        if sure or (perhaps and self.favourable):
            return Fraction(SCREENED[level])
        return Fraction(ENTER[level])

    def interdicted(self, name: str) -> Fraction:
        if self.conditions.get(f"interdiction {name}") is not True:
            return ZERO
        return ZERO if self.conditions["night"] is True else Fraction(INTERDICTION)

    def contact(self, here: str, to: str) -> bool:
        """Whether enemies bar the way into their hex (6.A.4-a); what an overrun costs Rule 12 would say."""
        if self.form == "overrun" and not self.forgotten and to in self.enemies:
            return not self.favourable
        there = self.enemies.get(to, ())
        told = self.conditions.get(f"zoc {here}")
        if not there or told == "none" or self.forgotten == "6.A.4-a":
            return False
        found = [self.exerted(enemy, "zoc") for enemy in there]
        others = set(self.enemies) & {here, *self.table.board.neighbours(here)} - {to}
        sure = any(low for low, _ in found) or (told is not None and not others)
        if not self.favourable:
            return sure or len(found) > 1 or found[0][1] > 0
        fort = "fort" in self.table.board.hexes[here].features
        return sure and not (fort and self.table.phase == "Reaction")

    def steps(self, here: str) -> Sequence[tuple[str, Fraction]]:
        found = self._steps.get(here)
        if found is None:
            found = self._steps[here] = tuple(self._open(here))
        return found

    def _open(self, here: str) -> Iterator[tuple[str, Fraction]]:
        for to in self.table.board.neighbours(here):
            if self.contact(here, to):
                continue
            extra = self.leaving(here) + self.entering(to) + self.interdicted(to)
            if self.form == "overrun" and self.favourable and to in self.enemies:
                yield to, ZERO
                continue
            costs = self.across(here, to)
            if costs:
                yield to, min(costs) + extra
