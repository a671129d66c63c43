"""``python -m vassal_umpire``, and what the command ``umpire`` runs first.

It loads nothing before it can be interrupted: loading the program takes long enough for a Ctrl-C.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def run() -> None:
    """Run the command line; a Ctrl-C that comes while it is loaded ends as any other does."""
    try:
        from .plugin.cli import main

        main(prog_name="umpire")
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("umpire: interrupted; nothing half done was left behind\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
