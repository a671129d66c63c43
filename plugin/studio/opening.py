"""Open the files that a user names: as a studio, or as a look at a game without a pack."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...importers.game_folder.folder import GameFolder, read_game_folder
from ...importers.pack.facts import FACTS_FILE
from ...importers.pack.files import is_zip
from ...importers.pack.load import PACK_FILE
from ...importers.pack.pack import Fits
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...importers.vassal.module import Module
from ...model.problem import CannotAudit, UmpireError
from ...model.viewer import EVERYONE, Viewer
from ..auditing import Evidence, read_evidence
from ..commands.pack_new import make_pack
from ..desk.opening import named_of
from ..discovery import module_beside, pack_beside
from ..output_folder import pack_output
from ..reading import Named, Told, silent, sorted_files
from .game_desk import GameDesk, is_game
from .looking_at import LookedAt, check_player
from .session import Studio

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What to open, from the options of the command. ``home``: the folder in which a pack would be begun;
    None: a folder named after the module, in the working folder."""

    files: tuple[Path, ...]
    module: Path | None = None
    facts: Path | None = None
    ruleset: str = "generic"
    viewer: Viewer = EVERYONE
    limits: Limits = DEFAULT_LIMITS
    home: Path | None = None


def open_asked(asked: Asked, say: Say, told: Told = silent) -> Studio | LookedAt:
    """A studio on the pack that is named, lies beside the logs, or is begun for a module alone; for logs
    without a pack, a look at what was done. Raises :class:`UmpireError` if neither is possible."""
    game = None
    if any(map(is_game, asked.files)):
        kept = _game_named(asked)
        game = GameDesk(kept)
        folder, evidence = _open_game(kept, asked.limits, told)
        asked = replace(asked, facts=kept.path(kept.facts))
        say(f"The game is {game.opened.title}")
    else:
        found = _open_files(asked, say, told)
        if isinstance(found, LookedAt):
            return found
        folder, evidence = found
    say(f"The pack is in the folder {folder}")
    check_player(asked.viewer, evidence)
    return studio_on(folder, evidence, asked, game)


def begin(looked: LookedAt, say: Say) -> Studio:
    """The studio for a game that was looked at, with a first pack, or a copy of the pack that it was judged
    by, in a new folder. If this fails, nothing is left behind."""
    folder, copied = looked.home, looked.pack_copied() if looked.pack is not None else None
    with looked.kept() as (evidence, facts):
        if copied is not None:
            pack_output(folder, evidence.files).write_as_they_are(copied)
            say(f"The pack was copied into the folder {folder}")
        else:
            _write_first(
                folder,
                (evidence.file, *evidence.logs),
                looked.ruleset,
                looked.viewer,
                looked.limits,
                silent,
            )
            say(f"A first pack was written into the folder {folder}")
        asked = Asked((), facts=facts, viewer=looked.viewer, limits=looked.limits)
        return studio_on(folder, evidence, asked)


def studio_on(
    folder: Path, evidence: Evidence, asked: Asked, game: GameDesk | None = None
) -> Studio:
    """A studio on the pack in a folder."""
    facts = asked.facts or folder / FACTS_FILE
    return Studio(folder, facts, evidence, asked.viewer, asked.limits, game=game)


def _open_files(asked: Asked, say: Say, told: Told) -> tuple[Path, Evidence] | LookedAt:
    """The pack's folder (begun for a module alone), with the named module and logs."""
    limits = asked.limits
    folder, rest = _folder_named(asked.files)
    logs, module, _ = sorted_files(rest, limits, asked.module)
    evidence = None
    if folder is None and logs:
        evidence = read_evidence(Named(logs, module), limits, told)
        module, folder = evidence.file, _beside(logs, evidence.module)
    if folder is None:
        if module is None:
            raise UmpireError(
                "no module is named", expected="the module (.vmod), or logs of a game"
            )
        home = asked.home or Path(os.path.abspath(f"{module.stem}-pack"))
        if (home / PACK_FILE).is_file():
            say(f"{home.name} is a pack already; the studio continues with it")
        elif evidence is not None:
            return LookedAt(evidence, home, asked.viewer, limits, asked.ruleset, facts=asked.facts)
        else:
            every = tuple(dict.fromkeys((*rest, module)))
            _write_first(home, every, asked.ruleset, asked.viewer, limits, told)
            say(f"A first pack was written into the folder {home.name}")
        folder = home
    _refuse_link(folder)
    if module is None and not logs:
        module = module_beside(folder / PACK_FILE, Fits(), limits)
    return folder, evidence or read_evidence(Named(logs, module, folder), limits, told)


def _write_first(
    folder: Path, files: tuple[Path, ...], ruleset: str, viewer: Viewer, limits: Limits, told: Told
) -> None:
    """Write a first pack into a new folder, as ``umpire pack new`` does."""
    target = pack_output(folder, files)
    made = make_pack(files, ruleset, viewer, limits, told)
    target.refuse(made.inputs)
    target.write(made.files)


def _game_named(asked: Asked) -> GameFolder:
    """The game whose folder is named; it says what else to open."""
    files = asked.files
    if len(files) > 1:
        raise UmpireError(
            "a game's folder names its logs itself",
            where=", ".join(path.name for path in files),
            expected="the folder alone",
            hint="a log is added with: umpire game add DIR LOG",
        )
    if asked.module is not None or asked.facts is not None:
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
    """The folder of a game's pack, and its present module and logs."""
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
            "is a link, and the studio does not write to links",
            where=str(folder),
            hint=f"name the folder that it leads to: {os.path.realpath(folder)}",
        )


def _folder_named(files: tuple[Path, ...]) -> tuple[Path | None, tuple[Path, ...]]:
    """The pack's folder, if named, and the other files."""
    for path in files:
        if path.suffix.lower() == ".zip" and is_zip(path):
            raise UmpireError(
                "is a pack in one file, which is read-only",
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
            "is not an audit pack",
            where=str(packs[0]),
            expected=f"a folder with a file {PACK_FILE}, or a module to begin one for",
        )
    return folder, tuple(path for path in files if path != packs[0])


def _beside(logs: tuple[Path, ...], module: Module) -> Path | None:
    """The folder of the module's pack beside the logs; None if none fits."""
    try:
        pack = pack_beside([logs[0]], module)
    except CannotAudit:
        return None
    return pack.files[0].parent if pack.files else None
