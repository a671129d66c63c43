"""The view of questions and findings."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from ...model.finding import Audit
from ...model.problem import UmpireError
from ...validators.allowed_facts import AllowedFacts, TellsAllowedFacts
from ..art import centres_of
from ..auditing import ruleset_for
from ..names import words_for
from ..reports.phrases import all_clear, asked_besides
from ..reports.sheet import Sheet
from ..reports.staging import Art, stage
from .calls import Call
from .cells_asked import asked_for
from .core_calls import maps_of
from .findings_rows import finding_json, findings_json
from .kept import Kept
from .questions import Choices, Waiting, answer, question_json, waiting_of
from .rules_forms import RulesForms
from .rules_view import forms_of
from .session import Studio
from .units_view import sides_of

_SHEETS: Kept[Sheet] = Kept()
_STAMPS: Kept[str] = Kept()
PAGE = 50
"""Questions that are told at once."""


def findings(studio: Studio, body: Mapping[str, Any]) -> Any:
    """What was found, in short; ``same`` if the page has (``have``) just that."""
    stamp, sheet = audit_stamp(studio), sheet_of(studio)
    if body.get("have") == stamp:
        return {"same": True}
    if sheet is None:
        return {"stamp": stamp, "judged": False, "findings": [], "kinds": [], "players": []}
    clear = all_clear(sheet.audit.coverage, asked=asked_besides(sheet.audit))
    return {"stamp": stamp, "judged": True, "clear": clear, **findings_json(sheet)}


def audit_stamp(studio: Studio) -> str:
    """Another text for every audit."""
    audit = studio.audit
    if audit is None:
        return "not judged"
    return _STAMPS.get(studio, None, audit, lambda: token_hex(8))


def finding(studio: Studio, body: Mapping[str, Any]) -> Any:
    """All of one finding, with its drawing and where the map's own picture is to be had. ``stamp``: of which
    audit it is."""
    stamp, sheet, number = audit_stamp(studio), sheet_of(studio), str(body["number"])
    found = None
    if sheet is not None and number.isascii() and number.isdigit() and len(number) < 8:
        found = finding_json(sheet, int(number))
    if found is None:
        raise UmpireError(f"there is no finding {number}")
    picture = found["picture"]
    maps = maps_of(studio)
    if picture is not None and picture["map"] in maps:
        tiling = studio.pictures.tiling(picture["map"])
        picture["tiles"] = tiling.plain(f"/api/tile/{maps.index(picture['map'])}")
    return {**found, "stamp": stamp}


def questions(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Open questions, those that decide most first, from number ``from`` on; ``same`` if the page has
    (``have``) just those."""
    stamp = audit_stamp(studio)
    if body.get("have") == stamp:
        return {"same": True}
    waiting = _waiting(studio)
    start = str(body.get("from", "0"))
    first = int(start) if start.isascii() and start.isdigit() and len(start) < 8 else 0
    choices = _choices(studio, _forms(studio))
    return {
        "stamp": stamp,
        "judged": studio.audit is not None,
        "open": open_moves(studio.audit),
        "all": len(waiting),
        "cells": _cells_asked(studio),
        "from": first,
        "questions": [question_json(one, choices) for one in waiting[first : first + PAGE]],
    }


def answered(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The edits that write an answer down, or what is wrong with it."""
    key, given = body.get("key"), body.get("values")
    one = next((one for one in _waiting(studio) if one.unknown.key == key), None)
    if one is None:
        raise UmpireError("this is no open question any more")
    forms = _forms(studio)
    told = answer(
        one,
        given if isinstance(given, dict) else {},
        _choices(studio, forms),
        {} if forms is None else forms.values,
        (lambda _: ()) if forms is None else forms.all_faults,
    )
    return {"edits": list(told.edits), "error": told.error}


def open_moves(audit: Audit | None) -> int:
    """How many moves nobody can decide yet."""
    moves = () if audit is None else audit.moves
    return sum(move.judged and move.verdict == "unverifiable" for move in moves)


def _cells_asked(studio: Studio) -> int:
    """How many hexes and hexsides open moves ask for."""
    if studio.audit is None or studio.opened is None:
        return 0
    return len({one["cell"] for one in asked_for(studio.audit, studio.opened.game.board)})


def _waiting(studio: Studio) -> list[Waiting]:
    return [] if studio.audit is None else waiting_of(studio.audit)


def _forms(studio: Studio) -> RulesForms | None:
    try:
        return forms_of(studio)
    except UmpireError:
        return None


def _choices(studio: Studio, forms: RulesForms | None) -> Choices:
    if studio.opened is None or forms is None:
        return Choices()
    game = studio.opened.game
    ruleset, _ = ruleset_for(game, None)
    in_force = ruleset.in_force(game)
    told = in_force.allowed_facts() if isinstance(in_force, TellsAllowedFacts) else AllowedFacts()
    readings = [one for clause in ruleset.clauses().values() for one in clause.readings]
    return Choices(
        allowed=told,
        words=words_for(studio.pack) or {},
        sides=sides_of(studio),
        phases=tuple(game.phases),
        forms=tuple(game.forms),
        options={one.option: one.choices for one in readings},
        pack=forms.maker,
    )


def sheet_of(studio: Studio) -> Sheet | None:
    """The findings with where they lie; None where nothing is judged yet."""
    audit, opened = studio.audit, studio.opened
    if audit is None or opened is None or opened.backdrop is None:
        return None

    def make() -> Sheet:
        back = opened.backdrop
        assert back is not None
        art = Art(centres=centres_of(back.pack, back.layouts))
        scene = stage(opened.game, studio.viewer, art)
        return Sheet(audit, scene, many_logs=len(studio.evidence.logs) > 1)

    return _SHEETS.get(studio, studio.viewer, audit, make)


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/findings", findings),
    Call("GET", "/api/findings/{number}", finding),
    Call("GET", "/api/questions", questions),
    Call("POST", "/api/questions/answer", answered),
)
