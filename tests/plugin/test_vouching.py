"""Who vouches for a pack, and what it switches off: in the first lines of every report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sample_pack import pack_copy, put
from vassal_umpire.importers.pack.files import FILES
from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.coverage import Coverage
from vassal_umpire.model.finding import Audit, Finding
from vassal_umpire.model.game import Source
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import audit_game, open_game
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.phrases import unproven
from vassal_umpire.plugin.reports.report import ReportOptions

from . import kit

SUPPLY = "all units are in supply"
BY = 'vouched_by = "the makers of vassal-umpire"\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of Wren's, with a house rule."""
    told = f'assumes = ["{SUPPLY}", "no fog"]\noff = ["GEN-STACKING"]\n'
    return pack_copy(tmp_path / "pack", (BY, f'vouched_by = "Wren <b>=1</b>"\n{told}'))


@pytest.mark.usefixtures("unsuspected")
@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv", "json"])
def test_every_report_begins_with_who_vouches_and_what_is_off(
    pack: Path, tmp_path: Path, form: str
) -> None:
    if form == "text":
        kit.done("pack", "zip", pack, "-o", tmp_path / "p.zip")
        pack = tmp_path / "p.zip"
    words = ("audit", kit.TURN_1, "--pack", pack, "--format", form, "--no-map-image")
    text = kit.printed(*words)
    body = text[text.index("<body>") :] if form == "html" else text
    first = " ".join("".join(body.splitlines(keepends=True)[:20]).split())
    names = {"html": "Wren &lt;b&gt;=1&lt;/b&gt;", "markdown": r"Wren \<b\>=1\</b\>"}
    name = names.get(form, "Wren <b>=1</b>")
    for said in (name, "GEN-STACKING", SUPPLY):
        assert said in first
    if form == "json":
        told = {"name": "crossroads 1.0", "vouched_by": "Wren <b>=1</b>"}
        told |= {"assumes": [SUPPLY, "no fog"], "off": ["GEN-STACKING"]}
        assert json.loads(text)["pack"] == told
    else:
        assert f"vouched for by {name} (the pack" in first
        assert "switched off" in first
        assert f"{SUPPLY}; no fog: the pack takes this for granted" in first


@pytest.mark.usefixtures("unsuspected")
def test_a_pack_for_which_nobody_vouches_says_so(pack: Path) -> None:
    text = (pack / "pack.toml").read_text("utf-8")
    left = [line for line in text.splitlines(keepends=True) if not line.startswith("vouched_by")]
    (pack / "pack.toml").write_text("".join(left), "utf-8")
    report = kit.printed("audit", kit.TURN_1, "--pack", pack)
    assert "crossroads 1.0, which does not say who vouches for it" in report
    assert kit.report_of(kit.TURN_1, "--pack", pack)["pack"]["vouched_by"] is None


@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv"])
def test_a_report_that_accuses_nobody_says_what_that_is_worth(form: str) -> None:
    """That the pack does not say what would be found, unless it does or an analysis document may have left
    that out; and that nobody saw the map."""
    pack = Source("p", "pack", "0" * 64, "p 1")
    bare = Audit("Game", "generic", "1", (pack,), (), (), unseen=True)
    measured = replace(bare, sources=(replace(pack, power="14 of 20"),), unseen=False)
    found = Finding("GEN-MA", "GEN-MA", "illegal-move", "illegal", (), (), (), (), "short")
    render = reports().get(form).render

    def first(audit: Audit) -> str:
        return " ".join(render(audit, ReportOptions(width=200)).split())

    assert "the pack does not say how many errors" in first(bare)
    assert "umpire pack check PACK LOG --power" in first(bare)
    document = Source("d", "analysis", "0" * 64)
    assert "--power" not in first(replace(bare, sources=(document, pack)))
    assert "--power" not in first(replace(bare, measured=Coverage(open=3)))  # nothing is decided
    assert "nothing that rests on it accuses anybody" in first(bare)
    assert first(measured).count("14 of 20") == 1
    assert "14 of 20" in dict(unproven(measured))["power"]  # as a status and a mail say it
    for other in (measured, replace(bare, findings=(found,))):
        assert "--power" not in first(other)
        assert "accuses anybody" not in first(other)


def test_a_board_that_nobody_looked_at_is_told_as_such(pack: Path) -> None:
    said = "nothing that rests on it accuses anybody"
    put(pack / "pack.toml", "[board]\n", '[board]\nprovenance = "required"\n')
    told = kit.umpire("audit", kit.TURN_2, "--pack", pack).stdout
    assert said in " ".join(told.split())
    assert said not in " ".join(kit.umpire("audit", kit.TURN_2).stdout.split())


@pytest.mark.usefixtures("unsuspected")
def test_who_vouches_goes_with_an_analysis_document(pack: Path, tmp_path: Path) -> None:
    document = tmp_path / "game.json"
    kit.done("convert", kit.TURN_1, "--pack", pack, "-o", document)
    report = kit.printed("audit", document)
    assert "vouched for by Wren" in report
    assert SUPPLY in report
    assert json.loads(document.read_text("utf-8"))["version"] == 2


def test_adopting_changes_the_name_and_nothing_else(pack: Path, tmp_path: Path) -> None:
    (pack / "provenance.csv").write_text(
        "cell,layer,name,value,status,who,when,method,confidence,picture\n"
        "0102,terrain,,clear,looked-at,Wren,2026-11-22,person: by eye,,\n"
    )
    kit.done("pack", "zip", pack, "-o", tmp_path / "p.zip")
    for source, made in ((pack, tmp_path / "a"), (tmp_path / "p.zip", tmp_path / "b")):
        kit.done("pack", "adopt", source, "--name", 'Ida "of" Riga', "-o", made)
        assert load_pack(made).vouched_by == 'Ida "of" Riga'
        assert load_pack(made).records == load_pack(pack).records
        for name in FILES:
            if not (pack / name).exists():
                assert not (made / name).exists()
                continue
            old, new = (pack / name).read_text("utf-8"), (made / name).read_text("utf-8")
            lines = zip(old.splitlines(), new.splitlines(), strict=True)
            changed = [(a, b) for a, b in lines if a != b]
            one = ('vouched_by = "Wren <b>=1</b>"', r'vouched_by = "Ida \"of\" Riga"')
            assert changed == ([one] if name == "pack.toml" else [])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--name", " "], "expected the name of whoever vouches"),
        (["--name", "a\x1bb"], "expected the name of whoever vouches"),
        (["--name", "Ida", "-o", "{pack}"], "is there already"),
        (["--name", "Ida", "-o", "{tmp}/no/where"], "its folder does not exist"),
        ([], "Missing option"),
    ],
)
def test_what_cannot_be_adopted(pack: Path, tmp_path: Path, words: list[str], said: str) -> None:
    filled = [word.format(pack=pack, tmp=tmp_path) for word in words]
    if "-o" not in filled:
        filled += ["-o", str(tmp_path / "new")]
    assert said in kit.refused("pack", "adopt", pack, *filled)
    assert not (tmp_path / "new").exists()


HEADING = "cell,layer,name,value,status,who,when,method,confidence,picture\n"
RECORD = "0101,terrain,,woods,looked-at,Wren,2026-11-22,person: by eye,,\n"


def accused(pack: Path) -> list[str]:
    found = audit_game(open_game(Named((kit.TURN_1,), pack=pack), EVERYONE, DEFAULT_LIMITS), None)
    return [one.explanation for one in found.findings if one.verdict == "illegal"]


def test_records_of_which_only_the_heading_is_left_accuse_nobody_more(tmp_path: Path) -> None:
    """Where a pack keeps records, ``complete`` alone accuses nobody, and the last record decides nothing."""
    pack = pack_copy(tmp_path / "pack")
    without_file = accused(pack)
    (pack / "provenance.csv").write_text(HEADING + RECORD, "utf-8")
    with_one = accused(pack)
    assert len(with_one) < len(without_file)
    (pack / "provenance.csv").write_text(HEADING, "utf-8")
    assert accused(pack) == with_one
