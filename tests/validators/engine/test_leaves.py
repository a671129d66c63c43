"""The completions of what a function asks for."""

from __future__ import annotations

import pytest
from vassal_umpire.model.fact import MissingFact
from vassal_umpire.validators.engine.asking import Run, TooMany, leaves, outcome

COLOUR, SIZE = MissingFact("colour", "which colour?"), MissingFact("size", "which size?")


def told(run: Run) -> tuple[str, int]:
    colour = run.choose("colour", ("red", "blue"), (COLOUR,))
    return colour, run.choose("size", (1, 2, 3), (SIZE,)) if colour == "red" else 0


def test_every_completion_is_found_with_what_it_assumes() -> None:
    found = leaves(told, 4)
    assert [said for _, said in found] == [("red", 1), ("red", 2), ("red", 3), ("blue", 0)]
    assert found[1][0] == ((COLOUR, "red"), (SIZE, 2))


def test_where_there_are_too_many_it_is_told_what_they_complete() -> None:
    with pytest.raises(TooMany) as raised:
        leaves(told, 3)
    assert raised.value.facts == (COLOUR, SIZE)


def test_what_is_asked_of_a_run_around_another_is_answered_there() -> None:
    def work(outer: Run) -> str:
        inner = outcome(
            lambda run: (
                run.choose("size", (1, 2), (SIZE,)),
                outer.choose("colour", "rb", (COLOUR,)),
            )
        )
        return f"{inner.said} {len(leaves(lambda run: outer.choose('colour', 'rb', (COLOUR,))))}"

    assert outcome(work).said == ("((1, 'r'), (2, 'r')) 1", "((1, 'b'), (2, 'b')) 1")
