"""vassal-umpire: audits games played in VASSAL.

``import vassal_umpire as vu`` and the names in ``__all__`` are the Python interface; docs/python.md describes
it. They are loaded when one of them is first asked for: to import the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .importers.pack.pack import Pack
    from .importers.vassal.limits import DEFAULT_LIMITS, Limits
    from .importers.vassal.module import Module
    from .model.bill import Amount, Bill, Charge
    from .model.fact import MissingFact
    from .model.finding import Clause, Finding, JudgedMove, Move, PhaseView
    from .model.game import Place, Source, StepRef
    from .model.integrity import Integrity, Roll, Tally, Trace
    from .model.problem import CannotAudit, Problem, UmpireError, Unreadable, WrongPack
    from .model.table import ChatLine, DieRoll, GlobalChange, Participant, Spot, TurnChange
    from .model.viewer import DIRECTOR, EVERYONE, Viewer
    from .plugin.python.audits import Audit, audit, convert, open_module, open_pack
    from .plugin.python.logs import Log, Step, Table, open_log, open_logs
    from .plugin.python.values import Deck, Displacement, Member, Piece, PieceChange, Stack

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_LIMITS",
    "DIRECTOR",
    "EVERYONE",
    "Amount",
    "Audit",
    "Bill",
    "CannotAudit",
    "Charge",
    "ChatLine",
    "Clause",
    "Deck",
    "DieRoll",
    "Displacement",
    "Finding",
    "GlobalChange",
    "Integrity",
    "JudgedMove",
    "Limits",
    "Log",
    "Member",
    "MissingFact",
    "Module",
    "Move",
    "Pack",
    "Participant",
    "PhaseView",
    "Piece",
    "PieceChange",
    "Place",
    "Problem",
    "Roll",
    "Source",
    "Spot",
    "Stack",
    "Step",
    "StepRef",
    "Table",
    "Tally",
    "Trace",
    "TurnChange",
    "UmpireError",
    "Unreadable",
    "Viewer",
    "WrongPack",
    "audit",
    "convert",
    "open_log",
    "open_logs",
    "open_module",
    "open_pack",
]


if not TYPE_CHECKING:  # type checkers know the names from above, and that there are no others

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        interface = import_module(".plugin.python.interface", __name__)
        found = globals()[name] = getattr(interface, name)
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"})
