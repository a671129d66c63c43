"""The JSON report (its schema: ``umpire schema report``). The same audit gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from ... import __version__
from ...model.bill import Bill
from ...model.coverage import Coverage
from ...model.fact import MissingFact
from ...model.finding import Audit, Finding, JudgedMove
from ...model.integrity import Integrity, Tally
from ...model.problem import Problem
from ...model.procedure import Ruled, Rulings, Standing
from ...model.reveal import Revealed
from ...model.schemas import published
from ..json_text import document_text, picked, plain
from ..seal import in_json
from .overdrawn import overdrawn_moves
from .phrases import headline, pack_of
from .report import FINDING_KINDS, Report, ReportOptions
from .shares import verdict_counts

FORMAT = "vassal-umpire report"
VERSION = 1


def document(audit: Audit, options: ReportOptions) -> dict[str, Any]:
    """The report as plain JSON values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "umpire": __version__,
        "title": audit.title,
        "ruleset": {"name": audit.ruleset, "version": audit.ruleset_version},
        "pack": _pack(audit),
        **_suspected(audit),
        **_as_suggested(audit),
        "eyes": options.viewer,
        "sources": [_part("sources", source) for source in audit.sources],
        "readings": dict(sorted(audit.readings.items())),
        "summary": summary(audit),
        "coverage": {"said": headline(audit), **coverage_plain(audit.coverage)},
        "moves": [_move(m, audit) for m in audit.moves if m.judged],
        "not_judged": [_move(m, audit) for m in audit.moves if not m.judged],
        "findings": [_finding(f, audit) for f in audit.findings],
        **_done(audit),
        **_integrity(audit.integrity),
        **_revealed(audit.revealed),
        **_rulings(audit.rulings),
        "unknowns": _unknowns(audit),
        **_overdrawn(audit, options),
        "clauses": _clauses(audit),
        "problems": problems_plain(audit.problems),
    }


def _done(audit: Audit) -> dict[str, Any]:
    """The keys of a report in which nothing is decided."""
    if audit.coverage.decided:
        return {}
    chat = [{"step": str(c.at), "player": c.player, "text": c.text} for c in audit.chat]
    return {"chat": chat, "next_step": audit.next_step}


def _pack(audit: Audit) -> dict[str, Any]:
    """Who vouches for the pack, and what it switches off."""
    pack = pack_of(audit)
    name = None if pack is None else pack.version or pack.file
    vouched_by = None if pack is None else pack.vouched_by or None
    assumes = [] if pack is None else list(pack.assumes)
    return {"name": name, "vouched_by": vouched_by, "assumes": assumes, "off": list(audit.off)}


def _as_suggested(audit: Audit) -> dict[str, Any]:
    """Findings that would follow if suggestions were true, if there are any; kept apart from the findings."""
    if not audit.suspicions:
        return {}
    return {
        "as_suggested": [
            {
                "would_be": _finding(one.finding, audit),
                **({"look": list(one.look)} if one.look else {}),
                "cells": [
                    {**plain(cell.key), **picked(cell, "value status")} for cell in one.cells
                ],
            }
            for one in audit.suspicions
        ]
    }


def _overdrawn(audit: Audit, options: ReportOptions) -> dict[str, Any]:
    """Open moves beyond an ordinary one, if wanted and there are any; kept apart from the findings."""
    found = overdrawn_moves(audit) if options.overdrawn else ()
    told = [{"move": one.judged.move.id, "said": one.line} for one in found]
    return {"overdrawn": told} if told else {}


def _suspected(audit: Audit) -> dict[str, Any]:
    """Suspected and changed facts of the pack, if any; kept apart from the findings."""
    found = {
        "suspects": [one.plain() for one in audit.suspects],
        "changed": [one.plain() for one in audit.changed],
    }
    return {name: told for name, told in found.items() if told}


def summary(audit: Audit) -> dict[str, Any]:
    """The number of judged moves by verdict, and of findings by kind, also by player."""
    verdicts = verdict_counts(audit.moves)
    judged = sum(verdicts.values())
    players = sorted(
        {(f.player, f.side or "", f.side) for f in audit.findings}, key=lambda p: p[:2]
    )
    return {
        "moves": judged,
        "not_judged": len(audit.moves) - judged,
        "verdicts": verdicts,
        "findings": count_kinds(audit.findings),
        "players": [
            {
                "player": player,
                "side": side,
                "findings": count_kinds(
                    f for f in audit.findings if (f.player, f.side) == (player, side)
                ),
            }
            for player, _, side in players
        ],
    }


@cache
def _keys(part: str) -> Mapping[str, bool]:
    """The keys of a part of a report by its schema, and whether they are required."""
    plain = published("report").plain
    schema = plain["$defs"].get(part) or plain["properties"][part]
    schema = schema.get("items") or schema.get("additionalProperties") or schema
    return {key: key in schema["required"] for key in schema["properties"]}


def _part(part: str, *values: object, **own: Any) -> dict[str, Any]:
    """A part of a report: its keys, each with its value in ``own``, else the attribute of the same name of
    the first of ``values`` that has it. Keys that are empty and not required are left out."""
    found = {
        key: own[key]
        if key in own
        else plain(next(getattr(value, key) for value in values if hasattr(value, key)))
        for key in _keys(part)
    }
    return {key: told for key, told in found.items() if told or _keys(part)[key]}


def coverage_plain(found: Coverage) -> dict[str, Any]:
    """A coverage as plain JSON values."""
    return picked(found, "drags legal illegal open not_decided=reasons not_movement=passed")


def problems_plain(found: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems as plain JSON values."""
    return [_part("problems", problem) for problem in found]


def count_kinds(findings: Iterable[Finding]) -> dict[str, int]:
    """The number of findings by kind; every kind is a key."""
    kinds: list[str] = [f.kind for f in findings]
    return {kind: kinds.count(kind) for kind in FINDING_KINDS}


def unknowns_of(audit: Audit) -> dict[str, tuple[MissingFact, list[int]]]:
    """The missing facts by key, each with the moves that wait for it."""
    found: dict[str, tuple[MissingFact, list[int]]] = {}

    def note(unknowns: tuple[MissingFact, ...], moves: Iterable[int]) -> None:
        for unknown in unknowns:
            waiting = found.setdefault(unknown.key, (unknown, []))[1]
            waiting.extend(move for move in moves if move not in waiting)

    for judged in audit.moves:
        note(judged.unknowns, (judged.move.id,))
    for finding in audit.findings:
        note(finding.unknowns, finding.moves)
    return found


def _move(judged: JudgedMove, audit: Audit) -> dict[str, Any]:
    move = judged.move
    return _part(
        "move",
        judged,
        move,
        units=[{"id": unit, "name": audit.names.get(unit, "")} for unit in move.units],
        waypoints=[
            {"place": plain(place), "binding": binding}
            for place, binding in zip(move.waypoints, move.binding, strict=False)
        ],
        verdict=judged.verdict if judged.judged else None,
        bill=_bill(judged.bill),
        unknowns=[u.key for u in judged.unknowns],
        **picked(move, "from=origin to=target"),
    )


def _finding(finding: Finding, audit: Audit) -> dict[str, Any]:
    given = dict(zip(finding.units, finding.names, strict=False))
    return _part(
        "finding",
        finding,
        units=[
            {"id": unit, "name": given.get(unit) or audit.names.get(unit, "")}
            for unit in finding.units
        ],
        bill=_bill(finding.bill),
        unknowns=[u.key for u in finding.unknowns],
    )


def _unknowns(audit: Audit) -> dict[str, Any]:
    found = sorted(unknowns_of(audit).items())
    return {key: _part("unknowns", asked, moves=moves) for key, (asked, moves) in found}


def cited_in(audit: Audit) -> frozenset[str]:
    """Every clause that a finding or a bill names."""
    bills = [m.bill for m in audit.moves] + [f.bill for f in audit.findings]
    charges = (c for bill in bills if bill is not None for c in (*bill.charges, bill.credit) if c)
    named = (name for f in audit.findings for name in (f.clause, f.code))
    return frozenset((*(charge.clause for charge in charges), *named))


def _clauses(audit: Audit) -> dict[str, Any]:
    """The cited clauses only: a ruleset has many."""
    cited = cited_in(audit)
    return {key: _part("clauses", c) for key, c in sorted(audit.clauses.items()) if key in cited}


def _bill(bill: Bill | None) -> dict[str, Any] | None:
    if bill is None:
        return None
    return {
        "charges": [_part("charge", c) for c in bill.charges],
        **picked(bill, "total allowance shortfall unit declared"),
        **({"credit": picked(bill.credit, "amount clause")} if bill.credit else {}),
    }


def _integrity(found: Integrity | None) -> dict[str, Any]:
    """The integrity of the game; empty if it was not requested."""
    if found is None:
        return {}
    told: dict[str, Any] = {
        **picked(found, "from_logs traces"),
        "rolls": [
            {
                **plain(roll.at),
                **picked(roll, "player side dice results"),
                "kind": roll.kind or None,
                **picked(roll, "sides said taken_back=undone"),
            }
            for roll in found.rolls
        ],
        "ledger": [
            {**picked(one, "player side kind rolls"), "results": list(_results(one))}
            for one in found.tallies
        ],
        "not_read": [{"player": player, "rolls": number} for player, number in found.unread],
    }
    if found.tests is not None:
        told["tests"] = [
            {
                **plain(test),
                "chi_square": round(test.chi_square, 6),
                "p": round(test.p, 9),
                "adjusted": round(test.adjusted, 9),
            }
            for test in found.tests
        ]
    return {"integrity": told}


def _results(tally: Tally) -> Iterator[dict[str, Any]]:
    for (side, count), (_, chance) in zip(tally.counts, tally.chances, strict=True):
        named = {"name": tally.names[side - 1]} if 0 < side <= len(tally.names) else {}
        yield {"result": side, "count": count, "chance": chance, **named}


def _revealed(found: Revealed | None) -> dict[str, Any]:
    """What was hidden or masked; empty if it was not requested."""
    if found is None:
        return {}
    concealed = [
        {
            "unit": {"id": one.unit, "name": one.name},
            **picked(one, "side kind from=to shown_as=by_name first last seen_last=seen"),
            "places": [{**plain(at), "place": place} for at, place in one.places],
            **picked(one, "known_again=again differs moves"),
        }
        for one in found.concealed
    ]
    announced = [
        {
            **plain(one.at),
            "unit": {"id": one.unit, "name": one.name},
            **picked(one, "player line hexes place"),
        }
        for one in found.announced
    ]
    return {"revealed": {"concealed": concealed, "announced": announced}}


def _rulings(ruled: Rulings | None) -> dict[str, Any]:
    """Rulings on the offences; empty if the game is in no folder."""
    if ruled is None:
        return {}
    told = {
        **picked(ruled, "game=title procedure"),
        "offences": [_ruled(one) for one in ruled.offences],
        "no_longer_found": [_ruled(one) for one in ruled.gone],
    }
    return {"rulings": told}


def _ruled(one: Ruled) -> dict[str, Any]:
    ruling = picked(one, "decision because who when look_again=again")
    standing = standing_plain(one.standing)
    return _part("ruled", one, standing=standing, ruling=ruling if one.decision else None)


def standing_plain(standing: Standing | None) -> dict[str, Any] | None:
    """The standing of an offence (until when it can be corrected) as plain JSON values."""
    return None if standing is None else picked(standing, "state at why")


def _render(audit: Audit, options: ReportOptions) -> str:
    return document_text(document(audit, options))


REPORT = Report("json", ".json", _render, with_blank=in_json)
