"""Packs for modules that others made: audits of their logs, which are not shipped, and what must come out.

    python samples/real_games.py CORPUS [NAME...]

prints the expected reports anew, from the folder of real VASSAL files (see CONTRIBUTING). Read what has
changed! Players are called by numbers: no name of a player is ever kept.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import Opened, open_game
from vassal_umpire.plugin.commands.audit import report_for
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.reports.report import ReportOptions
from vassal_umpire.plugin.shown import audit_shown

HERE = Path(__file__).parent


@dataclass(frozen=True)
class RealGame:
    """Where module and logs lie in the folder of real files. ``facts``: whether there is a facts file."""

    module: str
    logs: tuple[str, ...]
    facts: bool = True


WRITTEN = "engine-written"
GAMES = {
    "kassala": RealGame(
        "kassala/Kassala.vmod", (f"{WRITTEN}/kassala-1-moslem/kassala-1-moslem.vlog",)
    ),
    "ragnarok": RealGame(
        "hexncounters/ragnarok.vmod",
        (
            f"{WRITTEN}/ragnarok-1-aesir/ragnarok-1-aesir.vlog",
            f"{WRITTEN}/ragnarok-2-jotun/ragnarok-2-jotun.vlog",
        ),
    ),
    "napoleonics": RealGame("ccn/CommandsColorsNapoleonics.vmod", ("ccn/CCNv4 Tutorial.vlog",)),
}


def opened(name: str, corpus: Path, pack: Path | None = None) -> Opened:
    """A game as everybody may see it. ``pack``: None: the one in its folder."""
    game, folder = GAMES[name], HERE / name
    named = Named(
        tuple(corpus / log for log in game.logs),
        corpus / game.module,
        pack or folder / "pack",
        folder / "facts.toml" if game.facts else None,
    )
    return open_game(named, EVERYONE, DEFAULT_LIMITS)


def printed(shown: Audit, form: str) -> str:
    """An audit as ``umpire audit --verbose --format FORM`` prints it."""
    return report_for(form, None).render(shown, ReportOptions(verbose=True))


def players(game: Opened) -> tuple[str, ...]:
    """The names of all players of a game, in the order in which they turn up."""
    assert game.backdrop is not None
    logs = game.backdrop.evidence.history.logs
    found = (p.name for log in logs for p in (*log.opening.players, *log.end.players))
    return tuple(dict.fromkeys(filter(None, found)))


def nameless(text: str, names: tuple[str, ...]) -> str:
    """``text`` with players called by numbers."""
    for number, name in enumerate(names, 1):
        text = text.replace(f"({name})", f"(player {number})")
        text = text.replace(f" of {name} of which", f" of player {number} of which")
        told = rf"(?m)^(\s+(?:(?:log \d+ )?step \d+: )?){re.escape(name)}(?=[,:])"
        text = re.sub(told, rf"\g<1>player {number}", text)
    return text


def report(game: Opened) -> str:
    """The report of a game, without names."""
    shown = audit_shown(game, None, EVERYONE)
    return nameless(printed(shown, "text"), players(game))


def main(arguments: list[str]) -> None:
    corpus = Path(arguments[0])
    for name in arguments[1:] or GAMES:
        path = HERE / name / "expected-report.txt"
        path.write_text(report(opened(name, corpus)), encoding="utf-8", newline="")


if __name__ == "__main__":
    main(sys.argv[1:])
