"""A game of which there is no pack: what was done is told, and nothing is called right or wrong."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import vassal_umpire as vu
from tiers import by_tier
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.savefile import SaveFile, read_save
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin import known_packs, reading, unruled
from vassal_umpire.plugin.auditing import Opened, read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.phrases import headline
from vassal_umpire.plugin.studio import opening
from vassal_umpire.plugin.studio.looking_at import LookedAt
from vassal_umpire.plugin.unruled import nothing_judged, or_what_was_done

from . import kit

SQUARES = (
    '<{}SquareGrid dx="60" dy="60" x0="30" y0="30"><{}mapgrid.SquareGridNumbering/></{}SquareGrid>'
)
"""A grid that calls the hexes of the sample as their grid does, near enough."""
FIRST_LINE = "No rules were applied: nothing here says that a move is right or wrong."


def what_was_done(opened: Opened) -> Audit:
    return or_what_was_done(opened, nothing_judged(opened, EVERYONE), EVERYONE)[1]


def test_every_drag_is_told_and_none_is_judged(log: Path) -> None:
    told = kit.report_of(log, codes=(3,))
    assert told["ruleset"] == {"name": "", "version": ""}
    assert (told["moves"], told["findings"], told["unknowns"]) == ([], [], {})
    steps = map(json.loads, kit.done("show", log, "--format", "jsonl").splitlines())
    shown = {
        (move["name"], move["from"]["location"], move["to"]["location"])
        for step in steps
        for move in step.get("moves", ())
    }
    dragged = {
        (unit["name"], start["place"]["name"], end["place"]["name"])
        for move in told["not_judged"]
        for unit in move["units"]
        for start, end in pairwise(move["waypoints"])
    }
    assert len(shown) >= 10
    assert dragged == shown
    assert [(line["player"], line["step"]) for line in told["chat"]] == [
        ("Wren", "1:1"),
        ("Wren", "1:7"),
        ("Wren", "1:16"),
    ]


@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv", "json"])
def test_each_report_says_first_that_no_rules_were_applied(log: Path, form: str) -> None:
    result = kit.umpire("audit", log, "--format", form)
    assert FIRST_LINE in kit.plain(result.stdout)
    assert FIRST_LINE in result.stderr
    for word in ("0 legal", "Legal", "unverifiable, and", "Audit of"):
        assert word not in result.stdout


def test_moves_stand_below_what_the_first_turn_tracker_shows(log: Path) -> None:
    told = kit.umpire("audit", log).stdout
    heading, moves = told.index("  Turn 1, Blue Movement\n"), told.index("Blue Recon")
    assert heading < moves
    phases = {move["phase"]["phase"] for move in kit.report_of(log, codes=(3,))["not_judged"]}
    assert phases == {"Turn 1, Blue Movement"}
    evidence = read_evidence(Named((log,)), DEFAULT_LIMITS)
    (tracker,) = evidence.module.turn_trackers
    several = replace(evidence.module, turn_trackers=(tracker, replace(tracker, name="Weather")))
    back = unruled.without_rules(replace(evidence, module=several), EVERYONE).backdrop
    assert back is not None
    assert [source.what for source in back.pack.phase_sources] == ["Turn"]


def test_the_logs_are_read_once(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(path: Path, *rest: object) -> SaveFile:
        read.append(path.name)
        return read_save(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "read_save", counted)
    kit.umpire("audit", log)
    assert read == [log.name]


def test_options_that_need_a_pack_are_called_unused(log: Path) -> None:
    told = kit.umpire("audit", log, "--facts", "none.toml", "--ruleset", "generic").stderr
    assert "not used, since no rules were applied: --facts, --ruleset" in told
    assert "not used" not in kit.umpire("audit", log).stderr


def test_the_next_step_that_is_told_begins_a_pack(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(log.parent)
    told = json.loads(kit.umpire(log.name, "--format", "json").stdout)["next_step"]
    program, *words = shlex.split(told.partition(": ")[2])
    assert program == "umpire"
    kit.done(*words)
    assert Path("my-pack", "pack.toml").is_file()


# -- packs that come with the program ---------------------------------------------------------------


@pytest.fixture(name="known")
def _known(monkeypatch: pytest.MonkeyPatch) -> known_packs.KnownPack:
    """A pack for Crossroads, as if it came with the program."""
    one = known_packs.KnownPack(
        "crossroads", kit.PACK, "Crossroads", "1.0", known_packs.build_of(kit.MODULE)
    )
    monkeypatch.setattr(known_packs, "shipped_packs", lambda: (one,))
    return one


def test_a_pack_made_for_just_the_module_is_used_and_named(
    log: Path, known: known_packs.KnownPack
) -> None:
    result = kit.umpire("audit", log)
    assert result.exit_code == 1
    assert "it comes with the program and was made for exactly this module" in kit.plain(
        result.stdout
    )


@pytest.mark.parametrize("command", ["check", "annotate"])
def test_every_command_finds_it_and_says_so(
    log: Path, known: known_packs.KnownPack, command: str
) -> None:
    written = ("-o", log.with_name("copy.vlog")) if command == "annotate" else ()
    result = kit.umpire(command, log, *written)
    assert result.exit_code == (0 if written else 1)
    assert "the pack crossroads: comes with the program and was made for" in result.stderr


@pytest.mark.usefixtures("known")
def test_a_batch_and_python_find_it_too(log: Path, tmp_path: Path) -> None:
    kit.done("batch", log, "-o", tmp_path / "results", "--to", "csv", "--workers", "1")
    assert "Blue 4 Inf" in (tmp_path / "results" / "findings.csv").read_text("utf-8")
    assert "the pack crossroads" in (tmp_path / "results" / "problems.csv").read_text("utf-8")
    bare, named = vu.audit(log), vu.audit(log, pack="crossroads")
    assert len(bare.findings) == len(named.findings) > 0
    assert [one.where for one in bare.problems if one.code == "pack-found"] == [
        "the pack crossroads"
    ]
    assert vu.open_pack("crossroads").name == "crossroads"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("words", ["check", "suggest-chart"])
def test_commands_on_a_pack_take_its_name(log: Path, words: str) -> None:
    assert kit.umpire("pack", words, "crossroads", log).exit_code == 0


@pytest.mark.usefixtures("known")
def test_the_command_that_writes_into_a_pack_takes_no_name(log: Path) -> None:
    pytest.importorskip("numpy", reason="suggestions need the extra [studio]")
    told = kit.refused("pack", "suggest", "crossroads", log)
    assert "umpire pack adopt crossroads --name NAME -o my-pack" in told


def test_where_a_pack_is_offered_other_commands_offer_it_too(
    log: Path, known: known_packs.KnownPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(known, version="1.1")
    monkeypatch.setattr(known_packs, "shipped_packs", lambda: (other,))
    told = kit.umpire("check", log).stderr
    assert "to try it: --pack crossroads" in told
    with pytest.raises(vu.CannotAudit, match="to try it: pack='crossroads'"):
        vu.audit(log)


@pytest.mark.parametrize("other", [{"version": "1.1"}, {"build": "0" * 64}])
def test_a_pack_for_another_version_is_offered_and_not_used(
    log: Path,
    known: known_packs.KnownPack,
    monkeypatch: pytest.MonkeyPatch,
    other: dict[str, str],
) -> None:
    monkeypatch.setattr(known_packs, "shipped_packs", lambda: (replace(known, **other),))
    result = kit.umpire("audit", log)
    assert result.exit_code == 3
    told = kit.plain(result.stdout)
    assert FIRST_LINE in told
    assert "a pack made for another copy of this module (version" in told
    assert "to try it: umpire audit" in told


@pytest.mark.parametrize(
    ("name", "version"),
    by_tier([("Byways", "")], [("Crossroads", "0.9"), ("Byways", "1.0"), ("Byways", "")]),
)
def test_a_pack_is_not_used_by_itself_where_a_log_is_of_another_module(
    log: Path,
    known: known_packs.KnownPack,
    tmp_path: Path,
    name: str,
    version: str,
) -> None:
    later = kit.TURN_1.with_name("turn-2.vlog")
    of_it = kit.entry_of(later, "moduledata").replace(">Crossroads<", f">{name}<")
    of_it = of_it.replace("<version>1.0<", f"<version>{version}<")
    other = kit.zip_with(later, log.with_name(later.name), {"moduledata": of_it})
    for logs in ((other,), (log, other)):
        result = kit.umpire("audit", *logs, "--module", log.with_name(kit.MODULE.name))
        assert result.exit_code == 3
        told = kit.plain(result.stdout)
        assert "the pack crossroads was made for Crossroads 1.0, and a log is of" in told
        assert f"{name} {version}".strip() in told
    folder = tmp_path / "results"
    module = ("--module", log.with_name(kit.MODULE.name))
    kit.umpire("batch", log, other, *module, "-o", folder, "--to", "csv", "--workers", "1")
    findings = (folder / "findings.csv").read_text("utf-8")
    assert "turn-1.vlog" in findings
    assert "turn-2.vlog" not in findings


def test_one_of_two_packs_is_not_chosen(
    log: Path, known: known_packs.KnownPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        known_packs, "shipped_packs", lambda: (known, replace(known, name="another"))
    )
    result = kit.umpire("audit", log)
    assert result.exit_code == 3
    assert "more than one pack was made for this module (crossroads and another)" in kit.plain(
        result.stdout
    )


def test_of_two_packs_beside_a_log_none_is_chosen_and_what_was_done_is_told(
    log: Path, known: known_packs.KnownPack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the known one that was made for just the module."""
    for name in ("a pack", "b"):
        shutil.copytree(kit.PACK, tmp_path / name)
    for name in (log.name, kit.MODULE.name):
        shutil.copy(log.with_name(name), tmp_path)
    monkeypatch.chdir(tmp_path)
    several = "more than one audit pack fits (a pack, b); choose one: "
    told = kit.report_of(log.name, codes=(3,))
    assert len(told["not_judged"]) == 10
    assert told["next_step"].startswith(several)
    assert told["next_step"].endswith(
        "--pack 'a pack'; or: umpire audit turn-1.vlog --format json --pack b"
    )
    refused = kit.umpire("check", log.name)
    assert refused.exit_code == 3
    assert f"{several}umpire check turn-1.vlog --pack 'a pack'; or" in refused.stderr
    page = opening.open_asked(opening.Asked((Path(log.name),)), print)
    assert isinstance(page, LookedAt)
    assert page.page().unused == "more than one audit pack fits (a pack, b)"
    assert page.pack is None


@pytest.mark.ci
def test_the_index_names_the_modules_as_they_are(corpus: Path) -> None:
    files = {
        "kassala": "kassala/Kassala.vmod",
        "napoleonics": "ccn/CommandsColorsNapoleonics.vmod",
        "ragnarok": "hexncounters/ragnarok.vmod",
        "the-longest-day": "tld/TheLongestDay-3.0b6.vmod",
    }
    assert {one.name for one in known_packs.shipped_packs()} == set(files)
    for one in known_packs.shipped_packs():
        file = corpus / files[one.name]
        module = open_module(file)
        assert known_packs.made_for(module, file, DEFAULT_LIMITS) == (one,)


def test_the_packs_are_listed_and_one_is_shown() -> None:
    listed = kit.done("packs")
    for one in known_packs.shipped_packs():
        assert one.name in listed
        assert str(one.folder) in kit.done("packs", "show", one.name).replace("\n", "")
    kit.refused("packs", "show", "nowhere")


def test_a_log_with_the_module_of_another_game_is_refused_for_that(
    log: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "other" / "module"  # packs are looked for in the folder above, too
    folder.mkdir(parents=True)
    other = kit.another_module(folder, **{"HexGrid": "SquareGrid", "Main Map": "The Ways"})
    result = kit.umpire("audit", log, "--module", other)
    assert result.exit_code == 3
    told = kit.plain(result.stderr)
    assert "a game of the module 'Crossroads'; 'Byways' was given" in told
    assert "nothing shows that it calls places as the log does" in told
    moved = shutil.copy(log, tmp_path / "other" / "module")
    told = kit.plain(kit.umpire("audit", moved).stderr)
    assert "--module other" not in told
    assert f"to see what is known without it: umpire show {os.path.relpath(moved)}" in told


def test_hexes_alone_do_not_make_a_module_of_another_name_the_right_one(tmp_path: Path) -> None:
    folder = tmp_path / "other" / "module"
    folder.mkdir(parents=True)
    other = shutil.copy(kit.MODULE, folder)
    soviet = kit.PROJECT / "samples" / "battle-for-moscow" / "2-soviet.vlog"
    log = shutil.copy(soviet, folder)
    told = kit.plain(kit.umpire("audit", log).stderr)
    assert "umpire show" in told
    assert "if it is the right one" not in told
    result = kit.umpire("audit", log, "--module", other)
    assert result.exit_code == 3
    assert "nothing shows that it calls places as the log does" in kit.plain(result.stderr)


def test_a_module_under_another_name_that_calls_places_as_the_log_does_is_read(
    log: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "other" / "module"
    folder.mkdir(parents=True)
    other = kit.another_module(folder, kit.without_hexes(log.parent, SQUARES))
    moved = shutil.copy(log, folder)
    told = kit.plain(kit.umpire("audit", moved).stderr)
    assert f"--module {os.path.relpath(other)}; put" in told
    shown = kit.plain(kit.umpire("audit", moved, "--module", other).stdout)
    warned = "module turn-1.vlog: it is a game of the module 'Crossroads'; 'Byways' was given"
    assert shown.index(warned) < shown.index("Moves (10)")


@pytest.mark.parametrize(
    ("grid", "way"),
    [
        ("", "Main Map 60,307 → Main Map 280,115"),
        (SQUARES, "0105 → 0502"),
    ],
)  # fmt: skip
def test_what_was_done_without_hexes_is_told_as_the_module_calls_places(
    log: Path, grid: str, way: str
) -> None:
    kit.without_hexes(log.parent, grid)
    result = kit.umpire("audit", log, "--format", "markdown")
    assert result.exit_code == 3
    assert way in result.stdout
    assert "10 moves of 10 pieces, by Blue (Wren)" in result.stdout
    assert "moves are judged on hexes only" in result.stdout
    assert "umpire pack new" not in result.stdout


def test_boards_with_hexes_that_the_game_does_not_open_with_are_named(log: Path) -> None:
    at = "VASSAL.build.module.map.boardPicker"
    later = f'<{at}.Board name="Later"><{at}.board.HexGrid dx="60" dy="60"/></{at}.Board>'
    end = "</VASSAL.build.module.map.BoardPicker>"
    bare = kit.without_hexes(log.parent)
    build = kit.entry_of(bare, "buildFile.xml").replace(end, later + end, 1)
    kit.zip_with(kit.MODULE, bare, {"buildFile.xml": build})
    why = "no board that this game opens with has a hex grid (in the module, Later has one)"
    assert why in kit.plain(kit.umpire("audit", log).stdout)
    told = kit.umpire("pack", "new", log, "-o", log.parent / "mine").stderr
    assert why in told
    assert f"umpire audit {os.path.relpath(log)}\n" in told


def test_logs_in_the_wrong_order_are_told_before_the_moves(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = shutil.copy(kit.TURN_1.with_name("turn-2.vlog"), log.parent)
    told = kit.plain(kit.umpire("audit", later, log).stdout)
    fault = "order turn-1.vlog: ends where turn-2.vlog begins, so it was played before it"
    assert told.index(fault) < told.index("Moves (")
    assert "order " not in kit.umpire("audit", log, later).stdout
    monkeypatch.setattr(unruled, "refuse_disorder", lambda history: None)
    told = kit.plain(kit.umpire("audit", later, log).stdout)
    assert "order log 2 does not open with what the log before it ended with" in told


def test_a_player_is_named_once_whatever_side_his_moves_are_of(log: Path) -> None:
    opened, _ = unruled.open_or_tell(Named((log,)), EVERYONE, DEFAULT_LIMITS)
    found = what_was_done(opened)
    sides = (None, "Red", "Blue")
    moves = tuple(
        replace(one, move=replace(one.move, actor=side))
        for one, side in zip(found.moves, sides, strict=False)
    )
    assert headline(replace(found, moves=moves)).endswith("pieces, by Red and Blue (Wren).")


def test_counters_that_go_out_of_sight_did_not_move(tmp_path: Path) -> None:
    drill = Path(__file__).parents[1] / "importers" / "pack" / "drill"
    folder = tmp_path / "drill" / "game"
    folder.mkdir(parents=True)
    for name in ("drill.vmod", "drill-1-red.vlog"):
        shutil.copy(drill / name, folder)
    told = kit.umpire("audit", folder / "drill-1-red.vlog", "--format", "markdown").stdout
    assert "0406 → 0405" in told
    assert "0403 → off the map" not in told  # step 2: hidden where it lies
    assert "off the map → 0403" not in told  # step 7: masked where it lies
