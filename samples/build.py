"""Builds every sample: the module with its pictures, the logs, the map as the pack's spreadsheets.

    python samples/build.py [FOLDER]

writes beside the sources, or into FOLDER. The same files every time (zip compression aside, which
differs between machines; what is inside does not). The rest of the packs is written by hand, the
expected reports by the program; they are not touched.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "crossroads")]

import box  # noqa: E402
import country  # noqa: E402
import story  # noqa: E402
from vassal_umpire.importers.vassal.writer import write_module, write_save  # noqa: E402


def crossroads(folder: Path) -> None:
    """The module, the two logs, and the pack's spreadsheets of the map."""
    (folder / "pack").mkdir(parents=True, exist_ok=True)
    build_file = box.build_file().encode()
    write_module(folder / "crossroads.vmod", build_file, box.MODULE_DATA, box.pictures())
    metadata = {"moduledata": box.MODULE_DATA, "savedata": box.SAVE_DATA}
    scribe = story.set_up()
    story.blue_turn(scribe)
    write_save(folder / "turn-1.vlog", scribe.text(), key=0x5A, **metadata)
    story.red_turn(scribe)
    write_save(folder / "turn-2.vlog", scribe.text(), key=0xC3, **metadata)
    for name, rows in country.spreadsheets().items():
        text = "".join(f"{row}\n" for row in rows)
        (folder / "pack" / name).write_text(text, encoding="utf-8", newline="")


def main(arguments: list[str]) -> None:
    crossroads((Path(arguments[0]) if arguments else HERE) / "crossroads")


if __name__ == "__main__":
    main(sys.argv[1:])
