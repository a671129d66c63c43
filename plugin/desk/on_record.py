"""An audit with what the folder of the game says of its offences: rulings, and until when its procedure lets
them be corrected."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace

from ...importers.game_folder.folder import GameFolder, Ruling
from ...model.finding import Audit
from ...model.game import Game
from ...model.procedure import Ruled, Rulings, Standing
from ...model.viewer import Viewer
from ...validators.sealing import Sealing, offences
from ..auditing import Opened
from ..lookers import Lookers, lookers_of
from .procedures import procedure_named
from .status import RuledOn, status_of


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


def with_rulings(
    folder: GameFolder, opened: Opened, shown: Audit, whole: Audit, viewer: Viewer
) -> Audit:
    """``shown``, the audit of ``opened`` as ``viewer`` sees it, with the rulings, and who looked at what is
    charged for; nothing else of it is other. ``whole``: as in :func:`.status_of`. Raises
    :class:`UmpireError` where ``game.toml`` names no procedure that there is."""
    game = opened.game
    status = status_of(folder, game, shown, whole, datetime.date.today(), viewer)
    until = standings(folder, game, shown, viewer)
    lookers = lookers_of(opened) if status.offences else Lookers(game.board, None)
    at = {id(finding): number for number, finding in enumerate(shown.findings)}
    rulings = Rulings(
        title=folder.title,
        procedure=procedure_named(folder.procedure, folder.root).title,
        offences=tuple(_ruled(one, at, until, lookers) for one in status.offences),
        gone=tuple(_with(Ruled(one.offence), one) for one in status.gone),
    )
    return replace(shown, rulings=rulings)


def _ruled(
    one: RuledOn, at: Mapping[int, int], until: Mapping[str, Standing], lookers: Lookers
) -> Ruled:
    findings = tuple(at[id(finding)] for finding in one.offence.findings)
    looked = lookers.of(one.offence.finding.bill, one.offence.finding.steps)
    standing = until.get(one.offence.id)
    bare = Ruled(one.offence.id, findings, standing, again=one.changed, looked=looked)
    return bare if one.ruling is None else _with(bare, one.ruling)


def _with(bare: Ruled, ruling: Ruling) -> Ruled:
    return replace(
        bare,
        decision=ruling.decision,
        because=ruling.because,
        who=ruling.who,
        when=ruling.when,
    )
