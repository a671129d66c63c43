"""The seed of what is drawn anew every day. UMPIRE_SEED repeats the draw of another day."""

from __future__ import annotations

import os
from datetime import date

SEED = int(os.environ.get("UMPIRE_SEED") or date.today().toordinal())
