"""Reports of a small audit made by hand."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction

import jsonschema
import pytest
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, Clause, Reading
from vassal_umpire.model.game import Place
from vassal_umpire.model.problem import Problem
from vassal_umpire.plugin.commands.schema import schema_text
from vassal_umpire.plugin.reports.csv import REPORT as CSV
from vassal_umpire.plugin.reports.html import REPORT as HTML
from vassal_umpire.plugin.reports.json import REPORT as JSON
from vassal_umpire.plugin.reports.markdown import REPORT as MARKDOWN
from vassal_umpire.plugin.reports.phrases import compact_bill, due_text
from vassal_umpire.plugin.reports.report import Report, ReportOptions
from vassal_umpire.plugin.reports.routes import route
from vassal_umpire.plugin.reports.text import REPORT as TEXT
from vassal_umpire.validators.concepts.missing_facts import of_board


def as_json(audit: Audit) -> dict:
    return json.loads(JSON.render(audit, ReportOptions()))


def test_the_json_report_fits_its_schema_and_is_the_same_every_time(small_audit: Audit) -> None:
    schema = json.loads(schema_text("report"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(as_json(small_audit), schema)
    empty = Audit("", "generic", "1", (), (), ())
    jsonschema.validate(as_json(empty), schema)
    findings = tuple(replace(one, looked=("Ann looked.",)) for one in small_audit.findings)
    looked_at = as_json(replace(small_audit, findings=findings))
    jsonschema.validate(looked_at, schema)
    assert [one["looked"] for one in looked_at["findings"]] == [["Ann looked."]] * 2
    clauses = dict(reversed(small_audit.clauses.items()))
    readings = dict(reversed(small_audit.readings.items()))
    turned = replace(small_audit, clauses=clauses, readings=readings)
    for report in (JSON, TEXT):
        first = report.render(small_audit, ReportOptions())
        assert first == report.render(turned, ReportOptions())


def test_the_json_report_counts_is_exact_and_lists_what_is_cited(small_audit: Audit) -> None:
    summary = as_json(small_audit)["summary"]
    assert summary["moves"] == 3
    assert summary["not_judged"] == 1
    assert summary["verdicts"] == {"legal": 1, "illegal": 1, "unverifiable": 1}
    assert summary["findings"] == {
        "illegal-move": 0,
        "overstack": 0,
        "missed-mp-cost": 1,
        "unverifiable": 1,
        "note": 0,
    }
    assert [(p["player"], p["side"]) for p in summary["players"]] == [("Ann", "Blue")]
    found = as_json(small_audit)
    legal = found["moves"][0]
    assert legal["units"] == [{"id": "11", "name": "1st Foot"}]
    assert legal["bill"]["total"] == {"lo": "3/2", "hi": "3/2"}
    assert found["moves"][1]["bill"]["shortfall"] == 2
    question, stanza = "Which terrain is hex 0305?", "0305,?,"
    asked = {"question": question, "file": "hexes.csv", "stanza": stanza, "moves": [3]}
    assert found["unknowns"] == {"hex 0305 terrain": asked}
    assert found["sources"][0]["sha256"] == "ab" * 32
    assert sorted(as_json(small_audit)["clauses"]) == ["GEN-MA", "GEN-TERRAIN"]


def test_the_text_tells_summary_findings_questions_and_legal_moves(small_audit: Audit) -> None:
    text = TEXT.render(small_audit, ReportOptions())
    assert text.index("Summary") < text.index("Findings") < text.index("Legal moves")
    assert "3 moves: 1 legal, 1 illegal, 1 unverifiable; 1 more not judged" in text
    assert re.search(r"Blue \(Ann\) +1 +1", text)
    block = text[text.index("1. missed MP cost") : text.index("Open questions, and")]
    for part in (
        "GEN-MA  Movement allowance", "2nd Foot", "0201 → 0204", "Blue (Ann)", "step 3",
        "A unit spends no more MPs than it has.", "2 MP more, or a stop in 0203", "short by 2 MP",
    ):  # fmt: skip
        assert part in block
    assert re.search(r"0203 +3 +swamp +GEN-TERRAIN", block)
    assert text.count("Which terrain is hex 0305?") == 1
    for said in ("        0305,?,\n", "1st Foot  0101 → 0103", "clear 1, road ½ = 1½ of 4 MP"):
        assert said in text
    assert re.search(r"0103 +½ +road", TEXT.render(small_audit, ReportOptions(verbose=True)))


def test_the_text_is_plain_neutral_fits_and_ends_with_the_digests(small_audit: Audit) -> None:
    for width in (40, 80):
        text = TEXT.render(small_audit, ReportOptions(width=width))
        digests = text[text.index("SHA-256 of what was read") :].splitlines()[1:]
        wanted = [f"{s.sha256}  {s.file}" for s in small_audit.sources]
        assert digests[: len(wanted)] == wanted
    for width in (80, 60):
        text = TEXT.render(small_audit, ReportOptions(width=width))
        to_read = [line for line in text.splitlines() if not re.match(r"[0-9a-f]{64}  ", line)]
        assert max(map(len, to_read)) <= width
        assert "\x1b" not in text
        assert not re.search(r"[ \t]$", text, re.MULTILINE)
    assert "\x1b[" in TEXT.render(small_audit, ReportOptions(colour=True))
    names = {**small_audit.names, "11": "bad\x1b[2J\u202ename [bold]x[/bold]"}
    text = TEXT.render(replace(small_audit, names=names), ReportOptions())
    assert "bad\\x1b[2J\\u202ename [bold]x[/bold]" in text
    text = TEXT.render(small_audit, ReportOptions(verbose=True)).lower()
    for word in ("cheat", "violat", "crime", "guilty", "fraud"):
        assert word not in text


def test_a_way_is_told_from_where_it_goes_on_and_as_it_was_dragged(small_audit: Audit) -> None:
    judged = small_audit.moves[0]
    path = ("0101", "0102", "0103", "0104")
    places = {"origin": Place("hex", "0102"), "target": Place("hex", "0104"), "waypoints": ()}
    move = replace(judged.move, **places)
    on = replace(judged, move=move, path=path)
    assert route(on) == "0102 → 0104 (by 0103; begun in 0101)"
    assert route(replace(on, path=path[1:])) == "0102 → 0104 (by 0103)"
    assert route(replace(on, path=path[2:])) == "0102 → 0104"
    # Put down in 0203 on the way; the cheapest path does not lead there.
    judged = small_audit.moves[0]
    stops = tuple(Place("hex", name) for name in ("0101", "0203", "0103"))
    moved = replace(judged, move=replace(judged.move, waypoints=stops, binding=(True,) * 3))
    assert route(moved) == "0101 → 0203 → 0103 (cheapest by 0102)"
    along = replace(moved, path=("0101", "0102", "0203", "0103"))
    assert route(along) == "0101 → 0203 → 0103"


def test_what_is_on_credit_stands_on_every_bill_with_its_clause(small_audit: Audit) -> None:
    (at,) = [i for i, f in enumerate(small_audit.findings) if f.bill is not None]
    finding = small_audit.findings[at]
    owed = Charge("", Amount(Fraction(1), Fraction(1)), "GEN-MINIMUM", "")
    findings = list(small_audit.findings)
    findings[at] = replace(finding, bill=replace(finding.bill, credit=owed))
    audit = replace(small_audit, findings=tuple(findings))
    for report in (TEXT, MARKDOWN, HTML):
        written = " ".join(report.render(audit, ReportOptions()).split())
        assert "1 on credit (GEN-MINIMUM)" in written, report.name
    move = small_audit.moves[0]
    assert move.bill is not None
    credit = Charge("0201", Amount.exactly(3), "X-CREDIT", "on credit")
    owing = replace(move, bill=replace(move.bill, credit=credit))
    clauses = {**small_audit.clauses, "X-CREDIT": Clause("X-CREDIT", "Credit", "")}
    audit = replace(small_audit, moves=(owing, *small_audit.moves[1:]), clauses=clauses)
    found = as_json(audit)
    jsonschema.validate(found, json.loads(schema_text("report")))
    owed = {"amount": {"lo": 3, "hi": 3}, "clause": "X-CREDIT"}
    assert found["moves"][0]["bill"]["credit"] == owed
    assert "X-CREDIT" in found["clauses"]
    assert ", 3 on credit" in TEXT.render(audit, ReportOptions())


@pytest.mark.parametrize(
    ("viewer", "said"),
    [
        ("everyone", "what every player may see"),
        ("side Blue", "what side Blue may see"),
        ("director", "everything, for the director"),
    ],
)
def test_every_report_says_whose_eyes_it_is_for(small_audit: Audit, viewer: str, said: str) -> None:
    for report in (TEXT, MARKDOWN, HTML):
        assert said in report.render(small_audit, ReportOptions(viewer=viewer)), report.name


def test_every_report_tells_the_readings_in_force(small_audit: Audit) -> None:
    reading = Reading("roads.*.serve", "where does a road serve?", ("edge", "path"), "edge")
    clause = Clause("GEN-ROAD", "Roads", "A road serves.", readings=(reading,))
    clauses = {**small_audit.clauses, "GEN-ROAD": clause}
    audit = replace(small_audit, clauses=clauses, readings={"roads.track.serve": "path"})
    for report in (TEXT, MARKDOWN, HTML):
        written = re.sub(r"\\|<[^<>]*>", "", report.render(audit, ReportOptions()))
        told = r"Where does a road serve\? ?path \(roads\.track\.serve\)"
        assert re.search(told, written), report.name
    assert "reading,,roads.track.serve" in CSV.render(audit, ReportOptions())


@pytest.mark.parametrize("form", [TEXT, MARKDOWN, HTML])
def test_of_several_moves_each_says_which_units_went(small_audit: Audit, form: Report) -> None:
    finding = replace(small_audit.findings[0], moves=(1, 2))
    both = replace(small_audit, findings=(finding,))
    for way in ("1st Foot 0101 → 0103", "2nd Foot 0201 → 0204"):
        assert way in form.render(both, ReportOptions())
        assert way not in form.render(small_audit, ReportOptions())


@pytest.mark.parametrize("form", [TEXT, MARKDOWN, HTML])
def test_what_is_said_of_a_finding_is_said_in_every_form(small_audit: Audit, form: Report) -> None:
    finding = replace(
        small_audit.findings[0], follows_from=1, remedy="leave 0104", looked=("Kite saw the ford.",)
    )
    text = form.render(replace(small_audit, findings=(finding,)), ReportOptions(width=400))
    plain = " ".join(re.sub("<[^>]*>", " ", text).split())
    rule = small_audit.clauses[finding.clause].text
    follows = "this only follows from the finding on the move in step"
    for said in (rule, finding.explanation, "leave 0104", "Kite saw the ford.", follows):
        assert said in plain


@pytest.mark.parametrize(
    ("allowed", "due", "told"),
    [(1, "= 2 of 1 hex", "of 1; short by 1 hex"), (0, "= 2 of 0 hexes", "of 0; short by 2 hexes")],
)
def test_one_hex_is_not_called_hexes(allowed: int, due: str, told: str) -> None:
    charges = (Charge("0101", Amount.exactly(2), "X", "hexes entered"),)
    bill = Bill(charges, Amount.exactly(allowed), "hexes")
    assert compact_bill(bill).endswith(due)
    assert due_text(bill) == told


# -- Markdown and CSV ----------------------------------------------------------------------------------


def rows_of(audit: Audit) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(CSV.render(audit, ReportOptions()))))


def wicked(audit: Audit, name: str) -> Audit:
    """The audit with a unit called so."""
    findings = tuple(replace(f, names=(name,), explanation=name) for f in audit.findings)
    return replace(audit, title=name, names=dict.fromkeys(audit.names, name), findings=findings)


def test_markdown_tells_all_and_text_of_others_is_no_markup_in_it(small_audit: Audit) -> None:
    text = MARKDOWN.render(small_audit, ReportOptions())
    told = [line for line in text.splitlines() if line.startswith("#")]
    assert told[0] == f"# Audit of {small_audit.title}"
    assert [line for line in told if line.startswith("####")] == [
        line for line in told if "missed MP cost" in line
    ]
    assert "short by 2 MP" in text
    assert "Which terrain is hex 0305?" in text
    assert "    0305,?," in text.splitlines()
    assert "ab" * 32 in text
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    empty = Audit("", "generic", "1", (), (), ())
    assert "there was no move to judge" in MARKDOWN.render(empty, ReportOptions())
    text = MARKDOWN.render(wicked(small_audit, "# <b>*x*|y`z"), ReportOptions())
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "*x*" not in text.replace("\\*x\\*", "")
    table = [line for line in text.splitlines() if line.startswith("|")]
    columns = [len(re.split(r"(?<!\\)\|", line)) for line in table]
    plain = MARKDOWN.render(small_audit, ReportOptions())
    assert columns == [line.count("|") + 1 for line in plain.splitlines() if line.startswith("|")]


def test_the_table_has_a_row_for_all_and_thirds_stay_exact(small_audit: Audit) -> None:
    rows = rows_of(small_audit)
    told = as_json(small_audit)
    kinds = ("move", "finding", "source")
    counts = {name: sum(row["record"] == name for row in rows) for name in kinds}
    assert counts["move"] == len(told["moves"]) + len(told["not_judged"])
    assert (counts["finding"], counts["source"]) == (len(told["findings"]), len(told["sources"]))
    about = {row["kind"]: row["text"] for row in rows if row["record"] == "about"}
    assert about["eyes"] == "everyone"
    moves = {row["number"]: row for row in rows if row["record"] == "move"}
    assert (moves["1"]["due"], moves["1"]["units"]) == ("1.5", "1st Foot")
    assert moves["2"]["short"] == "2"
    assert {row["verdict"] for row in moves.values()} == {
        "legal",
        "illegal",
        "unverifiable",
        "not judged",
    }
    assert all(not row["short"].startswith("'") for row in rows_of(small_audit))

    def due(number: str) -> str:
        judged = small_audit.moves[0]
        charge = Charge("0101", Amount.exactly(Fraction(number)), "GEN-MA", "x")
        bill = replace(judged.bill, charges=(charge,))
        moves = (replace(judged, bill=bill),)
        found = rows_of(replace(small_audit, moves=moves))
        (row,) = (r for r in found if r["number"] == "1" and r["record"] == "move")
        return row["due"]

    assert [due(n) for n in ("7/2", "1/3", "3", "1/8", "10")] == ["3.5", "1/3", "3", "0.125", "10"]


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\t=x", '=HYPERLINK("http://x")'])
def test_in_the_table_text_of_others_is_no_formula(small_audit: Audit, name: str) -> None:
    rows = rows_of(wicked(small_audit, name))
    assert any(name.strip()[-1] in row["units"] for row in rows)
    for row in rows:
        for value in row.values():
            assert not value.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_stacks_that_may_be_too_big_stand_with_their_question(small_audit: Audit) -> None:
    """No move's doing, or of a legal one: what waits for the answer is the stack."""
    asked = MissingFact("unit 11 size", "how big is 1st Foot?", "units.csv", "11,?")
    said = "0103 may hold too much"
    for moves in ((), (1,)):
        about = {"units": ("11",), "names": ("1st Foot",), "unknowns": (asked,), "moves": moves}
        stack = replace(small_audit.findings[1], explanation=said, **about)
        audit = replace(small_audit, findings=(*small_audit.findings, stack))
        for report in (TEXT, MARKDOWN, HTML):
            text = report.render(audit, ReportOptions())
            below = text[text.index("ow big is 1st Foot?") :]
            assert said in (
                text if moves or report is HTML else below.split("\n")[1 if report is TEXT else 2]
            ), report.name


@pytest.mark.parametrize("what", ["line", "hexside"])
def test_a_question_is_of_the_game_and_the_lines_below_it_of_the_file(
    small_audit: Audit, what: str
) -> None:
    asked = of_board((what, "0101", "0102"), "foot")
    moves = (*small_audit.moves[:2], replace(small_audit.moves[2], unknowns=(asked,)))
    audit = replace(small_audit, moves=moves, findings=())
    assert "[]" not in asked.question
    for report in (TEXT, MARKDOWN):
        text = " ".join(report.render(audit, ReportOptions()).replace("\\", "").split())
        below = text[text.index(asked.question[1:]) :]
        assert "o settle it, write into facts.toml ([] if there is nothing): [[hexside]]" in below


def test_counters_of_one_name_are_told_apart_by_the_ends_of_their_ids(small_audit: Audit) -> None:
    ids = {"11": "1168285073410", "12": "1168285163410", "13": "1168285000001"}
    gone = [(m, tuple(ids.get(u, u) for u in m.move.units)) for m in small_audit.moves]
    moves = tuple(replace(m, move=replace(m.move, units=units)) for m, units in gone)
    of = [(f, tuple(ids[u] for u in f.units)) for f in small_audit.findings]
    findings = tuple(replace(f, units=units, names=("711",)) for f, units in of)
    names = {ids["11"]: "711", ids["12"]: "711", ids["13"]: "711", "14": "4th Foot"}
    audit = replace(small_audit, moves=moves, findings=findings, names=names)
    for report in (TEXT, MARKDOWN, HTML):
        text = report.render(audit, ReportOptions())
        for end in ("…73410", "…63410", "…00001"):
            assert f"711 ({end})" in text, report.name
        assert "4th Foot (" not in text


def test_a_prohibition_has_no_price_on_a_bill() -> None:
    bill = Bill(
        (
            Charge("0606", Amount.exactly(1), "GEN-TERRAIN", "clear"),
            Charge("0606", Amount.exactly(0), "X", "not allowed: crosses a river", forbidden=True),
        ),
        Amount.exactly(6),
    )
    assert compact_bill(bill) == "clear 1, not allowed: crosses a river = 1 of 6 MP"


@pytest.mark.parametrize("form", [TEXT, MARKDOWN, HTML], ids=lambda form: form.name)
def test_problems_that_differ_in_their_places_alone_have_one_line(form: Report) -> None:
    alike = [Problem("odd", "the same", f"log {n}", "note") for n in range(5)]
    few = [Problem("odd", "other", f"log {n}", "note") for n in range(2)]
    audit = Audit("", "generic", "1", (), (), (), problems=(*alike, *few))
    text = form.render(audit, ReportOptions())
    assert text.count("the same") == 1
    assert "note: the same (log 0, log 1, log 2 and 2 more)" in text
    assert [text.count(f"note: log {n}: other") for n in range(2)] == [1, 1]
