"""Titles of vsav-engine that were not looked at while the method was built, and their published charts."""

from __future__ import annotations

from adjudicated import Title

_VEHICLES = frozenset(("armor", "recon", "mech", "sp_artillery"))
_ON_FOOT = frozenset(
    ("infantry", "para", "glider", "ab_artillery", "artillery", "polish", "engineer")
)
_WATER = {"river": "prohibited", "stream": 3, "bridge": 0, "ferry": 3}
_ROADS = {"road": "1/2", "trail": 1}
_OPEN = {"town": 1, "city": 1, "mixed": 2}


def _westwall(
    name: str, classes: frozenset[str], closed: dict[str, object], water: dict[str, object]
) -> Title:
    return Title(
        f"westwall, {name}",
        "westwall-arnhem",
        "scenario_historical.json",
        "terrain.json",
        {"terrain": {**_OPEN, **closed}, "hexsides": {**_WATER, **water}, "roads": _ROADS},
        lines=frozenset(_ROADS),
        over={"bridge": frozenset(("river", "stream")), "ferry": frozenset(("river",))},
        classes=classes,
        anchor="town",
    )


TITLES = (
    _westwall("on foot", _ON_FOOT, {"woods": 2, "broken": 3, "rough": 4}, {}),
    _westwall(
        "vehicles",
        _VEHICLES,
        dict.fromkeys(("woods", "broken", "rough"), "prohibited"),
        {"stream": "prohibited"},
    ),
)
