"""Lines of the chat window: who wrote them, and which of them report dice.

The engine writes a typed line as ``<NAME> - text`` (3.3.3 and later ``&lt;NAME&gt; - text``), a report with
``*`` before it, its own remarks with ``-``. The formats of reports belong to modules and languages: a
report proves nothing, and a typed line can imitate one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...model.dice import DiceKind
from ...model.entities import resolved
from ...model.table import ChatLine, DieRoll
from .module import Module, SymbolicDice

_TYPED = re.compile(r"(?:<|&lt;)(.*?)(?:>|&gt;) - (.*)", re.DOTALL)
# Each part is looked for once, from the end of the one before: no backtracking.
_DEFAULT_ROLL = re.compile(
    r"\*{2,}+(?>(.*?) = )(?>(.*?) \*\*\* (?:<|&lt;))(.*)(?:>|&gt;)", re.DOTALL
)
_UNDO = "* UNDO: "
_COLOUR_MARKS = "|!?~`"
_LONGEST_LOOKED_AT = 2_000
"""Lines longer than this are no dice report; patterns are not tried on them."""


class ChatReader:
    """Reads lines for one module: its dice buttons' names and report formats."""

    def __init__(self, module: Module | None = None) -> None:
        self._dice: dict[str, DiceKind | None] = {}
        for button in module.dice if module else ():
            same = self._dice.get(button.name, button.kind) == button.kind
            self._dice[button.name] = button.kind if same else None
        formats = {button.report_format for button in module.dice} if module else set()
        self._rolls = [_DEFAULT_ROLL]
        self._rolls += [p for p in map(_roll_pattern, sorted(formats)) if p is not None]
        self._symbolic: dict[str, SymbolicDice] = {}
        for dice in module.symbolic_dice if module else ():
            self._symbolic[dice.id] = self._symbolic[dice.name] = dice

    def read(self, text: str) -> tuple[ChatLine, DieRoll | None]:
        """A line, and the roll it reports if it is one."""
        typed = _TYPED.match(text[:_LONGEST_LOOKED_AT])
        if typed is not None:
            return ChatLine(text, "player", resolved(typed[1])), None
        if text.startswith(_UNDO):
            return ChatLine(text, "undo"), None
        if not text.startswith("*"):
            return ChatLine(text, "system"), None
        roll = self._roll(text)
        return ChatLine(text, "report" if roll is None else "roll"), roll

    def _roll(self, text: str) -> DieRoll | None:
        if len(text) > _LONGEST_LOOKED_AT:
            return None
        for pattern in self._rolls:
            found = pattern.fullmatch(text.rstrip())
            if found is None:
                continue
            named = found.groupdict() or {"name": found[1], "result": found[2], "player": found[3]}
            name = resolved(named.get("name") or "").strip()
            name = name.lstrip(_COLOUR_MARKS).strip()
            if self._dice and name not in self._dice:
                continue
            shown, player = _results(named.get("result") or ""), resolved(named.get("player") or "")
            return DieRoll(name, shown, player, text, self._dice.get(name))
        return None

    def shown(self, die: str, faces: Iterable[int | str]) -> DieRoll:
        """Symbolic dice that fell (``SHOW_RESULTS``): the index of each face."""
        dice, shown = self._symbolic.get(die), tuple(str(face) for face in faces)
        if dice is None:
            return DieRoll(die, shown)
        return DieRoll(dice.name, shown, kind=dice.kind)

    def kept(self, name: str, value: str) -> DieRoll | None:
        """The roll whose result a property (``2d6_result``) was set to; the engine sets it with every roll,
        in any report format. None: the button's dice cannot show the value."""
        button = name.removesuffix("_result")
        kind = self._dice.get(button) if button != name else None
        shown = _results(value)
        return (
            DieRoll(button, shown, kind=kind) if kind is not None and kind.thrown(shown) else None
        )


def _results(text: str) -> tuple[str, ...]:
    """Dice one by one, if the report lists them with commas."""
    parts = [part.strip() for part in text.split(",")]
    return tuple(part for part in parts if part)


def _roll_pattern(report_format: str) -> re.Pattern[str] | None:
    """A pattern for a button's own report format; None for formats that are expressions.

    The text between two values is matched where it is first found. Further places would not help, as the next
    value matches any rest, and trying them could take for ever.
    """
    trimmed = report_format.strip()
    if trimmed.startswith("{") or "$result$" not in trimmed or "$name$" not in trimmed:
        return None
    groups = {"name": "name", "result": "result", "PlayerName": "player", "playerName": "player"}
    parts = trimmed.split("$")
    pattern, used = re.escape(parts[0]), set()
    for i in range(1, len(parts), 2):
        name = groups.get(parts[i])
        value = ".*?"
        if name is not None and name not in used:
            used.add(name)
            value = f"(?P<{name}>.*?)"
        after = re.escape("".join(parts[i + 1 : i + 2]))
        pattern += f"(?>{value}{after})" if i + 2 < len(parts) else value + after
    return re.compile(pattern, re.DOTALL)
