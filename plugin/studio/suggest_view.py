"""The calls of the Suggest view: suggestions, sheets of cut-outs, and what somebody says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...model.problem import UmpireError
from ...model.provenance import Layer
from ...model.vouching import NOTHING
from ..looking import cutouts
from ..reading import Told as Progress
from .calls import Bytes, Call
from .session import Studio
from .suggest_area import area, area_picture
from .suggest_arguments import number_of, yes_in
from .suggest_desk import LAYERS, Desk, desk_of
from .suggest_lines import line_ends
from .suggest_looks import accept, blind_plain, look
from .suggest_sheets import empty_sides, sheet

JOB = "suggesting"
_PNG = "image/png"


def overview(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Where the work stands, by layer and kind."""
    studio.read_up()
    desk = desk_of(studio)
    with desk.lock:
        pack_board = desk.pack_board
        layers = [_layer_plain(desk, layer) for layer in LAYERS]
        checks = studio.pack.values.get("board", {}).get("checked", {})
        return {
            "pictures": [
                {
                    "title": plan.ground.title,
                    "hexes": len(plan.cells.names),
                    "sides": len(plan.cells.edges),
                }
                for plan in desk.plans
            ],
            "problems": [str(problem) for problem in desk.base.problems],
            "suggested": bool(desk.sheets),
            "sheets": [
                {
                    "title": sheet.title,
                    "fits": sheet.fits,
                    "off": sheet.off,
                    "mixed": [list(pair) for pair in sheet.mixed],
                    "strange": {layer: list(kinds) for layer, kinds in sheet.strange.items()},
                    "confused": {
                        layer: [list(pair) for pair in pairs]
                        for layer, pairs in sheet.confused.items()
                    },
                    "single": {layer: list(kinds) for layer, kinds in sheet.single.items()},
                    "silent": dict(sheet.silent),
                }
                for sheet in desk.sheets
            ],
            "layers": layers,
            "empty": len({cell.key.cell for cell in empty_sides(desk)}),
            "touching": desk.has_open_moves(),
            "checks": [{"id": name, **dict(check)} for name, check in checks.items()],
            "doubles": sum(1 for _ in desk.to_double(studio.who)) if studio.who else 0,
            "who": studio.who,
            "required": pack_board.required,
        }


def _layer_plain(desk: Desk, layer: Layer) -> dict[str, Any]:
    pack_board = desk.pack_board
    by_status: dict[str, Counter[str]] = {}
    for key, record in pack_board.records.items():
        if key.layer == layer and not key.name:
            by_status.setdefault(record.value, Counter())[record.status] += 1
    known = desk.known_counts(layer)
    fresh: dict[str, Counter[str]] = {}
    for one in desk.open_proposals(layer):
        fresh.setdefault(one.value, Counter())[one.confidence.name.lower()] += 1
    kinds = sorted({*by_status, *known, *fresh}, key=lambda k: (k == NOTHING, k))
    blind = desk.checked.get(layer)
    return {
        "layer": layer,
        "kinds": [
            {
                "kind": kind,
                "known": known[kind],
                "looked": sum(by_status.get(kind, Counter())[s] for s in ("looked-at", "double")),
                "unseen": sum(
                    by_status.get(kind, Counter())[s] for s in ("suggested", "imported", "filled")
                ),
                "sure": fresh.get(kind, Counter())["sure"],
                "unsure": fresh.get(kind, Counter())["unsure"],
                "unlike": fresh.get(kind, Counter())["unlike"],
            }
            for kind in kinds
        ],
        "ends": {
            k: n
            for k in kinds
            if layer == "lines" and k != NOTHING and (n := len(line_ends(desk, k)))
        },
        "checked": None if blind is None else blind_plain(blind),
    }


def run(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Suggest anew, in the background."""
    desk = desk_of(studio)

    def work(progress: Progress) -> None:
        desk.suggest(progress)
        studio.changed()

    return {"started": studio.jobs.begin(JOB, work)}


# -- sheets of cut-outs ----------------------------------------------------------------------------


def sprites(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The cut-outs of a sheet as one picture."""
    desk = desk_of(studio)
    side = number_of(body.get("side"), 96, cutouts.SMALLEST, cutouts.LARGEST)
    with desk.lock:
        shown, plans = desk.shown(body.get("sheet")), desk.plans
    cells = list(dict.fromkeys(cell.key.cell for cell in shown.cells))
    return Bytes(
        _PNG, cutouts.png(cutouts.sheet_of(plans, cells, side, marks=yes_in(body, "marks")))
    )


def one(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The cut-out of one cell."""
    desk, cell = desk_of(studio), str(body.get("cell", ""))
    side = number_of(body.get("side"), 160, cutouts.SMALLEST, cutouts.LARGEST)
    with desk.lock:
        plans = desk.plans
    if not any(cell in plan for plan in plans):
        raise UmpireError(f"no picture shows {cell}")
    image = cutouts.sheet_of(plans, [cell], side, marks=yes_in(body, "marks"))
    return Bytes(_PNG, cutouts.png(image.crop((0, 0, side, side))))


CALLS = (
    Call("GET", "/api/suggest", overview),
    Call("POST", "/api/suggest/run", run),
    Call("GET", "/api/suggest/sheet", sheet),
    Call("GET", "/api/suggest/sprites/{sheet}", sprites),
    Call("GET", "/api/suggest/cutout", one),
    Call("GET", "/api/suggest/area", area),
    Call("GET", "/api/suggest/area/{area}", area_picture),
    Call("POST", "/api/suggest/look", look, writes=True),
    Call("POST", "/api/suggest/accept", accept, writes=True),
)
