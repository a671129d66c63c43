"""The movement points of infantry (6.31, 6.4, 12.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ....model.bill import Amount
from ...allowance import Stage, run
from ...ruleset import Breach, WeightedFact
from .company import Company
from .tables import LEADERS, SQUADS, Tables

Stages = tuple[tuple[str, str], ...]
_HALF = Fraction(1, 2)
_OF = {"leader": "6.31-a", "hero": "6.31-a", "squad": "6.31-b", "half-squad": "6.31-c"}


@dataclass(frozen=True, slots=True)
class Rate:
    """The movement points of a unit. ``amount``: what it may spend, None if there is no limit; ``clause``:
    cited if it is exceeded; ``stages``: how it was computed. ``own``: what it may spend without a leader;
    ``led``: with one. ``breach``: of moving on from the hex where it lost its leader (6.31-f), None if it did
    not."""

    amount: Amount | None
    clause: str
    stages: Stages
    own: Amount
    led: Amount
    breach: Breach | None = None

    def missing(self, going: Company) -> tuple[WeightedFact, ...]:
        """The missing facts that would make the amount exact."""
        if self.amount is None or self.amount.is_exact:
            return ()
        return tuple(WeightedFact(unknown) for unknown in going.missing)

    def after_loss(self, spent: tuple[str, Fraction] | None, tables: Tables) -> Rate:
        """The rate of a unit whose leader was lost on the way (6.31-e to g). ``spent``: the hex where that
        happened and the least MPs spent until then; None if not known."""
        if self.amount is None:
            return self
        bonus = replace(self, amount=self.led)
        if not tables.applies("6.31-e") or not tables.applies("6.31-d"):
            return bonus if tables.applies("6.31-d") else self
        if spent is not None and spent[1] > self.own.lo:
            if not tables.applies("6.31-f"):
                return bonus
            text = f"goes on from {spent[0]}, where its leader was lost, beyond its own MPs"
            return replace(self, breach=Breach("VV-6.31-f", text, spent[0]))
        return replace(self, clause="VV-6.31-g") if tables.applies("6.31-g") else bonus


def rate(cls: str, assault: bool, heavy: bool, by_leader: bool | None, tables: Tables) -> Rate:
    """The rate of a unit of class ``cls``. ``assault``: it moves by assault movement; ``heavy``: it carries a
    heavy weapon; ``by_leader``: a leader went along all the way, None if not known."""
    rates = tables.rates
    plain = Fraction(rates["leader" if cls in LEADERS else cls])
    more = Fraction(rates["led"]) if cls in SQUADS and tables.applies("6.31-d") else plain
    taken, clause = _stages(cls, assault, heavy, tables)
    stages = [(stage, True) for _, stage in taken]
    own = run(Amount.exactly(plain), stages)
    led = run(Amount.exactly(max(plain, more)), stages)
    amount = led if by_leader else own if by_leader is False else Amount(own.lo, led.hi)
    if not clause:
        clause = "6.31-d" if by_leader and led != own else _OF[cls]
    told = tuple((f"VV-{name}", stage.reason) for name, stage in taken)
    limit = amount if tables.applies(_OF[cls]) else None
    return Rate(limit, f"VV-{clause}", told, own, led)


def _stages(
    cls: str, assault: bool, heavy: bool, tables: Tables
) -> tuple[list[tuple[str, Stage]], str]:
    """The changes of the rate, in order, each with its clause, and the clause of the last one ('' if there is
    none)."""
    stages: list[tuple[str, Stage]] = []
    if assault and tables.applies("6.4-b"):
        round_up = "" if tables.applies("6.4-c") else "up"
        half = Stage("multiply", _HALF, round_up, "assault movement: halved")  # type: ignore[arg-type]
        stages.append(("6.4-b", half))
    if heavy and cls in SQUADS and tables.applies("12.2-a"):
        heavy_mps = tables.rates["heavy"]
        order = ", after halving: VV-6.4-c" if stages and tables.applies("6.4-c") else ""
        reason = f"heavy weapon: {heavy_mps} less{order}"
        less = Stage("subtract", Fraction(heavy_mps), "", reason)
        at = len(stages) if tables.applies("6.4-c") else 0
        stages.insert(at, ("12.2-a", less))
    return stages, stages[-1][0] if stages else ""
