"""Traits of pieces, a class each: ``play`` and ``extras`` those with state, ``actions`` the others.

Field names are the engine's; ``layout`` reads and writes them.
"""

from .actions import *  # noqa: F403
from .codec import *  # noqa: F403
from .extras import *  # noqa: F403
from .layout import *  # noqa: F403
from .play import *  # noqa: F403
