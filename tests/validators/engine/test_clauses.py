"""The clauses of rulesets on the engine are plain functions: what is not known is the engine's matter."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cases import RULESETS, cases
from vassal_umpire import validators
from vassal_umpire.model.fact import UNKNOWN, MissingFact, known
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.engine import questions
from vassal_umpire.validators.engine.allowance import Takes, draws_of
from vassal_umpire.validators.engine.asking import Run, TooMany, leaves, outcome
from vassal_umpire.validators.engine.hex_view import HexView
from vassal_umpire.validators.engine.mover import ClauseMover
from vassal_umpire.validators.engine.questions import INTO
from vassal_umpire.validators.engine.ruleset import ClauseRuleset

FOLDER = Path(str(validators.__file__)).parent / "rulesets"
FOLDERS = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
FILES = [path for name in sorted(FOLDERS) for path in (FOLDER / name).glob("*.py")]
BANNED = {
    "an answer that may be none": r"bool \| None",
    "a question made by hand": r"\bMissingFact\b|\b[Qq]uestion\(|\bmissing_facts\b|\.run\.",
    "a finding left open by hand": r"\bimport .*\bleft_open\b|\banswer\(",
    "a memo": r"\bmemo\b|\bcache\b",
}


def on_the_engine(name: str) -> bool:
    text = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / name).glob("*.py"))
    return ClauseRuleset.__name__ in text or "from ..generic import ruleset" in text


def test_every_ruleset_is_on_the_engine() -> None:
    assert [name for name in sorted(FOLDERS) if not on_the_engine(name)] == []
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_clause_says_only_what_the_rule_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = [what for what, pattern in BANNED.items() if re.search(pattern, text)]
    tries = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Try)]
    assert (found, tries) == ([], [])


# -- The completions of what a function asks for ---------------------------------------------------

COLOUR, SIZE = MissingFact("colour", "which colour?"), MissingFact("size", "which size?")


def told(run: Run) -> tuple[str, int]:
    colour = run.choose("colour", ("red", "blue"), (COLOUR,))
    return colour, run.choose("size", (1, 2, 3), (SIZE,)) if colour == "red" else 0


def test_every_completion_is_found_with_what_it_assumes() -> None:
    found = leaves(told, 4)
    assert [said for _, said in found] == [("red", 1), ("red", 2), ("red", 3), ("blue", 0)]
    assert found[1][0] == ((COLOUR, "red"), (SIZE, 2))


def test_where_there_are_too_many_it_is_told_what_they_complete() -> None:
    with pytest.raises(TooMany) as raised:
        leaves(told, 3)
    assert raised.value.facts == (COLOUR, SIZE)


def test_what_is_asked_of_a_run_around_another_is_answered_there() -> None:
    def work(outer: Run) -> str:
        inner = outcome(
            lambda run: (
                run.choose("size", (1, 2), (SIZE,)),
                outer.choose("colour", "rb", (COLOUR,)),
            )
        )
        return f"{inner.said} {len(leaves(lambda run: outer.choose('colour', 'rb', (COLOUR,))))}"

    assert outcome(work).said == ("((1, 'r'), (2, 'r')) 1", "((1, 'b'), (2, 'b')) 1")


# -- What a mover takes of quotas, as clauses say it run by run ------------------------------------

THREE = Fraction(3)
OF_WHICH = MissingFact("division", "of which division is it?")


def takes(run: Run, *names: str) -> tuple[Takes, ...]:
    name = run.choose("division", names, (OF_WHICH,))
    return (Takes("mules", THREE), Takes(f"trucks of {name}", THREE)) if name else ()


def drawn(*names: str) -> dict[str, MissingFact | None]:
    found = draws_of("1.2", lambda clause: f"X-{clause}", outcome(lambda run: takes(run, *names)))
    assert all((d.quota.clause, d.quota.most.hi, d.amount) == ("X-1.2", 3, 1) for d in found)
    return {draw.quota.name: draw.perhaps for draw in found}


def test_what_every_run_takes_is_certain() -> None:
    assert drawn("A") == {"mules": None, "trucks of A": None}
    assert drawn("A", "B") == {"mules": None, "trucks of A": OF_WHICH, "trucks of B": OF_WHICH}


def test_what_a_run_does_not_take_hangs_on_what_it_asked() -> None:
    assert drawn("A", "") == {"mules": OF_WHICH, "trucks of A": OF_WHICH}
    assert drawn("") == {}


# -- What a clause reads of a hex is noted, whether or not the facts say anything of it ------------


@pytest.mark.parametrize("told", [None, True, False])
def test_what_the_facts_may_say_of_friends_in_a_hex_is_noted(told: bool | None) -> None:
    """The facts may speak of one of two hexes that are alike in all else."""
    noted: list[Any] = []
    zones = SimpleNamespace(friends_who=lambda *_: (False, True))
    mover = SimpleNamespace(board=None, zones=zones, told_now=lambda *_: told)
    step: Any = SimpleNamespace(
        mover_=mover, note=lambda ask, about: noted.append((ask, about)), name=lambda part: "0101"
    )
    found = HexView(step, "0101", INTO).friends_who(lambda _: True, "friends in {}")
    assert found == (told is True, told is not False)
    assert (questions.told_now, (INTO, "friends in {}")) in noted


def test_true_and_1_are_different_answers() -> None:
    """A clause may read a fact as a word, and these are spelled otherwise."""
    answers = []
    for value in (True, Fraction(1)):
        mover: Any = SimpleNamespace(facts=SimpleNamespace(known={"dug": known(value)}), _keys={})
        mover.fact_key = lambda about, mover=mover: ClauseMover.fact_key(mover, about)
        answers.append(questions.fact(SimpleNamespace(mover_=mover), "dug"))  # type: ignore[arg-type]
    assert answers[0] != answers[1]


# -- The words for a broken clause, where they tell of more than the clause rests on ---------------


def test_a_text_that_hangs_on_an_open_reading_is_written() -> None:
    """Nothing is left of the allowance, whatever else cuts it."""
    case = cases("wacht-am-rhein")["NO-FUEL"]
    units = {
        name: replace(unit, attributes={**unit.attributes, "fatigue": UNKNOWN})
        for name, unit in case.game.units.items()
    }
    found = audit(replace(case.game, units=units), RULESETS["wacht-am-rhein"])
    assert [move.verdict for move in found.moves] == ["illegal"]
    assert "has a movement allowance of 0" in found.findings[0].explanation
