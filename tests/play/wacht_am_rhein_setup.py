"""Random games of wacht-am-rhein: boards, units, charts. No numbers of the game's own charts."""

from __future__ import annotations

from random import Random
from typing import Any

from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.fact import Value

from .kit import GameSetup, PhaseRule, bare_board, random_paths, replace, unit
from .wacht_am_rhein_units import calm_down, division, facts, ration, trucks

SIDES = ("German", "Allied")
NO, LIMIT = "prohibited", 6
RULES: dict[str, Any] = {
    "terrain": {
        "clear": {"mech": 2, "leg": 2},
        "woods": {"mech": 4, "leg": 3},
        "forest": {"mech": NO, "leg": 4},
        "town": {"mech": 1, "leg": 1},
        "broken": {"mech": NO, "leg": 3},
        "bog": {"mech": NO, "leg": NO},
    },
    "hexsides": {
        "stream": {"mech": "+2", "leg": "+1"},
        "minor-river": {"leg": "+3"},
        "ridge": "+1",
        "cliff": {"mech": NO, "leg": "+2"},
    },
    "roads": {"primary": "1/2", "secondary": 1, "trail": "3/2"},
    "grounds": {
        "normal": {"factor": 1, "plus": 0, "chart": True},
        "frozen": {"factor": 1, "plus": 1, "chart": True},
        "mud": {"factor": "1/2", "plus": 0, "chart": True},
    },
    "fuel": {"low": "1/2", "none": 0},
    "raises": {"leader": "5/4", "released": "3/2"},
}
READINGS = {
    "fatigue": ("quarter", "three-quarters"),
    "ma_rounding": ("each", "once"),
    "ma_order": ("cuts-first", "raises-first"),
    "strat_factor": ("3/2",),
    "bridge_plus3": ("yes", "no"),
    "stop_hex": ("entered", "enemy"),
    "adjacency_combine": ("once", "hex", "unit"),
    "adjacency_list": ("complete",),
    "breakdown_exempt": ("any", "own"),
    "constricted_both": ("once", "twice"),
    "constricted_road": ("free", "penalty"),
    "pa_reverse_ruling": ("forbid", "allow"),
    "order_in_exploitation": ("yes", "no"),
    "exploitation_only_exploit": ("yes", "no"),
    "night_covers": ("yes", "no"),
    "west_wall": ("only", "all"),
    "engineers_help": ("no",),
}
CHANGING = (
    "mode", "supply", "resting", "fatigue", "motor", "battery", "static", "released", "leader", "fuel",
)  # fmt: skip


def setup(rng: Random, *, big: bool) -> GameSetup:
    return _setup(rng, big=big, calm=big and rng.random() < 0.5)


def calm_setup(rng: Random) -> GameSetup:
    """A big game setup in which there is little of everything."""
    return _setup(rng, big=True, calm=True)


def _setup(rng: Random, *, big: bool, calm: bool) -> GameSetup:
    columns, rows = (9, 8) if big else (4, 3)
    board = _calm_board(rng, columns, rows) if calm else _board(rng, columns, rows)
    units, opening, roles = {}, {}, {}
    places = rng.sample(sorted(board.hexes), len(board.hexes))
    roads = {name for line in board.lines if line.kind != "dashed" for name in line.hexes}
    places.sort(key=lambda name: name not in roads and rng.random() < 0.5)
    free = iter(places)
    for side in SIDES:
        here = ""
        for number in range(12 if big else 3):
            name = f"{side} {number + 1}"
            roles[name] = facts(rng, side, big)
            if calm:
                calm_down(rng, roles[name], german=side == "German")
            if number % 2 and big and rng.random() < 0.3:  # a twin of the one before
                roles[name] = dict(roles[f"{side} {number}"])
            same = [u for u, at in opening.items() if at == here]
            crowd = sum(int(str(roles[u]["stacking"])) for u in [*same, name])
            here = here if same and crowd <= LIMIT and rng.random() < 0.4 else next(free)
            opening[name] = here
    if big and rng.random() < 0.3:
        division(rng, roles)
    ration(rng, roles)
    units = {name: unit(name, name.split()[0], role) for name, role in roles.items()}
    conditions: dict[str, Value] = {
        "night": not calm and rng.random() < 0.25,
        "ground": "normal" if calm else rng.choice(("normal", "normal", "frozen", "mud")),
    }
    conditions |= trucks(rng, roles)
    rules = dict(RULES)
    rules["adjacent"] = {"cost": {"mech": 1, "leg": 1}, "fieldworks": {"mech": 2, "leg": 2}}
    rules["stacking"] = {"limit": LIMIT}
    judged = ("Mode Determination", "Movement", "Exploitation")
    return GameSetup(
        board,
        units,
        opening,
        (
            *(PhaseRule(name, "both", complete=True) for name in judged),
            PhaseRule("Combat", "unknown"),
        ),
        rules,
        options={k: rng.choice(v) for k, v in READINGS.items() if rng.random() < 0.95},
        conditions=conditions,
        changing=CHANGING,
        sides=SIDES,
        blank={"ma": "by-kind"},
    )


# -- the board ------------------------------------------------------------------------------------


def _board(rng: Random, columns: int, rows: int) -> Board:
    rough = rng.choice((0.2, 0.5))

    def terrain(_: str) -> list[str]:
        if rng.random() > rough:
            return ["clear"]
        one = rng.choice(("woods", "woods", "forest", "broken", "broken", "town", "bog"))
        return [one] if rng.random() < 0.7 else ["clear", one]

    board = bare_board(columns, rows, terrain)
    hexes = {name: _featured(rng, here) for name, here in board.hexes.items()}
    board = replace(board, hexes=hexes)
    lines = [*_roads(rng, board), *_dashes(rng, board)]
    trodden = {pair for line in lines if line.kind != "dashed" for pair in line.edges()}
    sides: dict[tuple[str, str], tuple[str, ...]] = {}
    for pair in board.every_side:
        features = _side(rng, pair in trodden)
        if features:
            sides[pair] = features
    return replace(board, sides=sides, lines=tuple(lines))


def _calm_board(rng: Random, columns: int, rows: int) -> Board:
    """One kind of terrain, a river or stream from edge to edge, and few other things."""
    most = rng.choice(("clear", "woods"))

    def terrain(_: str) -> list[str]:
        few = (["clear"], ["woods"], ["broken"], ["clear", "woods"], ["clear", "broken"])
        return [most] if rng.random() < 0.9 else rng.choice(few)

    board = bare_board(columns, rows, terrain)
    hexes = {
        name: replace(here, features=("constricted",)) if rng.random() < 0.2 else here
        for name, here in board.hexes.items()
    }
    board = replace(board, hexes=hexes)
    roads = [replace(line, kind=rng.choice(("trail", line.kind))) for line in _roads(rng, board)]
    water = rng.choice(("stream", "minor-river", "major-river", "major-river"))
    bank = rng.randint(3, columns - 3)
    over = [rng.choice([name for name in board.hexes if int(name[:2]) == bank])]
    for column in (bank + 1, bank + 2):
        east = [name for name in board.neighbours(over[-1]) if int(name[:2]) == column]
        over.append(rng.choice(east))
    lines = [Line("trail", tuple(over)), *roads[: rng.randint(0, 2)], *_dashes(rng, board)]
    trodden = {pair for line in lines if line.kind != "dashed" for pair in line.edges()}
    sides: dict[tuple[str, str], tuple[str, ...]] = {}
    fords, bridge = rng.choice((0.05, 0.3)), rng.choice(("bridge", "destroyed-bridge"))
    for pair in board.every_side:
        west, east = sorted(int(name[:2]) for name in pair)
        if (west, east) == (bank, bank + 1):
            crossed = pair in trodden or rng.random() < fords
            by = bridge if pair in trodden or water == "stream" else "ford"
            sides[pair] = (water, by) if crossed else (water,)
        elif rng.random() < 0.06:
            sides[pair] = (rng.choice(("stream", "minor-river")),)
    return replace(board, sides=sides, lines=tuple(lines))


def _featured(rng: Random, here: Hex) -> Hex:
    if rng.random() < 0.15:
        return replace(here, features=("constricted",))
    if rng.random() < 0.08:
        return replace(here, features=(rng.choice(("west-wall", "west-wall", "fortification")),))
    return replace(here, features=("no-junction",)) if rng.random() < 0.1 else here


def _side(rng: Random, road: bool) -> tuple[str, ...]:
    if road and rng.random() < 0.4:
        water = rng.choice(("stream", "minor-river", "minor-river", "major-river"))
        over = ("bridge",) * 4 + (
            "destroyed-bridge",
            "engineer-bridge",
            "unfinished-bridge",
            "ford",
        )
        spans = over[:-1] if water == "stream" else over
        return (water, rng.choice(spans))
    few: tuple[tuple[str, ...], ...] = (
        *[()] * 12,
        ("stream",), ("stream",), ("minor-river",), ("major-river",), ("ridge",), ("cliff",),
        ("minor-river", "ford"), ("stream", "bridge"), ("minor-river", "bridge"), ("ridge", "stream"),
        ("major-river", "ford"),
    )  # fmt: skip
    return rng.choice(few)


def _roads(rng: Random, board: Board) -> list[Line]:
    lines: list[Line] = []
    taken: set[tuple[str, str]] = set()
    many = rng.randint(3, 7) if len(board.hexes) > 20 else rng.randint(1, 4)
    for path in random_paths(rng, board, many, (2, 9), lambda *ends: edge(*ends) not in taken):
        line = Line(rng.choice(("primary", "primary", "secondary", "trail")), path)
        lines.append(replace(line, junctions=rng.random() < 0.9))
        taken.update(line.edges())
    return lines


def _dashes(rng: Random, board: Board) -> list[Line]:
    lines = []
    for here in board.hexes.values():
        around = list(board.neighbours(here.name))
        if "constricted" in here.features:
            for _ in range(rng.choice((1, 1, 2))):
                before, after = sorted(rng.sample(around, 2))
                line = Line("dashed", (before, here.name, after))
                lines += [line] if line not in lines else []
    return lines
