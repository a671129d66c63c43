"""Edits written through to a pack's files: what is refused, kept, taken back; and who then vouches."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from small_board import BARE
from vassal_umpire.importers.pack.edit.table import EditRefused
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.model.provenance import Key
from vassal_umpire.plugin.studio import history
from vassal_umpire.plugin.studio.history import plain_steps, steps_of
from vassal_umpire.plugin.studio.store import BACKUP, Store

from .store_kit import HEXES, PACK, terrain, text


def backed_up(folder: Path, name: str, number: str = "") -> str:
    """What the backup of a file holds, without our seal."""
    held, mark, _ = text(folder, name + BACKUP + number).rpartition("# vassal-umpire seal ")
    assert mark
    return held


def record(name: str, value: str, status: str, layer: str = "terrain") -> dict[str, Any]:
    by = "program: colours" if status == "suggested" else "person: the studio's board"
    told = {"value": value, "status": status, "who": "Ida", "when": "2026-11-22", "method": by}
    return {"kind": "record", "cell": name, "layer": layer, "was": None, "now": told}


def river(side: str, was: str, now: str) -> dict[str, Any]:
    return {"kind": "hexside", "side": side, "name": "river", "was": was, "now": now}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_an_edit_is_in_the_file_at_once_beside_its_backup(folder: Path, store: Store) -> None:
    assert store.edit([terrain("0103", "clear", "town")], "0103 town").refused == ()
    assert text(folder, "hexes.csv") == HEXES + "0103,town,,\r\n"
    assert backed_up(folder, "hexes.csv") == HEXES
    store.edit([terrain("0103", "town", "woods")], "0103 woods")
    assert backed_up(folder, "hexes.csv") == HEXES  # one backup: as it was before the session
    names = {"pack.toml", "hexes.csv", "hexes.csv" + BACKUP, "lines.csv"}
    assert {p.name for p in folder.iterdir()} == names


def test_what_the_file_does_not_say_is_refused_the_rest_made(folder: Path, store: Store) -> None:
    wrong = terrain("0102", "clear", "town")
    (refused,) = store.edit([wrong, river("0103/0104", "no", "yes")], "two").refused
    why = "was changed elsewhere in the meantime"
    assert dict(refused) == {"edit": wrong, "now": "woods", "why": why}
    assert text(folder, "hexes.csv") == HEXES
    assert text(folder, "lines.csv").splitlines()[2] == "river,0103/0104"


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"kind": "hex"},
        {"kind": "hex", "hex": "0101", "layer": "colour", "was": "", "now": ""},
        {"kind": "hex", "hex": "0101", "layer": "terrain", "now": "woods"},
        {"kind": "hex", "hex": "0101", "layer": "terrain", "was": "clear", "now": 3},
        {"kind": "hexside", "side": "0101/0404", "name": "river", "was": "no", "now": "yes"},
        {"kind": "hexside", "side": "0101", "name": "river", "was": "no", "now": "yes"},
        {"kind": "line", "side": "0101/0102", "name": "", "was": "no", "now": "yes"},
        {"kind": "unit", "row": 1, "column": "ma", "was": "", "now": "4"},
        {"kind": "toml", "file": "module", "path": ["a"], "was": None, "now": 1},
        {"kind": "toml", "file": "pack", "path": "pack", "was": None, "now": 1},
        {"kind": "toml", "file": "pack", "path": ["pack", "name"], "was": "p", "now": 7},
        {"kind": "toml", "file": "pack", "path": ["nonsense"], "was": None, "now": 7},
        {"kind": "stanza", "table": "phase", "now": {"steps": 7}},
        record("0101", "clear", "looked-at") | {"now": {"value": "clear", "status": "looked-at"}},
        record("0101", "clear", "suggested")
        | {"now": {**record("0101", "clear", "typed")["now"], "method": "program: colours"}},
    ],
)
def test_nonsense_is_not_written(folder: Path, store: Store, bad: dict[str, Any]) -> None:
    before = contents(folder)
    assert len(store.edit([bad], "bad").refused) == 1
    assert contents(folder) == before
    assert store.history.undo_label is None


def test_what_somebody_else_changed_is_noticed_and_kept(folder: Path, store: Store) -> None:
    store.edit([terrain("0103", "clear", "town")], "one")
    (folder / "hexes.csv").write_text("hex,terrain\n*,clear\n0104,hills\n")
    assert store.edit([terrain("0104", "clear", "woods")], "two").refused[0]["now"] == "hills"
    store.edit([terrain("0201", "clear", "woods")], "three")
    assert text(folder, "hexes.csv") == "hex,terrain\n*,clear\n0104,hills\n0201,woods\n"


def test_a_change_that_leaves_size_and_time_alike_is_noticed(folder: Path, store: Store) -> None:
    store.edit([terrain("0103", "clear", "town")], "one")
    path = folder / "hexes.csv"
    stat = path.stat()
    path.write_bytes(path.read_bytes().replace(b"0103,town", b"0104,town"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    store.edit([terrain("0201", "clear", "woods")], "two")
    assert text(folder, "hexes.csv") == HEXES + "0104,town,,\r\n0201,woods,,\r\n"


HELD = PermissionError(13, "held")


def test_a_held_file_is_written_later(
    folder: Path, store: Store, stuck: dict[str, OSError]
) -> None:
    stuck["hexes.csv"] = HELD
    assert store.edit([terrain("0103", "clear", "town")], "one").refused == ()
    assert text(folder, "hexes.csv") == HEXES
    assert store.trouble == (
        "hexes.csv: cannot be written: another program holds it, or its folder is write-protected; close it "
        "there (a spreadsheet program?); the edit is kept, and is written once it can be",
    )
    assert store.edit([terrain("0103", "town", "hills")], "two").refused == ()
    assert not store.flush()
    stuck.clear()
    assert store.flush()
    assert text(folder, "hexes.csv") == HEXES + "0103,hills,,\r\n"
    assert store.trouble == ()
    assert not list(folder.glob(".umpire*"))


def test_an_edit_that_waits_keeps_what_is_new(
    folder: Path, store: Store, stuck: dict[str, OSError]
) -> None:
    stuck["hexes.csv"] = HELD
    store.edit([terrain("0103", "clear", "town"), terrain("0104", "clear", "town")], "one")
    (folder / "hexes.csv").write_text("hex,terrain\n*,clear\n0104,hills\n")
    stuck.clear()
    assert store.flush()
    assert text(folder, "hexes.csv") == "hex,terrain\n*,clear\n0103,town\n0104,hills\n"
    assert store.trouble[0].startswith("terrain of 0104: changed elsewhere before your edit")


def test_an_undo_that_could_not_be_written_before_its_file_changed_says_so(
    folder: Path, store: Store, stuck: dict[str, OSError]
) -> None:
    store.edit([terrain("0103", "clear", "town")], "one")
    later = Store(folder, folder / "facts.toml", lambda: BARE)
    later.history.done.extend(steps_of(plain_steps(store.history.done)))
    stuck["hexes.csv"] = HELD
    later.turn(forth=False)
    (folder / "hexes.csv").write_text("hex,terrain\n*,clear\n0104,hills\n")
    stuck.clear()
    assert not later.flush()
    assert text(folder, "hexes.csv") == "hex,terrain\n*,clear\n0104,hills\n"
    assert later.trouble[-1].startswith(
        "the step taken back or done again in hexes.csv: changed else"
    )


def test_no_link_is_written_to(folder: Path, store: Store, tmp_path: Path) -> None:
    edit = [river("0101/0102", "yes", "no")]
    aim = tmp_path / "precious.csv"
    aim.write_bytes(HEXES.encode())
    (folder / "hexes.csv").unlink()
    (folder / "hexes.csv").symlink_to(aim)
    with pytest.raises(UmpireError, match="is a link"):
        store.edit(edit, "x")
    assert aim.read_bytes() == HEXES.encode()
    (folder / "hexes.csv").unlink()
    aim.unlink()
    (folder / "facts.toml").symlink_to(tmp_path / "nowhere.toml")
    with pytest.raises(UmpireError, match="is a link"):
        Store(folder, folder / "facts.toml", lambda: BARE).edit(edit, "x")
    assert not (tmp_path / "nowhere.toml").exists()


def test_packs_in_one_file_or_without_a_board(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "p.zip").write_bytes(b"PK")
    with pytest.raises(UmpireError, match=r"read-only.*unpack"):
        Store(tmp_path / "p.zip", tmp_path / "f.toml", lambda: BARE).edit([], "x")
    store = Store(folder, folder / "facts.toml", lambda: None)
    assert "not read yet" in store.edit([terrain("0103", "clear", "x")], "x").refused[0]["why"]
    unit = {"kind": "unit", "row": {"name": "1 Inf"}, "column": "ma", "was": "", "now": "4"}
    assert store.edit([unit], "1 Inf").refused == ()
    assert text(folder, "units.csv") == "name,ma\n1 Inf,4\n"


EDITS: list[list[dict[str, Any]]] = [
    [terrain("0103", "clear", "town"), terrain("0104", "clear", "?")],
    [river("0103/0104", "no", "yes"), river("0101/0102", "yes", "no")],
    [{"kind": "line", "side": "0102/0103", "name": "road", "was": "yes", "now": "no"}],
    [{"kind": "told", "hex": "0102", "was": "", "now": "lines"}],
    [{"kind": "unit", "row": {"name": "1 Inf"}, "column": "ma", "was": "", "now": "4"}],
    [{"kind": "unit", "row": {"name": "1 Inf"}, "column": "ma", "was": "4", "now": "5"}],
    [{"kind": "toml", "file": "pack", "path": ["rules", "zoc"], "was": None, "now": "none"}],
    [{"kind": "toml", "file": "pack", "path": ["board", "complete"], "was": ["hexsides"], "now": None}],
    [{"kind": "stanza", "table": "phase", "now": {"log": 1, "steps": "1-4", "phase": "Move"}}],
    [{"kind": "stanza", "table": "phase", "was": {"log": 1, "steps": "1-4", "phase": "Move"},
      "now": {"log": 1, "steps": "1-5", "phase": "Move"}}],
    [terrain("0201", "clear", "woods"), record("0201", "woods", "suggested")],
    [terrain("0202", "clear", "woods")],
    [record("1:1-1:5", "-/Move/-", "suggested", "phase")],
    [{"kind": "stanza", "table": "phase", "was": {"log": 1, "steps": "1-5", "phase": "Move"}}],
]  # fmt: skip


@pytest.mark.parametrize("many", [1, 500])
def test_every_edit_is_taken_back_to_the_letter_and_done_again(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.studio.store.MANY", many)
    states = [contents(folder)]
    for number, edits in enumerate(EDITS):
        assert store.edit(edits, f"step {number}").refused == (), edits
        states.append(contents(folder))
        load_pack(folder)
        load_facts(folder / "facts.toml") if (folder / "facts.toml").exists() else None

    def same(held: dict[str, bytes], wanted: dict[str, bytes]) -> bool:
        names = {n for n in (*held, *wanted) if not n.endswith(BACKUP)}
        return all(held.get(n, b"") == wanted.get(n, b"") for n in names)

    for number in range(len(EDITS) - 1, -1, -1):
        assert store.history.undo_label == f"step {number}"
        assert store.turn(forth=False) == {"label": f"step {number}"}
        assert same(contents(folder), states[number]), number
    assert store.history.undo_label is None
    with pytest.raises(UmpireError):
        store.turn(forth=False)
    for number in range(len(EDITS)):
        assert store.turn(forth=True) == {"label": f"step {number}"}
        assert same(contents(folder), states[number + 1]), number
    assert store.history.redo_label is None
    store.turn(forth=False)
    assert store.history.redo_label == store.history.undone[-1].label == f"step {len(EDITS) - 1}"
    assert store.edit([terrain("0104", "?", "town")], "another").refused == ()
    assert store.history.redo_label is None


def test_taking_back_asks_where_something_was_changed_elsewhere(folder: Path, store: Store) -> None:
    store.edit([terrain("0103", "clear", "town"), terrain("0104", "clear", "town")], "one")
    changed = text(folder, "hexes.csv").replace("0103,town", "0103,hills") + "# mine\r\n"
    (folder / "hexes.csv").write_bytes(changed.encode())
    asked = store.turn(forth=False)
    assert asked == {"label": "one", "conflict": [{"what": "terrain of 0103", "now": "hills"}]}
    assert text(folder, "hexes.csv") == changed
    assert store.history.undo_label == "one"
    assert store.turn(forth=False, overwrite=True) == {"label": "one"}
    assert text(folder, "hexes.csv") == HEXES + "# mine\r\n"


@pytest.mark.parametrize("many", [0, 500])
def test_taking_back_leaves_what_else_was_changed_elsewhere(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.studio.store.MANY", many)
    store.edit([terrain("0103", "clear", "town")], "one")
    (folder / "hexes.csv").write_text("hex,terrain\n*,clear\n0103,town\n0301,hills\n")
    assert store.turn(forth=False) == {"label": "one"}
    assert text(folder, "hexes.csv") == "hex,terrain\n*,clear\n0301,hills\n"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """So many steps are remembered, of a thousand."""
    assert history.STEPS == 1_000
    monkeypatch.setattr(history, "STEPS", 20)
    return history.STEPS


def test_so_many_steps_are_remembered_and_no_more(few: int, store: Store) -> None:
    values = ["clear", "town"]
    for number in range(few + 5):
        store.edit([terrain("0103", values[number % 2], values[(number + 1) % 2])], str(number))
    for _ in range(few):
        store.turn(forth=False)
    assert store.history.undo_label is None


def statuses(folder: Path) -> dict[Key, tuple[str, str]]:
    return {r.key: (r.value, r.status) for r in load_pack(folder).records}


def test_the_first_unseen_cell_makes_the_pack_ask_for_records(folder: Path, store: Store) -> None:
    store.edit([terrain("0201", "clear", "woods"), record("0201", "woods", "suggested")], "one")
    assert 'complete = ["hexsides"] # the rivers\nprovenance = "required"\n' in text(
        folder, "pack.toml"
    )
    held = statuses(folder)
    assert held[Key("0201", "terrain")] == ("woods", "suggested")
    assert held[Key("0102", "terrain")] == ("woods", "typed")
    assert held[Key("0101/0102", "hexsides", "river")] == ("yes", "typed")
    assert held[Key("0103/0104", "hexsides")] == ("none", "typed")
    assert held[Key("0101/0102", "lines", "road")] == ("yes", "typed")
    assert Key("0101/0102", "lines") not in held  # the roads are not complete
    assert Key("0101", "level") not in held


def test_what_is_painted_then_has_a_record_of_its_own(folder: Path, store: Store) -> None:
    store.edit([terrain("0201", "clear", "woods"), record("0201", "woods", "suggested")], "one")
    store.edit(
        [
            terrain("0201", "woods", "hills"),
            terrain("0202", "clear", "?"),
            river("0103/0104", "no", "yes"),
            river("0101/0102", "yes", "no"),
            river("0102/0103", "yes", "?"),
            {"kind": "told", "hex": "0301", "was": "", "now": "lines"},
            {"kind": "hex", "hex": "0303", "layer": "features", "was": "", "now": "fort"},
        ],
        "two",
    )
    held = statuses(folder)
    assert held[Key("0201", "terrain")] == ("hills", "typed")
    assert Key("0202", "terrain") not in held
    assert held[Key("0103/0104", "hexsides", "river")] == ("yes", "typed")
    assert held[Key("0103/0104", "hexsides")] == ("river", "typed")
    assert Key("0101/0102", "hexsides", "river") not in held
    assert held[Key("0101/0102", "hexsides")] == ("none", "typed")
    assert not [key for key in held if key.cell == "0102/0103" and key.layer == "hexsides"]
    assert held[Key("0301/0302", "lines")] == ("none", "typed")
    assert held[Key("0303", "features", "fort")] == ("yes", "typed")
    assert held[Key("0303", "features")] == ("fort", "typed")
    record_line = next(r for r in load_pack(folder).records if r.key == Key("0201", "terrain"))
    assert (record_line.who, str(record_line.method)) == (("Wren",), "person: the studio's board")


def test_of_a_filled_hex_nobody_says_that_it_has_nothing_else(folder: Path, store: Store) -> None:
    (folder / "hexes.csv").write_text("hex,terrain\n0201,\n", "utf-8")
    store.edit([terrain("0201", "", "woods"), record("0201", "woods", "filled")], "fill")
    held = {r.key: r for r in load_pack(folder).records}
    nothing_else = held[Key("0201", "features")]
    assert (nothing_else.value, nothing_else.status) == ("none", "filled")
    assert nothing_else.who == ("Ida",)


def test_what_a_program_paints_is_suggested_alone(folder: Path) -> None:
    store = Store(folder, folder / "facts.toml", lambda: BARE, lambda: "eye", lambda: "program")
    store.edit([terrain("0201", "clear", "woods"), river("0103/0104", "no", "yes")], "one")
    assert 'provenance = "required"\n' in text(folder, "pack.toml")
    held = statuses(folder)
    assert held[Key("0201", "terrain")] == ("woods", "suggested")
    assert held[Key("0103/0104", "hexsides", "river")] == ("yes", "suggested")
    nobody = "nobody vouches for this pack, and no person is here who could have typed it"
    assert held[Key("0102", "terrain")] == ("woods", "imported"), nobody
    painted = next(r for r in load_pack(folder).records if r.key == Key("0201", "terrain"))
    assert (painted.who, str(painted.method)) == (("eye",), "program: the studio's board")


def test_what_a_program_saw_otherwise_remembers_what_was_known(folder: Path, store: Store) -> None:
    store.edit([record("0101", "clear", "typed")], "typed")
    (typed,) = (r for r in load_pack(folder).records if r.key == Key("0101", "terrain"))
    seen = record("0101", "hills", "looked-at")
    was = {"value": "clear", "status": "typed", "who": "Ida", "when": "2026-11-22"}
    seen |= {"was": was, "now": {**seen["now"], "method": "program: the studio's cut-outs"}}
    assert store.edit([terrain("0101", "clear", "hills"), seen], "looked at").refused == ()
    (looked,) = (r for r in load_pack(folder).records if r.key == Key("0101", "terrain"))
    assert (typed.before, looked.value, looked.before) == ("", "hills", "clear")


def test_a_phase_only_proposed_makes_the_facts_ask_for_records(folder: Path, store: Store) -> None:
    first = {"log": 1, "steps": "1-4", "phase": "Move", "active": "Blue"}
    store.edit([{"kind": "stanza", "table": "phase", "now": first}], "typed")
    second = {"log": 1, "steps": "5-9", "phase": "Fight"}
    guess = record("1:5-1:9", "-/Fight/-", "suggested", "phase")
    store.edit([{"kind": "stanza", "table": "phase", "now": second}, guess], "proposed")
    facts = load_facts(folder / "facts.toml")
    assert [(p.phase, p.suggested) for p in facts.phases] == [("Move", False), ("Fight", True)]
    store.edit([{"kind": "stanza", "table": "phase", "now": {"log": 2, "phase": "Move"}}], "more")
    assert [p.suggested for p in load_facts(folder / "facts.toml").phases] == [False, True, False]


def test_an_edit_that_makes_the_file_unreadable_is_not_made(folder: Path, store: Store) -> None:
    edit = {
        "kind": "toml", "file": "pack", "path": ["pack", "ruleset"], "was": "generic", "now": None,
    }  # fmt: skip
    refused = store.edit([edit], "x").refused
    assert "pack: expected the key ruleset" in refused[0]["why"]
    assert text(folder, "pack.toml") == PACK
    assert issubclass(EditRefused, UmpireError)


PHASE = {"kind": "stanza", "file": "facts", "table": "phase", "now": {"log": 1, "steps": "1-9"}}


def test_a_new_file_goes_again_when_its_edit_is_taken_back(folder: Path, store: Store) -> None:
    facts, before = folder / "facts.toml", contents(folder)
    store.edit([PHASE], "a phase")
    assert facts.read_text().startswith("[[phase]]")
    store.turn(forth=False)
    assert contents(folder) == before
    assert not facts.exists()
    store.turn(forth=True)
    assert facts.read_text().startswith("[[phase]]")
    store.turn(forth=False)
    assert not facts.exists()
    assert store.trouble == ()


@pytest.mark.parametrize(("before", "since"), [(b"", b""), (None, b"# mine\n")])
def test_a_users_file_stays(folder: Path, store: Store, before: bytes | None, since: bytes) -> None:
    """Empty when the phase was written, or changed since it was made for the phase."""
    facts = folder / "facts.toml"
    if before is not None:
        facts.write_bytes(before)
    store.edit([PHASE], "a phase")
    facts.write_bytes(facts.read_bytes() + since)
    store.turn(forth=False)
    assert facts.read_bytes() == since
