"""Commands of saves and logs: ``kinds`` the values, ``codec`` one command, ``stream`` the text."""

from ..numbers import Number as Number
from .codec import *  # noqa: F403
from .kinds import *  # noqa: F403
from .stream import *  # noqa: F403
