"""When a unit may not move, or not move on: its action, its token, its condition, what it assaults."""

from __future__ import annotations

from collections.abc import Iterator

from ....model.fact import Value
from ...engine.activation import Leg
from ...engine.acts_view import ActsView
from ...engine.clauses import forbid_move
from ...engine.mover_view import MoverView
from .readings import is_spent, may_be_spent, was_held
from .terms import ACTIONS, ASSAULT, HEAVY, NO_CLASS, ON_FOOT, SPENT, SQUAD, VEHICLES, round_of


@forbid_move("OF-c")
def hit_on_the_way(mover: MoverView) -> str | bool:
    """A unit that is pinned, disrupted or damaged while it moves stays where it is; but light damage does not
    end the move of a heavy vehicle (OF-d)."""
    for number, leg, what, about in held(mover):
        if number and not mover.whole.is_(about, "true", "heavy"):  # when it began to move
            return f"moves on from {leg.origin}, where it was {what} on its way"
    return lightly_damaged(mover) or marked_late(mover)


def marked_late(mover: MoverView) -> str | bool:
    """Whether it went on after Op Fire hit it, though it was marked only when it had gone on. The dice may be
    those that were rolled on its way, unless others were rolled before it was marked. A hit that is told does
    not tell what it did."""
    acts, history, unit = mover.whole, mover.history, mover.unit
    if len(acts.walked) < 2:
        return False
    first, last = acts.walked[0].at, acts.walked[-1].at
    if not history.witnesses.too_late(first, last, unit.side):
        return False
    light = ("light",) if mover.cls != HEAVY or not mover.rule("OF-d") else ()
    for about, bad, classes in (
        ("pinned", (True,), (SQUAD,)),
        ("disrupted", (True,), (SQUAD,)),
        ("damage", ("heavy", *light), VEHICLES),
    ):
        if mover.cls not in (*classes, NO_CLASS):
            continue
        for index, fact in history.changes(unit.id, about, last, history.phase(last)[1])[:1]:
            text = f"was {unit.name} hit by Op Fire before it was dragged on?"
            if (
                any(fact.may_be(value) for value in bad)
                and not history.seen(last, index, unit.side)
                and mover.told("hit on its way", text, unit, history.drag(last).at)
                and (set(fact.options or ("",)) <= set(bad) or acts.at(index).doubted(about))
                and (mover.cls != NO_CLASS or mover.doubted("class"))
            ):
                return "moves on after it was hit on its way"
    return False


@forbid_move("IM-a")
def immobile(mover: MoverView) -> str | bool:
    """A unit that is pinned, disrupted or heavily damaged is not moved until that is over."""
    for _, leg, what, _ in held(mover):
        return f"is moved from {leg.origin} though it is {what}"
    return False


def held(mover: MoverView) -> Iterator[tuple[int, Leg, str, str]]:
    """The drags on which the unit was held where it was: their number, what it was, and the attribute that
    tells."""
    acts = mover.whole
    kinds: tuple[tuple[str, Value, str, tuple[str, ...]], ...] = (
        ("pinned", True, "pinned", (SQUAD,)),
        ("disrupted", True, "disrupted", (SQUAD,)),
        ("damage", "heavy", "heavily damaged", VEHICLES),
    )
    for certain in (True, False):
        for number, leg in enumerate(acts.walked):
            for about, bad, what, classes in kinds:
                can_be = mover.cls in (*classes, NO_CLASS)
                if can_be and was(acts, about, bad, leg, number, mover.cls in classes, certain):
                    yield number, leg, what, about


def was(
    acts: ActsView, about: str, bad: Value, leg: Leg, number: int, sure: bool, certain: bool
) -> bool:
    """Whether an attribute had a value that keeps the unit where it is, and was not put right: for certain,
    or perhaps. Not if it was so when the unit began to move: that is said of its first drag. ``sure``:
    whether the unit is one that can be so."""
    now, before = acts.at(leg.at), acts.fact(about)
    if not now.fact(about).may_be(bad):
        return False
    stale = acts.did.righted(about, (bad,), leg.at) or taken_off(acts, about, bad, leg)
    if not now.fact(about).is_known or not sure or stale:
        return not certain and now.doubted(about)
    return certain and (number == 0 or not before.must_be(bad))


def taken_off(acts: ActsView, about: str, bad: Value, leg: Leg) -> bool:
    """Whether a value that an attribute had when the phase began was taken away in it after a drag: it was
    left over, or it was not."""
    history, unit = acts.history, acts.unit.id
    start, end = history.phase(leg.at)
    if history.declared(acts.did.value(about, leg.at)) or history.changes(
        unit, about, start, leg.at
    ):
        return False
    return any(not fact.must_be(bad) for _, fact in history.changes(unit, about, leg.at, end))


def lightly_damaged(mover: MoverView) -> str | bool:
    """Whether the unit moved on after light damage. It may have come from mines, not from Op Fire."""
    acts = mover.whole
    spared = mover.cls == HEAVY and mover.rule("OF-d")
    if mover.cls == SQUAD or spared:
        return False
    for leg in acts.walked:
        now, before = acts.at(leg.at).fact("damage"), acts.fact("damage")
        befell = acts.did.said("damage", leg.at) > acts.did.first
        if not befell or not now.may_be("light") or before.must_be("light"):
            continue
        sure = now.must_be("light") and not before.may_be("light") and mover.cls in VEHICLES
        sure = sure and not mover.may_lie("minefield", leg.origin)
        righted = acts.did.righted("damage", ("light",), leg.at)
        if (sure and not righted) or acts.at(leg.at).doubted("damage"):
            return f"moves on from {leg.origin}, where it was lightly damaged on its way"
    return False


@forbid_move(
    "MV-b", lambda mover: f"spends MPs, though its action is {mover.known['action'].value}"
)
def only_in_actions(mover: MoverView) -> bool:
    """MPs are spent only by a unit activated with Advance, Fire and Movement or Assault."""
    return bool(mover.whole.walked) and mover.known["action"].value not in ACTIONS


@forbid_move("X-AP-a")
def fresh_only(mover: MoverView) -> str | bool:
    """Only a unit without an activation token is activated, and none moves on once it is spent."""
    acts = mover.whole
    if not acts.walked:
        return False
    return not_fresh(acts, acts.did.first, "is moved though it is {}") or spent_on_the_way(
        mover, acts
    )


def not_fresh(acts: ActsView, at: int, text: str) -> str | bool:
    """Whether a unit had a token of a spent one at an event. One laid just before may belong to this action,
    and one of another round may be left over. ``text``: with {} for the token."""
    now, before = acts.at(at), acts.begun()
    token = now.fact("token")
    if not now.is_("token", *SPENT):
        return False
    if is_spent(before.fact("token")):
        if left_over(acts, at) and not now.doubted("token"):
            return False
    elif may_be_spent(before.fact("token")) or acts.seen_since("token", at):
        if is_spent(token) and not now.doubted("token"):
            return False
    else:
        return False
    return text.format(token.value if token.is_known else "spent")


def left_over(acts: ActsView, at: int) -> bool:
    """Whether a token may be out of date: it was put there in another round, or was taken off as soon as the
    unit had been dragged."""
    history, did = acts.history, acts.did
    if history.declared(did.value("token", at)):
        return False
    said = history.changes(acts.unit.id, "token", 0, at)
    if said and history.phase(said[-1][0]) != history.phase(at):
        then, now = (round_of(acts, history.view(index).turn) for index in (said[-1][0], at))
        if not then or then != now:  # if the rounds are not known, it may be another one
            return True
    return did.righted("token", SPENT, at)


def spent_on_the_way(mover: MoverView, acts: ActsView) -> str | bool:
    """Whether it moved on with a token that it was given on its way. Only a token that was seen counts; the
    player may have put it on too early, unless the other side has moved since."""
    history, did = acts.history, acts.did
    for leg in acts.walked[1:]:
        now, said = did.value("token", leg.at), did.said("token", leg.at)
        if said < did.first or not may_be_spent(now):
            continue
        if not history.witnesses.too_late(said, leg.at, acts.unit.side):
            continue
        assault = mover.known["action"].value == ASSAULT
        if is_spent(now) and not assault and acts.others_acted(said, leg.at):
            return f"moves on from {leg.origin}, where it became {now.value}"
        if acts.at(leg.at).doubted("token"):
            return f"moves on from {leg.origin}, being spent"
    return False


@forbid_move("EE-d", "does more after it boarded a vehicle", classes=ON_FOOT)
def boarded(mover: MoverView) -> bool:
    """A squad that has boarded is fatigued: it does nothing more."""
    acts = mover.whole
    if not acts.walked or acts.did.never_changed("aboard", "no"):
        return False
    return acts.acted_on


@forbid_move("X-AS-a")
def who_assaults(mover: MoverView) -> str | bool:
    """Only squads take the action Assault, and none with a heavy infantry weapon."""
    if mover.known["action"].value != ASSAULT or not mover.whole.walked:
        return False
    if mover.cls in VEHICLES:
        return "assaults, though it is not a squad"
    if mover.cls == NO_CLASS and mover.doubted("class"):
        return "assaults, though it is not a squad"
    return "assaults with a heavy weapon" if mover.is_("heavy_weapon", "true") else False


@forbid_move("X-AS-b")
def what_is_assaulted(mover: MoverView) -> str | bool:
    """The target of an assault is a neighbouring hex with enemies, none of them a heavy vehicle."""
    acts = mover.whole
    name = acts.hex("assaults")
    if not name or not acts.walked:
        return False
    stood = mover.acts.stood
    if name not in mover.board.neighbours(stood):
        return f"assaults {name}, which is not next to {stood}"
    enemies = mover.enemies_in(name)
    if not enemies and not was_held(mover, acts.did, name):
        return f"assaults {name}, where no enemy is"
    for enemy, sure in enemies:
        if enemy.surely("class", HEAVY) and sure:
            return f"assaults {name}, where a heavy vehicle is"
        if enemy.possibly("class", HEAVY) and (
            enemy.is_("class", HEAVY) if sure else mover.doubted("assaults")
        ):
            return f"assaults {name}, where a heavy vehicle is"
    surely = not enemies or any(sure for _, sure in enemies)
    if surely or any(not mover.friend(enemy.unit) for enemy, _ in enemies):
        return False
    return f"assaults {name}, where no enemy is"
