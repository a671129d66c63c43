"""Traits of pieces, a class each: ``play`` and ``catalogue``.

Field names are the engine's; ``layout`` reads and writes them.
"""

from .catalogue import *  # noqa: F403
from .codec import *  # noqa: F403
from .layout import *  # noqa: F403
from .play import *  # noqa: F403
