"""Sections above the findings: facts of the pack that findings depend on; and findings that would follow if
cells that no person has looked at are as suggested. The latter are no findings: they are listed apart, never
counted, and accuse nobody."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.finding import Audit, Suspicion
from ...model.suspect import Changed, Suspect
from ...model.vouching import NOTHING, Suggestion
from ..text_writer import TextWriter
from .phrases import KIND_NAMES, capital, counted, when
from .routes import routes
from .sections import Group, Section

HEADING = "Look at these first: the pack may be wrong here"
MEANING = (
    "Findings rest on each of these facts: if it were unknown, they would not stand. This changes no"
    " verdict and no count. Check the facts on the map or in the rulebook: if they are right, so are the"
    " findings."
)
ONE_PLAYER = "The pack, or this player's reading of the rule,"
BOTH = "The pack"
MOST_PHASES = 3


def suspect_text(one: Suspect) -> str:
    """The rest of a suspect's line, after its name: how much depends on it, and for which side."""
    cleared = f"{counted(one.drags, 'drag')} ({counted(one.clears, 'finding')})"
    whose = " and ".join(one.sides or one.players)
    if len(one.sides) == len(one.players) == 1:
        whose = f"{one.sides[0]} ({one.players[0]})"
    parts = [f"{cleared}{f' of {whose}' if whose else ''}"]
    parts += ["; ".join(one.phases[:MOST_PHASES]) + (" …" if len(one.phases) > MOST_PHASES else "")]
    if one.legal:
        rest = "rests" if one.legal == 1 else "rest"
        parts.append(f"{counted(one.legal, 'legal drag')} {rest} on it as well")
    possible = f". {cheaper_text(one)}" if one.at else ""
    blame = ONE_PLAYER if one.is_of_one else BOTH
    return f"{', '.join(part for part in parts if part)}{possible}. {blame} may be wrong."


def cheaper_text(one: Suspect) -> str:
    """The effect of cheaper values of a number: ``At 3, none of these would be illegal``. "" if none were
    tried."""
    if not one.at:
        return ""
    first, *rest = _left(one)
    return capital("; ".join([f"{first} of these would be illegal", *rest]))


def number_text(one: Suspect) -> str:
    """A number of the charts in one line: its place, how many moves it makes impossible, and the effect of
    others."""
    path = [part for part in one.fact.cell.split(" > ") if part not in _PLAIN]
    where = f"{' '.join(path)} ({one.fact.value})"
    if one.fact.kind == "unit":
        where = f"{one.fact.name} of {where}"
    phases = counted(len(one.phases), "phase")
    moves = f"{counted(one.drags, 'move')} in {phases} would be impossible"
    return f"{where}: {'; '.join((moves, *_left(one)))}"


_PLAIN = ("costs", "cost", "by_class")
"""Keys in the path of a chart cell that mean nothing to a reader."""


def number_lines(audit: Audit) -> Iterator[str]:
    """What the moves show about the numbers typed into the charts; empty if no move was decided."""
    verdicts = [judged.verdict for judged in audit.moves if judged.judged]
    illegal, decided = verdicts.count("illegal"), len(verdicts) - verdicts.count("unverifiable")
    yield from map(number_text, audit.numbers)
    if decided and not illegal:
        yield f"no number makes any of the {counted(decided, 'move')} that were decided impossible"
    elif illegal and not audit.numbers:
        yield f"no cheaper number allows any of the {counted(illegal, 'illegal move')}"


def _left(one: Suspect) -> list[str]:
    left = ((value, one.drags - number) for value, number in one.at)
    return [f"at {value}, {number or 'none'}" for value, number in left]


def changed_text(one: Changed) -> str:
    """A line about a fact that was changed without a look."""
    went = f"{counted(one.went, 'finding')} went with it"
    return (
        f"{one.fact.place}: changed from {one.before}, and nobody has looked at it since; {went}."
    )


def suspect_lines(audit: Audit) -> Iterator[tuple[str, str]]:
    """Each suspect, and what depends on it."""
    for one in audit.suspects:
        yield capital(str(one.fact)), suspect_text(one)


def suspects_section(audit: Audit) -> Section | None:
    """What to check first; None if there is nothing."""
    changed = ((capital(changed_text(one)), "") for one in audit.changed)
    lines = (*suspect_lines(audit), *changed)
    meaning = MEANING if audit.suspects else ""
    return Section(HEADING, meaning, (Group("", (lines,)),), quiet=False) if lines else None


NOT_FINDINGS = "Not findings: cells to look at"
NOT_COUNTED = (
    "What follows rests on cells of the map, or on phases, that nobody has looked at yet. It is not counted"
    " and accuses nobody."
)
FEW_CELLS = 20


def would_be(one: Suspicion) -> str:
    """``illegal move if these 14 cells are as suggested: look at them``."""
    found = f"would be: {KIND_NAMES[one.finding.kind]} ({one.finding.code}), if"
    if one.look or not one.cells:
        there = f" in {counted(len(one.look), 'hex', 'hexes')}" if one.look else ""
        return f"{found} the map is{there} as the pack has it: look at it"
    these = "this cell is" if len(one.cells) == 1 else f"these {len(one.cells):,} cells are"
    return f"{found} {these} as suggested: look at them"


def cell_text(one: Suggestion) -> str:
    """A suggested cell in words: ``0403 terrain woods (suggested)``."""
    cell, layer, name = one.key
    if name:
        told = f"{cell} {name}"
    elif layer in ("features", "hexsides", "lines"):
        where = {"features": "in the hex", "hexsides": "on the hexside", "lines": "across it"}[
            layer
        ]
        told = f"{cell} nothing {'' if one.value == NOTHING else 'else '}{where}"
    elif layer == "phase":
        told = f"phase from {cell.rstrip('-')}: {one.value}"
    else:
        told = f"{cell} {layer} {one.value}"
    return f"{told} ({one.status})"


def lines_of(audit: Audit, one: Suspicion) -> Iterator[str]:
    """The lines of a suspicion below its heading."""
    by_id = {m.move.id: m for m in audit.moves}
    yield from routes(audit, [by_id[n] for n in one.finding.moves if n in by_id])
    where = when(audit, one.finding.steps)
    if where:
        yield where
    yield one.finding.explanation


def cells_of(one: Suspicion, *, verbose: bool) -> list[str]:
    """The cells of a suspicion, a text each; only the first if there are many."""
    every = [*one.look, *map(cell_text, one.cells)]
    told = every if verbose else every[:FEW_CELLS]
    left = len(every) - len(told)
    return [*told, f"and {left:,} more"] if left else told


def suspected(writer: TextWriter, audit: Audit, *, verbose: bool) -> None:
    """The section of the text report."""
    if not audit.suspicions:
        return
    writer.heading(
        f"{NOT_FINDINGS} ({counted(len(audit.suspicions), 'move or stack', 'moves or stacks')})"
    )
    writer.line(NOT_COUNTED, indent=2)
    for one in audit.suspicions:
        writer.blank()
        writer.spans(
            (", ".join(one.finding.names), "bold"), (f"  {would_be(one)}", ""), indent=2, hang=4
        )
        for line in lines_of(audit, one):
            writer.line(line, indent=4, hang=2)
        writer.line(
            ("hexes " if one.look else "") + "; ".join(cells_of(one, verbose=verbose)),
            indent=4,
            hang=2,
            style="dim",
        )
