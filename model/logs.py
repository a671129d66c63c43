"""How files that people keep name the logs of a game: by file, not by number. The number changes if a log
is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .game import Source
from .stanza import key_line

LOG_KINDS = ("log", "save")
"""The kinds of :class:`.Source` that have steps or could have them."""


class KnownLog(NamedTuple):
    """A log of a game: its file's name without folders, its SHA-256, and its last step (None: not known)."""

    name: str
    sha256: str
    last: int | None = None


def logs_among(sources: Iterable[Source]) -> tuple[KnownLog, ...]:
    """The logs of a game, in order. Their last steps are not known."""
    return tuple(KnownLog(one.file, one.sha256) for one in sources if one.kind in LOG_KINDS)


def facts_name(logs: Sequence[KnownLog], number: int) -> str:
    """The name that facts use for log ``number`` (from 1) of ``logs``: its file's name, or its SHA-256 if
    another log has the same name, or the name reads as a number or is not valid text. "": there is no such
    log, or it has neither."""
    if not 0 < number <= len(logs):
        return ""
    name, sha256, _ = logs[number - 1]
    alone = sum(log.name == name for log in logs) == 1
    return name if name and alone and not _NO_NAME.search(name) else sha256


def with_log_names(stanza: str, logs: Sequence[KnownLog]) -> str:
    """A stanza of facts with its log numbers replaced by the names of :func:`facts_name`."""

    def log(found: re.Match[str]) -> str:
        name = facts_name(logs, int(found[1]))
        return key_line("log", name) if name else found[0]

    def end(found: re.Match[str]) -> str:
        name = facts_name(logs, int(found[2]))
        return key_line(found[1], f"{name}:{found[3]}") if name else found[0]

    return _END.sub(end, _LOG.sub(log, stanza))


_LOG = re.compile("^log = ([0-9]+)$", re.MULTILINE)
_END = re.compile('^(first|last) = "([0-9]+):([0-9]+)"$', re.MULTILINE)
_NO_NAME = re.compile("[\ud800-\udfff]|^[0-9]+$")
