"""See :mod:`PIL.Image`."""

from .Image import Image as ImageFile

__all__ = ["ImageFile"]
