"""Guesses about a module's pieces and trackers: where a side or an attribute may be read, what may show turns
and phases, and which pieces may be terrain (hexes laid as tiles). The author of the pack decides."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model.entities import resolved
from ...model.stanza import Entry, stanza
from ...model.table import TableHistory
from ...model.viewer import Viewer
from ...model.visibility import look
from ..vassal.module import Module
from ..vassal.turns import CounterLevel, ListLevel, TurnLevel
from .census import Census, CounterKind
from .new_board import literal

MOST_CANDIDATES = 4
ALLOWANCE, CLASS = "ma", "class"
"""Rulesets' names for the printed allowance and for the movement class."""
_NUMBER = re.compile(r"[0-9]+(?:[.,/][0-9]+|½)?")
_FACTORS = re.compile(r"(?<![0-9])[0-9]+-[0-9]+(?:-[0-9]+)?(?![0-9])")
_ALLOWANCE = re.compile(r"m|ma|mp|mf|mv|move(ment)?.{0,12}|.{0,12}allowance", re.IGNORECASE)
_OF = {"name": "its name", "image": "the name of its picture"}
_PLACES = ("first", "second", "third")
# How parts of names are separated, the pattern for a part with what separates it, and for what follows.
_SEPARATED = (
    (re.compile(r"[ _]+"), "[^ _]+[ _]+", ""),
    (re.compile(r"-"), "[^-]+-", "-"),
)
_MARKER = re.compile(
    r"marker|dummy|disrupt|control|terrain|tile|card|\bdeck|dice|turn|track|arrow|counter sheet|prisoner"
    r"|interdict|blown|entrench|fortif|weather|supply(?! unit)|status|flag|victory|label",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"unit|infantry|\binf\b|armou?r|cavalry|artillery|leader|division|regiment|brigade|battalion|squad|tank|hero",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An attribute that a ruleset asks for: a ``number``, or one of ``words`` (none: any text)."""

    name: str
    number: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible source of a value: a lookup as ``pack.toml`` writes it, and its result: a value for
    ``found`` of ``of`` kinds of counters, the most frequent values with their numbers."""

    lookup: Mapping[str, Entry]
    found: int
    of: int
    values: tuple[tuple[str, int], ...]
    where: str = ""
    """The part of a name that a pattern reads, in words; "": the lookup is clear without it."""

    def called(self, name: str) -> bool:
        """Whether the source has the name ``name``."""
        return str(next(iter(self.lookup.values()))).casefold() == name.casefold()

    @property
    def said(self) -> str:
        """The text for a comment."""
        values = ", ".join(f"{value} ({number})" for value, number in self.values[:6])
        more = " …" if len(self.values) > 6 else ""
        return f"{self.found} of {self.of} kinds: {values}{more}"


def looks_like_unit(kind: CounterKind) -> bool:
    """Whether a kind is more like units than like markers: a guess."""
    types = kind.properties.get("Type", ())
    told = " ".join((kind.name, kind.image, kind.folder, *kind.prototypes, *types))
    if _MARKER.search(told):
        return False
    return kind.moves > 0 or _UNIT.search(told) is not None


def side_candidates(kinds: Sequence[CounterKind], sides: Sequence[str]) -> list[Candidate]:
    """Properties whose values are the names of sides, and parts of names and pictures that are."""
    named = {side.casefold(): side for side in sides}
    found = list(_properties(kinds, lambda value: value.casefold() in named))
    for what in ("name", "image"):
        texts = [kind.name if what == "name" else kind.image for kind in kinds]
        begun = [next((s for s in sides if _begins(text, s)), "") for text in texts]
        counts = Counter(side for side in begun if side)
        if len(counts) > 1 or (counts and len(sides) == 1):
            pattern = f"^({'|'.join(literal(side) for side in sides if side in counts)})"
            found.append(_candidate({what: pattern}, counts, len(kinds), f"how {_OF[what]} begins"))
    return _best(found, "side")


def guessed_side(kind: CounterKind, sides: Sequence[str]) -> str:
    """The side that the palette folder or the prototypes of a kind name (``German`` for ``Germans``); "" if
    none, or several."""
    said = " ".join((kind.folder, *kind.prototypes)).casefold()
    found = [side for side in sides if re.search(rf"\b{_stem(side.casefold())}", said)]
    return found[0] if len(found) == 1 else ""


def _stem(side: str) -> str:
    """A pattern for the beginning of words that name a side; a short name must be a whole word."""
    return re.escape(side[: max(4, len(side) - 2)]) if len(side) >= 4 else rf"{re.escape(side)}\b"


def attribute_candidates(kinds: Sequence[CounterKind], wanted: Wanted) -> list[Candidate]:
    """Where an attribute may be read: properties, parts of names and pictures. A number or a text may be
    anything, so, except for allowance and class, only a property with the attribute's name counts."""
    words = {word.casefold() for word in wanted.words}
    any_name = (bool(words) and not wanted.number) or wanted.name in (ALLOWANCE, CLASS)

    def fits(value: str) -> bool:
        if wanted.number:
            return _NUMBER.fullmatch(value.strip()) is not None
        return not words or value.strip().casefold() in words

    extra: dict[str, bool] = {"number": True} if wanted.number else {}
    found = [
        replace(one, lookup={**one.lookup, **extra})
        for one in _properties(kinds, fits)
        if one.called(wanted.name) or (any_name and _may_tell(one, wanted, words))
    ]
    if any_name:
        found.extend(_in_names(kinds, wanted, words, extra))
    return _best(found, wanted.name)


def _may_tell(one: Candidate, wanted: Wanted, words: set[str]) -> bool:
    """Whether values differ as those of an attribute do."""
    if wanted.number:
        return len(one.values) > 1
    texts = any(not _NUMBER.fullmatch(value) for value, _ in one.values)
    return bool(words) or (texts and 2 <= len(one.values) <= 12)


def _properties(kinds: Sequence[CounterKind], fits: object) -> Iterator[Candidate]:
    assert callable(fits)
    values: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: Counter[str] = Counter()
    for kind in kinds:
        for key, told in kind.properties.items():
            if all(fits(value) for value in told):
                values[key][told.most_common(1)[0][0]] += 1
            else:
                wrong[key] += 1
    for key, counts in values.items():
        if counts.total() > wrong[key]:
            yield _candidate({"property": key}, counts, len(kinds))


def _in_names(
    kinds: Sequence[CounterKind], wanted: Wanted, words: set[str], extra: Mapping[str, bool]
) -> Iterator[Candidate]:
    for what in ("name", "image"):
        texts = [kind.name if what == "name" else kind.image for kind in kinds]
        if wanted.number:
            factors = [found[0] for text in texts if (found := _FACTORS.search(text))]
            if factors:
                dashes = max(text.count("-") for text in factors)
                pattern = "[0-9]+-" * dashes + "([0-9]+)"
                fitting = Counter(t.rpartition("-")[2] for t in factors if t.count("-") == dashes)
                where = f"the last of the numbers in {_OF[what]}"
                yield _candidate({what: pattern, **extra}, fitting, len(kinds), where)
            continue
        for parts, before, after in _SEPARATED:
            for place in range(3):
                split = [parts.split(text.rpartition(".")[0] or text) for text in texts]
                tokens = Counter(
                    found[place]
                    for found in split
                    if len(found) > place + bool(after)
                    and found[place].isalpha()
                    and (not words or found[place].casefold() in words)
                )
                few = 2 <= len(tokens) <= 8 and tokens.total() > len(kinds) // 2
                if tokens and (words or few):
                    pattern = f"^{before * place}([A-Za-z]+){after}"
                    where = f"the {_PLACES[place]} word of {_OF[what]}"
                    yield _candidate({what: pattern}, tokens, len(kinds), where)


def _begins(text: str, side: str) -> bool:
    return len(side) > 1 and text.casefold().startswith(side.casefold())


def _candidate(
    lookup: Mapping[str, Entry], counts: Counter[str], of: int, where: str = ""
) -> Candidate:
    return Candidate(lookup, counts.total(), of, tuple(counts.most_common()), where)


def _best(found: Iterable[Candidate], name: str) -> list[Candidate]:
    """The candidates that cover most kinds; one with the wanted name goes first."""

    def rank(one: Candidate) -> tuple[bool, bool, int, str]:
        where = str(next(iter(one.lookup.values())))
        hinted = name == ALLOWANCE and _ALLOWANCE.fullmatch(where) is not None
        return (
            not one.called(name) and not hinted,
            len(one.values) == 1,
            -one.found,
            str(one.lookup),
        )

    return sorted((one for one in found if one.found * 5 >= one.of), key=rank)[:MOST_CANDIDATES]


_TERRAIN = re.compile(r"\bterrain\b|\btiles?\b", re.IGNORECASE)


def tile_kinds(census: Census) -> tuple[CounterKind, ...]:
    """The kinds on the board that are probably terrain: by the property ``Type``, or by the palette."""
    found = [kind for kind in census.kinds if kind.on_board and kind.name and _is_tile(kind)]
    typed = [kind for kind in found if "Type" in kind.properties]
    return tuple(typed or found)


def _is_tile(kind: CounterKind) -> bool:
    if "Type" in kind.properties:
        return set(kind.properties["Type"]) == {"Terrain"}
    return any(_TERRAIN.search(text) for text in (kind.folder, *kind.prototypes))


def tile_stanza(tiles: Iterable[CounterKind]) -> str:
    """The table of ``pack.toml`` that reads the terrain of hexes from the pieces in them."""
    kinds = list(tiles)
    names = {kind.name: kind.name.lower() for kind in kinds}
    if all("Type" in kind.properties for kind in kinds):
        which: dict[str, Any] = {"property": "Type", "values": ["Terrain"]}
    else:
        which = {"name": f"^({'|'.join(literal(name) for name in names)})$"}
    return stanza("[[board.marker]]", {**which, "terrain": {"name": "^.*$", "map": names}})


MOST_EXAMPLES = 6
MOST_VALUES = 12
_TAG = re.compile(r"<[^<>]{0,200}>")
_SAID = re.compile(r"^(?:<.*?>|&lt;.*?&gt;) - ")
PHASE_WORDS = (
    "airborne|air|arrival|attack|bombardment|breakthrough|combat|command|end|exploitation|fire|logistics"
    "|march|melee|movement|move|naval|operations|rally|reaction|reinforcement|replacement|retreat|supply|weather"
)
_PHASE = re.compile(rf"\b(?:phase|segment|{PHASE_WORDS})s?\b", re.IGNORECASE)
_CHAT = re.compile(
    r"\b(?:phase|segment|movement|combat|turn [0-9]+|game turn|moves? (?:first|now)|end of (?:turn|move))\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b([A-Z]\w*(?: (?:& |and |of )?[A-Z]\w*){0,4}) [Pp]hase\b")
_NAMES = re.compile(r"phase|turn|round|active|segment|impulse|initiative|season|day", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sign:
    """A possible source of turn, phase or active side: a table of ``[[phases.from]]``, and ``seen``, the
    values that it showed."""

    source: Mapping[str, Entry]
    seen: tuple[str, ...]


def phase_signs(
    module: Module, history: TableHistory | None, sides: Sequence[str], viewer: Viewer
) -> list[Sign]:
    """All signs, trackers first."""
    found = list(tracker_signs(module, history, sides))
    if history is not None:
        found.extend(_globals(history, sides))
        found.extend(_markers(history, viewer))
        found.extend(_chat(history, sides))
    return found


def tracker_signs(
    module: Module, history: TableHistory | None, sides: Sequence[str]
) -> Iterator[Sign]:
    """The signs of turn trackers, one for each level that may be significant."""
    for tracker in module.turn_trackers:
        shown: dict[str, None] = {}
        for log in history.logs if history is not None else ():
            shown[log.opening.turns.get(tracker.name, "")] = None
            for step in log.steps:
                shown.update((t.new_value, None) for t in step.turns if t.tracker == tracker.name)
        seen = tuple(text.strip() for text in shown if text.strip())[:MOST_EXAMPLES]
        patterns = dict.fromkeys(p for level in tracker.levels for p in _level(level, sides))
        for pattern in patterns:
            yield Sign({"turn_tracker": tracker.name, "pattern": pattern}, seen)


def _level(level: TurnLevel, sides: Sequence[str]) -> Iterator[str]:
    if isinstance(level, CounterLevel):
        yield "(?P<turn>[0-9]+)"
    elif isinstance(level, ListLevel):
        yield from _patterns(level.values, sides)
    for inner in level.children:
        yield from _level(inner, sides)


def _patterns(values: Sequence[str], sides: Sequence[str]) -> Iterator[str]:
    """Patterns for texts that each stand for one of ``values``."""
    wanted = [value for value in dict.fromkeys(v.strip() for v in values) if value]
    short = [literal(value) for value in wanted if len(value) <= 60][:MOST_VALUES]
    if not short:
        return
    longest = sorted(sides, key=len, reverse=True)  # "Red Guard" before "Red"
    in_them = [side for side in longest if any(side in value for value in wanted)]
    first = [next((s for s in longest if value.startswith(f"{s} ")), "") for value in wanted]
    behind = [v.removeprefix(f"{s} ") for v, s in zip(wanted, first, strict=True)]
    if all(first) and any(_PHASE.search(text) for text in behind):  # "Blue Move"
        parts = ([*dict.fromkeys(map(literal, texts))][:MOST_VALUES] for texts in (first, behind))
        active, phase = map("|".join, parts)
        yield f"(?P<active>{active}) (?P<phase>{phase})"
        return
    if in_them:
        yield f"(?P<active>{'|'.join(literal(side) for side in in_them)})"
    if any(_PHASE.search(value) for value in wanted):
        yield f"(?P<phase>{'|'.join(short)})"
    elif not in_them:
        yield f"(?P<turn>{'|'.join(short)})"


def _globals(history: TableHistory, sides: Sequence[str]) -> Iterator[Sign]:
    values: dict[str, Counter[str]] = {}
    for step in history.steps:
        dice = tuple(f"{roll.dice}_" for roll in step.rolls if roll.dice)
        for change in step.globals:
            if not change.name.startswith(dice or ("\0",)):
                values.setdefault(change.name, Counter())[change.new_value] += 1
    for name, counts in values.items():
        shown = [value for value in counts if value.strip()]
        of_sides = len(shown) > 0 and all(value in sides for value in shown)
        if not name or not shown or len(shown) > MOST_VALUES or max(map(len, shown)) > 60:
            continue
        if not of_sides and not _NAMES.search(name):
            continue
        aspect = (
            "active" if of_sides else "turn" if re.search("turn|round|day", name, re.I) else "phase"
        )
        pattern = f"^(?P<{aspect}>{'|'.join(map(literal, shown))})$"
        yield Sign({"global": name, "pattern": pattern}, tuple(shown[:MOST_EXAMPLES]))


def _markers(history: TableHistory, viewer: Viewer) -> Iterator[Sign]:
    """Pieces called turn or phase that are moved from place to place."""
    places: dict[str, dict[str, None]] = {}
    for step in history.steps:
        for change in step.changes:
            piece = change.after
            if piece is None or not re.search(r"\b(turn|phase|round)\b", piece.basic_name, re.I):
                continue
            if look(piece, viewer).known and piece.location:
                places.setdefault(piece.basic_name, {})[piece.location] = None
    for name, seen in places.items():
        if len(seen) > 1:
            source = {"marker": f"^{literal(name)}$", "pattern": "(?P<turn>[0-9]+)"}
            yield Sign(source, tuple(seen)[:MOST_EXAMPLES])


def _chat(history: TableHistory, sides: Sequence[str]) -> Iterator[Sign]:
    lines: dict[str, None] = {}
    for step in history.steps:
        for line in step.chat:
            if line.kind == "player":
                text = resolved(_TAG.sub("", _SAID.sub("", line.text, count=1))).strip()
                if len(text) <= 80 and _CHAT.search(text):
                    lines[text] = None
    if not lines:
        return
    seen = tuple(lines)
    some = sides if any(side in text for text in seen for side in sides if side) else ()
    called = dict.fromkeys(name for text in seen for name in _CALLED.findall(text))
    names = "|".join(map(literal, list(called)[:MOST_VALUES]))
    phase = f"(?P<phase>{names}) [Pp]hase" if names else "(?P<phase>[Mm]ovement|[Cc]ombat)"
    told: dict[str, Entry] = {}
    if not names:
        translate = {word.lower(): word for word in ("Movement", "Combat")}
        told["translate"] = {"phase": translate}
    parts = [phase]
    if some and not names:
        parts.insert(0, f"(?P<active>{'|'.join(map(literal, some))}) ")
    shown = (f"{len(seen)} lines", *seen[:MOST_EXAMPLES]) if len(seen) > MOST_EXAMPLES else seen
    yield Sign({"chat": "".join(parts), **told}, shown)
    if any(re.search(r"[Tt]urn [0-9]+", text) for text in seen):
        yield Sign({"chat": "[Tt]urn (?P<turn>[0-9]+)"}, ())
