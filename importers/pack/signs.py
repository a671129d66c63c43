"""Guesses of what a module's pieces and trackers mean: where a side or an attribute may be read, and what
looks like turns and phases. Nothing here is known; whoever writes the pack decides."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...model.stanza import stanza
from .census import Census, CounterKind
from .new_board import literal

Entry = Mapping[str, "str | bool | Mapping[str, str]"]
MOST_CANDIDATES = 4
ALLOWANCE, CLASS = "ma", "class"
"""What rulesets call the printed allowance, and the movement class."""
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
    question: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Where something may be read: a lookup as ``pack.toml`` writes it, and what it would give: ``found`` of
    ``of`` kinds of counters, the most frequent values with their numbers."""

    lookup: Entry
    found: int
    of: int
    values: tuple[tuple[str, int], ...]
    where: str = ""
    """The part of a name that a pattern reads, in words; "" where the lookup says it itself."""

    def called(self, name: str) -> bool:
        """Whether what is read is called ``name``."""
        return str(next(iter(self.lookup.values()))).casefold() == name.casefold()

    @property
    def said(self) -> str:
        """As a comment has it."""
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
    """The one side that the palette folder or the prototypes of a kind speak of (``German`` of ``Germans``);
    "" if none, or several."""
    said = " ".join((kind.folder, *kind.prototypes)).casefold()
    found = [side for side in sides if re.search(rf"\b{_stem(side.casefold())}", said)]
    return found[0] if len(found) == 1 else ""


def _stem(side: str) -> str:
    """A pattern for the beginning of words that speak of a side; a short name has to stand whole."""
    return re.escape(side[: max(4, len(side) - 2)]) if len(side) >= 4 else rf"{re.escape(side)}\b"


def attribute_candidates(kinds: Sequence[CounterKind], wanted: Wanted) -> list[Candidate]:
    """Where an attribute may be read: properties, parts of names and pictures. A number or a text may be
    anything, so but for allowance and class only a property that is called like the attribute counts."""
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


def _candidate(lookup: Entry, counts: Counter[str], of: int, where: str = "") -> Candidate:
    return Candidate(lookup, counts.total(), of, tuple(counts.most_common()), where)


def _best(found: Iterable[Candidate], name: str) -> list[Candidate]:
    """The candidates that tell of most kinds; one that is called like what is wanted goes first."""

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
