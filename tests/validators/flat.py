"""Small games made by hand, and a judge simple enough to be checked in one's head."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType, SimpleNamespace

import pytest
from play.kit import bare_board
from vassal_umpire.model.bill import Amount, Bill, Charge
from vassal_umpire.model.fact import UNKNOWN, Fact, between, known, one_of
from vassal_umpire.model.finding import ACCUSING, Audit, Clause, Finding, JudgedMove
from vassal_umpire.model.game import (
    NOWHERE,
    Condition,
    Displacement,
    Game,
    MovementForm,
    PhaseRule,
    PhaseStart,
    Place,
    Rules,
    Spent,
    StateChange,
    StepRef,
    Witness,
)
from vassal_umpire.model.unit import Unit
from vassal_umpire.validators.audit import audit
from vassal_umpire.validators.judge import Judgement
from vassal_umpire.validators.ruleset import Measure, OrderRule, StackingLimit, StackingRule

WIDTH, HEIGHT = 24, 12


BOARD = bare_board(WIDTH, HEIGHT, lambda name: ("clear",))
ACCUSED = ACCUSING
MOVEMENT = PhaseRule("Movement", "active", ("march",), complete=True)
COMBAT = PhaseRule("Combat", "unknown", (), complete=False)


def place(name: str) -> Place:
    """``0101`` a hex, ``[Pool]`` a box, ``-`` off the map, ``?`` unclear."""
    if name.startswith("["):
        return Place("box", name[1:-1])
    return {"-": NOWHERE, "?": Place("unclear")}.get(name) or Place("hex", name)


def fact(text: str) -> Fact:
    """``4``, ``true``, ``foot``; ``4|6``: one of them; ``2..4``, ``2..``: between; ``?``: not known."""
    if text == "?":
        return UNKNOWN
    if ".." in text:
        return between(*(int(end) if end else None for end in text.split("..")))
    words = ({"true": True, "false": False}.get(word, word) for word in text.split("|"))
    return one_of(*(int(w) if isinstance(w, str) and w.isdigit() else w for w in words))


class GameBuilder:
    """A game in the making: every method adds one step, in order."""

    def __init__(self, *units: str, **changes: object) -> None:
        """``units`` as ``id side hex MA``: ``"a Red 0101 4, b Blue 0501 size=2 seen_by=Blue"`` (MA left out:
        4; ``?``: not known)."""
        self.units: dict[str, Unit] = {}
        self.places: dict[str, Place] = {}
        self.opening: dict[str, Place] = {}
        self.events: list[object] = []
        self.log, self.step = 1, 0
        self.changes = changes
        self.actor: str | None = None
        for words in (line.split() for several in units for line in several.split(",")):
            told = dict(word.split("=") for word in words if "=" in word)
            seen = {"seen_by": tuple(told.pop("seen_by").split("+"))} if "seen_by" in told else {}
            attributes = {key: fact(value) for key, value in told.items()}
            self.unit(*(w for w in words if "=" not in w), attributes=attributes, **seen)

    def unit(self, name: str, side: str, where: str, ma: str = "4", **more: object) -> GameBuilder:
        """Of side ``marker``: one of no side."""
        if side == "marker":
            return self.marker(name, where)
        allowance = UNKNOWN if ma == "?" else known(int(ma))
        attributes = {"ma": allowance, **more.pop("attributes", {})}  # type: ignore[dict-item]
        self.units[name] = Unit(
            name,
            name.upper(),
            None if side == "?" else side,
            attributes=MappingProxyType(attributes),
            **more,
        )
        self.opening[name] = self.places[name] = place(where)
        return self

    def marker(self, name: str, where: str) -> GameBuilder:
        self.units[name] = Unit(name, name.upper(), None, "marker")
        self.opening[name] = self.places[name] = place(where)
        return self

    @property
    def at(self) -> StepRef:
        return StepRef(self.log, self.step)

    def next(self) -> StepRef:
        self.step += 1
        return self.at

    def phase(
        self, turn: str | None, phase: str | None, active: str | None, certain: bool = True
    ) -> GameBuilder:
        self.events.append(PhaseStart(self.next(), turn, phase, active, certain=certain))
        self.actor = active
        return self

    def move(self, active: str = "Red", turn: str = "1") -> GameBuilder:
        return self.phase(turn, "Movement", active)

    def drag(
        self, units: str, target: str, actor: str | None = None, **more: object
    ) -> GameBuilder:
        """Drag ``units`` (ids, separated by +) to ``target`` in one step; what lies elsewhere at the opening
        of a log is not a step of its own."""
        at = self.at if more.get("cause") == "reseated" else self.next()
        for unit in units.split("+"):
            to = place(target)
            by = {None: self.actor, "?": None}.get(actor, actor)
            event = Displacement(at, unit, self.places[unit], to, group=1, actor=by, **more)  # type: ignore[arg-type]
            self.events.append(event)
            self.places[unit] = to
        return self

    def undo(self, units: str, target: str, cancels: int) -> GameBuilder:
        return self.drag(units, target, cause="undo", cancels=StepRef(self.log, cancels))

    def roll(self, by: str | None = None) -> GameBuilder:
        """``by`` nobody known: ``?``; left out: whose phase it is."""
        who = {None: self.actor, "?": None}.get(by, by)
        self.events.append(Witness(self.next(), "roll", "1d6", who))
        return self

    def chat(self, text: str) -> GameBuilder:
        self.events.append(Witness(self.next(), "chat", text, self.actor))
        return self

    def flip(
        self, unit: str, attribute: str, before: Fact, after: Fact, actor: str | None = None
    ) -> GameBuilder:
        by = self.actor if actor is None else actor
        self.events.append(StateChange(self.next(), unit, attribute, before, after, by))
        return self

    def spent(self, unit: str, amount: int) -> GameBuilder:
        self.events.append(Spent(self.next(), unit, known(amount)))
        return self

    def new_log(self) -> GameBuilder:
        self.events.append(Witness(self.at, "log-end"))
        self.log, self.step = self.log + 1, 0
        return self

    def play(self, *scripts: str) -> GameBuilder:
        """Several steps: ``"move; a+b 0102; x 0501 by Blue; roll; undo a 0101 2; log; phase 1 Combat Red"``.

        ``move Blue 2`` is the phase of movement of Blue's turn 2; ``perhaps`` behind a phase: not certain;
        ``flip a ma 4 6``: from 4 to 6; ``a 0102 as appearance``: by that cause.
        """
        for words in (step.split() for script in scripts for step in script.split(";")):
            match words:
                case ["move", *whose]:
                    self.move(*whose)
                case ["roll", *by]:
                    self.roll(*by[1:])
                case ["reveal"]:
                    self.events.append(Witness(self.next(), "flip", "revealed", self.actor))
                case ["log"]:
                    self.new_log()
                case ["spent", unit, amount]:
                    self.spent(unit, int(amount))
                case ["chat", *said]:
                    self.chat(" ".join(said))
                case ["flip", unit, key, before, after, *by]:
                    self.flip(unit, key, fact(before), fact(after), *by[1:])
                case ["phase", *told] if told[-1] == "perhaps":
                    self.phase(
                        *(None if word == "?" else word for word in told[:-1]), certain=False
                    )
                case ["phase", *told]:
                    self.phase(*(None if word == "?" else word for word in told))
                case ["undo", units, target, cancels]:
                    self.undo(units, target, int(cancels))
                case [units, target, "as", cause]:
                    self.drag(units, target, cause=cause)
                case [units, target, *by]:
                    self.drag(units, target, *by[1:])
        return self

    def game(self, **more: object) -> Game:
        values: dict[str, object] = {
            "phases": {"Movement": MOVEMENT, "Combat": COMBAT},
            "forms": {"march": MovementForm("march")},
            "board": BOARD,
            "rules": Rules("flat"),
            **self.changes,
            **more,
        }
        return Game(
            "a test",
            sides=("Red", "Blue"),
            units=self.units,
            opening=self.opening,
            events=tuple(self.events),
            **values,
        )  # type: ignore[arg-type]


new_game = GameBuilder


def stacking(most: int, size: str = "", **more: object) -> StackingRule:
    limit = StackingLimit(((Fraction(most),),))
    return StackingRule("FLAT-STACK", (Measure("units", size),), (limit,), **more)  # type: ignore[arg-type]


@dataclass
class Flat:
    """Rules of a flat world: a hex costs 1, and no one enters a hex that an enemy holds."""

    name: str = "flat"
    version: str = "1"
    stacking: StackingRule | None = None
    order: OrderRule = field(default_factory=OrderRule)
    readings: dict[str, str] = field(default_factory=dict)
    scale: int = 1
    declared_clause: str = ""

    def clauses(self) -> dict[str, Clause]:
        return {}

    def in_force(self, game: Game) -> SimpleNamespace:
        return SimpleNamespace(**{**vars(self), "clauses": {}})


def length(waypoints: list[str]) -> int:
    return sum(BOARD.distance(a, b) or 0 for a, b in pairwise(waypoints))


def flat_judge(
    move, situation, rules, *, forms=("",), declared=None, spent_before=None, accused=True
):
    """The verdict of :class:`Flat`; asked with the same arguments as the real judge."""
    stops = [p.name for p in move.waypoints]
    bound = [name for name, binds in zip(stops, move.binding, strict=True) if binds]
    least, most = length(bound), length(stops)
    allowances = [situation.fact(unit, "ma") for unit in move.units]
    best = [a.high for a in allowances if a.high is not None]
    worst = [a.low if a.low is not None else 0 for a in allowances]
    enemies = _enemies(situation, move, situation.surely_in)
    perhaps = _enemies(situation, move, situation.possibly_in)
    short = bool(best) and least > min(best)
    open_ = most > min(worst) or perhaps
    verdict = "illegal" if short or enemies else "unverifiable" if open_ else "legal"
    bill = Bill((Charge(stops[-1], Amount.exactly(least), "FLAT", "hexes"),), declared=declared)
    told = {"bill": bill, "form": forms[0], "remark": f"{least} of {best}"}
    judged = JudgedMove(move, verdict, **told)
    if verdict == "legal":
        return Judgement(judged)
    kind = {"illegal": "missed-mp-cost" if short else "illegal-move"}.get(verdict, verdict)
    about = move.units, tuple(situation.game.units[u].name for u in move.units), (), move.steps, ""
    more = {"moves": (move.id,)}
    return Judgement(judged, (Finding("FLAT", "FLAT", kind, verdict, *about, **more),))


def _enemies(situation, move, who):
    side = situation.side(move.units[0])
    return [u for u in who(move.target.name) if situation.side(u) != side and u not in move.units]


def audited(played: GameBuilder, rules: Flat | None = None, **more: object) -> Audit:
    """The audit of a game by the flat rules."""
    return audit(played.game(**more), rules or Flat(), judge=flat_judge)


def verdicts(found: Audit) -> dict[int, str]:
    """By move; in brackets what is not judged."""
    return {m.move.id: m.verdict if m.judged else f"({m.verdict})" for m in found.moves}


def codes(found: Audit, *kinds: str) -> list[str]:
    return [f.code for f in found.findings if not kinds or f.kind in kinds]


def condition(
    key: str,
    fact: Fact,
    first: tuple[int, int],
    last: tuple[int, int] | None = None,
    unit: str = "",
) -> Condition:
    return Condition(key, fact, StepRef(*first), StepRef(*last) if last else None, unit)


def rows(text: str) -> list[object]:
    """A table for ``parametrize``, of rows ``what it shows | cell | cell …``; an indented line goes on with
    its row."""
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        if line.startswith(" "):
            lines[-1] += f" {line.strip()}"
        elif line:
            lines.append(line)
    cells = [[cell.strip() for cell in re.split(r" \|(?= |$)", line)] for line in lines]
    assert len({len(row) for row in cells}) == 1, cells
    return [pytest.param(*row[1:], id=row[0]) for row in cells]


def in_movement(
    *forms: MovementForm, movers: str = "active", complete: bool = True, **more: object
):
    """What a game says of its phase of movement, whose moves go by ``forms``."""
    rule = PhaseRule("Movement", movers, tuple(f.name for f in forms), complete=complete, **more)  # type: ignore[arg-type]
    return {"phases": {"Movement": rule}, "forms": {form.name: form for form in forms}}


MARCH, RAIL = MovementForm("march"), MovementForm("rail", judged=False)
RETREAT = MovementForm("retreat", judged=False)
