"""``umpire pack check``: what a pack knows of a game, what it lacks, what matches nothing."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result
from command_line import audit_files
from dark import IDS, DarkScribe, build
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.viewer import DIRECTOR
from vassal_umpire.plugin.commands.schema import schema_text
from vassal_umpire.plugin.pack_check import AT_ONCE, Power, bounds
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.usable import DETOUR, _between

from . import kit
from .kit import MODULE, PACK, TURN_1, files, put, umpire

HERE = Path("pack")


def run(*args: str) -> Result:
    return kit.umpire("pack", "check", *args)


def checked(*args: str) -> dict[str, Any]:
    result = run("pack", "turn-1.vlog", "--format", "json", *args)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    jsonschema.validate(found, json.loads(schema_text("pack-check")))
    return found


@pytest.mark.usefixtures("unsuspected")
def test_a_whole_pack_knows_every_unit_that_moved_and_asks_what_the_audit_asks(game: Path) -> None:
    audited, _ = audit_files(Named((Path("turn-1.vlog"),), pack=Path("pack")), DIRECTOR)
    found = checked()
    pieces = found["pieces_moved"]
    assert pieces["all"] == pieces["units"] > 0
    assert (pieces["no_units"], pieces["not_said"], pieces["not_said_moved"]) == (0, 0, 0)
    assert {found["units_known"][name] for name in ("side", "class", "ma")} == {pieces["units"]}
    judged = [m for m in audited.moves if m.judged]
    assert sum(found["moves"].values()) == len(judged)
    assert found["moves"]["illegal"] == sum(m.verdict == "illegal" for m in judged)
    assert [(one["question"], one["moves_waiting"]) for one in found["next"]] == [
        ("What terrain is in hex 0110?", 1)
    ]
    assert found["matches_nothing"] == []
    assert found["moves_by_phase"] == {"Movement": len(judged)}


@pytest.mark.usefixtures("unsuspected")
def test_a_question_about_a_phase_proposes_one_that_counts_once_a_person_has_put_it_in(
    game: Path,
) -> None:
    toml = HERE / "pack.toml"
    text = toml.read_text("utf-8")
    begin = text.index("[[phases.from]]")
    toml.write_text(text[:begin] + text[text.index("[[phase]]", begin) :], "utf-8")
    found = checked()
    stanza = found["next"][0]["stanza"]
    told = tomllib.loads(stanza)["phase"]
    assert [one["steps"] for one in told] == ["1-14", "15-18", "19"]
    assert {one[name] for one in told for name in ("turn", "phase", "active")} == {"?"}
    perhaps = re.findall(r"# perhaps (?:turn .+, )?(\w+), (\w+): look at the steps", stanza)
    assert [active for _, active in perhaps] == ["Blue", "Blue", "Red"]
    assert stanza.count("# signs: ") == 3
    short, full = (run("pack", "turn-1.vlog", *args).stdout for args in ((), ("-v",)))
    assert "more (--verbose)" in short
    assert len(full) > len(short)
    assert "--verbose" not in full
    assert '"turn-1.vlog"\nsteps = "15-18"\n' in kit.umpire("audit", "turn-1.vlog").stdout.replace(
        "  ", ""
    )
    facts = game / "facts.toml"
    facts.write_text(stanza, "utf-8")
    refusal = kit.refused("pack", "check", "pack", "turn-1.vlog", "--facts", facts)
    assert "line 4: expected a value in place of the question mark" in refusal
    for phase, active in perhaps:
        for name, value in (("turn", "1"), ("phase", phase), ("active", active)):
            stanza = stanza.replace(f'{name} = "?"', f'{name} = "{value}"', 1)
    facts.write_text(stanza, "utf-8")
    then = checked("--facts", str(facts))
    assert found["moves"]["legal"] == 0 < then["moves"]["legal"]
    assert {*then["moves_by_phase"]} == {"Movement"}


@pytest.mark.usefixtures("unsuspected")
def test_units_that_are_not_said_are_counted_with_their_drags(game: Path) -> None:
    before = checked()["pieces_moved"]["units"]
    put(HERE / "pack.toml", "[[units.are]]", "[[units.markers]]")
    pieces = checked()["pieces_moved"]
    assert (pieces["units"], pieces["not_said"]) == (0, before)
    assert pieces["not_said_moved"] >= before
    said = run("pack", "turn-1.vlog").output
    assert "are these units?" in " ".join(said.split())


@pytest.mark.usefixtures("unsuspected")
def test_what_matches_nothing_is_listed(game: Path) -> None:
    with Path("pack/units.csv").open("a", encoding="utf-8") as file:
        file.write("Nobody\n")
    with Path("pack/pack.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[units.not]]\nname = "^Ghost"\n')
        file.write('\n[[board.marker]]\nname = "^Wall$"\nadds = ["wall"]\n')
        file.write('\n[[phases.from]]\nchat = "nobody says (?P<phase>this)"\n')
        file.write('\n[[phase]]\nname = "Retreat"\n')
    idle = checked()["matches_nothing"]
    assert any("no counter in these logs is Nobody" in line for line in idle)
    assert "pack.toml units.not[1]: fits no counter in these logs" in idle
    assert "pack.toml board.marker[1]: fits no counter in these logs" in idle
    assert any("chat" in line and "never gave anything" in line for line in idle)
    assert "pack.toml phase Retreat: no step of these logs is in it" in idle
    assert len(idle) == 5


def test_cells_are_counted_by_who_tells_of_them(game: Path) -> None:
    before = checked()["hexes"]
    put(HERE / "pack.toml", "[board]", '[board]\nprovenance = "required"')
    rows = "0408,terrain,,woods,looked-at,Wren,2026-11-22,person: by eye,,\n"
    rows += "0508,terrain,,clear,suggested,colours,2026-11-22,program: colours 0.1,0.9,\n"
    head = "cell,layer,name,value,status,who,when,method,confidence,picture\n"
    Path("pack/provenance.csv").write_text(head + rows, "utf-8")
    found = checked()["hexes"]
    assert sum(found.values()) == sum(before.values())
    assert (found["looked-at, Wren"], found["suggested"]) == (1, 1)
    assert "typed" not in found


def test_sides_that_only_complete_calls_empty_are_counted_apart(game: Path) -> None:
    """Who says it of the whole board sees of how many sides nobody said it."""
    before = checked()["hexsides"]
    assert set(before) == {AT_ONCE, "typed"}
    assert before[AT_ONCE] > before["typed"] > 0
    put(HERE / "pack.toml", 'complete = ["hexsides", "lines", "levels"]', 'complete = ["levels"]')
    assert AT_ONCE not in checked()["hexsides"]


@pytest.mark.parametrize(
    ("origin", "target"), [("0408", "0808"), ("0101", "0102"), ("0505", "0505")]
)
def test_hexes_that_a_move_could_use(game: Path, origin: str, target: str) -> None:
    named = Named((Path("turn-1.vlog"),), pack=Path("pack"))
    _, bound = audit_files(named, DIRECTOR)
    board = bound.board

    def far(a: str, b: str) -> int:
        found = board.distance(a, b)
        assert found is not None
        return found

    most = far(origin, target) + DETOUR
    expected = {n for n in board.hexes if far(origin, n) + far(n, target) <= most}
    assert _between(board, origin, target) == expected


DRILL = Path(__file__).parents[1] / "importers" / "pack" / "drill"


@pytest.mark.ci
@pytest.mark.usefixtures("unsuspected")
def test_nothing_is_counted_that_not_everyone_may_see(drill_pack: Path) -> None:
    """In the drill, some of Red's counters are hidden or masked for some time."""
    found = {}
    for viewer in ((), ("--as", "Red"), ("--director",)):
        logs = [str(DRILL / f"{name}.vlog") for name in ("drill-1-red", "drill-2-blue")]
        result = run(str(drill_pack), *logs, "--format", "json", *viewer)
        assert result.exit_code == 0, result.output
        found[viewer[:1]] = json.loads(result.stdout)
    moves = {viewer: sum(plain["moves"].values()) for viewer, plain in found.items()}
    assert moves[()] < moves["--director",]
    assert moves[()] <= moves["--as",] <= moves["--director",]


@pytest.mark.ci
@pytest.mark.usefixtures("unsuspected")
def test_drags_of_a_counter_while_it_was_hidden_are_not_counted(
    drill_pack: Path, tmp_path: Path
) -> None:
    """Steps 3 to 5 of the drill move Red Inf 1, which everyone sees before and after."""
    pack = Path(shutil.copytree(drill_pack, tmp_path / "unsaid"))
    put(pack / "pack.toml", "[[units.are]]", "[[units.markers]]")
    for viewer, pieces, drags in (((), 8, 17), (("--director",), 10, 22)):
        log = str(DRILL / "drill-1-red.vlog")
        found = json.loads(run(str(pack), log, "--format", "json", *viewer).stdout)["pieces_moved"]
        assert (found["not_said"], found["not_said_moved"]) == (pieces, drags)


@pytest.mark.usefixtures("unsuspected")
def test_what_a_hidden_counter_did_is_counted_for_those_who_see_it(tmp_path: Path) -> None:
    def play(scribe: DarkScribe) -> None:
        scribe.hide(str(IDS["Blue 2 Inf"]))
        scribe.sneak(str(IDS["Blue 2 Inf"]), "0305")

    _, logs = build(tmp_path, play)
    for eyes, seen in (((), 0), (("--as", "Red"), 0), (("--as", "Blue"), 1), (("--director",), 1)):
        found = json.loads(
            run(str(tmp_path / "pack"), str(*logs), "--format", "json", *eyes).stdout
        )
        told = (
            found["pieces_moved"]["all"],
            found["units_known"]["ma"],
            sum(found["moves"].values()),
        )
        assert told == (seen, seen, seen), eyes


@pytest.mark.usefixtures("unsuspected")
def test_moves_made_too_long_are_found_unless_another_form_is_not_excluded(game: Path) -> None:
    found = checked("--power")["power"]["sides"]
    assert [(one["side"], one["planted"], one["found"]) for one in found] == [("Blue", 3, 3)]
    text = (HERE / "pack.toml").read_text("utf-8")
    text = text.replace('forms = ["march"]', 'forms = ["march", "forced march"]', 1)
    text = text.replace(
        '[[form]]\nname = "march"', '[[form]]\nname = "forced march"\n\n[[form]]\nname = "march"'
    )
    text = text.replace('lacks = "none"', "", 1).replace('"entering"]', '"entering", "lacks"]', 1)
    text = text.replace(
        "modifiers = [",
        'modifiers = [{ op = "multiply", value = 9, if = [{ form = true, is = ["forced march"] }] },',
        1,
    )
    text += (
        '\n[[rules.lacks]]\nwhat = "who may force"\nif = [{ form = true, is = ["forced march"] }]\n'
    )
    (HERE / "pack.toml").write_text(text, "utf-8")
    (left,) = checked("--power")["power"]["sides"]
    assert (left["planted"], left["found"], left["legal"]) == (3, 0, 0)
    (HERE / "pack.toml").write_text(text[: text.rindex("[[rules.lacks]]")], "utf-8")
    (legal,) = checked("--power")["power"]["sides"]
    assert legal["found"] == 0
    assert legal["legal"] > 0


def test_what_the_map_must_be_for_moves_to_be_found_is_said_with_their_number() -> None:
    seen = [Power((), 1, unseen).said.endswith("if a person has looked at the whole map")
            for unseen in (None, 0, 5)]  # fmt: skip
    assert seen == [False, False, True]


@pytest.mark.parametrize(
    ("found", "of", "low", "high"), [(14, 20, 0.457, 0.881), (0, 20, 0, 0.168), (0, 0, 0, 1)]
)
def test_bounds_of_a_share(found: int, of: int, low: float, high: float) -> None:
    """By the table of Clopper and Pearson."""
    assert bounds(found, of) == pytest.approx((low, high), abs=0.001)


def test_a_pack_alone_is_read(game: Path) -> None:
    assert "can be read" in run("pack").output
    put(HERE / "pack.toml", "[board]", "[bored]")
    assert "did you mean board?" in kit.refused("pack", "check", "pack")


def test_what_came_of_blind_checks_is_shown(game: Path) -> None:
    text = (
        '[board]\n[board.checked."terrain 2026-11-22T10:00:00Z"]\nlayer = "terrain"\nwho = "Wren"\n'
        'drawn = 60\ntyped = 58\nwrong = 1\nat_most = "0.0791"\n'
    )
    put(HERE / "pack.toml", "[[board.sheet]]", text.removeprefix("[board]\n") + "[[board.sheet]]")
    result = kit.done("pack", "check", "pack", "turn-1.vlog")
    shown = " ".join(result.split())
    said = "terrain: 1 of 58 suggestions typed blind by Wren were wrong; of all, at most 7.9 %"
    assert said in shown


# -- umpire pack import: what is filled in, what stays, and that a dry run writes nothing ----------


WHOLE = ("--whole", "hexsides", "--whole", "lines")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The sample's pack without its map; the map's spreadsheets lie beside it."""
    folder = tmp_path / "pack"
    shutil.copytree(PACK, folder)
    for name in ("hexes.csv", "lines.csv"):
        (folder / name).rename(tmp_path / name)
    put(folder / "pack.toml", 'complete = ["hexsides", "lines", "levels"]', "complete = []")
    return folder


def imported(pack: Path, *words: object) -> Result:
    return umpire("pack", "import", *words, "--into", pack, "--module", MODULE)


def vouch(pack: Path) -> None:
    """Somebody looks at everything."""
    file = pack / "provenance.csv"
    text = file.read_text("utf-8")
    for program in ("imported,umpire", "program: umpire"):
        assert program in text
    text = text.replace("imported,umpire", "looked-at,Wren")
    text = text.replace("program: umpire", "person: by eye")
    file.write_text(text, "utf-8")


def audit(pack: Path) -> str:
    shown = umpire("audit", TURN_1, "--pack", pack).stdout
    return shown.partition("Summary")[2].partition("findings")[0]


@pytest.mark.ci
def test_what_is_imported_counts_once_somebody_has_looked(pack: Path, tmp_path: Path) -> None:
    result = imported(pack, tmp_path / "hexes.csv", tmp_path / "lines.csv", *WHOLE)
    assert result.exit_code == 0, result.output
    assert "filled in  lines 341, features 121, hexsides 337, terrain 119" in result.stdout
    assert load_pack(pack).provenance_required
    assert {record.status for record in load_pack(pack).records} == {"imported"}
    assert "0 legal, 0 illegal, 9 unverifiable" in audit(pack)
    vouch(pack)
    assert "6 legal, 2 illegal, 1 unverifiable" in audit(pack)


def test_a_dry_run_says_the_same_and_writes_nothing(pack: Path, tmp_path: Path) -> None:
    before = files(pack)
    tables = (tmp_path / "hexes.csv", tmp_path / "lines.csv", *WHOLE)
    dry = imported(pack, *tables, "--dry-run").stdout
    assert files(pack) == before
    assert "would fill in lines 341, features 121, hexsides 337, terrain 119" in dry
    imported(pack, *tables)
    after = files(pack)
    again = imported(pack, *tables)
    assert "filled in  nothing" in again.stdout
    assert files(pack) == after


def test_nothing_goes_over_what_was_typed_or_looked_at(pack: Path, tmp_path: Path) -> None:
    (pack / "hexes.csv").write_text("hex,terrain\n0102,hills\n0103,?\n")
    (pack / "lines.csv").write_text("kind,path\nriver,0101/0102\n")
    imported(pack, tmp_path / "hexes.csv")
    vouch(pack)
    other = tmp_path / "other.csv"
    other.write_text("hex,terrain\n0101,clear\n0102,clear\n0103,clear\n")
    sides = tmp_path / "sides.csv"
    sides.write_text("side,hexsides\n0101/0102,none\n0102/0103,river\n")
    result = imported(pack, other, sides)
    assert "0101 terrain: stays woods; other.csv line 2 has clear" in result.stdout
    assert "0102 terrain: stays hills; other.csv line 3 has clear" in result.stdout
    records = {record.key[:3]: record for record in load_pack(pack).records}
    assert records["0102", "terrain", ""].status == "typed"
    assert records["0103", "terrain", ""].status == "looked-at"
    assert records["0102/0103", "hexsides", "river"].status == "imported"
    assert "0102,hills" in (pack / "hexes.csv").read_text()


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("hex,terrain\n0101,bog\n", (), "found bog"),
        ("hex,terrain\n0101,bog\n", ("--name", "bog"), "expected two words joined by ="),
        ("hex,terrain\n0101,bog\n", ("--column", "kind=x"), "expected one of hex, terrain"),
        ("hex,terrain\n0999,clear\n", (), "expected a hex of the board; found 0999"),
        ("", (), "has no column that names hexes"),
    ],
)
def test_what_cannot_be_imported_is_told_and_nothing_written(
    pack: Path, tmp_path: Path, text: str, words: tuple[str, ...], said: str
) -> None:
    before = files(pack)
    file = tmp_path / "t.csv"
    file.write_text(text)
    result = imported(pack, file, *words)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output
    assert files(pack) == before


def test_every_fault_of_all_tables_is_told_with_what_to_do(pack: Path, tmp_path: Path) -> None:
    before = files(pack)
    (tmp_path / "a.csv").write_text("hex,terrain\n0101,clear\n9999,clear\n0999,woods\n")
    (tmp_path / "b.csv").write_text("a,b,hexsides\n0101,0109,river\n")
    result = imported(pack, tmp_path / "a.csv", tmp_path / "b.csv")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "umpire: 3 problems; nothing was filled in: correct these places or take them out, then import"
        " again",
        "  a.csv line 3: expected a hex of the board; found 9999",
        "  a.csv line 4: expected a hex of the board; found 0999",
        "  b.csv line 2: expected hexes next to each other; found 0101 and 0109",
    ]
    assert files(pack) == before


def test_names_are_translated_and_a_zip_is_not_imported_into(pack: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("hex,terrain\n0101,bog\n")
    assert imported(pack, file, "--name", "bog=marsh").exit_code == 0
    assert (pack / "hexes.csv").read_text().splitlines()[1].startswith("0101,marsh")
    zipped = tmp_path / "p.zip"
    zipped.write_bytes(b"PK")
    assert "is not the folder of a pack" in imported(zipped, tmp_path / "hexes.csv").output


@pytest.mark.ci
def test_all_that_differs_can_be_seen(pack: Path, tmp_path: Path) -> None:
    """Of much only the first is listed, and where the rest can be seen."""
    names = [f"{column:02d}{row:02d}" for column in (1, 2, 3) for row in range(1, 10)]
    tables = []
    for number, kind in enumerate(("woods", "clear")):
        tables.append(tmp_path / f"{number}.csv")
        rows = "".join(f"{name},{kind}\n" for name in [*names, "0401"][: 28 - number])
        tables[-1].write_text("hex,terrain\n" + rows)
    few = imported(pack, *tables, "--dry-run").stdout
    assert "Left out because the files differ (27)" in few
    assert "and 7 more: see --verbose" in few
    every = imported(pack, *tables, "--dry-run", "--verbose").stdout
    assert "more" not in every
    assert all(f"{name} terrain: woods" in every for name in names)


def test_a_corrected_table_takes_the_place_of_what_was_imported(pack: Path, tmp_path: Path) -> None:
    """Nobody has looked, so nothing is in its way; and no program's record says that somebody typed it."""
    file = tmp_path / "t.csv"
    file.write_text("hex,terrain\n0101,clear\n0102,woods\n")
    assert imported(pack, file).exit_code == 0
    file.write_text("hex,terrain\n0101,clear\n0102,hills\n")
    result = imported(pack, file)
    assert result.exit_code == 0, result.output
    assert "filled in  terrain 1" in result.stdout
    records = {record.key[:3]: record for record in load_pack(pack).records}
    assert records["0102", "terrain", ""].value == "hills"
    assert {record.status for record in records.values()} == {"imported"}


@pytest.mark.ci
def test_a_number_typed_too_dear_is_named_with_the_value_that_would_do(game: Path) -> None:
    put(HERE / "pack.toml", "woods = { foot = 2", "woods = { foot = 4")
    found = checked()
    (one,) = [o for o in found["numbers"] if o["fact"]["cell"] == "terrain > costs > woods > foot"]
    assert (one["drags"], one["possible_at"]) == (1, [{"value": "3", "drags": 1}])
    said = " ".join(run("pack", "turn-1.vlog").output.split())
    assert (
        "charts terrain woods foot (4): 1 move in 1 phase would be impossible; at 3, none" in said
    )


def test_where_no_number_makes_a_move_impossible_it_is_said_of_how_many_moves(game: Path) -> None:
    shutil.copy(kit.TURN_2, game)
    said = " ".join(run("pack", "turn-2.vlog").output.split())
    assert "no number makes any of the 5 moves that were decided impossible" in said
