"""TOML, CSV and JSON that would take all time or memory there is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bounded import run
from hypothesis import given
from hypothesis import strategies as st
from tiers import drawn
from vassal_umpire.importers.pack.spreadsheet import read_sheet
from vassal_umpire.importers.pack.toml_text import flat, parse_toml
from vassal_umpire.model.json_values import json_values
from vassal_umpire.model.problem import Unreadable, WrongPack

MIB = 1024 * 1024

REFUSED = {
    "exponent": ("a = 1e999999999", "an exponent of at most 100"),
    "small exponent": ("a = 1e-999999999", "an exponent of at most 100"),
    "long exponent": ("a = 1e" + "9" * 900, "an exponent of at most 100"),
    "longer exponent": ("a = 1e" + "9" * 5_000, "a word of 5,002 characters"),
    "digits": ("a = " + "9" * 101, "a number of 101 digits"),
    "hex digits": ("a = 0x" + "f" * 101, "a number of 103 digits"),
    "dotted key": (".".join("a" * 20_000) + " = 1", "a dotted key"),
    "dotted key with blanks": (" . ".join("a" * 20_000) + " = 1", "a dotted key"),
    "quoted dotted key": (".".join(['"a b"'] * 20_000) + " = 1", "a dotted key"),
    "dotted table": ("[" + ".".join("a" * 20_000) + "]", "a dotted key"),
    "dotted inline": ("x = { " + ".".join("a" * 20_000) + " = 1 }", "a dotted key"),
    "lists": ("a = " + "[" * 65 + "]" * 65, "nested too deeply"),
    "open lists": ("a = " + "[" * 100_000, "nested too deeply"),
    "tables": ("a = " + "{ a = " * 65 + "1" + "}" * 65, "nested too deeply"),
    "word": ("a" * 100_000 + " = 1", "a word of 100,000 characters"),
}
BELOW = {
    "texts": 'a = "' + "9." * 10_000 + "[" * 100 + '"',
    "literal": "a = '" + "9." * 10_000 + "[" * 100 + "'",
    "lines": 'a = """\n' + "a.b.c [[[ \\\" '''\n" * 1_000 + '"""\nb = 1',
    "comment": "# " + "a." * 20_000 + "\na = 1",
    "many": "\n".join(f"[[row]]\nname{i} = 1.5" for i in range(2_000)),
    "numbers": "a = [" + ", ".join(["1.5"] * 2_000) + "]",
    "digits": "a = " + "9" * 100 + "\nb = 1e90",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_past_all_bounds_is_one_line(name: str) -> None:
    text, what = REFUSED[name]
    with pytest.raises(WrongPack, match=what) as error:
        parse_toml(f"b = 1\n{text}".encode(), "pack.toml")
    assert "line 2: " in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("name", BELOW)
def test_what_a_game_needs_is_within_bounds(name: str) -> None:
    assert parse_toml(BELOW[name].encode(), "pack.toml")[0]


@given(st.text("\"'\\#\n ab=[]", max_size=30))
def test_a_flat_text_has_the_lines_of_the_text(text: str) -> None:
    assert flat(text).count("\n") == text.count("\n")


def test_every_kind_of_key_has_its_line() -> None:
    text = 'a = """x\n[b]\n"""\n# [c]\n["d.e"] # [f]\n\'g h\' . i = "#"\n'
    text += "j = [\n 1, # ]\n]\n[[k]]\n[[k]]\nl = 1\n"
    _, lines = parse_toml(text.encode(), "pack.toml")
    assert lines == {
        ("a",): 1, ("d.e",): 5, ("d.e", "g h"): 6, ("d.e", "g h", "i"): 6, ("d.e", "j"): 7,
        ("k", 0): 10, ("k", 1): 11, ("k", 1, "l"): 12,
    }  # fmt: skip


def filled(part: str, size: int = 2 * MIB - 100) -> str:
    return "".join(part.replace("%", str(n)) for n in range(size // (len(part) + 4)))


@pytest.mark.ci
@pytest.mark.parametrize(
    "text",
    drawn(["[ " + " " * 1_000_000 + "!", '"' * 1_000_000, '"""\\' * 250_000, filled("[[t%]]\n"),
     "a = [" + "[],\n" * 500_000 + "]",
     "a = [" + filled("{b.c.d.e=%},") + "]"], 2),
    ids=lambda text: repr(text[:6]),
)  # fmt: skip
def test_no_toml_file_takes_long_or_much(tmp_path: Path, text: str) -> None:
    file = tmp_path / "facts.toml"
    file.write_text(text, encoding="utf-8")
    ended = run("check-cases", file)
    assert ended.code == 2, ended
    assert "Traceback" not in ended.text
    assert "bug" not in ended.text


def test_json_of_too_many_values_is_one_line() -> None:
    with pytest.raises(Unreadable, match="holds 20,001 values; expected at most 20,000"):
        json_values(b"[" + b"0," * 20_000 + b"0]", "x.json", 20_000)


@pytest.mark.ci
def test_a_document_of_many_values_is_read_where_a_flag_allows_it(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"format": "vassal-umpire analysis", "x": [[]] * 3_000_000}))
    refused = run("audit", file)
    assert refused.code == 2
    assert "holds 6" in refused.text
    assert "--max-values" in refused.text
    assert "holds 6" not in run("audit", file, "--max-values", "10000000").text


def test_a_spreadsheet_has_so_many_columns(tmp_path: Path) -> None:
    file = tmp_path / "units.csv"
    file.write_text(",".join(f"c{n}" for n in range(2_000)) + "\n", encoding="utf-8")
    with pytest.raises(Unreadable, match="too many columns"):
        read_sheet(file)
