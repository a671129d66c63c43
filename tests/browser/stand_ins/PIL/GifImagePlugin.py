"""See :mod:`PIL.Image`: no picture of this kind is read."""

from .Image import Image


class GifImageFile(Image):
    def __init__(self, _file: object) -> None:
        raise OSError("this stand-in reads PNGs alone")
