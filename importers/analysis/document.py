"""The analysis document: one JSON file under ``schemas/analysis.json``, checked on write and on read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...model.game import Game, Source
from ...model.json_values import json_values
from ...model.problem import Problem, UmpireError, Unreadable, WrongPack
from ...model.schemas import MOST_FAULTS, Fault, faults
from ...model.unsafe import UNSAFE
from ..ordinary import open_ordinary
from ..vassal.atomic import write_whole
from ..vassal.limits import DEFAULT_LIMITS, Limits
from .contradictions import contradictions
from .game_json import SOURCE, game_of, plain_game
from .versions import OLDEST, too_new, version_needed

FORMAT = "vassal-umpire analysis"
Plain = dict[str, Any]


class Damaged(UmpireError):
    """What was about to be written does not fit the published schema: a fault of this program."""

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
    """A document of the parts given; ``module`` and ``table`` are plain values already."""
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


def write_document(plain: Mapping[str, Any], path: Path, *, inputs: Iterable[Path] = ()) -> None:
    """Write a document, checked, so that ``path`` holds all of it or is left as it was.

    ``inputs`` are never overwritten. Raises :class:`UmpireError` where that is asked for or the file
    cannot be written, :class:`Damaged` where the document does not fit its schema.
    """
    write_whole(path, document_bytes(plain), inputs=inputs)


def document_bytes(plain: Mapping[str, Any]) -> bytes:
    """A document as bytes; :class:`Damaged` where it does not fit its schema."""
    wrong = faults("analysis", plain)
    if wrong:
        found = tuple(_problem(fault, "the document") for fault in wrong)
        raise Damaged(f"{found[0]}", found)
    return encode(plain)


def encode(plain: Mapping[str, Any]) -> bytes:
    """The bytes of a document: UTF-8; as JSON escapes whatever disturbs who looks at it, and lone
    surrogates (bytes that were no text)."""
    text = json.dumps(
        plain, ensure_ascii=False, allow_nan=False, indent=None, separators=(",", ":")
    )
    return (UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n").encode()


def read_document(path: Path, limits: Limits = DEFAULT_LIMITS) -> Plain:
    """A document as plain values that fit the schema.

    Raises :class:`Unreadable` where it is no such document, :class:`WrongPack` with one problem for
    each fault otherwise.
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
        raise Unreadable("is no analysis document", where=where, expected=f'"format": "{FORMAT}"')
    _raise(faults("analysis", plain), where)
    _raise(too_new(plain), where)
    if "game" in plain:
        wrong = contradictions(plain["game"])
        _raise(tuple(Fault(("game", *f.path), f.expected, f.found) for f in wrong), where)
    return plain


def read_game(path: Path, limits: Limits = DEFAULT_LIMITS) -> Game:
    """The game in a document; :class:`Unreadable` if the document holds none."""
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
        found = tuple(_problem(fault, where) for fault in wrong[:MOST_FAULTS])
        more = f" (and {len(wrong) - 1:,} more)" if len(wrong) > 1 else ""
        raise WrongPack(
            f"{found[0]}{more}", found, where=where if more else ""
        )  # not twice in a line


def _problem(fault: Fault, where: str) -> Problem:
    key = f"{fault.place}: " if fault.place else ""
    text = f"{key}expected {fault.expected}; found {fault.found}"
    return Problem("schema", text, where, "error")
