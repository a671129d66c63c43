"""What ``umpire game mail`` writes, word for word, and who is told what of it.

With ``UMPIRE_WRITE_MAILS`` set the expected texts are written anew; read them before they are committed.
"""

from __future__ import annotations

import base64
import datetime
import io
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from full_repr import full_repr
from lxml import etree, html
from PIL import Image
from seen import looked_at_by_a_program
from vassal_umpire import __version__
from vassal_umpire.importers.pack.provenance import read_provenance
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.board import Board
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, JudgedMove, Move, PhaseView
from vassal_umpire.model.game import Place, Source, StepRef
from vassal_umpire.model.provenance import Key, Method, Record
from vassal_umpire.plugin import shown as audits_shown
from vassal_umpire.plugin.art import Gallery
from vassal_umpire.plugin.desk.letter import Desk, letter
from vassal_umpire.plugin.desk.mail import file_names
from vassal_umpire.plugin.desk.player_questions import PlayerQuestions, questions_by_player
from vassal_umpire.plugin.desk.status import Status, status_of
from vassal_umpire.plugin.lookers import Lookers
from vassal_umpire.plugin.reports.question_groups import BOTH, KEEPER, OpenQuestion, grouped
from vassal_umpire.plugin.reports.shares import Share
from vassal_umpire.validators.concepts.missing_facts import of_board
from vassal_umpire.validators.suspects import Suspected

from .kit import FEWER_MPS, NO_RIVER, RIVER, TURN_1, TURN_2, Kept

EXPECTED = Path(__file__).with_name("mails")
RECORDS = """\
cell,layer,name,value,status,who,when,method,confidence,picture
0709,terrain,,clear,looked-at,Kite,2026-11-20T10:00:00Z,person: the studio,,
0709,features,,none,looked-at,Kite,2026-11-20T10:05:00Z,person: the studio,,
0608/0709,hexsides,,river,double,Kite + Wren,2026-11-21,person: the studio,,
0508,terrain,,clear,looked-at,a model,2026-11-18,program: the studio,,
0608,terrain,,forest,looked-at,Kite,2026-11-20,person: the studio,,
0808,terrain,,clear,typed,Kite,2026-11-20,person: a table,,
"""


LINE = "\ue000"
BLOCKS = ("h1", "h2", "h3", "p", "li", "tr", "dt", "dd", "figcaption", "table", "article")


def words(page: bytes) -> str:
    """The text of a page, a line for each block."""
    tree = html.document_fromstring(page.decode())
    etree.strip_elements(tree, "style", "script", "svg", "title", with_tail=False)
    for one in tree.iter("td", "th", *BLOCKS):
        mark = " | " if one.tag in ("td", "th") else LINE
        one.text = f"{mark}{one.text or ''}"
        if mark == LINE:
            one.tail = f"{LINE}{one.tail or ''}"
    lines = (" ".join(line.split()) for line in tree.text_content().split(LINE))
    return "".join(f"{line}\n" for line in lines if line)


def texts(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """The texts to compare: pages as what is read on them, the program's version left out."""
    for name, data in files.items():
        told = words(data) if name.endswith(".html") else data.decode()
        stem = name.replace(".html", ".txt")
        yield stem, told.replace(f"vassal-umpire {__version__}", "vassal-umpire VERSION")


@pytest.fixture(scope="module")
def mail(first_ruled: Kept) -> dict[str, bytes]:
    return first_ruled.mailed()


def test_the_mail_of_the_sample_game_word_for_word(mail: dict[str, bytes]) -> None:
    assert set(mail) == {
        "all.html", "all.md", "Blue.html", "Blue.md", "Red.html", "Red.md", "annotated-turn-2.vlog",
    }  # fmt: skip
    found = dict(texts({name: data for name, data in mail.items() if "vlog" not in name}))
    for name, told in found.items():
        if os.environ.get("UMPIRE_WRITE_MAILS"):
            (EXPECTED / name).write_text(told, "utf-8")
        assert told == (EXPECTED / name).read_text("utf-8"), name
    for name, data in mail.items():
        if name.endswith(".md"):
            assert not re.search(r"(?<!\\)<", data.decode()), name
    assert "To Blue (Wren):" in mail["Blue.md"].decode()
    assert "Blue 5 Inf 0106 → 0110 (step 13 of log 1)" in mail["Blue.md"].decode()
    assert "To Blue" not in mail["Red.md"].decode()  # Red cannot answer it


def test_the_texts_for_forums_as_bbcode(ruled: Kept) -> None:
    text = ruled.mailed("--format", "bbcode")["all.bbcode.txt"].decode()
    assert "[b]Blue 4 Inf: missed MP cost ([i]4d787a62018b[/i])[/b]" in text
    assert re.search(r"^0709 +2 +river +GEN-HEXSIDE$", text, re.M)
    assert text.count("[list]") + text.count("[list=1]") == text.count("[/list]")
    assert not re.search(r"^#|^\||\*\*", text, re.M)


def looked(game: Kept) -> str:
    """What the mail says of who looked at the cells beside the hexside that was crossed."""
    page = words(game.mailed()["all.html"])
    (told,) = [line for line in page.splitlines() if "0608/0709" in line and "looked" in line]
    return told


def test_beside_each_charge_stands_who_looked_at_its_cells(begun: Kept, tmp_path: Path) -> None:
    """By the records of a pack; for who did not look, nobody would be accused by them (see test_looks)."""
    opened, audited = begun.audited()
    (crossed,) = [
        f for f in audited.findings if f.code == "GEN-ALLOWANCE" and "0608" in full_repr(f.bill)
    ]
    (tmp_path / "provenance.csv").write_text(RECORDS, "utf-8")
    assert opened.backdrop is not None
    records, problems = read_provenance(tmp_path / "provenance.csv")
    assert problems == ()
    pack = replace(opened.backdrop.pack, records=records)
    told = " ".join(Lookers(opened.game.board, pack).of(crossed.bill, crossed.steps))
    assert "A program (a model) looked on 2026-11-18 at the terrain of hex 0508." in told
    assert "Kite looked on 2026-11-20 at hex 0709." in told
    assert "Kite and Wren looked on 2026-11-21 at what lies on hexside 0608/0709." in told
    typed = (
        "Nobody is recorded as having looked at what Kite typed in on 2026-11-20: the terrain of"
        " hex 0808."
    )
    assert typed in told
    bare = told[told.index("at the features of") :]
    assert bare.startswith("at the features of hexes 0508, 0808;")
    assert "; hex 0608;" in bare  # its record speaks of another terrain
    assert "; the lines across hexside 0608/0709" in bare


@pytest.mark.usefixtures("unsuspected")
def test_cells_that_the_facts_of_the_game_tell_are_not_called_unseen(empty: Kept) -> None:
    empty.write_facts(
        '[facts]\nlogs = ["turn-1.vlog", "turn-2.vlog"]\n\n'
        '[[hex]]\nhex = "0508"\nterrain = ["clear"]\n\n'
        '[[hex]]\nhex = "0608"\nfeatures = []\nlog = "turn-2.vlog"\n\n'
        '[[line]]\nkind = "road"\nhexes = ["0608", "0709"]\nthere = false\n'
    )
    empty.add(TURN_1)
    told = looked(empty)
    assert "The facts of the game (facts.toml line 4) tell the terrain of hex 0508." in told
    road = "The facts of the game (facts.toml line 13) tell the road across hexside 0608/0709."
    assert road in told
    bare = told[told.index("Nobody is recorded") :]
    assert "the features of hex 0508; " in bare
    assert "; hexes 0608, 0709, 0808; " in bare  # features of 0608 are told for another log


def test_what_a_program_suggested_was_looked_at_by_nobody(begun: Kept) -> None:
    opened, _ = begun.audited()
    assert opened.backdrop is not None
    method = Method("program", "map colours")
    at = Key("0709", "terrain")
    record = Record(at, "clear", "suggested", ("colours",), "2026-11-19", method)
    pack = replace(opened.backdrop.pack, records=(record,))
    charge = Charge("0709", Amount.exactly(1), "GEN-TERRAIN", "clear", origin="elsewhere")
    found = Lookers(opened.game.board, pack).of(Bill((charge,), Amount.exactly(1)))
    assert found == (
        "Nobody is recorded as having looked at what a program (colours) suggested on 2026-11-19: the"
        " terrain of hex 0709.",
        "Nobody is recorded as having looked at the features of hex 0709.",
    )


@pytest.mark.parametrize(("blue", "warned"), [(7, True), (9, False)])
def test_a_share_that_is_much_smaller_is_warned_of(empty: Kept, blue: int, warned: bool) -> None:
    shares = {"Blue": Share(blue, 10), "Red": Share(5, 5), "side not known": Share(0, 0)}
    verdicts = {"legal": 9, "illegal": 1, "unverifiable": 5}
    status = Status(PhaseView(), verdicts, shares, (), (), (), False)
    audit = Audit("Game", "generic", "1", (), (), ())
    desk = Desk(empty.read(), status, {}, Lookers(Board("Board", {}), None))
    text = " ".join(letter(desk, audit, "For all", None).summary)
    said = (
        f"{blue} of the 10 moves of Blue (Wren) ({10 * blue}%) and 5 of the 5 moves of Red (Tarn)"
    )
    assert said in text
    assert "side not known" not in text
    assert ("Less is known about the moves of Blue (Wren), so fewer offences" in text) == warned


def test_where_nobody_is_accused_it_is_said_what_that_is_worth(empty: Kept) -> None:
    verdicts = {"legal": 1, "illegal": 0, "unverifiable": 0}
    status = Status(PhaseView(), verdicts, {}, (), (), (), False)
    pack = Source("pack", "pack", "0" * 64)
    audit = Audit("Game", "generic", "1", (pack,), (), (), unseen=True)
    desk = Desk(empty.read(), status, {}, Lookers(Board("Board", {}), None))
    text = " ".join(letter(desk, audit, "For all", None).summary)
    assert "Power: the pack does not say how many errors an audit with it would find" in text
    assert "Map: no person is recorded as having looked at it" in text


def test_beside_offences_it_is_said_what_nobody_looked_at(begun: Kept) -> None:
    opened, audited = begun.audited()
    game, whole = begun.read(), replace(audited, unlooked=("stacking",))
    status = status_of(game, opened.game, whole, whole, datetime.date(2026, 1, 1))
    desk = Desk(game, status, {}, Lookers(Board("Board", {}), None))
    summary = letter(desk, whole, "For all", None).summary
    assert "3 offences found: 3 without a ruling." in summary
    assert any(one.startswith("Stacking was not checked") for one in summary)


@pytest.mark.parametrize(("number", "last"), [(2, RIVER), (1, "5f7d94c0f021")])
def test_what_waits_for_a_ruling_is_told_in_full_before_what_is_settled(
    ruled: Kept, monkeypatch: pytest.MonkeyPatch, number: int, last: str
) -> None:
    monkeypatch.setattr("vassal_umpire.plugin.desk.letter.FULL_OFFENCES", number)
    text = ruled.mailed()["all.md"].decode()
    assert len(re.findall(r"^### ", text, re.M)) == number
    assert re.search(rf"^- {last}  ", text, re.M), text
    assert f"- {RIVER}  Blue 4 Inf, step 11 of log 1: missed MP cost; upheld" in text


def test_whole_reports_and_rulings_to_look_at_again_are_told(ruled: Kept) -> None:
    files = ruled.mailed("--full")
    assert {name for name in files if name.startswith("report-")} == {
        "report-all.html", "report-Blue.html", "report-Red.html",
    }  # fmt: skip
    told = words(files["report-Red.html"])
    assert "upheld: the river was overlooked (Kite, 2026-11-23)" in told
    assert "shows what side Red may see" in told
    ruled.write_facts(FEWER_MPS)
    text = ruled.mailed()["all.md"].decode()
    assert "3 offences found: 2 without a ruling, 1 to be looked at again." in text


def test_small_maps_are_of_the_modules_map(
    mail: dict[str, bytes], ruled: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = mail["all.html"].decode()
    offences = page[: page.index("Open questions")]
    maps = re.findall(r'<svg class="cutout".*?</svg>', offences, re.S)
    assert len(maps) == 3
    for drawn in maps:
        found = re.search(r'<image href="data:image/webp;base64,([^"]+)"', drawn)
        assert found
        with Image.open(io.BytesIO(base64.b64decode(found[1]))) as picture:
            picture.load()
            assert 100 < max(picture.size) <= 560
            colours = picture.convert("RGB").getcolors(1_000_000)
        assert colours
        assert len(colours) > 100  # no empty sheet
    assert all(">0608</text>" in drawn for drawn in maps[2:])
    monkeypatch.setattr(Gallery, "picture", lambda *_: None)
    page = ruled.mailed()["all.html"].decode()
    drawn = re.findall(r'<svg class="cutout".*?</svg>', page, re.S)[0]
    assert "image/webp" not in drawn
    assert ">0606</text>" in drawn


@pytest.mark.usefixtures("unsuspected")
def test_a_look_is_asked_with_the_map_and_what_the_pack_has_over_it(
    begun: Kept, tmp_path: Path
) -> None:
    looked_at_by_a_program(tmp_path / "seen")
    begun.edit(r'(?m)^pack = ".*"$', f'pack = "{tmp_path / "seen"}"')
    files = begun.mailed()
    page = files["all.html"].decode()
    asked = re.findall(r'<div class="look">.*?<svg class="cutout".*?</svg>', page, re.S)
    (look,) = [one for one in asked if "the map around 0408, 0508" in one]
    found = re.search(r'<image href="data:image/webp;base64,([^"]+)"', look)
    assert found
    with Image.open(io.BytesIO(base64.b64decode(found[1]))) as picture:
        assert 200 < max(picture.size) <= 700
    ground, pack = look.split('<g class="pack drawn">')
    assert ">clear</text>" not in ground
    assert pack.count(">clear</text>") == 7  # of the nine hexes asked for; two are woods
    assert '<input type="checkbox" checked>' in ground
    assert "Inf" not in look  # no counters: they hide the map
    told = files["all.md"].decode()
    places = page[page.index("Open questions") :].count('<figure><svg class="cutout"')
    assert "the map around 0110" in page  # whose terrain is asked for
    assert told.count("The page with the same name (.html) has the picture.") == len(asked) + places


def put(audit: Audit, asked: list[OpenQuestion]) -> list[PlayerQuestions]:
    return list(questions_by_player(audit, grouped(asked, {}).groups, {}, None))


def test_a_look_at_the_map_is_asked_of_all_players() -> None:
    """Also where only one side's moves wait for it."""
    place = Place("hex", "0101")
    moved = Move(1, ("a",), place, place, (place,), (True,), (StepRef(1, 1),), PhaseView(), "Blue")
    waits = JudgedMove(moved, "unverifiable")
    look = MissingFact("look 0101", "is everything on the map as the pack has it?", look=("0101",))
    asked = [OpenQuestion(look, (waits,), ())]
    audit = Audit("Game", "generic", "1", (), (), (), names={"a": "A"})
    assert [one.to for one in put(audit, asked)] == [BOTH]
    cost = replace(asked[0], unknown=replace(look, look=()))
    assert [one.to for one in put(audit, [cost])] == ["Blue"]


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        ([f"stop of u{n % 3} at {n}" for n in range(40)], ""),
        ([f"stop of u{n % 6} at {n}" for n in range(40)], "The 6 counters it is about"),
        ([f"hexside 0101/010{n} features" for n in range(5)], "The 5 hexsides it is about"),
        ([f"cost of mud for class {n}" for n in range(6)], ""),
    ],
)
def test_all_that_a_question_is_about_is_counted_and_listed(keys: list[str], title: str) -> None:
    """If its text does not name it all."""
    asked = [OpenQuestion(MissingFact(key, f"{key}?"), (), ()) for key in keys]
    (part,) = put(Audit("Game", "generic", "1", (), (), ()), asked)
    (one,) = part.questions
    assert (one.every[0] if one.every else "") == title


def test_the_keepers_questions_and_the_names_of_pages() -> None:
    costs = MissingFact("cost of mud for foot", "what does mud cost foot?", "pack.toml", "")
    chart = MissingFact("chart x", "what does your game have about x?", "facts.toml", "[[pack]]\n")
    asked = [OpenQuestion(one, (), ()) for one in (costs, chart)]
    hexside = ("0101", "0102")
    asked += [OpenQuestion(of_board((k, *hexside), "foot"), (), ()) for k in ("line", "hexside")]
    audit = Audit("Game", "generic", "1", (), (), ())
    found = {part.to: tuple(one.text for one in part.questions) for part in put(audit, asked)}
    assert list(found) == [BOTH, KEEPER]
    assert found[KEEPER] == ("What does your game have about x?", "What does mud cost foot?")
    lines = "Which roads and the like cross the hexside between 0101 and 0102, if any?"
    sides = "What lies on the hexside between 0101 and 0102 (a river, a bridge …), if anything?"
    assert found[BOTH] == (sides, lines)
    assert file_names(["all", "A/B", "a-b", "ALL", "…"]) == ["all", "A-B", "a-b-2", "ALL-2", "side"]


def test_suspects_are_looked_for_once_for_all(empty: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    look = audits_shown.suspects

    def counted(*arguments: Any, **more: Any) -> Suspected:
        calls.append(arguments)
        return look(*arguments, **more)

    monkeypatch.setattr(audits_shown, "suspects", counted)
    empty.add(TURN_1, TURN_2)
    empty.mailed()
    assert len(calls) == 1


def test_whoever_mails_is_told_for_whom(begun: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    told = begun.run("mail", "-o", begun.desk / "m.zip").stderr
    assert "every other page for its side alone: send nobody the whole zip" in told
    begun.write_facts(NO_RIVER)

    def full(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("vassal_umpire.plugin.commands.game_report.zip_of", full)
        assert begun.run("mail", "-o", begun.desk / "m.zip").exit_code == 2
    told = begun.run("mail", "-o", begun.desk / "m.zip").output
    assert "2 verdicts on earlier moves" in told
