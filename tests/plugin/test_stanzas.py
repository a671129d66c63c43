"""Stanzas to copy hold what is meant, in every form of the report; and questions asked in groups."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from cases import RULESETS, audit_of, every_case
from hypothesis import HealthCheck, given, seed
from hypothesis import strategies as st
from lxml import html
from tiers import SEED, by_tier, drawn, examples
from vassal_umpire.importers.cases.case import Case
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.model.finding import Audit, Finding, JudgedMove, Move, Overdrawn, PhaseView
from vassal_umpire.model.game import Game, PhaseStart, Place, StepRef
from vassal_umpire.model.stanza import BLANK
from vassal_umpire.model.unit import Unit
from vassal_umpire.plugin.desk.cutout import CounterShown, Cutout
from vassal_umpire.plugin.desk.player_questions import askable, questions_by_player
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.json import unknowns_of
from vassal_umpire.plugin.reports.overdrawn import overdrawn_moves
from vassal_umpire.plugin.reports.question_groups import (
    BOTH,
    KEEPER,
    how_to_settle,
    open_questions,
    question_groups,
    subject_of,
)
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.validators.answers import moved_on_after, passed_through
from vassal_umpire.validators.audit import audit

FORMS = reports().parts
FORGED = '1"\nattributes = { "ma" = "99" }\n\n[[unit]]\nunit = "2"\nside = "Red'
WRAPPED = " ".join(
    f"{line:<70}" for line in ("[[hex]] #", 'hex = "0101" #', 'terrain = ["clear"] #')
)
ANY_NAME = st.text(min_size=1, max_size=40) | st.text(
    "\"'\\\n\r\t\x85\u2028\u202e\x00\x7f[]{}=#,.? a<&`|*$", min_size=1, max_size=80
)


def names_of(game: Game) -> set[str]:
    """What others have named: units, hexes, sides, and where rules are data terrain and phases."""
    found = {*game.units, *game.board.hexes, *game.sides}
    found |= {unit.name for unit in game.units.values()}
    if game.rules.name == "generic":
        found |= {t for here in game.board.hexes.values() for t in here.terrain or ()}
        found |= {e.phase for e in game.events if isinstance(e, PhaseStart) and e.phase}
    return {name for name in found if name}


def renamed(value: Any, naming: Mapping[str, str]) -> Any:
    """``value`` with every text that is a name exchanged for another, however deep it lies."""
    if isinstance(value, str):
        return naming.get(value, value)
    if isinstance(value, Mapping):
        return {renamed(k, naming): renamed(v, naming) for k, v in value.items()}
    if isinstance(value, frozenset):
        return frozenset(renamed(part, naming) for part in value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(renamed(part, naming) for part in value)
    if isinstance(value, list):
        return [renamed(part, naming) for part in value]
    if is_dataclass(value) and not isinstance(value, type | Fraction):
        kept = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        return replace(value, **{k: renamed(v, naming) for k, v in kept.items()})
    return value


def naming_by(texts: list[str], game: Game) -> dict[str, str]:
    """Another name for each thing of the game: one of ``texts``, with a number that keeps it apart."""
    names = sorted(names_of(game))
    return {name: f"{texts[i % len(texts)]}{i}" for i, name in enumerate(names)}


def stanzas_of(audited: Audit) -> list[str]:
    """Those that answer a question, each once; a report in full prints all but those by which a chart is
    called complete."""
    return [unknown.stanza for unknown, _ in unknowns_of(audited).values() if unknown.stanza]


def shape(value: Any, names: Collection[str]) -> Any:
    """The keys of a stanza and the kinds of its values."""
    if isinstance(value, Mapping):
        return tuple(
            sorted(("NAME" if k in names else k, shape(v, names)) for k, v in value.items())
        )
    if isinstance(value, list):
        return ("list", *(shape(part, names) for part in value))
    return BLANK if value == BLANK else type(value).__name__


@cache
def usual_shapes(ruleset: str) -> set[Any]:
    """The shapes of all stanzas of the cases of a ruleset, whose names are plain."""
    of_it = (case for case in every_case("unverifiable") if case.ruleset == ruleset)
    found = ((text, case.game) for case in of_it for text in stanzas_of(audit_of(case)))
    return {shape(tomllib.loads(text), names_of(game)) for text, game in found}


TOML_LINE = re.compile(r"""\s*(\[\[?[^\[\]]+\]\]?\s*(#.*)?$|("[^"]*"|'[^']*'|[\w-]+)\s*=)""")


def copied_from_text(report: str) -> Iterator[str]:
    """The blocks below the lines that say so, and no line beside them that could be taken for one."""
    block: list[str] = []
    for line in [*report.split("\n"), ""]:
        if line.startswith(" " * 8) and (block or line.startswith(" " * 8 + "[[")):
            block.append(line)
            continue
        if block:
            yield textwrap.dedent("\n".join(block))
        block = []
        assert not TOML_LINE.match(line), line


def copied_from_markdown(report: str) -> Iterator[str]:
    """The blocks of code."""
    for block in re.findall(r"(?:^ {4}.*\n)+", report + "\n", re.MULTILINE):
        yield textwrap.dedent(block).rstrip("\n")


def copied_from_page(report: str) -> Iterator[str]:
    """What stands in ``<pre>``, as a browser would copy it."""
    for block in html.fromstring(report).iter("pre"):
        yield block.text_content()


def copied_from_json(report: str) -> Iterator[str]:
    """What another program finds."""
    for unknown in json.loads(report)["unknowns"].values():
        if unknown["stanza"]:
            yield unknown["stanza"]


COPIED = {"text": copied_from_text, "markdown": copied_from_markdown}
COPIED |= {"html": copied_from_page, "json": copied_from_json}


def check(game: Game, width: int = 80) -> int:
    """All that is asked of the stanzas of a game; how many there are."""
    audited = audit(game, RULESETS[game.rules.name])
    names = names_of(game)
    meant = stanzas_of(audited)
    for text in meant:
        plain = tomllib.loads(text)
        ((_, (entries,)),) = plain.items()  # one header, one table
        assert shape(plain, names) in usual_shapes(game.rules.name), text
        for key in ("hex", "unit"):
            assert entries.get(key, BLANK) in {*names, BLANK}
        assert {*entries.get("hexes", ())} <= {*names, BLANK}
    asked = [unknown for unknown, _ in unknowns_of(audited).values() if unknown.stanza]
    printed = [unknown.stanza for unknown in asked if not how_to_settle(unknown)]
    options = ReportOptions(viewer="everyone", verbose=True, width=width)
    for form, copied in COPIED.items():
        found = list(copied(FORMS[form].render(audited, options)))
        for text in set(found) - set(meant if form == "json" else printed):
            ((condition,),) = tomllib.loads(text).values()  # one answer for all stops of a side
            assert condition["key"].startswith("only last places count for ")
            found = [one for one in found if one != text]
        if form == "html":  # one question for all that one stanza answers
            assert set(printed) <= set(found)
        else:
            assert Counter(found) == Counter(meant if form == "json" else printed), form
    coloured = FORMS["text"].render(audited, replace(options, colour=True))
    plain_text = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert set(printed) <= set(copied_from_text(plain_text))
    return len(meant)


@pytest.mark.ci
@pytest.mark.parametrize(
    "text", [FORGED, *drawn([WRAPPED, "]]", "#", "=", "?", " ", "\x85", "\u202e", "a" * 5000], 2)]
)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_name_adds_nothing_to_a_stanza(ruleset: str, text: str) -> None:
    cases = [case for case in every_case("unverifiable") if case.ruleset == ruleset]
    found = 0
    for case in cases[:: len(cases) // by_tier(1, ci=3)]:
        found += check(renamed(case.game, naming_by([text], case.game)))
    assert found


@pytest.mark.ci
@seed(SEED)
@examples(15, default=3, proof=400, suppress_health_check=list(HealthCheck))
@given(
    st.deferred(lambda: st.sampled_from(every_case("unverifiable"))),
    st.lists(ANY_NAME, min_size=1, max_size=6),
    st.sampled_from([40, 80, 100]),
)
def test_stanzas_hold_the_keys_meant_in_any_case(case: Case, texts: list[str], width: int) -> None:
    check(renamed(case.game, naming_by(texts, case.game)), width)


@pytest.mark.ci
def test_bytes_that_are_no_text_are_asked_about_without_a_stanza() -> None:
    found = 0
    names_none = next(
        case for case in every_case("unverifiable") if case.id == "CHART-ZOC-1"
    )  # its question has a stanza still
    for case in (names_none, *every_case("unverifiable")[:: by_tier(300, ci=80, proof=8)]):
        game = renamed(case.game, naming_by(["4\udc80"], case.game))
        found += check(game)
    assert found


# -- questions in groups: what is asked together, of whom, and how many moves it decides ------------


NAMES = {"a": "Fort", "b": "Fort", "c": "Red 3"}
BRIDGE = MissingFact("cost of bridge for foot", "what does bridge cost foot?", "pack.toml")
LATE = "unit {} right by nobody moves at night at 1:{}"


def side_of(unit: str) -> MissingFact:
    return MissingFact(f"unit {unit} side", f"which side does {NAMES[unit]} belong to?")


def stop(unit: str, step: int) -> MissingFact:
    return passed_through(f"010{step}", unit, StepRef(1, step)).unknown(
        f"stop in 010{step} between 0101 and 0109"
    )


def after(unit: str, other: str) -> MissingFact:
    a, b = (Unit(one, NAMES.get(one, one)) for one in (unit, other))
    return moved_on_after(a, b, StepRef(1, 4)).unknown()


def asking(*waits: tuple[str, tuple[MissingFact, ...]]) -> Audit:
    """An audit with an open move for each entry: whose it is, and what it waits for."""
    place = Place("hex", "0101")
    moves = tuple(
        JudgedMove(
            Move(
                number, ("a",), place, place, (place,), (True,), (StepRef(1, number),), PhaseView(),
                actor, {"Red": "Tarn"}.get(actor, ""),
            ),
            "unverifiable",
            unknowns=unknowns,
        )
        for number, (actor, unknowns) in enumerate(waits, 1)
    )  # fmt: skip
    return Audit("Game", "generic", "1", (), moves, (), names=NAMES)


def test_what_one_answer_settles_is_asked_once() -> None:
    found = question_groups(
        asking(
            ("Red", (stop("c", 2), side_of("a"))),
            ("Red", (stop("c", 3),)),
            ("Red", (after("a", "b"),)),
            ("Red", (side_of("b"),)),
            ("Blue", (side_of("b"),)),
            ("Blue", (MissingFact(LATE.format("a", 5), "right?"),)),
            ("Red", (MissingFact(LATE.format("b", 6), "right?"), BRIDGE)),
            ("Red", (replace(BRIDGE, key="cost of bridge for horse"),)),
        )
    )
    texts = {one.topic[0]: (one.to, one.text) for one in found.groups}
    assert texts["stop"] == (
        "Red",
        "Does Tarn (Red) try counters out before settling, so that only the last place of a turn counts?"
        " If not: what of these happened as the log shows it? 2 stops and Fort moved on after Fort.",
    )
    assert texts["rule"] == (
        KEEPER,
        "What does the rulebook say about this: nobody moves at night? The pack has only these words.",
    )
    assert texts["cost"] == (KEEPER, "What does bridge cost foot and horse?")
    assert texts["unit * side"] == (
        BOTH,
        "Which side does Fort belong to? The same of 1 further case of it.",
    )
    (stops,) = [one for one in found.groups if one.topic[0] == "stop"]
    assert stops.whole is not None
    assert tomllib.loads(stops.whole.stanza) == {  # "no" would change nothing
        "condition": [{"key": "only last places count for Red", "value": "yes"}]
    }
    assert askable(found, "Blue") == {BOTH}
    assert askable(found, None) == {BOTH, "Red"}


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_report_says_when_one_stanza_settles_a_group(form: str) -> None:
    audited = asking(("Red", (stop("c", 2),)), ("Red", (stop("c", 3),)))
    said = FORMS[form].render(audited, ReportOptions())
    assert said.count("If only last places count, write into facts.toml:") == 1


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ((stop("a", 2), stop("c", 3)), "which of 2 stops were real?"),
        (
            (after("c", "b"), after("c", "x y"), after("x y", "c")),
            "what of these happened as the log shows it? Red 3 moved on after Fort, Red 3 moved on after"
            " the counter x y and the counter x y moved on after Red 3.",
        ),
    ],
    ids=["stops", "order"],
)
def test_what_is_asked_where_all_places_count(asked: tuple[MissingFact, ...], wanted: str) -> None:
    (found,) = question_groups(asking(*(("Blue", (one,)) for one in asked))).groups
    assert found.text.endswith(f" If not: {wanted}")


def test_no_answer_decides_a_move_for_which_more_may_be_missing_than_is_named() -> None:
    found = question_groups(
        asking(
            ("Red", tuple(stop("c", step) for step in range(2, 6))),
            ("Red", tuple(stop("c", step) for step in range(2, 7))),  # as many as a judgement names
        )
    )
    (stops,) = found.first()
    assert (stops.alone, stops.together, len(stops.moves)) == (1, 1, 2)


def test_each_group_says_what_it_decides_alone_and_with_the_others_shown() -> None:
    hexes = [
        MissingFact(f"hex 010{n} terrain", f"what terrain is in hex 010{n}?") for n in (1, 2, 3)
    ]
    found = question_groups(
        asking(
            ("Blue", (hexes[0], stop("a", 2))),
            ("Blue", (hexes[1],)),
            ("Blue", (hexes[2], BRIDGE)),
            ("Blue", (stop("a", 2),)),
        )
    )
    terrain, stops, bridge = found.first()
    assert terrain.text == "What terrain is in hex 0101? The same of 0102 and 0103."
    assert (terrain.alone, terrain.together) == (1, 3)
    assert terrain.decides == "decides 1 alone, 3 with the other answers here, of 3 moves waiting"
    assert (stops.alone, stops.together, bridge.together) == (1, 2, 1)
    only = found.first({"Blue"})
    assert [(one.topic, one.together) for one in only] == [(terrain.topic, 2), (stops.topic, 2)]


class Places(Cutout):
    """Draws nothing, but tells which place is to be drawn."""

    def __init__(self) -> None:
        pass

    def place(self, key: str) -> str:
        return f"the map at {key}"

    def counters(self, units: Iterable[str], at: StepRef | None) -> Iterator[CounterShown]:
        return iter(())


def test_a_question_about_the_map_shows_its_place_and_all_that_it_is_about() -> None:
    hexes = [f"010{number}" for number in range(1, 8)]
    terrain = [MissingFact(f"hex {name} terrain", f"what is in {name}?") for name in hexes]
    audit = asking(*(("Red", (one,)) for one in terrain))
    groups = question_groups(audit).groups
    ((asked,),) = (one.questions for one in questions_by_player(audit, groups, {}, None, Places()))
    assert asked.place == "the map at hex 0101 terrain"
    assert asked.every == ("The 7 hexes it is about", tuple(hexes))
    assert "0107" not in asked.text


def beyond(
    number: int, total: int | Fraction, *unknowns: MissingFact, forms: tuple[str, ...] = ()
) -> JudgedMove:
    charge = Charge("0101", Amount.exactly(total), "GEN-TERRAIN", "clear")
    bill = Bill((charge,), Amount.exactly(9))
    (judged,) = asking(("Red", unknowns)).moves
    return replace(
        judged, move=replace(judged.move, id=number), overdrawn=Overdrawn("march", bill, forms)
    )


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_report_lists_open_moves_beyond_an_ordinary_one_where_they_are_wanted(form: str) -> None:
    """With how much of each player's game is decided; in no count, and nowhere else."""
    look = MissingFact("look 0101", "is everything as the pack has it?", look=("0101",))
    moves = (*(beyond(number, 10 + number, look) for number in range(1, 13)), *asking().moves)
    audit = replace(asking(), moves=moves)
    render = reports().get(form).render
    without = render(audit, ReportOptions(width=200))
    told = render(audit, ReportOptions(width=200, overdrawn=True))
    for one in overdrawn_moves(audit):
        assert one.text in told
        assert one.text not in without
    if form != "json":
        assert "Beyond an ordinary move, and open (12)" in told
        assert "Nobody is accused here" in told
        assert "0 of 12 moves of" in " ".join(told.split())
    assert told.count("could not be judged") == without.count("could not be judged")


def test_open_moves_beyond_an_ordinary_one_are_listed_and_nothing_else_is() -> None:
    look = MissingFact("look 0101", "is everything as the pack has it?", look=("0101",))
    class_of = MissingFact("unit a class", "which class is a?")
    moves = (
        beyond(1, 10, look),
        beyond(2, Fraction(25, 2), class_of, forms=("strategic movement",)),
        beyond(3, 15, class_of),  # open for something else
        replace(beyond(4, 20, look), verdict="illegal"),
    )
    found = overdrawn_moves(replace(asking(), moves=moves))
    assert [(one.judged.move.id, one.text) for one in found] == [
        (2, "12½ MP by a march of 9; open because strategic movement is not excluded"),
        (1, "10 MP by a march of 9; open because nobody has looked at this part of the map"),
    ]


def test_a_move_waits_for_its_own_questions_not_for_those_of_a_way_that_it_begins() -> None:
    first, second = stop("a", 2), stop("a", 3)
    audit = asking(("Red", (first,)), ("Red", (first, second)))
    way = Finding(
        "CHK-FACTS", "CHK-FACTS", "unverifiable", "unverifiable", ("a",), ("Red 3",), (), (),
        "it costs 3 MP, as far as known", unknowns=(first, second), moves=(1, 2),
    )  # fmt: skip
    asked = {
        one.unknown.key: [m.move.id for m in one.moves]
        for one in open_questions(replace(audit, findings=(way,)))
    }
    assert asked == {first.key: [1, 2], second.key: [2]}


def test_steps_are_named_as_a_reader_counts_them() -> None:
    asked = MissingFact("combat from 8:673 to 8:677", "combat?")
    assert subject_of(asked, {}) == "step 673 of log 8 and step 677 of log 8"


def test_a_mail_says_whose_each_stop_was_and_when() -> None:
    audit = asking(*(("Blue", (stop("a", n),)) for n in range(2, 8)))
    (to,) = questions_by_player(audit, question_groups(audit).groups, {}, None)
    (asked,) = to.questions
    assert asked.every is not None
    what, every = asked.every
    assert what == "Which stops: whose, where and when"
    assert len(every) == 6
    assert every[0] == "Fort: 0102 (step 1)"
