"""The words for a broken clause, where they tell of more than the clause rests on."""

from __future__ import annotations

from dataclasses import replace

from cases import RULESETS, cases
from vassal_umpire.model.fact import UNKNOWN
from vassal_umpire.validators.audit import audit


def test_a_text_that_hangs_on_an_open_reading_is_written() -> None:
    """Nothing is left of the allowance, whatever else cuts it."""
    case = cases("wacht-am-rhein")["NO-FUEL"]
    units = {
        name: replace(unit, attributes={**unit.attributes, "fatigue": UNKNOWN})
        for name, unit in case.game.units.items()
    }
    found = audit(replace(case.game, units=units), RULESETS["wacht-am-rhein"])
    assert [move.verdict for move in found.moves] == ["illegal"]
    assert "has a movement allowance of 0" in found.findings[0].explanation
