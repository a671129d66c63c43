"""Told steps (:mod:`.narrative`) as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .narrative import UNSEEN, Told
from .printable import markdown, printable

CHAT_LIMIT = 300
"""Characters of a chat line that are shown."""
MANY_NAMES = 4

_OFFBOARD = ("", "offboard")
_WHO_WIDTH = 18


def sentences(told: Told) -> Iterator[tuple[str, str]]:
    """What a step did, one line each, as (kind, sentence); all printable."""
    if told["undo"] is not None:
        yield "undo", _undo(told["undo"])
    for turn in told["turns"]:
        yield "turns", f"{printable(turn['tracker'])}: {_was(turn['before'], turn['after'])}"
    for names, sentence in _together(((m["group"], _move(m)), m["name"]) for m in told["moves"]):
        yield "moves", f"{names}: {sentence[1]}"
    for names, sentence in _together(((0, _change(c)), c["name"]) for c in told["changes"]):
        yield "changes", f"{names}: {sentence[1]}"
    for roll in told["dice"]:
        yield "dice", _roll(roll)
    for line in told["chat"]:
        yield "chat", printable(line["text"], CHAT_LIMIT)
    for prop in told["globals"]:
        where = "" if prop["container"] in ("", "Module") else f" of {prop['container']}"
        name = printable(f"{prop['name']}{where}")
        yield "globals", f"property {name}: {_was(prop['before'], prop['after'])}"
    for problem in told["problems"]:
        yield "problems", f"problem: {printable(problem)}"


def text_step(told: Told) -> str:
    """A step as lines of text: its number, who did it, what he did."""
    rows = [sentence for _, sentence in sentences(told)]
    if not rows:
        return ""
    start = f"{told['step']:>5}  {who(told):<{_WHO_WIDTH}}  "
    indent = " " * (5 + 2 + _WHO_WIDTH + 2)
    return "".join(f"{indent if i else start}{row}".rstrip() + "\n" for i, row in enumerate(rows))


def markdown_step(told: Told) -> str:
    """A step as an item of a Markdown list."""
    rows = [
        f"*{markdown(sentence)}*" if kind == "chat" else markdown(sentence)
        for kind, sentence in sentences(told)
    ]
    if not rows:
        return ""
    name = who(told)
    start = f"**{told['step']}**" + (f" {markdown(name)}" if name else "")
    if len(rows) == 1:
        return f"- {start}: {rows[0]}\n"
    return f"- {start}\n" + "".join(f"  - {row}\n" for row in rows)


def who(told: Told) -> str:
    """Side and player; a guess is marked."""
    side, player = told["side"], told["player"]
    name = f"{side} ({player})" if side and player and side != player else side or player or ""
    return printable(name) + (" ?" if name and told["known_by"] in ("neighbours", "log") else "")


def _undo(undo: dict[str, Any]) -> str:
    step = "an earlier step" if undo["step"] is None else f"step {undo['step']}"
    if undo["redo"]:
        return f"[brings {step} back]"
    return f"[takes {step} back]" if undo["whole"] else f"[takes {step} back in part]"


def _together(
    items: Iterable[tuple[tuple[int, str], str]],
) -> Iterator[tuple[str, tuple[int, str]]]:
    """Join the names of pieces that the same happened to, in order of first mention."""
    joined: dict[tuple[int, str], list[str]] = {}
    for what, name in items:
        joined.setdefault(what, []).append(name)
    for what, names in joined.items():
        yield _names(names), what


def _names(names: list[str]) -> str:
    shown = ", ".join(printable(name) for name in names[:MANY_NAMES])
    more = len(names) - MANY_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _move(move: dict[str, Any]) -> str:
    origin, target = move["from"], move["to"]
    mark = " (undo)" if move["how"] == "undo" else ""
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
    """A place by its location; with its map where that tells more."""
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
        return "is masked" if after == UNSEEN else f"is now {printable(after)}"
    name = printable(change["what"].removesuffix("_Name").removesuffix("_Level"))
    return f"{name} {_was(change['before'], change['after'])}"


def _was(before: str | None, after: str | None) -> str:
    def shown(value: str | None) -> str:
        return printable(value, CHAT_LIMIT) if value else "–"

    return f"{shown(before)} → {shown(after)}"


def _roll(roll: dict[str, Any]) -> str:
    if roll["results"]:
        by = f" ({printable(roll['player'])})" if roll["player"] else ""
        return f"dice {printable(roll['dice'])}: {printable(', '.join(roll['results']))}{by}"
    return f"dice: {printable(roll['text'], CHAT_LIMIT)}"
