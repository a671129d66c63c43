"""Forced march: the die roll, its modifiers, its results, and who may march (6.F)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ....model.bill import ZERO, Amount
from ....model.fact import Fact, MissingFact
from ....model.game import Game
from ....model.unit import Unit
from ...answers import Question, answer
from ...concepts import missing_facts
from ...concepts.completions import Facts
from ...concepts.logic import some
from ...ruleset import Breach, Circumstances, WeightedFact
from . import ruleset_facts
from .enemy_zocs import EnemyZocs
from .movement_graph import FULL, PARTIAL
from .tables import Tables

SEPTEMBER_1941 = "1941-09-01"
NO_ZOC: frozenset[int] = frozenset()
_TOUCHES = (frozenset((PARTIAL,)), frozenset((FULL,)), frozenset((PARTIAL, FULL)))


class MarchPath(NamedTuple):
    """What the roll of a march depends on, as to its path: ``touches``, the ZOC classes of the hexes it may
    leave or enter, besides none, and ``entered``, whether it enters a ZOC (None: not known). There is one
    mover for each path."""

    touches: frozenset[int] = NO_ZOC
    entered: bool | None = False


def march_paths(german: bool | None, *, told_apart: bool) -> Iterator[MarchPath]:
    """The possible paths of a march. Only for Germans (``german``; None: not known) does it matter whether
    the march enters a ZOC. ``told_apart``: the search can see whether it did; else ``entered`` is None."""
    yield MarchPath()
    for touches in _TOUCHES:
        if german is not False:
            yield MarchPath(touches, True if told_apart else None)
        yield MarchPath(touches)


_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}", re.ASCII)
MOST = 3
"""The most MPs that a forced march can add."""
LOST = 7
"""The least result of the roll at which the march fails and the unit is lost."""
_CLAUSE_OF_RESULT = (
    "6.F-T0",
    *4 * ("6.F-T1",),
    "6.F-T5",
    "6.F-T6",
    "6.F-T7",
    "6.F-T8",
    "6.F-T9",
)
"""By the result of the roll, the clause of its row in the table."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The result of a roll. ``extra``: the MPs it adds. ``failed``: the clause by which it adds none, '' if
    it adds some or may do so. ``missing``: the facts that would make ``extra`` exact."""

    extra: Amount
    failed: str = ""
    missing: tuple[WeightedFact, ...] = ()


@dataclass(slots=True)
class _Span:
    """The least and the greatest possible sum of modifiers."""

    lo: int = 0
    hi: int = 0

    def add(self, value: int, holds: bool | None) -> None:
        """Add a modifier of ``value``. ``holds``: whether it applies; None: not known."""
        if holds is False:
            return
        self.lo += value if holds or value < 0 else 0
        self.hi += value if holds or value > 0 else 0


def roll(
    unit: Unit,
    facts: Facts,
    path: MarchPath,
    markers: Amount,
    circumstances: Circumstances,
    enemy_zocs: EnemyZocs,
) -> Roll:
    """The result of the roll for a march by ``path``. ``markers``: the number on the "+# MP" marker at the
    end of the phase."""
    tables, game = enemy_zocs.tables, circumstances.situation.game
    entered = ruleset_facts.entered_zoc(unit, circumstances.situation.at)
    if path.entered is None:
        path = path._replace(entered=answer(game, entered))
    if not tables.applies("6.F-e"):
        return Roll(ZERO, "ZC-6.F-e")
    tried = attempts(facts["march"])
    die = _faces(facts["march_die"])
    wanted = _numbers(facts["march_markers"], 0, 9)
    there = 9 if markers.hi is None else int(markers.hi)
    extras: list[int] = [] if tried[0] else [0]
    results: list[int] = []
    hopes: list[int] = []
    parts: list[int] = [0]
    for number in range(max(1, tried[0]), tried[1] + 1):
        mods = _modifiers(facts, path, number, circumstances, enemy_zocs)
        most = wanted[1] if tables.applies("6.F-M3") else 0
        least = min(wanted[0], int(markers.lo)) if tables.applies("6.F-M3") else 0
        lo = _clamp(die[0] + mods.lo - min(most, there))
        hi = _clamp(die[1] + mods.hi - least)
        hopes.append(_clamp(die[0] + mods.lo - most))
        results += (lo, hi)
        extras += [_extra(result, number, tables) for result in range(lo, hi + 1)]
        parts += [_part(result, number) for result in range(lo, hi + 1)]
    failed = ""
    if max(extras) <= 0:
        lost = min(results)
        failed = f"ZC-{_CLAUSE_OF_RESULT[lost]}"
        if min(hopes) < LOST <= lost:
            failed = "ZC-6.F-M3"
    extra = Amount(Fraction(min(extras)), Fraction(max(extras)))
    missing = (
        ()
        if extra.is_exact
        else tuple(WeightedFact(u) for u in _asked(unit, facts, path, entered, tables))
    )
    reading = tables.reading("failed_march")
    if max(parts) > max(extras) and reading != "nothing":
        extra = Amount(extra.lo, Fraction(max(parts)))
        if reading == "any":
            missing = (*missing, WeightedFact(ruleset_facts.reading("failed_march")))
        elif len(set(parts)) == 1 and len(set(extras)) == 1:
            extra, missing = Amount.exactly(max(parts)), ()
    return Roll(extra, failed, missing)


def lost_later(roll: Roll, question: Question, game: Game) -> Roll:
    """A roll that failed, or may have, of a unit that was dragged back or taken off the map afterwards,
    changed for what ``question`` says: if the unit was dragged before the die was rolled, the drag may have
    cost up to 3 MPs more. Unchanged if the answer is no."""
    told = answer(game, question)
    if told is False:
        return roll
    most = Fraction(MOST)
    least = most if told and roll.failed else roll.extra.lo
    missing = () if roll.failed and told else roll.missing
    return Roll(
        Amount(least, most), "", missing if told else (*missing, WeightedFact(question.unknown()))
    )


def _part(result: int, number: int) -> int:
    """The MPs of a failed attempt to gain ``number`` that may not be lost. The text only says (-1 MP) or
    (-2 MP), and not whether the other MPs tried remain."""
    return 0 if result < LOST else max(0, number - (2 if result == LOST + 2 else 1))


def attempts(fact: Fact) -> tuple[int, int]:
    """The least and the most MPs that a forced march tried to gain, by the condition ``march``; 0 if there
    was no march. (1, 2) if the condition is not given."""
    lo, hi = _numbers(fact, 0, 2)
    return (1 if fact.low is None else lo), max(lo, hi)


def may_be_untried(fact: Fact) -> bool:
    """Whether a move in the form of a forced march may have been made without one, within the allowance."""
    return fact.low is None or attempts(fact)[0] == 0


def _numbers(fact: Fact, least: int, most: int) -> tuple[int, int]:
    """The least and the greatest whole number from ``least`` to ``most`` that a fact allows."""
    lo = least if fact.low is None else int(fact.low)
    hi = most if fact.high is None else int(fact.high)
    return max(least, min(lo, most)), max(least, min(hi, most))


def _faces(die: Fact) -> tuple[int, int]:
    """The least and the greatest number that a ten-sided die may show. On a die numbered from 1 to 10, the 10
    counts as 0."""
    lo, hi = _numbers(die, 0, 10)
    return (lo, hi) if hi < 10 else (0, 0 if lo == 10 else 9)


def _clamp(result: int) -> int:
    return max(0, min(9, result))


def _extra(result: int, number: int, tables: Tables) -> int:
    """The MPs that a result adds if the march tried to gain ``number``. A result never adds more than a
    better (lower) one, even if the row of the better one is switched off, because a march that may touch a
    ZOC need not do so."""
    return min(_row(better, number, tables) for better in range(result + 1))


def _row(result: int, number: int, tables: Tables) -> int:
    """The MPs that one row of the result table adds."""
    applies = tables.applies(_CLAUSE_OF_RESULT[result])
    if result >= LOST:
        return 0 if applies else number
    if result == 0:
        return number + applies
    return number if applies else 0


def _modifiers(
    facts: Facts,
    path: MarchPath,
    number: int,
    circumstances: Circumstances,
    enemy_zocs: EnemyZocs,
) -> _Span:
    """The sum of the modifiers, without those for markers."""
    tables = enemy_zocs.tables
    german = is_german(facts["nationality"], tables)
    found = _Span()
    rows = (
        ("6.F-M1", -1, _both(german, _before(facts["date"], SEPTEMBER_1941))),
        ("6.F-M2", -1, _both(german, path.entered)),
        ("6.F-M4", -1, _yes_or_no(facts["special"])),
        ("6.F-M5", 1, PARTIAL in path.touches),
        ("6.F-M6", 1, _not_regular(facts["supply"], tables)),
        ("6.F-M7", 1, _in_zone(circumstances, tables)),
        ("6.F-M8", 2, number == 2),
        ("6.F-M9", 2, FULL in path.touches),
    )
    for clause, value, holds in rows:
        if tables.applies(clause):
            found.add(value, holds)
    return found


def _both(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return True if a and b else None


def _yes_or_no(fact: Fact) -> bool | None:
    if fact.must_be(True):
        return True
    return False if fact.must_be(False) else None


def is_german(nationality: Fact, tables: Tables) -> bool | None:
    """Whether a nationality counts as German."""
    if nationality.options is None:
        return None
    german = {name.casefold() for name in tables.german}
    answers = {str(option).casefold() in german for option in nationality.options}
    return answers.pop() if len(answers) == 1 else None


def _before(date: Fact, day: str) -> bool | None:
    """Whether a date, written as for :func:`before`, is before ``day``; None if not known."""
    if date.options is None:
        return None
    answers = {before(str(option), day) for option in date.options}
    return answers.pop() if len(answers) == 1 else None


def before(date: str, day: str) -> bool | None:
    """Whether ``date`` (``1941``, ``1941-08`` or ``1941-08-31``) is before ``day``; None if it may be, or is
    written differently."""
    if not _DATE.fullmatch(date):
        return None
    if date + "-12-31"[3 * date.count("-") :] < day:
        return True
    return False if date + "-01-01"[3 * date.count("-") :] >= day else None


def _not_regular(supply: Fact, tables: Tables) -> bool | None:
    if supply.options is None:
        return None
    answers: set[bool | None] = set()
    for state in map(
        str, supply.options
    ):  # a state that the tables lack may be another name for any of them
        answers.add(False if state == tables.regular else True if state in tables.supply else None)
    return answers.pop() if len(answers) == 1 else None


def _in_zone(circumstances: Circumstances, tables: Tables) -> bool | None:
    """Whether the move begins or ends in an arid or arctic zone; None if not known. A move that goes on from
    the hex where it ended may end elsewhere."""
    board, move = circumstances.situation.game.board, circumstances.move
    if move is None:
        return None

    def lies(name: str | None) -> bool | None:
        return False if name is None else board.has(name, tables.march_zones)

    begins, ends = lies(move.origin.hex), lies(move.target.hex)
    return some((begins, None if ends and move.goes_on else ends))


def _asked(
    unit: Unit, facts: Facts, path: MarchPath, entered: Question, tables: Tables
) -> Iterator[MissingFact]:
    """The missing facts that would make a roll exact."""
    for about in ("march_die", "march", "march_markers"):
        if not facts[about].is_known:
            yield missing_facts.of_condition(about)
    if _not_regular(facts["supply"], tables) is None:
        yield missing_facts.of_condition("supply")
    german = is_german(facts["nationality"], tables)
    if german is None:
        yield missing_facts.of_unit(unit, "nationality")
    elif german and _before(facts["date"], SEPTEMBER_1941) is None:
        yield missing_facts.of_condition("date")
    if not facts["special"].is_known:
        yield missing_facts.of_unit(unit, "special")
    if german is not False and path.entered is None:
        yield entered.unknown()


def prohibitions(
    unit: Unit,
    facts: Facts,
    phase: str,
    reserve: bool,
    spendable: Amount,
    circumstances: Circumstances,
    tables: Tables,
    dearest_step: Callable[[Fraction], Fraction | None],
) -> Iterator[Breach | WeightedFact]:
    """The breaches of a unit that force marches, and the missing facts that may prohibit it. ``spendable``:
    its allowance; ``dearest_step``: for MPs spent, the most that its next hex may then have cost, None if
    there is no bound."""
    if tables.applies("6.F-a"):
        yield from _wrong_type(unit, facts)
    if phase not in ("", "initial") and tables.applies("6.F-b"):
        yield Breach("ZC-6.F-b", "force marches in another phase than the initial one", "")
    if reserve and tables.applies("6.B.3-b"):
        yield Breach("ZC-6.B.3-b", "force marches in reserve", "")
    if tables.applies("6.F-d"):
        yield from _spent_first(unit, facts["march_spent"], spendable, circumstances, dearest_step)


def _spent_first(
    unit: Unit,
    said: Fact,
    spendable: Amount,
    circumstances: Circumstances,
    dearest_step: Callable[[Fraction], Fraction | None],
) -> Iterator[Breach | WeightedFact]:
    """The breach if a unit rolled before it had spent all the MPs it could (6.F-d), or the missing fact that
    decides it. ``said``: the MPs it had spent; if that is a range, its upper end is the favourable one."""
    if said.high is None or said.low is None:
        return
    left = spendable.lo - said.high
    if left < 1 and said.low < said.high and spendable.lo - said.low >= 1:
        yield WeightedFact(missing_facts.of_condition("march_spent"))
        return
    if left < 1 and spendable.hi is not None and spendable.hi - said.low < 1:
        return
    dearest = dearest_step(said.high)
    told: bool | None = False
    # The next hex may have cost more than was left.
    if left < 2 or dearest is None or left < dearest:
        question = ruleset_facts.all_spent(unit, spendable, circumstances.situation.at)
        told = answer(circumstances.situation.game, question)
        if told is None:
            yield WeightedFact(question.unknown())
    if told is False:
        text = f"rolls for a forced march having spent {said.high} of {spendable} MPs"
        yield Breach("ZC-6.F-d", text, "")


def _wrong_type(unit: Unit, facts: Facts) -> Iterator[Breach | WeightedFact]:
    classes, infantry = facts["class"], facts["infantry"]
    if classes.options is not None and set(classes.options) == {"c/m"}:
        yield Breach("ZC-6.F-a", "force marches, being a c/m unit", "")
    elif infantry.must_be(False):
        yield Breach("ZC-6.F-a", "force marches, being no infantry type", "")
    if classes.options is None or len(classes.options) > 1:
        yield WeightedFact(missing_facts.of_unit(unit, "class"))
    if not infantry.is_known:
        yield WeightedFact(missing_facts.of_unit(unit, "infantry"))
