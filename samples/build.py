"""Builds every sample: the module with its pictures, and the logs.

    python samples/build.py [FOLDER]

writes beside the sources, or into FOLDER. The same files every time (zip compression aside, which
differs between machines; what is inside does not). Packs, facts and expected reports are written by
hand or by the program itself and are not touched.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "crossroads")]

import box  # noqa: E402
import story  # noqa: E402
from press.archive import write_zip  # noqa: E402
from press.scribe import Scribe  # noqa: E402
from vassal_umpire.importers.vassal.obfuscation import encode  # noqa: E402


def write_log(path: Path, scribe: Scribe, key: int) -> None:
    """A log as VASSAL writes it; ``key`` obfuscates the text."""
    saved = encode(scribe.text(), "vcsk", key)
    entries = {"savedGame": saved, "savedata": box.save_data(), "moduledata": box.module_data()}
    write_zip(path, entries)


def crossroads(folder: Path) -> None:
    """The module and the two logs of Crossroads."""
    folder.mkdir(parents=True, exist_ok=True)
    write_zip(folder / "crossroads.vmod", box.module_entries())
    scribe = story.set_up()
    story.blue_turn(scribe)
    write_log(folder / "turn-1.vlog", scribe, 0x5A)
    story.red_turn(scribe)
    write_log(folder / "turn-2.vlog", scribe, 0xC3)


def main(arguments: list[str]) -> None:
    out = Path(arguments[0]) if arguments else HERE
    crossroads(out / "crossroads")


if __name__ == "__main__":
    main(sys.argv[1:])
