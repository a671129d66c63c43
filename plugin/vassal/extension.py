"""An extension that shows the umpire's flags, and a report, in VASSAL beside a module.

Flags are in a window of pieces of their own; a report is in a chart window, as plain HTML for Java's own
viewer. Nothing in the module is changed (``VASSAL.build.module.ModuleExtension``).
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image, ImageDraw

from ... import __version__
from ...importers.vassal.archive import open_archive
from ...importers.vassal.commands import AddPiece, encode_command
from ...importers.vassal.limits import Limits
from ...importers.vassal.metadata import Metadata, write_metadata
from ...importers.vassal.module import Module
from ...importers.vassal.pieces import BasicPiece, GamePiece, encode_piece
from ...importers.vassal.traits.catalogue import Delete
from ...importers.vassal.writer import extension_bytes
from ...model.bill import Amount
from ..json_text import clean
from ..pages import environment
from ..printable import printable
from ..reports.phrases import KIND_NAMES, measured, viewer_text

EXTENSION_ID = "umpire"
FLAGS = {
    "illegal": ("illegal or too dear", (192, 38, 28)),
    "unverifiable": ("cannot be verified", (208, 135, 0)),
    "legal": ("looked at, and legal", (29, 122, 85)),
}
"""The flags by the name of their picture: text and colour."""

REPORT_FILE = "umpire-report.html"
OLDEST = "3.5.0"
"""The oldest VASSAL that the extension names; it uses nothing newer."""

_SIZE = 36
_DELETE_KEY = "68,130"  # Ctrl-D, as modules have it
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def flags_extension(
    file: Path, module: Module, report: Mapping[str, Any] | None, limits: Limits
) -> bytes:
    """The extension for the module ``file``, as a zip without a comment. ``report``: a JSON report to show;
    None: no report."""
    with open_archive(file, limits) as archive:
        stored = archive.read("moduledata") if "moduledata" in archive else None
    moduledata = stored or write_metadata(Metadata(name=module.name, version=module.version))
    about = Metadata(
        version=__version__, vassal_version=OLDEST, description=_described(module, report)
    )
    files = {f"images/umpire-{name}.png": flag_png(colour) for name, (_, colour) in FLAGS.items()}
    if report is not None:
        files[REPORT_FILE] = report_html(report, called(module)).encode("utf-8")
    build_file = build_xml(module, report)
    return extension_bytes(build_file, about, moduledata, files)


def called(module: Module) -> str:
    """Name and version of a module."""
    return f"{module.name} {module.version}".strip()


def _described(module: Module, report: Mapping[str, Any] | None) -> str:
    """What VASSAL shows of the extension in its library window."""
    what = "The umpire's flags" + (", and his report" if report is not None else "")
    return f"{what} (vassal-umpire {__version__}, for {printable(called(module))})"


def build_xml(module: Module, report: Mapping[str, Any] | None) -> bytes:
    """The build file: a window with a slot for each flag, and one for the report."""
    root = etree.Element(
        "VASSAL.build.module.ModuleExtension",
        anyModule="false",
        description=_xml(_described(module, report)),
        extensionId=EXTENSION_ID,
        module=_xml(module.name),
        moduleVersion=_xml(module.version),
        nextPieceSlotId=str(len(FLAGS) + 1),
        vassalVersion=OLDEST,
        version=__version__,
    )
    _flags_window(root)
    if report is not None:
        _report_window(root)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _flags_window(root: etree._Element) -> None:
    window = etree.SubElement(
        root,
        "VASSAL.build.module.PieceWindow",
        name="Umpire's flags",
        text="Flags",
        tooltip="Flags of the umpire, to be put on the map",
        hidden="false",
        hotkey="",
        icon="",
        defaultWidth="0",
        scale="1.0",
    )
    pile = etree.SubElement(
        window,
        "VASSAL.build.widget.ListWidget",
        entryName="Flags",
        height="240",
        width="320",
        divider="160",
        scale="1.0",
    )
    for number, (name, (text, _)) in enumerate(FLAGS.items(), 1):
        slot = etree.SubElement(
            pile,
            "VASSAL.build.widget.PieceSlot",
            entryName=f"Flag: {text}",
            gpid=f"{EXTENSION_ID}:{number}",
            height=str(_SIZE),
            width=str(_SIZE),
        )
        slot.text = _flag(number, name, text)


def _report_window(root: etree._Element) -> None:
    window = etree.SubElement(
        root,
        "VASSAL.build.module.ChartWindow",
        name="Umpire's report",
        text="Report",
        tooltip="What the umpire found",
        icon="",
        hotkey="",
    )
    etree.SubElement(
        window, "VASSAL.build.widget.HtmlChart", chartName="Report", fileName=REPORT_FILE
    )


def _flag(number: int, name: str, text: str) -> str:
    base = BasicPiece(
        image=f"umpire-{name}.png",
        name=f"Flag: {text}",
        gpid=f"{EXTENSION_ID}:{number}",
        properties=(),
    )
    removable = Delete(command="Take down", key=_DELETE_KEY)
    type_text, state = encode_piece(GamePiece((removable,), base))
    return encode_command(AddPiece(None, type_text, state))


def _xml(text: str) -> str:
    """A text with only characters that an XML attribute can hold."""
    return _CONTROL.sub("", text)


@cache
def flag_png(colour: tuple[int, int, int]) -> bytes:
    """A pennant on a pole, drawn without fonts: the same bytes everywhere."""
    image = Image.new("RGBA", (_SIZE, _SIZE))
    pen = ImageDraw.Draw(image)
    pen.polygon([(9, 3), (34, 10), (9, 19)], fill=(*colour, 255), outline=(30, 30, 30, 255))
    pen.rectangle((6, 2, 8, 34), fill=(60, 48, 40, 255))
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def report_html(report: Mapping[str, Any], module: str) -> str:
    """A JSON report as the old HTML that Java shows: headings, lists and tables, no scripts. It ends with the
    program and the ``module`` that it was made for."""
    text = resources.files(__package__).joinpath("page", "window.html").read_text("utf-8")
    shown = [f for f in report["findings"] if f["kind"] not in ("unverifiable", "note")]
    values = {
        "report": clean(report),
        "shown": clean(shown),
        "kind_names": KIND_NAMES,
        "amount": _amount,
        "viewer_text": viewer_text,
        "measured": measured,
        "version": __version__,
        "module": clean(module),
    }
    return environment().from_string(text).render(values)


def _amount(amount: Mapping[str, Any]) -> str:
    hi = amount["hi"]
    return Amount(Fraction(amount["lo"]), None if hi is None else Fraction(hi)).written
