"""``python -m vassal_umpire``: the same as the command ``umpire``."""

from __future__ import annotations

from .plugin.cli import main

if __name__ == "__main__":
    main(prog_name="umpire")
