"""The metadata entries of an archive: ``moduledata``, ``savedata``, ``extensiondata``.

Engine classes: ``build.module.metadata.*MetaData``.
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from .limits import DEFAULT_LIMITS, Limits
from .xml import parse_xml


@dataclass(frozen=True, slots=True)
class Metadata:
    """One metadata entry; missing values are empty.

    ``version`` is the version of the module (also in ``savedata``); ``vassal_version`` that of
    the engine that wrote the entry; ``date_saved`` milliseconds since 1970.
    """

    name: str = ""
    version: str = ""
    vassal_version: str = ""
    description: str = ""
    date_saved: int | None = None
    extra1: str = ""
    extra2: str = ""


def read_metadata(data: bytes, where: str, limits: Limits = DEFAULT_LIMITS) -> Metadata:
    """Read a metadata entry. Raises ``Unreadable`` if it is not sound XML."""
    texts: dict[str, str] = {}
    for child in parse_xml(data, where, limits):
        tag = child.tag
        # Translations carry a language; the plain element is the module's own wording.
        if isinstance(tag, str) and (tag not in texts or not child.attrib):
            texts[tag] = "".join(map(str, child.itertext())).strip()
    date = texts.get("dateSaved", "")
    return Metadata(
        name=texts.get("name", ""),
        version=texts.get("version", ""),
        vassal_version=texts.get("VassalVersion", ""),
        description=texts.get("description", ""),
        date_saved=int(date) if date.isascii() and date.isdigit() and len(date) < 19 else None,
        extra1=texts.get("extra1", ""),
        extra2=texts.get("extra2", ""),
    )


def write_metadata(data: Metadata, *, universal: bool | None = None) -> bytes:
    """Write a metadata entry in the engine's order; ``universal`` only in ``extensiondata``."""
    root = etree.Element("data", version="1")
    for tag, text in (
        ("version", data.version),
        ("extra1", data.extra1),
        ("extra2", data.extra2),
        ("VassalVersion", data.vassal_version),
        ("dateSaved", "" if data.date_saved is None else str(data.date_saved)),
        ("description", data.description),
        ("name", data.name),
        ("universal", "" if universal is None else str(universal).lower()),
    ):
        if text:
            etree.SubElement(root, tag).text = text
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"
