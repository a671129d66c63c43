"""The movement graph of a mover: the steps between hexes, what they cost, and what they break."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from ..model.bill import Charge
from ..model.fact import MissingFact

World = Literal["favourable", "adverse"]
Tag = Hashable
"""What the search must know about the path so far besides hex and cost, e.g. the road just used."""

START: Tag = None
"""The tag of a mover that has not moved yet."""


class Breach(NamedTuple):
    """A prohibition broken on entering ``hex`` from ``origin``. ``text`` continues the sentence "the path …":
    ``crosses an unbridged river``."""

    clause: str
    text: str
    hex: str
    origin: str = ""


class Rounding(NamedTuple):
    """Before a step is paid for, the MPs spent are rounded up to a multiple of ``quantum`` (1/scale MP), by
    ``clause``: the rest of an MP is lost. The bill shows the loss as a charge of its own.

    Use it only with allowances that are a multiple of ``quantum``; then rounding up what is spent is the same
    as rounding down what is left. Rounding never reverses the order of two amounts spent, so the search stays
    exact."""

    quantum: int
    clause: str
    reason: str = "lost fraction of an MP"

    def after(self, spent: int) -> int:
        """``spent`` (1/scale MP), rounded up to a multiple of ``quantum``."""
        return -(-spent // self.quantum) * self.quantum


class Step(NamedTuple):
    """One way to enter a neighbouring hex, or an action that costs MPs within a hex. For an action ``to`` is
    the hex itself, and ``tag`` says what the mover has become (aboard, turned, dug in).

    ``cost``: 1/scale MP, never negative. ``tag``: the mover's tag after the step.
    ``stops``: the breach that moving on after this step would be; None if the mover may move on.
    ``whole``: the step takes the whole allowance and is possible only while nothing has been spent; ``cost``
    is then the least it comes to. ``entry``: data of the graph's own, for use in
    :meth:`MovementGraph.cost_breakdown`. ``breaks``: the prohibitions that the step breaks; empty for a legal
    step. ``rounding``: how the MPs spent are rounded up before ``cost`` is paid; None if they are not. The
    graph's cost breakdown leaves the loss out. ``passing``: after this step the mover is not yet in the state
    that the log shows at a waypoint or the target in ``to`` (it faces another way, or is not aboard). This
    step does not count as reaching that stop; only a later one can.
    """

    to: str
    cost: int
    tag: Tag = START
    stops: Breach | None = None
    whole: bool = False
    entry: Any = None
    breaks: tuple[Breach, ...] = ()
    rounding: Rounding | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class WeightedFact:
    """A missing fact that affects a step. ``weight``: by how many MPs; None if it may prohibit the step."""

    unknown: MissingFact
    weight: Fraction | None = None


@dataclass(frozen=True, slots=True)
class CostBreakdown:
    """The charges of one step, and the facts missing to make them exact."""

    charges: tuple[Charge, ...]
    missing: tuple[WeightedFact, ...] = ()


class MovementGraph(Protocol):
    """The board for one mover in one world: hexes, and the steps between them."""

    @property
    def least(self) -> int:
        """A lower bound on the cost of every step into another hex, in 1/scale MP."""
        ...

    def steps(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """The legal steps from a hex."""
        ...

    def edges_with_violations(self, hex_name: str, tag: Tag, /) -> Sequence[Step]:
        """All steps from a hex, legal or not, each with the prohibitions that it breaks."""
        ...

    def cost_breakdown(self, hex_name: str, tag: Tag, step: Step, /) -> CostBreakdown:
        """The charges of one of these steps; an amount that is not exactly known is a range."""
        ...


@runtime_checkable
class KnowsClosedHexes(Protocol):
    """A movement graph that knows which hexes its charts close, or may close, to the mover."""

    def may_be_closed(self, hex_name: str, /) -> bool:
        """Whether the terrain of a hex is prohibited to the mover, or may be because it is not known, and no
        road certainly leads into it."""
        ...
