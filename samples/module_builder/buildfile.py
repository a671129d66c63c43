"""Elements of a build file, written as VASSAL writes them: attributes in the order of the alphabet."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from vassal_umpire.importers.vassal.commands import AddPiece, encode_command

from .scribe import nest
from .traits import Trait


def element(tag: str, /, *children: str, **attributes: object) -> str:
    """``VASSAL.build.`` + ``tag`` with these attributes and children (XML already)."""
    given = "".join(f" {key}={quoteattr(str(attributes[key]))}" for key in sorted(attributes))
    tag = f"VASSAL.build.{tag}"
    inside = "".join(children)
    return f"<{tag}{given}>{inside}</{tag}>\n" if inside else f"<{tag}{given}/>\n"


def entry(text: str) -> str:
    """An ``entry`` of a list."""
    return f"<entry>{escape(text)}</entry>"


def definition(traits: Sequence[Trait], base: str, state: str) -> str:
    """The text of a slot or prototype: a piece with no id; ``base`` and ``state`` are BasicPiece's."""
    types, states = (
        nest([*(t.type for t in traits), base]),
        nest([*(t.state for t in traits), state]),
    )
    return escape(encode_command(AddPiece(None, types, states)))
