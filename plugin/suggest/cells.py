"""Where hexes and sides lie in a picture, in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

Side = tuple[str, str]
"""Two neighbouring hexes, in the order of their :class:`Edge` in :class:`Cells`."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The side between two hexes and its ends in pixels."""

    a: str
    b: str
    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def key(self) -> Side:
        """The name of the side in suggestions and examples."""
        return self.a, self.b


@dataclass(frozen=True)
class Cells:
    """The hexes to look at (name to centre, in pixels) and the sides between them. Rows of all arrays are in
    their order."""

    centres: dict[str, tuple[float, float]]
    edges: tuple[Edge, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The hexes, in the order of every array."""
        return tuple(self.centres)

    @cached_property
    def place(self) -> dict[str, int]:
        """The row of each hex in every array."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def side_place(self) -> dict[Side, int]:
        """The row of each side in every array."""
        return {edge.key: i for i, edge in enumerate(self.edges)}

    @cached_property
    def pitch(self) -> float:
        """Pixels from a hex to the next: the median over all sides. Raises ValueError without any."""
        if not self.edges:
            raise ValueError("no two hexes are neighbours, so their size is not known")
        apart = [
            np.hypot(
                self.centres[e.a][0] - self.centres[e.b][0],
                self.centres[e.a][1] - self.centres[e.b][1],
            )
            for e in self.edges
        ]
        return float(np.median(apart))
