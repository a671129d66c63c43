"""Rulings in the studio on a game that is kept in a folder."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vassal_umpire.importers.game_folder.folder import RULING, Ruling
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.app import calls
from vassal_umpire.plugin.studio.session import Studio

from .kit import FEWER_MPS, LOGS, MODULE, NO_RIVER, PACK, Kept, done, refused, umpire

pytestmark = pytest.mark.usefixtures("unsuspected")

Opened = Callable[..., Studio]


@pytest.fixture
def game(played: Kept) -> Kept:
    """A game of two logs."""
    return played


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Opens what ``umpire studio`` opens, and waits for its verdicts."""
    found: list[Studio] = []
    monkeypatch.setattr(launch, "serve", lambda entry, *_, **__: found.append(entry.studio))

    def opening(*arguments: Any) -> Studio:
        done("studio", *arguments)
        studio = found[-1]
        studio.who = "Kite"
        studio.start()
        return judged(studio)

    yield opening
    for studio in found:
        studio.close()


@pytest.fixture
def studio(opened: Opened, game: Kept) -> Studio:
    return opened(game.path)


def judged(studio: Studio) -> Studio:
    while studio.state()["judging"] is not None:
        studio.wait(studio.revision, 5)
    assert studio.state()["problems"] == []
    return studio


def call(studio: Studio, method: str, path: str, **body: Any) -> Any:
    one = next(one for one in calls() if (one.method, one.path) == (method, path))
    assert one.writes == (method == "POST")
    return one.run(studio, body)


def rulings(studio: Studio) -> Any:
    return call(studio, "GET", "/api/rulings")


def of(studio: Studio, names: str) -> Any:
    return next(one for one in rulings(studio)["offences"] if one["names"] == names)


def rule(studio: Studio, one: Any, decision: str = "upheld", because: str = "the river") -> Any:
    return call(
        studio, "POST", "/api/rule",
        id=one["id"], stamp=one["stamp"], decision=decision, because=because,
    )  # fmt: skip


def no_ruling(game: Kept, says: str, studio: Studio, one: Any) -> None:
    """It is refused, and nothing is written."""
    before = game.toml.read_bytes()
    with pytest.raises(UmpireError, match=says):
        rule(studio, one)
    assert game.toml.read_bytes() == before


def test_offences_are_told_as_the_games_status_tells_them(game: Kept, studio: Studio) -> None:
    told = rulings(studio)
    status = " ".join(game.status().split())
    assert [one["id"] for one in told["offences"]] == re.findall(r"\b[0-9a-f]{12}\b", status)
    for one in told["offences"]:
        assert one["standing"] in status
        assert one["ruling"] is None
    assert "past the sealing event" in told["offences"][0]["standing"]
    numbers = sorted(number for one in told["offences"] for number in one["findings"])
    listed = call(studio, "GET", "/api/findings")["findings"]
    assert numbers == sorted(one["number"] for one in listed if one["violation"])
    river = of(studio, "Blue 4 Inf")
    found = call(studio, "GET", "/api/findings/{number}", number=str(river["findings"][0]))
    assert found["units"] == "Blue 4 Inf"
    assert rulings(studio) == told
    assert call(studio, "GET", "/api/rulings", have=told["stamp"]) == {"same": True}


def test_a_ruling_is_written_as_the_command_writes_it(game: Kept, opened: Opened) -> None:
    twin, studio = game.copy("twin"), opened(game.path)
    river = of(studio, "Blue 4 Inf")
    reason = 'the river was "overlooked" <b>'
    twin.done("rule", river["id"], "waived", "--because", reason, "--who", "Kite")
    rule(studio, river, "waived", f"  {reason}\n")
    assert game.toml.read_bytes() == twin.toml.read_bytes()
    ruling = of(studio, "Blue 4 Inf")["ruling"]
    assert (ruling["decision"], ruling["because"], ruling["who"]) == ("waived", reason, "Kite")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", ruling["when"])
    assert not ruling["again"]
    rule(studio, of(studio, "Blue 4 Inf"), "agreed", "both say so")
    assert of(studio, "Blue 4 Inf")["ruling"]["decision"] == "agreed"
    assert [one.decision for one in game.read().rulings] == ["waived", "agreed"]


def test_what_was_found_otherwise_is_to_be_looked_at_again(game: Kept, studio: Studio) -> None:
    river = of(studio, "Blue 4 Inf")
    rule(studio, river)
    game.write_facts(FEWER_MPS)
    studio.touch()
    now = of(judged(studio), "Blue 4 Inf")
    assert now["ruling"]["again"]
    no_ruling(game, "has changed", studio, river)  # a page that shows what was found before
    rule(studio, now)
    assert not of(studio, "Blue 4 Inf")["ruling"]["again"]


def test_what_is_no_longer_found_keeps_its_ruling(game: Kept, studio: Studio) -> None:
    river = of(studio, "Blue 4 Inf")
    rule(studio, river)
    game.write_facts(NO_RIVER)
    studio.touch()
    told = rulings(judged(studio))
    assert river["id"] not in [one["id"] for one in told["offences"]]
    assert [(one["id"], one["decision"]) for one in told["gone"]] == [(river["id"], "upheld")]


@pytest.mark.parametrize(("eyes", "seen"), [((), []), (("--director",), ["ba9876543210"])])
def test_a_ruling_on_something_hidden_that_is_gone_is_the_directors(
    game: Kept, opened: Opened, eyes: tuple[str, ...], seen: list[str]
) -> None:
    stanza = RULING.write(Ruling("ba9876543210", "upheld", "an ambush", hidden=True))
    lines = [f"{key} = {json.dumps(value)}" for key, value in stanza.items()]
    game.edit(r"\Z", "\n".join(["\n[[ruling]]", *lines, ""]))
    assert [one["id"] for one in rulings(opened(game.path, *eyes))["gone"]] == seen


def test_what_was_changed_elsewhere_is_never_overwritten(game: Kept, studio: Studio) -> None:
    river, other = of(studio, "Blue 4 Inf"), of(studio, "Blue 2 Tank")
    game.done("rule", river["id"], "waived", "--because", "by mail")
    no_ruling(game, "has changed", studio, river)
    rule(studio, other)
    ruled = [(one.offence, one.because) for one in game.read().rulings]
    assert ruled == [(river["id"], "by mail"), (other["id"], "the river")]


def test_a_game_that_has_other_logs_by_now_is_opened_anew(begun: Kept, opened: Opened) -> None:
    studio = opened(begun.path)
    river = of(studio, "Blue 4 Inf")
    begun.add(LOGS[1])
    assert "start the studio again" in rulings(studio)["fault"]
    no_ruling(begun, "start the studio again", studio, river)


def test_what_is_no_ruling_is_refused(game: Kept, studio: Studio) -> None:
    river = of(studio, "Blue 4 Inf")
    written = game.toml.read_bytes()
    body = {"id": river["id"], "stamp": river["stamp"], "decision": "upheld", "because": "x"}
    for key, value, says in (
        ("because", " \n", "reason"),
        ("because", "\ud800", "reason"),
        ("because", None, "reason"),
        ("decision", "hanged", "upheld, waived, corrected, agreed"),
        ("id", "000000000000", "no offence has the id"),
        ("id", "", "no offence has the id"),
        ("stamp", "", "has changed"),
    ):
        with pytest.raises(UmpireError, match=says):
            call(studio, "POST", "/api/rule", **{**body, key: value})
    assert game.toml.read_bytes() == written


def test_nobody_rules_without_a_name_and_a_program_says_so(game: Kept, studio: Studio) -> None:
    studio.who = ""
    no_ruling(game, "your name", studio, of(studio, "Blue 4 Inf"))
    studio.who, studio.by = "Kite", "program"
    rule(studio, of(studio, "Blue 4 Inf"))
    assert game.read().rulings[0].who == "Kite (a program)"


def test_a_link_is_not_written_to(game: Kept, studio: Studio) -> None:
    river = of(studio, "Blue 4 Inf")
    elsewhere, moved = game.desk / "elsewhere.toml", game.desk / "moved"
    shutil.move(game.toml, elsewhere)
    game.toml.symlink_to(elsewhere)
    no_ruling(game, "link", studio, river)
    game.toml.unlink()
    shutil.move(elsewhere, game.toml)
    shutil.move(game.path, moved)
    game.path.symlink_to(moved)
    no_ruling(game, "leads elsewhere", studio, river)


def test_what_a_viewer_may_not_see_is_neither_told_nor_ruled_on(game: Kept, studio: Studio) -> None:
    river, other = of(studio, "Blue 4 Inf"), of(studio, "Blue 2 Tank")
    rule(studio, river, because="a secret")
    whole = studio.whole_audit
    seen = tuple(one for one in whole.findings if one.names != ("Blue 4 Inf",))
    studio._shown = replace(studio._shown, audit=replace(whole, findings=seen))
    told = str(rulings(studio))
    assert other["id"] in told
    assert river["id"] not in told
    assert "a secret" not in told
    no_ruling(game, "no offence has the id", studio, river)


def test_without_a_games_folder_nothing_is_ruled_on(tmp_path: Path, opened: Opened) -> None:
    shutil.copytree(PACK, tmp_path / "pack")
    studio = opened(tmp_path / "pack", *LOGS)
    assert rulings(studio) == {"game": None}
    with pytest.raises(UmpireError, match="umpire studio GAME_FOLDER"):
        call(studio, "POST", "/api/rule", id="1", stamp="", decision="upheld", because="x")


def test_module_pack_facts_and_logs_are_those_of_the_game(game: Kept, opened: Opened) -> None:
    studio = opened(game.toml)
    assert studio.logs == tuple(game.path / "logs" / log.name for log in LOGS)
    assert (studio.folder, studio.facts) == (PACK, game.path / "facts.toml")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([LOGS[0]], "names its logs itself"),
        (["--module", MODULE], "names its module and facts itself"),
        (["--facts", "facts.toml"], "names its module and facts itself"),
        (["--as", "Green"], "no side 'Green'"),
    ],
)
def test_a_games_folder_is_all_that_is_named(more: list[Any], says: str, game: Kept) -> None:
    assert says in refused("studio", game.path, "--no-browser", *more)


def test_a_game_without_logs_is_told_in_a_line(empty: Kept) -> None:
    result = umpire("studio", empty.path, "--no-browser")
    assert result.exit_code == 3
    assert "has no logs yet" in result.output
