"""What the start page takes, opens and remembers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from vassal_umpire import __main__ as program
from vassal_umpire.importers.pack.facts_file import records_of
from vassal_umpire.importers.pack.provenance import COLUMNS
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.studio.app import calls
from vassal_umpire.plugin.studio.entry import Entry
from vassal_umpire.plugin.studio.entry_calls import end, look
from vassal_umpire.plugin.studio.keepsake import MOST, Recent, forget, recent_games, remember
from vassal_umpire.plugin.user_folder import PLACE

from ..kit import CROSSROADS, MODULE, PACK, TURN_1, another_module, files, without_hexes


@pytest.fixture(name="home", autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(PLACE, str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / "home"


@pytest.fixture(name="entry")
def _entry() -> Iterator[Entry]:
    found = Entry()
    yield found
    found.close()


def given(entry: Entry, file: Path, part: int = 1_000_000) -> None:
    data = file.read_bytes()
    for at in range(0, len(data), part):
        whole = entry.take(file.name, at, len(data), data[at : at + part])
    assert whole


@pytest.mark.parametrize(
    "name", ["../x.vlog", "a/x.vlog", "..\\x.vlog", "/x.vlog", "NUL", "x.vlog "]
)
def test_a_name_that_leads_elsewhere_is_refused(entry: Entry, name: str, tmp_path: Path) -> None:
    with pytest.raises(UmpireError):
        entry.take(name, 0, 3, b"abc")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="no file can have such a name")
def test_a_log_may_be_named_by_the_time_it_was_made(entry: Entry, tmp_path: Path) -> None:
    log = Path(shutil.copy(TURN_1, tmp_path / "who? 12:30.vlog"))
    for file in (log, MODULE):
        given(entry, file)
    entry.open_given([log.name])
    entry.begin()
    assert [path.name for path in entry.studio.evidence.logs] == [log.name]


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(entry: Entry) -> None:
    with pytest.raises(UmpireError, match=r"huge\.vmod: is too large.*umpire studio FILES"):
        entry.take("huge.vmod", 0, 301 * 1024 * 1024, b"PK")
    assert entry.told()["given"] == []


def test_a_side_that_nobody_plays_is_refused_before_the_game_is_shown() -> None:
    entry = Entry(viewer=Viewer("Green"))
    for file in (TURN_1, MODULE):
        given(entry, file)
    with pytest.raises(UmpireError, match="there is no side 'Green'"):
        entry.open_given(["turn-1.vlog"])
    assert entry.place == "start"
    entry.close()


def test_a_game_without_hexes_is_shown_and_no_pack_is_offered(entry: Entry, tmp_path: Path) -> None:
    for file in (TURN_1, without_hexes(tmp_path)):
        given(entry, file)
    entry.open_given(["turn-1.vlog"])
    told = look(entry, {})
    assert told["unjudged"].startswith("moves are judged on hexes only")
    assert told["unused"] == ""


def test_a_log_with_the_module_of_another_game_is_told_what_to_do_on_the_page(
    entry: Entry,
) -> None:
    for file in (CROSSROADS.parent / "battle-for-moscow" / "2-soviet.vlog", MODULE):
        given(entry, file)
    entry.open_given(["2-soviet.vlog"])
    with pytest.raises(UmpireError, match=r"give the log its own module$"):
        look(entry, {})


def test_parts_make_a_file_and_a_gap_makes_none(entry: Entry) -> None:
    given(entry, TURN_1, part=100)
    assert entry.told()["given"] == [
        {"name": "turn-1.vlog", "kind": "log", "module": "Crossroads 1.0"}
    ]
    with pytest.raises(UmpireError, match="did not arrive completely"):
        entry.take("b.vlog", 5, 10, b"12345")
    with pytest.raises(UmpireError, match="did not arrive completely"):
        entry.take("b.vlog", 0, 3, b"12345")
    entry.remove("turn-1.vlog")
    assert entry.told()["given"] == []


def test_what_was_given_goes_when_the_program_ends(tmp_path: Path) -> None:
    entry = Entry()
    given(entry, TURN_1)
    entry.close()
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_its_module_is_not_opened(entry: Entry) -> None:
    given(entry, TURN_1)
    with pytest.raises(UmpireError, match="the module"):
        entry.open_given(["turn-1.vlog"])
    assert entry.place == "start"
    given(entry, MODULE)
    entry.open_given(["turn-1.vlog"])
    assert entry.place == "look"


def test_the_sample_never_opens_a_pack_of_the_user(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PACK, tmp_path / "crossroads-pack")
    monkeypatch.chdir(tmp_path)
    entry.open_sample(with_pack=False)
    assert entry.place == "look"


def test_the_sample_is_a_copy_and_leaves_nothing(entry: Entry, home: Path) -> None:
    before, places = files(CROSSROADS), []
    for with_pack in (True, False):
        entry.open_sample(with_pack=with_pack)
        if not with_pack:
            entry.begin()
        assert "a copy in a temporary folder" in entry.studio.note
        places.append(entry.studio.folder)
        entry.leave()
        assert entry.told()["recent"] == []
    entry.close()
    assert not any(place.exists() or CROSSROADS in place.parents for place in places)
    assert not home.exists()
    assert files(CROSSROADS) == before


def test_facts_that_were_given_are_gone_on_with(entry: Entry, tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    facts.write_text('[[hexside]]\nhexes = ["0608", "0709"]\nhas = []\n', "utf-8")
    records = records_of(facts)
    records.write_text(f"{','.join(COLUMNS)}\n", "utf-8")
    for file in (TURN_1, MODULE, facts, records):
        given(entry, file)
    entry.open_given(["turn-1.vlog"])
    entry.begin()
    assert entry.studio.facts.read_bytes() == facts.read_bytes()
    assert records_of(entry.studio.facts).read_bytes() == records.read_bytes()
    assert recent_games()[0].facts == str(entry.studio.facts)


def test_a_game_that_cannot_be_shown_leaves_nothing_and_another_is_opened(
    entry: Entry, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "facts.toml").write_text("[[hexside]]\nhexes = 3\n", "utf-8")
    for file in (TURN_1, MODULE, *PACK.iterdir(), tmp_path / "facts.toml"):
        given(entry, file)
    for _ in range(2):
        entry.open_given(["turn-1.vlog"])
        with pytest.raises(UmpireError, match=r"facts\.toml"):
            entry.begin()
        assert not (home / "games").exists()
        entry.leave()
    entry.remove("facts.toml")
    entry.open_given(["turn-1.vlog"])
    entry.begin()
    assert entry.place == "studio"


def test_a_game_is_not_left_while_an_edit_waits_to_be_written(
    entry: Entry, stuck: dict[str, OSError]
) -> None:
    entry.open_sample(with_pack=True)
    studio = entry.studio
    stuck["pack.toml"] = PermissionError(13, "held")
    title = {"path": ["pack", "title"], "was": "Crossroads", "now": "New"}
    edit = {"kind": "toml", "file": "pack", **title}
    assert studio.edit([edit], "title").refused == ()
    with pytest.raises(UmpireError, match=r"^pack\.toml: an edit could not be written yet"):
        entry.leave()
    assert entry.studio is studio
    ended: list[bool] = []
    entry.quit = lambda: ended.append(True)
    with pytest.raises(UmpireError, match="would be lost"):
        end(entry, {})
    assert not ended
    end(entry, {"anyway": True})
    assert ended
    stuck.clear()
    entry.leave()
    assert entry.place == "start"
    assert 'title = "New"' in (studio.folder / "pack.toml").read_text("utf-8")


def test_it_is_told_why_a_pack_that_was_given_is_not_used(entry: Entry, tmp_path: Path) -> None:
    for file in (TURN_1, another_module(tmp_path), *PACK.iterdir()):
        given(entry, file)
    entry.open_given(["turn-1.vlog"])
    told = look(entry, {})
    assert not told["ruled"]
    assert "crossroads does not fit the module Byways" in told["unused"]


def test_recent_games_are_remembered_once_and_not_without_end(home: Path, tmp_path: Path) -> None:
    for number in range(MOST + 3):
        remember(Recent(f"game {number}", (str(tmp_path / str(number)),)))
    remember(Recent("game 5 again", (str(tmp_path / "5"),)))
    titles = [one.title for one in recent_games()]
    assert len(titles) == MOST
    assert titles[:2] == ["game 5 again", f"game {MOST + 2}"]
    assert "game 5" not in titles
    forget((str(tmp_path / "5"),))
    assert recent_games()[0].title == f"game {MOST + 2}"
    for broken in ("[{]", "[3]", '{"a": 1}', '[{"title": 1}]'):
        next(home.glob("recent*")).write_text(broken, "utf-8")
        assert recent_games() == ()


def test_a_game_that_is_gone_is_not_opened(entry: Entry, tmp_path: Path) -> None:
    remember(Recent("gone", (str(tmp_path / "gone"),)))
    assert entry.told()["recent"][0]["there"] is False
    with pytest.raises(UmpireError, match="not where it was"):
        entry.open_recent(0)
    with pytest.raises(UmpireError, match="not where it was"):
        entry.open_recent(7)


def test_without_a_terminal_a_fault_is_shown_in_the_browser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr(sys, "argv", ["umpire-studio", "--port", "nonsense"])
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit):
        program.run_studio()
    page = Path(shown[0].removeprefix("file://")).read_text("utf-8")
    assert "nonsense" in page


def test_no_call_hides_another() -> None:
    named = [(call.method, call.path) for call in calls()]
    assert len(named) == len(set(named)), sorted(one for one in named if named.count(one) > 1)
