"""Facts belong to the logs that they name, whatever number these have in a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from vassal_umpire.importers.pack.facts import LAST_STEP, Facts
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.facts_logs import on_logs
from vassal_umpire.model.logs import KnownLog, facts_name, with_log_names
from vassal_umpire.model.problem import WrongPack

A, B, C, D = (KnownLog(f"{name}.vlog", name * 64, 9) for name in "abcd")
LISTED = '[facts]\nlogs = ["a.vlog", "b.vlog", "c.vlog"]\n'
MUD = '[[condition]]\nkey = "weather"\nvalue = "mud"\n'
DIGEST_FIRST = f'[facts]\nlogs = ["{"a" * 64}", "b.vlog", "c.vlog"]\n'
PHASE = '[[phase]]\nphase = "x"\n'


def facts(folder: Path, text: str) -> Facts:
    file = folder / "facts.toml"
    file.write_text(text, encoding="utf-8")
    return load_facts(file)


def spans(folder: Path, text: str, *logs: KnownLog) -> list[str]:
    """The steps, as the game counts them, of conditions that hold in it; ``-`` for the end of a log."""
    found, problems = on_logs(facts(folder, text), logs)
    assert [p for p in problems if p.severity == "error"] == []
    ends = [(one.span.first, one.span.last) for one in found.conditions]
    return [
        f"{first} to {'the end' if last is None else str(last).replace(str(LAST_STEP), '-')}"
        for first, last in ends
    ]


def said(folder: Path, text: str, *logs: KnownLog) -> list[str]:
    return [f"{p.severity}: {p}" for p in on_logs(facts(folder, text), logs)[1]]


@pytest.mark.parametrize("log", ['"b.vlog"', f'"{"b" * 64}"', "2"])
def test_a_fact_stays_with_its_log(tmp_path: Path, log: str) -> None:
    text = LISTED + MUD + f'log = {log}\nsteps = "3-7"\n'
    assert spans(tmp_path, text, A, B, C) == ["2:3 to 2:7"]
    assert spans(tmp_path, text, B, C) == ["1:3 to 1:7"]
    assert spans(tmp_path, text, C, A) == []


def test_a_fact_of_a_log_left_out_is_set_aside_with_one_line(tmp_path: Path) -> None:
    text = LISTED + MUD + 'log = "b.vlog"\n' + PHASE + 'log = "b.vlog"\nsteps = "2-3"\n' + MUD
    assert said(tmp_path, text, A, C) == [
        "note: facts.toml line 7: set aside: it is about log b.vlog, which is not among the logs here: "
        "a.vlog, c.vlog; if it was renamed, write its new name (2 times)"
    ]
    assert spans(tmp_path, text, A, C) == ["1:0 to the end"]


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        (MUD + 'log = "a.vlog"\n' + MUD + 'log = "a.vlog"\nsteps = "2"\n', (B,)),
        (MUD + 'log = "b.vlog"\n' + MUD + 'log = "a.vlog"\n' + MUD + 'log = "a.vlog"\n', (C, B)),
        (LISTED + MUD + "log = 1\n" + MUD + 'log = "a.vlog"\n', (B, C, D)),
        (LISTED + MUD + 'first = "a.vlog:4"\n' + MUD + 'last = "1:3"\n', (D, B)),
        (LISTED + MUD + 'first = "1:4"\nlast = "3:2"\n' + MUD + 'first = "a.vlog:4"\n', (D, B)),
        (DIGEST_FIRST + MUD + 'first = "1:4"\n' + MUD + 'first = "1:4"\nlast = "3:2"\n', (D, C)),
    ],
)
def test_a_log_that_may_be_here_under_another_name_is_an_error(
    tmp_path: Path, text: str, logs: tuple[KnownLog, ...]
) -> None:
    """Set aside, its facts could leave an accusation that they excuse."""
    (error,) = said(tmp_path, text, *logs)
    stranger = D if D in logs else next(log for log in logs if f'"{log.name}"' not in text)
    assert error.startswith("error: facts.toml line ")
    assert f" among the logs here; found {stranger.name}, which these facts name nowhere" in error
    assert error.endswith(' under [facts]: logs = ["…", "…"] (2 times)')


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        (MUD + f'log = "{"a" * 64}"\n', (B,)),
        (MUD + 'log = "a.vlog"\n' + MUD + f'log = "{"b" * 64}"\n', (B,)),
        ('[facts]\nlogs = ["a.vlog", "d.vlog"]\n' + MUD + "log = 1\n", (D,)),
    ],
)
def test_a_log_that_cannot_be_here_is_only_noted(
    tmp_path: Path, text: str, logs: tuple[KnownLog, ...]
) -> None:
    (note,) = said(tmp_path, text, *logs)
    assert note.startswith("note: facts.toml line ")
    assert ": set aside: it is about log a" in note


def test_a_new_name_in_the_middle_of_listed_logs_leaves_steps_over_them_as_they_are(
    tmp_path: Path,
) -> None:
    text = LISTED + MUD + 'first = "a.vlog:4"\nlast = "c.vlog:2"\n'
    assert spans(tmp_path, text, A, D, C) == ["1:4 to 3:2"]


@pytest.mark.parametrize(
    ("ends", "logs", "span"),
    [
        ('first = "a.vlog:4"\nlast = "c.vlog:2"\n', (B, C), "1:0 to 2:2"),
        ('first = "1:4"\nlast = "3:2"\n', (A, B), "1:4 to 2:-"),
        ('first = "a.vlog:4"\n', (B, C), "1:0 to the end"),
        ('last = "b.vlog:4"\n', (A, C), "1:0 to 1:-"),
    ],
)
def test_steps_over_listed_logs_hold_for_those_that_are_here(
    tmp_path: Path, ends: str, logs: tuple[KnownLog, ...], span: str
) -> None:
    assert spans(tmp_path, LISTED + MUD + ends, *logs) == [span]
    unlisted = MUD + ends.replace('"1:', '"a.vlog:').replace('"3:', '"c.vlog:')
    (error,) = said(tmp_path, unlisted, *logs)
    assert "all logs of the game in the order of play under [facts]" in error


def test_of_steps_over_two_logs_what_is_here_holds_whichever_is_left_out(tmp_path: Path) -> None:
    """Dropped it could leave an accusation that it excuses."""
    text = MUD + 'first = "a.vlog:4"\nlast = "b.vlog:2"\n'
    assert spans(tmp_path, text, A) == ["1:4 to 1:-"]
    assert spans(tmp_path, text, C, A) == ["2:4 to 2:-"]
    assert spans(tmp_path, text, B) == ["1:0 to 1:2"]
    assert spans(tmp_path, text, B, C) == ["1:0 to 1:2"]


SAME_NAME = B._replace(name="a.vlog")
NO_STEP = "line 2: expected a step up to 9, the last of log b.vlog; found step {}"


@pytest.mark.parametrize(
    ("text", "logs", "why"),
    [
        (MUD + 'log = 1\nsteps = "3-7"\n', (A, B),
         "line 1: expected the name of a log; found log 1, and nothing says which file that is. If the facts "
         "were written for the logs here in this order, add under [facts]: logs = "
         '["a.vlog", "b.vlog"]'),
        (MUD + 'log = "a.vlog"\n', (A, SAME_NAME),
         f'line 1: expected the SHA-256 of a log, "{"a" * 64}" or "{"b" * 64}": 2 logs are called a.vlog'),
        ("\n" + MUD + 'log = "b.vlog"\nsteps = "8-10"\n', (A, B), NO_STEP.format(10)),
        ("\n" + MUD + 'log = "b.vlog"\nsteps = "10-"\n', (A, B), NO_STEP.format(10)),
        ("\n" + MUD + 'first = "b.vlog:11"\n', (A, B), NO_STEP.format(11)),
        ("\n" + MUD + 'last = "b.vlog:12"\n', (A, B), NO_STEP.format(12)),
        (MUD + 'first = "b.vlog:2"\nlast = "a.vlog:3"\n', (A, B),
         "line 1: expected a range that ends after it begins; found step 2 of log b.vlog to step 3 of log "
         "a.vlog"),
    ],
)  # fmt: skip
def test_logs_and_steps_that_cannot_be_meant_are_an_error_with_their_line(
    tmp_path: Path, text: str, logs: tuple[KnownLog, ...], why: str
) -> None:
    assert said(tmp_path, text, *logs) == [f"error: facts.toml {why}"]


@pytest.mark.parametrize(
    ("text", "logs", "span"),
    [
        (MUD + 'log = 1\nsteps = "3-7"\n', (B,), "1:3 to 1:7"),  # a number is that of a single log
        (MUD + f'log = "{"b" * 64}"\n', (A, SAME_NAME), "2:0 to 2:-"),  # of two of one name
        (MUD + 'first = "b.vlog:2"\nlast = "a.vlog:3"\n', (B, A), "1:2 to 2:3"),
        (MUD + 'log = 2\nsteps = "3"\n', (), "2:3 to 2:3"),  # a document by hand names no logs
    ],
)
def test_those_that_can_be_meant_are(
    tmp_path: Path, text: str, logs: tuple[KnownLog, ...], span: str
) -> None:
    assert spans(tmp_path, text, *logs) == [span]


def test_numbers_of_several_logs_are_not_those_of_a_single_one(tmp_path: Path) -> None:
    """The one log that is audited may be any of them."""
    text = MUD + "log = 1\n" + MUD + 'last = "2:5"\n'
    found = said(tmp_path, text, B)
    assert [one.partition(" found ")[2].partition(",")[0] for one in found] == ["log 1", "log 2"]
    told = "Add under [facts] all 2 logs that were counted, in the order of play: logs = "
    assert all(told in one for one in found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('log = "a.vlog"\nsteps = "1-3"\n', 'log = "a.vlog"\nsteps = "3-4"\n'),
        ('log = "a.vlog"\n', "log = 1\n"),
        ('first = "a.vlog:3"\n', 'first = "1:3"\n'),
        ('first = "b.vlog:1"\n', 'first = "a.vlog:1"\nlast = "2:3"\n'),
    ],
)
def test_phases_that_overlap_are_an_error_with_their_line(
    tmp_path: Path, first: str, second: str
) -> None:
    found = said(tmp_path, LISTED + PHASE + first + PHASE + second, A, B)
    assert len(found) == 1
    assert "expected steps of no other [[phase]]" in found[0]


@pytest.mark.parametrize(
    ("stanza", "named"),
    [
        ('[[phase]]\nlog = 2\nsteps = "1-4"', '[[phase]]\nlog = "b.vlog"\nsteps = "1-4"'),
        ('[[unit]]\nfirst = "1:4"', '[[unit]]\nfirst = "a.vlog:4"'),
        ('[[unit]]\nunit = "first = \\"1:4\\""', '[[unit]]\nunit = "first = \\"1:4\\""'),
        ("[[phase]]\nlog = 7", "[[phase]]\nlog = 7"),
    ],
)
def test_stanzas_name_logs_as_facts_do(stanza: str, named: str) -> None:
    assert with_log_names(stanza, (A, B)) == named


@pytest.mark.parametrize("name", ["a.vlog", "17", "", "\udcff.vlog"])
def test_a_name_that_could_be_another_gives_way_to_the_digest(name: str) -> None:
    assert facts_name((A, B._replace(name=name)), 2) == "b" * 64


# -- Facts that match nothing in the game are told, and those that match something are not ---------

Oddities = Callable[[str], list[str]]
NOTHING = "warning: facts.toml line 1: this fact matches nothing: "
HIDDEN = "1795262786534"
"""A unit of Red that some players may not know of; it is dragged in step 3 of log 1, and not in step 9."""

COMBAT = '[[phase]]\nphase = "Combat"\n'
UNIT = '[[unit]]\nunit = "Red HQ"\nattributes = {ma = 3}\n'
MARCH = '[[displacement]]\nform = "march"\nunit = "Red HQ"\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MARCH + 'log = 1\nsteps = "58"', "nobody displaces Red HQ in step 58 of log 1"),
        (MARCH + "log = 2", "nobody displaces Red HQ in log 2"),
    ],
)
def test_a_form_of_a_unit_that_nobody_displaces_is_told(
    oddities: Oddities, text: str, why: str
) -> None:
    assert oddities(text + "\n") == [NOTHING + why]


@pytest.mark.parametrize(
    "text",
    [
        COMBAT + "log = 2",
        COMBAT + 'log = 1\nsteps = "0"',
        COMBAT + 'log = 1\nsteps = "62-"',
        MUD,
        UNIT + 'last = "1:0"',
        MARCH + 'log = 1\nsteps = "59"',
        MARCH,
    ],
)
def test_a_fact_that_matches_something_is_not(oddities: Oddities, text: str) -> None:
    assert oddities(text + "\n") == []


@pytest.mark.parametrize("step", [3, 9])
def test_whether_a_hidden_unit_was_displaced_is_not_told(oddities: Oddities, step: int) -> None:
    told = f'[[displacement]]\nform = "march"\nunit = "{HIDDEN}"\nlog = 1\nsteps = "{step}"\n'
    assert oddities(told) == []


def test_a_unit_that_comes_into_play_in_a_later_log_stops_nothing(oddities: Oddities) -> None:
    logs = '[facts]\nlogs = ["drill-1-red.vlog", "drill-2-blue.vlog", "later.vlog"]\n'
    later = logs + UNIT.replace("Red HQ", "Red Reserve") + 'first = "later.vlog:2"\n'
    march = MARCH.replace("Red HQ", "Red Reserve") + 'log = "later.vlog"\n'
    said = "set aside: it is about log later.vlog, which is not among the logs here: "
    said += "drill-1-red.vlog, drill-2-blue.vlog; if it was renamed, write its new name (2 times)"
    assert oddities(later + march) == [f"note: facts.toml line 7: {said}"]


def test_a_unit_that_is_not_there_in_the_logs_a_fact_is_about_is_refused(
    oddities: Oddities,
) -> None:
    with pytest.raises(
        WrongPack, match="expected the id or the name of one unit; found Red Reserve"
    ):
        oddities(UNIT.replace("Red HQ", "Red Reserve") + 'first = "2:2"\n')


def test_a_side_of_a_unit_that_comes_into_play_later_stops_nothing(oddities: Oddities) -> None:
    """A side holds for the whole game, so that no log can be named with it."""
    told = '[[unit]]\nunit = "1795262786999"\nside = "Red"\n'
    said = (
        "sides of units that are in none of these logs, the first 1795262786999: is the id right?"
    )
    assert oddities(told + told) == [f"warning: facts.toml line 1: {said} (2 times)"]


def test_an_id_that_is_in_none_of_the_logs_a_fact_is_about_is_refused(oddities: Oddities) -> None:
    """The unit cannot come into play later: its number is mistyped."""
    for span in ('log = 1\nsteps = "5-9"\n', 'first = "1:2"\n', ""):
        with pytest.raises(WrongPack, match="found 1795262786999"):
            oddities('[[unit]]\nunit = "1795262786999"\nattributes = {ma = 8}\n' + span)
