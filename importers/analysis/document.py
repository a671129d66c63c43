"""The analysis document: one JSON file under ``schemas/analysis.json``, checked on write and on read.

The first release wrote version 1. A later version only adds parts, so a document is written in the oldest
version that has all its parts. A document with a part that its version does not have is refused: readers of
that version would silently ignore the part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...model.game import Game, Source
from ...model.json_values import json_values
from ...model.problem import Problem, UmpireError, Unreadable, WrongPack
from ...model.schemas import MOST_FAULTS, Fault, faults, published
from ...model.unsafe import UNSAFE
from ..ordinary import open_ordinary
from ..vassal.limits import DEFAULT_LIMITS, Limits
from .contradictions import contradictions
from .game_json import SOURCE, game_of, plain_game

OLDEST = 1

Keys = tuple[str | int, ...]


@cache
def _added() -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The parts that later versions added, by the schema: the version, and keys from the top of the document.
    ``*`` stands for each entry of a list, ``key=text`` for a table in which ``key`` has this value."""
    return tuple(_added_in(published("analysis").plain, ()))


def _added_in(
    schema: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    if "$ref" in schema:
        named = published("analysis").plain["$defs"][schema["$ref"].rpartition("/")[2]]
        schema = {**named, **schema}
    if "added" in schema:
        yield schema["added"], path
    parts = {
        **schema.get("properties", {}),
        **({"*": schema["items"]} if "items" in schema else {}),
    }
    for case in schema.get("allOf", ()):
        ((key, told),) = case["if"]["properties"].items()
        parts[f"{key}={told['const']}"] = case["then"]
    for key, part in parts.items():
        yield from _added_in(part, (*path, key))


def version_needed(plain: Mapping[str, Any]) -> int:
    """The oldest version that has all parts of ``plain``, a document that fits the schema."""
    return max((v for v, part in _added() for _ in _found(plain, part, ())), default=OLDEST)


def too_new(plain: Mapping[str, Any]) -> tuple[Fault, ...]:
    """A fault for each part of ``plain`` that its stated version does not have."""
    stated = plain["version"]
    return tuple(
        Fault(path, f"version {version} of the format for this part", f"version {stated}")
        for version, part in _added()
        if version > stated
        for path in _found(plain, part, ())
    )


def _found(plain: Any, part: tuple[str, ...], path: Keys) -> Iterable[Keys]:
    """The paths of ``part`` in ``plain``, which is at ``path``."""
    if not part:
        yield path
        return
    key, rest = part[0], part[1:]
    if key == "*":
        for index, entry in enumerate(plain if isinstance(plain, list) else ()):
            yield from _found(entry, rest, (*path, index))
        return
    if not isinstance(plain, Mapping):
        return
    name, equals, text = key.partition("=")
    if equals:
        if plain.get(name) == text:
            yield from _found(plain, rest, path)
    elif key in plain:
        yield from _found(plain[key], rest, (*path, key))


FORMAT = "vassal-umpire analysis"
Plain = dict[str, Any]


class Damaged(UmpireError):
    """A document to be written does not fit the published schema: a bug of this program."""

    def __init__(self, what: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(what)
        self.problems = problems


def document(
    *,
    game: Game | None = None,
    module: Plain | None = None,
    table: Plain | None = None,
    sources: Iterable[Source] = (),
    viewer: str = "everyone",
    generator: str = "vassal-umpire",
    problems: Iterable[str] = (),
) -> Plain:
    """A document with the given parts; ``module`` and ``table`` are already plain values."""
    result: Plain = {"format": FORMAT, "version": OLDEST, "generator": generator, "eyes": viewer}
    result["sources"] = [*map(SOURCE.write, sources)]
    if module is not None:
        result["module"] = module
    if table is not None:
        result["table"] = table
    if game is not None:
        result["game"] = plain_game(game)
    told = list(problems)
    if told:
        result["problems"] = told
    result["version"] = version_needed(result)
    return result


def document_bytes(plain: Mapping[str, Any]) -> bytes:
    """A document as bytes. Raises :class:`Damaged` if it does not fit its schema."""
    wrong = faults("analysis", plain)
    if wrong:
        found = tuple(Problem("schema", str(one), "the document", "error") for one in wrong)
        raise Damaged(f"{found[0]}", found)
    return encode(plain)


def encode(plain: Mapping[str, Any]) -> bytes:
    """The bytes of a document in UTF-8. Characters that disturb a display and lone surrogates (from bytes
    that were not text) are written as JSON escapes."""
    text = json.dumps(
        plain, ensure_ascii=False, allow_nan=False, indent=None, separators=(",", ":")
    )
    return (UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n").encode()


def read_document(path: Path, limits: Limits = DEFAULT_LIMITS) -> Plain:
    """A document as plain values that fit the schema.

    Raises :class:`Unreadable` if the file is not an analysis document, :class:`WrongPack` with one problem
    for each fault in it.
    """
    try:
        with open_ordinary(path) as file:
            data = file.read(limits.document + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})", where=path.name) from error
    if len(data) > limits.document:
        raise Unreadable(
            "is too large",
            where=path.name,
            expected=f"at most {limits.document:,} bytes",
            hint="raise the limit on size if the file is to be trusted",
        )
    return parse_document(data, path.name, limits)


def parse_document(data: bytes, where: str, limits: Limits = DEFAULT_LIMITS) -> Plain:
    """As :func:`read_document`, from bytes; ``where`` names them in errors."""
    plain = json_values(data, where, limits.values)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise Unreadable(
            "is not an analysis document", where=where, expected=f'"format": "{FORMAT}"'
        )
    _raise(faults("analysis", plain), where)
    _raise(too_new(plain), where)
    if "game" in plain:
        wrong = contradictions(plain["game"])
        _raise(tuple(Fault(("game", *f.path), f.expected, f.found) for f in wrong), where)
    return plain


def read_game(path: Path, limits: Limits = DEFAULT_LIMITS) -> Game:
    """The game in a document. Raises :class:`Unreadable` if the document has none."""
    plain = read_document(path, limits)
    if "game" not in plain:
        raise Unreadable(
            "holds no game to audit",
            where=path.name,
            hint="write it with a pack, so that pieces are units",
        )
    return game_of(plain["game"])


def _raise(wrong: tuple[Fault, ...], where: str) -> None:
    if wrong:
        found = tuple(
            Problem("schema", str(fault), where, "error") for fault in wrong[:MOST_FAULTS]
        )
        # A single problem names the file itself.
        raise WrongPack.of(found, where if len(wrong) > 1 else "", len(wrong))
