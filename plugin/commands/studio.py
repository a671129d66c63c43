"""``umpire studio``: work on an audit pack in the browser."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from ...importers.game_folder.folder import GameFolder, read_game_folder
from ...importers.pack.facts import FACTS_FILE
from ...importers.pack.load import PACK_FILE
from ...importers.pack.zipped import is_zip
from ...importers.vassal.limits import Limits
from ...model.problem import CannotAudit, UmpireError
from ...model.viewer import Viewer
from ..auditing import Evidence, read_evidence
from ..desk.opening import named_of
from ..discovery import pack_beside
from ..installed import install_command
from ..options import check_side, facts_option, limit_options, viewer_options
from ..pack_files import pack_output
from ..printable import printable
from ..progress import progress
from ..reading import Named, Told, open_module_of
from .convert import sorted_files
from .pack_new import make_pack

EPILOG = """\b
Examples:
  umpire studio game.vmod             begin a pack in the folder game-pack
  umpire studio game.vmod turn-1.vlog turn-2.vlog
  umpire studio game-pack turn-1.vlog turn-2.vlog
  umpire studio wren-rook             a game's folder, with rulings
"""
NEEDED = ("starlette", "uvicorn", "anyio", "numpy")


@click.command("studio", epilog=EPILOG, short_help="Work on an audit pack in the browser.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--module", type=click.Path(path_type=Path), help="The module (.vmod).")
@facts_option("Facts of this game; by default facts.toml in the pack's folder.")
@click.option(
    "--ruleset", metavar="NAME", default="generic", help="The ruleset, where a pack is begun."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; any free one.")
@click.option("--no-browser", is_flag=True, help="Open no browser; print the link alone.")
@viewer_options
@limit_options
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[Path, ...],
    module: Path | None,
    facts: Path | None,
    ruleset: str,
    port: int,
    no_browser: bool,
    viewer: Viewer,
    limits: Limits,
) -> None:
    """Work on an audit pack in the browser. FILES: a pack's folder or a module, then the logs of a game; or
    the folder of a game ('umpire game new') alone.

    Without a pack a first one is written, as 'umpire pack new' does, into a new folder named after the
    module; one that is there already is gone on with. Every edit is saved at once into the pack's own
    files. The page is served by this computer to this computer alone; nothing is sent anywhere.

    Nothing is shown that not every player may see, unless --as or --director say otherwise.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UmpireError(
            f"the studio needs {' and '.join(missing)}, not installed here",
            hint=f"install them with: {install_command(missing)}",
        )
    from ..studio.game_desk import GameDesk, is_game
    from ..studio.launch import serve
    from ..studio.session import Studio

    files, game = files or (Path(),), None
    with progress() as told:
        if any(map(is_game, files)):
            kept = _game_named(files, module, facts)
            game, facts = GameDesk(kept), kept.path(kept.facts)
            folder, evidence = _open_game(kept, limits, told)
        else:
            folder, evidence = open_files(files, module, ruleset, viewer, limits, told)
    if game is not None:
        _say(f"The game is {game.opened.title}")
    _say(f"The pack is in the folder {folder}")
    sides = {
        p.side for log in evidence.history.logs for p in (*log.opening.players, *log.end.players)
    }
    check_side(viewer, sides | set(evidence.module.sides))
    studio = Studio(folder, facts or folder / FACTS_FILE, evidence, viewer, limits, game=game)
    debug = bool(ctx.find_root().params.get("debug"))
    serve(studio, port, _say, browser=not no_browser, debug=debug)


def _say(line: str) -> None:
    click.echo(printable(line))


def open_files(
    files: tuple[Path, ...],
    module: Path | None,
    ruleset: str,
    viewer: Viewer,
    limits: Limits,
    told: Told,
) -> tuple[Path, Evidence]:
    """The folder of the pack, which is begun if there is none, and the module and logs that were named."""
    folder, rest = _folder_named(files)
    logs, found, _ = sorted_files(rest, limits) if rest else ((), None, ())
    if module is not None and found is not None:
        raise UmpireError("two modules are named", where=f"{found.name}, {module.name}")
    module = module or found
    if folder is None and logs:
        folder = _beside(logs, module, limits)
    if folder is None:
        folder = _begun(rest, logs, module, ruleset, viewer, limits, told)
    _refuse_link(folder)
    if module is None and not logs:
        module = _module_beside(folder)
    return folder, read_evidence(Named(logs, module), limits, told)


def _game_named(files: tuple[Path, ...], module: Path | None, facts: Path | None) -> GameFolder:
    """The game in the folder that is named, which tells all there is to open."""
    if len(files) > 1:
        raise UmpireError(
            "a game's folder names its logs itself",
            where=", ".join(path.name for path in files),
            expected="the folder alone",
            hint="a log is added with: umpire game add DIR LOG",
        )
    if module is not None or facts is not None:
        raise UmpireError(
            "a game's folder names its module and facts itself",
            where=str(files[0]),
            hint="--module and --facts are for logs that belong to none",
        )
    folder = read_game_folder(files[0])
    if not folder.facts:
        raise CannotAudit(
            "game.toml names no file for the facts of this game",
            where=str(folder.root),
            hint='write facts = "facts.toml" below [game]; the file need not be there yet',
        )
    return folder


def _open_game(game: GameFolder, limits: Limits, told: Told) -> tuple[Path, Evidence]:
    """The folder of a game's pack, and its module and the logs that it consists of now."""
    named = named_of(game)
    assert named.pack is not None
    pack, _ = _folder_named((named.pack,))
    if pack is None:
        raise UmpireError(
            "the pack is not there",
            where=game.pack,
            hint="put it there, or write its new path into game.toml (pack = …)",
        )
    _refuse_link(pack)
    return pack, read_evidence(replace(named, pack=None, facts=None), limits, told)


def _refuse_link(folder: Path) -> None:
    if folder.is_symlink():
        raise UmpireError(
            "is a link, and the studio writes to no link",
            where=str(folder),
            hint=f"name the folder that it leads to: {os.path.realpath(folder)}",
        )


def _folder_named(files: tuple[Path, ...]) -> tuple[Path | None, tuple[Path, ...]]:
    """The pack's folder, if one is named, and the other files."""
    for path in files:
        if path.suffix.lower() == ".zip" and is_zip(path):
            raise UmpireError(
                "is a pack in one file, which is only read",
                where=path.name,
                hint=f"make it yours first: umpire pack adopt {path.name} --name NAME -o my-pack",
            )
    packs = [path for path in files if path.is_dir() or path.name == PACK_FILE]
    if not packs:
        return None, files
    folder = Path(os.path.abspath(packs[0]))
    folder = folder.parent if folder.name == PACK_FILE else folder
    if len(packs) > 1:
        raise UmpireError("more than one folder is named", where=str(packs[1]))
    if not (folder / PACK_FILE).is_file():
        raise UmpireError(
            "is no audit pack",
            where=str(packs[0]),
            expected=f"a folder with a file {PACK_FILE}, or a module to begin one for",
        )
    return folder, tuple(path for path in files if path != packs[0])


def _beside(logs: tuple[Path, ...], module: Path | None, limits: Limits) -> Path | None:
    """The folder of the pack that lies beside the logs; None if there is none that fits."""
    opened = open_module_of(logs[0], None, module, limits) if module is not None else None
    try:
        pack = pack_beside([logs[0]], opened)
    except CannotAudit:
        return None
    return pack.files[0].parent if pack.files else None


def _begun(
    files: tuple[Path, ...],
    logs: tuple[Path, ...],
    module: Path | None,
    ruleset: str,
    viewer: Viewer,
    limits: Limits,
    told: Told,
) -> Path:
    """A first pack in a new folder of the working directory; where one of that name holds a pack, that
    one."""
    every = tuple(dict.fromkeys((*files, *([module] if module is not None else ()))))
    stem = (module or logs[0]).stem
    folder = Path(os.path.abspath(f"{stem}-pack"))
    if (folder / PACK_FILE).is_file():
        _say(f"{folder.name} is a pack already and is gone on with")
        return folder
    target = pack_output(folder, every)
    made = make_pack(every, ruleset, viewer, limits, told)
    target.refuse(made.inputs)
    target.write(made.files)
    _say(f"A first pack was written into the folder {folder.name}")
    return folder


def _module_beside(folder: Path) -> Path | None:
    """The only module in the pack's folder or the one above it; None: there is none, or more than one."""
    for place in (folder, folder.parent):
        found = [p for p in sorted(place.iterdir()) if p.suffix.lower() in (".vmod", ".mod")]
        if found:
            return found[0] if len(found) == 1 else None
    return None
