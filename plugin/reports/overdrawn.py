"""Open moves that go beyond what their ordinary form allows. They accuse nobody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...model.bill import written
from ...model.finding import Audit, JudgedMove, Overdrawn
from .phrases import counted, measured, who
from .routes import route, unit_names
from .sections import Group, Section
from .shares import shares

HEADING = "Beyond an ordinary move, and open"
MEANING = (
    "Nobody is accused here. By the pack's charts each of these costs more than the unit's ordinary form of"
    " movement allows. Something that is not known may explain it, and so may a wrong chart or map."
)
NOT_LOOKED = "nobody has looked at this part of the map"


@dataclass(frozen=True, slots=True)
class OverdrawnMove:
    """An open move beyond its ordinary form. ``text``: by how much, and why it is open; ``moved``: who went
    where and when."""

    judged: JudgedMove
    text: str
    moved: str

    @property
    def line(self) -> str:
        return f"{self.moved}: {self.text}"


def overdrawn_moves(audit: Audit) -> tuple[OverdrawnMove, ...]:
    """All such moves; those farthest beyond come first."""
    found = [
        (one.overdrawn, one, why)
        for one in audit.moves
        if one.judged and one.verdict == "unverifiable" and one.overdrawn is not None
        if (why := " and ".join(_open_because(one, one.overdrawn)))
    ]
    found.sort(key=lambda entry: (-(entry[0].bill.shortfall or 0), entry[1].move.id))
    return tuple(
        OverdrawnMove(one, f"{_cost(over)}; open because {why}", _moved(audit, one))
        for over, one, why in found
    )


def overdrawn_section(audit: Audit) -> Section | None:
    """All such moves, with how much of each player's game could be judged; None if there are none."""
    lines = tuple((one.moved, one.text) for one in overdrawn_moves(audit))
    if not lines:
        return None
    each = [
        f"{share.decided:,} of {counted(share.judged, 'move')} of {side}"
        for side, share in shares(audit).items()
    ]
    less = " The less is decided, the less can be found and listed here."
    judged = f" {', '.join(each)} are decided.{less if len(each) > 1 else ''}"
    return Section(f"{HEADING} ({len(lines):,})", MEANING + judged, (Group("", (lines,)),))


def _cost(over: Overdrawn) -> str:
    bill = over.bill
    most = bill.allowance.hi if bill.allowance is not None else None
    of = "" if most is None else f" of {written(most)}"
    by = f"{'an' if over.form[:1] in 'aeiou' else 'a'} {over.form}" if over.form else "a move"
    return f"{measured(bill.total, bill.unit)} by {by}{of}"


def _open_because(judged: JudgedMove, over: Overdrawn) -> Iterator[str]:
    """What keeps a move open that is beyond its ordinary form: another form, a stop in doubt, or a part of
    the map that no person has looked at. Empty if it is something else."""
    if over.forms:
        are = "is" if len(over.forms) == 1 else "are"
        yield f"{' and '.join(over.forms)} {are} not excluded"
    if over.stops:
        yield f"it may never have been in {', '.join(over.stops)}"
    if over.forms or over.stops:
        return
    if any(one.look for one in judged.unknowns):
        yield NOT_LOOKED
    elif judged.unknowns and all(
        one.key.startswith("stop ") or " passed through " in one.key for one in judged.unknowns
    ):
        yield "it may have gone another way"


def _moved(audit: Audit, judged: JudgedMove) -> str:
    move = judged.move
    when = f", {move.steps[0].said}" if move.steps else ""
    by = who(move.player, move.actor)
    return f"{by}: {unit_names(audit, judged)} {route(judged, path=False)}{when}"
