"""Rows below findings that all reports share, and the standing and rulings of offences in a game folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...importers.game_folder.folder import Ruling
from ...model.finding import ACCUSING, Audit, Finding, JudgedMove
from ...model.procedure import Ruled
from .phrases import asked_besides, counted, none_found, when
from .sections import Group, Section

GONE = "Rulings on offences no longer found"
NOBODY = "nobody has ruled on it"

Row = tuple[str, str]


def finding_rows(audit: Audit) -> Mapping[int, tuple[Row, ...]]:
    """Label and text of the rows below each finding, by its ``id()``: everything except who, where and
    when."""
    moves = {judged.move.id: judged for judged in audit.moves}
    ruled = _ruled_rows(audit)
    return {
        id(finding): (*_own_rows(audit, finding, moves), *ruled.get(index, ()))
        for index, finding in enumerate(audit.findings)
    }


def _own_rows(audit: Audit, finding: Finding, moves: Mapping[int, JudgedMove]) -> Iterator[Row]:
    """The rows on the finding itself: its rule, what was found, the remedy and what is open."""
    clause, earlier = audit.clauses.get(finding.clause), moves.get(finding.follows_from or 0)
    if clause is not None and clause.text:
        yield "rule", clause.text
    yield "found", finding.explanation
    if finding.remedy:
        yield "remedy", finding.remedy
    if finding.looked and audit.rulings is None:
        yield "map", " ".join(finding.looked)
    for unknown in finding.unknowns:
        yield "open", unknown.question
    if earlier is not None:
        steps = when(audit, earlier.move.steps)
        yield "note", f"this only follows from the finding on the move in {steps}"


def _ruled_rows(audit: Audit) -> Mapping[int, tuple[Row, ...]]:
    """The rows on the offence of each finding, by the finding's index; empty if the game is in no folder."""
    if audit.rulings is None:
        return {}
    found: dict[int, tuple[Row, ...]] = {}
    numbers = _numbers(audit)
    for one in audit.rulings.offences:
        for first, index in zip((True, *[False] * len(one.findings)), one.findings, strict=False):
            further = "offence", f"{one.offence}, ruled on as finding {numbers[one.findings[0]]}"
            found[index] = tuple(_rows(one)) if first else (further,)
    return found


def decisions(audit: Audit) -> Mapping[int, str]:
    """The ruling on the offence of a finding in a word or two, by the finding's index."""
    ruled = () if audit.rulings is None else audit.rulings.offences
    return {
        one.findings[0]: f"{one.decision}{': look again' if one.again else ''}"
        for one in ruled
        if one.decision and one.findings
    }


def ruling_text(one: Ruled) -> str:
    """The ruling as a sentence without a full stop."""
    if not one.decision:
        return NOBODY
    return decided(one) + ("; what was found has changed since: look again" if one.again else "")


def decided(one: Ruled | Ruling) -> str:
    """The decision and its reason; by whom and when if known."""
    by = ", ".join(part for part in (one.who, one.when) if part)
    return f"{one.decision}: {one.because}{f' ({by})' if by else ''}"


def in_sentences(audit: Audit) -> tuple[str, ...]:
    """How many offences there are, how many were ruled on, and the error procedure."""
    ruled = audit.rulings
    if ruled is None:
        return ()
    kinds = Counter(one.decision for one in ruled.offences if one.decision)
    said = ", ".join(f"{number} {decision}" for decision, number in kinds.items())
    bare = len(ruled.offences) - kinds.total()
    parts = [*([said] if said else []), *([f"{bare} without a ruling"] if bare else [])]
    count = counted(len(ruled.offences), "offence")
    if not ruled.offences:
        count = f"Offences: {none_found(audit.coverage, asked=asked_besides(audit))}"
    again = sum(one.again for one in ruled.offences)
    more = f" Look again at {counted(again, 'ruling')}." if again else ""
    return (
        f"{count}{': ' if parts else ''}{', '.join(parts)}.{more}",
        f"Error procedure: {ruled.procedure}.",
    )


def gone_lines(audit: Audit) -> tuple[Row, ...]:
    """Rulings on offences that are no longer found: id and text."""
    gone = () if audit.rulings is None else audit.rulings.gone
    return tuple((one.offence, ruling_text(one)) for one in gone)


def gone_section(audit: Audit) -> Section | None:
    """The same as a section; None if there is nothing."""
    lines = tuple((f"{name} {text}", "") for name, text in gone_lines(audit))
    return Section(GONE, "", (Group("", (lines,)),)) if lines else None


def _rows(one: Ruled) -> list[Row]:
    rows = [("offence", one.offence)]
    if one.standing is not None:
        rows.append(("standing", one.standing.why))
    rows.append(("ruling", ruling_text(one)))
    return [*rows, *([("map", " ".join(one.looked))] if one.looked else [])]


def _numbers(audit: Audit) -> dict[int, int]:
    """The number in reports of each accusing finding, by its index."""
    accusing = [n for n, finding in enumerate(audit.findings) if finding.kind in ACCUSING]
    return {index: number for number, index in enumerate(accusing, 1)}
