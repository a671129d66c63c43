"""Whether a displacement may be judged as movement at all, and by which movement forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..model.fact import UNKNOWN, Fact, MissingFact, written
from ..model.game import MOVEMENT, Game, MovementForm, PhaseRule
from .checks import (
    FORM,
    PHASE,
    form_unknown,
    names_of,
    phase_undescribed,
    phase_unknown,
    sides_unknown,
)
from .concepts import missing_facts
from .moves import Track
from .situation import Situation
from .tracker import Interlude

FORM_USED = "form"
"""Key of the condition that says which movement form a unit used at a step."""

CLASS = "class"
"""The attribute of units whose values ``PhaseRule.complete_for`` lists."""

ANY_FORM = ("",)
"""Stands for "no form named": the move is judged by the ruleset's default form."""


@dataclass(frozen=True, slots=True)
class Screening:
    """The result of screening a move: judge it, ask, report it, or leave it alone.

    ``forms``: the judged movement forms that all its units may use.
    ``unknowns``: the missing facts without which it cannot be judged; empty if it can. ``why``: one line that
    says so. ``code``: the code of that open question. ``comes_first``: ask this before anything else.
    ``wrong``: why it cannot be a move of this phase; empty if it can.
    ``other``: the form that it was made by, which is not judged (combat, retreat); empty if there is none.
    ``sure``: those of ``forms`` that the units may certainly use; ``asked``: the missing facts that decide
    about the rest. Both are empty if all of ``forms`` are certain.
    """

    forms: tuple[str, ...] = ANY_FORM
    unknowns: tuple[MissingFact, ...] = ()
    why: str = ""
    code: str = FORM
    wrong: str = ""
    other: str = ""
    comes_first: bool = False
    sure: tuple[str, ...] = ()
    asked: tuple[MissingFact, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the move may be judged."""
        return not (self.unknowns or self.wrong or self.other)


def screen_displacement(track: Track, situation: Situation) -> Screening:
    """The screening of ``track``. ``situation``: the game from before its first step to its last."""
    return strictest(screen_units(track, situation))


def screen_units(track: Track, situation: Situation) -> tuple[Screening, ...]:
    """As :func:`screen_displacement`, for each unit of ``track`` by itself."""
    game, move = situation.game, track.move
    forms = _judged_forms(game.forms.values())
    if not track.phase_known:
        return (_in_no_known_phase(track, situation, forms),) * len(move.units)
    phase = move.phase.phase or ""
    rule = game.phases.get(phase)
    if rule is None:
        why = f'the pack says nothing about the phase "{phase}"'
        return (Screening(forms, (phase_undescribed(phase),), why, FORM),) * len(move.units)
    return tuple(_of_unit(unit, track, rule, situation) for unit in move.units)


def _in_no_known_phase(track: Track, situation: Situation, forms: tuple[str, ...]) -> Screening:
    timeline, at = situation.timeline, track.move.steps[0]
    start = timeline.phase_start(at)
    if start is not None and start.combat:
        return Screening(ANY_FORM, other="combat")
    used = [_told(unit, track, situation)[-1] for unit in track.move.units]
    if all(f.is_known and not f.must_be(MOVEMENT) and _unjudged(f, situation) for f in used):
        return Screening(ANY_FORM, other=str(used[0].value))
    asked = (phase_unknown(timeline, at),)
    if isinstance(start, Interlude):
        why = "it may have been combat: dice were rolled, or the other side's units were displaced"
        return Screening(forms, asked, why, PHASE, comes_first=True)
    return Screening(forms, asked, "the phase is not known", PHASE)


def _of_unit(unit: str, track: Track, rule: PhaseRule, situation: Situation) -> Screening:
    told = _told(unit, track, situation)
    used = told[-1]
    if len(told) > 1 and not (used.is_known and _unjudged(used, situation)):
        why = "it is declared to have gone by different forms in one phase"
        return _ask_form(
            unit, track, situation, rule.forms, _judged_forms(situation.game.forms.values()), why
        )
    if used.must_be(MOVEMENT) and MOVEMENT not in situation.game.forms:
        return _by_movement(unit, track, rule, situation)
    open_forms = _forms(unit, rule, used, situation)
    judged = tuple(form.name for form in open_forms if form.judged) or ANY_FORM
    others = [form.name for form in open_forms if not form.judged]
    if used.is_known and others:
        return Screening(ANY_FORM, other=others[0])
    if others and used.options is None and holds_no_movement(rule, situation.game):
        return Screening(ANY_FORM, other=" or ".join(others))
    if not used.is_known and not _complete(unit, rule, situation):
        why = f"in the phase {rule.name} other things than movement may displace a counter"
        return _ask_form(unit, track, situation, [*judged, *others], judged, why)
    if others:
        why = f"it may have gone by {' or '.join(others)}"
        return _ask_form(unit, track, situation, [*judged, *others], judged, why)
    if rule.forms and not open_forms and not used.is_known:
        name = names_of(situation.game, (unit,))[0]
        forms = " or ".join(rule.forms)
        said = f"in the phase {rule.name} units move by {forms}, which is not open to {name}"
        return _out_of_turn(unit, track, rule, situation) or Screening(wrong=said, code=PHASE)
    if rule.forms and not open_forms:
        why = f"no movement form of the phase {rule.name} is declared for it"
        return _ask_form(unit, track, situation, rule.forms, judged, why)
    return _out_of_turn(unit, track, rule, situation) or _perhaps_open(unit, open_forms, situation)


def _perhaps_open(unit: str, forms: list[MovementForm], situation: Situation) -> Screening:
    """The screening of a unit that may use ``forms``, some of them only perhaps. If none is certain, the move
    cannot be judged until the attributes that decide it are known."""
    judged = tuple(form.name for form in forms if form.judged) or ANY_FORM
    perhaps = [form for form in forms if not _surely_uses(unit, form, situation)]
    if not perhaps:
        return Screening(judged)
    asked = tuple(
        missing_facts.of_unit(situation.game.units[unit], attribute)
        for attribute in dict.fromkeys(key for form in perhaps for key in form.units)
        if not situation.fact(unit, attribute).is_known
    )
    sure = tuple(form.name for form in forms if form not in perhaps)
    if sure:
        return Screening(judged, sure=sure, asked=asked)
    return Screening(
        judged, asked, f"whether it may move by {' or '.join(judged)} is not known", FORM
    )


def _surely_uses(unit: str, form: MovementForm, situation: Situation) -> bool:
    return all(
        all(written(option) in values for option in options)
        for attribute, values in form.units.items()
        for options in (situation.fact(unit, attribute).options or ("?",),)
    )


def _by_movement(unit: str, track: Track, rule: PhaseRule, situation: Situation) -> Screening:
    """The screening of a displacement that the facts call movement without naming a form of the phase."""
    fits = _forms(unit, rule, UNKNOWN, situation)
    return _out_of_turn(unit, track, rule, situation) or Screening(_judged_forms(fits))


def _told(unit: str, track: Track, situation: Situation) -> list[Fact]:
    """The values given for the form that ``unit`` used, one per drag and without duplicates. The value for
    the last drag is the last in the list."""
    facts: list[Fact] = []
    for step in track.move.steps:
        fact = situation.timeline.condition(FORM_USED, step, unit)
        facts = [*(known for known in facts if known.options != fact.options), fact]
    return facts


def _unjudged(used: Fact, situation: Situation) -> bool:
    form = situation.game.forms.get(str(used.value))
    return form is None or not form.judged


def _forms(unit: str, rule: PhaseRule, used: Fact, situation: Situation) -> list[MovementForm]:
    """The forms that ``unit`` may have used. A form that is named but not described in the pack counts as one
    that is not judged."""
    names: Iterable[str] = rule.forms
    if used.options is not None:
        names = [name for name in used.options if isinstance(name, str)]
    described = [
        situation.game.forms.get(name) or MovementForm(name, judged=False) for name in names
    ]
    return [form for form in described if used.is_known or _may_use(unit, form, situation)]


def holds_no_movement(rule: PhaseRule, game: Game) -> bool:
    """Whether the phase ``rule`` has forms, all of them described and none of them judged. Then nothing in
    the phase can break a rule of movement."""
    forms = [game.forms.get(name) for name in rule.forms]
    return bool(forms) and all(form is not None and not form.judged for form in forms)


def _may_use(unit: str, form: MovementForm, situation: Situation) -> bool:
    return all(
        any(_may_be(situation.fact(unit, attribute), value) for value in values)
        for attribute, values in form.units.items()
    )


def _may_be(fact: Fact, value: str) -> bool:
    """Whether ``fact`` may be ``value``. A pack writes ``value`` as text, also if it is a number or
    yes/no."""
    if fact.options is None:
        return fact.may_be(value) or fact.lo is not None or fact.hi is not None
    return any(written(option) == value for option in fact.options)


def _complete(unit: str, rule: PhaseRule, situation: Situation) -> bool:
    if not rule.complete:
        return False
    if not rule.complete_for:
        return True
    options = situation.fact(unit, CLASS).options
    return bool(options) and all(written(option) in rule.complete_for for option in options or ())


def _ask_form(
    unit: str,
    track: Track,
    situation: Situation,
    choice: Iterable[str],
    judged: tuple[str, ...],
    why: str,
) -> Screening:
    move = track.move
    name = names_of(situation.game, (unit,))[0]
    options = [form for form in dict.fromkeys(choice) if form]
    return Screening(
        judged, (form_unknown(unit, name, move.steps[0], move.steps[-1], options),), why
    )


def _out_of_turn(
    unit: str, track: Track, rule: PhaseRule, situation: Situation
) -> Screening | None:
    """A screening that says why ``unit`` may not move in this phase, or what must be known to decide it; None
    if the unit may move, or if the pack does not say who moves in the phase or says that both sides do."""
    if rule.movers in ("unknown", "both"):
        return None
    if rule.movers == "none":
        return Screening(wrong=f"nobody moves in the phase {rule.name}", code=PHASE)
    active, side = track.move.phase.active, situation.side(unit)
    if active is None:
        unknown = phase_unknown(situation.timeline, track.move.steps[0])
        return Screening(unknowns=(unknown,), why="the active side is not known", code=PHASE)
    sides = situation.game.sides
    if side is None or side not in sides or active not in sides:
        asked = missing_facts.of_side(situation.game.units[unit])
        return Screening(unknowns=(asked,), why="its side is not known", code=PHASE)
    standing = situation.game.relation(active, side)
    if standing is None:
        ask = sides_unknown(active, side)
        return Screening(unknowns=(ask,), why="it is not known whose friend it is", code=PHASE)
    if standing == ("friend" if rule.movers == "active" else "enemy"):
        return None
    whose = "only the active side moves" if rule.movers == "active" else "only the other side moves"
    return Screening(wrong=f"in the phase {rule.name} {whose}, and {active} is active", code=PHASE)


def strictest(screenings: Sequence[Screening]) -> Screening:
    """The screening of units that were dragged together: if one of them may not be judged, none may. Missing
    facts about one unit take precedence over what is wrong with another, because the stack may have been
    dragged for the sake of the first."""
    shut = (
        [found for found in screenings if found.unknowns]
        or [found for found in screenings if found.other]
        or [found for found in screenings if found.wrong]
    )
    if shut:
        unknowns = tuple(dict.fromkeys(u for found in shut for u in found.unknowns))
        return replace(shut[0], unknowns=unknowns)
    every = dict.fromkeys(form for found in screenings for form in found.forms)
    forms = tuple(f for f in every if all(f in found.forms for found in screenings)) or tuple(every)
    asked = tuple(dict.fromkeys(unknown for found in screenings for unknown in found.asked))
    sure = tuple(f for f in forms if all(f in (found.sure or found.forms) for found in screenings))
    return Screening(forms, sure=sure, asked=asked) if asked and sure else Screening(forms)


def _judged_forms(forms: Iterable[MovementForm]) -> tuple[str, ...]:
    return tuple(form.name for form in forms if form.judged) or ANY_FORM
