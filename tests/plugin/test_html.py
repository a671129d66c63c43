"""The page: what is on it, what is not, and that it is the same every time."""

from __future__ import annotations

import base64
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from lxml import html
from PIL import Image
from vassal_umpire.importers.vassal.grids import BoardGrid, HexGrid, Numbering, ZonedGrid
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line, edge
from vassal_umpire.model.boards import BoardChange
from vassal_umpire.model.finding import Audit, PhaseView
from vassal_umpire.model.game import (
    Displacement,
    Game,
    Gap,
    PhaseStart,
    Place,
    Rules,
    Source,
    StepRef,
    Witness,
)
from vassal_umpire.model.hexgrid import Axial, neighbours
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin.art import MOST_COUNTER_PIXELS, _open, _shows_names, _vector
from vassal_umpire.plugin.auditing import audit_game, open_game, scene_of
from vassal_umpire.plugin.pictures import Studio, TooLarge
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.atlas import Atlas
from vassal_umpire.plugin.reports.drawing import side_colours
from vassal_umpire.plugin.reports.how_to_read import how_to_read
from vassal_umpire.plugin.reports.html import REPORT
from vassal_umpire.plugin.reports.phrases import short_amount
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import corners_of, regular_centre, stage

from . import kit
from .kit import LOGS, PACK


def rendered(*, map_images: bool = True) -> str:
    opened = open_game(Named(LOGS), EVERYONE, DEFAULT_LIMITS)
    shown = audit_game(opened, None)
    scene = scene_of(opened, EVERYONE, DEFAULT_LIMITS, map_images=map_images)
    return REPORT.render(shown, ReportOptions(scene=scene))


@pytest.fixture(scope="module")
def page() -> str:
    return rendered()


@pytest.fixture(scope="module")
def tree(page: str) -> html.HtmlElement:
    return html.document_fromstring(page)


def test_the_same_audit_gives_the_same_page_and_the_map_can_be_left_out(page: str) -> None:
    assert rendered() == page
    assert "data:image/webp" in page
    plain = rendered(map_images=False)
    assert "data:image/webp" not in plain
    assert "data:image/png" in plain  # the counters stay


def test_it_asks_nothing_of_anybody_and_links_findings_and_map(tree: html.HtmlElement) -> None:
    for element in tree.iter():
        for key in ("src", "href", "action", "data", "poster", "srcset"):
            assert element.get(key, "#").startswith(("#", "data:")), (element.tag, key)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; img-src data:;")
    linked = {link[1:] for link in tree.xpath("//a/@href") if link.startswith("#")}
    ids = set(tree.xpath("//@id"))
    assert linked - ids == set()
    (article,) = tree.xpath("//article[@id='finding-3']")
    assert "short by 2 MP; declared 4" in " ".join(article.text_content().split())
    assert article.xpath(".//*[contains(@class,'crop')]//*[contains(@class,'paid')]")
    drawn = {int(n) for n in tree.xpath("//*[@id='board']//*[@data-move]/@data-move")}
    assert drawn == {int(one[5:]) for one in ids if one.startswith("move-")}


def test_every_finding_and_move_of_the_json_report_is_on_it(tree: html.HtmlElement) -> None:
    told = kit.report_of(*LOGS)
    rows = tree.xpath("//table[contains(@class,'findings')]//td[@class='why']")
    wrong = [f for f in told["findings"] if f["kind"] not in ("unverifiable", "note")]
    assert len(rows) == len(wrong) == 3
    for finding in told["findings"]:
        assert finding["explanation"].split(": ", 1)[-1] in tree.text_content()
    moves = {int(row.get("id")[5:]): row for row in tree.xpath("//tr[starts-with(@id,'move-')]")}
    assert set(moves) == {m["id"] for m in told["moves"] + told["not_judged"]}
    for move in told["moves"]:
        assert moves[move["id"]][1].text.strip() == move["verdict"]
    for source in told["sources"]:
        assert source["sha256"] in tree.text_content()
    for key, clause in told["clauses"].items():
        if key.startswith("GEN-"):
            assert clause["text"] in tree.text_content()


def test_what_comes_from_files_is_text_that_can_be_seen(page: str) -> None:
    wicked = '</script><script>alert(1)</script><img src=x onerror="alert(1)">'
    opened = open_game(Named(LOGS), EVERYONE, DEFAULT_LIMITS)
    audited = audit_game(opened, None)
    game = opened.game
    units = {
        n: Unit(n, wicked, u.side, u.kind, u.attributes, u.seen_by) for n, u in game.units.items()
    }
    hexes = {
        n: Hex(n, h.at, (wicked,), None, (wicked,), h.sheet) for n, h in game.board.hexes.items()
    }
    board = Board(wicked, hexes, game.board.sides, game.board.lines)
    named = Game(wicked, board, (wicked,), units, game.opening, game.events, Rules("generic"))
    audited = replace(audited, title=wicked, names=dict.fromkeys(audited.names, wicked))
    written = REPORT.render(audited, ReportOptions(scene=stage(named, EVERYONE)))
    assert "<img" not in written
    assert written.count("<script") == page.count("<script")
    told = html.document_fromstring(written).xpath("//script[@id='told']")[0].text
    assert json.loads(told)["units"][0]["name"] == wicked
    wicked = "A\u202eB\x07C\ud800  D"
    audited = Audit(wicked, "generic", "1", (Source(wicked, "log", "00"),), (), ())
    written = REPORT.render(audited, ReportOptions(scene=stage(a_game(name=wicked), EVERYONE)))
    assert "A\\u202eB\\x07C\\ud800  D" in html.document_fromstring(written).text_content()
    assert not set("\u202e\x07\ud800") & set(written)
    told = html.document_fromstring(written).xpath("//script[@id='told']")[0].text
    assert json.loads(told)["units"][0]["name"] == "A\\u202eB\\x07C\\ud800  D"


def test_analysis_documents_are_drawn_too(tmp_path: Path) -> None:
    document, out = tmp_path / "game.json", tmp_path / "page.html"
    kit.done("convert", LOGS[0], "--pack", PACK, "-o", document)
    assert kit.umpire("audit", document, "-o", out).exit_code == 1
    tree = html.document_fromstring(out.read_text("utf-8"))
    assert tree.xpath("//*[@id='board']//*[@data-move='8']/@d")


def test_the_legend_has_the_colours_of_sides(tree: html.HtmlElement) -> None:
    assert tree.xpath("//*[@class='legend']/li[@class='side']") == []  # pictures have their own
    empty = Audit("", "generic", "1", (), (), ())
    options = ReportOptions(scene=stage(a_game(), EVERYONE))
    drawn = html.document_fromstring(REPORT.render(empty, options))
    (side,) = drawn.xpath("//*[@class='legend']/li[@class='side']")
    assert side.text_content() == "Blue"
    tree = html.document_fromstring(REPORT.render(empty, ReportOptions()))
    assert "there was no move to judge" in tree.text_content()


def a_game(*, name: str = "Ghost", seen_by: tuple[str, ...] | None = None) -> Game:
    names = [(f"{q}{r}", Axial(q, r)) for q in range(3) for r in range(3)]
    hexes = {n: Hex(n, at, ("clear",), sheet="s") for n, at in names}
    step = StepRef(1, 3)
    there = Displacement(step, "u", Place("hex", "11"), Place("hex", "12"))
    return Game(
        "t",
        Board("b", hexes, {("11", "12"): ("river",)}, (Line("road", ("11", "12")),)),
        ("Blue", "Red"),
        {"u": Unit("u", name, "Blue", seen_by=seen_by)},
        {"u": Place("hex", "11")},
        (there,),
        Rules("generic"),
    )


@pytest.mark.parametrize(
    ("viewer", "shown"), [(EVERYONE, 0), (Viewer("Red"), 0), (Viewer("Blue"), 1), (DIRECTOR, 1)]
)
def test_hidden_units_are_drawn_for_those_who_may_know(viewer: Viewer, shown: int) -> None:
    scene = stage(a_game(seen_by=("Blue",)), viewer)
    assert len(scene.counters) == shown
    assert ("Ghost" in repr(scene)) == bool(shown)
    assert (StepRef(1, 3) in scene.steps) == bool(shown)


def test_counters_hexsides_and_phases_are_drawn_where_they_are() -> None:
    atlas = Atlas(stage(a_game(), EVERYONE))
    assert atlas.scene.steps == (StepRef(1, 0), StepRef(1, 3))
    assert [atlas.lying(stop) for stop in (0, 1)] == [[(0, "11")], [(0, "12")]]
    assert [atlas.stop(StepRef(1, n)) for n in (0, 2, 3, 9)] == [0, 0, 1, 1]
    scene = stage(a_game(), EVERYONE)
    (side,) = scene.maps[0].hexsides
    one, other = scene.cell("11"), scene.cell("12")
    assert one is not None
    assert other is not None
    (ax, ay), (bx, by) = side.ends
    assert (ax + bx) / 2 == pytest.approx((one.x + other.x) / 2, abs=0.1)
    assert (ay + by) / 2 == pytest.approx((one.y + other.y) / 2, abs=0.1)
    game = replace(a_game(), events=(phase(2, "Movement", last=4), phase(7, "Combat")))
    steps = (StepRef(1, 2), StepRef(1, 5), StepRef(1, 7))
    told = ("Turn 1, Movement, Blue", "", "Turn 1, Combat, Blue")
    assert stage(game, EVERYONE).phases == tuple(zip(steps, told, strict=True))


@pytest.mark.parametrize(("viewer", "shown"), [(EVERYONE, 0), (Viewer("Blue"), 1), (DIRECTOR, 1)])
def test_what_was_moved_between_logs_is_drawn_in_the_later(viewer: Viewer, shown: int) -> None:
    places = {name: Place("hex", name) for name in ("12", "22")}
    a, b = places["12"], places["22"]
    ends = ((a, b), (a, a, "flipped"), (None, a))
    gaps = tuple(Gap(2, "u", "Ghost", *end) for end in ends)
    game = replace(a_game(seen_by=("Blue",)), gaps=gaps)
    atlas = Atlas(stage(game, viewer))
    drawn = list(atlas.moved_between(0))
    assert [(moved.name, moved.hexes) for moved, _, _ in drawn] == [("Ghost", ("12", "22"))] * shown
    for _, points, (since, until) in drawn:
        ends = [atlas.scene.cell(name) for name in ("12", "22")]
        assert points == [(end.x, end.y) for end in ends if end is not None]
        assert atlas.scene.steps[since] == StepRef(2, 0)
        assert until == since + 1
    page = REPORT.render(Audit("", "generic", "1", (), (), ()), ReportOptions(scene=atlas.scene))
    assert ("moved between logs" in page) == bool(shown)


def test_blocks_outlines_and_the_colours_of_sides() -> None:
    hexes = {f"{n}": Hex(f"{n}", Axial(n, 0), ("clear",), sheet="s") for n in range(-40, 40)}
    game = replace(a_game(), board=Board("b", hexes), opening={}, events=())
    scene = stage(game, EVERYONE)
    blocks = Atlas(scene).blocks(scene.maps[0])
    assert len(blocks) > 2
    assert sorted(c.name for block in blocks for c in block) == sorted(hexes)
    assert corners_of({Axial(0, 0): (0.0, 0.0)}) == corners_of(
        {at: regular_centre(at) for at in neighbours(Axial(0, 0))}
    )
    assert side_colours(["Red", "Blue"]) == {"Red": "#a8382f", "Blue": "#3a6ea8"}
    colours = side_colours(["Blue", "French", "Union", "Yellow"])
    assert len(set(colours.values())) == 4


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_outlines_follow_the_grid_however_it_is_turned_and_stretched(turn: int) -> None:
    def put(at: Axial) -> tuple[float, float]:
        x, y = regular_centre(at)
        return [(x, y), (y * 1.5, x), (-x, 0.7 * y)][turn]

    centres = {at: put(at) for at in (Axial(0, 0), *neighbours(Axial(0, 0)))}
    corners = corners_of(centres)
    around = [put(at) for at in neighbours(Axial(0, 0))]
    for i, corner in enumerate(corners):
        (ax, ay), (bx, by) = around[i - 1], around[i]
        assert corner == pytest.approx(((ax + bx) / 3, (ay + by) / 3), abs=0.02)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("1/2", "1/2", "½"),
        ("5/2", "5/2", "2½"),
        ("-5/2", "-5/2", "-2½"),
        ("1", None, "1+"),
        ("1", "3", "1–3"),
        ("2/7", "2/7", "2/7"),
    ],
)
def test_amounts_are_short_on_the_map(low: str, high: str | None, text: str) -> None:
    assert short_amount(Amount(Fraction(low), None if high is None else Fraction(high))) == text


class OneFile:
    """An archive that holds one picture."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __contains__(self, name: str) -> bool:
        return True

    def size(self, name: str) -> int:
        return len(self.data)

    def read(self, name: str) -> bytes:
        return self.data


def test_of_an_svg_only_what_is_drawn_is_kept() -> None:
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="a()">\n '
        b'<script>a()</script><image xlink:href="http://example.org/x.png"/><style>@import "x"</style>'
        b'<use xlink:href="#r"/><use xlink:href="http://example.org/y.svg#r"/>'
        b'<rect id="r" fill="url(#g)" stroke="url(http://example.org/z)"/>\n'
        b"<text>a <tspan>b</tspan> c</text></svg>"
    )
    uri = _vector(OneFile(drawing), "x.svg", DEFAULT_LIMITS)  # type: ignore[arg-type]
    kept = base64.b64decode(uri.split(",")[1]).decode()
    assert not re.search(r"script|onload|image|<style|@import|example\.org", kept)
    assert 'fill="url(#g)"' in kept
    assert 'href="#r"' in kept
    assert "<text>a <tspan>b</tspan> c</text></svg>" in kept
    assert "\n" not in kept
    assert "background:#fff" in kept  # for what is not there
    assert _vector(OneFile(b"<!DOCTYPE svg><svg/>"), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]
    assert _vector(OneFile(b"<svg>" + b" " * 70_000), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]


def test_pictures_that_would_cost_too_much_are_left_out() -> None:
    def drawing(levels: int) -> bytes:
        groups = "".join(
            f'<g id="g{n}">' + f'<use href="#g{n - 1}"/>' * 10 + "</g>" for n in range(1, levels)
        )
        text = f'<svg xmlns="http://www.w3.org/2000/svg"><rect id="g0"/>{groups}</svg>'
        return text.encode()

    assert _vector(OneFile(drawing(4)), "x.svg", DEFAULT_LIMITS)  # type: ignore[arg-type]
    assert _vector(OneFile(drawing(10)), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]
    chain = "".join(f'<g id="g{n}"><use href="#g{n - 1}"/></g>' for n in range(1500, 0, -1))
    endless = f'<svg xmlns="http://www.w3.org/2000/svg">{chain}<use id="g0" href="#g1500"/></svg>'
    assert _vector(OneFile(endless.encode()), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]

    def picture(side: int) -> OneFile:
        written = io.BytesIO()
        Image.new("1", (side, side)).save(written, "PNG")
        return OneFile(written.getvalue())

    def opened(side: int) -> Image.Image | None:
        return _open(picture(side), "x.png", Studio(), 96, MOST_COUNTER_PIXELS)  # type: ignore[arg-type]

    assert opened(1000) is not None
    with pytest.raises(TooLarge):
        opened(4100)


def test_what_was_found_comes_first_and_how_to_read_it_is_told(tree: html.HtmlElement) -> None:
    heads = [" ".join(h.text_content().split()) for h in tree.xpath("//h2")]
    assert heads == [
        "Findings (3)",
        "What was found",
        "Open questions, and what would settle them (1)",
        "All moves (16)",
        "Notes (2)",
        "What this rests on",
    ]
    numbers = [a.text for a in tree.xpath("//table[contains(@class,'findings')]//td[@class='n']/a")]
    assert numbers == ["1", "2", "3"]
    first = " ".join(tree.xpath("//p[@class='sentence']")[0].text_content().split())
    assert first == (
        "1 illegal move, 1 overstack and 1 missed MP cost found; 14 of 16 drags are judged; 2 could not be"
        " judged: 1 waiting for an answer, 1 by retreat or advance, which these rules do not judge."
    )
    (how,) = tree.xpath("//details[@id='how']")
    said = " ".join(how.text_content().split())
    assert "It accuses nobody." in said
    assert "*" not in said
    docs = Path(__file__).resolve().parents[2] / "docs" / "how-to-read-a-report.md"
    assert docs.read_text("utf-8") == how_to_read()


def many_moves(small_audit: Audit, number: int) -> Audit:
    """Moves of ``number`` turns, each with one that is too dear and one that waits for the same answer."""
    _, short, waits, _ = small_audit.moves
    missed = small_audit.findings[0]
    moves, findings = [], []
    for turn in range(1, number + 1):
        phase = PhaseView(f"Turn {turn}", "Movement", "Blue")
        step = (StepRef(1, turn),)
        for judged in (short, waits):
            moved = replace(judged.move, id=len(moves) + 1, phase=phase, steps=step)
            moves.append(replace(judged, move=moved))
        findings.append(replace(missed, phase=phase, steps=step, moves=(len(moves) - 1,)))
    return replace(small_audit, moves=tuple(moves), findings=tuple(findings))


def test_a_long_game_is_folded_by_phase_and_a_question_stands_once(small_audit: Audit) -> None:
    audit = many_moves(small_audit, 40)
    tree = html.document_fromstring(REPORT.render(audit, ReportOptions()))
    groups = tree.xpath("//section[@class='details']/details")
    assert len(groups) == 40
    assert sum(group.get("open") is not None for group in groups) == 12
    for several in (1, 30):
        crowd = replace(audit, findings=audit.findings[:1] * several)
        drawn = html.document_fromstring(REPORT.render(crowd, ReportOptions()))
        folded = drawn.xpath("//section[@class='details']/details/details//article")
        assert len(folded) == max(0, several - 12)
    said = " ".join(groups[0].xpath("./summary")[0].text_content().split())
    assert said == "Turn 1, Movement, Blue Blue (Ann): 1 missed MP cost"
    (outer,) = tree.xpath("//section[@id='all-moves']/details")
    assert outer.get("open") is None
    first = " ".join(outer.xpath("./details[1]/summary")[0].text_content().split())
    assert first == "Turn 1, Movement, Blue Blue (Ann): 1 illegal, 1 unverifiable"
    written = REPORT.render(many_moves(small_audit, 40), ReportOptions())
    assert written.count("Which terrain is hex 0305?") == 1
    (asked,) = html.document_fromstring(written).xpath("//section[@id='questions']/details")
    assert "40 moves" in asked.xpath("./summary")[0].text_content()
    assert len(asked.xpath(".//a[starts-with(@href,'#move-')]")) == 40


def test_rows_of_open_moves_and_notes_say_what_there_is_to_say(small_audit: Audit) -> None:
    bill = small_audit.moves[0].bill
    waits = replace(small_audit.moves[2], bill=bill, remark="the phase is not known")
    audit = replace(small_audit, moves=(waits,), findings=())
    tree = html.document_fromstring(REPORT.render(audit, ReportOptions()))
    (row,) = tree.xpath("//tr[@id='move-3']")
    assert row[2].text.endswith("(clear 1, road ½ = 1½ of 4 MP; the phase is not known)")
    taken = small_audit.moves[3]
    moves, notes = [], []
    for number in range(1, 21):
        remark = f"taken back at step {number}"
        moves.append(replace(taken, move=replace(taken.move, id=number), remark=remark))
        said = f"4th Foot: the move to 0402 was {remark}"
        note = replace(small_audit.findings[0], kind="note", code="CHK-TAKEBACK", explanation=said)
        notes.append(replace(note, moves=(number,), bill=None))
    audit = replace(small_audit, moves=tuple(moves), findings=tuple(notes))
    tree = html.document_fromstring(REPORT.render(audit, ReportOptions()))
    (group,) = tree.xpath("//section[@id='notes']/details")
    assert "20" in group.xpath("./summary")[0].text_content()
    assert len(group.xpath(".//a[starts-with(@href,'#move-')]")) == 20
    assert group.xpath(".//tr") == []


def phase(at: int, name: str, **more: int) -> PhaseStart:
    last = StepRef(1, more["last"]) if "last" in more else None
    return PhaseStart(StepRef(1, at), "Turn 1", name, "Blue", last=last)


@pytest.mark.parametrize(
    ("grid", "shown"),
    [
        (HexGrid(), False),
        (HexGrid(numbering=Numbering()), True),
        (HexGrid(numbering=Numbering(drawn=True)), False),
        (ZonedGrid((), HexGrid(numbering=Numbering())), True),
        (None, False),
    ],
)
def test_names_of_hexes_are_drawn_where_none_are_shown(grid: BoardGrid | None, shown: bool) -> None:
    assert _shows_names(grid) == shown


# -- The course of a changing board, as the page of a report draws it ------------------------------


AB, BC = edge("a", "b"), edge("b", "c")
HEXES = {n: Hex(n, Axial(0, r), ("clear",), 0) for r, n in enumerate("abc")}
BOARD = Board("Column", HEXES, {AB: ("river", "bridge")}, (Line("road", ("a", "b", "c")),))
EVENTS = (
    Witness(StepRef(1, 1), "roll"),
    BoardChange(StepRef(1, 2), sides={AB: ("river",)}),
    BoardChange(StepRef(1, 2), hexes=(replace(HEXES["b"], terrain=("rubble",)),)),
    Witness(StepRef(1, 3), "roll"),
    BoardChange(StepRef(1, 4), sides={AB: ("river", "bridge")}, gone=(Line("road", ("b", "c")),)),
)
GAME = Game("Column", BOARD, (), {}, {}, EVENTS, Rules("generic"))
PLAIN = replace(GAME, events=EVENTS[:1])


def test_a_board_that_never_changes_is_drawn_once() -> None:
    (a_map,) = stage(PLAIN, EVERYONE).maps
    assert a_map.changed == ()
    assert [(s.kinds, s.while_.since, s.while_.until) for s in a_map.hexsides] == [
        (("river", "bridge"), None, None)
    ]
    assert [way.hexes for way in a_map.ways] == [("a", "b", "c")]


def test_what_changes_is_there_for_its_steps_and_stops_the_slider() -> None:
    (a_map,) = stage(GAME, EVERYONE).maps
    told = [(s.kinds, s.while_.since, s.while_.until) for s in a_map.hexsides]
    two, four = StepRef(1, 2), StepRef(1, 4)
    both = ("river", "bridge")
    assert told == [(both, None, two), (("river",), two, four), (both, four, None)]
    ways = [(w.hexes, w.while_.since, w.while_.until) for w in a_map.ways]
    assert ways == [(("a", "b"), None, None), (("b", "c"), None, four)]
    ((cell, while_),) = a_map.changed
    assert (cell.terrain, while_.since, while_.until) == (("rubble",), two, None)
    scene = stage(GAME, EVERYONE)
    (a_map,) = scene.maps
    stops = [stops for _, _, stops in Atlas(scene).hexsides(a_map)]
    assert stops == [(0, 2), (2, 4), (4, None)]
    assert [step.step for step in scene.steps] == [0, 1, 2, 3, 4]
