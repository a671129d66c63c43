"""All parts of a build file except maps: properties, turn trackers, dice, set-ups, sides, options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ...model.problem import Problem
from . import sequence
from .buildfile_grids import AttributeReader, where
from .buildfile_maps import is_map
from .buildfile_terrain import READ
from .components import Component
from .formats import parse_format
from .module import (
    CustomComponent,
    DiceButton,
    GlobalProperty,
    PredefinedSetup,
    SymbolicDice,
)
from .turns import CounterLevel, ListLevel, TurnLevel, TurnTracker

_DICE = ("DiceButton", "InternetDiceButton", "RandomTextButton")
_OF_DICE = ("result", "total", "keep", "summary")
_SETTINGS = tuple(f"{kind}Preference" for kind in (
    "Boolean", "Double", "Enum", "Integer", "String", "Text",
))  # fmt: skip
_MOST_TOLD = 200
_DEFAULT_TURN = "$level1$ $level2$ $level3$ $level4$"
_DEFAULT_DICE_REPORT = "** $name$ = $result$ *** &lt;$playerName$&gt;"


def read_properties(components: Iterable[Component]) -> tuple[GlobalProperty, ...]:
    """Global, map, zone and scenario-option properties, in build order."""
    return tuple(
        _property(component)
        for component in components
        if component.kind in ("GlobalProperty", "ZoneProperty")
        or component.kind.endswith("ScenarioProperty")
    )


def _property(component: Component) -> GlobalProperty:
    map_name, zone, level = "", "", "module"
    here = component.parent
    while here is not None:
        if component.kind == "ZoneProperty" and here.kind == "Zone":
            zone, level = here.get("name"), "zone"
        elif is_map(here):
            map_name, level = here.get("mapName"), level if level == "zone" else "map"
        here = here.parent
    containers = {"module": "Module", "map": map_name, "zone": f"{map_name}:{zone}"}
    return GlobalProperty(component.get("name"), component.get("initialValue"), containers[level])


def read_turn_trackers(
    components: Iterable[Component], problems: list[Problem]
) -> tuple[TurnTracker, ...]:
    """Turn trackers, numbered in build order."""
    trackers = [component for component in components if component.kind == "TurnTracker"]
    return tuple(
        TurnTracker(
            id=f"TurnTracker{number}",
            name=component.get("name"),
            turn_format=parse_format(component.get("turnFormat", _DEFAULT_TURN)),
            levels=_levels(component, problems),
        )
        for number, component in enumerate(trackers)
    )


def _levels(parent: Component, problems: list[Problem]) -> tuple[TurnLevel, ...]:
    levels: list[TurnLevel] = []
    for child in parent.of("CounterTurnLevel", "ListTurnLevel"):
        attributes = AttributeReader(child, problems)
        turn_format = parse_format(child.get("turnFormat", "$value$"))
        # the level's property is named by the attribute set last: name, then property
        name = child.get("property", child.get("name"))
        inner = _levels(child, problems)
        if child.kind == "ListTurnLevel":
            values = child.get("list")
            listed = tuple(sequence.split(values, ",")) if values else ()
            levels.append(ListLevel(name, listed, turn_format, inner))
            continue
        levels.append(
            CounterLevel(
                property=name,
                start=attributes.integer("start", 1),
                turn_format=turn_format,
                children=inner,
            )
        )
    return tuple(levels)


def read_dice(components: Iterable[Component]) -> tuple[DiceButton, ...]:
    """Buttons with plain dice."""
    return tuple(
        DiceButton(
            name=component.get("name"),
            dice=component.get("nDice", "2"),
            sides=component.get("nSides", "6"),
            plus=component.get("plus", "0"),
            report_total=component.get("reportTotal").lower() == "true",
            report_format=component.get("reportFormat", _DEFAULT_DICE_REPORT),
            add=component.get("addToTotal", "0"),
            fixed=component.kind == "DiceButton" and _fixed(component),
        )
        for component in components
        if component.kind in _DICE
    )


def _fixed(component: Component) -> bool:
    """Whether it rolls the same dice every time and reports all of them [DiceButton.DR]."""

    def is_set(name: str) -> bool:
        return component.get(name).lower() == "true"

    asks = is_set("prompt") and not all(
        map(is_set, ("lockSides", "lockDice", "lockPlus", "lockAdd"))
    )
    keeps = is_set("keepDice") or component.get("keepOption") in ("s", "l")
    return not asks and not keeps


def read_symbolic_dice(components: Iterable[Component]) -> tuple[SymbolicDice, ...]:
    """Buttons with symbolic dice, numbered in build order."""
    buttons = [component for component in components if component.kind == "SpecialDiceButton"]
    return tuple(
        SymbolicDice(
            id=f"SpecialDiceButton{number}",
            name=component.get("name"),
            dice=tuple(
                tuple(face.get("text") for face in die.of("SpecialDieFace"))
                for die in component.of("SpecialDie")
            ),
        )
        for number, component in enumerate(buttons)
    )


def read_kept(components: Iterable[Component]) -> tuple[str, ...]:
    """Names of the properties that buttons, turn trackers, messages and settings keep; saves do not hold
    their values [DiceButton, SpecialDiceButton, DoActionButton, TurnTracker, TurnLevel,
    GlobalTranslatableMessage, BasicPreference]."""
    names: dict[str, None] = {}
    for component in components:
        name = component.get("name")
        if component.kind in (*_DICE, "SpecialDiceButton"):
            names.update((f"{name}_{what}", None) for what in _OF_DICE)
        elif component.kind == "TurnTracker":
            names.update({f"{name}_value": None, f"{name}_command": None})
        elif component.kind in ("CounterTurnLevel", "ListTurnLevel"):
            names[component.get("property", name)] = None
        elif component.kind == "DoActionButton":
            names[component.get("indexProperty")] = None
        elif component.kind == "GlobalTranslatableMessage" or component.kind in _SETTINGS:
            names[name] = None
    names.pop("", None)
    return tuple(names)


def read_setups(components: Iterable[Component]) -> tuple[PredefinedSetup, ...]:
    """Predefined set-ups and their menus."""
    return tuple(
        PredefinedSetup(
            name=component.get("name"),
            file=component.get("file"),
            is_menu=component.get("isMenu").lower() == "true",
        )
        for component in components
        if component.kind == "PredefinedSetup"
    )


def read_sides(components: Iterable[Component]) -> tuple[str, ...]:
    """Sides players may take, in the roster's order."""
    sides: dict[str, None] = {}
    for component in components:
        if component.kind == "PlayerRoster":
            sides.update((entry.text, None) for entry in component.elements if entry.cls == "entry")
    return tuple(sides)


def read_options(components: Iterable[Component]) -> Mapping[str, str]:
    """Module-wide options (GlobalOptions): its attributes and its ``option`` elements."""
    options: dict[str, str] = {}
    for component in components:
        if component.kind == "GlobalOptions":
            options.update(component.attributes)
            options.update(
                (option.get("name"), option.text)
                for option in component.elements
                if option.cls == "option"
            )
    return MappingProxyType(options)


def read_html_charts(components: Iterable[Component]) -> Mapping[str, str]:
    """The files of the charts in HTML (HtmlChart), and their names in the chart windows."""
    charts = [one for one in components if one.kind == "HtmlChart" and one.get("fileName")]
    return MappingProxyType({one.get("fileName"): one.configure_name or "" for one in charts})


def read_custom(
    components: Iterable[Component], problems: list[Problem]
) -> tuple[CustomComponent, ...]:
    """Java classes of the module's own, except those that are read fully, with their counts; a Problem for
    each."""
    unread = [c for c in components if c.is_custom and c.short not in READ]
    counts = Counter(component.cls for component in unread)
    first: dict[str, Component] = {}
    for component in unread:
        first.setdefault(component.cls, component)
    for name, count in sorted(counts.items())[:_MOST_TOLD]:
        problems.append(
            Problem(
                "custom-component",
                f"{name} is Java code of the module's own{_taken_for(first[name])} is not known here",
                where(first[name]),
                severity="note",
                count=count,
            )
        )
    if len(counts) > _MOST_TOLD:
        more = f"there are {len(counts) - _MOST_TOLD:,} more classes of the module's own"
        problems.append(Problem("custom-component", more, severity="note"))
    return tuple(CustomComponent(name, count) for name, count in sorted(counts.items()))


def _taken_for(component: Component) -> str:
    """The text that says what it is read as and what remains unknown."""
    if not component.engine:
        return "; what it does"
    by_name = " by its name" if component.guessed else ""
    return f", read as VASSAL's {component.kind}{by_name}; what it does otherwise"
