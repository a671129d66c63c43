"""What the one-folder build starts (build.py beside it)."""

from vassal_umpire.__main__ import run

run()
