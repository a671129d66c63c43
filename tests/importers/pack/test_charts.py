"""What a pack says of the charts of its tables, and the names it uses that they do not have."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import umpire
from sample_pack import pack_copy, put
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.pack.pack_tables import charts_of
from vassal_umpire.model.game import Rules
from vassal_umpire.model.names import (
    HEXSIDE,
    LINE,
    PLACEHOLDER,
    TERRAIN,
    NameUsed,
    Words,
    unknown_names,
)
from vassal_umpire.model.problem import WrongPack
from vassal_umpire.plugin import shown as audits_shown
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.ruleset import Vocabulary
from vassal_umpire.validators.suspects import Suspected

TOML, LINES, UNITS = "pack.toml", "lines.csv", "units.csv"


@pytest.fixture
def game(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample game, to be spoilt; nothing is said of what its pack is suspected of, which takes
    longest."""
    monkeypatch.setattr(audits_shown, "suspects", lambda *_, **__: Suspected())
    for source in (project / "samples" / "crossroads").glob("*.v*"):
        shutil.copy(source, tmp_path)
    pack_copy(tmp_path / "pack")
    return tmp_path


def change(folder: Path, file: str, old: str, new: str) -> None:
    put(folder / "pack" / file, old, new)


def audit(folder: Path) -> tuple[int, str]:
    found = umpire("audit", folder / "turn-1.vlog", "--format", "json")
    return found.exit_code, " ".join(found.output.split())


def test_none_is_no_table_and_a_complete_chart() -> None:
    rules = {"complete": ["roads"], "roads": {"road": {"cost": 1}}, "zoc": "none"}
    assert charts_of(rules) == ({"roads": {"road": {"cost": 1}}}, frozenset({"roads", "zoc"}))
    assert charts_of({}) == ({}, frozenset())


def test_a_pack_that_says_nothing_leaves_every_chart_open(game: Path) -> None:
    assert "zoc" in load_pack(game / "pack").charts
    text = (game / "pack" / TOML).read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith('complete = ["classes"')]
    (game / "pack" / TOML).write_text("\n".join(kept), "utf-8")
    assert load_pack(game / "pack").charts == {"levels", "surcharges", "steps", "lacks"}


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (TOML, 'surcharges = "none"', 'surchages = "none"', "(did you mean surcharges?); found surch"),
        (LINES, "road,0501", "Road,0501", "lines.csv line 3: expected a kind of line that the"),
        ("hexes.csv", "0102,clear,", "0102,claer,", "(did you mean clear?); found claer"),
        ("../facts.toml", "", '[[line]]\nkind = "Road"\nhexes = ["0106", "0107"]\n',
         "(did you mean road?); found Road"),
    ],
)  # fmt: skip
def test_a_name_that_a_complete_chart_does_not_have_is_an_error(
    game: Path, file: str, old: str, new: str, said: str
) -> None:
    facts = game / "facts.toml"
    facts.write_text("", "utf-8")
    change(game, file, old, new)
    found = umpire("audit", game / "turn-1.vlog", "--format", "json", "--facts", facts)
    assert found.exit_code == 2
    assert said in " ".join(found.output.split())


def test_in_an_open_chart_it_is_a_warning_in_the_same_words(game: Path) -> None:
    change(game, LINES, "road,0501", "Road,0501")
    change(game, TOML, '"roads", ', "")
    code, output = audit(game)
    assert code == 0 or code == 1
    assert "expected a kind of line that the ruleset's tables know (road)" in output
    assert "(did you mean road?); found Road" in output


def test_a_feature_of_a_hex_may_have_any_name(game: Path) -> None:
    change(game, "hexes.csv", "0102,clear,", "0102,clear,Kelme Ford")
    assert audit(game)[0] in (0, 1)


def test_an_attribute_called_complete_must_be_one(game: Path) -> None:
    change(game, TOML, 'complete = ["units", "command"]', 'complete = ["comand"]')
    with pytest.raises(WrongPack, match=r"line 35: .*did you mean command\?\); found comand"):
        load_pack(game / "pack")


def test_a_counter_with_a_side_that_nothing_picks_is_perhaps_a_unit(game: Path) -> None:
    change(game, TOML, 'complete = ["units", "command"]', 'complete = ["command"]')
    change(game, TOML, 'values = ["foot", "motor"]', 'values = ["foot"]')
    code, output = audit(game)
    assert code in (0, 1)
    found = json.loads(output)
    assert [p["count"] for p in found["problems"] if p["code"] == "perhaps-units"] == [
        8
    ]  # motorized counters of README.md
    moved = {str(unit) for move in found["moves"] for unit in move["units"]}
    assert moved
    assert not [unit for unit in moved if "Recon" in unit]


def test_a_layer_without_a_map_means_nothing(game: Path) -> None:
    change(
        game,
        TOML,
        'layer = "Status", map = { "1" = "good", "2" = "disrupted" }',
        'layer = "Status"',
    )
    with pytest.raises(WrongPack, match="expected beside layer a map"):
        load_pack(game / "pack")


def test_a_form_is_judged_where_somebody_moves_by_it(game: Path) -> None:
    change(game, TOML, "judged = false", "")
    forms = load_pack(game / "pack").forms
    assert [name for name, form in forms.items() if form.judged] == ["march"]


def test_each_name_is_told_once_for_a_file() -> None:
    used = [NameUsed(LINE, "Road", f"lines.csv line {n}") for n in (2, 3)]
    words = {LINE: Words(frozenset({"road"}), "roads")}
    (open_one,) = unknown_names(used, words, frozenset())
    (whole,) = unknown_names(used, words, None)
    assert (open_one.severity, whole.severity) == ("warning", "error")
    assert open_one.where == whole.where == "lines.csv line 2"
    assert "found Road, and 1 more" in whole.message
    (first,) = unknown_names(used, {LINE: Words(frozenset({PLACEHOLDER}))}, None)
    assert "(there is none yet); found Road" in first.message
    assert list(unknown_names([NameUsed(TERRAIN, "x", "")], words, None)) == []
    assert list(unknown_names([NameUsed(HEXSIDE, "x", "")], words, None)) == []


@pytest.mark.parametrize(
    ("ruleset", "kind", "name"),
    [
        ("ocs", TERRAIN, "mountain nub"),
        ("ocs", HEXSIDE, "river nub"),
        ("ocs", HEXSIDE, "bridge"),
        ("wacht-am-rhein", HEXSIDE, "destroyed-bridge"),
        ("wacht-am-rhein", LINE, "dashed"),
        ("tide-of-iron", TERRAIN, "wadi"),
        ("valor-and-victory", LINE, "road"),
        ("zoc-classes", TERRAIN, "forest"),
    ],
)
def test_a_ruleset_knows_the_names_its_page_gives(ruleset: str, kind: str, name: str) -> None:
    known = rulesets().parts[ruleset]
    assert isinstance(known, Vocabulary)
    words = known.words(Rules(ruleset))
    assert words[kind].know(name)
    assert not words[kind].know(f"{name}x")
