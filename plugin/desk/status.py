"""How a game stands: its logs, who moves next, offences and rulings, open questions, and until when the error
procedure allows corrections."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...importers.game_folder.folder import GameFolder, Ruling
from ...model.coverage import NOTHING_MOVED, Coverage
from ...model.finding import Audit, Finding, PhaseView
from ...model.game import Game, PhaseStart
from ...model.offence import Offence
from ...model.procedure import Ruled, Rulings, Standing
from ...model.viewer import EVERYONE, Viewer
from ...validators.sealing import Sealing, offences
from ..auditing import Opened
from ..json_text import picked
from ..lookers import Lookers, lookers_of
from ..reports.shares import Share, shares, verdict_counts
from .procedures import procedure_named


@dataclass(frozen=True)
class RuledOn:
    """An offence, the last ruling on it, and whether what was found has changed since."""

    offence: Offence
    ruling: Ruling | None = None
    changed: bool = False


@dataclass(frozen=True)
class Status:
    """How a game stands. ``phase``: the last known phase. ``shares``: by side ("side not known" last).
    ``gone``: rulings on offences that are no longer found. ``questions``: facts that would decide a move or
    finding. ``overdue``: the due date of the next log is past."""

    phase: PhaseView
    verdicts: Mapping[str, int]
    shares: Mapping[str, Share]
    offences: tuple[RuledOn, ...]
    gone: tuple[Ruling, ...]
    questions: tuple[str, ...]
    overdue: bool
    coverage: Coverage = NOTHING_MOVED


def status_of(
    folder: GameFolder,
    game: Game,
    shown: Audit,
    whole: Audit,
    today: datetime.date,
    viewer: Viewer = EVERYONE,
) -> Status:
    """The status of ``game``, as ``viewer`` sees it. ``shown``: its audit. ``whole``: the audit of the whole
    game; a ruling is gone only if its offence is in neither. Only the director sees which rulings on hidden
    offences are gone."""
    found = offences(shown)
    names = {name for one in (*found, *offences(whole)) for name in (one.id, one.former)}
    rulings = {ruling.offence: ruling for ruling in folder.rulings}
    return Status(
        phase=last_phase(game),
        verdicts=verdict_counts(shown.moves),
        shares=shares(shown),
        offences=tuple(
            _ruled_on(one, rulings.get(one.id, rulings.get(one.former)), viewer) for one in found
        ),
        gone=tuple(
            ruling
            for name, ruling in rulings.items()
            if name not in names and (viewer.director or not ruling.hidden)
        ),
        questions=tuple(_questions(shown)),
        overdue=is_overdue(folder, today),
        coverage=shown.coverage,
    )


def is_overdue(folder: GameFolder, today: datetime.date) -> bool:
    """Whether the due date of the next log is past."""
    try:
        return bool(folder.due) and datetime.date.fromisoformat(folder.due) < today
    except ValueError:
        return False


def last_phase(game: Game) -> PhaseView:
    """The last phase of the game; uncertain ones do not count."""
    starts = [e for e in game.events if isinstance(e, PhaseStart) and e.certain]
    last = starts[-1] if starts else None
    return PhaseView() if last is None else PhaseView(last.turn, last.phase, last.active)


def what_was_found(offence: Offence) -> str:
    """The facts under a ruling. If this text changes, the ruling needs a second look."""
    return "; ".join(_what(one) for one in offence.findings)


def _what(finding: Finding) -> str:
    return f"{finding.code}: {finding.explanation}"


def is_hidden(offence: Offence, public: Audit) -> bool:
    """Whether part of an offence is hidden from somebody. ``public``: the audit for everyone."""
    known = {one.id: what_was_found(one) for one in offences(public)}
    return known.get(offence.id) != what_was_found(offence)


def _ruled_on(offence: Offence, ruling: Ruling | None, viewer: Viewer) -> RuledOn:
    """An offence with its ruling. If part of it is hidden from the viewer, only changes in what he sees
    count."""
    if ruling is None or not ruling.found:
        return RuledOn(offence, ruling)
    if viewer.director or not ruling.hidden:
        return RuledOn(offence, ruling, ruling.found != what_was_found(offence))
    changed = any(_what(one) not in ruling.found for one in offence.findings)
    return RuledOn(offence, ruling, changed)


def _questions(audited: Audit) -> Iterable[str]:
    asked = [u for one in audited.moves for u in one.unknowns]
    asked += [u for finding in audited.findings for u in finding.unknowns]
    return dict.fromkeys(unknown.key for unknown in asked)


def standings(
    folder: GameFolder, game: Game, audited: Audit, viewer: Viewer
) -> dict[str, Standing]:
    """The standing of each offence by its id. Moves of counters that ``viewer`` may not see seal nothing for
    him. Raises :class:`UmpireError` if ``game.toml`` names an unknown procedure."""
    procedure = procedure_named(folder.procedure, folder.root)
    sealing = Sealing(game, viewer)
    found = offences(audited)
    told = folder.told
    days = {one.id: told.get(one.id) or told.get(one.former) for one in found}
    return {one.id: sealing.standing(one, procedure, days[one.id]) for one in found}


def sentences(found: dict[str, Standing]) -> dict[str, str]:
    """The reason of each standing, without a full stop."""
    return {name: one.why for name, one in found.items()}


def with_rulings(
    folder: GameFolder, opened: Opened, shown: Audit, whole: Audit, viewer: Viewer
) -> Audit:
    """``shown``, the audit of ``opened`` as ``viewer`` sees it, with the rulings added, and who looked at the
    cells charged for. ``whole``: as in :func:`.status_of`. Raises :class:`UmpireError` if ``game.toml`` names
    an unknown procedure."""
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
    return replace(bare, **picked(ruling, "decision because who when"))
