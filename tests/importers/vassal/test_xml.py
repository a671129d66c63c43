"""XML from strangers."""

from __future__ import annotations

import pytest
from vassal_umpire.importers.vassal.limits import Limits
from vassal_umpire.importers.vassal.metadata import Metadata, read_metadata, write_metadata
from vassal_umpire.importers.vassal.xml import parse_xml
from vassal_umpire.model.problem import Unreadable

ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'


def test_plain() -> None:
    root = parse_xml(b'<?xml version="1.0"?><!-- note --><a b="1">x<c/></a>', "f")
    assert root.tag == "a"
    assert root.get("b") == "1"


@pytest.mark.parametrize(
    "data",
    [
        ENTITY.encode(),
        b"\xef\xbb\xbf" + ENTITY.encode(),
        ENTITY.encode("utf-16"),
        ENTITY.encode("utf-16-le"),
        b'<?xml version="1.0"?>\n<!-- a --><?pi x?> ' + ENTITY.encode(),
        b'<!DOCTYPE a [<!ENTITY x "ha">]><a y="&x;"/>',
        b"<!doctype a><a/>",
    ],
)
def test_no_document_type_is_ever_read(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"document type|not well-formed"):
        parse_xml(data, "f")


def test_utf16_is_read() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><a>\u00e9</a>'
    assert parse_xml(text.encode("utf-16"), "f").text == "\u00e9"


def test_faults_are_placed() -> None:
    with pytest.raises(Unreadable, match="f: not well-formed XML at line 2, column") as caught:
        parse_xml(b"<a>\n<b></a>", "f")
    assert "\n" not in str(caught.value)
    with pytest.raises(Unreadable, match="f: the XML document is empty"):
        parse_xml(b"  ", "f")


def test_depth_is_bounded() -> None:
    data = b"<a>" * 150 + b"</a>" * 150
    parse_xml(data, "f")
    with pytest.raises(Unreadable, match=r"nested more than 100 deep.*raise the limit"):
        parse_xml(data, "f", Limits(xml_depth=100))
    with pytest.raises(Unreadable):
        parse_xml(b"<a>" * 100_000, "f")


def test_metadata() -> None:
    data = (
        b'<data version="1"><version>1.2</version><VassalVersion>3.6.4</VassalVersion>'
        b'<name lang="de">Schlacht</name><name>Battle</name><dateSaved>1643744674502</dateSaved>'
        b"<description/></data>"
    )
    assert read_metadata(data, "moduledata") == Metadata(
        name="Battle", version="1.2", vassal_version="3.6.4", date_saved=1643744674502
    )


def test_metadata_round_trip() -> None:
    meta = Metadata("A <b> & c", "2", "3.7.0", "d", 5, "e", "f")
    assert read_metadata(write_metadata(meta), "moduledata") == meta
    assert b"<universal>true</universal>" in write_metadata(meta, universal=True)


def test_a_text_of_too_many_elements_or_bytes_is_refused_before_it_is_parsed() -> None:
    data = b"<a>" + b"<b/>" * 20 + b"</a>"
    assert len(parse_xml(data, "f", Limits(xml_elements=21))) == 20
    with pytest.raises(Unreadable, match="f: the XML has 21 elements, the limit is 20"):
        parse_xml(data, "f", Limits(xml_elements=20))
    with pytest.raises(Unreadable, match=f"{len(data)} bytes, the limit is 50"):
        parse_xml(data, "f", Limits(xml_size=50))
