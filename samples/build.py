"""Builds the samples: the module with its pictures, the logs, the pack's spreadsheets.

    python samples/build.py [--to FOLDER] [--reports] [NAME...]

writes beside the sources, or into FOLDER; all samples, or those named. The same files every time (zip
compression aside, which differs between machines; what is inside does not). ``pack.toml`` and facts are
written by hand and not touched; the expected reports are printed anew only with ``--reports``.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "crossroads")]

import contents  # noqa: E402
import script  # noqa: E402
import terrain  # noqa: E402
from click.testing import CliRunner  # noqa: E402
from module_builder.scenarios import Scenario  # noqa: E402
from vassal_umpire.importers.vassal.writer import write_module, write_save  # noqa: E402
from vassal_umpire.plugin.cli import main as umpire  # noqa: E402


def crossroads(folder: Path) -> None:
    """The module, two logs, a save in the middle of a turn, and the pack's spreadsheets of the map."""
    (folder / "pack").mkdir(parents=True, exist_ok=True)
    build_file = contents.CONTENTS.build_file().encode()
    write_module(
        folder / "crossroads.vmod", build_file, contents.CONTENTS.module_data, contents.pictures()
    )
    metadata = {
        "moduledata": contents.CONTENTS.module_data,
        "savedata": contents.CONTENTS.save_data,
    }
    scribe = script.set_up()
    script.blue_turn(scribe)
    write_save(folder / "turn-1.vlog", scribe.text(), key=0x5A, **metadata)
    script.red_turn(scribe)
    write_save(folder / "turn-2.vlog", scribe.text(), key=0xC3, **metadata)
    scribe = script.set_up()
    script.blue_turn(scribe)
    script.red_midway(scribe)
    write_save(folder / "midway.vsav", scribe.text(), key=0x3C, **metadata)
    for name, rows in terrain.spreadsheets().items():
        text = "".join(f"{row}\n" for row in rows)
        (folder / "pack" / name).write_text(text, encoding="utf-8", newline="")


def scenario(name: str) -> Scenario:
    """The ``SCENARIO`` of ``samples/<name>/scenario.py``."""
    found = runpy.run_path(str(HERE / name / "scenario.py"))["SCENARIO"]
    assert isinstance(found, Scenario)
    return found


def samples() -> dict[str, Callable[[Path], None]]:
    """Every sample by the name of its folder, and what builds it."""
    told = sorted(file.parent.name for file in HERE.glob("*/scenario.py"))
    return {
        "crossroads": crossroads,
        **{name: partial(_build, name) for name in told},
    }


def _build(name: str, folder: Path) -> None:
    scenario(name).build(folder)


def reported_logs(name: str) -> list[str]:
    """The names of the logs that a sample's expected reports audit."""
    if name == "crossroads":
        return ["turn-1.vlog"]
    return [f"{log.name}.vlog" for log in scenario(name).logs]


def print_reports(name: str) -> None:
    """Audit a sample and keep the reports beside it. Read what has changed!"""
    folder = HERE / name
    words = ["audit", *(str(folder / log) for log in reported_logs(name))]
    if (folder / "facts.toml").exists():
        words += ["--facts", str(folder / "facts.toml")]
    for form, ending in (("text", "txt"), ("json", "json")):
        result = CliRunner().invoke(umpire, [*words, "--format", form])
        (folder / f"expected-report.{ending}").write_text(result.stdout, encoding="utf-8")


def main(arguments: list[str]) -> None:
    known = samples()
    parser = argparse.ArgumentParser(description="Build the samples.")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known)}; none: all")
    parser.add_argument("--to", type=Path, default=HERE, help="write into this folder")
    parser.add_argument("--reports", action="store_true", help="print the expected reports anew")
    options = parser.parse_args(arguments)
    for name in options.names or known:
        if name not in known:
            parser.error(f"no sample {name}: there are {', '.join(known)}")
        known[name](options.to / name)
        if options.reports:
            print_reports(name)


if __name__ == "__main__":
    main(sys.argv[1:])
