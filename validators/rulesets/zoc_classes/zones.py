"""What enemies do to a move: zones of control by class, screens, forts, hexes they hold (5, 6.A.4, 6.C,
6.E)."""

from __future__ import annotations

from ....model.fact import Fact
from ...cost_interval import FREE, CostInterval
from ...engine.asking import Bounds
from ...engine.clauses import cost, forbid
from ...engine.hex_view import HexView
from ...engine.other_unit import Enemy
from ...engine.step import Step
from .terms import (
    CLASSES,
    CM,
    FORT,
    LEVELS,
    MOST,
    REACTION,
    advances,
    form_named,
    is_combat_unit,
    marches,
)

ZOC = "zoc {}", "which class of enemy ZOC is over hex {}?"
SCREENED = "screened {}", "was hex {} screened from enemy ZOCs (5.C)?"
FRIENDS = "friends in {}", "was a friendly combat unit in {} when it was entered?"
INTERDICTED = "interdiction {}", "was hex {} under harassment or air interdiction?"
FORT_IN = "fort {}", "was there a fort in hex {}?"
OVERRUN = "overrun {}", "did units overrun into {}, as Rule 12 lets them?"
NONE = Bounds(0, 0)

# -- the class of a ZOC ----------------------------------------------------------------------------


def exerts(enemy: Enemy) -> int | None:
    """The class of the ZOC that an enemy exerts into the hex asked about: less one level in reserve (6.B.6-a)
    and by its odd "+# MP" markers (6.A.3-4a). None: any, since nothing is told of it."""
    about = "zoc" if enemy.beside else "own_zoc"
    if not enemy.tells(about):
        return None
    level = LEVELS.index(enemy.word(about))
    if level and enemy.rule("6.B.6-a") and enemy.is_("reserve", "true"):
        level -= 1
    if level and enemy.rule("6.A.3-4a"):
        number = enemy.whole_number("debt", 2 * MOST)
        odd = number % 2, (number + 1) // 2
        level -= odd[0] if odd[0] == odd[1] or not by_each(enemy) else odd[1]
    return max(0, level)


def by_each(enemy: Enemy) -> bool:
    """Whether a marker takes a level away for each odd number up to its own."""
    return enemy.reading("odd_marker_levels", "each")


def is_whole(step: Step) -> bool:
    """Whether the facts declare every hex in which the ZOC is not that of the units beside it."""
    return step.tables["zoc"]["complete"] or "zoc" in (step.rules.complete.charts or ())


def by_units(step: Step, every: tuple[Bounds, ...]) -> Bounds:
    """The class of the ZOC in a hex into which units exert these. What several come to is not said, and where
    not all hexes are declared any may be an exception."""
    if not every:
        return NONE
    least = max(one.lo for one in every) if is_whole(step) else 0
    most = every[0].hi if len(every) == 1 else MOST
    asked = tuple(dict.fromkeys(fact for one in every for fact in one.asked))
    return Bounds(least, MOST if most is None else most, asked)


def levels_of(fact: Fact) -> Bounds:
    """The ZOC classes that a declaration allows."""
    names = fact.options or LEVELS
    found = [LEVELS.index(str(name)) for name in names if str(name) in LEVELS]
    return Bounds(min(found), max(found)) if len(found) == len(names) else Bounds(0, MOST)


def declares(step: Step, at: HexView) -> bool:
    """Whether the facts give the class of the ZOC in a hex, for all enemies or for a side of them."""
    return at.tells(ZOC[0]) or bool(declared_sides(step, at))


def declared_sides(step: Step, at: HexView) -> dict[str, Bounds]:
    """The classes that are declared for single sides, of those that may be enemies."""
    found = {}
    for side in step.rules.game.sides:
        topic = f"zoc {{}} of {side}"
        if at.tells(topic) and step.relation(side) in ("enemy", ""):
            levels = levels_of(at.said(topic))
            found[side] = levels if step.relation(side) == "enemy" else levels._replace(lo=0)
    return found


def declared(step: Step, at: HexView) -> Bounds:
    """The class that the facts give: that of sides counts together with the one for the hex or, if there is
    none, with what the units of other sides exert."""
    found, every = declared_sides(step, at), levels_of(at.said(ZOC[0]))
    told = at.tells(ZOC[0])
    if not found:
        return every
    unnamed = [side for side in step.rules.game.sides if side not in found]
    if told and any(step.relation(side) in ("enemy", "") for side in unnamed):
        least = max(every.lo, *(one.lo for one in found.values()))
        return Bounds(least, max(least, every.hi or 0))
    others = tuple(one for one in at.tally_apart(exerts, tuple(found)))
    return together([*found.values(), by_units(step, others)])


def together(of_sides: list[Bounds]) -> Bounds:
    """The class where sides have these: the text does not say what several ZOCs make."""
    found = [one for one in of_sides if one.hi]
    if len(found) < 2:
        return found[0] if found else NONE
    asked = tuple(dict.fromkeys(fact for one in found for fact in one.asked))
    return Bounds(max(one.lo for one in found), MOST, asked)


def zoc(step: Step, at: HexView) -> Bounds:
    """The class of the enemy ZOC in a hex, without the effect of screens and forts."""
    found = declared(step, at) if declares(step, at) else by_units(step, at.tally(exerts))
    if found.lo == found.hi or found.asked:
        return found
    return found._replace(asked=(at.ask(*ZOC),))


def named(levels: Bounds) -> str:
    lo, hi = LEVELS[levels.lo], LEVELS[levels.hi or 0]
    return f"a {lo} ZOC" if lo == hi else f"a ZOC ({lo} to {hi})"


# -- what lessens it -------------------------------------------------------------------------------

YES = Bounds(1, 1)


def is_so(step: Step, name: str, found: Bounds) -> bool:
    """Whether something is so, of which 1 stands for yes and 0 for no; it is asked where that is open."""
    return found.lo == 1 or (found.hi == 1 and step.undecided(name, found.asked))


def fort(step: Step, at: HexView) -> Bounds:
    """Whether a fort cancels ZOCs in a hex (6.D.3-e): in reaction. One may have been built in the game."""
    if step.phase != REACTION or not step.rule("6.D.3-e"):
        return NONE
    said = at.said(FORT_IN[0])
    if said.must_be(True) or said.must_be(False):
        return YES if said.must_be(True) else NONE
    if not at.tells(FORT_IN[0]):
        all_told = step.tables["forts"]["complete"]
        if at.surely_has(FORT):
            return YES
        if not at.perhaps(FORT) and (all_told or "forts" in (step.rules.complete.charts or ())):
            return NONE
    return Bounds(0, 1, (at.ask(*FORT_IN),))


def screen(step: Step, at: HexView) -> Bounds:
    """Whether a hex is screened from enemy ZOCs: by a friendly combat unit in reaction (6.D.3-d), else as
    Rule 5 has it, which is not at hand: there it is declared, or nobody can screen it."""
    said = at.said(SCREENED[0])
    if said.must_be(True):
        return YES
    surely, perhaps = at.friends_who(is_combat_unit, FRIENDS[0])
    if perhaps and step.phase == REACTION and step.rule("6.D.3-d"):
        if surely:
            return YES
        return Bounds(0, 1, (at.ask_now(*FRIENDS) if said.must_be(False) else at.ask(*SCREENED),))
    if said.must_be(False):
        return NONE
    if not perhaps and is_whole(step) and (said.options is None or not said.may_be(True)):
        return NONE
    return Bounds(0, 1, (at.ask(*SCREENED),))


# -- what it costs ---------------------------------------------------------------------------------

FOR_NOTHING = [0] * len(LEVELS)
Row = list[int]


def by_class(step: Step, rows: list[Row], levels: Bounds) -> CostInterval:
    """What one of some rows of the table comes to for a ZOC of some classes."""
    costs = [mps for row in rows for mps in row[levels.lo : (levels.hi or 0) + 1]]
    return step.between(min(costs), max(costs), levels)


def german(step: Step) -> bool:
    """Whether it is a German c/m unit, which pays less for leaving a ZOC."""
    cls = step.fact("class").value
    if cls not in CLASSES:
        return step.doubted("class") and is_german(step)
    return cls == CM and is_german(step)


def is_german(step: Step) -> bool:
    return step.is_("nationality", *(name.lower() for name in step.tables["zoc"]["german"]))


def leaving(step: Step) -> str:
    return f"leaves {named(zoc(step, step.out_of))}"


@cost(
    "6.C-T2", leaving, cites=lambda step: "6.C-T1" if surely_german(step) else "6.C-T2", always=True
)
def leave(step: Step) -> CostInterval:
    """Leaving a ZOC costs MPs by its class, German c/m units one class less (6.C-T1). Whether an advance
    pays that, one that leaves a screened hex, or one that leaves a fort in reaction, is open."""
    here, levels = step.out_of, zoc(step, step.out_of)
    options = step.rules.options
    own = step.tables["zoc"]["leave_german"] if step.rule("6.C-T1") else FOR_NOTHING
    others = step.tables["zoc"]["leave"] if step.rule("6.C-T2") else FOR_NOTHING
    if levels.hi == 0 or (advances(step) and options["advance_leaves"] == "no"):
        return FREE
    screens = screen(step, here) if options["screened_leave"] != "yes" else NONE
    forts = fort(step, here) if options["forts"] != "entering" else NONE
    if levels.lo != levels.hi:
        freed = screens.hi or forts.hi or advances(step)
        rows = [others if not may_be_german(step) else own, own if surely_german(step) else others]
        return by_class(step, rows + [FOR_NOTHING] * bool(freed), levels)
    if advances(step) and not step.reading("advance_leaves", "yes"):
        return FREE
    if is_so(step, "fort", forts) and step.reading("forts", "both"):
        return FREE
    if is_so(step, "screened", screens) and not step.reading("screened_leave", "yes"):
        return FREE
    return by_class(step, [own if own == others or german(step) else others], levels)


def surely_german(step: Step) -> bool:
    names = [name.lower() for name in step.tables["zoc"]["german"]]
    nations = step.fact("nationality").options
    return step.fact("class").must_be(CM) and all(n in names for n in nations or ("",))


def may_be_german(step: Step) -> bool:
    names = [name.lower() for name in step.tables["zoc"]["german"]]
    nations, cls = step.fact("nationality").options, step.fact("class").value
    return (cls == CM or cls not in CLASSES) and (
        nations is None or any(n in names for n in nations)
    )


@cost("6.C-T3", lambda step: f"enters {named(zoc(step, step.into))}")
def enter(step: Step) -> CostInterval:
    """Entering a ZOC costs MPs by its class; a screened hex what Rule 5 has."""
    levels, forts = zoc(step, step.into), fort(step, step.into)
    if levels.hi == 0 or forts.lo:
        return FREE
    row, table = step.tables["zoc"]["enter"], step.tables["zoc"]["screened"]
    screens = screen(step, step.into)
    if levels.lo != levels.hi:
        lower = FOR_NOTHING if table == "unknown" else table
        rows = (
            [lower] * (screens.hi or 0) + [row] * (1 - screens.lo) + [FOR_NOTHING] * (forts.hi or 0)
        )
        return by_class(step, [*rows, row] if table == "unknown" else rows, levels)
    if is_so(step, "fort", forts):
        return FREE
    if not is_so(step, "screened", screens):
        return by_class(step, [row], levels)
    if table == "unknown":
        return step.at_most_charge("screened", row[levels.hi or 0])
    return by_class(step, [table], levels)


# -- hexes with enemies, interdiction --------------------------------------------------------------


def overran(step: Step) -> bool:
    """Whether the step is an overrun, as Rule 12 lets it be: by the form of the move, and the facts."""
    own = step.form == form_named(step.rules, "ordinary") or marches(step)
    if own or not step.rule("6.A.4-d"):
        return False
    return step.into.is_said(*OVERRUN)


def covers(step: Step) -> bool:
    """Whether enemies in the hex entered exert a ZOC into the hex left."""
    here, every = step.out_of, step.into.tally(exerts, "out of")
    said = declared(step, here) if declares(step, here) else None
    if said is not None and said.hi == 0:
        return False
    sure = is_whole(step) and any(one.lo for one in every)
    if not sure and said is not None and said.lo > 0:
        sure = step.into.surely_enemies() and len(here.tally(exerts)) == len(every)
    if sure and not is_so(step, "fort", fort(step, here)):
        return True
    if len(every) == 1 and every[0].hi == 0:
        return False
    asked = tuple(dict.fromkeys(fact for one in every for fact in one.asked))
    return step.undecided("covers", asked or (here.ask(*ZOC),))


@forbid("6.A.4-a", "enters a hex with enemies whose ZOC covers the hex it comes from")
def held(step: Step) -> bool:
    """A hex with enemies is entered only where they exert no ZOC into the hex left, or in an overrun. Enemies
    may have been where a unit advances to, and have left it in the combat."""
    if not step.into.enemies() or not covers(step):
        return False
    return not overran(step)


@cost("6.A.4-d", "overrun")
def overrun(step: Step) -> CostInterval:
    """What an overrun costs besides is Rule 12."""
    if not step.rule("6.A.4-a") or not step.into.enemies() or not overran(step):
        return FREE
    return step.charge("overrun", "overrun", step.cls)


@cost("6.E-d", "interdiction", always=True)
def interdiction(step: Step) -> CostInterval:
    """A hex under harassment or air interdiction costs more, but not by night."""
    if not step.into.tells(INTERDICTED[0]) or not step.into.is_said(*INTERDICTED):
        return FREE
    if step.rule("6.E-d") and step.is_so("night"):
        return FREE
    return step.charge("interdiction", "interdiction", step.cls)
