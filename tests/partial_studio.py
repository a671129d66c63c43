"""A studio on the sample game whose pack tells only a little of its board, without its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vassal_umpire.importers.pack.load import load_pack
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.provenance import Record
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.plugin.auditing import read_evidence
from vassal_umpire.plugin.reading import Named
from vassal_umpire.plugin.studio.session import Studio


def opened(folder: Path, pack: Path) -> Studio:
    log = folder / "turn-1.vlog"
    evidence = read_evidence(Named((log,), folder / "crossroads.vmod"), DEFAULT_LIMITS)
    studio = Studio(pack, pack / "facts.toml", evidence, EVERYONE, DEFAULT_LIMITS)
    studio.who = "Wren"
    read_anew(studio)
    return studio


def read_anew(studio: Studio) -> None:
    """What the studio does in the background after every edit."""
    studio._read_and_judge(lambda *_: None)


def records(studio: Studio) -> dict[tuple[str, str, str], Record]:
    return {tuple(r.key): r for r in load_pack(studio.folder).records}  # type: ignore[misc]


def whole(shown: dict[str, Any]) -> dict[str, Any]:
    """That a stretch is right, all of which was on the screen."""
    every = list(range(len(shown["cells"])))
    return {"sheet": shown["id"], "said": {}, "rest": "confirm", "switched": True, "seen": every}
