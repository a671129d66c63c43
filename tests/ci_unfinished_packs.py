"""A sample pack without one of its statements, and without the word that vouches for it, accuses nobody whom
the whole pack does not accuse, and clears nobody whom it does not clear: no more moves are legal, no larger
share of the drags is decided, and neither the headline nor the exit code says that nothing was found where
the whole pack finds something.

House rules, ``[[units.not]]`` and ``[fits]`` are excepted: they are there to take something away.
"""

from __future__ import annotations

import random

import pytest
from sample_pack import SAMPLES
from tiers import SEED, by_tier
from vassal_umpire.plugin.commands.audit import exit_code
from vassal_umpire.plugin.reports.phrases import headline

from .deletions import Sample, Statement, accused, moved, sample

NAMES = sorted(module.parent.name for module in SAMPLES.glob("*/*.vmod"))
SHARE = by_tier(1, 1, proof=10_000)
"""Statements of each sample that are deleted."""

FOUND = (
    # A constant that stands for whoever units.csv leaves out, where a row was not yet written down.
    ("crossroads", "units.attributes.command.0"),
    ("crossroads", "units.csv 1"),
    ("crossroads", "units.csv 1.name"),
    ("crossroads", "units.csv 1.command"),
    # A form that facts name, of which the pack does not say that it is not movement.
    ("ocs", "form.1.judged"),
    ("valor-and-victory", "form.2.judged"),
    # A leader who is not listed is perhaps a unit: a squad moves farther with him.
    ("valor-and-victory", "units.csv 1"),
    ("valor-and-victory", "units.csv 1.name"),
    # The hex from which a unit set out: it may be one that is closed to it.
    ("valor-and-victory", "hexes.csv 71"),
    # The number of a layer's level without the map that says what it means.
    ("tide-of-iron", "units.attributes.action.map"),
    ("tide-of-iron", "units.attributes.pinned.map"),
    ("tide-of-iron", "units.attributes.disrupted.map"),
    ("tide-of-iron", "units.attributes.aboard.map"),
)


def blamed(of: Sample, statement: Statement) -> str:
    """Who is accused, or cleared, once ``statement`` is gone, and was not before; '' if nobody is."""
    less = of.audited(statement)
    if less is None:
        return ""
    more = accused(less) - accused(of.whole)
    cleared = moved(less, "legal") - moved(of.whole, "legal")
    clear = "Nothing was found" in headline(less) or exit_code(less, "finding") == 0
    share = less.coverage.percent > of.whole.coverage.percent
    found = {
        "accuses": more,
        "clears": cleared,
        "all clear for": accused(of.whole) if clear else (),
        "decides a larger share:": [str(less.coverage)] if share else (),
    }
    said = [f"{what} {sorted(whom)}" for what, whom in found.items() if whom]
    return f"{of.name} without {statement.text}: {'; '.join(said)}" if said else ""


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_accused_for_what_a_pack_does_not_say(name: str) -> None:
    of = sample(SAMPLES / name)
    every = of.statements()
    drawn = random.Random(f"{name} {SEED}").sample(every, min(SHARE, len(every)))
    found = [line for statement in drawn if (line := blamed(of, statement))]
    assert not found, f"seed {SEED}: " + "\n".join(found)


@pytest.mark.parametrize(("name", "text"), FOUND)
def test_what_was_found_once_stays_mended(name: str, text: str) -> None:
    of = sample(SAMPLES / name)
    assert blamed(of, next(s for s in of.statements() if s.text == text)) == ""


@pytest.mark.parametrize("name", NAMES)
def test_there_is_somebody_to_accuse(name: str) -> None:
    """Else nothing could be found: the whole pack accuses somebody, and of some moves it clears the mover."""
    of = sample(SAMPLES / name)
    assert accused(of.whole)
    assert len({unit for unit, *_ in accused(of.whole)}) < len(of.drags)
