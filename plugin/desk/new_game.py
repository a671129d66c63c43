"""The first text of a ``game.toml``."""

from __future__ import annotations

from collections.abc import Mapping

import tomlkit


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
