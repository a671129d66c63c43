"""Traits of pieces, a class each: ``play`` and ``extras`` those with state, ``actions`` the others.

Field names are the engine's; ``layout`` reads and writes them.
"""

from . import actions, extras, play
from .actions import *  # noqa: F403
from .codec import decode_trait, encode_trait_state, encode_trait_type
from .extras import *  # noqa: F403
from .layout import LAYOUTS, Number, Trait
from .play import *  # noqa: F403

__all__ = ["LAYOUTS", "Number", "Trait", "decode_trait", "encode_trait_state", "encode_trait_type"]
__all__ += actions.__all__
__all__ += extras.__all__
__all__ += play.__all__
