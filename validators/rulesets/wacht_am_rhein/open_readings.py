"""The open readings of the rules: the option of a pack that settles each, and the question for it."""

from __future__ import annotations

from types import MappingProxyType

from ....model.fact import MissingFact
from ....model.stanza import BLANK, pack_stanza

QUESTIONS = MappingProxyType(
    {
        "bridge_plus3": "does a Mech unit pay the 3 MP at bridges too, in tactical movement (5.4.3a)?",
        "constricted_both": "from one constricted hex to another, are the 2 MP due once or twice (5.4.4a)?",
        "constricted_road": "does a road that is no dashed line spare the penalty of 5.4.4a?",
        "pa_reverse_ruling": "in Prepared Assault, may it go by road first and then off it into woods (5.5)?",
        "adjacency_combine": "is the cost of coming next to enemies due once, per hex or per unit (5.3.2)?",
        "adjacency_list": "are the two cases of 5.3.2 all in which coming next to enemies is free?",
        "stop_hex": "which hex must be without Covering Terrain (5.3.1), the one entered or the enemy's?",
        "breakdown_exempt": "are company breakdowns of any formation free of the surcharge (5.3.5)?",
        "west_wall": "does 5.3.6 mean the Fortifications of the West Wall only, or all?",
        "engineers_help": "does the engineer unit at hand ease the crossing (15.3)?",
        "strat_factor": "by what is the MA multiplied in Strategic Mode (5.2.1b)?",
        "fatigue": "does a quarter of the MA remain to a unit with Fatigue, or is a quarter taken away?",
        "ma_rounding": "are fractions of an MA rounded after every change, or once (1.4.0)?",
        "exploitation_only_exploit": "do only units in Exploit Mode move in the exploitation phase (5.1)?",
        "ma_sequence": "are several cuts, or several raises, taken in the order in which 5.2.1 lists them?",
        "ma_order": "where an MA is both cut and raised, which comes first (5.2.1)?",
        "night_covers": "is all terrain Covering Terrain at night for 5.3.1 and 5.3.2 too?",
        "5.2-b5": "has a Leg unit with recon in its designation an MA of 14 while it goes as Mech?",
        "5.2-c3": "is the MA of horse-drawn artillery 9 or 12 while it is mechanized?",
        "5.2-c2": "is the MA of German Leg AT 9 or 12 while it is mechanized?",
        "5.4.2-b2": "does 5.4.2 mean self-propelled US AT, too?",
        "5.4.2-c1": "is German Leg AT bound by 5.4.2 at streams while it is mechanized?",
        "5.3.4": "may a unit in Strategic Mode enter a hex with a Leg unit in Strategic Mode, and a Leg "
        "unit in Strategic Mode one with a Mech unit (5.3.4)?",
        "5.3.1-0": "does Flak count among the two strength points that stop a unit next to them (5.3.1)?",
        "5.3.1-a": "does artillery reach as far while it is Out of Battery (5.3.1)?",
        "5.3.1-c": "does the West Wall stop Germans next to Allied units in it (5.3.1)?",
        "5.3.5": "does a unit attached to another formation pay or cause the surcharge of 5.3.5?",
        "5.3.5-c": "are attached units part of the same formation for 5.3.1, too?",
        "5.3.3": "does 5.3.3 bind a unit that took Exploit Mode after the phase began?",
        "5.10.3-c": "may a unit go once more into a hex it has overrun and not cleared (5.10.3)?",
        "5.4.3a-e": "may German armor of class M or H use a bridge that engineers built (15.1.1d)?",
        "5.4.3b-e": "may an engineer unit cross a major river by its own help (15.2)?",
        "5.5-f": "does a dashed line count like a road for a constricted hex in Prepared Assault?",
        "5.0-l5": "may a road mover be dragged on after a tactical mover, if it began before it?",
        "5.6.4-h": "are the three units in Strategic Mode the same three that may go by road (5.6.4)?",
        "5.7.5-b": "can a bridge under construction be crossed?",
        "5.8.5": "does towed artillery that has to stop next to an enemy stop of its own will?",
        "order_in_exploitation": "does the order of movement bind the exploitation phase too?",
        "5.4.4-c": "does a Leg unit that is no infantry treat constricted terrain by road as clear?",
        "strategic_in_any_division": "may Leg units of a US division that is no Infantry Division be in "
        "Strategic Mode without truck points (5.6.4)?",
        "ignore_overrun_on": "does a unit ignore the enemies that it has overrun for the rest of its "
        "movement, not only on leaving their hex (5.10.3)?",
        "meuse_after_moving": "may a Leg unit that has moved already cross a major river with the help of an "
        "engineer unit (5.4.3b)?",
        "leave_constricted_by_road": "is a Leg unit that goes by a road spared the 2 MP for leaving "
        "constricted terrain, too (5.4.4)?",
    }
)
"""Reading → question. A reading is named by its option; one named by its clause has its option in
:data:`OPTION_OF`."""
OPTION_OF = MappingProxyType(
    {
        "5.2-b5": "recon_on_trucks",
        "5.2-c3": "horse_ma_on_trucks",
        "5.2-c2": "leg_at_ma_on_trucks",
        "5.4.2-b2": "sp_us_at_at_streams",
        "5.4.2-c1": "leg_at_at_streams_on_trucks",
        "5.3.4": "strategic_and_leg",
        "5.3.1-0": "flak_points",
        "5.3.1-a": "out_of_battery_fire",
        "5.3.1-c": "west_wall_shelter",
        "5.3.5": "attached_surcharge",
        "5.3.5-c": "attached_for_stops",
        "5.3.3": "late_exploit_pinned",
        "5.10.3-c": "overrun_hex_again",
        "5.4.3a-e": "armor_on_engineer_bridges",
        "5.4.3b-e": "engineer_helps_itself",
        "5.5-f": "dashed_line_is_road",
        "5.0-l5": "dragged_on_later",
        "5.6.4-h": "same_three",
        "5.7.5-b": "unfinished_bridges",
        "5.8.5": "forced_stop_counts",
        "5.4.4-c": "leg_by_road_into_constricted",
    }
)


def of_reading(reading: str) -> MissingFact:
    """The question how the text is to be read; ``reading`` is an option or a clause id."""
    option = OPTION_OF.get(reading)
    return MissingFact(
        f"option {reading}" if option is None else f"reading {reading}",
        QUESTIONS[reading],
        "facts.toml",
        pack_stanza("options", option or reading, entry=BLANK),
    )
