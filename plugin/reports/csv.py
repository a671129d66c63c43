"""The report for spreadsheets: one table; the column ``record`` names the kind of each row.

Amounts with an exact decimal form are decimals (``3.5``), others fractions (``7/3``). Text from input files
never begins a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain

from ... import __version__
from ...model.bill import Amount, Bill
from ...model.finding import Audit, PhaseView
from ...model.procedure import Ruled, Rulings
from ..printable import cell
from ..seal import BLANK
from .phrases import headline, vouching, when
from .report import Report, ReportOptions
from .routes import unit_names
from .suspects import cells_of, changed_text, suspect_text, would_be

COLUMNS = (
    "record",
    "number",
    "kind",
    "verdict",
    "code",
    "rule",
    "units",
    "from",
    "to",
    "path",
    "due",
    "allowance",
    "short",
    "declared",
    "unit",
    "player",
    "side",
    "turn",
    "phase",
    "active",
    "steps",
    "moves",
    "text",
    "remedy",
    "open",
    "offence",
    "standing",
    "ruling",
    "because",
    "who",
    "when",
)
"""The columns in order; new ones are added at the end."""


def _render(audit: Audit, options: ReportOptions) -> str:
    found = _findings(audit)
    rows = chain(
        _about(audit, options),
        _suspects(audit),
        _moves(audit),
        found,
        _suspected(audit),
        _gone(audit),
    )
    return _table(chain([dict(zip(COLUMNS, COLUMNS, strict=True))], rows))


def _table(rows: Iterable[Mapping[str, str]]) -> str:
    written = io.StringIO()
    table = csv.DictWriter(written, COLUMNS, restval="", lineterminator="\r\n")
    for row in rows:
        table.writerow({key: cell(value) for key, value in row.items()})
    return written.getvalue()


def _about(audit: Audit, options: ReportOptions) -> Iterator[dict[str, str]]:
    about = {
        "umpire": __version__,
        "title": audit.title,
        "ruleset": f"{audit.ruleset} {audit.ruleset_version}".strip(),
        **dict(vouching(audit)),
        "eyes": options.viewer,
        "coverage": headline(audit),
    }
    for kind, text in about.items():
        yield {"record": "about", "kind": kind, "text": text}
    if audit.rulings is not None:
        yield {"record": "about", "kind": "procedure", "text": audit.rulings.procedure}
    for source in audit.sources:
        text = f"{source.file} {source.version}".strip()
        yield {"record": "source", "kind": source.kind, "text": text, "code": source.sha256}
    for key, value in sorted(audit.readings.items()):
        yield {"record": "reading", "kind": key, "text": value}


def _moves(audit: Audit) -> Iterator[dict[str, str]]:
    for judged in audit.moves:
        move = judged.move
        yield {
            "record": "move",
            "number": str(move.id),
            "kind": judged.form,
            "verdict": judged.verdict if judged.judged else "not judged",
            "units": unit_names(audit, judged),
            "from": str(move.origin),
            "to": str(move.target),
            "path": " ".join(judged.path),
            **_bill(judged.bill),
            "player": move.player,
            "side": move.actor or "",
            **_phase(move.phase),
            "steps": when(audit, move.steps),
            "text": judged.remark,
            "open": "; ".join(u.question for u in judged.unknowns),
        }


def _findings(audit: Audit) -> Iterator[dict[str, str]]:
    ruled = {} if audit.rulings is None else _by_finding(audit.rulings)
    for number, finding in enumerate(audit.findings, 1):
        clause = audit.clauses.get(finding.clause)
        yield {
            "record": "finding",
            "number": str(number),
            "kind": finding.kind,
            "verdict": finding.verdict,
            "code": finding.code,
            "rule": clause.title if clause is not None else "",
            "units": ", ".join(finding.names),
            "path": " ".join(finding.hexes),
            **_bill(finding.bill),
            "player": finding.player,
            "side": finding.side or "",
            **_phase(finding.phase),
            "steps": when(audit, finding.steps),
            "moves": " ".join(map(str, finding.moves)),
            "text": finding.explanation,
            "remedy": finding.remedy,
            "open": "; ".join(u.question for u in finding.unknowns),
            **ruled.get(number - 1, {}),
        }


def _by_finding(rulings: Rulings) -> dict[int, dict[str, str]]:
    """The cells about the offence of a finding, by the finding's index. Only the first finding of an offence
    has the cells of standing and ruling."""
    found: dict[int, dict[str, str]] = {}
    for one in rulings.offences:
        for index in one.findings:
            found[index] = {"offence": one.offence}
        if one.findings:
            found[one.findings[0]] = _ruling(one)
    return found


def _ruling(one: Ruled) -> dict[str, str]:
    return {
        "offence": one.offence,
        "standing": "" if one.standing is None else one.standing.why,
        "ruling": f"{one.decision}{': look again' if one.again else ''}",
        "because": one.because,
        "who": one.who,
        "when": one.when,
    }


def _gone(audit: Audit) -> Iterator[dict[str, str]]:
    """Rulings on offences that are no longer found."""
    for one in () if audit.rulings is None else audit.rulings.gone:
        yield {"record": "no longer found", **_ruling(one)}


def _suspected(audit: Audit) -> Iterator[dict[str, str]]:
    """Findings that would follow if suggestions were true; they are not counted as findings."""
    for number, one in enumerate(audit.suspicions, 1):
        finding = one.finding
        yield {
            "record": "as suggested",
            "number": str(number),
            "kind": finding.kind,
            "code": finding.code,
            "units": ", ".join(finding.names),
            "path": " ".join(finding.hexes),
            "steps": when(audit, finding.steps),
            "moves": " ".join(map(str, finding.moves)),
            "text": f"{would_be(one)}; {finding.explanation}",
            "open": "; ".join(cells_of(one, verbose=True)),
        }


def _suspects(audit: Audit) -> Iterator[dict[str, str]]:
    """Facts of the pack that findings depend on; they are not findings."""
    for number, one in enumerate(audit.suspects, 1):
        yield {
            "record": "look first",
            "number": str(number),
            "kind": one.fact.kind,
            "player": " and ".join(one.players),
            "side": " and ".join(one.sides),
            "text": f"{one.fact}: {suspect_text(one)}",
        }
    for number, changed in enumerate(audit.changed, 1):
        yield {"record": "changed", "number": str(number), "text": changed_text(changed)}


def _phase(at: PhaseView) -> dict[str, str]:
    return {"turn": at.turn or "", "phase": at.phase or "", "active": at.active or ""}


def _bill(bill: Bill | None) -> dict[str, str]:
    if bill is None:
        return {}
    return {
        "due": _amount(bill.total),
        "allowance": _amount(bill.allowance),
        "short": _number(bill.shortfall),
        "declared": _amount(bill.declared),
        "unit": bill.unit,
    }


def _amount(amount: Amount | None) -> str:
    if amount is None:
        return ""
    if amount.is_exact:
        return _number(amount.lo)
    return (
        f"{_number(amount.lo)} or more"
        if amount.hi is None
        else f"{_number(amount.lo)} to {_number(amount.hi)}"
    )


def _number(value: Fraction) -> str:
    """``3.5`` if that is exact, else ``7/3``."""
    scaled = value * 10_000
    if scaled.denominator != 1:
        return str(value)
    whole, rest = divmod(abs(scaled.numerator), 10_000)
    digits = f"{rest:04}".rstrip("0")
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def _with_blank(text: str) -> str:
    """The table with a last row ``seal``, whose text is left blank."""
    return f"{text}{_table([{'record': 'seal', 'text': BLANK}])}"


REPORT = Report("csv", ".csv", _render, with_blank=_with_blank)
