"""The page of plugin/web, built for tests and served on this machine.

Pyodide comes from the npm registry. Its compiled packages lie in Pyodide's own distribution, which no
registry has; three are stood in for by what lies in ``stand_ins`` (lxml, Pillow, rpds-py), a fourth comes
without its compiled part (markupsafe). So these tests say that the program and the page are right, not that
those packages are.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import markupsafe
import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin.web.build import build, pins

STAND_INS = Path(__file__).resolve().parent / "stand_ins"


def built(out: Path, folder: Path) -> Path:
    """The page, built into ``out``; skips where Pyodide or a wheel cannot be had. ``folder``: for what it is
    made of."""
    pyodide = fetched(folder)
    try:
        build(out, pyodide, stand_in_wheels(folder))
    except UmpireError as error:
        if "pip could not" in str(error):
            pytest.skip(f"PyPI cannot be reached: {error}")
        raise
    return out


def fetched(folder: Path) -> Path:
    """The folder of Pyodide from its npm package; skips where it cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on this machine, and Pyodide comes from its registry")
    name = f"pyodide@{pins().version}"
    ran = subprocess.run(
        [npm, "pack", name, "--silent", "--fetch-retries=0"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        pytest.skip(f"the npm registry cannot be reached for {name}")
    shutil.unpack_archive(folder / ran.stdout.split()[-1], folder, "gztar", filter="data")
    return folder / "package"


def stand_in_wheels(folder: Path) -> list[Path]:
    """A wheel for each compiled package, made of its stand-in."""
    own = Path(markupsafe.__file__).parent
    files = {
        "lxml": STAND_INS.glob("lxml/*.py"),
        "pillow": STAND_INS.glob("PIL/*.py"),
        "rpds_py": STAND_INS.glob("rpds.py"),
        "markupsafe": own.glob("*.py"),
    }
    wheels = []
    for name, found in files.items():
        root = own.parent if name == "markupsafe" else STAND_INS
        wheels.append(folder / f"{name}-0-py3-none-any.whl")
        with zipfile.ZipFile(wheels[-1], "w") as wheel:
            for path in found:
                wheel.write(path, path.relative_to(root).as_posix())
            info = f"{name}-0.dist-info"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    return wheels


class Server:
    """A web server of plain files; ``asked``: what it was asked for, method and path."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        handler = partial(_Handler, self.asked, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Stop, if it runs."""
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
    }

    def __init__(self, asked: list[str], *arguments: object, **named: object) -> None:
        self.asked = asked
        super().__init__(*arguments, **named)  # type: ignore[arg-type]

    def log_message(self, *_what: object) -> None:
        self.asked.append(f"{self.command} {self.path}")


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server of what lies in ``folder``, until the block ends."""
    server = Server(folder)
    try:
        yield server
    finally:
        server.close()
