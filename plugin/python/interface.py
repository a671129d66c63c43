"""Every public name of the package (``vassal_umpire.__all__``), loaded when one of them is asked for."""

# ruff: noqa: F401
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
from .values import Deck, Displacement, Member, Piece, PieceChange, Stack
