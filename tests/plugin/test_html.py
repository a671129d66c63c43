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
from click.testing import CliRunner
from lxml import html
from PIL import Image
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.bill import Amount
from vassal_umpire.model.board import Board, Hex, Line
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Displacement, Game, Place, Rules, Source, StepRef
from vassal_umpire.model.hexgrid import Axial, neighbours
from vassal_umpire.model.unit import Unit
from vassal_umpire.model.viewer import DIRECTOR, EVERYONE, Viewer
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.art import MOST_COUNTER_PIXELS, _open, _vector
from vassal_umpire.plugin.auditing import audit_game, open_game, scene_of, seen_by
from vassal_umpire.plugin.pictures import Studio, TooLarge
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.atlas import Atlas
from vassal_umpire.plugin.reports.drawing import side_colours
from vassal_umpire.plugin.reports.html import REPORT
from vassal_umpire.plugin.reports.outline import corners_of, regular_centre
from vassal_umpire.plugin.reports.phrases import short_amount
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.reports.staging import stage

CROSSROADS = Path(__file__).resolve().parents[2] / "samples" / "crossroads"
LOGS = (CROSSROADS / "turn-1.vlog", CROSSROADS / "turn-2.vlog")


def rendered(*, map_images: bool = True) -> str:
    opened = open_game(Named(LOGS), EVERYONE, DEFAULT_LIMITS)
    shown = seen_by(audit_game(opened, None), EVERYONE)
    scene = scene_of(opened, EVERYONE, DEFAULT_LIMITS, map_images=map_images)
    return REPORT.render(shown, ReportOptions(scene=scene))


@pytest.fixture(scope="module")
def page() -> str:
    return rendered()


@pytest.fixture(scope="module")
def tree(page: str) -> html.HtmlElement:
    return html.document_fromstring(page)


def test_the_same_audit_gives_the_same_page(page: str) -> None:
    assert rendered() == page


def test_it_asks_nothing_of_anybody(tree: html.HtmlElement) -> None:
    for element in tree.iter():
        for key in ("src", "href", "action", "data", "poster", "srcset"):
            assert element.get(key, "#").startswith(("#", "data:")), (element.tag, key)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; img-src data:;")


def test_every_finding_and_move_of_the_json_report_is_on_it(tree: html.HtmlElement) -> None:
    result = CliRunner().invoke(cli.main, ["audit", *map(str, LOGS), "--format", "json"])
    told = json.loads(result.stdout)
    rows = tree.xpath("//table[contains(@class,'findings')]/tbody/tr")
    assert [row.get("data-kind") for row in rows] == [f["kind"] for f in told["findings"]]
    moves = {int(row.get("data-move")): row for row in tree.xpath("//tr[@data-move]")}
    assert set(moves) == {m["id"] for m in told["moves"] + told["not_judged"]}
    for move in told["moves"]:
        assert moves[move["id"]].get("data-verdict") == move["verdict"]
    for source in told["sources"]:
        assert source["sha256"] in tree.text_content()
    for key, clause in told["clauses"].items():
        if key.startswith("GEN-"):
            assert clause["text"] in tree.text_content()


def test_a_finding_links_to_the_map_and_the_map_to_the_finding(tree: html.HtmlElement) -> None:
    linked = {link[1:] for link in tree.xpath("//a/@href") if link.startswith("#")}
    ids = set(tree.xpath("//@id"))
    assert linked - ids == set()
    (article,) = tree.xpath("//article[@id='finding-4']")
    assert "short by 2 MP; declared 4" in " ".join(article.text_content().split())
    assert article.xpath(".//*[contains(@class,'crop')]//*[contains(@class,'paid')]")
    drawn = {int(n) for n in tree.xpath("//*[@id='board']//*[@data-move]/@data-move")}
    assert drawn == {int(row.get("data-move")) for row in tree.xpath("//tr[@data-move]")}


def test_the_map_can_be_left_out(page: str) -> None:
    assert "data:image/jpeg" in page
    plain = rendered(map_images=False)
    assert "data:image/jpeg" not in plain
    assert "data:image/png" in plain  # the counters stay


def test_what_comes_from_files_is_text(page: str) -> None:
    wicked = '</script><script>alert(1)</script><img src=x onerror="alert(1)">'
    opened = open_game(Named(LOGS), EVERYONE, DEFAULT_LIMITS)
    audited = seen_by(audit_game(opened, None), EVERYONE)
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


def test_what_cannot_be_seen_in_a_text_is_spelt_out() -> None:
    wicked = "A\u202eB\x07C\ud800  D"
    audited = Audit(wicked, "generic", "1", (Source(wicked, "log", "00"),), (), ())
    written = REPORT.render(audited, ReportOptions(scene=stage(a_game(name=wicked), EVERYONE)))
    assert "A\\u202eB\\x07C\\ud800  D" in html.document_fromstring(written).text_content()
    assert not set("\u202e\x07\ud800") & set(written)
    told = html.document_fromstring(written).xpath("//script[@id='told']")[0].text
    assert json.loads(told)["units"][0]["name"] == "A\\u202eB\\x07C\\ud800  D"


def test_analysis_documents_are_drawn_too(tmp_path: Path) -> None:
    runner, document, out = CliRunner(), tmp_path / "game.json", tmp_path / "page.html"
    named = ["convert", str(LOGS[0]), "--pack", str(CROSSROADS / "pack"), "-o", str(document)]
    assert runner.invoke(cli.main, named).exit_code == 0
    assert runner.invoke(cli.main, ["audit", str(document), "-o", str(out)]).exit_code == 1
    tree = html.document_fromstring(out.read_text("utf-8"))
    assert tree.xpath("//*[@id='board']//*[@data-move='8']/@d")


def test_the_legend_gives_a_side_the_colour_its_counters_have(tree: html.HtmlElement) -> None:
    assert tree.xpath("//*[@class='legend']/li[@class='side']") == []  # pictures have their own
    empty = Audit("", "generic", "1", (), (), ())
    drawn = html.document_fromstring(
        REPORT.render(empty, ReportOptions(scene=stage(a_game(), EVERYONE)))
    )
    (side,) = drawn.xpath("//*[@class='legend']/li[@class='side']")
    assert side.text_content() == "Blue"


def test_an_empty_audit_is_a_page() -> None:
    tree = html.document_fromstring(
        REPORT.render(Audit("", "generic", "1", (), (), ()), ReportOptions())
    )
    assert "Nothing was found" in tree.text_content()


# -- what is drawn -------------------------------------------------------------------------------------


def a_game(*, name: str = "Ghost", seen_by: tuple[str, ...] | None = None) -> Game:
    hexes = {
        f"{q}{r}": Hex(f"{q}{r}", Axial(q, r), ("clear",), sheet="s")
        for q in range(3)
        for r in range(3)
    }
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


def test_counters_lie_where_they_lay_at_each_step() -> None:
    atlas = Atlas(stage(a_game(), EVERYONE))
    assert atlas.scene.steps == (StepRef(1, 0), StepRef(1, 3))
    assert [atlas.lying(stop) for stop in (0, 1)] == [[(0, "11")], [(0, "12")]]
    assert [atlas.stop(StepRef(1, n)) for n in (0, 2, 3, 9)] == [0, 0, 1, 1]


def test_hexsides_are_drawn_where_two_hexes_meet() -> None:
    scene = stage(a_game(), EVERYONE)
    (side,) = scene.maps[0].hexsides
    one, other = scene.cell("11"), scene.cell("12")
    assert one is not None
    assert other is not None
    (ax, ay), (bx, by) = side.ends
    assert (ax + bx) / 2 == pytest.approx((one.x + other.x) / 2, abs=0.1)
    assert (ay + by) / 2 == pytest.approx((one.y + other.y) / 2, abs=0.1)


def test_blocks_hold_every_hex_once() -> None:
    hexes = {f"{n}": Hex(f"{n}", Axial(n, 0), ("clear",), sheet="s") for n in range(-40, 40)}
    game = replace(a_game(), board=Board("b", hexes), opening={}, events=())
    scene = stage(game, EVERYONE)
    blocks = Atlas(scene).blocks(scene.maps[0])
    assert len(blocks) > 2
    assert sorted(c.name for block in blocks for c in block) == sorted(hexes)


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


def test_a_single_hex_has_an_outline_all_the_same() -> None:
    assert corners_of({Axial(0, 0): (0.0, 0.0)}) == corners_of(
        {at: regular_centre(at) for at in neighbours(Axial(0, 0))}
    )


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("1/2", "1/2", "½"),
        ("5/2", "5/2", "2½"),
        ("1", None, "1+"),
        ("1", "3", "1–3"),
        ("2/7", "2/7", "2/7"),
    ],
)
def test_amounts_are_short_on_the_map(low: str, high: str | None, text: str) -> None:
    assert short_amount(Amount(Fraction(low), None if high is None else Fraction(high))) == text


def test_sides_have_the_colours_their_names_suggest_and_never_one_for_two() -> None:
    assert side_colours(["Red", "Blue"]) == {"Red": "#a8382f", "Blue": "#3a6ea8"}
    colours = side_colours(["Blue", "French", "Union", "Yellow"])
    assert len(set(colours.values())) == 4


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
        b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="a()">'
        b'<script>a()</script><image xlink:href="http://example.org/x.png"/><style>@import "x"</style>'
        b'<use xlink:href="#r"/><use xlink:href="http://example.org/y.svg#r"/>'
        b'<rect id="r" fill="url(#g)" stroke="url(http://example.org/z)"/></svg>'
    )
    uri = _vector(OneFile(drawing), "x.svg", DEFAULT_LIMITS)  # type: ignore[arg-type]
    kept = base64.b64decode(uri.split(",")[1]).decode()
    assert not re.search(r"script|onload|image|style|example\.org", kept)
    assert 'fill="url(#g)"' in kept
    assert 'href="#r"' in kept
    assert _vector(OneFile(b"<!DOCTYPE svg><svg/>"), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]
    assert _vector(OneFile(b"<svg>" + b" " * 70_000), "x.svg", DEFAULT_LIMITS) == ""  # type: ignore[arg-type]


def test_an_svg_that_draws_a_few_things_a_billion_times_is_left_out() -> None:
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


def test_a_counter_the_size_of_a_map_is_not_decoded() -> None:
    def picture(side: int) -> OneFile:
        written = io.BytesIO()
        Image.new("1", (side, side)).save(written, "PNG")
        return OneFile(written.getvalue())

    def opened(side: int) -> Image.Image | None:
        return _open(picture(side), "x.png", Studio(), 96, MOST_COUNTER_PIXELS)  # type: ignore[arg-type]

    assert opened(1000) is not None
    with pytest.raises(TooLarge):
        opened(4100)
