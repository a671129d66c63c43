"""What ``umpire check`` prints, in plain words and 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model.coverage import NO_PHASE, NOT_UNITS, WAITS
from ...model.finding import Audit, Clause, Finding, JudgedMove
from ...model.offence import Offence
from ...model.procedure import Standing
from ..reports.phrases import (
    KIND_NAMES,
    NEXT,
    counted,
    judged_share,
    not_looked_at,
    steps_text,
    viewer_text,
)
from ..reports.question_groups import as_sentence
from ..reports.report import ReportOptions
from ..reports.routes import route, unit_names
from ..text_writer import TextWriter
from .check import Check, Part, to_correct
from .midway import WHICH_PHASE, Midway, Went

FEW_REASONS = 8
FEW_EACH = 3
"""Maximum number of moves or units named for one reason."""
LIMITS = (
    "Only movement and stacking are checked, and only as far as the pack gives the rules; check combat,"
    " supply and everything else yourself."
)


def check_text(check: Check, audit: Audit, options: ReportOptions) -> str:
    """The check as text. ``audit``: the part of the audit that its viewer may see."""
    writer = TextWriter(options.width, colour=options.colour)
    many_logs = sum(source.kind in ("log", "save") for source in audit.sources) > 1
    title = f"{audit.title}: " if audit.title else ""
    writer.title(f"{title}checked for {check.side}")
    how = check.procedure
    by = how.movement if how.movement == how.combat else f"{how.movement}, in combat {how.combat}"
    writer.labelled("procedure", f"{how.title}: what seals an error is the opponent's next {by}")
    if how.source:
        writer.labelled("source", how.source)
    writer.labelled("shows", viewer_text(options.viewer))
    for part in (check.own, *check.others):
        _part(writer, check, part, options, many_logs=many_logs)
    for why, number in audit.unjudged.items():
        writer.blank()
        writer.line(f"{counted(number, f'drag {why} is', f'drags {why} are')} not looked at.")
    if check.nobodys:
        writer.blank()
        moves = counted(check.nobodys, "move is", "moves are")
        writer.line(f"{moves} of a side that is not known, and not looked at.")
    if not check.decided:
        writer.blank()
        writer.line(judged_share(check.coverage))
    writer.blank()
    writer.line(LIMITS, style="dim")
    return writer.text()


def _part(
    writer: TextWriter, check: Check, part: Part, options: ReportOptions, *, many_logs: bool
) -> None:
    own = part.side == check.side
    if part.since is not None:
        since = (
            f"since the roll of {part.roller} in {steps_text((part.since,), many_logs=many_logs)}"
        )
    else:
        since = (
            "no opponent has rolled yet" if own else f"nobody has rolled against {part.side} yet"
        )
    writer.heading(
        f"{'Before you send' if own else 'Before you roll'}: what {part.side} did ({since})"
    )
    if part.moves:
        _checked(writer, part, options, many_logs=many_logs)
    else:
        writer.line("There is no move of units to check.", indent=2)
    for reason in part.others:
        moves = counted(len(reason.moves), "displacement")
        writer.line(f"{moves} not looked at: {reason.why}.", indent=2, hang=2)
    if part.found:
        writer.blank()
        writer.line(f"{counted(len(part.found), 'offence')} found:", indent=2, style="bold")
        for number, (offence, standing) in enumerate(part.found, 1):
            _offence(writer, part, number, offence, standing, many_logs=many_logs)
        for meant in to_correct(check, part):
            writer.line(f"To correct: {meant}", indent=2, hang=2)
    elif part.decided:
        writer.line("In what could be checked, nothing against the rules was found.", indent=2)
    for told in not_looked_at(part.audit.unlooked) if part.moves else ():
        writer.line(told, indent=2)
    _perhaps(writer, part.perhaps, options)


def _checked(writer: TextWriter, part: Part, options: ReportOptions, *, many_logs: bool) -> None:
    left = len(part.moves) - part.decided
    cannot = f"; {left} cannot be checked because this is not known:" if left else "."
    of = f"Checked {part.decided} of {counted(len(part.moves), 'move')}"
    writer.line(f"{of}{cannot}", indent=2)
    shown = part.reasons if options.verbose else part.reasons[:FEW_REASONS]
    for reason in shown:
        moves = [_move(part.audit, judged, many_logs=many_logs) for judged in reason.moves]
        _reason(writer, reason.why, moves, indent=4, verbose=options.verbose)
    rest = part.reasons[len(shown) :]
    if rest:
        others = sum(len(reason.moves) for reason in rest)
        writer.line(f"{others:>3}  for {counted(len(rest), 'more reason')} (--verbose)", indent=4)


def _reason(writer: TextWriter, why: str, said: list[str], *, indent: int, verbose: bool) -> None:
    """Why some moves cannot be checked, and which."""
    writer.line(f"{len(said):>3}  {why}", indent=indent, hang=5)
    more = 0 if verbose else len(said[FEW_EACH:])
    rest = f"; and {more} more" if more else ""
    writer.line("; ".join(said[: len(said) - more]) + rest, indent=indent + 5, style="dim")


def _move(audit: Audit, judged: JudgedMove, *, many_logs: bool) -> str:
    where = steps_text(judged.move.steps, many_logs=many_logs)
    return f"{unit_names(audit, judged)} {route(judged, path=False)} ({where})"


def _offence(
    writer: TextWriter,
    part: Part,
    number: int,
    offence: Offence,
    standing: Standing,
    *,
    many_logs: bool,
) -> None:
    where = steps_text(offence.finding.steps, many_logs=many_logs)
    whom = f"{', '.join(offence.names)}  ({where})"
    _accusation(writer, number, offence.finding, whom, part.audit.clauses)
    further = offence.findings[1:]
    if further:
        codes = ", ".join(dict.fromkeys(f.clause for f in further))
        writer.line(f"From it follows: {codes}.", indent=5)
    writer.line(as_sentence(standing.why), indent=5, style="bold")


def _accusation(
    writer: TextWriter, number: int, found: Finding, whom: str, clauses: Mapping[str, Clause]
) -> None:
    what = (f"{number}. {KIND_NAMES[found.kind]}", "bold red")
    writer.spans(what, (f"  {whom}", ""), indent=2, hang=3)
    writer.line(f"{as_sentence(found.explanation)}{_rule(clauses, found.clause)}", indent=5)


def _perhaps(writer: TextWriter, found: tuple[Finding, ...], options: ReportOptions) -> None:
    if not found:
        return
    writer.blank()
    writer.line("Not decided, because something is not known:", indent=2, style="bold")
    shown = found if options.verbose else found[:FEW_REASONS]
    for finding in shown:
        asked = f" ({finding.unknowns[0].question})" if finding.unknowns else ""
        writer.line(f"{finding.explanation}{asked}", indent=4, hang=2)
    if len(found) > len(shown):
        writer.line(f"and {len(found) - len(shown)} more (--verbose)", indent=4)


HOW = (
    "A save holds positions, not steps. Each unit that is not where the log left it is checked as if it had"
    " gone there in one move of this phase, by the cheapest path and as it is now. What combat did does not"
    " show: allow for it."
)


def midway_text(seen: Midway, title: str, options: ReportOptions) -> str:
    """A look at a save as text. ``title`` names the save and the log."""
    writer = TextWriter(options.width, colour=options.colour)
    writer.title(title)
    writer.labelled("shows", viewer_text(options.viewer))
    writer.blank()
    writer.line(HOW)
    writer.blank()
    _units_checked(writer, seen, verbose=options.verbose)
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
    """What to say, and to do next, if no counter is a unit or no unit that moved could be checked; ""
    otherwise."""
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


def _units_checked(writer: TextWriter, seen: Midway, *, verbose: bool) -> None:
    if not seen.moved and not seen.unitless:
        writer.line("No counter that the pack calls a unit went from one hex to another.")
    elif seen.moved:
        open_ones = [one for one in seen.moved if one.verdict == "unverifiable"]
        done = len(seen.moved) - len(open_ones)
        cannot = f"; {len(open_ones)} cannot be checked:" if open_ones else "."
        writer.line(f"Checked {done} of {counted(len(seen.moved), 'unit')} that moved{cannot}")
        groups = _by_reason(open_ones)
        for why, units in groups if verbose else groups[:FEW_REASONS]:
            _reason(writer, why, [*map(_way, units)], indent=2, verbose=verbose)
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
        _accusation(writer, number, one.findings[0], _way(one), seen.clauses)


def _stacks(writer: TextWriter, seen: Midway) -> None:
    if not seen.stacks:
        return
    writer.blank()
    writer.line("Too much in one hex now:", style="bold")
    for stack in seen.stacks:
        asked = f"; {stack.missing[0].question}" if stack.missing else ""
        held = f"{stack.hex}: {stack.least} {stack.measure} of {stack.side}, {stack.bound} allowed"
        writer.line(f"{held}{asked}.{_rule(seen.clauses, stack.clause)}", indent=2, hang=3)


def _rule(clauses: Mapping[str, Clause], name: str) -> str:
    clause = clauses.get(name)
    return f" {clause.text} ({name})" if clause is not None and clause.text else f" ({name})"
