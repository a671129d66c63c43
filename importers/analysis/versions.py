"""The versions of the analysis document, and which of its parts need which.

Version 1 is what the first release wrote. A later version adds parts and changes none, so a document is
written in the oldest version that can hold it, and one of an older version that holds a newer part is
refused: a reader of that version would pass over it in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...model.schemas import Fault

OLDEST = 1

Path = tuple[str | int, ...]

ADDED: Mapping[int, tuple[tuple[str, ...], ...]] = {
    2: (
        ("game", "rules", "complete"),
        ("game", "board", "exceptions"),
        ("game", "events", "*", "event=board"),
        ("game", "relations"),
        ("game", "phases", "*", "dice"),
        ("game", "events", "*", "event=phase", "declared"),
        ("game", "events", "*", "event=phase", "last"),
        ("game", "events", "*", "event=phase", "combat"),
        ("game", "events", "*", "event=phase", "suggested"),
        ("game", "suggestions"),
        ("game", "seen"),
        ("game", "part"),
        ("game", "unnamed_drags"),
        ("game", "nameless"),
        ("game", "sources", "*", "vouched_by"),
        ("game", "sources", "*", "assumes"),
        ("game", "sources", "*", "power"),
        ("module", "terrain"),
        ("game", "events", "*", "event=displacement", "why"),
        ("table", "logs", "*", "pieces", "*", "stored_name"),
        ("table", "logs", "*", "pieces", "*", "position"),
        ("table", "logs", "*", "pieces", "*", "unknown"),
        ("table", "logs", "*", "steps", "*", "stacks"),
        ("table", "logs", "*", "steps", "*", "displacements", "*", "stored_name"),
        ("table", "logs", "*", "steps", "*", "displacements", "*", "why"),
        ("table", "logs", "*", "steps", "*", "changes", "*", "stored_name"),
        ("table", "logs", "*", "steps", "*", "changes", "*", "unknown"),
    ),
}
"""Version → the parts it added, as keys from the top of the document. ``*`` stands for each entry of a
list, ``key=text`` for a table in which ``key`` has this value."""


def version_needed(plain: Mapping[str, Any]) -> int:
    """The oldest version that can hold ``plain``, a document that fits the schema."""
    return max(
        (version for version, parts in ADDED.items() for _ in _places(plain, parts)),
        default=OLDEST,
    )


def too_new(plain: Mapping[str, Any]) -> tuple[Fault, ...]:
    """A fault for each part of ``plain`` that the version it states does not have."""
    stated = plain["version"]
    return tuple(
        Fault(path, f"version {version} of the format for this part", f"version {stated}")
        for version, parts in ADDED.items()
        if version > stated
        for path in _places(plain, parts)
    )


def _places(plain: Any, parts: Iterable[tuple[str, ...]]) -> Iterable[Path]:
    for part in parts:
        yield from _found(plain, part, ())


def _found(plain: Any, part: tuple[str, ...], path: Path) -> Iterable[Path]:
    """Where ``part`` is in ``plain``, which lies at ``path``."""
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
