"""What a game kept in a folder tells of what somebody did between two logs to counters that not everyone may
see: to its director all, to players nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dark import IDS, TARN, DarkScribe, build
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.desk.audits import GameAudits

from .kit import Kept, plain, printed

INF, MOTOR, RECON = (str(IDS[f"Blue {name}"]) for name in ("2 Inf", "Motor Inf", "Recon"))
RED = str(IDS["Red 2 Inf"])
Between = Callable[[DarkScribe], None]


def hidden_moved(scribe: DarkScribe) -> None:
    scribe.sneak(INF, "0305")


def under_a_mask(scribe: DarkScribe) -> None:
    scribe.change(MOTOR, "Spent", "3")


def seen_moved(scribe: DarkScribe) -> None:
    scribe.drag(RECON, "0104")


def kept(place: Path, between: Between) -> Kept:
    """A game of two logs. In the first a counter is hidden and another one masked; ``between``: what is done
    after it that no log tells. The second is not added yet."""

    def first(scribe: DarkScribe) -> None:
        scribe.hide(INF)
        scribe.mask(MOTOR)
        written = len(scribe.steps)
        between(scribe)
        del scribe.steps[written:]

    place.mkdir()
    module, logs = build(place / "files", first, lambda scribe: scribe.say("one more"))
    game = Kept(place / "game")
    game.done("new", "--module", module, "--pack", place / "files" / "pack", "--title", "Dark")
    game.add(logs[0])
    return game


def second_of(game: Kept) -> Path:
    return game.desk / "files" / "turn-2.vlog"


def told(game: Kept) -> Iterator[tuple[str, str]]:
    """What the game tells players, but for the digests of its logs, which are files of their own."""
    yield "game add", game.add(second_of(game))
    yield "game.toml", game.toml.read_text("utf-8")
    yield "audited.json", (game.path / "audited.json").read_text("utf-8")
    yield "game status", game.status()
    yield "game report", game.done("report")
    for name, data in game.mailed().items():
        if "Blue" not in name and not name.endswith(".vlog"):
            yield name, data.decode()


def without_digests(text: str) -> str:
    return re.sub(r"[0-9a-f]{12,}", "digest", text)


def signs_in(*words: object) -> list[str]:
    """The suggestions of phases in the report of a command, with the reasons."""
    return re.findall(r"steps = .*|# signs: .*", printed(*words, codes=(0, 1, 3)))


@pytest.fixture(scope="module")
def as_left(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is told of the game in which nothing was done between the logs."""
    game = kept(tmp_path_factory.mktemp("left") / "desk", lambda _: None)
    return {name: without_digests(text) for name, text in told(game)}


@pytest.mark.parametrize(
    "between", [hidden_moved, pytest.param(under_a_mask, marks=pytest.mark.ci)]
)
def test_players_are_told_nothing_of_hidden_changes_between_logs(
    between: Between, as_left: dict[str, str], tmp_path: Path
) -> None:
    game = kept(tmp_path / "desk", between)
    found = {name: without_digests(text) for name, text in told(game)}
    assert found.keys() == as_left.keys()
    assert {"all.html", "all.md", "Red.html", "Red.md"} <= found.keys()
    assert [name for name, text in found.items() if text != as_left[name]] == []


def test_the_director_is_told_how_many_there_are(tmp_path: Path) -> None:
    game = kept(tmp_path / "desk", hidden_moved)
    added = plain(game.done("add", second_of(game), "--director"))
    assert "from turn-1.vlog; 1 piece is not as it left them" in added
    assert "between 1 piece that some players may not know of" in added


def test_what_everyone_saw_moved_is_told(tmp_path: Path) -> None:
    game = kept(tmp_path / "desk", seen_moved)
    assert "between Blue Recon: 0105 before, 0104 after" in plain(game.add(second_of(game)))
    page = game.mailed()["all.md"].decode()
    assert "Before turn-2.vlog: pieces were moved or changed outside a log" in page


def test_a_game_that_an_earlier_version_kept_is_read(tmp_path: Path) -> None:
    """It wrote how many pieces differ, hidden ones too."""
    game = kept(tmp_path / "desk", hidden_moved)
    game.add(second_of(game))
    now = game.status()
    game.edit(r"(follows = .*\n)", r"\1differs = 1\n")
    assert game.status() == now


def test_what_is_kept_for_players_is_their_own_game(tmp_path: Path) -> None:
    """Also where the audit is the same for all: nothing is judged of a counter that stays masked."""
    module, logs = build(tmp_path / "files", lambda scribe: scribe.mask(MOTOR), seen_moved)
    game = Kept(tmp_path / "game")
    game.done("new", "--module", module, "--pack", tmp_path / "files" / "pack")
    game.add(logs[1])
    assert "? (Blue)" in game.done("report", "--format", "html")


def test_players_are_told_what_phases_may_be_by_what_they_see(tmp_path: Path) -> None:
    """Also where the game is the same for all: the counter that is hidden is none of its units."""

    def play(scribe: DarkScribe) -> None:
        scribe.say("Movement")
        scribe.drag(RECON, "0104")
        scribe.sits(TARN)
        scribe.drag(str(IDS["Red 1 Inf"]), "0704")
        scribe.hide(RED)
        for hex_name in ("0804", "0803") * 4:
            scribe.sneak(RED, hex_name)

    module, logs = build(tmp_path / "files", play)
    file = tmp_path / "files" / "pack" / "pack.toml"
    text = file.read_text("utf-8").replace('values = ["foot", "motor"]', 'values = ["motor"]')
    text += '\n[[units.not]]\nproperty = "Class"\nvalues = ["foot"]\n'
    file.write_text(re.sub(r"\[\[phases.from\]\](.|\n)*?\n\n", "", text), "utf-8")
    game = Kept(tmp_path / "game")
    game.done("new", "--module", module, "--pack", file.parent)
    game.add(logs[0])
    with GameAudits(game.read(), DEFAULT_LIMITS) as audits:
        assert audits.seen_by(EVERYONE)[0].truth is None
    told = {eyes: signs_in("game", "report", game.path, *eyes) for eyes in ((), ("--director",))}
    for eyes, signs in told.items():
        assert signs == signs_in("audit", *logs, *eyes)
    assert told[()] != told["--director",]
