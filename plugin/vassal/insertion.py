"""Steps of our own between the steps of a log, which stay as they are, byte for byte.

A log's text is a list of groups between ESC characters (``VASSAL.build.GameModule.encode``); a group that
holds a ``LOG`` command is a step. New groups go between two old ones: no old group is read and
written again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...importers.vassal.commands import Command, is_readable
from ...importers.vassal.commands.stream import LOG, encode_step, leaves, parse_stream
from ...importers.vassal.sequence import join
from ...model.problem import Unreadable

_BETWEEN = re.compile(r"(?<!\\)\x1b")
"""Ends a group; after a backslash it is part of one."""


def insert_steps(
    text: str, added: Mapping[int, Sequence[Sequence[Command]]], *, where: str, max_nesting: int
) -> str:
    """``text`` with steps added after the steps ``added`` names, as VASSAL counts them; after 0 they
    come before the first step.

    Raises :class:`Unreadable` if the text cannot be cut without touching its groups.
    """
    groups = _BETWEEN.split(text)
    read = list(parse_stream(text))
    if len(groups) != len(read):
        raise Unreadable(
            "cannot be annotated: its steps cannot be told apart without rewriting them",
            where=where,
        )
    counted, first = _numbers(read, max_nesting)
    last = {number: index for index, number in enumerate(counted) if number is not None}
    after: dict[int, list[str]] = {}
    for number, steps in sorted(added.items()):
        index = last.get(number, first - 1 if number == 0 else len(groups) - 1)
        after.setdefault(index, []).extend(encode_step(step) for step in steps)
    written = [*_group_quoted(after.pop(-1, []))]
    for index, group in enumerate(groups):
        written.append(group)
        written.extend(_group_quoted(after.get(index, [])))
    return "\x1b".join(written)


def _numbers(groups: Sequence[str], max_nesting: int) -> tuple[list[int | None], int]:
    """The number VASSAL gives the step in each group (None: it is none), and where the first one is."""
    counted: list[int | None] = []
    engine_number, first = 0, len(groups)
    for index, group in enumerate(groups):
        parts = leaves(group, max_nesting)
        number = None
        if any(part.startswith(LOG) for part in parts):
            logged = [part.removeprefix(LOG) for part in parts]
            first = min(first, index)
            if any(map(is_readable, logged)):
                engine_number += 1
                number = engine_number
        counted.append(number)
    return counted, first


def _group_quoted(groups: Sequence[str]) -> list[str]:
    """Groups as members of the list they go into: the delimiters inside them made letters."""
    return [join([group], "\x1b") for group in groups]
