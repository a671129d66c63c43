"""What seals an offence: an event of the player who made no error, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from flat import new_game
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.model.finding import Finding, PhaseView
from vassal_umpire.model.game import PhaseRule, PhaseStart, StepRef, Witness
from vassal_umpire.model.offence import Offence
from vassal_umpire.model.procedure import Procedure
from vassal_umpire.model.relations import Relation
from vassal_umpire.model.viewer import EVERYONE
from vassal_umpire.validators.sealing import Sealing, standing


def procedure(movement: str, combat: str = "roll") -> Procedure:
    return Procedure("p", "P", movement, combat, "again", "again")  # type: ignore[arg-type]


ROLL, MOVE, EITHER = procedure("roll"), procedure("move"), procedure("roll or move")
UNITS = ("a Red 0101", "b Red 0102", "x Blue 0501", "y Blue 0502")


def offence(*steps: tuple[int, int], units: str = "a", side: str | None = "Red") -> Offence:
    refs = tuple(StepRef(*step) for step in steps)
    ids = tuple(units.split("+"))
    found = Finding("X", "X", "illegal-move", "illegal", ids, ids, (), refs, "", side=side)
    phase = PhaseView("1", "Movement", side)
    return Offence("id", "sha", refs[0], refs[-1], side, "", ids, ids, phase, (found,))


WRONG = offence((1, 2))
"""That of the first drag of ``start``."""


def start(*units: str):
    """Red moves ``a`` in step 2, and should not have."""
    return new_game(*(units or UNITS)).move().drag("a", "0110")


def roll(game, actor: str | None):
    game.events.append(Witness(game.next(), "roll", "1d6", actor))
    return game


def of(builder, how: Procedure = ROLL, wrong: Offence = WRONG, **more):
    found = standing(builder.game(**more), wrong, how)
    return found.state, found.at


# -- rolls -----------------------------------------------------------------------------------------


def test_nothing_happened_yet():
    found = standing(start().game(), WRONG, ROLL)
    assert (found.state, found.at) == ("correctable", None)
    assert found.why == "can be corrected until Blue's next roll"


def test_a_roll_of_the_mover_himself_seals_nothing():
    assert of(roll(start(), "Red")) == ("correctable", None)


def test_a_roll_of_the_opponent_seals():
    game = roll(roll(start(), "Red"), "Blue")
    assert of(game) == ("sealed", StepRef(1, 4))
    said = standing(game.game(), WRONG, ROLL).why
    assert (
        said
        == "past the sealing event: the roll of Blue at step 4 of log 1, unless it was reported before"
    )


def test_a_roll_before_the_offence_seals_nothing():
    game = roll(new_game(*UNITS).move(), "Blue").drag("a", "0110")
    assert of(game, wrong=offence((1, 3))) == ("correctable", None)


def test_a_roll_of_nobody_known_leaves_it_open():
    assert of(roll(start(), None)) == ("open", StepRef(1, 3))
    assert of(roll(roll(start(), None), "Blue")) == ("sealed", StepRef(1, 4))


def test_a_roll_of_somebody_who_plays_no_side_leaves_it_open():
    assert of(roll(start(), "Umpire"))[0] == "open"


def test_a_roll_between_the_first_and_the_last_step_leaves_it_open():
    game = roll(start(), "Blue").drag("a", "0112", actor="Red")
    assert of(game, wrong=offence((1, 2), (1, 4))) == ("open", StepRef(1, 3))


def test_only_what_seals_by_the_procedure_seals():
    assert of(roll(start(), "Blue"), MOVE) == ("correctable", None)
    assert of(roll(start(), "Blue"), EITHER) == ("sealed", StepRef(1, 3))


# -- sides -----------------------------------------------------------------------------------------


def test_a_side_in_the_plural_is_spelt_as_one():
    made = start().game()
    units = {
        n: replace(u, side="Germans" if u.side == "Blue" else u.side) for n, u in made.units.items()
    }
    found = standing(replace(made, sides=("Red", "Germans"), units=units), WRONG, ROLL)
    assert found.why == "can be corrected until Germans' next roll"


def test_an_ally_s_roll_seals_nothing_and_any_enemy_s_does():
    units = (*UNITS, "g Green 0601", "w White 0701")
    sides = {
        "relations": (
            Relation(("Red", "Green")),
            Relation(("Red", "Blue"), "enemies"),
            Relation(("Red", "White"), "enemies"),
        )
    }

    def game(actor):
        made = roll(start(*units), actor).game(**sides)
        return replace(made, sides=("Red", "Blue", "Green", "White"))

    states = {a: standing(game(a), WRONG, ROLL).state for a in ("Green", "Blue", "White")}
    assert states == {"Green": "correctable", "Blue": "sealed", "White": "sealed"}
    assert (
        standing(game("Red"), WRONG, ROLL).why == "can be corrected until the opponent's next roll"
    )


def test_of_several_sides_whose_relation_nobody_told_all_is_open():
    made = roll(start(*UNITS, "g Green 0601"), "Blue").game()
    found = standing(replace(made, sides=("Red", "Blue", "Green")), WRONG, ROLL)
    assert found.state == "open"


def test_sides_that_are_not_known_leave_it_open():
    nobody = new_game(*UNITS).move().drag("a", "0110", actor="?")
    assert of(roll(nobody, "Blue")) == ("open", None)
    assert of(roll(nobody, "Blue"), wrong=offence((1, 2), side=None)) == ("open", None)


def test_it_is_the_player_who_errs_not_the_owner_of_the_counter():
    """Blue moved a unit of Red: Red's roll seals it, his own does not."""
    game = new_game(*UNITS).move().drag("a", "0110", actor="Blue")
    assert of(roll(game, "Blue")) == ("correctable", None)
    assert of(roll(game, "Red"))[0] == "sealed"


# -- moves -----------------------------------------------------------------------------------------


def test_the_next_move_of_the_opponent_seals():
    game = start().move("Blue").drag("x", "0503")
    assert of(game, MOVE) == ("sealed", StepRef(1, 4))
    assert of(game, ROLL) == ("correctable", None)
    assert "until Blue's next move" in standing(start().game(), WRONG, MOVE).why


def test_what_the_opponent_does_in_the_mover_s_turn_is_no_move_of_his():
    assert of(start().drag("x", "0503", actor="Blue"), MOVE) == ("correctable", None)


def test_the_opponent_moves_a_counter_of_the_mover_s():
    game = start().move("Blue").drag("b", "0103")
    assert of(game, MOVE) == ("correctable", None)


def test_in_a_phase_that_is_not_known_it_is_open():
    game = start().phase("1", "Movement", "Blue", certain=False).drag("x", "0503")
    assert of(game, MOVE) == ("open", StepRef(1, 4))


def test_a_move_that_was_taken_back_leaves_it_open():
    game = start().move("Blue").drag("x", "0503").undo("x", "0501", 4)
    assert of(game, MOVE) == ("open", StepRef(1, 4))


def test_a_move_that_the_viewer_may_not_see_counts_for_nothing():
    game = start(*UNITS).unit("h", "Blue", "0601", seen_by=("Blue",))
    game.move("Blue").drag("h", "0602").drag("x", "0503")
    assert Sealing(game.game()).standing(WRONG, MOVE).at == StepRef(1, 4)
    assert Sealing(game.game(), EVERYONE).standing(WRONG, MOVE).at == StepRef(1, 5)


# -- corrections -----------------------------------------------------------------------------------


def test_an_undo_corrects():
    game = start().undo("a", "0101", 2)
    assert of(roll(game, "Blue")) == ("corrected", StepRef(1, 3))


def test_putting_it_back_in_the_same_phase_corrects():
    game = roll(start(), "Red").drag("a", "0101")
    assert of(roll(game, "Blue")) == ("corrected", StepRef(1, 4))


def test_putting_it_back_after_the_seal_corrects_nothing():
    game = roll(start(), "Blue").drag("a", "0101", actor="Red")
    assert of(game) == ("sealed", StepRef(1, 3))


def test_going_home_in_another_phase_may_be_a_move():
    game = start().move("Blue").move("Red", "2").drag("a", "0101")
    assert of(game) == ("open", StepRef(1, 5))


def test_an_onward_move_in_another_turn_is_no_correction():
    assert of(start().move("Blue").move("Red", "2").drag("a", "0111")) == ("correctable", None)


def test_moving_on_in_the_same_phase_may_be_the_correction():
    assert of(roll(start(), "Red").drag("a", "0108")) == ("open", StepRef(1, 4))


def test_all_units_have_to_be_put_back():
    both = offence((1, 2), units="a+b")
    game = new_game("a Red 0101", "b Red 0101", *UNITS[2:]).move().drag("a+b", "0110")
    roll(game, "Red").drag("a", "0101")
    assert of(game, wrong=both) == ("correctable", None)
    assert of(game.drag("b", "0101"), wrong=both) == ("corrected", StepRef(1, 5))


def test_a_correction_after_what_may_have_sealed_it_is_open():
    assert of(roll(start(), None).drag("a", "0101", actor="Red")) == ("open", StepRef(1, 4))


# -- reports outside the logs, segments -------------------------------------------------------------


def test_a_report_outside_the_logs_is_named():
    told = "2026-11-20"
    found = standing(start().game(), WRONG, ROLL, told)
    assert found.state == "correctable"
    assert found.why.endswith("it was reported on 2026-11-20")
    found = standing(roll(start(), "Blue").game(), WRONG, ROLL, told)
    assert (found.state, found.at) == ("open", StepRef(1, 3))


def test_errors_of_combat_have_their_own_seal():
    rules = {"phases": {"Combat": PhaseRule("Combat", "none", (), complete=True)}}
    game = new_game(*UNITS).phase("1", "Combat", "Red").drag("a", "0110")
    wrong = replace(WRONG, phase=PhaseView("1", "Combat", "Red"))
    found = standing(roll(game, "Blue").game(**rules), wrong, procedure("move", "roll"))
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
            roll(builder, what[0])
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
