"""Who made a log, with what, and what of that is amiss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...importers.game_folder.folder import GameFolder
from ...importers.vassal.commands import Extension, decode_command
from ...importers.vassal.module import Module
from ...importers.vassal.savefile import SaveFile
from ...model.table import LogHistory
from ..discovery import module_problem


def makers_of(history: LogHistory) -> tuple[tuple[str, int], ...]:
    """Whoever did steps of a log, with how many; those whose maker is not known last."""
    counts: Counter[str] = Counter()
    for step in history.steps:
        who = step.actor.who if step.actor is not None else None
        called = "" if who is None else who.name or who.side or who.label
        if who is not None and who.side and who.name:
            called = f"{who.name} ({who.side})"
        counts[called] += 1
    ranked = sorted(counts.items(), key=lambda one: (not one[0], -one[1], one[0]))
    return tuple((name or "nobody knows who", count) for name, count in ranked)


def made_with(history: LogHistory) -> str:
    module = " ".join(part for part in (history.module_name, history.module_version) if part)
    engine = f"VASSAL {history.vassal_version}" if history.vassal_version else ""
    return ", ".join(part for part in (module, engine) if part)


def odd_about(save: SaveFile, module: Module, folder: GameFolder, where: str) -> list[str]:
    """What is amiss with the module that a log was made with."""
    found = []
    problem = module_problem(save.module, module, where)
    if problem is not None:
        found.append(problem.message)
    version = save.module.version if save.module is not None else ""
    if version and module.version and version != module.version:
        found.append(f"it was made with version {version} of the module; here is {module.version}")
    found += _extensions(save, module)
    if folder.module_sha256 and module.sha256 != folder.module_sha256:
        found.append(f"{folder.module} is not the module that the game began with (SHA-256)")
    return found


def _extensions(save: SaveFile, module: Module) -> Iterator[str]:
    """What differs between the extensions that a log was made with and those beside the module."""
    commands = (decode_command(text) for text in save.opening if text.startswith("EXT\t"))
    made = {one.name: one.version for one in commands if isinstance(one, Extension)}
    here = {one.name: one.version for one in module.extensions}
    for name in sorted(made.keys() - here.keys()):
        yield f"it was made with the extension {name} {made[name]}, which is not beside the module"
    for name in sorted(here.keys() - made.keys()):
        yield f"it was made without the extension {name}, which is beside the module"
    for name in sorted(made.keys() & here.keys()):
        if made[name] != here[name]:
            yield f"it was made with version {made[name]} of the extension {name}; here is {here[name]}"
