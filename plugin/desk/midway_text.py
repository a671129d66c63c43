"""What ``umpire check SAVE --after LOG`` prints, in plain words and 80 columns."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.coverage import NO_PHASE, NOT_UNITS, WAITS
from ...model.finding import Clause
from ..reports.phrases import NEXT, counted, not_looked_at, viewer_text
from ..reports.report import ReportOptions
from ..text_writer import TextWriter
from .check_text import FEW_REASONS, LIMITS, WHAT, sentence
from .midway import WHICH_PHASE, Midway, Went

FEW_UNITS = 3
HOW = (
    "A save holds positions, no steps. Each unit that lies elsewhere than the log left it is looked at as if"
    " it had gone there in one move of this phase, by the cheapest path and as it is now; what combat did is"
    " for you to tell apart."
)


def midway_text(seen: Midway, title: str, options: ReportOptions) -> str:
    """A look at a save as text; ``title`` names the save and the log."""
    writer = TextWriter(options.width, colour=options.colour)
    writer.title(title)
    writer.labelled("shows", viewer_text(options.viewer))
    writer.blank()
    writer.line(HOW)
    writer.blank()
    _checked(writer, seen, verbose=options.verbose)
    _accused(writer, seen)
    _stacks(writer, seen)
    if not seen.found and any(one.verdict == "legal" for one in seen.moved):
        writer.line("In what could be checked, nothing against the rules was found.")
    for told in not_looked_at(seen.unlooked):
        writer.line(told)
    if nothing := nothing_decided(seen):
        writer.line(nothing)
    writer.blank()
    writer.line(LIMITS, style="dim")
    return writer.text()


def nothing_decided(seen: Midway) -> str:
    """That counters lie elsewhere and nothing could be decided, and what to do next; "": something was, or no
    unit lies elsewhere."""
    if seen.unitless:
        return f"No counter is a unit by this pack, so nothing was looked at. {NEXT[NOT_UNITS]}"
    if not seen.moved or any(one.verdict != "unverifiable" for one in seen.moved):
        return ""
    step = "Next: check the log itself, once the turn is done."
    if any(one.why == WHICH_PHASE for one in seen.moved):
        step = NEXT[NO_PHASE]
    elif any(one.asks for one in seen.moved):
        step = NEXT[WAITS]
    return f"0 of {counted(len(seen.moved), 'unit')} that moved could be checked. {step}"


def _checked(writer: TextWriter, seen: Midway, *, verbose: bool) -> None:
    if not seen.moved and not seen.unitless:
        writer.line("No counter that the pack calls a unit went from one hex to another.")
    elif seen.moved:
        open_ones = [one for one in seen.moved if one.verdict == "unverifiable"]
        done = len(seen.moved) - len(open_ones)
        cannot = f"; {len(open_ones)} cannot be checked:" if open_ones else "."
        writer.line(f"Checked {done} of {counted(len(seen.moved), 'unit')} that moved{cannot}")
        groups = _by_reason(open_ones)
        for why, units in groups if verbose else groups[:FEW_REASONS]:
            writer.line(f"{len(units):>3}  {why}", indent=2, hang=5)
            shown = units if verbose else units[:FEW_UNITS]
            more = f"; and {len(units) - len(shown)} more" if len(units) > len(shown) else ""
            said = "; ".join(_way(one) for one in shown)
            writer.line(f"{said}{more}", indent=7, style="dim")
        if len(groups) > FEW_REASONS and not verbose:
            writer.line(f"and {len(groups) - FEW_REASONS} more reasons (--verbose)", indent=2)
    if seen.others:
        came = "came onto the map, left it, or lie where cannot be told"
        writer.line(f"{counted(seen.others, 'unit')} besides {came}: not looked at.")


def _by_reason(units: Iterable[Went]) -> list[tuple[str, list[Went]]]:
    groups: dict[str, list[Went]] = {}
    for one in units:
        groups.setdefault(one.why, []).append(one)
    return sorted(groups.items(), key=lambda entry: -len(entry[1]))


def _way(one: Went) -> str:
    return f"{one.name} {one.origin} → {one.target}"


def _accused(writer: TextWriter, seen: Midway) -> None:
    accused = [one for one in seen.moved if one.verdict == "illegal"]
    if not accused:
        return
    writer.blank()
    writer.line(f"{counted(len(accused), 'unit')} could not get there in one move:", style="bold")
    for number, one in enumerate(accused, 1):
        found = one.findings[0]
        writer.spans(
            (f"{number}. {WHAT.get(found.kind, found.kind)}", "bold red"),
            (f"  {_way(one)}", ""),
            indent=2,
            hang=3,
        )
        rule = _rule(seen.clauses, found.clause)
        writer.line(f"{sentence(found.explanation)}{rule}", indent=5)


def _stacks(writer: TextWriter, seen: Midway) -> None:
    if not seen.stacks:
        return
    writer.blank()
    writer.line("Too much in one hex, as the counters lie now:", style="bold")
    for stack in seen.stacks:
        asked = f"; {stack.missing[0].question}" if stack.missing else ""
        held = f"{stack.hex}: {stack.least} {stack.measure} of {stack.side}, {stack.bound} allowed"
        writer.line(f"{held}{asked}.{_rule(seen.clauses, stack.clause)}", indent=2, hang=3)


def _rule(clauses: dict[str, Clause], name: str) -> str:
    clause = clauses.get(name)
    return f" {clause.text} ({name})" if clause is not None and clause.text else f" ({name})"
