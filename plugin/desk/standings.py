"""Until when each offence of a game can be corrected, as its procedure has it."""

from __future__ import annotations

from ...importers.game_folder.folder import GameFolder
from ...model.finding import Audit
from ...model.game import Game
from ...model.procedure import Standing
from ...model.viewer import Viewer
from ...validators.offences import offences
from ...validators.sealing import Sealing
from .procedures import procedure_named


def standings(
    folder: GameFolder, game: Game, audited: Audit, viewer: Viewer
) -> dict[str, Standing]:
    """The standing of each offence by its id. Moves of counters that ``viewer`` may not see seal nothing for
    him. Raises :class:`UmpireError` where ``game.toml`` names no procedure that there is."""
    procedure = procedure_named(folder.procedure, folder.root)
    sealing = Sealing(game, viewer)
    found = offences(audited)
    told = folder.told
    days = {one.id: told.get(one.id) or told.get(one.former) for one in found}
    return {one.id: sealing.standing(one, procedure, days[one.id]) for one in found}


def sentences(found: dict[str, Standing]) -> dict[str, str]:
    """The same as sentences without a full stop."""
    return {name: one.why for name, one in found.items()}
