"""The folders in which the program keeps things for the user who runs it."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ..importers.vassal.atomic import known, whole_file
from ..model.problem import UmpireError

MARKS = "marks.json"
PLACE = "UMPIRE_HOME"
"""The environment variable that names another folder for all of it."""


def own_folder() -> Path:
    """The folder for added packs and for what the studio remembers. It need not exist."""
    return Path(os.environ.get(PLACE) or click.get_app_dir("vassal-umpire")).absolute()


def games_folder() -> Path:
    """The folder for games whose files were uploaded to the studio's page. It need not exist."""
    named = os.environ.get(PLACE)
    place = Path(named, "games") if named else Path(os.path.expanduser("~"), "vassal-umpire")
    return place.absolute()


def remembered(name: str) -> Any:
    """The value that :func:`keep` kept under a name; an empty list if there is none, or it cannot be read."""
    try:
        return json.loads((own_folder() / name).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return []


def keep(name: str, value: Any) -> None:
    """Keep a JSON value for the next run. If it cannot be written, the former value stays."""
    file = own_folder() / name
    with suppress(OSError, UmpireError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file, known(file)) as part:
            part.write_text(json.dumps(value, indent=1), "utf-8")


def own_secret() -> bytes:
    """A secret of this user, never shown: data signed with it was made here. Empty if it cannot be kept."""
    if not remembered(MARKS):
        keep(MARKS, secrets.token_hex(32))
        with suppress(OSError):
            (own_folder() / MARKS).chmod(0o600)
    found = remembered(MARKS)
    return found.encode() if isinstance(found, str) and len(found) == 64 else b""
