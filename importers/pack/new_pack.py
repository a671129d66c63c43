"""A first pack for a module and its logs, as the texts of its files.

Values that the files give are written as in any pack. A guess is a comment: a line that begins with ``#?``
shows a possible entry, and a person who knows the game decides. Nothing is called complete or certain.
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from glob import escape
from typing import Any

import tomlkit

from ...model.stanza import Header, comment, key_line, stanza
from ..vassal.module import Module
from .census import Census, CounterKind
from .known import COLUMNS, GUESSED_SIDE, SIDE, UNIT, Known, cell_text
from .signs import attribute_candidates, looks_like_unit, side_candidates, tile_kinds, tile_stanza

MOST_KINDS_SAID = 12
LONGEST_NOTE = 300
MOST_SAID = 8
MOST_SEGMENTS = 60


@dataclass
class _Text:
    """A text that grows: tables, explanations, guesses."""

    lines: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        for line in textwrap.wrap(text, 108) or [""]:
            self.lines.append(comment(line))

    def table(self, header: Header, entries: Mapping[str, Any] | None = None) -> bool:
        """A table; whether TOML can hold it."""
        text = stanza(header, entries or {})
        if text:
            self.lines.extend(("", *text.split("\n")))
        return bool(text)

    def key(self, key: str, value: Any) -> None:
        line = key_line(key, value)
        if line:
            self.lines.append(line)

    def guess(self, text: str) -> None:
        """Possible entries, each line behind ``#?``."""
        self.lines.extend(f"#? {line}" for line in text.split("\n") if line)

    def blank(self) -> None:
        self.lines.append("")

    def __str__(self) -> str:
        return "\n".join(self.lines).strip() + "\n"


def pack_toml(known: Known) -> str:
    """The text of ``pack.toml``."""
    text = _Text()
    text.say(f"A first pack, {known.made_by}.")
    text.say(
        "The files gave maps, zones, sides and the counters. Lines that begin with #? are guesses: if one"
        " is right, take the #? away (and whatever it replaces); if not, delete it. "
        "Nothing is called complete or certain: only you can say so. docs/packs.md lists the pages that "
        "explain every key; 'umpire pack check' says what is still missing and what would decide most moves."
    )
    _head(text, known)
    _board(text, known)
    _units(text, known)
    _phases(text, known)
    _rules(text, known)
    return str(text)


def _head(text: _Text, known: Known) -> None:
    module = known.module
    slug = re.sub(r"[^a-z0-9]+", "-", module.name.lower()).strip("-")[:40] or "pack"
    text.table("[pack]", {"name": slug, "version": "0.1"})
    if module.name:
        text.key("title", "".join(c if c.isprintable() else "?" for c in module.name[:200]))
    text.key("ruleset", known.ruleset)
    text.guess('vouched_by = "your name"')
    if module.name:
        fits = {"modules": [escape(module.name)]}
        others = [name for name in known.played_with if name not in ("", module.name)]
        if others:
            fits["logs"] = others
        text.table("[fits]", fits)


def _board(text: _Text, known: Known) -> None:
    text.table("[board]")
    text.say(
        "What hexes.csv and lines.csv leave out is not known. A layer that they give in full may be named in "
        "complete (docs/pack-board.md): then nobody is asked about it any more. Begin with the cells that"
        " moves use; 'umpire pack check' counts them, and those at which nobody looked."
    )
    text.say(
        "What may change on the map in play without a counter that shows it: bridges blown, forts built."
    )
    text.guess('changes = "none"')
    if not known.module.sides and known.sides:
        text.say("The module names no sides; these were played in the logs.")
        text.guess(key_line("sides", list(known.sides)))
    for sheet in known.board.sheets:
        entries: dict[str, Any] = {"map": sheet.map}
        if sheet.board is not None:
            entries["board"] = sheet.board
        if sheet.prefix:
            entries["prefix"] = sheet.prefix
        if text.table("[[board.sheet]]", entries):
            named = (
                "numbered by the module"
                if sheet.numbered
                else "no numbers: named column.row from 0"
            )
            size = (
                f"{sheet.hexes} hexes"
                if sheet.hexes
                else "its picture is missing: how many hexes is not known"
            )
            text.say(f"{size}, {named}: {', '.join(sheet.examples)}")
    for box in known.board.boxes:
        text.table("[[box]]", {"map": box.map} | ({"zone": box.zones} if box.zones else {}))
    _recorded(text, known.module)
    tiles = tile_kinds(known.census)
    if tiles:
        text.blank()
        text.say(
            f"Terrain laid as pieces: {sum(k.pieces for k in tiles)} pieces of {len(tiles)} kinds. Read"
            " this way, each hex has the terrain of the piece in it, in every scenario; say in hexes.csv"
            " what the others are (*,clear)."
        )
        text.guess(tile_stanza(tiles))
    if len(known.sides) > 2:
        text.blank()
        text.say("More than two sides: who is whose friend is not known until a relation says so.")
        text.guess(stanza("[[relation]]", {"sides": list(known.sides[:2]), "are": "enemies"}))


def _recorded(text: _Text, module: Module) -> None:
    """The names of terrain that the module records itself."""
    names: dict[str, dict[str, int]] = {"hex": {}, "hexside": {}, "line": {}}
    for terrain in module.terrain:
        for record in terrain.records:
            if record.kind in names:
                names[record.kind][record.name] = names[record.kind].get(record.name, 0) + 1
    if not any(names.values()):
        return
    text.blank()
    text.say(
        "The module records terrain itself; it is read as imported, which counts as not known until somebody "
        "vouches for it. Say here what its names mean in the ruleset's words."
    )
    tables: tuple[tuple[str, Header], ...] = (
        ("hex", "[board.recorded.terrain]"),
        ("hexside", "[board.recorded.hexsides]"),
        ("line", "[board.recorded.lines]"),
    )
    for kind, header in tables:
        if names[kind]:
            text.guess(stanza(header, {}))
            for name, number in sorted(names[kind].items(), key=lambda item: (-item[1], item[0]))[
                :200
            ]:
                text.guess(_with_remark(key_line(name, name), f"{number} times"))


def _with_remark(line: str, remark: str) -> str:
    return f"{line}   {comment(remark)}" if line else ""


def _units(text: _Text, known: Known) -> None:
    census = known.census
    text.blank()
    if known.has_rows:
        text.say(
            "units.csv has a row for each kind of counter in the logs. Write yes or no into its column unit; "
            "a row that says ? is perhaps a unit. Its column note holds what the files say about the kind."
        )
        text.table("[[units.are]]", {"column": UNIT, "values": ["yes"]})
        text.table("[[units.not]]", {"column": UNIT, "values": ["no"]})
        text.blank()
        for sort, is_unit in (("units", True), ("no units", False)):
            of_sort = [
                k for k in census.kinds if looks_like_unit(k) is is_unit and (k.moves or k.on_board)
            ]
            if of_sort:
                pieces = sum(kind.pieces for kind in of_sort)
                shown = ", ".join(kind.name or kind.image for kind in of_sort[:MOST_SAID])
                text.say(f"probably {sort}: {len(of_sort)} kinds, {pieces} pieces: {shown}")
        _groups(text, census)
        if census.unseen:
            text.say(f"{census.unseen} pieces that some players may not know of are left out.")
    text.table("[units]")
    text.say("Once no unit is missing:")
    text.guess(key_line("complete", ["units"]))
    if known.has_rows:
        text.key("side", {"column": SIDE})
    for one in side_candidates(known.units, known.sides):
        text.guess(_with_remark(key_line("side", one.lookup), one.said))
    if known.has_rows and known.guessed_sides:
        number = sum(bool(side) for side in known.guessed_sides)
        why = f"by names, palettes and who moved them: {number} of {len(known.census.kinds)} kinds"
        text.guess(_with_remark(key_line("side", {"column": GUESSED_SIDE}), why))
    text.table("[units.attributes]")
    if known.has_rows:
        for want in known.attributes:
            text.key(want.name, {"column": want.name} | ({"number": True} if want.number else {}))
            for one in attribute_candidates(known.units, want):
                text.guess(_with_remark(key_line(want.name, one.lookup), one.said))
        _layers(text, known.units)
    elif not census.kinds:
        _slots(text, known.module)


def _groups(text: _Text, census: Census) -> None:
    """Prototypes and palette folders of what lies on the board, with numbers and examples."""
    kinds = [kind for kind in census.kinds if kind.moves or kind.on_board]
    for what in ("prototype", "palette"):
        groups: dict[str, list[CounterKind]] = {}
        for kind in kinds:
            folder = (kind.folder,) if kind.folder else ()
            for name in kind.prototypes if what == "prototype" else folder:
                groups.setdefault(name, []).append(kind)
        several = [(name, members) for name, members in groups.items() if len(members) > 1]
        several.sort(key=lambda group: (-len(group[1]), group[0]))
        for name, members in several[:MOST_KINDS_SAID]:
            moves = sum(kind.moves for kind in members)
            example = members[0].name or members[0].image
            text.say(f"{what} {name}: {len(members)} kinds, moved {moves}x, such as {example}")


def _layers(text: _Text, units: Sequence[CounterKind]) -> None:
    """The layers of what are probably units: what flips, is marked, loses steps."""
    counts = Counter(layer for kind in units for layer in kind.layers)
    if counts:
        shown = ", ".join(f"{layer} ({number}x)" for layer, number in counts.most_common(12))
        text.say(f"Layers that may tell an attribute ({{ layer = …, map = … }}): {shown}")


def _slots(text: _Text, module: Module) -> None:
    """Without logs: the slots of the palette."""
    text.say(
        f"No log was given: the module defines {len(module.slots)} counters. Name logs to have their"
        " counters counted."
    )


def _phases(text: _Text, known: Known) -> None:
    text.blank()
    text.say(
        "How turn, phase and active side are known. Without any of these (or [[phase]] in facts.toml) no "
        "move is judged. Write certain = true only if your players never forget it."
    )
    for sign in known.signs:
        text.blank()
        if sign.seen:
            text.say("it showed: " + "; ".join(sign.seen))
        text.guess(stanza("[[phases.from]]", dict(sign.source)))
    if not known.signs:
        text.say("Nothing in the files looks like phases.")
    text.blank()
    if known.segments:
        text.say(
            "Which steps may be which phase, by trackers, chat, who moves, dice, and marks of having moved "
            "that players take off. The Phases view of 'umpire studio' has the same guesses, and writes"
            " each into facts.toml once you have looked at it and confirmed it."
        )
        for line in known.segments[:MOST_SEGMENTS]:
            text.say(f"- {line}")
        if len(known.segments) > MOST_SEGMENTS:
            text.say(f"- and {len(known.segments) - MOST_SEGMENTS} more")
        text.blank()
    if known.phases:
        _phases_told(text, known)
        return
    text.say(
        "A phase in which units move, and the form they move by; complete: nothing else displaces them in it."
    )
    text.guess(
        stanza(
            "[[phase]]",
            {"name": "Movement", "movers": "active", "forms": ["move"], "complete": True},
        )
    )
    text.guess(stanza("[[form]]", {"name": "move"}))


def _phases_told(text: _Text, known: Known) -> None:
    """The phases of the game as its ruleset knows them. The pack must say whether only movement displaces
    units in a phase."""
    text.say(
        "The phases and forms of the game by its rules. If the module has another name for a phase, write"
        " that name here. complete: nothing else displaces units in it."
    )
    for phase in known.phases:
        text.table("[[phase]]", {k: v for k, v in phase.items() if k != "complete"})
        if phase.get("complete"):
            text.guess("complete = true")
    for form in known.forms:
        text.table("[[form]]", form)


def _rules(text: _Text, known: Known) -> None:
    text.blank()
    text.say(
        f"The tables of the ruleset {known.ruleset} ('umpire schema {known.ruleset}' describes them). What"
        " they leave out is not known; complete names the charts that hold everything."
    )
    if known.brought:
        text.say(
            f"The ruleset brings these complete: {', '.join(known.brought)}. Write one only if your game"
            " differs."
        )
    if known.charts:
        text.say(
            'Its charts follow. For one that the game does not have, say NAME = "none"; for the others, once '
            f'they hold everything, complete = ["{next(iter(known.charts))}", …]. Both go into a table '
            "[rules] above the ones below."
        )
        for name, question in known.charts.items():
            text.say(f"  {name}: {question}")
    if known.tables:
        text.lines.append(tomlkit.dumps({"rules": known.tables}).strip())
    else:
        text.table("[rules]")


def units_csv(known: Known) -> str | None:
    """The text of ``units.csv``: one row per kind of counter; None if there is none to name."""
    guessed = known.guessed_sides
    columns = [*([GUESSED_SIDE] if guessed else []), *(want.name for want in known.attributes)]
    rows = []
    for number, kind in enumerate(known.census.kinds):
        name, image = cell_text(kind.name), cell_text(kind.image)
        if name or image:  # without them a spreadsheet cannot identify it
            side = [guessed[number]] if guessed else []
            blanks = [""] * len(known.attributes)
            perhaps = [
                f"perhaps {name} {one.value}"
                for name, values in known.proposed.items()
                if looks_like_unit(kind) and (one := values[number]) is not None
            ]
            rows.append([name, image, "?", "", *side, *blanks, _note(kind, perhaps)])
    if not rows:
        return None
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*COLUMNS, *columns, "note"))
    writer.writerows(rows)
    return out.getvalue()


def _note(kind: CounterKind, perhaps: Sequence[str]) -> str:
    guess = "probably a unit" if looks_like_unit(kind) else "probably no unit"
    told = [guess, *perhaps, f"{kind.pieces} seen, moved {kind.moves}x"]
    if kind.folder:
        told.append(f"palette {kind.folder}")
    if kind.prototypes:
        told.append(f"prototypes {', '.join(kind.prototypes)}")
    told.extend(
        f"{key} {'/'.join(list(values)[:3])}"
        for key, values in sorted(kind.properties.items())
        if len(values) <= 3 and max(map(len, values)) <= 20
    )
    shown = "".join(char if char.isprintable() else "?" for char in "; ".join(told))
    return shown if len(shown) <= LONGEST_NOTE else shown[: LONGEST_NOTE - 1] + "…"
