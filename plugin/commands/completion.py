"""``umpire completion``: the script for shell completion."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from ...model.problem import UmpireError
from ..options import argument, declared

PLACES = {
    "bash": "~/.local/share/bash-completion/completions/umpire",
    "zsh": "~/.zfunc/_umpire",
    "fish": "~/.config/fish/completions/umpire.fish",
}
"""Where each shell looks for completion scripts (zsh: once the folder is in fpath)."""

EPILOG = """\b
Examples:
  umpire completion                   how to switch it on in your shell
  umpire completion bash              the script itself
"""


@declared("completion", epilog=EPILOG, short_help="Let the shell complete commands and options.")
def command(
    ctx: click.Context,
    shell: str | None = argument(required=False, metavar="[bash|zsh|fish]"),
) -> None:
    """Print the script that completes commands, options and file names of umpire in SHELL when Tab is
    pressed. Without SHELL: say how to switch it on.

    PowerShell and cmd are not served: click, the library behind the commands, has no script for them.
    """
    if shell is None:
        click.echo(_advice(Path(os.environ.get("SHELL", "")).name))
        return
    complete = get_completion_class(shell) if shell in PLACES else None
    if complete is None:
        raise UmpireError(
            f"there is no completion for {shell!r}",
            expected=f"one of {', '.join(PLACES)}",
            hint="on Windows use WSL or Git Bash; PowerShell is not supported",
        )
    click.echo(complete(ctx.find_root().command, {}, "umpire", "_UMPIRE_COMPLETE").source())


def _advice(shell: str) -> str:
    """What to type, for ``shell`` or, if it is none of the three, for all."""
    lines = []
    for name in [shell] if shell in PLACES else PLACES:
        place = PLACES[name]
        lines += [f"In {name}, type this once, and open a new terminal:", ""]
        lines += [f"  mkdir -p {place.rpartition('/')[0]}", f"  umpire completion {name} > {place}"]
        if name == "zsh":
            lines += ["", "and make sure that ~/.zshrc has these lines:", ""]
            lines += ["  fpath=(~/.zfunc $fpath)", "  autoload -Uz compinit && compinit"]
        lines.append("")
    if shell not in PLACES:
        lines.append("PowerShell and cmd have no completion.")
    return "\n".join(lines).rstrip()
