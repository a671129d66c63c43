"""Commands in a child process that is given so much memory and processor time and no more."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code (negative: the signal that ended it), and all it wrote."""

    code: int
    text: str


def run(
    *args: str | Path, seconds: int = 30, memory: int = 1024, folder: Path | None = None
) -> Ended:
    """``umpire`` with ``args``, ended if it takes more than ``seconds`` of processor time; it fails where it
    wants more than ``memory`` MiB of address space."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory * MIB, memory * MIB))

    command = [sys.executable, "-m", "vassal_umpire", *map(str, args)]
    done = subprocess.run(
        command, cwd=folder, preexec_fn=bound, capture_output=True, text=True, errors="replace"
    )
    return Ended(done.returncode, done.stdout + done.stderr)
