"""What a mover takes of quotas, as clauses say it run by run."""

from __future__ import annotations

from fractions import Fraction

from vassal_umpire.model.fact import MissingFact
from vassal_umpire.validators.engine.allowance import Takes, draws_of
from vassal_umpire.validators.engine.asking import Run, outcome

THREE = Fraction(3)
OF_WHICH = MissingFact("division", "of which division is it?")


def takes(run: Run, *names: str) -> tuple[Takes, ...]:
    name = run.choose("division", names, (OF_WHICH,))
    return (Takes("mules", THREE), Takes(f"trucks of {name}", THREE)) if name else ()


def drawn(*names: str) -> dict[str, MissingFact | None]:
    found = draws_of("1.2", lambda clause: f"X-{clause}", outcome(lambda run: takes(run, *names)))
    assert all((d.quota.clause, d.quota.most.hi, d.amount) == ("X-1.2", 3, 1) for d in found)
    return {draw.quota.name: draw.perhaps for draw in found}


def test_what_every_run_takes_is_certain() -> None:
    assert drawn("A") == {"mules": None, "trucks of A": None}
    assert drawn("A", "B") == {"mules": None, "trucks of A": OF_WHICH, "trucks of B": OF_WHICH}


def test_what_a_run_does_not_take_hangs_on_what_it_asked() -> None:
    assert drawn("A", "") == {"mules": OF_WHICH, "trucks of A": OF_WHICH}
    assert drawn("") == {}
