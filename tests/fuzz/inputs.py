"""Of each kind of file: a changed one, and the commands that are to read it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import sources
from .logs import changed_log
from .modules import changed_module
from .tables import changed_json, changed_pack, changed_toml

SHOWN = ("text", "markdown", "jsonl")
REPORTS = ("text", "json", "html", "markdown", "csv")
WRITTEN = ("json", "sqlite", "parquet", "csv", "jsonl")


@dataclass(frozen=True)
class Run:
    """A command line, and what besides its manners is asked of it.

    ``secret``: no player's id may be in anything it prints or writes. ``copy_of``: the log of which
    its output, ``out``, is an annotated copy.
    """

    arguments: tuple[str, ...]
    secret: bool = False
    copy_of: Path | None = None
    out: Path | None = None


Maker = Callable[[random.Random, Path], list[Run]]
"""Writes a changed file into a folder, and tells what to run."""


def _run(*arguments: object, **more: object) -> Run:
    return Run(tuple(map(str, arguments)), **more)  # type: ignore[arg-type]


def _viewer(rng: random.Random) -> tuple[str, ...]:
    return rng.choice(((), ("--director",), ("--as", "Red"), ("--as", "Blue"), ("--as", "Nobody")))


def _log(rng: random.Random, folder: Path) -> list[Run]:
    game = rng.choice(sources.GAMES)
    data, tame = changed_log(rng, game)
    log = folder / "game.vlog"
    log.write_bytes(data)
    module = ("--module", game.module) if game.module and rng.random() < 0.8 else ()
    viewer, out = _viewer(rng), folder / "out"
    shown, inspected = rng.choice(SHOWN), rng.choice(("text", "json"))
    runs = [
        _run("show", log, *module, *viewer, "--format", shown, secret=tame),
        _run("inspect", log, *viewer, "--format", inspected, secret=tame),
    ]
    if module:
        named = (log, *module, "--pack", _pack_of(game, folder))
        form = rng.choice(REPORTS)
        runs.append(_run("audit", *named, *viewer, "--format", form, secret=tame))
        runs.append(_run("annotate", *named, *viewer, "-o", out, copy_of=log, out=out))
    to = rng.choice(WRITTEN)
    plain = folder / "plain"
    runs.append(_run("convert", log, *viewer, "--to", to, "-o", plain, secret=tame, out=plain))
    return rng.sample(runs, 2)


def _pack_of(game: sources.Game, folder: Path) -> Path:
    """The pack of a game. If it has none: that of the drill, for modules of any name, and without what its
    hexes hold."""
    if game.pack is not None:
        return game.pack
    made = folder / "pack"
    made.mkdir()
    text = (sources.PROJECT / "tests" / "plugin" / "drill" / "pack.toml").read_text("utf-8")
    (made / "pack.toml").write_text(text.replace('[fits]\nmodules = ["Drill"]', ""), "utf-8")
    return made


def _module(rng: random.Random, folder: Path) -> list[Run]:
    original = rng.choice(sources.MODULES)
    module = folder / original.name
    module.write_bytes(changed_module(rng, original))
    runs = [
        _run("inspect", module, "--format", rng.choice(("text", "json"))),
        _run("convert", module, "--to", rng.choice(WRITTEN), "-o", folder / "plain"),
        _run("extension", module, "-o", folder / "umpire.vmdx"),
    ]
    for game in (sources.CROSS, sources.RED):
        if game.module is not None and game.module.name == original.name:
            named = (game.log, "--module", module)
            runs.append(_run("show", *named, "--format", rng.choice(SHOWN)))
            runs.append(
                _run("convert", module, game.log, "--to", rng.choice(WRITTEN), "-o", folder / "log")
            )
            named = (*named, "--pack", _pack_of(game, folder))
            runs += [_run("audit", *named, "--format", rng.choice(REPORTS))] * 2
    return rng.sample(runs, 2)


def _pack(rng: random.Random, folder: Path) -> list[Run]:
    original = sources.CROSS.pack if rng.random() < 0.4 else rng.choice(sources.packs())
    assert original is not None
    logs = sorted(original.parent.glob("*.vlog")) or [sources.CROSS.log]
    module = ("--module", next(original.parent.glob("*.vmod"), sources.CROSS.module))
    changed_pack(rng, original, folder / "pack")
    return [
        _run("audit", logs[0], *module, "--pack", folder / "pack", "--format", rng.choice(REPORTS))
    ]


def _facts(rng: random.Random, folder: Path) -> list[Run]:
    every = sorted(sources.PROJECT.glob("samples/*/facts.toml"))
    found = [path for path in every if any(path.parent.glob("*.vlog"))] + [sources.CROSS.facts]
    original = rng.choice(found)
    assert original is not None
    (folder / "facts.toml").write_bytes(changed_toml(rng, original))
    logs = sorted(original.parent.glob("*.vlog"))
    facts = ("--facts", folder / "facts.toml")
    if rng.random() < 0.2:
        return [_run("audit", *logs, *facts, "--format", rng.choice(REPORTS))]
    return [_run("audit", logs[0], *facts, "--format", rng.choice(REPORTS))]


def _analysis(rng: random.Random, folder: Path) -> list[Run]:
    document = folder / "game.json"
    whole = sources.analysis if rng.random() < 0.2 else sources.bare_analysis
    document.write_bytes(changed_json(rng, whole()))
    return [_run("audit", document, *_viewer(rng), "--format", rng.choice(REPORTS))]


def _report(rng: random.Random, folder: Path) -> list[Run]:
    report = folder / "report.json"
    report.write_bytes(changed_json(rng, sources.report()))
    target = folder / "umpire.vmdx"
    return [_run("extension", sources.CROSS.module, "--report", report, "-o", target)]


def _cases(rng: random.Random, folder: Path) -> list[Run]:
    original = rng.choice(sources.case_files())
    file = folder / original.name
    file.write_bytes(changed_toml(rng, original))
    shared = original.parent / "shared.toml"
    if shared.is_file() and shared != original:
        (folder / shared.name).write_bytes(shared.read_bytes())
    return [_run("check-cases", file, *rng.choice(((), ("-v",), ("--format", "json"))))]


KINDS: dict[str, tuple[Maker, int]] = {
    "log": (_log, 500),
    "module": (_module, 300),
    "pack": (_pack, 300),
    "facts": (_facts, 250),
    "analysis": (_analysis, 400),
    "report": (_report, 250),
    "cases": (_cases, 150),
}
"""The kinds of files, and how many of them each run of the tests changes at most."""
