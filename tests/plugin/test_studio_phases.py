"""Guesses of phases, what has to be seen before one is confirmed, and what is then written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tables
from browser.studio_kit import copy_of
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.model.game import PhaseRule, PhaseStart, StepRef
from vassal_umpire.model.patterns import compile_pattern
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.table import TableHistory
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin import phase_proposals, user_folder
from vassal_umpire.plugin.announcements import announced, is_plain
from vassal_umpire.plugin.phase_proposals import Proposal, propose
from vassal_umpire.plugin.studio import phase_desk, phases_view
from vassal_umpire.plugin.studio.phase_desk import desk_of, segment_of, to_see
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.timeline import Tick, timeline

from . import kit
from .hiding import Cloak, cloaked
from .kit import LOGS, PACK, studio_on

SIDES = ("Allies", "Germans")
PHASES = ("Movement", "Mechanized Movement", "Combat")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Beginning the Allied Movement Phase...", "begins Movement Allies"),
        ("Mechanized movement:", "begins Mechanized Movement Allies"),
        ("german mech movement phase", "begins Mechanized Movement Germans"),
        ("GERMAN COMBAT PHASE", "begins Combat Germans"),
        ("Beginning the Air & Naval Phase.", "begins Air & Naval Allies"),
        ("reset phase", "begins Reset Allies"),
        ("Turn 1, movement", "begins 1 Movement Allies"),
        ("Movement done!", "ends Movement Allies"),
        ("End of mech movement.", "ends Mechanized Movement Allies"),
        ("That's the end of the Allied Combat Phase.", "ends Combat Allies"),
        ("That concludes the Air Drop Phase.", "ends Air Drop Allies"),
        ("I do believe that's it for German movement", "ends Movement Germans"),
        ("your combat phase is up", "hands over Combat Germans"),
        ("Your Mech Movement and Defensive Fire is up.", "hands over Mechanized Movement Germans"),
        ("done moving, combat now", "begins Combat Allies"),
        ("End of movement; now Combat", "begins Combat Allies"),
        ("fertig, jetzt Kampf", "begins Combat Allies"),
        ("Zug 12: Bewegung", "begins 12 Movement Allies"),
        ("Bewegungsphase", "begins Movement Allies"),
        ("Ende der Bewegungsphase", "ends Movement Allies"),
        ("Beginn Kampfphase:", "begins Combat Allies"),
        ("Phase de mouvement", "begins Movement Allies"),
        ("Fin de la phase de combat.", None),  # "combat" is English as well: the end is not understood
        ("Fase de movimiento", "begins Movement Allies"),
        ("Fine della fase di movimento", "ends Movement Allies"),
        ("Koniec fazy ruchu", "ends Movement Allies"),
        ("Фаза движения", "begins Movement Allies"),
        ("strategic movement has gone pretty well...", None),
        ("no advance after combat", None),
        ("You retreat 2.", None),
        ("hello", None),
        ("I think that a good thing to add would be buttons which automate the reset phase. That's going to"
         " become irritating, all this movement of counters from one face to the other.", None),
        ("", None),
        ("supply first", None),
    ],
)  # fmt: skip
def test_what_players_announce(text: str, told: str | None) -> None:
    found = announced(text, PHASES, SIDES, "Allies")
    parts = (found.does, found.turn, found.phase, found.active) if found else ()
    assert (" ".join(filter(None, parts)) or None) == told
    own = announced("Ende der Bewegungsphase", ("Bewegung", "Kampf"), SIDES, "Allies")
    assert own.phase == "Bewegung"


def test_what_only_seems_to_announce_is_not_plain() -> None:
    plain = (
        "Beginning the Allied Movement Phase... | Zug 12: Bewegung | движение | My mech movement:"
    )
    jokes = "No combat! | Combat? | skip combat phase | kein Kampf | не движение | forgot movement"
    said = [*plain.split(" | "), *jokes.split(" | ")]
    assert [text for text in said if is_plain(text, PHASES, SIDES)] == plain.split(" | ")


def test_a_tick_counts_what_was_moved_and_what_bears_the_mark_of_it() -> None:
    still, gone = tables.piece("1", "A"), tables.piece("1", "A", tables.THERE, Moved="true")
    turned = tables.piece("1", "A", tables.THERE, Moved="true", Facing="2")
    rest, new = tables.piece("1", "A", tables.THERE), tables.piece("2", "B", Moved="true")
    steps = (
        tables.became(1, tables.RED, (still, gone), by="drag"),
        tables.became(2, tables.RED, (gone, turned)),
        tables.became(3, tables.RED, (turned, rest)),
        tables.became(4, tables.RED, (None, new), by="add"),
    )
    (ticks,) = timeline(tables.history(*steps, opening=(still,)), EVERYONE)
    counted = [(tick.moved, tick.marked, tick.cleared, tick.placed) for tick in ticks]
    assert counted == [(1, 1, 0, 0), (0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]


def log(number: int, *steps: tuple[Any, ...]) -> tuple[Tick, ...]:
    """Steps as side, pieces moved, rolls, line, marks of having moved taken off and set, pieces placed."""
    return tuple(
        Tick(StepRef(number, n), side, True, moved, dice, (line,) if line else (), False, *marks)
        for n, (side, moved, dice, line, *marks) in enumerate(steps, 1)
    )


def spans(found: Sequence[Proposal]) -> list[tuple[str, str, str, str]]:
    return [(str(p.first), str(p.last), p.phase, p.active) for p in found]


MOVE = ("Allies", 1, 0, "")
THEIRS = ("Germans", 1, 0, "")
ROLL = ("Allies", 0, 1, "")


def test_announcements_and_what_was_handed_over_are_borders() -> None:
    steps = log(1, ("Allies", 0, 0, "Allied movement phase"), *[MOVE] * 5,
                ("Allies", 0, 0, "Allied combat:"), ROLL, MOVE)  # fmt: skip
    found = propose([steps], PHASES, SIDES)
    moved = ("1:1", "1:6", "Movement", "Allies")
    assert spans(found) == [moved, ("1:7", "1:9", "Combat", "Allies")]
    assert "“Allied combat:”" in found[1].why
    first = log(1, *[MOVE] * 4, ("Allies", 0, 0, "Your mech movement is up."))
    second = log(2, *[THEIRS] * 4)
    assert spans(propose([first, second], PHASES, SIDES))[-1] == (
        "2:1", "2:4", "Mechanized Movement", "Germans",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([*[MOVE] * 4, ("Allies", 0, 0, "End of Allied movement."), *[MOVE] * 3],
         [("1:1", "1:5", "Movement", "Allies"), ("1:6", "1:8", "", "Allies")]),
        ([("Allies", 0, 0, "Allied movement phase"), ("Allies", 0, 0, "End of Allied movement."),
          *[MOVE] * 3],
         [("1:1", "1:2", "Movement", "Allies"), ("1:3", "1:5", "", "Allies")]),
        ([*[MOVE] * 5, *[THEIRS] * 3, *[MOVE] * 5, *[THEIRS] * 12],
         [("1:1", "1:13", "", "Allies"), ("1:14", "1:25", "", "Germans")]),
        ([*[MOVE] * 50, *[ROLL] * 6, *[MOVE] * 50], [("1:1", "1:50"), ("1:51", "1:56"), ("1:57", "1:106")]),
    ],
    ids=["an end names what it ends", "nothing moves before an end",
         "another side that moves for good, no foreign step", "dice"],
)  # fmt: skip
def test_what_is_a_border(steps: list[Any], expected: list[tuple[str, ...]]) -> None:
    found = spans(propose([log(1, *steps)], PHASES, SIDES))
    assert [one[: len(expected[0])] for one in found] == expected


MARKED = ("Allies", 1, 0, "", 0, 1)


def cleared(number: int) -> tuple[Any, ...]:
    return ("Allies", 0, 0, "", number)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([*[MARKED] * 6, cleared(6), *[MARKED] * 3],
         [("1:1", "1:7", "Movement", "Allies"), ("1:8", "1:10", "", "Allies")]),
        ([*[MARKED] * 6, *[cleared(1)] * 6, *[MARKED] * 3],
         [("1:1", "1:12", "Movement", "Allies"), ("1:13", "1:15", "", "Allies")]),
        ([*[MARKED] * 6, *[ROLL] * 5, cleared(6), *[MARKED] * 3],
         [("1:1", "1:6", "Movement", "Allies"), ("1:7", "1:12", "Combat", "Allies"),
          ("1:13", "1:15", "", "Allies")]),
        ([*[MARKED] * 6, *[ROLL] * 5, *[MARKED] * 2, cleared(8), MOVE],
         [("1:1", "1:6", "Movement", "Allies"), ("1:7", "1:11", "Combat", "Allies"),
          ("1:12", "1:14", "", "Allies"), ("1:15", "1:15", "", "Allies")]),
        ([*[MARKED] * 6, cleared(6), *[MARKED] * 3, ("Allies", 0, 0, "End of movement.")],
         [("1:1", "1:11", "Movement", "Allies")]),
        ([*[MARKED] * 6, cleared(4), *[MARKED] * 3], [("1:1", "1:10", "", "Allies")]),
        ([*[MARKED] * 20, cleared(6), *[MARKED] * 3], [("1:1", "1:24", "", "Allies")]),
        ([*[MARKED] * 6, cleared(3), MARKED, cleared(3), *[MARKED] * 3], [("1:1", "1:12", "", "Allies")]),
    ],
    ids=["at once", "one by one", "after combat", "what moves after combat may be an advance",
         "an end that is announced", "few", "less than half", "moves between"],
)  # fmt: skip
def test_marks_of_having_moved_that_are_taken_off_end_a_phase(
    steps: list[Any], expected: list[tuple[str, ...]]
) -> None:
    found = propose([log(1, *steps)], PHASES, SIDES)
    assert spans(found) == expected


def test_what_took_the_marks_off_is_told_and_names_nothing_where_phases_are_announced() -> None:
    steps = [
        *[MARKED] * 6,
        cleared(6),
        *[MARKED] * 3,
        ("Allies", 0, 0, "Allied combat:"),
        ROLL,
        MOVE,
    ]
    found = propose([log(1, *steps)], PHASES, SIDES)
    assert [(p.phase, str(p.first)) for p in found] == [
        ("", "1:1"),
        ("", "1:8"),
        ("Combat", "1:11"),
    ]
    assert found[1].why == ("before it 6 counters lose the mark of having moved",)


PLACE = ("Allies", 1, 0, "", 0, 0, 1)
THEIR_PLACE = ("Germans", *PLACE[1:])


def test_setting_up_is_parted_from_moving() -> None:
    steps = [*[PLACE] * 6, MOVE, PLACE, *[MOVE] * 5]
    found = propose([log(1, *steps)], PHASES, SIDES)
    assert spans(found) == [("1:1", "1:8", "Set-up", "Allies"), ("1:9", "1:13", "", "Allies")]
    assert "7 counters come onto the map" in found[0].why


def test_the_other_side_may_set_up_in_the_next_log_and_what_moves_then_is_no_set_up() -> None:
    unmoved = ("Allies", 0, 0, "", 0, 0, 1)  # out of the palette
    logs = [log(1, *[unmoved] * 6), log(2, *[THEIR_PLACE] * 6), log(3, *[MOVE] * 3)]
    found = propose(logs, PHASES, SIDES)
    assert spans(found) == [
        ("1:1", "1:6", "Set-up", ""), ("2:1", "2:6", "Set-up", "Germans"), ("3:1", "3:3", "", "Allies"),
    ]  # fmt: skip
    assert found[1].why[1:] == (
        "6 counters come onto the map", "nothing but setting up was done in the logs before",
    )  # fmt: skip
    assert found[2].why == ("the log begins",)


@pytest.mark.parametrize(("movers", "called"), [("none", "Deployment"), ("active", "Set-up")])
def test_setting_up_goes_by_the_packs_name_only_where_nobody_may_move(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, movers: Any, called: str
) -> None:
    monkeypatch.setattr(phase_proposals, "_told", lambda *_: ())
    phases = {"Deployment": PhaseRule("Deployment", movers)}
    pack, evidence = replace(studio.pack, phases=phases), studio.evidence
    ticks = [log(1, *[PLACE] * 6)]
    (found,) = phase_proposals.propose_for(pack, evidence.module, evidence.history, ticks)
    assert found.phase == called


@pytest.mark.parametrize(
    "logs",
    [[[*[PLACE] * 4, *[MOVE] * 5]], [[*[MOVE] * 5, *[PLACE] * 6, MOVE]], [[MOVE], [THEIR_PLACE] * 6]],
    ids=["too few", "reinforcements", "a later log"],
)  # fmt: skip
def test_what_is_no_set_up(logs: list[list[Any]]) -> None:
    ticks = [log(number, *steps) for number, steps in enumerate(logs, 1)]
    assert "Set-up" not in {one.phase for one in propose(ticks, PHASES, SIDES)}


def test_what_the_packs_sources_tell_is_taken_over() -> None:
    steps = log(1, *[MOVE] * 6)
    starts = ((0, "Movement"), (4, "Combat"))
    told = [PhaseStart(StepRef(1, n), "3", name, "Allies", "turn tracker") for n, name in starts]
    found = propose([steps], PHASES, SIDES, told)
    moved = ("1:1", "1:3", "Movement", "Allies")
    assert spans(found) == [moved, ("1:4", "1:6", "Combat", "Allies")]
    assert {p.turn for p in found} == {"3"}


def test_a_new_turn_is_a_border_even_where_nothing_moves_after_it() -> None:
    steps = log(1, *[MOVE] * 4, *[("Allies", 0, 0, "")] * 2)
    turns = ((0, "1", "Movement"), (5, "2", None), (6, "3", None))
    told = [PhaseStart(StepRef(1, n), turn, name, None) for n, turn, name in turns]
    found = propose([steps, log(2, *[THEIRS] * 2)], PHASES, SIDES, told)
    assert [(str(p.last), p.turn, p.phase) for p in found] == [
        ("1:4", "1", "Movement"), ("1:6", "3", ""), ("2:2", "3", ""),
    ]  # fmt: skip


def test_a_tracker_that_is_not_read_yet_makes_guesses_and_tells_nothing(tmp_path: Path) -> None:
    """The guesses of a first pack are those of the finished one, which reads the tracker."""
    folder = copy_of(PACK, tmp_path)
    found = {}
    text = (folder / "pack.toml").read_text("utf-8").replace("certain = true", "certain = false")
    begin = text.index("[[phases.from]]")
    end = text.index("[[phase]]", begin)
    for read in (True, False):
        toml = text if read else text[:begin] + text[end:]
        (folder / "pack.toml").write_text(toml, "utf-8")
        studio = studio_on(folder)
        studio._read_and_judge(lambda *_: None)
        found[read] = spans(phase_desk.proposals(studio, desk_of(studio)))
        steps = [StepRef(1, n) for n in range(1, 15)]
        assert all(not phase_desk.told_by(studio, step, step) for step in steps)
        starts = [e for e in studio.opened.game.events if isinstance(e, PhaseStart)]
        assert bool(starts) == read
        studio.close()
    assert found[True] == found[False]
    assert found[False][0] == ("1:1", "1:14", "Movement", "Blue")


# -- confirming ---------------------------------------------------------------------------------------


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    found = studio_on(copy_of(PACK, tmp_path))
    found.who = "Wren"
    yield found
    found.close()


BODY: dict[str, Any] = {
    "first": "1:2", "last": "1:13", "turn": "1", "phase": "Movement", "active": "Blue", "combat": None,
}  # fmt: skip


def seen(studio: Studio, body: dict[str, Any] = BODY, but: int = 0) -> list[str]:
    """Have everything stand on the screen but the last few rows; those."""
    rows = [row["at"] for row in phases_view.inspect(studio, body)["rows"]]
    shown = rows[: len(rows) - but]
    phases_view.seen(studio, {"steps": shown})
    return rows[len(shown) :]


def test_all_that_has_to_be_seen_has_been_seen_before_a_phase_is_confirmed(studio: Studio) -> None:
    desk = desk_of(studio)
    ticks = {tick.at: tick for log in desk.ticks for tick in log}
    wanted = to_see(desk, segment_of(desk, BODY))
    for step in (1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16):
        if StepRef(1, step) in ticks:
            assert StepRef(1, step) in wanted
    for at, tick in ticks.items():
        inside = StepRef(1, 2) <= at <= StepRef(1, 13)
        if inside and (tick.dice or (tick.moved and tick.sure and tick.side == "Red")):
            assert at in wanted
    (left,) = seen(studio, but=1)
    with pytest.raises(UmpireError, match=rf"not all has been looked at yet: {left}$"):
        phases_view.confirm(studio, BODY)
    assert not studio.facts.exists()
    phases_view.seen(studio, {"steps": [left]})
    assert phases_view.confirm(studio, BODY)["refused"] == []
    (phase,) = load_facts(studio.facts).phases
    assert 'log = "turn-1.vlog"\nsteps = "2-13"' in studio.facts.read_text("utf-8")
    assert phase.key == ("turn-1.vlog:2-turn-1.vlog:13", "phase", "")
    assert phase.value == "1/Movement/Blue"
    assert not phase.suggested


def test_nobody_confirms_without_a_name_or_what_was_not_seen(studio: Studio) -> None:
    seen(studio)
    with pytest.raises(UmpireError, match="not all has been looked at"):
        phases_view.confirm(studio, {**BODY, "first": "2:1", "last": "2:6"})
    seen(studio)
    studio.who = ""
    with pytest.raises(UmpireError, match="name"):
        phases_view.confirm(studio, BODY)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"phase": ""}, "say which phase"),
        ({"first": "1:13", "last": "1:2"}, "before the first"),
        ({"last": "1:99999"}, "there is no step 99999 of log 1"),
        ({"first": "9:1", "last": "9:2"}, "there is no step 1 of log 9"),
        ({"first": "x"}, "is not a step"),
        ({"first": "١:١"}, "is not a step"),
        ({"phase": "a/b"}, "cannot stand for"),
    ],
)
def test_what_cannot_be_confirmed(studio: Studio, change: dict[str, Any], says: str) -> None:
    seen(studio)
    with pytest.raises(UmpireError, match=says):
        phases_view.confirm(studio, {**BODY, **change})
    assert not studio.facts.exists()


def test_a_phase_may_lie_inside_another_and_not_across_its_border(studio: Studio) -> None:
    seen(studio)
    phases_view.confirm(studio, BODY)
    across = {**BODY, "first": "1:8", "last": "1:15"}
    seen(studio, across)
    with pytest.raises(UmpireError, match="overlaps the phase"):
        phases_view.confirm(studio, across)
    inside = {**BODY, "first": "1:5", "last": "1:7", "combat": True}
    seen(studio, inside)
    assert phases_view.confirm(studio, inside)["refused"] == []
    assert [phase.combat for phase in load_facts(studio.facts).phases] == [None, True]
    text = studio.facts.read_text("utf-8")  # a phase of a log that is not open stays as it is
    listed = f"[facts]\nlogs = {['turn-0.vlog', *(log.name for log in LOGS)]}\n\n{text}"
    studio.facts.write_text(
        f'{listed}\n[[phase]]\nlog = "turn-0.vlog"\nphase = "Combat"\n', "utf-8"
    )
    rows = phases_view.phases(studio, {})["confirmed"]
    assert [(row["first"], row["last"]) for row in rows] == [("1:2", "1:13"), ("1:5", "1:7")]
    phases_view.remove(studio, {"first": "1:5", "last": "1:7"})
    assert [phase.combat for phase in load_facts(studio.facts).phases] == [None, None]
    assert studio.facts.with_name("facts.provenance.csv").read_text("utf-8").count("\n") == 2


def test_what_would_be_is_what_is_found_once_the_phase_is_confirmed(studio: Studio) -> None:
    phases_view.would(studio, BODY)
    while True:
        before = studio.revision
        if desk_of(studio).would:
            break
        studio.wait(before, 60)
    (would,) = desk_of(studio).would.values()
    seen(studio)
    phases_view.confirm(studio, BODY)
    verdicts = Counter(
        move["verdict"]
        for move in kit.report_of(*LOGS, "--pack", studio.folder)["moves"]
        if move["verdict"] != "not-judged"
        and move["steps"][-1]["log"] == 1
        and 2 <= move["steps"][-1]["step"] <= 13
    )
    assert would == {**verdicts, "moves": 8, "phase": "Movement", "active": "Blue"}


def test_what_was_corrected_is_there_again_in_the_next_run_and_entered_nowhere(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(user_folder.PLACE, str(tmp_path / "home"))
    phases_view.corrected(studio, {"segments": [BODY]})
    assert not studio.facts.exists()
    again = studio_on(studio.folder)
    assert phases_view.phases(again, {})["corrected"] == [BODY]
    (logs,) = again.keepsake.corrected
    first, comma, _ = logs.partition(", ")
    assert comma
    again.keepsake.corrected = {f"{logs}, another 3": [BODY], first: [BODY, BODY]}
    assert phases_view.phases(again, {})["corrected"] == [BODY, BODY]  # a log came since
    again.keepsake.corrected = {f"{logs}, another 3": [BODY]}
    assert phases_view.phases(again, {})["corrected"] == []  # they are of other logs
    with pytest.raises(UmpireError, match="there is no step 999 of log 1"):
        phases_view.corrected(again, {"segments": [{**BODY, "last": "1:999"}]})
    phases_view.corrected(again, {"segments": []})
    last = studio_on(studio.folder)
    assert phases_view.phases(last, {})["corrected"] == []
    assert last.keepsake.corrected[f"{logs}, another 3"] == [
        BODY
    ]  # of another game, and still kept


def test_a_pattern_that_is_kept_proposes_and_vouches_for_nothing(studio: Studio) -> None:
    lines = phases_view.try_pattern(studio, {"pattern": "(?P<turn>[A-Za-z]+)"})
    assert lines["count"] > 0
    phases_view.keep_pattern(studio, {"pattern": "(?P<turn>[A-Za-z]+)"})
    text = (studio.folder / "pack.toml").read_text("utf-8")
    assert "(?P<turn>[A-Za-z]+)" in text
    from vassal_umpire.importers.pack.load import load_pack

    added = [one for one in load_pack(studio.folder).phase_sources if one.kind == "chat"]
    assert [one.certain for one in added] == [False]
    for wrong in ("(", "xyzzy", "(?P<turn>xyzzy)"):
        with pytest.raises(UmpireError):
            phases_view.keep_pattern(studio, {"pattern": wrong})


def test_a_pattern_that_finds_no_side_of_the_game_says_so_and_proposes_none(studio: Studio) -> None:
    tried = phases_view.try_pattern(studio, {"pattern": "(?P<active>[A-Za-z]+)"})
    assert all(
        line["groups"]["side"].endswith(" (no side of this game)") for line in tried["lines"]
    )
    told = [PhaseStart(StepRef(1, 1), None, "Movement", "Turn", "what was said in the chat")]
    (found,) = propose([log(1, MOVE)], PHASES, SIDES, told)
    assert found.active == "Allies"  # who moves
    assert "what was said in the chat: Turn is not a side of this game" in found.why


LINE = "Turn {turn}: {side} {phase} phase"
OWN = (["Army", "Army Group South"], ["Movement", "Combat"])
"""The pack's own words for sides and phases: a blank is filled by them alone."""


@pytest.mark.parametrize(
    ("line", "words", "said", "found"),
    [
        (
            LINE,
            OWN,
            "Turn 3: Army Group South Movement phase",
            ("3", "Army Group South", "Movement"),
        ),
        (LINE, OWN, "Turn 1.5: Army Combat phase", ("1.5", "Army", "Combat")),
        (LINE, OWN, "Turn June 1941: Army Combat phase", ("June 1941", "Army", "Combat")),
        (LINE, OWN, "Turn 3: Army's Combat phase", ()),
        (LINE, OWN, "Turn 3: Army Group Combat phase", ()),
        (LINE + ".", (), "Turn 3: Blue Movement phase.", ("3", "Blue", "Movement")),
        ("({side}) {phase}", (), "(Red) second move, begun", (None, "Red", "second move")),
        ("(?P<turn>[0-9]+)(st|nd) turn", (), "2nd turn", ("2", None, None)),
    ],
)
def test_a_line_with_blanks_is_a_pattern(
    line: str, words: tuple[list[str], ...], said: str, found: tuple[str | None, ...]
) -> None:
    match = compile_pattern(phases_view.pattern_of(line, *words)).search(said)
    told = match.groupdict() if match is not None else {}
    assert (tuple(told.get(k) for k in ("turn", "active", "phase")) if told else ()) == found


def test_a_blank_stands_once_in_a_line(studio: Studio) -> None:
    told = phases_view.try_pattern(studio, {"pattern": "{turn} of {turn}"})
    assert told["problem"] == "write {turn} only once"


def test_guesses_are_of_steps_that_are_there_and_no_call_confirms_several(studio: Studio) -> None:
    writing = [call.path for call in phases_view.CALLS if call.writes]
    assert writing == [
        f"/api/phases/{name}" for name in ("corrected", "confirm", "remove", "pattern")
    ]
    told = phases_view.phases(studio, {})
    for one in told["proposed"]:
        body = {**BODY, "first": one["first"], "last": one["last"]}
        assert segment_of(desk_of(studio), body).name == f"{one['first']}-{one['last']}"


PLAYED = {
    (1, 658): ("Movement", "Allies"), (5, 362): ("Movement", "Allies"),
    (6, 1): ("Mechanized Movement", "Germans"), (9, 2): ("Mechanized Movement", "Allies"),
    (9, 143): ("Combat", "Germans"), (10, 405): ("Movement", "Allies"),
    (11, 1): ("Mechanized Movement", "Germans"), (11, 86): ("Combat", "Allies"),
    (12, 1033): ("Mechanized Movement", "Allies"), (14, 429): ("Movement", "Allies"),
    (15, 1): ("Mechanized Movement", "Germans"), (15, 106): ("Combat", "Allies"),
    (16, 399): ("Movement", "Germans"), (17, 1): ("Mechanized Movement", "Allies"),
}  # fmt: skip
"""Where phases begin in the game of seventeen logs, read off its chat by eye."""


def test_guesses_rest_on_what_the_viewer_sees(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hidden counter that moves in a step in which a player speaks would tell on them."""
    hidden = "1790000000108"
    studio.evidence = cloaked("crossroads", Cloak(hidden, "Blue"))
    read: list[TableHistory] = []
    monkeypatch.setattr(phase_proposals, "_told", lambda _, history: read.append(history) or ())
    phase_desk.proposals(studio, phase_desk.desk_of(studio))
    assert [hidden in log.opening.pieces for log in read[0].logs] == [False, False]


@pytest.mark.xdist_group("longest_day")
def test_the_guesses_in_a_real_game(longest_day: tuple[Module, TableHistory]) -> None:
    module, history = longest_day
    ticks = timeline(history, EVERYONE)
    found = propose(ticks, PHASES, module.sides)
    begun = {tuple(one.first): (one.phase, one.active) for one in found}
    wrong = {at: begun.get(at) for at, wanted in PLAYED.items() if begun.get(at) != wanted}
    assert wrong == {}
    every = [tick.at for log in ticks for tick in log]
    steps = [(one, tick.at) for one in found for log in ticks for tick in log]
    held = [at for one, at in steps if one.first <= at <= one.last]
    assert held == every
