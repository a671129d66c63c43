"""See :mod:`PIL.Image`: nothing is drawn."""
