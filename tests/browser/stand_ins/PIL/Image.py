"""As much of ``PIL.Image`` as umpire uses, for PNGs, without their pixels.

Whatever is done to a picture, it is saved as the bytes that it was read from; what is made of several is
saved as the last that was put into it.
"""

from __future__ import annotations

import struct
from enum import Enum
from typing import IO, Any


class DecompressionBombError(Exception):
    pass


class Resampling(Enum):
    BICUBIC = 3


class Transpose(Enum):
    ROTATE_180 = 3


class Image:
    def __init__(self, mode: str, size: tuple[int, int], data: bytes) -> None:
        self.mode, self.size, self.data, self.format = mode, size, data, "PNG"

    width = property(lambda self: self.size[0])
    height = property(lambda self: self.size[1])

    def _like(self, *_what: Any, **_how: Any) -> Image:
        return Image(self.mode, self.size, self.data)

    crop = convert = reduce = getchannel = transpose = _like

    def resize(self, size: tuple[int, int], *_how: Any, **_more: Any) -> Image:
        return Image(self.mode, size, self.data)

    def draft(self, *_what: Any) -> None:
        pass

    load = draft

    def paste(self, other: Image, *_where: Any, **_how: Any) -> None:
        self.data = other.data

    def getbands(self) -> str:
        return self.mode

    def save(self, file: IO[bytes], _format: str, **_how: Any) -> None:
        file.write(self.data)

    def __enter__(self) -> Image:
        return self

    def __exit__(self, *_error: object) -> None:
        pass


def new(mode: str, size: tuple[int, int], *_colour: Any) -> Image:
    return Image(mode, size, b"")


def open(file: IO[bytes], **_formats: Any) -> Image:  # noqa: A001 - Pillow's name
    data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise OSError("this stand-in reads PNGs alone")
    return Image("RGBA", struct.unpack(">II", data[16:24]), data)
