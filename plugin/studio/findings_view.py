"""The calls of the Findings view: questions, findings, and looks at parts of the map that a question asks
for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from ...importers.pack.edit.change import record_edit
from ...importers.pack.provenance import moment
from ...model.fact import MissingFact
from ...model.finding import Audit
from ...model.problem import UmpireError
from ...model.provenance import Method, Record
from ...model.seen import cells_of_look
from ...model.vouching import values_of
from ...validators.allowed_facts import AllowedFacts, TellsAllowedFacts
from ..auditing import ruleset_for
from ..reports.phrases import all_clear, asked_besides
from ..reports.question_groups import FIRST, OpenQuestion, QuestionGroup
from ..reports.sheet import Sheet
from ..reports.staging import Art, stage
from ..ruleset_needs import words_for
from .calls import Call, whole
from .cells_wanted import asked_for
from .core_calls import maps_of
from .findings_rows import finding_json, findings_json, picture_of
from .questions import Choices, Waiting, answer, groups_of, question_json, waiting_of, whole_of
from .rules_forms import RulesForms
from .rules_view import forms_of
from .session import Studio
from .suggest_cells import who_in
from .units_view import sides_of

HOW = "the studio's cut-out of a move, overlay off and on"
FEW = 5
"""Maximum number of questions of a group that are sent at once."""


def findings(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The findings in short; ``same`` if the page already has them (``have``)."""
    stamp, sheet = audit_stamp(studio), sheet_of(studio)
    if body.get("have") == stamp:
        return {"same": True}
    if sheet is None:
        return {"stamp": stamp, "judged": False, "findings": [], "kinds": [], "players": []}
    clear = all_clear(sheet.audit.coverage, asked=asked_besides(sheet.audit))
    return {"stamp": stamp, "judged": True, "clear": clear, **findings_json(sheet)}


def audit_stamp(studio: Studio) -> str:
    """A text that is different for every audit."""
    audit = studio.audit
    if audit is None:
        return "not judged"
    return studio.kept("stamp", lambda: token_hex(8), audit)


def finding(studio: Studio, body: Mapping[str, Any]) -> Any:
    """One finding with its drawing and the address of the map's picture. ``stamp``: its audit."""
    stamp, sheet, number = audit_stamp(studio), sheet_of(studio), whole(body["number"], 7)
    found = None if sheet is None or number is None else finding_json(sheet, number)
    if found is None:
        raise UmpireError(f"there is no finding {body['number']}")
    picture = found["picture"]
    if picture is not None:
        picture |= _tiles(studio, picture["map"])
    return {**found, "stamp": stamp}


def _tiles(studio: Studio, of_map: str) -> dict[str, Any]:
    """The address of a map's picture, as ``tiles``; empty if the pack has no sheet on the map."""
    maps = maps_of(studio)
    if of_map not in maps:
        return {}
    tiling = studio.pictures.tiling(of_map)
    return {"tiles": tiling.plain(f"/api/tile/{maps.index(of_map)}")}


def questions(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Open questions in groups, from group ``from`` on, those that decide most first; with ``group``, the
    questions of that group from number ``from`` on. ``same`` if the page already has them (``have``)."""
    stamp, audit = audit_stamp(studio), studio.audit
    if body.get("have") == stamp:
        return {"same": True}
    groups = _groups(studio, audit)
    choices, number = _choices(studio, _forms(studio)), whole(body.get("group"), 7)
    first = whole(body.get("from"), 7) or 0

    def plain(asked: Sequence[OpenQuestion]) -> list[dict[str, Any]]:
        assert audit is not None
        return [question_json(waiting_of(audit, one), choices) for one in asked[:FEW]]

    def group(place: int, one: QuestionGroup) -> dict[str, Any]:
        settled = None if audit is None else whole_of(audit, one)
        return {
            "number": place,
            "key": " ".join(one.topic),
            "text": one.text,
            "decides": one.decides,
            "chart": "lacks" if one.how else "",
            "whole": settled and question_json(settled, choices),
            "all": len(one.questions),
            "questions": plain(one.questions),
        }

    if number is not None:
        of = groups[number].questions if number < len(groups) else ()
        return {"stamp": stamp, "questions": plain(of[first:])}
    return {
        "stamp": stamp,
        "judged": audit is not None,
        "open": open_moves(audit),
        "all": len(groups),
        "cells": _cells_asked(studio),
        "groups": [group(*entry) for entry in enumerate(groups[first : first + FIRST], first)],
    }


def answered(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The edits that write an answer, or the error in it."""
    given = body.get("values")
    one = _open(studio, body.get("key"))
    forms = _forms(studio)
    told = answer(
        one,
        given if isinstance(given, dict) else {},
        _choices(studio, forms),
        {} if forms is None else forms.values,
        (lambda _: ()) if forms is None else forms.all_faults,
    )
    return told.plain()


def open_moves(audit: Audit | None) -> int:
    """The number of open moves."""
    moves = () if audit is None else audit.moves
    return sum(move.judged and move.verdict == "unverifiable" for move in moves)


def _cells_asked(studio: Studio) -> int:
    """How many hexes and hexsides open moves ask for."""
    if studio.audit is None or studio.opened is None:
        return 0
    return len({one["cell"] for one in asked_for(studio.audit, studio.opened.game.board)})


def _groups(studio: Studio, audit: Audit | None) -> tuple[QuestionGroup, ...]:
    return () if audit is None else studio.kept("questions", lambda: groups_of(audit), audit)


def _open(studio: Studio, key: object) -> Waiting:
    """The open question of a ``key``. Raises UmpireError if there is none."""
    if (audit := studio.audit) is not None:
        for group in _groups(studio, audit):
            found = whole_of(audit, group)
            if found is not None and found.unknown.key == key:
                return found
            for one in group.questions:
                if one.unknown.key == key:
                    return waiting_of(audit, one)
    raise UmpireError("this question is no longer open")


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
    """The findings with their places; None if nothing is judged yet."""
    audit, opened = studio.audit, studio.opened
    if audit is None or opened is None or opened.backdrop is None:
        return None

    def make() -> Sheet:
        back = opened.backdrop
        assert back is not None
        art = Art(centres=back.centres())
        scene = stage(opened.game, studio.viewer, art)
        return Sheet(audit, scene, many_logs=len(studio.evidence.logs) > 1)

    return studio.kept("findings", make, audit, key=studio.viewer)


# -- one look at one cut-out of the map --------------------------------------------------------------


def cut_out(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The part of the map that a question asks to look at, as a drawing; null if its hexes are on no map."""
    asked, sheet = _asked(studio, body), sheet_of(studio)
    crop = None if sheet is None else sheet.atlas.crop(asked.look, 0)
    if sheet is None or crop is None:
        return {"picture": None}
    picture = {**picture_of(sheet, crop), **_tiles(studio, sheet.scene.maps[crop.map].name)}
    return {"picture": {**picture, "look": list(asked.look), "counters": []}}


def looked(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Record that a person compared a part of the map with the pack and found all of it right."""
    asked, who, opened = _asked(studio, body), who_in(studio), studio.opened
    if body.get("switched") is not True:
        raise UmpireError("switch the overlay off and on again before you say that it is right")
    if opened is None:
        raise UmpireError("no game is open")
    cells = cells_of_look(opened.game.board, asked.look)
    held = {record.key: record for record in studio.pack.records}
    seen = opened.game.seen or frozenset()
    when, method = moment(), Method(studio.by, HOW)
    edits = [
        record_edit(key, held.get(key), Record(key, value, "looked-at", (who,), when, method))
        for key, value in values_of(opened.game.board).items()
        if key.cell in cells and key not in seen
    ]
    refused = len(studio.edit(edits, f"a look at {len(asked.look)} hexes").refused) if edits else 0
    return {"looked": len(edits) - refused, "refused": refused}


def _asked(studio: Studio, body: Mapping[str, Any]) -> MissingFact:
    found = _open(studio, body.get("key")).unknown
    if not found.look:
        raise UmpireError("this question is no longer open")
    return found


CALLS: tuple[Call, ...] = (
    Call("GET", "/api/findings", findings),
    Call("GET", "/api/findings/{number}", finding),
    Call("GET", "/api/questions", questions),
    Call("POST", "/api/questions/answer", answered),
    Call("GET", "/api/look", cut_out),
    Call("POST", "/api/look", looked, writes=True),
)
