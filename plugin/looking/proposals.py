"""Suggestions for the cells of a pack's board, from the pictures of its maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.board import edge
from ...model.provenance import Key, Layer
from ...model.vouching import NOTHING, YES, cell_of
from ..reading import Told as Progress
from ..reading import silent
from ..suggest.cells import Side
from ..suggest.confidence import Confidence, Suggestion
from .ground import Ground
from .pack_board import SIDE_LAYERS, PackBoard, side_layer

Examples = Mapping[Key, str]
"""Examples, fact to value. For a hexside: the fact without a name, with all that is there."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A suggestion for one cell. ``value``: as in a record of its layer (``woods+town``); of a hexside all
    that is there, or ``none``. ``chance``: the probability of being right. ``picture``: the SHA-256 of the
    picture that was looked at."""

    key: Key
    value: str
    confidence: Confidence
    chance: float
    picture: str


def facts_of(key: Key, value: str) -> Iterator[tuple[Key, str]]:
    """The facts that a cell's value consists of. For a hexside: that each of the names is there, and nothing
    else."""
    yield key, value
    if key.layer in SIDE_LAYERS and value != NOTHING:
        for name in value.split("+"):
            yield Key(key.cell, key.layer, name), YES


@dataclass(frozen=True, slots=True)
class Sheet:
    """The result for one picture. ``hexes``, ``sides``: how many lie on it. ``shown``: the number of examples
    by layer and kind.

    ``fits``: whether the printed grid lies where the module's does; ``off``: by how many hexes it is off at
    most. Both are None if that cannot be told, or no side was looked at. ``mixed``: pairs of terrains whose
    examples look the same. ``strange``: by layer, kinds whose examples are not recognised by one another.
    ``confused``: by layer, pairs of kinds whose examples cannot be told apart. ``single``: by layer, kinds
    with one example only, for which no suggestion is sure. ``silent``: layers without suggestions, and why.
    """

    title: str
    hexes: int
    sides: int
    shown: Mapping[Layer, Mapping[str, int]]
    proposals: tuple[Proposal, ...]
    fits: bool | None
    off: float | None
    mixed: tuple[tuple[str, str], ...]
    strange: Mapping[Layer, Sequence[str]]
    confused: Mapping[Layer, Sequence[tuple[str, str]]]
    single: Mapping[Layer, Sequence[str]]
    silent: Mapping[Layer, str]


def examples_of(pack_board: PackBoard, ground: Ground, more: Examples) -> dict[Key, str]:
    """The examples on one picture: what is known of its cells, and those of ``more`` that lie on it."""
    cells = ground.survey.cells
    found: dict[Key, str] = {}
    for name in cells.names:
        terrain = pack_board.terrain(name)
        if terrain is not None:
            found[Key(name, "terrain")] = terrain
    for each in cells.edges:
        cell = cell_of(edge(each.a, each.b))
        for layer in ("hexsides", "lines"):
            there = pack_board.side(each.key, layer)
            if there is not None:
                found[Key(cell, layer)] = there or NOTHING
    on_it = {cell_of(edge(e.a, e.b)) for e in cells.edges} | set(cells.names)
    found.update((key, value) for key, value in more.items() if key.cell in on_it)
    return found


def propose(
    ground: Ground,
    pack_board: PackBoard,
    more: Examples,
    layers: Sequence[Layer],
    progress: Progress = silent,
) -> Sheet:
    """Suggest values for the open cells of one picture, from what is known on it and ``more``."""
    survey, cells = ground.survey, ground.survey.cells
    shown = examples_of(pack_board, ground, more)
    found: list[Proposal] = []
    why: dict[Layer, str] = {}
    mixed: list[tuple[str, str]] = []
    strange: dict[Layer, Sequence[str]] = {}
    confused: dict[Layer, Sequence[tuple[str, str]]] = {}
    fits: bool | None = None
    off: float | None = None
    of_layer = {
        layer: _shown_sides(cells.side_place, shown, layer) for layer in layers if side_layer(layer)
    }
    why |= {layer: said for layer, sides in of_layer.items() if (said := _missing(sides, layer))}
    begun = survey.begin_sides() if of_layer.keys() - why.keys() and "terrain" in layers else None
    for number, layer in enumerate(layers):
        progress(f"looking at {ground.title}", number, len(layers))
        of_sides = side_layer(layer)
        if of_sides is None:
            hexes = {key.cell: value for key, value in shown.items() if key.layer == "terrain"}
            answers: Mapping[Key, Suggestion] = {
                Key(name, "terrain"): answer
                for name, answer in survey.hexes(hexes).items()
                if pack_board.may_fill(name)
            }
            mixed = survey.mixed(hexes)
            why |= {} if hexes else {layer: "no example yet of a hex with known terrain"}
        else:
            if layer in why:
                continue
            if begun is not None:
                begun.join()
            sides = of_layer[layer]
            ask = survey.features if layer == "hexsides" else survey.lines
            answers = {
                Key(cell_of(edge(*side)), layer): answer
                for side, answer in ask(sides).items()
                if pack_board.may_fill_side(side, of_sides)
            }
            strange[layer] = survey.strange(sides, lines=layer == "lines")
            confused[layer] = survey.confused(sides, lines=layer == "lines")
            fits, off = survey.fit.fits, survey.fit.worst
        found += [
            Proposal(key, answer.kind or NOTHING, answer.confidence, answer.chance, ground.sha256)
            for key, answer in answers.items()
            if key not in shown
        ]
    progress(f"looking at {ground.title}", len(layers), len(layers))
    return Sheet(
        ground.title,
        len(cells.names),
        len(cells.edges),
        {
            layer: Counter(value for key, value in shown.items() if key.layer == layer)
            for layer in layers
        },
        tuple(found),
        fits,
        off,
        tuple(mixed),
        strange,
        confused,
        {layer: _single(sides) for layer, sides in of_layer.items() if layer not in why},
        why,
    )


def _missing(sides: Mapping[Side, str | None], layer: Layer) -> str:
    """Why nothing can be suggested for a layer of sides; '' if something can."""
    some, none = (
        ("something along it", "nothing along it")
        if layer == "hexsides"
        else ("a line across it", "no line across it")
    )
    if not any(sides.values()):
        return f"no example yet of a hexside with {some}"
    if None not in sides.values():
        return f"no example yet of a hexside with {none}"
    return ""


def _single(sides: Mapping[Side, str | None]) -> list[str]:
    """The kinds with exactly one example, sorted."""
    counts = Counter(kind for kind in sides.values() if kind is not None)
    return sorted(kind for kind, count in counts.items() if count == 1)


def _shown_sides(
    places: Mapping[Side, int], shown: Examples, layer: Layer
) -> dict[Side, str | None]:
    named = {cell_of(edge(*side)): side for side in places}
    return {
        named[key.cell]: None if value == NOTHING else value
        for key, value in shown.items()
        if key.layer == layer and not key.name and key.cell in named
    }
