"""The calls of the Suggest view: suggestions, sheets of cut-outs, areas of the map, and looks at them. Each
sheet begins with the cells to look at first."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Any

from ...model.board import Edge, edge
from ...model.problem import UmpireError
from ...model.provenance import BY_EYE, KNOWN, Key, Layer
from ...model.vouching import NOTHING, cell_of
from ..looking import cutouts
from ..looking.blind import MANY
from ..looking.line_ends import led_to, stops_short
from ..looking.pack_board import SIDE_LAYERS
from ..looking.proposals import Proposal
from ..reading import Told as Progress
from ..suggest.confidence import Confidence
from .calls import Bytes, Call
from .pictures import PNG
from .session import Studio
from .suggest_cells import LAYERS, Cell, Shown, cell_plain, layer_of, number_of, who_in, yes_in
from .suggest_desk import UNSEEN, Desk, desk_of
from .suggest_looks import accept, look

MOST_ON_SHEET = 200
"""Cut-outs on one screen."""
MOST_EMPTY = 400
"""Cut-outs on a screen that only asks whether they are empty."""
WEAK = 40
"""This many of the sixty examples on a further sheet are cells with uncertain suggestions."""


def sheet(studio: Studio, body: Mapping[str, Any]) -> Any:
    """A sheet to look at: ``what`` is kind, nothing, ends, offer, blind or double."""
    studio.read_up()
    desk, what, layer = desk_of(studio), str(body.get("what", "")), layer_of(body.get("layer"))
    with desk.lock:
        every = _cells(studio, desk, what, layer, str(body.get("kind", "")))
        every = [one for one in every if any(one.key.cell in plan for plan in desk.plans)]
        most = MOST_EMPTY if what == "nothing" else MOST_ON_SHEET
        names = list(dict.fromkeys(cell.key.cell for cell in every))
        on_sheet = set(names[:most])
        shown = desk.show(what, layer, [cell for cell in every if cell.key.cell in on_sheet])
        blind = what in ("blind", "double")
        besides = {name: _besides(desk, name) for name in on_sheet} if what == "nothing" else {}
        kinds_of = {
            each: desk.kinds(each) for each in (SIDE_LAYERS if what == "nothing" else (layer,))
        }
        return {
            "id": shown.id,
            "what": what,
            "layer": layer,
            "all": len(names),
            "columns": cutouts.COLUMNS,
            "kinds": list(dict.fromkeys(kind for kinds in kinds_of.values() for kind in kinds)),
            "kinds_of": kinds_of,
            "besides": besides,
            "cells": [cell_plain(cell, blind=blind) for cell in shown.cells],
        }


def _cells(studio: Studio, desk: Desk, what: str, layer: Layer, kind: str) -> list[Cell]:
    if what == "kind":
        return sorted((cell for cell in desk.unseen(layer) if cell.value == kind), key=_urgent)
    if what == "nothing":
        return empty_sides(desk)
    if what == "ends":
        return line_ends(desk, kind)
    if what == "offer":
        return [Cell(key, None) for key in offered(desk, layer)]
    if what == "blind":
        sure = [p for p in desk.open_proposals(layer) if p.confidence is Confidence.SURE]
        drawn = random.SystemRandom().sample(sure, min(MANY, len(sure)))
        return [Cell(one.key, one.value) for one in drawn]
    if what == "double":
        found = desk.to_double(who_in(studio))
        return sorted(found, key=lambda c: (-c.rested, -c.could, c.key.cell))
    raise UmpireError(f"there is no sheet {what!r}")


def _urgent(cell: Cell) -> tuple[object, ...]:
    return -cell.rested, -cell.could, -cell.asked, cell.chance or 0.0, cell.key.cell


def empty_sides(desk: Desk) -> list[Cell]:
    """Hexsides that findings depend on or open moves wait for, in each layer in which nobody has looked and
    they have no value or are suggested to be empty. The least certain come first. Those left out of a sheet
    come only if nothing else is left."""
    found = []
    for name in desk.touched_sides():
        for layer in SIDE_LAYERS:
            cell = desk.as_it_stands(Key(name, layer))
            if not cell.open and cell.status not in KNOWN and cell.value in (None, NOTHING):
                found.append(cell)
    found = [cell for cell in found if cell.key not in desk.checks.passed] or found
    least = {cell.key.cell: 1.0 for cell in found}
    for cell in found:
        least[cell.key.cell] = min(least[cell.key.cell], cell.chance or 0.0)
    return sorted(found, key=lambda c: (least[c.key.cell], c.key))


def _besides(desk: Desk, name: str) -> str:
    """The features on a hexside and across it, known or suggested."""
    values = (desk.as_it_stands(Key(name, layer)).value for layer in SIDE_LAYERS)
    return ", ".join(value.replace("+", ", ") for value in values if value not in (None, NOTHING))


def offered(desk: Desk, layer: Layer) -> list[Key]:
    """Cells to name as examples: first those with uncertain suggestions, of each kind in turn, then cells
    that differ most from each other."""
    weak = [one for one in desk.open_proposals(layer) if one.confidence is not Confidence.SURE]
    first = [one.key for one in _in_turn(weak)][:WEAK]
    return list(dict.fromkeys([*first, *desk.offered(layer)]))[:MANY]


def _in_turn(weak: Iterable[Proposal]) -> list[Proposal]:
    """The suggestions of each kind in turn; the least likely of each come first."""
    kinds: dict[str, deque[Proposal]] = {}
    for one in sorted(weak, key=lambda p: (p.chance, p.key)):
        kinds.setdefault(one.value, deque()).append(one)
    found = []
    while kinds:
        for kind in list(kinds):
            found.append(kinds[kind].popleft())
            if not kinds[kind]:
                del kinds[kind]
    return found


def line_ends(desk: Desk, kind: str) -> list[Cell]:
    """The hexsides across which a line of a kind may continue, with their present values, except those that
    somebody has looked at."""
    board, on = desk.base.bare, _sides(desk, "lines")
    steps = frozenset(side for side, names in on.items() if kind in names.split("+"))
    on_line = frozenset(name for step in steps for name in step)
    around = {name: tuple(board.neighbours(name)) for name in on_line}
    drawn = desk.pack_board.drawn.hexes
    goals = led_to(_terrain(desk), on_line) | {n for n in on_line if drawn[n].features}
    crossings = led_to(_sides(desk, "hexsides"), steps)
    sides = stops_short(around, steps, goals, crossings)
    cells = (desk.as_it_stands(Key(cell_of(edge(*side)), "lines")) for side in sides)
    return [cell for cell in cells if not cell.open and cell.status not in KNOWN]


def _terrain(desk: Desk) -> dict[str, str]:
    """The drawn or suggested terrain, by hex."""
    found = {key.cell: one.value for key, one in desk.found.items() if key.layer == "terrain"}
    drawn = {name: desk.pack_board.drawn_terrain(name) for name in desk.pack_board.drawn.hexes}
    return found | {name: terrain for name, terrain in drawn.items() if terrain is not None}


def _sides(desk: Desk, layer: Layer) -> dict[Edge, str]:
    """The drawn or suggested features of a layer by hexside, joined by ``+``."""
    pack_board = desk.pack_board
    found = {
        pack_board.edge(one.key.cell): one.value
        for one in desk.open_proposals(layer)
        if one.value != NOTHING
    }
    if layer == "lines":
        drawn = {s: [line.kind for line in on] for s, on in pack_board.drawn.lines_by_edge.items()}
    else:
        drawn = {side: list(names) for side, names in pack_board.drawn.sides.items()}
    return found | {side: "+".join(sorted(set(names))) for side, names in drawn.items() if names}


JOB = "suggesting"
TOLD = ("title", "fits", "off", "mixed", "strange", "confused", "single", "silent")
"""What the overview says about the suggestions for a picture."""
SMALLEST_VIEW = 40.0
"""With fewer pixels from hex to hex than this, an area cannot be confirmed."""
NEXT = "next"
"""The name, in place of a cell, for the area with most wanted cells that nobody has looked at."""


def overview(studio: Studio, body: Mapping[str, Any]) -> Any:
    """How far the work is, by layer and kind."""
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
            "sheets": [{name: getattr(sheet, name) for name in TOLD} for sheet in desk.sheets],
            "layers": layers,
            "empty": len({cell.key.cell for cell in empty_sides(desk)}),
            "touching": desk.has_open_moves(),
            "checks": [{"id": name, **dict(check)} for name, check in checks.items()],
            "doubles": sum(1 for _ in desk.to_double(studio.who)) if studio.who else 0,
            "who": studio.who,
            "required": pack_board.required,
        }


def _layer_plain(desk: Desk, layer: Layer) -> dict[str, Any]:
    status: Counter[tuple[str, str]] = Counter(
        (record.value, record.status)
        for key, record in desk.pack_board.records.items()
        if key.layer == layer and not key.name
    )
    known = desk.known_counts(layer)
    proposals = desk.open_proposals(layer)
    fresh = Counter((one.value, one.confidence.name.lower()) for one in proposals)
    kinds = {*known, *(kind for kind, _ in (*status, *fresh))}
    in_order = sorted(kinds, key=lambda kind: (kind == NOTHING, kind))
    named = [kind for kind in in_order if kind != NOTHING] if layer == "lines" else []
    blind = desk.checked_of(layer)
    return {
        "layer": layer,
        "kinds": [
            {
                "kind": kind,
                "known": known[kind],
                "looked": sum(status[kind, said] for said in BY_EYE),
                "unseen": sum(status[kind, said] for said in UNSEEN),
                **{word: fresh[kind, word] for word in ("sure", "unsure", "unlike")},
            }
            for kind in in_order
        ],
        "ends": {kind: number for kind in named if (number := len(line_ends(desk, kind)))},
        "checked": None if blind is None else blind.plain(),
    }


def run(studio: Studio, body: Mapping[str, Any]) -> Any:
    """Make new suggestions in the background."""
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
        PNG, cutouts.png(cutouts.sheet_of(plans, cells, side, marks=yes_in(body, "marks")))
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
    return Bytes(PNG, cutouts.png(image.crop((0, 0, side, side))))


# -- stretches of the map ---------------------------------------------------------------------------


def area(studio: Studio, body: Mapping[str, Any]) -> Any:
    """The area of the map around a cell, with the value of each cell wholly inside. ``next``: around the cell
    with most cells to look at. ``besides``: an area being looked at, whose cells do not count. ``only``: the
    cells that decide moves soonest (``soonest``), or those that open moves ask for (``asked``); all if there
    are none."""
    studio.read_up()
    desk = desk_of(studio)
    pixels = float(number_of(body.get("pixels"), 64, int(SMALLEST_VIEW), 160))
    across = float(number_of(body.get("across"), 14, 2, 60))
    down = float(number_of(body.get("down"), 9, 2, 60))
    layers = [layer for layer in LAYERS if layer in str(body.get("layers", "terrain")).split(",")]
    with desk.lock:
        plans = desk.plans
        waiting = set(desk.waiting(layers))
        if besides := body.get("besides"):
            waiting -= {cell.key for cell in desk.shown(besides).cells}
        wanted = str(body.get("only", ""))
        only = desk.cells_only(wanted, layers)
        if only:
            waiting = {key for key in waiting if key.cell in only}
        cell = str(body.get("cell", "")) or plans[0].cells.names[0]
        if cell == NEXT:
            near = str(body.get("near", ""))
            cell = _fullest(desk, {key.cell for key in waiting}, across, down, near)
        plan = next((plan for plan in plans if cell in plan), None)
        if plan is None:
            raise UmpireError(f"no picture shows {cell}")
        box, scale = cutouts.frame(plan, cell, across, down, pixels)
        keys = [
            Key(name, layer)
            for name in cutouts.inside(plan, box)
            for layer in layers
            if (layer == "terrain") == (name in plan.cells.place) and (not only or name in only)
        ]
        shown = desk.show(
            "area", layers[0] if layers else "terrain", [desk.as_it_stands(k) for k in keys]
        )
        shown.plan, shown.box = plan, box
        shown.size = (round((box[2] - box[0]) * scale), round((box[3] - box[1]) * scale))
        return {
            "id": shown.id,
            "cell": cell,
            "title": plan.ground.title,
            "width": shown.size[0],
            "height": shown.size[1],
            "pixels": pixels,
            "kinds": {layer: desk.kinds(layer) for layer in layers},
            "near": cutouts.steps(plan, box),
            "cells": _cells_plain(shown, scale, waiting),
            "waiting": len(waiting),
            "only": wanted if only else "",
            "waiting_here": len(waiting.intersection(keys)),
        }


def _fullest(desk: Desk, cells: set[str], across: float, down: float, near: str) -> str:
    """The middle of the area with most of ``cells``, on the first picture that shows any."""
    for plan in desk.plans:
        found = cutouts.fullest(plan, sorted(cells), across, down, near)
        if found:
            return found
    return near or desk.plans[0].cells.names[0]


def _cells_plain(shown: Shown, scale: float, waiting: set[Key]) -> list[dict[str, Any]]:
    assert shown.plan is not None
    left, top, *_ = shown.box
    found = []
    for each in shown.cells:
        plain = cell_plain(each)
        plain["points"] = [
            [round((x - left) * scale, 1), round((y - top) * scale, 1)]
            for x, y in cutouts.shape(shown.plan, each.key.cell)
        ]
        plain["waits"] = each.key in waiting
        found.append(plain)
    return found


def area_picture(studio: Studio, body: Mapping[str, Any]) -> Bytes:
    """The picture of such an area."""
    desk = desk_of(studio)
    with desk.lock:
        shown = desk.shown(body.get("area"))
    if shown.plan is None:
        raise UmpireError("this is not a stretch of the map")
    return Bytes(PNG, cutouts.png(cutouts.cut(shown.plan, shown.box, shown.size)))


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
