"""What a pack is suspected of: single facts without which accusations would not stand.

A wrong pack shows itself as a pattern of findings. For each accusation facts are looked up that its
searches read (:mod:`.candidates`); each drag is judged again with one of them not known (:mod:`.trying`);
those that clear most are tried in an audit of the whole game and chosen one after the other
(:mod:`.cover`). It changes no verdict: what is suspected may be right all the same.
"""

from __future__ import annotations

from .cover import suspects

__all__ = ["suspects"]
