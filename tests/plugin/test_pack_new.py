"""``umpire pack new``: a first pack loads at once, accuses nobody, and says what the files know."""

from __future__ import annotations

import csv
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from click.testing import Result
from command_line import audit_files
from dark import IDS, TARN, DarkScribe, build
from hypothesis import example, given
from hypothesis import strategies as st
from tables import HERE, HIDDEN, history, piece
from tiers import examples
from vassal_umpire.importers.pack.census import Census, take_census
from vassal_umpire.importers.pack.known import Known
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.new_board import NewBoard, NewBox, NewSheet
from vassal_umpire.importers.pack.new_pack import pack_toml, units_csv
from vassal_umpire.importers.pack.signs import Sign, Wanted, tracker_signs
from vassal_umpire.importers.vassal.formats import parse_format
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import Module, Slot
from vassal_umpire.importers.vassal.turns import ListLevel, TurnTracker
from vassal_umpire.model.game import PhaseStart
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.table import Concealment
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.commands.pack_new import make_pack
from vassal_umpire.plugin.reading import Named, silent
from vassal_umpire.plugin.registry import rulesets

from . import kit

RULESETS = sorted(rulesets().parts)


def new(*args: object) -> Result:
    return kit.umpire("pack", "new", *args)


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_loads_at_once_and_accuses_nobody(game: Path, ruleset: str) -> None:
    kit.done("pack", "new", "crossroads.vmod", "turn-1.vlog", "-o", "mine", "--ruleset", ruleset)
    named = Named((Path("turn-1.vlog"),), pack=Path("mine"))
    audited, bound = audit_files(named, DIRECTOR)
    assert len(bound.board.hexes) > 100
    assert not [problem for problem in audited.problems if problem.severity == "error"]
    assert not [m for m in audited.moves if m.verdict != "unverifiable"]
    assert {finding.kind for finding in audited.findings} <= {"note", "unverifiable"}


def test_guesses_are_never_complete_and_what_is_right_can_be_taken_over(game: Path) -> None:
    kit.done("pack", "new", "crossroads.vmod", "turn-1.vlog", "-o", "mine")
    pack = load_pack(Path("mine"))
    assert (pack.complete, pack.charts, pack.units.whole) == (frozenset(), frozenset(), False)
    assert (pack.phases, pack.phase_sources, pack.forms) == ({}, (), {})
    cells = rows(Path("mine/units.csv").read_text("utf-8"))
    assert {row["unit"] for row in cells} == {"?"}
    guessed = {row[name] for row in cells for name in row if name in ("side", "ma", "class")}
    assert guessed == {""}
    # The #? before all guesses of units, sides and trackers: the moves of the log are seen.
    kit.done("pack", "new", "crossroads.vmod", "turn-1.vlog", "-o", "mine")
    text = Path("mine/pack.toml").read_text("utf-8")
    guess = re.search(r"#\? (side = \{ property.*)", text)
    assert guess is not None
    text = text.replace('side = { column = "side" }', guess[1])
    Path("mine/pack.toml").write_text(text, "utf-8")
    units = Path("mine/units.csv").read_text("utf-8")
    Path("mine/units.csv").write_text(units.replace(",?,", ",yes,"), "utf-8")
    named = Named((Path("turn-1.vlog"),), pack=Path("mine"))
    audited, bound = audit_files(named, DIRECTOR)
    assert {unit.side for unit in bound.units.values()} >= set(bound.sides)
    verdicts = {m.verdict for m in audited.moves if m.judged}
    assert verdicts == {"unverifiable"}


def test_a_module_or_a_log_beside_it_is_enough_to_begin(game: Path) -> None:
    kit.done("pack", "new", "crossroads.vmod", "-o", "mine")
    assert not Path("mine/units.csv").exists()
    assert load_pack(Path("mine")).sheets
    kit.done("pack", "new", "turn-1.vlog", "-o", "mine", "--director")
    assert "not for everyone to read" in Path("mine/pack.toml").read_text("utf-8").replace(
        "\n# ", " "
    )
    Path("crossroads.vmod").unlink()
    refused = new("turn-1.vlog", "-o", "other")
    assert (refused.exit_code, Path("other").exists()) == (3, False)
    assert "was not found" in refused.output


def test_it_writes_over_its_own_files_alone(game: Path) -> None:
    args = ("crossroads.vmod", "turn-1.vlog", "-o", "mine")
    kit.done("pack", "new", *args)
    kit.done("pack", "new", *args)
    units = Path("mine/units.csv")
    mine = units.read_text("utf-8").replace(",?,", ",yes,", 1)
    units.write_text(mine, "utf-8")
    assert "is kept" in kit.refused("pack", "new", *args)
    assert units.read_text("utf-8") == mine
    kit.done("pack", "new", *args, "--force")
    assert units.read_text("utf-8") != mine


def test_a_folder_with_somebodys_pack_is_left_alone(game: Path) -> None:
    before = {path.name: path.read_bytes() for path in Path("pack").iterdir()}
    kit.refused("pack", "new", "crossroads.vmod", "turn-1.vlog", "-o", "pack")
    assert {path.name: path.read_bytes() for path in Path("pack").iterdir()} == before
    Path("board").mkdir()
    shutil.copy("pack/hexes.csv", "board")  # it would become part of the new pack
    kit.refused("pack", "new", "crossroads.vmod", "-o", "board")
    assert [path.name for path in Path("board").iterdir()] == ["hexes.csv"]


def test_it_says_what_it_found_and_what_is_missing(game: Path) -> None:
    shutil.copy(kit.TURN_1.with_name("turn-2.vlog"), game)
    said = new("crossroads.vmod", "turn-1.vlog", "turn-2.vlog", "-o", "mine").output
    assert "kinds of counters in units.csv" in said
    assert "phases  not known" in said
    assert "6 stretches of steps may be phases; confirm them in the studio" in said
    guesses = [
        line for line in Path("mine/pack.toml").read_text("utf-8").split("\n") if "# - log" in line
    ]
    assert len(guesses) == 6
    assert (
        guesses[0]
        == "# - log 1 steps 1-14: turn 1, Movement, Blue (the log begins; turn tracker Turn)"
    )
    assert guesses[2] == "# - log 1 step 19: turn 1, Movement, Red (turn tracker Turn)"


def test_a_counter_that_not_everyone_may_see_is_never_named() -> None:
    masked = Concealment("masked", frozenset({"Red"}))
    pieces = (
        piece("1", "Open Unit"),
        piece("2", "Secret Unit", HERE, HIDDEN),
        piece("3", "Masked Unit", HERE, masked),
    )
    told, module = history(opening=pieces), _module()
    eyes = (EVERYONE, Viewer("Blue"), Viewer("Red"), DIRECTOR)
    kinds = {who: take_census(module, told, {"Map"}, who).kinds for who in eyes}
    found = {who: {kind.name for kind in of} for who, of in kinds.items()}
    assert found[EVERYONE] == {"Open Unit"}
    assert found[Viewer("Blue")] == {"Open Unit", "Secret Unit"}
    assert found[Viewer("Red")] == {"Open Unit", "Masked Unit"}
    assert found[DIRECTOR] == {"Open Unit", "Secret Unit", "Masked Unit"}
    # that a masked counter lies there everybody sees, not so of a hidden one
    assert take_census(module, told, {"Map"}, EVERYONE).unseen == 1
    assert take_census(_module(), history(), {"Map"}, EVERYONE) == Census(())


def test_a_pack_that_is_begun_tells_nothing_of_counters_that_are_hidden(tmp_path: Path) -> None:
    """One is called a turn marker. All are taken off and put down again, as if the game were set up."""
    reds = [str(number) for name, number in IDS.items() if name.startswith("Red")][:3]

    def hidden(scribe: DarkScribe) -> None:
        scribe.sits(TARN)
        for counter in reds:
            scribe.hide(counter)
        one = scribe.pieces[reds[0]]
        one.counter = replace(one.counter, base="piece;;;;Turn marker")

    def placed(scribe: DarkScribe) -> None:
        for counter in reds:
            scribe.off(counter)
            scribe.back(counter, "0904")

    module, (_, log) = build(tmp_path, hidden, placed)
    for eyes, told in (((), False), (("--director",), True)):
        kit.done("pack", "new", module, log, *eyes, "-o", tmp_path / "new")
        units, pack = (
            (tmp_path / "new" / name).read_text("utf-8") for name in ("units.csv", "pack.toml")
        )
        found = "Turn marker" in units, 'marker = "^Turn marker$"' in pack, "Set-up" in pack
        assert found == (told, told, told)


def _module(name: str = "Game", slots: tuple[Slot, ...] = ()) -> Module:
    return Module(name, "1", "3.7", "", "game.vmod", "", "buildFile.xml", slots=slots)


NASTY = st.text(st.characters(codec=None, exclude_categories=()), max_size=30) | st.sampled_from(
    [
        '"""',
        "'''",
        "]]",
        "#? x",
        "a\nb = 1",
        "\x00",
        "\ud800",
        "*",
        "=1+1",
        "a,b",
        "\u202e",
        "\\",
        "\x7f",
        "#",
        " x ",
    ]
)


@pytest.mark.ci
@examples(60, default=5)
@example([""] * 14)
@given(st.lists(NASTY, min_size=14, max_size=14))
def test_any_names_make_a_pack(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    module, side, map_name, board, zone, turn, seen, attribute, *pieces = names
    told = history(opening=(piece(str(i), name) for i, name in enumerate(pieces)))
    known = Known(
        module=_module(module),
        board=NewBoard(
            (
                NewSheet("Main", None, "", 5, True, (zone,)),
                NewSheet(map_name or "M", board or None, side, 0, False, ()),
            ),
            (NewBox(map_name or "M"),),
        ),
        sides=(side, "Blue", seen),
        census=take_census(_module(), told, {"Map"}, EVERYONE),
        signs=(Sign({"turn_tracker": turn, "pattern": "(?P<turn>.)"}, (seen, seen)),),
        ruleset="generic",
        wanted=(Wanted(attribute or "a"), Wanted("ma", number=True)),
        tables={},
        made_by="written",
    )
    files = {"pack.toml": pack_toml(known)}
    units = units_csv(known)
    if units is not None:
        files["units.csv"] = units
    pack = load_pack(written(tmp_path_factory.mktemp("packs") / "pack", files))
    assert pack.sheets[0].map == "Main"
    assert (pack.complete, pack.phase_sources, pack.units.whole) == (frozenset(), (), False)
    listed = {row.get("name") for row in pack.counters.rows} if pack.counters else set()
    assert listed <= {*pieces, ""}


def test_what_a_tracker_still_shows_where_a_log_opens_is_a_guess_for_it() -> None:
    drill = Path(__file__).parents[1] / "importers" / "pack" / "drill"
    files = tuple(drill / name for name in ("drill.vmod", "drill-1-red.vlog", "drill-2-blue.vlog"))
    made = make_pack(files, "generic", EVERYONE, DEFAULT_LIMITS, silent)
    assert "# - log 2 steps 1-36: turn 1, Move, Blue (" in made.files["pack.toml"]


@pytest.mark.parametrize(
    ("values", "guess"),
    [
        (("Red Move", "Red Guard Move"), "(?P<active>Red|Red Guard) (?P<phase>Move)"),
        (("Red Guard Move", "Combat"), "(?P<phase>Red Guard Move|Combat)"),
    ],
)
def test_a_side_is_told_apart_from_the_phase_only_where_every_text_names_one(
    values: tuple[str, ...], guess: str
) -> None:
    text = parse_format("$value$")
    tracker = TurnTracker("TurnTracker0", "Turn", text, (ListLevel("Phase", values, text),))
    module = replace(_module(), turn_trackers=(tracker,))
    *_, sign = tracker_signs(module, None, ("Red", "Red Guard"))
    assert sign.source["pattern"] == guess


XML_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=20
) | st.sampled_from(["(", "a|b", "[x]", "*", '"""', "#? x", "\\", "{a}", "Turn $x$", "\u202e", " "])
V = "VASSAL.build.module"


@examples(40, default=4)
@given(st.lists(XML_NAMES, min_size=11, max_size=11), st.integers(5, 60), st.booleans())
def test_a_pack_for_a_module_of_any_names_loads(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], size: int, numbered: bool
) -> None:
    module, _, other, map_name, board, zone, tracker, value, _, prefix, _ = (
        quoteattr(name) for name in names
    )
    numbers = f'<{V}.map.boardPicker.board.mapgrid.HexGridNumbering first="H" sep={prefix}/>'
    grid = (
        f'<{V}.map.boardPicker.board.HexGrid dx="{size}" dy="{size}">{numbers if numbered else ""}'
    )
    grid += f"</{V}.map.boardPicker.board.HexGrid>"
    zoned = (
        f"<{V}.map.boardPicker.board.ZonedGrid>"
        f'<{V}.map.boardPicker.board.mapgrid.Zone name={zone} path="0,0;90,0;90,90;0,90"/>'
        f"{grid}</{V}.map.boardPicker.board.ZonedGrid>"
    )
    values = ",".join(names[7:9]).replace('"', "")
    text = (
        f'<?xml version="1.0"?><VASSAL.build.GameModule name={module} version={other}>'
        f"<{V}.PlayerRoster><entry>{escape(names[1])}</entry><entry>{escape(names[2])}</entry>"
        f"</{V}.PlayerRoster>"
        f"<{V}.Map mapName={map_name}><{V}.map.BoardPicker>"
        f'<{V}.map.boardPicker.Board name={board} width="300" height="300">{zoned}'
        f"</{V}.map.boardPicker.Board></{V}.map.BoardPicker></{V}.Map>"
        f"<{V}.turn.TurnTracker name={tracker}><{V}.turn.ListTurnLevel property={value} "
        f"list={quoteattr(values)}/></{V}.turn.TurnTracker>"
        "</VASSAL.build.GameModule>"
    )
    folder = tmp_path_factory.mktemp("modules")
    file = folder / "any.vmod"
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("buildFile.xml", text)
    made = make_pack((file,), "generic", EVERYONE, DEFAULT_LIMITS, silent)
    packs = [made.files["pack.toml"], *taken_over(made.files["pack.toml"])]
    for number, one in enumerate(packs):
        more = '\n[[form]]\nname = "move"\n' if '\nforms = ["move"]' in one else ""
        pack = load_pack(written(folder / f"pack-{number}", {"pack.toml": one + more}))
        assert pack.sheets
        assert (pack.charts, pack.units.whole or number > 0) == (frozenset(), number > 0)


@pytest.mark.each_corpus_file("*/*.vmod", "*/*.mod", "small/xwing/*.vmod")
def test_a_pack_for_any_module_loads_or_it_is_said_why_not(path: Path, tmp_path: Path) -> None:
    try:
        made = make_pack((path,), "generic", EVERYONE, DEFAULT_LIMITS, silent)
    except UmpireError as found:
        refused = str(found)
    else:
        refused = ""
    assert "\n" not in refused
    if refused:
        return
    assert load_pack(written(tmp_path / "pack", made.files)).sheets


GAMES = {
    "kassala": ("kassala/Kassala.vmod", "engine-written/kassala-1-moslem/kassala-1-moslem.vlog"),
    "ragnarok": (
        "hexncounters/ragnarok.vmod",
        "engine-written/ragnarok-1-aesir/ragnarok-1-aesir.vlog",
    ),
    "napoleonics": ("ccn/CommandsColorsNapoleonics.vmod", "ccn/CCNv4 Tutorial.vlog"),
    "longest-day": ("tld/TheLongestDay-3.0b6.vmod", "tld/game/0606-1.log"),
}


def _made(corpus: Path, name: str, *logs: str) -> tuple[Known, str, list[dict[str, str]]]:
    files = tuple(corpus / file for file in (*GAMES[name], *logs))
    made = make_pack(files, "generic", EVERYONE, DEFAULT_LIMITS, silent)
    return made.known, made.files["pack.toml"], rows(made.files["units.csv"])


def test_kassala_with_the_charts_that_can_be_called_complete(corpus: Path) -> None:
    known, text, units = _made(corpus, "kassala")
    assert [(s.map, s.hexes, s.numbered) for s in known.board.sheets] == [("Main Map", 90, False)]
    assert len(units) == 13
    assert [row["name"] for row in units if "moved 0x" not in row["note"]] == [
        "Moslem_Infantry_3-2_Nubian", "Moslem_Cavalry_3-3_Arab", "Moslem_Cavalry_3-3_Mamluk",
        "Moslem_Cannon_1-0", "Moslem_Cavalry_4-3_Turkish",
    ]  # fmt: skip
    assert '#? side = { name = "^(Moslem|Christian)" }   # 13 of 13 kinds' in text
    assert '#? ma = { name = "[0-9]+-([0-9]+)", number = true }   # 13 of 13 kinds' in text
    assert '#? class = { name = "^[^ _]+[ _]+([A-Za-z]+)" }' in text
    assert "# it showed: Turn 1, Moslem movement" in text
    said = " ".join(text.replace("\n#", "").split())
    assert (
        "classes: which movement classes does your game have? allowance: what changes the" in said
    )


def test_phases_guessed_from_chat_are_those_guessed_as_phases(corpus: Path, tmp_path: Path) -> None:
    module, log = (corpus / name for name in GAMES["kassala"])
    made = make_pack((module, log), "generic", EVERYONE, DEFAULT_LIMITS, silent)
    pack = written(tmp_path / "pack", made.files)
    text = (pack / "pack.toml").read_text("utf-8")
    tables = [block for block in text.split("\n\n") if "#? [[" in block]
    wanted = [block for block in tables if "#? chat" in block or "#? [[phase]]" in block]
    assert len(wanted) == 3
    for block in wanted:
        text = text.replace(block, block.replace("#? ", ""))
    (pack / "pack.toml").write_text(text, "utf-8")
    named = Named((log,), module=module, pack=pack)
    _, game = audit_files(named, EVERYONE)
    told = {event.phase for event in game.events if isinstance(event, PhaseStart)}
    assert "Movement" in game.phases
    assert {phase for phase in told if phase} == {"Movement"}


def test_ragnarok(corpus: Path) -> None:
    known, text, units = _made(corpus, "ragnarok")
    assert [(s.map, s.hexes, s.numbered) for s in known.board.sheets] == [("Main Map", 467, True)]
    assert [box for box in known.board.boxes if box.zones] == [
        NewBox("Main Map", "endurance|rainbow|warrior")
    ]
    assert '#? side = { property = "Side" }' in text
    assert '#? class = { name = "^([A-Za-z]+)-" }   # 18 of 18 kinds: hero (' in text
    guessed = {row["name"] for row in units if row["note"].startswith("probably a unit")}
    assert {"unit-warrior", "unit-frost", "hero-odin", "hero-fenir"} <= guessed
    assert not {"mkr-melee", "mkr-inc", "en-odin"} & guessed


def test_napoleonics_reads_terrain_from_its_tiles(corpus: Path, tmp_path: Path) -> None:
    module, log = GAMES["napoleonics"]
    known, text, _ = _made(corpus, "napoleonics")
    assert "39 pieces of 5 kinds" in text
    guess = re.search(r"#\? (\[\[board.marker\]\])\n#\? (.*)\n#\? (.*)\n#\? (.*)\n", text)
    assert guess is not None
    marked = text.replace(guess[0], "\n".join(guess.groups()) + "\n")
    files = {"pack.toml": marked, "hexes.csv": "hex,terrain\n*,clear\n"}
    files["units.csv"] = units_csv(known) or ""
    pack = written(tmp_path / "pack", files)
    named = Named((corpus / log,), corpus / module, pack)
    _, game = audit_files(named, DIRECTOR)
    board = game.on_board(10, 10).board
    terrain = [here.terrain for here in board.hexes.values()]
    assert {kind: terrain.count(kind) for kind in set(terrain)} == {
        ("clear",): 74,
        ("hill",): 17,
        ("forest",): 8,
        ("river straight",): 7,
        ("river bend",): 5,
        ("town",): 2,
    }
    assert [n for n in ("C10", "H02", "F01", "F11") if board.hexes[n].terrain != ("clear",)] == [
        "C10", "H02", "F01", "F11",
    ]  # fmt: skip


def test_the_longest_day(corpus: Path) -> None:
    known, text, units = _made(corpus, "longest-day", "tld/game/0606-2.log")
    assert [(s.map, s.hexes) for s in known.board.sheets] == [("Normandy", 7482)]
    assert "prototype Unit (German): " in text
    assert "prototype Unit (Allied): " in text
    assert "(?P<phase>Allied Air Drop|" in text
    row = next(row for row in units if row["image"] == "0758.svg")
    assert (row["name"], row["unit"]) == ("I/11", "?")
    assert "prototypes Unit (German)" in row["note"]
    assert (row["side"], row["guessed side"]) == ("", "Germans")
    assert '#? side = { column = "guessed side" }' in text


def test_where_boards_are_chosen_for_each_game_a_log_is_asked_for(corpus: Path) -> None:
    for name in ("longest-day", "napoleonics"):
        result = new(corpus / GAMES[name][0], "-o", "nowhere")
        assert result.exit_code == 3
        assert "leaves it to each game which boards are laid on the map" in result.output
        assert "name a log or a save of the game as well" in result.output


def taken_over(text: str) -> list[str]:
    """The text with each of its guesses taken over by itself: a table, or a key in place of the live one."""
    lines = text.split("\n")
    found = []
    at = 0
    while at < len(lines):
        if not lines[at].startswith("#? "):
            at += 1
            continue
        end = at + 1
        if lines[at].startswith("#? ["):
            while end < len(lines) and re.match(r"#\? (?!\[)", lines[end]):
                end += 1
        new = [line.removeprefix("#? ") for line in lines[at:end]]
        key = new[0].partition(" = ")[0] + " = "
        section = max(i for i in range(at) if re.match(r"\[", lines[i]) or i == 0)
        kept = [
            line
            for i, line in enumerate(lines[:at])
            if new[0].startswith("[") or i < section or not line.startswith(key)
        ]
        found.append("\n".join([*kept, *new, *lines[end:]]))
        at = end
    return found


@pytest.mark.parametrize("name", list(GAMES))
def test_each_guess_can_be_taken_over_as_it_stands(corpus: Path, tmp_path: Path, name: str) -> None:
    files = tuple(corpus / file for file in GAMES[name])
    made = make_pack(files, "generic", EVERYONE, DEFAULT_LIMITS, silent)
    texts = taken_over(made.files["pack.toml"])
    assert len(texts) > 5
    for number, text in enumerate(texts):
        # a phase moves by a form that the next guess describes
        more = '\n[[form]]\nname = "move"\n' if '\nforms = ["move"]' in text else ""
        load_pack(written(tmp_path / str(number), {**made.files, "pack.toml": text + more}))
