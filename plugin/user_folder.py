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
"""The variable of the environment that names one other folder for all of it."""


def own_folder() -> Path:
    """Where packs that were added, and what the studio remembers, lie. It need not be there."""
    return Path(os.environ.get(PLACE) or click.get_app_dir("vassal-umpire")).absolute()


def games_folder() -> Path:
    """Where the studio puts games whose files were given to its page. It need not be there."""
    named = os.environ.get(PLACE)
    return Path(named, "games").absolute() if named else Path.home() / "vassal-umpire"


def remembered(name: str) -> Any:
    """What :func:`keep` kept under a name; an empty list where there is nothing, or it cannot be read."""
    try:
        return json.loads((own_folder() / name).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return []


def keep(name: str, value: Any) -> None:
    """Keep a JSON value for the next time. Where it cannot be written, what was kept before stays: nobody
    loses work by that."""
    file = own_folder() / name
    with suppress(OSError, UmpireError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file, known(file)) as part:
            part.write_text(json.dumps(value, indent=1), "utf-8")


def own_secret() -> bytes:
    """Bytes that the program keeps for this user alone and shows nobody: what is marked with them was made
    here. Empty where they cannot be kept."""
    if not remembered(MARKS):
        keep(MARKS, secrets.token_hex(32))
        with suppress(OSError):
            (own_folder() / MARKS).chmod(0o600)
    found = remembered(MARKS)
    return found.encode() if isinstance(found, str) and len(found) == 64 else b""
