"""The facts that section 5 needs, the values they may have, and the question for each."""

from __future__ import annotations

from ....model.game import Game
from ...allowed_facts import NUMBER, TEXT, YES_NO, Allowed, AllowedFacts, words
from .eligibility import KIND_OF_PHASE
from .overrun_results import OUTCOMES, OVERRUN
from .player_questions import TOPICS
from .tables import BY_KIND, CLASSES, EXPLOITATION, MODES, MOVEMENT, NATIONS, OTHER, Tables

CALIBRES = ("105", "155h", "150-nebelwerfer", "light-nebelwerfer", "other")
WORKS = ("none", "ip", "et", "fortification", "west-wall")

_NO_NAMES = ("no", "yes", "true", "false")
"""Values of ``attached`` that do not name a formation."""


def allowed_facts(game: Game, tables: Tables) -> AllowedFacts:
    """The attributes of units and the conditions of the game that these rules ask for."""
    formations = {
        str(option): None
        for unit in game.units.values()
        for about in ("formation", "attached")
        for option in unit.fact(about).options or ()
        if str(option).lower() not in _NO_NAMES
    }
    return AllowedFacts(
        attributes={
            "class": words(*CLASSES).asked(
                "which movement class has {} by the Unit Type Chart, mech or leg?"
            ),
            "type": words(*tables.all_types()).asked("which type of unit is {}?"),
            "nation": words(*NATIONS).asked("of which nation is {}?"),
            "mode": words(*MODES).asked("in which mode was {} when it was moved?"),
            "ma": Allowed("number", (BY_KIND,)).asked(
                "which movement allowance is printed for {} (by-kind: that of its kind by 5.2)?"
            ),
            "designation": TEXT.asked("what is the unit ID printed on {} (recon, recce …)?"),
            "supply": words("in", "out").asked("was {} in or out of supply?"),
            "resting": YES_NO.asked("did {} bear a Resting marker?"),
            "fatigue": YES_NO.asked("did {} bear a Fatigue marker?"),
            "released": YES_NO.asked("had {} left Maneuver Reserve within the last two turns?"),
            "leader": YES_NO.asked("was the leader of the formation of {} activated?"),
            "motor": YES_NO.asked("did {} bear a Motor Unit marker?"),
            "fuel": words("normal", *tables.fuel).asked(
                "how much fuel had the formation of {}: normal, low or none?"
            ),
            "formation": TEXT.asked("to which division or brigade does {} belong?"),
            "attached": Allowed("text", ("no", *formations)).asked(
                "to which formation is {} attached (else: no)?"
            ),
            "echelon": words("division", "corps", "army").asked(
                "is {} a unit of a division, a corps or an army?"
            ),
            "command": TEXT.asked("to which corps or army does {} belong?"),
            "army": TEXT.asked("whose Truck Points does {} use, of which army?"),
            "infantry-division": YES_NO.asked("does {} belong to a US Infantry Division?"),
            "breakdown": YES_NO.asked("is {} a company breakdown unit?"),
            "strength": NUMBER.asked("how many strength points had {} then?"),
            "stacking": NUMBER.asked("how much does {} count in a stack?"),
            "works": words(*WORKS).asked(
                "was {} in an improved position (ip), entrenchments (et), a fortification, the "
                "West Wall, or none?"
            ),
            "red": YES_NO.asked("does {} bear a red hexagon?"),
            "depleted": YES_NO.asked("was {} depleted?"),
            "range": NUMBER.asked("which range factor is printed on {}?"),
            "traction": words("towed", "sp", "horse").asked(
                "is {} towed, self-propelled (sp) or horse-drawn (horse)?"
            ),
            "battery": words("in", "out").asked("was {} In Battery or Out of Battery?"),
            "calibre": words(*CALIBRES).asked("which calibre has {}?"),
            "bridge-class": words("none", "M", "H").asked("which bridge class has {}?"),
            "static": YES_NO.asked("was {} static (deployed)?"),
            "deployed": words("no", "building", "finished").asked(
                "was {} deployed: no, building or finished?"
            ),
        },
        conditions={
            "ground": TEXT.asked(
                f"in which state was the ground then ({', '.join(tables.grounds)} …)?"
            ),
            "night": YES_NO.asked("was it night then?"),
            OVERRUN: words(*OUTCOMES),
            "overrun-*": YES_NO,
            "trucks-*": NUMBER,
            f"{KIND_OF_PHASE} *": words(MOVEMENT, EXPLOITATION, OTHER),
            **TOPICS,
        },
    )
