"""Stanzas to copy hold what is meant, whatever things are called, in every form of the report."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
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
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game, PhaseStart
from vassal_umpire.model.stanza import BLANK
from vassal_umpire.plugin.registry import reports
from vassal_umpire.plugin.reports.json import unknowns_of
from vassal_umpire.plugin.reports.question_groups import how_to_settle
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.validators.audit import audit

OPEN = every_case("unverifiable")
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
    of_it = (case for case in OPEN if case.ruleset == ruleset)
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
    for block in re.findall(r"(?:^ {6}.*\n)+", report + "\n", re.MULTILINE):
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
        if (
            form == "html"
        ):  # one question for all that one stanza answers, or one on all stops of a side
            for text in set(found) - set(printed):
                ((condition,),) = tomllib.loads(text).values()
                assert condition["key"].startswith("only last places count for ")
            assert set(printed) <= set(found)
        else:
            assert Counter(found) == Counter(meant if form == "json" else printed), form
    coloured = FORMS["text"].render(audited, replace(options, colour=True))
    plain_text = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert Counter(copied_from_text(plain_text)) == Counter(printed)
    return len(meant)


@pytest.mark.ci
@pytest.mark.parametrize(
    "text", [FORGED, *drawn([WRAPPED, "]]", "#", "=", "?", " ", "\x85", "\u202e", "a" * 5000], 2)]
)
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_name_adds_nothing_to_a_stanza(ruleset: str, text: str) -> None:
    cases = [case for case in OPEN if case.ruleset == ruleset]
    found = 0
    for case in cases[:: len(cases) // by_tier(1, ci=3)]:
        found += check(renamed(case.game, naming_by([text], case.game)))
    assert found


@pytest.mark.ci
@seed(SEED)
@examples(15, default=3, proof=400, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(OPEN),
    st.lists(ANY_NAME, min_size=1, max_size=6),
    st.sampled_from([40, 80, 100]),
)
def test_stanzas_hold_the_keys_meant_in_any_case(case: Case, texts: list[str], width: int) -> None:
    check(renamed(case.game, naming_by(texts, case.game)), width)


def test_bytes_that_are_no_text_are_asked_about_without_a_stanza() -> None:
    found = 0
    names_none = next(
        case for case in OPEN if case.id == "CHART-ZOC-1"
    )  # its question has a stanza still
    for case in (names_none, *OPEN[:: by_tier(300, ci=80, proof=8)]):
        game = renamed(case.game, naming_by(["4\udc80"], case.game))
        found += check(game)
    assert found
