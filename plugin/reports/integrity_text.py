"""The sections on integrity, and on what was hidden, of the text report and of the Markdown report."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...model.finding import Audit
from ...model.integrity import Integrity
from ..text_writer import TextWriter
from . import revealed
from .integrity import (
    FEW,
    HEADING,
    MEANING,
    dice_lines,
    groups,
    nothing_told,
    roll_lines,
    test_lines,
)
from .revealed import revealed_groups

_MORE = "more (--verbose)"


def integrity_section(writer: TextWriter, audit: Audit, *, many_logs: bool, verbose: bool) -> None:
    """The section; nothing where nobody asked for it."""
    found = audit.integrity
    if found is None:
        return
    writer.heading(HEADING)
    writer.line(nothing_told(found) or MEANING, indent=2, style="dim")
    for title, lines, more in groups(audit, many_logs=many_logs, verbose=verbose):
        writer.line(title, indent=2, style="bold cyan")
        for where, text in lines:
            writer.line(f"{where}: {text}" if text else where, indent=4, hang=4)
        if more:
            writer.line(f"and {more:,} {_MORE}", indent=4)
    if found.rolls:
        _dice(writer, found, many_logs=many_logs, verbose=verbose)
    if audit.revealed is not None:
        writer.heading(revealed.HEADING)
        shown = list(revealed_groups(audit, many_logs=many_logs))
        writer.line(revealed.MEANING if shown else revealed.NOTHING, indent=2, style="dim")
        for title, lines, _ in shown:
            writer.line(title, indent=2, style="bold cyan")
            for where, text in lines:
                writer.line(f"{where}: {text}", indent=4, hang=4)


def _dice(writer: TextWriter, found: Integrity, *, many_logs: bool, verbose: bool) -> None:
    writer.line(f"Dice ({len(found.rolls):,})", indent=2, style="bold cyan")
    for line in (*dice_lines(found), *test_lines(found)):
        writer.line(line, indent=4, hang=4)
    rolls = list(roll_lines(found, many_logs=many_logs))
    if verbose or len(rolls) <= FEW:
        for where, text in rolls:
            writer.line(f"{where}: {text}", indent=4, hang=4)
    else:
        writer.line("Every roll is shown with --verbose, and in the JSON report.", indent=4)


def integrity_markdown(
    audit: Audit, plain: Callable[[str], str], *, many_logs: bool, verbose: bool
) -> Iterator[str]:
    """The parts of the section; ``plain`` takes the markup out of a text."""
    found = audit.integrity
    if found is None:
        return
    yield f"## {HEADING}"
    yield nothing_told(found) or MEANING
    for title, lines, more in groups(audit, many_logs=many_logs, verbose=verbose):
        yield f"**{plain(title)}**"
        said = [f"- {plain(f'{where}: {text}' if text else where)}" for where, text in lines]
        yield "\n".join([*said, f"- and {more:,} more (`--verbose`)"] if more else said)
    if found.rolls:
        yield from _dice_markdown(found, plain, many_logs=many_logs, verbose=verbose)
    if audit.revealed is not None:
        yield f"## {revealed.HEADING}"
        shown = list(revealed_groups(audit, many_logs=many_logs))
        yield revealed.MEANING if shown else revealed.NOTHING
        for title, lines, _ in shown:
            yield f"**{plain(title)}**"
            yield "\n".join(f"- {plain(f'{where}: {text}')}" for where, text in lines)


def _dice_markdown(
    found: Integrity, plain: Callable[[str], str], *, many_logs: bool, verbose: bool
) -> Iterator[str]:
    yield f"**Dice ({len(found.rolls):,})**"
    yield "\n".join(f"- {plain(line)}" for line in (*dice_lines(found), *test_lines(found)))
    rolls = list(roll_lines(found, many_logs=many_logs))
    if verbose or len(rolls) <= FEW:
        yield "\n".join(f"- {plain(where)}: {plain(text)}" for where, text in rolls)
