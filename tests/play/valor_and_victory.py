"""The kit of valor-and-victory: section 6 and what it refers to, as a player with a pencil would apply it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Line
from vassal_umpire.model.fact import Value, known
from vassal_umpire.model.unit import Unit

from . import valor_errors, valor_turn
from .kit import (
    BOX,
    Action,
    GameSetup,
    Kit,
    LegalRoutes,
    MovementForm,
    PhaseRule,
    Table,
    bare_board,
    random_path,
    replace,
    unit,
)
from .valor_walk import FACINGS, FORTS, INFANTRY, LEADERS, SQUADS, WHEELS, Walk

ALLY, ENEMY = "Red", "Blue"
FORMS = ("advance", "close-assault")
GIVES_LEAVE = (
    "VV-6.31-d", "VV-6.5-b", "VV-6.6-a", "VV-6.9-f", "VV-6.9-s", "VV-5.35-b",
)  # fmt: skip


class ValorAndVictory(Kit):
    name = "valor-and-victory"
    sequence = ("Movement", "Advance", "After-Action")
    forms = ("",)
    limit = "VV-6.1-a"
    clauses = (
        "VV-6.2-a", "VV-6.2-b", "VV-6.31-a", "VV-6.31-b", "VV-6.31-c", "VV-6.32-a", "VV-6.32-b", "VV-6.8-a",
        "VV-5.33-a", "VV-5.35-a", "VV-10.31-a", "VV-10.4-a",
        "VV-10.7-a", "VV-10.7-b", "VV-10.11-a", "VV-12.2-a", "VV-12.2-b", "VV-14.7-a", "VV-18.6-a",
        "VV-20.3-a", "VV-20.3-b", "VV-20.8-a", "VV-1.15-a",
    )  # fmt: skip
    planted = tuple(valor_errors.PLANTED)
    unbreakable = {  # noqa: RUF012
        **dict.fromkeys(GIVES_LEAVE, "it gives leave"),
        "VV-6.1-b": "too many to move together were too many where they began, by 6.9",
    }
    named_by = {"VV-6.31-e": ("VV-6.31-f", "VV-6.31-g"), "VV-5.33-b": ("VV-6.1-e",)}  # noqa: RUF012

    # -- the beginning --

    def setup(self, rng: Random, *, big: bool) -> GameSetup:
        columns, rows = (10, 9) if big else (4, 3)
        board = _board(rng, columns, rows, rng.choice(("plain", "mild", "wild", "wild")))
        boxes = rng.choice(({}, {"entry": [BOX]}, {"exit": [BOX]})) if big else {}
        units: dict[str, Unit] = {}
        opening: dict[str, str] = {}
        # a counter's name is the id that a log gives it, for the attribute aboard names carriers by it
        ids = map(str, range(1001, 1100))
        for side in (ALLY, ENEMY):
            side_of = [
                n for n in sorted(board.hexes) if (int(n[:2]) <= columns // 2) == (side == ALLY)
            ]
            places = rng.sample(side_of, len(side_of))
            for number in range(14 if big else 2 + (side == ALLY)):
                name = next(ids)
                facts = _facts(rng, big, number)
                at = [
                    places[number // 3 if big else number],
                    *reversed(places),
                    *sorted(board.hexes),
                ]
                units[name] = unit(name, side, facts)
                opening[name] = next(
                    (h for h in at if _stands(board, units, opening, h, name)), BOX
                )
                if "entry" in boxes and facts["class"] in INFANTRY and rng.random() < 0.2:
                    opening[name] = BOX
        if big:
            _load_up(rng, units, opening)
        return GameSetup(
            board,
            units,
            opening,
            (
                PhaseRule("Fire", "unknown", ("shifted",)),
                PhaseRule("Movement", "active", (), complete=True),
                PhaseRule("Advance", "active", FORMS, complete=True),
                PhaseRule("After-Action", "unknown", ("shifted",)),
            ),
            {"boxes": boxes} if boxes else {},
            {
                "leader_counts_stacking": rng.choice(("yes", "no", "open")),
                "reverse_doubles_hexside": rng.choice(("yes", "no", "open")),
            },
            forms=(
                *(MovementForm(form) for form in (*FORMS, "assault")),
                MovementForm("shifted", False),
            ),
            changing=("facing", "pinned", "fired", "moved", "assault", "immobile", "aboard"),
        )

    # -- the clauses --

    def asked(self, table: Table, rng: Random) -> Iterator[tuple[str, str, str, str]]:
        able = [u for side in table.setup.sides for u in table.on_map(side)]
        mover = rng.choice(able)
        if rng.random() < 0.75:
            # said anew for every question: a marker that lay there before tells nothing for certain
            form = "assault" if table.facts[mover]["assault"] else ""
            yield mover, form, "Movement", table.side(mover)
        else:
            yield mover, rng.choice(("", *FORMS)), "Advance", table.side(mover)

    def routes(self, table: Table, unit: str, form: str = "", forgotten: str = "") -> LegalRoutes:
        return self._routes(table, unit, form, forgotten, favourable=False)

    def favourable_routes(self, table: Table, unit: str, form: str = "") -> LegalRoutes:
        """Which of two terrains a hex with a road is, whether backing doubles all, overruns in reverse."""
        return self._routes(table, unit, form, "", favourable=True)

    def _routes(
        self, table: Table, unit: str, form: str, forgotten: str, *, favourable: bool
    ) -> LegalRoutes:
        if forgotten and self._tells_nothing(table, unit, forgotten):
            return {}
        walk = Walk(table, unit, forgotten, favourable=favourable)
        if not walk.able():
            return {}
        if table.phase == "Movement":
            return walk.parked(walk.facing) if walk.cls in WHEELS else walk.march()
        if walk.cls in WHEELS:
            return walk.ahead()
        return walk.one_hex(2 if forgotten == "VV-5.35-a" else 1, form != "advance")

    @staticmethod
    def _tells_nothing(table: Table, unit: str, forgotten: str) -> bool:
        """Whether a marker that lies on a unit since before the game shows bears on the error: nobody is
        held to it."""
        first = table.setup.units[unit].fact("fired")
        old_fire = forgotten == "VV-5.33-a" and first.must_be(True)
        return old_fire or bool(table.facts[unit]["assault"])

    def company(self, table: Table, units: Sequence[str], form: str = "") -> LegalRoutes:
        """6.31: with a leader among them squads have six. Whoever has least bounds them all."""
        if len(units) == 1:
            return self.routes(table, units[0], form)
        walks = [Walk(table, u, led=valor_turn.led(table, units)) for u in units]
        if not all(walk.able() and walk.cls in INFANTRY for walk in walks):
            return {}
        if table.phase != "Movement":
            return walks[0].one_hex(1, form != "advance")
        poorest = min(walks, key=lambda walk: (walk.limit(), not walk.facts["assault"]))
        # what one goes by his minimum move another may have MPs for, but then no further
        return poorest.march()

    def may_stand(self, table: Table, name: str, units: Sequence[str]) -> bool:
        """6.9, 20.4, 20.5; leaders are counted unless the pack says they are not."""
        facts = [table.facts[u] for u in units if table.facts[u]["aboard"] == "no"]
        uncounted = table.setup.options.get("leader_counts_stacking") == "no"
        return fits(facts, table.board.hexes[name].features, uncounted)

    def turn(self, table: Table, rng: Random, number: int, side: str) -> Iterator[Action]:
        return valor_turn.turn(self, table, rng, number, side)

    def plant(self, clause: str, table: Table, rng: Random) -> Sequence[Action] | None:
        return valor_errors.plant(self, clause, table, rng)

    def muddle(self, table: Table, unit: str, form: str, clause: str) -> int:
        facts = table.facts[unit]
        of = {"VV-5.33-a": "fired"}
        marks = ("assault", "fired", "moved", "pinned", "immobile")
        blur = sum(bool(facts[key]) for key in marks if of.get(clause) != key)
        blur += facts["weapon"] == "heavy" and clause not in ("VV-12.2-a", "VV-12.2-b", "VV-6.4-c")
        return blur + (facts["class"] in WHEELS and clause not in ("VV-6.32-a", "VV-18.6-a"))


# -- boards and counters ----------------------------------------------------------------------------


def fits(facts: Sequence[Mapping[str, Value]], features: Sequence[str], uncounted: bool) -> bool:
    """Whether units of a side may stay in a hex with these features."""
    classes = [str(one["class"]) for one in facts]
    foot = [c for c in classes if c in INFANTRY]
    counted = [c for c in foot if not (uncounted and c in LEADERS)]
    guns, wheels = classes.count("gun"), sum(c in WHEELS for c in classes)
    if "bunker" in features:
        return not wheels and ((guns == 1 and not foot) or (guns == 0 and len(foot) <= 2))
    if ("foxholes" in features or "trenches" in features) and (guns or wheels):
        return False
    if "sandbags" in features and wheels:
        return False
    most = {0: 4, 1: 2, 2: 0}.get(guns + wheels, -1)
    return len(counted) <= most


def _load_up(rng: Random, units: dict[str, Unit], opening: dict[str, str]) -> None:
    """Some begin the game aboard a carrier."""
    riders = [u for u in units if units[u].fact("class").value in SQUADS and opening[u] != BOX]
    for carrier, one in units.items():
        mates = [u for u in riders if units[u].side == one.side]
        if one.fact("transport").value in ("T1", "T2") and mates and rng.random() < 0.5:
            rider = rng.choice(mates)
            riders.remove(rider)
            light = {"aboard": carrier, "assault": False, "weapon": "none", "weapons": 0}
            facts = {**units[rider].attributes, **{k: known(value) for k, value in light.items()}}
            units[rider] = replace(units[rider], attributes=facts)
            opening[rider] = opening[carrier]


def _stands(
    board: Board, units: Mapping[str, Any], opening: Mapping[str, str], h: str, name: str
) -> bool:
    """Whether a unit may begin in a hex."""
    here, side = board.hexes[h], units[name].side
    if any(at == h and units[u].side != side for u, at in opening.items()):
        return False
    facts = [
        {key: fact.value for key, fact in units[u].attributes.items()}
        for u in (*(u for u, at in opening.items() if at == h), name)
    ]
    terrain = here.terrain or ()
    dry = not {"canal", "pond", "marsh", "river"} & set(terrain) or "bridge" in terrain
    foot = facts[-1]["class"] in INFANTRY
    ground = foot or not ("building" in terrain or "wire" in here.features)
    return dry and ground and fits(facts, here.features, False)


def _facts(rng: Random, big: bool, number: int) -> dict[str, Value | int]:
    kinds = ["squad", "squad", "half-squad", "leader", "hero", "afv", "afv", "vehicle", "gun"]
    cls = ("leader", "squad", "squad")[number % 3] if big and number < 6 else rng.choice(kinds)
    wheels, foot = cls in WHEELS, cls in INFANTRY
    rare = 0.04 if big else 0.1
    weapon = rng.choice(("none", "light", "heavy")) if cls in ("squad", "half-squad") else "none"
    if cls in LEADERS:
        weapon = rng.choice(("none", "none", "light", "heavy" if rng.random() < rare else "light"))
    weapons = 0 if weapon == "none" else 1
    return {
        "class": cls,
        "mp": rng.choice((4, 6, 8, 10) if big else (2, 3, 5, 6)) if wheels
        else rng.choice((0, 1, 1, 1)) if cls == "gun" else 0,
        "facing": rng.choice(FACINGS),
        "weapon": weapon,
        "weapons": 2 if weapons and rng.random() < rare else weapons,
        # a marker of an earlier turn may only not have been cleared away, and the twin asks turn by turn
        **{mark: big and rng.random() < rare for mark in ("pinned", "fired", "moved")},
        "assault": foot and rng.random() < (0.3 if not big else 0.1),
        "immobile": cls == "afv" and rng.random() < 2 * rare,
        "aboard": "no",
        "transport": rng.choice(("T1", "T2", "TH", "none")) if wheels else "none",
        "tow": wheels and rng.random() < 0.6,
    }  # fmt: skip


def _board(rng: Random, columns: int, rows: int, sort: str) -> Board:
    """``sort``: a plain with works on it; a mild country, or a wild one, with levels, walls and roads."""
    few = ["open"] * 8 + ["woods", "orchard", "crop"]
    many = ["open"] * 5 + ["woods", "woods", "stream", "gully", "building", "pond", "marsh"]
    growth = [*many, "canal"] if sort == "wild" else few

    def terrain(name: str) -> list[str]:
        return [rng.choice(growth)]

    board = bare_board(columns, rows, terrain)
    levels = {"plain": (0,), "mild": (0, 0, 0, 0, 0, 1), "wild": (0, 0, 0, 0, 1, 1, 2)}[sort]
    hexes = {}
    for name, here in board.hexes.items():
        works = rng.choice((*FORTS, "wire", "wire", "foxholes")) if rng.random() < 0.15 else ""
        wet = (here.terrain or ("",))[0] not in few
        features = (works,) if works and not wet else ()
        hexes[name] = replace(here, level=rng.choice(levels), features=features)
    board = replace(board, hexes=hexes)
    if sort == "plain":
        return board
    every = board.every_side
    sides = {pair: (rng.choice(("wall", "hedge")),) for pair in every if rng.random() < 0.15}
    return _with_roads(rng, replace(board, sides=sides))


def _with_roads(rng: Random, board: Board) -> Board:
    """Roads, and bridges where they cross water."""
    lines, hexes = [], dict(board.hexes)
    for _ in range(rng.randint(1, 3)):
        path = random_path(
            rng,
            board,
            rng.choice(sorted(hexes)),
            rng.randint(2, 7),
            lambda _, to: not {"building", "pond", "marsh"} & set(hexes[to].terrain or ()),
        )
        if {"building", "pond", "marsh"} & set(hexes[path[0]].terrain or ()):
            path = path[1:]
        if len(path) > 1:
            lines.append(Line("road", tuple(path)))
    for name in {name for line in lines for name in line.hexes}:
        found = hexes[name].terrain or ()
        if found and found[0] in ("stream", "gully", "canal"):
            hexes[name] = replace(hexes[name], terrain=(found[0], "bridge"))
    return replace(board, hexes=hexes, lines=tuple(lines))


KIT = ValorAndVictory()
