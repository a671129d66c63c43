"""Analysis documents and JSON reports with some of it changed."""

from __future__ import annotations

import json
import random
from typing import Any

from .atoms import other_bytes, other_tree


def changed_json(rng: random.Random, tree: dict[str, Any]) -> bytes:
    """A document with some values changed, or, now and then, its bytes."""
    new = other_tree(rng, tree, rng.choice((1, 1, 1, 2, 5, 20)))
    data = json.dumps(new, ensure_ascii=rng.random() < 0.8).encode("utf-8", "surrogatepass")
    return other_bytes(rng, data) if rng.random() < 0.1 else data
