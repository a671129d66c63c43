"""Open questions with everything that waits for them, grouped by common answer, and how many moves each group
decides."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...model.fact import MissingFact
from ...model.finding import Audit, Finding, JudgedMove
from ...model.stanza import BLANK
from ...validators.answers import only_last_places
from ...validators.unit_verdict import MOST_UNKNOWNS
from .json import unknowns_of
from .phrases import capital, counted

HOW_TO_LOOK = (
    "To settle it, a person must compare this part of the map with the pack: the studio shows both."
)

OF_RULES = (
    "To settle it, write what the game has into [rules] of pack.toml: the studio has a form for it."
)


def how_to_settle(unknown: MissingFact) -> str:
    """How to answer a question that has no stanza to paste, because a person must look at the map or at the
    rules; "" if its stanza answers it."""
    if unknown.look:
        return HOW_TO_LOOK
    return OF_RULES if unknown.key.startswith("chart ") else ""


def to_write(unknown: MissingFact, when: str) -> str:
    """The words before the stanza of ``unknown``, after ``when``."""
    into = f" into {unknown.file}" if unknown.file else ""
    may_be_none = unknown.key.startswith("hexside ") and unknown.stanza.endswith(f'["{BLANK}"]')
    return f"{when}, write{into}{' ([] if there is nothing)' if may_be_none else ''}:"


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A missing fact, the unverifiable moves that wait for it, and the other findings that do (for example a
    stack that may be too big)."""

    unknown: MissingFact
    moves: tuple[JudgedMove, ...]
    others: tuple[Finding, ...]


def open_questions(audit: Audit) -> list[OpenQuestion]:
    """Every question; those with most waiting moves come first."""
    open_moves = {m.move.id: m for m in audit.moves if m.verdict == "unverifiable" and m.judged}
    others = [f for f in audit.findings if _is_more_than_its_move(f, open_moves)]
    waiting: dict[str, list[JudgedMove]] = {}
    for judged in open_moves.values():
        for key in {unknown.key for unknown in judged.unknowns}:
            waiting.setdefault(key, []).append(judged)
    asked = [
        OpenQuestion(
            unknown,
            tuple(waiting.get(unknown.key, ())),
            tuple(f for f in others if any(u.key == unknown.key for u in f.unknowns)),
        )
        for unknown, _ in unknowns_of(audit).values()
    ]
    return sorted(asked, key=lambda one: (-len(one.moves), -len(one.others), one.unknown.key))


def without_question(audit: Audit) -> list[Finding]:
    """Unverifiable findings that no single known fact would decide."""
    return [f for f in audit.findings if f.kind == "unverifiable" and not f.unknowns]


def _is_more_than_its_move(finding: Finding, open_moves: dict[int, JudgedMove]) -> bool:
    """Whether an open finding says more than that its move is unverifiable."""
    if finding.kind != "unverifiable":
        return False
    if len(finding.moves) != 1 or finding.moves[0] not in open_moves:
        return True
    return not finding.explanation.endswith(open_moves[finding.moves[0]].remark or "\0")


FIRST = 10
"""Groups shown on a page; the others are folded, or only counted."""
FEW = 4
"""Questions of a group that its text names."""
BOTH = "all players"
KEEPER = "the pack's keeper, from the rulebook"

_OF_PACK = "[[pack]]"
_RULE_LEFT_OUT = re.compile(r"unit .+? right by (.+) at \S+")
_COST = re.compile(r"cost of (.+?)(?:\.\w+)? for (.+)")
_STEPS = re.compile(r"log (\d+) steps (\S+)")
_STOP = re.compile(r"stop in (.+) between .+ and .+")
_STEP = re.compile(r"^(\d+):(\d+)$")
_UNIT = re.compile(r"^(?:form of unit|stop of|unit) (\S+)")
_OF_ALL = re.compile(r"(hex|hexside|level) .*|unit \* (?!.*\*).*")
"""Questions about the map and the counters, which everybody sees: those of all players are grouped."""
_ORDER = re.compile(r"unit (.+) moved on after (.+) at \S+")
"""Questions about a counter that was put down, perhaps only to try it out: grouped like stops."""

Topic = tuple[str, ...]
UNNAMED: frozenset[Topic] = frozenset({("unnamed",)})
"""What a move may wait for besides the facts that it names, if it names as many as a judgement may."""


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Questions with a common answer; those with most waiting moves come first. ``to``: who can answer: a
    side, :data:`BOTH` or :data:`KEEPER`. ``alone``: how many moves wait for nothing else. ``together``: how
    many are decided if all groups shown with it are answered. ``whole``: the one question that settles all of
    them if its answer is yes, with the stanza that says so; None: each is asked alone."""

    topic: Topic
    to: str
    text: str
    questions: tuple[OpenQuestion, ...]
    alone: int = 0
    together: int = 0
    whole: MissingFact | None = None

    @property
    def moves(self) -> tuple[JudgedMove, ...]:
        """The waiting moves, each once, in the order of the questions."""
        return tuple({m.move.id: m for one in self.questions for m in one.moves}.values())

    @property
    def others(self) -> tuple[Finding, ...]:
        """The waiting findings other than moves, each once."""
        return tuple({id(f): f for one in self.questions for f in one.others}.values())

    @property
    def how(self) -> str:
        """How to answer several questions at once in the pack's rules; "" if that does not answer them."""
        return OF_RULES if self.topic[0] == "rule" and len(self.questions) > 1 else ""

    @property
    def at_once(self) -> str:
        """The words before the stanza of ``whole``; "" if there is none."""
        return to_write(self.whole, "If only last places count") if self.whole else ""

    @property
    def said(self) -> str:
        """The text, and how many moves it decides."""
        return f"{self.text} It {self.decides}."

    @property
    def decides(self) -> str:
        """How many moves it decides, in words."""
        waiting = len(self.moves)
        if not waiting:
            return f"decides {counted(len(self.others), 'finding')}"
        if self.alone == waiting:
            return f"decides {counted(waiting, 'move')}"
        told = [
            f"{self.alone:,} alone" if self.alone else "",
            f"{self.together:,} with the other answers here" if self.together > self.alone else "",
        ]
        parts = ", ".join(filter(None, told)) or "none alone"
        return f"decides {parts}, of {counted(waiting, 'move')} waiting"


@dataclass(frozen=True)
class QuestionGroups:
    """All groups of an audit. ``needs``: by the id of an open move, the topics that it waits for."""

    groups: tuple[QuestionGroup, ...]
    needs: Mapping[int, frozenset[Topic]]

    def first(self, to: Collection[str] | None = None) -> tuple[QuestionGroup, ...]:
        """At most :data:`FIRST` groups that together decide most moves; each is chosen by what it decides
        with those before it. ``to``: only groups that these can answer; None: all."""
        left = [one for one in self.groups if to is None or one.to in to]
        chosen: list[QuestionGroup] = []
        while left and len(chosen) < FIRST:
            have = frozenset(one.topic for one in chosen)
            gains = self._gains(have)
            best = max(
                left,
                key=lambda one: (
                    gains.get(one.topic, 0),
                    len(one.moves) + len(one.others),
                    -self._place[one.topic],
                ),
            )
            left.remove(best)
            chosen.append(best)
        have = frozenset(one.topic for one in chosen)
        return tuple(replace(one, together=self._decided(one.topic, have)) for one in chosen)

    @cached_property
    def _place(self) -> Mapping[Topic, int]:
        return {one.topic: place for place, one in enumerate(self.groups)}

    def _gains(self, have: frozenset[Topic]) -> Mapping[Topic, int]:
        """How many moves each topic would decide besides those in ``have``."""
        found: dict[Topic, int] = {}
        for needed in self.needs.values():
            lacking = needed - have
            if len(lacking) == 1:
                (topic,) = lacking
                found[topic] = found.get(topic, 0) + 1
        return found

    def _decided(self, topic: Topic, have: frozenset[Topic]) -> int:
        return sum(topic in needed and needed <= have for needed in self.needs.values())

    @cached_property
    def by_worth(self) -> tuple[QuestionGroup, ...]:
        """All groups: the first, then the others."""
        first = self.first()
        topics = {one.topic for one in first}
        return (*first, *(one for one in self.groups if one.topic not in topics))


def question_groups(audit: Audit) -> QuestionGroups:
    """All open questions of an audit, in groups."""
    return grouped(open_questions(audit), audit.names)


def grouped(questions: Iterable[OpenQuestion], names: Mapping[str, str]) -> QuestionGroups:
    """``questions`` in groups; groups with most waiting moves come first. ``names``: of units, by id."""
    found: dict[Topic, list[OpenQuestion]] = {}
    for one in questions:
        found.setdefault(_topic(one), []).append(one)
    topics = {one.unknown.key: topic for topic, every in found.items() for one in every}
    waiting = {m.move.id: m for every in found.values() for one in every for m in one.moves}
    needs = {
        number: frozenset(topics[unknown.key] for unknown in judged.unknowns)
        | (UNNAMED if len(judged.unknowns) >= MOST_UNKNOWNS else frozenset())
        for number, judged in waiting.items()
    }
    groups = [
        QuestionGroup(
            topic,
            asked_of(every),
            _text(topic, every, names),
            tuple(every),
            alone=sum(needed == {topic} for needed in needs.values()),
            whole=_whole(topic, every),
        )
        for topic, every in found.items()
    ]
    groups.sort(key=lambda one: (-len(one.moves), -len(one.others), one.topic))
    return QuestionGroups(tuple(groups), needs)


def asked_of(questions: Iterable[OpenQuestion]) -> str:
    """Who can answer ``questions``: :data:`BOTH` for a look at the map, :data:`KEEPER` if the answer is in
    the rulebook and belongs in the pack, a side if all waiting moves and stacks are its own, else
    :data:`BOTH`."""
    every = tuple(questions)
    missing = [one.unknown for one in every]
    if any(one.look for one in missing):
        return BOTH
    if any(_in_the_rulebook(one) for one in missing):
        return KEEPER
    return _side_of(every) or BOTH


def _in_the_rulebook(missing: MissingFact) -> bool:
    return (
        missing.file == "pack.toml"
        or missing.stanza.startswith(_OF_PACK)
        or bool(_RULE_LEFT_OUT.fullmatch(missing.key))
    )


def _side_of(questions: Iterable[OpenQuestion]) -> str:
    """The side of all waiting moves and stacks; "" if there are several, or it is not known."""
    sides = {judged.move.actor for one in questions for judged in one.moves}
    sides |= {found.side for one in questions for found in one.others}
    return (sides.pop() if len(sides) == 1 else "") or ""


def _topic(one: OpenQuestion) -> Topic:
    """The key that questions with a common answer share."""
    missing = one.unknown
    if missing.look:
        return ("look", missing.key)
    rule, cost = _RULE_LEFT_OUT.fullmatch(missing.key), _COST.fullmatch(missing.key)
    if rule:
        return ("rule", rule[1])
    if cost:
        return ("cost", cost[1])
    shape = " ".join(
        "*" if word in units_of(missing) or re.search(r"\d", word) else word
        for word in missing.key.split()
    )
    side = _side_of([one])
    if missing.key.startswith("stop ") or (side and _ORDER.fullmatch(missing.key)):
        shape = "stop"
    of_all = _in_the_rulebook(missing) or _OF_ALL.fullmatch(shape)
    return (shape, "" if of_all else side)


def _text(topic: Topic, questions: Sequence[OpenQuestion], names: Mapping[str, str]) -> str:
    """One or two sentences for all questions of a group. ``names``: of units, by id."""
    kind, about = topic
    if kind == "rule":
        return f"What does the rulebook say about this: {about}? The pack has only these words."
    first = as_sentence(questions[0].unknown.question)
    if len(questions) == 1:
        return first
    if kind == "stop" and about:
        return (
            f"Does {_player(about, questions)} try counters out before settling, so that only the last place"
            f" of a turn counts? If not: {_what_was_real(questions, names)}"
        )
    if kind == "cost":
        found = [_COST.fullmatch(one.unknown.key) for one in questions]
        classes = list(dict.fromkeys(one[2] for one in found if one))
        what = (
            "entering, leaving or moving within these zones of control" if about == "zoc" else about
        )
        return f"What does {what} cost {_listed(classes, len(classes))}?"
    texts = {one.unknown.question: one.unknown for one in reversed(questions)}
    texts.pop(questions[0].unknown.question)
    subjects = dict.fromkeys(subject_of(one, names) for one in reversed(texts.values()))
    alike = len(questions) - 1
    others = (
        _listed(list(subjects), FEW) if subjects else counted(alike, "further case of it", "more")
    )
    return f"{first} The same of {others}."


def _what_was_real(questions: Sequence[OpenQuestion], names: Mapping[str, str]) -> str:
    found = [_ORDER.fullmatch(one.unknown.key) for one in questions]
    orders = [
        [names.get(unit, f"the counter {unit}") for unit in one.groups()] for one in found if one
    ]
    stops = len(questions) - len(orders)
    if not orders:
        return f"which of {stops:,} stops were real?"
    told = [f"{unit} moved on after {other}" for unit, other in orders]
    happened = [*([counted(stops, "stop")] if stops else []), *dict.fromkeys(told)]
    return f"what of these happened as the log shows it? {_listed(happened, FEW)}."


def subject_of(missing: MissingFact, names: Mapping[str, str]) -> str:
    """The subject of a question in short: the name of its unit, its hex, its steps."""
    units = units_of(missing)
    if units:
        return names.get(units[0]) or f"the counter {units[0]}"
    stop = _STOP.fullmatch(missing.key)
    if stop:
        return stop[1]
    steps = _STEPS.search(missing.key)
    if steps:
        return f"steps {steps[2]} of log {steps[1]}"
    named = [word for word in missing.key.split() if re.search(r"\d", word)]
    return " and ".join(_STEP.sub(r"step \2 of log \1", word) for word in named) or missing.key


def units_of(missing: MissingFact) -> tuple[str, ...]:
    """The id of the unit that a question is about; empty if there is none."""
    found = _UNIT.search(missing.key)
    return (found[1],) if found else ()


def _player(side: str, questions: Sequence[OpenQuestion]) -> str:
    names = {m.move.player for one in questions for m in one.moves if m.move.actor == side}
    name = names.pop() if len(names) == 1 else ""
    return f"{name} ({side})" if name and name != side else f"the player of {side}"


def _listed(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    if more > 0:
        return f"{', '.join(names[:most])} and {more:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def as_sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop at its end."""
    text = text.strip()
    end = "" if text.endswith((".", "?", "!")) or not text else "."
    return f"{capital(text)}{end}"


def _whole(topic: Topic, questions: Sequence[OpenQuestion]) -> MissingFact | None:
    kind, about = topic
    if kind != "stop" or not about or len(questions) == 1:
        return None
    asked = only_last_places(about).unknown(value="yes")
    return asked if asked.stanza else None
