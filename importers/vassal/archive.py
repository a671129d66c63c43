"""Archives of VASSAL: modules, extensions, saves and logs, and bare saved texts.

The content decides what a file is; its extension is a hint for people. Entries are read by exact
name into memory, within limits. No name from an archive is ever used as a file name.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, Literal

from ...model.problem import Problem, Unreadable
from ..ordinary import open_ordinary
from .limits import DEFAULT_LIMITS, Limits
from .metadata import Metadata, read_metadata
from .obfuscation import BEGIN, sniff
from .xml import parse_xml, too_long

Kind = Literal["module", "extension", "saved-game", "unknown"]
SAVED_GAME = "savedGame"
BUILD_FILES = ("buildFile.xml", "buildFile")
_CHUNK = 256 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what the engine can read
# What zipfile raises for damaged archives: not only BadZipFile.
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError)
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")


class Archive:
    """An open file of VASSAL; close it, or use it in a ``with`` statement.

    ``where`` names the file in messages; ``kind`` says what it is: ``saved-game`` covers saves and
    logs, which differ only in their text. ``problems`` grows while entries are read.
    """

    def __init__(self, stream: io.BufferedReader | io.BytesIO, where: str, limits: Limits) -> None:
        self.where = where
        self.limits = limits
        self.problems: list[Problem] = []
        self._stream = stream
        self._read_so_far = 0
        self._sha256 = ""
        head = stream.read(16)
        self.is_zip = head.startswith(_ZIP_MAGIC) or not (
            _is_saved_text(head) or not zipfile.is_zipfile(stream)
        )
        self._zip = self._open_zip() if self.is_zip else None
        self._entries = self._index()
        self.kind: Kind = self._kind(head)

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._zip is not None:
            self._zip.close()
        self._stream.close()

    @property
    def sha256(self) -> str:
        """SHA-256 of the whole file, in hex."""
        if not self._sha256:
            self._stream.seek(0)
            self._sha256 = hashlib.file_digest(self._stream, "sha256").hexdigest()
        return self._sha256

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all entries, in file order; a bare file has none."""
        return tuple(self._entries)

    @property
    def written_names(self) -> tuple[str, ...]:
        """The names of all entries as written in the file, with duplicates."""
        return tuple(entry.orig_filename for entry in self._zip.filelist) if self._zip else ()

    def is_link(self, name: str) -> bool:
        """Whether an entry would be unpacked as a symbolic link."""
        return stat.S_ISLNK(self._entry(name).external_attr >> 16)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def size(self, name: str) -> int:
        """Unpacked size of an entry as the archive declares it."""
        return self._entry(name).file_size

    def read(self, name: str, most: int | None = None) -> bytes:
        """Read one entry, of at most ``most`` bytes (None: what the limits say).

        Raises :class:`Unreadable` if there is none of that name, if it is damaged or encrypted,
        or if it passes a limit.
        """
        entry = self._entry(name)
        assert self._zip is not None
        where = f"{self.where}: {name}"
        if entry.compress_type not in _METHODS or entry.flag_bits & 1:
            what = "is encrypted" if entry.flag_bits & 1 else "is packed in a way VASSAL never uses"
            raise Unreadable(f"the entry {what}", where=where)
        try:
            with self._zip.open(entry) as stream:
                return self._read_bounded(stream, entry.compress_size, where, most)
        except (*_DAMAGE, NotImplementedError) as error:
            raise Unreadable(
                f"the entry is damaged: {error}", where=where, hint="fetch the file again"
            ) from None

    def read_saved_game(self) -> bytes:
        """The saved game as stored, still obfuscated: of a save, a log or a bare file."""
        most = 2 * self.limits.text + _CHUNK  # two digits a byte
        if self._zip is None:
            self._stream.seek(0)
            return self._read_bounded(self._stream, None, self.where, most)
        if SAVED_GAME not in self._entries:
            is_module = not self._entries.keys().isdisjoint(BUILD_FILES)
            raise Unreadable(
                f"there is no entry {SAVED_GAME}: this is neither a save nor a log",
                where=self.where,
                expected="a .vsav or .vlog file",
                hint="it is a module or an extension: umpire inspect tells what is in it"
                if is_module
                else "",
            )
        return self.read(SAVED_GAME, most)

    def build_file(self) -> tuple[str, bytes]:
        """Name and content of a module's or extension's build file.

        Engines from 3.5 on write ``buildFile.xml``, older ones ``buildFile``; the engine goes by
        the version in the metadata, and where that entry is missing the other one is taken.
        """
        present = [name for name in BUILD_FILES if name in self._entries]
        if not present:
            raise Unreadable(
                "there is no entry buildFile.xml or buildFile: this is not a module",
                where=self.where,
                expected="a .vmod or .vmdx file",
            )
        own = "extensiondata" if "extensiondata" in self._entries else "moduledata"
        data = self.metadata(own)
        version = data.vassal_version if data else ""
        wanted = BUILD_FILES[_before_3_5(version)] if version else present[0]
        if wanted not in present:
            self._note(
                "build-file-name",
                f"the metadata says VASSAL {version}, which reads {wanted};"
                f" {present[0]} is read instead",
            )
            wanted = present[0]
        if self.size(wanted) > self.limits.xml_size:
            where = f"{self.where}: {wanted}"
            raise too_long(f"{self.size(wanted):,} bytes", f"{self.limits.xml_size:,}", where)
        return wanted, self.read(wanted)

    def build_name(self) -> tuple[str, str]:
        """Name and version of a module by its build file; empty if not stated."""
        name = next((name for name in BUILD_FILES if name in self._entries), None)
        found = None if name is None else _FIRST_ELEMENT.search(self.head(name))
        if found is None:
            return "", ""
        # parsed as an element by itself, so faults behind it do not matter
        element = found[0].rstrip(b"/>") + b"/>"
        try:
            root = parse_xml(element, f"{self.where}: {name}", self.limits)
        except Unreadable:
            return "", ""
        return root.get("name", ""), root.get("version", "")

    def metadata(self, name: str) -> Metadata | None:
        """Read a metadata entry. None, with a problem noted: it is missing or damaged."""
        if name not in self._entries:
            return None
        try:
            return read_metadata(self.read(name), f"{self.where}: {name}", self.limits)
        except Unreadable as error:
            problem = Problem("metadata-unreadable", error.what, error.where)
            if problem not in self.problems:
                self.problems.append(problem)
            return None

    def _open_zip(self) -> zipfile.ZipFile:
        self._stream.seek(0)
        try:
            opened = zipfile.ZipFile(self._stream)
        except (*_DAMAGE, NotImplementedError) as error:
            raise Unreadable(
                f"not a complete zip file: {error}",
                where=self.where,
                hint="the file was probably cut short; fetch it again",
            ) from None
        if len(opened.filelist) > self.limits.entries:
            raise Unreadable(
                f"the archive has {len(opened.filelist):,} entries, the limit is"
                f" {self.limits.entries:,}",
                where=self.where,
                hint="raise the limit on entries if the file is to be trusted",
            )
        return opened

    def _index(self) -> dict[str, zipfile.ZipInfo]:
        """Entries by name: like the engine, the first in the file of those that share a name."""
        entries: dict[str, zipfile.ZipInfo] = {}
        twice: list[str] = []
        leaving = 0
        for entry in sorted(self._zip.filelist if self._zip else (), key=lambda e: e.header_offset):
            if entry.filename in entries:
                twice.append(entry.filename)
            entries.setdefault(entry.filename, entry)
            leaving += _leaves_folder(entry.orig_filename)
        if twice:
            others = f" and {len(twice) - 1:,} others" if len(twice) > 1 else ""
            self._note(
                "duplicate-entry",
                f"there is more than one entry {twice[0][:80]!r}{others}; the first is read",
            )
        if leaving:
            self._note(
                "entry-leaves-folder",
                f"{leaving:,} entries have names that would leave the archive's folder;"
                " nothing is ever unpacked by name",
            )
        return entries

    def _kind(self, head: bytes) -> Kind:
        if not self.is_zip:
            if not head:
                raise Unreadable("the file is empty", where=self.where)
            if not _is_saved_text(head):
                raise Unreadable(
                    "neither a zip archive nor a saved text",
                    where=self.where,
                    expected="a .vmod, .vmdx, .vsav or .vlog file",
                )
            return "saved-game"
        if SAVED_GAME in self._entries:
            return "saved-game"
        if "extensiondata" in self._entries:
            return "extension"
        for name in BUILD_FILES:
            if name in self._entries:
                root = _first_element(self.head(name))
                return "extension" if root.endswith(b".ModuleExtension") else "module"
        return "unknown"

    def head(self, name: str, size: int = 4096) -> bytes:
        """The first bytes of an entry, fewer if it is shorter; nothing if it is damaged."""
        assert self._zip is not None
        entry = self._entries[name]
        if entry.compress_type not in _METHODS or entry.flag_bits & 1:
            return b""
        try:
            with self._zip.open(entry) as stream:
                return stream.read(size)
        except (*_DAMAGE, NotImplementedError):
            return b""  # a full read of the entry reports what is wrong

    def _entry(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._entries[name]
        except KeyError:
            raise Unreadable(f"there is no entry {name}", where=self.where) from None

    def _read_bounded(
        self, stream: IO[bytes], packed: int | None, where: str, most: int | None
    ) -> bytes:
        limits = self.limits
        largest = limits.entry_size if most is None else min(most, limits.entry_size)
        chunks: list[bytes] = []
        size = 0
        while chunk := stream.read(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            self._read_so_far += len(chunk)
            steep = packed is not None and size > limits.ratio_from and size > packed * limits.ratio
            if size > largest or steep or self._read_so_far > limits.total_size:
                reason = f"at a ratio above {limits.ratio:,}:1" if steep else "and more"
                raise Unreadable(
                    f"unpacks to {size:,} bytes {reason}, past the limit",
                    where=where,
                    hint="raise the limits on size and ratio if the file is to be trusted",
                )
        return b"".join(chunks)

    def _note(self, code: str, message: str) -> None:
        problem = Problem(code, message, self.where)
        if problem not in self.problems:
            self.problems.append(problem)


def open_archive(
    source: Path | str | bytes, limits: Limits = DEFAULT_LIMITS, where: str = ""
) -> Archive:
    """Open a file, or its bytes, as an archive.

    Raises :class:`Unreadable` if the file cannot be opened, is empty, is a damaged zip, or is
    neither a zip nor a saved text.
    """
    if isinstance(source, bytes):
        return Archive(io.BytesIO(source), where or "(bytes)", limits)
    path = Path(source)
    try:
        stream = open_ordinary(path)
    except OSError as error:
        raise Unreadable(
            f"cannot be opened: {error.strerror or error}",
            where=where or str(path),
            hint="name the files in it" if path.is_dir() else "",
        ) from None
    try:
        return Archive(stream, where or path.name, limits)
    except BaseException:
        stream.close()
        raise


def _is_saved_text(head: bytes) -> bool:
    return sniff(head) != "plain" or head.startswith(BEGIN)


def _before_3_5(version: str) -> bool:
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    return numbers < [3, 5]


_FIRST_ELEMENT = re.compile(rb"""<([A-Za-z_][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>""")


def _first_element(head: bytes) -> bytes:
    found = re.search(rb"<([A-Za-z_][^\s/>]*)", head)
    return found.group(1) if found else b""


def _leaves_folder(name: str) -> bool:
    """Would this name, taken as a path on any system, lie outside the archive's own folder?"""
    path = name.replace("\\", "/")
    return (
        path.startswith("/") or ".." in path.split("/") or re.match(r"[A-Za-z]:", path) is not None
    )
