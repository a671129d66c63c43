"""The least anybody must do: what the project's own work is measured against."""

from __future__ import annotations

import heapq
import zipfile
from collections.abc import Sequence
from pathlib import Path


def split_save(path: Path) -> list[str]:
    """Unzip a save or log, undo its obfuscation, split on ESC: no checks, no meaning."""
    with zipfile.ZipFile(path) as archive:
        raw = archive.read("savedGame")
    if raw[:5] != b"!VCSK":
        return raw.decode("utf-8").split("\x1b")
    key = int(raw[5:7], 16)
    table = bytes(byte ^ key for byte in range(256))
    plain = bytes.fromhex(raw[7:].decode("ascii")).translate(table)
    return plain.decode("utf-8", "replace").split("\x1b")


def a_star(
    neighbours: Sequence[Sequence[tuple[int, int]]],
    places: Sequence[tuple[int, int]],
    start: int,
    goal: int,
    least: int,
) -> int | None:
    """The cost of the cheapest path on integer nodes and costs; hexes by axial coordinates."""
    gq, gr = places[goal]
    best = {start: 0}
    queue = [(0, 0, start)]
    while queue:
        _, spent, node = heapq.heappop(queue)
        if node == goal:
            return spent
        if spent > best[node]:
            continue
        for other, cost in neighbours[node]:
            so_far = spent + cost
            if so_far < best.get(other, 1 << 60):
                best[other] = so_far
                q, r = places[other]
                dq, dr = q - gq, r - gr
                guess = max(abs(dq), abs(dr), abs(dq + dr)) * least
                heapq.heappush(queue, (so_far + guess, so_far, other))
    return None
