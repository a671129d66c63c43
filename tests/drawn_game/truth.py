"""What an audit of the drawn game says, held against what is true; the pack that tells all of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from vassal_umpire.model.finding import Audit, JudgedMove

from .module import HERE, NORTH, SOUTH, DrawnGame, Truth, file_of

At = tuple[int, int]
"""Log and step."""


def accused(audit: Audit) -> set[At]:
    """The last step of everything that somebody is accused of."""
    found = (
        max((s.log, s.step) for s in f.steps) for f in audit.findings if f.verdict == "illegal"
    )
    return set(found)


def falsely_accused(game: DrawnGame, audit: Audit) -> set[At]:
    """The accusations of which nothing is true."""
    return accused(audit) - {(t.log, t.step) for t in game.planted}


def decided(game: DrawnGame, audit: Audit) -> int:
    """How many of the moves of the game are judged, and called legal or illegal."""
    return sum(_verdict(t, judged) in ("legal", "illegal") for t, judged in _pairs(game, audit))


def left_out(game: DrawnGame, audit: Audit) -> list[Truth]:
    """The planted errors that are neither found nor asked about: no finding, and no open move."""
    by_step = dict(_pairs(game, audit))
    known = accused(audit)
    return [
        t
        for t in game.planted
        if (t.log, t.step) not in known and _verdict(t, by_step.get(t)) != "unverifiable"
    ]


def _pairs(game: DrawnGame, audit: Audit) -> list[tuple[Truth, JudgedMove | None]]:
    judged = {max((s.log, s.step) for s in one.move.steps): one for one in audit.moves}
    return [(t, judged.get((t.log, t.step))) for t in game.moves]


def _verdict(truth: Truth, judged: JudgedMove | None) -> str:
    if judged is None or not judged.judged or truth.unit not in judged.move.units:
        return ""
    return judged.verdict


# -- The pack that tells all of the drawn module, and the facts of its game: what a director would end with --


def write_whole_pack(game: DrawnGame, folder: Path) -> Path:
    """Write it, and ``facts.toml`` beside it; the facts file."""
    folder.mkdir()
    shutil.copy(HERE / "pack.toml", folder)
    sheet = game.ground.sheet.spreadsheets()
    (folder / "hexes.csv").write_text(sheet["hexes.csv"], "utf-8")
    kept = [row for row in sheet["lines.csv"].splitlines() if not row.startswith("bridge")]
    (folder / "lines.csv").write_text("\n".join(kept), "utf-8")
    rows = ["image,side,class,ma"]
    rows += [f"{file_of(u)},{u.side},{u.movement},{u.allowance}" for u in game.units.values()]
    (folder / "units.csv").write_text("\n".join(rows), "utf-8")
    facts = folder / "facts.toml"
    stretches = []
    for number, side in enumerate((NORTH, SOUTH) * 2, 1):
        log, (first, last) = game.logs[number - 1].name, game.movement[number - 1]
        stretches.append(
            f'[[phase]]\nlog = "{log}"\nsteps = "{first}-{last}"\nturn = "{(number + 1) // 2}"\n'
            f'phase = "Movement"\nactive = "{side}"\n'
        )
    facts.write_text("\n".join(stretches), "utf-8")
    return facts
