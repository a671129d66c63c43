"""Random units of wacht-am-rhein, all of which is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from vassal_umpire.model.fact import Value

from .kit import Fraction
from .wacht_am_rhein_marcher import RESERVES, truck_points

MODES = ("tactical",) * 5 + ("strategic", "strategic", "pa", "pa", "exploit", "exploit")


def facts(rng: Random, side: str, big: bool) -> dict[str, Value | int]:
    """A unit, all of which is known."""
    german = side == "German"
    nation = "german" if german else rng.choice(("us", "us", "us", "british"))
    role: dict[str, Value | int] = {
        "nation": nation, "class": "mech", "type": "armor", "designation": "none", "mode": rng.choice(MODES),
        "supply": "out" if rng.random() < 0.1 else "in", "fuel": "normal", "resting": rng.random() < 0.05,
        "fatigue": rng.random() < 0.05, "released": rng.random() < 0.04, "leader": rng.random() < 0.04,
        "motor": False, "formation": rng.choice(("A", "B") if german else ("C", "D")),
        "attached": "no", "echelon": "division", "command": rng.choice(("X", "Y") if german else ("U", "V")),
        "army": rng.choice(("Fifth", "Sixth")) if german else "First", "infantry-division": False,
        "breakdown": rng.random() < 0.06, "strength": rng.choice((1, 1, 2, 3)),
        "stacking": rng.choice((1, 1, 2, 3)), "works": rng.choice(("none",) * 6 + ("ip", "et")),
        "red": False, "depleted": False, "range": 3, "traction": "towed", "battery": "out",
        "calibre": "other", "bridge-class": "none", "static": False, "deployed": "no",
    }  # fmt: skip
    if rng.random() < 0.08:
        role["mode"] = rng.choice(RESERVES)
    if rng.random() < 0.05:
        role["attached"] = rng.choice(("A", "B") if german else ("C", "D"))
    if rng.random() < (0.12 if big else 0.7):
        role["ma"] = rng.choice((2, 3, 3, 4) if big else (0, 1, 2, 3, 4, 5, 6))
    if german and rng.random() < 0.06:
        role["fuel"] = rng.choice(("low", "none"))
    _special(rng, role, german)
    if role["class"] == "leg" and nation == "us" and rng.random() < 0.7:
        role["infantry-division"] = True
    return role


def _special(rng: Random, role: dict[str, Value | int], german: bool) -> None:
    kind = rng.choice(
        ("infantry",) * 6
        + (
            "mech infantry", "armor", "armor", "heavy", "recon", "engineer", "engineer", "at", "at",
            "guns",
        )
        + ("guns", "guns", "named", "hq", "flak", "bridge" if german else "recon", "other")
    )  # fmt: skip
    us = role["nation"] == "us"
    if kind in ("infantry", "mech infantry"):
        leg = kind == "infantry"
        role |= {"type": "infantry", "class": "leg" if leg else "mech"}
        role["motor"] = leg and (german or us) and rng.random() < 0.15
    elif kind == "armor":
        role["bridge-class"] = rng.choice(("none", "M", "M")) if german else "none"
    elif kind == "heavy" and german:
        role |= {"type": "heavy-armor", "bridge-class": "H"}
    elif kind == "recon":
        role["type"] = rng.choice(
            ("recon", "hybrid-recon", "m5", "m8", "daimler", "humber", "hybrid")
        )
    elif kind == "engineer":
        role |= {"type": "engineer", "class": rng.choice(("leg", "mech"))}
        if german and rng.random() < 0.3:
            role |= {"class": "mech", "echelon": "army", "static": rng.random() < 0.5}
    elif kind == "at":
        role |= {
            "type": rng.choice(("at", "heavy-at")),
            "class": rng.choice(("leg", "leg", "mech")),
        }
        role["red"] = rng.random() < 0.7
        role["motor"] = german and role["class"] == "leg" and rng.random() < 0.15
    elif kind == "guns":
        _guns(rng, role, german)
    elif kind == "named":
        role |= {
            "designation": rng.choice(("2 Recon", "4 Recce")),
            "class": rng.choice(("mech", "mech", "leg")),
        }
        role["type"] = "infantry"
    elif kind == "hq":
        role |= {"type": "hq", "strength": 0, "static": rng.random() < 0.5}
        role["class"] = rng.choice(("leg", "mech"))
    elif kind == "flak":
        role |= {"type": "flak", "red": rng.random() < 0.7}
    elif kind == "bridge":
        role |= {
            "type": "bridge-column",
            "deployed": rng.choice(("no", "no", "building", "finished")),
        }
    else:
        role |= {"type": "other", "motor": rng.random() < 0.1 and role["nation"] != "british"}
    if role["type"] != "artillery" and role["echelon"] == "division" and rng.random() < 0.08:
        role["echelon"] = rng.choice(("corps", "army"))


def calm_down(rng: Random, role: dict[str, Value | int], *, german: bool) -> None:
    """Nothing cuts or raises the allowance; those are common on whom few clauses bear."""
    for marker in ("resting", "fatigue", "released", "leader", "motor"):
        role[marker] = False
    role |= {"supply": "in", "fuel": "normal", "deployed": "no"}
    role["mode"] = rng.choice(("tactical", "tactical", "tactical", role["mode"]))  # type: ignore[arg-type]
    kind = rng.choice(("at", "heavy", "heavy", "engineer", "engineer", *["as it is"] * 4))
    if kind == "as it is" or role["type"] == "artillery":
        return
    role |= {"echelon": "division", "designation": "none", "static": False, "bridge-class": "none"}
    role |= {"class": "leg", "type": kind}
    if kind == "at" and rng.random() < 0.5:
        role |= {"type": "heavy-at", "red": True}
    if kind == "heavy":
        role |= {"class": "mech", "type": "heavy-armor" if german else "armor"}
        role["bridge-class"] = "H" if german else "none"
    if role["class"] == "mech":
        role["infantry-division"] = False


def _guns(rng: Random, role: dict[str, Value | int], german: bool) -> None:
    role |= {
        "type": "artillery",
        "red": rng.random() < 0.7,
        "depleted": rng.random() < 0.2,
        "range": rng.choice((1, 2, 3, 6, 10)),
        "traction": rng.choice(("towed", "sp", "horse") if german else ("towed", "sp")),
        "battery": rng.choice(("in", "out", "out")),
    }
    if german and role["traction"] != "horse" and rng.random() < 0.5:
        role |= {"echelon": rng.choice(("corps", "army")), "motor": rng.random() < 0.6}
        if role["traction"] == "towed":
            kinds = ("150-nebelwerfer", "150-nebelwerfer", "light-nebelwerfer", "other")
            role["calibre"] = rng.choice(kinds)
            role["breakdown"] = role["calibre"] == "light-nebelwerfer"
        if role["echelon"] == "army" and rng.random() < 0.3:
            role["range"] = 18
    if role["nation"] == "us" and role["traction"] == "towed":
        role["calibre"] = rng.choice(("105", "155h", "other"))


def division(rng: Random, roles: dict[str, dict[str, Value | int]]) -> None:
    """Most of the Allied units are infantry of one US division."""
    for name, role in roles.items():
        if name.startswith("Allied") and rng.random() < 0.7:
            role |= {
                "nation": "us",
                "class": "leg",
                "type": "infantry",
                "formation": "C",
                "motor": False,
            }
            role |= {"infantry-division": True, "mode": "tactical", "static": False, "stacking": 1}
            role |= {"echelon": "division", "designation": "none", "supply": "in"}


def ration(rng: Random, roles: dict[str, dict[str, Value | int]]) -> None:
    """No more than three Leg units of a US Infantry Division in Strategic Mode without trucks (5.6.4-h)."""
    riding: dict[Value | int, int] = {}
    for role in roles.values():
        if role["mode"] == "strategic" and role["class"] == "leg" and role["motor"] is not True:
            riding[role["formation"]] = riding.get(role["formation"], 0) + 1
            if riding[role["formation"]] > 3:
                role["mode"] = "tactical"


def trucks(rng: Random, roles: dict[str, dict[str, Value | int]]) -> dict[str, Value]:
    """Truck Points: what is used, and some; seldom less."""
    points: dict[str, Value] = {}
    for army, used in points_used(roles.values()).items():
        spare = -1 if used >= 2 and rng.random() < 0.1 else rng.choice((0, 1, 2))
        points[f"trucks-{army}"] = used + spare
    return points


def points_used(roles: Iterable[Mapping[str, Value | int]]) -> dict[str, Fraction]:
    """The Truck Points that each army's units take."""
    armies = {army: Fraction(0) for army in ("First", "Fifth", "Sixth")}
    for role in roles:
        armies[str(role["army"])] += truck_points(role)
    return armies
