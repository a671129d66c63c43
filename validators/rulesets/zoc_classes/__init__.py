"""The ruleset ``zoc-classes``: movement in a WWII operational system whose zones of control come in
classes, and whose units may spend MPs on credit under "+# MP" markers.

Of the terrain effects chart only what the text prints is known; a pack supplies the rest in ``[rules]``
(``schema.json``), as docs/rulesets/zoc-classes.md shows.

Of a unit it asks: ``ma`` (printed), ``class`` (c/m, s/m, non-motorized), ``column`` of the chart (first:
c/m and artillery; second: most others; or an exception's name), ``nationality``, ``reserve`` and ``debt``
(the markers on it), ``turned``, ``combat``, ``infantry``, ``special``, ``load``, ``major``, ``size``; of
enemies ``zoc`` and ``own_zoc`` (the class exerted into hexes next to it, and into its own). Declared, for
the game or a unit (or as an attribute): ``supply``, ``night``, ``weather``, ``date``, ``attacked``,
``engineering``, ``pause``, ``chit``; for hexes ``zoc 0203``, ``screened 0203``, ``interdiction 0203``; of
a forced march ``march``, ``march_die``, ``march_markers``, ``march_spent``.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
