"""``umpire annotate``: a copy of the log with the umpire's remarks in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from unicodedata import normalize

from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ...model.viewer import Viewer
from ..auditing import audit_game, open_game
from ..desk.opening import named_by, own_files
from ..options import (
    FACTS,
    LIMITED,
    MODULE,
    PACK,
    RULESET,
    VIEWER,
    argument,
    check_side,
    declared,
    output_options,
)
from ..output import output_to
from ..printable import say, say_problems
from ..progress import progress
from ..reading import is_document
from ..reports.phrases import PACK_FOUND
from ..vassal.annotation import annotated

EPILOG = """\b
Examples:
  umpire annotate turn-1.vlog -o turn-1-annotated.vlog
  umpire annotate turn-1.vlog turn-2.vlog -o turn-2-annotated.vlog
  umpire annotate turn-*.vlog -o annotated      a folder: a copy of each log
  umpire annotate wren-rook -o last.vlog        a game in a folder

\b
If you name several logs, the last is annotated, or with a folder all of them.
Open the copy in VASSAL like any log, and step through it.
"""


@declared("annotate", epilog=EPILOG, short_help="Write a log with the umpire's remarks in it.")
def command(
    logs: tuple[Path, ...] = argument(),
    output: Path = output_options(
        "The annotated log to write, or a folder that exists.", required=True
    ),
    force: bool = False,
    pack: Path | None = PACK,
    module: Path | None = MODULE,
    facts: Path | None = FACTS,
    ruleset: str | None = RULESET,
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Write a copy of the last of LOGS (or of the game whose folder is named) that replays in VASSAL as the
    same game. In it the umpire speaks in the chat after each judged move, and a flag stands on the hex of
    each finding until the phase is over.

    The steps of the log stay as they are, byte for byte. So the copy also holds the players' ids (which are
    passwords) if the log does: give it only to people to whom you would give the log.
    """
    named, game = named_by(logs, module, pack, facts, limits)
    inputs = (*named.inputs, *(own_files(game) if game is not None else ()))
    logs = named.logs
    if len(logs) == 1 and logs[0].is_file() and is_document(logs[0]):
        raise UmpireError(
            "is an analysis document; only a log of VASSAL can be annotated",
            where=logs[0].name,
            expected="a .vlog file",
        )
    targets = {
        number: output_to(target, inputs, force=force)
        for number, target in _targets(logs, output).items()
    }
    with progress() as told:
        opened = open_game(named, viewer, limits, told)
        say_problems(one for one in opened.problems if one.code == PACK_FOUND)
        for target in targets.values():
            target.refuse(opened.files)
        shown = audit_game(opened, ruleset, told, suspicions=False)
        check_side(viewer, opened.game.sides)
        for number, target in targets.items():
            told("writing", 0, 0)
            data = annotated(logs[number - 1], number, shown, opened, limits, str(viewer))
            target.write_zip(data)
    for target in targets.values():
        say(
            f"{target.named}: annotated; like the log it holds what players can hide,"
            " their passwords too"
        )


def _targets(logs: tuple[Path, ...], output: Path) -> dict[int, Path]:
    """Which logs (counted from 1) are annotated, and where the copies go."""
    if not output.is_dir():
        return {len(logs): output}
    targets = {
        number: output / f"{log.stem}-annotated{log.suffix or '.vlog'}"
        for number, log in enumerate(logs, 1)
    }
    # some disks take names for the same that differ in case, or in how an accent is written
    alike = Counter(normalize("NFC", target.name).casefold() for target in targets.values())
    twice = [t for t in targets.values() if alike[normalize("NFC", t.name).casefold()] > 1]
    if twice:
        raise UmpireError(
            "would be the copy of several logs",
            where=str(twice[0]),
            expected="logs with different names",
            hint="name a file with -o to annotate the last of them",
        )
    return targets
