"""The seal, by which this program recognises files that it wrote, from their content alone.

A file carries its own digest, taken with the digest's place left blank. So a file counts as ours only as long
as nobody has changed a byte of it, and a file that quotes ours does not count. This is not protection against
forgery and need not be: it prevents people's own work from being overwritten.
"""

from __future__ import annotations

import hashlib
import json
import re
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

_MARK = b"vassal-umpire seal "
_DIGITS = 32
_SEAL = re.compile(re.escape(_MARK) + b"([0-9a-f]{%d})" % _DIGITS)
_BLANK = _MARK + b"0" * _DIGITS
BLANK = _BLANK.decode()
"""The placeholder for a file's seal."""

_CHUNK = 1024 * 1024


def sealed(data: bytes) -> bytes:
    """``data`` with the seal in its last blank; unchanged if it has none."""
    before, blank, after = data.rpartition(_BLANK)
    if not blank:
        return data
    digest, _ = _read(BytesIO(data))
    return before + _MARK + digest + after


def seal_file(path: Path) -> None:
    """Put the seal into the first blank of a file."""
    with path.open("rb+") as file:
        digest, _ = _read(file)
        place, start = 0, b""
        file.seek(0)
        while chunk := file.read(_CHUNK):
            found = (start + chunk).find(_BLANK)
            if found >= 0:
                file.seek(place - len(start) + found)
                file.write(_MARK + digest)
                return
            place += len(chunk)
            start = (start + chunk)[-len(_BLANK) :]


def is_sealed(path: Path) -> bool:
    """Whether this program wrote the file, and nobody has changed it since. Raises ``OSError``."""
    with path.open("rb") as file:
        digest, seals = _read(file)
    return digest in seals


def _read(file: BinaryIO) -> tuple[bytes, set[bytes]]:
    """The digest of a file with all its seals blank, and those seals: quoted text may hold some, too."""
    digest, seals, rest = hashlib.sha256(), set[bytes](), b""
    while chunk := file.read(_CHUNK):
        data = rest + chunk
        seals.update(_SEAL.findall(data))
        data = _SEAL.sub(_BLANK, data)
        digest.update(data[: -len(_BLANK)])
        rest = data[-len(_BLANK) :]
    digest.update(rest)
    return digest.hexdigest()[:_DIGITS].encode(), seals


# -- where it stands, by the form of the file ------------------------------------------------------


def in_text(text: str) -> str:
    """Text with a blank in a line of its own at the end."""
    return f"{text}\n[{BLANK}]\n"


def in_markup(text: str) -> str:
    """HTML or Markdown with a blank in a comment at the end."""
    return f"{text}<!-- {BLANK} -->\n"


def in_json(text: str) -> str:
    """A JSON object, as we write them, with a blank as its last entry."""
    body = text.rstrip().removesuffix("}").rstrip()
    line = "\n  " if "\n" in body else ""
    return f'{body},{line}"seal": {json.dumps(BLANK)}{line[:1]}}}\n'


def in_zip(data: bytes) -> bytes:
    """A zip without a comment, with a blank as its comment."""
    return data[:-2] + len(_BLANK).to_bytes(2, "little") + _BLANK
