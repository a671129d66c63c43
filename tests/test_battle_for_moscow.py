"""Battle for Moscow: the verdicts of a slow walker, of moves that nobody made, in any weather."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Game, PhaseStart, Place
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

from .deletions import sample, with_drags

TESTS = Path(__file__).resolve().parent


@cache
def played(weather: str | None) -> Game:
    """The sample, and after its end moves at random, each in a phase of its own. ``weather`` None: nobody
    has said how it is."""
    told = sample(TESTS.parent / "samples" / "battle-for-moscow")
    game = with_drags(told.without(None), told.drags)
    conditions = [] if weather is None else game.conditions
    assert {c.key for c in conditions} <= {"weather"}
    return replace(game, conditions=tuple(replace(c, fact=known(weather)) for c in conditions))


@cache
def judged(weather: str | None) -> Audit:
    return audit(played(weather), rulesets().parts["battle-for-moscow"])


def may_go(
    game: Game, where: Mapping[str, Place], move: Displacement, mud: bool, phase: str
) -> bool:
    """Whether a unit may go where it was dragged: the text of the rules, tried on every way, slowly."""
    unit = game.units[move.unit]
    panzer, ma = (unit.attributes[name].value for name in ("class", "ma"))
    rail = phase == "Rail Movement"
    if (rail and unit.side != "Soviet") or (phase == "Panzer Movement" and panzer != "panzer"):
        return False
    enemies = {
        p.name for other, p in where.items() if p.hex and game.units[other].side != unit.side
    }
    next_to_enemies = {near for enemy in enemies for near in game.board.neighbours(enemy)}
    railways = {
        pair
        for line in game.board.lines
        for a, b in pairwise(line.hexes)
        for pair in ((a, b), (b, a))
    }
    ways = [(move.origin.name, 0, 0)]
    while ways:
        here, hexes, spent = ways.pop()
        if here == move.target.name:
            return True
        if hexes and here in next_to_enemies:
            continue
        for to in game.board.neighbours(here):
            terrain = game.board.hexes[to].terrain or ()
            counts = 2 if "forest" in terrain and not rail and not mud else 1
            due = spent + counts
            if to in enemies or "beyond" in terrain or (rail and (here, to) not in railways):
                continue
            if due <= (1 if mud and not rail else ma):
                ways.append((to, hexes + 1, due))
    return False


@pytest.mark.parametrize("weather", ["dry", "mud"])
def test_moves_are_judged_as_by_the_text_tried_on_every_way(weather: str) -> None:
    game = played(weather)
    verdicts = {(m.move.units, m.move.steps[0]): m.verdict for m in judged(weather).moves}
    where, phase, made_up, tried = dict(game.opening), "", False, Counter[str]()
    for event in game.events:
        if isinstance(event, PhaseStart):
            phase, made_up = event.phase or "", event.source == "made up"
        elif isinstance(event, Displacement):
            verdict = verdicts.get(((event.unit,), event.at))
            if verdict and made_up and phase.endswith("Movement"):
                right = may_go(game, where, event, weather == "mud", phase)
                assert verdict == ("legal" if right else "illegal"), (event, phase)
                tried[verdict] += 1
            where[event.unit] = event.target
    assert tried["legal"] > 3
    assert tried["illegal"] > 3


def test_what_is_decided_without_the_weather_is_so_in_any() -> None:
    free, dry, mud = (judged(weather).moves for weather in (None, "dry", "mud"))
    for one, *told in zip(free, dry, mud, strict=True):
        assert one.verdict == "unverifiable" or {one.verdict} == {t.verdict for t in told}


def test_the_ruleset_cites_its_own_clauses() -> None:
    found = judged("dry").findings
    codes = {f.code for f in found if f.kind not in ("note", "unverifiable")}
    assert {"BFM-ZOC-STOP", "BFM-PANZERS", "BFM-RAIL"} <= codes
    assert not [code for code in codes if code.startswith("GEN-")]
