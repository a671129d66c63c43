"""``python -m vassal_umpire``, and what the command ``umpire`` runs first.

It loads nothing before it can be interrupted: loading the program takes long enough for a Ctrl-C.
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130
GARBAGE = (100_000, 20, 20)
"""How seldom Python looks for garbage in rings: a game is hundreds of thousands of values that stay, and to
go through them again and again took a quarter of an audit."""


def run() -> None:
    """Run the command line; a Ctrl-C that comes while it is loaded ends as any other does."""
    gc.set_threshold(*GARBAGE)
    try:
        from .plugin.cli import main

        main(prog_name="umpire")
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("umpire: interrupted; nothing half done was left behind\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
