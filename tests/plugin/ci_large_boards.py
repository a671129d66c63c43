"""Boards with more hexes than are read of a file that nobody has said he trusts."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.model.problem import Unreadable
from vassal_umpire.model.viewer import Viewer
from vassal_umpire.plugin.auditing import open_game
from vassal_umpire.plugin.options import limits_from
from vassal_umpire.plugin.reading import Named

from . import kit

EVERYONE = Viewer(None, False)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _picture(width: int, height: int) -> bytes:
    """A PNG that says how big it is, and ends."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IEND", b"")


def _named(game: Path) -> Named:
    return Named((game / "turn-1.vlog",), game / "crossroads.vmod", game / "pack")


def _hexes(game: Path, places: int) -> int:
    limits = replace(DEFAULT_LIMITS, places=places)
    return len(open_game(_named(game), EVERYONE, limits).game.board.hexes)


def test_a_board_too_large_is_told_with_the_flag_to_raise(game: Path) -> None:
    module = game / "crossroads.vmod"
    kit.zip_with(module, module, {"images/map.png": _picture(30_000, 30_000)})
    result = kit.refused("audit", "turn-1.vlog", "--pack", "pack", "-o", "x.html")
    assert len(result.splitlines()) == 1
    assert "map Main Map: there are more than 250,000 named places" in result
    assert "(--max-values)" in result
    assert not (game / "x.html").exists()


def test_named_places_are_bounded_by_the_limit_that_a_flag_raises(game: Path) -> None:
    with pytest.raises(Unreadable, match="more than 50 named places"):
        _hexes(game, 50)
    assert _hexes(game, 1_000) > 50
    assert limits_from(values=1_000_000).places == 1_000_000
    assert limits_from(values=10).places == DEFAULT_LIMITS.places
