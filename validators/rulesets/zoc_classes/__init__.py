"""The ruleset ``zoc-classes``: movement in a WWII operational system whose zones of control come in
classes, and whose units may spend MPs on credit under "+# MP" markers.

Only the cells of the terrain effects chart that the rules text prints are known. A pack supplies the rest
in ``[rules]`` (``schema.json``), as docs/rulesets/zoc-classes.md shows.

Attributes of a unit: ``ma`` (the printed rating), ``class`` (c/m, s/m, non-motorized), ``column`` of the
chart (``first``: c/m units and artillery; ``second``: most others; or the name of an exception),
``nationality``, ``reserve`` and ``debt`` (the markers on it), ``turned``, ``combat``, ``infantry``,
``special``, ``load``, ``major``, ``size``. Attributes of an enemy: ``zoc`` and ``own_zoc`` (the ZOC class
that it exerts into the hexes next to it, and in its own hex). Conditions of the game or of a unit, also
allowed as attributes: ``supply``, ``night``, ``weather``, ``date``, ``attacked``, ``engineering``,
``pause``, ``chit``. Conditions for a hex: ``zoc 0203``, ``screened 0203``, ``interdiction 0203``,
``fort 0203``, ``overrun 0203``. Conditions for a forced march: ``march``, ``march_die``,
``march_markers``, ``march_spent``.
"""

from __future__ import annotations

from .rules import RULESET

__all__ = ["RULESET"]
