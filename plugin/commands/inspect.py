"""``umpire inspect``: what a module, extension, save or log holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...importers.vassal.archive import open_archive
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import Limits
from ...importers.vassal.replay import replay_log
from ...importers.vassal.savefile import read_save
from ...model.viewer import Viewer
from ..discovery import sides_of
from ..inspection import module_document, save_document
from ..json_text import document_text
from ..options import LIMITED, VIEWER, argument, check_side, declared, form_option, option
from ..output import print_text
from ..reading import module_problem_of, of_no_kind, open_module_of
from ..reports.phrases import counted
from ..text_writer import TextWriter, terminal_width, wants_colour

EPILOG = """\b
Examples:
  umpire inspect game.vmod
  umpire inspect turn-1.vlog
  umpire inspect game.vmod --format json
"""


FEW = 12
"""Entries of a list shown as text; JSON has them all."""


@declared("inspect", epilog=EPILOG, short_help="Show what a module, save or log holds.")
def command(
    file: Path = argument(),
    form: str = form_option(),
    module: Path | None = option("The module of a save or log; by default the one beside it."),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Show what FILE holds: a module, an extension, a saved game or a log.

    The content decides what a file is, not its name. Nothing is changed. Of a save or log only what every
    player may see is counted, unless --as or --director say otherwise.
    """
    document = inspect_file(file, module, viewer, limits)
    if form == "json":
        print_text([document_text(document)])
        return
    writer = TextWriter(terminal_width(), colour=wants_colour())
    show = show_save if document["kind"] in ("save", "log") else show_module
    show(writer, document)
    click.echo(writer.text(), nl=False)


def inspect_file(file: Path, module: Path | None, viewer: Viewer, limits: Limits) -> dict[str, Any]:
    """What ``file`` holds, as plain values."""
    with open_archive(file, limits) as archive:
        kind = archive.kind
        if kind == "unknown":
            raise of_no_kind(file)
        if kind == "saved-game":
            save = read_save(archive, limits)
    if kind != "saved-game":
        return module_document(open_module(file, limits=limits, find_extensions=True), kind)
    of_module = open_module_of(file, save.module, module, limits)
    check_side(
        viewer, sides_of(save) | set(of_module.sides if of_module else ()) if viewer.side else ()
    )
    problem = module_problem_of(save, of_module, file, limits)
    history = replay_log(save, of_module)
    met = (*([problem] if problem else []), *(of_module.problems if of_module else ()))
    history = replace(history, problems=(*history.problems, *met))
    return save_document(history, save.kind, save.encoding, viewer)


def show_save(writer: TextWriter, found: dict[str, Any]) -> None:
    """The text form of :func:`vassal_umpire.plugin.inspection.save_document`."""
    writer.title(f"{found['title'] or 'A game of a module that is not named'} ({found['kind']})")
    players = (f"{p['player']} ({p['side'] or 'observer'})" for p in found["players"])
    _labels(
        writer,
        ("file", f"{found['file']} ({found['encoding']})"),
        ("SHA-256", found["sha256"]),
        ("module", f"{found['title']} {found['module_version']}".strip() or "not known"),
        ("VASSAL", found["vassal_version"] or "not known"),
        ("seen by", found["eyes"]),
        ("players", ", ".join(players)),
        ("turn", "; ".join(text for text in found["turns"].values() if text)),
    )
    numbers = [counted(found[many], many[:-1]) for many in ("pieces", "stacks", "decks", "steps")]
    writer.labelled("holds", ", ".join(numbers))
    if found["steps"]:
        of_steps = [
            counted(found["moves"], "move") + " of pieces",
            counted(found["dice"], "roll"),
            counted(found["chat"], "line") + " of chat",
            counted(found["undone"], "undo", "undos"),
        ]
        writer.labelled("steps", ", ".join(of_steps))
    if found["maps"]:
        writer.heading("Pieces at the opening")
        rows = [
            (m["name"] if m["name"] is not None else "on no map", str(m["pieces"]))
            for m in found["maps"]
        ]
        writer.table(("map", "pieces"), rows, indent=2, right=(1,))
    show_problems(writer, found["problems"])


def show_module(writer: TextWriter, found: dict[str, Any]) -> None:
    """The text form of :func:`vassal_umpire.plugin.inspection.module_document`."""
    writer.title(f"{found['title'] or found['file']} ({found['kind']})")
    _labels(
        writer,
        ("file", found["file"]),
        ("SHA-256", found["sha256"]),
        ("version", found["module_version"]),
        ("VASSAL", found["vassal_version"]),
        ("about", found["description"]),
        ("sides", ", ".join(found["sides"])),
        ("turns", "; ".join(_tracker_text(t) for t in found["turn_trackers"])),
        ("dice", _few(found["dice"])),
        ("set-ups", _few(found["setups"])),
    )
    numbers = ", ".join(
        (
            counted(found["slots"], "slot"),
            counted(found["pieces_at_start"], "piece") + " at start",
            counted(len(found["prototypes"]), "prototype"),
            counted(found["global_properties"], "global property", "global properties"),
        )
    )
    writer.labelled("holds", numbers)
    _maps(writer, found["maps"])
    if found["recorded_terrain"]:
        writer.heading("Terrain the module records (terrainMaps)")
        counts = ("hexes", "hexsides", "lines", "attributes")
        writer.table(
            ("board", *counts),
            [(t["board"], *(str(t[n]) for n in counts)) for t in found["recorded_terrain"]],
            indent=2,
            right=(1, 2, 3, 4),
        )
    if found["prototypes"]:
        writer.heading("Prototypes")
        writer.line(_few(found["prototypes"], 5 * FEW), indent=2)
    if found["extensions"]:
        writer.heading("Extensions")
        writer.table(
            ("file", "version", "SHA-256 begins"),
            [(e["file"], e["version"], e["sha256"][:16]) for e in found["extensions"]],
            indent=2,
        )
    if found["custom_components"]:
        writer.heading("The module's own Java code (not run; the problems say what is read of it)")
        writer.table(
            ("number", "class"),
            [(str(c["count"]), c["class"]) for c in found["custom_components"]],
            indent=2,
            right=(0,),
        )
    show_problems(writer, found["problems"])


def show_problems(writer: TextWriter, problems: list[dict[str, Any]]) -> None:
    """The problems met while reading."""
    if not problems:
        return
    writer.heading("Problems met while reading")
    for problem in problems:
        times = f" ({problem['count']} times)" if problem["count"] > 1 else ""
        where = f"{problem['where']}: " if problem["where"] else ""
        writer.line(f"{problem['severity']}: {where}{problem['message']}{times}", indent=2, hang=2)


def _few(names: list[str], number: int = FEW) -> str:
    more = len(names) - number
    return ", ".join(names[:number]) + (f" and {more:,} more" if more > 0 else "")


def _labels(writer: TextWriter, *rows: tuple[str, str]) -> None:
    for label, text in rows:
        if text:
            writer.labelled(label, text)


def _tracker_text(tracker: dict[str, Any]) -> str:
    levels = _levels_text(tracker["levels"])
    return f"{tracker['name']} ({', '.join(levels)})" if levels else str(tracker["name"])


def _levels_text(levels: list[dict[str, Any]]) -> list[str]:
    found = []
    for level in levels:
        values = ", ".join(level.get("values", ()))
        text = ": ".join(part for part in (level["name"], values) if part)
        found.extend([text] if text else [])
        found.extend(_levels_text(level["levels"]))
    return found


def _maps(writer: TextWriter, maps: list[dict[str, Any]]) -> None:
    if not maps:
        return
    writer.heading("Maps and boards")
    rows: list[tuple[str, str, str]] = []
    for a_map in maps:
        name, boards = _map_text(a_map), a_map["boards"]
        if len(boards) == 1 and boards[0]["name"] == a_map["name"]:
            rows.append((name, _size(boards[0]), _grid_text(boards[0]["grid"])))
            continue
        rows.append((name, "", ""))
        rows.extend((f"  {b['name']}", _size(b), _grid_text(b["grid"])) for b in boards)
    writer.table(("map, boards", "pixels", "grid"), rows, indent=2)


def _map_text(a_map: dict[str, Any]) -> str:
    """A map's name and its special features."""
    notes = [] if a_map["kind"] == "Map" else [a_map["kind"]]
    if a_map["kind"] == "custom":
        notes = [a_map["class"].rpartition(".")[2]]
    if a_map["owners"]:
        notes.append(f"of {', '.join(a_map['owners'])}")
    if a_map["decks"]:
        notes.append(counted(len(a_map["decks"]), "deck"))
    return f"{a_map['name']} [{' '.join(notes)}]" if notes else str(a_map["name"])


def _size(board: dict[str, Any]) -> str:
    if board["width"] is None or board["height"] is None:
        return "not known"
    return f"{board['width']} × {board['height']}"


def _grid_text(grid: dict[str, Any] | None) -> str:
    if grid is None:
        return "none"
    if grid["kind"] == "ZonedGrid":
        over = "" if grid["background"] is None else f" over {_grid_text(grid['background'])}"
        return f"{counted(len(grid['zones']), 'zone')}{over}"
    if grid["kind"] == "RegionGrid":
        return counted(grid["regions"], "region")
    shape = "hexes" if grid["kind"] == "HexGrid" else "squares"
    number = "" if grid["columns"] is None else f"{grid['columns']} × {grid['rows']} "
    turned = " (sideways)" if grid["sideways"] else ""
    named = "" if grid["numbered"] else ", no numbers"
    return f"{number}{shape}{turned}{named}"
