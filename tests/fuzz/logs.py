"""Logs and saves with some of their commands changed."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from typing import Any

from vassal_umpire.importers.vassal.commands import AddPiece, decode_command, encode_command
from vassal_umpire.importers.vassal.commands.stream import ESC, parse_stream
from vassal_umpire.importers.vassal.pieces import decode_piece, encode_piece
from vassal_umpire.importers.vassal.sequence import join, split
from vassal_umpire.importers.vassal.writer import saved_game_bytes

from . import sources
from .atoms import atom, other_bytes, other_text

_SECRET = re.compile(re.escape(sources.secret(0)).replace("0", "[0-9]"))
_WORD = re.compile(r"[^\s\t\x1b;/|,\\]+")
ENCODINGS = ("vcsk", "vcsk", "vcsk", "vobs", "xz", "plain")


@dataclass
class CommandNode:
    """One command of the tree that is packed in a text, and its sub-commands, in order."""

    text: str
    subs: list[CommandNode] = field(default_factory=list)


def parse_tree(text: str) -> CommandNode:
    first, *rest = split(text, ESC)
    node = CommandNode(first) if first == text else parse_tree(first)
    node.subs += map(parse_tree, rest)
    return node


def pack_tree(node: CommandNode) -> str:
    return join([node.text, *map(pack_tree, node.subs)], ESC) if node.subs else node.text


def changed_log(rng: random.Random, game: sources.Game) -> tuple[bytes, bool]:
    """A changed copy of a log, and whether the players' ids are all where ids belong.

    Where they are, fields of commands without ids were exchanged and no more. Else an id may have come to
    stand where a name stands, and nobody can tell it from one.
    """
    text = sources.log_text(game)
    tame = rng.random() < 0.4
    groups = [parse_tree(group) for group in parse_stream(text)]
    pool = _pool(groups)
    for _ in range(rng.choice((1, 1, 2, 3, 8, 25))):
        _tamely(rng, groups, pool) if tame else _wildly(rng, groups, pool)
    if not groups:
        groups = [CommandNode("")]
    new = join([pack_tree(group) for group in groups], ESC)
    data = _wrapped(rng, new, game)
    if not tame and rng.random() < 0.05:
        data = other_bytes(rng, data)
    return data, tame


def _wrapped(rng: random.Random, text: str, game: sources.Game) -> bytes:
    module = sources.entries(game.module) if game.module else {}
    data = module.get("moduledata") if rng.random() < 0.9 else None
    key = rng.randrange(1, 256)
    return saved_game_bytes(text, moduledata=data, encoding=rng.choice(ENCODINGS), key=key)  # type: ignore[arg-type]


def _pool(groups: list[CommandNode]) -> list[str]:
    found = {word for node in _nodes(groups) for word in _WORD.findall(node.text[:2000])}
    return sorted(word for word in found if not _SECRET.search(word))


def _nodes(groups: list[CommandNode]) -> list[CommandNode]:
    found, waiting = [], list(groups)
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.subs)
    return found


def _tamely(rng: random.Random, groups: list[CommandNode], pool: list[str]) -> None:
    """One word of a command that holds no id becomes another."""
    node = rng.choice(_nodes(groups))
    if _SECRET.search(node.text) or "+/" in node.text[:6]:
        return
    words = list(_WORD.finditer(node.text))
    if words:
        one = rng.choice(words)
        new = atom(rng, pool).replace("\x1b", "")
        node.text = node.text[: one.start()] + new + node.text[one.end() :]


def _wildly(rng: random.Random, groups: list[CommandNode], pool: list[str]) -> None:
    """Anything: commands changed, lost, doubled, exchanged, put inside others."""
    if not groups:
        return
    nodes = _nodes(groups)
    node, other = rng.choice(nodes), rng.choice(nodes)
    kind = rng.randrange(14)
    if kind < 4:
        node.text = other_text(rng, node.text, pool)
    elif kind < 7:
        node.text = _other_command(rng, node.text, pool)
    elif kind == 7:
        node.text, other.text = other.text, node.text
    elif kind == 8:
        del groups[rng.randrange(len(groups))]
    elif kind == 9:
        at = rng.randrange(len(groups))
        groups[at:at] = [groups[at]] * rng.choice((1, 1, 5, 100))
    elif kind == 10:
        groups.insert(rng.randrange(len(groups)), rng.choice(groups))
    elif kind == 11:
        node.subs.append(CommandNode(other.text))
    elif kind == 12:
        _deepen(rng, node)
    else:
        del groups[rng.randrange(len(groups)) :]


def _deepen(rng: random.Random, node: CommandNode) -> None:
    inner = node
    for _ in range(rng.choice((1, 2, 30))):
        inner.subs = [*inner.subs[:1], CommandNode(node.text)]
        inner = inner.subs[-1]


def _other_command(rng: random.Random, text: str, pool: list[str]) -> str:
    """A command decoded, changed in one field, and encoded."""
    logged = text.startswith("LOG\t")
    command = decode_command(text.removeprefix("LOG\t"))
    if isinstance(command, AddPiece) and rng.random() < 0.8:
        new: Any = _other_piece(rng, command, pool)
    else:
        new = _other_field(rng, command, pool)
    try:
        written = encode_command(new)
    except (TypeError, AttributeError):  # None where the engine has none
        return text
    return "LOG\t" * logged + written


def _other_field(rng: random.Random, value: Any, pool: list[str]) -> Any:
    names = [name for name in getattr(value, "__dataclass_fields__", {}) if name != "states"]
    if not names:
        return value
    name = rng.choice(names)
    now = getattr(value, name)
    if isinstance(now, bool):
        new: Any = not now
    elif isinstance(now, str):
        new = other_text(rng, now, pool)
    elif isinstance(now, tuple) and now:
        new = list(now)
        at = rng.randrange(len(new))
        if rng.random() < 0.3:
            del new[at]
        elif rng.random() < 0.5:
            new.insert(at, new[at])
        elif isinstance(new[at], str):
            new[at] = other_text(rng, new[at], pool)
        new = tuple(new)
    else:
        return value
    return replace(value, **{name: new})


def _other_piece(rng: random.Random, command: AddPiece, pool: list[str]) -> AddPiece:
    piece = decode_piece(command.type, command.state)
    traits = list(piece.traits)
    kind = rng.randrange(6)
    if kind < 2 or not traits:
        piece = replace(piece, base=_other_field(rng, piece.base, pool))
    elif kind < 4:
        at = rng.randrange(len(traits))
        traits[at] = _other_field(rng, traits[at], pool)
    elif kind == 4:
        at = rng.randrange(len(traits))
        traits[at:at] = [traits[at]] * rng.choice((1, 2, 60))
    else:
        rng.shuffle(traits)
    try:
        type_text, state = encode_piece(replace(piece, traits=tuple(traits)))
    except (TypeError, AttributeError, ValueError):
        return command
    return replace(command, type=type_text, state=state)
