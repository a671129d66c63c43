"""A game with secrets of every kind, made from one that VASSAL's engine wrote."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from vassal_umpire.importers.vassal.commands import (
    AddPiece,
    ChangePiece,
    Command,
    MovePiece,
    PrivateNote,
    SecretNote,
    decode_command,
    encode_command,
)
from vassal_umpire.importers.vassal.commands.stream import encode_stream
from vassal_umpire.importers.vassal.pieces import (
    BasicPiece,
    Deck,
    GamePiece,
    Stack,
    decode_piece,
    encode_piece,
)
from vassal_umpire.importers.vassal.savefile import SaveFile
from vassal_umpire.importers.vassal.traits.catalogue import Hideable, Labeler, Obscurable

PRIVATE_MAP = "Dead Pile"
"""The map of the drill module that :func:`with_private_map` makes one side's own."""
Alter = Callable[[GamePiece], GamePiece]


class Secrets:
    """The commands of a save or log, in which pieces get secrets one after another: what is to be found
    nowhere begins with ``token``, ids, names, pictures, labels, notes."""

    def __init__(self, save: SaveFile) -> None:
        self.opening = list(save.opening[1:-1])  # without begin_save and end_save
        while self.opening and self.opening[-1] == "end_save":
            self.opening.pop()
        self.steps = [list(step.leaves) for step in save.steps]
        self.types: dict[str, str] = {
            c.id: c.type for c in self._commands() if isinstance(c, AddPiece) and c.id is not None
        }

    def _commands(self) -> Iterator[Command]:
        for texts in (self.opening, *self.steps):
            yield from map(decode_command, texts)

    def text(self) -> str:
        """The whole text, as a save or log holds it."""
        return encode_stream([t for t in self.opening if t != "end_save"], self.steps)

    def pieces(self) -> dict[str, GamePiece]:
        """The pieces of the opening, stacks and decks left out."""
        found = {}
        for command in map(decode_command, self.opening):
            if isinstance(command, AddPiece) and command.id is not None:
                piece = decode_piece(command.type, command.state)
                if isinstance(piece.base, BasicPiece):
                    found[command.id] = piece
        return found

    def decks(self) -> dict[str, tuple[str, ...]]:
        """Ids of the cards of every deck of the opening."""
        found = {}
        for command in map(decode_command, self.opening):
            if isinstance(command, AddPiece) and command.id is not None:
                base = decode_piece(command.type, command.state).base
                if isinstance(base, Deck):
                    found[command.id] = tuple(base.members)
        return found

    def concealed(self, private: Collection[str] = ()) -> dict[str, str]:
        """Pieces of the opening that are not open to all, each with what conceals it; ``private``: names of
        maps that are one side's own."""
        found = {card: "card" for cards in self.decks().values() for card in cards}
        for one, piece in self.pieces().items():
            for trait in piece.traits:
                if isinstance(trait, Hideable) and trait.hidden_by not in ("null", None):
                    found[one] = "hidden"
                elif isinstance(trait, Obscurable) and trait.obscured_by not in ("null", None):
                    found.setdefault(one, "masked")
            if getattr(piece.base, "map", None) in private:
                found[one] = "private"
        return found

    # -- what is done to them ---------------------------------------------------------------------

    def alter(self, piece: str, change: Alter) -> None:
        """Change a piece wherever the file tells of it."""
        self._rewrite(lambda command: self._altered(command, piece, change))

    def _altered(self, command: Command, piece: str, change: Alter) -> Command:
        if isinstance(command, AddPiece) and command.id == piece:
            type_text, state = encode_piece(change(decode_piece(command.type, command.state)))
            return replace(command, type=type_text, state=state)
        if isinstance(command, ChangePiece) and command.id == piece:
            both = (command.state, command.old_state)
            old = [text and decode_piece(self.types[piece], text) for text in both]
            states = [made and encode_piece(change(made))[1] for made in old]
            return replace(command, state=states[0] or "", old_state=states[1])
        return command

    def _rewrite(self, change: Callable[[Command], Command]) -> None:
        for texts in (self.opening, *self.steps):
            for at, text in enumerate(texts):
                if text[:2] in ("+/", "D/", "M/"):
                    command = decode_command(text)
                    new = change(command)
                    if new is not command:
                        texts[at] = encode_command(new)

    def hide(self, piece: str, owner: str, token: str) -> None:
        """``owner`` makes it invisible, from before the file begins to its end."""
        self.alter(piece, lambda p: _with(p, Hideable, hidden_by=owner))
        self.name(piece, token)

    def mask(self, piece: str, owner: str, token: str) -> None:
        """``owner`` masks it, from before the file begins to its end."""
        self.alter(piece, lambda p: _with(p, Obscurable, obscured_by=owner))
        self.name(piece, token)

    def is_alone(self, piece: str) -> bool:
        """Whether it lies in no stack with others, and is moved by itself, from beginning to end."""
        for command in self._commands():
            if isinstance(command, MovePiece) and (
                piece in (command.under, command.old_under)
                or (command.id == piece and (command.under or command.old_under))
            ):
                return False
            if isinstance(command, AddPiece):
                base = decode_piece(command.type, command.state).base
                if isinstance(base, Stack) and piece in base.members and len(base.members) > 1:
                    return False
        return True

    def put_away(self, piece: str, map_name: str, token: str) -> None:
        """It lies on a map of its own all the time, in no stack, and is never moved."""
        self.alter(piece, lambda p: replace(p, base=replace(p.base, map=map_name)))

        def elsewhere(command: Command) -> Command:
            if not isinstance(command, AddPiece):
                return command
            made = decode_piece(command.type, command.state)
            if not isinstance(made.base, Stack) or piece not in made.base.members:
                return command
            left = tuple(one for one in made.base.members if one != piece)
            base = replace(made.base, members=left)
            type_text, state = encode_piece(replace(made, base=base))
            return replace(command, type=type_text, state=state)

        self._rewrite(elsewhere)
        for step in self.steps:
            step[:] = [t for t in step if not self._moves(t, piece)] or ["CHAT- nothing"]
        self.name(piece, token)

    def _moves(self, text: str, piece: str) -> bool:
        if not text.startswith("M/"):
            return False
        command = decode_command(text)
        return isinstance(command, MovePiece) and command.id == piece

    def name(self, piece: str, token: str) -> None:
        """Its id, name, picture, and what is written on it become the token."""
        self.name_all({piece: token})

    def name_all(self, tokens: Mapping[str, str]) -> None:
        """As :meth:`name`, of many at once: tokens by piece."""

        def named(made: GamePiece, token: str) -> GamePiece:
            base = replace(made.base, name=f"{token} name", image=f"{token}.png")
            return _with(replace(made, base=base), Labeler, label=f"{token} label")

        def altered(command: Command) -> Command:
            token = tokens.get(getattr(command, "id", None) or "")
            if token is None:
                return command
            return self._altered(command, command.id, lambda p: named(p, token))  # type: ignore[union-attr,arg-type]

        self._rewrite(altered)
        swap = re.compile(r"[0-9]{4,}")
        for texts in (self.opening, *self.steps):
            texts[:] = [
                swap.sub(lambda m: f"{tokens[m[0]]}-id" if m[0] in tokens else m[0], text)
                for text in texts
            ]
        for piece, token in tokens.items():
            if piece in self.types:
                self.types[f"{token}-id"] = self.types.pop(piece)

    def shuffle(self, deck: str, rng: random.Random) -> None:
        """The same cards in another order."""

        def shuffled(made: GamePiece) -> GamePiece:
            members = list(made.base.members)  # type: ignore[union-attr]
            rng.shuffle(members)
            return replace(made, base=replace(made.base, members=tuple(members)))

        self.alter(deck, shuffled)

    def note(self, owner: str, token: str) -> None:
        """A private note of a player's, and one that he has not revealed."""
        secret = SecretNote(f"{token} title", owner, True, f"{token} secret")
        notes = (PrivateNote(owner, f"{token} private"), secret)
        self.opening.extend(map(encode_command, notes))


def _with(piece: GamePiece, kind: type, **fields: str) -> GamePiece:
    """A piece with fields of its traits of a kind changed."""
    traits = tuple(replace(t, **fields) if isinstance(t, kind) else t for t in piece.traits)
    return replace(piece, traits=traits)


def with_private_map(module: Path, target: Path, side: str, pictures: Mapping[str, bytes]) -> None:
    """A copy of the drill module with more pictures, in which a map is for one side's eyes."""
    written = BytesIO()
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "buildFile.xml":
                data = _private(data.decode("utf-8"), side).encode("utf-8")
            new.writestr(name, data)
        for name, data in pictures.items():
            new.writestr(f"images/{name}", data)
    target.write_bytes(written.getvalue())


def _private(build_file: str, side: str) -> str:
    begin = build_file.index(f'<VASSAL.build.module.Map mapName="{PRIVATE_MAP}"')
    end = build_file.index("</VASSAL.build.module.Map>", begin)
    old = "VASSAL.build.module.Map"
    inner = build_file[begin:end].replace(
        f"<{old} ", f'<{old.replace(".Map", ".PrivateMap")} side="{side}" ', 1
    )
    after = build_file[end:].replace(f"</{old}>", "</VASSAL.build.module.PrivateMap>", 1)
    return build_file[:begin] + inner + after


def tokens_in(texts: Iterable[bytes], tokens: Iterable[str]) -> set[str]:
    """Which tokens the outputs hold."""
    found = list(texts)
    return {token for token in tokens if any(token.encode() in text for text in found)}
