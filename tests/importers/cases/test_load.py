"""Case files: what they come to, and every fault as one line with file, line, case and key."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.importers.cases.board_text import Drawn, drawn_board, legend_of
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.importers.cases.load import case_files, read_cases
from vassal_umpire.importers.cases.words import Faults
from vassal_umpire.model.fact import known
from vassal_umpire.model.game import (
    NOWHERE,
    Displacement,
    PhaseStart,
    Place,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import from_offset
from vassal_umpire.model.problem import Unreadable, WrongPack

HEAD = """\
ruleset = "generic"
legend = { "." = "clear", f = ["forest", "hill"], F = { terrain = ["clear"], features = ["fort"] } }
attributes = { ma = 4 }
"""
PARTS = {
    "id": '"ONE"',
    "clauses": '["GEN-TERRAIN"]',
    "kind": '"worked-example"',
    "board": '"""\n .   F\n   f2\n .   ?1\n   -\n"""',
    "units": '["a Red 0101", "b Blue 0301 ma=7/2"]',
    "moves": '["a: 0101 0201"]',
    "expect": '{ verdict = "legal" }',
}


def text(**changes: str) -> str:
    rows = [f"{key} = {value}" for key, value in {**PARTS, **changes}.items() if value]
    return HEAD + "[[case]]\n" + "\n".join(rows) + "\n"


@pytest.fixture
def read(tmp_path: Path):
    def run(**changes: str) -> Case:
        path = tmp_path / "cases.toml"
        path.write_text(text(**changes), "utf-8")
        (case,) = read_cases([path])
        return case

    return run


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The lines a file is refused with."""
    monkeypatch.chdir(tmp_path)

    def run(written: str) -> list[str]:
        path = Path("cases.toml")
        path.write_text(written, "utf-8")
        with pytest.raises(WrongPack) as caught:
            read_cases([path])
        lines = [str(problem) for problem in caught.value.problems]
        assert all("\n" not in line for line in lines)
        return lines

    return run


def test_what_the_conformance_cases_do_not_show(read) -> None:
    game = read(
        hexes='["0101 level=?"]',
        barriers='["0201/0302"]',
        units='["a Red 0101 led=true", "b Blue - seen_by=Red+Blue"]',
        moves='["board 0101 level=2", "board 0201 level=?"]',
    ).game
    then = game.on_board(9, 9).board
    assert game.board.hexes["0101"].level is None
    assert [then.level_of(name) for name in ("0101", "0201")] == [2, None]
    assert "0302" not in game.board.neighbours("0201")
    assert game.units["a"].attributes["led"] == known(True)
    assert (game.units["b"].seen_by, game.opening["b"]) == (("Red", "Blue"), NOWHERE)


def test_every_kind_of_line_in_moves(read) -> None:
    game = read(
        moves="""["a: 0101 0201! 0301", "b: 0301 [Dead] by Red", "undo b", "flip a st=x", "spent a 7/2",
        "fact w=mud", "fact a: s=half", "chat hello: you", "log",
        "phase Fight of Blue, turn 3, uncertain"]""",
        facts='["w=dry"]',
    ).game
    red, hex_ = "Red", lambda name: Place("hex", name)
    dead = Place("box", "Dead")
    assert game.events == (
        PhaseStart(StepRef(1, 1), "1", "Movement", red),
        Displacement(StepRef(1, 2), "a", hex_("0101"), hex_("0201"), 1, "drag", red),
        Witness(StepRef(1, 3), "roll", "1d6", red),
        Displacement(StepRef(1, 4), "a", hex_("0201"), hex_("0301"), 1, "drag", red),
        Displacement(StepRef(1, 5), "b", hex_("0301"), dead, 1, "drag", red),
        Displacement(StepRef(1, 6), "b", dead, hex_("0301"), 1, "undo", red, cancels=StepRef(1, 5)),
        StateChange(StepRef(1, 7), "a", "st", known("x").__class__(), known("x"), red),
        Spent(StepRef(1, 8), "a", known(Fraction(7, 2))),
        Witness(StepRef(1, 11), "chat", "hello: you", red),
        Witness(StepRef(1, 11), "log-end"),
        PhaseStart(StepRef(2, 1), "3", "Fight", "Blue", certain=False),
        PhaseStart(StepRef(2, 2), "3", "Combat", "Blue"),
    )
    assert game.condition("w", StepRef(1, 8)) == known("dry")
    assert game.condition("w", StepRef(1, 9)) == known("mud")
    assert game.condition("s", StepRef(2, 1), "a") == known("half")


def test_expectations(read) -> None:
    expected = read(
        expect='{ verdict = "illegal", codes = ["X"], cost = "7/2", allowance = "2..", short = 1.5 }'
    ).expectation
    assert (expected.cost.lo, expected.cost.hi) == (Fraction(7, 2), Fraction(7, 2))
    assert (expected.allowance.lo, expected.allowance.hi) == (2, None)
    assert expected.short == Fraction(3, 2)
    assert expected.unknowns is None


def test_shared_toml_is_added_to_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text(
        'ruleset = "generic"\nsource = "the book"\nlegend = { "." = "clear" }\n'
        "rules.allowance = { attribute = 'ma', minimum_move = true }\n"
        '[boards.pair]\nmap = """\n .\n   .\n"""\nlines = ["road: 0101 0201"]\n',
        "utf-8",
    )
    (tmp_path / "one.toml").write_text(
        'rules.allowance.attribute = "speed"\n[[case]]\nid = "A"\nclauses = ["C"]\nkind = "legal"\n'
        'board = "pair"\nlines = ["river: 0101/0201"]\nunits = ["a Red 0101"]\nmoves = ["a: 0101 0201"]\n'
        'rules.order.resume = false\noff = ["C"]\nexpect = { verdict = "legal" }\n',
        "utf-8",
    )
    (case,) = read_cases([tmp_path])
    assert case.ruleset == "generic"
    assert case.source == "the book"
    assert case.game.rules.tables == {
        "allowance": {"attribute": "speed", "minimum_move": True},
        "order": {"resume": False},
    }
    assert case.game.rules.off == ("C",)
    assert case.game.board.lines[0].kind == "road"
    assert case.game.board.sides == {("0101", "0201"): ("river",)}
    assert case_files([tmp_path]) == (tmp_path / "one.toml",)


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("id", '"ONE TWO"', "letters"),
        ("kind", '"leagl"', '"leagl"'),
        ("board", '"nowhere"', "one of [boards] (there are none)"),
        ("board", '"""\n .\n . x\n"""', "line 2 indented"),
        ("board", '"""\n .\n   x\n"""', '"x" in hex 0201'),
        ("board", '"""\n\n"""', "no hexes"),
        ("lines", '["road: 0101 0302"]', "next to each other; found 0101 0302"),
        ("lines", '["river: 0101/0302"]', "next to each other; found 0101 0302"),
        ("lines", '["road: 0101 0909"]', "hexes of the board; found 0909"),
        ("lines", '["road: 0101"]', "a chain of two or more hexes"),
        ("hexes", '["0101 colour=red"]', "colour=red"),
        ("links", '["0101-0201"]', "two hexes"),
        ("units", '["a Red"]', "id, side and hex"),
        ("units", '["a Red 0909"]', "found 0909"),
        ("units", '["a Red 0101", "a Red 0101"]', "a again"),
        ("units", '["a Red 0101 ma="]', "key=value"),
        ("units", '["a Red 0101 ma=6..4"]', "ma=6..4"),
        ("units", "['a Red 0101 ma=\"4']", "quotes in pairs"),
        ("facts", '["x: supply=half"]', "one of the units a, b"),
        ("moves", '["a: 0102 0201"]', "a to start where it lies (0101); found 0102"),
        ("moves", '["a: 0101"]', "where it lies and where it goes"),
        ("moves", '["a: 0101 0909"]', "hexes of the board; found 0909"),
        ("moves", '["x: 0101 0201"]', 'one of the units a, b; found "x"'),
        ("moves", '["rol"]', 'found "rol"'),
        ("moves", '["undo a"]', "whose last drag"),
        ("moves", '["phase Combat of Green"]', "one of the sides Red, Blue"),
        ("moves", '["spent a much"]', 'found "much"'),
        ("expect", '{ verdict = "legal", codes = ["X"] }', "no codes"),
        ("expect", '{ verdict = "legal", cost = "3 MP" }', "exact number"),
        ("expect", '{ verdict = "legal", cost = "5..3" }', "from the least to the most"),
        ("expect", '{ verdict = "legal", costs = 3 }', "did you mean cost?"),
    ],
)
def test_a_fault_is_a_line_with_its_case_and_key(refused, key: str, value: str, line: str) -> None:
    (told,) = refused(text(**{key: value}))
    assert told.startswith("cases.toml line "), told
    assert f"case {'number 1' if key == 'id' else 'ONE'}, {key}" in told or key == "id", told
    assert line in told


def test_a_verdict_goes_with_the_kind(refused) -> None:
    (told,) = refused(text(kind='"legal"', expect='{ verdict = "illegal", codes = ["X"] }'))
    assert "expected the verdict legal in a case of kind legal; found illegal" in told


def test_the_line_is_that_of_the_key(refused) -> None:
    written = text(moves='["a: 0101 0909"]')
    number = written.split("\n").index('moves = ["a: 0101 0909"]') + 1
    (told,) = refused(written)
    assert told.startswith(f"cases.toml line {number}: ")


def test_missing_and_unknown_keys_are_all_told(refused) -> None:
    told = refused(text(clauses="", bord='"x"'))
    assert any("the key clauses" in line for line in told)
    assert any("did you mean board?" in line for line in told)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("case = [", "valid TOML"),
        ('ruleset = "generic"\n', "one or more cases"),
        (text().replace('ruleset = "generic"\n', ""), "the key ruleset"),
        (text() + text().removeprefix(HEAD), '"ONE" again'),
        (text().replace('"." =', '"1" = "x", "." ='), "a single sign"),
        ("case = 5\n", "cases"),
        ("[[case]]\nid = 5\n", "case number 1"),
    ],
)
def test_faults_of_the_whole_file(refused, written: str, said: str) -> None:
    assert said in "\n".join(refused(written))


def test_a_fault_in_shared_toml_is_told_once_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text(
        HEAD + '[boards.two]\nmap = """\n .\n   .\n"""\nlines = ["road: 0101 0909"]\n', "utf-8"
    )
    body = text(board='"two"', moves="[]", units='["a Red 0101"]').removeprefix(HEAD)
    (tmp_path / "one.toml").write_text(body + body.replace('"ONE"', '"TWO"'), "utf-8")
    with pytest.raises(WrongPack) as caught:
        read_cases([tmp_path])
    assert [str(problem) for problem in caught.value.problems] == [
        f"{tmp_path / 'shared.toml'} line 9: boards.two.lines[1]: expected hexes of the board; found 0909"
    ]


def test_faults_of_several_files_are_told_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(text(kind='"?"'), "utf-8")
    with pytest.raises(WrongPack) as caught:
        read_cases([tmp_path])
    assert [p.where.split()[0].rsplit("/", 1)[-1] for p in caught.value.problems] == [
        "a.toml",
        "b.toml",
    ]


def test_paths_without_cases(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="is not there"):
        read_cases([tmp_path / "nothing.toml"])
    with pytest.raises(Unreadable, match="holds no case files"):
        read_cases([tmp_path])


@pytest.mark.parametrize("key", ["cost", "allowance", "short"])
def test_a_number_too_long_to_be_read_is_a_fault(refused, key: str) -> None:
    lines = refused(text(expect=f'{{ verdict = "illegal", {key} = {"9" * 31} }}'))
    assert any("expected a number that is not that long" in line for line in lines)


# -- Drawn boards: what is drawn is what is read, hex by hex ---------------------------------------

LEGEND = legend_of({".": "clear", "f": "forest"})
CELLS = st.sampled_from([".", "f", "f2", "?", ".1", "-"])


def board_of(text: str) -> tuple[Drawn, Faults]:
    faults = Faults()
    return drawn_board("drawn", text, [], LEGEND, faults, ("board",)), faults


def staggered(columns: list[list[str]], gap: int, margin: bool) -> str:
    """Columns of hexes as text: each column's hexes on every second line."""
    rows = max(map(len, columns))
    lines = []
    for row in range(rows):
        for lower in (0, 1):
            cells = [column[row] for column in columns[lower::2] if row < len(column)]
            number = f"{row + 1:02} " if margin and not lower else "   "
            lines.append(number + "  " * lower + (" " * gap).join(cells))
    return "\n" + "\n".join(lines).rstrip() + "\n"


@given(
    st.integers(1, 6).flatmap(
        lambda rows: st.lists(st.lists(CELLS, min_size=rows, max_size=rows), min_size=2, max_size=7)
    ),
    st.integers(1, 6),
    st.booleans(),
)
def test_every_hex_is_where_it_was_drawn(columns: list[list[str]], gap: int, margin: bool) -> None:
    drawn, faults = board_of(staggered(columns, gap, margin))
    wanted = {
        f"{c + 1:02}{r + 1:02}": (from_offset(c, r), cell)
        for c, column in enumerate(columns)
        for r, cell in enumerate(column)
        if cell != "-"
    }
    assert faults.found == []
    assert {name: (h.at, drawn.cells[name]) for name, h in drawn.board.hexes.items()} == wanted


def test_a_single_column_needs_empty_lines_between() -> None:
    drawn, faults = board_of("\n .\n\n f\n\n .\n")
    assert faults.found == []
    assert list(drawn.board.hexes) == ["0101", "0102", "0103"]


def test_too_large_a_board_is_refused() -> None:
    _, faults = board_of("\n" + "\n .\n" * 100)
    assert [fault.found for fault in faults.found] == ["a larger board"]
