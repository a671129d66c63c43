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
    finally:
        gc.freeze()  # Python looks through all objects once more when it ends, for nothing


def run_studio() -> None:
    """What ``umpire-studio`` runs, which has no terminal: the start page of the studio. What goes wrong
    before that shows is told in the browser."""
    sys.argv[1:1] = ["studio", "--start-page"]
    if sys.stderr is not None:
        run()
        return
    import io

    said = sys.stderr = io.StringIO()
    try:
        run()
    except SystemExit as end:
        if end.code:
            _show(said.getvalue())
        raise


def _show(text: str) -> None:
    """Show a text in the browser."""
    import html
    import tempfile
    import webbrowser
    from pathlib import Path

    page = Path(tempfile.mkdtemp(prefix="umpire-")) / "umpire-studio.html"
    told = html.escape(text.strip() or "it ended without a word")
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><title>umpire-studio</title>'
        f"<h1>The studio could not be opened</h1><pre>{told}</pre>",
        "utf-8",
    )
    webbrowser.open(page.as_uri())


if __name__ == "__main__":
    run()
