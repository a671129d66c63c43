"""One command's own text to its value and back (engine: the ``CommandEncoder`` classes)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any

from ..numbers import long_number, number
from ..sequence import escape_lines, join, lines, split
from . import kinds as k


def _or_none(text: str) -> str | None:
    return None if text == "null" else text


def _bool(text: str) -> bool:
    return text == "true"


def _text(value: object) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    return "false" if value is False else str(value)


@dataclass(frozen=True, slots=True)
class _Fields:
    """A command with a fixed list of fields: how each is read, how many are required. ``rest``: the last one
    takes all remaining tokens."""

    prefix: str
    kind: Callable[..., Any]
    delimiter: str
    names: tuple[str, ...]
    readers: tuple[Callable[[str], Any], ...]
    required: int
    rest: bool

    def decode(self, body: str) -> k.Command | None:
        tokens = split(body, self.delimiter)
        if len(tokens) < self.required:
            return None
        values = [r(t) for r, t in zip(self.readers, tokens, strict=False)]
        if self.rest:
            last = len(self.names) - 1
            values[last:] = [tuple(map(self.readers[-1], tokens[last:]))]
        command: k.Command = self.kind(*values)
        return command

    def encode(self, command: object) -> str:
        held = [getattr(command, name) for name in self.names]
        values = [
            escape_lines(value) if read is lines and value is not None else value
            for value, read in zip(held, self.readers, strict=True)
        ]
        if self.rest:
            values[-1:] = values[-1]
        # Only what follows the required fields may be absent; there None means just that.
        while len(values) > self.required and values[-1] is None:
            values.pop()
        return self.prefix + join(map(_text, values), self.delimiter)


_READERS: dict[str, Callable[[str], Any]] = {"str": str, "Number": number, "bool": _bool}


def _fields(
    prefix: str, kind: Any, delimiter: str = "\t", **readers: Callable[[str], Any]
) -> _Fields:
    """The fields of a class of :mod:`.kinds`; those with a default are optional. ``readers``: functions for
    fields whose type does not determine how they are read."""
    parts = fields(kind)
    rest = str(parts[-1].type).startswith("tuple")
    required = [part for part in parts[: -1 if rest else None] if part.default is MISSING]
    for part in parts:
        one = str(part.type).removeprefix("tuple[").removesuffix(", ...]")
        of_type = _READERS[one.removesuffix(" | None")]
        nullable = part in required and one.endswith("None")
        readers.setdefault(part.name, _or_none if nullable else of_type)
    names = tuple(part.name for part in parts)
    how = tuple(readers[name] for name in names)
    return _Fields(prefix, kind, delimiter, names, how, len(required), rest)


_FIELDS = (
    _fields("+/", k.AddPiece, "/"),
    _fields("D/", k.ChangePiece, "/"),
    _fields("M/", k.MovePiece, "/"),
    _fields("PLAYER\t", k.Player),
    _fields("PYREMOVE\t", k.PlayerRemove),
    _fields("GlobalProperty\t;", k.GlobalProperty, ";"),
    _fields("MutableProperty\t", k.MutableProperty),
    _fields("PNOTE\t", k.PrivateNote, text=lines),
    _fields("SNOTE\t", k.SecretNote, text=lines),
    _fields("UNMASK\t", k.Unmask),
    _fields("EXT\t", k.Extension),
    _fields("PLUGIN\t", k.Plugin),
    _fields("SHOW_RESULTS\t", k.ShowResults),
    _fields("LOS\t", k.LosThread),
    _fields("FLARE\t", k.Flare),
    _fields("CLOCK\t", k.Clock, elapsed=long_number, verified=long_number),
    _fields("CLOCKCONTROL\t", k.ClockControl),
    _fields("SGKC\t", k.StartupDone),
    _fields("LOCKSPOTAB\t", k.OptionTabLock),
    _fields("CHECK\t", k.Check),
)


_BY_PREFIX = {spec.prefix: spec for spec in _FIELDS}
_BY_KIND: dict[Any, _Fields] = {spec.kind: spec for spec in _FIELDS}

# Commands whose text after the prefix is one field, whatever stands in it: how it is read and written.
_WHOLE: dict[str, tuple[Callable[..., k.Command], Callable[[str], Any], Callable[[Any], str]]] = {
    "AUDIO\t": (k.Audio, str, str),
    "SEMAIL\t": (k.EmailServer, str, str),
    "DECK\t": (k.DeckFile, str, str),
    "CHAT": (k.Chat, str, str),
    "-/": (k.RemovePiece, str, str),
    "Events": (k.EventLog, str, str),
    "UNDO\t": (k.Undo, _bool, _text),
    "NOTES\t": (k.Notes, lines, escape_lines),
    "PNOTES\t": (k.PublicNotes, lines, escape_lines),
}
_WHOLE_PREFIX: dict[Any, str] = {kind: prefix for prefix, (kind, _, _) in _WHOLE.items()}
_CONSTANT: dict[str, k.Command] = {
    "": k.Null(),
    "null": k.Unencodable(),
    "begin_save": k.BeginSave(),
    "end_save": k.EndSave(),
    "SETUP_STACK\t": k.SetupStackMark(),
}
_CONSTANT_TEXT: dict[type, str] = {type(value): text for text, value in _CONSTANT.items()}
_BOARDS = "BoardPicker"


def decode_command(text: str) -> k.Command:
    """Read one command's own text (``LOG`` and its tab taken off); any text gives a value."""
    if text.startswith("CHAT"):
        return k.Chat(text[4:])
    if text.startswith("-/"):
        return k.RemovePiece(text[2:])
    frequent = _BY_PREFIX.get(text[:2])
    if frequent is not None:
        return frequent.decode(text[2:]) or k.Unknown(text, "short")
    constant = _CONSTANT.get(text)
    if constant is not None:
        return constant
    return _decode_named(text)


def _decode_named(text: str) -> k.Command:
    word, tab, body = text.partition("\t")
    if word.endswith(_BOARDS):
        return _decode_boards(text, word.removesuffix(_BOARDS), body if tab else None)
    if word.startswith("TURNTurnTracker") and tab:
        tokens = split(text, "\t")
        return k.TurnState(tokens[0][4:], tokens[1])
    prefix = word + tab
    if prefix == "GlobalProperty\t" and body.startswith(";"):
        prefix, body = "GlobalProperty\t;", body[1:]
    spec = _BY_PREFIX.get(prefix)
    if spec is not None:
        return spec.decode(body) or k.Unknown(text, "short")
    if prefix in _WHOLE:
        kind, read, _ = _WHOLE[prefix]
        return kind(read(body))
    if prefix == "LOG\t":
        return k.Unknown(text, "log-in-log")
    if text.startswith("Events"):
        return k.EventLog(text[6:])
    known = f"{prefix}\t" in _BY_PREFIX or prefix in ("TURN", "UNDO")
    return k.Unknown(text, "short" if known and not tab else "unknown")


def _decode_boards(text: str, map_name: str, body: str | None) -> k.Command:
    if body is None:
        return k.Boards(map_name, ())
    tokens = split(body, "\t")
    if len(tokens) % 3:
        return k.Unknown(text, "short")
    boards = []
    for spec, column, row in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=True):
        name, *flags = split(spec, "/")
        boards.append(k.BoardChoice(name, flags[:1] == ["rev"], number(column), number(row)))
    return k.Boards(map_name, tuple(boards))


def encode_command(command: k.Command) -> str:
    """Write a command as the engine does."""
    kind = type(command)
    if kind in _BY_KIND:
        return _BY_KIND[kind].encode(command)
    if kind in _WHOLE_PREFIX:
        prefix = _WHOLE_PREFIX[kind]
        return prefix + _WHOLE[prefix][2](getattr(command, fields(command)[0].name))
    if kind in _CONSTANT_TEXT:
        return _CONSTANT_TEXT[kind]
    match command:
        case k.Unknown(text):
            return text
        case k.TurnState(tracker, state):
            return join([f"TURN{tracker}", state], "\t")
        case k.Boards(map_name, boards):
            return _encode_boards(map_name, boards)
    raise TypeError(f"not a command: {kind.__name__}")


def _encode_boards(map_name: str, boards: tuple[k.BoardChoice, ...]) -> str:
    tokens: list[str] = [map_name + _BOARDS]
    for board in boards:
        spec = [board.name, "rev"] if board.reversed else [board.name]
        tokens += [join(spec, "/"), str(board.column), str(board.row)]
    return join(tokens, "\t")


def why_unread(text: str) -> str | None:
    """The ``reason`` of the :class:`Unknown` a text decodes to, ``None`` if it decodes to more.

    Quicker than decoding: for most commands counting the delimiters is enough.
    """
    frequent = _BY_PREFIX.get(text[:2])
    if frequent is not None:
        return None if text.count("/") - text.count("\\/") >= frequent.required else "short"
    if text[:4] == "CHAT" or text[:2] == "-/" or text in _CONSTANT:
        return None
    command = decode_command(text)
    return command.reason if isinstance(command, k.Unknown) else None


def is_readable(text: str) -> bool:
    """Whether an engine without module classes reads this command and so makes a log step of it."""
    return text != "null" and why_unread(text) is None
