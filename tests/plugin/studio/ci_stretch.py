"""Stretches of the map: where the next one is, and what a look at one speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="suggestions need the extra [studio]")
pytest.importorskip("starlette", reason="the studio needs the extra [studio]")

from dataclasses import replace

import partial_pack
import pytest
from partial_studio import opened, read_anew, records, whole
from vassal_umpire.importers.pack.edit.hexes import HexTable
from vassal_umpire.model.board import Board, Edge
from vassal_umpire.model.game import Game
from vassal_umpire.model.provenance import Key
from vassal_umpire.model.vouching import cell_of
from vassal_umpire.plugin.auditing import audit_game
from vassal_umpire.plugin.looking.decisions import Decision, Vouching, edits_for
from vassal_umpire.plugin.studio.cells_wanted import FEW, accusing_cells, asked_for, deciding_cells
from vassal_umpire.plugin.studio.findings_view import questions
from vassal_umpire.plugin.studio.session import Studio
from vassal_umpire.plugin.studio.suggest_desk import LAYERS, desk_of
from vassal_umpire.plugin.studio.suggest_looks import BY_PROGRAM, look
from vassal_umpire.plugin.studio.suggest_view import area

from ..kit import put

ALL = ",".join(LAYERS)


@pytest.fixture
def studio(suggested: Studio) -> Studio:
    return suggested


def stretch(studio: Studio, **more: Any) -> dict[str, Any]:
    asked = {"layers": ALL, "across": "5", "down": "4", "cell": "next", **more}
    return area(studio, asked)  # type: ignore[no-any-return]


def confirm(studio: Studio, shown: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = look(studio, {**whole(shown), **more})
    read_anew(studio)
    return answer  # type: ignore[no-any-return]


def waits(shown: dict[str, Any]) -> set[tuple[str, str]]:
    return {(cell["layer"], cell["cell"]) for cell in shown["cells"] if cell["waits"]}


def test_what_was_just_looked_at_does_not_wait_any_more(studio: Studio) -> None:
    studio.start()  # it reads in the background what a look has written
    shown = stretch(studio, only="soonest", across="18", down="11")
    first = waits(shown)
    said = {n: "clear" for n, c in enumerate(shown["cells"]) if c["layer"] == "terrain"}
    look(studio, {**whole(shown), "said": said})
    then = stretch(studio, only="soonest", across="18", down="11")
    assert first
    assert not first & waits(then)


def test_the_next_stretch_is_where_most_is_asked_for(studio: Studio) -> None:
    best = stretch(studio)
    assert best["waiting_here"] == len(waits(best)) > 0
    for cell in ("0101", "0305", "0606", "0909", "1209"):
        other = stretch(studio, cell=cell)
        assert other["waiting"] == best["waiting"]
        assert (
            other["waiting_here"] <= best["waiting_here"] * 1.15
        )  # stretches are laid by whole hexes


def test_stretch_by_stretch_all_that_is_asked_for_is_looked_at(studio: Studio) -> None:
    left = [stretch(studio)["waiting"]]
    while left[-1] and len(left) < 40:
        shown = stretch(studio)
        hexes = [(n, c) for n, c in enumerate(shown["cells"]) if c["layer"] == "terrain"]
        unsaid = {str(at): "clear" for at, cell in hexes if cell["value"] is None}
        confirm(studio, shown, said=unsaid)
        left.append(stretch(studio)["waiting"])
        assert left[-1] < left[-2]
    assert left[-1] == 0
    assert len(left) < 25


def test_the_next_one_can_be_fetched_while_one_is_looked_at(studio: Studio) -> None:
    first = stretch(studio)
    second = stretch(studio, besides=first["id"])
    assert not waits(first) & waits(second)
    assert second["waiting"] == first["waiting"] - first["waiting_here"]
    confirm(studio, first)
    confirm(studio, second)
    assert stretch(studio)["waiting"] < second["waiting"]


def test_cells_of_which_nothing_is_said_do_not_hold_one_up(studio: Studio) -> None:
    desk_of(studio).found.clear()
    first = stretch(studio, layers="terrain")
    assert first["waiting_here"]
    assert confirm(studio, first)["looked"] <= len(first["cells"]) - first["waiting_here"]
    second = stretch(studio, layers="terrain")
    assert not waits(first) & waits(second)


def test_only_cells_that_were_on_the_screen_are_vouched_for(studio: Studio) -> None:
    shown = stretch(studio)
    sides = [at for at, cell in enumerate(shown["cells"]) if cell["layer"] == "lines"]
    seen = sides[: len(sides) // 2]
    before = set(records(studio))
    confirm(studio, shown, seen=seen)
    assert {cell for cell, *_ in set(records(studio)) - before} <= {
        shown["cells"][at]["cell"] for at in seen
    }


def test_without_moves_all_of_the_board_is_asked_for(studio: Studio) -> None:
    desk = desk_of(studio)
    some = len(list(desk.waiting(("terrain",))))
    shown = studio._shown
    shown.audit = None
    every = len(list(desk.waiting(("terrain",))))
    assert 0 < some < every


@pytest.mark.parametrize("complete", ["levels", 'levels", "hexsides'])
def test_sides_that_are_held_open_stay_so_unless_marked(tmp_path: Path, complete: str) -> None:
    pack = partial_pack.put(tmp_path)
    rows = "kind,path,there\nriver,0303/0304,?\nriver,0403/0404,?\nriver,0301/0302,yes\n"
    rows += "bridge,0301/0302,?\nroad,0402 0403,?\n"
    (pack / "lines.csv").write_text(rows, "utf-8")
    put(pack / "pack.toml", 'complete = ["levels"]', f'complete = ["{complete}"]')
    studio = opened(tmp_path, pack)
    desk_of(studio).suggest(lambda *_: None)
    shown = stretch(studio, cell="0303", layers="hexsides,lines", across="6", down="6")
    at = {(cell["layer"], cell["cell"]): number for number, cell in enumerate(shown["cells"])}
    held = {key for key, number in at.items() if shown["cells"][number]["open"]}
    sides = {("hexsides", side) for side in ("0303/0304", "0403/0404", "0301/0302")}
    assert held == {*sides, ("lines", "0402/0403")}
    assert {shown["cells"][at[key]]["value"] for key in held} == {None, "river"}
    told, only = desk_of(studio).pack_board, Key("0403/0404", "hexsides")
    by = Vouching("suggested", ("umpire",), "", BY_PROGRAM)
    made = edits_for(told, HexTable(b"", told.drawn), [Decision(only, "none", "")], by)
    assert [edit["kind"] for edit in made] == ["record"]
    confirm(studio, shown, said={str(at["hexsides", "0403/0404"]): "none"})
    rows = (pack / "lines.csv").read_text("utf-8")
    for part in ("river,0303/0304,?", "bridge,0301/0302,?", "road,0402 0403,?"):
        assert part in rows
    assert "0403/0404" not in rows
    found = records(studio)
    assert found["0403/0404", "hexsides", ""].value == "none"
    still = held - {("hexsides", "0403/0404")}
    assert not {(cell, layer, "") for layer, cell in still} & set(found)
    desk = desk_of(studio)
    side = desk.as_it_stands(shown_key(shown, at["hexsides", "0403/0404"]))
    assert (side.value, side.status, side.open) == ("none", "looked-at", False)
    studio.close()


def shown_key(shown: dict[str, Any], number: int) -> Key:
    cell = shown["cells"][number]
    return Key(cell["cell"], cell["layer"])


# -- what the files say in part ---------------------------------------------------------------------

WHOLE = 'complete = ["levels"]'
RECORDS = "cell,layer,name,value,status,who,when,method,confidence,picture\n"
TOLD = "Ida,2026-01-02,person: on the map,,"
TRACED = "a tracer,2026-01-03,program: traced on the map,,"


def in_part(folder: Path, records: str, lines: str) -> Studio:
    """A studio on a pack that asks for records, some of whose sides are known in part."""
    pack = partial_pack.put(folder)
    put(pack / "pack.toml", WHOLE, f'provenance = "required"\n{WHOLE}')
    (pack / "lines.csv").write_text("kind,path,there\n" + lines, "utf-8")
    (pack / "provenance.csv").write_text(RECORDS + records, "utf-8")
    return opened(folder, pack)


KNOWN_AND_SUGGESTED = [
    ("lines", "road,0303 0304,\nrail,0303 0304,\n", "road", "rail"),
    ("hexsides", "river,0303/0304,\nbridge,0303/0304,\n", "river", "bridge"),
]


@pytest.mark.parametrize(("layer", "rows", "known", "suggested"), KNOWN_AND_SUGGESTED)
@pytest.mark.parametrize("whole", [True, False])
def test_what_is_suggested_beside_what_is_known_is_shown_and_stays(
    tmp_path: Path, layer: str, rows: str, known: str, suggested: str, whole: bool
) -> None:
    told = f"0303/0304,{layer},{known},yes,looked-at,{TOLD}\n"
    told += f"0303/0304,{layer},{suggested},yes,suggested,{TRACED}\n"
    if whole:  # from before the other was suggested
        told += f"0303/0304,{layer},,{known},looked-at,{TOLD}\n"
    studio = in_part(tmp_path, told, rows)
    side = Key("0303/0304", "lines" if layer == "lines" else "hexsides")
    both = "+".join(sorted((known, suggested)))
    assert desk_of(studio).as_it_stands(side).value == both
    assert desk_of(studio).as_it_stands(side).status == "suggested"
    assert side in set(desk_of(studio).waiting([side.layer]))
    assert [c.value for c in desk_of(studio).unseen(side.layer) if c.key == side] == [both]
    assert side not in desk_of(studio).offered(side.layer)
    shown = stretch(studio, cell="0303", layers=layer)
    at = next(n for n, cell in enumerate(shown["cells"]) if cell["cell"] == side.cell)
    assert (shown["cells"][at]["value"], shown["cells"][at]["status"]) == (both, "suggested")
    confirm(studio, shown, seen=[at])
    assert suggested in (studio.folder / "lines.csv").read_text("utf-8")
    found = records(studio)
    statuses = {found[side.cell, layer, name].status for name in ("", known, suggested)}
    assert statuses == {"looked-at"}
    assert found[side.cell, layer, ""].value == both
    studio.close()


def test_what_was_suggested_meanwhile_is_not_taken_out_by_a_look(tmp_path: Path) -> None:
    studio = in_part(tmp_path, "", "road,0303 0304,\n")
    shown = stretch(studio, cell="0303", layers="lines")
    at = next(n for n, cell in enumerate(shown["cells"]) if cell["cell"] == "0303/0304")
    with (studio.folder / "lines.csv").open("a", encoding="utf-8") as file:
        file.write("rail,0303 0304,\n")
    read_anew(studio)
    assert confirm(studio, shown, seen=[at])["kept"] == 1
    assert "rail,0303 0304" in (studio.folder / "lines.csv").read_text("utf-8")
    studio.close()


def test_a_program_takes_out_nothing_that_another_has_suggested(tmp_path: Path) -> None:
    told = f"0303/0304,lines,rail,yes,suggested,{TRACED}\n"
    studio = in_part(tmp_path, told, "rail,0303 0304,\n")
    told_now, side = desk_of(studio).pack_board, Key("0303/0304", "lines")
    assert not told_now.keeps_suggested(side, "none", "umpire")
    assert told_now.keeps_suggested(side, "none", "a tracer")
    assert told_now.keeps_suggested(side, "rail+road", "umpire")
    studio.close()


def test_a_value_without_a_record_is_shown_as_what_is_written(tmp_path: Path) -> None:
    studio = in_part(tmp_path, "", "road,0303 0304,\n")
    shown = stretch(studio, cell="0303", layers="lines")
    at = next(n for n, cell in enumerate(shown["cells"]) if cell["cell"] == "0303/0304")
    assert (shown["cells"][at]["value"], shown["cells"][at]["status"]) == ("road", "")
    confirm(studio, shown, seen=[at])
    assert records(studio)["0303/0304", "lines", ""].value == "road"
    studio.close()


@pytest.mark.parametrize("side", ["0303/0304", "0401/0402"])
@pytest.mark.parametrize("complete", ["levels", 'levels", "lines'])
def test_a_side_that_is_not_known_stays_open(tmp_path: Path, side: str, complete: str) -> None:
    studio = in_part(tmp_path, "", "road,0303 0304,\n")
    asked = f'provenance = "required"\n{WHOLE}'
    put(studio.folder / "pack.toml", asked, f'complete = ["{complete}"]')
    read_anew(studio)
    for said in (None, "unsaid"):
        shown = stretch(studio, cell="0303", layers="lines")
        at = next(n for n, cell in enumerate(shown["cells"]) if cell["cell"] == side)
        confirm(studio, shown, seen=[at], said={} if said else {str(at): None})
        assert desk_of(studio).as_it_stands(Key(side, "lines")).open
        assert (side, "lines", "") not in records(studio)
    a, b = side.split("/")
    assert not studio.opened.game.board.lines_known((a, b))
    studio.close()


# -- The cells that decide a move soonest ----------------------------------------------------------


def test_a_look_at_what_open_moves_ask_for_answers_questions(fresh: Studio) -> None:
    """Absences too: sides of which nothing is said have nothing, and are asked for no more."""
    before = {one["cell"] for one in asked_for(fresh.audit, fresh.opened.game.board)}
    assert questions(fresh, {})["cells"] == len(before)
    shown = area(
        fresh, {"layers": ALL, "cell": "next", "only": "asked", "across": "18", "down": "11"}
    )
    seen = {cell["cell"] for cell in shown["cells"]}
    assert shown["only"] == "asked"
    assert seen
    assert seen <= before
    truth = partial_pack.truth()
    said = {
        str(at): truth[cell["cell"]]
        for at, cell in enumerate(shown["cells"])
        if cell["layer"] == "terrain" and truth[cell["cell"]] != "?"
    }
    assert confirm(fresh, shown, said=said)["looked"]
    left = {one["cell"] for one in asked_for(fresh.audit, fresh.opened.game.board)}
    assert left & seen == {name for name in seen if truth.get(name) == "?"}


def test_a_look_at_the_few_cells_decides_a_move(fresh: Studio) -> None:
    before = {m.move.id for m in fresh.audit.moves if m.judged and m.verdict != "unverifiable"}
    shown = area(
        fresh, {"layers": ALL, "cell": "next", "only": "soonest", "across": "18", "down": "11"}
    )
    assert shown["only"] == "soonest"
    assert 0 < len(shown["cells"]) < 60
    truth = partial_pack.truth()
    rivers = partial_pack.rivers()
    said = {
        str(at): truth[cell["cell"]]
        if cell["layer"] == "terrain"
        else "river"
        if cell["layer"] == "hexsides" and cell["cell"] in rivers
        else "none"
        for at, cell in enumerate(shown["cells"])
    }
    confirm(fresh, shown, said=said)
    after = {m.move.id for m in fresh.audit.moves if m.judged and m.verdict != "unverifiable"}
    assert after > before


def test_moves_of_no_known_phase_are_left_out(fresh: Studio) -> None:
    game, every = fresh.opened.game, frozenset(desk_of(fresh).base.bare.hexes)
    board = desk_of(fresh).base.bare
    moves = [m for m in fresh.audit.moves if m.judged and m.verdict == "unverifiable"]
    assert len(moves) > FEW
    assert deciding_cells(board, moves, game.phases, every)
    assert not deciding_cells(board, moves, {}, every)
    assert not deciding_cells(board, moves, game.phases, frozenset())
    legal = [replace(m, verdict="legal") for m in moves]
    assert not deciding_cells(board, legal, game.phases, every)


# -- Which cells accusations rest on, and which could clear one ------------------------------------


@pytest.fixture
def accused_one(tmp_path: Path) -> Iterator[Studio]:
    pack = partial_pack.put(tmp_path)
    for name in ("hexes.csv", "lines.csv", "pack.toml"):
        (pack / name).write_bytes((partial_pack.SAMPLE / "pack" / name).read_bytes())
    found = opened(tmp_path, pack)
    yield found
    found.close()


def without(board: Board, name: str) -> Board:
    """A board on which the terrain of a hex is not known."""
    return replace(board, hexes={**board.hexes, name: replace(board.hexes[name], terrain=None)})


def bare(board: Board, side: Edge) -> Board:
    """A board on which nothing lies on a hexside."""
    return replace(board, sides={at: has for at, has in board.sides.items() if at != side})


def accused(studio: Studio, game: Game) -> set[tuple[tuple[str, ...], str]]:
    audit = audit_game(replace(studio.opened, game=game), None)
    return {(f.units, f.code) for f in audit.findings if f.verdict == "illegal"}


def test_a_cell_without_which_an_accusation_falls_is_among_them(accused_one: Studio) -> None:
    game = accused_one.opened.game
    found = accusing_cells(accused_one.audit, game.board, accused_one.judged.reads)
    before = accused(accused_one, game)
    clearing = set()
    boards = {name: without(game.board, name) for name in sorted(game.board.hexes)[::4]}
    boards |= {cell_of(side): bare(game.board, side) for side in game.board.sides}
    for cell, board in boards.items():
        if not before <= accused(accused_one, replace(game, board=board)):
            clearing.add(cell)
    assert clearing
    assert clearing <= found.rest.keys() | found.could.keys()


def test_a_cheaper_way_counts_and_nothing_without_an_accusation(accused_one: Studio) -> None:
    board = accused_one.opened.game.board  # type: ignore[union-attr]
    (short,) = (f for f in accused_one.audit.findings if f.code == "GEN-ALLOWANCE")  # 0408 to 0808
    found = accusing_cells(
        replace(accused_one.audit, findings=(short,)), board, accused_one.judged.reads
    )
    (judged,) = (m for m in accused_one.audit.moves if m.move.id in short.moves)
    assert set(judged.path) <= found.rest.keys()
    assert "0609/0709" in found.rest or "0608/0709" in found.rest  # the river that is charged for
    assert {"0508", "0509"} <= found.rest.keys()  # on the path and beside it
    beyond = found.could.keys() & board.hexes.keys()
    assert "0506" in beyond  # on the way by the road, that costs as much
    assert not found.could.keys() & found.rest.keys()
    assert "0110" not in beyond  # nowhere near
    legal = replace(accused_one.audit, findings=())
    assert not accusing_cells(legal, accused_one.opened.game.board, accused_one.judged.reads)  # type: ignore[union-attr]
