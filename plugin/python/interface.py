"""Every public name of the package, by itself: ``vassal_umpire`` loads this when one is asked for."""

from __future__ import annotations

from ...importers.pack.pack import Pack
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...importers.vassal.module import Module
from ...model.bill import Amount, Bill, Charge
from ...model.fact import MissingFact
from ...model.finding import Clause, Finding, JudgedMove, Move, PhaseView
from ...model.game import Place, Source, StepRef
from ...model.integrity import Integrity, Roll, Tally, Trace
from ...model.problem import CannotAudit, Problem, UmpireError, Unreadable, WrongPack
from ...model.table import ChatLine, DieRoll, GlobalChange, Participant, Spot, TurnChange
from ...model.viewer import DIRECTOR, EVERYONE, Viewer
from .audits import Audit, audit, convert, open_module, open_pack
from .logs import Log, Step, Table, open_log, open_logs
from .values import (
    Deck,
    Displacement,
    Member,
    Piece,
    PieceChange,
    Stack,
)

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
