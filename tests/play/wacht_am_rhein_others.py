"""What others do to a mover of wacht-am-rhein: enemies next to him, friends in the hex (5.3, 5.10)."""

from __future__ import annotations

from collections.abc import Mapping

from vassal_umpire.model.hexgrid import distance

from .kit import Fraction
from .wacht_am_rhein_marcher import FORTS, ONE, WOODS, ZERO, At, Marcher


class AmongOthers(Marcher):
    """One unit, and the others about."""

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
        if self.favourable and (mine["attached"] != "no" or his["attached"] != "no"):
            return False
        own, others = (
            f["attached"] if f["attached"] != "no" else f["formation"] for f in (mine, his)
        )
        return own != others

    def _neighbours(self, to: str, cls: str) -> Fraction:
        """5.3.2."""
        if self.mode == "exploit" or not self.keeps("5.3.2-a"):
            return ZERO
        if self.favourable and self.options.get("adjacency_list") != "complete":
            return ZERO
        if not self.near(to):
            return ZERO
        hexes = [
            [self._beside(to, name, unit, cls) for unit in self.enemies[name]]
            for name in self.terrain_map.around[to]
            if name in self.enemies
        ]
        costs = [cost for units in hexes for cost in units]
        combine = self.options.get("adjacency_combine", "undecided")
        if combine == "undecided":
            combine = "once" if self.favourable else "unit"
        if combine == "once":
            return max(costs, default=ZERO)
        if combine == "hex":
            return sum((max(units) for units in hexes), ZERO)
        return sum(costs, ZERO)

    def _beside(self, to: str, name: str, unit: str, cls: str) -> Fraction:
        """What one enemy unit costs."""
        mech = self.is_mech(unit)
        mech = self.favourable if mech is None else mech
        rough = bool(WOODS & set(self.terrain_map.terrain[to]))
        if mech and rough and not self.terrain_map.roads(to, name):
            return ZERO
        rows, works = self.rules["adjacent"], str(self.facts[unit]["works"])
        plain = self._cell(rows["cost"], cls) or ZERO
        dug = self._cell(rows.get("fieldworks", rows["cost"]), cls) or ZERO
        cover = self.terrain_map.covering(to)
        if self.night and not cover:
            cover = not self.harsh("night_covers", "no", "yes")
        less = max(ZERO, dug - 1) if cover else dug
        if works in ("ip", "et"):
            return less
        if works == "none" and not FORTS & self.terrain_map.features[name]:
            return plain
        return min(plain, less, dug) if self.favourable else max(plain, dug)

    def stops(self, to: str, at: At) -> bool:
        """5.3.1."""
        near = [name for name in self.terrain_map.around[to] if name in self.enemies]
        near = [name for name in near if not (self.favourable and name in at.overrun)]
        return any(self._halted_by(to, name) for name in near)

    def _halted_by(self, to: str, name: str) -> bool:
        units = self.enemies[name]
        counted = []
        for u in units:
            kind = self.facts[u]["type"]
            if kind not in ("artillery", "hq") and not (kind == "flak" and self.favourable):
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
        return all(fire) if self.favourable else any(fire)

    def _open(self, name: str) -> bool:
        if self.terrain_map.covering(name):
            return False
        return not self.night or self.harsh("night_covers", "no", "yes")

    def _dug_in(self, name: str, units: list[str]) -> bool:
        works = [self.facts[u]["works"] in ("et", "fortification", "west-wall") for u in units]
        fort = bool(FORTS & self.terrain_map.features[name])
        return all(works) if self.favourable else any(works) or fort

    def _under_fire(self, name: str, counted: list[str]) -> bool:
        if not self.keeps("5.3.1-a"):
            return False
        quantify = all if self.favourable else any
        for units in self.enemies.values():
            for gun in units:
                facts = self.facts[gun]
                if facts["type"] != "artillery" or facts["red"] is not True or facts["depleted"]:
                    continue
                if self.favourable and facts["battery"] != "in":
                    continue
                reach = distance(
                    self.terrain_map.at[self.table.where[gun]], self.terrain_map.at[name]
                )
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
        same = (own and joined) if self.favourable else (own or joined)
        return same or one["command"] == other["command"]

    @staticmethod
    def _counted_as(facts: Mapping[str, object]) -> object:
        return facts["formation"] if facts["attached"] == "no" else facts["attached"]

    def _before_guns(self, name: str) -> bool:
        if self.side != "Allied" or not self.keeps("5.3.1-b"):
            return False
        places = [*self.terrain_map.around[name], *(() if self.favourable else (name,))]
        beside = [u for n in places for u in self.enemies.get(n, ())]
        return any(
            self.facts[u]["type"] in ("heavy-at", "flak")
            and self.facts[u]["red"] is True
            and self.facts[u]["nation"] == "german"
            for u in beside
        )

    # -- overruns ---------------------------------------------------------------------------------

    def _enemy_cost(self, at: At, to: str, cls: str) -> Fraction | None:
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
        trucks = self.me["motor"] is True or (self.own_trucks and not self.favourable)
        if trucks and self.keeps("5.10-c3"):
            return False
        if self.me["supply"] == "out" and self.keeps("5.10.1-b"):
            return False
        if to in at.overrun or (to in self._overrun_before() and self.keeps("5.10.1-d")):
            return False
        ignored = (
            at.overrun if self.favourable else frozenset()
        )  # 5.10.3, read in the unit's favour
        enemies = sum(
            n in self.enemies and n not in ignored for n in self.terrain_map.around[at.name]
        )
        if self.night or self.terrain_map.covering(at.name) or not self.keeps("5.10.1-e"):
            return True
        return enemies < 2

    def _overrun_before(self) -> set[str]:
        return {to for _, _, to in self.table.drags if to in self.enemies}

    def _may_enter(self, a: str, b: str) -> bool:
        """5.7.2-f, 5.3.6: whatever the form."""
        if self.me["motor"] is True and self.near(b) and self.keeps("5.7.2-f"):
            return False
        return not (self.side == "Allied" and self.keeps("5.3.6") and self._along_a_wall(a, b))

    def _along_a_wall(self, a: str, b: str) -> bool:
        for name, units in self.enemies.items():
            if a in self.terrain_map.around[name] and b in self.terrain_map.around[name]:
                features = self.terrain_map.features[name]
                works = {str(self.facts[u]["works"]) for u in units}
                every = self.harsh("west_wall", "all", "only")
                if "west-wall" in features or ("fortification" in features and every):
                    return True
                if not self.favourable and (
                    "west-wall" in works or ("fortification" in works and every)
                ):
                    return True
        return False
