"""Battle for Moscow by its own ruleset and by tables of ``generic``, written before it had one: the same
verdicts, in the sample's logs and of moves that nobody made, in any weather."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

from vassal_umpire.importers.pack.charts import charts_of
from vassal_umpire.model.fact import known
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game, MovementForm, Rules
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.audit import audit

from .deletions import sample, with_drags

TESTS = Path(__file__).resolve().parent
TABLES = tomllib.loads((TESTS / "samples" / "moscow_by_tables.toml").read_text("utf-8"))
CLOSED = {"BFM-PANZERS", "CHK-PHASE"}
"""Who moves in a phase not open to him: the tables say so by a form of the pack, and make no bill."""


def played(weather: str | None) -> Game:
    """The sample, and after its end moves at random, each in a phase of its own. ``weather`` None: nobody
    has said how it is."""
    told = sample(TESTS.parent / "samples" / "battle-for-moscow")
    game = with_drags(told.without(None), told.drags)
    conditions = [] if weather is None else game.conditions
    assert {c.key for c in conditions} <= {"weather"}
    return replace(game, conditions=tuple(replace(c, fact=known(weather)) for c in conditions))


def by_tables(game: Game) -> Game:
    """The same game by the ruleset ``generic``."""
    tables, complete = charts_of(TABLES["rules"])
    forms = {
        row["name"]: MovementForm(row["name"], True, {k: tuple(v) for k, v in row["units"].items()})
        for row in TABLES["form"]
    }
    rules = Rules(TABLES["ruleset"], tables, complete=complete)
    return replace(game, rules=rules, forms={**game.forms, **forms})


def judged(game: Game) -> Audit:
    return audit(game, rulesets().parts[game.rules.name])


def both(weather: str | None) -> tuple[Audit, Audit]:
    """By its own ruleset and by the tables, which have the same moves."""
    game = played(weather)
    own, other = judged(game), judged(by_tables(game))
    assert [m.move.steps for m in own.moves] == [m.move.steps for m in other.moves]
    return own, other


def test_in_dry_weather_they_say_the_same_and_make_the_same_bills() -> None:
    own, other = both("dry")
    assert [m.verdict for m in own.moves] == [m.verdict for m in other.moves]
    assert {"legal", "illegal"} <= {m.verdict for m in own.moves}
    closed = {move for f in own.findings if f.code in CLOSED for move in f.moves}
    for mine, theirs in zip(own.moves, other.moves, strict=True):
        if mine.move.id not in closed and mine.bill is not None:
            assert theirs.bill is not None
            assert mine.bill.total == theirs.bill.total
    assert Counter(f.kind for f in own.findings) == Counter(f.kind for f in other.findings)


def test_in_mud_they_say_the_same() -> None:
    """Bills differ: there the hex takes the whole allowance, here the allowance is one hex."""
    own, other = both("mud")
    assert [m.verdict for m in own.moves] == [m.verdict for m in other.moves]
    assert {"legal", "illegal"} <= {m.verdict for m in own.moves}


def test_where_the_weather_is_not_known_the_ruleset_says_no_other_thing_and_leaves_less_open() -> (
    None
):
    own, other = both(None)
    pairs = Counter((m.verdict, o.verdict) for m, o in zip(own.moves, other.moves, strict=True))
    differ = {pair for pair in pairs if pair[0] != pair[1]}
    assert {theirs for _, theirs in differ} <= {"unverifiable"}
    assert pairs["unverifiable", "unverifiable"]


def test_what_is_decided_without_the_weather_is_so_in_any() -> None:
    free, dry, mud = (judged(played(weather)).moves for weather in (None, "dry", "mud"))
    for one, *told in zip(free, dry, mud, strict=True):
        assert one.verdict == "unverifiable" or {one.verdict} == {t.verdict for t in told}


def test_the_ruleset_cites_its_own_clauses() -> None:
    found = judged(played("dry")).findings
    codes = {f.code for f in found if f.kind not in ("note", "unverifiable")}
    assert {"BFM-ZOC-STOP", "BFM-PANZERS", "BFM-RAIL"} <= codes
    assert not [code for code in codes if code.startswith("GEN-")]
