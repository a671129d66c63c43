"""Questions that only people can answer, mostly yes or no, and the answers given in facts.

What a log cannot show (was it an overrun? did the marker come late?) is a condition of the game like any
other: a ``[[condition]]`` of ``facts.toml`` whose key is the topic of the question. A rule calls
:func:`answer` first. If that returns None, the rule leaves the verdict open and names
:meth:`Question.unknown`, whose stanza is that condition with a blank for the value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model.bill import Amount
from ..model.fact import UNKNOWN, Fact, MissingFact
from ..model.game import Game, StepRef
from ..model.stanza import BLANK, stanza
from ..model.unit import Unit

YES = frozenset({"yes", "y", "true", "1"})
NO = frozenset({"no", "n", "false", "0", "none"})


def yes_or_no(fact: Fact) -> bool | None:
    """``fact`` as yes (True) or no (False), in any spelling; None if it is not known or is neither."""
    if fact.options is None:
        return None
    said = {_meaning(str(option)) for option in fact.options}
    return said.pop() if len(said) == 1 else None


def _meaning(word: str) -> bool | None:
    lower = word.strip().lower()
    return True if lower in YES else False if lower in NO else None


@dataclass(frozen=True, slots=True)
class Question:
    """A question, usually with the answer yes or no.

    ``topic``: the key of the condition that answers it, a few words that do not change from move to
    move (``overran after 0201``). ``text``: the question as the report puts it. ``unit``: the id of the
    unit it is about, '' if about none. ``at``: the step it is about; None: the whole game.
    """

    topic: str
    text: str
    unit: str = ""
    at: StepRef | None = None

    def unknown(self, key: str = "", value: str = BLANK) -> MissingFact:
        """The question as a missing fact, with the stanza that answers it. ``key``: what the report calls the
        fact; empty: the topic with unit and step. ``value``: the only answer that settles it, if others
        change nothing."""
        entries: dict[str, str] = {"key": self.topic}
        if self.unit:
            entries["unit"] = self.unit
        if self.at is not None:
            entries["first"] = entries["last"] = str(self.at)
        about = f"unit {self.unit} {self.topic}" if self.unit else self.topic
        when = "" if self.at is None else f" at {self.at}"
        return MissingFact(
            key=key or f"{about}{when}",
            question=self.text,
            file="facts.toml",
            stanza=stanza("[[condition]]", {**entries, "value": value}),
        )


def answer(game: Game, question: Question) -> bool | None:
    """The facts' answer; None if they give none. A question with no step is answered by what holds at the
    beginning of the game."""
    return yes_or_no(told(game, question))


def told(game: Game, question: Question) -> Fact:
    """The fact that answers a question with a number or a word; ``UNKNOWN`` if there is none."""
    if question.topic not in game.condition_keys:
        return UNKNOWN
    at = question.at if question.at is not None else StepRef(1, 0)
    return game.condition(question.topic, at, question.unit)


Decided = bool | tuple[MissingFact, ...]
"""Whether something is so, or the missing facts that decide it."""


def decided(game: Game, question: Question) -> Decided:
    """The facts' answer; if they give none, the question."""
    said = answer(game, question)
    return (question.unknown(),) if said is None else said


def any_decided(found: Iterable[Decided]) -> Decided:
    """Whether at least one of ``found`` is so."""
    every = list(found)
    asked = dict.fromkeys(fact for one in every for fact in open_in(one))
    return True in every or tuple(asked) or False


def open_in(found: Decided) -> tuple[MissingFact, ...]:
    """The missing facts that decide ``found``; none if the answer is known."""
    return () if isinstance(found, bool) else found


# Questions that every ruleset may meet.

EXEMPT = "exempt from order"
WENT_ON = "phase went on"
AHEAD = "went ahead of its stack"
PASSED, LAST_PLACES, MOVED_ON, AS_ONE, IN_HEX, UNSEEN, SPENT, MARCHES = (
    "passed through",
    "only last places count for",
    "moved on after",
    "moved in one stack",
    "in",
    "counts though unseen",
    "spent before leaving",
    "moves by these rules from",
)


def passed_through(hex_name: str, unit: str, at: StepRef) -> Question:
    """Whether a unit really was in a hex where it was put down at step ``at`` and dragged on unwitnessed."""
    text = f"did it really pass through {hex_name}, where it was put down for a moment?"
    return Question(f"{PASSED} {hex_name}", text, unit, at)


def only_last_places(side: str) -> Question:
    """Whether a player tries counters out before he settles. If so, a place where a counter of his side was
    put down and dragged on unwitnessed does not count."""
    text = f"does {side} try counters out before settling, so that only the last place of a turn counts?"
    return Question(f"{LAST_PLACES} {side}", text)


def moved_on_after(unit: Unit, other: Unit, at: StepRef | None = None) -> Question:
    """Whether a unit moved on, at step ``at``, after another had begun to move, as the log shows it. No: the
    player corrected its place, or the two were moved in another order."""
    text = f"did {unit.name} move on after {other.name} had begun to move, as the log shows it?"
    return Question(f"{MOVED_ON} {other.id}", text, unit.id, at)


def moved_as_one(unit: str, name: str, at: StepRef) -> Question:
    """Whether a unit moved, up to step ``at``, in one stack with others. Asked if there are too many orders
    of their stops to try."""
    text = (
        f"did {name} move in one stack with those that were dragged beside it? There are too many orders of"
        " their stops to try"
    )
    return Question(AS_ONE, text, unit, at)


def was_there(hex_name: str, unit: str, name: str, at: StepRef) -> Question:
    """Whether a unit was in a hex when the move that begins at step ``at`` passed it."""
    text = (
        f"was {name} in hex {hex_name} when the moving unit came past? "
        "It was there for a part of the move only"
    )
    return Question(f"{IN_HEX} {hex_name} during the move", text, unit, at)


def counts_unseen(unit: str, name: str) -> Question:
    """Whether a unit that the moving side could not see counts against its moves."""
    text = f"the moving side could not see {name} then: does it count against the move?"
    return Question(UNSEEN, text, unit)


def spent_before(origin: str, unit: str, name: str, at: StepRef) -> Question:
    """How many MPs a unit had spent in the phase before the drag of step ``at``."""
    text = f"what did {name} spend in this phase before it lay in {origin}?"
    return Question(f"{SPENT} {origin}", text, unit, at)


def marches_from(origin: str, unit: str, name: str, at: StepRef) -> Question:
    """Whether a unit in a hex that it cannot enter moved on from there, at step ``at``, by these rules."""
    text = (
        f"was {name} moved on from {origin} on the ground, as units move? By the charts it cannot, or"
        " perhaps cannot, enter that hex: it may have landed there or been carried there, or the board may"
        " be wrong"
    )
    return Question(f"{MARCHES} {origin}", text, unit, at)


def by_way_of(left: str, box: str, to: str, unit: str, name: str, at: StepRef) -> Question:
    """Whether a unit that was taken off the map and put back elsewhere in one phase moved so."""
    text = f"was {name} moved from {left} to {to} by way of {box} (no: it was lost or put right)?"
    return Question(f"{MARCHES} {left}", text, unit, at)


def may_move_on(unit: str, name: str) -> Question:
    """Whether a unit may move on after others have moved. Asked if the rules allow it to some units."""
    text = f"is {name} exempt from the rule against moving on after others?"
    return Question(EXEMPT, text, unit)


def went_ahead(unit: Unit, at: StepRef | None) -> Question:
    """Whether a unit entered every hex before the friends it was dragged along with. ``at``: the last step of
    the move; None: no move is given."""
    text = f"did {unit.name} go ahead of those it was dragged along with, and not after them?"
    return Question(AHEAD, text, unit.id, at)


def amount_told(game: Game, question: Question) -> Amount | None:
    """The number that the facts give for ``question``, possibly a range; None if they give none, or one
    without a lower bound or below 0."""
    fact = told(game, question)
    return None if fact.low is None or fact.low < 0 else Amount(fact.low, fact.high)
