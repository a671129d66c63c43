"""StepJson steps (:mod:`.narrative`) as lines for people."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from ..model.visibility import UNSEEN
from .narrative import KINDS, StepJson
from .printable import markdown, printable
from .reports.phrases import counted, player_text

CHAT_LIMIT = 300
"""Maximum number of characters shown of a chat line."""
MANY_NAMES = 4

_OFFBOARD = ("", "offboard")
_WHO_WIDTH = 18
_WHO_MOST = 40
"""Maximum number of characters shown of side and player."""


WIDTH = 80
"""Columns of the text."""

_TAG = re.compile(
    r"</?(?:b|i|u|s|br|hr|p|font|span|div|center|small|big|em|strong|su[bp]|h[1-6]|img|a|t[drh]|table|html|body)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(\*?\s*)[|!?~`]\s*")
_BARE_TURN = re.compile(r"\d+\|[^ ]*;(?:true|false);[^ ]*")
"""The value that a turn tracker stores in a log; only the module can put it in words."""


def readable_report(line: dict[str, Any]) -> str:
    """A chat line without the module's codes for the chat window (tags, colour marks); "" if nothing is left.
    Text typed by players is unchanged."""
    text = str(line["text"])
    if line["kind"] not in ("report", "system"):
        return text
    plain = _MARK.sub(r"\1", _TAG.sub("", text))
    return plain if any(char.isalnum() for char in plain) else ""


def sentences(told: StepJson, *, verbose: bool = False) -> Iterator[tuple[str, str]]:
    """What a step did, one line each, as (kind, sentence); all printable. ``verbose``: with everything that
    modules write into the chat, unchanged."""
    if told["undo"] is not None:
        yield "undo", _undo(told["undo"])
    if told["taken_back_by"] is not None:
        yield "undo", f"[taken back in step {told['taken_back_by']}]"
    for turn in told["turns"]:
        if turn["after"] and not _is_told(turn["after"]):
            yield "turns", "the turn tracker moves on (only the module names its turns)"
            continue
        yield "turns", f"{printable(turn['tracker'])}: {_was(turn['before'], turn['after'])}"
    for names, sentence in _together(((m["group"], _move(m)), _called(m)) for m in told["moves"]):
        yield "moves", f"{names}: {sentence[1]}"
    for names, sentence in _together(((0, _change(c)), _called(c)) for c in told["changes"]):
        yield "changes", f"{names}: {sentence[1]}"
    for roll in told["dice"]:
        yield "dice", _roll(roll)
    for line in told["chat"]:
        text = str(line["text"]) if verbose else readable_report(line)
        bare = not verbose and not text and bool(line["text"])
        if not bare and not _said_already(line, told):
            yield "chat", printable(text, CHAT_LIMIT)
    for prop in told["globals"]:
        where = "" if prop["container"] in ("", "Module") else f" of {prop['container']}"
        name = printable(f"{prop['name']}{where}")
        yield "globals", f"property {name}: {_was(prop['before'], prop['after'])}"
    for problem in told["problems"]:
        yield "problems", f"problem: {printable(problem)}"


def _said_already(line: dict[str, Any], told: StepJson) -> bool:
    """Whether the engine's report only repeats what the step shows."""
    text = line["text"]
    if line["kind"] == "roll":
        return bool(told["dice"])
    if line["kind"] != "report":
        return False
    if any(turn["before"] in text and turn["after"] in text for turn in told["turns"]):
        return True
    ends = [(m["name"] or m["stored_name"], m["from"], m["to"]) for m in told["moves"]]
    return any(
        name in text and origin["location"] in text and target["location"] in text
        for name, origin, target in ends
        if origin is not None and target is not None and target["location"]
    )


@dataclass(frozen=True, slots=True)
class Style(ABC):
    """A format for steps of logs."""

    verbose: bool = False

    @abstractmethod
    def log(self, told: StepJson) -> str: ...
    @abstractmethod
    def turn(self, text: str) -> str: ...
    @abstractmethod
    def step(self, told: StepJson) -> str: ...
    @abstractmethod
    def problems(self, of: str, told: StepJson) -> str: ...

    def end(self, told: StepJson) -> str:
        return self.problems(f"log {told['log']}", told) if told["problems"] else "\n"

    def module(self, told: StepJson) -> str:
        return self.problems(told["file"], told) if told["problems"] else ""


def _is_told(turn: str) -> bool:
    """Whether a turn tracker shows anything readable."""
    return bool(turn) and not _BARE_TURN.fullmatch(turn)


def _wrapped(text: str, start: str, indent: str) -> str:
    """``text`` behind ``start``, in lines of at most :data:`WIDTH` columns."""
    lines = wrap(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return "\n".join(line.rstrip() for line in lines or [start])


@dataclass(frozen=True, slots=True)
class _Text(Style):
    """Columns: step number, who, what; 80 of them."""

    def log(self, told: StepJson) -> str:
        name = _wrapped(f"Log {told['log']}: {printable(told['file'])}", "", "  ")
        lines = [name, _wrapped(_about(told), "  ", "    ")]
        if told["players"]:
            lines.append(_wrapped(f"players: {_players(told)}", "  ", "    "))
        turns = "".join(self.turn(text) for text in told["turns"].values())
        return "\n".join([*lines, ""]) + (turns or "\n")

    def turn(self, text: str) -> str:
        return f"\n== {printable(text)} ==\n\n" if _is_told(text) else ""

    def step(self, told: StepJson) -> str:
        rows = [sentence for _, sentence in sentences(told, verbose=self.verbose)]
        number = "·" if told["step"] is None else told["step"]
        start = f"{number:>5}  {who(told)[:_WHO_MOST]:<{_WHO_WIDTH}}  "
        indent = " " * (5 + 2 + _WHO_WIDTH + 2)
        return "".join(
            _wrapped(row, indent if i else start, f"{indent}  ") + "\n"
            for i, row in enumerate(rows)
        )

    def problems(self, of: str, told: StepJson) -> str:
        rows = "".join(
            _wrapped(printable(problem), "  ", "    ") + "\n" for problem in told["problems"]
        )
        return f"\nProblems met while reading {printable(of)}:\n{rows}\n"


@dataclass(frozen=True, slots=True)
class _Markdown(Style):
    """Headings and lists."""

    def log(self, told: StepJson) -> str:
        lines = [
            f"## Log {told['log']}: {markdown(printable(told['file']))}",
            markdown(_about(told)),
        ]
        if told["players"]:
            lines.append(f"Players: {markdown(_players(told))}")
        return "\n\n".join([*lines, ""]) + "".join(self.turn(t) for t in told["turns"].values())

    def turn(self, text: str) -> str:
        return f"\n### {markdown(printable(text))}\n\n" if _is_told(text) else ""

    def step(self, told: StepJson) -> str:
        rows = [
            f"*{markdown(sentence)}*" if kind == "chat" and sentence.strip() else markdown(sentence)
            for kind, sentence in sentences(told, verbose=self.verbose)
        ]
        if not rows:
            return ""
        name = who(told)
        start = f"**{'·' if told['step'] is None else told['step']}**" + (
            f" {markdown(name)}" if name else ""
        )
        if len(rows) == 1:
            return f"- {start}: {rows[0]}\n"
        return f"- {start}\n" + "".join(f"  - {row}\n" for row in rows)

    def problems(self, of: str, told: StepJson) -> str:
        rows = "".join(f"- {markdown(printable(problem))}\n" for problem in told["problems"])
        return f"\nProblems met while reading {markdown(printable(of))}:\n\n{rows}\n"


def style_of(form: str, *, verbose: bool) -> Style:
    """The style ``text`` or ``markdown``."""
    return _Markdown(verbose) if form == "markdown" else _Text(verbose)


def worth_telling(told: StepJson) -> bool:
    """Whether a part has content that the reader may see."""
    return told["kind"] != "step" or any(told[kind] for kind in (*KINDS, "problems"))


def _about(told: StepJson) -> str:
    module = f"{told['module']} {told['module_version']}".strip() or "a module that is not named"
    engine = f", VASSAL {told['vassal_version']}" if told["vassal_version"] else ""
    about = f"{module}{engine}, {counted(told['steps'], 'step')}"
    if told["gaps"]:
        number = counted(len(told["gaps"]), "piece")
        about += f"; {number} not as the log before left them"
    return printable(about)


def _players(told: StepJson) -> str:
    return printable(
        ", ".join(f"{p['player']} ({p['side'] or 'observer'})" for p in told["players"])
    )


def who(told: StepJson) -> str:
    """Side and player; a guess is marked."""
    name = player_text(told["player"] or "", told["side"])
    return printable(name) + (" ?" if name and told["known_by"] in ("neighbours", "log") else "")


def _undo(undo: dict[str, Any]) -> str:
    step = "an earlier step" if undo["step"] is None else f"step {undo['step']}"
    if undo["redo"]:
        return f"[brings {step} back]"
    return f"[takes {step} back]" if undo["whole"] else f"[takes {step} back in part]"


def _together(
    items: Iterable[tuple[tuple[int, str], str]],
) -> Iterator[tuple[str, tuple[int, str]]]:
    """Join the names of pieces with the same change, in order of first mention."""
    joined: dict[tuple[int, str], list[str]] = {}
    for what, name in items:
        joined.setdefault(what, []).append(name)
    for what, names in joined.items():
        yield _names(names), what


def _names(names: list[str]) -> str:
    shown = ", ".join(printable(name) for name in names[:MANY_NAMES])
    more = len(names) - MANY_NAMES
    return f"{shown} and {more:,} more" if more > 0 else shown


def _called(about: dict[str, Any]) -> str:
    """The name of a piece; if it is not known, the stored name with a mark."""
    name: str | None = about["name"]
    return f"{about['stored_name']} (as stored)" if name is None else name


def _move(move: dict[str, Any]) -> str:
    origin, target = move["from"], move["to"]
    why = f": {move['why']}" if "why" in move else ""
    mark = f" (undo{why})" if move["how"] == "undo" else ""
    if origin is None and target is None:
        return "moves out of sight"
    if origin is None:
        verb = "comes into play at" if move["how"] is not None else "comes into sight at"
        return f"{verb} {_place(target, None)}{mark}"
    if target is None:
        if move["how"] is None:
            return f"goes out of sight at {_place(origin, None)}"
        return f"is removed from {_place(origin, None)}{mark}"
    if origin == target:
        return f"put down again at {_place(target, None)}{mark}"
    before, after = _place(origin, target["map"]), _place(target, origin["map"])
    if before == after:
        return f"shifted within {after}{mark}"
    return f"{before} → {after}{mark}"


def _place(place: dict[str, Any], other_map: str | None) -> str:
    """The location of a place, with its map if that adds anything."""
    if place["map"] is None:
        return "off the maps"
    map_name = printable(place["map"])
    if place["location"] in _OFFBOARD:
        return f"{map_name} {place['x']},{place['y']}"
    location = printable(place["location"])
    if other_map is None or other_map == place["map"]:
        return location
    return f"{map_name} {location}"


def _change(change: dict[str, Any]) -> str:
    if change["what"] == "sight":
        return "comes into sight" if change["after"] == "in sight" else "goes out of sight"
    if change["what"] == "name":
        after = change["after"]
        if after is None:
            return "has a name now that is not known"
        return "is masked" if after == UNSEEN else f"is now {printable(after)}"
    name = printable(re.sub("_(Name|Level|Facing)$", "", change["what"]))
    return f"{name} {_was(change['before'], change['after'], change.get('not_known', ()))}"


def _was(before: str | None, after: str | None, not_known: Collection[str] = ()) -> str:
    def shown(value: str | None, end: str) -> str:
        if end in not_known:
            return "not known"
        return printable(value.strip(), CHAT_LIMIT) if value and value.strip() else "–"

    return f"{shown(before, 'before')} → {shown(after, 'after')}"


def _roll(roll: dict[str, Any]) -> str:
    if roll["results"]:
        by = f" ({printable(roll['player'])})" if roll["player"] else ""
        return f"dice {printable(roll['dice'])}: {printable(', '.join(roll['results']))}{by}"
    return f"dice: {printable(roll['text'], CHAT_LIMIT)}"
