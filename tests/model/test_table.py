"""What a piece is called where it has no name."""

from __future__ import annotations

import pytest
from vassal_umpire.model.table import Piece, Spot, StatedFacts, picture_name


@pytest.mark.parametrize(
    ("base", "layers", "unknown", "called"),
    [
        ("front.png", {}, "", "front"),
        ("front.png", {"Back": ""}, "", "front"),
        ("front.png", {"Back": "back.png"}, "", ""),
        ("front.png", {}, "Back_Image", ""),
        ("", {"Unit": "unit.png"}, "", "unit"),
        ("", {"Moved": "moved.png"}, "Unit_Image", ""),
        ("", {"Moved": "moved.png", "Unit": "unit.png"}, "", ""),
    ],
)
def test_a_picture_names_a_piece_only_where_no_other_can_lie_on_it(
    base: str, layers: dict[str, str], unknown: str, called: str
) -> None:
    aspects = {"Image": lambda image: image, "Level": lambda _: "1", "Active": lambda _: "true"}
    properties = {
        f"{n}_{what}": of(image) for n, image in layers.items() for what, of in aspects.items()
    }
    facts = StatedFacts(
        "",
        image=base,
        properties={**properties, "Seal_Image": "seal.png"},
        unknown=frozenset([unknown]),
    )
    assert Piece("1", Spot(None, 0, 0), "", facts).own_name == called


@pytest.mark.parametrize(
    ("file", "name"),
    [("a/b.png", "b"), ("x\\y\\inf.webp", "inf"), ("inf.BMP", "inf"), ("inf.tif", "inf"), (".png", "")],
)  # fmt: skip
def test_what_the_file_of_a_picture_is_called(file: str, name: str) -> None:
    assert picture_name(file) == name
