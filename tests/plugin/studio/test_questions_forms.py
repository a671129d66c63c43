"""Questions as forms: every stanza of a report becomes fields, and answers become edits that load."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import audit_of, every_case
from command_line import audit_files
from vassal_umpire.importers.pack.edit.toml import value_at, values_of, with_stanza, with_value
from vassal_umpire.importers.pack.facts_file import load_facts
from vassal_umpire.importers.pack.load import amended, load_pack
from vassal_umpire.model import schemas
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.logs import KnownLog
from vassal_umpire.model.stanza import BLANK, pack_stanza, stanza
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.plugin.reports.json import unknowns_of
from vassal_umpire.plugin.studio.form_changes import Changed
from vassal_umpire.plugin.studio.questions import (
    Choices,
    Waiting,
    answer,
    blanks,
    groups_of,
    question_json,
    stanza_of,
    waiting_of,
    whole_of,
)
from vassal_umpire.plugin.studio.rules_forms import RulesForms
from vassal_umpire.validators.allowed_facts import NUMBER, AllowedFacts, words
from vassal_umpire.validators.concepts.missing_facts import of_board

ALLOWED = AllowedFacts(
    {"ma": NUMBER, "class": words("foot", "motor")}, {"weather": words("dry", "mud")}
)
CHOICES = Choices(ALLOWED, sides=("Blue", "Red"), phases=("Movement",), forms=("march", "rail"))


def ask(text: str, key: str = "k") -> Waiting:
    return Waiting(MissingFact(key, "what is it?", "facts.toml", text), 2, 1, (1, 2))


def answered(text: str, *given: Any, values: Any = None) -> Changed:
    typed = {str(number): one for number, one in enumerate(given)}
    return answer(ask(text), typed, CHOICES, values or {}, lambda _: ())


def entry(text: str, *given: Any) -> dict[str, Any]:
    found = answered(text, *given)
    assert found.error == ""
    (edit,) = found.edits
    assert (edit["kind"], edit["file"]) == ("stanza", "facts")
    assert schemas.faults("facts", {edit["table"]: [edit["now"]]}) == ()
    return dict(edit["now"])


def test_each_question_mark_is_a_field_with_its_name_and_words() -> None:
    asked = stanza("[[unit]]", {"unit": "7", "attributes": {"class": BLANK}})
    told = question_json(ask(asked, "unit 7 class"), CHOICES)
    (field,) = told["fields"]
    assert (field["name"], field["words"], field["several"]) == ("class", ["foot", "motor"], False)
    assert (told["moves"], told["alone"], told["table"]) == (2, 1, "unit")
    side = question_json(ask(stanza("[[unit]]", {"unit": "7", "side": BLANK})), CHOICES)
    assert side["fields"][0]["words"] == ["Blue", "Red"]
    asked = stanza("[[condition]]", {"key": "weather", "value": BLANK})
    (field,) = question_json(ask(asked), CHOICES)["fields"]
    assert (field["name"], field["words"]) == ("weather", ["dry", "mud"])
    hex_ = question_json(
        ask(stanza("[[hex]]", {"hex": "0305", "terrain": [BLANK]}), "hex 0305 terrain"), CHOICES
    )
    assert (hex_["fields"][0]["several"], hex_["hex"]) == (True, "0305")
    key = "passed through 0107"
    text = stanza("[[condition]]", {"key": key, "value": BLANK})
    (field,) = question_json(ask(text), CHOICES)["fields"]
    assert (field["name"], field["words"], field["only"]) == ("answer", ["yes", "no"], True)
    assert entry(text, "no")["value"] == "no"
    for told, error in (
        ("", f"expected an answer for {key}"),
        ("9", "expected yes or no; found 9"),
    ):
        assert answered(text, told).error == error


def test_a_question_beside_fields_says_nothing_of_files() -> None:
    unknown = of_board(("line", "0101", "0102"), "foot")
    told = question_json(Waiting(unknown, 1, 1), CHOICES)
    road = "which roads and the like cross the hexside between 0101 and 0102, if any?"
    assert told["question"] == road
    phase = {"name": "Move", "movers": BLANK, "forms": [BLANK], "complete": BLANK}
    fields = question_json(ask(pack_stanza("phase", entry=[phase])), CHOICES)["fields"]
    assert [field["name"] for field in fields][-1] == "nothing else displaces counters in it"


def test_answers_become_stanzas_that_load() -> None:
    ma = stanza("[[unit]]", {"unit": "7", "attributes": {"ma": BLANK}})
    assert entry(ma, "7/2")["attributes"] == {"ma": "7/2"}
    assert entry(ma, "3½")["attributes"] == {"ma": "7/2"}
    assert entry(ma, "6|8")["attributes"] == {"ma": {"one_of": [6, 8]}}
    assert entry(ma, "6..8")["attributes"] == {"ma": {"from": 6, "to": 8}}
    hex_ = stanza("[[hex]]", {"hex": "0305", "terrain": [BLANK]})
    assert entry(hex_, ["woods", " town "])["terrain"] == ["woods", "town"]
    side = stanza("[[hexside]]", {"hexes": ["a", "b"], "has": [BLANK]})
    assert entry(side, [])["has"] == []
    level = stanza("[[hex]]", {"hex": "0305", "level": BLANK})
    assert entry(level, "2")["level"] == 2
    blank = dict.fromkeys(("turn", "phase", "active"), BLANK)
    phase = stanza("[[phase]]", {"log": "a.vlog", "steps": "3-4", **blank})
    assert entry(phase, "3", "Movement", "Blue") == {
        "log": "a.vlog", "steps": "3-4", "turn": 3, "phase": "Movement", "active": "Blue",
    }  # fmt: skip
    combat = stanza("[[phase]]", {"log": 1, "steps": "3-4", "combat": BLANK})
    assert entry(combat, "no")["combat"] == "no"


MA, CLASS = (stanza("[[unit]]", {"unit": "7", "attributes": {n: BLANK}}) for n in ("ma", "class"))


@pytest.mark.parametrize(
    ("text", "given", "part"),
    [
        (MA, ["many"], "expected a number"),
        (MA, ["-2"], "expected a number"),
        (CLASS, ["foot|wings"], "foot, motor"),
        (CLASS, [" "], "an answer for class"),
        (stanza("[[hex]]", {"hex": "1", "level": BLANK}), ["high"], "expected a whole number"),
        (stanza("[[phase]]", {"log": 1, "combat": BLANK}), ["perhaps"], 'one of "yes", "no"'),
        ('"woods" = {"foot" = "?"}', ["2"], "no form"),
    ],
)
def test_what_is_no_answer_is_told_in_one_line(text: str, given: list[str], part: str) -> None:
    found = answered(text, *given)
    assert part in found.error
    assert "\n" not in found.error
    assert found.edits == ()


def test_what_speaks_of_the_pack_is_written_into_the_pack(game: Path) -> None:
    data = Path("pack/pack.toml").read_bytes()
    values = values_of(data, "pack.toml")
    open_ = {"movers": BLANK, "forms": [BLANK], "complete": BLANK}
    texts: list[tuple[str, list[Any]]] = [
        (pack_stanza("rules", "complete", entry=["levels"]), []),
        (pack_stanza("board", "complete", entry=["terrain"]), []),
        (pack_stanza("rules", "terrain", "costs", "swamp", entry={"foot": BLANK}), ["3"]),
        (pack_stanza("relation", entry=[{"sides": ["Blue", "Red"], "are": BLANK}]), ["enemies"]),
        (pack_stanza("phase", entry=[{"name": "Combat", **open_}]), ["none", ["retreat"], "no"]),
        (pack_stanza("phase", entry=[{"name": "Rally", **open_}]), ["none", [], "yes"]),
    ]
    forms = RulesForms(rulesets().get("generic"), values, ("Blue", "Red"))
    choices = Choices(sides=("Blue", "Red"), pack=forms.maker)
    for text, given in texts:
        typed = {str(number): one for number, one in enumerate(given)}
        found = answer(ask(text), typed, choices, values, forms.faults)
        assert found.error == "", text
        assert found.edits
        for edit in found.edits:
            assert value_at(values_of(data, "pack.toml"), edit["path"]) == edit["was"]
            written = with_value(data, edit["path"], edit["now"], "pack.toml")
            assert len(written.splitlines()) - len(data.splitlines()) < 8  # nothing is written anew
            Path("pack/pack.toml").write_bytes(written)
        told = load_pack(Path("pack"))
        if "swamp" in text:
            assert told.tables["terrain"]["costs"]["swamp"] == {"foot": 3}
        Path("pack/pack.toml").write_bytes(data)
    bad = answer(ask(texts[2][0]), {"0": "dear"}, choices, values, forms.faults)
    assert "expected a cost" in bad.error


@pytest.mark.ci
def test_every_stanza_of_our_own_cases_has_a_form() -> None:
    seen: set[str] = set()
    for case in every_case("unverifiable"):
        for unknown, _ in unknowns_of(audit_of(case)).values():
            if unknown.stanza and unknown.key not in seen:
                seen.add(unknown.key)
                table, told = stanza_of(unknown)
                assert table, unknown
                assert told, unknown
                assert (BLANK in unknown.stanza) == bool(list(blanks(told))), unknown
    assert len(seen) > 100


def test_a_question_about_a_phase_leads_to_its_first_step() -> None:
    logs = tuple(KnownLog(f"{name}.vlog", name * 64) for name in "ab")
    asked = ask(stanza("[[phase]]", {"log": "b.vlog", "steps": "3-4", "phase": BLANK}))
    assert question_json(replace(asked, logs=logs), CHOICES)["step"] == "2:3"


def test_a_question_about_a_counter_shows_it() -> None:
    asked = ask(stanza("[[unit]]", {"unit": "17", "attributes": {"ma": BLANK}}))
    asked = replace(asked, unknown=replace(asked.unknown, key="unit 17 ma"))
    assert question_json(asked, CHOICES)["faces"] == ["17"]


def test_the_questions_that_decide_most_come_first_and_an_answer_decides(game: Path) -> None:
    named = Named((Path("turn-1.vlog"),), pack=Path("pack"))
    audited, _ = audit_files(named, EVERYONE)
    ((first,),) = [
        [waiting_of(audited, one) for one in group.questions] for group in groups_of(audited)
    ]
    assert first.unknown.key == "hex 0110 terrain"
    assert (first.moves, first.alone) == (1, 1)
    ((mover, units),) = first.movers
    assert mover.startswith("Blue 5 Inf: 0106 → 0110 (by 0107, 0108, 0109), log 1 step")
    assert [audited.names[unit] for unit in units] == ["Blue 5 Inf"]
    found = answer(first, {"0": ["clear"]}, CHOICES, {}, lambda _: ())
    (edit,) = found.edits
    facts = Path("facts.toml")
    facts.write_bytes(with_stanza(b"", edit["table"], None, edit["now"], "facts.toml"))
    assert amended(load_pack(Path("pack")), load_facts(facts)).name == "crossroads"
    named = Named(named.logs, pack=Path("pack"), facts=facts)
    after, _ = audit_files(named, EVERYONE)
    assert all(m.verdict != "unverifiable" for m in after.moves if m.judged)


def test_one_answer_settles_all_stops_of_a_player() -> None:
    audited = next(audit_of(case) for case in every_case("unverifiable") if case.id == "GATHERED")
    (group,) = [one for one in groups_of(audited) if one.whole]
    found = whole_of(audited, group)
    assert found is not None
    assert (found.moves, len(group.questions)) == (2, 2)
    assert question_json(found, CHOICES)["fields"] == []  # a no would settle nothing
    (edit,) = answer(found, {}, CHOICES, {}, lambda _: ()).edits
    assert edit["now"] == {"key": "only last places count for Red", "value": "yes"}


def test_a_stack_that_may_be_too_big_waits_though_its_moves_are_legal(game: Path) -> None:
    facts = Path("facts.toml")
    size = "attributes = { battalions = { one_of = [0, 1] } }"
    facts.write_text(f'[[unit]]\nunit = "Blue 3 Inf"\n{size}\n', "utf-8")
    named = Named((Path("turn-1.vlog"),), pack=Path("pack"), facts=facts)
    audited, _ = audit_files(named, EVERYONE)
    legal = next(one.move.id for one in audited.moves if one.judged and one.verdict == "legal")
    findings = tuple(
        replace(one, moves=(legal,)) if one.kind == "unverifiable" and not one.moves else one
        for one in audited.findings
    )
    audited = replace(audited, findings=findings)
    asked = [one for group in groups_of(audited) for one in group.questions]
    (found,) = [waiting_of(audited, one) for one in asked if "battalions" in one.unknown.key]
    assert found.moves == 0
    (other,) = found.others
    assert other.startswith("Blue may have too much in 0505")
