"""Nobody is accused on what no person has looked at, and one look at one cut-out settles it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest
from cases import audit_of, cases, every_case, outcome_with
from tiers import by_tier
from vassal_umpire.model.board import Board
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Game, PhaseRule, PhaseStart, Place, StepRef
from vassal_umpire.model.provenance import Key
from vassal_umpire.model.seen import cells_of_look
from vassal_umpire.model.vouching import values_of
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.text import REPORT as TEXT
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.rulesets.generic import RULESET

STRIDE = by_tier(60, ci=24, proof=12)
"""Of so many cases of a ruleset one is drawn."""
NOBODY: frozenset[Key] = frozenset()


def game(board: Board, *moves: str, seen: frozenset[Key] | None = NOBODY, **units: object) -> Game:
    """A game in which ``moves`` ("a 0101 0501") are made one after the other. ``seen``: what a person has
    looked at."""
    told = [move.split() for move in moves]
    made = drawn.game(board, {where: drawn.unit(name, **units) for name, where, *_ in told})
    events: list[object] = [PhaseStart(StepRef(1, 1), "1", "Movement", "Red")]
    for number, (name, *hexes) in enumerate(told):
        for step, (a, b) in enumerate(pairwise(hexes), 10 * number + 2):
            at = StepRef(1, step)
            events.append(Displacement(at, name, Place("hex", a), Place("hex", b), "Red"))
    phase = PhaseRule("Movement", movers="active", complete=True)
    return replace(made, events=tuple(events), phases={"Movement": phase}, seen=seen)


def verdicts(found: Audit) -> list[str]:
    return [move.verdict for move in found.moves]


def looks(found: Audit) -> list[tuple[str, ...]]:
    return [unknown.look for move in found.moves for unknown in move.unknowns]


def facts_of(board: Board, hexes: tuple[str, ...]) -> frozenset[Key]:
    """What one look at a cut-out of these hexes records."""
    cells = cells_of_look(board, hexes)
    return frozenset(key for key in values_of(board) if key.cell in cells)


FAR = drawn.board(*["." * 9] * 5)


BARRED_BY = {
    "terrain": (drawn.board("..#.."), {}),
    "hexsides": (drawn.board(".....", sides={"0201-0301": "river"}), {"class": "wheels"}),
    "lines": (drawn.board("....."), {"ma": 2}),
}


@pytest.mark.parametrize("layer", BARRED_BY)
def test_one_layer_that_nobody_saw_accuses_nobody(layer: str) -> None:
    """Absences too: a road missed over several sides is cleared by no single one of them."""
    board, facts = BARRED_BY[layer]
    all_seen = frozenset(values_of(board))
    assert verdicts(audit(game(board, "a 0101 0501", seen=all_seen, **facts), RULESET)) == [
        "illegal"
    ]
    seen = frozenset(key for key in all_seen if key.layer != layer)
    found = audit(game(board, "a 0101 0501", seen=seen, **facts), RULESET)
    assert verdicts(found) == ["unverifiable"]


def test_cells_that_no_way_within_the_allowance_comes_to_are_not_asked_for() -> None:
    board = drawn.board(*["." * 30] * 20)
    (look,) = looks(audit(game(board, "a 1010 1610", ma=4), RULESET))
    columns = {int(name[:2]) for name in look}
    assert min(columns) >= 8
    assert max(columns) <= 18
    assert len(look) < 100


def test_an_accusation_that_no_cell_can_clear_stands() -> None:
    """Along the best of roads it costs 1/2 MP a hex: 20 hexes are beyond 4 MP, whatever is drawn."""
    board = drawn.board("." * 25)
    found = audit(game(board, "a 0101 2101"), RULESET)
    assert verdicts(found) == ["illegal"]
    assert found.moves[0].bill is not None
    assert found.moves[0].bill.total.lo == 10


@pytest.mark.ci
def test_a_drawn_board_of_1300_hexes_takes_one_look_for_each_true_accusation() -> None:
    """Its terrain was looked at by hand, that no line is anywhere was said at once."""
    board = drawn.board(*["." * 40] * 33)
    known = frozenset(key for key in values_of(board) if key.layer in ("terrain", "features"))
    moves = ("a 0505 1105", "b 2005 2605", "c 3005 3605", "d 0525 1125", "e 2525 3125")
    found = audit(game(board, *moves, seen=known), RULESET)
    assert verdicts(found) == ["unverifiable"] * 5
    for number, (look,) in enumerate([move.unknowns for move in found.moves]):
        after = audit(game(board, *moves, seen=known | facts_of(board, look.look)), RULESET)
        assert verdicts(after) == [
            "illegal" if number == other else "unverifiable" for other in range(5)
        ]


def test_what_would_be_found_is_told_apart_with_the_cut_out() -> None:
    found = audit(game(FAR, "a 0103 0703"), RULESET)
    (one,) = found.suspicions
    assert one.finding.kind == "missed-mp-cost"
    assert one.look == looks(found)[0]
    assert one.cells == ()


@pytest.mark.parametrize("ruleset", ["generic", "ocs", "wacht-am-rhein", "zoc-classes"])
def test_looks_end_where_the_whole_board_was_seen(ruleset: str) -> None:
    """In cases of every ruleset: nobody is accused who is not by the whole board; what was legal stays so;
    and look after look everything is said that the whole board says."""
    for case in list(cases(ruleset).values())[::STRIDE]:
        whole = audit_of(case)
        seen = NOBODY
        for _ in range(4):
            found = outcome_with(case, replace(case.game, seen=seen)).audit
            pairs = list(zip(whole.moves, found.moves, strict=True))
            assert [w.verdict for w, f in pairs if f.verdict == "legal"] == [
                "legal" for _, f in pairs if f.verdict == "legal"
            ]
            assert all(w.verdict == "illegal" for w, f in pairs if f.verdict == "illegal"), case.id
            more = [look for look in looks(found) if look]
            if not more:
                break
            seen |= frozenset().union(*(facts_of(case.game.board, look) for look in more))
        assert verdicts(found) == verdicts(whole), case.id


def test_no_question_asks_whether_a_layer_of_the_board_is_whole() -> None:
    """What is asked for are the hexsides that a way comes to, not a word on all of the board."""
    board = replace(drawn.board("......."), complete=frozenset({"terrain", "hexsides", "levels"}))
    found = audit(game(board, "a 0101 0701", seen=None), RULESET)
    asked = [unknown for move in found.moves for unknown in move.unknowns]
    assert asked
    assert all(unknown.key.startswith("hexside ") for unknown in asked)
    assert not any("complete" in unknown.stanza for unknown in asked)


def test_no_question_calls_a_chart_by_its_key_or_wants_a_yes() -> None:
    """And no report prints the stanza that calls a chart complete."""
    for case in every_case("unverifiable")[::25]:
        found = replace(audit_of(case), title="")
        asked = [unknown for move in found.moves for unknown in move.unknowns]
        for words in ("lacks", "all there is", "hold all"):
            assert not any(words in unknown.question for unknown in asked), case.id
        if any(unknown.key.startswith("chart ") for unknown in asked):
            printed = TEXT.render(found, ReportOptions(viewer="everyone"))
            assert "complete = [" not in printed, case.id
