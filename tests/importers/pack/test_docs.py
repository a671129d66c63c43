"""The examples of the pages on packs and of docs/analysis-format.md are what they say they are."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from vassal_umpire.importers.analysis.document import FORMAT, parse_document
from vassal_umpire.importers.analysis.game_json import game_of
from vassal_umpire.importers.analysis.versions import OLDEST
from vassal_umpire.model.game import Displacement, Place
from vassal_umpire.model.schemas import faults

HEAD: dict[str, Any] = {
    "pack": {"name": "x", "version": "1", "ruleset": "generic"},
    "board": {"sheet": [{"map": "Main"}]},
}


def blocks(page: Path) -> list[str]:
    """The indented blocks of a page."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page.read_text("utf-8"), re.MULTILINE)
    return ["\n".join(line[4:] for line in block.splitlines()) for block in found]


def test_every_toml_example_fits_its_schema(project: Path) -> None:
    pages = ("packs", "pack-board", "pack-fill", "pack-units", "facts")
    found = [b for page in pages for b in blocks(project / "docs" / f"{page}.md")]
    examples = [b for b in found if b.strip().startswith("[")]
    assert len(examples) >= 15
    for example in examples:
        values = tomllib.loads(example)
        facts = "condition" in values
        whole = values if facts else {**HEAD, **values}
        assert faults("facts" if facts else "pack", whole) == (), example


def test_the_game_of_the_page_can_be_read(project: Path) -> None:
    text = next(
        b
        for b in blocks(project / "docs" / "analysis-format.md")
        if '"game": {' in b and "Three" in b
    )
    plain = {"format": FORMAT, "version": OLDEST, **json.loads("{" + text + "}")}
    game = game_of(parse_document(json.dumps(plain).encode(), "page")["game"])
    (event,) = game.events
    assert isinstance(event, Displacement)
    assert event.target == Place("hex", "0102")
    assert game.board.neighbours("0101") == ("0102",)
