"""``umpire game new``: begin a game's folder; ``umpire game procedures``: the error procedures there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap

import click
import tomlkit

from ...importers.game_folder.folder import GAME_FILE, path_from, shell_word
from ...importers.pack.files import pack_files
from ...importers.pack.load import load_pack
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import Limits
from ...model.problem import UmpireError
from ..desk.procedures import procedure_named, procedures
from ..known_packs import known_packs
from ..options import GAME, LIMITED, PACK, declared, option
from ..output_folder import empty_place, new_folder
from ..printable import printable


def first_text(
    *,
    title: str,
    module: str,
    module_sha256: str,
    pack: str,
    facts: str,
    procedure: str,
    players: Mapping[str, str],
) -> str:
    """A ``game.toml`` without logs."""
    document = tomlkit.document()
    document.add(
        tomlkit.comment("A game kept by umpire (docs/tournament.md). Paths are from this folder.")
    )
    game = tomlkit.table()
    game["title"] = title
    game["module"] = module
    game["module_sha256"] = module_sha256
    if pack:
        game["pack"] = pack
    game["facts"] = facts
    game["procedure"] = procedure
    document["game"] = game
    if players:
        document["players"] = dict(players)
    return tomlkit.dumps(document)


EPILOG = """\b
Examples:
  umpire game new wren-rook --module crossroads.vmod --pack pack
  umpire game new game-7 --module m.vmod --pack pack --procedure plain \\
      --player Blue=Wren --player Red=Rook --title "Round 1, game 7"
"""


@declared("new", epilog=EPILOG, short_help="Begin a game's folder.")
def command(
    folder: Path = GAME,
    module: Path = option("The module (.vmod).", required=True),
    pack: Path | None = PACK,
    facts: Path | None = option("Facts of this game (facts.toml)."),
    title: str | None = option("The game's title; by default the folder's name."),
    procedure: str = option(
        "The error procedure; 'umpire game procedures' lists them.",
        default="plain",
        show_default=True,
        metavar="NAME",
    ),
    players: tuple[str, ...] = option("Who plays a side.", "--player", metavar="SIDE=NAME"),
    limits: Limits = LIMITED,
) -> None:
    """Begin the folder DIR of a game with its game.toml. Module, pack and facts stay where they are; their
    paths are written relative to DIR. Of a pack that 'umpire packs' lists, a copy is put into DIR."""
    target = empty_place(folder)
    procedure_named(procedure)  # refuses a name that none has
    opened = open_module(module, limits=limits, find_extensions=True)
    seats: dict[str, str] = {}
    for text in players:
        side, name = _player(text, opened.sides)
        if side in seats:
            told = f"{seats[side]!r} and {name!r} play {side!r}; expected one name for a side"
            raise click.BadParameter(told, param_hint="--player")
        seats[side] = name
    copied: Mapping[str, bytes] = {}
    if pack is not None:
        load_pack(pack)
        if any(pack == one.folder for one in known_packs()):
            copied, pack = pack_files(pack)[1], target / _PACK
    if facts is not None and not facts.is_file():
        raise UmpireError("there is no such file", where=str(facts), expected="a facts file")
    text = first_text(
        title=title or target.name,
        module=path_from(target, module.resolve()),
        module_sha256=opened.sha256,
        pack="" if pack is None else path_from(target, pack.resolve()),
        facts="facts.toml" if facts is None else path_from(target, facts.resolve()),
        procedure=(
            path_from(target, Path(procedure).resolve())
            if procedure.lower().endswith(".toml")
            else procedure
        ),
        players=seats,
    )
    if target.exists():
        target.rmdir()
    with new_folder(target, folder) as part:
        (part / GAME_FILE).write_text(text, encoding="utf-8", newline="\n")
        if copied:
            (part / _PACK).mkdir()
        for name, data in copied.items():
            (part / _PACK / name).write_bytes(data)
        if facts is None:
            (part / "facts.toml").write_text(_FACTS, encoding="utf-8", newline="\n")
    click.echo(printable(f"{folder}: begun; next: umpire game add {shell_word(folder)} LOG"))


_PACK = "pack"
_FACTS = "# What no log says about this game (docs/facts.md).\n"


def _player(text: str, sides: Sequence[str]) -> tuple[str, str]:
    """Side and name; ``sides``: those of the module, empty if it names none."""
    side, sign, name = text.partition("=")
    if not (side.strip() and sign and name.strip()):
        raise click.BadParameter(
            f"{text!r}; expected SIDE=NAME, such as Blue=Wren", param_hint="--player"
        )
    if sides and side.strip() not in sides:
        raise click.BadParameter(
            f"{side.strip()!r} is not a side of the module; expected one of {', '.join(sides)}",
            param_hint="--player",
        )
    return side.strip(), name.strip()


PROCEDURES_EPILOG = """\b
Examples:
  umpire game procedures
"""


@declared("procedures", epilog=PROCEDURES_EPILOG, short_help="List the error procedures.")
def procedures_command() -> None:
    """List the error procedures: what seals an error, how one is corrected, and where the text is. They are
    paraphrased; the texts themselves decide."""
    for one in procedures():
        click.echo(f"{one.name}  {one.title}")
        for what, seal, means in (
            ("movement", one.movement, one.movement_correction),
            ("combat", one.combat, one.combat_correction),
        ):
            for line in wrap(f"{what}, until the opponent's next {seal}: {means}", 76):
                click.echo(f"    {line}")
        for line in wrap(one.note, 76):
            click.echo(f"    {line}")
        for source in one.sources:
            click.echo(f"    {source}")
