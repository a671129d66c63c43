"""The audit as a whole: it loses nothing, tells nobody what he may not know, and stays linear."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import MappingProxyType

import pytest
from flat import Flat, audited, flat_judge, new_game, stacking
from seen import seen_audit
from vassal_umpire.model.bill import Bill
from vassal_umpire.model.fact import MissingFact, known
from vassal_umpire.model.game import Game, Gap, Place, Rules, StepRef
from vassal_umpire.model.problem import CannotAudit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.validators import audit as audit_module
from vassal_umpire.validators import phase, prepared_game
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.unseen import LEFT_OPEN, held_by_truth, seen_game


class TestNothingIsLost:
    def test_a_move_that_cannot_be_judged(self):
        def judge(move, *_, **__):
            raise KeyError("secret")

        s = new_game("a Red 0101", "x Blue 0501").play("move; a 0102; x 0502 by Blue")
        found = audit(s.game(), Flat(), judge=judge)
        assert [m.verdict for m in found.moves] == ["unverifiable", "illegal"]
        assert [p.code for p in found.problems] == ["move-not-judged"]
        assert "KeyError" in str(found.problems[0])
        assert "secret" not in str(found.problems[0])

    @pytest.mark.parametrize("name", ["order", "stacking", "ownership", "continuity", "integrity"])
    def test_a_check_that_fails(self, monkeypatch, name):
        def fail(*_):
            raise ZeroDivisionError

        where = prepared_game if name == "integrity" else audit_module
        monkeypatch.setattr(where, f"check_{name}", fail)
        found = audited(new_game("a Red 0101").move().drag("a", "0109"))
        assert [f.code for f in found.findings] == ["FLAT"]
        assert [(p.code, name in p.message) for p in found.problems] == [("check-failed", True)]

    def test_a_way_by_a_box_that_cannot_be_screened(self, monkeypatch):
        monkeypatch.setattr(phase, "screen_displacement", lambda *_: 1 // 0)
        found = audited(new_game("a Red 0101, b Red 0101").play("move; a [Dead]; a 0102; b 0109"))
        assert [m.verdict for m in found.moves if m.judged] == ["unverifiable", "illegal"]
        assert [p.code for p in found.problems] == ["move-not-judged"]

    def test_moves_that_cannot_be_found(self, monkeypatch):
        monkeypatch.setattr(prepared_game, "find_moves", lambda *_: 1 // 0)
        game_gap = Gap(2, "a", "A", Place("hex", "0101"), None)
        found = audited(new_game("a Red 0101", gaps=(game_gap,)).move().drag("a", "0109"))
        assert [f.code for f in found.findings] == ["CHK-CONTINUITY"]
        assert [p.code for p in found.problems] == ["check-failed"]

    def test_a_game_of_other_rules(self):
        with pytest.raises(CannotAudit, match="chess"):
            audit(new_game("a Red 0101").game(rules=Rules("chess")), Flat())

    def test_an_empty_game(self):
        found = audited(new_game())
        assert (found.moves, found.findings, found.problems) == ((), (), ())

    def test_every_code_of_the_house_has_a_clause(self):
        s = new_game("a Red ?", "x Blue 0501").play("a 0102; move; x 0502; a 0103")
        found = audited(s.undo("a", "0102", 4))
        assert {f.clause for f in found.findings} - {"FLAT"} <= set(found.clauses)

    def test_an_undo_to_nowhere_says_why(self):
        why = "its stack was taken away, and nothing in the step says where it went back to"
        found = audited(new_game("a Red 0101").move().drag("a", "-", cause="undo", why=why))
        assert [m.remark for m in found.moves] == [f"an undo took it off the map: {why}"]

    def test_progress_is_told(self):
        told = []
        s = new_game("a Red 0101", "b Red 0501").move().drag("a", "0102").drag("b", "0502")
        audit(s.game(), Flat(), judge=lambda *_, **__: 1 // 0, progress=lambda *n: told.append(n))
        assert told == [(1, 2), (2, 2)]


class TestContinuityAndIntegrity:
    def test_one_note_for_each_pair_of_logs(self):
        gaps = (
            Gap(2, "a", "A", Place("hex", "0101"), Place("hex", "0102")),
            Gap(2, "b", "B", None, Place("box", "Pool")),
            Gap(3, "a", "A", Place("hex", "0102"), Place("hex", "0102"), "flipped"),
        )
        found = audited(new_game("a Red 0101", "b Red 0101", gaps=gaps)).findings
        assert [(f.code, f.kind, f.steps, f.units) for f in found] == [
            ("CHK-CONTINUITY", "note", (StepRef(2, 0),), ("a", "b")),
            ("CHK-CONTINUITY", "note", (StepRef(3, 0),), ("a",)),
        ]
        assert (
            "A: 0101 before, 0102 after; B: not in the game before, Pool after"
            in found[0].explanation
        )
        assert "A: flipped" in found[1].explanation

    def test_hidden_pieces_are_in_the_note_of_those_who_see_them(self):
        gaps = (Gap(2, "a", "A", None, None, "x"), Gap(2, "b", "B", None, None, "y"))
        s = new_game("a Red 0101, b Red 0101 seen_by=Red", gaps=gaps)
        assert [f.units for f in seen(s, EVERYONE).findings] == [("a",)]
        assert [f.units for f in seen(s, RED).findings] == [("a", "b")]

    def test_steps_the_reader_found_odd(self):
        (found,) = audited(
            new_game("a Red 0101", integrity=((StepRef(1, 4), "no such piece"),))
        ).findings
        assert (found.code, found.kind, found.steps) == ("CHK-INTEGRITY", "note", (StepRef(1, 4),))

    def test_a_unit_moved_from_where_it_was_not(self):
        s = new_game("a Red 0101").move()
        s.places["a"] = Place("hex", "0105")
        found = audited(s.drag("a", "0106"))
        assert [f.code for f in found.findings] == ["CHK-INTEGRITY"]
        assert "from 0105, but lay in 0101" in found.findings[0].explanation


RED, BLUE = Viewer("Red"), Viewer("Blue")


def seen(played, viewer, rules=None):
    """What ``viewer`` is told."""
    return seen_audit(played.game(), rules or Flat(), viewer, flat_judge)


class TestFog:
    def built(self):
        units = "a Red 0101, b Red 0501, h Red 0901 seen_by=Red, x Blue 0103 seen_by=Blue"
        return new_game(units).play("move; a 0103; b 0502; h 0909; move Blue 2; x 0104")

    @pytest.mark.parametrize(
        ("viewer", "moves", "findings"),
        [
            (EVERYONE, ["a", "b"], []),
            (RED, ["a", "b", "h"], ["h"]),
            (BLUE, ["a", "b", "x"], ["a"]),
            (DIRECTOR, ["a", "b", "h", "x"], ["a", "h"]),
        ],
        ids=str,
    )
    def test_who_is_told_what(self, viewer, moves, findings):
        """Whom x bars, those learn who see x; all others see that a moved, as if x were not there."""
        found = seen(self.built(), viewer)
        assert [m.move.units for m in found.moves] == [(name,) for name in moves]
        assert [f.units for f in found.findings] == [(name,) for name in findings]
        assert set(found.names) == set(moves)
        assert [m.move.id for m in found.moves] == list(range(1, len(moves) + 1))

    def test_what_nobody_may_see(self):
        s = new_game().unit("h", "Red", "0101", seen_by=()).move().drag("h", "0109")
        assert [seen(s, viewer).moves for viewer in (EVERYONE, RED, BLUE)] == [(), (), ()]
        assert len(seen(s, DIRECTOR).findings) == 1

    def test_a_hidden_unit_in_an_overstacked_hex(self):
        units = "a Red 0101, b Red 0101, c Red 0102, h Red 0101 seen_by=Red"
        s = new_game(units).play("move; c 0103; move Blue")
        rules = Flat(stacking=stacking(2))
        assert [f.code for f in seen(s, RED, rules).findings] == ["FLAT-STACK"]
        assert seen(s, BLUE, rules).findings == ()

    def test_an_accusation_that_the_truth_lacks_is_left_open(self):
        """Who it was, where and when remains; what is said of it does not."""
        units = "a Red 0101, h Blue 0506 seen_by=Blue"
        s = new_game(units).play("move; a 0109; move Blue")
        told, truth = seen(s, EVERYONE), seen(s, DIRECTOR)
        assert [m.verdict for m in told.moves] == ["illegal"]
        asked = (MissingFact("x", "Is there a road?"),)
        full = replace(told.findings[0], bill=Bill(()), unknowns=asked, remedy="legal by road")
        acquitted = held_by_truth(
            seen_game(s.game(), EVERYONE),
            replace(told, findings=(full,)),
            lambda _: replace(truth, moves=(), findings=()),
        )
        (move,), (finding,) = acquitted.moves, acquitted.findings
        verdict = "unverifiable"
        assert (move.verdict, move.bill, move.path, move.remark) == (verdict, None, (), LEFT_OPEN)
        said = f"whether this breaks {full.clause} {LEFT_OPEN}"
        bare = replace(full, kind=verdict, verdict=verdict, explanation=said, bill=None)
        assert finding == replace(bare, unknowns=(), remedy="")
        assert acquitted.coverage.open == 1

    @pytest.mark.parametrize(
        ("other", "verdict"),
        [
            ({}, "illegal"),
            ({"clause": "OTHER"}, "unverifiable"),
            ({"steps": (StepRef(1, 9),)}, "unverifiable"),
            ({"units": ("h",)}, "unverifiable"),
            ({"units": ("a", "h")}, "illegal"),
            ({"verdict": "unverifiable"}, "unverifiable"),
        ],
    )
    def test_the_truth_must_accuse_the_same_drag_under_the_same_clause(self, other, verdict):
        s = new_game("a Red 0101, h Blue 0506 seen_by=Blue").play("move; a 0109; move Blue")
        told = seen(s, EVERYONE)
        truth = replace(told, findings=tuple(replace(f, **other) for f in told.findings))
        held = held_by_truth(seen_game(s.game(), EVERYONE), told, lambda _: truth)
        assert [f.verdict for f in held.findings] == [verdict]
        assert [m.verdict for m in held.moves] == [verdict]


class CountedEvents(tuple):
    """Events that count in ``looks`` how often one is fetched, and how often all are gone through."""

    def __getitem__(self, key):
        self.looks["fetched"] += 1
        return super().__getitem__(key)

    def __iter__(self):
        self.looks["passes"] += 1
        return super().__iter__()


def _counted(name):
    def look(self):
        self.passes += 1
        return getattr(dict, name)(self)

    return look


class CountedOpening(dict):
    """Where units are at the opening; it counts how often all of them are gone through."""

    passes = 0
    __iter__, items, values, keys = map(_counted, ("__iter__", "items", "values", "keys"))


def long_game(rounds: int, idle: int) -> Game:
    """Forty units move in turn; ``idle`` more lie in a far corner and do nothing."""
    units = 40
    s = new_game(*(f"u{n} Red {n % 20 + 1:02}01" for n in range(units)), "x Blue 2412")
    for n in range(idle):
        s.unit(f"idle{n}", "Red", "2406")
    for turn in range(rounds):
        s.move("Red", str(turn))
        for n in range(4):
            u = f"u{(turn * 4 + n) % units}"
            column = s.places[u].name[:2]
            row = 2 if s.places[u].name.endswith("01") else 1
            s.drag(u, f"{column}{row:02}")
            if n == 1:
                s.roll().flip(u, "moved", known(False), known(True))
        s.move("Blue", str(turn)).drag("x", "2411" if turn % 2 == 0 else "2412")
    events = CountedEvents(s.events)
    events.looks = Counter()
    s.events = []
    return replace(s.game(), events=events)


def work(rounds, idle=0):
    game = long_game(rounds, idle)
    opening = CountedOpening(game.opening)
    game = replace(game, opening=opening, units=MappingProxyType(dict(game.units)))
    found = audit(game, Flat(stacking=stacking(idle + 3)), judge=flat_judge)
    assert len(found.moves) == rounds * 5
    return game.events.looks, opening.passes


def test_events_are_fetched_in_proportion_to_their_number():
    short, passes = work(20)
    long, more_passes = work(160)
    assert long["fetched"] <= short["fetched"] * 8 * 1.05
    assert long["passes"] == short["passes"]
    assert (passes, more_passes) == (passes, passes)


def test_units_that_do_nothing_are_not_looked_at_again():
    few = work(30)
    many = work(30, 1000)
    assert many == few
