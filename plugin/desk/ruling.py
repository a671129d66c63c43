"""Rulings: find the offence that is meant, and write the ruling."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace

from ...importers.game_folder.folder import (
    DECISIONS,
    GAME_FILE,
    RULING,
    GameFolder,
    Ruling,
    read_game_folder,
)
from ...importers.pack.edit.toml import with_stanza
from ...importers.vassal.atomic import ChangedMeanwhile
from ...model.finding import Audit
from ...model.offence import Offence
from ...model.problem import UmpireError
from ...validators.sealing import offences
from ..output import alone_in, replace_own
from .status import what_was_found


def offence_named(name: str, audited: Audit) -> Offence:
    """The offence whose id begins with ``name``. Raises :class:`UmpireError` if there is none or more than
    one."""
    wanted = name.strip().lower()
    every = offences(audited)
    found = [one for one in every if wanted and one.id.startswith(wanted)]
    found = found or [one for one in every if wanted and one.former.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    ids = ", ".join(one.id for one in found)
    raise UmpireError(
        f"{name!r} begins several ids ({ids})" if found else f"no offence has the id {name!r}",
        expected="the id of one offence, or its first digits",
        hint="'umpire game status' lists them",
    )


def rule_on(
    folder: GameFolder,
    offence: Offence,
    decision: str,
    because: str,
    who: str,
    when: str = "",
    *,
    hidden: bool = False,
) -> Ruling:
    """Append a ruling to ``game.toml``. ``offence``: from the director's audit; ``when``: a date, "" for
    today; ``hidden``: see :func:`.is_hidden`.

    Raises :class:`UmpireError` for an unknown decision or an empty text, and as :func:`note`.
    """
    known = next((one for one in DECISIONS if one == decision), None)
    if known is None:
        raise UmpireError(
            f"there is no decision {decision!r}", expected=f"one of {', '.join(DECISIONS)}"
        )
    ruling = Ruling(
        offence=offence.id,
        decision=known,
        because=_line(because, "the reason"),
        who=_line(who, "the name") if who else "",
        when=when or datetime.date.today().isoformat(),
        found=what_was_found(offence),
        hidden=hidden,
    )
    note(folder, "ruling", RULING.write(ruling))
    return ruling


def note(folder: GameFolder, table: str, entry: Mapping[str, str | bool]) -> None:
    """Append an ``entry`` on an offence to its ``table`` in ``game.toml``. Waits for other commands that
    write there, and keeps what they noted on other offences.

    Raises :class:`.ChangedMeanwhile` if the file no longer says what ``folder`` does about this offence or
    the game, and as :func:`.replace_own`.
    """
    offence = str(entry["offence"])
    with alone_in(folder.root):
        now = read_game_folder(folder.root)
        if _but_for_others(now, offence) != _but_for_others(folder, offence):
            raise ChangedMeanwhile(folder.file)
        data = with_stanza(now.utf8, table, None, entry, GAME_FILE)
        replace_own(now.file, now.data, data)


def _but_for_others(folder: GameFolder, offence: str) -> GameFolder:
    """The game without notes on other offences."""
    rulings = tuple(one for one in folder.rulings if one.offence == offence)
    told = {key: day for key, day in folder.told.items() if key == offence}
    return replace(folder, rulings=rulings, told=told, data=b"")


def _line(text: str, what: str) -> str:
    """Typed text as one line."""
    line = " ".join(text.split())
    if not line:
        raise UmpireError(f"{what} is missing", expected="a sentence")
    try:
        line.encode()
    except UnicodeEncodeError:
        raise UmpireError(f"{what} holds half a character", expected="a text") from None
    return line
