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
from browser.studio_kit import SAMPLES
from click.testing import CliRunner, Result
from vassal_umpire.importers.game_folder.folder import Ruling, read_game_folder
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.auditing import seen_by
from vassal_umpire.plugin.desk.ruling import plain_ruling
from vassal_umpire.plugin.studio import launch
from vassal_umpire.plugin.studio.app import calls
from vassal_umpire.plugin.studio.session import Studio

CROSSROADS = SAMPLES / "crossroads"
LOGS = [CROSSROADS / f"turn-{n}.vlog" for n in (1, 2)]


def umpire(*arguments: Any) -> Result:
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])


def game_in(place: Path, *logs: Path) -> Path:
    """A game's folder, with module and a pack that may be written to beside it."""
    pack, module = place.parent / "pack", place.parent / "crossroads.vmod"
    shutil.copytree(CROSSROADS / "pack", pack)
    shutil.copy(CROSSROADS / module.name, module)
    umpire("game", "new", place, "--module", module, "--pack", pack)
    if logs:
        added = umpire("game", "add", place, *logs)
        assert added.exit_code == 0, added.output
    return place


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return game_in(tmp_path_factory.mktemp("played") / "wren and rook", *LOGS)


@pytest.fixture
def folder(tmp_path: Path, played: Path) -> Path:
    """The folder of a game of two logs."""
    shutil.copytree(played.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / played.name


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Studio]]:
    """Opens what ``umpire studio`` opens, and waits for its verdicts."""
    found: list[Studio] = []
    monkeypatch.setattr(launch, "serve", lambda studio, *_, **__: found.append(studio))

    def opening(*arguments: Any) -> Studio:
        result = umpire("studio", *arguments)
        assert result.exit_code == 0, result.output
        studio = found[-1]
        studio.who = "Kite"
        studio.start()
        return judged(studio)

    yield opening
    for studio in found:
        studio.close()


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


def test_offences_are_told_as_the_games_status_tells_them(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    told = rulings(studio)
    status = " ".join(umpire("game", "status", folder).output.split())
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


def test_a_ruling_is_written_as_the_command_writes_it(
    folder: Path, tmp_path: Path, opened: Callable[..., Studio]
) -> None:
    twin = tmp_path / "twin"
    shutil.copytree(folder, twin)
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    reason = 'the river was "overlooked" <b>'
    done = umpire(
        "game", "rule", twin, river["id"], "waived", "--because", reason, "--who", "Kite"
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    rule(studio, river, "waived", f"  {reason}\n")
    assert (folder / "game.toml").read_bytes() == (twin / "game.toml").read_bytes()
    ruling = of(studio, "Blue 4 Inf")["ruling"]
    assert (ruling["decision"], ruling["because"], ruling["who"]) == ("waived", reason, "Kite")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", ruling["when"])
    assert not ruling["again"]


def test_a_second_ruling_takes_the_place_of_the_first(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    rule(studio, of(studio, "Blue 4 Inf"))
    rule(studio, of(studio, "Blue 4 Inf"), "agreed", "both say so")
    assert of(studio, "Blue 4 Inf")["ruling"]["decision"] == "agreed"
    assert [one.decision for one in read_game_folder(folder).rulings] == ["upheld", "agreed"]


def test_what_was_found_has_changed_and_is_to_be_looked_at_again(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    rule(studio, river)
    (folder / "facts.toml").write_text(
        '[[unit]]\nunit = "1790000000108"\nattributes = { ma = 3 }\n', "utf-8"
    )
    studio.touch()
    now = of(judged(studio), "Blue 4 Inf")
    assert now["ruling"]["again"]
    written = (folder / "game.toml").read_bytes()
    with pytest.raises(UmpireError, match="has changed"):
        rule(studio, river)  # a page that shows what was found before
    assert (folder / "game.toml").read_bytes() == written
    rule(studio, now)
    assert not of(studio, "Blue 4 Inf")["ruling"]["again"]


def test_what_is_no_longer_found_keeps_its_ruling(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    rule(studio, river)
    (folder / "facts.toml").write_text('[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n', "utf-8")
    studio.touch()
    told = rulings(judged(studio))
    assert river["id"] not in [one["id"] for one in told["offences"]]
    assert [(one["id"], one["decision"]) for one in told["gone"]] == [(river["id"], "upheld")]


@pytest.mark.parametrize(("eyes", "seen"), [((), []), (("--director",), ["ba9876543210"])])
def test_a_ruling_on_something_hidden_that_is_gone_is_the_directors(
    folder: Path, opened: Callable[..., Studio], eyes: tuple[str, ...], seen: list[str]
) -> None:
    stanza = plain_ruling(Ruling("ba9876543210", "upheld", "an ambush", hidden=True))
    lines = [f"{key} = {json.dumps(value)}" for key, value in stanza.items()]
    game = folder / "game.toml"
    game.write_text(game.read_text("utf-8") + "\n".join(["\n[[ruling]]", *lines, ""]), "utf-8")
    assert [one["id"] for one in rulings(opened(folder, *eyes))["gone"]] == seen


def test_what_was_changed_elsewhere_meanwhile_is_never_overwritten(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    river, other = of(studio, "Blue 4 Inf"), of(studio, "Blue 2 Tank")
    umpire("game", "rule", folder, river["id"], "waived", "--because", "by mail")
    written = (folder / "game.toml").read_bytes()
    with pytest.raises(UmpireError, match="has changed"):
        rule(studio, river)
    assert (folder / "game.toml").read_bytes() == written
    rule(studio, other)
    kept = read_game_folder(folder).rulings
    assert [(one.offence, one.because) for one in kept] == [
        (river["id"], "by mail"),
        (other["id"], "the river"),
    ]


def test_a_game_that_has_other_logs_by_now_is_opened_anew(
    tmp_path: Path, opened: Callable[..., Studio]
) -> None:
    folder = game_in(tmp_path / "game", LOGS[0])
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    umpire("game", "add", folder, LOGS[1])
    written = (folder / "game.toml").read_bytes()
    assert "start the studio anew" in rulings(studio)["fault"]
    with pytest.raises(UmpireError, match="start the studio anew"):
        rule(studio, river)
    assert (folder / "game.toml").read_bytes() == written


NO_RULINGS: list[tuple[dict[str, Any], str]] = [
    ({"because": " \n"}, "reason"),
    ({"because": "\ud800"}, "reason"),
    ({"because": None}, "reason"),
    ({"decision": "hanged"}, "upheld, waived, corrected, agreed"),
    ({"id": "000000000000"}, "no offence has the id"),
    ({"id": ""}, "no offence has the id"),
    ({"stamp": ""}, "has changed"),
]


def test_what_is_no_ruling_is_refused(folder: Path, opened: Callable[..., Studio]) -> None:
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    written = (folder / "game.toml").read_bytes()
    body = {"id": river["id"], "stamp": river["stamp"], "decision": "upheld", "because": "x"}
    for changes, says in NO_RULINGS:
        with pytest.raises(UmpireError, match=says):
            call(studio, "POST", "/api/rule", **{**body, **changes})
    assert (folder / "game.toml").read_bytes() == written


def test_nobody_rules_without_a_name_and_a_program_is_called_one(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    studio.who = ""
    with pytest.raises(UmpireError, match="your name"):
        rule(studio, of(studio, "Blue 4 Inf"))
    studio.who, studio.by = "Kite", "program"
    rule(studio, of(studio, "Blue 4 Inf"))
    assert read_game_folder(folder).rulings[0].who == "Kite (a program)"


def test_a_link_is_not_written_to(
    folder: Path, tmp_path: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    river = of(studio, "Blue 4 Inf")
    elsewhere = tmp_path / "elsewhere.toml"
    shutil.move(folder / "game.toml", elsewhere)
    (folder / "game.toml").symlink_to(elsewhere)
    written = elsewhere.read_bytes()
    with pytest.raises(UmpireError, match="link"):
        rule(studio, river)
    assert elsewhere.read_bytes() == written
    (folder / "game.toml").unlink()
    shutil.move(elsewhere, folder / "game.toml")
    shutil.move(folder, tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    with pytest.raises(UmpireError, match="leads elsewhere"):
        rule(studio, river)
    assert (tmp_path / "moved" / "game.toml").read_bytes() == written


def test_what_a_viewer_may_not_see_is_neither_told_nor_ruled_on(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder)
    river, other = of(studio, "Blue 4 Inf"), of(studio, "Blue 2 Tank")
    rule(studio, river, because="a secret")
    whole = studio.whole_audit
    assert whole is not None
    hidden = tuple(
        replace(one, visible_to=("Blue",)) if one.names == ("Blue 4 Inf",) else one
        for one in whole.findings
    )
    whole = replace(whole, findings=hidden)
    studio._shown = replace(studio._shown, whole=whole, audit=seen_by(whole, studio.viewer))
    told = rulings(studio)
    assert other["id"] in str(told)
    assert river["id"] not in str(told)
    assert "a secret" not in str(told)
    with pytest.raises(UmpireError, match="no offence has the id"):
        rule(studio, river)


def test_without_a_games_folder_there_is_nothing_to_rule_on(
    tmp_path: Path, opened: Callable[..., Studio]
) -> None:
    shutil.copytree(CROSSROADS / "pack", tmp_path / "pack")
    studio = opened(tmp_path / "pack", *LOGS)
    assert rulings(studio) == {"game": None}
    with pytest.raises(UmpireError, match="umpire studio GAME_FOLDER"):
        call(studio, "POST", "/api/rule", id="1", stamp="", decision="upheld", because="x")


def test_module_pack_facts_and_logs_are_those_of_the_game(
    folder: Path, opened: Callable[..., Studio]
) -> None:
    studio = opened(folder / "game.toml")
    assert studio.logs == tuple(folder / "logs" / log.name for log in LOGS)
    assert studio.folder.resolve() == (folder.parent / "pack").resolve()
    assert studio.facts == folder / "facts.toml"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([LOGS[0]], "names its logs itself"),
        (["--module", CROSSROADS / "crossroads.vmod"], "names its module and facts itself"),
        (["--facts", "facts.toml"], "names its module and facts itself"),
        (["--as", "Green"], "no side 'Green'"),
    ],
)
def test_a_games_folder_is_all_that_is_named(more: list[Any], says: str, folder: Path) -> None:
    result = umpire("studio", folder, "--no-browser", *more)
    assert result.exit_code == 2, result.output
    assert says in result.output


def test_a_game_without_logs_is_told_in_a_line(tmp_path: Path) -> None:
    result = umpire("studio", game_in(tmp_path / "game"), "--no-browser")
    assert result.exit_code == 3
    assert "has no logs yet" in result.output
