"""Limits on what is read from an untrusted file."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.json_values import MOST_VALUES

MIB = 1024 * 1024
BYTES_AN_ELEMENT = 640
"""A raised limit on XML size allows one element for each of these bytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on archives, XML and command trees; each may be raised for a file one trusts.

    ``entries``: names in a zip. ``entry_size``, ``total_size``: bytes unpacked, of one entry and
    of all that is read of an archive; ``entry_size`` also bounds a file that is not a zip.
    ``ratio``: unpacked to packed bytes of one entry, looked at once it passes ``ratio_from``
    bytes (a short text may well shrink a thousandfold). ``xml_depth``: nested elements;
    ``xml_size``, ``xml_elements``: bytes and elements of one XML text, such as a build file.
    ``nesting``: levels of sub-commands in a log. ``document``: bytes of an analysis document or report;
    ``values``: values in it. ``text``: bytes of the text of a save or log; ``commands``: commands in it;
    ``pieces``: pieces and decks that they add;
    ``command``: characters of one of them; ``steps``: steps of it. ``places``: named places of one map.

    The defaults leave a wide margin over real files: the largest module known to us has 5,000
    entries, the largest log 25 MiB of text, the steepest large entry a ratio of 26, the fullest save
    70,000 commands, the longest log 1,144 steps, the largest document 2,000,000 values. Under them no
    file takes more than 1 GiB or half a minute to read.
    """

    entries: int = 50_000
    entry_size: int = 512 * MIB
    total_size: int = 2048 * MIB
    ratio: int = 200
    ratio_from: int = 32 * MIB
    xml_depth: int = 200
    xml_size: int = 64 * MIB
    xml_elements: int = 100_000
    nesting: int = 500
    document: int = 128 * MIB
    values: int = MOST_VALUES
    text: int = 100 * MIB
    commands: int = 300_000
    pieces: int = 150_000
    command: int = 16 * MIB
    steps: int = 50_000
    places: int = 250_000


DEFAULT_LIMITS = Limits()
