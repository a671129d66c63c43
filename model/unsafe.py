"""Characters that can make a text look different from what it is."""

from __future__ import annotations

import re

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls (C0, C1, DEL), line and paragraph separators, marks that change the writing direction or have no
width, and lone surrogates."""
