"""Start the studio: a server on this machine's own address, and the browser that shows it.

The browser opens a private file that redirects to the page. The one-time token is in that file, not in the
list of processes. The file is removed as soon as the token has been used.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvicorn

from ...model.problem import UmpireError
from .app import make_app
from .entry import Entry
from .safety import HOST, Keys

TURN = 0.001
"""Seconds for which judging runs before a call gets its turn, so pages are answered while moves are
judged."""
UNHEARD, TICK = 900, 15
"""Seconds without a request after which a studio without a terminal ends, and seconds between two checks."""
GRACE = 2
"""Seconds to wait at the end for requests in progress."""


@contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """A socket on this machine's own address; ``port`` 0: any free one."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        if sys.platform == "win32":
            server.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((HOST, port))
            server.listen()
        except OSError as error:
            what = error.strerror or "cannot be used"
            raise UmpireError(what, where=f"port {port}", hint="name another, or none") from None
        yield server


class Server(uvicorn.Server):
    """A server that releases waiting requests when it is told to stop, and leaves no connection open."""

    def __init__(self, config: uvicorn.Config, stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: object) -> None:
        threading.Thread(target=self._stopping, daemon=True).start()
        super().handle_exit(sig, frame)  # type: ignore[arg-type]  # a frame, or None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        for late in self.server_state.connections:  # made while the server stopped accepting any
            late.transport.abort()


def server_for(entry: Entry, keys: Keys, port: int, *, debug: bool = False) -> Server:
    """A server for ``entry`` on ``port``; stopping the server closes the entry."""
    config = uvicorn.Config(
        make_app(entry, keys, port, debug=debug),
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
    )
    server = Server(config, entry.close)

    def end() -> None:
        server.should_exit = True

    entry.quit = end
    return server


class Door:
    """Opens the studio: with a new link each time, passed to the browser in a file that only its owner may
    read."""

    def __init__(self, keys: Keys, port: int, say: Callable[[str], None], *, browser: bool) -> None:
        self._keys, self._port, self._say, self._browser = keys, port, say, browser
        self._folder: Path | None = None
        keys.used = self.shut

    def open(self) -> None:
        """Open the studio, in the browser if wanted, and print the link."""
        self.shut()
        address = f"http://{HOST}:{self._port}/#launch={self._keys.new_token()}"
        if self._browser and not webbrowser.open(self._leading_to(address).as_uri()):
            self._say("No browser could be opened; open the link yourself.")
        self._say(f"The studio is at {address}")

    def _leading_to(self, address: str) -> Path:
        self._folder = Path(tempfile.mkdtemp(prefix="umpire-open-"))
        path = self._folder / "open-the-studio.html"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(
                '<!doctype html><meta charset="utf-8"><title>vassal-umpire studio</title>'
                f'<meta http-equiv="refresh" content="0;url={address}">'
                f'<p><a href="{address}">Open the studio</a></p>\n'
            )
        return path

    def shut(self) -> None:
        """Remove the file, if there is one."""
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def listen(self) -> None:
        """Open the studio again whenever Enter is pressed in the terminal, in case its page was closed."""
        with contextlib.suppress(OSError, ValueError):
            while sys.stdin.readline():
                self.open()


def serve(
    entry: Entry,
    port: int,
    say: Callable[[str], None],
    *,
    browser: bool = True,
    alone: bool = False,
    debug: bool = False,
) -> None:
    """Serve the studio until Ctrl-C, or until its page ends it. ``say`` gets its address. ``alone``: there is
    no terminal, so it also ends after :data:`UNHEARD` seconds without a request."""
    keys = Keys()
    with contextlib.suppress(KeyboardInterrupt), listening(port) as sock, ExitStack() as rest:
        sys.setswitchinterval(TURN)
        number = sock.getsockname()[1]
        server = server_for(entry, keys, number, debug=debug)
        rest.callback(entry.close)
        entry.start()
        door = Door(keys, number, say, browser=browser)
        rest.callback(door.shut)
        door.open()
        again = sys.stdin is not None and sys.stdin.isatty()
        enter = " Press Enter here for a new one." if again else ""
        say(
            f"The link opens it once.{enter} Edits are saved as they are made; Ctrl-C ends the studio."
        )
        if again:
            threading.Thread(target=door.listen, daemon=True).start()
        if alone:
            threading.Thread(target=_end_unheard, args=(entry,), daemon=True).start()
        server.run(sockets=[sock])
    say("The studio is closed.")


def _end_unheard(entry: Entry) -> None:
    """End the studio once no page sends requests any more. Time in which the computer sleeps does not
    count."""
    ticks, heard = 0, -1
    while ticks * TICK < UNHEARD:
        time.sleep(TICK)
        ticks = ticks + 1 if entry.heard == heard else 0
        heard = entry.heard
    entry.quit()
