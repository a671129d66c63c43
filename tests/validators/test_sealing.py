"""What seals an offence: an event of the player who made no error, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flat import new_game, rows
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.finding import Finding, PhaseView
from vassal_umpire.model.game import PhaseRule, PhaseStart, StepRef, Witness
from vassal_umpire.model.offence import Offence
from vassal_umpire.model.procedure import Procedure
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.validators.sealing import Sealing


def procedure(movement: str, combat: str = "roll") -> Procedure:
    return Procedure("p", "P", movement, combat, "again", "again")  # type: ignore[arg-type]


ROLL, MOVE, EITHER = procedure("roll"), procedure("move"), procedure("roll or move")
UNITS = ("a Red 0101", "b Red 0102", "x Blue 0501", "y Blue 0502")


def offence(*steps: tuple[int, int], units: str = "a", side: str | None = "Red") -> Offence:
    refs = tuple(StepRef(*step) for step in steps)
    ids = tuple(units.split("+"))
    found = Finding("X", "X", "illegal-move", "illegal", ids, ids, (), refs, "", side=side)
    phase = PhaseView("1", "Movement", side)
    return Offence("id", refs[0], refs[-1], side, "", ids, ids, phase, (found,))


WRONG = offence((1, 2))
"""That of the first drag of ``start``."""


def standing(game, *about):
    return Sealing(game).standing(*about)


def start(*units: str):
    """Red moves ``a`` in step 2, and should not have."""
    return new_game(*(units or UNITS)).play("move; a 0110")


def of(builder, how: Procedure = ROLL, wrong: Offence = WRONG, **more):
    found = standing(builder.game(**more), wrong, how)
    return found.state, found.at


# -- what follows on the offence -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "script", "state", "step"),
    rows("""
a roll of the mover himself seals nothing | roll | roll by Red | correctable | -
a roll of the opponent seals | roll | roll by Red; roll by Blue | sealed | 4
a roll by an unknown player leaves it open | roll | roll by ? | open | 3
until the opponent has rolled | roll | roll by ?; roll by Blue | sealed | 4
a roll of somebody who plays no side leaves it open | roll | roll by Umpire | open | 3
only what seals by the procedure seals | move | roll by Blue | correctable | -
either seals | either | roll by Blue | sealed | 3
the next move of the opponent seals | move | move Blue; x 0503 | sealed | 4
but not where rolls do | roll | move Blue; x 0503 | correctable | -
what the opponent does in the mover's turn is not a move of his | move | x 0503 by Blue | correctable | -
the opponent moves a counter of the mover's | move | move Blue; b 0103 | correctable | -
in a phase that is not known it is open | move | phase 1 Movement Blue perhaps; x 0503 | open | 4
a move that was taken back leaves it open | move | move Blue; x 0503; undo x 0501 4 | open | 4
an undo corrects | roll | undo a 0101 2; roll by Blue | corrected | 3
putting it back in the same phase corrects | roll | roll by Red; a 0101; roll by Blue | corrected | 4
putting it back after the seal corrects nothing | roll | roll by Blue; a 0101 by Red | sealed | 3
going home in another phase may be a move | roll | move Blue; move Red 2; a 0101 | open | 5
an onward move in another turn is not a correction | roll | move Blue; move Red 2; a 0111 | correctable | -
moving on in the same phase may be the correction | roll | roll by Red; a 0108 | open | 4
a correction after what may have sealed it is open | roll | roll by ?; a 0101 by Red | open | 4
"""),
)
def test_what_becomes_of_an_offence(how, script, state, step):
    procedure = {"roll": ROLL, "move": MOVE, "either": EITHER}[how]
    at = None if step == "-" else StepRef(1, int(step))
    assert of(start().play(script), procedure) == (state, at)


def test_what_is_said_of_it():
    found = standing(start().game(), WRONG, ROLL)
    assert (found.state, found.at) == ("correctable", None)
    assert found.why == "can be corrected until Blue's next roll"
    assert "until Blue's next move" in standing(start().game(), WRONG, MOVE).why
    assert standing(start().play("roll by Red; roll by Blue").game(), WRONG, ROLL).why == (
        "past the sealing event: the roll of Blue at step 4 of log 1, unless it was reported before"
    )


def test_a_roll_before_the_offence_seals_nothing():
    game = new_game(*UNITS).play("move; roll by Blue; a 0110")
    assert of(game, wrong=offence((1, 3))) == ("correctable", None)


def test_a_roll_between_the_first_and_the_last_step_leaves_it_open():
    game = start().play("roll by Blue; a 0112 by Red")
    assert of(game, wrong=offence((1, 2), (1, 4))) == ("open", StepRef(1, 3))


def test_all_units_have_to_be_put_back():
    both = offence((1, 2), units="a+b")
    game = new_game("a Red 0101", "b Red 0101", *UNITS[2:])
    game.play("move; a+b 0110; roll by Red; a 0101")
    assert of(game, wrong=both) == ("correctable", None)
    assert of(game.drag("b", "0101"), wrong=both) == ("corrected", StepRef(1, 5))


def test_a_move_that_the_viewer_may_not_see_counts_for_nothing():
    game = start(*UNITS, "h Blue 0601 seen_by=Blue").play("move Blue; h 0602; x 0503").game()
    assert Sealing(game).standing(WRONG, MOVE).at == StepRef(1, 4)
    assert Sealing(game, EVERYONE).standing(WRONG, MOVE).at == StepRef(1, 5)


# -- sides -----------------------------------------------------------------------------------------


def test_a_side_in_the_plural_is_spelt_as_one():
    made = start().game()
    units = {
        n: replace(u, side="Germans" if u.side == "Blue" else u.side) for n, u in made.units.items()
    }
    found = standing(replace(made, sides=("Red", "Germans"), units=units), WRONG, ROLL)
    assert found.why == "can be corrected until Germans' next roll"


def test_an_ally_s_roll_seals_nothing_and_any_enemy_s_does():
    enemies = (Relation(("Red", "Blue"), "enemies"), Relation(("Red", "White"), "enemies"))
    relations = (Relation(("Red", "Green")), *enemies)

    def said(actor):
        played = start(*UNITS, "g Green 0601, w White 0701").roll(actor).game(relations=relations)
        return standing(replace(played, sides=("Red", "Blue", "Green", "White")), WRONG, ROLL)

    states = {a: said(a).state for a in ("Green", "Blue", "White")}
    assert states == {"Green": "correctable", "Blue": "sealed", "White": "sealed"}
    assert said("Red").why == "can be corrected until the opponent's next roll"


def test_of_several_sides_whose_relation_nobody_told_all_is_open():
    made = start(*UNITS, "g Green 0601").roll("Blue").game()
    found = standing(replace(made, sides=("Red", "Blue", "Green")), WRONG, ROLL)
    assert found.state == "open"


def test_sides_that_are_not_known_leave_it_open():
    nobody = new_game(*UNITS).play("move; a 0110 by ?")
    assert of(nobody.roll("Blue")) == ("open", None)
    assert of(nobody.roll("Blue"), wrong=offence((1, 2), side=None)) == ("open", None)


def test_it_is_the_player_who_errs_not_the_owner_of_the_counter():
    """Blue moved a unit of Red: Red's roll seals it, his own does not."""
    game = new_game(*UNITS).play("move; a 0110 by Blue")
    assert of(game.roll("Blue")) == ("correctable", None)
    assert of(game.roll("Red"))[0] == "sealed"


# -- reports outside the logs, segments -------------------------------------------------------------


def test_a_report_outside_the_logs_is_named():
    told = "2026-11-20"
    found = standing(start().game(), WRONG, ROLL, told)
    assert found.state == "correctable"
    assert found.why.endswith("it was reported on 2026-11-20")
    found = standing(start().roll("Blue").game(), WRONG, ROLL, told)
    assert (found.state, found.at) == ("open", StepRef(1, 3))


def test_errors_of_combat_have_their_own_seal():
    rules = {"phases": {"Combat": PhaseRule("Combat", "none", (), complete=True)}}
    game = new_game(*UNITS).play("phase 1 Combat Red; a 0110; roll by Blue").game(**rules)
    wrong = replace(WRONG, phase=PhaseView("1", "Combat", "Red"))
    found = standing(game, wrong, procedure("move", "roll"))
    assert (found.state, found.segment) == ("sealed", "combat")
    game = start().roll("Blue").game()  # steps of a phase of movement that are told to be combat
    events = (replace(e, combat=True) if isinstance(e, PhaseStart) else e for e in game.events)
    found = standing(replace(game, events=tuple(events)), WRONG, procedure("move", "roll"))
    assert (found.state, found.segment) == ("sealed", "combat")


# -- what holds of every game ----------------------------------------------------------------------

_EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("roll"), st.sampled_from(["Red", "Blue"])),
        st.tuples(st.just("drag"), st.sampled_from(["a", "b", "x"]), st.sampled_from("123")),
        st.tuples(st.just("back"), st.just("a")),
        st.tuples(st.just("phase"), st.sampled_from(["Red", "Blue"]), st.sampled_from("12")),
    ),
    max_size=8,
)
_PROCEDURES = st.sampled_from([ROLL, MOVE, EITHER])


def played(builder, events, *, onward=False):
    """``onward``: the turn tracker is never set back."""
    for number, (kind, *what) in enumerate(events, 2):
        if kind == "roll":
            builder.roll(what[0])
        elif kind == "phase":
            builder.move(what[0], str(number) if onward else what[1])
        elif kind == "back":
            builder.drag("a", "0101", actor="Red")
        else:
            owner = "Blue" if what[0] == "x" else "Red"
            builder.drag(what[0], f"070{what[1]}", actor=owner)
    return builder.game()


@given(_EVENTS, _EVENTS, _PROCEDURES)
def test_what_is_sealed_stays_sealed(before, after, how):
    first = standing(played(start(), before, onward=True), WRONG, how)
    then = standing(played(start(), [*before, *after], onward=True), WRONG, how)
    if first.state == "sealed":
        assert (then.state, then.at) == ("sealed", first.at)
    if first.state == "corrected":
        assert (then.state, then.at) == ("corrected", first.at)


@given(_EVENTS, _PROCEDURES)
def test_without_an_event_of_the_opponent_s_nothing_is_sealed(events, how):
    own = [e for e in events if "Blue" not in e and "x" not in e]
    assert standing(played(start(), own), WRONG, how).state not in ("sealed",)


@given(_EVENTS, _PROCEDURES, st.sets(st.integers(0, 9)))
def test_what_is_said_holds_whatever_the_logs_keep_back(events, how, kept):
    """Rolls without owners, phases nobody is sure of: never another answer, at most none."""
    whole = played(start(), events)

    def less(index, event):
        if index not in kept:
            return event
        if isinstance(event, Witness):
            return replace(event, actor=None)
        return replace(event, certain=False) if isinstance(event, PhaseStart) else event

    told = replace(whole, events=tuple(less(i, e) for i, e in enumerate(whole.events)))
    part, full = standing(told, WRONG, how), standing(whole, WRONG, how)
    if part.state != "open":
        assert full.state == part.state
