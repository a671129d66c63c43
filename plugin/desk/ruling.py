"""Rulings: which offence is meant, and how a ruling is written."""

from __future__ import annotations

from ...importers.game_folder.folder import Ruling
from ...model.finding import Audit
from ...model.offence import Offence
from ...model.problem import UmpireError
from ...validators.offences import offences


def offence_named(name: str, audited: Audit) -> Offence:
    """The offence whose id begins with ``name``. Raises :class:`UmpireError` if none does, or several."""
    wanted = name.strip().lower()
    found = [one for one in offences(audited) if wanted and one.id.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    ids = ", ".join(one.id for one in found) if found else "none of this game's"
    raise UmpireError(
        f"{name!r} is the id of {ids}",
        expected="the id of one offence",
        hint="umpire game status tells them",
    )


def plain_ruling(ruling: Ruling) -> dict[str, str]:
    """The keys of a ``[[ruling]]``, without those that say nothing."""
    every = {
        "offence": ruling.offence,
        "decision": ruling.decision,
        "because": ruling.because,
        "who": ruling.who,
        "when": ruling.when,
        "found": ruling.found,
    }
    return {key: value for key, value in every.items() if value}
