"""Whole games that another program adjudicated: what it accepted is legal at the same least cost, what it
refused is illegal, and nobody else is accused."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tiers import by_tier, drawn
from vassal_umpire.importers.analysis.document import parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.model.finding import Audit, JudgedMove
from vassal_umpire.model.game import Game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.generic import RULESET

ARRIVAL = {"waterloo": {"entering": {"spent": 0}}}
"""What the documents do not say: in these games the hex a unit comes to costs it nothing."""
GAMES = {"waterloo": (7, 1451, 42), "chickamauga": (5, 1601, 36)}
"""Folder → how many games, moves accepted in them, and games with a move that was refused."""
PLAYED, REFUSED = 2, 5
"""So many games without such a move and with one are audited, others each day; all in a proof."""


def game_in(path: Path) -> Game:
    """The game of a document."""
    if not path.is_file():
        pytest.skip("the games of the second adjudicator are not in the corpus")
    plain = parse_document(gzip.decompress(path.read_bytes()), path.name)["game"]
    plain["rules"]["tables"].update(ARRIVAL.get(path.parent.name, {}))
    return game_of(plain)


def documents(
    corpus: Path, game: str, kind: str, ci: int
) -> Iterator[tuple[Audit, list[dict[str, Any]]]]:
    """The audit of each document of a kind (``game``, ``planted``), and what the other program said."""
    paths = sorted((corpus / "second-adjudicator" / game).glob(f"{kind}-*.json.gz"))
    paths = [path for path in paths if not path.name.endswith(".truth.json.gz")]
    for path in drawn(paths, ci):
        truth = path.with_name(path.name.replace(".json.gz", ".truth.json.gz"))
        yield audit(game_in(path), RULESET), json.loads(gzip.decompress(truth.read_bytes()))


def moves_by_step(found: Audit) -> dict[tuple[str, str], JudgedMove]:
    """The judged moves, by step and unit."""
    return {
        (str(step), unit): judged
        for judged in found.moves
        for step in judged.move.steps
        for unit in judged.move.units
    }


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_it_accepted_is_legal_at_the_same_least_cost(corpus: Path, game: str) -> None:
    games = accepted = 0
    differ: Counter[str] = Counter()
    for found, truth in documents(corpus, game, "game", PLAYED):
        games += 1
        moves = moves_by_step(found)
        for said in truth:
            accepted += 1
            judged = moves[said["step"], said["unit"]]
            total = judged.bill.total if judged.bill is not None else None
            cost = total.lo if total is not None and total.is_exact else None
            if judged.verdict != "legal" or cost != Fraction(said["mp"]):
                differ[f"{judged.verdict}, {cost} instead of {said['mp']} MP"] += 1
        assert not [f for f in found.findings if f.verdict == "illegal"]
    assert differ == Counter()
    assert games == PLAYED or (games, accepted) == GAMES[game][:2]
    assert accepted > 80 * games


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_it_refused_is_illegal_and_nothing_else(corpus: Path, game: str) -> None:
    planted = 0
    for found, truth in documents(corpus, game, "planted", REFUSED):
        (refused,) = truth
        planted += 1
        accused = {
            (str(step), unit)
            for finding in found.findings
            if finding.verdict == "illegal"
            for step in finding.steps
            for unit in finding.units
        }
        assert accused == {(refused["step"], refused["unit"])}
    assert planted == by_tier(REFUSED, REFUSED, GAMES[game][2])
