"""Suspects: facts of the pack that are probably wrong, because many findings rest on them.

One wrong fact in a pack causes many false findings. It is found in three steps:

1. :mod:`.candidates` collects, for each accusation, the facts that its searches read.
2. :mod:`.trying` judges each accused drag again with one of these facts not known.
3. :mod:`.cover` tries the facts that clear most drags in an audit of the whole game and picks the best
   ones with a greedy algorithm.

:mod:`.dear_numbers` adds the numbers of the charts: each accused drag is judged again with one of them
cheaper.

No verdict changes: a suspected fact may still be right.
"""

from __future__ import annotations

from .cover import Suspected, suspects

__all__ = ["Suspected", "suspects"]
