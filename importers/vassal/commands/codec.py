"""One command's own text to its value and back (engine: the ``CommandEncoder`` classes)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any

from .. import sequence
from ..numbers import long_number, number
from ..sequence import join, split
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
    """A command of a fixed list of fields: how each is read, how many must be there."""

    prefix: str
    kind: Callable[..., Any]
    delimiter: str
    names: tuple[str, ...]
    readers: tuple[Callable[[str], Any], ...]
    required: int

    def decode(self, body: str) -> k.Command | None:
        tokens = split(body, self.delimiter)
        if len(tokens) < self.required:
            return None
        command: k.Command = self.kind(*[r(t) for r, t in zip(self.readers, tokens, strict=False)])
        return command

    def encode(self, command: object) -> str:
        values = [getattr(command, name) for name in self.names]
        # Only what follows the required fields may be absent; there None means just that.
        while len(values) > self.required and values[-1] is None:
            values.pop()
        return self.prefix + join([_text(v) for v in values], self.delimiter)


_READERS: dict[str, Callable[[str], Any]] = {"str": str, "Number": number, "bool": _bool}


def _fields(
    prefix: str, kind: Any, delimiter: str = "\t", **readers: Callable[[str], Any]
) -> _Fields:
    """The fields of a class of :mod:`.kinds`, of which those with a default may be missing. ``readers``: how
    some are read, where their type does not say it."""
    parts = fields(kind)
    required = [part for part in parts if part.default is MISSING]
    for part in parts:
        of_type = _READERS[str(part.type).removesuffix(" | None")]
        nullable = part in required and str(part.type).endswith("None")
        readers.setdefault(part.name, _or_none if nullable else of_type)
    names = tuple(part.name for part in parts)
    how = tuple(readers[name] for name in names)
    return _Fields(prefix, kind, delimiter, names, how, len(required))


_FIELDS = (
    _fields("+/", k.AddPiece, "/"),
    _fields("D/", k.ChangePiece, "/"),
    _fields("M/", k.MovePiece, "/"),
    _fields("PLAYER\t", k.Player),
    _fields("PYREMOVE\t", k.PlayerRemove),
    _fields("GlobalProperty\t;", k.GlobalProperty, ";"),
    _fields("MutableProperty\t", k.MutableProperty),
    _fields("PNOTE\t", k.PrivateNote, text=sequence.lines),
    _fields("SNOTE\t", k.SecretNote, text=sequence.lines),
    _fields("EXT\t", k.Extension),
    _fields("PLUGIN\t", k.Plugin),
    _fields("LOS\t", k.LosThread),
    _fields("FLARE\t", k.Flare),
    _fields("CLOCK\t", k.Clock, elapsed=long_number, verified=long_number),
    _fields("CLOCKCONTROL\t", k.ClockControl),
    _fields("SGKC\t", k.StartupDone),
    _fields("LOCKSPOTAB\t", k.OptionTabLock),
)


def _decode_add(text: str) -> k.Command:
    tokens = split(text[2:], "/")
    if len(tokens) < 3:
        return k.Unknown(text, "short")
    return k.AddPiece(_or_none(tokens[0]), tokens[1], tokens[2])


def _decode_change(text: str) -> k.Command:
    tokens = split(text[2:], "/")
    if len(tokens) < 2:
        return k.Unknown(text, "short")
    return k.ChangePiece(*tokens[:3])


def _decode_move(text: str) -> k.Command:
    tokens = split(text[2:], "/")
    if len(tokens) < 9:
        return k.Unknown(text, "short")
    piece, map_name, x, y, under, old_map, old_x, old_y, old_under = tokens[:9]
    return k.MovePiece(
        _or_none(piece),
        _or_none(map_name),
        number(x),
        number(y),
        _or_none(under),
        _or_none(old_map),
        number(old_x),
        number(old_y),
        _or_none(old_under),
        tokens[9] if len(tokens) > 9 else None,
    )


# The commands logs are made of, read without the detour over a table; fields a whole one needs.
_FREQUENT: dict[str, tuple[Callable[[str], k.Command], int]] = {
    "+/": (_decode_add, 3),
    "D/": (_decode_change, 2),
    "M/": (_decode_move, 9),
}
_BY_PREFIX = {spec.prefix: spec for spec in _FIELDS}
_BY_KIND: dict[Any, _Fields] = {spec.kind: spec for spec in _FIELDS}

# Commands whose text after the prefix is one field, stored without any escaping.
_VERBATIM: dict[str, type] = {
    "AUDIO\t": k.Audio,
    "SEMAIL\t": k.EmailServer,
    "DECK\t": k.DeckFile,
    "CHAT": k.Chat,
    "-/": k.RemovePiece,
    "Events": k.EventLog,
}
_VERBATIM_PREFIX: dict[type, tuple[str, str]] = {
    kind: (prefix, next(iter(kind.__dataclass_fields__)))  # type: ignore[attr-defined]
    for prefix, kind in _VERBATIM.items()
}
_CONSTANT: dict[str, k.Command] = {
    "": k.Null(),
    "null": k.Unencodable(),
    "begin_save": k.BeginSave(),
    "end_save": k.EndSave(),
    "SETUP_STACK\t": k.SetupStackMark(),
}
_CONSTANT_TEXT: dict[type, str] = {type(value): text for text, value in _CONSTANT.items()}
_BOARDS = "BoardPicker"


def _decode_lists(text: str, prefix: str) -> k.Command | None:
    if prefix == "UNDO\t":
        return k.Undo(text[5:] == "true")
    if prefix == "NOTES\t":
        return k.Notes(sequence.lines(text[6:]))
    if prefix == "PNOTES\t":
        return k.PublicNotes(sequence.lines(text[7:]))
    if prefix == "UNMASK\t":
        return k.Unmask(tuple(split(text[7:], "\t")))
    if prefix == "SHOW_RESULTS\t":
        die, *faces = split(text[13:], "\t")
        return k.ShowResults(die, tuple(map(number, faces)))
    if prefix == "CHECK\t":
        condition, *rest = split(text[6:], "\t")
        return k.Check(condition, tuple(rest))
    return None


def decode_command(text: str) -> k.Command:
    """Read one command's own text (``LOG`` and its tab taken off); any text gives a value."""
    verbatim = _VERBATIM.get(text[:4]) or _VERBATIM.get(text[:2])
    if verbatim is not None:
        prefix = _VERBATIM_PREFIX[verbatim][0]
        result: k.Command = verbatim(text[len(prefix) :])
        return result
    frequent = _FREQUENT.get(text[:2])
    if frequent is not None:
        return frequent[0](text)
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
    verbatim = _VERBATIM.get(prefix)
    if verbatim is not None:
        result: k.Command = verbatim(body)
        return result
    if prefix == "LOG\t":
        return k.Unknown(text, "log-in-log")
    if text.startswith("Events"):
        return k.EventLog(text[6:])
    short = not tab and (prefix + "\t" in _BY_PREFIX or prefix in ("TURN", "UNDO"))
    return _decode_lists(text, prefix) or k.Unknown(text, "short" if short else "unknown")


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
    spec = _BY_KIND.get(type(command))
    if spec is not None:
        if isinstance(command, k.PrivateNote | k.SecretNote):
            return _encode_note(command)
        return spec.encode(command)
    verbatim = _VERBATIM_PREFIX.get(type(command))
    if verbatim is not None:
        prefix, name = verbatim
        return prefix + str(getattr(command, name))
    constant = _CONSTANT_TEXT.get(type(command))
    if constant is not None:
        return constant
    return _encode_lists(command)


def _encode_note(note: k.PrivateNote | k.SecretNote) -> str:
    text = None if note.text is None else sequence.escape_lines(note.text)
    tokens: list[str | None]
    if isinstance(note, k.PrivateNote):
        tokens = [note.owner] if text is None else [note.owner, text]
        return "PNOTE\t" + join(tokens, "\t")
    tokens = [note.name, note.owner, _text(note.hidden), text]
    tokens += [t for t in (note.date, note.handle) if t is not None]
    return "SNOTE\t" + join(tokens, "\t")


def _encode_lists(command: k.Command) -> str:
    match command:
        case k.Unknown(text):
            return text
        case k.Undo(active):
            return f"UNDO\t{_text(active)}"
        case k.Notes(text):
            return "NOTES\t" + sequence.escape_lines(text)
        case k.PublicNotes(text):
            return "PNOTES\t" + sequence.escape_lines(text)
        case k.Unmask(ids):
            return "UNMASK\t" + join(ids, "\t")
        case k.ShowResults(die, faces):
            return "SHOW_RESULTS\t" + join([die, *map(str, faces)], "\t")
        case k.Check(condition, rest):
            return "CHECK\t" + join([condition, *rest], "\t")
        case k.TurnState(tracker, state):
            return join([f"TURN{tracker}", state], "\t")
        case k.Boards(map_name, boards):
            return _encode_boards(map_name, boards)
    raise TypeError(f"not a command: {type(command).__name__}")


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
    frequent = _FREQUENT.get(text[:2])
    if frequent is not None:
        return None if text.count("/") - text.count("\\/") >= frequent[1] else "short"
    if text[:4] == "CHAT" or text[:2] == "-/" or text in _CONSTANT:
        return None
    command = decode_command(text)
    return command.reason if isinstance(command, k.Unknown) else None


def is_readable(text: str) -> bool:
    """Does an engine without module classes read this command (so that it makes a log step)?"""
    return text != "null" and why_unread(text) is None
